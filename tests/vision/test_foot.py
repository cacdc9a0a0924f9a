"""Where a rack stands is told by the edge of its foot on the paper, and it helps to tell its slots apart."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.test_displaced import pushed, said, seen
from tests.vision.test_printed import cards_in, readable, told
from tests.vision.test_swapped_piles import eye_for
from vision.drawing.picture import draw
from vision.drawing.random_scenes import Situation
from vision.drawing.scene import RackStand, Scene
from vision.frame import Frame
from vision.pose import Pose
from vision.rack.foot import COMMON_SPREAD, SPREAD, UNSEEN, Footing, find_foot


def behind(situation: Situation, scene: Scene) -> float:
    """How far (mm) the middle of a drawn rack's front is behind where its owner's measures have it."""
    (mat,) = scene.mats
    assert isinstance(mat.stand, RackStand)
    rack = mat.stand.rack
    return rack.at[1] - situation.table.rack.at[1] + math.sin(math.radians(mat.stand.turn)) * rack.width / 2


def pose_in(situation: Situation, picture: NDArray[np.uint8]) -> Pose:
    """The mat's pose by its markers."""
    eye = eye_for(situation.table)
    eye.look(Frame(picture))
    return next(iter(eye.poses.values()))


def likeliest(footing: Footing) -> float:
    return float(footing.places[np.argmax(footing.shares)]) if len(footing.places) else math.nan


def shown(situation: Situation, scene: Scene) -> tuple[NDArray[np.uint8], Pose]:
    picture = draw(scene)
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8), pose_in(situation, picture)


@pytest.mark.slow
def test_the_foot_is_seen_where_the_rack_was_put_and_where_it_was_pushed() -> None:
    """In nine of twelve pictures to 1 mm, and never elsewhere: of a rack in shadow nothing is seen."""
    off = [
        likeliest(find_foot(*shown(situation, scene), situation.table)) - behind(situation, scene)
        for situation in readable()
        for scene in (pushed(situation, depth) for depth in (0.0, 5.0, -5.0))
    ]
    assert sum(abs(far) < 1.0 for far in off) >= 9
    assert not any(abs(far) > 1.5 for far in off)


def test_of_a_front_out_of_the_picture_nothing_is_said() -> None:
    situation = readable()[0]
    grey, pose = shown(situation, situation.scene)
    front = np.array([[*situation.table.rack.at, 0.0]])
    row = int(pose.project(front)[0, 1]) - 15
    assert find_foot(grey[:row], pose, situation.table) == UNSEEN


def test_the_outline_on_the_paper_is_not_the_foot_of_a_rack_that_was_pushed() -> None:
    """A thin pale line, as calibration.mats prints it."""
    situation = readable()[1]
    scene = pushed(situation, 6.0)
    grey, pose = shown(situation, scene)
    x, y = situation.table.rack.at
    line = pose.project(np.array([[x, y, 0.0], [x + situation.table.rack.width, y, 0.0]]))
    ends = [tuple(int(16 * value) for value in end) for end in line]
    pale = int(grey[int(line[:, 1].mean()) + 10, int(line[:, 0].mean())]) * 200 // 255
    cv2.line(grey, ends[0], ends[1], pale, 1, cv2.LINE_AA, 4)
    assert abs(likeliest(find_foot(grey, pose, situation.table)) - behind(situation, scene)) < 1.0


def off_by_measures(situation: Situation) -> float:
    """By how many mm the cards of a rack in its place stand off where the measures put them."""
    eye = eye_for(situation.table)
    eye.look(Frame(draw(situation.scene)))
    return eye.racks[0].view.fit.off


@pytest.mark.slow
@pytest.mark.parametrize("depth", [-6.0, 6.0])
def test_a_rack_that_was_pushed_by_half_a_slot_is_read_rightly(depth: float) -> None:
    """It is filled by half, so no card beyond its end tells which slot is which.

    Without the foot eleven cards of racks that were pushed back were told falsely, and none rightly. One whose cards
    lean so much otherwise than measured that they stand half a slot off anyway looks, pushed, like one in its place.
    """
    wrong = right = 0
    usual = [situation for situation in readable() if abs(off_by_measures(situation)) <= 1.5 * COMMON_SPREAD]
    assert len(usual) >= 3
    for situation in usual:
        scene = pushed(situation, depth, cards=6)
        look = seen(situation, scene)
        pairs = [(one, card) for one, card in zip(told(look)[:6], cards_in(scene), strict=True) if one is not None]
        right += sum(one == card for one, card in pairs)
        wrong += sum(one != card for one, card in pairs)
        assert all("6 mm" in word or "5 mm" in word or "7 mm" in word for word in said(look))
    assert wrong == 0
    assert right >= 3 * len(usual)


def test_a_place_that_was_seen_counts_more_than_one_that_is_usual() -> None:
    seen_at = Footing(np.array([-2.0]), np.array([0.9]))
    nearer, there, farther = seen_at.likely(np.array([-2.0, 0.0, 3.0]))
    assert nearer > there > farther
    nearer, there, farther = UNSEEN.likely(np.array([-2.0, 0.0, 2.0]))
    assert nearer == farther < there == 0.0


def test_a_rack_is_held_to_be_pushed_only_where_its_cards_stand_off_as_well() -> None:
    far = Footing(np.array([0.0, 6.0]), np.array([0.05, 0.7]))
    assert far.pushed(5.0) == 6.0
    assert far.pushed(-4.0) is None
    assert replace(far, places=far.places / 2).pushed(3.0) is None
    assert UNSEEN.pushed(8.0) is None
    assert abs(far.seen_from(6.0, surely=True).places[1]) < SPREAD


def test_a_rack_that_may_have_been_pushed_may_stand_in_its_place_too() -> None:
    before = Footing(np.array([-8.0]), np.array([0.2]))
    pushed_or_home = np.array([-3.0, 8.5])  # as its cards stand in the two cases, seen from 8 mm before its outline
    doubted, sure = (before.seen_from(-8.0, surely=surely).likely(pushed_or_home) for surely in (False, True))
    assert doubted[1] > doubted[0]
    assert sure[0] > sure[1] + 2
