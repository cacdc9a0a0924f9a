"""A camera a rack and one at the tray: a changed slot is seen some moments before the discarded card is."""

from functools import partial

import pytest

from engine.cards import SLOTS
from engine.events import Doubt, RoundEnd, TurnPlayed, Violation
from engine.following.history import Place
from engine.lines import Call
from engine.round import Play
from tests.engine.apart import Apart, pile_between_halves, pile_first, some_turns_later
from tests.engine.tables import PARKER, careless, dice, nearly_done, step
from tests.engine.test_cheats import Way, rearranged, two_cards, wrong_discard, wrong_turn

PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])
SEEDS = pytest.mark.parametrize("seed", [7, 8, 9])


CHEATS = pytest.mark.parametrize(
    "cheat",
    [
        partial(wrong_turn, source="draw", onward=True),
        partial(wrong_turn, source="discard", onward=False),
        partial(two_cards, source="draw"),
        partial(two_cards, source="discard"),
        partial(wrong_discard, source="draw"),
    ],
    ids=["turn-draw", "turn-discard", "two-draw", "two-discard", "discard"],
)


@PLAYERS
@SEEDS
def test_honest_turns_are_told_as_they_were_and_nobody_is_accused(players: int, seed: int) -> None:
    table = Apart(PARKER.dealt(players, seed))
    table.go_on_apart(9, seed)
    table.finish()
    assert table.turns == table.true
    assert table.violations == []


@PLAYERS
@SEEDS
def test_a_turn_is_told_with_its_discard_in_sight_where_a_look_has_shown_it(players: int, seed: int) -> None:
    table = Apart(PARKER.dealt(players, seed))
    choose = careless(seed)
    for _ in range(6):
        table.play_apart(choose(table.position))
        # the rack's camera looks on; the tray's shows what lies there only now and then
        table.show(3, unseen=["discard"])
        table.show(1)
    table.finish()
    told = [event for event in table.said if isinstance(event, TurnPlayed)]
    assert len(told) == 6
    assert all(event.in_sight for event in told)


@PLAYERS
@SEEDS
@CHEATS
def test_a_cheat_is_named_once_and_nobody_else_is_accused(players: int, seed: int, cheat: Way) -> None:
    table = some_turns_later(players, seed)
    done = cheat(table.position, seed)
    table.becomes_apart(done.after, done.turn)
    assert table.named_once(done)


@PLAYERS
@SEEDS
@CHEATS
def test_a_cheat_is_named_once_where_the_discard_is_seen_before_the_rack_is(
    players: int, seed: int, cheat: Way
) -> None:
    table = some_turns_later(players, seed)
    done = cheat(table.position, seed)
    table.t += 3.5
    pile_first(table, done.seat, done.after, dice(seed))
    assert table.named_once(done)


IN_PARTS: list[Way] = [
    partial(two_cards, source="draw"),
    partial(two_cards, source="discard"),
    partial(rearranged, count=3, with_turn=False),
    partial(rearranged, count=3, with_turn=True),
]


@PLAYERS
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("cheat", IN_PARTS, ids=["two-draw", "two-discard", "three-moved", "three-moved-in-a-turn"])
def test_a_cheat_is_named_once_where_the_discard_is_seen_between_the_two_halves_of_the_rack(
    players: int, seed: int, cheat: Way
) -> None:
    """A hand lets go of the rack little by little. What was told of the first half by then is taken back."""
    table = some_turns_later(players, seed)
    done = cheat(table.position, seed)
    table.t += 3.5
    pile_between_halves(table, done.seat, done.after, dice(seed))
    assert table.named_once(done)


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_a_wrong_discard_is_named_where_the_next_one_may_have_passed(players: int, seed: int) -> None:
    """Only what follows shows that nobody did: the pile was out of sight, and half of the rack, until then.

    Of two players who plays twice is the only one who can be out of turn: that is too likely for a name.
    """
    table = some_turns_later(players, seed)
    top = table.position.discard[-1]
    done = wrong_discard(table.position, seed, source="discard")
    half = SLOTS[5:] if top in done.after.rack(done.seat)[:5] else SLOTS[:5]
    table.position = done.after
    table.t += 3.5
    table.show(2, unseen=["discard", *((done.seat, slot) for slot in half)])
    table.t += 1.0
    table.show(1, unseen=["discard"])
    table.show(2)
    assert table.named_once(done)


@PLAYERS
@pytest.mark.parametrize("seed", range(4))
def test_who_plays_after_a_wrong_discard_is_not_out_of_turn(players: int, seed: int) -> None:
    """The discard is seen first. It may be the card that the next one drew and discarded, but need not."""
    table = some_turns_later(players, seed)
    done = wrong_discard(table.position, seed, source="discard")
    table.t += 3.5
    pile_first(table, done.seat, done.after, dice(seed))
    for slot in (5, 50, 20, 35):
        table.play_apart(Play("draw", slot))
    table.finish()
    assert set(table.violations) <= {(done.rule, done.seat)}
    assert table.turns[-4:] == table.true[-4:]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_who_is_in_the_middle_of_two_cards_when_somebody_calls_is_not_accused(players: int) -> None:
    table = Apart(nearly_done(players, 3))
    table.play(Play("draw", 25))
    seat = table.position.to_move
    fresh = zip(SLOTS[:2], table.position.draw[:2], strict=True)
    table.put({(seat, slot): card for slot, card in fresh}, looks=2)
    table.call(2)
    assert table.violations == []


def test_slots_that_nobody_could_read_make_no_call_false() -> None:
    start = nearly_done(2, 4)
    won = step(start, Play("draw", 25)).after
    unread: list[Place] = [(2, slot) for slot in (10, 15, 45)]
    table = Apart(start, shown=False)
    table.show(2, unseen=unread)
    table.position = won
    table.show(4, unseen=unread)
    table.call(2)
    table.show(4, unseen=unread)
    asked = {(event.seat, event.slot) for event in table.said if isinstance(event, Doubt)}
    assert set(unread) <= asked
    table.finish()
    assert not [event for event in table.said if isinstance(event, Violation)]


def test_a_call_that_waits_for_slots_is_judged_once_they_are_read() -> None:
    start = nearly_done(2, 4)
    unread: list[Place] = [(2, slot) for slot in (10, 15, 45)]
    table = Apart(start, shown=False)
    table.show(2, unseen=unread)
    table.position = step(start, Play("draw", 25)).after
    table.show(3, unseen=unread)
    table.line(Call(table.t + 1, 2))
    assert not [event for event in table.said if isinstance(event, RoundEnd)]
    table.t += 1
    table.show(2)
    assert [event.out for event in table.said if isinstance(event, RoundEnd)] == [2]


@PLAYERS
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("turns", [0, 1, 2])
def test_three_cards_that_changed_places_are_one_act_however_late_all_of_them_are_seen(
    players: int, seed: int, turns: int
) -> None:
    """A hand hides two of the slots until others have played."""
    table = some_turns_later(players, seed)
    done = rearranged(table.position, seed, count=3, with_turn=False)
    before, after = table.position.rack(done.seat), done.after.rack(done.seat)
    moved = [(done.seat, slot) for slot, old, new in zip(SLOTS, before, after, strict=True) if old != new]
    table.position, table.unread = done.after, moved[1:]
    table.t += 3.5
    table.show(2)
    for _ in range(turns):
        table.play_apart(Play("draw", None))
    table.unread = ()
    table.t += 3.5
    table.show(2)
    assert table.named_once(done)
