"""What everybody may see: never a card that stands in a rack while the round is on (DESIGN: racks are secret)."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.board import NOTHING_YET, PLAYS_SHOWN
from engine.cards import Card
from engine.events import (
    Amended,
    CallMade,
    Doubt,
    Event,
    GameStarted,
    RoundReopened,
    RoundStarted,
    TakenBack,
    Thread,
    TurnPlayed,
    Violation,
)
from engine.game import Player
from engine.lines import Call
from engine.moves import Turn
from engine.powers import Effect
from engine.round import Play, Round, legal_plays, legal_switches, turned_over
from engine.snapshot import Snapshot
from tests.engine.boards import begun, cards_of, fold, in_racks, round_end
from tests.engine.by_hand import Table, Way, ways
from tests.engine.simulated import careless_turns, shuffled
from tests.engine.tables import (
    NAMES,
    Chooser,
    Watched,
    Ways,
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

SEEDS = st.integers(0, 2**32 - 1)


def dealt_by(way: Way, chance: Random) -> tuple[Table, Snapshot]:
    """A table of plain lists, and the board of its first round."""
    dealer = chance.choice(way.seats)
    table = Table(way, shuffled(way, chance), dealer)
    people = tuple(Player(seat, NAMES[seat - 1]) for seat in way.seats)
    started = GameStarted(way.edition, way.variants, people, way.target)
    return table, fold(NOTHING_YET, started, RoundStarted(1, dealer, table.to_move))


def secret(table: Table) -> set[Card]:
    return {card for rack in table.racks.values() for card in rack}


def shown(board: Snapshot) -> list[Card]:
    """The discards that the plays name."""
    return [play.discarded for play in board.plays if play.discarded is not None]


@settings(max_examples=60, deadline=None)
@given(way=ways(), seed=SEEDS)
def test_by_every_rule_text_the_board_tells_no_card_of_a_rack_whatever_powers_are_used(way: Way, seed: int) -> None:
    chance = Random(seed)
    table, board = dealt_by(way, chance)
    refills = 0
    for number, turn in enumerate(careless_turns(table, chance, 60), 1):
        board = fold(board, TurnPlayed(turn, table.to_move, 1.0 * number, turned_over=table.refills > refills))
        refills = table.refills
        assert not cards_of(board) & secret(table)
        assert board.discard == turn.discarded == table.discard[-1]
        assert set(shown(board)) <= set(table.discard)
        assert (board.plays[0].effect, board.to_move) == (turn.effect, table.to_move)


def half_known(turn: Turn, chance: Random) -> Turn:
    """The turn as a referee may take it at first, without misreading a card."""
    said = replace(turn, effect=None) if chance.random() < 0.3 else turn
    if turn.slot is None:
        return said
    if chance.random() < 0.3:
        said = replace(said, source="draw" if turn.source == "discard" else "discard", card=None)
    return replace(said, discarded=None) if chance.random() < 0.2 else said


@settings(max_examples=60, deadline=None)
@given(way=ways(), seed=SEEDS)
def test_whatever_is_amended_or_taken_back_no_card_of_a_rack_is_told_once_the_truth_is_said(
    way: Way, seed: int
) -> None:
    chance = Random(seed)
    table, board = dealt_by(way, chance)
    wrong: dict[int, Turn] = {}
    refills = 0
    for number in range(1, 61):
        before = table.copy()
        (turn,) = careless_turns(table, chance, 1)
        said = half_known(turn, chance)
        if said != turn:
            wrong[number] = turn
        over = table.refills > refills and said.source == "draw"
        board = fold(board, TurnPlayed(said, table.to_move, 1.0 * number, turned_over=over))
        if chance.random() < 0.1 and table.refills == refills:
            table = before
            wrong.pop(number, None)
            board = fold(board, TakenBack(number, table.to_move, 1.0 * number))
        refills = table.refills
        if chance.random() < 0.2:
            board = fold(board, *(Amended(at, was, 1.0 * number) for at, was in wrong.items()))
            wrong.clear()
        if not wrong:
            assert not cards_of(board) & secret(table)
            assert set(shown(board)) <= set(table.discard)
            assert board.discard in (None, *table.discard[-1:])
            assert len(board.plays) <= PLAYS_SHOWN


@settings(max_examples=30, deadline=None)
@given(way=ways(), seed=SEEDS)
def test_plays_that_nobody_saw_leave_no_card_on_the_board_that_stands_in_a_rack_now(way: Way, seed: int) -> None:
    chance = Random(seed)
    table, board = dealt_by(way, chance)
    refills = 0
    for number in range(1, 30):
        (turn,) = careless_turns(table, chance, 1)
        board = fold(board, TurnPlayed(turn, table.to_move, 1.0 * number, turned_over=table.refills > refills))
        if chance.random() < 0.2:
            list(careless_turns(table, chance, chance.randint(1, 4)))
            board = fold(board, Thread(lost=True, text="Play on.", t=1.0 * number))
            assert (board.discard, shown(board)) == (None, [])
        refills = table.refills
        assert not cards_of(board) & secret(table)
        if board.lost:
            board = fold(board, Thread(lost=False, text="Here again.", t=1.0 * number))


@settings(max_examples=40, deadline=None)
@given(
    players=st.sampled_from((2, 3, 4)),
    seed=SEEDS,
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

    def tell(*events: Event) -> None:
        nonlocal board
        for event in events:
            board = fold(board, event)
            assert not cards_of(board) & in_racks(position)

    for number in range(80):
        now = step(position, choose(position))
        position = now.after
        flag = now.turned_over or just_turned
        tell(TurnPlayed(now.turn, left(players, now.turn.seat), 1.0 * number, turned_over=flag))
        assert board.discard == position.discard[-1]
        if just_turned := at_once and not position.draw:
            position = turned_over(position)
        if number in calls:
            caller = position.to_move
            doubt = Doubt(caller, 5, {position.rack(caller)[0]: 0.9}, 1.0 * number)
            tell(CallMade(caller, 1.0), doubt, Violation("false-call", caller, "Not in order.", 1.0))
    end = round_end(position, 1)
    over = fold(board, end)
    assert {rack.seat: rack.cards for rack in over.racks} == dict(zip(position.seats, position.racks, strict=True))
    board = over
    tell(RoundReopened(position.to_move, 99.0))
    assert {rack.seat: rack.cards for rack in fold(board, end).racks} == dict(end.racks)


@settings(max_examples=40, deadline=None)
@given(players=st.sampled_from((2, 3, 4)), seed=SEEDS)
def test_a_discard_is_named_exactly_as_long_as_it_lies_on_the_discard_pile_face_up(players: int, seed: int) -> None:
    board = begun(players)
    discards: list[Card] = []
    for number, now in enumerate(steps(dealt(players, seed), careless(seed), 60), 1):
        event = TurnPlayed(now.turn, left(players, now.turn.seat), 1.0 * number, turned_over=now.turned_over)
        board = fold(board, event)
        assert now.turn.discarded is not None
        # The first card of the new pile was discarded long ago: it is not shown again.
        face_up = set(now.after.discard[1:] if now.turned_over else now.after.discard)
        discards = [*([] if now.turned_over else discards), now.turn.discarded]
        assert set(shown(board)) == set(discards[-PLAYS_SHOWN:]) & face_up
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
    for event in said:
        board = fold(board, event)
        turn += isinstance(event, TurnPlayed)
        assert not cards_of(board) & in_racks(positions[turn])
    assert turn > 20


@pytest.mark.parametrize("players", [2, 4])
def test_a_round_that_the_host_reopens_is_secret_again_and_goes_on_to_its_end(players: int) -> None:
    # Ben's slot 25 is read as the card that would fit there, though he has not drawn it yet.
    start = nearly_done(players, 4)
    won = step(start, Play("draw", 25)).after
    table = Watched(start, shown=False)
    table.show(3, instead={(2, 25): {won.rack(2)[4]: 1.0}})
    table.call(2)
    over = fold(NOTHING_YET, *table.said)
    assert over.phase == "round-over"
    assert {rack.seat: rack.cards for rack in over.racks} == dict(zip(won.seats, won.racks, strict=True))

    table.correct(2, 25, start.rack(2)[4])
    board = fold(NOTHING_YET, *table.said)
    assert (board.phase, board.racks, board.winners) == ("playing", (), ())
    assert {(line.total, line.points) for line in board.players} == {(0, ())}
    assert [notice.rule for notice in board.notices] == ["false-call"]
    assert not cards_of(board) & in_racks(start)

    table.show()
    table.play(Play("draw", 25))
    assert not cards_of(fold(NOTHING_YET, *table.said)) & in_racks(won)
    table.call(2)
    table.show()
    last = fold(NOTHING_YET, *table.said)
    assert (last.players[1].points, last.racks) == ((75,), over.racks)


def some_power(position: Round, chance: Random) -> Effect | None:
    """A use of the Prime card just discarded, by chance; None where there is none."""
    switches = list(legal_switches(position))
    return chance.choice((None, "again", chance.choice(switches))) if switches else None


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_board_of_a_refereed_round_with_powers_keeps_the_racks_secret(seed: int) -> None:
    chance, ways = Random(seed), Ways("hasbro-2006")
    table = Watched(ways.dealt(3, seed), ways)
    board, told, lain = fold(NOTHING_YET, *table.said), len(table.said), set(table.position.discard)
    for _ in range(40):
        table.play(chance.choice(legal_plays(table.position)))
        lain |= set(table.position.discard)
        effect = some_power(table.position, chance)
        if effect is not None:
            table.use(effect)
        board, told = fold(board, *table.said[told:]), len(table.said)
        # A turn that is not said yet may have taken the card that the board shows; everybody saw that card.
        known = set() if table.turns == table.true else lain
        assert not cards_of(board) & in_racks(table.position) - known
    assert sum(turn.effect is not None for turn in table.turns) > 3
