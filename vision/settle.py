"""When is a picture worth reading? Once it has stopped changing: no hand moves, no card slides.

A camera's pictures are compared at low resolution, which costs next to nothing, and read only when they stand still.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame

THUMBNAIL: Final = (160, 90)
"""Width and height of the picture that is compared."""

CHANGED: Final = 12.0
"""Grey levels, of 255, by which a tile must differ to have changed; noise and JPEG stay below 5 on tiles."""

DIM: Final = 64.0
"""Median grey level below which a picture is not made brighter in proportion."""

STILL_AFTER: Final = 0.4
"""Seconds for which a picture must have stood, where no second picture shows that it did."""


def thumbnail(frame: Frame) -> NDArray[np.float32]:
    """A small grey picture, (90, 160), brought to a median of 128, so that a lamp or a cloud is no movement.

    A dark one is made brighter only so far, or its noise would pass for movement.
    """
    grey = cv2.resize(frame.small, THUMBNAIL, interpolation=cv2.INTER_AREA)
    smooth = cv2.blur(grey, (3, 3)).astype(np.float32)
    some = np.sort(smooth[::3, ::3], axis=None)
    return smooth * np.float32(128.0 / max(float(some[len(some) // 2]), DIM))


def differs(before: NDArray[np.float32], after: NDArray[np.float32]) -> bool:
    """Whether something moved between two thumbnails."""
    return cv2.norm(before, after, cv2.NORM_INF) > CHANGED


class Stillness:
    """Tells which of one camera's pictures to read: those that stand still, and of those no more than are needed.

    Two settled pictures of one scene are read (a single look may be wrong); the rest of a still scene is not.
    """

    def __init__(self, wanted: int = 2) -> None:
        """Want that many looks at each still scene. `scenes` counts how often something has moved."""
        self._wanted = wanted
        self._latest: Frame | None = None
        self._small: NDArray[np.float32] | None = None
        self._since = 0.0
        self._read = 0
        self._latest_read = False
        self.scenes = 0

    def add(self, t: float, frame: Frame) -> list[tuple[float, Frame]]:
        """Take a picture at time `t` (seconds, rising); return those to be read now, with their times.

        A picture that another one bears out was still itself, so both are good to read.
        """
        small = thumbnail(frame)
        ready: list[tuple[float, Frame]] = []
        if self._small is None or differs(self._small, small):
            self._since, self._read = t, 0
            self.scenes += 1
        else:
            if self._latest is not None and not self._latest_read and self._read < self._wanted:
                ready.append((self._since, self._latest))
            if self._read + len(ready) < self._wanted:
                ready.append((t, frame))
        self._read += len(ready)
        self._latest, self._small = frame, small
        self._latest_read = any(shown is frame for _, shown in ready)
        return ready

    @property
    def latest(self) -> Frame | None:
        """The latest picture."""
        return self._latest

    @property
    def read_so_far(self) -> int:
        """How many pictures of the present scene were read."""
        return self._read

    @property
    def moving(self) -> bool:
        """Whether something has moved since the last picture that was read."""
        return self._read == 0

    def unread(self) -> tuple[float, Frame] | None:
        """The latest picture and the time since when it has stood, if it was not read and should be."""
        if self._latest is None or self._latest_read or self._read >= self._wanted:
            return None
        return self._since, self._latest

    def mark_read(self) -> None:
        """Say that the unread picture has been read."""
        self._read += 1
        self._latest_read = True
