"""The table's top and the mats that lie on it, with the shadows of all that stands there."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import MAT_SIZE
from vision.drawing.camera import View
from vision.drawing.canvas import for_each_colour
from vision.drawing.curls import met_by_rays
from vision.drawing.faces import blotches
from vision.drawing.light import UP, Floats, cast, shadow_map
from vision.drawing.places import Placed
from vision.drawing.scene import Camera, Cloth, MatPlace
from vision.drawing.studio import Studio
from vision.drawing.typefaces import BUILT_IN, type_mask
from vision.mats import MARKER_CENTRES, MARKER_SIDE

PAPER = 4
"""Pixels a mm of a drawn mat."""
TILE = 1024
CLOTH = 2.0
"""Pixels a mm of the table's pattern, a tile that repeats itself."""
MAP = 0.5
"""Pixels a mm of the maps of shadows on the table."""
AROUND = 160.0
"""The maps reach so many mm beyond what casts shadows."""
FEET, FARTHEST = 12.0, 1500.0
"""What stands on the table begins lower than so many mm; shadows are drawn up to so many mm from the world's origin."""
COARSE = 24
"""Light without shadows is worked out at every so many pixels."""
Casters = Sequence[Floats]
"""Convex outlines (n, 3) of what stands on the table, mm of the world."""


def draw_ground(studio: Studio, cloth: Cloth, mats: Sequence[Placed], casters: Casters) -> None:
    """Draw the table's top and the mats, lit; the rest of the canvas is drawn over this."""
    width, height = studio.view.size
    bare = tuple(replace(mat.place, stand=None) for mat in mats)
    falling = _falling(studio, casters)
    falling = np.asarray(cv2.resize(falling, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)
    colours = _colours(studio.view.camera, cloth, bare)
    reflected = np.asarray(cv2.multiply(colours, colours, dtype=cv2.CV_32F, scale=1 / 255**2), np.float32)
    studio.canvas.light = np.multiply(reflected, falling, out=falling)


@lru_cache(maxsize=5)
def _colours(camera: Camera, cloth: Cloth, mats: tuple[MatPlace, ...]) -> NDArray[np.uint8]:
    """Give the colours of table and mats on a camera's canvas, kept for the next pictures of a table's five cameras."""
    view = View(camera)
    to_canvas, (width, height) = view.ground_matrix(), view.size
    turn = np.radians(cloth.turn)
    c, s = np.cos(turn) / CLOTH, np.sin(turn) / CLOTH
    tile = np.array([[c, -s, -300.0], [s, c, -300.0], [0, 0, 1]])
    flat = cv2.warpPerspective(
        cloth_tile(cloth), to_canvas @ tile, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP
    )
    shown = np.asarray(flat, np.uint8)
    for mat in mats:
        _lay_mat(shown, view, Placed(mat))
    return shown


def _lay_mat(shown: NDArray[np.uint8], view: View, mat: Placed) -> None:
    paper = mat_print(mat.place.number, mat.place.printed)
    corners = np.array([[0, MAT_SIZE[1], 0], [*MAT_SIZE, 0], [MAT_SIZE[0], 0, 0], [0, 0, 0]], dtype=np.float64)
    world = mat.world(corners)
    flat = np.column_stack([world[:, :2], np.ones(4)]) @ view.ground_matrix().T
    if (flat[:, 2] < 1).any():
        return
    quad = flat[:, :2] / flat[:, 2:]
    highest = sum(curl.height for curl in mat.place.curls)
    ends = np.concatenate([quad, view.canvas(world + np.array([0.0, 0.0, highest]))]) if highest else quad
    low = np.maximum(np.floor(ends.min(axis=0)).astype(int) - 2, 0)
    high = np.minimum(np.ceil(ends.max(axis=0)).astype(int) + 3, [shown.shape[1], shown.shape[0]])
    if (low >= high).any():
        return
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    wide, deep = max(sides[0], sides[2]), max(sides[1], sides[3])
    size = (min(round(wide), paper.shape[1]), min(round(deep), paper.shape[0]))
    paper = np.asarray(cv2.resize(paper, size, interpolation=cv2.INTER_AREA), np.uint8)
    box = (int(high[0] - low[0]), int(high[1] - low[1]))
    seen = _curled(view, mat, low, box, size) if highest else _flat(quad - low, box, size)
    ink = seen(paper).astype(np.float32) / 255
    opacity = seen(np.full(paper.shape, 255, np.uint8))
    bare = for_each_colour(1 - opacity.astype(np.float32) / np.float32(255))
    part = shown[low[1] : high[1], low[0] : high[0]]
    printed = cv2.merge([level * ink for level in np.array(mat.place.paper, np.float32)])
    part[:] = (part * bare + printed).astype(np.uint8)


Seen = Callable[[NDArray[np.uint8]], NDArray[np.uint8]]
"""Gives what is seen of a sheet (rows, columns) in a box of the canvas; 0 beside it."""


def _flat(quad: Floats, box: tuple[int, int], size: tuple[int, int]) -> Seen:
    """Show a sheet of a size (width, height) in pixels in a quadrilateral (4, 2) of a box of the canvas."""
    source = np.array([[0, 0], [size[0], 0], size, [0, size[1]]], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(source, quad.astype(np.float32))
    return lambda sheet: np.asarray(cv2.warpPerspective(sheet, warp, box, flags=cv2.INTER_LINEAR), np.uint8)


def _curled(view: View, mat: Placed, low: NDArray[np.int64], box: tuple[int, int], size: tuple[int, int]) -> Seen:
    """Show a sheet of a size (width, height) on a mat that curls, in a box of the canvas that begins at `low`."""
    pixels = np.stack(np.meshgrid(low[0] + np.arange(box[0]), low[1] + np.arange(box[1])), axis=-1)
    met = met_by_rays(view, mat, pixels.astype(np.float64))
    x = (met[..., 0] / MAT_SIZE[0] * size[0] - 0.5).astype(np.float32)
    y = ((1 - met[..., 1] / MAT_SIZE[1]) * size[1] - 0.5).astype(np.float32)
    return lambda sheet: np.asarray(cv2.remap(sheet, x, y, cv2.INTER_LINEAR), np.uint8)


def _falling(studio: Studio, casters: Casters) -> NDArray[np.float32]:
    """Give the light that falls on the table, at half the canvas's resolution (rows, columns, 3)."""
    view, light, to_canvas = studio.view, studio.light, studio.view.ground_matrix()
    width, height = view.size
    half = ((width + 1) // 2, (height + 1) // 2)
    ys = np.linspace(0, height - 1, max(height // COARSE, 2))
    xs = np.linspace(0, width - 1, max(width // COARSE, 2))
    points = view.ground(np.stack(np.meshgrid(xs, ys), axis=-1))
    enlarge = np.array([[(half[0] - 1) / (len(xs) - 1), 0, 0], [0, (half[1] - 1) / (len(ys) - 1), 0]])

    def full(coarse: Floats) -> NDArray[np.float32]:
        out = cv2.warpAffine(
            coarse.astype(np.float32), enlarge, half, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(out, np.float32)

    ambient = np.full((half[1], half[0], 3), light.ambient(UP), np.float32)
    standing = [caster[:, :2] for caster in casters if caster[:, 2].min() < FEET]
    held = [cast(caster, lamp, 0.0) for caster in casters if caster[:, 2].min() >= FEET for lamp in light.lamps]
    if not standing and not held:
        return np.asarray(
            ambient + full(sum((light.direct(x, points, UP) for x in light.lamps), np.zeros_like(points)))
        )
    everything = np.clip(np.concatenate([*standing, *held]), -FARTHEST, FARTHEST)
    low, high = everything.min(axis=0) - AROUND, everything.max(axis=0) + AROUND
    size = (int((high[0] - low[0]) * MAP), int((high[1] - low[1]) * MAP))
    map_to_half = (
        np.diag([0.5, 0.5, 1.0]) @ to_canvas @ np.array([[1 / MAP, 0, low[0]], [0, 1 / MAP, low[1]], [0, 0, 1]])
    )

    def past(shadow: NDArray[np.float32]) -> NDArray[np.float32]:
        covered = np.asarray(cv2.warpPerspective(shadow, map_to_half, half, flags=cv2.INTER_LINEAR), np.float32)
        return for_each_colour(1 - covered)

    feet = [(foot - low) * MAP for foot in standing]
    near = 0.55 * shadow_map(feet, size, 7 * MAP) + 0.35 * shadow_map(feet, size, 28 * MAP)
    falling = cv2.multiply(ambient, past(near))
    for lamp in light.lamps:
        polygons = [(cast(caster, lamp, 0.0) - low) * MAP for caster in casters]
        blur = max(lamp.radius * 40 / lamp.at[2], 1.0) * MAP
        falls = cv2.multiply(full(light.direct(lamp, points, UP)), past(shadow_map(polygons, size, blur)))
        cv2.add(falling, falls, dst=falling)
    return np.asarray(falling, np.float32)


@lru_cache(maxsize=8)
def mat_print(number: int, printed: float = 1.0) -> NDArray[np.uint8]:
    """Draw a mat's print at a share of its size, far side first, PAPER px a mm: 255 where the paper is bare."""
    width, depth = (round(side * PAPER) for side in MAT_SIZE)
    sheet = np.full((depth, width), 255, np.uint8)
    side = round(MARKER_SIDE * PAPER)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for place, (x, y) in enumerate(MARKER_CENTRES):
        left, top = round(x * PAPER - side / 2), round(depth - y * PAPER - side / 2)
        marker = cv2.aruco.generateImageMarker(dictionary, 4 * number + place, side)
        sheet[top : top + side, left : left + side] = np.maximum(np.asarray(marker, np.uint8), 28)
    words = type_mask(BUILT_IN, f"SEAT {number}" if number else "TRAY")
    words = np.asarray(cv2.resize(words, None, fx=6 * PAPER / words.shape[0], fy=6 * PAPER / words.shape[0]), np.uint8)
    top, left = depth - round(11 * PAPER), (width - words.shape[1]) // 2
    part = sheet[top : top + words.shape[0], left : left + words.shape[1]]
    part[:] = 255 - (words * 0.55).astype(np.uint8)
    if printed == 1.0:
        return sheet
    middle = np.array([width, depth]) * (1 - printed) / 2
    shrink = np.array([[printed, 0.0, middle[0]], [0.0, printed, middle[1]]])
    return np.asarray(cv2.warpAffine(sheet, shrink, (width, depth), flags=cv2.INTER_AREA, borderValue=255), np.uint8)


@lru_cache(maxsize=1)
def cloth_tile(cloth: Cloth) -> NDArray[np.uint8]:
    """Draw the table's pattern as a tile (TILE, TILE, 3) that can be repeated."""
    chance = np.random.default_rng(cloth.seed)
    fine = chance.standard_normal((TILE, TILE)).astype(np.float32)
    tone = 0.3 * _wrapped_blotches(chance, 90)
    size = max(cloth.size * CLOTH, 1.0)
    if cloth.pattern == "weave":
        tone += 0.5 * fine + 0.4 * _wrapped_blotches(chance, size)
    elif cloth.pattern == "wood":
        long = np.asarray(cv2.blur(np.tile(fine, (3, 1)), (1, 201))[TILE : 2 * TILE], np.float32)
        long = np.asarray(
            cv2.GaussianBlur(np.tile(long, (1, 3)), (0, 0), size / 4 + 0.3)[:, TILE : 2 * TILE], np.float32
        )
        tone += 0.9 * long / max(float(long.std()), 1e-6) + 0.15 * fine
    elif cloth.pattern == "checks":
        step = max(round(TILE / max(round(TILE / (6 * size)), 1) / 2), 2)
        rows = (np.arange(TILE) // step % 2).astype(np.float32)
        tone += 1.2 * (rows[:, None] + rows[None, :] - 1) + 0.3 * fine
    shade = 1 + 0.22 * cloth.strength * tone
    colour = (np.clip(level * shade, 0, 255).astype(np.uint8) for level in np.array(cloth.colour, np.float32))
    return np.asarray(cv2.merge([*colour]), np.uint8)


def _wrapped_blotches(chance: np.random.Generator, size: float) -> NDArray[np.float32]:
    """Give blotches whose left meets their right and whose top meets their bottom."""
    spots = blotches(chance, (TILE, TILE), size)
    ramp = np.linspace(0, 1, TILE, dtype=np.float32)
    spots = spots * ramp + np.roll(spots, TILE // 2, axis=1) * (1 - ramp)
    return np.asarray(spots * ramp[:, None] + np.roll(spots, TILE // 2, axis=0) * (1 - ramp[:, None]), np.float32)
