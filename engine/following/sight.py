"""Racks out of sight: a table whose cameras see the tray alone, or whose rack's camera is gone.

What such a player does with the rack nobody sees, so nothing is made up about it. A turn is told by the card that ends
on the discard pile (following.blind); the rack is a closed box until it is shown, and what it then shows is learnt
afresh.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from engine.cards import Seat
from engine.following.history import HIGHEST_STAND_IN, Glance, History

REFILLED: Final = 6
"""A draw pile that is in sight is held to have so many cards at least: nobody counts those drawn out of sight."""


UNCERTAIN: Final = 2
"""So many exchanges must be seen after turns that nobody saw until it is sure whose turn it is (History.gap)."""


def in_sight(histories: list[History], glance: Glance) -> list[History]:
    """The histories before a look, which shows some racks: those are in sight from now on.

    A rack that a look leaves out need not be out of sight: many looks show no more than what has changed.
    """
    if not histories[0].blind:
        return histories
    shown = {place[0] for place in glance.places if place != "discard"}
    for seat in sorted(histories[0].blind & shown):
        histories = [_seen_again(history, seat) for history in histories]
    return [_unburdened(history, glance) for history in histories] if histories[0].blind else histories


def out_of_sight(histories: list[History], seats: Iterable[Seat]) -> list[History]:
    """The histories from when on nobody sees the racks of these seats."""
    return [replace(history, blind=history.blind.union(seats)) for history in histories]


def _seen_again(history: History, seat: Seat) -> History:
    """A history whose rack of that seat comes into view: of turns that nobody saw, nothing is known of its cards.

    Nor of the discard pile but for its top: any card below it may have been taken.
    """
    blind = history.blind - {seat}
    if not any(act.seat == seat and act.blind for act in (*history.past, *history.acts)):
        return replace(history, blind=blind)
    position = history.position
    belief = history.belief.without([*position.rack(seat), *position.discard[:-1]])
    # How many turns were played meanwhile is told by discards alone: whose turn it is will be seen.
    return replace(history, belief=belief, blind=blind, gap=max(history.gap, UNCERTAIN))


def _unburdened(history: History, glance: Glance) -> History:
    """A history without what nobody can know: which cards stand in racks out of sight, how many the draw pile holds.

    What was not said yet is remembered, to be said.
    """
    position = history.position
    hidden = {card for seat in history.blind for card in position.rack(seat)}
    unsaid = {card for act in history.acts for card in (act.card, act.discarded)}
    belief = history.belief.without(hidden - unsaid)
    if len(position.draw) < REFILLED and glance.draw == "cards":
        first = HIGHEST_STAND_IN + history.strangers + 1
        more = tuple(range(first, first + REFILLED))
        position = replace(position, draw=(*more, *position.draw))
        return replace(history, position=position, belief=belief, strangers=history.strangers + REFILLED)
    return history if belief is history.belief else replace(history, belief=belief)
