"""What is over a mat has come over its rim, or it is a shadow."""

import random
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.table import MAT_SIZE
from tests.vision.test_arm import SIDES, reached
from tests.vision.test_swapped_piles import eye_for
from vision.drawing.picture import draw
from vision.drawing.random_scenes import Situation, shaded, some_scene
from vision.drawing.scene import Scene
from vision.frame import Frame
from vision.fuse import sure
from vision.mats import TRAY
from vision.pose import Lens, Pose
from vision.rim import LONG, RACK_RIM, TRAY_RIM, WIDE, Rim, _has_run

TELLING = (0, 1, 3, 7, 8, 9)
"""Seeds of drawn trays, whole or cut off by the picture, whose table is darker than their paper."""

LIGHT = (33, 37, 38)
"""Of drawn trays on a table nearly as light as their paper, where arms once passed for shadows."""


def again(scene: Scene, number: int) -> Frame:
    """A picture of the scene with noise of its own."""
    return Frame(draw(replace(scene, photo=replace(scene.photo, seed=number))))


def bare_tray(seed: int) -> Situation:
    situation = some_scene(random.Random(seed), "tray")
    return replace(situation, scene=replace(situation.scene, hands=()))


def rim_of(seed: int) -> tuple[Rim, NDArray[np.uint8]]:
    """A drawn tray's rim, and its halved picture."""
    situation = bare_tray(seed)
    eye, frame = eye_for(situation.table), again(situation.scene, 1)
    eye.look(frame)
    return Rim(eye.poses[TRAY], (frame.half.shape[1], frame.half.shape[0]), TRAY_RIM), frame.half


@pytest.mark.slow
@pytest.mark.parametrize("seed", [*TELLING, *LIGHT])
def test_no_arm_from_any_side_is_taken_for_a_shadow(seed: int) -> None:
    situation = bare_tray(seed)
    eye = eye_for(situation.table)
    assert not eye.look(again(situation.scene, 1)).hands
    for number, side in enumerate(SIDES):
        arm = reached(shaded(random.Random(seed), situation.scene), "left", side, seed)
        assert eye.look(again(arm, 2 + number), moved=True).hands == {TRAY}, side


@pytest.mark.slow
def test_of_shadows_that_fall_and_sway_about_half_hide_nothing_from_the_first_look_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Before a rim was asked each was a hand for as long as it swayed; a drawn game of four lost its thread so."""

    def told() -> int:
        count = 0
        for seed in TELLING:
            situation = bare_tray(seed)
            eye, shade = eye_for(situation.table), shaded(random.Random(seed), situation.scene)
            before = eye.look(again(situation.scene, 1)).tray
            look = eye.look(again(shade, 2), moved=True)
            assert before is not None
            if not look.hands and look.tray is not None:
                count += 1
                assert sure(look.tray.discard) in {sure(before.discard), None}
        return count

    with_rim = told()
    monkeypatch.setattr(Rim, "may_be_crossed", lambda *_: True)
    assert with_rim >= told() + 3


def test_a_rim_tells_nothing_where_the_table_is_as_bright_as_paper() -> None:
    rim, half = rim_of(TELLING[0])
    assert not rim.may_be_crossed(half, half)
    blank = np.full_like(half, 200)
    assert rim.may_be_crossed(blank, blank)


@pytest.mark.parametrize("seed", TELLING)
def test_a_light_that_fades_everywhere_crosses_no_rim_nor_the_border_that_cuts_a_mat_off(seed: int) -> None:
    rim, half = rim_of(seed)
    assert not rim.may_be_crossed((half * 0.75).astype(np.uint8), half)


@pytest.mark.parametrize("beyond", [3, 20], ids=["out of view", "in view"])
def test_an_arm_is_noticed_whether_or_not_the_table_beside_the_mat_is_in_view(beyond: int) -> None:
    """From straight above, 2 px a mm: the picture ends so many mm before the mat's near edge."""
    across, deep = (round(side) for side in MAT_SIZE)
    matrix = np.array([[4.0, 0.0, 80.0], [0.0, 4.0, 4.0 * (deep + 20)], [0.0, 0.0, 1.0]])
    pose = Pose(Lens(matrix, np.zeros(5)), np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, 1.0]), 0.0)
    bare = np.full((2 * (deep + 20 + beyond), 2 * (across + 40)), 80, np.uint8)
    bare[40 : 2 * (deep + 20), 40 : 2 * (across + 20)] = 200
    rim = Rim(pose, (bare.shape[1], bare.shape[0]), RACK_RIM)
    arm = bare.copy()
    arm[300:, 300:380] = 120
    assert rim.may_be_crossed(arm, bare)
    assert not rim.may_be_crossed((bare * 0.7).astype(np.uint8), bare)


def test_neighbours_are_those_of_one_side() -> None:
    those = np.array([False] * 4 + [True] * WIDE + [False] * 4)
    assert _has_run(those, [len(those)], WIDE)
    assert not _has_run(those, [8, len(those)], WIDE)
    assert not _has_run(those[:0], [0], LONG)
