"""The referee between the looks: the deal, lines at the wrong time, corrections, repeatability, the end."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import BadInput
from engine.events import Event, GameStarted, RoundEnd, RoundStarted, TurnPlayed
from engine.following.history import Place
from engine.game import Player
from engine.line_json import line_as_json, parse_line
from engine.lines import EMPTY, Call, Correction, Line, NewGame, NewRound, Observation, Sighting, Unsettled
from engine.referee import Referee
from engine.round import Play
from tests.engine.tables import NAMES, careless, dealt, look, nearly_done, seated, sensible, step, steps, turns

GAMES = settings(max_examples=3, deadline=None, derandomize=True)
SEEDS = st.integers(0, 2**32 - 1)
PLAYERS = st.sampled_from((2, 3, 4))


def opened(players: int, dealer: int = 1) -> list[Line]:
    """The two lines that begin a round."""
    people = tuple(Player(seat, NAMES[seat - 1]) for seat in range(1, players + 1))
    return [NewGame("parker-1992", (), people), NewRound(dealer)]


def round_of_lines(players: int, seed: int) -> list[Line]:
    """A whole round, as the referee is told of it: one or two looks a turn, a false call, and the call at its end."""
    position = dealt(players, seed)
    lines: list[Line] = [*opened(players), look(position, 1.0), look(position, 1.5), Call(2.0, 1)]
    for number, now in enumerate(steps(position, sensible, 30), 1):
        position = now.after
        lines += [look(position, 10.0 * number), Unsettled(10.0 * number + 1), look(position, 10.0 * number + 2)]
    return [*lines, Call(5000.0, None)]


def answers(lines: Sequence[Line]) -> list[list[Event]]:
    referee = Referee()
    return [referee.feed(line) for line in lines] + [referee.finish()]


@GAMES
@given(PLAYERS, SEEDS)
def test_the_same_lines_always_give_the_same_events(players: int, seed: int) -> None:
    lines = round_of_lines(players, seed)
    assert answers(lines) == answers(lines)


@GAMES
@given(PLAYERS, SEEDS)
def test_lines_that_went_through_json_give_the_same_events(players: int, seed: int) -> None:
    lines = round_of_lines(players, seed)
    assert answers([parse_line(line_as_json(line)) for line in lines]) == answers(lines)


REFUSED_IN_A_ROUND: list[tuple[Line, str]] = [
    (NewGame("parker-1991", (), (Player(1, "Ada"), Player(2, "Ben"))), "edition 'parker-1991' is not known"),
    (NewGame("parker-1992", ("backwards",), (Player(1, "Ada"), Player(2, "Ben"))), "variant 'backwards'"),
    (NewGame("parker-1992", (), (Player(1, "Ada"),)), "1 players"),
    (NewGame("parker-1992", (), (Player(1, "Ada"), Player(1, "Ben"))), "seat 1 is given to two players"),
    (NewRound(3), "the dealer's seat 3 is none of the players' seats 1, 2"),
    (Call(5.0, 4), "seat 4 called RACK-O, but nobody plays there"),
    (Correction(5.0, 3, 5, 12), "seat 3 is corrected, but nobody plays there"),
    (Correction(5.0, 1, 5, 41), "card 41 is not in this deck of 1 to 40"),
]


@pytest.mark.parametrize(("bad", "words"), REFUSED_IN_A_ROUND, ids=[words for _, words in REFUSED_IN_A_ROUND])
def test_a_line_that_cannot_be_is_refused_and_changes_nothing(bad: Line, words: str) -> None:
    lines = round_of_lines(2, 6)
    expected = answers(lines)
    referee = Referee()
    for number, line in enumerate(lines):
        if referee.in_round:
            with pytest.raises(BadInput, match=words):
                referee.feed(bad)
        assert referee.feed(line) == expected[number]
    assert referee.finish() == expected[-1]


@pytest.mark.parametrize(
    "line",
    [NewRound(1), Observation(1.0, {}), Unsettled(1.0), Call(1.0, 1), Correction(1.0, 1, 5, 12)],
    ids=lambda line: type(line).__name__,
)
def test_before_a_game_everything_else_is_refused(line: Line) -> None:
    referee = Referee()
    with pytest.raises(BadInput, match="no game has begun; a game line comes first"):
        referee.feed(line)
    assert referee.finish() == []
    lines = round_of_lines(2, 6)
    assert [referee.feed(line) for line in lines] + [referee.finish()] == answers(lines)


@pytest.mark.parametrize("line", [Call(1.0, 1), Call(1.0, None), Correction(1.0, 1, 5, 12)], ids=repr)
def test_before_a_round_calls_and_corrections_are_refused(line: Line) -> None:
    referee = Referee()
    referee.feed(opened(2)[0])
    with pytest.raises(BadInput, match="no round is being played"):
        referee.feed(line)
    assert referee.feed(look(dealt(2, 1), 1.0)) == [], "looks between rounds are of no interest"
    assert referee.feed(NewRound(1)) == [RoundStarted(1, 1, 2)]


def test_a_game_and_a_round_are_announced() -> None:
    game, deal = opened(3, dealer=3)
    referee = Referee()
    assert isinstance(game, NewGame)
    assert referee.feed(game) == [GameStarted("parker-1992", (), game.players, 500)]
    assert referee.feed(deal) == [RoundStarted(1, 3, 1)]
    assert referee.in_round


def test_a_game_line_starts_a_new_game_at_any_time() -> None:
    lines = round_of_lines(2, 6)
    referee = Referee()
    for line in round_of_lines(3, 2)[:40]:
        referee.feed(line)
    assert [referee.feed(line) for line in lines] + [referee.finish()] == answers(lines)


def test_a_round_line_deals_anew_and_forgets_the_round_before() -> None:
    lines = round_of_lines(2, 6)
    referee = Referee()
    for line in [*opened(2), *round_of_lines(2, 9)[2:20]]:
        referee.feed(line)
    assert [referee.feed(line) for line in lines[1:]] + [referee.finish()] == answers(lines)[1:]


def test_no_round_begins_once_the_game_is_won() -> None:
    referee, _ = seated(2)
    for number in range(1, 30):
        start = nearly_done(2, number)
        won = step(start, Play("draw", 25))
        for seen in (look(start, 1.0), look(start, 2.0), look(won.after, 3.0), look(won.after, 4.0)):
            referee.feed(seen)
        referee.feed(Call(5.0, 2))
        assert referee.game is not None
        if referee.game.winners:
            break
        referee.feed(NewRound(1))
    assert referee.game is not None
    assert referee.game.winners == (2,)
    with pytest.raises(BadInput, match="the game is over; begin a new one"):
        referee.feed(NewRound(1))
    assert referee.feed(opened(2)[0])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_looks_before_the_deal_is_over_are_ignored(players: int) -> None:
    start = dealt(players, 7)
    referee, _ = seated(players)
    said: list[Event] = []
    for filled in range(10):
        # The cards come one at a time, slot 50 first; the discard pile is still empty.
        gaps: dict[Place, Sighting] = {
            (seat, slot): {EMPTY: 1.0} for seat in start.seats for slot in range(5, 5 * (10 - filled) + 1, 5)
        }
        said += referee.feed(look(start, 0.2 + filled, instead=gaps | {"discard": {EMPTY: 1.0}}))
        said += referee.feed(look(start, 0.4 + filled, instead=gaps, unseen=["discard"]))
    assert said == []
    true = []
    position = start
    said = referee.feed(look(start, 20.0)) + referee.feed(look(start, 21.0))
    for number, now in enumerate(steps(position, careless(7), 12), 3):
        true.append(now.turn)
        said += referee.feed(look(now.after, 10.0 * number)) + referee.feed(look(now.after, 10.0 * number + 1))
    assert turns(said + referee.finish()) == true


def test_the_racks_of_the_round_before_are_not_taken_for_the_new_deal() -> None:
    # While they are emptied the discard pile is gone already, and the old cards stand among the gaps.
    old, start = dealt(2, 20), dealt(2, 21)
    gone: dict[Place, Sighting] = {(seat, slot): {EMPTY: 1.0} for seat in old.seats for slot in (5, 10, 15)}
    (fresh, _), (distracted, _) = seated(2), seated(2)
    for t in (0.1, 0.2, 0.3, 0.4):
        assert distracted.feed(look(old, t, instead=gone | {"discard": {EMPTY: 1.0}})) == []
    looks = [look(start, 1.0)]
    for number, now in enumerate(steps(start, careless(9), 8), 1):
        looks.append(look(now.after, 10.0 * number))
    assert [distracted.feed(seen) for seen in looks] == [fresh.feed(seen) for seen in looks]


def test_a_look_that_shows_nothing_does_not_end_the_deal() -> None:
    start = dealt(2, 7)
    referee, _ = seated(2)
    said = referee.feed(Observation(0.1, {1: {}}))
    said += referee.feed(Observation(0.2, {}, None, "cards"))
    for filled in range(8):
        gaps: dict[Place, Sighting] = {
            (seat, slot): {EMPTY: 1.0} for seat in start.seats for slot in range(5, 5 * (10 - filled) + 1, 5)
        }
        said += referee.feed(look(start, 1.0 + filled, instead=gaps | {"discard": {EMPTY: 1.0}}))
        said += referee.feed(look(start, 1.5 + filled, instead=gaps, unseen=["discard"]))
    assert said + referee.finish() == []


def test_seats_that_do_not_play_are_passed_over() -> None:
    start = dealt(2, 7)
    now = step(start, Play("draw", 5))
    referee, _ = seated(2, start)
    said = referee.feed(look(start, 0.5))
    for t in (1.0, 2.0):
        seen = look(now.after, t)
        said += referee.feed(Observation(t, {**seen.racks, 3: {5: {12: 1.0}}, 4: {}}, seen.discard, seen.draw))
    assert turns(said) == [now.turn]


def test_the_hosts_word_outweighs_what_is_seen_afterwards() -> None:
    start = nearly_done(2, 3)
    won = step(start, Play("draw", 25))
    referee, _ = seated(2, start)
    misread: dict[Place, Sighting] = {(1, 5): {start.draw[0]: 1.0}}
    for t in (1.0, 2.0):
        referee.feed(look(won.after, t, instead=misread))
    referee.feed(Correction(3.0, 1, 5, start.rack(1)[0]))
    for t in (4.0, 5.0, 6.0):
        referee.feed(look(won.after, t, instead=misread))
    end = referee.feed(Call(7.0, 2))[-1]
    assert isinstance(end, RoundEnd)
    assert end.racks[1] == start.rack(1)


def test_a_correction_goes_with_the_card_when_it_is_played() -> None:
    # Nobody can read the card in slot 15; the host names it; then it is discarded, and named in the turn.
    start = dealt(2, 12)
    now = step(start, Play("discard", 15))
    referee, _ = seated(2)
    for t in (1.0, 2.0):
        referee.feed(look(start, t, unseen=[(2, 15)]))
    assert now.turn.discarded is not None
    referee.feed(Correction(3.0, 2, 15, now.turn.discarded))
    said = [event for t in (4.0, 5.0) for event in referee.feed(look(now.after, t))]
    assert turns(said) == [now.turn]


def test_at_the_end_of_the_lines_what_is_likely_is_said() -> None:
    start = dealt(2, 5)
    now = step(start, Play("draw", 5))
    referee, _ = seated(2, start)
    # The first discard was read only once, so that there is a little doubt left, which nothing more will settle.
    assert referee.feed(look(now.after, 2.0)) == []
    assert referee.finish() == [TurnPlayed(now.turn, 1, 2.0)]


def test_unsettled_looks_say_nothing_and_forget_nothing() -> None:
    start = dealt(2, 5)
    now = step(start, Play("draw", 10))
    referee, _ = seated(2, start)
    referee.feed(look(start, 0.5))
    assert referee.feed(Unsettled(1.0)) == []
    said = [event for t in (2.0, 3.0) for event in referee.feed(look(now.after, t))]
    assert turns(said) == [now.turn]
