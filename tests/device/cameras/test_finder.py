import pytest

from device.cameras import finder
from device.cameras.camera import Camera
from device.cameras.finder import Finder
from device.cameras.naming import FoundCamera
from device.simulated.held import HeldCamera


@pytest.fixture(autouse=True)
def no_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cameras that open nothing."""
    monkeypatch.setattr(finder, "camera_named", lambda source, name, wake: HeldCamera(name))  # noqa: ARG005 - as it is called


def test_a_camera_that_is_plugged_in_later_joins_once_and_stays_when_it_is_pulled_out() -> None:
    plugged: list[FoundCamera] = []
    joined: list[Camera] = []
    searching = Finder(joined.append, found=lambda: plugged)
    searching.look()
    assert joined == []
    plugged.append(FoundCamera("v4l2:/dev/video0", "a webcam"))
    searching.look()
    plugged.append(FoundCamera("rpicam:0", "the Pi's own"))
    searching.look()
    plugged.clear()
    searching.look()
    assert [camera.name for camera in joined] == ["camera1", "camera2"]
    searching.close()
    assert [camera.report().state for camera in joined] == ["ended", "ended"]
