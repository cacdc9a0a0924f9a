"""What is believed of cards that are not surely known.

In the referee's positions a card is a stand-in, numbered 1, 2, 3, ...; which printed number it bears is learnt from
sightings, wherever the stand-in lies at the time: a card seen in a slot and seen again on the discard pile is one
card, and both sightings speak of it. A sighting is never taken at its word, for two reasons: any look is plainly wrong
now and then (MISREAD), and what one camera misreads in one place it may misread in every look (MISTAKEN).
"""

import math
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from engine.cards import Card
from engine.lines import EMPTY, Sighting

MISREAD: Final = 0.01
"""Chance that one sighting is plainly wrong, whatever it says of itself: a round figure, above what vision aims at."""

MISTAKEN: Final = 0.0005
"""Chance that a card is taken for another one in every look, for as long as it lies where it lies."""

GONE: Final = 0.003
"""Chance that a place begins to look empty between two looks though its card was not played: a hand, a card lifted."""

BACK: Final = 0.1
"""Chance that a place which looked so looks like its card again in the next look."""

SATURATION: Final = 40.0
"""Log weight, over any other card, beyond which more looks at one place tell nothing new."""

NOTHING: Final = 0.05
"""Log weights this near to nothing are dropped, so that a card's list is as short as its doubts are few."""

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


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """What was seen of one stand-in.

    `place`: where it lies. `here`: log weight of what it looks like there. `before`: log weight of its card from the
    places where it lay before. `card`: the same from all of it. `gone`: chance that the place looked empty.
    """

    place: Hashable
    here: Weights
    before: Weights
    card: Weights
    gone: float


class Belief:
    """Which printed card each stand-in bears, with every printed card there once. Immutable but for its caches."""

    __slots__ = ("_free", "_free_sum", "_known", "_plain", "highest_card")

    def __init__(self, highest_card: Card, known: Mapping[int, Acquaintance] | None = None) -> None:
        """Believe what is known by stand-in, of a deck 1..highest_card."""
        self.highest_card = highest_card
        self._known: Mapping[int, Acquaintance] = known or {}
        self._plain: dict[int, dict[Card, float]] = {}
        self._free: list[float] | None = None
        self._free_sum = 0.0

    def _free_cards(self) -> list[float]:
        """By card: how likely it is that no stand-in with sightings bears it."""
        if self._free is None:
            taken = [0.0] * (self.highest_card + 1)
            for stand_in, known in self._known.items():
                powers = {card: math.exp(weight) for card, weight in known.card.items()}
                total = sum(powers.values()) + self.highest_card - len(powers)
                plain = {card: power / total for card, power in powers.items()}
                self._plain[stand_in] = plain
                for card, chance in plain.items():
                    taken[card] += chance
            self._free = [0.0, *(max(1.0 - chance, 1e-4) for chance in taken[1:])]
            self._free_sum = sum(self._free)
        return self._free

    def _masses(self, stand_in: int, weights: Weights, asked: Iterable[Card]) -> tuple[dict[Card, float], float]:
        """Unnormalised chances of the cards that have weights or are asked for, and the sum over the whole deck."""
        free = self._free_cards()
        plain = self._plain.get(stand_in, {})
        own = {card: min(free[card] + plain.get(card, 0.0), 1.0) for card in {*weights, *plain}}
        masses = {card: own[card] * math.exp(weights.get(card, 0.0)) for card in own}
        total = self._free_sum - sum(free[card] for card in own) + sum(masses.values())
        for card in asked:
            if card and card not in masses:
                masses[card] = free[card]
        return masses, total

    def fit(self, stand_in: int, place: Hashable, seen: Likeness) -> float:
        """How well a sighting fits a stand-in that lies at `place`: the likelihood, averaged over what it may be."""
        if stand_in == EMPTY:
            return seen.of(EMPTY)
        known = self._known.get(stand_in)
        gone = _looks_gone(known, place)
        return (1 - gone) * self._fit_of_card(stand_in, place, seen) + gone * seen.of(EMPTY)

    def _fit_of_card(self, stand_in: int, place: Hashable, seen: Likeness) -> float:
        here, before = _at(self._known.get(stand_in), place)
        cards, all_cards = self._masses(stand_in, before, {*here, *seen.named})
        astray = MISTAKEN * all_cards / self.highest_card
        looks = {card: (1 - MISTAKEN) * mass + astray for card, mass in cards.items()}
        rest = all_cards - sum(looks.values())
        looks = {card: mass * math.exp(here.get(card, 0.0)) for card, mass in looks.items()}
        gain = sum(looks[card] * (fit - seen.other) for card, fit in seen.named.items() if card)
        return seen.other + gain / (rest + sum(looks.values()))

    def chances(self, stand_in: int) -> dict[Card, float]:
        """Every card that this stand-in may bear, likeliest first."""
        known = self._known.get(stand_in)
        masses, total = self._masses(stand_in, known.card if known else {}, range(1, self.highest_card + 1))
        return {card: mass / total for card, mass in sorted(masses.items(), key=lambda item: (-item[1], item[0]))}

    def best(self, stand_in: int) -> tuple[Card, float]:
        """The likeliest card of a stand-in, and its chance."""
        known = self._known.get(stand_in)
        if known is None or not known.card or max(known.card.values()) < math.log(self.highest_card):
            return next(iter(self.chances(stand_in).items()))
        masses, total = self._masses(stand_in, known.card, ())
        card = max(masses, key=masses.__getitem__)
        return card, masses[card] / total

    def seeing(self, sightings: Iterable[tuple[int, Hashable, Likeness]]) -> "Belief":
        """Take in what was seen of some stand-ins, and where."""
        learnt: dict[int, Acquaintance] = {}
        for stand_in, place, seen in sightings:
            if stand_in != EMPTY:
                new = self._acquainted(stand_in, place, seen)
                if new is not None:
                    learnt[stand_in] = new
        return Belief(self.highest_card, {**self._known, **learnt}) if learnt else self

    def _acquainted(self, stand_in: int, place: Hashable, seen: Likeness) -> Acquaintance | None:
        """What is known after one more sighting; None where it tells nothing new."""
        known = self._known.get(stand_in)
        here, before = _at(known, place)
        new = _added(here, seen)
        gone = _looks_gone(known, place)
        if gone > 2 * GONE or seen.of(EMPTY) > 1:
            empty = gone * seen.of(EMPTY)
            gone = empty / (empty + (1 - gone) * self._fit_of_card(stand_in, place, seen))
        elif new is None:
            return None
        shown = here if new is None else new
        return Acquaintance(place, shown, before, _sum(before, self._as_card(shown)), gone)

    def _as_card(self, here: Weights) -> Weights:
        """What the looks at one place tell of the card: no more than that it may be mistaken there allows."""
        powers = {card: math.exp(weight) for card, weight in here.items()}
        astray = MISTAKEN / self.highest_card * (sum(powers.values()) + self.highest_card - len(powers))
        base = math.log(1 - MISTAKEN + astray)
        return {card: math.log((1 - MISTAKEN) * power + astray) - base for card, power in powers.items()}

    def told(self, stand_in: int, card: Card) -> "Belief":
        """Take a person's word for a card: it outweighs all sightings, whatever the card looks like where it lies."""
        word = {card: 3 * SATURATION}
        known = self._known.get(stand_in, Acquaintance(None, {}, {}, {}, 0.0))
        told = replace(known, before=word, card=_sum(word, self._as_card(known.here)))
        return Belief(self.highest_card, {**self._known, stand_in: told})


def _at(known: Acquaintance | None, place: Hashable) -> tuple[Weights, Weights]:
    """What was seen of a stand-in at this place, and what its card was held to be before it came there."""
    if known is None:
        return {}, {}
    return (known.here, known.before) if known.place == place else ({}, known.card)


def _looks_gone(known: Acquaintance | None, place: Hashable) -> float:
    """Chance that a card which lies at `place` will look as if nothing lay there."""
    gone = known.gone if known is not None and known.place == place else 0.0
    return gone * (1 - BACK) + (1 - gone) * GONE


def _added(here: Weights, seen: Likeness) -> Weights | None:
    """Weights after one more sighting at the same place; None where it tells nothing new."""
    base = math.log(seen.other)
    steps = {card: math.log(fit) - base for card, fit in seen.named.items() if card}
    if not steps:
        return None
    if len(here) == 1:
        ((top, weight),) = here.items()
        if weight >= SATURATION and max(steps, key=steps.__getitem__) == top:
            return None
    new = _sum(here, steps)
    excess = max(0.0, max(new.values(), default=0.0) - SATURATION)
    kept = {card: max(weight - excess, -SATURATION) for card, weight in new.items()}
    return {card: weight for card, weight in kept.items() if abs(weight) > NOTHING}


def _sum(one: Weights, other: Weights) -> dict[Card, float]:
    return {card: one.get(card, 0.0) + other.get(card, 0.0) for card in {**one, **other}}
