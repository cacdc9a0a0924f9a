"""Finds the printed number's ink inside a card's rectified strip, and cuts it out for the reader."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.planes import SCALE

CROP_ROWS, CROP_COLUMNS = 32, 48
"""Size of what the number reader takes: the number in the middle, its ink about INK_ROWS high."""
INK_ROWS = 18.0
TYPICAL_HEIGHT = 6.6
"""Height of digits in mm where nothing better is known; TABLE.md gives 5.5..8."""
HEIGHTS = (3.2, 10.6)
"""Ink of a height outside this, in mm, is no number: room for blur and for a wrong lean about TABLE.md's 5.5..8."""
RIM = 3.2
"""No number begins so near, in mm, to a card's left or right edge (TABLE.md: 5.7, and the edge may be 2.5 off)."""
TALL = 3.0
"""A piece of ink less tall than this, in mm, is no digit, but may be a broken digit's piece."""
WIDEST = 15.0
"""No number of two digits is wider than this, in mm."""
DIGIT_GAP, WIDE_GAP = 3.2, 5.4
"""Ink apart by less than this, in mm, belongs to one number: any, or two digits of one height on one line."""
DARK = 100.0
"""A face is brightened so that few of its pixels are below this, and by no more than six times."""
FAINTEST = 2.0
"""Ink differs from its card by at least so many grey levels, and by NOISE times the noise."""
NOISE = 3.0
SHARES = (0.35, 0.22, 0.5, 0.7)
"""Ink is what differs by this share of the strongest difference. Where the first shows no number: a lower one keeps
thin strokes whole, higher ones part a number from a shadow."""
HALF = 0.4
"""The rim of a blurred stroke is where it differs by this share of what its own number differs."""
CLEAR = 0.5
"""A number that differs less than by this share of the strongest difference may be a stain beside the number."""
LINE = 16.0
"""Ink in a row that is longer than this, in mm, is a printed frame or a shadow, no stroke of a digit."""
SAME_PLACE = 0.5
"""Of boxes that share so much of what both cover (intersection over union), one is enough."""
A_PART = 0.85
"""So much of a box that was found at another threshold lies within the one before: it is a part of that number."""


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
    # dark pictures have few grey levels: between these, smoothing finds more
    gain = float(np.clip(DARK / max(_ranked(face, 0.9), 1.0), 1.0, 6.0))
    differs = _difference(np.asarray(cv2.convertScaleAbs(face, alpha=gain), np.uint8))
    noise = 1.5 * _ranked((differs[0] | differs[1])[seen], 0.5)
    masked = [np.where(seen, part, np.uint8(0)) for part in differs]
    peaks = [_ranked(part, 0.993) for part in masked]
    least = max(FAINTEST * gain, NOISE * noise)
    found: list[tuple[float, Ink]] = []
    for share in SHARES:
        for sign, part, peak in zip((-1.0, 1.0), masked, peaks, strict=True):
            if peak >= least:
                for score, ink in _above(part, sign, max(least, share * peak), deep, band):
                    if not any(_is_same(ink, other) for _, other in found):
                        found.append((score, ink))
        if any(_is_likely(ink, band) and abs(ink.contrast) >= CLEAR * max(peaks) for _, ink in found):
            break
    found.sort(key=lambda item: -item[0])
    return tuple(replace(ink, contrast=ink.contrast / gain) for _, ink in found[:3])


def _is_likely(ink: Ink, band: Band) -> bool:
    """Tell whether a box has the size and the place of a number."""
    return not ink.cut and 4.5 <= ink.height <= 9.6 and ink.right - ink.left >= 1.0 and ink.top >= band.tops[0] + 1.2


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


def common_height(inks: Sequence[Ink]) -> float:
    """Give the height in mm that numbers of one picture share, from those whose ink is whole."""
    whole = [ink.height for ink in inks if not ink.cut]
    return float(np.clip(np.median(whole), 5.0, 8.5)) if whole else TYPICAL_HEIGHT


def _difference(face: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Give how far each pixel is below and above its card: the median of a wide and low neighbourhood."""
    rows, columns = face.shape
    squeezed = cv2.resize(face, (max(columns // 8, 1), rows), interpolation=cv2.INTER_AREA)
    ground = cv2.resize(cv2.medianBlur(squeezed, 13), (columns, rows), interpolation=cv2.INTER_LINEAR)
    smooth = cv2.GaussianBlur(face, (3, 3), 0)
    return np.asarray(cv2.subtract(ground, smooth), np.uint8), np.asarray(cv2.subtract(smooth, ground), np.uint8)


def _ranked(levels: NDArray[np.uint8], share: float) -> float:
    """Give the grey level that a share of some pixels is below."""
    counts = np.bincount(levels.ravel(), minlength=256).cumsum()
    return float(np.searchsorted(counts, share * counts[-1]))


def _is_same(ink: Ink, other: Ink) -> bool:
    """Tell whether two boxes show one number: they share most of what both cover, or the first is a part."""
    wide = min(ink.right, other.right) - max(ink.left, other.left)
    high = min(ink.bottom, other.bottom) - max(ink.top, other.top)
    both = max(wide, 0.0) * max(high, 0.0)
    one, two = ((box.right - box.left) * max(box.height, 1e-6) for box in (ink, other))
    return both > SAME_PLACE * (one + two - both) or both > A_PART * one


def _above(
    ink: NDArray[np.uint8], sign: float, threshold: float, deep: NDArray[np.float64], band: Band
) -> list[tuple[float, Ink]]:
    """Find numbers among the pixels where `ink` is above a threshold; give each with a score."""
    mask = (ink > threshold).astype(np.uint8)
    lines = cv2.erode(mask, np.ones((1, round(LINE * SCALE)), np.uint8))
    if lines.any():
        mask[cv2.dilate(lines, np.ones((3, round(LINE * SCALE)), np.uint8)) > 0] = 0
    count, _, boxes, _ = cv2.connectedComponentsWithStats(mask, connectivity=8, ltype=cv2.CV_16U)
    parts = [tuple(box) for box in boxes[1:count].tolist() if box[4] >= 0.3 * SCALE * SCALE]
    found: list[tuple[float, Ink]] = []
    for group in _groups(parts):
        left, top = min(box[0] for box in group), min(box[1] for box in group)
        right, bottom = max(box[0] + box[2] for box in group), max(box[1] + box[3] for box in group)
        inside = ink[top:bottom, left:right] * mask[top:bottom, left:right]
        strong = float(inside[inside > 0].mean())
        rows = np.flatnonzero((inside >= HALF * strong).any(axis=1)).tolist()
        columns = np.flatnonzero((inside >= HALF * strong).any(axis=0)).tolist()
        left, right, top, bottom = left + columns[0], left + columns[-1] + 1, top + rows[0], top + rows[-1] + 1
        limit = float(deep[left:right].min())
        upper, lower = top / SCALE + band.start, bottom / SCALE + band.start
        cut = bool(lower > limit - 0.7 and limit < band.deepest)
        if lower > band.deepest - 0.3 and not cut:
            continue
        tall = lower - upper
        fits = (tall >= HEIGHTS[0] or (cut and tall >= 2.0)) and tall <= HEIGHTS[1] and right - left <= WIDEST * SCALE
        if not fits or not band.tops[0] <= upper <= band.tops[1]:
            continue
        score = strong * min(tall, TYPICAL_HEIGHT) * min((right - left) / SCALE, 5.0)
        found.append((score, Ink(left / SCALE, upper, right / SCALE, lower, sign * strong, cut)))
    return found


Part = tuple[int, ...]
"""Left, top, width, height and area of a connected piece of ink, in pixels."""


def _groups(parts: Sequence[Part]) -> list[list[Part]]:
    """Put digits together that stand side by side, then to each the pieces that lie within its box."""
    groups: list[list[Part]] = []
    for box in sorted(part for part in parts if part[3] >= TALL * SCALE):
        for group in groups:
            if any(_belong(other, box) for other in group):
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


def _belong(one: Part, other: Part) -> bool:
    """Tell whether two boxes, the second to the right, may be the digits of one number."""
    gap = other[0] - (one[0] + one[2])
    if gap <= DIGIT_GAP * SCALE:
        return _level(one, other)
    alike = abs(one[3] - other[3]) <= 0.2 * max(one[3], other[3]) and abs(one[1] - other[1]) <= 1.2 * SCALE
    return gap <= WIDE_GAP * SCALE and alike


def _level(one: Part, other: Part) -> bool:
    """Tell whether two boxes stand side by side on one line: they share most of the lower one's height."""
    shared = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    return bool(shared >= 0.6 * min(one[3], other[3]) and shared >= 0.4 * max(one[3], other[3]))
