"""Where an arm over the tray comes from is told in drawn pictures of any tray, before any camera."""

import math
import random
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from calibration.table import Side
from vision.drawing.picture import draw
from vision.drawing.places import Placed
from vision.drawing.random_hands import reaching, some_person
from vision.drawing.random_scenes import Situation, some_scene
from vision.drawing.scene import Scene
from vision.eye import Eye
from vision.frame import Frame
from vision.look import Arm
from vision.reading.digits import NumberReader
from vision.tray.wells import WELL_CENTRES

SIDES = (-90.0, 0.0, 90.0, 180.0)


def reached(scene: Scene, well: Side, side: float, seed: int, height: float = 25.0) -> Scene:
    """The tray with a hand over one of its wells, from a side (degrees in the mat's frame) and so many mm up."""
    chance, (mat,) = random.Random(seed), scene.mats
    goal = np.array([*WELL_CENTRES[well], height])
    return replace(scene, hands=(reaching(chance, some_person(chance), Placed(mat), goal, side),))


def before_an_eye(situation: Situation) -> tuple[Scene, Callable[[Scene, int], Arm | None]]:
    """A drawn tray without hands, and what tells the arm that an eye sees in it, or in the scene as it is later.

    Each picture has noise of its own, by a number.
    """
    camera = next(iter(situation.table.cameras.values()), None)
    eye = Eye(situation.table, range(1, 61), camera, NumberReader())

    def arm_in(shown: Scene, number: int) -> Arm | None:
        tray = eye.look(Frame(draw(replace(shown, photo=replace(shown.photo, seed=number)))), moved=True).tray
        assert tray is not None
        return tray.arm

    return replace(situation.scene, hands=()), arm_in


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 5, 7])
def test_an_arm_is_told_by_the_side_that_it_comes_from(seed: int) -> None:
    scene, arm_in = before_an_eye(some_scene(random.Random(seed), "tray"))
    well: Side = "left" if seed % 2 else "right"
    assert arm_in(scene, 0) is None
    arms = []
    for number, side in enumerate(SIDES):
        arm = arm_in(reached(scene, well, side, seed), 10 + number)
        assert arm is not None, side
        turned = math.degrees(math.atan2(arm.y - 105, arm.x - 148.5)) - side
        assert abs((turned + 180) % 360 - 180) < 55, (side, arm)
        arms.append(arm)
        assert arm_in(scene, 20 + number) is None
    assert all(
        math.hypot(one.x - other.x, one.y - other.y) > 50 for one, other in zip(arms, arms[1:] + arms[:1], strict=True)
    )
