"""Cameras by name: the words of a configuration made into cameras, and what is plugged in as such words."""

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from device.cameras.camera import Camera, CameraError, Wishes
from device.cameras.driver import Driver
from device.cameras.grabber import Grabber, Timing
from device.cameras.mjpeg import HttpDriver, shown
from device.cameras.movie import MovieDriver, StillDriver
from device.cameras.rpicam import RpicamDriver
from device.cameras.v4l2 import V4l2Driver
from vision.picture import is_picture

KNOWN: Final = (
    "v4l2:/dev/v4l/by-id/..., rpicam:0, http://HOST/..., file:movie.mp4 or file:picture.jpg; auto is every camera that"
    " is plugged in, session:DIR and simulated:SEED are whole tables"
)

LISTERS: Final = ("rpicam-hello", "libcamera-hello")
LISTING: Final = 10.0
"""Seconds that the program has to list the Pi's cameras."""
LISTED = re.compile(r"^\s*(\d+) : (\S+) \[(\d+)x(\d+)[^\]]*\] \((.*)\)", re.MULTILINE)
"""A line such as `0 : imx708 [4608x2592 10-bit RGGB] (/base/axi/...)`; the lines of its modes have no such number."""


@dataclass(frozen=True)
class FoundCamera:
    """A camera that is plugged in: `source` for the configuration, `words` for a person ("HD Webcam C920, USB 1.3")."""

    source: str
    words: str


def camera_named(
    source: str, name: str, wake: Callable[[], None] = lambda: None, wishes: Wishes | None = None
) -> Camera:
    """Start the camera that `source` names, as the table's camera `name`; raise CameraError for words that name none.

    A device that cannot be had is no error here: its camera says so in its report, and is there when it is there.
    `wake` is as in `Grabber`.
    """
    said, driver = _driver(source, wishes or Wishes())
    return Grabber(name, said, driver, wake, Timing(same=None) if said.startswith("file:") else Timing())


def _driver(source: str, wishes: Wishes) -> tuple[str, Callable[[], Driver]]:
    """Give the words to show for a source, and what makes its drivers."""
    kind, _, rest = source.partition(":")
    match kind:
        case "v4l2" if re.fullmatch(r"/dev/\S+", rest):
            return source, lambda: V4l2Driver(rest, wishes)
        case "v4l2":
            raise CameraError(f"{source!r}: v4l2: is followed by the device's path, such as v4l2:/dev/video0")
        case "rpicam" if re.fullmatch(r"\d{1,3}", rest):
            return source, lambda: RpicamDriver(int(rest), wishes)
        case "rpicam":
            raise CameraError(f"{source!r}: rpicam: is followed by the camera's number, such as rpicam:0")
        case "http" | "https":
            return shown(source), lambda: HttpDriver(source, wishes)
        case "file" if rest:
            path = Path(rest)
            return source, (lambda: StillDriver(path)) if is_picture(path) else (lambda: MovieDriver(path))
    # What stands before a colon is shown and no more: the rest may be an address with a password.
    raise CameraError(f"{kind[:20]!r} is no kind of camera; known are {KNOWN}")


def found_cameras(devices: Path = Path("/dev"), system: Path = Path("/sys")) -> tuple[FoundCamera, ...]:
    """Give the cameras that are plugged in now, USB cameras first. Looks at names only and opens no USB camera."""
    return (*_usb_cameras(devices, system), *_pi_cameras())


def _usb_cameras(devices: Path, system: Path) -> Iterator[FoundCamera]:
    """Find USB cameras by the names that stay the same: by their maker's, else by the plug that they are in.

    `index0` is the one that gives pictures. Two cameras of one kind without serial numbers have one name together,
    which means now this one and now that: these are named by their plugs. Other devices of a Pi have such names
    too, so only those on USB count.
    """
    by_id = {link.resolve(): link for link in sorted(devices.glob("v4l/by-id/usb-*-video-index0"))}
    by_path = {link.resolve(): link for link in sorted(devices.glob("v4l/by-path/*usb*-video-index0"), reverse=True)}
    models = {node: _model(node, system) for node in by_id | by_path}
    unnamed = {models[node] for node in by_path if node not in by_id}
    times = Counter(models.values())
    for node in sorted(models, key=lambda node: (models[node], str(by_path.get(node, "")))):
        model, plug = models[node], by_path.get(node)
        link = by_id.get(node)
        if link is None or (plug is not None and model in unnamed):
            link = plug
        where = re.search(r"usb[^-]*-\d+:([\d.]+)", plug.name) if plug is not None else None
        place = f"USB {where[1] if where else ''}".strip()
        yield FoundCamera(f"v4l2:{link}", f"{model}, {place}" if times[model] > 1 else model)


def _model(node: Path, system: Path) -> str:
    """Give what a camera calls itself."""
    try:
        name = (system / "class" / "video4linux" / node.name / "name").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return node.name
    # The kernel puts a name twice where product and interface have the same one: "USB Camera: USB Camera".
    first, _, second = " ".join(name.split()).partition(": ")
    return first if not second or second.startswith(first) or first.startswith(second) else f"{first}: {second}"


def _pi_cameras() -> Iterator[FoundCamera]:
    """Ask libcamera's program for the Pi's own cameras; where there is no such program there are none."""
    program = next((path for name in LISTERS if (path := shutil.which(name))), None)
    if program is None:
        return
    try:
        done = subprocess.run(  # noqa: S603 - a found program with words of our own
            [program, "--list-cameras"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=LISTING,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return
    for number, sensor, width, height, place in LISTED.findall(done.stdout.decode(errors="replace")):
        if "/usb" not in place.lower():
            yield FoundCamera(f"rpicam:{number}", f"the Pi's camera {number} ({sensor}, {width} x {height})")
