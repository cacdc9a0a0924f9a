from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.table import Table
from tests.vision.drawing import CAMERA, HEIGHT, WIDTH, Eye, draw_card, draw_mat, draw_pile, empty_table
from vision.evidence import card_in
from vision.eye import look_at
from vision.find import find_on_pile
from vision.frame import Frame
from vision.lens import lens_of
from vision.mats import find_mats
from vision.picture import grey_of
from vision.pose import Pose, pose_of
from vision.reading.digits import NumberReader
from vision.reading.ink import find_ink
from vision.reading.numbers import CROP_COLUMNS, CROP_ROWS, TRAY_BAND, common_height, cut_number
from vision.rectify import SCALE
from vision.tray.wells import look_into
from vision.tray_memory import TrayMemory

Strip = NDArray[np.uint8]
EYE = Eye((140.0, -120.0, 430.0), (150.0, 105.0, 0.0))


def tray_pose() -> Pose:
    picture = empty_table()
    draw_mat(picture, 0, EYE)
    (mat,) = find_mats(grey_of(picture))
    pose = pose_of(mat, lens_of((), (WIDTH, HEIGHT), CAMERA))
    assert pose is not None
    return pose


def test_a_card_in_a_well_is_found_to_a_millimetre_or_two() -> None:
    picture = empty_table()
    draw_mat(picture, 0, EYE)
    draw_pile(picture, "right", 37, EYE)
    well = look_into(picture, tray_pose(), Table(), "right")
    assert well.state == "card"
    assert well.quad is not None
    truth = EYE.project(np.array([[201 - 44.5, 104 + 28, 3.0], [201 + 44.5, 104 + 28, 3.0]]))
    pixels_a_mm = np.linalg.norm(truth[1] - truth[0]) / 89
    assert np.linalg.norm(well.quad[:2] - truth, axis=1).max() / pixels_a_mm < 2.0


def test_a_hand_over_a_well_leaves_it_unclear() -> None:
    picture = empty_table()
    draw_mat(picture, 0, EYE)
    draw_pile(picture, "right", 37, EYE)
    corner = EYE.project(np.array([[200.0, 105.0, 3.0]]))[0].astype(int)
    picture[corner[1] - 20 : corner[1] + 200, corner[0] - 60 : corner[0] + 200] = (90, 120, 170)
    assert look_into(picture, tray_pose(), Table(), "right").state == "unclear"


def test_a_well_outside_the_picture_is_unclear() -> None:
    pose = tray_pose()
    away = Pose(pose.lens, pose.rotation, pose.translation + np.array([250.0, 0.0, 0.0]), pose.error)
    well = look_into(empty_table(), away, Table(), "right")
    assert (well.state, well.outside) == ("unclear", True)


def test_a_pile_that_is_partly_out_of_the_picture_is_named() -> None:
    picture = empty_table()
    draw_mat(picture, 0, EYE)
    for side, card in (("left", 0), ("right", 37)):
        draw_pile(picture, side, card, EYE)
    half = int(EYE.project(np.array([[200.0, 105.0, 3.0]]))[0, 0])
    cut = np.ascontiguousarray(picture[:, :half])

    def words(seen: NDArray[np.uint8]) -> list[str]:
        camera = replace(CAMERA, size=(seen.shape[1], HEIGHT))
        remarks = look_at(seen, Table(), range(1, 61), camera, NumberReader()).remarks
        return [word for word in remarks if "pile" in word]

    assert words(cut) == ["the tray: the discard pile is partly out of the picture: turn the camera or move the mat"]
    assert words(picture) == []


def test_ink_is_found_where_the_number_is_printed_whatever_its_polarity() -> None:
    card = grey_of(draw_card(44))
    size = (round(89 * SCALE), round(56 * SCALE))
    rectified = np.asarray(cv2.resize(card, size, interpolation=cv2.INTER_AREA), np.uint8)
    aside, above = round(8 * SCALE), round(3 * SCALE)
    wide = np.full(rectified.shape[1] + 2 * aside, 56.0)
    for picture, sign in ((rectified, -1), (255 - rectified, 1)):
        padded = np.asarray(cv2.copyMakeBorder(picture, above, 0, aside, aside, cv2.BORDER_REPLICATE), np.uint8)
        ((ink, *_),) = find_ink([(padded, wide)], (aside, above), 89.0)
        assert abs(ink.left - (5.7 + 43 * 67 / 59)) < 1.5
        assert 5.0 < ink.height < 8.5
        assert np.sign(ink.contrast) == sign
        crop = cut_number(padded, (aside, above), ink, common_height([ink]))
        assert crop.shape == (CROP_ROWS, CROP_COLUMNS)
        assert crop.dtype == np.uint8


ORIGIN = (8 * SCALE, 3 * SCALE)
STRIP = (round(17 * SCALE), round(105 * SCALE))
"""Rows and columns of a strip: a card of 89 mm with 8 mm at both sides, 3 mm above its edge and 14 below."""


def test_a_blank_strip_has_no_ink() -> None:
    noise = np.random.default_rng(3).normal(180, 3, STRIP)
    strip = np.clip(noise, 0, 255).astype(np.uint8)
    assert find_ink([(strip, np.full(STRIP[1], 12.0))], ORIGIN, 89.0) == [()]


def strip_with(text: str, *, gap: int = 0, paper: float = 180.0, ink: float = 60.0, frame: bool = False) -> Strip:
    """A strip with a number at 30 mm, its figures `gap` quarters of a mm farther apart, perhaps in a printed frame."""
    strip = np.full((68, 420), paper)
    if frame:
        strip[19:22, 45:380] = ink
    at = 152
    for figure in text:
        mask = np.zeros((68, 420), np.uint8)
        cv2.putText(mask, figure, (at, 48), cv2.FONT_HERSHEY_DUPLEX, 1.0, 255, 3, cv2.LINE_AA)
        strip += (ink - strip) * mask / 255
        at += 22 + gap
    strip = np.asarray(cv2.GaussianBlur(strip, (0, 0), 1.0))
    strip = np.asarray(cv2.resize(strip, STRIP[::-1], interpolation=cv2.INTER_AREA))
    strip += np.random.default_rng(5).normal(0, 0.5, strip.shape)
    return np.asarray(np.clip(strip, 0, 255), np.uint8)


@pytest.mark.parametrize(
    "strip",
    [
        strip_with("37"),
        strip_with("37", frame=True),
        strip_with("11", gap=12),
        strip_with("37", paper=12.0, ink=22.0),
    ],
    ids=["plain", "in a printed frame", "figures far apart", "hardly any light"],
)
def test_a_number_is_found_as_one_place(strip: Strip) -> None:
    ((ink, *_),) = find_ink([(strip, np.full(STRIP[1], 12.0))], ORIGIN, 89.0)
    assert 29.0 < ink.left < 34.0
    assert 38.0 < ink.right < 45.0
    assert 3.0 < ink.top < 4.7
    assert 8.0 < ink.bottom < 10.0


EXTENDED = (152, 232)
"""First and last column of a number of an extended typeface, in quarters of a mm: 20 mm wide, 7 high."""


def extended(text: str) -> Strip:
    """A strip with two figures of an extended typeface at 30 mm, each 8 mm wide and 4 mm apart."""
    strip = np.full((68, 420), 180.0)
    for figure, at in zip(text, (EXTENDED[0], EXTENDED[1] - 32), strict=True):
        mask = np.zeros((68, 48), np.uint8)
        cv2.putText(mask, figure, (6, 50), cv2.FONT_HERSHEY_DUPLEX, 1.3, 255, 3, cv2.LINE_AA)
        x, _, wide, _ = cv2.boundingRect(mask)
        strip[:, at : at + 32] -= 120 * (cv2.resize(mask[:, x : x + wide], (32, 68)) / 255)
    strip = np.asarray(cv2.resize(cv2.GaussianBlur(strip, (0, 0), 1.0), STRIP[::-1], interpolation=cv2.INTER_AREA))
    return np.asarray(np.clip(strip + np.random.default_rng(5).normal(0, 0.5, STRIP), 0, 255), np.uint8)


def test_figures_of_an_extended_typeface_are_one_number_and_fit_into_its_crop() -> None:
    strip = extended("37")
    ((ink, *_),) = find_ink([(strip, np.full(STRIP[1], 12.0))], ORIGIN, 89.0)
    assert abs(ink.left - (EXTENDED[0] / 4 - 8)) < 1.0
    assert abs(ink.right - (EXTENDED[1] / 4 - 8)) < 1.0
    dark = cut_number(strip, ORIGIN, ink, common_height([ink])) < 120
    columns = np.flatnonzero(dark.any(axis=0))
    assert columns[0] >= 2
    assert columns[-1] < CROP_COLUMNS - 2
    assert columns[-1] - columns[0] > CROP_COLUMNS / 2


@pytest.mark.parametrize(("at", "count"), [(38.5, 3), (45.0, 2)], ids=["beside it", "too far off"])
def test_a_broken_figure_is_put_together_with_the_one_beside_it(at: float, count: int) -> None:
    """Of an extended typeface one figure may be whole, and of the other no more be seen than its upper half."""
    strip = np.full(STRIP, 180, np.uint8)
    edge = round(ORIGIN[1])
    for left, wide, tall in ((30.0, 3.0, 6.5), (at, 1.5, 3.6)):
        columns = slice(round(ORIGIN[0] + left * SCALE), round(ORIGIN[0] + (left + wide) * SCALE))
        strip[edge + round(2 * SCALE) : edge + round((2 + tall) * SCALE), columns] = 120
    (inks,) = find_ink([(strip, np.full(STRIP[1], 12.0))], ORIGIN, 89.0)
    assert [ink.left < 31 and ink.right > at for ink in inks] == [False, False, True][:count]


def test_a_printed_border_beside_a_number_is_no_part_of_it() -> None:
    border, left = 3.3, 10.0
    strip = np.roll(strip_with("37"), round((left - 30) * SCALE), axis=1)
    strip[round(6.5 * SCALE) : round(12.5 * SCALE), round((8 + border) * SCALE) : round((9 + border) * SCALE)] = 60
    ((ink, *_),) = find_ink([(strip, np.full(STRIP[1], 12.0))], ORIGIN, 89.0)
    assert left - 1.5 < ink.left < left + 1.5
    assert left + 8.0 < ink.right < left + 14.0


@pytest.mark.parametrize(("begins", "inks"), [(3.5, 1), (7.0, 0)], ids=["a number", "a logo"])
def test_what_reaches_lower_than_numbers_are_searched_is_one_if_most_of_it_is_above(begins: float, inks: int) -> None:
    strip = np.full(STRIP, 180, np.uint8)
    left, edge = round(ORIGIN[0] + 30 * SCALE), round(ORIGIN[1])
    strip[edge + round(begins * SCALE) :, left : left + round(3 * SCALE)] = 60
    (found,) = find_ink([(strip, np.full(STRIP[1], 40.0))], ORIGIN, 89.0)
    assert [ink.cut for ink in found] == [True] * inks


@pytest.mark.parametrize(("below", "inks"), [(2.5, 1), (8.8, 1), (11.0, 0)], ids=["on it", "edge unclear", "too low"])
def test_a_piles_number_may_seem_lower_than_a_racks_for_its_cards_edge_is_not_clear(below: float, inks: int) -> None:
    face = np.full((round(26 * SCALE), STRIP[1]), 60, np.uint8)
    left, top = round(ORIGIN[0] + 30 * SCALE), round((5 + below) * SCALE)
    face[top : top + round(6 * SCALE), left : left + round(3 * SCALE)] = 180
    (found,) = find_ink([(face, np.full(STRIP[1], 56.0))], (ORIGIN[0], 5 * SCALE), 89.0, TRAY_BAND)
    assert len(found) == inks


@pytest.mark.parametrize("off", [0.0, 5.0, 7.0, 8.0, 9.0, 10.0])
def test_a_piles_number_is_read_where_the_edge_of_the_card_below_was_taken_for_its_own(off: float) -> None:
    picture, pose = empty_table(), tray_pose()
    draw_mat(picture, 0, EYE)
    draw_pile(picture, "right", 37, EYE)
    frame, memory, reader = Frame(picture), TrayMemory(pose, Table()), NumberReader()
    assert memory.see(frame, hand=False)
    assert memory.found is not None
    well = memory.found.discard
    assert well.quad is not None
    assert well.wide is not None
    farther = off * (well.quad[0] - well.quad[3]) / 56
    well = replace(well, quad=well.quad + farther, wide=well.wide + farther)
    memory.found = replace(memory.found, discard=well, numbers=find_on_pile(frame.grey, well, Table()))
    memory.learn(reader.read([item.crop for item in memory.found.numbers]))
    deeper = memory.deeper(frame)
    assert (deeper is None) == (off <= 5)
    if deeper is not None:
        memory.learn_deeper(deeper, reader.read([item.crop for item in deeper.numbers]))
    assert card_in(memory.evidence()) == 37


def test_strips_side_by_side_are_each_searched_as_if_alone() -> None:
    strips = [(strip_with(text, paper=paper), np.full(STRIP[1], 12.0)) for text, paper in (("37", 180.0), ("8", 90.0))]
    blank = np.full(STRIP, 120, np.uint8), np.full(STRIP[1], 12.0)
    together = find_ink([strips[0], blank, strips[1], strips[0]], ORIGIN, 89.0)
    (first,), (second,) = (find_ink([strip], ORIGIN, 89.0) for strip in strips)
    assert together == [first, (), second, first]


@pytest.mark.parametrize(("text", "inks"), [("37", 1), ("RACK-O", 0)])
def test_a_line_of_writing_wider_than_a_number_is_none(text: str, inks: int) -> None:
    """So the "K-O" of a logo is not read as 40 or 60."""
    strip = np.full(STRIP, 180, np.uint8)
    at = round(ORIGIN[0] + 20 * SCALE), round(ORIGIN[1] + 9 * SCALE)
    cv2.putText(strip, text, at, cv2.FONT_HERSHEY_DUPLEX, 1.0, 60, 2, cv2.LINE_AA)
    blurred = np.asarray(cv2.GaussianBlur(strip, (0, 0), 1.0), np.uint8)
    (found,) = find_ink([(blurred, np.full(STRIP[1], 12.0))], ORIGIN, 89.0)
    assert len(found) == inks


def test_strips_of_which_nothing_is_in_view_have_no_ink() -> None:
    hidden = strip_with("37"), np.zeros(STRIP[1])
    assert find_ink([hidden, hidden], ORIGIN, 89.0) == [(), ()]
    assert find_ink([], ORIGIN, 89.0) == []
