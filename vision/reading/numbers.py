"""A printed number's place on its card, and its crop for the reader."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rectify import SCALE

CROP_ROWS, CROP_COLUMNS = 32, 48
"""Size of what the number reader takes: the number in the middle, its ink about INK_ROWS high."""
INK_ROWS = 18.0
WIDEST_COLUMNS = 42.0
"""A number that would be wider in its crop is narrowed to this: extended figures read like others then."""
TYPICAL_HEIGHT = 6.6
"""Height of digits in mm where nothing better is known; TABLE.md gives 5.5..8."""
WIDER = 1.8
"""Condensed figures look like others once they are so much wider."""


PRIMES = frozenset(number for number in range(2, 61) if all(number % other for other in range(2, number)))
"""Cards that are green in the edition of 2006 (TABLE.md, Cards; RULES.md)."""


@dataclass(frozen=True)
class Band:
    """Where on a card a number is searched, in mm below the card's edge as it was found.

    Ink is looked for between `start` and `deepest`, and its upper end lies between `tops`. TABLE.md gives 2..3 for
    the upper end and 5.5..8 for the height; the rest is room for what the edge may be off.
    """

    start: float
    tops: tuple[float, float]
    deepest: float


RACK_BAND = Band(-1.0, (-0.7, 5.2), 13.4)
TRAY_BAND = Band(-3.0, (-2.5, 9.5), 17.0)
"""Of a loose pile's topmost card the edges are known to some mm only, in a well's shadows to six: a number's 3 mm below
them may seem 9. Its logo begins at about 20."""
DEEP_BAND = Band(-3.0, (3.0, 14.5), 21.0)
"""Where no number is found so: the edge that was found may be that of the card below, which lies farther out."""
BELOW_BAND = Band(-3.0, (6.0, 18.5), 26.0)
"""Where that card's own number is seen, too: the topmost card's stands below it."""


@dataclass(frozen=True)
class Ink:
    """Where a number may stand: its box in mm from the card's top left corner, and how it differs from the card.

    `contrast` is in grey levels, negative for dark ink on a light card. `cut`: a nearer card hides its lower end.
    """

    left: float
    top: float
    right: float
    bottom: float
    contrast: float
    cut: bool

    @property
    def width(self) -> float:
        """Width of the box in mm."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Height of the box in mm."""
        return self.bottom - self.top

    @property
    def middle(self) -> tuple[float, float]:
        """The box's middle, in mm to the right of the card's top left corner and below it."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


def cut_number(grey: NDArray[np.uint8], origin: tuple[float, float], ink: Ink, height: float) -> NDArray[np.uint8]:
    """Cut a number out of a rectified picture: (CROP_ROWS, CROP_COLUMNS) with ink of `height` mm as INK_ROWS rows.

    Where its lower end is hidden, the middle is taken from its upper end and the height. A number too wide for its
    crop is narrowed.
    """
    zoom = INK_ROWS / (height * SCALE)
    across = min(zoom, WIDEST_COLUMNS / max(ink.width * SCALE, 1.0))
    x = origin[0] + (ink.left + ink.right) / 2 * SCALE
    y = origin[1] + ((ink.top + height / 2) if ink.cut else (ink.top + ink.bottom) / 2) * SCALE
    warp = np.array([[across, 0, CROP_COLUMNS / 2 - across * x], [0, zoom, CROP_ROWS / 2 - zoom * y]])
    crop = cv2.warpAffine(
        grey, warp, (CROP_COLUMNS, CROP_ROWS), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(crop, dtype=np.uint8)


def widened(crop: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Widen what a number's crop shows, about its middle, by WIDER."""
    warp = np.array([[WIDER, 0, (1 - WIDER) * (CROP_COLUMNS - 1) / 2], [0, 1, 0]])
    size = CROP_COLUMNS, CROP_ROWS
    return np.asarray(cv2.warpAffine(crop, warp, size, borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8)


def common_height(inks: Sequence[Ink]) -> float:
    """Give the height in mm that numbers of one picture share, from those whose ink is whole."""
    whole = [ink.height for ink in inks if not ink.cut]
    return min(max(median(whole), 5.0), 8.5) if whole else TYPICAL_HEIGHT
