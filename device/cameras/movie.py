"""Files in place of a camera: `file:movie.mp4` once through at its own pace, `file:picture.jpg` for ever."""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol

import cv2
import numpy as np

from device.cameras.camera import CameraEnded, CameraError, Picture
from vision.picture import PictureError, load_picture

USUAL_RATE: Final = 25.0
"""Pictures a second of a movie that does not say."""
STILL: Final = 0.5
"""Seconds after which a still picture comes again, so that whoever waits for a table at rest sees one."""


class Capture(Protocol):
    """The part of cv2.VideoCapture that is needed here."""

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        """Tell whether it is a movie that can be read."""

    def get(self, prop: int) -> float:
        """Give a property, or 0."""

    def read(self) -> tuple[bool, object]:
        """Tell whether there is another picture, and give it."""

    def release(self) -> None:
        """Close the file."""


def open_movie(path: str) -> Capture:
    """Open a movie by whichever backend of OpenCV can."""
    return cv2.VideoCapture(path)


class MovieDriver:
    """One showing of a movie (see `device.cameras.grabber.Driver`), each picture at its own time.

    `clock` and `wait` stand in for time in tests.
    """

    remark = ""

    def __init__(
        self,
        path: Path,
        capture: Callable[[str], Capture] = open_movie,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], object] | None = None,
    ) -> None:
        self._path, self._make, self._clock = path, capture, clock
        self._stopped = threading.Event()
        self._wait = wait or self._stopped.wait
        self._capture: Capture | None = None
        self._begun: float | None = None
        self._t = 0.0
        self._step = 1 / USUAL_RATE

    def open(self) -> None:
        """Open the movie."""
        _must_be_there(self._path)
        capture = self._capture = self._make(str(self._path))
        if not capture.isOpened():
            raise CameraError(f"file:{self._path} is no movie that can be read; MP4, AVI and MKV usually can")
        rate = capture.get(cv2.CAP_PROP_FPS)
        self._step = 1 / rate if 0 < rate < 1000 else 1 / USUAL_RATE

    def read(self) -> Picture:
        """Give the next picture at its time; raise CameraEnded after the last one."""
        if self._capture is None:
            raise CameraError(f"file:{self._path} is not open")
        fine, array = self._capture.read()
        if not fine:
            if self._begun is None:
                raise CameraError(f"file:{self._path} holds no picture that can be read; is the movie whole?")
            raise CameraEnded(f"file:{self._path} is over")
        picture = np.asarray(array, dtype=np.uint8)
        if self._begun is None:
            self._begun = self._clock()
            return picture
        said = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        # Some containers tell no times, or wrong ones: then the rate counts.
        self._t = said if self._t < said < self._t + 10 else self._t + self._step
        early = self._begun + self._t - self._clock()
        if early > 0:
            self._wait(early)
        return picture

    def interrupt(self) -> None:
        """End a wait for a picture's time."""
        self._stopped.set()

    def close(self) -> None:
        """Close the file."""
        if self._capture is not None:
            self._capture.release()


class StillDriver:
    """One picture from a file, over and over (see `device.cameras.grabber.Driver`)."""

    remark = ""

    def __init__(self, path: Path, wait: Callable[[float], object] | None = None) -> None:
        self._path = path
        self._stopped = threading.Event()
        self._wait = wait or self._stopped.wait
        self._picture: Picture = b""
        self._given = False

    def open(self) -> None:
        """Read the picture, once."""
        _must_be_there(self._path)
        try:
            self._picture = load_picture(self._path)
        except PictureError as problem:
            raise CameraError(f"file:{problem}") from None

    def read(self) -> Picture:
        """Give the picture, and later give it again."""
        if self._given:
            self._wait(STILL)
        self._given = True
        return self._picture

    def interrupt(self) -> None:
        """End the wait."""
        self._stopped.set()

    def close(self) -> None:
        """Close nothing: the file was read at once."""


def _must_be_there(path: Path) -> None:
    if not path.is_file():
        raise CameraError(f"file:{path} is not there; write the way to a movie or a picture")
