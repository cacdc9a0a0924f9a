"""Finds the printed number's ink inside a card's rectified strip, and cuts it out for the reader."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.planes import SCALE

CROP_ROWS, CROP_COLUMNS = 32, 48
"""Size of what the number reader takes: the number in the middle, its ink about INK_ROWS high."""
INK_ROWS = 18.0
TYPICAL_HEIGHT = 6.6
"""Height of digits in mm where nothing better is known; TABLE.md gives 5.5..8."""
HEIGHTS = (3.2, 9.6)
"""Ink of a height outside this, in mm, is no number: room for blur and for a wrong lean about TABLE.md's 5.5..8."""
RIM = 3.2
"""No number begins so near, in mm, to a card's left or right edge (TABLE.md: 5.7, and the edge may be 2.5 off)."""
TALL = 3.0
"""A piece of ink less tall than this, in mm, is no digit, but may be a broken digit's piece."""
WIDEST = 15.0
"""No number of two digits is wider than this, in mm."""
DIGIT_GAP = 3.2
"""Ink apart by less than this, in mm, belongs to one number."""
FAINTEST = 5.0
"""Ink differs from its card by at least so many grey levels, and by NOISE times the noise."""
NOISE = 3.0


SHARES = (0.35, 0.55)
"""Ink is what differs by this share of the strongest difference; the second where the first finds nothing."""


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
TRAY_BAND = Band(-3.0, (-2.5, 8.0), 17.0)
"""Of a loose pile's topmost card the edges are known to some mm only; its logo begins at about 20."""


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
    def height(self) -> float:
        """Height of the box in mm."""
        return self.bottom - self.top


def find_ink(
    grey: NDArray[np.uint8],
    origin: tuple[float, float],
    shown: NDArray[np.float64],
    width: float,
    band: Band = RACK_BAND,
) -> tuple[Ink, ...]:
    """Find where a number may stand in a rectified grey strip, the likeliest place first, at most three.

    The strip has SCALE px a mm; `origin` is the card's top left corner (column, row) in pixels, `shown` the mm of card
    in view below the top edge for each column of the strip, `width` the card's width in mm.
    """
    left, top = round(origin[0]), round(origin[1] + band.start * SCALE)
    face = grey[top : round(origin[1] + band.deepest * SCALE), left : left + round(width * SCALE)]
    deep = np.minimum(shown[left : left + face.shape[1]], band.deepest)
    rows = np.arange(face.shape[0])[:, None] / SCALE + band.start
    seen = rows < deep[None, :] - 0.3
    rim = round(RIM * SCALE)
    seen[:, :rim] = seen[:, -rim:] = False
    if seen.sum() < 0.2 * seen.size:
        return ()
    differs = _difference(face, seen)
    noise = float(np.median(np.abs(differs[seen]))) * 1.5
    found: list[tuple[float, Ink]] = []
    for sign in (-1.0, 1.0):
        found += _of_polarity(sign * differs, sign, noise, deep, band)
    found.sort(key=lambda item: -item[0])
    return tuple(ink for _, ink in found[:3])


def cut_number(grey: NDArray[np.uint8], origin: tuple[float, float], ink: Ink, height: float) -> NDArray[np.uint8]:
    """Cut a number out of a rectified picture: (CROP_ROWS, CROP_COLUMNS) with ink of `height` mm as INK_ROWS rows.

    Where its lower end is hidden, the middle is taken from its upper end and the height.
    """
    zoom = INK_ROWS / (height * SCALE)
    x = origin[0] + (ink.left + ink.right) / 2 * SCALE
    y = origin[1] + ((ink.top + height / 2) if ink.cut else (ink.top + ink.bottom) / 2) * SCALE
    warp = np.array([[zoom, 0, CROP_COLUMNS / 2 - zoom * x], [0, zoom, CROP_ROWS / 2 - zoom * y]])
    crop = cv2.warpAffine(
        grey, warp, (CROP_COLUMNS, CROP_ROWS), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(crop, dtype=np.uint8)


def find_marks(grey: NDArray[np.uint8], columns: tuple[int, int], squeeze: float) -> list[tuple[int, int]]:
    """Find where in the rectified plane of a rack's top edges numbers may begin: (row of the upper end, column).

    `columns` is the part of the picture that cards cover, `squeeze` how high in mm a mm of a card looks there. This
    is a hint only: logos and shadows are among the marks.
    """
    face = grey[:, columns[0] : columns[1]]
    differs = _difference(face, np.ones(face.shape, dtype=bool))
    threshold = max(FAINTEST, NOISE * 1.5 * float(np.median(np.abs(differs))))
    marks = []
    for sign in (-1.0, 1.0):
        mask = (sign * differs > threshold).astype(np.uint8)
        count, _, boxes, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
        for left, top, width, height, area in boxes[1:count]:
            tall, wide = height / SCALE / squeeze, width / SCALE
            if TALL <= tall <= HEIGHTS[1] and 0.8 <= wide <= WIDEST and area >= SCALE * SCALE:
                marks.append((int(top), columns[0] + int(left + width / 2)))
    return marks


def common_height(inks: Sequence[Ink]) -> float:
    """Give the height in mm that numbers of one picture share, from those whose ink is whole."""
    whole = [ink.height for ink in inks if not ink.cut]
    return float(np.clip(np.median(whole), 5.0, 8.5)) if whole else TYPICAL_HEIGHT


def _difference(face: NDArray[np.uint8], seen: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Give how far each pixel is from its card: the median of a wide and low neighbourhood, so ink does not count."""
    rows, columns = face.shape
    squeezed = cv2.resize(face, (max(columns // 8, 1), rows), interpolation=cv2.INTER_AREA)
    ground = cv2.medianBlur(squeezed, 13)
    ground = cv2.resize(ground, (columns, rows), interpolation=cv2.INTER_LINEAR)
    differs = cv2.GaussianBlur(face, (3, 3), 0).astype(np.float64) - ground
    return np.where(seen, differs, 0.0)


def _of_polarity(
    ink: NDArray[np.float64], sign: float, noise: float, deep: NDArray[np.float64], band: Band
) -> list[tuple[float, Ink]]:
    """Find numbers among the pixels where `ink` is well above zero; give each with a score.

    A low threshold keeps thin strokes whole; a higher one is tried where the low one joins a number to a shadow.
    """
    least = max(FAINTEST, NOISE * noise)
    peak = float(np.percentile(ink, 99.3))
    for share in SHARES if peak >= least else ():
        if found := _above(ink, sign, max(least, share * peak), deep, band):
            return found
    return []


def _above(
    ink: NDArray[np.float64], sign: float, threshold: float, deep: NDArray[np.float64], band: Band
) -> list[tuple[float, Ink]]:
    mask = (ink > threshold).astype(np.uint8)
    count, _, boxes, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    parts = [box for box in boxes[1:count] if box[4] >= 0.3 * SCALE * SCALE]
    found: list[tuple[float, Ink]] = []
    for group in _groups(parts):
        left, top = int(min(box[0] for box in group)), int(min(box[1] for box in group))
        right = int(max(box[0] + box[2] for box in group))
        bottom = int(max(box[1] + box[3] for box in group))
        middle = slice(left, right)
        limit = float(deep[middle].min())
        upper, lower = top / SCALE + band.start, bottom / SCALE + band.start
        cut = bool(lower > limit - 0.7 and limit < band.deepest)
        if lower > band.deepest - 0.3 and not cut:
            continue
        tall = lower - upper
        fits = (tall >= HEIGHTS[0] or (cut and tall >= 2.0)) and tall <= HEIGHTS[1] and right - left <= WIDEST * SCALE
        if not fits or not band.tops[0] <= upper <= band.tops[1]:
            continue
        strong = float(ink[top:bottom, middle][mask[top:bottom, middle] > 0].mean())
        score = strong * min(tall, TYPICAL_HEIGHT) * min((right - left) / SCALE, 5.0)
        found.append((score, Ink(left / SCALE, upper, right / SCALE, lower, sign * strong, cut)))
    return found


def _groups(parts: Sequence[NDArray[np.int32]]) -> list[list[NDArray[np.int32]]]:
    """Put digits together that stand side by side, then to each the pieces that lie within its box."""
    groups: list[list[NDArray[np.int32]]] = []
    for box in sorted((part for part in parts if part[3] >= TALL * SCALE), key=lambda part: int(part[0])):
        for group in groups:
            near = any(box[0] - (other[0] + other[2]) <= DIGIT_GAP * SCALE and _level(box, other) for other in group)
            if near:
                group.append(box)
                break
        else:
            groups.append([box])
    for group in groups:
        top, bottom = min(box[1] for box in group), max(box[1] + box[3] for box in group)
        left = min(box[0] for box in group) - DIGIT_GAP * SCALE
        right = max(box[0] + box[2] for box in group) + DIGIT_GAP * SCALE
        slack = 0.8 * SCALE
        group += [
            part
            for part in parts
            if part[3] < TALL * SCALE
            and left <= part[0]
            and part[0] + part[2] <= right
            and top - slack <= part[1]
            and part[1] + part[3] <= bottom + slack
        ]
    return groups


def _level(one: NDArray[np.int32], other: NDArray[np.int32]) -> bool:
    """Tell whether two boxes stand side by side on one line: they share most of the lower one's height."""
    shared = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    return bool(shared >= 0.6 * min(one[3], other[3]) and shared >= 0.4 * max(one[3], other[3]))
