"""Labelled crops from drawn tables: found and cut by vision.reading.numbers as at a table, named by the truth.

Cards are cut by their true corners with the errors that a finder makes, several times each: what the reader meets at a
table is this and not the ideal crop. 0 is "no number here": places beside the number, logos, facts, backs.

`python -m vision.training.drawn OUT.npz --pictures N --seed S` keeps them in a file for vision.training.train.
"""

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.drawing.picture import SeenCard, draw_with_truth
from vision.drawing.random_scenes import some_scene
from vision.picture import grey_of
from vision.rack.planes import ASIDE
from vision.reading.ink import find_ink
from vision.reading.numbers import RACK_BAND, TRAY_BAND, TYPICAL_HEIGHT, Ink, cut_number
from vision.rectify import SCALE, rectify
from vision.training import typefaces

CUTS = 3
"""So often is each card cut, each time a little differently."""
SHOWN, HIDDEN = 0.5, 0.15
"""A number of which more is in view than the first is to be read, of which less than the second is none."""
ABOVE, BELOW = 3.0, 14.0
"""A cut shows so many mm above and below a card's top edge."""
BESIDE = 0.35
"""In so many cuts a place beside the number is taken, too."""

Labelled = tuple[NDArray[np.uint8], int]
Box = tuple[float, float, float, float]


def crops(seed: str, faces: Sequence[str], pictures: int) -> Iterator[Labelled]:
    """Draw so many pictures with typefaces (paths of font files) and give their crops (32, 48) with labels 0..60."""
    for number in range(pictures):
        chance = random.Random(f"{seed}/{number}")  # noqa: S311 - pictures, no secrets
        scene = some_scene(chance, typefaces=faces).scene
        drawn = draw_with_truth(scene)
        grey, rng = grey_of(drawn.picture), np.random.default_rng(chance.getrandbits(40))
        size = (scene.card.width, scene.card.height)
        for (seat, slot, _), card in drawn.cards.items():
            nearer = [other.quad for (at, before, _), other in drawn.cards.items() if at == seat and before < slot]
            for _ in range(CUTS):
                yield from _of_card(rng, grey, card, nearer, size)
        if drawn.discard is not None:
            for _ in range(2 * CUTS):
                yield from _of_card(rng, grey, drawn.discard, [], size, loose=True)


def _of_card(  # noqa: PLR0913 - a card, what hides it, and how it is cut
    rng: np.random.Generator,
    grey: NDArray[np.uint8],
    card: SeenCard,
    nearer: Sequence[NDArray[np.float64]],
    size: tuple[float, float],
    *,
    loose: bool = False,
) -> Iterator[Labelled]:
    """Cut one card as a finder that errs would, find ink on it, and name what was found."""
    face = _misjudged(rng, size, 1.5 if loose else 1.0)
    to_face = np.asarray(cv2.getPerspectiveTransform(card.quad.astype(np.float32), face.astype(np.float32)), np.float64)
    quad = _through(np.asarray(np.linalg.inv(to_face), np.float64), _corners(-ASIDE, -ABOVE, size[0] + ASIDE, BELOW))
    if quad.min() < -40 or (quad > np.array(grey.shape[::-1]) + 40).any():
        return
    width, height = round((size[0] + 2 * ASIDE) * SCALE), round((ABOVE + BELOW) * SCALE)
    strip = rectify(grey, quad, (width, height))
    shown = _shown(to_face, nearer, width, size)
    number = _box(_through(to_face, card.number)) if card.card else None
    origin, band = (ASIDE * SCALE, ABOVE * SCALE), TRAY_BAND if loose else RACK_BAND
    (inks,) = find_ink([(strip, shown)], origin, size[0], band)
    common = TYPICAL_HEIGHT if number is None else number[3] - number[1]
    for ink in inks[:2]:
        name = _name(card, number, ink)
        if name is not None:
            yield cut_number(strip, origin, _shaken(rng, ink), common * float(rng.uniform(0.85, 1.2))), name
    # a place where nothing was found: the finder errs there as well
    x, y = rng.uniform(0, size[0] - 5), rng.uniform(-1, 6)
    if rng.random() < BESIDE and (
        number is None or abs(x - (number[0] + number[2]) / 2) > 10 + (number[2] - number[0]) / 4
    ):
        yield cut_number(strip, origin, Ink(x, y, x + 5, y + common, 0.0, cut=False), common), 0


def _misjudged(rng: np.random.Generator, size: tuple[float, float], more: float) -> NDArray[np.float64]:
    """Give where in mm a finder that errs would see a card's corners (4, 2): off, turned, too long or too short."""
    off = np.column_stack([rng.normal(0, 1.0, 4), rng.normal(0, 0.35, 4)]) * 0.4
    off += np.array([rng.normal(0, 0.9), rng.normal(0, 0.7)]) * more
    corners = _corners(0.0, 0.0, *size) + off
    # a wrong lean makes the card look higher or lower, and a wrong slide slants it
    middle = np.array([size[0] / 2, 0.0])
    lean = np.array([[1.0, rng.normal(0, 0.05)], [rng.normal(0, 0.008), np.exp(rng.normal(0, 0.1))]])
    return np.asarray((corners - middle) @ lean.T + middle)


def _name(card: SeenCard, number: Box | None, ink: Ink) -> int | None:
    """Say what stands in a box: a card's number, none (0), or nobody can tell (None)."""
    if number is None or card.seen <= HIDDEN:
        return 0
    across = abs((ink.left + ink.right) - (number[0] + number[2])) / 2
    down = abs((ink.top + ink.bottom) - (number[1] + number[3])) / 2
    wide = number[2] - number[0]
    if across < 1.0 + 0.25 * wide and (down < 2.2 or ink.cut):
        return card.card if card.seen >= SHOWN else None
    # what is beside the number and leaves a good part of it out of the crop is no number
    return 0 if across > 8.0 + wide / 4 or down > 9.0 else None


def _shaken(rng: np.random.Generator, ink: Ink) -> Ink:
    x, y = rng.normal(0, 0.35), rng.normal(0, 0.3)
    return Ink(ink.left + x, ink.top + y, ink.right + x, ink.bottom + y, ink.contrast, ink.cut)


def _shown(
    to_face: NDArray[np.float64], nearer: Sequence[NDArray[np.float64]], width: int, size: tuple[float, float]
) -> NDArray[np.float64]:
    """Give the mm of card in view for each column of a cut; nearer cards' quads are in pixels."""
    columns = np.arange(width) / SCALE - ASIDE
    shown = np.full(width, size[1])
    for quad in nearer:
        (x0, y0), (x1, y1) = _through(to_face, quad[:2])
        inside = (columns >= x0 - 2) & (columns <= x1 + 2)
        shown[inside] = np.minimum(shown[inside], np.interp(columns[inside], [x0, x1], [y0, y1]))
    return np.asarray(np.clip(shown, 0.0, size[1]))


def _corners(left: float, top: float, right: float, bottom: float) -> NDArray[np.float64]:
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])


def _through(matrix: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(cv2.perspectiveTransform(points[None].astype(np.float64), matrix)[0], np.float64)


def _box(points: NDArray[np.float64]) -> Box:
    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
    return float(left), float(top), float(right), float(bottom)


def main() -> int:
    """Draw and write."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.drawn", description=__doc__)
    parser.add_argument("out", type=Path, help="file to write (.npz)")
    parser.add_argument("--part", choices=("train", "calibrate", "test"), default="train", help="of the typefaces")
    parser.add_argument("--pictures", type=int, default=800, help="0.7 s and some 35 crops each (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    begin = time.process_time()
    faces = typefaces.files(options.part)
    labelled = list(crops(f"{options.part}/{options.seed}", faces, options.pictures))
    labels = np.array([label for _, label in labelled], np.int64)
    np.savez(options.out, crops=np.array([crop for crop, _ in labelled], np.uint8), labels=labels)
    share = float((labels > 0).mean())
    print(f"{len(labels)} crops, {100 * share:.0f}% with a number, {time.process_time() - begin:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
