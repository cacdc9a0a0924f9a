"""The planes of a rack: where its cards' top edges lie, and each card's own."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import SLOTS, Table
from vision.pose import Pose
from vision.rack.edges import EdgeLine
from vision.rectify import SCALE, flatten

ACROSS = 1.5
"""Pixels a millimetre across the plane of the top edges: what is seen there runs all along the cards."""
ROOM, UNMEASURED_ROOM = 16.0, 25.0
"""The plane of the top edges is shown so many mm before the first and behind the last edge that is expected: by a
rack's measures, and where nobody took them."""
PITCHES = np.arange(11.3, 12.6, 0.3)
"""Where nobody measured it, a rack's pitch may be each of these, in mm (TABLE.md, Rack: 11.9 +- 0.6)."""
UNMEASURED_FLOOR = 7.0
"""And its cards stand so many mm above the mat: 10 to 18 mm of them are hidden in a rack 22 mm high (TABLE.md)."""
ASIDE = 8.0
"""Rectified pictures of cards show so many mm beyond their sides."""


@dataclass(frozen=True)
class TopPlane:
    """The level plane in which the cards' top edges lie: the mm of the mat frame that its picture shows.

    It has `room` mm before the first and behind the last edge that is expected.
    """

    left: float
    near: float
    right: float
    far: float
    height: float
    room: float

    @staticmethod
    def of(table: Table) -> "TopPlane":
        """Give the plane of the top edges by the rack's measures, with room for what these are off."""
        rack, lean = table.rack, math.radians(table.rack.lean)
        left = rack.at[0] + rack.margin
        near = rack.at[1] + rack.first + table.card.height * math.sin(lean)
        height = rack.floor + table.card.height * math.cos(lean)
        right, last = left + table.card.width, near + (SLOTS - 1) * rack.pitch
        room = ROOM if table.measured else UNMEASURED_ROOM
        return TopPlane(left - ASIDE, near - room, right + ASIDE, last + room, height, room)

    def rows(self, pitch: float) -> NDArray[np.float64]:
        """Give the rows (SLOTS,) of the plane's picture where the measures put the slots' edges, nearest slot first."""
        return np.asarray((self.far - self.near - self.room - np.arange(SLOTS) * pitch) * SCALE)

    def row_of(self, depth: float, pose: Pose) -> float:
        """Give the row of the plane's picture where a level line of the mat is seen, `depth` mm from its front edge."""
        _, away = pose.at_level((0.0, depth, 0.0), self.height)
        return (self.far - away) * SCALE

    def look_down(
        self, picture: NDArray[np.uint8], pose: Pose, part: tuple[int, int] | None = None
    ) -> NDArray[np.uint8]:
        """Rectify the plane, or a part of its rows (first, last), far edge first: (rows, columns, 3).

        It has ACROSS px a mm across and SCALE down, and goes on beyond the picture's border as it is there.
        """
        first, last = part or (0, round((self.far - self.near) * SCALE))
        size = round((self.right - self.left) * ACROSS), last - first
        corner = np.array([self.left, self.far - first / SCALE, self.height])
        along, down = np.array([SCALE / ACROSS, 0.0, 0.0]), np.array([0.0, -1.0, 0.0])
        return flatten(picture, pose, corner, along, down, size, beyond=cv2.BORDER_REPLICATE)


@dataclass(frozen=True)
class CardPlane:
    """A card's own plane: its lower left corner when it has not slid, and unit vectors along and up it (mat frame).

    Each is (3,); or (n, 3), for several cards at once.
    """

    corner: NDArray[np.float64]
    along: NDArray[np.float64]
    up: NDArray[np.float64]

    @staticmethod
    def of(slots: Sequence[float], lines: Sequence[EdgeLine], plane: TopPlane, table: Table) -> "CardPlane":
        """Make the planes (n, 3) that go through slots (0..9) and through top edges found in the top plane's picture.

        A slot may lie between two, or beyond the last. What an edge is off its slot is taken as lean: the rack's own
        offset is a millimetre or two, two degrees.
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
