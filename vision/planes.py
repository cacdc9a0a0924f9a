"""The planes of a rack: where its cards' top edges lie, each card's own, and pictures rectified in them."""

import math
from dataclasses import dataclass

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


@dataclass(frozen=True)
class TopPlane:
    """The level plane in which the cards' top edges lie: the mm of the mat frame that its picture shows."""

    left: float
    near: float
    right: float
    far: float
    height: float

    def size(self) -> tuple[int, int]:
        """Give width and height in pixels of the rectified plane."""
        return round((self.right - self.left) * SCALE), round((self.far - self.near) * SCALE)


def top_plane(table: Table) -> TopPlane:
    """Give the plane of the top edges of a rack's cards by the rack's measures, with room for what these are off."""
    rack, lean = table.rack, math.radians(table.rack.lean)
    left = rack.at[0] + rack.margin
    near = rack.at[1] + rack.first + table.card.height * math.sin(lean)
    height = rack.floor + table.card.height * math.cos(lean)
    return TopPlane(
        left - ASIDE, near - ROOM, left + table.card.width + ASIDE, near + (SLOTS - 1) * rack.pitch + ROOM, height
    )


def look_down(picture: NDArray[np.uint8], pose: Pose, plane: TopPlane) -> NDArray[np.uint8]:
    """Rectify the top plane: (rows, columns, 3) at SCALE px a mm, far edge first."""
    corners = [(plane.left, plane.far), (plane.right, plane.far), (plane.right, plane.near), (plane.left, plane.near)]
    quad = pose.project(np.array([(x, y, plane.height) for x, y in corners]))
    return rectify(picture, quad, plane.size())


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
