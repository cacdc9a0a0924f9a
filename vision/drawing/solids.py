"""A scene as solids with textures, for a renderer that knows of triangles only (vision.drawing.traced)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.table import MAT_SIZE
from vision.drawing.canvas import linear
from vision.drawing.cards import Plane
from vision.drawing.decks import Colour
from vision.drawing.faces import CORNER, back_of, face_of
from vision.drawing.ground import CLOTH, TILE, cloth_tile, mat_print
from vision.drawing.light import Floats
from vision.drawing.places import Placed
from vision.drawing.racks import LIP, NOTCH_HEIGHT, cards_in, comb_top, rack_world
from vision.drawing.scene import BACK, MatPlace, RackStand, Scene, TrayStand
from vision.drawing.studio import Box, ToWorld
from vision.drawing.trays import FLOOR, lying, pile, tray_world, wall_boxes, well_corners
from vision.tray.wells import SIDES, WELL_CENTRES

TABLE = 2048.0
"""Half the side of the table's top in mm."""
MAT_LIES = 0.1
"""A mat lies so many mm above the table."""
THINNEST = 0.05
"""A card is at least so many mm thick, so that its sides do not fall together."""
ROUND = 6
"""So many straight pieces make a card's rounded corner."""
Texture = NDArray[np.float32]


@dataclass(frozen=True)
class Solid:
    """Triangles (m, 3) of corners (n, 3), mm of the world, counterclockwise as seen from outside.

    `places` (n, 2) are the corners' places in the texture (h, w, 3), linear reflectance: right and down, 0..1 across
    it, and it repeats itself.
    """

    corners: Floats
    triangles: NDArray[np.int64]
    places: Floats
    texture: Texture


def solids_of(scene: Scene) -> Iterator[Solid]:
    """Give all solids of a scene: the table, mats, racks, trays and cards; not its hands and shades."""
    yield _table(scene)
    for place in scene.mats:
        mat = Placed(place)
        yield _mat(place)
        if isinstance(place.stand, RackStand):
            yield from _rack(place.stand, mat)
            for card in cards_in(place.stand, mat, scene.card):
                yield from _card(scene, card.plane, card.card, card.card % 3)
        elif isinstance(place.stand, TrayStand):
            yield from _tray(scene, place.stand, mat)


def flat(quad: Floats, texture: Texture) -> Solid:
    """Give a quadrilateral (4, 3) that shows a texture, its corners as this shows them, clockwise from top left."""
    places = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=np.float64)
    return Solid(quad, np.array([[0, 2, 1], [0, 3, 2]]), places, texture)


def plain(colour: Colour | Sequence[int]) -> Texture:
    """Give a texture of one colour."""
    b, g, r = colour
    return np.broadcast_to(linear((b, g, r)), (2, 2, 3)).astype(np.float32)


def box(to_world: ToWorld, sides: Box, colour: Colour, top: Texture | None = None) -> Iterator[Solid]:
    """Give a box's four walls and its top, which may have a print of its own (its far side first)."""
    x0, x1, y0, y1, z0, z1 = sides
    corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    for one, other in zip(corners, [*corners[1:], corners[0]], strict=True):
        wall = [(*one, z1), (*other, z1), (*other, z0), (*one, z0)]
        yield flat(to_world(np.array(wall, dtype=np.float64)), plain(colour))
    cover = [(x0, y1, z1), (x1, y1, z1), (x1, y0, z1), (x0, y0, z1)]
    yield flat(to_world(np.array(cover, dtype=np.float64)), plain(colour) if top is None else top)


def _table(scene: Scene) -> Solid:
    quad = np.array([[-TABLE, TABLE, 0], [TABLE, TABLE, 0], [TABLE, -TABLE, 0], [-TABLE, -TABLE, 0]])
    turn = np.radians(scene.cloth.turn)
    c, s = np.cos(turn), np.sin(turn)
    places = (quad[:, :2] @ np.array([[c, -s], [s, c]]) * CLOTH + 300.0) / TILE
    return Solid(quad, np.array([[0, 2, 1], [0, 3, 2]]), places, linear(cloth_tile(scene.cloth)))


def _mat(place: MatPlace) -> Solid:
    width, depth = MAT_SIZE
    corners = np.array([[0, depth, MAT_LIES], [width, depth, MAT_LIES], [width, 0, MAT_LIES], [0, 0, MAT_LIES]])
    ink = mat_print(place.number, place.printed)[..., None].astype(np.float32) / 255
    return flat(Placed(place).world(corners), np.square(ink * np.array(place.paper, np.float32) / 255))


def _rack(stand: RackStand, placed: Placed) -> Iterator[Solid]:
    rack, front = stand.rack, stand.rack.first - LIP
    notch = rack.width - stand.notch

    def to_world(points: Floats) -> Floats:
        return rack_world(stand, placed, points)

    slots = (rack.first - front, rack.pitch, rack.margin)
    top = linear(comb_top(stand.colour, (rack.width, rack.depth - front), slots))
    yield from box(to_world, (0, rack.width, front, rack.depth, 0, rack.height), stand.colour, top)
    yield from box(to_world, (0, notch, 0, front, 0, rack.height + stand.lip), stand.colour)
    if stand.notch > 0:
        yield from box(to_world, (notch, rack.width, 0, front, 0, NOTCH_HEIGHT), stand.colour)


def _tray(scene: Scene, stand: TrayStand, placed: Placed) -> Iterator[Solid]:
    def to_world(points: Floats) -> Floats:
        return tray_world(stand, placed, points)

    for side in SIDES:
        yield flat(to_world(well_corners(WELL_CENTRES[side], FLOOR)), plain(stand.colour))
        for height, card in enumerate(pile(stand, side)):
            yield from _card(scene, lying(stand, placed, side, height, scene.card), card.card, 0)
    for wall in wall_boxes(stand):
        yield from box(to_world, wall, stand.colour)


def _card(scene: Scene, plane: Plane, card: int, back: int) -> Iterator[Solid]:
    """Give a card's face, its back behind that, and its edge: as thick as its cut edge is seen."""
    deck, size = scene.deck, plane.size
    outline = _outline(size.width, size.height)
    ways = outline / [size.width, size.height]
    depth = -plane.normal() * max(deck.edge, THINNEST)
    face = back_of(deck, size, back) if card == BACK else face_of(deck, card, size)
    yield _fan(plane.points(outline), ways, linear(face[..., :3]), outside=True)
    mirrored = np.column_stack([1 - ways[:, 0], ways[:, 1]])
    behind = linear(back_of(deck, size, back)[..., :3])
    yield _fan(plane.points(outline) + depth, mirrored, behind, outside=False)
    near, count = plane.points(outline), len(outline)
    at = np.arange(count)
    after = (at + 1) % count
    ring = np.concatenate([np.stack([at, after, at + count]), np.stack([after, after + count, at + count])], axis=1).T
    colour = deck.edge_colour if deck.edge > 0 else deck.back
    yield Solid(np.concatenate([near, near + depth]), ring, np.full((2 * count, 2), 0.5), plain(colour))


def _outline(width: float, height: float) -> Floats:
    """Give the outline (n, 2) of a card with rounded corners, mm from its top left corner, clockwise."""
    turns = np.linspace(0, np.pi / 2, ROUND + 1)
    pieces = []
    for number, (x, y) in enumerate(
        [(CORNER, CORNER), (width - CORNER, CORNER), (width - CORNER, height - CORNER), (CORNER, height - CORNER)]
    ):
        angle = np.pi + number * np.pi / 2 + turns
        pieces.append(np.column_stack([x + CORNER * np.cos(angle), y + CORNER * np.sin(angle)]))
    return np.concatenate(pieces)


def _fan(corners: Floats, places: Floats, texture: Texture, *, outside: bool) -> Solid:
    """Give a convex polygon (n, 3) as triangles; `outside`: it is clockwise as seen from where it is looked at."""
    count = len(corners)
    first, second = np.arange(1, count - 1), np.arange(2, count)
    order = (
        (np.zeros(count - 2, np.int64), second, first) if outside else (np.zeros(count - 2, np.int64), first, second)
    )
    return Solid(corners, np.stack(order, axis=1), places, texture)
