"""Reads a loose cut-out of one card's number: each place, tilt and size that it may have, and whether they agree.

A cut-out that shows something else (a scene, a logo, a wall, a number that lies on its side) shall make the reader
unsure. So no single view decides: a number is believed where several views of one place agree, where no other place
shows another number, and where the picture, turned by quarters, does not read better.
"""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading.numbers import CROP_COLUMNS, CROP_ROWS, INK_ROWS

Picture = NDArray[np.uint8]
Read = Callable[[NDArray[np.uint8]], NDArray[np.float64]]
"""Crops (n, 32, 48) in, probabilities (n, 61) out."""
Box = tuple[float, float, float, float]
"""Left, top, width, height in pixels."""

TILTS = (-14.0, -7.0, 0.0, 7.0, 14.0)
WIDTHS = (1.0, 0.65)
"""What a cut-out's width is tried at: as it is, and as of a card seen foreshortened (TABLE.md, Rack: 0.5..0.7)."""
RISES = (-0.4, -0.2, 0.2, 0.4)
"""By how many rows a column a line of print rises, its figures upright, before a camera that stands aside."""
RISEN = 0.45
"""A box about print that rises is higher than the figures, which have at least this share of its height."""
LOW, LONG = 48, 480
"""A strip as long as a card keeps so many rows, or too few were left for its number, but gets no longer than that."""
SIZES = (0.9, 1.1)
AGREEING = 5
"""So many of the eighteen views of a place must agree: the true tilt and its neighbours, at both widths."""
UNLIKELIEST = 1e-5
"""What a view holds to be no likelier than this may still be so: one bad view alone rules nothing out."""
CLEARER = 10
"""A place that reads clearly outvotes others by its likeliest number's probability to this power."""
CUT_OFF = 0.7
"""So much of its probability a number keeps in that vote which the picture's border may cut off."""
LINE, THIN, STAIN = 0.85, 0.16, 0.25
"""A column along the border of which this share differs from the paper, by this share of what ink does (the last), is
no figure's; no more than the second share of a picture is such."""
UPRIGHT_FIRST = 2.0
"""So much, as a logarithm of odds, a cut-out is held to be the right way up."""
TURNED = {"0": "0", "1": "1", "5": "9", "6": "9", "8": "8", "9": "6"}
"""What a figure looks like upside down, and what the nets take a 5 for."""


@dataclass(frozen=True)
class View:
    """How a crop is cut about a box: turned back by degrees, narrowed, at so many times the ink's height.

    `rise` is by how many rows a column the line of print rises, which is taken out with its figures left upright.
    """

    tilt: float
    width: float
    size: float
    rise: float = 0.0


SLANTS = (*((tilt, 0.0) for tilt in TILTS), *((0.0, rise) for rise in RISES))
UPRIGHT = tuple(
    View(tilt, width, SIZES[(i + j) % 2], rise)
    for i, (tilt, rise) in enumerate(SLANTS)
    for j, width in enumerate(WIDTHS)
)
LYING = tuple(View(tilt, 1.0, 1.0) for tilt in (-5.0, 5.0))


def read_cutout(read: Read, grey: Picture) -> NDArray[np.float64]:
    """Give probabilities (61,) for a grey cut-out (h, w) of any size; entry 0 is "no number"."""
    grey = _handy(_without_lines(_handy(grey)))
    boxes = _number_boxes(grey)
    crops = [_crop(grey, box, view) for box in boxes for view in UPRIGHT]
    counts = []
    for quarter in (1, 2, 3):
        turned = np.ascontiguousarray(np.rot90(grey, quarter))
        places = _number_boxes(turned)
        crops += [_crop(turned, box, view) for box in places for view in LYING]
        counts.append(len(places))
    chances = read(np.array(crops, np.uint8))
    upright = chances[: len(boxes) * len(UPRIGHT)].reshape(len(boxes), len(UPRIGHT), -1)
    answer = _clearest(np.array([_agreed(views) for views in upright]), _weights(boxes, grey.shape))
    lying = chances[len(upright) * len(UPRIGHT) :].reshape(-1, len(LYING), chances.shape[1]).mean(axis=1)
    ends = np.cumsum(counts)
    others = np.array([lying[end - count : end].max(axis=0) for end, count in zip(ends, counts, strict=True)])
    return _against(answer, others)


def _agreed(views: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give what the best views of one place (n, 61) say together: the mean of their logarithms."""
    best = np.argsort(views[:, 0])[:AGREEING]
    together = np.exp(np.log(views[best] + UNLIKELIEST).mean(axis=0))
    return np.asarray(together / together.sum(), np.float64)


def _weights(boxes: list[Box], shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Give each place's weight: less where the border may cut its number off."""
    rows, columns = shape
    cut = [x <= 1 or y <= 1 or x + wide >= columns - 1 or y + high >= rows - 1 for x, y, wide, high in boxes]
    return np.where(cut, CUT_OFF, 1.0)


def _clearest(agreed: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give what the place says that shows a number most clearly, less what others show of other numbers.

    `agreed` is (places, 61), `weights` (places,). A place without a number, or one that shows the same number less
    clearly, takes nothing away.
    """
    cards = agreed[:, 1:]
    votes = (cards * weights[:, None]).max(axis=0) ** CLEARER
    answer = np.zeros(agreed.shape[1])
    answer[1:] = cards[:, votes.argmax()].max() * votes / max(float(votes.sum()), 1e-300)
    answer[0] = 1 - answer[1:].sum()
    return answer


def _against(answer: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """Doubt an answer as far as the picture, turned by 1, 2, 3 quarters (3, 61), reads as another number."""
    card = int(answer[1:].argmax()) + 1
    rivals = others[:, 1:].copy()
    rivals[:, card - 1] = 0
    upside_down = _upside_down(card)
    if upside_down is not None:
        rivals[1, upside_down - 1] = 0
    up = 1 / (1 + np.exp(_odds(float(rivals.max())) - _odds(float(answer[card])) - UPRIGHT_FIRST))
    doubted = np.asarray(answer * up, np.float64)
    doubted[0] += 1 - doubted.sum()
    return doubted


def _odds(chance: float) -> float:
    """Give the logarithm of a probability's odds, within what a reader can know."""
    chance = min(max(chance, 0.002), 0.998)
    return float(np.log(chance / (1 - chance)))


def _upside_down(card: int) -> int | None:
    """Give the card that a card's number looks like upside down, None where there is none."""
    text = "".join(TURNED.get(figure, "?") for figure in reversed(str(card)))
    return int(text) if text.isdigit() and not text.startswith("0") and int(text) <= 60 else None


def _without_lines(grey: Picture) -> Picture:
    """The picture without a printed line or a shadow along its border, which could be taken for a 1."""
    for _ in range(4):
        columns = grey.shape[1]
        away = np.abs(grey - float(np.median(grey)))
        along = (away > STAIN * float(np.percentile(away, 97))).mean(axis=0) >= LINE
        cut = int(np.argmin(along[::-1]))
        if 0 < cut <= THIN * columns:
            grey = grey[:, : columns - cut]
        grey = np.ascontiguousarray(np.rot90(grey))
    return grey


def _binaries(grey: Picture) -> list[Picture]:
    """What may be ink: dark or light, by one threshold for all and by the neighbourhood."""
    block = min(max(grey.shape) // 3, *grey.shape) | 1
    found = []
    for picture in (grey, 255 - grey):
        found.append(cv2.threshold(picture, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)[1])
        found.append(cv2.adaptiveThreshold(picture, 255, cv2.ADAPTIVE_THRESH_GAUSSIAN_C, cv2.THRESH_BINARY, block, -8))
    return [np.asarray(binary, np.uint8) for binary in found]


def _handy(grey: Picture) -> Picture:
    """The picture with its longer side brought to 96..192 pixels; a low one stays longer."""
    longer, shorter = max(grey.shape), min(grey.shape)
    factor = min(1.0, max(192 / longer, min(LOW / shorter, LONG / longer))) if longer > 96 else 96 / longer
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    size = (max(4, round(grey.shape[1] * factor)), max(4, round(grey.shape[0] * factor)))
    return np.asarray(cv2.resize(grey, size, interpolation=way), np.uint8)


def _number_boxes(grey: NDArray[np.uint8]) -> list[Box]:
    """Where a number may stand: single marks of a figure's shape, pairs of them, and the picture as a whole."""
    rows, columns = grey.shape
    singles: list[Box] = []
    pairs: list[Box] = []
    for binary in _binaries(grey):
        stats = cv2.connectedComponentsWithStats(binary)[2][1:]
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


def _crop(grey: Picture, box: Box, view: View) -> Picture:
    """A crop by the contract about a box; what lies beyond the picture's border looks as its border does."""
    tall = box[3] if view.rise == 0.0 else max(box[3] - abs(view.rise) * box[2], RISEN * box[3])
    scale = min(view.size * INK_ROWS / tall, (CROP_COLUMNS - 4) / (box[2] * view.width))
    if scale < 1:
        grey = np.asarray(cv2.GaussianBlur(grey, (0, 0), 0.4 / scale), np.uint8)
    cos, sin = np.cos(np.radians(view.tilt)), np.sin(np.radians(view.tilt))
    way = np.zeros((2, 3))
    way[:, :2] = scale * np.array([[cos * view.width, sin * view.width], [view.rise - sin, cos]])
    middle = np.array([box[0] + box[2] / 2, box[1] + box[3] / 2])
    way[:, 2] = np.array([(CROP_COLUMNS - 1) / 2, (CROP_ROWS - 1) / 2]) - way[:, :2] @ middle
    crop = cv2.warpAffine(grey, way, (CROP_COLUMNS, CROP_ROWS), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(crop, np.uint8)
