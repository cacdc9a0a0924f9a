"""What everybody may see: never a card that stands in a rack while the round is on (DESIGN: racks are secret)."""

import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.board import NOTHING_YET, NOTICES_SHOWN, PLAYS_SHOWN, after
from engine.cards import SLOTS, Card
from engine.events import (
    CallMade,
    Doubt,
    Event,
    GameEnd,
    GameStarted,
    RoundEnd,
    RoundStarted,
    TurnPlayed,
    Violation,
)
from engine.game import Player
from engine.lines import Call
from engine.round import Play, Round, turned_over
from engine.scoring import score_rack
from engine.snapshot import Notice, PlayerLine, PublicPlay, Snapshot
from engine.variants import rules_for
from tests.engine.tables import (
    NAMES,
    Chooser,
    careless,
    dealt,
    left,
    look,
    nearly_done,
    seated,
    step,
    steps,
    thrifty,
)

PLAIN = rules_for("parker-1992", 4)
NO_CARDS = {
    "version", "edition", "target", "round", "dealer", "to_move", "seat", "total", "points", "number", "called_by",
    "scoring", "broke_at", "winners",
}  # fmt: skip
"""Keys of a snapshot whose numbers are no cards."""


def cards_in(value: object) -> Iterator[Card]:
    """Every number in a snapshot that could be a card, numbers in its words among them."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in NO_CARDS:
                yield from cards_in(inner)
    elif isinstance(value, tuple | list):
        for inner in value:
            yield from cards_in(inner)
    elif isinstance(value, str):
        yield from map(int, re.findall(r"\d+", value))
    elif isinstance(value, int) and not isinstance(value, bool):
        yield value


def in_racks(position: Round) -> set[Card]:
    return {card for rack in position.racks for card in rack}


def people(players: int) -> tuple[Player, ...]:
    return tuple(Player(seat, NAMES[seat - 1]) for seat in range(1, players + 1))


def begun(players: int) -> Snapshot:
    board = after(NOTHING_YET, GameStarted("parker-1992", (), people(players), 500), 1)
    return after(board, RoundStarted(1, 1, 2), 2)


def round_end(position: Round, out: int) -> RoundEnd:
    scores = {seat: score_rack(PLAIN, position.rack(seat), out=seat == out) for seat in position.seats}
    totals = {seat: score.points for seat, score in scores.items()}
    return RoundEnd(out, scores, totals, {seat: position.rack(seat) for seat in position.seats}, 99.0)


@settings(max_examples=40, deadline=None)
@given(
    players=st.sampled_from((2, 3, 4)),
    seed=st.integers(0, 2**32 - 1),
    played=st.sampled_from((careless, thrifty)),
    at_once=st.booleans(),
    calls=st.sets(st.integers(0, 79)),
)
def test_no_snapshot_before_the_rounds_end_holds_a_card_that_stands_in_a_rack(
    players: int,
    seed: int,
    played: Callable[[int], Chooser],
    at_once: bool,  # noqa: FBT001 - hypothesis gives it
    calls: set[int],
) -> None:
    position, choose, board = dealt(players, seed), played(seed), begun(players)
    just_turned = False
    for number in range(80):
        now = step(position, choose(position))
        position = now.after
        flag = now.turned_over or just_turned
        board = after(board, TurnPlayed(now.turn, left(players, now.turn.seat), 1.0 * number, turned_over=flag), number)
        assert not set(cards_in(asdict(board))) & in_racks(position)
        assert board.discard == position.discard[-1]
        if just_turned := at_once and not position.draw:
            position = turned_over(position)
        if number in calls:
            caller = position.to_move
            doubt = Doubt(caller, 5, {position.rack(caller)[0]: 0.9}, 1.0 * number)
            for event in (CallMade(caller, 1.0), doubt, Violation("false-call", caller, "Not in order.", 1.0)):
                board = after(board, event, number)
                assert not set(cards_in(asdict(board))) & in_racks(position)
    board = after(board, round_end(position, 1), 99)
    assert {shown.seat: shown.cards for shown in board.racks} == dict(zip(position.seats, position.racks, strict=True))


@settings(max_examples=40, deadline=None)
@given(players=st.sampled_from((2, 3, 4)), seed=st.integers(0, 2**32 - 1))
def test_a_discard_is_named_exactly_as_long_as_it_lies_on_the_discard_pile_face_up(players: int, seed: int) -> None:
    board = begun(players)
    discards: list[Card] = []
    for number, now in enumerate(steps(dealt(players, seed), careless(seed), 60), 1):
        event = TurnPlayed(now.turn, left(players, now.turn.seat), 1.0, turned_over=now.turned_over)
        board = after(board, event, number)
        assert now.turn.discarded is not None
        # The first card of the new pile was discarded long ago: it is not shown again.
        face_up = set(now.after.discard[1:] if now.turned_over else now.after.discard)
        discards = [*([] if now.turned_over else discards), now.turn.discarded]
        expected = set(discards[-PLAYS_SHOWN:]) & face_up
        assert {shown.discarded for shown in board.plays} - {None} == expected
        assert board.plays[0].number == number


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_board_of_a_refereed_round_keeps_the_racks_secret(players: int, seed: int) -> None:
    position = dealt(players, seed)
    referee, said = seated(players, position)
    positions = [position]
    for number, now in enumerate(steps(position, thrifty(seed), 30), 1):
        positions.append(now.after)
        for again in (0, 1):
            said += referee.feed(look(now.after, 10.0 * number + again))
    said += referee.feed(Call(999.0, 1))
    board, turn = NOTHING_YET, 0
    for number, event in enumerate(said, 1):
        board = after(board, event, number)
        turn += isinstance(event, TurnPlayed)
        assert not set(cards_in(asdict(board))) & in_racks(positions[turn])
    assert turn > 20


def played_on(board: Snapshot, *positions_and_moves: tuple[Round, Play]) -> Snapshot:
    for position, move in positions_and_moves:
        now = step(position, move)
        event = TurnPlayed(now.turn, left(len(position.seats), now.turn.seat), 1.0, turned_over=now.turned_over)
        board = after(board, event, board.version + 1)
    return board


RACKS = (tuple(range(1, 11)), tuple(range(11, 21)))


def test_taking_the_top_of_the_discard_pile_hides_it() -> None:
    start = Round((1, 2), RACKS, (40, 39, 38), (30,), to_move=2)
    first, second = Play("draw", 5), Play("discard", 50)
    board = played_on(begun(2), (start, first))
    assert (board.discard, board.plays) == (11, (PublicPlay(1, 2, "draw", exchanged=True, discarded=11),))
    board = played_on(board, (step(start, first).after, second))
    assert board.discard == 10
    assert board.plays == (
        PublicPlay(2, 1, "discard", exchanged=True, discarded=10),
        PublicPlay(1, 2, "draw", exchanged=True, discarded=None),
    )
    assert board.to_move == 2


def test_turning_the_pile_over_hides_every_earlier_discard() -> None:
    start = Round((1, 2), RACKS, (40, 39), (30,), to_move=2)
    board, position = begun(2), start
    for _ in range(2):
        board = played_on(board, (position, Play("draw", None)))
        position = step(position, Play("draw", None)).after
    assert [shown.discarded for shown in board.plays] == [40, 39]
    board = played_on(board, (position, Play("draw", 5)))
    assert [shown.discarded for shown in board.plays] == [11, None, None]


def test_only_the_last_plays_and_notices_are_shown_newest_first() -> None:
    board = begun(2)
    for now in steps(dealt(2, 3), careless(3), 12):
        board = after(board, TurnPlayed(now.turn, left(2, now.turn.seat), 1.0, turned_over=now.turned_over), 5)
    assert [shown.number for shown in board.plays] == list(range(12, 12 - PLAYS_SHOWN, -1))
    for number in range(1, 6):
        board = after(board, Violation("false-call", 1, "Not in order.", 1.0), number)
    assert board.notices == tuple(Notice(number, "false-call", 1, "Not in order.") for number in (5, 4, 3))
    assert len(board.notices) == NOTICES_SHOWN


def test_a_game_goes_through_its_phases() -> None:
    position = nearly_done(2, 2)
    now = step(position, Play("draw", 25))
    events: list[tuple[Event, str]] = [
        (GameStarted("retro", (), people(2), 500), "waiting"),
        (RoundStarted(1, 1, 2), "playing"),
        (CallMade(1, 1.0), "checking"),
        (Doubt(1, 5, {3: 0.5}, 1.0), "checking"),
        (Violation("false-call", 1, "Not in order.", 1.0), "playing"),
        (TurnPlayed(now.turn, 1, 2.0), "playing"),
        (CallMade(None, 3.0), "checking"),
        (round_end(now.after, 2), "round-over"),
        (RoundStarted(2, 2, 1), "playing"),
        (round_end(now.after, 2), "round-over"),
        (GameEnd((2,), {1: 5, 2: 510}, 4.0), "game-over"),
        (GameStarted("retro", (), people(2), 500), "waiting"),
    ]
    board = NOTHING_YET
    for version, (event, phase) in enumerate(events, 1):
        board = after(board, event, version)
        assert (board.version, board.phase) == (version, phase)
    assert board == after(NOTHING_YET, events[0][0], len(events))


def test_a_call_shows_who_called_until_it_is_judged() -> None:
    board = after(begun(2), CallMade(2, 1.0), 3)
    assert board.called_by == 2
    assert after(board, Violation("false-call", 2, "Not in order.", 1.0), 4).called_by is None
    assert after(board, round_end(nearly_done(2, 2), 1), 4).called_by is None


def test_a_new_deal_while_a_call_is_judged_forgets_the_call() -> None:
    board = after(begun(2), CallMade(2, 1.0), 3)
    assert after(board, RoundStarted(1, 1, 2), 4) == replace(begun(2), version=4)


def test_a_doubt_changes_nothing_but_the_version() -> None:
    board = begun(2)
    assert after(board, Doubt(1, 5, {3: 0.5, 8: 0.5}, 1.0), 3) == replace(board, version=3)


def test_the_end_of_a_round_shows_racks_points_and_totals() -> None:
    position = step(nearly_done(2, 2), Play("draw", 25)).after
    end = round_end(position, 2)
    board = after(begun(2), end, 3)
    one = end.scores[1].points
    assert board.players == (PlayerLine(1, "Ada", one, (one,)), PlayerLine(2, "Ben", 75, (75,)))
    assert [(shown.seat, shown.points, shown.out) for shown in board.racks] == [(1, one, False), (2, 75, True)]
    loser, winner = board.racks
    assert loser.broke_at == SLOTS[loser.scoring]
    assert (winner.broke_at, winner.scoring, winner.why) == (None, 10, end.scores[2].why)
    assert (board.to_move, board.called_by) == (None, None)
    fresh = after(board, RoundStarted(2, 2, 1), 4)
    assert (fresh.racks, fresh.plays, fresh.notices, fresh.discard, fresh.round) == ((), (), (), None, 2)
    assert fresh.players == board.players, "the totals stay"
