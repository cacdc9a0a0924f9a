"""What is told of turns whose cards nobody could read, by the slots that changed and by the pile that was lifted."""

from collections.abc import Collection, Mapping
from dataclasses import replace

import pytest

from engine.cards import SLOTS, Seat, Slot, Source
from engine.events import Amended, Event, Violation
from engine.following.history import Act, History, Place, opening
from engine.following.stir import exchange_cost
from engine.following.telling import Telling
from engine.game import Player, new_game
from engine.lines import EMPTY, Arm
from engine.moves import Turn
from engine.referee import Referee
from engine.round import Play, Round, moved
from engine.variants import rules_for
from tests.engine.tables import dealt, look, seated, step, turns

SEAT: Seat = 2
UNREAD: Slot = 25
Changed = Mapping[Slot, float]


def seen(
    referee: Referee, position: Round, t: float, changed: Changed, unread: Collection[Slot] = (UNREAD,)
) -> list[Event]:
    """Look twice at a table on which some slots of the rack are not read."""
    unseen = [(SEAT, slot) for slot in unread]
    looks = [replace(look(position, t + after, unseen=unseen), changed={SEAT: changed}) for after in (0.0, 0.25)]
    return [event for one in looks for event in referee.feed(one)]


def told(move: Play, changed: Changed, *, read_later: bool = False) -> list[Turn]:
    """What is said of a turn after three more were seen, by when slots have changed; it is over at 14 s."""
    unread = (UNREAD,)
    start = dealt(2, 7)
    referee, _ = seated(2)
    seen(referee, start, 1.0, {}, unread)
    played = step(start, move)
    said: list[Event] = []
    if read_later:
        # the new card stands in its slot, and the old one is in hand yet
        placed = replace(moved(start, move, SEAT), discard=start.discard)
        said += seen(referee, placed, 12.0, changed, ())
    said += seen(referee, played.after, 14.0, changed, () if read_later else unread)
    position = played.after
    for number in (1, 2, 3):
        position = step(position, Play("draw", None)).after
        said += seen(referee, position, 14.0 + 8 * number, changed, () if read_later else unread)
    return turns(said + referee.finish())


def test_a_slot_that_changed_unread_was_exchanged() -> None:
    first = told(Play("draw", UNREAD), {UNREAD: 12.0})[0]
    assert (first.source, first.slot, first.card) == ("draw", UNREAD, None)


def test_a_rack_that_did_not_change_is_one_of_a_card_drawn_and_discarded() -> None:
    first = told(Play("draw", None), {})[0]
    assert first.slot is None


def test_of_two_slots_that_changed_the_one_behind_was_exchanged_more_likely() -> None:
    changed = {20, 25}
    assert exchange_cost(changed, 25) > exchange_cost(changed, 20) > exchange_cost(changed, 30)


def test_what_changed_before_the_turn_began_says_nothing_of_it() -> None:
    first = told(Play("draw", None), {UNREAD: 0.5})[0]
    assert first.slot is None


def test_a_rack_that_was_pushed_before_the_turn_still_tells_which_slot_was_exchanged() -> None:
    """As where a power has switched cards of it, all slots look otherwise since its player's last turn."""
    pushed: Changed = dict.fromkeys(SLOTS, 12.0)
    referee, _ = seated(2)
    position, said = dealt(2, 7), seen(referee, dealt(2, 7), 1.0, {})
    exchanged = {**pushed, UNREAD: 20.0}
    looks: list[tuple[float, Slot | None, Changed]] = [(8.0, None, {}), (14.0, None, pushed), (22.0, UNREAD, exchanged)]
    for t, slot, changed in [*looks, *((t, None, exchanged) for t in (30.0, 38.0, 46.0))]:
        position = step(position, Play("draw", slot)).after
        said += seen(referee, position, t, changed)
    assert [turn.slot for turn in turns(said + referee.finish())[:3]] == [None, None, UNREAD]


def test_a_card_read_for_the_first_time_in_a_slot_that_changed_has_come_there_now() -> None:
    start = dealt(2, 7)
    first = told(Play("draw", UNREAD), {UNREAD: 12.0}, read_later=True)[0]
    old = start.rack(SEAT)[SLOTS.index(UNREAD)]
    assert first == Turn(SEAT, "draw", start.draw[-1], UNREAD, old)


def test_who_has_lifted_the_discard_pile_s_top_has_taken_it() -> None:
    start = dealt(2, 7)
    referee, _ = seated(2)
    seen(referee, start, 1.0, {})
    played = step(start, Play("discard", UNREAD))
    unseen = [(SEAT, UNREAD)]
    for t, instead in ((8.0, {EMPTY: 1.0}), (8.25, {EMPTY: 1.0})):
        referee.feed(replace(look(start, t, unseen=unseen, instead={"discard": instead}), changed={SEAT: {}}))
    covered = look(start, 12.0, unseen=[*unseen, "discard"])
    referee.feed(replace(covered, changed={SEAT: {UNREAD: 12.0}}))
    position, said = played.after, seen(referee, played.after, 14.0, {UNREAD: 12.0})
    for number in (1, 2, 3):
        position = step(position, Play("draw", None)).after
        said += seen(referee, position, 14.0 + 8 * number, {UNREAD: 12.0})
    assert turns(said + referee.finish())[0] == played.turn


def told_by_reaching(
    source: Source, hidden: Source | None, *, visible: bool = True, arm: Arm | None = None, start: Round | None = None
) -> list[Turn]:
    """What is said of an exchange that nobody could read, where a hand was seen over one pile; or it is never visible.

    With it comes an `arm`. After the exchange a hand is always seen over the discard pile. Where it does not `start` as
    it was dealt, cards were moved before.
    """
    was_dealt, changed = dealt(2, 7), {UNREAD: 12.0}
    start = start or was_dealt
    referee, _ = seated(2)

    def seen_with(position: Round, t: float, covered: Source | None, arm: Arm | None = None) -> list[Event]:
        unseen: list[Place] = [(SEAT, UNREAD)]
        if covered == "discard":
            unseen.append("discard")
        one = replace(look(position, t, unseen=unseen), changed={SEAT: changed if t >= 12 else {}}, arm=arm)
        return referee.feed(replace(one, draw=None) if covered == "draw" or not visible else one)

    played = step(start, Play(source, UNREAD))
    in_hand = replace(played.after, discard=start.discard if source == "draw" else start.discard[:-1])
    said = [event for t in (1.0, 1.25) for event in seen_with(was_dealt, t, None)]
    said += [event for t in (5.0, 5.25) for event in seen_with(start, t, None)]
    if hidden is not None:
        said += seen_with(start, 9.0, hidden, arm)
    said += seen_with(in_hand, 12.0, "discard")
    said += [event for t in (14.0, 14.25) for event in seen_with(played.after, t, None)]
    position = played.after
    for number in (1, 2, 3):
        position = step(position, Play("draw", None)).after
        said += [event for after in (0.0, 0.25) for event in seen_with(position, 14 + 8 * number + after, None)]
    return turns(said + referee.finish())


@pytest.mark.parametrize("source", ["draw", "discard"])
def test_a_hand_over_one_pile_tells_where_an_unread_card_came_from(source: Source) -> None:
    first = told_by_reaching(source, source)[0]
    assert (first.source, first.slot) == (source, UNREAD)


@pytest.mark.parametrize("source", ["draw", "discard"])
def test_it_tells_so_after_somebody_has_moved_cards_within_a_rack(source: Source) -> None:
    start = dealt(2, 7)
    (one, two, *others), opposite = start.racks
    start = replace(start, racks=((two, one, *others), opposite))
    first = told_by_reaching(source, source, start=start)[0]
    assert (first.source, first.slot) == (source, UNREAD)


@pytest.mark.parametrize("source", ["draw", "discard"])
@pytest.mark.parametrize("hidden", ["draw", "discard"])
def test_where_it_is_seen_for_which_pile_an_arm_reaches_the_one_that_it_hides_does_not_count(
    source: Source, hidden: Source
) -> None:
    """Who sits beside the draw pile and takes from the discard pile has an arm over the draw pile."""
    first = told_by_reaching(source, hidden, arm=Arm(20.0, 105.0, 0.5, source))[0]
    assert (first.source, first.slot) == (source, UNREAD)


def test_a_hand_that_puts_a_card_down_does_not_tell_where_the_other_came_from() -> None:
    without = told_by_reaching("draw", None)[0]
    assert without.source == "draw"


def test_a_pile_that_is_never_made_out_is_not_hidden_by_a_hand() -> None:
    first = told_by_reaching("discard", None, visible=False)[0]
    assert first == told_by_reaching("discard", "draw", visible=False)[0]


def test_a_turn_is_amended_once_most_of_the_histories_agree_whatever_else_they_doubt() -> None:
    game = new_game("parker-1992", tuple(Player(seat, f"P{seat}") for seat in (1, 2)), ())
    start = opening((1, 2), 1, rules_for("parker-1992", 2, ()))

    def after(source: Source, other: Slot) -> History:
        first = Act("turn", SEAT, 5.0, Play(source, UNREAD), 1, 2)
        return replace(start, past=(first,), acts=(Act("turn", 1, 9.0, Play("draw", other), 3, 4),))

    telling = Telling(game)
    said_before = after("draw", 5)
    telling.say(replace(said_before, acts=said_before.past, past=()), named=False)
    doubtful = [after("discard", slot) for slot in SLOTS[:4]]
    assert telling.amended([*doubtful, *(after("draw", slot) for slot in SLOTS[:4])]) == []
    (amended,) = telling.amended(doubtful)
    assert isinstance(amended, Amended)
    assert (amended.turn.source, amended.turn.slot) == ("discard", UNREAD)
    assert telling.amended(doubtful) == []


@pytest.mark.parametrize("seed", range(6))
def test_a_card_tried_in_the_slot_of_one_that_was_never_read_is_not_taken_for_that_one(seed: int) -> None:
    """The rack was moved as a whole when the second card was tried there: that somebody has begun a turn, it tells."""
    referee, _ = seated(2)
    start, tried_in = dealt(2, seed), UNREAD
    said = seen(referee, start, 1.0, {})
    first = step(start, Play("draw", tried_in))
    unread = first.turn.card
    assert unread is not None
    said += seen(referee, first.after, 14.0, {tried_in: 12.0})
    guess = look(first.after, 15.0, instead={(SEAT, tried_in): {unread: 0.4}})
    said += referee.feed(replace(guess, changed={SEAT: {tried_in: 12.0}}))
    second = step(first.after, Play("draw", None))
    said += seen(referee, second.after, 22.0, {tried_in: 12.0})
    moved_now: Changed = dict.fromkeys(SLOTS, 28.0)
    tried = replace(moved(second.after, Play("draw", tried_in), SEAT), discard=second.after.discard)
    said += seen(referee, tried, 28.0, moved_now, ())
    third = step(second.after, Play("draw", 40))
    in_hand = replace(third.after, discard=second.after.discard)
    moved_again: Changed = dict.fromkeys(SLOTS, 30.0)
    said += seen(referee, second.after, 30.0, moved_again, ())
    said += seen(referee, in_hand, 31.0, {**moved_again, 40: 31.0}, ())
    said += seen(referee, third.after, 32.0, {**moved_again, 40: 31.0}, ())
    position = third.after
    for number in (1, 2, 3):
        position = step(position, Play("draw", None)).after
        said += seen(referee, position, 32.0 + 8 * number, {**moved_again, 40: 31.0}, ())
    said += referee.finish()
    assert not [event for event in said if isinstance(event, Violation)]
    assert turns(said)[:3] == [first.turn, second.turn, third.turn]
