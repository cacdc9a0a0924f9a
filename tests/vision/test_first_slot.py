"""Where a rack's first slot is seen tells which slot is which, between fits that are a slot off, and against one."""

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.test_comb import PITCH, changes_of, comb_of, slots
from tests.vision.test_displaced import pushed, seen
from tests.vision.test_printed import cards_in, readable, told
from vision.rack.comb import ODD, Comb

BETWEEN = 40.0
"""A place between the fourth slot and the fifth, in mm behind the first one's place: no slot is there."""


def only(*places: float) -> Comb:
    """A comb of which only slots so many mm behind the first one's place are seen."""
    return comb_of(changes_of(*places))


@pytest.mark.parametrize("behind", [0.0, -4.0, 3.5])
def test_of_fits_that_are_a_slot_off_the_one_counts_whose_first_slot_is_seen(behind: float) -> None:
    """Alone, or with others behind it; the cards' lean has them some mm off the slot."""
    for last in (1, 2, 5):
        likely = only(*slots(last=last, behind=behind)).first_slots(
            [behind + 2.0, behind + 2.0 - PITCH, behind + 2.0 + PITCH], [PITCH] * 3
        )
        assert likely[0] == pytest.approx(0.0, abs=0.02)
        assert likely[1:] == pytest.approx([math.log(ODD)] * 2, abs=0.3)


def test_where_no_slot_is_seen_no_fit_counts_more() -> None:
    assert np.ptp(only(BETWEEN).first_slots([0.0, PITCH, -PITCH], [PITCH] * 3)) == 0.0


def test_what_is_out_of_the_picture_tells_nothing_of_the_first_slot() -> None:
    """The second slot may be the first one that is in view."""
    cut = replace(only(*slots(1)), beyond=round(34 * 2.0))
    assert np.ptp(cut.first_slots([0.0, PITCH], [PITCH] * 2)) == 0.0
    assert cut.first_elsewhere(0.0) is None


@pytest.mark.parametrize("off", [PITCH, -PITCH])
def test_where_the_first_slot_is_seen_a_slot_off_it_is_there(off: float) -> None:
    comb = only(*slots(last=1, behind=off))
    assert comb.first_elsewhere(0.0) == pytest.approx(off, abs=0.5)
    assert comb.first_elsewhere(off + 3.0) is None


def test_what_is_seen_on_either_side_tells_nothing() -> None:
    assert only(-PITCH, PITCH + 1.5).first_elsewhere(0.0) is None


def test_without_measures_no_fit_counts_more() -> None:
    comb = only(*slots(last=1))
    assert np.ptp(comb.first_slots([0.0, PITCH], [PITCH] * 2)) > 1.0
    assert np.ptp(replace(comb, measured=False).first_slots([0.0, PITCH], [PITCH] * 2)) == 0.0


@pytest.mark.parametrize("comb", [replace(only(PITCH), measured=False), only(*slots(share=0.9, behind=8.0))])
def test_without_measures_or_on_a_mat_of_another_size_no_other_place_is_told(comb: Comb) -> None:
    assert comb.first_elsewhere(0.0) is None


@pytest.mark.slow
@pytest.mark.parametrize("depth", [9.0, 10.0])
def test_a_rack_whose_last_slots_are_free_is_not_told_a_slot_off_where_it_was_pushed_back(depth: float) -> None:
    """A full one's numbers tell; here nothing but the first slot does."""
    right = 0
    for situation in readable():
        scene = pushed(situation, depth, cards=7)
        there = [*cards_in(scene), *[("empty", None)] * 3]
        said = told(seen(situation, scene))
        assert all(one in {None, other} for one, other in zip(said, there, strict=True))
        right += sum(one == other for one, other in zip(said, there, strict=True))
    assert right >= 15
