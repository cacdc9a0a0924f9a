"""Cut-outs of photographed digits for judging: cells as they are, single figures, and two figures as a number 11..59.

The photographs are those of `vision.training.photos`; a part's pages are its own.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading.digits import COLUMNS, INK, ROWS
from vision.training import photos
from vision.training.typefaces import Part

Picture = NDArray[np.uint8]
Labelled = tuple[Picture, int]
"""A grey picture of any size, and the number in it."""
LARGER: Final = 4
"""A crop by the reader's contract is made so many times as large for Tesseract, which wants figures of 30 pixels."""
_RIM = 2


@dataclass(frozen=True)
class Cutouts:
    """Photographed digits cut out in three ways.

    `cells` are 40 x 40 pixels as they are, some with lines of their grid; `figures` those of them in which a whole
    figure was found, cut to its ink with 2 pixels around; `numbers` two figures of one page side by side.
    """

    cells: tuple[Labelled, ...]
    figures: tuple[Labelled, ...]
    numbers: tuple[Labelled, ...]


def cutouts(folder: Path, part: Part, seed: int, pairs: int) -> Cutouts:
    """Cut out a part's pages, so many numbers a page; raise ValueError where the folder holds no such digits."""
    rng = np.random.default_rng(seed)
    cells: list[Labelled] = []
    figures: list[Labelled] = []
    numbers: list[Labelled] = []
    for page in photos.cells_by_page(folder, part):
        cells += [(np.ascontiguousarray(cell), digit) for digit, cell in page]
        fit = [(figure, digit) for digit, cell in page if (figure := _figure(cell)) is not None]
        figures += fit
        tens = [item for item in fit if item[1] <= 5]
        for _ in range(pairs if tens else 0):
            (left, ten), (right, one) = tens[rng.integers(len(tens))], fit[rng.integers(len(fit))]
            numbers.append((_side_by_side(left, right), 10 * ten + one))
    return Cutouts(tuple(cells), tuple(figures), tuple(numbers))


def to_contract(rng: np.random.Generator, picture: Picture) -> Picture:
    """Make a crop by the reader's contract (32, 48) of a number cut to its ink, off by some pixels and a seventh."""
    rows, columns = picture.shape
    scale = INK / (rows - 2 * _RIM) * rng.uniform(0.85, 1.15)
    scale = min(scale, 44 / columns)
    x, y = COLUMNS / 2 + rng.uniform(-2.5, 2.5), ROWS / 2 + rng.uniform(-2, 2)
    way = np.array([[scale, 0, x - scale * columns / 2], [0, scale, y - scale * rows / 2]])
    crop = cv2.warpAffine(picture, way, (COLUMNS, ROWS), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(crop, np.uint8)


def enlarged(crop: Picture) -> Picture:
    """Give a crop LARGER times as large, as Tesseract likes it."""
    return np.asarray(cv2.resize(crop, None, fx=LARGER, fy=LARGER, interpolation=cv2.INTER_CUBIC), np.uint8)


def _figure(cell: Picture) -> Picture | None:
    """A cell cut to its figure's columns and rows, or None where no whole figure is found."""
    if photos.ink_mask(cell) is None:
        return None
    dark = cv2.threshold(cell, 0, 255, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)[1]
    count, _marks, stats, _ = cv2.connectedComponentsWithStats(np.asarray(dark, np.uint8))
    tall = [mark for mark in range(1, count) if 14 <= stats[mark][3] <= 38 and stats[mark][2] < 34]
    if not tall:
        return None
    x, y, width, height, _area = stats[max(tall, key=lambda mark: stats[mark][4])]
    return np.ascontiguousarray(cell[max(0, y - _RIM) : y + height + _RIM, max(0, x - _RIM) : x + width + _RIM])


def _side_by_side(left: Picture, right: Picture) -> Picture:
    """Two cut figures on paper of one tone, brought to one height."""
    rows = max(left.shape[0], right.shape[0])
    tone = float(np.percentile(left, 90)) / max(1.0, float(np.percentile(right, 90)))
    parts = [
        np.pad(part, (((rows - len(part)) // 2, rows - len(part) - (rows - len(part)) // 2), (0, 0)), mode="edge")
        for part in (left.astype(np.float32), right * np.float32(tone))
    ]
    return np.asarray(np.clip(np.hstack(parts), 0, 255), np.uint8)
