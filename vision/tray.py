"""Looks into the tray's two wells: whether a card lies there, how it lies, and its rectified face."""

import math
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Card, Table
from vision.planes import SCALE, rectify
from vision.pose import Pose

WELL_CENTRES = {"left": (97.0, 105.0), "right": (200.0, 105.0)}
"""Middles of the wells in mm of the tray's mat (TABLE.md, Tray)."""
WELL_VIEW = (108.0, 76.0)
"""Width and depth in mm of what is rectified about a well's middle: the well of 97 x 64 and its walls."""
PILE_HEIGHT = 3.0
"""Height in mm above the mat at which the wells are looked at: a floor and a pile of some cards."""
COARSE = 2.0
"""Pixels a mm at which a card is searched in its well."""
TURNS = np.arange(-7.5, 7.6, 1.5)
"""A card in its well is turned by so many degrees; the walls hold it."""
SPREAD = 2.5
"""Sides are sought so many mm farther apart than a card's: of a loose pile, lower cards' edges are seen better."""
ENOUGH = 2.2
LOOSE = 8.0
"""A side counts up to the first; what sides lie too far apart costs the second, times the share of the card."""
MARGIN = 4.0
"""A rectified card shows so many mm beyond its edges."""
STEP = 2
"""A side is the step between the means of so many pixels (at COARSE) on both sides of it."""
BANDS = 11
"""A side is judged in so many bands."""
UNREST = 0.7
"""Grey levels added to a picture's unrest, so that a perfectly smooth well has no edges."""
REACH = 7.0
"""A card's middle is so near to its well's, in mm: the well leaves 4, the tray is put down by hand."""
PERHAPS = 1.5
"""An outline this strong is worth a look for a number, under glare or a hand's edge; it vouches for no card."""
FOUND = 1.95
"""The weakest side of a card stands out this much: the logarithm of 1 + its step over the picture's unrest."""
PLAIN = 0.085
"""In a well that differs by less than this within itself, as a share of the mat's own brightness, nothing lies.

A card has a logo at least; the faintest seen (red on dark green) differs by twice as much.
"""
PAPER = ((60.0, 25.0), (237.0, 25.0), (60.0, 185.0), (237.0, 185.0), (20.0, 105.0), (277.0, 105.0))
"""Places in mm where the tray's mat is blank paper."""


@dataclass(frozen=True)
class Well:
    """One well: `state` is "card" where a card's outline was found, "plain" where its floor is seen, else "unclear".

    `view` is the rectified well, SCALE px a mm, far side first. `face` is the topmost card rectified with MARGIN mm
    about it, in the tray's own orientation, and `quad` (4, 2) its corners in the picture, or None without
    even a faint outline.
    """

    state: Literal["card", "plain", "unclear"]
    view: NDArray[np.uint8]
    outline: float
    face: NDArray[np.uint8] | None = None
    quad: NDArray[np.float64] | None = None


def look_into(picture: NDArray[np.uint8], pose: Pose, table: Table, side: Literal["left", "right"]) -> Well:
    """Look into a well of the tray in a BGR picture; "unclear" also where it is not wholly in the picture."""
    x, y = WELL_CENTRES[side]
    width, depth = WELL_VIEW
    quad = _project(pose, np.array([[-width, depth], [width, depth], [width, -depth], [-width, -depth]]) / 2 + [x, y])
    view = rectify(picture, quad, (round(width * SCALE), round(depth * SCALE)))
    rows, columns = picture.shape[:2]
    if (quad < -0.06 * columns).any() or (quad > np.array([1.06 * columns, rows + 0.06 * columns])).any():
        return Well("unclear", view, 0.0)
    uneven = _unevenness(view)
    strength, (dx, dy, turn) = _find_card(view, table.card)
    plain = uneven < PLAIN * _paper(picture, pose)
    if plain or strength < PERHAPS:
        return Well("plain" if plain else "unclear", view, strength)
    angle, half = math.radians(turn), np.array([table.card.width, table.card.height]) / 2
    along = np.array([math.cos(angle), math.sin(angle)])
    across = np.array([-along[1], along[0]])
    signs = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]])
    grown = signs * (half + MARGIN)
    middle = np.array([x + dx, y + dy])
    corners = middle + (signs * half)[:, :1] * along + (signs * half)[:, 1:] * across
    wide = middle + grown[:, :1] * along + grown[:, 1:] * across
    size = (round((table.card.width + 2 * MARGIN) * SCALE), round((table.card.height + 2 * MARGIN) * SCALE))
    face = rectify(picture, _project(pose, wide), size)
    return Well("card" if strength >= FOUND else "unclear", view, strength, face, _project(pose, corners))


def _project(pose: Pose, flat: NDArray[np.float64]) -> NDArray[np.float64]:
    return pose.project(np.column_stack([flat, np.full(len(flat), PILE_HEIGHT)]))


def _paper(picture: NDArray[np.uint8], pose: Pose) -> float:
    """Give the brightness of the mat's paper in grey levels, the middle one of those places that are in the picture."""
    places = pose.project(np.array([(x, y, 0.0) for x, y in PAPER])).round().astype(int)
    rows, columns = picture.shape[:2]
    seen = [picture[y - 2 : y + 3, x - 2 : x + 3] for x, y in places if 2 <= x < columns - 2 and 2 <= y < rows - 2]
    return float(np.median([np.median(patch) for patch in seen])) if seen else 0.0


def _unevenness(view: NDArray[np.uint8]) -> float:
    """Give the range of brightness in grey levels within a well's middle, noise and a slope of light taken away."""
    grey = cv2.cvtColor(view, cv2.COLOR_BGR2GRAY)
    rows, columns = grey.shape
    inner = grey[int(0.2 * rows) : int(0.8 * rows), int(0.15 * columns) : int(0.85 * columns)]
    small = cv2.resize(inner, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA).astype(np.float64)
    small = np.asarray(cv2.GaussianBlur(small, (3, 3), 0), dtype=np.float64)
    y, x = np.mgrid[0 : small.shape[0], 0 : small.shape[1]]
    basis = np.column_stack([np.ones(small.size), x.ravel(), y.ravel()])
    slope, *_ = np.linalg.lstsq(basis, small.ravel(), rcond=None)
    left = small.ravel() - basis @ slope
    return float(np.percentile(left, 99) - np.percentile(left, 1))


def _find_card(view: NDArray[np.uint8], card: Card) -> tuple[float, tuple[float, float, float]]:
    """Find the card's outline: its weaker pair of opposite sides, and (dx, dy, turn in degrees).

    For each turn the picture is turned back and its steps are summed along rows and columns; then the sides are the
    two pairs of peaks that lie a card apart.
    """
    small = cv2.resize(view, None, fx=COARSE / SCALE, fy=COARSE / SCALE, interpolation=cv2.INTER_AREA)
    rows, columns = small.shape[:2]
    middle = ((columns - 1) / 2, (rows - 1) / 2)
    best = (-np.inf, 0.0, (0.0, 0.0, 0.0))
    for turn in TURNS:
        turned: NDArray[np.float32] = cv2.warpAffine(
            small, cv2.getRotationMatrix2D(middle, -turn, 1.0), (columns, rows), borderMode=cv2.BORDER_REPLICATE
        ).astype(np.float32)
        upright = _steps(turned[round(rows * 0.25) : round(rows * 0.75)])
        level = _steps(turned.transpose(1, 0, 2)[round(columns * 0.2) : round(columns * 0.8)])
        across, weak_across, x = _pair(upright, card.width * COARSE)
        along, weak_along, y = _pair(level, card.height * COARSE)
        total = across + along - 0.004 * turn**2
        if total > best[0]:
            angle = math.radians(turn)
            dx, dy = x / COARSE, -y / COARSE
            place = (dx * math.cos(angle) - dy * math.sin(angle), dx * math.sin(angle) + dy * math.cos(angle))
            best = (total, min(weak_across, weak_along), (*place, float(turn)))
    return best[1], best[2]


def _steps(rows: NDArray[np.float32]) -> NDArray[np.float64]:
    """Give the step of colour at the left of each column, in units of the picture's own unrest.

    The median over bands of rows passes over the logo and the numbers, which no side of a card does.
    """
    bands = cv2.resize(rows, (rows.shape[1], BANDS), interpolation=cv2.INTER_AREA)
    sums = np.concatenate([np.zeros((1, 3)), np.partition(bands, BANDS // 2, axis=0)[BANDS // 2].cumsum(axis=0)])
    steps = np.zeros(rows.shape[1])
    steps[STEP : 1 - STEP] = np.linalg.norm(sums[2 * STEP :] - 2 * sums[STEP:-STEP] + sums[: -2 * STEP], axis=1) / STEP
    return np.asarray(np.log1p(steps / (np.median(steps) + UNREST)))


def _pair(steps: NDArray[np.float64], apart: float) -> tuple[float, float, float]:
    """Find two strong steps about so many pixels apart, near the middle.

    Give the sum of both, the weaker, and where their middle lies from the picture's middle in pixels.
    """
    best = (-np.inf, 0.0, 0.0)
    for gap in range(round(0.985 * apart), round(1.02 * apart + SPREAD * COARSE) + 1):
        first = max((len(steps) - gap) // 2 - round(REACH * COARSE), 0)
        one, other = steps[first : len(steps) - gap - first], steps[first + gap : len(steps) - first]
        if len(one) == 0:
            continue
        both = (
            np.minimum(one, ENOUGH)
            + np.minimum(other, ENOUGH)
            - LOOSE * abs(gap / apart - 1.005)
            + 0.02 * (one + other)
        )
        at = int(np.argmax(both))
        if both[at] > best[0]:
            middle = first + at + gap / 2 - len(steps) / 2
            best = (float(both[at]), float(min(one[at], other[at])), middle)
    return best
