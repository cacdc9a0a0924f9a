"""One mat where it lies before a camera: its markers, its paper, and what stands on it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from vision.changes import SETTLED, Reference, marker_points
from vision.frame import Frame
from vision.level import Hinge
from vision.mats import MARKER_CENTRES, TRAY, Mat, shows_marker
from vision.moved import lies_near, name_of
from vision.paper import RACK_PAPER, TRAY_PAPER, Paper
from vision.pose import Lens, Pose, pose_of
from vision.rack_memory import RackMemory
from vision.rectify import in_picture
from vision.tray.wells import TRAY_MIDDLE
from vision.tray_memory import TrayMemory

SWAPPED: Final = "the tray: a number shows where the draw pile belongs; swap the two piles, or set [tray] draw anew"
"""Said where no number is read on the discard pile, and one on the draw pile."""


@dataclass
class KnownMat:
    """A mat where it lies: how its markers and its paper look, what stands on it, and words on what is amiss.

    Where its markers make no pose, nothing but the words is known. `smooth` is how its markers look where the halved
    picture is smoothed against noise.
    """

    mat: Mat
    words: Sequence[str]
    pose: Pose | None = None
    markers: Reference | None = None
    smooth: Reference | None = None
    paper: Paper | None = None
    on_it: RackMemory | TrayMemory | None = None

    @staticmethod
    def of(mat: Mat, lens: Lens, half: NDArray[np.uint8], table: Table, before: "KnownMat | None") -> "KnownMat":
        """Know a mat as it is seen in a halved picture; `before` it was known elsewhere, if it was."""
        name = name_of(mat.number)
        pose = pose_of(mat, lens)
        if pose is None:
            return KnownMat(mat, [f"{name}: its markers make no sense; lay it flat and show it whole"])
        alone = mat.by_one_marker
        words = [f"{name}: only one marker in view; show more of it"] if alone else []
        places = [marker_points(pose, place) for place in sorted(mat.markers)]
        markers = Reference.of(half, places), Reference.of(_smoothed(half), places)
        stood = None if before is None else before.on_it
        if before is None or before.paper is None or (before.mat.by_one_marker and not alone):
            paper = Paper(half, pose, TRAY_PAPER if mat.number == TRAY else RACK_PAPER)
        else:
            paper = before.paper.lying(half, pose)
        if mat.number == TRAY:
            if isinstance(stood, TrayMemory):
                tray = TrayMemory(pose.printed_at(stood.pose.printed, TRAY_MIDDLE), table)
                tray.numbers, tray.by_size = stood.numbers, stood.by_size
            else:
                tray = TrayMemory(pose, table)
            return KnownMat(mat, words, pose, *markers, paper, tray)
        if isinstance(stood, RackMemory):
            # the same paper and rack, elsewhere
            as_printed = pose.printed_at(stood.pose.printed, table.rack.at)
            rack = _rack_on(mat, as_printed, stood.table)
            rack.stood, rack.size = stood.stood, stood.size.elsewhere()
        else:
            rack = _rack_on(mat, pose, table)
        return KnownMat(mat, words, pose, *markers, paper, rack)

    def rack_anew(self, rack: RackMemory) -> RackMemory:
        """Know nothing of the mat's rack but its measures and the cards that stood in it."""
        anew = _rack_on(self.mat, rack.pose if self.pose is None else self.pose, rack.table)
        anew.stood = rack.stood
        return anew

    @property
    def enough(self) -> int:
        """So many of its markers, where they were, tell that it lies still."""
        return 0 if self.markers is None else min(2, len(self.markers.points))

    def may_show_more(self, frame: Frame) -> bool:
        """Whether half of its markers were found at most, and more are to be seen: a hand may have been over them.

        Where one alone was found it is not known well where the others are: it is enough if they should be there.
        """
        if self.pose is None or not self.mat.by_half:
            return False
        others = [place for place in range(len(MARKER_CENTRES)) if place not in self.mat.markers]
        points = {place: marker_points(self.pose, place) for place in others}
        inside = [place for place, on_it in points.items() if in_picture(on_it[:, 0], on_it[:, 1], frame.size).all()]
        if self.mat.by_one_marker:
            return bool(inside)
        return any(shows_marker(frame.grey, self.mat.number, place, points[place]) for place in inside)

    def seen(self, half: NDArray[np.uint8]) -> int:
        """How many of its markers look as they did, in a halved picture."""
        if self.markers is None or self.smooth is None:
            return 0
        alike = self.markers.alike(self.markers.renewed(half)) >= SETTLED
        # noise may make a marker look otherwise; to search the whole picture for it costs a hundred times as much
        if alike.sum() < self.enough:
            alike |= self.smooth.alike(self.smooth.renewed(_smoothed(half))) >= SETTLED
        return int(alike.sum())

    def may_be_reached(self) -> bool:
        """Whether a hand or an arm is over it, or may rest there."""
        rests = self.paper is not None and self.paper.rests
        return rests or (self.on_it is not None and self.on_it.hand)

    def hindered(self) -> Sequence[str]:
        """Say what hides something of it, or lies where it should not."""
        name = "the tray" if self.mat.number == TRAY else f"seat {self.mat.number}'s rack"
        words = [f"a hand or an arm is over {name}"] if self.on_it is not None and self.on_it.hand else []
        if isinstance(self.on_it, TrayMemory):
            words += [f"{name}: {word}" for word in self.on_it.hindrances()]
            words += [SWAPPED] if self.on_it.swapped else []
        return words

    def behind_a_hand(self, mat: Mat, half: NDArray[np.uint8]) -> bool:
        """Whether it was found again about where it lay, and a hand is over it: it is no time to look anew.

        But where one marker alone was found of it before: by more it is known better than without that hand.
        """
        if self.mat.by_one_marker and not mat.by_one_marker:
            return False
        return lies_near(self.mat, mat) and self.paper is not None and self.paper.covered(half)


def _rack_on(mat: Mat, pose: Pose, table: Table) -> RackMemory:
    return RackMemory(mat.number, pose, table, by_one_marker=mat.by_one_marker, hinge=Hinge.of(mat))


def _smoothed(half: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(cv2.blur(half, (3, 3)), np.uint8)
