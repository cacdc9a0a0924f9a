"""The deal of a round: when it is over, and what was seen meanwhile of racks that nobody sees at that moment."""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from engine.cards import Seat, Slot
from engine.following.likeness import likeness
from engine.lines import EMPTY, Observation, Sighting

SEEN_EMPTY: Final = 20.0
"""A likeness of EMPTY above this is a place that was seen to be empty."""

GAPS: Final = 2
"""A rack with so many gaps is being dealt: one may be a card that is missing, or out of its slot."""

TOLD: Final = 5
"""Of a rack in which fewer cards are told it is not concluded that it has no gaps: few may have been dealt yet."""


def looks_dealt(look: Observation, seats: Collection[Seat]) -> bool:
    """Whether the deal to some seats is over: the discard pile has begun or, if it was not seen, no rack has gaps."""
    if look.discard is not None:
        return not _is_empty(look.discard)
    racks = [look.racks[seat] for seat in seats if look.racks.get(seat)]
    told = [len(rack) - _gaps(rack) for rack in racks]
    return max(told, default=0) >= TOLD and sum(map(_gaps, racks)) < GAPS


@dataclass(frozen=True)
class Dealing:
    """What was seen of racks while they were dealt: the cards by seat and slot, each as it was seen last.

    A rack is in it as soon as it was seen with gaps: what stood in it before were the last round's cards. `bare` is
    when no card lay on the discard pile, as it was seen last.
    """

    racks: Mapping[Seat, Mapping[Slot, Sighting]] = field(default_factory=dict)
    bare: float = -math.inf

    def with_look(self, look: Observation) -> "Dealing":
        """One more look, before the deal is over."""
        racks = dict(self.racks)
        for seat, seen in look.racks.items():
            if seat in racks or _gaps(seen) >= GAPS:
                stood = {**racks.get(seat, {}), **seen}
                racks[seat] = {slot: sighting for slot, sighting in stood.items() if not _is_empty(sighting)}
        bare = look.discard is not None and _is_empty(look.discard)
        return Dealing(racks, look.t if bare else self.bare)

    def completed(self, look: Observation) -> Observation:
        """The look after the deal, with the cards that it does not show.

        A hand may be before a rack from its last card on, and take one out when it is first seen again. What was not
        sure is told in one look only, and that may have been during the deal.
        """
        seats = {*self.racks, *look.racks}
        return replace(look, racks={seat: {**self.racks.get(seat, {}), **look.racks.get(seat, {})} for seat in seats})


def _gaps(rack: Mapping[Slot, Sighting]) -> int:
    return sum(map(_is_empty, rack.values()))


def _is_empty(sighting: Sighting) -> bool:
    return likeness(sighting).of(EMPTY) >= SEEN_EMPTY
