"""What was found in a picture before any number is read: values between the stages of vision.eye."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.pose import Pose
from vision.rack.fit import RackView
from vision.reading.numbers import Ink
from vision.tray.wells import Well

CONDENSED: Final = 0.75
"""Numbers of two figures are mostly 1.3 times as wide as they are high. Of 2960 drawn racks in all kinds of typefaces
five have hardly any that is wider than this share of its height."""

ENOUGH: Final = 5
"""So many numbers tell how wide a rack's figures are: one of two figures will be among them. So many tell where they
stand."""


@dataclass(frozen=True)
class Found:
    """One possible number before it is read: where its ink is, and its crop for the reader.

    turned: it stands upside down, as the pile's card lies.
    """

    ink: Ink
    crop: NDArray[np.uint8]
    turned: bool = False


@dataclass(frozen=True)
class RackFound:
    """A rack's view, its pose, for each slot the possible numbers, and the height in mm of their figures.

    `or_printed` are the same rack as its cards stand if its mat was printed in other sizes or has curled up, where that
    may be, each with how much less well (a natural logarithm) its cards might fit that, and it still might be.
    `by_comb`: its comb has told how large the mat was printed. `rows`: where its numbers usually begin and end, in mm
    below their cards' top edges; None where too few are read to tell.
    """

    seat: int
    pose: Pose
    view: RackView
    slots: tuple[tuple[Found, ...], ...]
    height: float
    or_printed: tuple[tuple["RackFound", float], ...] = ()
    by_comb: bool = False
    rows: tuple[float, float] | None = None

    def with_slots_of(self, other: "RackFound", slots: Collection[int]) -> "RackFound":
        """Give the rack with some slots (0..9) as the same rack, found otherwise, has them."""
        view, numbers = self.view, [*self.slots]
        for slot in slots:
            view = view.with_slot(slot, other.view.lines[slot], other.view.strips[slot])
            numbers[slot] = other.slots[slot]
        return replace(self, view=view, slots=tuple(numbers))

    def or_as(self, other: "RackFound", leeway: float) -> "RackFound":
        """Give the rack as one that may stand as another has it, too; the leeway as `or_printed` has it."""
        return replace(self, or_printed=(*self.or_printed, (other, leeway)))

    def with_numbers(self, slot: int, found: Sequence[Found]) -> "RackFound":
        """Give the rack with other possible numbers in a slot (0..9)."""
        return replace(self, slots=(*self.slots[:slot], tuple(found), *self.slots[slot + 1 :]))

    @property
    def condensed(self) -> bool:
        """Whether its figures are much narrower than usual."""
        first = [found[0].ink for found in self.slots if found and not found[0].ink.cut]
        shapes = sorted(ink.width / ink.height for ink in first)
        return len(shapes) >= ENOUGH and shapes[3 * len(shapes) // 4] < CONDENSED

    def with_rows_of(self, slots: Collection[int]) -> "RackFound":
        """Give the rack with the rows in which numbers usually stand by some slots (0..9), in which one is read."""
        first = [self.slots[slot][0].ink for slot in slots if self.slots[slot]]
        if len(first) < ENOUGH:
            return replace(self, rows=None)
        ends = [ink.bottom for ink in first if not ink.cut]
        return replace(self, rows=(median(ink.top for ink in first), median(ends or [math.inf])))


@dataclass(frozen=True)
class TrayFound:
    """The tray's two wells, and the discard pile's possible numbers."""

    draw: Well
    discard: Well
    numbers: tuple[Found, ...]
