"""What stays the same in a part of a camera's pictures, freed from noise: the mean of many looks.

A camera that sees little light makes noise that hides thin or faint print. It is another noise in each picture, while
what stands before the camera stays: the mean of n pictures has but 1 / sqrt(n) of it.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

MOST: Final = 8
"""After so many looks each further one counts as much as the last: what changes too little to be seen is forgotten."""

WINDOW: Final = 5
"""A place of a halved picture is held against the mean together with so many by so many about it, ..."""

DIFFERS: Final = 4.0
"""...and shows something else where it is off by more than so many standard deviations of noise."""

LEAST: Final = 2.0
"""Grey levels by which they must be off at least."""

NEAR: Final = 9
"""What shows something else does so in so many by so many places of a halved picture about it, too."""

AROUND: Final = 0.25
"""So much of their size is seen about the things that stand in the part: where edges are sought, and a rack's foot."""


class Steady:
    """The mean of one part of a camera's pictures, begun anew wherever something else is seen.

    Pictures are BGR or grey, all alike, and each comes with itself in grey at half its sides.
    """

    def __init__(self, picture: NDArray[np.uint8], half: NDArray[np.uint8], quads: NDArray[np.float64]) -> None:
        """Begin with a picture, in which things stand whose corners, (n, 4, 2) in pixels, are given."""
        corners = quads.reshape(-1, 2)
        low, high = corners.min(axis=0), corners.max(axis=0)
        room = (high - low) * AROUND
        left, top = (2 * ((low - room) // 2)).clip(0).astype(int).tolist()
        right, bottom = (2 * ((high + room) // 2)).clip(2).astype(int).tolist()
        height, width = (2 * side for side in half.shape)
        self._part = slice(top, min(bottom, height)), slice(left, min(right, width))
        self._mean = picture[self._part].astype(np.float32)
        self._half = self._halved(half)
        self._looks = np.ones(self._half.shape, np.float32)

    def add(self, picture: NDArray[np.uint8], half: NDArray[np.uint8], changed: NDArray[np.float64]) -> None:
        """Look once more. What stands within quadrilaterals (n, 4, 2), in pixels, has `changed`."""
        away = self._halved(half) - self._half
        off = np.abs(cv2.blur(away, (WINDOW, WINDOW)))
        least = max(DIFFERS * 1.48 * float(np.median(off[::3, ::3])), LEAST)
        other = cv2.dilate((off > least).astype(np.uint8), np.ones((NEAR, NEAR), np.uint8))
        corner = np.array([self._part[1].start, self._part[0].start])
        cv2.fillPoly(other, [*np.ascontiguousarray(np.round((changed - corner) / 2), np.int32)], 1)
        self._looks = np.where(other > 0, np.float32(1.0), np.minimum(self._looks + 1, np.float32(MOST)))
        self._half += away / self._looks
        share = cv2.resize(1 / self._looks, None, fx=2, fy=2, interpolation=cv2.INTER_NEAREST)
        apart = picture[self._part] - self._mean
        self._mean += apart * (share if picture.ndim == 2 else share[..., None])

    def in_place(self, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Give a picture with the mean in its place."""
        clear = picture.copy()
        clear[self._part] = np.rint(self._mean)
        return clear

    def _halved(self, half: NDArray[np.uint8]) -> NDArray[np.float32]:
        down, across = self._part
        return half[down.start // 2 : down.stop // 2, across.start // 2 : across.stop // 2].astype(np.float32)
