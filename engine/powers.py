"""Prime cards and their powers (Hasbro leaflet, 2006, Prime Cards).

A Prime card's power acts only when the card is discarded, drawn or exchanged, and using it is the player's choice.
The leaflet says neither which numbers are Prime cards nor which has which power: by default they are the prime numbers,
each with a power that is not known, so that any of the four may follow. The owner of a deck can write a better table.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, get_args

from engine.cards import HIGHEST_CARD, Card, Seat, Slot

Power = Literal["another-turn", "switch-opponents", "switch-with-opponent", "switch-own"]
"""What a Prime card lets its player do: draw once more; switch two cards of opponents, one of the player's own with an
opponent's, or two of the player's own. In a game with partners every other rack counts as an opponent's (the leaflet
knows no partners)."""

POWERS: Final[tuple[Power, ...]] = get_args(Power)

PowerTable = Mapping[Card, Power | None]
"""The Prime cards; None for a card whose power nobody has written down."""

NO_POWERS: Final[PowerTable] = MappingProxyType({})

PRIME_NUMBERS: Final[PowerTable] = MappingProxyType(
    {card: None for card in range(2, HIGHEST_CARD + 1) if all(card % low for low in range(2, card))}
)

SlotOf = tuple[Seat, Slot]
"""One slot of one rack."""


@dataclass(frozen=True, slots=True)
class Switch:
    """Two cards in racks change places. Which is named first does not matter: `of` puts them in order."""

    one: SlotOf
    other: SlotOf

    @classmethod
    def of(cls, one: SlotOf, other: SlotOf) -> "Switch":
        """Make the switch of two slots, the lower seat and slot first."""
        return cls(min(one, other), max(one, other))


Effect = Switch | Literal["again"]
"""How a power was used: two cards were switched, or its player took another turn."""


def power_used(effect: Effect, seat: Seat) -> Power:
    """Tell the power by what its player, in `seat`, did with it."""
    if effect == "again":
        return "another-turn"
    own = (effect.one[0] == seat) + (effect.other[0] == seat)
    return ("switch-opponents", "switch-with-opponent", "switch-own")[own]


def may_use(powers: PowerTable, discarded: Card, effect: Effect, seat: Seat) -> bool:
    """Whether discarding this card lets the player in `seat` do that."""
    return discarded in powers and powers[discarded] in (None, power_used(effect, seat))
