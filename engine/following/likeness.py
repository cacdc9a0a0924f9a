"""What a sighting says, as likelihoods: how well it fits each card that could stand there."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import Final

from engine.cards import HIGHEST_CARD, Card
from engine.lines import EMPTY, Sighting

MISREAD: Final = 0.02
"""Chance that one sighting is plainly wrong, whatever it says of itself: a round figure, above what vision aims at."""

SHARP: Final = 0.9
"""A sighting that gives one card this chance names it."""

OUTCOMES: Final = HIGHEST_CARD + 1
"""Every printed card may be seen, also one that this deck does not have, and an empty place."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """How well a sighting fits each thing that could be there: `named` by card (EMPTY among them), else `other`.

    1 says nothing, more speaks for, less against. `top`: the card that the sighting names surely, EMPTY among them; -1
    where it names none. `best`: the log weight of what fits best. `doubt`: the chance that it is not what it most
    likely is, by its own word; `instead`: the shares of that chance which go to cards that it names.
    """

    named: Mapping[Card, float]
    other: float
    top: Card
    best: float
    doubt: float
    instead: Mapping[Card, float]

    def of(self, card: Card) -> float:
        """How well the sighting fits that card, or EMPTY."""
        return self.named.get(card, self.other)

    def log_of(self, card: Card) -> float:
        """The same as a log weight."""
        return math.log(self.named.get(card, self.other))


def likeness(sighting: Sighting) -> Likeness:
    """Turn a sighting into likelihoods over all cards and "empty"."""
    return _likeness(tuple(sighting.items()))


@lru_cache(maxsize=4096)
def _likeness(items: tuple[tuple[Card, float], ...]) -> Likeness:
    unsaid = max(0.0, 1.0 - sum(chance for _, chance in items))
    spread = unsaid / max(1, OUTCOMES - len(items))
    named = {card: (1 - MISREAD) * max(chance, spread) * OUTCOMES + MISREAD for card, chance in items}
    top = next((card for card, chance in items if chance >= SHARP), -1)
    other = (1 - MISREAD) * spread * OUTCOMES + MISREAD
    best = math.log(max(other, *named.values())) if named else math.log(other)
    likeliest, most = max(items, key=itemgetter(1), default=(EMPTY, 0.0))
    doubt = 1 - most
    instead = {card: chance / doubt for card, chance in items if card not in (EMPTY, likeliest) and doubt > 0}
    return Likeness(named, other, top, best, doubt, instead)
