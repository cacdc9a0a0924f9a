"""A number's horizontal place on its card, as a second witness of its value (TABLE.md, Cards)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.table import Places

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
LEARNT_SLOPE_SPREAD = 0.01
"""The same for a deck's own law, learnt from forty cards or more: mm a unit."""
FINEST = 0.5
"""No numeral's place is trusted more exactly than this, in mm, whatever was learnt."""
LOOSE_SHARE, LOOSE = 0.25, 3.0
"""Places keep to a learnt law more closely than a bell curve tells, and now and then much less: this share of them is
so many times as far off."""
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

    `floor` is the weight of places that follow no law: 1 says nothing at all. `own` is what this deck's numerals are
    off their law, in mm, where SPREAD is what any deck's are.
    """

    mean: NDArray[np.float64]
    covariance: NDArray[np.float64]
    floor: float
    own: float = SPREAD

    def likelihood(self, left: float, spread: float = SPREAD) -> NDArray[np.float64]:
        """Give (61,) likelihoods in 1/mm of a numeral that begins at `left` mm, by its value; entry 0 is unused."""
        values = np.arange(CARDS + 1)
        terms = np.column_stack([np.ones(CARDS + 1), values - MIDDLE])
        line = np.einsum("ij,jk,ik->i", terms, self.covariance, terms) + max(spread**2 - SPREAD**2, 0.0)
        off = left - terms @ self.mean
        bell = _bell(off, line + self.own**2)
        if self.own < SPREAD:
            bell = (1 - LOOSE_SHARE) * bell + LOOSE_SHARE * _bell(off, line + (LOOSE * self.own) ** 2)
        return np.asarray((1 - self.floor) * bell + self.floor / LENGTH)


def law_of(witnesses: Sequence[Witness], learnt: Places | None = None) -> Law:
    """Learn a deck's law from cards of one picture that were read surely without it.

    It holds where most of three or more witnesses keep to it, and says nothing where most do not (a deck that prints
    all numbers in one place). With fewer, it counts weakly. What was `learnt` of the deck before is where it starts
    from; it counts with no witness at all, but not against most of them: another deck may lie on the table.
    """
    mean, covariance, own = np.array([(FIRST + LAST) / 2, SLOPE]), np.diag([OFFSET_SPREAD**2, SLOPE_SPREAD**2]), SPREAD
    if learnt is not None:
        mean, own = np.array([learnt.middle, learnt.slope]), max(learnt.spread, FINEST)
        covariance = np.diag([max(learnt.wander, FINEST) ** 2, LEARNT_SLOPE_SPREAD**2])
    terms = [np.array([1.0, witness.card - MIDDLE]) for witness in witnesses]
    near = [abs(witness.left - term @ mean) <= AGREE for witness, term in zip(witnesses, terms, strict=True)]
    broken = bool(witnesses) and sum(near) <= 0.6 * len(witnesses)
    if broken or (learnt is not None and learnt.kind == "none"):
        return Law(mean, covariance, 1.0)
    telling = learnt is not None or len(witnesses) >= 3
    for witness, term, agrees in zip(witnesses, terms, near, strict=True):
        if agrees:
            spread = covariance @ term
            gain = spread / (term @ spread + own**2)
            mean = mean + gain * (witness.left - term @ mean)
            covariance = covariance - np.outer(gain, spread)
    return Law(mean, covariance, OUTLIERS if telling else UNKNOWN_FLOOR, own)


def _bell(off: NDArray[np.float64], variance: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.exp(-0.5 * off**2 / variance) / np.sqrt(2 * np.pi * variance))
