"""Racks out of sight: a table whose cameras see the tray alone, or whose rack's camera is gone.

What such a player does with the rack nobody sees, so nothing is made up about it. A turn is told by the card that ends
on the discard pile; the rack is a closed box until it is shown, and what it then shows is learnt afresh.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from engine.cards import Seat
from engine.following.history import HIGHEST_STAND_IN, Glance, History

OUT_OF_SIGHT: Final = 6
"""A rack that so many looks in a row did not show at all is out of sight; one or two leave out what a hand covers."""


REFILLED: Final = 6
"""A draw pile that is in sight is held to have so many cards at least: nobody counts those drawn out of sight."""


@dataclass(slots=True)
class Sight:
    """Which racks are in sight, look by look."""

    seats: Sequence[Seat]
    _missed: dict[Seat, int] = field(default_factory=dict)

    def look(self, glance: Glance, histories: list[History]) -> list[History]:
        """Take in which racks a look shows; return the histories with those in sight that it shows."""
        shown = {place[0] for place in glance.places if place != "discard"}
        for seat in self.seats:
            self._missed[seat] = 0 if seat in shown else self._missed.get(seat, 0) + 1
        gone = frozenset(seat for seat in self.seats if self._missed[seat] >= OUT_OF_SIGHT)
        back = histories[0].blind & shown
        for seat in sorted(back):
            histories = [_seen_again(history, seat) for history in histories]
        if not gone <= histories[0].blind:
            histories = [replace(history, blind=history.blind | gone) for history in histories]
        return [_unburdened(history, glance) for history in histories] if histories[0].blind else histories


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


def _seen_again(history: History, seat: Seat) -> History:
    """A history whose rack of that seat comes into view: of turns that nobody saw, nothing is known of its cards.

    Nor of the discard pile but for its top: any card below it may have been taken.
    """
    blind = history.blind - {seat}
    if not any(act.seat == seat and act.blind for act in (*history.past, *history.acts)):
        return replace(history, blind=blind)
    position = history.position
    belief = history.belief.without([*position.rack(seat), *position.discard[:-1]])
    return replace(history, belief=belief, blind=blind)
