"""What is believed of cards that are not surely known.

In the referee's positions a card is a stand-in, numbered 1, 2, 3, ...; which printed number it bears is learnt from
sightings, wherever the stand-in lies at the time: a card seen in a slot and seen again on the discard pile is one
card, and both sightings speak of it. A sighting is never taken at its word: any reader is plainly wrong now and then.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from engine.cards import Card
from engine.lines import EMPTY, Sighting

MISREAD: Final = 0.01
"""Chance that a sighting is plainly wrong, whatever it says of itself: a round figure, above what vision aims at."""

SATURATION: Final = 12.0
"""Most that sightings of one card may add up to, in natural log units over any other card.

Looks of one camera err together, so a hundred of them are not a hundred witnesses: two good looks reach this, and two
good looks of something else undo it.
"""

Weights = Mapping[Card, float]
"""Log weight by card, against every card that is not named (0)."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """How well a sighting fits each thing that could be there: `named` by card (EMPTY among them), else `other`.

    1 says nothing, more speaks for, less against.
    """

    named: Mapping[Card, float]
    other: float

    def of(self, card: Card) -> float:
        """How well the sighting fits that card, or EMPTY."""
        return self.named.get(card, self.other)


def likeness(sighting: Sighting, highest_card: Card) -> Likeness:
    """Turn a sighting into likelihoods over the deck and "empty"."""
    outcomes = highest_card + 1
    known = {card: chance for card, chance in sighting.items() if card <= highest_card}
    unsaid = max(0.0, 1.0 - sum(sighting.values()))
    spread = unsaid / max(1, outcomes - len(known))
    named = {card: (1 - MISREAD) * max(chance, spread) * outcomes + MISREAD for card, chance in known.items()}
    return Likeness(named, (1 - MISREAD) * spread * outcomes + MISREAD)


class Belief:
    """Which printed card each stand-in bears, with every printed card there once. Immutable but for its caches."""

    __slots__ = ("_free", "_free_sum", "_plain", "_weights", "highest_card")

    def __init__(self, highest_card: Card, weights: Mapping[int, Weights] | None = None) -> None:
        """Believe `weights` by stand-in of a deck 1..highest_card."""
        self.highest_card = highest_card
        self._weights: Mapping[int, Weights] = weights or {}
        self._plain: dict[int, dict[Card, float]] = {}
        self._free: list[float] | None = None
        self._free_sum = 0.0

    def _free_cards(self) -> list[float]:
        """By card: how likely it is that no stand-in with sightings bears it."""
        if self._free is None:
            taken = [0.0] * (self.highest_card + 1)
            for stand_in, weights in self._weights.items():
                powers = {card: math.exp(weight) for card, weight in weights.items()}
                total = sum(powers.values()) + self.highest_card - len(powers)
                plain = {card: power / total for card, power in powers.items()}
                self._plain[stand_in] = plain
                for card, chance in plain.items():
                    taken[card] += chance
            self._free = [0.0, *(max(1.0 - chance, 0.002) for chance in taken[1:])]
            self._free_sum = sum(self._free)
        return self._free

    def _masses(self, stand_in: int, asked: Iterable[Card]) -> tuple[dict[Card, float], float]:
        """Unnormalised chances of the cards that have weights or are asked for, and the sum over the whole deck."""
        free = self._free_cards()
        weights = self._weights.get(stand_in)
        if weights is None:
            return {card: free[card] for card in asked if card}, self._free_sum
        plain = self._plain[stand_in]
        masses = {card: min(free[card] + plain[card], 1.0) * math.exp(weight) for card, weight in weights.items()}
        total = self._free_sum - sum(free[card] for card in masses) + sum(masses.values())
        for card in asked:
            if card and card not in masses:
                masses[card] = free[card]
        return masses, total

    def fit(self, stand_in: int, seen: Likeness) -> float:
        """How well a sighting fits a stand-in: the likelihood, averaged over the cards it may bear."""
        if stand_in == EMPTY:
            return seen.of(EMPTY)
        masses, total = self._masses(stand_in, seen.named)
        gain = sum(masses[card] * (fit - seen.other) for card, fit in seen.named.items() if card)
        return seen.other + gain / total

    def chances(self, stand_in: int) -> dict[Card, float]:
        """Every card that this stand-in may bear, likeliest first."""
        masses, total = self._masses(stand_in, range(1, self.highest_card + 1))
        return {card: mass / total for card, mass in sorted(masses.items(), key=lambda item: (-item[1], item[0]))}

    def best(self, stand_in: int) -> tuple[Card, float]:
        """The likeliest card of a stand-in, and its chance."""
        weights = self._weights.get(stand_in)
        if not weights or max(weights.values()) < math.log(self.highest_card):
            return next(iter(self.chances(stand_in).items()))
        masses, total = self._masses(stand_in, ())
        card = max(masses, key=masses.__getitem__)
        return card, masses[card] / total

    def seeing(self, sightings: Iterable[tuple[int, Likeness]]) -> "Belief":
        """Take in what was seen of some stand-ins."""
        learnt: dict[int, Weights] = {}
        for stand_in, seen in sightings:
            if stand_in == EMPTY:
                continue
            old = self._weights.get(stand_in, {})
            new = _added(old, seen)
            if new is not None:
                learnt[stand_in] = new
        return Belief(self.highest_card, {**self._weights, **learnt}) if learnt else self

    def told(self, stand_in: int, card: Card) -> "Belief":
        """Take a person's word for a card: it weighs more than any sightings can undo."""
        return Belief(self.highest_card, {**self._weights, stand_in: {card: 3 * SATURATION}})


def _added(old: Weights, seen: Likeness) -> Weights | None:
    """Weights after one more sighting; None where it tells nothing new."""
    base = math.log(seen.other)
    steps = {card: math.log(fit) - base for card, fit in seen.named.items() if card}
    if not steps:
        return None
    top = max(old, key=old.__getitem__, default=EMPTY)
    if top and len(old) == 1 and old[top] >= SATURATION and max(steps, key=steps.__getitem__) == top:
        return None
    limit = max(SATURATION, old.get(top, 0.0))
    new = {card: old.get(card, 0.0) + steps.get(card, 0.0) for card in {**old, **steps}}
    excess = max(0.0, max(new.values()) - limit)
    # Weights near nothing are dropped, so that a card's list stays as short as its doubts are few.
    kept = {card: max(weight - excess, -SATURATION) for card, weight in new.items()}
    return {card: weight for card, weight in kept.items() if abs(weight) > 0.05}
