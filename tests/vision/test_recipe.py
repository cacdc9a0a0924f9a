from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.table import CameraModel, Table
from tests.vision.drawing import CAMERA, CREAM, WIDTH, Eye, Rack, draw_mat, draw_pile, draw_rack, empty_table
from vision import eye
from vision.dump import dump_stages
from vision.eye import look_at
from vision.frame import Frame
from vision.fuse import best, sure
from vision.look import Look
from vision.rack import fit
from vision.rack.edges import TopEdges, top_edges
from vision.reading.digits import NumberReader

DECK = range(1, 61)
CARDS = {0: 7, 1: 44, 2: 13, 3: 25, 4: 58, 5: 29, 6: 40, 7: 31, 8: 36, 9: 52}
ABOVE_TRAY = Eye((140.0, -120.0, 430.0), (150.0, 105.0, 0.0))


@pytest.fixture(scope="module")
def reader() -> NumberReader:
    return NumberReader()


def rack_picture(rack: Rack, places: tuple[int, ...] = (0, 1, 2, 3)) -> NDArray[np.uint8]:
    picture = empty_table()
    draw_mat(picture, 2, Eye(), places)
    draw_rack(picture, rack, Table(), Eye())
    return picture


def told(look: Look, seat: int = 2) -> list[int | str | None]:
    """Give each slot's card, "empty" or "back", or None where the look is not sure."""
    states = [sure(reading) for reading in look.racks[seat]]
    return [said if said is None else said[1] or said[0] for said in states]


def test_a_rack_is_read_from_front_to_back(reader: NumberReader) -> None:
    look = look_at(rack_picture(Rack(CARDS, slides={2: 2.0, 5: -1.5})), Table(), DECK, CAMERA, reader)
    assert told(look) == list(CARDS.values())
    assert look.tray is None


def test_two_markers_and_no_calibration_are_enough(reader: NumberReader) -> None:
    look = look_at(rack_picture(Rack(CARDS), (0, 2)), Table(), DECK, None, reader)
    found = told(look)
    assert sum(one == other for one, other in zip(found, CARDS.values(), strict=True)) >= 8
    assert all(one in {None, other} for one, other in zip(found, CARDS.values(), strict=True))


def test_an_empty_slot_and_a_card_turned_round_are_told_from_a_number(reader: NumberReader) -> None:
    cards = {slot: card for slot, card in CARDS.items() if slot != 6} | {3: 0}
    states = [best(reading) for reading in look_at(rack_picture(Rack(cards)), Table(), DECK, CAMERA, reader).racks[2]]
    assert [card or state for state, card, _ in states] == [7, 44, 13, "back", 58, 29, "empty", 31, 36, 52]
    assert all(chance > 0.9 for _, _, chance in states)


def test_a_deck_that_prints_all_numbers_in_one_place_is_read_too(reader: NumberReader) -> None:
    found = told(look_at(rack_picture(Rack(CARDS, one_place=True)), Table(), DECK, CAMERA, reader))
    assert sum(one == other for one, other in zip(found, CARDS.values(), strict=True)) >= 8
    assert all(one in {None, other} for one, other in zip(found, CARDS.values(), strict=True))


def test_a_slot_behind_a_hand_is_neither_empty_nor_a_card(reader: NumberReader) -> None:
    picture = rack_picture(Rack(CARDS))
    picture[250:420, 560:900] = (90, 120, 170)
    look = look_at(picture, Table(), DECK, CAMERA, reader)
    covered = told(look)[1:6]
    assert covered == [None] * 5


def test_slots_beyond_the_pictures_border_are_not_called_empty(reader: NumberReader) -> None:
    rack = Rack({slot: card for slot, card in CARDS.items() if slot < 8})
    whole = rack_picture(rack)
    cut = whole[232:]
    camera = CameraModel((WIDTH, cut.shape[0]), ((1000.0, 0.0, 639.5), (0.0, 1000.0, 359.5 - 232), (0.0, 0.0, 1.0)))
    look = look_at(cut, Table(), DECK, camera, reader)
    assert told(look)[9] is None


def test_cards_that_are_not_in_the_deck_are_told_as_what_they_are(reader: NumberReader) -> None:
    look = look_at(rack_picture(Rack(CARDS)), Table(), range(1, 41), CAMERA, reader)
    assert told(look) == [CARDS[slot] for slot in range(10)]


@pytest.mark.parametrize("turned", [False, True])
def test_the_discard_pile_is_read_lying_either_way(reader: NumberReader, *, turned: bool) -> None:
    picture = empty_table()
    draw_mat(picture, 0, ABOVE_TRAY)
    draw_pile(picture, "left", 0, ABOVE_TRAY)
    draw_pile(picture, "right", 37, ABOVE_TRAY, turned=turned)
    look = look_at(picture, Table(), DECK, CAMERA, reader)
    assert look.tray is not None
    assert best(look.tray.discard)[:2] == ("card", 37)
    assert sure(look.tray.discard) == ("card", 37)
    assert look.tray.draw == "cards"


def test_empty_wells_are_empty(reader: NumberReader) -> None:
    picture = empty_table()
    draw_mat(picture, 0, ABOVE_TRAY)
    draw_pile(picture, "left", None, ABOVE_TRAY)
    draw_pile(picture, "right", None, ABOVE_TRAY)
    look = look_at(picture, Table(), DECK, CAMERA, reader)
    assert look.tray is not None
    assert best(look.tray.discard)[0] == "empty"
    assert look.tray.draw == "empty"


def test_a_picture_without_a_mat_says_so(reader: NumberReader) -> None:
    look = look_at(empty_table(), Table(), DECK, CAMERA, reader)
    assert look.racks == {}
    assert look.tray is None
    assert "no mat in view" in look.remarks


def test_each_stage_leaves_its_picture_in_a_folder(reader: NumberReader, tmp_path: Path) -> None:
    picture = rack_picture(Rack(CARDS, face=CREAM))
    draw_mat(stray := empty_table(), 0, ABOVE_TRAY)
    draw_pile(stray, "right", 12, ABOVE_TRAY)
    for seen, folder in ((picture, "rack"), (stray, "tray")):
        watching = eye.Eye(Table(), DECK, CAMERA, reader)
        watching.look(Frame(seen))
        dump_stages(tmp_path / folder, seen, watching)
    assert {path.stem for path in (tmp_path / "rack").iterdir()} == {
        "found",
        "rack2-top",
        "rack2-strips",
        "rack2-crops",
    }
    assert {"found", "tray-wells"} <= {path.stem for path in (tmp_path / "tray").iterdir()}


@pytest.mark.parametrize("slot", [2, 6])
@pytest.mark.parametrize("is_there", [True, False])
def test_a_card_whose_edge_is_not_seen_is_read_by_its_number_alone_and_none_is_made_up(
    reader: NumberReader, monkeypatch: pytest.MonkeyPatch, slot: int, *, is_there: bool
) -> None:
    seen = top_edges

    def without_one(*plane: Any) -> tuple[TopEdges, ...]:  # noqa: ANN401 - as top_edges takes it
        return tuple(replace(one, lines=(*one.lines[:slot], None, *one.lines[slot + 1 :])) for one in seen(*plane))

    monkeypatch.setattr(fit, "top_edges", without_one)
    monkeypatch.setattr(fit, "edge_near", lambda *_: None)
    cards = CARDS if is_there else {other: card for other, card in CARDS.items() if other != slot}
    read = told(look_at(rack_picture(Rack(cards)), Table(), DECK, CAMERA, reader))
    assert read[slot] in ((CARDS[slot],) if is_there else (None, "empty"))
    assert [one for other, one in enumerate(read) if other != slot] == [
        card for other, card in CARDS.items() if other != slot
    ]


@pytest.mark.parametrize("off", [30.0, 40.0])
def test_a_card_whose_logo_is_taken_for_its_number_is_looked_at_elsewhere(
    reader: NumberReader, monkeypatch: pytest.MonkeyPatch, off: float
) -> None:
    def misled(*plane: Any) -> tuple[TopEdges, ...]:  # noqa: ANN401 - as top_edges takes it
        found = []
        for one in top_edges(*plane):
            front = one.lines[0]
            astray = None if front is None else replace(front, at=front.at + off)
            found.append(replace(one, lines=(astray, *one.lines[1:])))
        return tuple(found)

    monkeypatch.setattr(fit, "top_edges", misled)
    assert told(look_at(rack_picture(Rack(CARDS)), Table(measured=True), DECK, CAMERA, reader)) == list(CARDS.values())
