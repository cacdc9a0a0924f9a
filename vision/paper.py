"""The blank paper of a mat before a still camera: where it changes, something is over it."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.changes import ACROSS, Reference, grid
from vision.look import Arm
from vision.pose import Pose
from vision.rectify import in_picture
from vision.rim import RACK_RIM, TRAY_RIM, Rim, Side

Band = tuple[float, float, float, float]
"""A part of a mat: left, near, right, far in mm of the mat frame."""

RACK_PAPER: Final = ((45.0, 5.0, 250.0, 26.0), (6.0, 45.0, 80.0, 165.0), (250.0, 45.0, 291.0, 165.0))
TRAY_PAPER: Final = (
    (45.0, 5.0, 252.0, 60.0),
    (5.0, 45.0, 40.0, 165.0),
    (257.0, 45.0, 292.0, 165.0),
    (45.0, 165.0, 252.0, 205.0),
)
"""Blank paper, (left, near, right, far) in mm of the mat frame: no rack, no card and no marker stands there."""

RIMS: Final[Mapping[Sequence[Band], Sequence[Side]]] = {RACK_PAPER: RACK_RIM, TRAY_PAPER: TRAY_RIM}
"""The sides over which an arm comes to either kind of mat."""

REMEMBERED: Final = 4
"""So many ways in which a mat's paper has looked are remembered."""

STAYS: Final = 8
"""What lies on a mat for so many looks is part of the table: a hand that rests is gone before."""

RECALLED: Final = 4
"""So many ways in which it has stayed for a while are remembered until the known paper is seen again."""

COMES_BACK: Final = 0.06
"""What has stayed and is there again, but for so much of a band, is no hand: a shadow came to stay. In rounds that were
relit, 183 of 192 bare papers came back but for 0.002 at most, and 251 of 255 hands lay elsewhere by 0.2 and more."""

LARGEST_ARM: Final = 0.4
"""An arm is over no more than this share of the paper: of 1560 in recorded and drawn rounds, 99 in 100 are over 0.05 to
0.35. What is over more is another light, or two arms."""


class Paper:
    """The blank paper of a mat. Where it changes, a hand or an arm is over the mat; what stays there is none.

    Nor is what has not come over the mat's rim: it is a shadow, or another light.

    `rests`: something is there that has stayed since the look before, but not for long yet: a hand may rest.
    `uncovered`: the halved picture in which it was bare last, of the mat where it lies; None where it was not yet.
    """

    def __init__(self, half: NDArray[np.uint8], pose: Pose, bands: Sequence[Band]) -> None:
        """Remember how the bands of a mat's paper look in a halved picture when the mat is first seen."""
        self._bands = bands
        self._places = [_grid_of(band) for band in bands]
        reference = Reference.of(half, [grid(pose, *places) for places in self._places])
        self._known = [reference]
        # A pile that grows or shrinks moves its shadow a little from look to look; one that is turned over, back.
        self._bare = reference
        self._resting: Reference | None = None
        self._stayed = 0
        self._before: list[Reference] = []
        self._latest = reference
        self._rim = Rim(pose, (half.shape[1], half.shape[0]), RIMS[bands])
        self.uncovered: NDArray[np.uint8] | None = None

    def lying(self, half: NDArray[np.uint8], pose: Pose) -> "Paper":
        """Give the paper of the mat where it lies elsewhere in a halved picture, with all that is known of it.

        What is beyond the picture's border there is forgotten. Where too little is known of what is in view, it is
        new paper.
        """
        anew = Paper(half, pose, self._bands)
        points = anew._latest.points
        seen = in_picture(points[..., 0], points[..., 1], (half.shape[1], half.shape[0]))
        if 2 * np.count_nonzero(self._latest.values[seen]) < np.count_nonzero(seen):
            return anew

        def there(known: Reference) -> Reference:
            return Reference(points, known.values * seen)

        self._latest, self._bare = there(self._latest), there(self._bare)
        self._resting = None if self._resting is None else there(self._resting)
        self._known, self._before = [*map(there, self._known)], [*map(there, self._before)]
        self._rim, self.uncovered = anew._rim, None
        return self

    @property
    def rests(self) -> bool:
        """Whether what is there may be a hand that rests."""
        return self._resting is not None

    def covered(self, half: NDArray[np.uint8]) -> bool:
        """Tell whether the paper does not look, in a halved picture, as it is known to look."""
        return self._is_covered(self._latest.renewed(half))

    def hand(self, half: NDArray[np.uint8], *, moved: bool = False) -> bool:
        """Tell whether a hand is over the mat in a halved picture, and remember what has stayed since the last one.

        What goes away soon and with a movement (`moved` since the last picture) is forgotten: whoever reaches for a
        card in the same way once more has a hand over the mat. A light that goes out is remembered. So is what comes
        back after something else was there, and the known paper was not: the light is another by now, or a hand was
        over the mat when it was found. So is what stays and is too large for an arm.
        """
        before, self._latest = self._latest, self._latest.renewed(half)
        resting = self._resting
        if not self._is_covered(self._latest):
            if resting is not None and not moved:
                self._remember(resting)
            self._lies_bare(half)
        elif self.uncovered is not None and not self._rim.may_be_crossed(half, self.uncovered):
            self._remember(self._bare)
            self._lies_bare(half)
        elif resting is not None and not resting.covered(self._latest):
            self._stayed += 1
            if self._stayed >= STAYS:
                self._remember(self._latest)
        elif before.covered(self._latest):
            if all(rested.covered(self._latest, COMES_BACK) for rested in self._before):
                self._resting = None
                return True
            self._remember(self._latest)
        else:
            self._resting, self._stayed = self._latest, 2
            self._before = [self._latest, *self._before][:RECALLED]
            if self._over()[1].mean() > LARGEST_ARM:
                self._remember(self._latest)
        return False

    def arm(self) -> Arm | None:
        """Give what is over the paper in the latest look, if it may be one arm: an arm, if a hand is over the mat."""
        known, over = self._over()
        if not 0 < over.mean() <= LARGEST_ARM:
            return None
        where = np.concatenate([np.stack(np.meshgrid(*places), axis=-1).reshape(-1, 2) for places in self._places])
        x, y = where[over.ravel()].mean(axis=0).tolist()
        before = known.values * known.lights(self._latest)
        return Arm(x, y, float(np.median(self._latest.values[over] / np.maximum(before[over], 1.0))))

    def _over(self) -> tuple[Reference, NDArray[np.bool_]]:
        """Give the known paper that the latest look shows most of, and where something is over it."""
        over = [(known, known.over(self._latest, bared=False)) for known in (self._bare, *self._known)]
        return min(over, key=lambda one: int(one[1].sum()))

    def _is_covered(self, looks: Reference) -> bool:
        return all(known.covered(looks, bared=False) for known in (self._bare, *self._known))

    def _lies_bare(self, half: NDArray[np.uint8]) -> None:
        self._bare, self._resting, self._before, self.uncovered = self._latest, None, [], half

    def _remember(self, looks: Reference) -> None:
        self._known, self._resting = [looks, *self._known][:REMEMBERED], None


def _grid_of(band: Band) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    left, near, right, far = band
    return np.linspace(left, right, ACROSS), np.linspace(near, far, ACROSS)
