"""A rack that was pushed off its place on the mat by a slot's width is read rightly all the same, and it is said."""

from dataclasses import replace

from calibration.table import SLOTS
from tests.vision.test_printed import cards_in, readable, told
from tests.vision.test_swapped_piles import eye_for
from vision.drawing.picture import draw
from vision.drawing.random_scenes import Situation
from vision.drawing.scene import RackStand, Scene
from vision.frame import Frame
from vision.look import Look

ENOUGH = 9
"""Cards of a drawn rack that are surely read where it stands in its place."""


def pushed(situation: Situation, depth: float, cards: int = SLOTS) -> Scene:
    """The scene with its rack so many mm farther back on its mat, and its last slots empty."""
    (mat,) = situation.scene.mats
    assert isinstance(mat.stand, RackStand)
    x, y = mat.stand.rack.at
    slots = (*mat.stand.slots[:cards], *((),) * (SLOTS - cards))
    stand = replace(mat.stand, rack=replace(mat.stand.rack, at=(x, y + depth)), slots=slots)
    return replace(situation.scene, mats=(replace(mat, stand=stand),))


def seen(situation: Situation, scene: Scene) -> Look:
    return eye_for(situation.table).look(Frame(draw(scene)))


def said(look: Look) -> list[str]:
    return [word for word in look.remarks if "its outline on the mat" in word]


def test_racks_that_were_pushed_by_a_slots_width_are_read_rightly() -> None:
    """Seven of eight: in a bare slot a number may seem to be read, and another lean explains a slot's width as well."""
    right = noticed = 0
    for situation in readable():
        pitch = situation.table.rack.pitch
        for depth, where in ((pitch, "behind"), (-pitch, "before")):
            scene = pushed(situation, depth)
            look = seen(situation, scene)
            assert all(f"{pitch:.0f} mm {where} its outline" in word for word in said(look))
            noticed += len(said(look))
            right += sum(one == card for one, card in zip(told(look), cards_in(scene), strict=True)) >= ENOUGH
    assert right >= 7
    assert noticed >= 6


def test_of_a_rack_in_its_place_nothing_is_said() -> None:
    assert not any(said(seen(situation, situation.scene)) for situation in readable())


def test_a_rack_with_an_empty_last_slot_is_not_taken_for_one_that_was_pushed() -> None:
    situation = readable()[0]
    scene = pushed(situation, 0.0, cards=SLOTS - 1)
    look = seen(situation, scene)
    assert not said(look)
    assert told(look)[: SLOTS - 1] == cards_in(scene)


def test_a_rack_that_is_pushed_off_and_back_is_followed() -> None:
    situation = readable()[0]
    eye = eye_for(situation.table)
    cards = cards_in(situation.scene)
    for depth in (0.0, situation.table.rack.pitch, 0.0):
        look = eye.look(Frame(draw(pushed(situation, depth))), moved=True)
        assert bool(said(look)) == bool(depth)
        assert sum(one == card for one, card in zip(told(look), cards, strict=True)) >= ENOUGH
