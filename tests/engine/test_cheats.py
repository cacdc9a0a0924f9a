"""Cheats and slips: each is named once, by its rule and seat, without a card; and an odd look is none of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import SLOTS, Seat, Slot
from engine.events import RoundEnd
from engine.following.history import Place
from engine.lines import EMPTY, Sighting
from engine.moves import Turn
from engine.powers import Switch
from engine.record import turn_between
from engine.round import Play, Round, left_of, legal_plays, moved, play, switched
from tests.engine.tables import PARKER, Watched, Ways, dice, every_place, nearly_done

FIRST_SEED = 1000
PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])
SEEDS = pytest.mark.parametrize("seed", range(FIRST_SEED, FIRST_SEED + 2))
HASBRO = Ways("hasbro-2006")


@dataclass(frozen=True)
class Cheat:
    """What somebody does at the table. turn: what the referee must say of it; None where no turn tells it."""

    rule: str
    seat: Seat
    after: Round
    turn: Turn | None = None


def some_slots(seed: int, count: int) -> list[Slot]:
    """Different slots."""
    return dice(seed).sample(SLOTS, count)


def wrong_turn(position: Round, seed: int, *, source: str, onward: bool) -> Cheat:
    """A player puts a card into a rack out of turn; then play goes on to the left of it, or with who was skipped."""
    seat = dice(seed).choice([seat for seat in position.seats if seat != position.to_move])
    move = Play("draw" if source == "draw" else "discard", some_slots(seed, 1)[0])
    after = moved(position, move, seat)
    turn = turn_between(replace(position, to_move=seat), move, after)
    return Cheat("wrong-turn", seat, after if onward else replace(after, to_move=position.to_move), turn)


def two_cards(position: Round, seed: int, *, source: str) -> Cheat:
    """The player to move puts two new cards into the rack."""
    seat, (one, other) = position.to_move, some_slots(seed, 2)
    half = moved(position, Play("draw" if source == "draw" else "discard", one), seat)
    after = moved(half, Play("draw", other), seat)
    *under, lower, upper = after.discard
    return Cheat("two-cards-exchanged", seat, replace(after, discard=(*under, upper, lower)) if seed % 2 else after)


def wrong_discard(position: Round, seed: int, *, source: str) -> Cheat:
    """The player to move keeps the card that left the rack, or hides it under the pile, and discards the next one."""
    seat = position.to_move
    after = moved(position, Play("draw" if source == "draw" else "discard", some_slots(seed, 1)[0]), seat)
    *pile, old = after.discard
    hidden = (old,) if seed % 2 else ()
    return Cheat(
        "wrong-discard", seat, replace(after, draw=(*hidden, *after.draw[:-1]), discard=(*pile, after.draw[-1]))
    )


def rearranged(position: Round, seed: int, *, count: int, with_turn: bool) -> Cheat:
    """Two cards of a rack change places, or three do: of the player to move along with a turn, else of anybody."""
    slots = some_slots(seed, count + 1)
    seat, after, turn = dice(seed).choice(position.seats), position, None
    if with_turn:
        seat, move = position.to_move, Play("draw" if seed % 2 else "discard", slots[count])
        after = play(position, move)
        turn = turn_between(position, move, after)
    for one, other in pairwise(slots[:count]):
        after = switched(after, Switch.of((seat, one), (seat, other)))
    return Cheat("cards-rearranged", seat, after, turn)


Way = Callable[[Round, int], Cheat]

NOT_TURNS: Mapping[str, Way] = {
    "two cards, both drawn": lambda position, seed: two_cards(position, seed, source="draw"),
    "two cards, one of them the discard": lambda position, seed: two_cards(position, seed, source="discard"),
    "wrong discard after a draw": lambda position, seed: wrong_discard(position, seed, source="draw"),
    "wrong discard, the discard taken": lambda position, seed: wrong_discard(position, seed, source="discard"),
}
TURNS: Mapping[str, Way] = {
    "out of turn, a draw, the skipped goes on": lambda position, seed: wrong_turn(
        position, seed, source="draw", onward=False
    ),
    "out of turn, the discard, the skipped goes on": lambda position, seed: wrong_turn(
        position, seed, source="discard", onward=False
    ),
    "out of turn, a draw, the left goes on": lambda position, seed: wrong_turn(
        position, seed, source="draw", onward=True
    ),
    "out of turn, the discard, the left goes on": lambda position, seed: wrong_turn(
        position, seed, source="discard", onward=True
    ),
    "two cards moved": lambda position, seed: rearranged(position, seed, count=2, with_turn=False),
    "three cards moved": lambda position, seed: rearranged(position, seed, count=3, with_turn=False),
    "two cards moved in a turn": lambda position, seed: rearranged(position, seed, count=2, with_turn=True),
    "three cards moved in a turn": lambda position, seed: rearranged(position, seed, count=3, with_turn=True),
}


def cheating(players: int, seed: int, way: Way, *, looks: int = 2) -> tuple[Watched, Cheat]:
    """Three turns, a cheat, five turns."""
    table = Watched(PARKER.dealt(players, seed), looks=looks)
    table.go_on(3, seed)
    cheat = way(table.position, seed)
    table.becomes(cheat.after, cheat.turn)
    table.go_on(5, seed + 1)
    table.finish()
    return table, cheat


@PLAYERS
@SEEDS
@pytest.mark.parametrize("kind", TURNS)
def test_a_cheat_is_named_once_and_every_turn_before_and_after_it_is_said(players: int, seed: int, kind: str) -> None:
    table, cheat = cheating(players, seed, TURNS[kind])
    assert table.violations == [(cheat.rule, cheat.seat)]
    assert table.turns == table.true


@PLAYERS
@SEEDS
@pytest.mark.parametrize("kind", NOT_TURNS)
def test_after_a_cheat_that_no_turn_describes_the_turns_go_on_as_played(players: int, seed: int, kind: str) -> None:
    table, cheat = cheating(players, seed, NOT_TURNS[kind])
    assert table.violations == [(cheat.rule, cheat.seat)]
    told = table.turns
    assert (told[:3], told[-5:]) == (table.true[:3], table.true[-5:])
    # One turn may be said of the cheat itself: what the table shows.
    assert len(told) in (8, 9)
    assert all(turn.seat == cheat.seat for turn in told[3:-5])


@PLAYERS
@SEEDS
@pytest.mark.parametrize("kind", [*TURNS, *NOT_TURNS])
def test_one_look_that_shows_a_cheat_which_the_next_does_not_names_nothing(players: int, seed: int, kind: str) -> None:
    table = Watched(PARKER.dealt(players, seed))
    table.go_on(3, seed)
    before = table.position
    table.becomes({**TURNS, **NOT_TURNS}[kind](before, seed).after, looks=1)
    table.becomes(before)
    table.go_on(4, seed + 1)
    table.finish()
    assert table.violations == []
    assert table.turns == table.true


@pytest.mark.slow
@settings(max_examples=15, deadline=None, derandomize=True)
@given(st.integers(0, 2**32 - 1), st.sampled_from((2, 3, 4)))
def test_a_wrong_look_at_one_place_or_two_is_never_a_violation(seed: int, players: int) -> None:
    chance = dice(seed)
    table = Watched(PARKER.dealt(players, seed), looks=1)
    for number in range(12):
        shown: dict[Place, Sighting] = {
            place: {chance.randint(0, 60): 1.0}
            for place in chance.sample(every_place(table.position), chance.randint(1, 2))
        }
        table.show(1, instead=shown)
        table.show(1)
        table.go_on(1, seed + number)
        table.show(1)
    table.finish()
    assert table.violations == []
    assert table.turns == table.true


@SEEDS
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("skipped", [1, 2])
def test_after_a_turn_out_of_order_both_ways_to_go_on_are_followed(players: int, skipped: int, seed: int) -> None:
    for onward in (False, True):
        table = Watched(PARKER.dealt(players, seed))
        table.go_on(4, seed)
        seats, to_move = table.position.seats, table.position.to_move
        cheat = seats[(seats.index(to_move) + skipped) % players]
        table.out_of_turn(cheat, Play("draw", 25), left_of(seats, cheat) if onward else to_move)
        table.go_on(7, seed + 1)
        table.finish()
        assert table.turns == table.true
        assert table.violations == [("wrong-turn", cheat)]


@PLAYERS
@SEEDS
def test_cards_that_were_rearranged_and_are_put_back_are_not_named_again(players: int, seed: int) -> None:
    for count in (2, 3):
        table = Watched(PARKER.dealt(players, seed))
        table.go_on(2, seed)
        before = table.position
        cheat = rearranged(before, seed, count=count, with_turn=False)
        table.becomes(cheat.after, looks=4)
        table.becomes(before, looks=3)
        table.go_on(4, seed + 1)
        table.finish()
        assert table.violations == [("cards-rearranged", cheat.seat)]
        assert table.turns == table.true


@PLAYERS
@SEEDS
def test_rearranged_cards_are_put_back_some_turns_later(players: int, seed: int) -> None:
    table = Watched(PARKER.dealt(players, seed))
    table.go_on(2, seed)
    seat, one, other = 1, (1, 5), (1, 50)
    rack = table.position.rack(seat)
    table.put({one: rack[9], other: rack[0]}, looks=3)
    for _ in range(players):
        table.play(Play("draw", 25))
    table.put({one: rack[0], other: rack[9]}, looks=3)
    table.go_on(3, seed)
    table.finish()
    assert table.violations == [("cards-rearranged", seat)]
    assert table.turns == table.true


@PLAYERS
@SEEDS
@pytest.mark.parametrize("source", ["draw", "discard"])
def test_a_wrong_discard_accuses_nobody_else_where_the_rack_is_seen_before_the_pile(
    players: int, seed: int, source: str
) -> None:
    table = Watched(PARKER.dealt(players, seed))
    table.go_on(3, seed)
    cheat = wrong_discard(table.position, seed, source=source)
    before = table.position.discard[-2:] if source == "discard" else table.position.discard[-1:]
    old: dict[Place, Sighting] = {"discard": {before[0]: 1.0}}
    table.position = cheat.after
    table.show(2, instead=old)
    table.show(2)
    played = len(table.true)
    for slot in (50, 45, 40, 35):
        table.play(Play("draw", slot))
    table.finish()
    # It may also have been the next player's turn, who then played once more: that is for nobody to say.
    assert table.violations in ([], [("wrong-discard", cheat.seat)])
    assert table.turns[-4:] == table.true[played:]


@pytest.mark.parametrize("players", [2, 3, 4])
@SEEDS
def test_a_prime_card_taken_from_the_discard_pile_is_named(players: int, seed: int) -> None:
    table = Watched(HASBRO.dealt(players, seed), HASBRO)
    powers = table.position.powers
    choose = dice(seed)
    while table.position.discard[-1] not in powers:
        drawing = [move for move in legal_plays(table.position) if move.source == "draw"]
        table.play(choose.choice(drawing))
    seat, move = table.position.to_move, Play("discard", some_slots(seed, 1)[0])
    before = table.position
    after = moved(before, move, seat)
    table.becomes(after, turn_between(before, move, after))
    table.go_on(5, seed + 1)
    table.finish()
    assert table.violations == [("prime-taken", seat)]
    assert table.turns == table.true


@pytest.mark.parametrize("edition", ["parker-1992", "hasbro-2006"])
def test_a_prime_number_may_be_taken_where_there_are_no_prime_cards(edition: str) -> None:
    ways = Ways(edition, ("classic",) if edition == "hasbro-2006" else ())
    for seed in range(FIRST_SEED, FIRST_SEED + 5):
        table = Watched(ways.dealt(2, seed), ways)
        while table.position.discard[-1] not in {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37}:
            table.play(Play("draw", None))
        table.play(Play("discard", 30))
        table.go_on(4, seed)
        table.finish()
        assert table.violations == []
        assert table.turns == table.true


@PLAYERS
@SEEDS
def test_a_false_call_by_anybody_is_named_and_play_goes_on(players: int, seed: int) -> None:
    table = Watched(PARKER.dealt(players, seed))
    table.go_on(4, seed)
    for caller in table.position.seats:
        table.call(caller)
        table.show()
        table.go_on(1, seed + caller)
    table.finish()
    assert table.violations == [("false-call", seat) for seat in table.position.seats]
    assert table.turns == table.true
    assert table.referee.in_round


def test_a_call_without_the_run_that_the_game_asks_for_is_false_and_the_words_say_so() -> None:
    ways = Ways(variants=("run-of-three",))
    start = nearly_done(2, 3)
    table = Watched(start, ways)
    table.play(Play("draw", 25))
    table.call(2)
    table.show()
    assert table.violations == [("false-call", 2)]
    assert "lacks the run" in str(table.said[-1])
    assert not any(isinstance(event, RoundEnd) for event in table.said)
    table.go_on(4, 3)
    table.finish()
    assert table.turns == table.true


@PLAYERS
@SEEDS
def test_several_cheats_in_a_round_are_each_named_in_order(players: int, seed: int) -> None:
    table = Watched(PARKER.dealt(players, seed), looks=3)
    expected: list[tuple[str, Seat]] = []
    sure = [
        *NOT_TURNS,
        "out of turn, the discard, the skipped goes on",
        "two cards moved",
        "three cards moved in a turn",
    ]
    for number, kind in enumerate(dice(seed).sample(sure, len(sure))):
        table.go_on(3, seed + number)
        cheat = {**TURNS, **NOT_TURNS}[kind](table.position, seed + number)
        table.becomes(cheat.after)
        expected.append((cheat.rule, cheat.seat))
    table.go_on(4, seed)
    table.finish()
    assert table.violations == expected
    assert table.turns[-4:] == table.true[-4:]


@PLAYERS
@SEEDS
def test_of_many_pairs_of_new_cards_each_is_named_though_nobody_knows_how_the_old_ones_lie(
    players: int, seed: int
) -> None:
    """What makes no difference to the table must not crowd out what does."""
    table = Watched(PARKER.dealt(players, seed))
    expected: list[tuple[str, Seat]] = []
    for number in range(seed, seed + 7):
        table.go_on(2 if len(table.position.draw) > 3 else 5, number)
        cheat = two_cards(table.position, number, source="draw")
        table.becomes(cheat.after)
        expected.append((cheat.rule, cheat.seat))
    table.go_on(4, seed)
    table.finish()
    assert table.violations == expected


@PLAYERS
@SEEDS
def test_two_new_cards_are_named_though_the_camera_has_missed_that_one_was_taken_from_the_discard_pile(
    players: int, seed: int
) -> None:
    """It tells the pile's old top once more, when that stands in the rack already; it is not there twice."""
    table = Watched(PARKER.dealt(players, seed))
    table.go_on(5, seed)
    before = table.position
    cheat = two_cards(before, seed, source="discard")
    table.position = cheat.after
    table.show(3, instead={"discard": {before.discard[-1]: 1.0}})
    table.show()
    table.go_on(5, seed)
    table.finish()
    assert table.violations == [(cheat.rule, cheat.seat)]


@PLAYERS
def test_a_rack_with_gaps_in_one_look_is_nobodys_cheat(players: int) -> None:
    table = Watched(PARKER.dealt(players, FIRST_SEED))
    table.go_on(2, 1)
    for first in range(0, 10, 2):
        gone: dict[Place, Sighting] = {(1, slot): {EMPTY: 1.0} for slot in SLOTS[first : first + 2]}
        table.show(1, instead=gone)
        table.show(1)
    table.go_on(3, 2)
    table.finish()
    assert table.violations == []
    assert table.turns == table.true
