"""Where a rack's cards stand, by their top edges, without any pixels."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import median

import numpy as np
from numpy.typing import NDArray

from calibration.table import SLOTS, Table
from vision.pose import Pose
from vision.rack.edges import EdgeLine
from vision.rack.matching import CLOSEST
from vision.rack.planes import ACROSS, ASIDE, CardPlane, TopPlane
from vision.rectify import SCALE

TELLING = 5
"""By the slopes of so many cards' edges it is told how the rack is turned: each is turned a little itself."""


@dataclass(frozen=True)
class RackFit:
    """Where a rack's cards stand, without any pixels: a later picture of the same still camera can start from it.

    `lines` has each slot's top edge in `plane`, or None where no card's edge was found. `faint` is how strong (0..1)
    an edge may still hide where a slot has no line. `one_more`: behind all of them there seems to stand a card, for
    which there is no slot.
    """

    pose: Pose
    table: Table
    plane: TopPlane
    lines: tuple[EdgeLine | None, ...]
    faint: tuple[float, ...]
    one_more: bool = False

    @cached_property
    def rows(self) -> NDArray[np.float64]:
        """Rows (SLOTS,) of the plane's picture where the measures put the edges, nearest slot first."""
        return self.plane.rows(self.table.rack.pitch)

    @cached_property
    def standing(self) -> Mapping[int, EdgeLine]:
        """The lines of those slots (0..9) that have one, the nearest first."""
        return {slot: line for slot, line in enumerate(self.lines) if line is not None}

    @cached_property
    def planes(self) -> CardPlane:
        """The planes (n, 3) of the cards that are `standing`."""
        return CardPlane.of([*self.standing], [*self.standing.values()], self.plane, self.table)

    def planes_of(self, slots: Sequence[int]) -> CardPlane:
        """Give the planes (n, 3) of the cards in some slots (0..9), which have lines."""
        places = {slot: place for place, slot in enumerate(self.standing)}
        return self.planes[[places[slot] for slot in slots]]

    @property
    def everywhere(self) -> CardPlane:
        """The planes (SLOTS, 3) of the cards, or where a slot has none, of one that leans as the rack's others do."""
        if len(self.standing) == SLOTS:
            return self.planes
        lines = [line or self.expected_line(slot) for slot, line in enumerate(self.lines)]
        return CardPlane.of(range(SLOTS), lines, self.plane, self.table)

    def expected(self, slot: int) -> CardPlane:
        """Give where the face of a card in a slot (0..9) would be that leans as the rack's others do."""
        return CardPlane.of([slot], [self.expected_line(slot)], self.plane, self.table)[0]

    def expected_line(self, slot: int) -> EdgeLine:
        """Give the top edge of such a card, whose strength is not known."""
        middle = (self.plane.right - self.plane.left) / 2 * ACROSS
        return EdgeLine(self.expected_row(slot), middle, 0.0, 0.0, 0.0)

    def expected_row(self, slot: int) -> float:
        """Give the row of the plane's picture where the top edge of such a card would be."""
        return float(self.rows[slot]) - self.off * SCALE

    @cached_property
    def off(self) -> float:
        """How many mm the cards' edges together are behind where the measures put them."""
        off = [float(self.rows[slot]) - line.at for slot, line in self.standing.items()]
        return median(off) / SCALE if off else 0.0

    def with_behind(self, line: EdgeLine) -> CardPlane:
        """Give the planes (n, 3) of the cards that are standing, and of one behind them that leans as they do."""
        lines = [*self.standing.values(), line]
        return CardPlane.of([*self.standing, self.slot_at(line)], lines, self.plane, self.table)

    def slot_at(self, line: EdgeLine) -> float:
        """Give the slot (0..9, also between them and beyond) in which such a card's edge would be where a line is."""
        return (float(self.rows[0]) - line.at - self.off * SCALE) / (self.table.rack.pitch * SCALE)

    @cached_property
    def scale(self) -> float:
        """Pixels a mm that the picture has along the farthest edge that is expected."""
        plane = self.plane
        sides, far = (plane.left + ASIDE, plane.right - ASIDE), plane.far - plane.room
        ends = self.pose.project(np.array([(side, far, plane.height) for side in sides]))
        return math.dist(*ends) / self.table.card.width

    @property
    def turned(self) -> float:
        """How many degrees, counterclockwise, the cards together are turned on the mat as the pose has it."""
        slopes = [line.slope for line in self.standing.values()]
        return -math.degrees(math.atan(median(slopes) * ACROSS / SCALE)) if len(slopes) >= TELLING else 0.0

    def with_line(self, slot: int, line: EdgeLine | None) -> "RackFit":
        """Give the fit with another top edge in a slot (0..9), None for no card."""
        return replace(self, lines=(*self.lines[:slot], line, *self.lines[slot + 1 :]))


def same_edge(line: EdgeLine | None, other: EdgeLine | None, within: float = CLOSEST / 2) -> bool:
    """Tell whether two lines are one card's edge, `within` so many mm; None is no card."""
    if line is None or other is None:
        return line is other
    return abs(line.at - other.at) < within * SCALE
