"""Over a mat's paper a hand is told from grain and from shadows, and it is told where it comes from."""

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.drawing import CAMERA, HEIGHT, WIDTH
from vision.lens import lens_of
from vision.look import Arm
from vision.paper import TRAY_PAPER, Paper
from vision.pose import Pose

ABOVE = Pose(
    lens_of((), (WIDTH, HEIGHT), CAMERA), np.diag([1.0, -1.0, -1.0]), np.array([-148.5, 105.0, 500.0]), error=0.0
)
"""A camera above the tray's mat; its halved pictures show a millimetre as a pixel."""
MIDDLE = (319.6, 179.6)
"""Where the mat's middle is in them."""


def paper(
    *,
    grain: float = 0.0,
    shadow: float = 0.0,
    light: float = 1.0,
    slant: float = 0.0,
    spot: float = 0.0,
    hand: NDArray[np.bool_] | None = None,
    look: int = 0,
) -> NDArray[np.uint8]:
    """Bright paper in a halved picture: with grain, the tray's shadow so many mm wide at its right, and a hand.

    The light may `slant`: at the picture's right border it is brighter by that share, at the left one darker. Or it is
    that of a `spot`, darker by that share at the left and right border, and there by 0.9 at most.
    """
    aside = np.linspace(-1, 1, WIDTH // 2)
    seen = np.full((HEIGHT // 2, WIDTH // 2), 180.0) * (1 + slant * aside) * np.maximum(1 - spot * aside**2, 0.1)
    begins = round(MIDDLE[0] + 257 - 148.5)
    seen[:, begins : begins + round(shadow)] *= 0.7
    if hand is not None:
        seen[hand] *= 100.0 / 180.0
    noise = np.random.default_rng(look).normal(0, grain, seen.shape)
    return np.asarray(np.clip(light * seen + noise, 0, 255), np.uint8)


def arm_from(side: float, *, wide: float = 45.0) -> NDArray[np.bool_]:
    """Where in the halved picture an arm lies that reaches into the tray from a side (degrees; 90: the far side)."""
    down, right = np.mgrid[: HEIGHT // 2, : WIDTH // 2]
    x, y = right - MIDDLE[0], MIDDLE[1] - down
    way = math.radians(side)
    along, across = x * math.cos(way) + y * math.sin(way), y * math.cos(way) - x * math.sin(way)
    return np.asarray((along > 0) & (np.abs(across) < wide / 2))


def watching(first: NDArray[np.uint8]) -> Paper:
    return Paper(first, ABOVE, TRAY_PAPER)


def arm_told(watched: Paper, side: float, within: float = 12.0) -> Arm:
    """The arm that is told over the paper, which comes from that side, to so many degrees."""
    arm = watched.arm()
    assert arm is not None
    turned = math.degrees(math.atan2(arm.y - 105, arm.x - 148.5)) - side
    assert abs((turned + 180) % 360 - 180) < within
    return arm


def test_grain_is_no_hand_and_a_hand_is_seen_in_it() -> None:
    """A camera that sees little light: one point in twenty differs as much as a hand does."""
    watched = watching(paper(grain=14))
    for look in range(1, 20):
        assert not watched.hand(paper(grain=14, shadow=2, look=look), moved=True)
        assert watched.hand(paper(grain=14, hand=arm_from(-90), look=40 + look), moved=True)


def test_a_piles_shadow_that_creeps_is_no_hand_nor_is_it_when_it_jumps_back() -> None:
    """The discard pile grows, and is turned over; a hand is over the paper between all these looks."""
    watched = watching(paper())
    for shadow in [*range(12), 0, 1]:
        assert not watched.hand(paper(shadow=shadow), moved=True), shadow
        assert watched.hand(paper(shadow=shadow, hand=arm_from(-90)), moved=True), shadow


@pytest.mark.parametrize("light", [0.8, 1.0, 1.2])
@pytest.mark.parametrize("side", [-90.0, 0.0, 60.0, 180.0])
def test_where_an_arm_comes_from_and_its_shade_are_told(side: float, light: float) -> None:
    watched = watching(paper())
    assert watched.hand(paper(hand=arm_from(side), light=light), moved=True)
    assert arm_told(watched, side).shade == pytest.approx(100 / 180, abs=0.03)


@pytest.mark.parametrize("light", [0.8, 1.0, 1.2])
def test_the_paper_under_a_hand_that_was_there_from_the_first_look_on_is_no_hand(light: float) -> None:
    """Somebody pushes the mat, and it is found anew with the hand over it."""
    watched = watching(paper(hand=arm_from(-90)))
    assert not watched.hand(paper(light=light), moved=True)
    assert watched.hand(paper(light=light, hand=arm_from(60)), moved=True)
    arm_told(watched, 60.0)


def test_no_arm_is_over_bare_paper() -> None:
    watched = watching(paper())
    watched.hand(paper(grain=0.5, look=3))
    assert watched.arm() is None


@pytest.mark.parametrize(("slant", "spot", "noticed"), [(0.0, 2.0, True), (0.5, 0.0, False)])
def test_light_that_has_come_from_another_side_is_no_hand_from_its_second_scene_on(
    slant: float, spot: float, *, noticed: bool
) -> None:
    """As a lamp that is switched on, or somebody's shadow who has sat down; hands come and go meanwhile.

    Light that comes evenly from one side is no hand from the first scene on.
    """
    watched = watching(paper())
    for scene in range(6):
        first = watched.hand(paper(slant=slant, spot=spot, light=0.7, look=scene), moved=True)
        assert first == (noticed and scene == 0)
        assert not watched.hand(paper(slant=slant, spot=spot, light=0.7, grain=0.5, look=scene))
        assert watched.hand(paper(slant=slant, spot=spot, light=0.7, hand=arm_from(-90 * (scene % 3))), moved=True)


@pytest.mark.parametrize("side", [-90.0, 0.0, 60.0, 180.0])
def test_an_arm_is_told_in_a_light_that_has_just_come_from_another_side(side: float) -> None:
    watched = watching(paper())
    assert watched.hand(paper(hand=arm_from(side), slant=0.25, light=0.8), moved=True)
    assert arm_told(watched, side, within=15.0).shade == pytest.approx(100 / 180, abs=0.05)


def test_paper_that_was_bleached_and_is_not_any_more_is_no_hand() -> None:
    """The camera lets in less light: where the paper was all white, it may have been brighter than could be seen."""
    watched = watching(paper(slant=0.4, light=1.4))
    assert not watched.hand(paper(slant=0.4, light=0.8), moved=True)
    assert watched.hand(paper(slant=0.4, light=0.8, hand=arm_from(-90)), moved=True)


def test_a_hand_that_rests_and_comes_again_elsewhere_is_one_in_every_first_look() -> None:
    watched = watching(paper())
    for scene, side in enumerate([-90, -60, -75, -100, -40, -120]):
        assert watched.hand(paper(hand=arm_from(side), look=scene), moved=True)
        assert not watched.hand(paper(hand=arm_from(side), grain=0.5, look=scene))
        assert watched.rests


@pytest.mark.parametrize("side", [-90.0, 0.0, 60.0, 180.0])
def test_an_arm_is_told_in_the_light_of_a_spot_once_that_is_known(side: float) -> None:
    watched = watching(paper())
    for moved in (True, False):
        watched.hand(paper(spot=2.0, grain=0.5), moved=moved)
    assert watched.hand(paper(spot=2.0, hand=arm_from(side)), moved=True)
    assert watched.hand(paper(spot=2.0), moved=True) is False
    assert watched.hand(paper(spot=2.0, hand=arm_from(side)), moved=True)
    arm_told(watched, side)


def test_another_light_all_over_the_mat_is_no_arm() -> None:
    watched = watching(paper())
    assert watched.hand(paper(spot=2.0), moved=True)
    assert watched.arm() is None


def shifted(across: float) -> Pose:
    """The camera's pose after it was pushed: the mat is so many mm farther to the right in its pictures."""
    return replace(ABOVE, translation=ABOVE.translation + np.array([across, 0.0, 0.0]))


@pytest.mark.parametrize("across", [1, 12])
def test_a_hand_is_over_the_mat_in_the_picture_in_which_that_is_found_elsewhere(across: int) -> None:
    arm = arm_from(90.0)
    known = watching(paper(grain=2.0))
    assert not known.hand(paper(grain=2.0, look=1))
    pushed = np.roll(paper(grain=2.0, hand=arm, look=2), across, axis=1)
    there = known.lying(pushed, shifted(across))
    assert there.hand(pushed, moved=True)
    assert not there.hand(np.roll(paper(grain=2.0, look=3), across, axis=1), moved=True)


def test_paper_that_comes_into_view_is_not_known_and_what_goes_out_of_it_is_no_hand() -> None:
    far = 250.0
    known = watching(paper(grain=2.0))
    there = known.lying(paper(grain=2.0, look=1), shifted(far))
    assert not there.hand(paper(grain=2.0, look=2), moved=True)
    back = there.lying(paper(grain=2.0, look=3), ABOVE)
    assert not back.hand(paper(grain=2.0, look=4), moved=True)
    assert back.hand(paper(grain=2.0, hand=arm_from(180.0), look=5), moved=True)


def test_where_hardly_any_of_the_known_paper_is_in_view_it_is_known_anew() -> None:
    known = Paper(paper(), shifted(430.0), TRAY_PAPER)
    there = known.lying(paper(), ABOVE)
    assert there is not known
    assert there.hand(paper(hand=arm_from(0.0)), moved=True)
