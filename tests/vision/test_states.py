"""Slots without a readable number: seen through, covered, out of the picture; and words on what hinders."""

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.table import CameraModel, Table
from tests.vision.drawing import CAMERA, WIDTH, Eye, Rack, draw_mat, draw_rack, empty_table
from tests.vision.test_recipe import CARDS, DECK, rack_picture, told
from vision.digits import NumberReader
from vision.eye import look_at
from vision.fuse import best
from vision.look import Look


@pytest.fixture(scope="module")
def reader() -> NumberReader:
    return NumberReader()


def look(picture: NDArray[np.uint8], reader: NumberReader) -> Look:
    return look_at(picture, Table(), DECK, CAMERA, reader)


@pytest.mark.parametrize("slot", [2, 6])
def test_the_logo_of_the_card_behind_shows_that_a_slot_is_empty(reader: NumberReader, slot: int) -> None:
    rack = Rack({other: card for other, card in CARDS.items() if other != slot})
    states = [best(reading) for reading in look(rack_picture(rack), reader).racks[2]]
    assert states[slot][0] == "empty"
    assert states[slot][2] > 0.9


@pytest.mark.parametrize("slot", [2, 6])
def test_a_card_whose_number_is_covered_is_not_called_empty(reader: NumberReader, slot: int) -> None:
    picture = rack_picture(Rack(CARDS))
    without = rack_picture(Rack({other: card for other, card in CARDS.items() if other != slot}))
    changed = np.argwhere(np.abs(picture.astype(int) - without).max(axis=2) > 0)
    top, bottom = changed[:, 0].min(), changed[:, 0].max()
    picture[top : bottom + 1, 560:800] = (90, 120, 170)
    assert told(look(picture, reader))[slot] != "empty"


def test_a_hand_over_slots_is_named_in_words(reader: NumberReader) -> None:
    picture = rack_picture(Rack(CARDS))
    picture[250:420, 560:900] = (90, 120, 170)
    assert any("covered" in remark for remark in look(picture, reader).remarks)
    assert not any("covered" in remark for remark in look(rack_picture(Rack(CARDS)), reader).remarks)


def test_slots_out_of_the_picture_are_named_in_words(reader: NumberReader) -> None:
    cut = rack_picture(Rack(CARDS))[232:]
    camera = CameraModel((WIDTH, cut.shape[0]), ((1000.0, 0.0, 639.5), (0.0, 1000.0, 359.5 - 232), (0.0, 0.0, 1.0)))
    remarks = look_at(cut, Table(), DECK, camera, reader).remarks
    assert any("slot 50 is out of the picture" in remark for remark in remarks)


def test_a_rack_that_is_too_small_is_named_in_words(reader: NumberReader) -> None:
    def remarks(eye: Eye) -> str:
        picture = empty_table()
        draw_mat(picture, 2, eye)
        draw_rack(picture, Rack(CARDS), Table(), eye)
        return " ".join(look(picture, reader).remarks)

    assert "move the camera nearer" in remarks(Eye((165.0, -330.0, 620.0), (150.0, 110.0, 20.0)))
    assert "nearer" not in remarks(Eye((165.0, -120.0, 290.0), (150.0, 110.0, 20.0)))
