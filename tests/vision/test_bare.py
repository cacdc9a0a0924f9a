"""A rack without any card is seen to be empty, before the deal and between two rounds; what is hidden is not."""

from dataclasses import replace

import pytest

from calibration.table import SLOTS
from tests.vision.test_eye import CARDS, eye_for, frame, hand_over, rack_with, situation, told
from vision.drawing.random_scenes import Situation
from vision.drawing.scene import BACK, RackStand
from vision.eye import Eye
from vision.frame import Frame
from vision.fuse import best

__all__ = ["situation"]

NO_CARDS = (None,) * SLOTS

NEARLY_ALL = SLOTS - 2
"""The far end of a bare rack is hard to tell from a hand."""


def states(eye: Eye, picture: Frame) -> list[str]:
    """What most likely stands in each slot of the one rack."""
    (readings,) = eye.look(picture).racks.values()
    return [best(reading)[0] for reading in readings]


def test_a_bare_rack_is_empty_and_needs_no_mending(situation: Situation) -> None:
    eye, _ = eye_for(situation)
    bare = frame(rack_with(situation.scene, NO_CARDS))
    assert states(eye, bare).count("empty") >= NEARLY_ALL
    assert not eye.look(bare).remarks


def test_a_rack_is_emptied_and_filled_again(situation: Situation) -> None:
    eye, _ = eye_for(situation)
    full = rack_with(situation.scene, CARDS)
    for seed in range(2):
        assert told(eye, frame(full, seed)) == list(CARDS)
    for seed in range(2, 4):
        assert states(eye, frame(rack_with(situation.scene, NO_CARDS), seed)).count("empty") >= NEARLY_ALL
    dealt = CARDS[::-1]
    eye.look(frame(rack_with(situation.scene, dealt), 4))
    assert told(eye, frame(rack_with(situation.scene, dealt), 5)) == list(dealt)


def test_the_first_card_in_a_bare_rack_is_read(situation: Situation) -> None:
    eye, _ = eye_for(situation)
    eye.look(frame(rack_with(situation.scene, NO_CARDS)))
    first = rack_with(situation.scene, (None, None, None, 33, *NO_CARDS[4:]))
    eye.look(frame(first, 1))
    said = states(eye, frame(first, 2))
    assert said[3] == "card"
    assert "card" not in said[:3] + said[4:]


def test_cards_turned_round_leave_no_slot_empty(situation: Situation) -> None:
    scene = rack_with(situation.scene, CARDS)
    (mat,) = scene.mats
    assert isinstance(mat.stand, RackStand)
    slots = tuple(tuple(replace(card, card=BACK) for card in slot) for slot in mat.stand.slots)
    eye, _ = eye_for(situation)
    turned = replace(scene, mats=(replace(mat, stand=replace(mat.stand, slots=slots)),))
    assert "empty" not in states(eye, frame(turned))


@pytest.mark.parametrize("cards", [CARDS, NO_CARDS])
def test_what_an_arm_hides_is_not_empty(situation: Situation, cards: tuple[int | None, ...]) -> None:
    eye, _ = eye_for(situation)
    said = states(eye, frame(hand_over(rack_with(situation.scene, cards))))
    assert "empty" not in said if cards == CARDS else said.count("empty") < SLOTS
