"""The Pi's own cameras: `rpicam:0`, through the program rpicam-vid, so that nothing of libcamera is in our process.

Its options are those of the Raspberry Pi documentation, camera software. It writes JPEG pictures one after the other,
and some versions a line of text before them, which the splitter passes over.
"""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import threading
from typing import IO, Final, cast

from device.cameras.camera import CameraError, Picture, Wishes
from device.cameras.jpegs import Splitter

PROGRAMS: Final = ("rpicam-vid", "libcamera-vid")
"""The program's name, and the one that it had until 2023; the options are the same."""
QUALITY: Final = 90
"""JPEG quality; the program's default of 50 blurs small numbers."""
CHUNK: Final = 1 << 16
LINE: Final = 4096
ENDING: Final = 1.0
"""Seconds that the program has to end by itself; then it is killed."""
CHATTER = re.compile(r"#\d+ \(")
"""Old versions write such a line for each picture."""


class RpicamDriver:
    """One run of rpicam-vid (see `device.cameras.grabber.Driver`); `number` is the camera's in `--list-cameras`."""

    remark = ""

    def __init__(self, number: int, wishes: Wishes) -> None:
        self._number, self._wishes = number, wishes
        self._process: subprocess.Popen[bytes] | None = None
        self._interrupted = False
        self._splitter = Splitter()
        self._pictures: list[bytes] = []
        self._said = ""
        self._listener: threading.Thread | None = None

    def open(self) -> None:
        """Start the program."""
        found = next((path for name in PROGRAMS if (path := shutil.which(name))), None)
        if found is None:
            raise CameraError(
                f"rpicam:{self._number}: the program rpicam-vid is not installed here; sudo apt install rpicam-apps"
            )
        (width, height), rate = self._wishes.size, self._wishes.rate
        command = [found, "--camera", self._number, "--codec", "mjpeg", "--quality", QUALITY, "-o", "-", "-t", 0]
        command += ["--nopreview", "--width", width, "--height", height, "--framerate", rate, "--flush"]
        try:
            # In a process group of its own, so that Ctrl+C reaches us alone and nothing of it is left over.
            self._process = subprocess.Popen(  # noqa: S603 - a found program with words of our own
                [str(word) for word in command],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                process_group=0,
            )
        except OSError as problem:
            raise CameraError(f"rpicam:{self._number}: {found} cannot be started ({problem.strerror})") from None
        self._listener = threading.Thread(target=self._listen, args=(self._process,), daemon=True)
        self._listener.start()
        if self._interrupted:
            self.interrupt()

    def read(self) -> Picture:
        """Give the next picture, waiting for it."""
        if self._process is None:
            raise CameraError(f"rpicam:{self._number} is not open")
        # The casts: both pipes were asked for.
        pipe = cast("IO[bytes]", self._process.stdout).fileno()
        while not self._pictures:
            data = os.read(pipe, CHUNK)
            if not data:
                raise self._ended(self._process)
            self._pictures = self._splitter.feed(data)
        return self._pictures.pop(0)

    def interrupt(self) -> None:
        """Kill the program: then whoever reads from it comes back."""
        self._interrupted = True
        self._signal(signal.SIGKILL)

    def close(self) -> None:
        """End the program, kill it if it does not end, and reap it."""
        process = self._process
        if process is None:
            return
        self._signal(signal.SIGTERM)
        try:
            process.wait(ENDING)
        except subprocess.TimeoutExpired:
            self._signal(signal.SIGKILL)
            process.wait()
        if process.stdout is not None:
            process.stdout.close()
        if self._listener is not None:
            self._listener.join(ENDING)

    def _signal(self, what: signal.Signals) -> None:
        process = self._process
        if process is not None and process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, what)

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        """Read what the program says, or it would stop at a full pipe; keep its last line, an error before others."""
        said = cast("IO[bytes]", process.stderr)
        while line := said.readline(LINE):
            words = " ".join(line.decode(errors="replace").split())
            if words and not CHATTER.match(words) and ("ERROR" in words or "ERROR" not in self._said):
                self._said = words
        said.close()

    def _ended(self, process: subprocess.Popen[bytes]) -> CameraError:
        """Say why there is nothing more to read."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(ENDING)
        if self._listener is not None:
            self._listener.join(ENDING)
        why = self._said[:200] or f"exit code {process.poll()}"
        return CameraError(
            f"rpicam:{self._number}: rpicam-vid has ended ({why}); look at the camera's flat cable, "
            "and close other programs that use it"
        )
