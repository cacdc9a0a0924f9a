"""The tray's wells: what lies there, how the topmost card lies, and what its print tells."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.table import Card, Table
from tests.vision.drawing import CAMERA, HEIGHT, WIDTH, Eye, draw_card, draw_mat, empty_table, put
from vision.evidence import TRUST_IF_PEEPING, TRUST_IF_UNCLEAR, TRUST_IN_TRAY, Usual, on_pile
from vision.found import Found, TrayFound
from vision.frame import Frame
from vision.lens import lens_of
from vision.mats import find_mats
from vision.picture import grey_of
from vision.pose import Pose, pose_of
from vision.reading.numbers import Ink
from vision.tray import wells
from vision.tray.imprint import logo_in, middle_by_twins, strokes, unlike_floor
from vision.tray.outline import PER_MM, Outline, Shades, find_outline
from vision.tray.sides import fit_sides
from vision.tray.wells import BY_SIDES, Well, grey_face, look_into, rectified_face
from vision.tray_memory import TrayMemory

Picture = NDArray[np.uint8]
Lies = tuple[float, float, float]
"""How a card lies: its middle in mm from its well's (x right, y away), and its turn in degrees counterclockwise."""
CARD = Card()
EYE = Eye((140.0, -120.0, 430.0), (150.0, 105.0, 0.0))
Place = tuple[float, float]
PLASTIC = (90, 30, 60)
SIGNS = np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]])


def corners(lies: Lies) -> NDArray[np.float64]:
    """The card's corners in mm from its well's middle."""
    return Outline(*lies, 0.0).place(SIGNS * [CARD.width / 2, CARD.height / 2])


def pile_of(cards: Sequence[tuple[int, Lies]], per_mm: float, *, grain: float = 2.0) -> Picture:
    """A well from above, 108 x 76 mm: a floor, cards from the lowest to the topmost, each with its shadow."""
    fine = 8
    view = np.full((76 * fine, 108 * fine, 3), PLASTIC, np.uint8)
    for number, lies in cards:
        for face, wide in ((np.zeros((56, 89, 3), np.uint8), 1.004), (draw_card(number), 1.0)):
            put_flat(view, face if wide == 1.0 else face + 60, corners(lies) * wide, fine)
    small = cv2.resize(view, None, fx=per_mm / fine, fy=per_mm / fine, interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(2).normal(0, grain, small.shape)
    return np.asarray(np.clip(small + noise, 0, 255), dtype=np.uint8)


def put_flat(view: Picture, face: Picture, quad: NDArray[np.float64], fine: int) -> None:
    """Draw a face into a view from above, its corners in mm from the middle."""
    height, width = face.shape[:2]
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32) - 0.5
    target = (quad * [1, -1] + [54, 38]) * fine - 0.5
    warp = cv2.getPerspectiveTransform(source, target.astype(np.float32))
    size = (view.shape[1], view.shape[0])
    mask = cv2.warpPerspective(np.full((height, width), 255, np.uint8), warp, size) > 127
    view[mask] = cv2.warpPerspective(face, warp, size, flags=cv2.INTER_LINEAR)[mask]


LOOSE = (
    ((12, (-2.0, -1.5, -2.0)), (37, (1.5, 1.0, 1.5))),
    ((8, (2.5, 0.5, 3.0)), (55, (-1.0, 2.0, 0.0)), (21, (-2.5, -1.0, -3.5))),
    ((44, (0.0, 0.0, 0.0)),),
)


@pytest.mark.parametrize("pile", LOOSE, ids=["two cards", "three cards", "one card"])
def test_the_topmost_card_of_a_loose_pile_is_found_to_a_millimetre(pile: Sequence[tuple[int, Lies]]) -> None:
    shades, middle = Shades.of(pile_of(pile, PER_MM)), middle_by_twins(strokes(pile_of(pile, 1.0)), CARD)
    outline = fit_sides(shades, find_outline(shades, CARD, middle), CARD, middle)
    found = outline.place(SIGNS * [CARD.width / 2, CARD.height / 2])
    assert np.linalg.norm(found - corners(pile[-1][1]), axis=1).max() < 1.0


def test_a_single_card_is_found_by_its_sides_alone() -> None:
    shades = Shades.of(pile_of(((30, (3.0, -2.0, 2.4)),), PER_MM))
    outline = fit_sides(shades, find_outline(shades, CARD, None), CARD, None)
    assert (outline.x, outline.y) == pytest.approx((3.0, -2.0), abs=0.3)
    assert outline.turn == pytest.approx(2.4, abs=0.3)


@pytest.mark.parametrize("lies", [(0.0, 0.0, 0.0), (3.2, -2.4, 0.0), (-4.0, 3.0, 5.0), (1.0, 1.0, -6.0)])
def test_a_number_and_its_twin_tell_the_middle_of_a_card_however_it_is_turned(lies: Lies) -> None:
    middle = middle_by_twins(strokes(pile_of(((18, lies),), 1.0)), CARD)
    assert middle.certainty > 0.9
    assert (middle.x, middle.y) == pytest.approx(lies[:2], abs=0.4)


def test_print_that_happens_to_be_alike_says_less_where_hardly_a_card_can_lie() -> None:
    def certainty(middle: Place) -> float:
        thin = np.random.default_rng(5).uniform(0.0, 13.0, (76, 108)).astype(np.float32)
        for sign in (1, -1):
            x, y = (round(half + off) + 20 * sign for half, off in zip((54, 38), middle, strict=True))
            thin[y - 4 : y + 4, x - 2 : x + 2] += 30.0
        return middle_by_twins(thin, CARD).certainty

    assert certainty((6.0, 0.0)) < certainty((1.0, 0.0)) - 0.25
    assert certainty((0.0, -6.0)) < certainty((0.0, -1.0)) - 0.25


def test_a_bare_floor_has_no_middle_and_no_print() -> None:
    floor = pile_of((), 1.0)
    assert middle_by_twins(strokes(floor), CARD).certainty < 0.2
    assert unlike_floor(floor, 235.0) < 0.8
    assert logo_in(strokes(floor), 235.0) < 1.0


def test_a_black_picture_tells_nothing_and_breaks_nothing() -> None:
    black = np.zeros((76, 108, 3), np.uint8)
    assert middle_by_twins(strokes(black), CARD).certainty == 0.0
    assert unlike_floor(black, 0.0) < 0.8
    shades = Shades.of(np.zeros((152, 216, 3), np.uint8))
    outline = find_outline(shades, CARD, None)
    assert outline.strength < 1.0
    assert fit_sides(shades, outline, CARD, None).turn == pytest.approx(outline.turn)


def test_a_wall_s_shadow_over_a_floor_is_no_print_and_a_card_is() -> None:
    floor, card = pile_of((), 1.0), pile_of(((30, (0.0, 0.0, 0.0)),), 1.0)
    floor[:30] = floor[:30] // 2
    assert unlike_floor(floor, 235.0) < 0.8
    assert unlike_floor(card, 235.0) > 4.0
    assert logo_in(strokes(card), 235.0) > 4.0


def tray(cards: Sequence[tuple[int, Lies]], side: str, floor: tuple[int, int, int] = PLASTIC) -> tuple[Picture, Pose]:
    """A tray of one colour on its mat, 5 mm high between its wells, and a pile in one of them."""
    picture = empty_table()
    draw_mat(picture, 0, EYE)
    (mat,) = find_mats(grey_of(picture))
    pose = pose_of(mat, lens_of((), (WIDTH, HEIGHT), CAMERA))
    assert pose is not None
    flat(picture, np.full((70, 200, 3), PLASTIC, np.uint8), np.array([148.5, 105.0]) + SIGNS * [103, 35], 2.0)
    for x in (97.0, 200.0):
        flat(picture, np.full((64, 97, 3), floor, np.uint8), np.array([x, 105.0]) + SIGNS * [48.5, 32], 2.0)
    x = 97.0 if side == "left" else 200.0
    for number, lies in cards:
        flat(picture, draw_card(number), np.array([x, 105.0]) + corners(lies), 3.0)
    noise = np.random.default_rng(7).normal(0, 2, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8), pose


def flat(picture: Picture, image: Picture, places: NDArray[np.float64], height: float) -> None:
    """Draw an image lying level, its corners in mm of the mat."""
    put(picture, image, EYE.project(np.column_stack([places, np.full(4, height)])))


def test_a_back_in_the_draw_well_is_a_card() -> None:
    picture, pose = tray(((0, (1.0, -1.0, 1.0)),), "left")
    assert look_into(picture, pose, Table(), "left").state == "card"
    assert look_into(picture, pose, Table(), "right").state == "plain"


def test_a_back_of_the_trays_own_colour_whose_logo_is_seen_is_no_floor(monkeypatch: pytest.MonkeyPatch) -> None:
    # as in a picture so full of noise that the print hardly makes the card unlike a floor
    monkeypatch.setattr(wells, "unlike_floor", lambda *_: 1.5)
    monkeypatch.setattr(wells, "_is_alike", lambda *_: True)
    picture, pose = tray(((0, (1.0, -1.0, 1.0)),), "left")
    assert look_into(picture, pose, Table(), "left").state == "card"
    assert look_into(picture, pose, Table(), "right").state == "plain"


@pytest.mark.parametrize("light", [0.4, 1.0])
def test_the_first_card_in_a_dark_well_is_noticed(light: float) -> None:
    bare, pose = tray(((0, (1.0, -1.0, 1.0)),), "left", floor=(20, 5, 10))
    filled, _ = tray(((17, (1.0, -1.0, 1.0)),), "right", floor=(20, 5, 10))
    filled[:, : WIDTH // 2] = bare[:, : WIDTH // 2]
    empty, card = (Frame((light * picture).astype(np.uint8)) for picture in (bare, filled))
    memory = TrayMemory(pose, Table())
    assert memory.see(empty, hand=False)
    assert not memory.see(empty, hand=False)
    assert memory.see(card, hand=False)
    assert memory.fresh


def test_a_well_of_another_colour_than_its_tray_is_empty_only_if_it_is_smooth() -> None:
    picture, pose = tray((), "left", floor=(60, 160, 60))
    assert look_into(picture, pose, Table(), "left").state == "plain"
    rough = np.random.default_rng(3).normal(0, 25, (38, 54, 1)) + np.array([60.0, 160.0, 60.0])
    flat(picture, np.clip(rough, 0, 255).astype(np.uint8), np.array([97.0, 105.0]) + SIGNS * [48.5, 32], 2.0)
    assert look_into(picture, pose, Table(), "left").state != "plain"


def test_a_pale_card_in_a_tray_like_it_is_no_floor_while_its_number_is_seen_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # as in a picture so pale and full of noise that neither print nor colour makes the card unlike a floor
    monkeypatch.setattr(wells, "unlike_floor", lambda *_: 1.0)
    monkeypatch.setattr(wells, "logo_in", lambda *_: 1.0)
    monkeypatch.setattr(wells, "_is_alike", lambda *_: True)
    picture, pose = tray(((42, (1.0, -1.0, 1.0)),), "right")
    assert look_into(picture, pose, Table(), "right").state == "card"
    assert look_into(picture, pose, Table(), "left").state == "plain"


def test_what_is_bleached_in_a_tray_that_is_not_may_be_a_card() -> None:
    picture, pose = tray((), "right", floor=(255, 255, 255))
    assert look_into(picture, pose, Table(), "right").state == "unclear"
    grey, _ = tray((), "right", floor=(235, 235, 235))
    assert look_into(grey, pose, Table(), "right").state == "plain"


def test_the_place_of_a_card_with_its_number_twice_is_known_better() -> None:
    picture, pose = tray(((26, (1.0, 2.0, -2.0)),), "right")
    well = look_into(picture, pose, Table(), "right")
    assert well.quad is not None
    truth = EYE.project(np.column_stack([np.array([200.0, 105.0]) + corners((1.0, 2.0, -2.0)), np.full(4, 3.0)]))
    pixels_a_mm = np.linalg.norm(truth[1] - truth[0]) / CARD.width
    assert np.linalg.norm(well.quad - truth, axis=1).max() / pixels_a_mm < 1.0
    assert well.spread < look_into(picture, pose, Table(), "left").spread


def test_a_grey_face_is_the_colour_one_in_grey_levels() -> None:
    picture, pose = tray(((26, (1.0, 2.0, -2.0)),), "right")
    well = look_into(picture, pose, Table(), "right")
    colour = grey_of(rectified_face(picture, well, CARD)).astype(int)
    assert np.abs(grey_face(picture, well, CARD).astype(int) - colour).mean() < 1.5


USUAL = Usual(top=2.0, height=7.0)


def pile(
    *readings: tuple[int, float, bool], left: float = 20.0, top: float = 2.0, height: float = 7.0
) -> tuple[TrayFound, NDArray[np.float64]]:
    """A discard pile whose numbers are read so: card, how surely, whether it is the lower number."""
    quad = np.zeros((4, 2))
    well = Well("card", np.zeros((1, 1, 3), np.uint8), 9.0, quad, quad)
    ink = Ink(left, top, left + 10.0, top + height, -80.0, cut=False)
    crop = np.zeros((32, 48), np.uint8)
    answers = np.zeros((len(readings), 61))
    for row, (card, chance, _) in zip(answers, readings, strict=True):
        row[card], row[60 - card] = chance, 1 - chance
    return TrayFound(well, well, tuple(Found(ink, crop, turned) for _, _, turned in readings)), answers


def read_as(*readings: tuple[int, float, bool]) -> float:
    """The trust in a pile whose numbers are read so."""
    return on_pile(*pile(*readings)).numbers[0].trust


def test_a_number_of_which_only_a_part_peeps_out_is_trusted_less_once_the_decks_height_is_known() -> None:
    _, pose = tray(((26, (0.0, 0.0, 0.0)),), "right")
    memory = TrayMemory(pose, Table())
    trusts = []
    for card, height in ((11, 4.5), (23, 7.0), (35, 7.5), (42, 6.8), (17, 4.5), (29, 6.5)):
        memory.found, answers = pile((card, 0.999, False), left=float(card), height=height)
        memory.learn(answers)
        trusts.append(memory.evidence().numbers[0].trust)
    assert trusts == [TRUST_IN_TRAY] * 4 + [TRUST_IF_PEEPING, TRUST_IN_TRAY]


def test_a_low_number_is_trusted_where_the_cards_other_end_is_read_alike() -> None:
    """Another card peeps out at one side: faint ink may make both of a card's own numbers seem low."""
    low = pile((20, 0.999, False), (20, 0.999, True), height=4.5)
    assert [number.trust for number in on_pile(*low, usual=USUAL).numbers] == [TRUST_IN_TRAY] * 2
    for numbers in (((20, 0.999, False), (20, 0.999, False)), ((20, 0.999, False), (20, 0.6, True))):
        assert {number.trust for number in on_pile(*pile(*numbers, height=4.5), usual=USUAL).numbers} == {
            TRUST_IF_PEEPING
        }


def test_a_number_beyond_the_edge_of_a_card_known_by_its_sides_alone_may_be_another_cards() -> None:
    """A 7 that peeped out from under a 36, whose own numbers the tray's walls hid, was surely told."""
    for top, spread, trust in (
        (-2.0, BY_SIDES, TRUST_IF_PEEPING),
        (-2.0, 1.5, TRUST_IN_TRAY),
        (0.0, BY_SIDES, TRUST_IN_TRAY),
    ):
        found, answers = pile((7, 0.999, True), top=top)
        found = replace(found, discard=replace(found.discard, spread=spread))
        assert on_pile(found, answers, USUAL).numbers[0].trust == trust
        assert on_pile(found, answers).numbers[0].trust == TRUST_IN_TRAY
    both = pile((7, 0.999, True), (7, 0.999, False), top=-2.0)
    assert [number.trust for number in on_pile(*both, USUAL).numbers] == [TRUST_IN_TRAY] * 2


def test_two_numbers_on_one_card_that_differ_are_not_trusted_unless_one_is_clear() -> None:
    assert read_as((45, 0.8, False), (45, 0.7, True)) == TRUST_IN_TRAY
    assert read_as((45, 0.6, False), (4, 0.8, True)) == TRUST_IF_UNCLEAR
    assert read_as((45, 0.99, False), (4, 0.8, True)) == TRUST_IN_TRAY
    assert read_as((45, 0.99, False), (4, 0.98, True)) == TRUST_IF_UNCLEAR
    assert read_as((45, 0.6, False), (4, 0.8, False)) == TRUST_IN_TRAY
