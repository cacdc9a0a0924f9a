"""Drawn pictures say the truth about themselves, and are the same wherever and whenever they are drawn."""

import random
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.table import MAT_SIZE, Rack
from vision.drawing.camera import View
from vision.drawing.decks import Deck
from vision.drawing.picture import Drawn, draw, draw_with_truth
from vision.drawing.random_scenes import KINDS, some_scene
from vision.drawing.scene import (
    BACK,
    Camera,
    Cloth,
    Hand,
    Kind,
    Lying,
    MatPlace,
    Photo,
    RackStand,
    Scene,
    Standing,
    TrayStand,
)
from vision.drawing.troubles import Troubles
from vision.drawing.typefaces import BUILT_IN, LINES, numerals_of
from vision.mats import MARKER_CENTRES, MARKER_SIDE, find_mats
from vision.picture import grey_of

NO_FONTS = (BUILT_IN, *LINES)
STILL = Photo(noise=0.0, grain=0.0, quality=0, vignette=0.0)
"""A photo without chance, so that two pictures differ only where their scenes do."""
LENS = Camera(distortion=(-0.07, 0.01), roll=2.0)


def a_rack(*cards: int) -> RackStand:
    slots = tuple((Standing(card, lean=6.0 + slot % 3, slide=slot % 4),) for slot, card in enumerate(cards))
    return RackStand(slots + ((),) * (10 - len(cards)), Rack())


def a_scene(stand: RackStand | TrayStand | None, number: int = 2) -> Scene:
    return Scene(Deck(), (MatPlace(number, stand=stand),), camera=LENS, photo=STILL, cloth=Cloth(strength=0.0))


def changed(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> NDArray[np.bool_]:
    return np.asarray(cv2.absdiff(one, other).max(axis=2) > 24)


def filled(size: tuple[int, int], quad: NDArray[np.float64], wider: float = 0.0) -> NDArray[np.bool_]:
    middle = quad.mean(axis=0)
    grown = middle + (quad - middle) * (1 + wider)
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillConvexPoly(mask, np.round(grown * 16).astype(np.int32), 1, shift=4)
    return mask.astype(bool)


@pytest.fixture(scope="module")
def full_rack() -> Drawn:
    return draw_with_truth(a_scene(a_rack(4, 11, 23, 25, 31, 38, 42, 47, 52, 58)))


def test_the_same_scene_draws_the_same_picture() -> None:
    scenes = [
        some_scene(random.Random("seed"), "wide", typefaces=NO_FONTS, troubles=Troubles(hands=0.5)) for _ in range(2)
    ]

    assert scenes[0] == scenes[1]
    assert (draw(scenes[0].scene) == draw(scenes[1].scene)).all()


def test_another_seed_draws_another_picture() -> None:
    one, other = (some_scene(random.Random(seed), "rack", typefaces=NO_FONTS).scene for seed in (1, 2))

    assert one != other


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_scene_draws_without_installed_fonts(kind: Kind) -> None:
    situation = some_scene(random.Random(f"kind {kind}"), kind, typefaces=NO_FONTS, troubles=Troubles(hands=1.0))

    picture = draw(situation.scene)

    assert picture.shape == (*situation.scene.camera.size[::-1], 3)
    assert picture.dtype == np.uint8
    assert picture.std() > 8


def test_the_racks_of_one_picture_come_out_of_one_mould() -> None:
    scenes = [some_scene(random.Random(f"mould {n}"), "wide", typefaces=NO_FONTS) for n in range(12)]
    two = [racks for scene in scenes if len(racks := [stand.rack for _, stand in scene.scene.racks()]) == 2]
    assert two
    for one, other in two:
        assert replace(one, at=other.at) == other
        assert one.at != other.at


@pytest.mark.parametrize("name", NO_FONTS)
def test_built_in_type_has_numerals(name: str) -> None:
    assert numerals_of(name)


def test_a_file_that_is_no_font_has_no_numerals(tmp_path: Path) -> None:
    broken = tmp_path / "broken.ttf"
    broken.write_bytes(b"no font")

    assert not numerals_of(str(broken))


def test_what_changes_with_a_card_that_is_taken_away_lies_mostly_within_its_quad(full_rack: Drawn) -> None:
    cards = [4, 11, 23, 25, 31, 38, 42, 47, 52, 58]
    stand = a_rack(*cards)
    # the last card: behind it is only the mat, on which its shadow goes too
    without = draw(a_scene(replace(stand, slots=(*stand.slots[:9], ()))))

    difference = changed(full_rack.picture, without)
    quad = filled(LENS.size, full_rack.cards[2, 9, 0].quad, wider=0.02)
    in_front = filled(LENS.size, full_rack.cards[2, 8, 0].quad)

    strip = quad & ~in_front
    assert difference[strip].mean() > 0.9
    above = np.zeros_like(strip)
    above[: int(full_rack.cards[2, 9, 0].quad[:2, 1].min()) - 3] = True
    assert not difference[above].any()


def test_another_number_changes_the_picture_within_the_numbers_own_quads_only(full_rack: Drawn) -> None:
    stand = a_rack(4, 11, 23, 25, 31, 38, 42, 47, 52, 58)
    slots = (*stand.slots[:6], (replace(stand.slots[6][0], card=3),), *stand.slots[7:])
    other = draw_with_truth(a_scene(replace(stand, slots=slots)))

    difference = changed(full_rack.picture, other.picture)
    near = filled(LENS.size, full_rack.cards[2, 6, 0].number, 0.3) | filled(LENS.size, other.cards[2, 6, 0].number, 0.3)

    assert difference.sum() > 20
    assert difference[near].sum() == difference.sum()


def test_the_ink_fills_its_number_quad(full_rack: Drawn) -> None:
    card = full_rack.cards[2, 0, 0]
    low, high = card.number.min(axis=0), card.number.max(axis=0)
    patch = grey_of(full_rack.picture)[round(low[1]) : round(high[1]) + 1, round(low[0]) : round(high[0]) + 1]
    dark = patch < (int(patch.min()) + int(patch.max())) / 2

    assert dark[:3].any()
    assert dark[-3:].any()
    assert dark[:, :3].any()
    assert dark[:, -3:].any()


@pytest.mark.parametrize("number", range(5))
def test_markers_are_found_where_the_truth_says(number: int) -> None:
    place = MatPlace(number, at=(12.0, -7.0), turn=6.0)
    scene = replace(a_scene(None), mats=(place,))
    angle = np.radians(place.turn)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])

    mats = find_mats(grey_of(draw(scene)))

    assert [mat.number for mat in mats] == [number]
    assert set(mats[0].markers) == {0, 1, 2, 3}
    for marker, corners in mats[0].markers.items():
        half = MARKER_SIDE / 2
        offsets = np.array([[-half, half], [half, half], [half, -half], [-half, -half]])
        flat = (np.array(MARKER_CENTRES[marker]) + offsets) @ turn.T + place.at
        truth = View(scene.camera).pixels(np.column_stack([flat, np.zeros(4)]))
        assert np.linalg.norm(corners - truth, axis=1).max() < 0.8


def test_a_number_behind_a_hand_is_not_seen() -> None:
    scene = a_scene(a_rack(4, 11, 23, 25, 31, 38, 42, 47, 52, 58))
    hand = Hand(elbow=(170.0, -150.0, 140.0), wrist=(170.0, 40.0, 110.0))

    free, covered = draw_with_truth(scene), draw_with_truth(replace(scene, hands=(hand,)))

    assert min(card.seen for card in free.cards.values()) > 0.5
    assert min(card.seen for card in covered.cards.values()) < 0.1


def test_a_number_that_the_card_in_front_hides_is_not_seen() -> None:
    stand = a_rack(11, 12)
    low, high = stand.slots[0][0], stand.slots[1][0]
    slots = ((replace(low, lift=10.0, lean=16.0),), (replace(high, lean=0.0),), *stand.slots[2:])

    drawn = draw_with_truth(a_scene(replace(stand, slots=slots)))

    assert drawn.cards[2, 0, 0].seen > 0.95
    assert drawn.cards[2, 1, 0].seen < 0.5


def test_a_card_outside_the_picture_is_not_seen() -> None:
    scene = a_scene(a_rack(11, 12))

    drawn = draw_with_truth(replace(scene, camera=replace(LENS, to=(900.0, 105.0, 20.0))))

    assert {card.seen for card in drawn.cards.values()} == {0.0}


def test_the_discard_piles_top_changes_the_picture_within_its_quad_only() -> None:
    def tray(top: int) -> TrayStand:
        piles = (Lying(BACK),), (Lying(7, 1.0, -1.0, 182.0), Lying(top, 0.5, 0.0, 1.5))
        return TrayStand("left", *piles)

    one, other = draw_with_truth(a_scene(tray(9), 0)), draw_with_truth(a_scene(tray(48), 0))
    assert one.discard is not None

    difference = changed(one.picture, other.picture)

    assert difference.sum() > 50
    assert difference[filled(LENS.size, one.discard.quad)].sum() == difference.sum()
    assert one.discard.card == 9
    assert one.discard.seen > 0.9


def test_a_back_has_no_number_and_an_empty_slot_no_card() -> None:
    stand = a_rack(BACK, 12)

    drawn = draw_with_truth(a_scene(stand))

    assert set(drawn.cards) == {(2, 0, 0), (2, 1, 0)}
    assert drawn.cards[2, 0, 0].card == BACK
    assert drawn.cards[2, 0, 0].seen == 0.0


def test_the_lens_bends_points_as_opencv_does() -> None:
    view = View(LENS)
    points = np.array([[x, y, z] for x in (0.0, 300.0) for y in (0.0, 200.0) for z in (0.0, 60.0)])
    seen = (points - view.eye) @ view.axes().T
    matrix = np.array([[LENS.focal, 0, LENS.middle[0]], [0, LENS.focal, LENS.middle[1]], [0, 0, 1]])

    expected, _ = cv2.projectPoints(seen, np.zeros(3), np.zeros(3), matrix, np.array([*LENS.distortion, 0.0, 0.0]))

    assert np.abs(view.pixels(points) - np.asarray(expected).reshape(-1, 2)).max() < 0.01


def test_drawing_leaves_an_empty_mat_white() -> None:
    picture = draw(a_scene(None))
    middle = View(LENS).pixels(np.array([[MAT_SIZE[0] / 2, MAT_SIZE[1] / 2, 0.0]]))[0].astype(int)

    patch = picture[middle[1] - 20 : middle[1] + 20, middle[0] - 20 : middle[0] + 20]

    assert patch.mean() > 180
    assert np.ptp(patch.reshape(-1, 3).mean(axis=0)) < 15
