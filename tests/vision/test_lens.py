"""The lens that a picture was taken with: what was measured of it, or what the mats' markers tell."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.table import CameraModel
from tests.vision.drawing import CAMERA, HEIGHT, WIDTH, Eye, draw_mat, empty_table
from tests.vision.test_printed import cards_in, readable, told
from tests.vision.test_swapped_piles import eye_for
from vision.drawing.picture import draw
from vision.drawing.random_scenes import Situation
from vision.drawing.scene import Scene
from vision.eye import OTHER_CAMERA
from vision.frame import Frame
from vision.lens import lens_of
from vision.mats import Mat, find_mats, marker_corners
from vision.picture import grey_of
from vision.pose import Lens, Pose

SIZE = (WIDTH, HEIGHT)
COMMON, WIDE = 1000.0, 650.0
"""Focal lengths in pixels."""
BLUR = 0.3
"""So many pixels a blurred marker's corners are drawn towards its middle."""


def lens(focal: float, bend: float = 0.0, second: float = 0.0) -> Lens:
    camera = measured(focal, bend, second)
    return Lens(np.array(camera.matrix), np.array(camera.distortion))


def measured(focal: float, bend: float = 0.0, second: float = 0.0) -> CameraModel:
    return replace(CAMERA, matrix=((focal, 0, 639.5), (0, focal, 359.5), (0, 0, 1)), distortion=(bend, second, 0, 0, 0))


def pose(through: Lens, at: tuple[float, float], tilt: float) -> Pose:
    """A mat whose middle is seen at some mm beside the picture's, as tall as the picture is, tilted by degrees."""
    turned = cv2.Rodrigues(np.array([np.radians(180 - tilt), 0.0, 0.0]))[0]
    away = np.array([*at, 0.5 * through.matrix[0, 0]])
    return Pose(through, np.asarray(turned), away - turned @ np.array([148.5, 105.0, 0.0]), 0.0)


def shown(through: Lens, *, curl: float = 0.0, seed: int = 1) -> list[Mat]:
    """Two mats as a blurred and noisy picture shows their markers; with `curl`, their corners are up by some mm."""
    chance = np.random.default_rng(seed)
    return [
        mat(pose(through, at, 35.0), number, curl, chance) for number, at in enumerate([(-30.0, 0.0), (120.0, 60.0)])
    ]


def mat(lies: Pose, number: int, curl: float, chance: np.random.Generator) -> Mat:
    markers = {}
    for place in range(4):
        corners = marker_corners(place)
        up = curl * np.square(np.abs(corners / (297.0, 210.0) - 0.5).sum(axis=1, keepdims=True))
        seen = lies.project(np.hstack([corners, up]))
        markers[place] = inset(seen) + chance.normal(0, 0.15, (4, 2))
    return Mat(number, markers)


def inset(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    inwards = corners.mean(axis=0) - corners
    return np.asarray(corners + BLUR * np.sqrt(2) * inwards / np.linalg.norm(inwards, axis=1, keepdims=True))


@pytest.mark.parametrize("focal", [WIDE, COMMON, 1500.0])
@pytest.mark.parametrize("bends", [(-0.25, 0.05), (-0.05, 0.0), (0.0, 0.0), (0.15, 0.0)])
def test_focal_length_and_distortion_come_from_the_mats(focal: float, bends: tuple[float, float]) -> None:
    true = lens(focal, *bends)
    guessed = lens_of(shown(true), SIZE, None)
    assert not guessed.calibrated
    assert guessed.matrix[0, 0] == pytest.approx(focal, rel=0.05)
    corners = np.array([[200.0, 100.0], [1000.0, 600.0], [640.0, 60.0]])
    straight, right = (cv2.undistortPoints(corners, one.matrix, one.distortion).ravel() for one in (guessed, true))
    assert straight * guessed.matrix[0, 0] == pytest.approx(right * focal, rel=0.04, abs=2.0)


def test_blur_that_draws_markers_in_is_no_bend() -> None:
    assert abs(lens_of(shown(lens(COMMON)), SIZE, None).distortion[0]) < 0.04


@pytest.mark.parametrize("curl", [0.0, 8.0])
def test_what_was_measured_counts_even_where_the_mats_curl(curl: float) -> None:
    found = lens_of(shown(lens(COMMON, -0.08), curl=curl), SIZE, measured(COMMON, -0.08))
    assert found.calibrated
    assert found.matrix[0, 0] == COMMON


@pytest.mark.parametrize("other", [measured(1.25 * COMMON), measured(0.8 * COMMON), measured(COMMON, -0.3)])
def test_what_was_measured_of_another_camera_does_not_count(other: CameraModel) -> None:
    found = lens_of(shown(lens(COMMON)), SIZE, other)
    assert not found.calibrated
    assert found.matrix[0, 0] == pytest.approx(COMMON, rel=0.05)


def test_a_matrix_is_scaled_to_the_pictures_size_and_ignored_for_other_proportions() -> None:
    found = lens_of((), (1920, 1080), CAMERA)
    assert found.calibrated
    assert found.matrix[0, 0] == pytest.approx(1500.0)
    assert not lens_of((), (1000, 1000), CAMERA).calibrated


def test_without_mats_a_lens_is_a_common_webcams() -> None:
    assert lens_of((), SIZE, None).matrix[0, 0] == pytest.approx(0.8 * WIDTH)
    one = replace(shown(lens(WIDE))[0], markers={0: marker_corners(0)})
    assert lens_of([one], SIZE, None).matrix[0, 0] == pytest.approx(0.8 * WIDTH)


def test_a_corner_that_was_not_seen_is_done_without() -> None:
    mats = shown(lens(WIDE, -0.2, 0.04))
    for one in mats:
        one.markers[2][1] = np.nan
    found = lens_of(mats, SIZE, None)
    assert found.matrix[0, 0] == pytest.approx(WIDE, rel=0.1)
    assert found.distortion[0] == pytest.approx(-0.2, abs=0.06)


def test_the_focal_length_is_found_in_a_drawn_picture() -> None:
    picture = empty_table()
    draw_mat(picture, 2, Eye(at=(220.0, -260.0, 300.0)))
    found = lens_of(find_mats(grey_of(picture)), SIZE, None)
    assert not found.calibrated
    assert found.matrix[0, 0] == pytest.approx(1000.0, rel=0.1)


def wide_angled(situation: Situation) -> Scene:
    """The scene before a lens of a third less focal length, nearer by as much, that bends lines inwards."""
    camera = situation.scene.camera
    at, to = np.array(camera.at), np.array(camera.to)
    x, y, z = (to + (at - to) * 0.65).tolist()
    return replace(
        situation.scene, camera=replace(camera, focal=0.65 * camera.focal, at=(x, y, z), distortion=(-0.22, 0.03))
    )


@pytest.mark.slow
@pytest.mark.parametrize("measured_before", [False, True])
def test_a_rack_before_a_wide_lens_is_read_and_what_was_measured_of_another_is_said_to_be_amiss(
    measured_before: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    """What was measured is the usual lens's, before the camera was exchanged."""
    racks, right, wrong = readable(), 0, 0
    for situation in racks:
        table = situation.table if measured_before else replace(situation.table, cameras={})
        scene = wide_angled(situation)
        look = eye_for(table).look(Frame(draw(scene)))
        assert (OTHER_CAMERA in look.remarks) == measured_before
        for said, state in zip(told(look), cards_in(scene), strict=True):
            right += said == state
            wrong += said is not None and said != state
    assert wrong == 0
    assert right >= 9 * len(racks)


def test_what_was_measured_of_this_very_camera_is_not_said_to_be_amiss() -> None:
    situation = readable()[0]
    assert OTHER_CAMERA not in eye_for(situation.table).look(Frame(draw(situation.scene))).remarks
