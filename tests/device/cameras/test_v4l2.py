"""USB cameras, with a stand-in for cv2.VideoCapture: no machine that runs tests has one plugged in."""

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.cameras.camera import CameraError, Wishes
from device.cameras.driver import picture_size
from device.cameras.grabber import Grabber
from device.cameras.light import level
from device.cameras.v4l2 import BUFFERS, V4l2Driver
from tests.device.cameras.fakes import UsbCamera, jpeg, wait_until

SMALL = Wishes(size=(320, 240))


@pytest.fixture
def camera() -> UsbCamera:
    return UsbCamera()


@pytest.fixture
def device(tmp_path: Path) -> Path:
    """A name as udev gives it, of a device that everybody may open."""
    link = tmp_path / "usb-046d_HD_Webcam_C920-video-index0"
    link.symlink_to("/dev/null")
    return link


def driver(device: Path, camera: UsbCamera, wishes: Wishes | None = None) -> V4l2Driver:
    return V4l2Driver(str(device), wishes or Wishes(), camera.capture, camera.clock)


def refusal(device: Path, camera: UsbCamera) -> str:
    with pytest.raises(CameraError) as caught:
        driver(device, camera).open()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_jpeg_bytes_come_as_the_camera_made_them(device: Path, camera: UsbCamera) -> None:
    usb = driver(device, camera)
    usb.open()
    assert [usb.read(), usb.read()] == [jpeg(1, (1920, 1080)), jpeg(2, (1920, 1080))]
    asked = camera.opened[0].properties
    assert list(asked)[:3] == [cv2.CAP_PROP_FOURCC, cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT]
    assert (asked[cv2.CAP_PROP_FPS], asked[cv2.CAP_PROP_BUFFERSIZE], asked[cv2.CAP_PROP_CONVERT_RGB]) == (
        15,
        BUFFERS,
        0,
    )
    assert usb.remark == ""


def test_a_camera_without_motion_jpeg_gives_pixels(device: Path, camera: UsbCamera) -> None:
    camera.codes = ("YUYV",)
    usb = driver(device, camera)
    usb.open()
    picture = usb.read()
    assert isinstance(picture, np.ndarray)
    assert picture.shape == (1080, 1920, 3)


def test_where_the_bytes_are_no_jpeg_opencv_decodes_them(device: Path, camera: UsbCamera) -> None:
    camera.keeps_raw = False
    usb = driver(device, camera)
    usb.open()
    picture = usb.read()
    assert isinstance(picture, np.ndarray)
    assert picture.shape == (1080, 1920, 3)


def test_a_smaller_camera_says_what_it_gives(device: Path, camera: UsbCamera) -> None:
    camera.sizes = camera.works = ((640, 480),)
    usb = driver(device, camera)
    usb.open()
    assert picture_size(usb.read()) == (640, 480)
    assert usb.remark == "it sends 640 x 480 pixels, not 1920 x 1080"


def test_where_nothing_comes_at_a_size_a_smaller_one_is_tried(device: Path, camera: UsbCamera) -> None:
    camera.works = ((1280, 720), (640, 480))
    usb = driver(device, camera)
    usb.open()
    assert picture_size(usb.read()) == (1280, 720)
    assert "1280 x 720 pixels, not 1920 x 1080, at which nothing came" in usb.remark
    assert [capture.open for capture in camera.opened] == [False, True]


def test_the_black_pictures_at_the_start_are_passed_over(device: Path, camera: UsbCamera) -> None:
    camera.black = 5
    usb = driver(device, camera)
    usb.open()
    assert (level(usb.read()) or 0) > 50
    assert camera.opened[0].number == 6


def test_a_dark_room_is_shown_all_the_same(device: Path, camera: UsbCamera) -> None:
    camera.black = 1000
    usb = driver(device, camera, SMALL)
    usb.open()
    assert (level(usb.read()) or 0) < 30
    assert camera.opened[0].number < 30


def test_padding_is_taken_off_and_a_cut_picture_is_passed_over(device: Path, camera: UsbCamera) -> None:
    usb = driver(device, camera)
    usb.open()
    usb.read()
    camera.spoil = lambda data: data + b"\0" * 9000
    assert usb.read() == jpeg(2, (1920, 1080))
    camera.spoil = lambda data: data[:-500] if camera.opened[0].number < 5 else data
    assert usb.read() == jpeg(5, (1920, 1080))


def test_broken_pictures_only_are_a_cable_or_the_bus(device: Path, camera: UsbCamera) -> None:
    camera.sizes = camera.works = ((320, 240),)
    camera.spoil = lambda data: data[:-500]
    assert "sends broken pictures only; pull its plug and put it back, best into a port" in refusal(device, camera)


def test_a_pulled_plug_is_told_in_words(device: Path, camera: UsbCamera) -> None:
    usb = driver(device, camera)
    usb.open()
    usb.read()
    camera.plugged = False
    with pytest.raises(CameraError, match="sends no picture; pull its plug and put it back"):
        usb.read()
    device.unlink()
    with pytest.raises(CameraError, match="is not there; plug the camera in"):
        usb.read()
    usb.close()
    usb.close()
    assert not camera.opened[0].open


def test_each_reason_why_a_camera_cannot_be_opened_has_its_words(
    device: Path, camera: UsbCamera, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "is not there; plug the camera in" in refusal(device.parent / "absent", camera)
    plain = device.parent / "plain"
    plain.touch()
    assert "is no device; cameras are named" in refusal(plain, camera)
    camera.busy = True
    assert "cannot be opened; close other programs that use this camera" in refusal(device, camera)
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)
    words = refusal(device, camera)
    assert "may not be read by this user" in words
    assert "usermod -aG video" in words


def test_exposure_is_held_only_where_that_is_wished(device: Path, camera: UsbCamera) -> None:
    for hold, mode in ((False, 3), (True, 1)):
        camera.controls[cv2.CAP_PROP_AUTO_EXPOSURE] = 3
        usb = driver(device, camera, Wishes(SMALL.size, hold_light=hold))
        usb.open()
        for _ in range(70):
            usb.read()
        usb.close()
        assert camera.controls[cv2.CAP_PROP_AUTO_EXPOSURE] == mode


def test_pulled_and_put_back_in_it_is_back_by_itself(device: Path, camera: UsbCamera) -> None:
    grabber = Grabber("tray", f"v4l2:{device}", lambda: driver(device, camera, SMALL))
    wait_until(lambda: grabber.report().state == "live")
    camera.plugged = False
    wait_until(lambda: grabber.report().state == "gone")
    camera.plugged = True
    wait_until(lambda: grabber.report().state == "live")
    grabber.close()
    assert not any(capture.open for capture in camera.opened)
