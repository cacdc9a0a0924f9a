"""Racks out of sight: a table whose cameras see the tray alone, or whose rack's camera is gone.

What such a player does with the rack nobody sees, so nothing is made up about it. A turn is told by the card that ends
on the discard pile (following.blind); the rack is a closed box until it is shown, and what it then shows is learnt
afresh.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from engine.cards import SLOTS, Seat
from engine.following.history import HIGHEST_STAND_IN, KNOWN, Glance, History
from engine.lines import EMPTY
from engine.round import put

REFILLED: Final = 6
"""A draw pile that is in sight is held to have so many cards at least: nobody counts those drawn out of sight."""


UNCOUNTED: Final = math.log(0.3)
"""Log chance that a draw pile which nobody has counted is used up just now, or is not when it should be."""

UNCERTAIN: Final = 2
"""So many exchanges must be seen after turns that nobody saw until it is sure whose turn it is (History.gap)."""


def in_sight(histories: list[History], glance: Glance) -> list[History]:
    """The histories before a look, which shows some racks: those are in sight from now on.

    A rack that a look leaves out need not be out of sight: many looks show no more than what has changed.
    """
    if histories[0].blind:
        shown = {place[0] for place in glance.places if place != "discard"}
        for seat in sorted(histories[0].blind & shown):
            histories = [_seen_again(history, seat, glance) for history in histories]
        if histories[0].blind:
            return [_unburdened(history, glance) for history in histories]
    return [_in_no_order(history) if history.strangers >= REFILLED else history for history in histories]


def out_of_sight(histories: list[History], seats: Iterable[Seat]) -> list[History]:
    """The histories from when on nobody sees the racks of these seats."""
    return [replace(history, blind=history.blind.union(seats)) for history in histories]


def _seen_again(history: History, seat: Seat, glance: Glance) -> History:
    """A history whose rack of that seat comes into view: of turns that nobody saw, nothing is known of its cards.

    A card that lay in the discard pile and stands in the rack was taken in one of those turns, which so drew none. What
    is not in the rack lies in the pile still; but where a slot is not read, any card below the top may be in it.
    """
    blind, rack = history.blind - {seat}, history.position.rack(seat)
    # Where no look shows the discard pile either, turns may have passed of which there is no sign at all.
    signless = history.covered and any(history.belief.best(one)[1] > KNOWN for one in rack)
    if not signless and not history.played_unseen(seat):
        return replace(history, blind=blind)
    belief, position, read = history.belief.without(rack), history.position, 0
    fresh = HIGHEST_STAND_IN + history.strangers
    for slot in SLOTS:
        # A stand-in of its own: what is learnt of this card says nothing of the one that stood here before.
        fresh += 1
        position = put(position, (seat, slot), fresh)
        seen = glance.of((seat, slot))
        if seen is None or seen.top <= EMPTY:
            continue
        read += 1
        taken = next((one for one in position.discard[:-1] if belief.chance_of(one, (seen.top,)) > KNOWN), EMPTY)
        if taken:
            pile = tuple([one for one in position.discard if one != taken])
            position = replace(put(position, (seat, slot), taken), discard=pile, draw=(fresh, *position.draw))
    if read < len(SLOTS):
        belief = belief.without(position.discard[:-1])
    # How many turns were played meanwhile is told by discards alone: whose turn it is will be seen.
    gap, strangers = max(history.gap, UNCERTAIN), history.strangers + len(SLOTS)
    return replace(history, position=position, belief=belief, blind=blind, gap=gap, strangers=strangers)


def _unburdened(history: History, glance: Glance) -> History:
    """A history without what nobody can know: the cards of racks out of sight, how many the draw pile holds, and which.

    What was not said yet is remembered, to be said.
    """
    position = history.position
    hidden = {card for seat in history.blind for card in position.rack(seat)}.union(position.draw)
    belief = history.belief.without(hidden - history.unsaid)
    if 0 < len(position.draw) < REFILLED and glance.draw == "cards":
        return _refilled(replace(history, belief=belief))
    return history if belief is history.belief else replace(history, belief=belief)


def _in_no_order(history: History) -> History:
    """A history in which many stand-ins had to be made up, without what is known of the cards to be drawn.

    They lay in the discard pile that was turned over, and one too many or too few among them shifts all.
    """
    belief = history.belief.without(history.position.draw)
    return history if belief is history.belief else replace(history, belief=belief)


def _refilled(history: History) -> History:
    """The history with more cards in the draw pile."""
    first = HIGHEST_STAND_IN + history.strangers + 1
    more = tuple(range(first, first + REFILLED))
    position = replace(history.position, draw=(*more, *history.position.draw))
    return replace(history, position=position, strangers=history.strangers + REFILLED)


def uncounted(history: History, glance: Glance) -> Iterator[tuple[History, float]]:
    """The history, with its log chance, with a draw pile that fits the look, where nobody has counted it.

    It may be used up before that was expected, or hold cards yet where it was held to be used up.
    """
    draw = history.position.draw
    if glance.draw == "empty" and draw and max(draw) > HIGHEST_STAND_IN and not history.unfinished:
        yield replace(history, position=replace(history.position, draw=())), UNCOUNTED
    elif glance.draw == "cards" and not draw and history.blind:
        yield _refilled(history), UNCOUNTED
