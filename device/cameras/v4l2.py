"""USB cameras by Video4Linux, through OpenCV: `v4l2:/dev/v4l/by-id/...` or `v4l2:/dev/video0`.

Motion JPEG is asked for before the size, for pictures without compression fill a USB 2 bus at 1280 x 720 already. The
JPEG bytes are taken as they come (CAP_PROP_CONVERT_RGB 0, of which OpenCV's V4L2 backend makes a row of bytes), so
that a picture nobody looks at costs no decoding.
"""

import os
import stat
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from device.cameras.camera import CameraError, Picture, Wishes
from device.cameras.driver import picture_size
from device.cameras.jpegs import whole
from device.cameras.light import Controls, Light, level

SMALLER: Final = ((1280, 720), (640, 480))
"""Sizes to fall back to, where a camera sends nothing at the size that was wished for: two cameras on one hub may not
have the bandwidth for it, which shows only when the first picture does not come."""
BUFFERS: Final = 2
"""Pictures that the driver may keep. OpenCV's default of 4 brings old ones after a pause; with a single one, the
driver has nowhere to put a picture while another is copied, and the rate is halved."""
JPEG_CODES: Final = frozenset(int.from_bytes(code, "little") for code in (b"MJPG", b"JPEG"))
BLACK: Final = 6.0
WARMING: Final = 2.0
"""Many cameras begin with pictures below BLACK (of 255 grey levels); for WARMING seconds these are passed over."""
BUS: Final = "pull its plug and put it back, best into a port that it shares with no other camera"
MOST_BROKEN: Final = 30
"""Broken pictures on end after which the camera is opened anew: two seconds of nothing else."""


class Capture(Controls, Protocol):
    """The part of cv2.VideoCapture that is needed here."""

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        """Tell whether the device is open."""

    def read(self) -> tuple[bool, object]:
        """Wait for the next picture, ten seconds at most; tell whether it came, and give it."""

    def release(self) -> None:
        """Give the device back."""


def open_capture(device: str) -> Capture:
    """Open a device by OpenCV's V4L2 backend, and no other."""
    return cv2.VideoCapture(device, cv2.CAP_V4L2)


class V4l2Driver:
    """One opening of a USB camera (see `device.cameras.grabber.Driver`); `device` is its path below /dev."""

    def __init__(
        self,
        device: str,
        wishes: Wishes,
        capture: Callable[[str], Capture] = open_capture,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._device, self._wishes, self._clock = device, wishes, clock
        self._make = capture
        self._capture: Capture | None = None
        self._raw = False
        self._first: Picture | None = None
        self._warm = False
        self._warming = 0.0
        self._light: Light | None = None
        self.remark = ""

    def open(self) -> None:
        """Open the camera at the wished size, else at a smaller one that it sends pictures at."""
        problem = CameraError("")
        for size in dict.fromkeys((self._wishes.size, *SMALLER)):
            capture = self._set_up(size)
            try:
                self._first = self._next(capture)
            except CameraError as why:
                problem = why
            else:
                self._say_size(self._first, size)
                return
        raise problem

    def read(self) -> Picture:
        """Give the next whole picture."""
        first, self._first = self._first, None
        if self._capture is None:
            raise CameraError(f"v4l2:{self._device} is not open")
        picture = self._next(self._capture) if first is None else first
        if self._light is not None:
            self._light.see(self._clock(), picture)
        return picture

    def interrupt(self) -> None:
        """Do nothing: OpenCV must not close a device that another thread waits for, and waits ten seconds at most."""

    def close(self) -> None:
        """Give the device back."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def _look_at_device(self) -> None:
        """Find out why a device cannot be opened before OpenCV tries, which says so on stderr and to nobody else."""
        path = Path(self._device)
        if not path.exists():
            raise CameraError(f"v4l2:{self._device} is not there; plug the camera in, or look how it is named now")
        if not os.access(path, os.R_OK | os.W_OK):
            raise CameraError(
                f"v4l2:{self._device} may not be read by this user; add it to the group video "
                "(sudo usermod -aG video NAME) and log in again"
            )
        if not stat.S_ISCHR(path.stat().st_mode):
            raise CameraError(f"v4l2:{self._device} is no device; cameras are named /dev/v4l/by-id/... or /dev/videoN")

    def _set_up(self, size: tuple[int, int]) -> Capture:
        """Open the device anew and ask for what is wished."""
        self.close()
        self._look_at_device()
        capture = self._capture = self._make(self._device)
        if not capture.isOpened():
            raise self._refused()
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        capture.set(cv2.CAP_PROP_FPS, self._wishes.rate)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, BUFFERS)
        if not capture.isOpened():
            raise self._refused()
        self._raw = int(capture.get(cv2.CAP_PROP_FOURCC)) in JPEG_CODES
        capture.set(cv2.CAP_PROP_CONVERT_RGB, 0 if self._raw else 1)
        self._light = Light(capture, self._device) if self._wishes.hold_light else None
        self._warming = self._clock() + WARMING
        return capture

    def _refused(self) -> CameraError:
        return CameraError(
            f"v4l2:{self._device} cannot be opened; close other programs that use this camera, else it is no camera "
            "(of two names of one plug the one with index0 is)"
        )

    def _next(self, capture: Capture) -> Picture:
        """Give the next picture that is whole and not one of the black ones at the start."""
        broken = 0
        while broken < MOST_BROKEN:
            fine, array = capture.read()
            if not fine:
                self._look_at_device()
                raise CameraError(f"v4l2:{self._device} sends no picture; {BUS}")
            picture = self._picture(capture, np.asarray(array, dtype=np.uint8))
            if picture is None:
                broken += 1
            elif self._warm or self._clock() >= self._warming or (level(picture) or 0.0) >= BLACK:
                self._warm = True
                return picture
        raise CameraError(f"v4l2:{self._device} sends broken pictures only; {BUS}")

    def _picture(self, capture: Capture, array: NDArray[np.uint8]) -> Picture | None:
        """Take a picture as the camera gives it; None for one that is cut short or not decoded yet."""
        if array.ndim == 3 and array.shape[2] == 3 and min(array.shape[:2]) > 1:
            return array
        data = array.tobytes()
        if self._raw and not data.startswith(b"\xff\xd8"):
            self._raw = False
            capture.set(cv2.CAP_PROP_CONVERT_RGB, 1)
        return whole(data)

    def _say_size(self, picture: Picture, asked: tuple[int, int]) -> None:
        """Remark upon what the camera gives, where that is not what was wished for."""
        size = picture_size(picture)
        if size is None or size == self._wishes.size:
            return
        self.remark = f"it sends {size[0]} x {size[1]} pixels, not {self._wishes.size[0]} x {self._wishes.size[1]}"
        if asked != self._wishes.size:
            self.remark += f", at which nothing came; {BUS}"
