"""From the world to the picture: a pinhole's larger picture to draw in, and the lens that bends it into the camera's.

Pixels are OpenCV's: (0, 0) is the middle of the first pixel.
"""

import math
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.drawing.scene import Camera, Point

NEAR = 20.0
"""What is nearer to the camera than this, in mm, is drawn as if it were so far away."""
SPARE = 2
"""Pixels beyond what the lens shows, so that blur and resampling find something there."""


class View:
    """A camera at work: projects points, and knows the size of the undistorted picture to draw in ("canvas").

    `size` is the canvas's (width, height), `middle` where its axis meets it; `eye` is the camera's place in the world.
    """

    def __init__(self, camera: Camera) -> None:
        self.camera = camera
        self.eye = np.array(camera.at)
        self._axes = _axes(camera)
        (x0, y0), (x1, y1) = _bounds(camera)
        self.size = (x1 - x0, y1 - y0)
        self._origin = np.array([x0, y0], dtype=np.float64)
        self.middle = np.array(camera.middle) - self._origin

    def canvas(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Project (..., 3) mm of the world to (..., 2) pixels of the canvas."""
        seen = (points - self.eye) @ self._axes.T
        return np.asarray(self.camera.focal * seen[..., :2] / np.maximum(seen[..., 2:], NEAR) + self.middle)

    def pixels(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Project (..., 3) mm of the world to (..., 2) pixels of the finished picture."""
        seen = (points - self.eye) @ self._axes.T
        flat = seen[..., :2] / np.maximum(seen[..., 2:], NEAR)
        square = np.sum(flat**2, axis=-1, keepdims=True)
        k1, k2 = self.camera.distortion
        return np.asarray(self.camera.focal * flat * (1 + k1 * square + k2 * square**2) + np.array(self.camera.middle))

    def ground_matrix(self) -> NDArray[np.float64]:
        """Give the homography (3, 3) from (x, y, 1) mm on the table to homogeneous pixels of the canvas."""
        turned = np.column_stack([self._axes[:, 0], self._axes[:, 1], -self._axes @ self.eye])
        inner = np.array([[self.camera.focal, 0, self.middle[0]], [0, self.camera.focal, self.middle[1]], [0, 0, 1]])
        return np.asarray(inner @ turned)

    def axes(self) -> NDArray[np.float64]:
        """Give the directions right, down and forward as rows (3, 3), world frame."""
        return self._axes

    def away(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give how far (..., 3) points lie before the camera, along its axis, in mm."""
        return np.asarray(((points - self.eye) @ self._axes.T)[..., 2])

    def ground(self, pixels: NDArray[np.float64]) -> NDArray[np.float64]:
        """Find where the rays of (..., 2) canvas pixels meet the table, (..., 3) mm; far away at most."""
        flat = (pixels - self.middle) / self.camera.focal
        rays = np.concatenate([flat, np.ones((*flat.shape[:-1], 1))], axis=-1) @ self._axes
        down = np.minimum(rays[..., 2:], -0.05)
        met = self.eye + rays * (-self.eye[2] / down)
        met[..., 2] = 0.0
        return np.asarray(met)

    def bend(self, canvas: NDArray[np.float32]) -> NDArray[np.float32]:
        """Turn a drawn canvas (height, width, 3) into the camera's picture."""
        if not any(self.camera.distortion):
            x, y = (-self._origin).astype(int)
            width, height = self.camera.size
            return np.ascontiguousarray(canvas[y : y + height, x : x + width])
        x_map, y_map = _bending(self.camera)
        return np.asarray(cv2.remap(canvas, x_map, y_map, cv2.INTER_LINEAR), np.float32)


def _axes(camera: Camera) -> NDArray[np.float64]:
    """Give the camera's right, down and forward as rows, world frame."""
    forward = np.subtract(camera.to, camera.at)
    forward = forward / np.linalg.norm(forward)
    side = np.cross(forward, [0.0, 0.0, 1.0])
    side = side / np.linalg.norm(side) if np.linalg.norm(side) > 1e-6 else np.array([1.0, 0.0, 0.0])
    down = np.cross(forward, side)
    c, s = math.cos(math.radians(camera.roll)), math.sin(math.radians(camera.roll))
    return np.stack([c * side + s * down, c * down - s * side, forward])


def _undistorted(camera: Camera, pixels: NDArray[np.float64]) -> NDArray[np.float64]:
    """Find the pinhole's pixels (n, 2) of pixels of the picture (n, 2), by fixed-point steps."""
    bent = (pixels - np.array(camera.middle)) / camera.focal
    flat, (k1, k2) = bent.copy(), camera.distortion
    for _ in range(8):
        square = np.sum(flat**2, axis=-1, keepdims=True)
        flat = bent / (1 + k1 * square + k2 * square**2)
    return np.asarray(camera.focal * flat + np.array(camera.middle))


@lru_cache(maxsize=16)
def _bounds(camera: Camera) -> tuple[tuple[int, int], tuple[int, int]]:
    width, height = camera.size
    along, down = np.linspace(0, width - 1, 33), np.linspace(0, height - 1, 19)
    border = np.concatenate(
        [np.column_stack([along, np.full(33, y)]) for y in (0.0, height - 1.0)]
        + [np.column_stack([np.full(19, x), down]) for x in (0.0, width - 1.0)]
    )
    flat = _undistorted(camera, border)
    low, high = np.floor(flat.min(axis=0)).astype(int) - SPARE, np.ceil(flat.max(axis=0)).astype(int) + 1 + SPARE
    return (int(low[0]), int(low[1])), (int(high[0]), int(high[1]))


@lru_cache(maxsize=2)
def _bending(camera: Camera) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Give the canvas pixel of each pixel of the picture; the smooth maps are worked out coarsely and enlarged."""
    width, height = camera.size
    coarse = 16
    xs = np.arange(0, width + coarse, coarse, dtype=np.float64)
    ys = np.arange(0, height + coarse, coarse, dtype=np.float64)
    grid = np.stack(np.meshgrid(xs, ys), axis=-1)
    flat = _undistorted(camera, grid.reshape(-1, 2)).reshape(grid.shape) - np.array(_bounds(camera)[0])
    shrink = np.array([[1 / coarse, 0.0, 0.0], [0.0, 1 / coarse, 0.0]])
    enlarging = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    x_map, y_map = cv2.split(cv2.warpAffine(flat.astype(np.float32), shrink, (width, height), flags=enlarging))
    return np.asarray(x_map, np.float32), np.asarray(y_map, np.float32)


def as_point(values: NDArray[np.float64]) -> Point:
    """Give three numbers (3,) as a plain point."""
    x, y, z = (float(value) for value in values)
    return x, y, z


def unit(vector: Point | NDArray[np.float64]) -> NDArray[np.float64]:
    """Give a vector of length 1, or zeros for zeros."""
    array = np.asarray(vector, dtype=np.float64)
    return array / max(float(np.linalg.norm(array)), 1e-9)
