"""How far a number may be taken for that of the card in whose strip it was found."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.table import Table
from tests.vision.drawing import Rack
from tests.vision.test_fit import CARDS, picture_of
from vision.find import find_in_rack
from vision.rack.fit import MAY_BE
from vision.rack.slots import A_PART, NOT_ITS_OWN, is_sunk, trust_in
from vision.rack.strips import Strip
from vision.reading.numbers import Ink

HIGH = 8.0
"""How high a rack's numbers are, in mm."""


@pytest.fixture(scope="module")
def strip() -> Strip:
    frame, pose = picture_of(Rack(CARDS))
    (cut,) = find_in_rack(frame, 2, pose, Table()).view.strips[4:5]
    assert cut is not None
    return cut


def ink(height: float, *, cut: bool = False) -> Ink:
    return Ink(30.0, 1.5, 38.0, 1.5 + height, -40.0, cut)


@pytest.mark.parametrize(
    ("share", "trust"), [(1.0, 1.0), (A_PART + 0.01, 1.0), (A_PART - 0.01, NOT_ITS_OWN), (0.4, NOT_ITS_OWN)]
)
def test_a_number_that_is_much_less_high_than_the_racks_others_may_be_a_part_of_one(
    share: float, trust: float, strip: Strip
) -> None:
    """The lower half of a 58, below an edge that was none, was read as 58."""
    assert trust_in(strip, ink(share * HIGH), 89.0, HIGH) == pytest.approx(trust, abs=0.002)


@pytest.mark.parametrize(("belongs", "trust"), [(1.0, 1.0), (0.995, 0.995), (0.98, MAY_BE), (0.8, 0.8)])
def test_no_number_is_sure_whose_card_may_be_that_of_a_free_slot_beside(
    belongs: float, trust: float, strip: Strip
) -> None:
    assert trust_in(replace(strip, belongs=belongs), ink(HIGH), 89.0, HIGH) == pytest.approx(trust, abs=0.002)


def test_one_that_a_nearer_card_cuts_off_may_be_whole(strip: Strip) -> None:
    assert trust_in(strip, ink(0.4 * HIGH, cut=True), 89.0, HIGH) > NOT_ITS_OWN


def test_one_that_may_be_a_part_and_a_label_is_no_less_its_own(strip: Strip) -> None:
    label = replace(ink(0.4 * HIGH), left=3.2)
    assert trust_in(strip, label, 89.0, HIGH) == pytest.approx(NOT_ITS_OWN, abs=0.002)


@pytest.mark.parametrize(
    ("top", "bottom", "cut", "low"),
    [
        (2.0, 8.0, False, False),
        (3.3, 9.3, False, False),
        (4.0, 10.0, False, True),
        (2.0, 10.0, False, True),  # with what is seen of the card behind it
        (2.3, 6.0, True, False),
        (2.7, 6.0, True, True),
        (2.0, 8.7, True, True),
        (0.0, 6.0, False, False),
    ],
)
def test_a_number_stands_low_that_begins_or_ends_lower_than_its_racks_others(
    top: float, bottom: float, *, cut: bool, low: bool
) -> None:
    """By 2 mm at least; one that a nearer card cuts off ends lower than is seen, and tells it by 0.7 mm."""
    assert is_sunk(Ink(30.0, top, 38.0, bottom, -40.0, cut), (2.0, 8.0)) == low


def test_where_a_racks_numbers_usually_stand_is_told_by_five_or_more() -> None:
    frame, pose = picture_of(Rack(CARDS))
    rack = find_in_rack(frame, 2, pose, Table())
    inks = [found[0].ink for found in rack.slots]
    usual = float(np.median([one.top for one in inks])), float(np.median([one.bottom for one in inks if not one.cut]))
    assert rack.with_rows_of(range(10)).rows == pytest.approx(usual)
    assert rack.with_rows_of(range(4)).rows is None
