"""A card that leans far forward: out of the first slot, or against the one before it. Its slot is not empty."""

import random
from dataclasses import replace

import pytest

from calibration.table import SLOTS
from tests.vision.test_printed import told
from tests.vision.test_swapped_piles import eye_for
from vision.drawing.picture import draw
from vision.drawing.random_scenes import some_scene
from vision.drawing.scene import RackStand, Standing
from vision.frame import Frame


def seen(seed: int, slot: int, *, forward: float | None) -> tuple[int, tuple[str, int | None] | None]:
    """Give a slot's (0..9) card and what is told of it, if it leans so many degrees forward; None: it is not there."""
    situation = some_scene(random.Random(seed), "rack", typefaces=["lines 0"])
    (mat,) = situation.scene.mats
    stand = mat.stand
    assert isinstance(stand, RackStand)
    (card,) = stand.slots[slot]
    leaning: tuple[Standing, ...] = () if forward is None else (replace(card, lean=card.lean - forward),)
    slots = (*stand.slots[:slot], leaning, *stand.slots[slot + 1 :])
    scene = replace(situation.scene, mats=(replace(mat, stand=replace(stand, slots=slots)),))
    said = told(eye_for(situation.table).look(Frame(draw(scene))))
    assert len(said) == SLOTS
    return card.card, said[slot]


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "forward"), [(12, 12.0), (51, 9.0), (64, 9.0), (66, 12.0)])
def test_a_card_that_leans_out_of_the_first_slot_is_read(seed: int, forward: float) -> None:
    card, said = seen(seed, 0, forward=forward)

    assert said == ("card", card)


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "forward"), [(1, 12.0), (13, 9.0), (68, 12.0)])
def test_the_first_slot_is_not_empty_though_the_card_that_leans_out_of_it_is_not_read(
    seed: int, forward: float
) -> None:
    _, said = seen(seed, 0, forward=forward)

    assert said is None


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 12, 13, 51, 68, 143, 217])
def test_the_first_slot_is_told_to_be_empty_where_it_is(seed: int) -> None:
    _, said = seen(seed, 0, forward=None)

    assert said == ("empty", None)


def test_a_card_is_read_that_leans_nearly_against_the_one_before_it() -> None:
    card, said = seen(46, 5, forward=8.0)

    assert said == ("card", card)
