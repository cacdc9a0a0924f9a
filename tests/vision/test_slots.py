"""How far a number may be taken for that of the card in whose strip it was found."""

from dataclasses import replace

import pytest

from calibration.table import Table
from tests.vision.drawing import Rack
from tests.vision.test_fit import CARDS, picture_of
from vision.find import find_in_rack
from vision.rack.slots import A_PART, NOT_ITS_OWN, trust_in
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


def test_one_that_a_nearer_card_cuts_off_may_be_whole(strip: Strip) -> None:
    assert trust_in(strip, ink(0.4 * HIGH, cut=True), 89.0, HIGH) > NOT_ITS_OWN


def test_one_that_may_be_a_part_and_a_label_is_no_less_its_own(strip: Strip) -> None:
    label = replace(ink(0.4 * HIGH), left=3.2)
    assert trust_in(strip, label, 89.0, HIGH) == pytest.approx(NOT_ITS_OWN, abs=0.002)
