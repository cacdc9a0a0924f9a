"""A rack that is half out of the picture: what is in view is read as well as ever, and no part of a number for one."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.table import Table
from tests.vision.drawing import CAMERA, HEIGHT, Rack
from tests.vision.test_recipe import CARDS, DECK, rack_picture
from vision.eye import Eye
from vision.frame import Frame
from vision.fuse import sure
from vision.look import Reading
from vision.rack.planes import ASIDE
from vision.rack.slots import NOT_WHOLE, trust_in
from vision.rack.strips import Strip
from vision.reading.digits import NumberReader
from vision.reading.numbers import Ink
from vision.rectify import SCALE

WIDTH, LEFT = 89.0, 30.0
"""A card's width, and where a number begins on it, in mm."""


def looked(first: int, last: int) -> tuple[tuple[Reading, ...], tuple[Strip | None, ...]]:
    """Look at those columns of a picture of a full rack with a camera that is known; give its readings and strips."""
    picture = np.ascontiguousarray(rack_picture(Rack(CARDS))[:, first:last])
    (focal, skew, middle), second, third = CAMERA.matrix
    camera = replace(CAMERA, size=(last - first, HEIGHT), matrix=((focal, skew, middle - first), second, third))
    eye = Eye(Table(), DECK, camera, NumberReader())
    readings = eye.look(Frame(picture)).racks[2]
    return readings, eye.racks[0].view.strips


@pytest.mark.parametrize(
    ("first", "last", "wholly"),
    [(0, 760, 8), (0, 700, 4), (620, 1280, 8)],
    ids=["right rim out", "right half out", "left half out"],
)
def test_the_numbers_in_view_are_told_and_none_of_which_a_part_is(first: int, last: int, wholly: int) -> None:
    readings, _ = looked(first, last)
    told = {slot: said[1] for slot, reading in enumerate(readings) if (said := sure(reading))}
    assert told.items() <= CARDS.items()
    assert len(told) >= wholly


def test_beyond_the_border_a_strip_is_not_in_view_and_goes_on_as_it_is_there() -> None:
    _, strips = looked(0, 700)
    for strip in strips:
        assert strip is not None
        beyond = strip.shown <= 0
        assert 0.3 < beyond.mean() < 0.6
        # black would be the darkest ink of all
        assert strip.grey[:, beyond].min() > 20


@pytest.mark.parametrize(
    ("wide", "ends", "whole"),
    [(4.0, 5.0, True), (4.0, 2.0, False), (9.0, 2.0, True), (9.0, 0.3, False)],
    ids=["a figure", "one that may be of two", "two figures", "two, cut off"],
)
def test_a_number_that_may_go_on_beyond_the_border_is_not_sure(wide: float, ends: float, *, whole: bool) -> None:
    _, strips = looked(0, 1280)
    assert strips[0] is not None
    columns = np.arange(len(strips[0].shown)) / SCALE - ASIDE
    ink = Ink(LEFT, 2.5, LEFT + wide, 9.0, -80.0, cut=False)
    right = replace(strips[0], shown=np.where(columns > LEFT + wide + ends, 0.0, strips[0].shown))
    left = replace(strips[0], shown=np.where(columns < LEFT - ends, 0.0, strips[0].shown))
    for strip in (right, left):
        assert (trust_in(strip, ink, WIDTH, 6.5) > NOT_WHOLE) is whole
