"""One possible course of a round, and how well a look at the table fits it.

The referee keeps several histories where one is not certain. A history is a position in stand-ins (engine.belief),
what is believed of them, and the turns that it holds to have been played and the referee has not said yet.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from engine.belief import Belief, Likeness, likeness
from engine.cards import Card, Seat, Slot, slot_index
from engine.lines import EMPTY, Observation
from engine.moves import Turn
from engine.round import Play, Round, deal

SURE: Final = 0.95
"""A card believed this much is said by its number."""

Place = tuple[Seat, Slot] | Literal["discard"]


@dataclass(frozen=True, slots=True)
class Glance:
    """An observation, ready to be weighed: the likeness at each place that was seen."""

    t: float
    places: Mapping[Place, Likeness]
    draw: Literal["cards", "empty"] | None


def glance_of(look: Observation, highest_card: Card, seats: tuple[Seat, ...]) -> Glance:
    """Weigh every place of an observation once; seats that do not play are passed over."""
    places: dict[Place, Likeness] = {
        (seat, slot): likeness(sighting, highest_card)
        for seat, slots in look.racks.items()
        if seat in seats
        for slot, sighting in slots.items()
    }
    if look.discard is not None:
        places["discard"] = likeness(look.discard, highest_card)
    return Glance(look.t, places, look.draw)


@dataclass(frozen=True, slots=True)
class Pending:
    """A turn that a history holds to have been played, in stand-ins.

    `t` is the first look that showed all of it (`whole`), or the last one that showed a part.
    """

    seat: Seat
    move: Play
    card: int
    discarded: int
    turned_over: bool
    t: float
    whole: bool = False


@dataclass(frozen=True, slots=True)
class History:
    """One course of the round. `score` is its log weight among the others.

    `unfinished`: of the last turn, the card that leaves the rack is still in the player's hand. `touched`: the places
    that were in motion at the last look, the player to move having begun a turn. `turned_over`: the discard pile was
    turned over since the last turn.
    """

    position: Round
    belief: Belief
    pending: tuple[Pending, ...] = ()
    score: float = 0.0
    unfinished: bool = False
    touched: tuple[Place, ...] = ()
    turned_over: bool = False

    def at(self, place: Place) -> int:
        """The stand-in at a place; EMPTY for an empty discard pile."""
        if place == "discard":
            pile = self.position.discard[:-1] if self.unfinished else self.position.discard
            return pile[-1] if pile else EMPTY
        seat, slot = place
        return self.position.rack(seat)[slot_index(slot)]

    def rack(self, seat: Seat) -> tuple[tuple[Card, float], ...]:
        """The likeliest card of each slot, slot 5 first, with its chance."""
        return tuple(self.belief.best(stand_in) for stand_in in self.position.rack(seat))

    def turn(self, pending: Pending) -> Turn:
        """A pending turn with the cards by number, None for those not known surely."""
        return Turn(
            pending.seat,
            pending.move.source,
            self._number(pending.card),
            pending.move.slot,
            self._number(pending.discarded),
        )

    def _number(self, stand_in: int) -> Card | None:
        card, chance = self.belief.best(stand_in)
        return card if chance >= SURE else None


def opening(
    seats: tuple[Seat, ...], dealer: Seat, highest_card: Card, turn_over: Literal["new-discard", "no-discard"]
) -> History:
    """The history of a round that has just been dealt: every card is there, none is known."""
    return History(deal(seats, dealer, range(1, highest_card + 1), turn_over), Belief(highest_card))


SEEN_EMPTY: Final = 20.0
"""A likeness of EMPTY above this is a place that was seen to be empty."""


def looks_dealt(glance: Glance) -> bool:
    """Whether the deal is over: the discard pile has begun or, where that was not seen, no rack has gaps."""
    top = glance.places.get("discard")
    if top is not None:
        return top.of(EMPTY) < SEEN_EMPTY
    return bool(glance.places) and sum(seen.of(EMPTY) >= SEEN_EMPTY for seen in glance.places.values()) < 2
