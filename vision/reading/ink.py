"""Finds the ink of printed numbers inside cards' rectified strips."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading.numbers import RACK_BAND, TYPICAL_HEIGHT, Band, Ink
from vision.rectify import SCALE

HEIGHTS = (3.2, 10.6)
"""Ink of a height outside this, in mm, is no number: room for blur and for a wrong lean about TABLE.md's 5.5..8."""
RIM = 3.2
"""No number begins so near, in mm, to a card's left or right edge (TABLE.md: 5.7, and the edge may be 2.5 off)."""
ALL_BUT = 8.0
"""What reaches lower than numbers are searched is none, but where so many mm of it are above: a steep camera's blur
makes figures longer than they are."""
TALL = 3.0
"""A piece of ink less tall than this, in mm, is no digit, but may be a broken digit's piece."""
WIDE = 15.0
"""A number of two digits is mostly no wider than this, in mm."""
WIDEST, EXTENDED = 23.0, 3.2
"""One of an extended typeface may be so wide, in mm, and so many times as wide as high."""
DIGIT_GAP, WIDE_GAP = 3.2, 8.0
"""Ink apart by less than this, in mm, belongs to one number: any, or two digits of one height on one line."""
BROKEN = 0.6
"""A broken figure shares so much of its height, or of its neighbour's, with that."""
GROUND = 5
BROAD = 128
"""OpenCV's median takes ten times as long for pictures that have fewer than about a hundred columns."""
CELL = (5.0, 0.67)
"""A card's own brightness is the median of so many by so many cells, of so many mm in width and height."""
DARK, BRIGHT = 100, 0.9
"""A face is brightened so that no more than this share of its pixels is below that, and by no more than six times."""
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
LEVELS = 256
"""A picture's grey levels."""
SPECK = 2
"""Pieces of so many pixels are none."""
LOWEST = 0.3
"""So many mm above where a nearer card begins no ink is looked for: its edge is blurred."""
LINE = 16.0
"""Ink in a row that is longer than this, in mm, is a printed frame or a shadow, no stroke of a digit."""
SAME_PLACE = 0.5
"""Of boxes that share so much of what both cover (intersection over union), one is enough."""
A_PART = 0.85
"""So much of a box that was found at another threshold lies within the one before: it is a part of that number."""


Part = tuple[int, ...]
"""Left, top, width and height of a connected piece of ink, in pixels."""
Strip = tuple[NDArray[np.uint8], NDArray[np.float64]]
"""A rectified grey strip, and how many mm of the card below its top edge are in view in each of its columns."""


def find_ink(
    strips: Sequence[Strip], origin: tuple[float, float], width: float, band: Band = RACK_BAND
) -> list[tuple[Ink, ...]]:
    """Find where a number may stand in grey strips of one size: for each the likeliest place first, at most two.

    Where these may be one number's figures, what they make together comes last.

    A strip has SCALE px a mm; `origin` is its card's top left corner (column, row) in pixels, `width` that of a card
    in mm.
    """
    if not strips:
        return []
    left, top = round(origin[0]), round(origin[1] + band.start * SCALE)
    columns = slice(left, left + round(width * SCALE))
    faces = np.stack([grey[top : round(origin[1] + band.deepest * SCALE), columns] for grey, _ in strips], axis=1)
    deep = np.minimum(np.stack([shown[columns] for _, shown in strips]), band.deepest)
    # how many rows of each column are in view, but for the lowest, which a nearer card's edge may darken
    rows = np.ceil((deep - LOWEST - band.start) * SCALE).clip(0, len(faces)).astype(np.uint8)
    rim = round(RIM * SCALE)
    rows[:, :rim] = rows[:, -rim:] = 0
    found: list[tuple[Ink, ...]] = [()] * len(strips)
    clear = np.flatnonzero(rows.sum(axis=1) >= 0.2 * len(faces) * rows.shape[1])
    if len(clear) == 0:
        return found
    if len(clear) < len(strips):
        faces, rows, deep = faces[:, clear], rows[clear], deep[clear]
    for place, inks in zip(clear.tolist(), _find(faces, rows, deep, band), strict=True):
        found[place] = inks
    return found


def _find(
    faces: NDArray[np.uint8], seen: NDArray[np.uint8], deep: NDArray[np.float64], band: Band
) -> Iterator[tuple[Ink, ...]]:
    """Find numbers in faces side by side, (rows, faces, columns), of which so many rows are `seen`, (faces, columns).

    `deep`, of the same shape, is that in mm.
    """
    count = faces.shape[1]
    gains = _gains(faces)
    if max(gains) > 1.0:
        faces = np.stack([cv2.convertScaleAbs(faces[:, face], alpha=gain) for face, gain in enumerate(gains)], axis=1)
    in_view = np.arange(len(faces), dtype=np.uint8)[:, None, None] < seen
    inks = [part * in_view for part in _difference(faces)]
    counts = _counts_of_both(*inks)
    # what is not seen counts as neither below nor above its card
    both = counts[0] + counts[1]
    both[:, 0] = seen.sum(axis=1) - both[:, 1:].sum(axis=1)
    # from here on dark ink on each face comes first, then bright ink on each
    dark_or_bright = np.concatenate(inks, axis=1)
    peaks = np.concatenate([_ranked(part, 0.993) for part in counts])
    least = np.tile(np.maximum(FAINTEST * np.array(gains), NOISE * 1.5 * _ranked(both, 0.5)), 2)
    highest = peaks.reshape(2, count).max(axis=0).tolist()
    found: list[list[tuple[float, Ink]]] = [[] for _ in range(count)]
    words: list[list[Part]] = [[] for _ in range(2 * count)]
    open_ = np.flatnonzero(peaks >= least)
    for share in SHARES:
        thresholds = np.maximum(least, share * peaks)[open_]
        faces_of = (open_ % count).tolist()
        signs = np.where(open_ < count, -1.0, 1.0).tolist()
        writing = [words[face] for face in open_.tolist()]
        for place, score, ink in _above(dark_or_bright[:, open_], signs, thresholds, deep[faces_of], band, writing):
            others = found[faces_of[place]]
            if not any(_is_same(ink, other) for _, other in others):
                others.append((score, ink))
        likely = [
            any(_is_likely(ink, band) and abs(ink.contrast) >= CLEAR * most for _, ink in inks_of_one)
            for inks_of_one, most in zip(found, highest, strict=True)
        ]
        open_ = open_[[not likely[face] for face in faces_of]]
        if len(open_) == 0:
            break
    for inks_of_one, gain in zip(found, gains, strict=True):
        inks_of_one.sort(key=lambda item: -item[0])
        likeliest = _with_both([ink for _, ink in inks_of_one[:2]])
        yield tuple(likeliest if gain == 1.0 else (replace(ink, contrast=ink.contrast / gain) for ink in likeliest))


def _with_both(inks: Sequence[Ink]) -> Sequence[Ink]:
    """Add what two boxes on one line make together: they may be one number's figures, of which one is broken."""
    if len(inks) < 2 or any(ink.cut for ink in inks) or inks[0].contrast * inks[1].contrast < 0:
        return inks
    one, other = sorted(inks, key=lambda ink: ink.left)
    top, bottom = min(one.top, other.top), max(one.bottom, other.bottom)
    shared = min(one.bottom, other.bottom) - max(one.top, other.top)
    level = shared >= BROKEN * min(one.height, other.height) and bottom - top <= HEIGHTS[1]
    if not level or not 0 <= other.left - one.right <= WIDE_GAP or other.right - one.left > WIDEST:
        return inks
    strongest = max(inks, key=lambda ink: abs(ink.contrast))
    return *inks, replace(strongest, left=one.left, top=top, right=other.right, bottom=bottom)


def _gains(faces: NDArray[np.uint8]) -> list[float]:
    """Give by how much to brighten each face: of few grey levels, smoothing makes more that lie between."""
    dark, size = (faces < DARK).view(np.uint8), faces[:, 0].size
    # most pictures are bright, and that is told soonest
    if all(cv2.countNonZero(dark[:, face]) < BRIGHT * size for face in range(faces.shape[1])):
        return [1.0] * faces.shape[1]
    gains: list[float] = (DARK / _ranked(_counts(faces), BRIGHT).clip(1.0)).clip(1.0, 6.0).tolist()
    return gains


def _is_likely(ink: Ink, band: Band) -> bool:
    """Tell whether a box has the size and the place of a number."""
    return not ink.cut and 4.5 <= ink.height <= 9.6 and ink.right - ink.left >= 1.0 and ink.top >= band.tops[0] + 1.2


def _difference(faces: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Give how far each pixel is below and above its card: the median of a wide and low neighbourhood.

    All are (rows, faces, columns).
    """
    rows, count, columns = faces.shape
    few, low = max(round(columns / SCALE / CELL[0]), 1), max(round(rows / SCALE / CELL[1]), 1)
    # row by row: a product of large matrices would wake up the threads of NumPy's library, which cost more than it
    narrow = (faces.astype(np.float32) @ _cells(columns, few).T).reshape(rows, -1)
    squeezed = np.rint(_cells(rows, low) @ narrow).astype(np.uint8).reshape(low, count, few)
    rim = GROUND // 2
    padded = squeezed[:, :, np.arange(-rim, few + rim).clip(0, few - 1)].reshape(low, -1)
    broad = cv2.copyMakeBorder(padded, 0, 0, 0, max(BROAD - padded.shape[1], 0), cv2.BORDER_REPLICATE)
    median = cv2.medianBlur(broad, GROUND)[:, : padded.shape[1]].reshape(low, count, -1)[:, :, rim:-rim]
    wide = faces.reshape(rows, -1)
    ground = cv2.resize(median.reshape(low, -1), (count * columns, rows), interpolation=cv2.INTER_LINEAR)
    smooth = cv2.GaussianBlur(wide, (3, 3), 0)
    below, above = (
        np.asarray(part, np.uint8).reshape(faces.shape)
        for part in (cv2.subtract(ground, smooth), cv2.subtract(smooth, ground))
    )
    return below, above


@cache
def _cells(length: int, count: int) -> NDArray[np.float32]:
    """Give how much each of so many pixels counts in the mean of each of so many cells, (count, length).

    The cells divide the length evenly; a pixel on a border is shared. It is OpenCV's INTER_AREA as a matrix.
    """
    size, pixel, cell = length / count, np.arange(length), np.arange(count)[:, None]
    shared = np.minimum(pixel + 1, (cell + 1) * size) - np.maximum(pixel, cell * size)
    return np.asarray(shared.clip(0.0) / size, np.float32)


def _counts(faces: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Count each grey level in faces (rows, faces, columns): (faces, 256)."""
    faces_alone = [faces[:, face] for face in range(faces.shape[1])]
    return np.array([cv2.calcHist([face], [0], None, [256], [0, 256]).ravel() for face in faces_alone], np.float32)


def _counts_of_both(below: NDArray[np.uint8], above: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count as _counts does in two such pictures at once, of which in each pixel one is 0."""
    faces = below.shape[1]
    levels = below.astype(np.int16)
    levels -= above
    levels += (2 * LEVELS * np.arange(faces, dtype=np.int16) + LEVELS)[:, None]
    counts = np.bincount(levels.ravel(), minlength=2 * LEVELS * faces).reshape(faces, 2 * LEVELS)
    above_counts, below_counts = counts[:, LEVELS:0:-1].copy(), counts[:, LEVELS:].copy()
    above_counts[:, 0] = counts.sum(axis=1) - above_counts[:, 1:].sum(axis=1)
    below_counts[:, 0] = counts.sum(axis=1) - below_counts[:, 1:].sum(axis=1)
    return below_counts, above_counts


def _ranked(counts: NDArray[np.floating | np.integer], share: float) -> NDArray[np.int64]:
    """Give for each face the grey level that a share of its pixels is below, by its counts (faces, 256)."""
    ranks = counts.cumsum(axis=1)
    return np.asarray((ranks < share * ranks[:, -1:]).sum(axis=1))


def _is_same(ink: Ink, other: Ink) -> bool:
    """Tell whether two boxes show one number: they share most of what both cover, or the first is a part."""
    wide = min(ink.right, other.right) - max(ink.left, other.left)
    high = min(ink.bottom, other.bottom) - max(ink.top, other.top)
    both = max(wide, 0.0) * max(high, 0.0)
    one, two = ((box.right - box.left) * max(box.height, 1e-6) for box in (ink, other))
    return both > SAME_PLACE * (one + two - both) or both > A_PART * one


def _above(  # noqa: PLR0913, PLR0917 - ink with what is known of it, face by face
    ink: NDArray[np.uint8],
    signs: Sequence[float],
    thresholds: NDArray[np.float64],
    deep: NDArray[np.float64],
    band: Band,
    words: Sequence[list[Part]],
) -> Iterator[tuple[int, float, Ink]]:
    """Find numbers where `ink` (rows, faces, columns) is above its face's threshold: the face, a score, and the ink.

    `words` are each face's lines of writing at the thresholds before; those that are found are added.
    """
    columns = ink.shape[2]
    mask = (ink > thresholds.astype(np.uint8)[:, None]).view(np.uint8)
    by_face = _parts(mask)
    lined = [face for face, parts in enumerate(by_face) if any(part[2] >= LINE * SCALE for part in parts)]
    if lined:
        for face, parts in zip(lined, _parts(_without_lines(mask[:, lined])), strict=True):
            by_face[face] = parts
    groups = (_groups(parts, columns, written) for parts, written in zip(by_face, words, strict=True))
    for face, group in ((face, group) for face, mine in enumerate(groups) for group in mine):
        left, top, across, down = _around(group)
        box = slice(top, top + down), face, slice(left, left + across)
        inside = ink[box] * mask[box]
        strong = cv2.sumElems(inside)[0] / cv2.countNonZero(inside)
        x, y, across, down = cv2.boundingRect((inside >= math.ceil(HALF * strong)).view(np.uint8))
        left, top, right, bottom = left + x, top + y, left + x + across, top + y + down
        limit = float(deep[face, left:right].min())
        upper, lower = top / SCALE + band.start, bottom / SCALE + band.start
        tall = lower - upper
        ends_below = lower > band.deepest - 0.3
        cut = bool(lower > limit - 0.7) if limit < band.deepest else ends_below and tall >= ALL_BUT
        if ends_below and not cut:
            continue
        high = (tall >= HEIGHTS[0] or (cut and tall >= 2.0)) and tall <= HEIGHTS[1]
        fits = high and _is_narrow(left, right, TYPICAL_HEIGHT if cut else tall, columns)
        if fits and band.tops[0] <= upper <= band.tops[1]:
            score = strong * min(tall, TYPICAL_HEIGHT) * min((right - left) / SCALE, 5.0)
            yield face, score, Ink(left / SCALE, upper, right / SCALE, lower, signs[face] * strong, cut)


def _is_narrow(left: int, right: int, tall: float, columns: int) -> bool:
    """Tell whether a box (columns, and `tall` mm) is no wider than a number, on a face so many columns wide.

    What is wide and reaches as far as numbers are sought may be a number and a printed border.
    """
    wide = (right - left) / SCALE
    return wide <= WIDE or (wide <= min(WIDEST, EXTENDED * tall) and not _at_rim(left, right, columns))


def _at_rim(left: int, right: int, columns: int) -> bool:
    return min(left, columns - right) <= RIM * SCALE + 1


def _without_lines(mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Leave out of faces' ink (rows, faces, columns) what is a long line, and what touches it from above or below."""
    rows, long = mask.reshape(len(mask), -1), round(LINE * SCALE)
    lines = cv2.dilate(cv2.erode(rows, np.ones((1, long), np.uint8)), np.ones((3, long), np.uint8))
    return np.asarray(rows * (lines == 0), np.uint8).reshape(mask.shape)


def _parts(mask: NDArray[np.uint8]) -> list[list[Part]]:
    """Give each face's connected pieces of ink, specks left out; `mask` is (rows, faces, columns)."""
    rows, count, columns = mask.shape
    outlines, nested = cv2.findContours(mask.reshape(rows, -1), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    inner = nested[0, :, 3].tolist() if outlines else []
    by_face: list[list[Part]] = [[] for _ in range(count)]
    for outline, parent in zip(outlines, inner, strict=True):
        if parent < 0 and len(outline) > SPECK:
            left, *rest = cv2.boundingRect(outline)
            face, x = divmod(left, columns)
            by_face[face].append((x, *rest))
    return by_face


def _groups(parts: Sequence[Part], columns: int, words: list[Part]) -> list[list[Part]]:
    """Put digits together that stand side by side, then to each the pieces that lie within its box.

    The face is so many columns wide; of its `words` none is a digit.
    """
    groups: list[list[Part]] = []
    for box in sorted(_but_for_words([part for part in parts if part[3] >= TALL * SCALE], words)):
        for group in groups:
            if any(_belong(other, box, columns) for other in group):
                group.append(box)
                break
        else:
            groups.append([box])
    for group in groups:
        left, top, across, down = _around(group)
        gap, slack = DIGIT_GAP * SCALE, 0.8 * SCALE
        group += [
            part
            for part in parts
            if part[3] < TALL * SCALE
            and left - gap <= part[0]
            and part[0] + part[2] <= left + across + gap
            and top - slack <= part[1]
            and part[1] + part[3] <= top + down + slack
        ]
    return groups


def _but_for_words(parts: Sequence[Part], words: list[Part]) -> list[Part]:
    """Give pieces of ink but for those in lines of writing, wider than a number is; add new lines to the `words`.

    A card's logo is one: its "K-O" would read as 40 or 60.
    """
    lines: list[list[Part]] = []
    for part in sorted(parts):
        last = lines[-1][-1] if lines else part
        if lines and part[0] - (last[0] + last[2]) <= WIDE_GAP * SCALE and _level(last, part):
            lines[-1].append(part)
        else:
            lines.append([part])
    words += [box for box in (_around(line) for line in lines if len(line) > 1) if box[2] > WIDEST * SCALE]
    return [part for part in parts if not any(_is_within(part, word) for word in words)]


def _around(parts: Sequence[Part]) -> Part:
    """Give the box around some pieces of ink."""
    left, top = min(part[0] for part in parts), min(part[1] for part in parts)
    return left, top, max(part[0] + part[2] for part in parts) - left, max(part[1] + part[3] for part in parts) - top


def _is_within(part: Part, box: Part) -> bool:
    x, y = part[0] + part[2] / 2, part[1] + part[3] / 2
    return box[0] <= x <= box[0] + box[2] and box[1] <= y <= box[1] + box[3]


def _belong(one: Part, other: Part, columns: int) -> bool:
    """Tell whether two boxes, the second to the right, may be the digits of one number, on a face so many columns wide.

    A box at the rim may be a printed border, and no digit farther off.
    """
    gap = other[0] - (one[0] + one[2])
    if gap <= DIGIT_GAP * SCALE:
        return _level(one, other)
    alike = abs(one[3] - other[3]) <= 0.2 * max(one[3], other[3]) and abs(one[1] - other[1]) <= 1.2 * SCALE
    return gap <= WIDE_GAP * SCALE and alike and not _at_rim(one[0], other[0] + other[2], columns)


def _level(one: Part, other: Part) -> bool:
    """Tell whether two boxes stand side by side on one line: they share most of the lower one's height."""
    shared = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    return bool(shared >= 0.6 * min(one[3], other[3]) and shared >= 0.4 * max(one[3], other[3]))
