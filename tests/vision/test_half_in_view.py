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
from vision.rack.fit import RackView
from vision.rack.hindrance import hindrances, out_of_picture
from vision.rack.planes import ASIDE
from vision.rack.slots import NOT_WHOLE, trust_in
from vision.reading.digits import NumberReader
from vision.reading.numbers import Ink
from vision.rectify import SCALE

WIDTH, LEFT = 89.0, 30.0
"""A card's width, and where a number begins on it, in mm."""


def looked(first: int, last: int) -> tuple[tuple[Reading, ...], RackView]:
    """Look at those columns of a picture of a full rack with a camera that is known; give its readings and its view."""
    picture = np.ascontiguousarray(rack_picture(Rack(CARDS))[:, first:last])
    (focal, skew, middle), second, third = CAMERA.matrix
    camera = replace(CAMERA, size=(last - first, HEIGHT), matrix=((focal, skew, middle - first), second, third))
    eye = Eye(Table(), DECK, camera, NumberReader())
    readings = eye.look(Frame(picture)).racks[2]
    return readings, eye.racks[0].view


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
    _, view = looked(0, 700)
    for strip in view.strips:
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
    _, view = looked(0, 1280)
    front = view.strips[0]
    assert front is not None
    columns = np.arange(len(front.shown)) / SCALE - ASIDE
    ink = Ink(LEFT, 2.5, LEFT + wide, 9.0, -80.0, cut=False)
    right = replace(front, shown=np.where(columns > LEFT + wide + ends, 0.0, front.shown))
    left = replace(front, shown=np.where(columns < LEFT - ends, 0.0, front.shown))
    for strip in (right, left):
        assert (trust_in(strip, ink, WIDTH, 6.5) > NOT_WHOLE) is whole


def test_a_rack_that_is_half_in_view_tells_neither_its_mats_size_nor_the_pixels_shape_and_is_named() -> None:
    readings, view = looked(0, 700)
    assert view.is_cut_off
    assert not looked(0, 1280)[1].is_cut_off
    outside = out_of_picture(view, (700, HEIGHT))
    assert "all its cards are partly out of the picture: turn the camera or move the mat" in hindrances(
        view, readings, outside
    )


@pytest.mark.parametrize("alone", [False, True])
def test_of_a_mat_that_is_known_by_one_marker_no_size_is_said(*, alone: bool) -> None:
    readings, view = looked(0, 1280)
    smaller = replace(view, fit=replace(view.fit, pose=replace(view.fit.pose, printed=0.94)))
    words = hindrances(smaller, readings, [], by_one_marker=alone)
    assert any("printed too small" in word for word in words) is not alone


@pytest.mark.parametrize(("off", "words"), [(0.3, 0), (-1.9, 0), (3.0, 3), (-6.0, 3)])
def test_a_rack_that_was_put_down_by_hand_is_not_said_to_be_off_its_outline(off: float, words: int) -> None:
    readings, view = looked(0, 1280)
    pose = replace(view.fit.pose, behind=off, aside=off, turned=off)
    said = hindrances(replace(view, fit=replace(view.fit, pose=pose)), readings, [])
    assert sum("outline" in word for word in said) == words
