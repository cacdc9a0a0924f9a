"""Trays: two wells between low walls, the draw pile and the discard pile."""

import math
from dataclasses import dataclass

import numpy as np

from calibration.table import Card, Side
from vision.drawing.canvas import linear, pixels_of
from vision.drawing.cards import SHARP, Plane
from vision.drawing.faces import shown
from vision.drawing.light import HAZE, UP, Floats, cast, grid, lit, shadow_map
from vision.drawing.places import Placed, about_vertical
from vision.drawing.scene import BACK, Lying, TrayStand
from vision.drawing.studio import Box, Studio, draw_box
from vision.tray.wells import SIDES, WELL_CENTRES

WELL = (97.0, 64.0)
"""Width and depth of a well in mm (TABLE.md, Mats)."""
WALL = 3.0
FLOOR = 1.5
THICK = 0.33
"""Thickness of a card in mm, with the air between cards."""
MIDDLE = np.array([148.5, 105.0, 0.0])


@dataclass(frozen=True)
class InWell:
    """A card in a well."""

    side: Side
    plane: Plane
    card: int


def tray_world(stand: TrayStand, placed: Placed, points: Floats) -> Floats:
    """Turn (..., 3) mm of the mat's frame, as if the tray stood exactly, into mm of the world."""
    moved = (points - MIDDLE) @ about_vertical(stand.turn).T + MIDDLE + np.array([stand.dx, stand.dy, 0.0])
    return placed.world(moved)


def outline(stand: TrayStand, placed: Placed) -> Floats:
    """Give the tray's corners (8, 3) in the world, for its shadow."""
    (x0, x1), (y0, y1) = _outer()
    corners = [(x, y, z) for x in (x0, x1) for y in (y0, y1) for z in (0.0, stand.walls)]
    return tray_world(stand, placed, np.array(corners))


def _outer() -> tuple[tuple[float, float], tuple[float, float]]:
    left, right = WELL_CENTRES["left"][0], WELL_CENTRES["right"][0]
    y = WELL_CENTRES["left"][1]
    half = WELL[0] / 2 + WALL
    return (left - half, right + half), (y - WELL[1] / 2 - WALL, y + WELL[1] / 2 + WALL)


def pile(stand: TrayStand, side: Side) -> tuple[Lying, ...]:
    """Give the cards in a well, from the lowest to the topmost."""
    return stand.draw_pile if side == stand.draw else stand.discard_pile


def lying(stand: TrayStand, placed: Placed, side: Side, height: int, size: Card) -> Plane:
    """Give the plane in the world of the card at a height (0 the lowest) in a well."""
    card = pile(stand, side)[height]
    turn = math.radians(card.turn)
    along, up = np.array([math.cos(turn), math.sin(turn), 0.0]), np.array([-math.sin(turn), math.cos(turn), 0.0])
    x, y = WELL_CENTRES[side]
    middle = np.array([x + card.dx, y + card.dy, FLOOR + (height + 1) * THICK])
    corner = middle - along * size.width / 2 - up * size.height / 2
    ends = tray_world(stand, placed, np.stack([corner, corner + along, corner + up]))
    return Plane(ends[0], ends[1] - ends[0], ends[2] - ends[0], size)


def draw_tray(studio: Studio, stand: TrayStand, placed: Placed, owner: int) -> Plane | None:
    """Draw a tray and its piles; the discard pile's top belongs to `owner`. Give the plane of this card."""

    def to_world(points: Floats) -> Floats:
        return tray_world(stand, placed, points)

    for side in SIDES:
        _draw_floor(studio, stand, placed, WELL_CENTRES[side])
    eye = placed.inside(studio.view.eye) - np.array([stand.dx, stand.dy, 0.0])
    walls = sorted(wall_boxes(stand), key=lambda wall: -_distance(wall, eye))
    before = {wall for wall in walls if _before(wall, eye)}
    for wall in walls:
        if wall not in before:
            draw_box(studio, to_world, wall, stand.colour)
    top = None
    for side in SIDES:
        cards = pile(stand, side)
        for height, card in enumerate(cards):
            plane = lying(stand, placed, side, height, studio.size)
            is_top = side != stand.draw and height == len(cards) - 1
            _draw_lying(studio, stand, placed, InWell(side, plane, card.card), owner if is_top else 0)
            top = plane if is_top else top
    for wall in walls:
        if wall in before:
            draw_box(studio, to_world, wall, stand.colour)
    return top


def wall_boxes(stand: TrayStand) -> list[Box]:
    """Give the tray's walls, in the tray's frame."""
    (x0, x1), (y0, y1), high = *_outer(), stand.walls
    middle = (x0 + x1) / 2
    half = (WELL_CENTRES["right"][0] - WELL_CENTRES["left"][0] - WELL[0]) / 2
    return [
        (x0, x1, y1 - WALL, y1, 0.0, high),
        (x0, x1, y0, y0 + WALL, 0.0, high),
        (x0, x0 + WALL, y0 + WALL, y1 - WALL, 0.0, high),
        (x1 - WALL, x1, y0 + WALL, y1 - WALL, 0.0, high),
        (middle - half, middle + half, y0 + WALL, y1 - WALL, 0.0, high),
    ]


def _distance(wall: Box, eye: Floats) -> float:
    return float(np.hypot((wall[0] + wall[1]) / 2 - eye[0], (wall[2] + wall[3]) / 2 - eye[1]))


def _before(wall: Box, eye: Floats) -> bool:
    """Say whether a wall stands between the eye and a well, so that it is drawn after the cards."""
    across, deep = (wall[0] + wall[1]) / 2 - MIDDLE[0], (wall[2] + wall[3]) / 2 - MIDDLE[1]
    if wall[1] - wall[0] > wall[3] - wall[2]:
        return bool(deep * (eye[1] - MIDDLE[1]) > 0)
    return bool(abs(across) < WALL or across * (eye[0] - MIDDLE[0]) > 0)


def _draw_floor(studio: Studio, stand: TrayStand, placed: Placed, centre: tuple[float, float]) -> None:
    quad = tray_world(stand, placed, well_corners(centre, FLOOR))
    seen = studio.view.canvas(quad)
    if studio.canvas.box_of(seen) is None:
        return
    albedo = np.broadcast_to(linear(stand.colour), (96, 144, 3)).astype(np.float32)
    studio.canvas.put(seen, lit(albedo, _in_well(studio, stand, placed, quad, quad), _haze(studio, quad)), 0)


def well_corners(centre: tuple[float, float], height: float) -> Floats:
    """Give a well's corners (4, 3) at a height, far left first, clockwise, in the tray's frame."""
    signs = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]])
    return np.column_stack([np.array(centre) + signs * np.array(WELL) / 2, np.full(4, height)])


def _in_well(studio: Studio, stand: TrayStand, placed: Placed, quad: Floats, well: Floats) -> Floats:
    """Give the light (40, 60, 3) on a level quadrilateral (4, 3) in a well with the corners `well`, between walls."""
    rows, columns, light = 40, 60, studio.light
    points = grid(rows, columns, quad)
    level = float(quad[:, 2].mean())
    inside = np.linalg.inv(np.stack([well[1] - well[0], well[3] - well[0]], axis=1)[:2])
    place = (points[..., :2] - well[0, :2]) @ inside.T * np.array(WELL)
    near = np.minimum(place, np.array(WELL) - place).clip(0)
    rise = max(stand.walls - level, 0.0)
    closed = np.prod(1 - 0.4 * rise / (rise + near + 2), axis=-1)
    shade = light.ambient(UP) * closed[..., None]
    to_map = np.linalg.inv(np.stack([quad[1] - quad[0], quad[3] - quad[0]], axis=1)[:2])
    for lamp in light.lamps:
        polygons = [(cast(thing, lamp, level) - quad[0, :2]) @ to_map.T * (columns, rows) for thing in studio.over]
        for x0, x1, y0, y1, _, high in wall_boxes(stand):
            box = np.array([(x, y, high) for x in (x0, x1) for y in (y0, y1)])
            corners = tray_world(stand, placed, box)
            foot = corners * [1, 1, 0] + [0, 0, level]
            ends = cast(np.concatenate([corners, foot]), lamp, level)
            polygons.append((ends - quad[0, :2]) @ to_map.T * (columns, rows))
        free = 1 - shadow_map(polygons, (columns, rows), 0.4 + lamp.radius * rise / lamp.at[2] * columns / WELL[0])
        shade += light.direct(lamp, points, UP) * free[..., None]
    return np.asarray(shade)


def _haze(studio: Studio, quad: Floats, gloss: float = 0.3, rough: float = 12.0) -> Floats:
    """Give what a level quadrilateral mirrors, (12, 16, 3)."""
    points = grid(12, 16, quad)
    total = np.broadcast_to(HAZE * gloss * studio.light.ambient(UP), points.shape).copy()
    for lamp in studio.light.lamps:
        total += 0.5 * gloss * studio.light.glare(lamp, points, UP, studio.view.eye, rough)
    return total


def _draw_lying(studio: Studio, stand: TrayStand, placed: Placed, card: InWell, owner: int) -> None:
    quad = card.plane.quad()
    flat = studio.view.canvas(quad)
    if studio.canvas.box_of(flat) is None:
        return
    # a thin dark line under each card: the shadow on what lies below
    shadow = np.zeros((2, 2, 4), np.float32)
    shadow[..., 3] = 0.35
    under = quad - [0, 0, THICK] + (quad - quad.mean(axis=0)) * 0.006
    studio.canvas.put(studio.view.canvas(under), shadow, 0)
    back = None if card.card != BACK else 0
    albedo = shown(studio.deck, card.card, studio.size, pixels_of(flat, SHARP), back)
    well = tray_world(stand, placed, well_corners(WELL_CENTRES[card.side], 0.0))
    shade = _in_well(studio, stand, placed, quad, well)
    mirrored = _haze(studio, quad, studio.deck.gloss, studio.deck.rough)
    studio.canvas.put(flat, lit(albedo, shade, mirrored), owner)
