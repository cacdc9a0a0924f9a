import cv2
import numpy as np
import pytest

from tests.vision.drawing import CAMERA, HEIGHT, WIDTH, Eye, draw_mat, empty_table
from vision.lens import lens_of
from vision.mats import TRAY, Mat, find_mats, marker_corners, shows_marker
from vision.picture import grey_of
from vision.pose import Lens, pose_of

EYE = Eye()


def seen(number: int, places: tuple[int, ...], eye: Eye = EYE) -> tuple[Mat, ...]:
    picture = empty_table()
    draw_mat(picture, number, eye, places)
    return find_mats(grey_of(picture))


def test_a_mat_is_found_by_all_its_markers() -> None:
    (mat,) = seen(3, (0, 1, 2, 3))
    assert mat.number == 3
    assert sorted(mat.markers) == [0, 1, 2, 3]


@pytest.mark.parametrize("places", [(0, 1, 2), (0, 2), (1, 3), (2, 3)])
def test_two_or_three_markers_place_a_rack_as_well_as_hands_do(places: tuple[int, ...]) -> None:
    """TABLE.md: a rack stands on its mat to 2 mm; a pose must not add more than that again."""
    lens = lens_of((), (WIDTH, HEIGHT), CAMERA)
    assert lens.calibrated
    (mat,) = seen(2, places)
    pose = pose_of(mat, lens)
    assert pose is not None
    points = np.array([[111.0, 33.0, 0.0], [200.0, 180.0, 60.0]])
    along = EYE.project(np.add(points, (1.0, 0.0, 0.0))) - EYE.project(points)
    off = np.linalg.norm(pose.project(points) - EYE.project(points), axis=1) / np.linalg.norm(along, axis=1)
    assert off.max() < 2.0


@pytest.mark.parametrize("places", [(0, 1), (2, 3), (0, 1, 2), (0, 1, 2, 3)])
@pytest.mark.parametrize("inset", [0.1, 0.4, 0.8])
def test_a_mat_whose_markers_blur_or_glare_makes_smaller_lies_where_it_lay(
    places: tuple[int, ...], inset: float
) -> None:
    """Not reckoned with, 0.4 pixels put edges of cards up to 2.6 mm off where two markers are seen."""
    lens = lens_of((), (WIDTH, HEIGHT), CAMERA)
    corners = {place: EYE.project(np.column_stack([marker_corners(place), np.zeros(4)])) for place in places}
    whole = Mat(2, corners)
    inwards = -inset * whole.outwards().reshape(-1, 4, 2)
    mat = Mat(2, {place: corners[place] + moved for place, moved in zip(sorted(places), inwards, strict=True)})
    pose = pose_of(mat, lens)
    assert pose is not None
    points = np.array([[111.0, 33.0, 60.0], [200.0, 100.0, 60.0], [200.0, 180.0, 60.0]])
    away = EYE.project(np.add(points, (0.0, 1.0, 0.0))) - EYE.project(points)
    off = ((pose.project(points) - EYE.project(points)) * away).sum(axis=1) / (away * away).sum(axis=1)
    assert np.abs(off).max() < 0.35


def test_an_empty_table_has_no_mats() -> None:
    assert find_mats(grey_of(empty_table())) == ()


def test_a_marker_that_does_not_fit_its_mat_is_left_out() -> None:
    picture = empty_table()
    draw_mat(picture, 1, Eye(), (0, 1, 2))
    stray = empty_table()
    draw_mat(stray, 1, Eye(at=(165.0, -260.0, 330.0), to=(160.0, 60.0, 20.0)), (3,))
    picture[: HEIGHT // 3, WIDTH // 2 :] = stray[HEIGHT // 3 : 2 * (HEIGHT // 3), : WIDTH // 2]
    (mat,) = [mat for mat in find_mats(grey_of(picture)) if mat.number == 1]
    assert set(mat.markers) <= {0, 1, 2}


def test_a_finger_that_makes_another_mats_marker_of_one_makes_no_mat() -> None:
    """Of all fingers few do, but a mat without a camera of its own would be told to be moved, and its rack be read."""
    picture, another = empty_table(), empty_table()
    draw_mat(picture, 1, EYE)
    draw_mat(another, 4, EYE, (1,))
    beside = np.roll(another, WIDTH // 3, axis=1)
    (mat,) = find_mats(grey_of(another))
    x, y, across, down = cv2.boundingRect(mat.markers[1].astype(np.float32))
    picture[y : y + down, x : x + across] = another[y : y + down, x : x + across]
    assert [(mat.number, sorted(mat.markers)) for mat in find_mats(grey_of(picture))] == [(1, [0, 2, 3])]
    assert [mat.number for mat in find_mats(grey_of(beside))] == [4]


@pytest.mark.parametrize("places", [(2, 3), (0, 2, 3), (0, 1, 2, 3)])
def test_a_corner_under_a_finger_does_not_move_the_mat(places: tuple[int, ...]) -> None:
    picture = empty_table()
    draw_mat(picture, 2, EYE, places)
    (clear,) = find_mats(grey_of(picture))
    x, y = clear.markers[2][2]
    cv2.circle(picture, (round(x) + 3, round(y) + 3), 4, (90, 90, 90), cv2.FILLED)
    (mat,) = find_mats(grey_of(picture))
    assert sorted(mat.markers) == [*places]
    assert np.flatnonzero(np.isnan(mat.markers[2]).any(axis=1)).tolist() == [2]
    lens = lens_of((), (WIDTH, HEIGHT), CAMERA)
    point = np.array([150.0, 100.0, 60.0])
    poses = [pose_of(one, lens) for one in (clear, mat)]
    before, after = (pose.project(point) for pose in poses if pose is not None)
    assert np.linalg.norm(after - before) < 1.0


def test_a_corner_cut_off_by_the_border_is_left_out_of_the_points() -> None:
    corners = marker_corners(0)
    cut = corners.copy()
    cut[1] = np.nan
    flat, picture = Mat(1, {0: cut}).points()
    assert flat.tolist() == np.delete(corners, 1, axis=0).tolist()
    assert np.isfinite(picture).all()


def test_the_camera_is_always_found_above_the_table() -> None:
    lens = lens_of((), (WIDTH, HEIGHT), CAMERA)
    eye = Eye(at=(150.0, 90.0, 520.0), to=(150.0, 110.0, 0.0))
    (mat,) = seen(0, (0, 1, 2, 3), eye)
    pose = pose_of(mat, lens)
    assert pose is not None
    assert pose.camera() == pytest.approx(eye.at, abs=15.0)


def test_markers_that_make_no_plane_before_the_camera_give_no_pose() -> None:
    lens = Lens(np.eye(3), np.zeros(5))
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [np.nan, 1.0], [0.0, 1.0]])
    assert pose_of(Mat(1, {0: corners}), lens) is None


def test_a_marker_is_looked_for_where_it_should_be_however_small_it_would_be_there() -> None:
    grey = np.full((60, 80), 200, np.uint8)
    for point in ([0.0, 0.0], [79.0, 59.0], [40.3, 30.7]):
        assert not shows_marker(grey, TRAY, 0, np.array([point, point]))
