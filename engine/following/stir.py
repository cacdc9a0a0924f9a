"""What changed in a rack, whatever was read there: an exchange leaves a sign though nobody can read it, a pass none."""

import math
from collections.abc import Collection, Iterator
from typing import Final

from engine.cards import SLOTS, Seat, Slot
from engine.following.belief import BORNE
from engine.following.history import SURE, Glance, History
from engine.lines import EMPTY
from engine.powers import SlotOf

LINGERING: Final = 2.0
"""For so many seconds after a turn is seen to be over its player's hand may hide what it changed in the rack."""

MANY: Final = 4
"""Where more slots changed, the rack was moved as a whole: that tells nothing of any one of them. Of 274 exchanges in
drawn evenings 118 moved the whole rack."""

UNCHANGED_COST: Final = math.log(0.03)
"""Log chance that a card was exchanged and its slot looks as before. Of 445 in drawn rounds one did; people have cards
that differ less."""

NEIGHBOUR_COST: Final = math.log(0.02)
"""Log chance that other slots changed, and the one whose card was exchanged did not."""

IN_FRONT_COST: Final = math.log(0.1)
"""Log chance that an exchange also changes how the slot behind it looks. Of drawn ones 6 in 100 did; but the slot in
front of it, over whose card the exchanged one is seen, looked otherwise in 62."""

FOR_NOTHING_COST: Final = math.log(0.05)
"""Log chance that a rack changed though its player exchanged no card: it was put straight, say. Of 5040 slots in drawn
rounds 18 seemed to; people fidget more."""

MOVED_COST: Final = math.log(0.1)
"""The same for a rack that was moved as a whole. While others played 18 of 637 racks in drawn evenings were, and none
of 17 while its player drew and discarded, beside the exchanges above; people fidget more."""


def changed_slots(history: History, seat: Seat, glance: Glance) -> Collection[Slot] | None:
    """Give the slots of a rack that changed since its player's last turn; None where that cannot be told.

    Where many did, as by a power that was used or a rack that was pushed, only those that did so since anybody's turn;
    they may be many still.
    """
    times = glance.changed.get(seat)
    if times is None:
        return None
    acts = history.latest
    own = next((act.t for act in reversed(acts) if act.seat == seat), glance.began) + LINGERING
    if own > glance.t:
        return None
    found = [slot for slot, t in times.items() if t > own]
    if len(found) > MANY and acts:
        found = [slot for slot in found if times[slot] > acts[-1].t]
    return found


def exchange_cost(changed: Collection[Slot] | None, slot: Slot) -> float:
    """Give how much an exchange in a slot is less likely, as log chance, by the slots that changed."""
    if changed is None or len(changed) > MANY:
        return 0.0
    if slot in changed:
        return IN_FRONT_COST if _behind(slot) in changed else 0.0
    return NEIGHBOUR_COST if changed else UNCHANGED_COST


def passing_cost(changed: Collection[Slot] | None) -> float:
    """Give the same for a turn that left the rack as it was."""
    if not changed:
        return 0.0
    return MOVED_COST if len(changed) > MANY else FOR_NOTHING_COST


def standing_costs(history: History, glance: Glance) -> Iterator[tuple[int, float]]:
    """Give the places of a glance at which a card that nobody knew yet should have stood all the time.

    Each with the log chance of that where the place's look has changed since its player's last turn.
    """
    for seat in glance.changed:
        changed = changed_slots(history, seat, glance) or ()
        named = [(slot, at) for slot in changed if (at := _named_now(history, glance, (seat, slot))) is not None]
        if len(changed) > MANY:
            # whose rack is moved as a whole has begun a turn; where several cards can be read now, it is for another
            # view of them
            if seat == history.position.to_move and len(named) == 1:
                yield named[0][1], MOVED_COST
            continue
        for slot, at in named:
            if _behind(slot) not in changed:
                yield at, FOR_NOTHING_COST


def _named_now(history: History, glance: Glance, place: SlotOf) -> int | None:
    """Where in a glance a card is named that was not known to stand there, nor another: it is now, so this is so once.

    A guess among several is no knowledge.
    """
    at = glance.index.get(place)
    if at is None or (top := glance.seen[at].top) <= EMPTY:
        return None
    card, chance = history.belief.best(history.at(place))
    return None if chance > (BORNE if card == top else SURE) else at


def _behind(slot: Slot) -> Slot:
    return slot + SLOTS[0]
