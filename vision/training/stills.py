"""Crops cut from the project's rendered stills by their truth, for judging the reader; nothing is trained on them.

Where a number stands follows TABLE.md, Cards: the numeral's left edge from 5.7 mm (card 1) to 72.7 mm (card 60) on a
card 89 mm wide, figures 5.5..8 mm high and 2..3 mm below the top edge. Quads in the truth are top left, top right,
bottom right, bottom left of whole cards in pixels; the cards of the slots before one hide a part of it.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading.digits import COLUMNS, ROWS

_CARD = (89.0, 56.0)
_FIRST, _LAST = 5.7, 72.7
_ONE_PLACE = 7.0
"""Left edge of the numeral in mm where a deck prints all numbers in one place (measured on the stills)."""
_FIGURE = 4.9
"""Width of a figure in mm, for the numeral's middle (measured on the stills)."""
_PX_PER_MM = 18 / 6.75
_MIDDLE = 5.9
"""Depth of the numeral's middle below the card's edge in mm."""


@dataclass(frozen=True)
class Cut:
    """One crop by the contract. `card` 0: no number stands there. `visible` 0..1: share of the number in view."""

    crop: NDArray[np.uint8]
    card: int
    visible: float
    where: str


def cuts(folder: Path, seed: int, jitter: float = 1.0) -> list[Cut]:
    """Every card's number in every still, cut with some error; and as many places of cards without a number."""
    try:
        lines = (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines()
        truths = [json.loads(line) for line in lines if line.strip()]
    except (OSError, ValueError) as error:
        raise ValueError(f"{folder}/truth.jsonl cannot be read ({error})") from error
    found = []
    for number, truth in enumerate(truths):
        picture = cv2.imread(str(folder / truth["image"]), cv2.IMREAD_GRAYSCALE)
        if picture is None:
            raise ValueError(f"{folder / truth['image']} cannot be read")
        rng = np.random.default_rng([seed, number])
        one_place = _prints_in_one_place(np.asarray(picture, np.uint8), truth)
        for card, quad, front, where in _cards(truth):
            middle = _middle(card, one_place=one_place) if card else rng.uniform(10, 79)
            visible = _visible(quad, front, middle, max(card, 10))
            crop = _cut(np.asarray(picture, np.uint8), quad, middle, rng, jitter)
            found.append(Cut(crop, card, visible, f"{truth['image']} {where}"))
            away = rng.uniform(10, 79)
            if card and abs(away - middle) > 22:
                crop = _cut(np.asarray(picture, np.uint8), quad, away, rng, jitter)
                found.append(Cut(crop, 0, _visible(quad, front, away, 10), f"{truth['image']} {where} beside"))
    return found


def _cards(truth: dict[str, object]) -> Iterator[tuple[int, NDArray[np.float64], list[NDArray[np.float64]], str]]:
    """Each card in a still: its number (0: its back), quad, the quads of the cards in front, and a name."""
    racks, strips = truth["racks"], truth["strips"]
    assert isinstance(racks, dict)  # noqa: S101 - for the type checker
    assert isinstance(strips, dict)  # noqa: S101 - for the type checker
    for seat, slots in racks.items():
        front: list[NDArray[np.float64]] = []
        for slot in slots:
            corners = strips[seat].get(str(slot["slot"]))
            if corners is None:
                continue
            quad = np.array(corners, np.float64)
            yield int(slot.get("card") or 0), quad, list(front), f"slot {slot['slot']}"
            front.append(quad)
    tray = truth["tray"]
    if isinstance(tray, dict) and tray.get("discard") and tray.get("quad"):
        yield int(tray["discard"]), np.array(tray["quad"], np.float64), [], "discard"


def _prints_in_one_place(picture: NDArray[np.uint8], truth: dict[str, object]) -> bool:
    """Whether a still's deck has all numbers at the left: told by where there is print, since the truth is silent."""
    print_at = {True: 0.0, False: 0.0}
    for card, quad, front, _where in _cards(truth):
        for one_place in (True, False) if card > 12 else ():
            middle = _middle(card, one_place=one_place)
            if _visible(quad, front, middle, card) > 0.9:
                crop = _cut(picture, quad, middle, np.random.default_rng(0), 0.0)
                print_at[one_place] += float(crop[8:24, 12:36].std())
    return print_at[True] > print_at[False]


def _middle(card: int, *, one_place: bool) -> float:
    """The numeral's middle in mm from the card's left edge."""
    left = _ONE_PLACE if one_place else _FIRST + (card - 1) * (_LAST - _FIRST) / 59
    return left + _FIGURE * (0.5 if card < 10 else 1.0)


def _to_picture(quad: NDArray[np.float64]) -> NDArray[np.float64]:
    """Card mm (origin top left) to pixels."""
    width, height = _CARD
    card = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(card, quad.astype(np.float32)), np.float64)


def _visible(quad: NDArray[np.float64], front: list[NDArray[np.float64]], middle: float, card: int) -> float:
    """Share of the numeral's box that no card in front hides."""
    half = _FIGURE * (0.5 if card < 10 else 1.0)
    xs, ys = np.meshgrid(np.linspace(middle - half, middle + half, 9), np.linspace(2.6, 9.2, 15))
    points = cv2.perspectiveTransform(np.stack([xs.ravel(), ys.ravel()], axis=1)[None], _to_picture(quad))[0]
    hidden = np.zeros(len(points), bool)
    for other in front:
        outline = other.astype(np.float32).reshape(-1, 1, 2)
        hidden |= [cv2.pointPolygonTest(outline, (float(x), float(y)), measureDist=False) >= 0 for x, y in points]
    return float(1 - hidden.mean())


def _cut(
    picture: NDArray[np.uint8], quad: NDArray[np.float64], middle: float, rng: np.random.Generator, jitter: float
) -> NDArray[np.uint8]:
    """One crop about a place of a card's edge, off by up to a millimetre, a tenth in size and some degrees."""
    x, y = middle + rng.uniform(-1, 1) * jitter, _MIDDLE + rng.uniform(-0.7, 0.7) * jitter
    scale = _PX_PER_MM * (1 + rng.uniform(-0.1, 0.1) * jitter)
    turn = np.radians(rng.uniform(-3, 3) * jitter)
    cos, sin = np.cos(turn) / scale, np.sin(turn) / scale
    to_card = np.array(
        [
            [cos, -sin, x - cos * (COLUMNS - 1) / 2 + sin * (ROWS - 1) / 2],
            [sin, cos, y - sin * (COLUMNS - 1) / 2 - cos * (ROWS - 1) / 2],
            [0, 0, 1],
        ]
    )
    way = _to_picture(quad) @ to_card
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(picture, way, (COLUMNS, ROWS), flags=flags), np.uint8)
