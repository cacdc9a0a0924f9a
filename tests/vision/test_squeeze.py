"""A picture that a camera has squeezed or stretched is seen as such, and its racks are read rightly all the same."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.table import SLOTS
from tests.vision.test_displaced import pushed
from tests.vision.test_lens import COMMON, SIZE, lens, shown
from tests.vision.test_printed import cards_in, readable, told
from tests.vision.test_swapped_piles import eye_for
from vision.drawing.picture import draw
from vision.drawing.random_scenes import Situation
from vision.frame import Frame
from vision.lens import RATIOS, guessed, pixel_ratio
from vision.look import Look
from vision.mats import Mat

SQUEEZED, STRETCHED = RATIOS


def as_wide(picture: NDArray[np.uint8], ratio: float) -> NDArray[np.uint8]:
    """The picture with pixels so many times as high as wide."""
    return np.asarray(cv2.resize(picture, None, fx=ratio, fy=1.0, interpolation=cv2.INTER_AREA), np.uint8)


def seen(situation: Situation, ratio: float) -> Look:
    """A look through a camera of which nothing was measured."""
    table = replace(situation.table, cameras={})
    return eye_for(table).look(Frame(as_wide(draw(situation.scene), ratio)))


def said(look: Look) -> Sequence[str]:
    return [word for word in look.remarks if "proportions of its own" in word]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ratio", "words"), [(SQUEEZED, "squeezed by about 25 %"), (STRETCHED, "stretched by about 33 %")]
)
def test_racks_are_read_in_pictures_that_are_squeezed_or_stretched(ratio: float, words: str) -> None:
    racks, right = readable(), 0
    for situation in racks:
        look = seen(situation, ratio)
        assert all(words in word for word in said(look))
        assert said(look)
        for card, state in zip(told(look), cards_in(situation.scene), strict=True):
            assert card in {None, state}
            right += card == state
    assert right >= 9 * len(racks)


def test_of_square_pixels_nothing_is_said() -> None:
    assert not any(said(seen(situation, 1.0)) for situation in readable())


def without(situation: Situation, cards: int, right: float = 0.0) -> NDArray[np.uint8]:
    """A stretched picture of the rack with its first cards alone, its mat so many mm farther to the right."""
    scene = pushed(situation, 0.0, cards)
    (mat,) = scene.mats
    moved = replace(mat, at=(mat.at[0] + right, mat.at[1]))
    return as_wide(draw(replace(scene, mats=(moved,))), STRETCHED)


def test_what_was_told_of_the_pixels_stays_when_there_are_fewer_cards() -> None:
    situation = readable()[0]
    eye = eye_for(replace(situation.table, cameras={}))
    eye.look(Frame(without(situation, SLOTS)))
    assert said(eye.look(Frame(without(situation, 0, right=40.0))))


@pytest.mark.slow
def test_a_rack_that_is_filled_before_a_camera_tells_of_its_pixels_once_it_is_full() -> None:
    situation = readable()[0]
    eye = eye_for(replace(situation.table, cameras={}))
    for cards in (0, 3, 6, 8, SLOTS, SLOTS, SLOTS):
        look = eye.look(Frame(without(situation, cards)), moved=True)
    assert said(look)
    assert sum(one == card for one, card in zip(told(look), cards_in(situation.scene), strict=True)) >= 9


def stretched(mats: Sequence[Mat], ratio: float) -> list[Mat]:
    return [Mat(mat.number, {place: at * [ratio, 1.0] for place, at in mat.markers.items()}) for mat in mats]


@pytest.mark.parametrize(("ratio", "within"), [(SQUEEZED, 0.01), (0.6, 0.2)])
def test_mats_tell_a_common_ratio_of_pixels_exactly_and_others_about(ratio: float, within: float) -> None:
    mats = stretched(shown(lens(COMMON)), ratio)
    found = guessed(mats, (round(SIZE[0] * ratio), SIZE[1]))
    assert pixel_ratio(found) == pytest.approx(ratio, rel=within)


def test_with_the_true_pixels_the_focal_length_is_found() -> None:
    mats = stretched(shown(lens(COMMON)), SQUEEZED)
    found = guessed(mats, (round(SIZE[0] * SQUEEZED), SIZE[1]), SQUEEZED)
    assert found.matrix[1, 1] == pytest.approx(COMMON, rel=0.05)


def test_pixels_are_squares_unless_the_mats_plainly_say_otherwise() -> None:
    assert pixel_ratio(guessed(shown(lens(COMMON)), SIZE)) == pytest.approx(1.0)
    assert pixel_ratio(guessed((), SIZE)) == pytest.approx(1.0)
    assert pixel_ratio(guessed(shown(lens(COMMON)), SIZE, SQUEEZED)) == pytest.approx(SQUEEZED)
