"""What lies before the foremost card of a rack, and the light that it throws up at that card."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.table import MAT_SIZE
from vision.drawing.canvas import linear
from vision.drawing.decks import Colour
from vision.drawing.light import UP, Floats, Lighting
from vision.drawing.scene import Lamp, RackStand

TABLE_ENDS = 600.0
"""The table throws light from up to so many mm before a card."""

LOWEST = 0.5
"""A point that is lower than a strip stands in the dark of its slot, as if it were so many mm above the strip."""


@dataclass(frozen=True)
class Strip:
    """A level strip along a rack: from `near` to `far` mm before the card's foot, `level` mm above the table.

    `colour` (3,) is its reflectance, linear.
    """

    near: float
    far: float
    level: float
    colour: NDArray[np.float32]


@dataclass(frozen=True)
class Foreground:
    """The strips before a card, the nearest first: the rack, its mat and the table."""

    strips: tuple[Strip, ...]

    def thrown(
        self, light: Lighting, points: Floats, foot: Floats, toward: Floats, size: tuple[float, float]
    ) -> Floats:
        """Give the light (..., 3) that is thrown at points (..., 3) of an upright card.

        `foot` (3,) is a point of its lower edge, `toward` (3,) is level and where the strips lie; `size` is its width
        and how high it reaches above the table, in mm. A strip is taken to be endless along the rack: an upright point
        sees 1/2 (sin a - sin b) of it, where its borders lie a and b below the horizon (the view factor of an endless
        strip), and no farther down than past the strips before it.
        """
        behind = (foot - points) @ toward
        total, lowest = np.zeros(points.shape), np.ones(points.shape[:-1])
        for strip in self.strips:
            high = np.maximum(points[..., 2] - strip.level, LOWEST)
            a, b = (high / np.hypot(high, np.maximum(behind + edge, 0.0)) for edge in (strip.near, strip.far))
            a = np.minimum(a, lowest)
            lowest = np.minimum(b, a)
            falling = strip.colour * _falling(light, strip, foot, toward, size)
            total += ((a - lowest) / 2)[..., None] * falling
        return total


def before_card(stand: RackStand, deep: float, paper: Colour, cloth: Colour, *, forward: bool) -> Foreground:
    """Give what lies before (else behind) a card that stands `deep` mm behind its rack's front, on a mat on a cloth."""
    rack = stand.rack
    block = deep if forward else rack.depth - deep
    mat = rack.at[1] if forward else MAT_SIZE[1] - rack.at[1] - rack.depth
    near, strips = 0.0, []
    for wide, level, colour in (
        (block, rack.height + (stand.lip if forward else 0.0), stand.colour),
        (mat, 0.0, paper),
        (TABLE_ENDS, 0.0, cloth),
    ):
        far = near + max(wide, 0.0)
        strips.append(Strip(near, far, level, linear(colour)))
        near = far
    return Foreground(tuple(strips))


def _falling(light: Lighting, strip: Strip, foot: Floats, toward: Floats, size: tuple[float, float]) -> Floats:
    """Give the light (3,) that falls on a strip: cards hide a part of the sky, and of lamps behind them."""
    middle = min((strip.near + strip.far) / 2, strip.near + TABLE_ENDS / 6)
    place = (foot + middle * toward) * [1.0, 1.0, 0.0] + [0.0, 0.0, strip.level]
    wide, top = size
    rise = max(top - strip.level, 0.0)
    total = light.ambient(UP) * (1 - _hidden(middle, rise, wide))
    for lamp in light.lamps:
        total = total + light.direct(lamp, place[None], UP)[0] * (1 - _shadowed(strip, lamp, foot, toward, rise))
    return np.asarray(total)


def _hidden(way: float, high: float, wide: float) -> float:
    """Give how much of what falls on a level point a card would send, so far away, so high and wide in mm.

    The view factor of an upright rectangle to a level point before its middle.
    """
    far, half = float(np.hypot(way, high)), wide / 2
    return float((np.arctan2(half, way) - way / max(far, 0.1) * np.arctan2(half, far)) / np.pi)


def _shadowed(strip: Strip, lamp: Lamp, foot: Floats, toward: Floats, rise: float) -> float:
    """Give how much of a strip (0..1) lies in the shadow of cards that rise so many mm above it."""
    at = np.array(lamp.at)
    behind = -float((at - foot) @ toward)
    length = rise * max(behind, 0.0) / max(float(at[2]) - strip.level - rise, 1.0)
    return float(np.clip((length - strip.near) / max(strip.far - strip.near, 0.1), 0.0, 1.0))
