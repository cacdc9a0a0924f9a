"""Cards in space: the plane of each, the light that falls on it between its neighbours, and its drawing."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.table import Card
from vision.drawing.camera import unit
from vision.drawing.canvas import joined, linear, pixels_of
from vision.drawing.decks import Deck
from vision.drawing.faces import CORNER, number_box, shown
from vision.drawing.foreground import Foreground
from vision.drawing.light import HAZE, Floats, grid, lit, shaded, soft_step
from vision.drawing.places import about_vertical
from vision.drawing.scene import BACK, Lamp, RackStand, Standing
from vision.drawing.studio import Studio

ROWS, COLUMNS = 56, 20
"""Light on a card is worked out on so many rows and columns: the edge of a shadow is about a millimetre wide."""
SHARP = 1.15
"""Textures of cards have so many pixels a pixel of the picture."""
FILL = 0.42
"""Light comes in from the sides too, and paper lets some through: so much of what a neighbour throws is white."""
THICK = 0.7
"""Cards that share a slot stand so many mm one behind the other (with some air between them)."""


@dataclass(frozen=True)
class Plane:
    """A card in the world: its lower left corner as its face shows it, and unit vectors along and up it."""

    corner: Floats
    along: Floats
    up: Floats
    size: Card

    def points(self, flat: Floats) -> Floats:
        """Turn (..., 2) mm from the card's top left corner, right and down, into (..., 3) mm of the world."""
        up = self.size.height - flat[..., 1:]
        return np.asarray(self.corner + flat[..., :1] * self.along + up * self.up)

    def quad(self) -> Floats:
        """Give the corners (4, 3), top left first, clockwise."""
        width, height = self.size.width, self.size.height
        return self.points(np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float64))

    def normal(self) -> Floats:
        """Give the direction (3,) that the face looks to."""
        return np.asarray(np.cross(self.along, self.up))

    def faces(self, eye: Floats) -> bool:
        """Say whether an eye is on the face's side."""
        return bool((eye - self.corner) @ self.normal() > 0)


@dataclass(frozen=True)
class Neighbour:
    """The card next in front of another, and the colour (3,), linear, of the side that it turns to it."""

    plane: Plane
    colour: NDArray[np.float32]


@dataclass(frozen=True)
class Drawable:
    """A card to draw: its number, its plane, whose pixels it has, and what is before the side that is seen.

    `hidden`: so many mm of its lower part stand in the rack, and up to how far from the card's left edge.
    """

    card: int
    plane: Plane
    owner: int
    front: Neighbour | Foreground
    hidden: tuple[float, float] = (0.0, 0.0)


def standing(stand: RackStand, slot: int, card: Standing, size: Card, behind: int = 0) -> Plane:
    """Give a card's plane in the frame of its mat; `behind` counts the cards before it in the same slot."""
    rack = stand.rack
    turn = about_vertical(card.turn)
    right, back = turn @ [1.0, 0.0, 0.0], turn @ [0.0, 1.0, 0.0]
    lean, tilt = math.radians(card.lean), math.radians(card.tilt)
    upright = math.cos(lean) * np.array([0.0, 0.0, 1.0]) + math.sin(lean) * back
    along = math.cos(tilt) * right + math.sin(tilt) * upright
    up = math.cos(tilt) * upright - math.sin(tilt) * right
    # the lower corner of a tilted card rests on the slot's floor
    rise = rack.floor + card.lift + abs(math.sin(tilt)) * size.width / 2
    deep = rack.first + slot * rack.pitch + behind * THICK + card.play
    middle = np.array([rack.margin + card.slide + size.width / 2, deep, rise])
    corner = middle - along * size.width / 2
    put = about_vertical(stand.turn)
    return Plane(put @ corner + np.array([*rack.at, 0.0]), put @ along, put @ up, size)


def draw_card(studio: Studio, card: Drawable, *, only_low: bool = False) -> None:
    """Draw a standing card; with `only_low` just what hangs over the rack's side and is lower than its top."""
    view, plane = studio.view, card.plane
    seen, flat = plane.faces(view.eye), view.canvas(plane.quad())
    if studio.canvas.box_of(flat) is None:
        return
    back = None if seen and card.card != BACK else card.owner % 3
    albedo = shown(studio.deck, card.card, plane.size, pixels_of(flat, SHARP), back)
    if not seen:
        albedo = np.ascontiguousarray(albedo[:, ::-1])
    _cut(albedo, plane.size, card.hidden, only_low=only_low)
    shade, mirrored = light_between(studio, plane, card.front, seen=seen)
    if studio.deck.edge > 0 and not only_low:
        _draw_edge(studio, card, albedo[..., 3], seen=seen)
    studio.canvas.put(flat, lit(albedo, shade, mirrored), card.owner)


def _draw_edge(studio: Studio, card: Drawable, opacity: NDArray[np.float32], *, seen: bool) -> None:
    """Draw the upper cut edge: the card's outline (h, w), as far behind the side that is seen as the card is thick.

    That side comes over it, so that nothing below the corners would be seen of it.
    """
    plane, light = card.plane, studio.light
    part = CORNER / plane.size.height
    opacity = opacity[: max(round(part * opacity.shape[0]), 1)]
    quad = plane.quad()
    quad[2:] = quad[1::-1] + part * (quad[2:] - quad[1::-1])
    points = grid(1, COLUMNS, quad)
    above = np.broadcast_to(light.ambient(plane.up), points.shape).copy()
    for lamp in light.lamps:
        free = shaded(studio.over, lamp, quad, (COLUMNS, 1))
        above += light.direct(lamp, points, plane.up) * free[..., None]
    away = plane.normal() * (-studio.deck.edge if seen else studio.deck.edge)
    colour = np.broadcast_to(linear(studio.deck.edge_colour), (*opacity.shape, 3))
    studio.canvas.put(studio.view.canvas(quad + away), lit(joined(colour, opacity), above), card.owner)


def _cut(albedo: NDArray[np.float32], size: Card, hidden: tuple[float, float], *, only_low: bool) -> None:
    """Take away what stands in the rack, or all but what hangs over its side."""
    deep, until = hidden
    rows, columns = albedo.shape[:2]
    column = round(float(np.clip(until / size.width, 0, 1)) * columns)
    row = rows - round(float(np.clip(deep / size.height, 0, 1)) * rows)
    if only_low:
        # one row more, so that no seam is seen between the two parts
        albedo[: row - 1, column:, 3] = 0
        albedo[:, :column, 3] = 0
    else:
        albedo[row:, :column, 3] = 0


def light_between(studio: Studio, plane: Plane, front: Neighbour | Foreground, *, seen: bool) -> tuple[Floats, Floats]:
    """Give the light on the side of a card that is seen and what this mirrors, (ROWS, COLUMNS, 3) each."""
    light, deck = studio.light, studio.deck
    points = grid(ROWS, COLUMNS, plane.quad())
    normal = plane.normal() if seen else -plane.normal()
    if isinstance(front, Foreground):
        # who leans back sees more than half of the sky
        sky, open_lamp = np.full(points.shape[:2], (1 + normal[2]) / 2), [np.ones(points.shape[:2])] * len(light.lamps)
        size = (plane.size.width, float(plane.quad()[:2, 2].mean()))
        bounced = front.thrown(light, points, plane.corner, unit(normal * [1, 1, 0]), size)
    else:
        sky, gap = _sky(points, normal, front.plane)
        # what the neighbour's back receives at this depth it throws here, and this card throws back again
        back = light.ambient(-normal) * sky[..., None]
        for lamp in light.lamps:
            back += light.direct(lamp, points, -normal) * _unshaded(points, -normal, gap, sky, lamp)[..., None]
        # light that has gone to and fro between the two is whiter and more than what was thrown once
        colour = (1 - FILL) * np.asarray(front.colour, np.float64) + FILL * 0.6
        bounced = (back + FILL * light.ambient(-normal) * 0.75) * colour * (1 - sky)[..., None] * 1.2
        open_lamp = [_seen_lamp(points, normal, front.plane, lamp) for lamp in light.lamps]
    shade = light.ambient(normal) * sky[..., None] + bounced
    mirrored = np.zeros_like(shade)
    for lamp, past_card in zip(light.lamps, open_lamp, strict=True):
        free = past_card * shaded(studio.over, lamp, plane.quad(), (COLUMNS, ROWS))
        shade += light.direct(lamp, points, normal) * free[..., None]
        glare = light.glare(lamp, points, normal, studio.view.eye, deck.rough)
        mirrored += deck.gloss * 0.5 * glare * free[..., None]
    mirrored += deck.gloss * HAZE * light.ambient(normal) * sky[..., None]
    return shade, mirrored


def _sky(points: Floats, normal: Floats, front: Plane) -> tuple[Floats, Floats]:
    """Give the share of the hemisphere in which the sky is seen over the card in front, and the way to that card."""
    toward = front.normal() if front.normal() @ normal > 0 else -front.normal()
    gap = np.maximum((front.corner - points) @ toward, 0.5)
    top = float(front.quad()[:2, 2].mean())
    depth = top - points[..., 2]
    share = (1 - depth / np.hypot(depth, gap)) / 2
    # beyond the neighbour's sides it is open, which the outermost parts of a card see
    place = (points - front.corner) @ front.along
    beside = np.minimum(place, front.size.width - place)
    return share + (1 - share) * 0.22 * np.exp(-np.maximum(beside, 0) / (0.7 * gap)), gap


def _seen_lamp(points: Floats, normal: Floats, front: Plane, lamp: Lamp) -> Floats:
    """Give how much of a lamp (0..1) is seen past the card in front."""
    way = np.array(lamp.at) - points
    toward = front.normal() if front.normal() @ normal > 0 else -front.normal()
    reach = ((front.corner - points) @ toward) / np.maximum(way @ toward, 1e-6)
    met = points + way * reach[..., None]
    top = float(front.quad()[:2, 2].mean())
    soft = 2 * lamp.radius * np.clip(reach, 0, 1) + 0.8
    place = (met - front.corner) @ front.along
    covered = soft_step(top - met[..., 2], soft) * soft_step(place, soft) * soft_step(front.size.width - place, soft)
    return np.asarray(np.where(way @ toward > 0, 1 - covered, 1.0))


def _unshaded(points: Floats, toward: Floats, gap: Floats, sky: Floats, lamp: Lamp) -> Floats:
    """Give how much of a lamp a neighbour's back sees over this card, by how deep it lies between the two."""
    way = np.array(lamp.at) - points
    along = np.maximum(way @ toward, 1e-6)
    depth = gap * (1 - 2 * sky) / np.sqrt(np.maximum(1 - (1 - 2 * sky) ** 2, 1e-3))
    clear = gap * way[..., 2] / along - np.maximum(depth, 0)
    return np.asarray(soft_step(clear, 2 + gap * lamp.radius / np.linalg.norm(way, axis=-1)))


def number_quad(plane: Plane, deck: Deck, card: int) -> Floats:
    """Give the corners (4, 3) in the world of a card's upper number, top left first, clockwise as it is read."""
    return plane.points(number_box(deck, card, plane.size))
