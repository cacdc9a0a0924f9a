"""Hands by chance: whose they are, and how they reach for something."""

import math
import random
from dataclasses import dataclass

import numpy as np

from vision.drawing.camera import as_point
from vision.drawing.decks import Colour
from vision.drawing.light import Floats
from vision.drawing.places import Placed
from vision.drawing.random_light import some_plastic
from vision.drawing.scene import Hand, MatPlace, RackStand, Scene
from vision.tray.wells import WELL_CENTRES


@dataclass(frozen=True)
class Person:
    """Whose hand it is: its fingers' length in mm, its skin, the sleeve (None: a bare arm)."""

    reach: float
    skin: Colour
    sleeve: Colour | None
    left: bool


def some_person(chance: random.Random) -> Person:
    """Make up a person, as far as a camera sees one."""
    tone = chance.uniform(0.35, 1.05)
    skin = (min(round(150 * tone), 255), min(round(178 * tone), 255), min(round(222 * tone), 255))
    sleeve = some_plastic(chance) if chance.random() < 0.7 else None
    return Person(chance.uniform(70, 95), skin, sleeve, chance.random() < 0.4)


def reaching(chance: random.Random, person: Person, mat: Placed, goal: Floats, angle: float) -> Hand:
    """Let a hand reach for a place (3,) of a mat, in mm of its frame, from a side of it (degrees; -90: the front)."""
    way = np.array([math.cos(math.radians(angle)), math.sin(math.radians(angle)), 0.0])
    wrist = goal + way * person.reach * 1.7 + [0, 0, chance.uniform(15, 45)]
    elbow = wrist + way * chance.uniform(200, 260) + [0, 0, chance.uniform(20, 110)]
    return Hand(
        as_point(mat.world(elbow)),
        as_point(mat.world(wrist)),
        person.reach,
        spread=chance.uniform(3, 18),
        grip=chance.uniform(0.2, 0.7),
        left=person.left,
        skin=person.skin,
        sleeve=person.sleeve,
    )


def some_hand(chance: random.Random, scene: Scene) -> Hand:
    """Make up a hand that reaches for a card: from the player's side over a rack, or from anywhere into the tray."""
    mat = chance.choice(scene.mats)
    goal = some_goal(chance, mat)
    angle = chance.gauss(-90, 25) if isinstance(mat.stand, RackStand) else chance.uniform(0, 360)
    return reaching(chance, some_person(chance), Placed(mat), goal, angle)


def some_goal(chance: random.Random, mat: MatPlace) -> Floats:
    """Choose a place (3,) among a rack's cards or in a tray's wells, in mm of the mat's frame."""
    if isinstance(mat.stand, RackStand):
        return np.array([chance.uniform(125, 205), chance.uniform(55, 185), chance.uniform(62, 85)])
    well = chance.choice(list(WELL_CENTRES.values()))
    return np.array([well[0] + chance.uniform(-30, 30), chance.uniform(80, 130), chance.uniform(10, 40)])
