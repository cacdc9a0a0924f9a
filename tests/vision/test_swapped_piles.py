"""A family may lay the draw pile where the discard pile belongs: that is said, and no card is made up."""

import random
from dataclasses import replace
from functools import cache

import pytest

from calibration.table import Side, Table, Tray
from vision.drawing.picture import draw
from vision.drawing.random_scenes import Situation, some_scene
from vision.drawing.scene import Scene, TrayStand
from vision.eye import Eye
from vision.frame import Frame
from vision.fuse import sure
from vision.known_mat import SWAPPED
from vision.look import Look
from vision.reading.digits import NumberReader

DECK = range(1, 61)
OTHER: dict[Side, Side] = {"left": "right", "right": "left"}


def stand_of(scene: Scene) -> TrayStand:
    (mat,) = scene.mats
    assert isinstance(mat.stand, TrayStand)
    return mat.stand


def swapped(table: Table) -> Table:
    """The same table, but that its owner laid the piles into each other's wells."""
    return replace(table, tray=Tray(OTHER[table.tray.draw]))


def eye_for(table: Table) -> Eye:
    return Eye(table, DECK, next(iter(table.cameras.values()), None), NumberReader())


def seen(table: Table, situation: Situation) -> Look:
    return eye_for(table).look(Frame(draw(situation.scene)))


@cache
def readable() -> list[Situation]:
    """Four trays whose discard pile is surely read where it belongs."""
    found: list[Situation] = []
    for seed in range(60):
        situation = some_scene(random.Random(seed), "tray", typefaces=["lines 0"])
        pile = stand_of(situation.scene).discard_pile
        tray = seen(situation.table, situation).tray if pile else None
        if tray is not None and sure(tray.discard) == ("card", pile[-1].card):
            found.append(situation)
        if len(found) == 4:
            break
    return found


@pytest.mark.parametrize("place", range(4))
def test_piles_that_lie_as_measured_are_not_held_to_be_swapped(place: int) -> None:
    situation = readable()[place]
    assert SWAPPED not in seen(situation.table, situation).remarks


def test_swapped_piles_are_said_and_no_discard_is_told() -> None:
    looks = [seen(swapped(situation.table), situation) for situation in readable()]
    assert sum(SWAPPED in look.remarks for look in looks) >= 3
    for look in looks:
        assert look.tray is not None
        assert sure(look.tray.discard) is None
        assert look.tray.draw is None or SWAPPED not in look.remarks


def test_once_the_piles_are_put_right_nothing_is_said_any_more() -> None:
    situation = readable()[0]
    (mat,) = situation.scene.mats
    stand = stand_of(situation.scene)
    put_right = replace(situation.scene, mats=(replace(mat, stand=replace(stand, draw=OTHER[stand.draw])),))
    eye = eye_for(swapped(situation.table))
    assert SWAPPED in eye.look(Frame(draw(situation.scene))).remarks
    for _ in range(2):
        look = eye.look(Frame(draw(put_right)))
    assert SWAPPED not in look.remarks
    assert look.tray is not None
    assert sure(look.tray.discard) == ("card", stand.discard_pile[-1].card)


def test_it_is_said_as_long_as_discards_are_laid_on_the_wrong_side() -> None:
    situation = readable()[0]
    (mat,) = situation.scene.mats
    stand = stand_of(situation.scene)
    top = stand.discard_pile[-1]
    eye = eye_for(swapped(situation.table))
    for card in (top.card, top.card % 60 + 1, (top.card + 29) % 60 + 1):
        pile = (*stand.discard_pile[:-1], replace(top, card=card))
        scene = replace(situation.scene, mats=(replace(mat, stand=replace(stand, discard_pile=pile)),))
        look = eye.look(Frame(draw(scene)))
        assert SWAPPED in look.remarks
        assert look.tray is not None
        assert sure(look.tray.discard) is None


def test_an_empty_discard_pile_beside_a_draw_pile_is_no_swap() -> None:
    situation = readable()[0]
    (mat,) = situation.scene.mats
    stand = stand_of(situation.scene)
    scene = replace(situation.scene, mats=(replace(mat, stand=replace(stand, discard_pile=())),))
    look = eye_for(situation.table).look(Frame(draw(scene)))
    assert SWAPPED not in look.remarks
