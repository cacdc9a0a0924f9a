"""What is printed on a card that lies in a well: whether there is print, and where it says the card's middle is.

All views are of a well from above at 1 px a mm, far side first.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Card

STROKE = 5
"""A median over so many mm is the face without its print; edges of cards, of walls and of fingers stay in it."""
SOFT = 0.8
"""Blur in mm that takes a picture's noise from what is looked at for print."""
INSIDE, CENTRE = (37, 22), (28, 10)
"""Half width and height in mm of where print of any kind is looked for, and of where a card has its logo."""
PRINT, LOGO = (97, 0.03), (95, 0.02)
"""For both: the percentile at which print stands out, and the share of the paper's brightness added to the rest's."""
REACH = 6.5
"""A card's middle is so near to its well's, in mm, in both directions."""
BELOW = 1.0
"""The band of numbers begins so many mm from the edge of a card in the middle of its well..."""
ABOVE = 12.0
"""...and ends so far from its middle, where the logo stands, which is no twin of itself."""
SIDE = 4.0
"""The band leaves out so many mm at both ends."""
LINE = 12
"""What is so many mm long and straight is a frame or an edge, no digit's stroke."""
STRONGEST = 99.5
"""Ink counts no more than at this percentile: a single glint is no number."""
CHANCE, SURE = 0.3, 0.7
"""A correlation up to the first means nothing; from the second on, 99 of 100 middles are right to a mm."""

SLACK, BEYOND = 2.0, 1.5
"""A card's middle is anywhere within so many mm of its well's, each way, and beyond that with this spread: of 1800 that
were seen clearly 45 in 1000 are 4 mm off, 12 are 5 and 1 is 6."""
ODD = 0.03
"""So much of a correlation is taken off for each unit of that cost (natural logarithm)."""


@dataclass(frozen=True)
class Middle:
    """Where a card's middle lies in mm from its well's (x right, y away from the viewer); `certainty` is 0..1."""

    x: float
    y: float
    certainty: float


def off_cost(middles: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give how unlikely it is that a card's middle is so many mm from its well's, one way: a logarithm, 0 or more."""
    return np.asarray(0.5 * ((np.abs(middles) - SLACK).clip(0.0) / BEYOND) ** 2)


def unlike_floor(view: NDArray[np.uint8], paper: float) -> float:
    """Tell how much a view's inside (BGR or grey) differs from a bare floor, by its unrest and the paper's brightness.

    A slope of light and the straight shadows of walls are the same all along a row or a column; print is not.
    """
    soft = np.asarray(cv2.GaussianBlur(view.astype(np.float32), (STROKE, STROKE), SOFT), dtype=np.float32)
    inside = np.atleast_3d(_about_middle(soft, INSIDE))
    planes = np.ascontiguousarray(inside.transpose(2, 0, 1))
    for _ in range(2):
        half = planes.shape[2] // 2
        planes -= np.partition(planes, half, axis=2)[:, :, half : half + 1]
        planes = np.ascontiguousarray(planes.transpose(0, 2, 1))
    return _standing_out(np.sqrt(np.einsum("krc,krc->rc", planes, planes) * (3 / len(planes))), PRINT, paper)


def strokes(view: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Give what is thin in a view (BGR or grey), whatever its colour: (rows, columns), in grey levels."""
    thin = cv2.absdiff(view, np.asarray(cv2.medianBlur(view, STROKE))).astype(np.float32)
    if thin.ndim == 2:
        return thin * np.float32(math.sqrt(3))
    return np.asarray(cv2.transform(thin, np.full((1, 3), 3**-0.5, np.float32)), dtype=np.float32)


def logo_in(thin: NDArray[np.float32], paper: float) -> float:
    """Tell how much the strokes in the middle, where every card has a logo, stand out; a hand shows none."""
    return _standing_out(_about_middle(thin, CENTRE), LOGO, paper)


def middle_by_twins(thin: NDArray[np.float32], card: Card) -> Middle:
    """Find the middle about which the strokes are their own half turn; how the card is turned does not matter.

    Most decks print a card's number twice, the second time upside down along the other edge (TABLE.md, Cards).
    """
    lines = [cv2.morphologyEx(thin, cv2.MORPH_OPEN, np.ones(size, np.uint8)) for size in ((1, LINE), (LINE, 1))]
    ink = np.minimum(thin - np.maximum(*lines), _ranked(thin, STRONGEST))
    rows, columns = ink.shape
    reach = round(2 * REACH)
    first, last = round((rows - card.height) / 2 + BELOW), round(rows / 2 - ABOVE)
    left = round((columns - card.width) / 2 + SIDE)
    lower = np.ascontiguousarray(ink[::-1, ::-1][first:last, left : columns - left])
    around = cv2.copyMakeBorder(ink, reach, reach, reach, reach, cv2.BORDER_CONSTANT, value=0.0)
    around = around[first : last + 2 * reach, left : columns - left + 2 * reach]
    alike = np.asarray(cv2.matchTemplate(around, lower, cv2.TM_CCOEFF_NORMED), dtype=np.float32)
    down, across = (off_cost((np.arange(count) - reach) / 2) for count in alike.shape)
    alike -= np.asarray(ODD * (down[:, None] + across), np.float32)
    row, column = divmod(int(alike.argmax()), alike.shape[1])
    best = float(alike[row, column])
    if not math.isfinite(best) or lower.min() == lower.max():  # not a trace of print: all is alike
        return Middle(0.0, 0.0, 0.0)
    # the picture and its half turn meet where they are apart by twice the middle's place
    x = (column + _between(alike[row], column) - reach) / 2
    y = (row + _between(alike[:, column], row) - reach) / 2
    return Middle(x, -y, min(max((best - CHANCE) / (SURE - CHANCE), 0.0), 1.0))


def _about_middle(view: NDArray[np.float32], half: tuple[int, int]) -> NDArray[np.float32]:
    rows, columns = view.shape[0] // 2, view.shape[1] // 2
    return view[rows - half[1] : rows + half[1], columns - half[0] : columns + half[0]]


def _standing_out(values: NDArray[np.float32], rule: tuple[int, float], paper: float) -> float:
    percentile, least = rule
    return _ranked(values, percentile) / (_ranked(values, 50) + least * max(paper, 1.0))


def _ranked(values: NDArray[np.float32], percentile: float) -> float:
    at = int(percentile * (values.size - 1) / 100)
    return float(np.partition(values, at, axis=None)[at])


def _between(values: NDArray[np.float32], at: int) -> float:
    """Give by how much the peak of a row of values lies beside its highest, -0.5 to 0.5."""
    if not 0 < at < len(values) - 1:
        return 0.0
    before, top, after = (float(value) for value in values[at - 1 : at + 2])
    bend = 2 * top - before - after
    return (after - before) / (2 * bend) if bend > 0 else 0.0
