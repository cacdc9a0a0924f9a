"""Rectified pictures of rectangles in space: what a camera would see that looks straight at them."""

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pose import Pose

SCALE = 3.0
"""Pixels a millimetre of all rectified pictures; a usable picture has about 3 (TABLE.md, Rack)."""
NODES = 5
"""A rectified picture's map is computed at so many places along each side: perspective and lens are smooth."""


def flatten(  # noqa: PLR0913, PLR0917 - a plane takes three vectors, its picture a size and a scale
    picture: NDArray[np.uint8],
    pose: Pose,
    corner: NDArray[np.float64],
    along: NDArray[np.float64],
    down: NDArray[np.float64],
    size: tuple[int, int],
    scale: float = SCALE,
    *,
    beyond: int = cv2.BORDER_CONSTANT,
) -> NDArray[np.uint8]:
    """Rectify a rectangle in space: its top left corner in mm of the mat frame, unit vectors, size (width, height).

    The size is in pixels of the result, at `scale` px a mm. The lens' distortion is taken out; what lies `beyond` the
    picture's border is black, or as OpenCV makes it. Several rectangles of one size, (n, 3) each, come side by side in
    one picture.
    """
    x, y = places(pose, corner, along, down, size, scale)
    # in whole numbers and 32nds colours take a third less time, grey levels more
    one, other = cv2.convertMaps(x, y, cv2.CV_16SC2) if picture.ndim == 3 else (x, y)
    return np.asarray(cv2.remap(picture, one, other, cv2.INTER_LINEAR, borderMode=beyond), dtype=np.uint8)


def places(  # noqa: PLR0913, PLR0917 - as flatten
    pose: Pose,
    corner: NDArray[np.float64],
    along: NDArray[np.float64],
    down: NDArray[np.float64],
    size: tuple[int, int],
    scale: float,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Give where in the picture (x and y) each pixel of such a rectified picture comes from."""
    (across, at_x), (upright, at_y) = _basis(size[0]), _basis(size[1])
    corner, along, down = (np.reshape(vectors, (-1, 1, 1, 3)) for vectors in (corner, along, down))
    points = corner + (along * (at_x[None, :, None] + 0.5) + down * (at_y[:, None, None] + 0.5)) / scale
    nodes = pose.project(points).astype(np.float32)
    return _spread(upright, nodes[..., 0], across), _spread(upright, nodes[..., 1], across)


def in_picture(x: NDArray[np.floating], y: NDArray[np.floating], size: tuple[int, int]) -> NDArray[np.bool_]:
    """Tell which places, x and y of one shape in pixels, are in a picture of a size (width, height)."""
    width, height = size
    return np.asarray((x >= 0) & (y >= 0) & (x <= width - 1) & (y <= height - 1))


def _spread(
    upright: NDArray[np.float32], nodes: NDArray[np.float32], across: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Interpolate values at nodes (n, NODES, NODES) to whole pictures side by side, (rows, n * columns)."""
    wide = (nodes.reshape(-1, NODES) @ across.T).reshape(len(nodes), NODES, -1)
    return upright @ wide.transpose(1, 0, 2).reshape(NODES, -1)


@cache
def _basis(length: int) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Give Lagrange's polynomials (length, NODES) for so many pixels, and their nodes (Chebyshev's) in pixels."""
    nodes = (length - 1) / 2 * (1 - np.cos(np.pi * (np.arange(NODES) + 0.5) / NODES))
    pixels = np.arange(length)
    basis = np.ones((length, NODES))
    for one in range(NODES):
        for other in range(NODES):
            if other != one:
                basis[:, one] *= (pixels - nodes[other]) / (nodes[one] - nodes[other])
    return basis.astype(np.float32), nodes


def rectify(picture: NDArray[np.uint8], quad: NDArray[np.float64], size: tuple[int, int]) -> NDArray[np.uint8]:
    """Warp a quadrilateral of a picture, (4, 2) from its top left clockwise, to a picture of a size (width, height)."""
    width, height = size
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(quad.astype(np.float32), target)
    return np.asarray(cv2.warpPerspective(picture, warp, size, flags=cv2.INTER_LINEAR), dtype=np.uint8)
