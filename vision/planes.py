"""The planes of a rack: where its cards' top edges lie, each card's own, and pictures rectified in them."""

import math
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import SLOTS, Table
from vision.edges import EdgeLine
from vision.pose import Pose

SCALE = 4.0
"""Pixels a millimetre of all rectified pictures; a usable picture has about 3 (TABLE.md, Rack)."""
ROOM = 16.0
"""The plane of the top edges is shown so many mm before the first and behind the last edge that is expected."""
ASIDE = 8.0
"""Rectified pictures of cards show so many mm beyond their sides."""
NOTHING = np.zeros((0, 0), np.float32)
"""What is added to a product of matrices."""
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

    def look_down(
        self, picture: NDArray[np.uint8], pose: Pose, part: tuple[int, int] | None = None
    ) -> NDArray[np.uint8]:
        """Rectify the plane, or a part of its rows (first, last): (rows, columns, 3), SCALE px a mm, far edge first."""
        first, last = part or (0, round((self.far - self.near) * SCALE))
        size = round((self.right - self.left) * SCALE), last - first
        corner = np.array([self.left, self.far - first / SCALE, self.height])
        return flatten(picture, pose, corner, np.array([1.0, 0.0, 0.0]), np.array([0.0, -1.0, 0.0]), size)


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
    picture's border is black.
    """
    (across, at_x), (upright, at_y) = _basis(size[0]), _basis(size[1])
    points = corner + (along * (at_x[None, :, None] + 0.5) + down * (at_y[:, None, None] + 0.5)) / scale
    nodes = pose.project(points).astype(np.float32)
    x, y = (_product(_product(upright, nodes[:, :, axis]), across.T) for axis in (0, 1))
    return np.asarray(cv2.remap(picture, x, y, cv2.INTER_LINEAR), dtype=np.uint8)


def _product(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float32]:
    """Multiply two thin matrices; numpy's threads cost more than they bring for these."""
    return np.asarray(cv2.gemm(one, np.ascontiguousarray(other), 1.0, NOTHING, 0.0), dtype=np.float32)


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
    """A card's own plane: its lower left corner when it has not slid, and unit vectors along and up it (mat frame)."""

    corner: NDArray[np.float64]
    along: NDArray[np.float64]
    up: NDArray[np.float64]

    @staticmethod
    def of(slot: int, line: EdgeLine, plane: TopPlane, table: Table) -> "CardPlane":
        """Make the plane that goes through a slot and through a top edge found in the top plane's picture.

        What the edge is off its slot is taken as lean: the rack's own offset is a millimetre or two, two degrees.
        """
        rack, card = table.rack, table.card
        left = ASIDE * SCALE
        ends = np.array([plane.far - line.row(left + x * SCALE) / SCALE for x in (0.0, card.width)])
        slope = (ends[1] - ends[0]) / card.width
        foot = rack.at[1] + rack.first + slot * rack.pitch
        lean = math.asin(float(np.clip((ends.mean() - foot) / card.height, -0.35, 0.5)))
        along = np.array([1.0, slope, 0.0]) / math.hypot(1.0, slope)
        up = np.array([0.0, math.sin(lean), math.cos(lean)])
        top_left = np.array([rack.at[0] + rack.margin, ends[0], rack.floor + card.height * math.cos(lean)])
        return CardPlane(top_left - card.height * up, along, up)

    def points(self, flat: NDArray[np.float64]) -> NDArray[np.float64]:
        """Turn (..., 2) mm along and up the card into (..., 3) mm of the mat frame."""
        return self.corner + flat[..., :1] * self.along + flat[..., 1:] * self.up
