"""Light on surfaces: lamps that fall off, light from all sides, reflections, and the shadows of flat things."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.drawing.camera import unit
from vision.drawing.canvas import for_each_colour, joined, parted
from vision.drawing.scene import Lamp, Room

Floats = NDArray[np.float64]
UP: Floats = np.array([0.0, 0.0, 1.0])
WINDOW = 0.45
"""How much brighter than the mean it is from the window's side, and darker from the other."""
HAZE = 0.05
"""Share of the light that a glossy surface mirrors when looked at steeply (about that of varnish)."""


class Lighting:
    """A room's light; all places and normals are in the world frame, light is linear (blue, green, red)."""

    def __init__(self, room: Room) -> None:
        self.lamps: Sequence[Lamp] = room.lamps
        self._ambient = np.array(room.ambient)
        self._window = unit(room.window)

    def ambient(self, normal: Floats) -> Floats:
        """Give the light (3,) from all sides on an open surface with a normal (3,)."""
        return np.asarray(self._ambient * (1 + WINDOW * float(normal @ self._window)))

    def direct(self, lamp: Lamp, points: Floats, normal: Floats) -> Floats:
        """Give the light (..., 3) of one lamp on points (..., 3) of a surface, shadows aside."""
        way = np.array(lamp.at) - points
        square = np.sum(way**2, axis=-1, keepdims=True)
        distance = np.sqrt(square)
        slant, half = (way @ normal)[..., None] / distance, lamp.radius / distance
        # of a lamp on the horizon a part is seen: the mean of what is above it, as if it were a square of that width
        rising = np.square(np.maximum(slant + half, 0.0)) / np.maximum(4 * half, 1e-9)
        slant = np.where(np.abs(slant) < half, rising, np.maximum(slant, 0.0))
        return np.asarray(np.array(lamp.light) * slant * (np.sum(np.square(lamp.at)) / square))

    def open_light(self, points: Floats, normal: Floats) -> Floats:
        """Give all light (..., 3) on points of an open surface."""
        total = np.broadcast_to(self.ambient(normal), points.shape).copy()
        for lamp in self.lamps:
            total += self.direct(lamp, points, normal)
        return total

    def glare(self, lamp: Lamp, points: Floats, normal: Floats, eye: Floats, rough: float) -> Floats:
        """Give the light (..., 3) of a lamp that a surface mirrors to an eye; `rough` in degrees widens it."""
        way = np.array(lamp.at) - points
        distance = np.linalg.norm(way, axis=-1, keepdims=True)
        to_lamp = way / distance
        to_eye = eye - points
        to_eye = to_eye / np.linalg.norm(to_eye, axis=-1, keepdims=True)
        mirrored = 2 * (to_eye @ normal)[..., None] * normal - to_eye
        off = np.arccos(np.clip(np.sum(mirrored * to_lamp, axis=-1), -1, 1))
        width = np.radians(rough) + lamp.radius / distance[..., 0]
        # the wider a reflection, the fainter: the lamp's light is spread over it
        peak = np.square(np.radians(12) / width)
        grazing = 1 + 4 * (1 - np.clip(to_eye @ normal, 0, 1)) ** 3
        strength = np.minimum(peak, 6.0) * grazing * np.exp(-((off / width) ** 2))
        return np.asarray(np.array(lamp.light) * strength[..., None])


def soft_step(values: Floats, width: Floats | float) -> Floats:
    """Give 0 below, 1 above 0, smoothly within half a width on both sides."""
    part = np.clip(values / np.maximum(width, 1e-6) + 0.5, 0, 1)
    return np.asarray(part * part * (3 - 2 * part))


def cast(points: Floats, lamp: Lamp, level: float) -> Floats:
    """Cast the shadow of points (n, 3) on the plane z = `level`: (n, 2) mm; points below it stay where they are."""
    place = np.array(lamp.at)
    rise = np.maximum(points[:, 2:] - level, 0.0)
    step = rise / np.maximum(place[2] - level - rise, 1.0)
    return np.asarray((points + (points - place) * step)[:, :2])


def shaded(outlines: Sequence[Floats], lamp: Lamp, quad: Floats, size: tuple[int, int]) -> Floats:
    """Give how much of a lamp (0..1) outlines (n, 3) leave to a rectangle (4, 3) in space, on a grid of a size.

    `size` is (columns, rows), the answer (rows, columns). What lies wholly behind the rectangle shades nothing.
    """
    at, sides = np.array(lamp.at), np.stack([quad[1] - quad[0], quad[3] - quad[0]])
    normal = np.cross(*sides)
    away = float((at - quad[0]) @ normal)
    polygons = []
    for outline in outlines:
        reach = away / np.where(np.abs(fall := (at - outline) @ normal) > 1e-6 * abs(away), fall, np.inf)
        if (reach > 1).any():
            # what has gone through the rectangle is taken to touch it
            met = at + (outline - at) * np.maximum(reach, 1)[:, None]
            polygons.append((met - quad[0]) @ (sides / np.sum(sides**2, axis=1)[:, None]).T * size)
    return np.asarray(1 - shadow_map(polygons, size, 0.6)) if polygons else np.ones(size[::-1])


def shadow_map(polygons: Sequence[Floats], size: tuple[int, int], blur: float) -> NDArray[np.float32]:
    """Draw polygons (n, 2), in pixels of a map of a size (width, height), as 0..1, blurred by a sigma in pixels."""
    drawn = np.zeros((size[1], size[0]), np.uint8)
    for polygon in polygons:
        hull = cv2.convexHull(np.clip(polygon, -9999, 9999).astype(np.float32)).reshape(-1, 2)
        cv2.fillConvexPoly(drawn, np.round(hull * 16).astype(np.int32), 255, cv2.LINE_AA, shift=4)
    if blur > 0.3:
        drawn = np.asarray(cv2.GaussianBlur(drawn, (0, 0), blur), np.uint8)
    return drawn.astype(np.float32) * np.float32(1 / 255)


def lit(albedo: NDArray[np.float32], light: Floats, added: Floats | None = None) -> NDArray[np.float32]:
    """Put light on a flat texture: albedo (h, w, 3 or 4, the fourth is opacity), light (r, c, 3) on a coarse grid.

    The grid's values are those of the middles of r x c equal parts. `added` is light that is mirrored.
    Gives (h, w, 4), light times opacity.
    """
    height, width = albedo.shape[:2]
    opaque = albedo.shape[2] == 3
    colour, opacity = (albedo, np.ones((height, width), np.float32)) if opaque else parted(albedo)
    fine = cv2.resize(light.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
    shown = np.asarray(cv2.multiply(fine, colour), np.float32)
    if added is not None:
        shown += cv2.resize(added.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
    if not opaque:
        shown = np.asarray(cv2.multiply(shown, for_each_colour(opacity)), np.float32)
    return joined(shown, opacity)


def grid(rows: int, columns: int, quad: Floats) -> Floats:
    """Give points (rows, columns, 3): the middles of equal parts of a quadrilateral (4, 3), clockwise."""
    v = ((np.arange(rows) + 0.5) / rows)[:, None, None]
    u = ((np.arange(columns) + 0.5) / columns)[None, :, None]
    return np.asarray((quad[0] * (1 - u) + quad[1] * u) * (1 - v) + (quad[3] * (1 - u) + quad[2] * u) * v)
