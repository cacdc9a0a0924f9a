"""A number's horizontal place on its card, as a second witness of its value (TABLE.md, Cards)."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

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
OUTLIERS = 0.003
"""Share of numbers that stand anywhere: of 7900 on drawn cards none was farther than 10 mm from its law, and what is
farther is a card's lower number or another card's."""
AGREE = 5.0
"""A card within so many mm of the law keeps to it; these are about its value plus or minus four. So near to each other
stand numerals that are printed in one place, one figure or two, at the left or centred."""
MOST = 0.6
"""More than this share of a picture's clear numbers tells whether its deck has the law."""
LENGTH = 80.0
"""Numerals stand anywhere on so many mm of a card where no law holds."""
LEARNT_SLOPE_SPREAD = 0.01
"""The same for a deck's own law, learnt from forty cards or more: mm a unit."""
FINEST = 0.5
"""No numeral's place is trusted more exactly than this, in mm, whatever was learnt."""
LOOSE_SHARE, LEARNT_LOOSE_SHARE = 0.06, 0.25
LOOSE, LEARNT_LOOSE = 3.5, 3.0
"""Places keep to a law more closely than a bell curve tells, and now and then much less: this share of them is so many
times as far off, of any law and of a learnt one."""
FROM_MIDDLE = np.asarray(np.arange(CARDS + 1) - MIDDLE, np.float64)
UNKNOWN_FLOOR = 0.5
"""Weight of "no law" where too few cards were seen to judge it."""


@dataclass(frozen=True)
class Witness:
    """What is surely known of one place: the card that stands there, and where in mm its numeral begins."""

    card: int
    left: float


@dataclass(frozen=True)
class Law:
    """A line through numerals' left edges: its place at MIDDLE in mm, and mm a unit.

    `doubt` holds the variances of both, with their covariance between. `floor` is the weight of places that follow no
    law: 1 says nothing at all. `own` is what this deck's numerals are off their law, in mm, where SPREAD is what any
    deck's are.
    """

    middle: float
    slope: float
    doubt: tuple[float, float, float]
    floor: float
    own: float = SPREAD

    def likelihood(self, left: float, spread: float = SPREAD) -> NDArray[np.float64]:
        """Give (61,) likelihoods in 1/mm of a numeral that begins at `left` mm, by its value; entry 0 is unused."""
        return np.asarray(likelihoods([self], [left], [spread])[0])


def likelihoods(laws: Sequence[Law], lefts: Sequence[float], spreads: Sequence[float]) -> NDArray[np.float64]:
    """Give the same for several numerals, each by its own law: (n, 61)."""
    known = np.array([(law.middle, law.slope, *law.doubt, law.floor, law.own) for law in laws]).reshape(-1, 7)
    middle, slope, of_middle, of_both, of_slope, floor, own = known.T[..., None]
    loose = (np.array(spreads)[:, None] ** 2 - SPREAD**2).clip(0.0)
    line = of_middle + FROM_MIDDLE * (2 * of_both + of_slope * FROM_MIDDLE) + loose
    off = np.array(lefts)[:, None] - middle - slope * FROM_MIDDLE
    learnt = own < SPREAD
    share, times = np.where(learnt, LEARNT_LOOSE_SHARE, LOOSE_SHARE), np.where(learnt, LEARNT_LOOSE, LOOSE)
    close, far = _bell(off, line + np.stack([own, times * own]) ** 2)
    return np.asarray((1 - floor) * ((1 - share) * close + share * far) + floor / LENGTH)


def law_of(witnesses: Sequence[Witness], learnt: Places | None = None) -> Law:
    """Learn a deck's law from cards of one picture that were read surely without it.

    It holds where most of three or more witnesses keep to it, or are beside it all by the same. Where most do not, and
    stand in one place, it says nothing: a few decks print all numbers so. Where they stand all over the cards' width it
    holds all the same: then they are misread, an odd typeface perhaps. With fewer witnesses, it counts weakly. What was
    `learnt` of the deck before is where it starts from; it counts with no witness at all.
    """
    middle, slope, own = (FIRST + LAST) / 2, SLOPE, SPREAD
    of_middle, of_both, of_slope = OFFSET_SPREAD**2, 0.0, SLOPE_SPREAD**2
    if learnt is not None:
        middle, slope, own = learnt.middle, learnt.slope, max(learnt.spread, FINEST)
        of_middle, of_slope = max(learnt.wander, FINEST) ** 2, LEARNT_SLOPE_SPREAD**2
    away = [item.left - middle - slope * (item.card - MIDDLE) for item in witnesses]
    broken = bool(away) and not _together(away, 0.0)
    one_place = broken and _together([item.left for item in witnesses])
    if one_place or (learnt is not None and learnt.kind == "none"):
        return Law(middle, slope, (of_middle, of_both, of_slope), 1.0)
    # all of them beside the law by the same: it is this deck's, or the cards' sides were taken for others
    beside = median(away) if broken and _together(away) else 0.0
    middle += beside
    near = [item for item, off in zip(witnesses, away, strict=True) if abs(off - beside) <= AGREE]
    for item in near:
        x = item.card - MIDDLE
        to_middle, to_slope = of_middle + x * of_both, of_both + x * of_slope
        certain = 1 / (to_middle + x * to_slope + own**2)
        off = item.left - middle - slope * x
        middle, slope = middle + to_middle * certain * off, slope + to_slope * certain * off
        of_middle -= to_middle * certain * to_middle
        of_both -= to_middle * certain * to_slope
        of_slope -= to_slope * certain * to_slope
    telling = learnt is not None or len(witnesses) >= 3
    return Law(middle, slope, (of_middle, of_both, of_slope), OUTLIERS if telling else UNKNOWN_FLOOR, own)


def _together(places: Sequence[float], about: float | None = None) -> bool:
    """Tell whether most of some places, in mm, are AGREE or less from one, or from their median."""
    usual = median(places) if about is None else about
    return sum(abs(place - usual) <= AGREE for place in places) > MOST * len(places)


def _bell(off: NDArray[np.float64], variance: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.exp(-0.5 * off**2 / variance) / np.sqrt(2 * np.pi * variance))
