"""What every part of a scene is drawn with, and plain boxes of plastic."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from calibration.table import Card
from vision.drawing.camera import View
from vision.drawing.canvas import Canvas, linear, pixels_of
from vision.drawing.decks import Colour, Deck
from vision.drawing.light import HAZE, Floats, Lighting, grid, lit

Box = tuple[float, float, float, float, float, float]
"""x0, x1, y0, y1, z0, z1 in mm."""
ToWorld = Callable[[Floats], Floats]
"""From (..., 3) mm of something's own frame to mm of the world."""
LARGEST = 900
"""Plain faces are lit at no more than so many pixels a side."""


@dataclass(frozen=True)
class Studio:
    """The sheet, the camera, the light, the deck, and the colour of the table's cloth.

    `over` are outlines (n, 3), mm of the world, of what is held over the table and shades what stands there.
    """

    canvas: Canvas
    view: View
    light: Lighting
    deck: Deck
    size: Card
    cloth: Colour
    over: tuple[Floats, ...] = ()


def draw_box(studio: Studio, to_world: ToWorld, box: Box, colour: Colour, *, top: bool = True) -> None:
    """Draw the sides of a plain box that are seen, and its top."""
    x0, x1, y0, y1, z0, z1 = box
    faces = [
        [[x0, y1, z1], [x0, y0, z1], [x0, y0, z0], [x0, y1, z0]],
        [[x1, y0, z1], [x1, y1, z1], [x1, y1, z0], [x1, y0, z0]],
        [[x1, y1, z1], [x0, y1, z1], [x0, y1, z0], [x1, y1, z0]],
        [[x0, y0, z1], [x1, y0, z1], [x1, y0, z0], [x0, y0, z0]],
    ]
    if top:
        faces.append([[x0, y1, z1], [x1, y1, z1], [x1, y0, z1], [x0, y0, z1]])
    for face in faces:
        _draw_face(studio, to_world(np.array(face, dtype=np.float64)), colour)


def _draw_face(studio: Studio, quad: Floats, colour: Colour) -> None:
    normal = np.cross(quad[1] - quad[0], quad[0] - quad[3])
    normal /= max(float(np.linalg.norm(normal)), 1e-9)
    if (studio.view.eye - quad[0]) @ normal <= 0:
        return
    flat = studio.view.canvas(quad)
    if studio.canvas.box_of(flat) is None:
        return
    points = grid(6, 6, quad)
    shade = studio.light.open_light(points, normal)
    if abs(normal[2]) < 0.5:
        # an upright side sees half the sky, less of it near the table
        shade = shade * 0.8 * np.linspace(1.0, 0.75, 6)[:, None, None]
    width, height = pixels_of(flat)
    plain = np.broadcast_to(linear(colour), (min(height, LARGEST), min(width, LARGEST), 3)).astype(np.float32)
    studio.canvas.put(flat, lit(plain, shade, sheen(studio, points, normal)), 0)


def sheen(studio: Studio, points: Floats, normal: Floats) -> Floats:
    """Give what smooth plastic mirrors at points (..., 3)."""
    total = np.broadcast_to(HAZE * 0.5 * studio.light.ambient(normal), points.shape).copy()
    for lamp in studio.light.lamps:
        total += 0.12 * studio.light.glare(lamp, points, normal, studio.view.eye, 12.0)
    return total
