"""Finds the ink of printed numbers inside cards' rectified strips."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.numbers import RACK_BAND, TYPICAL_HEIGHT, Band, Ink
from vision.planes import SCALE

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
GROUND = 5
CELL = (5.0, 0.67)
"""A card's own brightness is the median of so many by so many cells, of so many mm in width and height."""
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


Part = tuple[int, ...]
"""Left, top, width, height and area of a connected piece of ink, in pixels."""
Strip = tuple[NDArray[np.uint8], NDArray[np.float64]]
"""A rectified grey strip, and how many mm of the card below its top edge are in view in each of its columns."""


def find_ink(
    strips: Sequence[Strip], origin: tuple[float, float], width: float, band: Band = RACK_BAND
) -> list[tuple[Ink, ...]]:
    """Find where a number may stand in grey strips of one size: for each the likeliest place first, at most two.

    A strip has SCALE px a mm; `origin` is its card's top left corner (column, row) in pixels, `width` that of a card
    in mm.
    """
    if not strips:
        return []
    left, top = round(origin[0]), round(origin[1] + band.start * SCALE)
    columns = slice(left, left + round(width * SCALE))
    faces = np.stack([grey[top : round(origin[1] + band.deepest * SCALE), columns] for grey, _ in strips], axis=1)
    deep = np.minimum(np.stack([shown[columns] for _, shown in strips]), band.deepest)
    seen = (np.arange(len(faces))[:, None, None] / SCALE + band.start) < deep - 0.3
    rim = round(RIM * SCALE)
    seen[:, :, :rim] = seen[:, :, -rim:] = False
    found: list[tuple[Ink, ...]] = [()] * len(strips)
    clear = np.flatnonzero(seen.sum(axis=(0, 2)) >= 0.2 * seen[:, 0].size)
    if len(clear) == 0:
        return found
    for place, inks in zip(clear.tolist(), _find(faces[:, clear], seen[:, clear], deep[clear], band), strict=True):
        found[place] = inks
    return found


def _find(
    faces: NDArray[np.uint8], seen: NDArray[np.bool_], deep: NDArray[np.float64], band: Band
) -> Iterator[tuple[Ink, ...]]:
    """Find numbers in faces side by side, (rows, faces, columns), where they are `seen`; `deep` is (faces, columns)."""
    count = faces.shape[1]
    # dark pictures have few grey levels: between these, smoothing finds more
    gains = [float(np.clip(DARK / max(_ranked(faces[:, face], 0.9), 1.0), 1.0, 6.0)) for face in range(count)]
    faces = np.stack([cv2.convertScaleAbs(faces[:, face], alpha=gain) for face, gain in enumerate(gains)], axis=1)
    inks = [np.where(seen, part, np.uint8(0)) for part in _difference(faces)]
    peaks = np.array([[_ranked(part[:, face], 0.993) for part in inks] for face in range(count)])
    both = np.maximum(*inks)
    noise = [1.5 * _ranked(both[:, face], 0.5, seen[:, face]) for face in range(count)]
    least = np.maximum(FAINTEST * np.array(gains), NOISE * np.array(noise))
    found: list[list[tuple[float, Ink]]] = [[] for _ in range(count)]
    open_ = list(range(count))
    for share in SHARES:
        for sign, part, peak in zip((-1.0, 1.0), inks, peaks.T, strict=True):
            thresholds = np.where(peak >= least, np.maximum(least, share * peak), 255.0)[open_]
            for place, score, ink in _above(part[:, open_], sign, thresholds, deep[open_], band):
                others = found[open_[place]]
                if not any(_is_same(ink, other) for _, other in others):
                    others.append((score, ink))
        open_ = [
            face
            for face in open_
            if not any(
                _is_likely(ink, band) and abs(ink.contrast) >= CLEAR * peaks[face].max() for _, ink in found[face]
            )
        ]
        if not open_:
            break
    for inks_of_one, gain in zip(found, gains, strict=True):
        inks_of_one.sort(key=lambda item: -item[0])
        yield tuple(replace(ink, contrast=ink.contrast / gain) for _, ink in inks_of_one[:2])


def _is_likely(ink: Ink, band: Band) -> bool:
    """Tell whether a box has the size and the place of a number."""
    return not ink.cut and 4.5 <= ink.height <= 9.6 and ink.right - ink.left >= 1.0 and ink.top >= band.tops[0] + 1.2


def _difference(faces: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Give how far each pixel is below and above its card: the median of a wide and low neighbourhood.

    All are (rows, faces, columns).
    """
    rows, count, columns = faces.shape
    wide, rim = faces.reshape(rows, -1), GROUND // 2
    few, low = max(round(columns / SCALE / CELL[0]), 1), max(round(rows / SCALE / CELL[1]), 1)
    squeezed = cv2.resize(wide, (count * few, low), interpolation=cv2.INTER_AREA).reshape(low, count, few)
    padded = np.pad(squeezed, ((0, 0), (0, 0), (rim, rim)), mode="edge").reshape(low, -1)
    median = cv2.medianBlur(padded, GROUND).reshape(low, count, -1)[:, :, rim:-rim].reshape(low, -1)
    ground = cv2.resize(median, (count * columns, rows), interpolation=cv2.INTER_LINEAR)
    smooth = cv2.GaussianBlur(wide, (3, 3), 0)
    below, above = (
        np.asarray(part, np.uint8).reshape(faces.shape)
        for part in (cv2.subtract(ground, smooth), cv2.subtract(smooth, ground))
    )
    return below, above


def _ranked(levels: NDArray[np.uint8], share: float, where: NDArray[np.bool_] | None = None) -> float:
    """Give the grey level that a share of some pixels is below."""
    mask = None if where is None else where.astype(np.uint8)
    counts = cv2.calcHist([levels], [0], mask, [256], [0, 256]).ravel().cumsum()
    return float(np.searchsorted(counts, share * counts[-1]))


def _is_same(ink: Ink, other: Ink) -> bool:
    """Tell whether two boxes show one number: they share most of what both cover, or the first is a part."""
    wide = min(ink.right, other.right) - max(ink.left, other.left)
    high = min(ink.bottom, other.bottom) - max(ink.top, other.top)
    both = max(wide, 0.0) * max(high, 0.0)
    one, two = ((box.right - box.left) * max(box.height, 1e-6) for box in (ink, other))
    return both > SAME_PLACE * (one + two - both) or both > A_PART * one


def _above(
    ink: NDArray[np.uint8], sign: float, thresholds: NDArray[np.float64], deep: NDArray[np.float64], band: Band
) -> Iterator[tuple[int, float, Ink]]:
    """Find numbers where `ink` (rows, faces, columns) is above its face's threshold: the face, a score, and the ink."""
    rows, count, columns = ink.shape
    mask = (ink > thresholds.astype(np.uint8)[:, None]).astype(np.uint8)
    wide = mask.reshape(rows, -1)
    parts = _parts(wide)
    if any(part[2] >= LINE * SCALE for part in parts):
        lines = cv2.erode(wide, np.ones((1, round(LINE * SCALE)), np.uint8))
        wide[cv2.dilate(lines, np.ones((3, round(LINE * SCALE)), np.uint8)) > 0] = 0
        parts = _parts(wide)
    by_face: list[list[Part]] = [[] for _ in range(count)]
    for x, *rest in parts:
        by_face[x // columns].append((x % columns, *rest))
    for face, group in ((face, group) for face, mine in enumerate(by_face) for group in _groups(mine)):
        left, top = min(box[0] for box in group), min(box[1] for box in group)
        right, bottom = max(box[0] + box[2] for box in group), max(box[1] + box[3] for box in group)
        inside = ink[top:bottom, face, left:right] * mask[top:bottom, face, left:right]
        strong = float(inside.sum() / np.count_nonzero(inside))
        dark = inside >= HALF * strong
        across, down = np.flatnonzero(dark.any(axis=0)), np.flatnonzero(dark.any(axis=1))
        left, right = left + int(across[0]), left + int(across[-1]) + 1
        top, bottom = top + int(down[0]), top + int(down[-1]) + 1
        limit = float(deep[face, left:right].min())
        upper, lower = top / SCALE + band.start, bottom / SCALE + band.start
        cut = bool(lower > limit - 0.7 and limit < band.deepest)
        if lower > band.deepest - 0.3 and not cut:
            continue
        tall = lower - upper
        fits = (tall >= HEIGHTS[0] or (cut and tall >= 2.0)) and tall <= HEIGHTS[1] and right - left <= WIDEST * SCALE
        if fits and band.tops[0] <= upper <= band.tops[1]:
            score = strong * min(tall, TYPICAL_HEIGHT) * min((right - left) / SCALE, 5.0)
            yield face, score, Ink(left / SCALE, upper, right / SCALE, lower, sign * strong, cut)


def _parts(mask: NDArray[np.uint8]) -> list[Part]:
    """Give the connected pieces of ink, specks left out."""
    count, _, boxes, _ = cv2.connectedComponentsWithStats(mask, connectivity=8, ltype=cv2.CV_16U)
    return [tuple(box) for box in boxes[1:count].tolist() if box[4] >= 0.3 * SCALE * SCALE]


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
