"""The sheet that a scene is painted on, from far to near: linear light, and who is seen at each pixel."""

from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

Number = TypeVar("Number", np.uint8, np.float32)
GROUND = 0
"""Owner of pixels where only table and mats are seen."""


@dataclass
class Canvas:
    """`light` (height, width, 3) float32 BGR, linear; `owner` (height, width) uint16, who is seen there."""

    light: NDArray[np.float32]
    owner: NDArray[np.uint16]

    @staticmethod
    def of(size: tuple[int, int]) -> "Canvas":
        """Make an empty sheet of a size (width, height)."""
        return Canvas(np.zeros((size[1], size[0], 3), np.float32), np.zeros((size[1], size[0]), np.uint16))

    def put(self, quad: NDArray[np.float64], texture: NDArray[np.float32], owner: int) -> None:
        """Paint a texture (h, w, 4) of light and opacity, light already times opacity, into a quadrilateral.

        `quad` (4, 2) are canvas pixels of the texture's corners, top left first, clockwise as the texture shows them.
        """
        box = self.box_of(quad)
        if box is None:
            return
        x0, y0, x1, y1 = box
        height, width = texture.shape[:2]
        source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
        warp = cv2.getPerspectiveTransform(source, (quad - [x0, y0]).astype(np.float32))
        drawn = cv2.warpPerspective(texture, warp, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
        self.lay(x0, y0, np.asarray(drawn, np.float32), owner)

    def lay(self, x: int, y: int, drawn: NDArray[np.float32], owner: int) -> None:
        """Lay a picture (h, w, 4), light already times opacity, on the sheet with its corner at a pixel of it."""
        rows, columns = slice(y, y + drawn.shape[0]), slice(x, x + drawn.shape[1])
        part, (colour, opacity) = self.light[rows, columns], parted(drawn)
        cv2.multiply(part, for_each_colour(1 - opacity), dst=part)
        cv2.add(part, colour, dst=part)
        self.owner[rows, columns][opacity > 0.5] = owner

    def box_of(self, points: NDArray[np.float64], margin: int = 2) -> tuple[int, int, int, int] | None:
        """Give the pixels (x0, y0, x1, y1) that hold points (n, 2), within the sheet; None where there are none."""
        if not np.isfinite(points).all():
            return None
        height, width = self.owner.shape
        low, high = np.floor(points.min(axis=0)) - margin, np.ceil(points.max(axis=0)) + margin + 1
        x0, y0 = max(int(low[0]), 0), max(int(low[1]), 0)
        x1, y1 = min(int(high[0]), width), min(int(high[1]), height)
        return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None

    def share(self, polygon: NDArray[np.float64], owner: int) -> float:
        """Give the share (0..1) of a polygon (n, 2) of canvas pixels in which an owner is seen."""
        box = self.box_of(polygon, 0)
        full = max(abs(float(cv2.contourArea(polygon.astype(np.float32)))), 1.0)
        if box is None:
            return 0.0
        x0, y0, x1, y1 = box
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        cv2.fillPoly(mask, [np.round((polygon - [x0, y0]) * 16).astype(np.int32)], 1, shift=4)
        mine = int(np.count_nonzero(mask & (self.owner[y0:y1, x0:x1] == owner)))
        whole = int(np.count_nonzero(mask))
        return min(mine / max(whole, full), 1.0)


def for_each_colour(share: NDArray[np.float32]) -> NDArray[np.float32]:
    """Give a share (h, w) once for each of three colours, (h, w, 3); NumPy is slow where it does so by itself."""
    return np.asarray(cv2.cvtColor(share, cv2.COLOR_GRAY2BGR), np.float32)


def parted(drawn: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Give the colours (h, w, 3) and the opacity (h, w) of a picture (h, w, 4), each by itself."""
    return np.asarray(cv2.cvtColor(drawn, cv2.COLOR_BGRA2BGR), np.float32), np.ascontiguousarray(drawn[..., 3])


def joined(colour: NDArray[Number], opacity: NDArray[Number]) -> NDArray[Number]:
    """Put colours (h, w, 3) and an opacity (h, w) of one type into one picture (h, w, 4)."""
    return np.asarray(cv2.merge([*cv2.split(colour), opacity]), colour.dtype)


def linear(colour: NDArray[np.uint8] | tuple[int, int, int]) -> NDArray[np.float32]:
    """Turn colours 0..255 with a gamma of 2 into linear reflectance 0..1."""
    return np.asarray(np.square(np.asarray(colour, np.float32) * np.float32(1 / 255)), np.float32)


def pixels_of(quad: NDArray[np.float64], finest: float = 1.0) -> tuple[int, int]:
    """Give the size (width, height) in pixels of a texture for a quadrilateral (4, 2) of the canvas.

    The longer of two opposite sides counts; `finest` are texture pixels a picture pixel.
    """
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1) * finest
    return max(int(np.ceil(max(sides[0], sides[2]))), 2), max(int(np.ceil(max(sides[1], sides[3]))), 2)


def fitted(texture: NDArray[np.uint8], quad: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Shrink a texture to about the pixels that a quadrilateral has, each a mean over what it covers."""
    width, height = pixels_of(quad)
    size = (min(width, texture.shape[1]), min(height, texture.shape[0]))
    return np.asarray(cv2.resize(texture, size, interpolation=cv2.INTER_AREA), np.uint8)
