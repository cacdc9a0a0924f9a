"""Exposure and white balance: held once they have settled, left alone where a camera does not keep them."""

import cv2
import numpy as np
import pytest

from device.cameras.light import CHANGED, LOOK, SETTLING, Light, level
from tests.device.cameras.fakes import UsbCamera, jpeg, pixels

AUTO, MANUAL = 3, 1


class Room:
    """A camera, its light, and time in steps of a tenth of a second."""

    def __init__(self, camera: UsbCamera) -> None:
        self.camera = camera
        self.t = 0.0
        self.light = Light(camera.capture("/dev/video7"), "tray")

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds * 10)):
            self.t += 0.1
            self.light.see(self.t, jpeg(1, bright=self.camera.bright()))

    def mode(self) -> float:
        return self.camera.controls[cv2.CAP_PROP_AUTO_EXPOSURE]


@pytest.fixture
def camera() -> UsbCamera:
    return UsbCamera()


def test_a_camera_finds_its_light_first_and_keeps_it_then(camera: UsbCamera) -> None:
    room = Room(camera)
    camera.light = 50
    room.run(SETTLING - 1)
    assert room.mode() == AUTO
    assert camera.controls[cv2.CAP_PROP_AUTO_WB] == 1
    room.run(3)
    assert (room.mode(), camera.exposure) == (MANUAL, 500)
    assert camera.controls[cv2.CAP_PROP_AUTO_WB] == 0


def test_a_short_shadow_changes_nothing(camera: UsbCamera) -> None:
    room = Room(camera)
    room.run(SETTLING + 3)
    camera.light = 30
    room.run((CHANGED - 2) * LOOK)
    camera.light = 100
    room.run(2 * CHANGED)
    assert (room.mode(), camera.exposure) == (MANUAL, 250)


def test_when_a_lamp_is_switched_exposure_settles_anew(camera: UsbCamera) -> None:
    room = Room(camera)
    room.run(SETTLING + 3)
    camera.light = 40
    room.run(CHANGED * LOOK + 1)
    assert room.mode() == AUTO
    room.run(SETTLING + 3)
    assert (room.mode(), camera.exposure) == (MANUAL, 625)


def test_a_camera_that_jumps_back_to_a_default_stays_automatic(
    camera: UsbCamera, caplog: pytest.LogCaptureFixture
) -> None:
    camera.tells_exposure = False
    jumps = camera.bright

    def bright() -> int:
        if camera.controls[cv2.CAP_PROP_AUTO_EXPOSURE] == MANUAL:
            camera.exposure = 50
        return jumps()

    camera.bright = bright  # type: ignore[method-assign]  # this one forgets its exposure when it is held
    room = Room(camera)
    caplog.set_level("INFO")
    room.run(3 * SETTLING + 10)
    assert room.mode() == AUTO
    assert "its exposure cannot be held" in caplog.text
    room.run(100)
    assert room.mode() == AUTO


def test_a_camera_that_forgets_its_exposure_gets_it_back_by_its_number(camera: UsbCamera) -> None:
    capture = camera.capture("/dev/video7")
    plain = capture.set

    def forgets(prop: int, value: float) -> bool:
        told = plain(prop, value)
        if prop == cv2.CAP_PROP_AUTO_EXPOSURE and value == MANUAL:
            camera.exposure = 20
        return told

    capture.set = forgets  # type: ignore[method-assign]  # this one starts from a default of its own
    room = Room(camera)
    room.light = Light(capture, "tray")
    room.run(2 * SETTLING + 6)
    assert (room.mode(), camera.exposure) == (MANUAL, 250)


def test_a_camera_without_these_controls_is_left_alone(camera: UsbCamera) -> None:
    camera.known.clear()
    before = dict(camera.controls)
    Room(camera).run(SETTLING + 30)
    assert camera.controls == before


def test_how_bright_a_picture_is_is_seen_in_bytes_and_in_pixels_alike() -> None:
    assert level(jpeg(1, bright=120)) == pytest.approx(120, abs=2)
    assert level(pixels(1, bright=120)) == pytest.approx(120, abs=6)
    assert level(b"no picture") is None
    assert level(b"") is None
    assert level(np.zeros((8, 8, 3), np.uint8)) == 0
