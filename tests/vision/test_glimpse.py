"""A discard is told though a hand seems to be over the tray, if its number is read alike at both ends."""

import random
from dataclasses import replace

import pytest

from calibration.table import Side
from engine.cards import Card
from tests.vision.test_arm import SIDES, reached
from tests.vision.test_rim import TELLING, again, bare_tray
from tests.vision.test_swapped_piles import eye_for
from vision.drawing.random_scenes import shaded
from vision.drawing.scene import Lying, Scene, TrayStand
from vision.eye import Eye
from vision.find import find_on_pile
from vision.fuse import sure
from vision.look import PILE, Look
from vision.mats import TRAY
from vision.rim import Rim


def with_another(scene: Scene) -> tuple[Scene, Card]:
    """The scene with one more card on the discard pile."""
    mat, stand = next((mat, mat.stand) for mat in scene.mats if isinstance(mat.stand, TrayStand))
    lie = [*stand.discard_pile, *stand.draw_pile]
    card = next(card for card in (47, 38, 25) if card not in {one.card for one in lie})
    pile = (*stand.discard_pile, Lying(card, 0.5, -0.5, 1.0))
    other = replace(mat, stand=replace(stand, discard_pile=pile))
    return replace(scene, mats=tuple(other if one is mat else one for one in scene.mats)), card


def drawn_from(scene: Scene) -> Side:
    """The well of the draw pile."""
    tray = scene.tray()
    assert tray is not None
    return tray.draw


def told(look: Look) -> Card | None:
    """The card that a look surely shows on the discard pile."""
    said = sure(look.tray.discard) if look.tray is not None else None
    return said[1] if said else None


def before_an_eye(seed: int) -> tuple[Eye, Scene, Scene, Card]:
    """An eye that has seen a drawn tray; the tray, the same with another card discarded, and which that is."""
    situation = bare_tray(seed)
    eye = eye_for(situation.table)
    assert not eye.look(again(situation.scene, 1)).hands
    return eye, situation.scene, *with_another(situation.scene)


@pytest.mark.slow
def test_a_discard_is_told_while_a_hand_is_over_the_draw_pile() -> None:
    """Where both its numbers are read, as they are in most of eighteen such pictures."""
    said = 0
    for seed in (1, 3, 7, 8, 21, 22):
        for side in (-90.0, 90.0, 180.0):
            eye, _, other, card = before_an_eye(seed)
            look = eye.look(again(reached(other, drawn_from(other), side, seed), 2), moved=True)
            assert look.hands == {TRAY}
            if told(look) is None:
                assert PILE in look.repeated
                continue
            assert told(look) == card
            assert PILE not in look.repeated
            said += 1
    assert said >= 9


def test_it_is_no_news_when_the_hand_is_gone() -> None:
    eye, _, other, card = before_an_eye(3)
    eye.look(again(reached(other, drawn_from(other), 90.0, 3), 2), moved=True)
    look = eye.look(again(other, 3), moved=True)
    assert not look.hands
    assert told(look) == card
    assert look.tray is not None
    assert look.tray.draw is not None
    assert PILE in look.repeated


def test_it_is_told_in_a_shadow_that_passes_for_a_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a table as light as paper the mat's rim does not tell that it is one."""
    monkeypatch.setattr(Rim, "may_be_crossed", lambda *_: True)
    eye, _, other, card = before_an_eye(3)
    look = eye.look(again(shaded(random.Random(3), other), 2), moved=True)
    assert look.hands == {TRAY}
    assert told(look) == card


@pytest.mark.slow
@pytest.mark.parametrize("seed", TELLING)
@pytest.mark.parametrize("side", SIDES)
def test_no_other_card_is_told_below_a_hand(seed: int, side: float) -> None:
    eye, _, other, card = before_an_eye(seed)
    look = eye.look(
        again(reached(other, "left" if drawn_from(other) == "right" else "right", side, seed), 2), moved=True
    )
    assert look.hands == {TRAY}
    assert told(look) in {card, None}


@pytest.mark.parametrize("ends", [1, 2])
def test_a_number_that_is_read_at_one_end_alone_is_not_told(monkeypatch: pytest.MonkeyPatch, ends: int) -> None:
    """A hand may hold a card of which one end is seen."""
    eye, _, other, card = before_an_eye(3)
    monkeypatch.setattr(
        "vision.tray_memory.find_on_pile",
        lambda *seen: tuple(item for item in find_on_pile(*seen) if ends == 2 or not item.turned),
    )
    look = eye.look(again(reached(other, drawn_from(other), 90.0, 3), 2), moved=True)
    assert told(look) == (card if ends == 2 else None)
