"""A table that is filmed for an evening: one deck, one room, one set of cameras, and hands that throw shadows."""

import random
from dataclasses import replace

import numpy as np
import pytest

from calibration.table import Card, Rack, read_table
from vision.drawing.decks import Deck
from vision.drawing.fairness import covered
from vision.drawing.light import shaded
from vision.drawing.picture import draw, draw_with_truth
from vision.drawing.places import Placed
from vision.drawing.random_hands import reaching, some_person
from vision.drawing.random_scenes import some_scene
from vision.drawing.random_tables import TRAY, FilmedTable, camera_name, some_table
from vision.drawing.scene import Camera, Lamp, Lying, MatPlace, Photo, RackStand, Scene, Standing, TrayStand
from vision.drawing.troubles import Troubles
from vision.drawing.truth import table_text
from vision.drawing.typefaces import BUILT_IN, LINES

NO_FONTS = (BUILT_IN, *LINES)


@pytest.fixture(scope="module")
def table() -> FilmedTable:
    return some_table(random.Random(5), (1, 2, 3), typefaces=NO_FONTS)


def test_a_table_has_a_camera_at_the_tray_and_one_at_each_rack(table: FilmedTable) -> None:
    assert [camera_name(number) for number in table.stands] == ["tray", "rack1", "rack2", "rack3"]
    assert set(table.measured.cameras) == {"tray", "rack1", "rack2", "rack3"}
    assert all(camera.size == (1280, 720) for camera in table.cameras.values())


def test_all_racks_are_of_one_make_and_each_stands_by_hand(table: FilmedTable) -> None:
    racks = [stand for stand in table.stands.values() if isinstance(stand, RackStand)]

    assert len({replace(stand.rack, at=(0.0, 0.0)) for stand in racks}) == 1
    assert len({stand.rack.at for stand in racks}) == len(racks)


def test_mats_that_curl_stay_so_for_the_evening_and_all_else_is_as_on_flat_ones(table: FilmedTable) -> None:
    curled = some_table(random.Random(5), (1, 2, 3), typefaces=NO_FONTS, curled=9.0)

    assert replace(curled, curls={}) == table
    assert curled.curls.keys() == table.stands.keys()
    (mat,) = curled.scene(TRAY, curled.stands[TRAY], (), random.Random(1)).mats
    assert mat.curls == curled.curls[TRAY]
    assert any(0 < curl.height <= 9.0 for curls in curled.curls.values() for curl in curls)


def test_what_was_measured_can_be_written_and_read(table: FilmedTable) -> None:
    read = read_table(table_text(table.measured))

    assert read.rack == replace(table.measured.rack, at=Rack().at)
    assert read.tray == table.measured.tray
    assert read.cameras.keys() == table.measured.cameras.keys()


def test_one_lamp_shines_on_all_mats_from_its_own_side(table: FilmedTable) -> None:
    """A lamp is one place on the table, so seats that sit across from each other see it on opposite sides."""
    heights = {tuple(round(lamp.at[2], 6) for lamp in room.lamps) for room in table.rooms.values()}
    across = [np.array(table.rooms[seat].lamps[0].at[:2]) for seat in (1, 3)]

    assert len(heights) == 1
    assert np.abs(across[0] - across[1]).max() > 300


def test_the_same_chance_gives_the_same_table() -> None:
    one, again, other = (some_table(random.Random(seed), (1, 2), typefaces=NO_FONTS) for seed in (1, 1, 2))

    assert one == again
    assert one != other


def test_an_edition_that_is_asked_for_is_the_decks() -> None:
    table = some_table(random.Random(1), (1, 2), edition="hasbro-2006", typefaces=NO_FONTS)

    assert table.deck.edition == "hasbro-2006"
    assert table.deck.primes is not None


def test_a_card_that_leans_back_is_told_to_hide_the_number_behind_it() -> None:
    def covering(lean: float) -> float:
        slots = ((Standing(3, lean=lean),), (Standing(44, lean=-lean),), *((),) * 8)
        return covered(Camera(), Deck(), Card(), RackStand(slots), 1)

    assert covering(0.0) == 0
    assert 0 < covering(3.0) < covering(4.0) < 1


def test_a_hand_shades_what_lies_between_it_and_the_table_and_nothing_behind() -> None:
    lamp = Lamp(at=(50.0, 50.0, 1000.0))
    quad = np.array([[0, 100, 0], [100, 100, 0], [100, 0, 0], [0, 0, 0]], dtype=np.float64)
    square = np.array([[0, 0, 100], [40, 0, 100], [40, 40, 100], [0, 40, 100]], dtype=np.float64)
    above, below = (shaded([square + np.array([0, 0, z])], lamp, quad, (10, 10)) for z in (0, -200))

    assert above[-1, 0] < 0.2
    assert above[0, -1] > 0.9
    assert (below == 1).all()


def test_a_hand_over_the_tray_darkens_the_card_beside_it() -> None:
    tray = TrayStand(discard_pile=(Lying(17),))
    mat = MatPlace(TRAY, stand=tray)
    lamp = Lamp(at=(-300.0, 105.0, 300.0), radius=20.0)
    photo = Photo(noise=0.0, grain=0.0, quality=0)
    scene = Scene(Deck(), (mat,), Camera(at=(148.0, 60.0, 520.0), to=(148.0, 105.0, 0.0)), photo=photo, kind="tray")
    scene = replace(scene, room=replace(scene.room, lamps=(lamp,)))
    goal = np.array([145.0, 105.0, 60.0])
    hand = reaching(random.Random(1), some_person(random.Random(1)), Placed(mat), goal, 180.0)
    bare, under = (draw(replace(scene, hands=hands)).astype(int) for hands in ((), (hand,)))
    beyond_its_fingers = (slice(320, 400), slice(690, 720))

    assert np.median(bare[beyond_its_fingers] - under[beyond_its_fingers]) > 15


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_something_before_a_lamp_throws_a_shadow_on_the_cards_and_hides_none(seed: int) -> None:
    scene = some_scene(random.Random(seed), "rack", typefaces=NO_FONTS, troubles=Troubles(shades=1.0)).scene
    plain = replace(scene.photo, noise=0.0, grain=0.0, sharpen=0.0, bloom=0.0, quality=0)
    aside = tuple((x + 5000, y, z) for x, y, z in scene.shades[0])
    lit, under = (draw_with_truth(replace(scene, photo=plain, shades=(by,))) for by in (aside, scene.shades[0]))
    quads = np.concatenate([card.quad for card in lit.cards.values()])
    (x0, y0), (x1, y1) = np.maximum(quads.min(axis=0), 0).astype(int), quads.max(axis=0).astype(int)
    darker = (lit.picture.astype(int) - under.picture)[y0:y1, x0:x1].max(axis=2)

    assert 0.01 < (darker > 8).mean() < 1
    assert darker.min() >= -1
    assert [card.seen for card in under.cards.values()] == [card.seen for card in lit.cards.values()]


def test_scenes_without_such_shadows_are_as_they_were() -> None:
    without, with_one = (
        some_scene(random.Random(7), "rack", typefaces=NO_FONTS, troubles=Troubles(shades=share))
        for share in (0.0, 1.0)
    )
    assert replace(with_one.scene, shades=()) == without.scene
    assert len(with_one.scene.shades) == 1


def test_as_many_cards_lean_forward_as_are_wanted() -> None:
    def lean(share: float) -> list[float]:
        scene = some_scene(random.Random(7), "rack", typefaces=NO_FONTS, troubles=Troubles(leaning=share)).scene
        return [card.lean for _, stand in scene.racks() for cards in stand.slots for card in cards]

    usual, all_of_them = lean(0.0), lean(1.0)
    assert all(2 <= one - other <= 8 for one, other in zip(usual, all_of_them, strict=True))
    assert 1 <= sum(one != other for one, other in zip(usual, lean(0.4), strict=True)) < len(usual)
