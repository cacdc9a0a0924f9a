"""A rack is filled card by card before one camera: in the end each card is told in its own slot."""

import random
from dataclasses import replace

import pytest

from calibration.table import SLOTS
from vision.drawing.picture import draw
from vision.drawing.random_scenes import some_scene
from vision.drawing.scene import BACK, RackStand, Standing
from vision.eye import Eye
from vision.frame import Frame
from vision.fuse import sure
from vision.look import Look
from vision.reading.digits import NumberReader


def told(look: Look) -> list[int | None]:
    """The card that is surely told in each slot; None for none."""
    ((*readings,),) = look.racks.values()
    return [said[1] if (said := sure(reading)) is not None else None for reading in readings]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [70006, 70066, 70086])
def test_a_rack_that_is_filled_from_its_far_end_is_not_told_a_slot_off(seed: int) -> None:
    chance = random.Random(seed)
    situation = some_scene(chance, "rack")
    (mat,) = situation.scene.mats
    stand = mat.stand
    assert isinstance(stand, RackStand)
    full = stand.slots
    eye = Eye(situation.table, range(1, 61), next(iter(situation.table.cameras.values()), None), NumberReader())

    def look_at(slots: tuple[tuple[Standing, ...], ...], number: int) -> list[int | None]:
        scene = replace(situation.scene, mats=(replace(mat, stand=replace(stand, slots=slots)),))
        pictures = [replace(scene, photo=replace(scene.photo, seed=2 * number + again)) for again in range(2)]
        looks = [eye.look(Frame(draw(one)), moved=one is pictures[0]) for one in pictures]
        return told(looks[1])

    stood = 0
    seen = look_at(((),) * SLOTS, 0)
    while stood < SLOTS:
        stood = min(SLOTS, stood + chance.choice((1, 1, 2, 3, 4)))
        seen = look_at((*((),) * (SLOTS - stood), *full[SLOTS - stood :]), stood)
    cards = [slot[0].card if slot and slot[0].card != BACK else None for slot in full]
    assert all(said in {None, card} for said, card in zip(seen, cards, strict=True))
    assert sum(said is None and card is not None for said, card in zip(seen, cards, strict=True)) <= 1
