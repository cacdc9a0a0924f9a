"""A clock that stands still, pictures, and a cv2.VideoCapture that behaves like one with a USB camera."""

import time
from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

LONG = 20.0  # seconds to wait for what must come; a busy machine may be slow


def wait_until(happened: Callable[[], bool]) -> None:
    """Wait for what another thread does."""
    end = time.monotonic() + LONG
    while not happened():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.002)


class Clock:
    """Time that passes only when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def pixels(number: int, size: tuple[int, int] = (64, 48), *, bright: int = 100) -> NDArray[np.uint8]:
    """A picture with noise, another for each number."""
    noise = np.random.default_rng(number).integers(0, 30, (size[1], size[0], 3), dtype=np.int16)
    return np.clip(noise + (bright - 15), 0, 255).astype(np.uint8)


def jpeg(number: int, size: tuple[int, int] = (64, 48), *, bright: int = 100) -> bytes:
    """The same as a JPEG."""
    return cv2.imencode(".jpg", pixels(number, size, bright=bright))[1].tobytes()


class UsbCamera:
    """A device that keeps its settings, of which each opening is one `FakeCapture`.

    `sizes` are what it has, `works` those at which pictures come; `codes` are the formats that it has.
    """

    def __init__(self) -> None:
        self.clock = Clock()
        self.plugged = True
        self.busy = False
        self.sizes: Sequence[tuple[int, int]] = ((1920, 1080), (1280, 720), (640, 480), (320, 240))
        self.works: Sequence[tuple[int, int]] = self.sizes
        self.codes: Sequence[str] = ("YUYV", "MJPG")
        self.keeps_raw = True
        self.black = 0
        self.spoil: Callable[[bytes], bytes] = lambda data: data
        self.light = 100.0
        self.exposure = 250.0
        self.known = {cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_EXPOSURE, cv2.CAP_PROP_AUTO_WB}
        self.controls: dict[int, float] = {cv2.CAP_PROP_AUTO_EXPOSURE: 1, cv2.CAP_PROP_AUTO_WB: 0}
        self.tells_exposure = True
        self.opened: list[FakeCapture] = []

    def capture(self, _device: str) -> "FakeCapture":
        """What stands in for cv2.VideoCapture."""
        self.opened.append(FakeCapture(self))
        return self.opened[-1]

    def bright(self) -> int:
        """How bright a picture is: automatic exposure brings any light to 100 grey levels."""
        if self.controls[cv2.CAP_PROP_AUTO_EXPOSURE] == 3:
            self.exposure = 250 * 100 / self.light
        return int(np.clip(self.exposure / 250 * self.light, 0, 240))


class FakeCapture:
    """One opening: first the format, then both sides of the size, or the driver takes what it likes."""

    def __init__(self, camera: UsbCamera) -> None:
        self.camera = camera
        self.open = camera.plugged and not camera.busy
        self.code = camera.codes[0]
        self.size = (640, 480)
        self.asked = [0, 0]
        self.convert = True
        self.properties: dict[int, float] = {}
        self.number = 0

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self.open

    def release(self) -> None:
        self.open = False

    def get(self, prop: int) -> float:
        if prop == cv2.CAP_PROP_FOURCC:
            return cv2.VideoWriter.fourcc(*self.code)
        if prop == cv2.CAP_PROP_EXPOSURE:
            return self.camera.exposure if self.camera.tells_exposure else 50.0
        return self.camera.controls.get(prop, -1.0)

    def set(self, prop: int, value: float) -> bool:
        self.properties[prop] = value
        if prop == cv2.CAP_PROP_FOURCC:
            wanted = int(value).to_bytes(4, "little").decode()
            self.code = wanted if wanted in self.camera.codes else self.code
            return self.code == wanted
        if prop in {cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT}:
            self.asked[prop == cv2.CAP_PROP_FRAME_HEIGHT] = int(value)
            if all(self.asked):
                self.size = min(self.camera.sizes, key=lambda size: abs(size[0] - self.asked[0]))
        elif prop == cv2.CAP_PROP_CONVERT_RGB:
            self.convert = bool(value)
        elif prop in self.camera.known:
            if prop == cv2.CAP_PROP_EXPOSURE:
                self.camera.exposure = value
            self.camera.controls[prop] = value
            return True
        return False

    def read(self) -> tuple[bool, object]:
        assert self.open, "read after its release"
        camera = self.camera
        camera.clock.now += 0.1
        if not camera.plugged or self.size not in camera.works:
            return False, None
        self.number += 1
        bright = 0 if self.number <= camera.black else camera.bright()
        if self.code != "MJPG" or self.convert:
            return True, pixels(self.number, self.size, bright=bright)
        data = jpeg(self.number, self.size, bright=bright) if camera.keeps_raw else b"\x10\x80" * 64
        return True, np.frombuffer(camera.spoil(data), np.uint8).reshape(1, -1)
