"""What the rest of the program knows of a camera: its latest picture, and how it is."""

from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.errors import RackoError
from vision.frame import Frame

State = Literal["starting", "live", "gone", "frozen", "ended"]
"""`gone`: it cannot be read, and is tried again for ever. `frozen`: nothing new comes, though nothing has failed.
`ended`: a movie is over, or the camera was closed; nothing comes any more."""

Picture = bytes | NDArray[np.uint8]
"""A picture as a camera gives it: the bytes of one whole JPEG, or pixels in BGR, (height, width, 3)."""


class CameraError(RackoError):
    """A camera that cannot be had: which, why, and what to do, in one line."""


class CameraEnded(CameraError):
    """The source has come to its end, and nothing is wrong."""


@dataclass(frozen=True)
class Wishes:
    """What is asked of a camera; it gives what it can.

    `size` is (width, height) in pixels, `rate` pictures a second: a table is looked at some ten times a second, and
    what a camera sends beyond that costs the bandwidth of the cameras beside it. `hold_light`: keep exposure and white
    balance once they have settled, so that a hand over the tray does not change the colour of everything else.
    """

    size: tuple[int, int] = (1920, 1080)
    rate: int = 15
    hold_light: bool = True


@dataclass(frozen=True)
class Shot:
    """A picture that was taken: its number (from 1, counting also those that nobody took), and when it came.

    `t` is in seconds of the monotonic clock. The same Frame comes again where a camera sent the very same picture.
    """

    number: int
    t: float
    frame: Frame


@dataclass(frozen=True)
class CameraReport:
    """How a camera is, for a person and for the page.

    `source` is its name as it was asked for, without any password. `words` is one line with what to do, or what is
    remarkable of a camera that works, or "". `size` is (width, height) of the latest picture. `taken` pictures were
    given by `latest`, `dropped` were not, for a newer one came. `rate` is pictures a second over the latest seconds.
    `since` is when the state began, in seconds of the monotonic clock.
    """

    name: str
    source: str
    state: State
    words: str
    size: tuple[int, int] | None
    taken: int
    dropped: int
    rate: float
    since: float


class Camera(Protocol):
    """A camera that takes pictures by itself, in a thread of its own. All of it may be called from any thread."""

    @property
    def name(self) -> str:
        """What the table calls it ("tray")."""

    def latest(self) -> Shot | None:
        """Give the newest picture that was not given yet, or None; never waits."""

    def report(self) -> CameraReport:
        """Say how it is; never waits."""

    def close(self) -> None:
        """Stop it and give the device back; waits some seconds at most, and may be called again."""
