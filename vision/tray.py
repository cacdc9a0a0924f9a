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
FINE = 4.0
"""Pixels a mm at which a well is rectified."""
COARSE = 2.0
"""Pixels a mm at which a card is searched in its well."""
TURNS = np.arange(-7.5, 7.6, 1.25)
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

    `view` is the rectified well, FINE px a mm, far side first. `quad` (4, 2) is the topmost card's corners in the
    picture, far left first and clockwise, and `wide` those of the card with MARGIN mm about it; None without even a
    faint outline.
    """

    state: Literal["card", "plain", "unclear"]
    view: NDArray[np.uint8]
    outline: float
    quad: NDArray[np.float64] | None = None
    wide: NDArray[np.float64] | None = None


def look_into(picture: NDArray[np.uint8], pose: Pose, table: Table, side: Literal["left", "right"]) -> Well:
    """Look into a well of the tray in a BGR picture; "unclear" also where it is not wholly in the picture."""
    x, y = WELL_CENTRES[side]
    width, depth = WELL_VIEW
    quad = _project(pose, np.array([[-width, depth], [width, depth], [width, -depth], [-width, -depth]]) / 2 + [x, y])
    view = rectify(picture, quad, (round(width * FINE), round(depth * FINE)))
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
    middle = np.array([x + dx, y + dy])
    wide = signs * (half + MARGIN)
    outline, wider = (middle + size[:, :1] * along + size[:, 1:] * across for size in (signs * half, wide))
    state: Literal["card", "unclear"] = "card" if strength >= FOUND else "unclear"
    return Well(state, view, strength, _project(pose, outline), _project(pose, wider))


def rectified_face(picture: NDArray[np.uint8], well: Well, card: Card) -> NDArray[np.uint8]:
    """Rectify the topmost card of a well with MARGIN mm about it, at SCALE px a mm; the well has one."""
    assert well.wide is not None  # noqa: S101 - who asks has looked
    return rectify(
        picture, well.wide, (round((card.width + 2 * MARGIN) * SCALE), round((card.height + 2 * MARGIN) * SCALE))
    )


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
    small = cv2.resize(inner, None, fx=2 / FINE, fy=2 / FINE, interpolation=cv2.INTER_AREA).astype(np.float64)
    small = np.asarray(cv2.GaussianBlur(small, (3, 3), 0), dtype=np.float64)
    # columns and rows of a grid are at right angles, so each slope can be taken away by itself
    x, y = (np.arange(count) - (count - 1) / 2 for count in small.shape[::-1])
    left = small - np.outer(np.ones(len(y)), x) * ((small @ x).mean() / (x @ x))
    left -= np.outer(y, np.ones(len(x))) * ((y @ small).mean() / (y @ y))
    return float(np.percentile(left, 99) - np.percentile(left, 1))


def _find_card(view: NDArray[np.uint8], card: Card) -> tuple[float, tuple[float, float, float]]:
    """Find the card's outline: its weaker pair of opposite sides, and (dx, dy, turn in degrees).

    A turned card's sides are slanted lines: for each turn the picture's bands are shifted by its slope and their steps
    are summed along rows and columns; then the sides are the two pairs of peaks that lie a card apart.
    """
    coarse = cv2.resize(view, None, fx=COARSE / FINE, fy=COARSE / FINE, interpolation=cv2.INTER_AREA)
    small = _contrasted(np.asarray(coarse, dtype=np.uint8))
    rows, columns = small.shape[:2]
    slopes = np.tan(np.radians(TURNS))
    stretch = np.sqrt(1 + slopes**2) * COARSE
    upright = _steps(small[round(rows * 0.25) : round(rows * 0.75)], slopes)
    lying = np.ascontiguousarray(small[:, round(columns * 0.2) : round(columns * 0.8)].transpose(1, 0, 2))
    level = _steps(lying, -slopes)
    across, weak_across, x = _pairs(upright, card.width * stretch)
    along, weak_along, y = _pairs(level, card.height * stretch)
    best = int(np.argmax(across + along - 0.004 * TURNS**2))
    slope, x_there, y_there = float(slopes[best]), float(x[best]), float(y[best])
    # where the middle lines cross the picture's middle row and column tells where they cross each other
    dx, dy = x_there + slope * y_there, y_there - slope * x_there
    place = (dx / (1 + slope**2) / COARSE, -dy / (1 + slope**2) / COARSE)
    return float(min(weak_across[best], weak_along[best])), (*place, float(TURNS[best]))


def _contrasted(small: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Give the colours' two strongest directions, (rows, columns, 2): card and tray may be equally bright."""
    pixels = small.reshape(-1, 3).astype(np.float32)
    some = pixels[::7] - pixels[::7].mean(axis=0)
    _, axes = np.linalg.eigh(some.T @ some)
    return np.asarray((pixels @ axes[:, 1:].astype(np.float32)).reshape(*small.shape[:2], 2))


def _steps(rows: NDArray[np.float32], slopes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the step at the left of each column, in units of the picture's own unrest, (slopes, columns).

    `slopes` are by how many columns a line goes to the right for each row down. The median over bands of rows passes
    over the logo and the numbers, which no side of a card does.
    """
    bands = cv2.resize(rows, (rows.shape[1], BANDS), interpolation=cv2.INTER_AREA)
    down = (np.arange(BANDS) - (BANDS - 1) / 2) * len(rows) / BANDS
    columns = np.arange(rows.shape[1]) + np.round(slopes[:, None] * down)[:, :, None].astype(int)
    shifted = bands[np.arange(BANDS)[:, None], columns.clip(0, rows.shape[1] - 1)]
    middle = np.partition(shifted, BANDS // 2, axis=1)[:, BANDS // 2]
    sums = np.concatenate([np.zeros((len(slopes), 1, 2)), middle.cumsum(axis=1, dtype=np.float64)], axis=1)
    change = sums[:, 2 * STEP :] - 2 * sums[:, STEP:-STEP] + sums[:, : -2 * STEP]
    steps = np.zeros((len(slopes), rows.shape[1]))
    steps[:, STEP : 1 - STEP] = np.hypot(change[..., 0], change[..., 1]) / STEP
    return np.asarray(np.log1p(steps / (np.median(steps, axis=1, keepdims=True) + UNREST)))


def _pairs(
    steps: NDArray[np.float64], apart: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Find, in each row of steps, two strong ones about so many pixels apart, near the middle.

    Give the sum of both, the weaker, and where their middle lies from the picture's middle in pixels.
    """
    length, reach = steps.shape[1], round(REACH * COARSE)
    gaps = np.arange(round(0.985 * apart.min()), round(1.02 * apart.max() + SPREAD * COARSE) + 1)
    places = np.maximum((length - gaps) // 2 - reach, 0)[:, None] + np.arange(2 * reach + 1)
    others = np.minimum(places + gaps[:, None], length - 1)
    one, other = steps[:, places], steps[:, others]
    both = np.minimum(one, ENOUGH) + np.minimum(other, ENOUGH) + 0.02 * (one + other)
    both -= LOOSE * np.abs(gaps / apart[:, None] - 1.005)[:, :, None]
    flat = both.reshape(len(steps), -1)
    best = flat.argmax(axis=1)
    row = np.arange(len(steps))
    gap, at = np.unravel_index(best, places.shape)
    middle = places[gap, at] + gaps[gap] / 2 - length / 2
    return flat[row, best], np.minimum(one, other)[row, gap, at], middle
