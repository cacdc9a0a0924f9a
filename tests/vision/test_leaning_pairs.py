"""Two cards that lean against each other: the number of the front one may be taken for that of the one behind."""

import random
from dataclasses import replace

from tests.vision.test_swapped_piles import eye_for
from vision.drawing.picture import draw
from vision.drawing.random_scenes import some_scene
from vision.drawing.scene import RackStand, Standing
from vision.frame import Frame
from vision.fuse import sure

SEED, NEARER, LEANS = 4181, 8, (4.7, 4.75)
"""A drawn rack, the slot (0..9) of a card in it, and by how many degrees it and the one behind it lean together."""


def leaning(cards: tuple[Standing, ...], more: float) -> tuple[Standing, ...]:
    return tuple(replace(card, lean=card.lean + more) for card in cards)


def test_the_number_of_a_card_that_leans_back_is_not_told_as_that_of_the_one_behind() -> None:
    """Its edge is lost in that one's, below which its number is read, lower than others are."""
    situation = some_scene(random.Random(SEED), "rack", typefaces=["lines 0"])
    (mat,) = situation.scene.mats
    assert isinstance(mat.stand, RackStand)
    slots = [*mat.stand.slots]
    slots[NEARER], slots[NEARER + 1] = leaning(slots[NEARER], LEANS[0]), leaning(slots[NEARER + 1], -LEANS[1])
    scene = replace(situation.scene, mats=(replace(mat, stand=replace(mat.stand, slots=tuple(slots))),))
    (readings,) = eye_for(situation.table).look(Frame(draw(scene))).racks.values()
    told = [sure(reading) for reading in readings]
    assert [told[NEARER], told[NEARER + 1]] == [None, None]
    cards = {slot: ("card", held[0].card) for slot, held in enumerate(slots[:NEARER]) if held and held[0].card}
    assert {slot: told[slot] for slot in cards} == cards
