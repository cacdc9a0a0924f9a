"""The lower number of a card behind free slots, a 6's 9, is not the number of a card that stands in one of them."""

import random
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.table import SLOTS, Table
from tests.vision.drawing import Rack
from tests.vision.test_fit import CARDS, picture_of
from tests.vision.test_printed import told
from tests.vision.test_rivals import read, says
from tests.vision.test_swapped_piles import eye_for
from vision.drawing.picture import draw
from vision.drawing.random_scenes import some_scene
from vision.drawing.scene import RackStand, Scene
from vision.find import find_in_rack, in_picture
from vision.found import Found, RackFound
from vision.frame import Frame
from vision.lower_numbers import NEAR, own_numbers
from vision.rivals import numbers_read

NOBODY = [None] * SLOTS


def freed(scene: Scene, free: int, card: int) -> Scene:
    """A rack's scene with so many of its first slots free, and a card in the one behind; nowhere else is that one."""
    (mat,) = scene.mats
    stand = mat.stand
    assert isinstance(stand, RackStand)
    (was,) = stand.slots[free]
    behind = [
        tuple(replace(other, card=was.card) if other.card == card else other for other in slot)
        for slot in stand.slots[free + 1 :]
    ]
    slots = (*((),) * free, (replace(was, card=card),), *behind)
    return replace(scene, mats=(replace(mat, stand=replace(stand, slots=slots)),))


@pytest.mark.parametrize(
    ("seed", "free", "card"), [(5, 1, 9), (10, 2, 6), (10, 2, 9), (31, 3, 6), (40, 1, 9), (64, 3, 9)]
)
def test_free_slots_before_a_6_or_a_9_are_told_to_be_empty(seed: int, free: int, card: int) -> None:
    """In three of 408 racks drawn so a card was told there, and in 152 one of them was in doubt (69 by now)."""
    situation = some_scene(random.Random(seed), "rack", typefaces=["lines 0"] if seed % 2 else [""])
    look = eye_for(situation.table).look(Frame(draw(freed(situation.scene, free, card))))
    assert told(look)[: free + 1] == [*[("empty", None)] * free, ("card", card)]


@pytest.fixture(scope="module")
def full() -> RackFound:
    """A rack with a card in every slot."""
    frame, pose = picture_of(Rack(CARDS))
    return find_in_rack(frame, 2, pose, Table())


def in_front(rack: RackFound, behind: int, aside: float = 0.0) -> RackFound:
    """The rack with the lower number of the card `behind` in its first slot, so many mm beside its place."""
    card, (found, *_), strip = Table().card, rack.slots[behind], rack.view.strips[0]
    assert strip is not None
    ink = found.ink
    x, y = ink.middle
    at = in_picture(rack.view, behind, np.array([(card.width - x + aside, card.height - y)]))
    corners = np.array([(0, 0), (card.width, 0), (card.width, card.height), (0, card.height)], np.float32)
    to_card = cv2.getPerspectiveTransform(strip.quad.astype(np.float32), corners)
    ((x, y),) = cv2.perspectiveTransform(at[None], to_card)[0]
    high, wide = ink.height / 2, ink.width / 2
    lower = replace(found, ink=replace(ink, left=x - wide, right=x + wide, top=y - high, bottom=y + high))
    return replace(rack, slots=((lower,), *rack.slots[1:]))


class Turned:
    """A reader of crops turned by half a turn: it says one card, and counts what it is asked."""

    def __init__(self, card: int) -> None:
        """Read this card."""
        self.card, self.asked = card, 0

    def __call__(self, crops: Sequence[NDArray[np.uint8]]) -> NDArray[np.float64]:
        """Read crops."""
        self.asked += len(crops)
        return np.repeat(says(self.card), len(crops), axis=0)


def first(rack: RackFound, reader: Turned, *, behind: int) -> NDArray[np.float64]:
    """What is read in the first slot, where a 9 is read in it and 6 in the slot `behind`."""
    rows = own_numbers(rack, read({**CARDS, 0: 9, behind: 6}), NOBODY, reader)[0]
    assert rows.shape == (1, 61)
    return rows


@pytest.mark.parametrize("behind", [1, 3])
def test_what_reads_as_a_card_behind_when_turned_where_that_has_its_lower_number_is_no_number(
    full: RackFound, behind: int
) -> None:
    assert first(in_front(full, behind), Turned(6), behind=behind)[0, 0] == 1.0
    assert first(in_front(full, behind, NEAR - 1.0), Turned(6), behind=behind)[0, 0] == 1.0


def test_a_number_elsewhere_is_its_own_and_is_not_read_again(full: RackFound) -> None:
    reader = Turned(6)
    assert first(in_front(full, 1, NEAR + 1.0), reader, behind=1)[0].argmax() == 9
    assert first(full, reader, behind=1)[0].argmax() == 9
    assert not reader.asked


@pytest.mark.parametrize("card", [0, 9, 16])
def test_nor_is_one_that_reads_otherwise_when_it_is_turned(full: RackFound, card: int) -> None:
    assert first(in_front(full, 1), Turned(card), behind=1)[0].argmax() == 9


def test_a_card_that_was_told_before_has_its_lower_number_too(full: RackFound) -> None:
    """In a later picture only what has changed is read."""
    rack = in_front(full, 1)
    known = [None, 6, *NOBODY[2:]]
    assert own_numbers(rack, {0: says(9)}, known, Turned(6))[0][0, 0] == 1.0
    assert own_numbers(rack, {0: says(9)}, NOBODY, Turned(6))[0][0].argmax() == 9


def test_another_number_in_the_slot_stays(full: RackFound) -> None:
    rack = in_front(full, 1)
    other: Found = full.slots[0][0]
    rack = rack.with_numbers(0, [other, *rack.slots[0]])
    rows = np.concatenate([says(31, 0.95), says(9)])
    left = own_numbers(rack, {**read(CARDS), 0: rows, 1: says(6)}, NOBODY, Turned(6))[0]
    assert left[1, 0] == 1.0
    assert numbers_read([left]) == 1
    assert left[0].argmax() == 31
