"""How a mat lies of which the markers at one end alone are seen: paper curls up there, and the cards tell how much.

Two markers side by side tell the table's slope by their own short sides. Where the paper's end has curled up they lie
in another plane than the rack, and its cards seem to stand a slot off. But then they seem to be too narrow or too wide,
the more so the farther they stand from that end: in the right plane their sides are where they should be.
"""

import math
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from calibration.table import Table
from vision.frame import Frame
from vision.mats import MARKER_CENTRES, Mat
from vision.pose import Pose
from vision.rack.comb import Comb
from vision.rack.placed import view_rack
from vision.rack.stand import TELLING

ENDS: Final = {frozenset((2, 3)): -1.0, frozenset((0, 1)): 1.0}
"""The places of the markers at the mat's far end and at its near end, and which way the table lies from them."""
HINGE: Final = 15.0
"""The plane of the markers meets the table's about so many mm inwards of their middles: curls that begin 40 to 70 mm
before the paper's end, as parabolas, make it 8 to 22."""
COARSE, FINE = (4.0, 8.0, 12.0), 2.0
"""By so many degrees curled paper is tried to be steeper than the table, then by so many more and less, ..."""
EVERY: Final = tuple(np.arange(2.0, 15.0, FINE).tolist())
"""... or, where the comb is asked, by each of these."""
PLAINLY: Final = 0.5
"""Cards' sides (Strip.sides) stand out by so much more, on average, if paper has curled. Of 122 drawn racks on mats
that curl by up to 12 mm, those markers alone in view, they did by 0.8 to 2.7 where cards were told a slot off. On flat
mats they do by up to 1.2, too: so this tells that a mat may have curled, no more.
"""
BY_COMB: Final = 3.5
"""A rack's comb tells that the paper has curled where it fits so much better (Comb.fits_in_place) if it has: of drawn
racks before which the markers of one end alone were seen, two of 549 on mats that lie flat, and 17 of 150, two in three
of their slots free, on mats that curl up by 6 mm."""
FLAT_BY_COMB: Final = 2.0
"""A rack's comb tells that paper has not curled as cards' sides have it where it fits so much worse if it has. In 69 of
2400 drawn racks, most of them on mats that curl by 6 or 12 mm, numbers stand in other slots if it has: these were the
right ones in 14, and there the comb fits worse by 1.6 at most; it fits worse by more than 2.0 in 21."""
FEWER: Final = 2
"""That is no better for cards' sides which explains so many edges fewer as cards'. (One may be none.)"""


@dataclass(frozen=True)
class Hinge:
    """The line across a mat about which one end of it has curled up: at `y` mm of its frame, the table being `inwards`.

    That is 1 where the rest of the mat lies farther back, and -1 where it lies nearer.
    """

    y: float
    inwards: float

    @staticmethod
    def of(mat: Mat) -> "Hinge | None":
        """Give it for a mat of which the two markers at one end alone are seen, None for any other."""
        inwards = ENDS.get(frozenset(mat.markers))
        if inwards is None:
            return None
        return Hinge(MARKER_CENTRES[min(mat.markers)][1] + inwards * HINGE, inwards)

    def flattened(self, pose: Pose, degrees: float) -> Pose:
        """Give the pose of the table where that of the markers, which rises outwards, is so much steeper."""
        turn = np.asarray(cv2.Rodrigues(np.array([self.inwards * math.radians(degrees), 0.0, 0.0]))[0])
        point = np.array([0.0, self.y, 0.0])
        moved = pose.translation + pose.rotation @ (point - turn @ point)
        return replace(pose, rotation=pose.rotation @ turn, translation=moved)


def or_steeper(frame: Frame, pose: Pose, hinge: Hinge, table: Table) -> Pose | None:
    """Give the pose that a mat has if its end has curled up, None where its rack says no, or its cards are too few.

    `pose` is that of its markers, about the mat's `hinge`.
    """
    flat = _sides(frame, pose, table)
    if len(flat) < TELLING:
        return None

    def standing_out(degrees: float) -> float:
        sides = _sides(frame, hinge.flattened(pose, degrees), table)
        return float(np.mean(sides)) if len(sides) > len(flat) - FEWER else 0.0

    tried = {degrees: standing_out(degrees) for degrees in COARSE}
    middle = max(tried, key=tried.__getitem__)
    tried |= {degrees: standing_out(degrees) for degrees in (middle - FINE, middle + FINE)}
    steeper = max(tried, key=tried.__getitem__)
    if tried[steeper] <= np.mean(flat) + PLAINLY:
        return None
    curled = hinge.flattened(pose, steeper)
    return None if _is_flat_by_comb(frame, pose, curled, table) else curled


def steeper_by_comb(frame: Frame, pose: Pose, hinge: Hinge, table: Table) -> tuple[Pose, float] | None:
    """Give the pose that a mat has as or_steeper does, by the slots and labels of its rack; None where they say no.

    And how much better they fit it (a natural logarithm). Cards hide them the more, the more there are; and they say
    nothing of a rack that nobody measured.
    """
    if not table.measured:
        return None
    poses = [pose, *(hinge.flattened(pose, degrees) for degrees in EVERY)]
    fits = [Comb.of(frame.grey, one, table).fits_in_place(pose.printed) for one in poses]
    best = int(np.argmax(fits))
    better = fits[best] - fits[0]
    return (poses[best], better) if better >= BY_COMB else None


def _is_flat_by_comb(frame: Frame, flat: Pose, curled: Pose, table: Table) -> bool:
    """Tell whether a rack's comb says that its mat lies `flat`, rather than as if it had `curled` up.

    It does not where it tells another size of the mat, nor of a rack that nobody measured.
    """
    if not table.measured:
        return False
    comb, other = (Comb.of(frame.grey, pose, table) for pose in (flat, curled))
    return not comb.tells_another_size and comb.fits(flat.printed) > other.fits(curled.printed) + FLAT_BY_COMB


def _sides(frame: Frame, pose: Pose, table: Table) -> list[float]:
    """Say how far the sides of each card of a rack stand out (Strip.sides) if its mat lies so."""
    return [strip.sides for strip in view_rack(frame, pose, table).strips if strip is not None]
