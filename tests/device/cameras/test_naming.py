"""Cameras by name, and what is plugged in."""

from pathlib import Path

import pytest

from device.cameras.camera import CameraError
from device.cameras.naming import FoundCamera, camera_named, found_cameras
from tests.device.cameras.fakes import wait_until

LISTING = """Available cameras
-----------------
0 : imx708 [4608x2592 10-bit RGGB] (/base/axi/pcie@1000120000/rp1/i2c@88000/imx708@1a)
    Modes: 'SRGGB10_CSI2P' : 1536x864 [120.13 fps - (768, 432)/3072x1728 crop]
                             4608x2592 [14.35 fps - (0, 0)/4608x2592 crop]
1 : imx219 [3280x2464] (/base/soc/i2c0mux/i2c@1/imx219@10)
    Modes: 'SRGGB8' : 640x480 [206.65 fps - (1000, 752)/1280x960 crop]
2 : uvc [1920x1080] (/base/soc/usb@7e980000/webcam)
"""
PI = "platform-fd500000.pcie-pci-0000:01:00.0-usb"


class Machine:
    """Folders as udev and the kernel make them, and programs on the PATH."""

    def __init__(self, folder: Path) -> None:
        self.dev, self.sys, self.bin = folder / "dev", folder / "sys", folder / "bin"
        for path in (self.dev / "v4l" / "by-id", self.dev / "v4l" / "by-path", self.bin):
            path.mkdir(parents=True)

    def plug(self, number: int, name: str, by_id: str | None, plug: str | None) -> None:
        """A camera with its two devices: pictures, and what it says of them."""
        for index in (0, 1):
            node = self.dev / f"video{number + index}"
            node.touch()
            about = self.sys / "class" / "video4linux" / node.name
            about.mkdir(parents=True)
            (about / "name").write_text(f"{name}\n")
            for folder, start in (("by-id", by_id), ("by-path", plug)):
                if start is not None:
                    link = self.dev / "v4l" / folder / f"{start}-video-index{index}"
                    link.unlink(missing_ok=True)
                    link.symlink_to(node)

    def lists(self, text: str, name: str = "rpicam-hello") -> None:
        program = self.bin / name
        program.write_text(f"#!/bin/sh\n[ \"$*\" = --list-cameras ] || exit 3\ncat <<'END'\n{text}END\n")
        program.chmod(0o755)

    def found(self) -> tuple[FoundCamera, ...]:
        return found_cameras(self.dev, self.sys)

    def at(self, folder: str, name: str) -> str:
        return f"v4l2:{self.dev}/v4l/{folder}/{name}-video-index0"


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    machine = Machine(tmp_path)
    monkeypatch.setenv("PATH", f"{machine.bin}:/usr/bin:/bin")
    return machine


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("", "'' is no kind of camera; known are v4l2:/dev/v4l/by-id/..., rpicam:0, http://HOST/..., file:"),
        ("webcam", "'webcam' is no kind of camera"),
        ("rtsp://ann:tOpSecret@cam/", "'rtsp' is no kind of camera"),
        ("v4l2:0", "v4l2: is followed by the device's path, such as v4l2:/dev/video0"),
        ("v4l2:", "such as v4l2:/dev/video0"),
        ("rpicam:", "rpicam: is followed by the camera's number, such as rpicam:0"),
        ("rpicam:-1", "such as rpicam:0"),
        ("file:", "'file' is no kind of camera; known are"),
        ("http:", "write http://HOST:PORT/PATH"),
    ],
)
def test_words_that_name_no_camera_are_refused_in_one_line(source: str, words: str) -> None:
    with pytest.raises(CameraError) as caught:
        camera_named(source, "tray")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "tOpSecret" not in str(caught.value)


@pytest.mark.parametrize("source", ["v4l2:/dev/v4l/by-id/usb-none-video-index0", "rpicam:0", "file:none.mp4"])
def test_a_camera_that_is_not_there_is_named_all_the_same_and_says_so(machine: Machine, source: str) -> None:
    assert machine.bin.is_dir()
    camera = camera_named(source, "tray")
    wait_until(lambda: camera.report().state == "gone")
    assert (camera.name, camera.report().source) == ("tray", source)
    assert camera.report().words.startswith(source)
    camera.close()


def test_on_a_machine_without_cameras_none_is_found(machine: Machine, tmp_path: Path) -> None:
    assert machine.found() == ()
    assert found_cameras(tmp_path / "nothing", tmp_path / "nothing") == ()


def test_usb_cameras_are_found_by_the_name_that_stays_and_only_where_pictures_come(machine: Machine) -> None:
    machine.plug(0, "HD Pro Webcam C920", "usb-046d_HD_Pro_Webcam_C920_12AB", f"{PI}-0:1.3:1.0")
    machine.plug(2, "USB 2.0 Camera: USB Camera", "usb-Sonix_USB_2.0_Camera", None)
    machine.plug(10, "bcm2835-codec-decode", None, "platform-bcm2835-codec")
    assert machine.found() == (
        FoundCamera(machine.at("by-id", "usb-046d_HD_Pro_Webcam_C920_12AB"), "HD Pro Webcam C920"),
        FoundCamera(machine.at("by-id", "usb-Sonix_USB_2.0_Camera"), "USB 2.0 Camera: USB Camera"),
    )


def test_two_of_one_kind_with_serial_numbers_keep_their_names(machine: Machine) -> None:
    machine.plug(0, "C920", "usb-046d_C920_AAAA", f"{PI}-0:1.3:1.0")
    machine.plug(2, "C920", "usb-046d_C920_BBBB", f"{PI}-0:1.4:1.0")
    assert machine.found() == (
        FoundCamera(machine.at("by-id", "usb-046d_C920_AAAA"), "C920, USB 1.3"),
        FoundCamera(machine.at("by-id", "usb-046d_C920_BBBB"), "C920, USB 1.4"),
    )


def test_two_of_one_kind_without_serial_numbers_are_named_by_their_plugs(machine: Machine) -> None:
    machine.plug(0, "Cheap Cam: Cheap Cam", "usb-Cheap_Cam", f"{PI}-0:1.3:1.0")
    machine.plug(2, "Cheap Cam: Cheap Cam", "usb-Cheap_Cam", f"{PI}-0:1.4:1.0")
    assert machine.found() == (
        FoundCamera(machine.at("by-path", f"{PI}-0:1.3:1.0"), "Cheap Cam, USB 1.3"),
        FoundCamera(machine.at("by-path", f"{PI}-0:1.4:1.0"), "Cheap Cam, USB 1.4"),
    )


@pytest.mark.parametrize("name", ["rpicam-hello", "libcamera-hello"])
def test_the_pis_own_cameras_are_those_that_libcamera_lists(machine: Machine, name: str) -> None:
    machine.lists(LISTING, name)
    assert machine.found() == (
        FoundCamera("rpicam:0", "the Pi's camera 0 (imx708, 4608 x 2592)"),
        FoundCamera("rpicam:1", "the Pi's camera 1 (imx219, 3280 x 2464)"),
    )


def test_a_pi_without_cameras_lists_none(machine: Machine) -> None:
    machine.lists("No cameras available!\n")
    assert machine.found() == ()
