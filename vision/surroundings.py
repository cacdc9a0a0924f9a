"""What lies around the mats before one camera, by which a mat is noticed that is laid there later."""

from collections.abc import Iterable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.changes import Reference

NEW: Final = (25, 0.01)
"""Where more than a share of the picture outside all mats has changed by so many grey levels, a mat may be new."""

REMEMBERED: Final = 4
"""So many ways in which it has looked are remembered: an arm that comes again is no mat either."""


class Surroundings:
    """Remembers how the small pictures of a camera (Frame.small) look outside all known mats."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._around: list[NDArray[np.uint8]] = []
        self._latest: NDArray[np.uint8] | None = None

    def may_hold_a_mat(self, small: NDArray[np.uint8]) -> bool:
        """Whether something new lies there in the next small picture."""
        before, self._latest = self._latest, small
        if not self._around or before is None or before.shape != small.shape:
            return True
        # an arm that moves through the picture is no mat: what is new has to stay
        stays = ((self._around[0] > 0) & (cv2.absdiff(before, small) <= NEW[0])).view(np.uint8)
        return all(_differs(around, small, stays) for around in self._around)

    def searched(self, small: NDArray[np.uint8], markers: Iterable[Reference], *, clearly: bool) -> None:
        """Take a picture that was searched, and the markers of the mats in it.

        If all of it was seen `clearly`, only what is new in the next picture is sought again.
        """
        if clearly:
            self._latest = small
        around = np.maximum(small, 1)
        for known in markers:
            x, y = np.asarray(known.points.reshape(-1, 2) / 4).T
            around[max(int(y.min()) - 4, 0) : int(y.max()) + 4, max(int(x.min()) - 2, 0) : int(x.max()) + 2] = 0
        self._around = [around, *self._around][:REMEMBERED]


def _differs(one: NDArray[np.uint8], other: NDArray[np.uint8], where: NDArray[np.uint8]) -> bool:
    """Whether two pictures differ in much of what is `where` (1, else 0)."""
    changed = ((cv2.absdiff(one, other) > NEW[0]) * where).view(np.uint8)
    return cv2.countNonZero(changed) > NEW[1] * cv2.countNonZero(where)
