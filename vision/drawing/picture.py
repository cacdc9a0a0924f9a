"""Draws a scene: its picture, and what is true of it in the picture's pixels."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from vision.drawing import racks, trays
from vision.drawing.camera import View
from vision.drawing.canvas import Canvas
from vision.drawing.cards import Plane, number_quad
from vision.drawing.ground import draw_ground
from vision.drawing.hands import draw_hand, shadows
from vision.drawing.light import UP, Floats, Lighting
from vision.drawing.photo import Picture, take_photo
from vision.drawing.places import MAT_MIDDLE, Placed
from vision.drawing.racks import InRack
from vision.drawing.scene import BACK, Photo, RackStand, Scene, TrayStand
from vision.drawing.studio import Studio

TRAY_TOP = 60000
"""The discard pile's top on the canvas."""


@dataclass(frozen=True)
class SeenCard:
    """A card in a picture: its number (0 its back) and the pixels (4, 2) of its corners, top left first, clockwise.

    `number` are those of its upper number as it is read, and `seen` the share (0..1) of these in which nothing stands
    before it (0 for a back, and for what lies outside the picture).
    """

    card: int
    quad: NDArray[np.float64]
    number: NDArray[np.float64]
    seen: float


@dataclass(frozen=True)
class Drawn:
    """A picture (height, width, 3) uint8 BGR, and where its cards are: by (seat, slot 0..9, which of its cards).

    `discard` is the discard pile's top.
    """

    picture: Picture
    cards: Mapping[tuple[int, int, int], SeenCard] = field(default_factory=dict)
    discard: SeenCard | None = None


@dataclass(frozen=True)
class Painted:
    """A scene before any camera takes a picture of it: `light` (height, width, 3), linear BGR; its cards as in Drawn.

    `paper` is the light on the middle of the mats, for the exposure.
    """

    light: NDArray[np.floating]
    view: View
    paper: float
    cards: Mapping[tuple[int, int, int], SeenCard]
    discard: SeenCard | None

    def kept(self) -> "Painted":
        """The same in coarse floats, which take half the memory and differ by less than any camera's noise."""
        return replace(self, light=self.light.astype(np.float16))

    def photo(self, photo: Photo) -> Picture:
        """Take a picture of it, (height, width, 3) uint8 BGR."""
        return take_photo(self.light.astype(np.float32), self.view, photo, self.paper)

    def with_truth(self, photo: Photo) -> Drawn:
        """Take a picture of it, and say where its cards are."""
        return Drawn(self.photo(photo), self.cards, self.discard)


def draw(scene: Scene) -> Picture:
    """Draw a scene: (height, width, 3) uint8 BGR. The same scene gives the same picture."""
    return paint(scene).photo(scene.photo)


def draw_with_truth(scene: Scene) -> Drawn:
    """Draw a scene, and say where its cards are in the picture."""
    return paint(scene).with_truth(scene.photo)


def paint(scene: Scene) -> Painted:
    """Paint a scene, of which pictures are to be taken."""
    view, light = View(scene.camera), Lighting(scene.room)
    canvas = Canvas.of(view.size)
    over = tuple(_over(scene))
    studio = Studio(canvas, view, light, scene.deck, scene.card, scene.cloth.colour, over)
    placed = [Placed(mat) for mat in scene.mats]
    owners = _owners(scene, placed)
    draw_ground(studio, scene.cloth, placed, list(_casters(scene, placed, owners)))
    top: Plane | None = None
    for mat in sorted(placed, key=lambda mat: -float(np.linalg.norm(_middle(mat) - view.eye))):
        stand = mat.place.stand
        if isinstance(stand, RackStand):
            racks.draw_rack(studio, stand, mat, owners[mat.place.number])
        elif isinstance(stand, TrayStand):
            top = trays.draw_tray(studio, stand, mat, TRAY_TOP)
    for hand in scene.hands:
        draw_hand(studio, hand)
    cards = {
        (seat, card.slot, card.which): _seen(studio, card.card, card.plane, owner)
        for seat, group in owners.items()
        for owner, card in group.items()
    }
    tray = scene.tray()
    discard = _seen(studio, tray.discard_pile[-1].card, top, TRAY_TOP) if tray and top else None
    middle = np.mean([_middle(mat) for mat in placed], axis=0) if placed else np.zeros(3)
    paper = float(light.open_light(middle[None], UP).mean())
    return Painted(canvas.light, view, paper, cards, discard)


def _owners(scene: Scene, placed: list[Placed]) -> dict[int, dict[int, InRack]]:
    """Number the cards of all racks on the canvas, from 1 on, by seat."""
    number, owners = 0, {}
    for mat in placed:
        if isinstance(mat.place.stand, RackStand):
            cards = racks.cards_in(mat.place.stand, mat, scene.card)
            owners[mat.place.number] = {number + 1 + at: card for at, card in enumerate(cards)}
            number += len(cards)
    return owners


def _middle(mat: Placed) -> Floats:
    return mat.world(MAT_MIDDLE)


def _casters(scene: Scene, placed: list[Placed], owners: Mapping[int, Mapping[int, InRack]]) -> Iterator[Floats]:
    """Give the outlines of all that throws shadows on the table."""
    for mat in placed:
        stand = mat.place.stand
        if isinstance(stand, RackStand):
            yield racks.outline(stand, mat)
            yield from (card.plane.quad() for card in owners[mat.place.number].values())
        elif isinstance(stand, TrayStand):
            yield trays.outline(stand, mat)
    yield from _over(scene)


def _over(scene: Scene) -> Iterator[Floats]:
    """Give the outlines of all that is held over the table."""
    for hand in scene.hands:
        yield from shadows(hand)
    for shade in scene.shades:
        yield np.array(shade, dtype=np.float64)


def _seen(studio: Studio, card: int, plane: Plane, owner: int) -> SeenCard:
    view = studio.view
    quad = view.pixels(plane.quad())
    if card == BACK:
        return SeenCard(card, quad, np.zeros((4, 2)), 0.0)
    number = number_quad(plane, studio.deck, card)
    return SeenCard(card, quad, view.pixels(number), studio.canvas.share(view.canvas(number), owner))
