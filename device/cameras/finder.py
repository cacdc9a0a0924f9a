"""Looks for cameras that are plugged in, now and while an evening is on: one plugged in later joins it."""

import logging
import threading
from collections.abc import Callable, Sequence
from typing import Final

from device.cameras.camera import Camera, CameraError
from device.cameras.naming import FoundCamera, camera_named, found_cameras

log = logging.getLogger(__name__)

BETWEEN: Final = 10.0
"""Seconds between two looks at what is plugged in."""


class Finder:
    """Hands each camera that is found to `join`, once, called camera1, camera2, ... in the order of their coming.

    One that is pulled out stays: it tries again by itself (device.cameras.grabber). `wake` is as in camera_named.
    """

    def __init__(
        self,
        join: Callable[[Camera], object],
        wake: Callable[[], None] = lambda: None,
        found: Callable[[], Sequence[FoundCamera]] = found_cameras,
    ) -> None:
        """Find nothing yet."""
        self._join = join
        self._wake = wake
        self._found = found
        self._known: dict[str, Camera] = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._search, name="racko-finder", daemon=True)

    def start(self) -> None:
        """Search from now on, on a thread of its own: asking for the Pi's cameras takes a while."""
        self._thread.start()

    def close(self) -> None:
        """Search no more, and close what was found."""
        self._stop.set()
        for camera in self._known.values():
            camera.close()

    def look(self) -> None:
        """Look once."""
        for found in self._found():
            if found.source in self._known or self._stop.is_set():
                continue
            try:
                camera = camera_named(found.source, f"camera{len(self._known) + 1}", self._wake)
            except CameraError as problem:
                log.warning("%s", problem)
                continue
            log.info("%s is %s", camera.name, found.words)
            self._known[found.source] = camera
            self._join(camera)

    def _search(self) -> None:
        while True:
            self.look()
            if self._stop.wait(BETWEEN):
                return
