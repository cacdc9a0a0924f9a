"""A number's horizontal place on its card, as a second witness of its value (TABLE.md, Cards)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

CARDS = 60
FIRST, LAST = 5.7, 72.7
"""Left edge of the numeral in mm from the card's left edge, for card 1 and card 60 (TABLE.md)."""
MIDDLE = (1 + CARDS) / 2
SLOPE = (LAST - FIRST) / (CARDS - 1)
OFFSET_SPREAD, SLOPE_SPREAD = 2.0, 0.06
"""How far editions differ from that law: mm in the middle of the deck, mm a unit (TABLE.md: it differs a little)."""
SPREAD = 1.0
"""A found numeral's left edge is so many mm off its law: card's edges, slope of digits, narrow 1s."""
OUTLIERS = 0.06
"""Share of cards whose own edges were found wrongly, so that the place says nothing."""
AGREE = 5.0
"""A card within so many mm of the law keeps to it; these are about its value plus or minus four."""
LENGTH = 80.0
"""Numerals stand anywhere on so many mm of a card where no law holds."""
UNKNOWN_FLOOR = 0.5
"""Weight of "no law" where too few cards were seen to judge it."""


@dataclass(frozen=True)
class Witness:
    """What is surely known of one place: the card that stands there, and where in mm its numeral begins."""

    card: int
    left: float


@dataclass(frozen=True)
class Law:
    """A line through numerals' left edges: mean and covariance of (place at MIDDLE in mm, mm a unit).

    `floor` is the weight of places that follow no law: 1 says nothing at all.
    """

    mean: NDArray[np.float64]
    covariance: NDArray[np.float64]
    floor: float

    def likelihood(self, left: float, spread: float = SPREAD) -> NDArray[np.float64]:
        """Give (61,) likelihoods in 1/mm of a numeral that begins at `left` mm, by its value; entry 0 is unused."""
        values = np.arange(CARDS + 1)
        terms = np.column_stack([np.ones(CARDS + 1), values - MIDDLE])
        variance = np.einsum("ij,jk,ik->i", terms, self.covariance, terms) + spread**2
        bell = np.exp(-0.5 * (left - terms @ self.mean) ** 2 / variance) / np.sqrt(2 * np.pi * variance)
        return np.asarray((1 - self.floor) * bell + self.floor / LENGTH)


def law_of(witnesses: Sequence[Witness]) -> Law:
    """Learn a deck's law from cards of one picture that were read surely without it.

    It holds where most of three or more witnesses keep to it, and says nothing where most do not (a deck that prints
    all numbers in one place). With fewer, it counts weakly.
    """
    mean = np.array([(FIRST + LAST) / 2, SLOPE])
    covariance = np.diag([OFFSET_SPREAD**2, SLOPE_SPREAD**2])
    off = [abs(witness.left - mean[0] - SLOPE * (witness.card - MIDDLE)) for witness in witnesses]
    keeping = [witness for witness, distance in zip(witnesses, off, strict=True) if distance <= AGREE]
    telling = len(witnesses) >= 3
    if len(keeping) <= 0.6 * len(witnesses):
        return Law(mean, covariance, 1.0 if witnesses else UNKNOWN_FLOOR)
    for witness in keeping:
        terms = np.array([1.0, witness.card - MIDDLE])
        spread = covariance @ terms
        gain = spread / (terms @ spread + SPREAD**2)
        mean = mean + gain * (witness.left - terms @ mean)
        covariance = covariance - np.outer(gain, spread)
    return Law(mean, covariance, OUTLIERS if telling else UNKNOWN_FLOOR)
