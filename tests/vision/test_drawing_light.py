"""Light on drawn cards: cut edges, sharp shadows between cards, and what lies before the foremost one."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.table import Rack
from vision.drawing.camera import View
from vision.drawing.canvas import linear
from vision.drawing.decks import CORE, STOCK, Colour, Deck
from vision.drawing.foreground import before_card
from vision.drawing.light import Lighting
from vision.drawing.picture import Drawn, draw_with_truth
from vision.drawing.scene import BACK, Camera, Cloth, Lamp, MatPlace, Photo, RackStand, Room, Scene, Standing

STILL = Photo(noise=0.0, grain=0.0, blur=0.0, quality=0, vignette=0.0)
ABOVE = Room((Lamp(at=(150.0, 60.0, 1500.0)),))
NEAR = Camera(size=(1920, 1080), focal=1900.0, middle=(959.5, 539.5))


def of_cards(deck: Deck, *cards: int, room: Room = ABOVE, rack: Colour = (40, 40, 40), lean: float = 6.0) -> Scene:
    slots = tuple((Standing(card, lean=lean),) for card in cards)
    stand = RackStand(slots + ((),) * (10 - len(slots)), Rack(), colour=rack)
    return Scene(deck, (MatPlace(2, stand=stand),), camera=NEAR, room=room, cloth=Cloth(strength=0.0), photo=STILL)


def pixels(drawn: Drawn, slot: int, at: tuple[float, float]) -> NDArray[np.float64]:
    """The pixel (2,) at a share (right, down) of a card's quadrilateral."""
    left_top, right_top, right_low, left_low = drawn.cards[2, slot, 0].quad
    upper, lower = (a + at[0] * (b - a) for a, b in ((left_top, right_top), (left_low, right_low)))
    return np.asarray(upper + at[1] * (lower - upper))


def levels(drawn: Drawn, slot: int, right: float, *down: float) -> NDArray[np.float64]:
    """The colours (n, 3) at shares of a card's height; below 0 is above its upper edge."""
    places = np.round([pixels(drawn, slot, (right, share)) for share in down]).astype(int)
    return np.array([drawn.picture[y, x] for x, y in places], np.float64)


@pytest.mark.parametrize(("core", "seen"), [(0.0, 0.0), (0.2, 0.0), (0.4, STOCK / 2), (0.6, STOCK), (0.8, STOCK)])
def test_the_more_the_core_is_seen_the_wider_is_the_cut_edge(core: float, seen: float) -> None:
    assert Deck(core=core).edge == pytest.approx(seen)


def test_the_edge_is_of_the_backs_print_or_of_the_core() -> None:
    assert Deck(core=0.0).edge_colour == Deck().back
    assert Deck(core=1.0).edge_colour == CORE


@pytest.mark.parametrize("card", [BACK, 17])
def test_a_light_line_runs_along_the_upper_edge_of_a_dark_card(card: int) -> None:
    deck = Deck(face=(90, 45, 20), back=(90, 45, 20), ink=(230, 230, 230), core=0.8)
    lined = draw_with_truth(of_cards(deck, 4, card, 30))
    bare = draw_with_truth(of_cards(replace(deck, core=0.0), 4, card, 30))

    above = np.linspace(-0.012, 0.0, 8)
    line = levels(lined, 1, 0.8, *above).max(axis=0)

    assert (line > levels(bare, 1, 0.8, *above).max(axis=0) + 40).all()
    assert (line > levels(lined, 1, 0.8, 0.03)[0] + 40).all()


def test_a_line_is_as_high_as_the_card_is_thick() -> None:
    lined, bare = (draw_with_truth(of_cards(Deck(face=(90, 45, 20), core=core), 17)) for core in (0.8, 0.0))
    x, y = np.round(pixels(lined, 0, (0.8, 0.0))).astype(int)

    column = np.abs(lined.picture[y - 12 : y + 6, x].astype(int) - bare.picture[y - 12 : y + 6, x]).max(axis=1) > 12
    top, back = (View(NEAR).pixels(np.array([[110.0, 28.0 + deep, 70.0]]))[0, 1] for deep in (0.0, STOCK))

    assert 1 <= np.count_nonzero(column) <= top - back + 2


def test_the_shadow_of_the_card_in_front_ends_within_three_millimetres() -> None:
    lamp = Room((Lamp(at=(150.0, -1500.0, 900.0), radius=10.0),), ambient=(0.2, 0.2, 0.2))
    pale = Deck(back=(240, 240, 240), back_ink=(240, 240, 240), core=0.0)
    drawn = draw_with_truth(of_cards(pale, BACK, BACK, BACK, room=lamp, lean=0.0))

    down = np.linspace(0.03, 0.3, 60)
    light = levels(drawn, 2, 0.3, *down).mean(axis=1)
    steep = float((light[:-6] - light[6:]).max())

    assert light[0] - light[-1] > 30
    assert steep > 0.6 * (light[0] - light[-1])  # six steps are 1.5 mm of the card's 56


@pytest.mark.parametrize("slots", [(17,), (BACK,)])
def test_a_red_rack_reddens_the_foremost_card(slots: tuple[int, ...]) -> None:
    deck = Deck(face=(240, 240, 240), back=(240, 240, 240), back_ink=(240, 240, 240), core=0.0)
    red, white = (
        levels(draw_with_truth(of_cards(deck, *slots, rack=colour)), 0, 0.15, 0.45)[0]
        for colour in ((20, 20, 220), (220, 220, 220))
    )

    assert red[2] - red[0] > white[2] - white[0] + 10


def test_cards_shade_the_paper_before_them_from_a_lamp_behind() -> None:
    stand, foot, toward = RackStand(), np.array([100.0, 60.0, 5.0]), np.array([0.0, -1.0, 0.0])
    points = np.array([[[100.0, 60.0, 30.0], [100.0, 60.0, 50.0]]])
    ground = before_card(stand, 20.0, (240, 240, 240), (240, 240, 240), forward=True)

    thrown = [
        ground.thrown(Lighting(Room((Lamp(at=(100.0, y, 600.0)),))), points, foot, toward, (89.0, 61.0))
        for y in (-500.0, 700.0)
    ]

    assert (thrown[0] > 1.15 * thrown[1]).all()


def test_what_lies_before_a_card_throws_at_most_what_half_a_sky_of_its_colour_would() -> None:
    stand, foot, toward = RackStand(), np.array([100.0, 60.0, 5.0]), np.array([0.0, -1.0, 0.0])
    points = np.stack([np.array([100.0, 60.0, z]) for z in np.linspace(0.0, 61.0, 30)])[None]
    light = Lighting(Room((), ambient=(0.4, 0.4, 0.4)))
    paper = (200, 200, 200)

    thrown = before_card(replace(stand, colour=paper), 20.0, paper, paper, forward=True).thrown(
        light, points, foot, toward, (89.0, 61.0)
    )

    assert (thrown >= 0).all()
    assert (thrown <= 0.5 * 0.4 * linear(paper) + 1e-9).all()
