"""Light, cloths, plastics and cameras' ways by chance."""

import math
import random

import numpy as np

from vision.drawing.camera import as_point, unit
from vision.drawing.decks import Colour
from vision.drawing.light import Floats
from vision.drawing.scene import Camera, Cloth, Lamp, Photo, Point, Room

PLASTICS: tuple[Colour, ...] = (
    (35, 35, 205), (150, 55, 30), (20, 175, 235), (95, 30, 70), (60, 60, 60), (150, 190, 215), (120, 150, 60),
    (60, 120, 40), (215, 220, 222),
)  # fmt: skip
CLOTHS: tuple[Colour, ...] = (
    (70, 95, 120), (185, 200, 210), (60, 70, 85), (90, 60, 50), (60, 90, 50), (150, 150, 150), (225, 228, 230),
    (45, 45, 50), (150, 165, 180), (110, 130, 155), (60, 50, 120), (120, 160, 190),
)  # fmt: skip

LOWEST = 150.0
"""No lamp is nearer to the table's plane, in mm: one beside it may stand that low."""


def some_plastic(chance: random.Random) -> Colour:
    """Choose the colour of a rack, a tray or a sleeve."""
    b, g, r = (min(max(round(value * chance.uniform(0.8, 1.15)), 10), 250) for value in chance.choice(PLASTICS))
    return b, g, r


def some_cloth(chance: random.Random) -> Cloth:
    """Choose a table's top."""
    b, g, r = (min(max(round(value * chance.uniform(0.8, 1.2)), 20), 245) for value in chance.choice(CLOTHS))
    return Cloth(
        chance.choice(("plain", "weave", "wood", "wood", "checks")), (b, g, r), chance.uniform(0.1, 0.8),
        chance.uniform(1.5, 9.0), chance.uniform(-180, 180), chance.getrandbits(30),
    )  # fmt: skip


def some_room(chance: random.Random) -> Room:
    """Choose lamps and the light from all sides; together they are about 1 on the table."""
    share = chance.uniform(0.25, 0.85)
    warmth = chance.gauss(0, 0.09)
    ambient = _tinted(chance, 1 - share, warmth + chance.gauss(0, 0.06))
    lamps = [_lamp(chance, share, warmth)]
    if chance.random() < 0.35:
        part = chance.uniform(0.2, 0.5)
        lamps = [_lamp(chance, share * (1 - part), warmth), _lamp(chance, share * part, warmth + chance.gauss(0, 0.1))]
    window = (chance.gauss(0, 1), chance.gauss(0, 1), 0.2) if chance.random() < 0.5 else (0.0, 0.0, 0.0)
    return Room(tuple(lamps), ambient, window)


def _lamp(chance: random.Random, strength: float, warmth: float) -> Lamp:
    """Choose a lamp over the table or beside it: from a desk lamp near by to a light on the ceiling."""
    height = chance.choice((chance.uniform(450, 800), chance.uniform(800, 2200)))
    aside, angle = height * abs(chance.gauss(0, 0.75)), chance.uniform(0, 2 * math.pi)
    at = (150 + aside * math.cos(angle), 100 + aside * math.sin(angle), height)
    radius = height * chance.choice((chance.uniform(0.02, 0.08), chance.uniform(0.08, 0.35)))
    return Lamp(at, _tinted(chance, strength * min(1 + aside / height, 2.0), warmth), radius)


def some_lamp_in_cards(chance: random.Random, place: np.ndarray, camera: Camera, turn: float, lean: float) -> Lamp:
    """Choose a lamp that a camera sees mirrored in cards at a place of the world (mm), nearly.

    The cards lean back by `lean` degrees (90: they lie) on a mat turned by `turn`.
    """
    tilt, around = math.radians(lean + chance.gauss(0, 3)), math.radians(turn + chance.gauss(0, 3))
    normal = np.array([math.sin(around) * math.cos(tilt), -math.cos(around) * math.cos(tilt), math.sin(tilt)])
    to_eye = unit(np.array(camera.at) - place)
    mirrored = 2 * float(to_eye @ normal) * normal - to_eye
    # mirrored in upright cards, a lamp would be under the table: then it stands low behind the camera
    mirrored[2] = max(mirrored[2], 0.12 + chance.uniform(0, 0.2))
    at = place + unit(mirrored) * chance.uniform(500, 1500)
    x, y, z = (float(value) for value in at)
    return Lamp(
        (x, y, max(z, LOWEST)),
        _tinted(chance, chance.uniform(0.15, 0.6), chance.gauss(0, 0.08)),
        chance.uniform(15, 140),
    )


def some_shade(chance: random.Random, room: Room, place: Floats) -> tuple[Point, ...]:
    """Hold something, (4, 3) mm of the world, before the brightest lamp, so that its shadow falls about a place (3,).

    Its shadow is as narrow as a stick's or as broad as a person's.
    """
    lamp = max(room.lamps, key=lambda one: sum(one.light))
    broad = chance.choice((chance.uniform(6, 40), chance.uniform(40, 300)))
    long, angle = chance.uniform(120, 500), chance.uniform(0, 2 * math.pi)
    along, across = np.array([math.cos(angle), math.sin(angle), 0]), np.array([-math.sin(angle), math.cos(angle), 0])
    middle = place + along * long * chance.uniform(-0.5, 0.5) + across * broad * chance.uniform(-0.5, 0.5)
    corners = [middle + along * long * a / 2 + across * broad * b / 2 for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    near = chance.uniform(0.05, 0.35)
    return tuple(as_point(corner + (np.array(lamp.at) - corner) * near) for corner in corners)


def some_photo(chance: random.Random, size: tuple[int, int]) -> Photo:
    """Choose how a camera takes the picture: mostly well, now and then dim, noisy, soft or overexposed."""
    scale = size[1] / 720
    paper = chance.choice((chance.uniform(0.8, 1.05), chance.uniform(0.55, 1.15)))
    if chance.random() < 0.08:
        paper = chance.uniform(0.32, 0.5)
    loud = chance.choices((chance.uniform(0.5, 2.5), chance.uniform(2.5, 6.0), chance.uniform(6.0, 13.0)), (4, 4, 3))[0]
    tint = 0.13 if chance.random() < 0.6 else 0.04
    moved = chance.random() < 0.15
    path = chance.uniform(1.0, 3.2) * scale if moved else 0.0
    way = chance.uniform(0, 2 * math.pi)
    return Photo(
        exposure=paper**2,
        balance=(1 + chance.gauss(0, tint), 1.0 + chance.gauss(0, tint / 3), 1 + chance.gauss(0, tint)),
        contrast=chance.uniform(-0.2, 0.7),
        saturation=chance.uniform(0.75, 1.25),
        vignette=chance.uniform(0.0, 0.4),
        blur=chance.choice((chance.uniform(0.45, 0.8), chance.uniform(0.6, 1.15))) * scale**0.6,
        depth=chance.choice((0.0, chance.uniform(0.3, 1.2))) * scale**0.6,
        focus=chance.uniform(0.2, 0.8),
        motion=(path * math.cos(way), path * math.sin(way)),
        noise=loud * chance.uniform(0.5, 1.0),
        grain=loud * chance.uniform(0.2, 0.9),
        grain_size=round(chance.uniform(1.5, 4.0), 1),
        sharpen=chance.choice((0.0, 0.0, chance.uniform(0.2, 0.9))),
        bloom=chance.choice((0.0, chance.uniform(0.1, 0.6))),
        shade=(chance.uniform(0, 360), chance.choice((0.0, 0.0, chance.uniform(0.2, 0.6)))),
        quality=chance.choices((chance.randint(60, 78), chance.randint(78, 92), chance.randint(90, 97)), (2, 4, 4))[0],
        seed=chance.getrandbits(30),
    )


def _tinted(chance: random.Random, strength: float, warmth: float) -> Point:
    """Give light of a strength, bluer or (warmth above 0) redder."""
    green = 1 + chance.gauss(0, 0.02)
    return strength * (1 - warmth), strength * green, strength * (1 + warmth)
