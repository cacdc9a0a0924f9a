"""Cameras that are watched, and the light that they see by."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from device.cameras.camera import CameraError
from device.cameras.naming import FoundCamera
from device.doctor import cameras, light
from device.doctor.case import Case
from device.doctor.findings import Finding
from device.doctor.views import View
from tests.device.doctor.seen import FakeCamera, Ticks, banded, noisy, rack_picture, sight_of, view
from tests.device.doctor.visits import Place, case_of, check_words, only
from vision.frame import Frame

RACK = rack_picture()
ONE, OTHER = "v4l2:/dev/v4l/by-id/one", "v4l2:/dev/v4l/by-id/other"


def frames(number: int) -> Frame:
    return noisy(RACK, number % 5)


FIVE = [frames(number) for number in range(5)]


def visit(place: Place, *watched: FakeCamera, running: bool = False) -> Case:
    """A visit to cameras, by their names; on a clock that goes while the doctor waits."""
    known, ticks = {camera.name: camera for camera in watched}, Ticks()
    case = place.case(running=running, monotonic=ticks, pause=ticks.pause, open_camera=lambda source, _: known[source])
    case.sources = tuple(known)
    return case


def fake(name: str = ONE, **changes: object) -> FakeCamera:
    camera = FakeCamera(name, lambda number: FIVE[number % 5])
    for key, value in changes.items():
        setattr(camera, key, value)
    return camera


def of_camera(case: Case) -> Finding:
    """What is said of the one camera."""
    return only([finding for finding in cameras.check(case) if "plugged" not in finding.found])


def test_a_camera_that_does_well_is_told_in_figures_and_given_back(place: Place) -> None:
    camera = fake()
    finding = of_camera(visit(place, camera))
    assert finding.verdict == "good"
    assert f"{ONE}: 1280 x 720 pixels, 15 pictures a second" in finding.found
    assert "0 dropped, 0 broken" in finding.found
    assert camera.closed == [ONE]


def test_auto_is_whatever_is_plugged_in_and_another_camera_beside_it(place: Place) -> None:
    case = visit(place, fake(ONE), fake(OTHER))
    case.machine = replace(case.machine, cameras=lambda _dev, _sys: (FoundCamera(ONE, "HD Webcam"),))
    case.sources = ("auto",)
    assert list(case.named) == [ONE]
    case = replace(case, sources=("auto", f"tray={OTHER}"))
    assert list(case.named) == [ONE, OTHER]
    assert [finding.verdict for finding in cameras.check(case)][1:] == ["good", "good"]


def test_auto_without_any_camera_says_to_plug_one_in(place: Place) -> None:
    case = place.case()
    case.sources = ("auto",)
    finding = only(list(cameras.check(case)))
    assert finding.verdict == "look"
    assert "plug in a USB camera" in finding.mend


def test_a_camera_is_named_as_for_serve(place: Place) -> None:
    case = visit(place, fake())
    case.sources = (f"tray={ONE}",)
    assert of_camera(case).verdict == "good"


@pytest.mark.parametrize(
    ("changes", "verdict", "words"),
    [
        ({"rate": 5.0}, "look", "more light"),
        ({"rate": 1.0}, "bad", "more light"),
        ({"size": (640, 480)}, "look", "1280 x 720 pixels or more"),
        ({"words": "it sends 1280 x 720 pixels, not 1920 x 1080"}, "look", "not 1920 x 1080"),
        ({"state": "frozen", "words": "look whether its lens is covered"}, "bad", "lens is covered"),
        ({"dropped": 40}, "look", "did not keep up"),
        ({"give": lambda _: FIVE[0]}, "bad", "the very same picture"),
        ({"give": lambda number: FIVE[0] if number % 2 else Frame(b"\xff\xd8broken", "cam")}, "look", "came broken"),
        ({"give": lambda _: None, "size": None, "words": "may not be read; group video"}, "bad", "group video"),
        ({"give": lambda _: None, "size": None}, "bad", "plug it out"),
    ],
)
def test_what_is_amiss_with_a_camera_is_said_with_what_to_do(
    place: Place, changes: dict[str, object], verdict: str, words: str
) -> None:
    finding = of_camera(visit(place, fake(ONE, **changes)))
    assert finding.verdict == verdict
    assert words in finding.mend


def test_several_slow_cameras_are_told_of_the_bandwidth_that_they_share(place: Place) -> None:
    case = visit(place, fake(ONE, rate=4.0), fake(OTHER))
    slow, fast = (finding for finding in cameras.check(case) if "plugged" not in finding.found)
    assert (slow.verdict, fast.verdict) == ("look", "good")
    assert "bandwidth" in slow.mend


def test_a_camera_that_no_name_leads_to_is_bad_and_the_others_are_looked_at(place: Place) -> None:
    case = visit(place, fake(OTHER))
    case.sources = ("toaster:1", OTHER)
    opened = case.machine.open_camera

    def open_camera(source: str, name: str) -> object:
        if source.startswith("toaster"):
            raise CameraError("'toaster' is no kind of camera")
        return opened(source, name)

    object.__setattr__(case.machine, "open_camera", open_camera)
    found = {finding.verdict: finding for finding in cameras.check(case) if "plugged" not in finding.found}
    assert "no kind of camera" in found["bad"].mend
    assert OTHER in found["good"].found


@pytest.mark.parametrize(
    ("name", "shown"), [("cam.local/mjpeg?key=abc", "http://cam.local/mjpeg?..."), ("[", "http:...")]
)
def test_no_password_of_a_camera_in_the_network_is_shown(place: Place, name: str, shown: str) -> None:
    source = f"http://ada:secret@{name}"
    finding = of_camera(visit(place, fake(source)))
    assert finding.found.startswith(f"{shown}: 1280 x 720")


def test_a_camera_that_is_gone_is_not_waited_for(place: Place) -> None:
    camera = fake(give=lambda _: None, state="gone", size=None, words="it is not there; plug it in")
    case = visit(place, camera)
    assert of_camera(case).verdict == "bad"
    assert camera.asked < 100


def test_a_running_table_keeps_its_cameras(place: Place) -> None:
    camera = fake()
    finding = of_camera(visit(place, camera, running=True))
    assert finding.verdict == "skipped"
    assert camera.asked == 0


def test_what_is_plugged_in_is_said_with_its_name_and_looked_through_where_none_is_named(place: Place) -> None:
    case = visit(place, fake())
    case.sources = ()
    object.__setattr__(case.machine, "cameras", lambda _dev, _sys: (FoundCamera(ONE, "HD Webcam C920, USB 1.3"),))
    plugged, watched = cameras.check(case)
    assert plugged.found == f"plugged in: HD Webcam C920, USB 1.3 ({ONE})"
    assert watched.found.startswith("HD Webcam C920, USB 1.3: 1280 x 720")


def test_where_no_camera_is_named_or_plugged_in_that_is_worth_a_look(place: Place) -> None:
    case = place.case()
    assert only(list(cameras.check(case))).verdict == "look"
    assert only(list(light.check(case))).verdict == "skipped"


def test_a_folder_that_is_no_session_is_bad_in_one_line(place: Place) -> None:
    case = place.case()
    case.sources = ("session:nowhere",)
    finding = list(cameras.check(case))[-1]
    check_words(finding)
    assert "session.json" in finding.mend


def lit(picture: np.ndarray, **changes: object) -> Finding:
    """What is said of the light in a picture."""
    seen = view(picture.astype(np.uint8))
    return only(list(light.check(case_of((View(**{**vars(seen), **changes}), sight_of(seen))))))


def test_good_light_is_told_in_figures() -> None:
    finding = lit(RACK)
    assert finding.verdict == "good"
    assert "brightness" in finding.found
    assert "sharpness" in finding.found


@pytest.mark.parametrize(
    ("picture", "verdict", "words"),
    [
        (RACK * 0.02, "bad", "too dark"),
        (RACK * 0.25, "look", "too dark"),
        (np.clip(RACK * 20.0, 0, 255), "bad", "too bright"),
        (cv2.GaussianBlur(RACK, (0, 0), 7), "bad", "blurred"),
    ],
    ids=["dark", "dim, but read", "bright", "blurred"],
)
def test_light_that_hinders_is_said_and_is_bad_where_little_is_read(
    picture: np.ndarray, verdict: str, words: str
) -> None:
    finding = lit(picture)
    assert finding.verdict == verdict
    assert words in finding.mend


def test_glare_on_a_racks_cards_is_told_by_its_share() -> None:
    glaring = RACK.astype(np.int16)
    glaring[240:400, 500:800] += 160
    finding = lit(np.clip(glaring, 0, 255))
    assert "of the cards of seat 2" in finding.mend
    assert finding.verdict == "look"


@pytest.mark.parametrize(("part", "verdict"), [(0.0, "good"), (0.02, "good"), (0.15, "look"), (0.4, "look")])
def test_a_lamp_that_flickers_is_noticed_and_a_quiet_one_is_not(part: float, verdict: str) -> None:
    small = banded(RACK, part, [number * 0.37 for number in range(12)])
    finding = lit(RACK, small=small)
    assert finding.verdict == verdict
    assert "flicker" in finding.found


def test_neither_a_hand_nor_a_camera_that_settles_is_taken_for_flicker() -> None:
    (still,) = banded(RACK, 0.0, [0.0])
    hands = [still.copy() for _ in range(12)]
    for number in (3, 4, 7):
        hands[number][:, 20:80] = 40
    assert light.flicker(hands) < light.FLICKER
    assert light.flicker([np.asarray(still * (0.5 + 0.04 * number), np.uint8) for number in range(12)]) < light.FLICKER
