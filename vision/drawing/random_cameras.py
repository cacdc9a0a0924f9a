"""Cameras by chance: where they stand, and whether a person could read what they see."""

import math
import random
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.drawing.camera import View, as_point
from vision.drawing.decks import Deck
from vision.drawing.places import Placed
from vision.drawing.scene import Camera, Kind, MatPlace, RackStand
from vision.mats import MARKER_CENTRES, MARKER_SIDE

RACK_MIDDLE = np.array([160.0, 110.0, 40.0])
TRAY_MIDDLE = np.array([148.5, 105.0, 5.0])
"""About what a camera looks at, in mm of the mat's frame."""
LEGIBLE = 7.5
"""Height in pixels of the smallest numerals; the smallest of the recorded stills have about 6."""
TRIES = 200
SIZES = ((1280, 720), (1920, 1080))


def some_camera(  # noqa: PLR0913 - the last two narrow chance
    chance: random.Random,
    kind: Kind,
    mats: Sequence[MatPlace],
    deck: Deck,
    *,
    sizes: Sequence[tuple[int, int]] = SIZES,
    finest: float = 0.0,
) -> Camera:
    """Place a camera so that what counts is in the picture, mats perhaps half out of it.

    `finest` are the pixels a mm along a rack's last card that there must be at least.
    """
    for _ in range(TRIES):
        camera = _try_camera(chance, kind, sizes)
        if _shows(camera, kind, mats) and _legible(camera, mats, deck, finest):
            return camera
    return camera


def _try_camera(chance: random.Random, kind: Kind, sizes: Sequence[tuple[int, int]]) -> Camera:
    width, height = chance.choice(sizes) if kind != "wide" else (1920, 1080)
    focal = width * chance.uniform(0.68, 0.98)
    if kind == "tray":
        middle, elevation, around = TRAY_MIDDLE, chance.uniform(52, 88), chance.uniform(-180, 180)
        finest = chance.uniform(1.9, 3.6) if width == 1280 else chance.uniform(2.4, 4.6)
    elif kind == "rack":
        middle, elevation, around = RACK_MIDDLE, chance.uniform(45, 67), chance.gauss(0, 14)
        finest = (
            chance.uniform(2.3, 4.0)
            if width == 1280
            else chance.choice((chance.uniform(2.6, 4.4), chance.uniform(4.0, 6.0)))
        )
    else:
        middle, elevation, around = RACK_MIDDLE, chance.uniform(58, 73), chance.gauss(0, 10)
        finest = chance.uniform(2.4, 3.3)
    away = focal / finest
    up, angle = math.radians(elevation), math.radians(around)
    ray = np.array([math.sin(angle) * math.cos(up), -math.cos(angle) * math.cos(up), math.sin(up)])
    far = np.array([chance.gauss(0, 22), chance.gauss(8, 18), 0.0]) * 3.0 / finest
    if kind == "wide":
        far = np.array([chance.uniform(-60, 60), chance.uniform(90, 190), 0.0])
    at, to = middle + ray * away + far * 0.3, middle + far
    return Camera(
        (width, height), focal,
        ((width - 1) / 2 + chance.gauss(0, 0.006) * width, (height - 1) / 2 + chance.gauss(0, 0.006) * width),
        (chance.uniform(-0.08, 0.03), chance.uniform(-0.02, 0.015)),
        as_point(at), as_point(to), roll=chance.gauss(0, 3) if kind != "tray" else chance.gauss(0, 8),
    )  # fmt: skip


def _shows(camera: Camera, kind: Kind, mats: Sequence[MatPlace]) -> bool:
    """Say whether the rack's or the tray's cards are in the picture, and two markers of each mat that counts."""
    view, (width, height), half = View(camera), camera.size, MARKER_SIDE / 2

    def inside(points: NDArray[np.float64], margin: float) -> NDArray[np.bool_]:
        pixels = view.pixels(points)
        return np.asarray(((pixels > margin) & (pixels < np.array([width, height]) - margin)).all(axis=-1))

    for mat in mats[: 2 if kind == "wide" else 1]:
        placed = Placed(mat)
        if isinstance(mat.stand, RackStand):
            rack = mat.stand.rack
            left, near = rack.at[0] + rack.margin, rack.at[1] + rack.first
            corners = [(x, y, z) for x in (left, left + 95) for y in (near, near + 130) for z in (38, 63)]
        else:
            corners = [(x, y, 5) for x in (46, 251) for y in (70, 140)]
        if not inside(placed.world(np.array(corners, dtype=np.float64)), 6).all():
            return False
        marks = [[(x + a, y + b, 0) for a in (-half, half) for b in (-half, half)] for x, y in MARKER_CENTRES]
        whole = inside(placed.world(np.array(marks, dtype=np.float64)), 3).all(axis=-1)
        if whole.sum() < 2:
            return False
    return True


def _legible(camera: Camera, mats: Sequence[MatPlace], deck: Deck, finest: float) -> bool:
    """Say whether the farthest card's number, foreshortened, is large enough in the picture for a person to read."""
    view = View(camera)
    for mat in mats[:1]:
        if isinstance(mat.stand, RackStand):
            rack, placed = mat.stand.rack, Placed(mat)
            lean = math.radians(rack.lean)
            x, y = rack.at[0] + rack.margin + 44, rack.at[1] + rack.first + 9 * rack.pitch
            ends = [(x, y + h * math.sin(lean), rack.floor + h * math.cos(lean)) for h in (50.0, 50.0 - deck.height)]
            high, low = view.pixels(placed.world(np.array(ends)))
            if np.linalg.norm(high - low) < LEGIBLE:
                return False
            left, right = view.pixels(placed.world(np.array([(x - 44, y, 55.0), (x + 45, y, 55.0)])))
            if np.linalg.norm(right - left) < finest * 89:
                return False
    return True
