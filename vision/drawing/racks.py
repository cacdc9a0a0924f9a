"""Racks: the block with its comb, lip, notch and embossed labels, and the cards that stand in it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import SLOTS, Card
from vision.drawing.canvas import fitted, linear
from vision.drawing.cards import Drawable, Neighbour, Plane, draw_card, standing
from vision.drawing.decks import Colour, Deck
from vision.drawing.foreground import Foreground, before_card
from vision.drawing.light import UP, Floats, cast, grid, lit, shadow_map
from vision.drawing.places import Placed, about_vertical
from vision.drawing.scene import BACK, RackStand
from vision.drawing.studio import Studio, draw_box, sheen
from vision.drawing.typefaces import BUILT_IN, type_mask

LIP = 1.8
"""The front block ends so many mm before slot 5."""
NOTCH_HEIGHT = 9.0
SLOT_WIDTH = 2.0
REACH = 3.5
"""Slots reach so many mm farther left than the cards that stand in them."""
LABEL = 4.2
"""Height in mm of the labels 5, 10, ... 50."""
TOP = 6
"""Pixels a mm of the drawn top of a rack."""


@dataclass(frozen=True)
class InRack:
    """A card in a rack: slot 0..9, which of the slot's cards (the front one is 0), its number and its plane."""

    slot: int
    which: int
    card: int
    plane: Plane


def cards_in(stand: RackStand, placed: Placed, size: Card) -> tuple[InRack, ...]:
    """Give a rack's cards with their planes in the world, from the front to the back."""

    def found() -> Iterator[InRack]:
        for slot, cards in enumerate(stand.slots):
            for which, card in enumerate(cards):
                plane = standing(stand, slot, card, size, which)
                turned = placed.turned()
                yield InRack(
                    slot, which, card.card,
                    Plane(placed.world(plane.corner), turned @ plane.along, turned @ plane.up, size),
                )  # fmt: skip

    return tuple(found())


def rack_world(stand: RackStand, placed: Placed, points: Floats) -> Floats:
    """Turn (..., 3) mm of a rack's own frame (its front-left corner) into mm of the world."""
    return placed.world(points @ about_vertical(stand.turn).T + np.array([*stand.rack.at, 0.0]))


def outline(stand: RackStand, placed: Placed) -> Floats:
    """Give the block's corners (8, 3) in the world, for its shadow."""
    rack = stand.rack
    corners = [(x, y, z) for x in (0, rack.width) for y in (0, rack.depth) for z in (0, rack.height)]
    return rack_world(stand, placed, np.array(corners, dtype=np.float64))


def draw_rack(studio: Studio, stand: RackStand, placed: Placed, owners: dict[int, InRack]) -> None:
    """Draw a rack and its cards (`owners`: by their numbers on the canvas), the farthest first."""
    rack = stand.rack
    eye = about_vertical(stand.turn).T @ (placed.inside(studio.view.eye) - np.array([*rack.at, 0.0]))
    order = _painter(owners, eye[1], rack.first, rack.pitch)
    cards = [_drawable(studio, stand, placed, owners, owner) for owner in order]
    if eye[0] < rack.width:
        # seen from the left, the comb stands before what hangs over its right side
        for card in cards:
            deep, _ = card.hidden
            over = rack.width - rack.margin - stand.slots[owners[card.owner].slot][owners[card.owner].which].slide
            draw_card(studio, replace(card, hidden=(deep, over)), only_low=True)
    _draw_comb(studio, stand, placed, [card.plane for card in cards])
    if eye[1] > rack.first:
        _draw_front(studio, stand, placed)
    for card in cards:
        draw_card(studio, card)
    if eye[1] <= rack.first:
        _draw_front(studio, stand, placed)


def _painter(owners: dict[int, InRack], eye: float, first: float, pitch: float) -> list[int]:
    """Order cards so that what is nearer to the eye (y in the rack's frame) comes later."""
    places = {owner: first + card.slot * pitch + card.which for owner, card in owners.items()}
    return sorted(owners, key=lambda owner: -abs(places[owner] - eye))


def _drawable(studio: Studio, stand: RackStand, placed: Placed, owners: dict[int, InRack], owner: int) -> Drawable:
    card = owners[owner]
    rack, what = stand.rack, stand.slots[card.slot][card.which]
    # the step beside the front block shows more of the front card
    width = rack.width - (stand.notch if card.slot == 0 else 0.0)
    hidden = (max(rack.height - rack.floor - what.lift, 0.0), width - rack.margin - what.slide)
    forward = card.plane.faces(studio.view.eye)
    front: Neighbour | Foreground | None = _next_to(owners, owner, studio.deck, forward=forward)
    front = front or foreground_of(stand, card.slot, placed, studio.cloth, forward=forward)
    return Drawable(card.card, card.plane, owner, front, hidden)


def foreground_of(stand: RackStand, slot: int, placed: Placed, cloth: Colour, *, forward: bool = True) -> Foreground:
    """Give what lies before (else behind) the card of a slot where no other card does."""
    deep = stand.rack.first + slot * stand.rack.pitch
    return before_card(stand, deep, placed.place.paper, cloth, forward=forward)


def _next_to(owners: dict[int, InRack], owner: int, deck: Deck, *, forward: bool) -> Neighbour | None:
    """Give the card before the side of a card that is seen."""
    card = owners[owner]
    place = (card.slot, card.which)
    others = [o for o in owners.values() if ((o.slot, o.which) < place) == forward and o is not card]
    if not others:
        return None
    near = (max if forward else min)(others, key=lambda o: (o.slot, o.which))
    shows_back = (near.card != BACK) == forward
    colour = deck.back if shows_back else deck.colours(max(near.card, 1))[0]
    return Neighbour(near.plane, linear(colour))


def _draw_comb(studio: Studio, stand: RackStand, placed: Placed, cards: list[Plane]) -> None:
    """Draw the comb: its sides and its top, on which cards throw shadows."""
    rack, front, light = stand.rack, stand.rack.first - LIP, studio.light

    def to_world(points: Floats) -> Floats:
        return rack_world(stand, placed, points)

    draw_box(studio, to_world, (0, rack.width, front, rack.depth, 0, rack.height), stand.colour, top=False)
    corners = [[0, rack.depth], [rack.width, rack.depth], [rack.width, front], [0, front]]
    quad = to_world(np.column_stack([np.array(corners), np.full(4, rack.height)]))
    flat = studio.view.canvas(quad)
    if studio.canvas.box_of(flat) is None:
        return
    top = comb_top(stand.colour, (rack.width, rack.depth - front), (rack.first - front, rack.pitch, rack.margin))
    size = (32, 48)
    points = grid(size[1], size[0], quad)
    shade = np.broadcast_to(light.ambient(UP), points.shape).copy()
    across = np.linspace(0, rack.width, size[0])[None, :, None]
    if cards:
        # beside and between cards less of the sky is seen
        shade *= np.clip(0.85 - 0.5 * (across - rack.margin + 9) / 14, 0.25, 0.85)
    inverse = np.linalg.inv(np.stack([quad[1] - quad[0], quad[3] - quad[0]], axis=1)[:2])
    things = [*(card.quad() for card in cards), *studio.over]
    for lamp in light.lamps:
        polygons = [(cast(thing, lamp, rack.height) - quad[0, :2]) @ inverse.T * size for thing in things]
        free = 1 - shadow_map(polygons, size, 0.5 + lamp.radius * 20 / lamp.at[2] * size[0] / rack.width)
        shade += light.direct(lamp, points, UP) * free[..., None]
    studio.canvas.put(flat, lit(linear(fitted(top, flat)), shade, sheen(studio, points, UP)), 0)


def _draw_front(studio: Studio, stand: RackStand, placed: Placed) -> None:
    """Draw the block before slot 5, which hides a part of the front card, and the low step at its right."""
    rack, front = stand.rack, stand.rack.first - LIP
    notch = rack.width - stand.notch
    boxes = [(notch, rack.width, 0.0, front, 0.0, NOTCH_HEIGHT)] if stand.notch > 0 else []
    for box in [*boxes, (0.0, notch, 0.0, front, 0.0, rack.height + stand.lip)]:
        draw_box(studio, lambda points: rack_world(stand, placed, points), box, stand.colour)


@lru_cache(maxsize=8)
def comb_top(colour: Colour, size: tuple[float, float], slots: tuple[float, float, float]) -> NDArray[np.uint8]:
    """Draw a comb's top, far side first: ten slots, and labels embossed in its own colour.

    `size` is width and depth in mm; `slots` are the way from the near side to slot 5, the pitch and the margin.
    """
    (width, depth), (first, pitch, margin) = size, slots
    top = np.full((round(depth * TOP), round(width * TOP), 3), colour, np.float32)
    for slot in range(SLOTS):
        y = (depth - first - slot * pitch) * TOP
        left, half = round((margin - REACH) * TOP), SLOT_WIDTH / 2 * TOP
        top[max(round(y - half), 0) : round(y + half), left:] *= 0.12
        words = type_mask(BUILT_IN, str(5 * (slot + 1)))
        scale = LABEL * TOP / words.shape[0]
        words = np.asarray(cv2.resize(words, None, fx=scale, fy=scale), np.uint8)
        row, column = round(y) - words.shape[0] // 2, max(round((margin - REACH) / 2 * TOP) - words.shape[1] // 2, 1)
        _emboss(top, words, row, column)
    return np.clip(top, 0, 255).astype(np.uint8)


def _emboss(top: NDArray[np.float32], words: NDArray[np.uint8], row: int, column: int) -> None:
    """Raise letters out of a surface: lighter on the side of the light, darker on the other."""
    pad = 4
    raised = cv2.copyMakeBorder(words, pad, pad, pad, pad, cv2.BORDER_CONSTANT).astype(np.float32) / 255
    raised = np.asarray(cv2.GaussianBlur(raised, (0, 0), 1.2), np.float32)
    slope = raised - np.roll(raised, (2, 2), axis=(0, 1))
    y, x = max(row - pad, 0), max(column - pad, 0)
    part = top[y : y + raised.shape[0], x : x + raised.shape[1]]
    part *= 1 + 0.45 * slope[: part.shape[0], : part.shape[1], None]
