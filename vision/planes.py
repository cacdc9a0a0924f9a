"""The planes of a rack: where its cards' top edges lie, each card's own, and pictures rectified in them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import SLOTS, Table
from vision.edges import EdgeLine
from vision.pose import Pose

SCALE = 3.0
"""Pixels a millimetre of all rectified pictures; a usable picture has about 3 (TABLE.md, Rack)."""
ACROSS = 1.5
"""Pixels a millimetre across the plane of the top edges: what is seen there runs all along the cards."""
ROOM = 16.0
"""The plane of the top edges is shown so many mm before the first and behind the last edge that is expected."""
ASIDE = 8.0
"""Rectified pictures of cards show so many mm beyond their sides."""
NODES = 5
"""A rectified picture's map is computed at so many places along each side: perspective and lens are smooth."""


@dataclass(frozen=True)
class TopPlane:
    """The level plane in which the cards' top edges lie: the mm of the mat frame that its picture shows."""

    left: float
    near: float
    right: float
    far: float
    height: float

    @staticmethod
    def of(table: Table) -> "TopPlane":
        """Give the plane of the top edges by the rack's measures, with room for what these are off."""
        rack, lean = table.rack, math.radians(table.rack.lean)
        left = rack.at[0] + rack.margin
        near = rack.at[1] + rack.first + table.card.height * math.sin(lean)
        height = rack.floor + table.card.height * math.cos(lean)
        return TopPlane(
            left - ASIDE, near - ROOM, left + table.card.width + ASIDE, near + (SLOTS - 1) * rack.pitch + ROOM, height
        )

    def rows(self, pitch: float) -> NDArray[np.float64]:
        """Give the rows (SLOTS,) of the plane's picture where the measures put the slots' edges, nearest slot first."""
        return np.asarray((self.far - self.near - ROOM - np.arange(SLOTS) * pitch) * SCALE)

    def row_of(self, depth: float, pose: Pose) -> float:
        """Give the row of the plane's picture where a level line of the mat is seen, `depth` mm from its front edge."""
        camera = pose.camera()
        return float((self.far - camera[1] - (depth - camera[1]) * (camera[2] - self.height) / camera[2]) * SCALE)

    def look_down(
        self, picture: NDArray[np.uint8], pose: Pose, part: tuple[int, int] | None = None
    ) -> NDArray[np.uint8]:
        """Rectify the plane, or a part of its rows (first, last), far edge first: (rows, columns, 3).

        It has ACROSS px a mm across and SCALE down.
        """
        first, last = part or (0, round((self.far - self.near) * SCALE))
        size = round((self.right - self.left) * ACROSS), last - first
        corner = np.array([self.left, self.far - first / SCALE, self.height])
        return flatten(picture, pose, corner, np.array([SCALE / ACROSS, 0.0, 0.0]), np.array([0.0, -1.0, 0.0]), size)


def flatten(  # noqa: PLR0913, PLR0917 - a plane takes three vectors, its picture a size and a scale
    picture: NDArray[np.uint8],
    pose: Pose,
    corner: NDArray[np.float64],
    along: NDArray[np.float64],
    down: NDArray[np.float64],
    size: tuple[int, int],
    scale: float = SCALE,
) -> NDArray[np.uint8]:
    """Rectify a rectangle in space: its top left corner in mm of the mat frame, unit vectors, size (width, height).

    The size is in pixels of the result, at `scale` px a mm. The lens' distortion is taken out; what lies beyond the
    picture's border is black. Several rectangles of one size, (n, 3) each, come side by side in one picture.
    """
    x, y = places(pose, corner, along, down, size, scale)
    # in whole numbers and 32nds colours take a third less time, grey levels more
    one, other = cv2.convertMaps(x, y, cv2.CV_16SC2) if picture.ndim == 3 else (x, y)
    return np.asarray(cv2.remap(picture, one, other, cv2.INTER_LINEAR), dtype=np.uint8)


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


@dataclass(frozen=True)
class CardPlane:
    """A card's own plane: its lower left corner when it has not slid, and unit vectors along and up it (mat frame).

    Each is (3,); or (n, 3), for several cards at once.
    """

    corner: NDArray[np.float64]
    along: NDArray[np.float64]
    up: NDArray[np.float64]

    @staticmethod
    def of(slots: Sequence[int], lines: Sequence[EdgeLine], plane: TopPlane, table: Table) -> "CardPlane":
        """Make the planes (n, 3) that go through slots (0..9) and through top edges found in the top plane's picture.

        What an edge is off its slot is taken as lean: the rack's own offset is a millimetre or two, two degrees.
        """
        rack, card = table.rack, table.card
        columns = ASIDE * ACROSS, (ASIDE + card.width) * ACROSS
        left, right = (plane.far - np.array([line.row(column) for line in lines]) / SCALE for column in columns)
        slope = (right - left) / card.width
        foot = rack.at[1] + rack.first + np.asarray(slots) * rack.pitch
        lean = np.arcsin((((left + right) / 2 - foot) / card.height).clip(-0.35, 0.5))
        none, high = np.zeros(len(lines)), np.cos(lean)
        along = np.array([none + 1.0, slope, none]).T / np.hypot(1.0, slope)[:, None]
        up = np.array([none, np.sin(lean), high]).T
        top_left = np.array([none + rack.at[0] + rack.margin, left, rack.floor + card.height * high]).T
        return CardPlane(top_left - card.height * up, along, up)

    def __getitem__(self, which: int | Sequence[int] | NDArray[np.int64]) -> "CardPlane":
        """Give one of several cards' planes, or some of them."""
        return CardPlane(self.corner[which], self.along[which], self.up[which])

    def points(self, flat: NDArray[np.float64]) -> NDArray[np.float64]:
        """Turn (..., 2) mm along and up the card into (..., 3) mm of the mat frame.

        For several cards the last axis but one is the card's, or of length 1 for what is the same on all.
        """
        return self.corner + flat[..., :1] * self.along + flat[..., 1:] * self.up
