"""Finds the outline of the topmost card in a well seen from above: straight sides that are a card apart."""

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Card
from vision.tray.imprint import Middle, off_cost

PER_MM = 2.0
"""Pixels a mm of a well's view."""
TURNS = np.arange(-8.0, 8.1)
"""A card in its well is turned by so many degrees; the walls hold it."""
REACH = 7.0
"""A card's middle is so near to its well's, in mm: the well leaves 4, the tray is put down by hand."""
STEP = 2
"""A side is the step between the means of so many pixels on both sides of it."""
BANDS = (10, 13)
"""An upright and a level side are judged in so many pieces of 4 and 5 mm."""
JUDGED = (20.0, 34.0)
"""Only so many mm on both sides of a side's middle are judged: the rest may lie beyond a turned card's corner."""
UNREST = 0.6
"""Grey levels added to a side's own unrest: a perfectly smooth well has no edges."""
ENOUGH = 10.0
"""A side's evidence (a logarithm) counts up to this, ever less: a lower card's or a wall's edge is seen better."""
PIECEWISE, CLEAR = 5.0, 4.0
"""Each piece of a side also counts alone, by this, where its step is clear of the view's usual one (squared), by that.

Along the side of a card on a loose pile floor and lower card alternate, and so do the steps.
"""
APART = 0.5
"""Spread in mm of how far apart a card's sides are found: cards differ by some tenths."""
USUAL = 4.0
"""Spread of a card's turn in degrees."""
PRINTED = 0.5
"""Spread in mm of a middle found by the print..."""
DOUBTED = 20.0
"""...and what it costs, each way, to lie wholly elsewhere."""

Steps = NDArray[np.inexact[Any]]
"""What is seen of a view: complex numbers of colours, real ones of grey levels."""


@dataclass(frozen=True)
class Outline:
    """How a card lies: its middle in mm from its well's (x right, y away from the viewer), its turn in degrees.

    It is turned counterclockwise. `strength` is the mean evidence of its sides, 0..ENOUGH.
    """

    x: float
    y: float
    turn: float
    strength: float

    def place(self, flat: NDArray[np.float64]) -> NDArray[np.float64]:
        """Turn (..., 2) mm from the card's middle, along and up it, into mm from the well's middle."""
        angle = math.radians(self.turn)
        turned = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
        return np.asarray(flat @ turned + np.array([self.x, self.y]))


@dataclass(frozen=True)
class Shades:
    """A well's view at PER_MM, seen in its colours' two strongest directions, (rows, columns, 2), or grey.

    Card and tray may be equally bright. What is asked of it comes as complex numbers, one part a direction, or as real
    ones of a grey view.
    """

    pixels: NDArray[np.float32]

    @staticmethod
    def of(view: NDArray[np.uint8]) -> "Shades":
        """Take a view, BGR or grey."""
        pixels = view.astype(np.float32)
        if view.ndim == 2:
            return Shades(pixels * np.float32(math.sqrt(3)))
        some = pixels.reshape(-1, 3)[::7]
        some = some - some.mean(axis=0)
        _, axes = np.linalg.eigh(some.T @ some)
        return Shades(np.asarray(cv2.transform(pixels, np.ascontiguousarray(axes[:, 1:].T)), dtype=np.float32))

    def bands(self, count: int, half: int, *, level: bool) -> Steps:
        """Give the means of so many bands across (or, where level, along) the view's middle, `half` px to each side."""
        rows, columns = self.pixels.shape[:2]
        if level:
            part, size = self.pixels[:, columns // 2 - half : columns // 2 + half], (count, rows)
        else:
            part, size = self.pixels[rows // 2 - half : rows // 2 + half], (columns, count)
        means = _numbers(np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA)))
        return np.ascontiguousarray(means.T) if level else means

    def at(self, points: NDArray[np.float64]) -> Steps:
        """Give what is seen at points (rows, columns, 2), in mm from the view's middle, to the right and away."""
        rows, columns = self.pixels.shape[:2]
        x = (points[..., 0] * PER_MM + (columns - 1) / 2).astype(np.float32)
        y = ((rows - 1) / 2 - points[..., 1] * PER_MM).astype(np.float32)
        return _numbers(np.asarray(cv2.remap(self.pixels, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)))


def _numbers(seen: NDArray[np.generic]) -> Steps:
    real = np.ascontiguousarray(seen, dtype=np.float32)
    return real if real.ndim == 2 else real.view(np.complex64)[..., 0]


def find_outline(shades: Shades, card: Card, middle: Middle | None) -> Outline:
    """Find how the topmost card lies in a well's view; `middle` is where its print says.

    A turned card's sides are slanted lines: for each turn the view's bands are shifted by its slope. Of a loose pile
    many edges are seen, but only the topmost card's are a card apart.
    """
    slopes = np.tan(np.radians(TURNS))
    stretch = np.sqrt(1 + slopes**2)
    bands, halves = BANDS, [round(half * PER_MM) for half in JUDGED]
    upright = _evidence(shades.bands(bands[0], halves[0], level=False), halves[0], 1, card.width)
    level = _evidence(shades.bands(bands[1], halves[1], level=True), halves[1], -1, card.height)
    across = along = None
    if middle is not None:
        # where the print says that the middle lines cross the view's middle row and column
        across, along = middle.x + slopes * middle.y, -middle.y + slopes * middle.x
    weight = middle.certainty if middle else 0.0
    one, seen_x, x = _pairs(upright, card.width * (stretch - 1), across, weight)
    other, seen_y, y = _pairs(level, card.height * (stretch - 1), along, weight)
    best = int(np.argmax(one + other - 0.5 * (TURNS / USUAL) ** 2))
    slope, place_x, place_y = float(slopes[best]), float(x[best]), float(y[best])
    # where the middle lines cross the view's middle row and column tells where they cross each other
    dx, dy = place_x + slope * place_y, place_y - slope * place_x
    strength = float(seen_x[best] + seen_y[best]) / 4
    return Outline(dx / (1 + slope**2), -dy / (1 + slope**2), float(TURNS[best]), strength)


def _evidence(bands: Steps, half: int, turned: int, apart: float) -> NDArray[np.float64]:
    """Give the evidence of a card's two sides, (2, TURNS, places): how much likelier is a step there than none.

    `bands` are 2 * half px high together. `turned` is 1 where a line goes to the right, going down, as a card is turned
    counterclockwise, and -1 where it goes to the left. Places are half mm about where the side is if the card lies in
    the middle. It is a logarithm: of the steps' mean against their unrest along the side, which passes over a logo and
    numbers, for no side of a card does.
    """
    count, columns = bands.shape
    pairs = bands[:, 1:] + bands[:, :-1]
    steps = np.ascontiguousarray((pairs[:, STEP:] - pairs[:, :-STEP]) / STEP)
    seen = steps.ravel().take(_lines(count, columns, half, turned, apart))
    each = _squared(seen)
    power = _squared(seen.mean(axis=1))
    unrest = each.mean(axis=1) - power
    evidence = count / 2 * np.log1p(power / (unrest.clip(0) + UNREST**2))
    sizes = _squared(steps).ravel()
    usual = float(np.partition(sizes, len(sizes) // 2)[len(sizes) // 2]) + UNREST**2
    evidence += PIECEWISE * np.minimum(np.log1p(each / (CLEAR * usual)), 2.0).mean(axis=1)
    squashed = ENOUGH * (1 - np.exp(-evidence / ENOUGH))
    return np.asarray(squashed.reshape(len(TURNS), 2, -1).transpose(1, 0, 2), dtype=np.float64)


@cache
def _lines(count: int, columns: int, half: int, turned: int, apart: float) -> NDArray[np.int64]:
    """Give where the lines that `_evidence` asks for cross each band's steps: (TURNS, bands, places), as one index."""
    slopes, wide = turned * np.tan(np.radians(TURNS)), columns - 1 - STEP
    down = (np.arange(count) - (count - 1) / 2) * 2 * half / count
    reach = round(REACH * PER_MM)
    sides = np.array([round((columns - apart * PER_MM) / 2), round((columns + apart * PER_MM) / 2)])
    places = (sides[:, None] + np.arange(-reach, reach + 1)).ravel() - STEP
    at = (places + np.round(slopes[:, None] * down).astype(int)[:, :, None]).clip(0, wide - 1)
    return np.asarray(at + np.arange(count)[:, None] * wide)


def _squared(steps: Steps) -> NDArray[np.float32]:
    real = np.asarray(steps.real * steps.real, np.float32)
    return np.asarray(real + steps.imag**2, np.float32) if np.iscomplexobj(steps) else real


def _pairs(
    sides: NDArray[np.float64], wider: NDArray[np.float64], printed: NDArray[np.float64] | None, weight: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Find, for each turn, the two sides that are a card apart.

    Give how well they fit all that is known, the evidence of both, and where their middle lies, in mm. `wider` is by
    how many mm they are farther apart than an upright card's, `printed` where the print puts the middle.
    """
    one, other = sides
    places = (np.arange(one.shape[1]) - one.shape[1] // 2) / PER_MM
    gaps = np.array([-1, 0, 1])
    others = np.zeros((len(other), len(gaps), other.shape[1]))
    others[:, 0, 1:], others[:, 1], others[:, 2, :-1] = other[:, :-1], other, other[:, 1:]
    middles = places + gaps[:, None] / PER_MM / 2
    seen = one[:, None, :] + others
    both = seen - 0.5 * ((gaps / PER_MM - wider[:, None]) / APART)[:, :, None] ** 2
    both -= off_cost(middles)
    if printed is not None:
        off = (middles - printed[:, None, None]) / PRINTED
        both -= weight * DOUBTED * np.minimum(off**2 / 6, 1.0)
    flat = both.reshape(len(both), -1)
    best = flat.argmax(axis=1)
    turn = np.arange(len(flat))
    return flat[turn, best], seen.reshape(len(seen), -1)[turn, best], middles.ravel()[best]
