"""The fit of a whole rack: which slot is which, one card found again, and what is told of states."""

import dataclasses
import math

import cv2
import numpy as np
import pytest

from calibration.table import Table
from tests.vision.drawing import CAMERA, CREAM, Eye, Rack, draw_mat, draw_rack, empty_table
from vision.eye import look_at
from vision.frame import Frame
from vision.fuse import sure
from vision.lens import lens_of
from vision.mats import find_mats
from vision.picture import grey_of
from vision.pose import Lens, Pose, pose_of
from vision.rack import fit
from vision.rack.comb import Comb
from vision.rack.fit import AT_ONCE, RackView, refit
from vision.rack.placed import view_rack
from vision.reading.digits import NumberReader
from vision.rectify import SCALE, flatten

CARDS = {0: 7, 1: 44, 2: 13, 3: 25, 4: 58, 5: 29, 6: 40, 7: 31, 8: 36, 9: 52}


def picture_of(rack: Rack) -> tuple[Frame, Pose]:
    picture = empty_table()
    draw_mat(picture, 2, Eye())
    draw_rack(picture, rack, Table(), Eye())
    mats = find_mats(grey_of(picture))
    lens = lens_of(mats, (picture.shape[1], picture.shape[0]), CAMERA)
    pose = pose_of(mats[0], lens)
    assert pose is not None
    return Frame(picture), pose


def leaning(degrees: float) -> Table:
    """Give a table whose owner measured another lean than the 6 degrees at which the cards are drawn."""
    return Table(rack=dataclasses.replace(Table().rack, lean=degrees), measured=True)


def places(view: RackView) -> list[float | None]:
    """Give how far, in mm beyond the rack's front, each slot's edge lies."""
    plane, middle = view.fit.plane, view.top.shape[1] / 2
    return [plane.far - line.row(middle) / SCALE - 33.0 if line else None for line in view.fit.lines]


@pytest.mark.parametrize("measured", [-0.5, 12.5])
def test_a_rack_with_an_empty_end_is_not_taken_for_one_a_slot_off(measured: float) -> None:
    missing = 9 if measured < 6 else 0
    rack = Rack({slot: card for slot, card in CARDS.items() if slot != missing})
    view = view_rack(*picture_of(rack), leaning(measured))
    # the plane of the measures is not quite that of the edges: a few mm of parallax remain
    expected = [20 + slot * 11.9 + 56 * math.sin(math.radians(6)) if slot != missing else None for slot in range(10)]
    for found, true in zip(places(view), expected, strict=True):
        assert (found is None) == (true is None)
        assert found is None or found == pytest.approx(true, abs=3.0)
    # surer than 97 %, of which the odds are divided
    assert min(view.which) > 0.97 / (0.97 + AT_ONCE * 0.03)


def test_where_nothing_is_seen_there_are_no_strips() -> None:
    frame, pose = picture_of(Rack({}))
    view = view_rack(Frame(np.full_like(frame.colour, 200)), pose, Table())
    assert view.strips == (None,) * 10
    assert view.slide == 0.0
    assert len(view.fit.everywhere.corner) == 10


def test_without_the_racks_front_the_same_rack_stays_in_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fit, "front_slot", lambda *_: None)
    rack = Rack({slot: card for slot, card in CARDS.items() if slot != 9})
    view = view_rack(*picture_of(rack), leaning(-0.5))
    assert min(view.which) < 0.97 or view.strips[0] is None


@pytest.mark.parametrize("missing", [4, 9])
def test_numbers_tell_which_slot_is_which_where_the_edges_do_not(missing: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fit, "front_slot", lambda *_: None)
    monkeypatch.setattr(Comb, "first_slots", lambda _, off, __: np.zeros(len(off)))
    cards = {slot: card for slot, card in CARDS.items() if slot != missing}
    frame, pose = picture_of(Rack(cards))
    table = leaning(-2.0)
    assert min(view_rack(frame, pose, table).which) < 0.9
    (rack,) = look_at(frame.colour, table, range(1, 61), CAMERA, NumberReader()).racks.values()
    said = [sure(reading) for reading in rack]
    told = {slot: one[1] for slot, one in enumerate(said) if one is not None and one[0] == "card"}
    assert told == (cards if missing == 4 else {})


def test_the_last_card_is_read_whose_edge_is_not_seen() -> None:
    """What is behind it is of its own colour: the picture is painted so, above its edge."""
    frame, pose = picture_of(Rack(CARDS))
    rack, card, lean = Table().rack, Table().card, math.radians(6.0)
    left, depth = rack.at[0] + rack.margin, rack.at[1] + rack.first + 9 * rack.pitch + card.height * math.sin(lean)
    edge = pose.project(np.array([[left + x, depth, rack.floor + card.height * math.cos(lean)] for x in (-9.0, 98.0)]))
    above = np.concatenate([edge - np.array([0.0, 60.0]), edge[::-1] + np.array([0.0, 2.0])])
    cv2.fillConvexPoly(frame.colour, np.round(above).astype(np.int32), CREAM)
    (readings,) = look_at(frame.colour, leaning(6.0), range(1, 61), CAMERA, NumberReader()).racks.values()
    assert [sure(reading) for reading in readings] == [("card", card) for card in CARDS.values()]


def test_where_a_card_stands_behind_the_last_slot_it_is_not_sure_which_slot_is_which() -> None:
    """So it is if the rack was pushed back, or its mat was printed too small; also where nothing else tells of it."""
    for cards, more in ((CARDS, False), (CARDS | {10: 18}, True)):
        view = view_rack(*picture_of(Rack(cards)), leaning(6.0))
        assert view.fit.one_more == more
        assert (max(view.which) < 0.9) == more
        assert [line is not None for line in view.lines] == [True] * 10


def test_one_changed_card_is_found_again_from_the_fit_of_the_rest() -> None:
    before, pose = picture_of(Rack(CARDS))
    after, _ = picture_of(Rack(CARDS | {4: 19}, slides={4: 2.0}))
    view = view_rack(before, pose, Table())
    changed, strip = refit(after, view, 4)
    afresh = view_rack(after, pose, Table()).strips[4]
    assert strip is not None
    assert afresh is not None
    assert strip.quad == pytest.approx(afresh.quad, abs=2.0)
    assert [line for slot, line in enumerate(changed.lines) if slot != 4] == [
        line for slot, line in enumerate(view.fit.lines) if slot != 4
    ]


def test_what_may_have_been_another_slots_edge_still_may_be_after_an_exchange() -> None:
    before, pose = picture_of(Rack(CARDS))
    after, _ = picture_of(Rack(CARDS | {4: 19}))
    view = view_rack(before, pose, Table())
    line = view.lines[4]
    assert line is not None
    doubted, strip = refit(after, view.with_slot(4, line.belonging(0.6), view.strips[4]), 4)
    assert (doubted.lines[4] or line).belongs == 0.6
    assert strip is not None
    assert strip.belongs == 0.6


def test_a_card_that_was_taken_away_is_not_found_again() -> None:
    before, pose = picture_of(Rack(CARDS))
    after, _ = picture_of(Rack({slot: card for slot, card in CARDS.items() if slot != 4}))
    view = view_rack(before, pose, Table())
    changed, strip = refit(after, view, 4)
    assert strip is None
    assert changed.lines[4] is None


def test_a_cards_slide_is_found_and_doubted_little() -> None:
    slides = {1: 2.0, 3: -2.0, 6: 1.0}
    view = view_rack(*picture_of(Rack(CARDS, slides=slides)), Table())
    for slot, strip in enumerate(view.strips):
        assert strip is not None
        assert strip.slide == pytest.approx(slides.get(slot, 0.0), abs=0.8)
        assert strip.doubt < 1.0


def test_a_lens_that_bends_lines_is_straightened() -> None:
    frame, pose = picture_of(Rack(CARDS))
    picture = frame.colour
    bent = Pose(Lens(pose.lens.matrix, np.array([-0.3, 0.1, 0.0, 0.0, 0.0])), pose.rotation, pose.translation, 0.0)
    corner, along, down = np.array([80.0, 180.0, 60.0]), np.array([1.0, 0.0, 0.0]), np.array([0.0, -1.0, 0.0])
    columns, rows = np.meshgrid(np.arange(0, 400, 40), np.arange(0, 500, 50))
    pixels = bent.project(corner + ((columns[..., None] + 0.5) * along + (rows[..., None] + 0.5) * down) / SCALE)
    # a picture that is bright right of a column tells from where each rectified pixel was taken
    for column in (500, 600, 700):
        half = np.zeros_like(picture)
        half[:, column:] = 255
        seen = flatten(half, bent, corner, along, down, (400, 500))[rows, columns, 0] > 127
        clear = np.abs(pixels[..., 0] - column + 0.5) > 0.6
        inside = (
            (pixels[..., 1] > 1) & (pixels[..., 1] < picture.shape[0] - 2) & (pixels[..., 0] < picture.shape[1] - 2)
        )
        assert (seen == (pixels[..., 0] > column - 0.5))[clear & inside].all()


def test_pictures_of_several_cards_cut_at_once_are_those_cut_one_by_one() -> None:
    frame, pose = picture_of(Rack(CARDS))
    faces = view_rack(frame, pose, Table()).fit.planes
    corners = faces.points(np.array([[0.0, 56.0]]))
    at_once = np.split(flatten(frame.grey, pose, corners, faces.along, -faces.up, (60, 30)), len(corners), axis=1)
    for one, corner, right, below in zip(at_once, corners, faces.along, -faces.up, strict=True):
        assert (one == flatten(frame.grey, pose, corner, right, below, (60, 30))).all()


def test_what_a_card_leaves_in_view_is_told_by_the_cards_before_it() -> None:
    frame, pose = picture_of(Rack({slot: card for slot, card in CARDS.items() if slot not in {3, 4, 5}}))
    seen = {strip.slot: float(np.median(strip.shown)) for strip in view_rack(frame, pose, Table()).strips if strip}
    assert seen[0] == Table().card.height
    # three slots farther away, more of a card shows over the next nearer one
    assert seen[6] > 2 * seen[7]
    assert seen[1] < 20
