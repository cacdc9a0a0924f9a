"""What may be a face for its colour: Prime cards of 2006 are green, and look like backs where no number is read."""

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.table import CameraModel, Table
from tests.vision.test_recipe import DECK
from vision.drawing.decks import Colour, Deck
from vision.drawing.picture import draw
from vision.drawing.scene import BACK, Camera, MatPlace, RackStand, Scene, Standing
from vision.eye import Eye
from vision.frame import Frame
from vision.rack.fit import RackView
from vision.rack.states import COLUMNS, ROWS, faces_in, is_green, judge_slots
from vision.reading.digits import NumberReader

CARDS = (4, 11, 23, BACK, 31, 38, 42, 47, 52, 58)
PRIMES = (1, 2, 4, 7)
"""The slots of the prime numbers among them."""
TURNED = 3
"""The slot of a card that is turned round."""
OTHERS = tuple(slot for slot in range(10) if slot not in PRIMES and slot != TURNED)
WHITE = np.array([150.0, 155.0, 150.0])
NEAR = CameraModel((1280, 720), ((1000.0, 0.0, 639.5), (0.0, 1000.0, 359.5), (0.0, 0.0, 1.0)), (-0.07, 0.01, 0, 0, 0))


def lit(light: tuple[float, float, float], green: Colour = (64, 134, 45)) -> tuple[Frame, RackView]:
    """A rack with four green cards and one turned round in a light of that colour, and how it is found."""
    deck = Deck(primes=(green, (240, 240, 240)))
    stand = RackStand(tuple((Standing(card, lean=6.0 + slot % 3),) for slot, card in enumerate(CARDS)), Table().rack)
    picture = draw(Scene(deck, (MatPlace(2, stand=stand),), camera=Camera(at=(150.0, -150.0, 330.0))))
    frame = Frame((picture * np.array(light)).clip(0, 255).astype(np.uint8))
    eye = Eye(Table(), DECK, NEAR, NumberReader())
    eye.look(frame)
    (rack,) = eye.racks
    return frame, rack.view


@pytest.mark.parametrize("light", [(1.0, 1.0, 1.0), (0.6, 0.95, 0.6)], ids=["white", "greenish"])
def test_what_is_of_a_faces_colour_may_be_one_in_any_light(light: tuple[float, float, float]) -> None:
    # in a drawn picture in which white cards, too, had a fourth more green, a Prime card was taken for a back
    frame, view = lit(light)
    # the front card, before which nothing stands, is in more light
    judged = judge_slots(frame, view, range(1, 10), OTHERS)
    assert [slot for slot, chances in judged.items() if not chances.like_a_face] == [TURNED]


def test_cards_are_no_prime_cards_where_none_of_the_prime_numbers_that_are_read_is_green() -> None:
    frame, view = lit((1.0, 1.0, 1.0))
    white, green = OTHERS[0], PRIMES[0]
    wanted = PRIMES[2]
    assert not judge_slots(frame, view, [wanted], OTHERS, [white])[wanted].like_a_face
    # what seems to be a Prime card's face may be that of a nearer card which hides it
    assert judge_slots(frame, view, [wanted], [*OTHERS, green], [white, green])[wanted].like_a_face


def test_what_is_of_a_read_cards_colour_may_be_a_face_though_warm_light_makes_it_no_green() -> None:
    # in lamplight two Prime cards, whose numbers were not read, were taken for backs beside one that was
    frame, view = lit((0.5, 0.8, 1.15), green=(75, 105, 75))
    read = [*OTHERS, PRIMES[1]]
    unread = [slot for slot in range(1, 10) if slot not in read]
    judged = judge_slots(frame, view, unread, read, [PRIMES[1]])
    assert [slot for slot, chances in judged.items() if not chances.like_a_face] == [TURNED]


def test_a_card_is_not_of_a_faces_colour_for_being_of_its_own() -> None:
    # in a drawn picture a 40 was read on a back
    frame, view = lit((1.0, 1.0, 1.0))
    assert not judge_slots(frame, view, [TURNED], [*OTHERS, TURNED])[TURNED].like_a_face


def test_green_is_told_in_dim_light_and_in_bright_light() -> None:
    for light in (0.2, 1.0, 1.6):
        assert is_green(light * np.array([60.0, 130.0, 40.0]), light * WHITE)
        assert not any(is_green(light * np.array(other), light * WHITE) for other in ((135.0, 60.0, 25.0), WHITE))


def test_a_green_card_is_told_though_its_upper_rows_lie_in_shadow() -> None:
    # as in a drawn picture in which a Prime card, dark and leaning back, was taken for a back
    def green(patch: NDArray[np.uint8]) -> bool:
        return any(is_green(own, WHITE) for own in faces_in(patch))

    patch = np.full((ROWS, COLUMNS, 3), (146, 141, 171), np.uint8)
    patch[ROWS // 2 :] = 38, 76, 44
    assert green(patch)
    patch[ROWS // 2 : ROWS // 2 + 10] = 46, 56, 51
    assert green(patch)
    patch[ROWS // 2 :] = 46, 56, 51
    assert not green(patch)
