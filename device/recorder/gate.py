"""Which of a camera's pictures are kept: those that the watch would read, and some a second of what moves between.

A still scene is read from two pictures (vision.settle), so two are kept of it, and what is read of it beyond them; then
none until something changes. What moves is kept at a bounded rate, for a picture of a hand tells what was played where,
and ten of them no more than one.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame
from vision.region import Region
from vision.thumbnails import Thumbnails, differs

STILL: Final = 2
"""Pictures that are kept of a still scene at least, as many as are read of it (vision.settle.Stillness)."""

STILL_EVERY: Final = 0.1
"""Least seconds from a kept picture to a still one: a flickering lamp must not record at a camera's full rate."""

MOVING_EVERY: Final = 0.3
"""Least seconds from a kept picture to one in which something moves. Below vision.settle.STILL_AFTER, so that at ten
pictures a second no picture of a hand stands long enough in the recording to be read as a still scene."""


class Gate:
    """One camera's gate. Times are in seconds, rising. Give it each picture, then ask what is ready to be kept."""

    def __init__(self) -> None:
        """Begin with no picture: the first one is kept."""
        self._latest: NDArray[np.float32] | None = None
        self._thumbnails = Thumbnails()
        self._shown: NDArray[np.float32] | None = None
        self._still = 0
        self._kept_at: float | None = None
        self._waiting: tuple[float, Frame] | None = None
        self._refused = False
        self.lost = 0
        """Pictures that should have been kept, and another took their place before anybody had room for them."""

    def add(self, t: float, frame: Frame, *, read: bool = False, matters: Region | None = None) -> None:
        """Take a picture; one that waited gives way to it. Raises PictureError for one that cannot be decoded.

        One that was `read` is kept, however many of its scene are kept already. What changes elsewhere than where it
        `matters`, (90, 160), if that is known, is no reason to keep one (vision.region).
        """
        self._thumbnails.focus(matters)
        seen = self._thumbnails.of(frame)
        small = seen.levels
        moved = self._latest is None or differs(self._latest, small, seen.least, matters)
        drifted = self._shown is not None and differs(self._shown, small, seen.least, matters)
        if moved:
            self._still = -1
        elif self._still < 0 or (drifted and self._still >= STILL):
            self._still = 0
        self._latest = small
        self.lost += self._refused
        self._refused = False
        self._waiting = (t, frame) if read or self._still < STILL else None

    def ready(self, now: float, *, at_once: bool = False) -> tuple[float, Frame] | None:
        """The picture to be kept now and when it was taken; `at_once`: however soon it is after the one before.

        It is ready until `kept` says that it was taken, or another takes its place.
        """
        every = MOVING_EVERY if self._still < 0 else STILL_EVERY
        early = self._kept_at is not None and now < self._kept_at + every
        return None if early and not at_once else self._waiting

    def kept(self) -> None:
        """Say that what was ready is kept."""
        if self._waiting is not None:
            self._kept_at = self._waiting[0]
        self._waiting, self._shown, self._refused = None, self._latest, False
        if self._still >= 0:
            self._still += 1

    def refused(self) -> None:
        """Say that there is no room for what is ready; it stays so."""
        self._refused = True

    def begin_again(self) -> None:
        """What was kept last is lost: what there is to be seen is kept again."""
        self._latest = self._shown = None
