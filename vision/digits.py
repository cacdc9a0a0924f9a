"""The reader of card numbers: crops in, a probability for each of the sixty numbers and for "no number here" out.

Crop contract: uint8 grey, 32 rows x 48 columns, the number (one or two figures) roughly in the middle, foreshortening
removed, ink about 18 rows high (13..24 works), dark on light or light on dark. The model is a small convolutional net
in ONNX, trained by vision/training on synthetic crops and photographed figures (wichtounet/sudoku_dataset, CC BY 4.0).
"""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import TableError

ROWS, COLUMNS = 32, 48
INK = 18
"""Ink height in a crop by the contract, in rows."""
CLASSES = 61
"""Column 0 is "no number here", columns 1..60 are the cards."""
MODEL = Path(__file__).with_name("number_reader.onnx")

_BATCH = 64
_CUT = 46
"""Pixels at either end of a crop's brightness that do not count for its contrast: 3 of 100."""
_LEAST_SPREAD = 12.0
"""Grey levels; a crop with less contrast is not stretched further, or its noise would look like print."""

_TURNS = (-14.0, -7.0, 0.0, 7.0, 14.0)
_WIDTHS = (1.0, 0.65)
"""What a cut-out's width is tried at: as it is, and as of a card seen foreshortened (TABLE.md, Rack: 0.5..0.7)."""
_SIZES = (0.9, 1.1)

Box = tuple[float, float, float, float]
"""Left, top, width, height in pixels."""


class ReaderError(TableError):
    """The number reader cannot be used: which model file, and what to do."""


class NumberReader:
    """Reads crops with one net of its own. Not to be shared between threads: make one a thread.

    Raises ReaderError where the model is missing or broken.
    """

    def __init__(self, model: Path | None = None) -> None:
        self._net = _load(MODEL if model is None else model)

    def read(self, crops: Sequence[NDArray[np.uint8]] | NDArray[np.uint8]) -> NDArray[np.float64]:
        """Probabilities (n, 61) of n crops (32, 48) uint8; each row sums to 1. No crops give (0, 61).

        Raises ReaderError for crops of another shape or type.
        """
        if len(crops) == 0:
            return np.zeros((0, CLASSES))
        for crop in crops:
            if crop.shape != (ROWS, COLUMNS) or crop.dtype != np.uint8:
                raise ReaderError(f"a crop must be uint8 of {ROWS} x {COLUMNS}, not {crop.dtype} of {crop.shape}")
        prepared = normalise(np.asarray(crops, np.uint8))
        parts = []
        for start in range(0, len(prepared), _BATCH):
            self._net.setInput(prepared[start : start + _BATCH])
            parts.append(np.array(self._net.forward(), np.float64).reshape(-1, CLASSES))
        scores = np.concatenate(parts)
        exponents = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(exponents / exponents.sum(axis=1, keepdims=True))

    def read_cutout(self, picture: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Probabilities (61,) for a loose cut-out of one card's number, uint8 grey (h, w) or BGR (h, w, 3), any size.

        The number may be dark or light and tilted by some 15 degrees; every place, size and tilt that it may have is
        read, and where readings contradict each other the result is unsure. Raises ReaderError for another shape.
        """
        if picture.dtype != np.uint8 or picture.ndim not in {2, 3} or picture.size == 0:
            raise ReaderError(f"a cut-out must be a grey or BGR picture of uint8, not {picture.dtype} {picture.shape}")
        grey = picture if picture.ndim == 2 else np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
        grey = _handy(grey)
        views = [(box, turn, width) for box in _number_boxes(grey) for turn in _TURNS for width in _WIDTHS]
        crops = [_crop(grey, *view, size) for view in views for size in _SIZES]
        scores = self.read(crops).reshape(len(views), len(_SIZES), CLASSES).mean(axis=1)
        # A view without a number says nothing about the others; views that clearly show one must agree.
        weights = scores[:, 1:].max(axis=1) ** 10 + 1e-6
        return np.asarray(weights @ scores / weights.sum())


def normalise(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Crops (n, 32, 48) uint8 as the net's input (n, 1, 32, 48) float32: contrast stretched, print dark.

    Which of the two tones is print is told by the rarer one, so a crop and its negative give the same input.
    """
    flat = crops.reshape(len(crops), -1)
    last = flat.shape[1] - 1
    ranked = np.partition(flat, [_CUT, last // 2, last // 2 + 1, last - _CUT], axis=1).astype(np.float32)
    middle = (ranked[:, last // 2] + ranked[:, last // 2 + 1]) / 2
    spread = np.maximum(ranked[:, last - _CUT] - ranked[:, _CUT], np.float32(_LEAST_SPREAD))
    values = np.clip((flat.astype(np.float32) - middle[:, None]) / spread[:, None], -1.5, 1.5)
    bright_print = (values * values * values).sum(axis=1) > 0
    values[bright_print] *= -1
    return np.asarray(values.reshape(-1, 1, ROWS, COLUMNS), np.float32)


def _handy(grey: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture with its longer side brought to 96..192 pixels."""
    longer = max(grey.shape)
    factor = min(1.0, 192 / longer) if longer > 96 else 96 / longer
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    size = (max(4, round(grey.shape[1] * factor)), max(4, round(grey.shape[0] * factor)))
    return np.asarray(cv2.resize(grey, size, interpolation=way), np.uint8)


def _number_boxes(grey: NDArray[np.uint8]) -> list[Box]:
    """Where a number may stand: single marks of a figure's shape, pairs of them, and the picture as a whole."""
    rows, columns = grey.shape
    block = (max(rows, columns) // 3) | 1
    binaries = []
    for picture in (grey, 255 - grey):
        binaries.append(cv2.threshold(picture, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)[1])
        binaries.append(
            cv2.adaptiveThreshold(picture, 255, cv2.ADAPTIVE_THRESH_GAUSSIAN_C, cv2.THRESH_BINARY, block, -8)
        )
    singles: list[Box] = []
    pairs: list[Box] = []
    for binary in binaries:
        stats = cv2.connectedComponentsWithStats(np.asarray(binary, np.uint8))[2][1:]
        marks = [
            (float(x), float(y), float(width), float(height))
            for x, y, width, height, area in stats
            if height > max(7, 0.14 * rows) and width < 3 * height and area > 0.12 * width * height
        ]
        marks = sorted(marks, key=lambda mark: -mark[3])[:5]
        singles += marks
        pairs += [_union(left, right) for left in marks for right in marks if _side_by_side(left, right)]
    # One figure of a pair would be read as a number of its own: the worst way to be wrong.
    singles = [mark for mark in singles if not any(_holds(pair, mark) for pair in pairs)]
    whole: list[Box] = [
        (columns * (1 - share) / 2, rows * (1 - share) / 2, columns * share, rows * share) for share in (0.95, 0.7, 0.5)
    ]
    return [*_distinct([*pairs, *singles])[:9], *whole]


def _side_by_side(left: Box, right: Box) -> bool:
    """Whether two marks may be the two figures of one number."""
    tall, small = max(left[3], right[3]), min(left[3], right[3])
    gap = right[0] - (left[0] + left[2])
    level = abs((right[1] + right[3] / 2) - (left[1] + left[3] / 2))
    return right[0] > left[0] and small > 0.7 * tall and -0.3 * tall < gap < 0.9 * tall and level < 0.6 * tall


def _holds(outer: Box, inner: Box) -> bool:
    """Whether the middle of one box lies in another."""
    x, y = inner[0] + inner[2] / 2 - outer[0], inner[1] + inner[3] / 2 - outer[1]
    return 0 <= x <= outer[2] and 0 <= y <= outer[3] and inner[2] < 0.95 * outer[2]


def _union(one: Box, other: Box) -> Box:
    left, top = min(one[0], other[0]), min(one[1], other[1])
    right, bottom = max(one[0] + one[2], other[0] + other[2]), max(one[1] + one[3], other[1] + other[3])
    return left, top, right - left, bottom - top


def _distinct(boxes: list[Box]) -> list[Box]:
    """The boxes without those that nearly equal one before them; pairs come before their parts."""
    kept: list[Box] = []
    for box in sorted(boxes, key=lambda box: -box[2] * box[3]):
        near = 0.12 * box[3]
        if all(max(abs(a - b) for a, b in zip(box, other, strict=True)) > near for other in kept):
            kept.append(box)
    return kept


def _crop(grey: NDArray[np.uint8], box: Box, turn: float, width: float, size: float) -> NDArray[np.uint8]:
    """A crop by the contract about a box: turned back by degrees, narrowed, `size` times the ink height."""
    scale = min(size * INK / box[3], (COLUMNS - 4) / (box[2] * width))
    if scale < 1:
        grey = np.asarray(cv2.GaussianBlur(grey, (0, 0), 0.4 / scale), np.uint8)
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    way = np.zeros((2, 3))
    way[:, :2] = scale * np.array([[cos * width, sin * width], [-sin, cos]])
    way[:, 2] = np.array([(COLUMNS - 1) / 2, (ROWS - 1) / 2]) - way[:, :2] @ [box[0] + box[2] / 2, box[1] + box[3] / 2]
    paper = float(np.median(grey))
    crop = cv2.warpAffine(grey, way, (COLUMNS, ROWS), borderMode=cv2.BORDER_CONSTANT, borderValue=paper)
    return np.asarray(crop, np.uint8)


def _load(model: Path) -> cv2.dnn.Net:
    advice = "install racko again, or train it anew (vision/training/README.md)"
    if not model.is_file():
        raise ReaderError(f"{model}: the number reader's model is missing; {advice}")
    try:
        net = cv2.dnn.readNetFromONNX(str(model))
        net.setInput(np.zeros((1, 1, ROWS, COLUMNS), np.float32))
        shape = np.asarray(net.forward()).shape
    except cv2.error as error:
        raise ReaderError(f"{model}: the number reader's model is broken; {advice}") from error
    if shape != (1, CLASSES):
        raise ReaderError(f"{model}: the model answers {shape} instead of (1, {CLASSES}); {advice}")
    return net
