"""Cheats that another course of things would explain as well, if there had been the time for it."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.cards import SLOTS, Seat, Source
from engine.events import Event, Violation
from engine.following.history import Act, Place, Seen, glance_of, opening
from engine.following.tempo import Tempo
from engine.lines import Observation
from engine.powers import Switch
from engine.referee import Referee
from engine.round import Play, Round, moved, switched
from engine.variants import rules_for
from tests.engine.tables import PARKER, Watched, dealt, dice, look, seated, step, turns, twice
from tests.engine.test_cheats import two_cards

PASS = Play("draw", None)
APART = 8.0
"""Seconds from turn to turn."""
SEAT: Seat = 2


def at_pace(passes: int, players: int = 2) -> tuple[Referee, Round, float]:
    """Start a round in which everybody has passed some times at one pace; give the position and the time."""
    position = dealt(players, 7)
    referee, _ = seated(players, position)
    for number in range(1, passes + 1):
        position = step(position, PASS).after
        twice(referee, position, APART * number)
    return referee, position, APART * passes


def rules_broken(said: Sequence[Event]) -> list[str]:
    return [event.rule for event in said if isinstance(event, Violation)]


def with_the_tray_covered(position: Round, times: Sequence[float]) -> list[Observation]:
    return [replace(look(position, t, unseen=["discard"]), draw=None) for t in times]


def two_turns_more(referee: Referee, position: Round, now: float) -> list[Event]:
    """The second and the third turn from a time on."""
    said: list[Event] = []
    for number in (2, 3):
        position = step(position, Play("draw", 5 * number)).after
        said += twice(referee, position, now + APART * number)
    return said


def test_there_was_no_time_for_two_turns_where_the_first_one_s_slot_was_seen_just_before() -> None:
    """Though the tray has been covered for so long that there was time for both."""
    quick, now = 6.0, 30.0
    start = opening((1, 2), 1, rules_for("parker-1992", 2, ()))
    first = Act("turn", SEAT, now, Play("draw", 40), 1, 2)
    history = replace(start, past=(replace(first, seat=1, t=now - 9),), acts=(first,))
    tray: dict[Place, float] = {"discard": now - 5}
    assert Tempo(0.1, quick, tray).haste(history, now) == 0.0
    assert Tempo(0.1, quick, {**tray, (SEAT, 10): now - 1}).haste(history, now) == 0.0
    assert Tempo(0.1, quick, {**tray, (SEAT, 40): now - 1}).haste(history, now) < -6.0


def test_it_is_known_when_each_place_was_seen_last() -> None:
    position = dealt(2, 7)
    clear = look(position, 1.0)
    doubtful = look(position, 2.0, unseen=["discard"], instead={(SEAT, 10): {1: 0.5, 2: 0.4}})
    seen = Seen()
    for one in (clear, doubtful):
        seen = seen.with_look(glance_of(one, position.seats, 0.0))
    assert [seen.times[place] for place in ("discard", (SEAT, 10), (SEAT, 15))] == [1.0, 1.0, 2.0]


def test_a_slot_that_looks_otherwise_and_is_not_read_is_remembered_until_it_is_read() -> None:
    position = dealt(2, 7)
    doubts: dict[Place, dict[int, float]] = {(SEAT, 10): {1: 0.5, 2: 0.4}, (SEAT, 20): {3: 0.5, 4: 0.4}}
    changed = {SEAT: {5: 2.0, 10: 2.0, 15: 0.5, 20: 1.0}}
    looks = [
        look(position, 1.0),
        replace(look(position, 2.0, instead=doubts), changed=changed),
        look(position, 3.0, unseen=[(SEAT, slot) for slot in SLOTS]),
        replace(look(position, 4.0), changed=changed),
    ]
    seen, altered = Seen(), []
    for one in looks:
        seen = seen.with_look(glance_of(one, position.seats, 0.0))
        altered.append(seen.altered)
    assert altered == [frozenset(), {(SEAT, 10)}, {(SEAT, 10)}, frozenset()]


def test_a_wrong_discard_is_seen_though_a_hand_was_long_over_the_tray() -> None:
    referee, before, now = at_pace(4)
    slot = 25
    placed = replace(step(before, Play("draw", slot)).after, discard=before.discard)
    *draw, stranger = placed.draw
    after = replace(placed, draw=tuple(draw), discard=(*before.discard, stranger))
    said: list[Event] = []
    for one in with_the_tray_covered(placed, [now + 4 + part / 4 for part in range(6)]):
        said += referee.feed(one)
    said += twice(referee, after, now + 5.5)
    said += two_turns_more(referee, after, now)
    assert rules_broken(said) == ["wrong-discard"]


@pytest.mark.parametrize("source", ["draw", "discard"])
@pytest.mark.parametrize("pauses", [1, 3])
def test_two_new_cards_are_named_where_the_first_was_seen_before_the_second(source: Source, pauses: int) -> None:
    """A hand was over the tray all the time."""
    referee, before, now = at_pace(4)
    seat = before.to_move
    half = moved(before, Play(source, 30), seat)
    after = moved(half, Play("draw", 45), seat)
    said: list[Event] = []
    for one in with_the_tray_covered(half, [now + 4 + part / 4 for part in range(pauses)]):
        said += referee.feed(one)
    for one in with_the_tray_covered(after, [now + 5, now + 5.25]):
        said += referee.feed(one)
    said += twice(referee, after, now + 6.5)
    said += two_turns_more(referee, after, now)
    assert rules_broken(said) == ["two-cards-exchanged"]


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("turns_between", [1, 2, 3])
@pytest.mark.parametrize("first_turn_seen", [True, False])
def test_two_new_cards_that_one_look_showed_are_named_once_the_rack_is_in_sight_again(
    players: int, turns_between: int, *, first_turn_seen: bool
) -> None:
    """Meanwhile the turn was told by the rules, for it was likelier that the one look was misread.

    Where nobody saw which slot the first card of the round came from, that was one of many things left open.
    """
    start = PARKER.dealt(players, turns_between)
    table = Watched(start, shown=False)
    first_rack = [(start.to_move, slot) for slot in SLOTS]
    table.show(unseen=() if first_turn_seen else first_rack)
    table.position = step(table.position, Play("draw", 25)).after
    table.show(unseen=() if first_turn_seen else first_rack[4:5])
    before = table.position
    cheat = two_cards(before, turns_between, source="draw")
    table.position = cheat.after
    rack = [(cheat.seat, slot) for slot in SLOTS]
    table.show(1, instead={"discard": {before.discard[-1]: 1.0}})
    table.show(unseen=rack)
    for move in (Play("draw", 30), PASS, Play("draw", 30))[:turns_between]:
        table.position = step(table.position, move).after
        table.show(unseen=rack)
    table.show()
    table.go_on(4, 1)
    table.finish()
    assert table.violations == [(cheat.rule, cheat.seat)]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("shown", [1, 3])
def test_who_exchanges_a_card_twice_and_discards_each_time_has_played_out_of_turn(seed: int, shown: int) -> None:
    """The rack was out of sight meanwhile; the second discard was seen after it."""
    table = Watched(PARKER.dealt(3, seed))
    table.go_on(4, seed)
    seat = table.position.to_move
    rack = [(seat, slot) for slot in SLOTS]
    once = step(table.position, Play("discard", 25))
    table.true.append(once.turn)
    table.position = once.after
    table.show(shown, unseen=rack)
    table.position = moved(once.after, Play("draw", 45), seat)
    table.show(1, unseen=["discard"])
    table.position = once.after
    table.out_of_turn(seat, Play("draw", 45), once.after.to_move)
    table.go_on(3, seed + 1)
    table.finish()
    assert table.violations == [("wrong-turn", seat)]
    assert table.turns == table.true


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("pauses", [1, 4])
def test_who_has_drawn_and_discarded_and_plays_once_more_plays_out_of_turn(seed: int, pauses: int) -> None:
    """The new card was tried in another slot first, the tray being covered.

    It was held to have been drawn in the turn before, whose discard was then the wrong one; but all that time no card
    was missing from the rack.
    """
    table = Watched(PARKER.dealt(3, seed))
    table.go_on(4, seed)
    seat = table.position.to_move
    table.play(PASS)
    before = table.position
    after, tried = (moved(before, Play("draw", slot), seat) for slot in (30, 45))
    table.position = tried
    table.show(1, unseen=["discard"])
    table.position = before
    table.show(pauses)
    table.position = replace(after, discard=before.discard)
    table.show(3)
    table.position = before
    table.out_of_turn(seat, Play("draw", 30), before.to_move)
    table.go_on(3, seed + 1)
    table.finish()
    assert table.violations == [("wrong-turn", seat)]
    assert table.turns == table.true


def test_a_wrong_discard_in_the_very_first_turn_is_no_turn_of_a_tenth_of_a_second() -> None:
    """How fast this table plays is not known yet, but nobody draws and discards so soon after another's exchange."""
    before = dealt(3, 7)
    referee, _ = seated(3, before)
    placed = replace(step(before, Play("draw", 25)).after, discard=before.discard)
    *draw, stranger = placed.draw
    after = replace(placed, draw=tuple(draw), discard=(*before.discard, stranger))
    said: list[Event] = twice(referee, before, 1.0)
    for one in with_the_tray_covered(placed, [7.0, 7.25]):
        said += referee.feed(one)
    said += referee.feed(look(after, 7.4)) + referee.feed(look(after, 7.65))
    said += two_turns_more(referee, after, 0.0)
    assert rules_broken(said) == ["wrong-discard"]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("shown", range(3))
def test_three_cards_that_changed_places_are_one_act_though_one_of_them_was_seen_there_first(
    seed: int, shown: int
) -> None:
    referee, position, now = at_pace(4)
    one, two, three = slots = sorted(dice(seed).sample(SLOTS, 3))
    for other in (one, two):
        position = switched(position, Switch.of((SEAT, three), (SEAT, other)))
    hidden: list[Place] = [(SEAT, slot) for slot in slots if slot != slots[shown]]
    said = referee.feed(look(position, now + 2, unseen=hidden))
    said += twice(referee, position, now + 2.25)
    said += two_turns_more(referee, position, now)
    assert rules_broken(said) == ["cards-rearranged"]


@pytest.mark.parametrize("shown", [(4.0, 11.0, 15.0), (5.0, 12.0, 16.0), (6.0, 13.0, 20.0)])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_cards_moved_while_the_tray_is_covered_are_named_though_the_next_player_may_have_passed_before(
    players: int, shown: Sequence[float]
) -> None:
    referee, position, now = at_pace(6, players)
    position = step(position, Play("draw", 25)).after
    twice(referee, position, now := now + APART)
    seat = position.seats[position.seats.index(position.to_move) - 1]
    position = switched(position, Switch.of((seat, 5), (seat, 45)))
    moved_at, passed_at, played_at = (now + later for later in shown)
    said: list[Event] = []
    for line in with_the_tray_covered(position, [moved_at, moved_at + 0.3]):
        said += referee.feed(line)
    passed = step(position, PASS)
    said += twice(referee, passed.after, passed_at)
    played = step(passed.after, Play("draw", 30))
    said += twice(referee, played.after, played_at)
    assert [(event.rule, event.seat) for event in said if isinstance(event, Violation)] == [("cards-rearranged", seat)]
    assert turns(said) == [passed.turn, played.turn]
    # and nothing waits any longer
    last = step(played.after, PASS)
    assert turns(twice(referee, last.after, played_at + APART)) == [last.turn]
