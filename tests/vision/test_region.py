"""What moves beside the mats keeps no scene from standing; what moves over them does, and so does anything unknown."""

import random
from dataclasses import replace
from itertools import cycle

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from device.recorder.gate import Gate
from vision.drawing.picture import draw
from vision.drawing.random_scenes import some_scene
from vision.drawing.scene import Scene
from vision.eye import Eye
from vision.frame import Frame
from vision.reading.digits import NumberReader
from vision.region import TILES
from vision.settle import RESTLESS, Stillness

MATTERS = np.zeros(TILES[::-1], np.bool_)
MATTERS[30:80, 40:120] = True
LEVELS = cycle((0, 120, 250, 40, 180))


def picture(*, beside: bool = False, over: bool = False) -> Frame:
    """A picture 1280 x 720 in which something looks otherwise each time, beside what matters or over it."""
    seen: NDArray[np.uint8] = np.full((720, 1280, 3), 100, np.uint8)
    seen[240:640, 320:960] = 190
    if beside:
        seen[:160] = next(LEVELS)
    if over:
        seen[400:500, 500:700] = next(LEVELS)
    return Frame(seen)


def read(still: Stillness, count: int, *, beside: bool = False, over: bool = False, since: float = 0.0) -> int:
    """Take so many pictures, five a second; how many are read."""
    return sum(len(still.add(since + 0.2 * n, picture(beside=beside, over=over))) for n in range(count))


def test_a_television_beside_the_mats_lets_a_scene_be_read_twice_and_no_more() -> None:
    still = Stillness()
    assert read(still, 10, beside=True) == 0
    still.matters(MATTERS)
    assert read(still, 20, beside=True, since=2.0) == 2
    assert not still.moving
    assert still.scenes > 20  # whoever veils pictures wants to know of every movement


def test_what_moves_over_a_mat_is_movement_still() -> None:
    still = Stillness()
    still.matters(MATTERS)
    read(still, 5)
    assert read(still, 10, over=True, since=1.0) == 0
    assert still.moving


def test_what_comes_to_rest_beside_the_mats_is_looked_at_once() -> None:
    still = Stillness()
    still.matters(MATTERS)
    assert read(still, 5) == 2
    laid = picture(beside=True)
    assert sum(len(still.add(1.0 + 0.2 * n, laid)) for n in range(10)) == 1


def test_what_matters_may_be_as_small_as_a_tile() -> None:
    tile = np.zeros(TILES[::-1], np.bool_)
    tile[40, 61] = True
    still = Stillness()
    still.matters(tile)
    assert read(still, 10, beside=True) == 2


def test_where_nothing_ever_stands_still_that_is_said_now_and_then() -> None:
    still = Stillness()
    times = [0.2 * n for n in range(40)]
    told = [t for t in times if still.add(t, picture(beside=True)) or still.restless(t)]
    assert len(told) == 2
    assert told[0] == pytest.approx(RESTLESS, abs=0.21)


def test_a_television_beside_the_mats_is_not_recorded() -> None:
    gate, kept = Gate(), 0
    for number in range(50):
        gate.add(number / 10, picture(beside=True), matters=MATTERS)
        if gate.ready(number / 10):
            gate.kept()
            kept += 1
    assert kept == 3


@pytest.mark.slow
def test_where_something_moves_beside_the_mats_one_more_mat_is_found_in_the_second_look_at_it() -> None:
    situation = some_scene(random.Random(3), "wide", typefaces=["lines 0"])
    scene, table = situation.scene, situation.table
    camera = next(iter(table.cameras.values()), None)
    everything = Eye(table, (), camera, NumberReader())
    everything.find(Frame(draw(scene)))
    assert everything.matters is not None
    mats = cv2.dilate(everything.matters.astype(np.uint8), np.ones((7, 7), np.uint8))
    beside = np.kron(mats, np.ones((12, 12), np.uint8)) == 0

    def shown(seen: Scene, level: int) -> Frame:
        colour = draw(seen)
        assert colour.shape[:2] == beside.shape
        colour[beside] = level
        return Frame(colour)

    eye, one = Eye(table, (), camera, NumberReader()), replace(scene, mats=scene.mats[:1])
    for seen, level in ((one, 60), (one, 110), (scene, 160)):
        eye.look(shown(seen, level))
        assert set(eye.mats) == {mat.number for mat in one.mats}
    eye.look(shown(scene, 60))
    assert set(eye.mats) == {mat.number for mat in scene.mats}
