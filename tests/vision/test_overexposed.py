"""Where cards are so bright that no edge is seen between them, that is said, and not that a hand is over them."""

import pytest

from calibration.table import Table
from tests.vision.test_recipe import DECK
from tests.vision.test_states import NEAR, TEN, photographed, rack_of
from vision.drawing.scene import Cloth, Photo
from vision.eye import look_at
from vision.reading.digits import NumberReader


@pytest.fixture(scope="module")
def reader() -> NumberReader:
    return NumberReader()


def test_cards_so_white_that_no_edge_is_seen_between_them_are_said_to_be_overexposed(reader: NumberReader) -> None:
    black = Cloth(colour=(6, 6, 6))

    def words(exposure: float) -> str:
        picture = photographed(rack_of(*TEN), Photo(exposure=exposure, contrast=0.7), black)
        return " ".join(look_at(picture, Table(), DECK, NEAR, reader).remarks)

    assert "are overexposed: take light away" in words(3.0)
    assert "covered" not in words(3.0)
    assert not {"overexposed", "dark"} & {*words(0.75).replace(":", "").split()}
