"""The machine that is checked, as far as checks may touch it: files of the system, programs, clocks, devices.

Tests put a folder in the place of /, and things of their own in the place of the rest.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gpiozero import Device, Factory

from device.cameras.camera import Camera
from device.cameras.naming import FoundCamera, camera_named, found_cameras

ASKING: Final = 4.0
"""Seconds that a program has to answer."""
ALSO: Final = ("/usr/sbin", "/sbin")
"""Where Debian keeps `iw`, which is not on everybody's PATH."""


def _pins_of_this_machine() -> Factory:
    Device.ensure_pin_factory()
    return Device.pin_factory


@dataclass(frozen=True)
class Machine:
    """`root` is the folder that /proc, /sys, /dev and /run lie in.

    wall: seconds since 1970. monotonic, pause: the clock of `device.cameras`, and waiting. free: free bytes of the disk
    that a folder is on. pins: gpiozero's pins. open_camera: a camera by its source and name. cameras: what is plugged
    in, by /dev and /sys.
    """

    root: Path = Path("/")
    wall: Callable[[], float] = time.time
    monotonic: Callable[[], float] = time.monotonic
    pause: Callable[[float], None] = time.sleep
    free: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free
    pins: Callable[[], Factory] = _pins_of_this_machine
    open_camera: Callable[[str, str], Camera] = camera_named
    cameras: Callable[[Path, Path], tuple[FoundCamera, ...]] = found_cameras

    def path(self, *parts: str) -> Path:
        """A path of the system, such as ("sys", "class", "thermal")."""
        return self.root.joinpath(*parts)

    def text(self, *parts: str) -> str | None:
        """What such a file says, without blanks and zero bytes at its ends; None where it cannot be read."""
        try:
            return self.path(*parts).read_text(encoding="utf-8", errors="replace").strip(" \t\r\n\0")
        except OSError:
            return None

    def ask(self, program: str, *words: str) -> str | None:
        """What a program answers; None where it is not installed, fails, or is not done in ASKING seconds."""
        found = shutil.which(program, path=os.pathsep.join((os.environ.get("PATH", ""), *ALSO)))
        if found is None:
            return None
        try:
            done = subprocess.run(  # noqa: S603 - a found program with words of our own
                [found, *words],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=ASKING,
                check=False,
                env=os.environ | {"LC_ALL": "C"},
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout.decode(errors="replace").strip() if done.returncode == 0 else None

    @property
    def model(self) -> str | None:
        """Which Raspberry Pi it is ("Raspberry Pi 4 Model B Rev 1.4"), None for any other machine."""
        model = self.text("proc", "device-tree", "model")
        return model if model is not None and "Raspberry Pi" in model else None
