"""What is said of mats: drawn ones whose place is known, and any that could be."""

import re
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
import pytest

from calibration.table import Rack, Table
from device.doctor import mats
from device.doctor.findings import Finding
from device.doctor.sight import MatSight, Sight
from device.doctor.views import View
from engine.cards import SEATS
from tests.device.doctor.seen import TABLE, another_card, rack_picture, sight_of, tray_picture, view
from tests.device.doctor.visits import case_of, check_words, only, seeing
from tests.vision.drawing import CAMERA, Eye, empty_table

RACK: Final = MatSight(2, 3, 0.95, (), True, 3.4, 55.0, 4.0, 0.4, 10, 10, 10, (0.5, 1.0), 0.0)  # noqa: FBT003 - plain values
TRAY: Final = MatSight(0, 4, 1.0, (), True, 3.4, 70.0, 160.0, 0.4, 1, 1, 1)  # noqa: FBT003 - likewise
SEEN: Final = View("cam", "cam", Table())


NEAR: Final = Eye(at=(165.0, -100.0, 330.0), to=(150.0, 110.0, 40.0))


def of_mat(mat: MatSight, seen: View = SEEN) -> Finding:
    """What is said of one mat."""
    first, _ = mats.check(case_of(seeing(mat, view=seen)))
    check_words(first)
    return first


def test_the_figures_of_a_drawn_rack_are_those_of_the_camera_that_drew_it() -> None:
    eye = Eye(at=(165.0, -190.0, 400.0), to=(150.0, 110.0, 20.0))
    (rack,) = sight_of(view(rack_picture(eye))).mats
    away = np.array(eye.at) - [148.5, 105.0, 60.0]
    assert rack.elevation == pytest.approx(np.degrees(np.arctan2(away[2], np.hypot(*away[:2]))), abs=1)
    assert rack.around == pytest.approx(np.degrees(np.arctan2(away[0], -away[1])), abs=1)
    ends = eye.project(np.array([[125.0, 160.1, 61.0], [214.0, 160.1, 61.0]]))
    assert rack.scale == pytest.approx(np.linalg.norm(ends[1] - ends[0]) / 89, rel=0.02)
    assert (rack.number, rack.cards, rack.places) == (2, 10, 10)
    assert rack.shown
    assert rack.away is not None
    assert np.allclose(rack.away, 0, atol=2.5)


@pytest.mark.parametrize(
    ("right", "behind", "words"),
    [
        (0.0, 0.0, None),
        (3.0, -3.0, None),
        (8.0, 0.0, "to the right"),
        (-14.0, 0.0, "to the left"),
        (0.0, 8.0, "back"),
        (0.0, -9.0, "forward"),
    ],
)
def test_a_rack_that_stands_elsewhere_than_measured_is_told_by_how_far(
    right: float, behind: float, words: str | None
) -> None:
    moved = replace(TABLE, rack=Rack(at=(111.0 + right, 33.0 + behind)))
    seen = view(rack_picture(NEAR, moved))
    found = next(iter(mats.check(case_of((seen, sight_of(seen))))))
    told = re.findall(r"(\d+) mm too far ([a-z ]+)", found.mend)
    assert [way for _, way in told] == ([] if words is None else [words])
    assert all(abs(int(far) - abs(right + behind)) <= 1 for far, _ in told)
    unmeasured = replace(seen, table=replace(TABLE, measured=False))
    assert not any("mm too far" in item.mend for item in mats.check(case_of((unmeasured, sight_of(unmeasured)))))


def test_a_tray_alone_is_a_way_to_play() -> None:
    seen = view(tray_picture(Eye(at=(150.0, -10.0, 330.0), to=(150.0, 105.0, 0.0))), live=True)
    tray, together = mats.check(case_of((seen, sight_of(seen))))
    assert (tray.verdict, together.verdict) == ("good", "good")
    assert "the discard pile is read surely" in tray.found
    assert "the tray alone, which is a way to play" in together.found


def test_a_mat_that_the_border_cuts_is_said_with_the_side() -> None:
    eye = Eye(at=(20.0, -130.0, 300.0), to=(-70.0, 110.0, 20.0))
    seen = view(rack_picture(eye))
    found = next(iter(mats.check(case_of((seen, sight_of(seen))))))
    assert found.verdict == "look"
    assert "cut off by the picture's border at its right" in found.mend


@pytest.mark.parametrize(
    ("mat", "verdict", "words"),
    [
        (RACK, "good", ""),
        (TRAY, "good", ""),
        (replace(RACK, scale=2.7), "good", ""),
        (replace(RACK, scale=2.96, surely=3), "look", "few slots"),
        (replace(RACK, scale=2.7, surely=3), "look", "move the camera nearer"),
        (replace(RACK, scale=2.3), "look", "move the camera nearer"),
        (replace(RACK, scale=1.2), "bad", "move the camera nearer"),
        (replace(RACK, elevation=38.0), "look", "too low"),
        (replace(RACK, elevation=71.0), "look", "too high"),
        (replace(RACK, around=-50.0), "look", "50 degrees to the player's left"),
        (replace(RACK, around=170.0), "bad", "backs of the cards"),
        (replace(RACK, inside=0.4, beyond=("left", "bottom")), "look", "at its left and bottom"),
        (replace(RACK, shown=False), "look", "cut off"),
        (replace(RACK, markers=1), "look", "one black square only"),
        (replace(RACK, scale=0.0, elevation=0.0), "bad", "make no sense"),
        (replace(RACK, away=(0.0, -9.0)), "look", "9 mm too far forward"),
        (replace(RACK, away=(-8.0, 9.0)), "look", "8 mm too far to the left and 9 mm too far back"),
        (replace(RACK, surely=4), "look", "few slots can be read"),
        (replace(RACK, cards=0, surely=10), "good", ""),
        (replace(TRAY, elevation=30.0), "look", "too flatly"),
    ],
)
def test_each_figure_of_a_mat_has_its_bounds_and_its_words(mat: MatSight, verdict: str, words: str) -> None:
    finding = of_mat(mat)
    assert finding.verdict == verdict
    assert words in finding.mend


def test_a_mat_that_is_not_flat_is_said_where_the_lens_is_known() -> None:
    bent = replace(RACK, error=2.5)
    known = (SEEN, Sight((1280, 720), (bent,), (), CAMERA))
    assert "not flat" in next(iter(mats.check(case_of(known)))).mend
    assert of_mat(bent).verdict == "good"


def test_a_mat_that_two_cameras_see_is_told_by_the_one_that_shows_it_better() -> None:
    half = seeing(replace(RACK, shown=False, scale=9.0), TRAY, view=replace(SEEN, name="tray"))
    whole = seeing(RACK, view=replace(SEEN, name="rack2"))
    found = list(mats.check(case_of(half, whole)))
    assert [finding.verdict for finding in found] == ["good"] * 3
    assert not any("tray: seat 2" in finding.found for finding in found)


def test_no_mat_is_said_with_what_to_do_and_one_too_far_away_is_noticed() -> None:
    bare = view(empty_table(), live=True)
    none, together = mats.check(case_of((bare, sight_of(bare))))
    assert (none.verdict, together.verdict) == ("bad", "bad")
    assert "racko mats prints them" in none.mend
    small = empty_table()
    far = cv2.resize(rack_picture(), None, fx=0.18, fy=0.18, interpolation=cv2.INTER_AREA)
    small[300 : 300 + far.shape[0], 500 : 500 + far.shape[1]] = far
    seen = view(small)
    none = next(iter(mats.check(case_of((seen, sight_of(seen))))))
    assert none.verdict == "look"
    assert "bring the camera nearer" in none.mend


def test_what_lies_over_a_rack_is_said_in_the_eyes_words_and_no_figure_twice() -> None:
    remarks = ("a hand or an arm is over the tray", "seat 2: the rack is small in the picture (2.4 px a mm): nearer")
    _, hidden, _ = mats.check(case_of(seeing(TRAY, view=SEEN, remarks=remarks)))
    check_words(hidden)
    assert hidden.mend == remarks[0]


@pytest.mark.parametrize(
    ("size", "words"), [((1280, 720), None), ((1920, 1080), None), ((800, 800), "but none goes with 800 x 800")]
)
def test_a_lens_that_was_measured_for_other_pictures_is_said(size: tuple[int, int], words: str | None) -> None:
    seen = view(np.asarray(cv2.resize(rack_picture(), size), np.uint8), "cam")
    found = [finding for finding in mats.check(case_of((seen, sight_of(seen)))) if "measured" in finding.found]
    assert [str(words) in finding.found for finding in found] == [True] * (words is not None)


def test_a_camera_of_that_name_with_another_shape_is_said_too() -> None:
    named = View("drawn", "drawn", Table(cameras={"drawn": CAMERA, "other": CAMERA}))
    wrong = (named, Sight((640, 480), (RACK,), (), CAMERA))
    found = list(mats.check(case_of(wrong)))[1]
    assert "its lens was measured at 1280 x 720 pixels, its pictures have 640 x 480" in found.found


@pytest.mark.parametrize(
    ("numbers", "playing", "live", "verdict", "words"),
    [
        ((0, 1, 2), (1, 2), True, "good", "the tray and seats 1 and 2"),
        ((0, 3), SEATS, True, "good", "who plays at seats 1, 2 and 4 shows the rack"),
        ((0,), SEATS, True, "good", "the tray alone"),
        ((1, 2), (1, 2), True, "bad", "seats 1 and 2, but not the tray"),
        ((1,), (1, 2), False, "look", "seat 1, but not the tray"),
        ((), SEATS, True, "bad", "neither the tray nor a rack"),
    ],
)
def test_all_cameras_together_tell_how_the_table_can_be_played(
    numbers: tuple[int, ...], playing: tuple[int, ...], verdict: str, words: str, *, live: bool
) -> None:
    finding = only([mats.altogether(numbers, playing, live=live)])
    assert (finding.verdict, words in finding.found) == (verdict, True)


def test_nothing_that_is_said_depends_on_what_the_cards_are(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = view(rack_picture())
    before = list(mats.check(case_of((seen, sight_of(seen)))))
    monkeypatch.setattr("device.doctor.sight.sure", another_card)
    assert list(mats.check(case_of((seen, sight_of(seen))))) == before
