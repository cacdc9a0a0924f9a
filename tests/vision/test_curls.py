"""Mats that curl: how they are drawn, and that what stands on them is read all the same."""

import random
from dataclasses import replace

import numpy as np
import pytest

from calibration.table import MAT_SIZE, CameraModel, Table
from tests.vision.test_recipe import DECK
from vision.drawing.camera import View
from vision.drawing.curls import height_of, met_by_rays, some_curls
from vision.drawing.decks import Deck
from vision.drawing.picture import draw
from vision.drawing.places import Placed
from vision.drawing.scene import Camera, Curl, MatPlace, RackStand, Scene, Standing
from vision.eye import Eye
from vision.frame import Frame
from vision.fuse import sure
from vision.mats import find_mats, marker_corners
from vision.picture import grey_of
from vision.reading.digits import NumberReader

CARDS = (3, 8, 14, 20, 26, 31, 37, 44, 51, 58)
CAMERA = Camera(at=(150.0, -150.0, 330.0))
CORNERS = tuple(Curl(towards, 90.0, 12.0) for towards in (45.0, 135.0, 225.0))


def scene(curls: tuple[Curl, ...]) -> Scene:
    stand = RackStand(tuple((Standing(card, lean=7.0),) for card in CARDS), Table().rack)
    return Scene(Deck(), (MatPlace(2, stand=stand, curls=curls),), camera=CAMERA)


def test_paper_rises_from_where_its_curl_begins_to_its_end() -> None:
    right = (Curl(0.0, 60.0, 12.0),)
    x = np.array([100.0, MAT_SIZE[0] - 60, MAT_SIZE[0] - 30, MAT_SIZE[0], MAT_SIZE[0] + 50])
    assert height_of(right, x, np.full(5, 100.0)).tolist() == pytest.approx([0, 0, 3, 12, 12])
    back_left = (Curl(135.0, 80.0, 10.0),)
    at = np.array([[0.0, MAT_SIZE[1]], [MAT_SIZE[0], 0.0], [0.0, 0.0]])
    assert height_of(back_left, *at.T)[:2].tolist() == pytest.approx([10, 0])
    assert height_of((*right, *back_left), np.array([150.0]), np.array([100.0])).tolist() == [0.0]


def test_a_ray_meets_the_curled_paper_where_that_is_seen() -> None:
    mat, view = Placed(MatPlace(2, curls=CORNERS)), View(CAMERA)
    points = np.array([[285.0, 200.0], [150.0, 100.0], [15.0, 190.0], [20.0, 12.0]])
    height = height_of(CORNERS, *points.T)
    seen = view.canvas(mat.world(np.column_stack([points, height])))
    assert height.max() > 6
    assert met_by_rays(view, mat, seen) == pytest.approx(points, abs=0.2)


def test_markers_are_drawn_where_the_curl_has_taken_them() -> None:
    flat, curled = (draw(scene(curls)) for curls in ((), CORNERS))
    (lies,), (stands,) = (find_mats(grey_of(picture)) for picture in (flat, curled))
    view, mat = View(CAMERA), Placed(MatPlace(2))
    for place in lies.markers.keys() & stands.markers.keys():
        corners = marker_corners(place)
        up = height_of(CORNERS, *corners.T)
        for marker, height in ((lies.markers[place], 0 * up), (stands.markers[place], up)):
            expected = view.pixels(mat.world(np.column_stack([corners, height])))
            assert np.nanmax(np.abs(marker - expected)) < 1.0
    # the rack in the middle stands where it stood
    middle = np.s_[300:420, 560:720]
    assert np.abs(flat[middle].astype(int) - curled[middle]).mean() < 2.0


@pytest.mark.parametrize("calibrated", [True, False])
@pytest.mark.parametrize("curls", [CORNERS, (Curl(90.0, 60.0, 12.0),)], ids=["corners", "far side"])
def test_cards_are_read_on_mats_that_curl(curls: tuple[Curl, ...], *, calibrated: bool) -> None:
    focal, (width, height) = CAMERA.focal, CAMERA.size
    model = CameraModel((width, height), ((focal, 0, width / 2), (0, focal, height / 2), (0, 0, 1)))
    eye = Eye(replace(Table(), measured=True), DECK, model if calibrated else None, NumberReader())
    look = eye.look(Frame(draw(scene(curls))))
    told = [sure(look.readings[2, slot]) for slot in range(10)]
    assert sum(told[slot] == ("card", card) for slot, card in enumerate(CARDS)) >= 8
    assert all(told[slot] in {None, ("card", card)} for slot, card in enumerate(CARDS))


def test_curls_are_made_up_no_higher_than_asked_for() -> None:
    made = [some_curls(random.Random(seed), 9.0) for seed in range(60)]
    assert all(0 <= curl.height <= 9.0 for curls in made for curl in curls)
    assert {len(curls) for curls in made} > {0, 1, 2}
