"""Photographed figures: printed digits 1..9 cut from phone photographs, as ink masks by page.

Source: the 160 training photographs of wichtounet/sudoku_dataset (Baptiste Wicht and Jean Hennebert), CC BY 4.0, as a
folder of contact sheets: sheetN.jpg with 40 px cells, labels.json with digit and photograph of each cell in order.
The split is by page and not by photograph: many photographs show the same page again.
"""

import json
import zlib
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.scene import Canvas, trim
from vision.training.typefaces import Part

UNFIT = frozenset(
    f"image{number}" for number in (1031, 1036, 1038, 1039, 1040, 1043, 1082, 1083, 1087, 115, 118, 1050, 1003)
)
"""Photographs that lie on their side, stand on their head, or are cut beside the figures (seen by eye)."""

_UPSCALE = 3

Page = dict[str, list[Canvas]]
Cell = tuple[int, NDArray[np.uint8]]


def load(folder: Path, part: Part) -> list[Page]:
    """One dictionary a page: figure -> masks (1 is ink), of the pages that belong to one part."""
    pages = []
    for cells in cells_by_page(folder, part):
        page: Page = defaultdict(list)
        for digit, cell in cells:
            mask = ink_mask(cell)
            if mask is not None:
                page[str(digit)].append(mask)
        if page:
            pages.append(dict(page))
    return pages


def cells_by_page(folder: Path, part: Part) -> list[list[Cell]]:
    """The cut-outs as they are, (digit, uint8 (40, 40)) by page, of one part."""
    try:
        index = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
        size, wide, high = int(index["cell"]), int(index["per_row"]), int(index["rows_per_sheet"])
        labels = index["labels"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{folder}: no folder of photographed digits ({error})") from error
    sheets: dict[int, NDArray[np.uint8]] = {}
    photographs: dict[str, list[Cell]] = defaultdict(list)
    for place, label in enumerate(labels):
        if label is None or label[0] is None or label[1] in UNFIT:
            continue
        number, rest = divmod(place, wide * high)
        if number not in sheets:
            read = cv2.imread(str(folder / f"sheet{number}.jpg"), cv2.IMREAD_GRAYSCALE)
            if read is None:
                raise ValueError(f"{folder}/sheet{number}.jpg cannot be read")
            sheets[number] = np.asarray(read, np.uint8)
        row, column = divmod(rest, wide)
        cell = sheets[number][row * size : (row + 1) * size, column * size : (column + 1) * size]
        photographs[str(label[1])].append((int(label[0]), cell))
    pages: dict[str, list[Cell]] = defaultdict(list)
    for cells in photographs.values():
        pages["".join(str(digit) for digit, _ in cells)[:16]] += cells
    return [cells for key, cells in sorted(pages.items()) if _part_of(key) == part]


def _part_of(page: str) -> Part:
    """Six pages in ten train, one calibrates, three test; by the page's own figures, so that it never changes."""
    lot = zlib.crc32(page.encode()) % 10
    return "train" if lot < 6 else "calibrate" if lot < 7 else "test"


def ink_mask(cell: NDArray[np.uint8]) -> Canvas | None:
    """The one figure in a cell as a mask, three times as large; None where the cell is not that clear."""
    large = cv2.resize(cell, None, fx=_UPSCALE, fy=_UPSCALE, interpolation=cv2.INTER_CUBIC).astype(np.float32)
    paper = cv2.GaussianBlur(cv2.dilate(large, np.ones((61, 61), np.uint8)), (0, 0), 12)
    dark = np.clip(1 - large / np.maximum(paper, 1), 0, 1)
    strong = float(np.percentile(dark, 97))
    floor = float(np.percentile(dark, 40))
    if strong - floor < 0.08:
        return None
    dark = np.clip((dark - floor * 1.15) / (strong - floor * 1.15), 0, 1)
    count, marks, stats, _ = cv2.connectedComponentsWithStats((dark > 0.45).astype(np.uint8))
    side = large.shape[0]
    fits = []
    for mark in range(1, count):
        x, y, width, height, _area = stats[mark]
        inside = x > 1 and y > 1 and x + width < side - 1 and y + height < side - 1
        if inside and height > 0.33 * side and width < 0.8 * side and height < 0.95 * side:
            fits.append((abs(x + width / 2 - side / 2), mark))
    if not fits:
        return None
    own = (marks == min(fits)[1]).astype(np.uint8)
    near = cv2.dilate(own, np.ones((9, 9), np.uint8))
    return trim(np.asarray(dark * near, np.float32))
