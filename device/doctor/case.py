"""What is to be checked: the owner's settings, the machine, and the views of the table that its cameras give."""

import http.client
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

from calibration.table import Table
from device.cameras.camera import CameraError
from device.cameras.mjpeg import shown
from device.cameras.naming import FoundCamera
from device.configuration import Configuration
from device.doctor.machine import Machine
from device.doctor.sight import Sight, Sights
from device.doctor.views import View, of_cameras, of_picture, of_table
from device.tables import AUTO, camera_wanted

TABLES: Final = ("simulated", "session")
"""Kinds of sources that are whole tables (device.tables); any other is one camera (device.cameras.naming)."""
ANSWERING: Final = 2.0
"""Seconds that a page on this machine has to answer."""
OWN: Final = b"RACK-O"
"""What the table's own page has in it."""


@dataclass
class Case:
    """One visit. `sources` and `pictures` are what the command line names; where it names none, the settings count.

    `table` holds the measures for cameras and pictures, None for the usual ones; a recorded or simulated table brings
    its own.
    """

    settings: Configuration
    table: Table | None = None
    sources: Sequence[str] = ()
    pictures: Sequence[Path] = ()
    machine: Machine = field(default_factory=Machine)

    @cached_property
    def plugged(self) -> tuple[FoundCamera, ...]:
        """The cameras that are plugged in."""
        return self.machine.cameras(self.machine.path("dev"), self.machine.path("sys"))

    @cached_property
    def named(self) -> dict[str, str]:
        """Sources to look through, each with a name for people: those that are named, else those that are there."""
        wanted = [camera_wanted(words, 1).source for words in self.sources]
        wanted = wanted or [camera.source for camera in self.settings.cameras]
        plugged = {camera.source: camera.words for camera in self.plugged}
        if not wanted:
            return {} if self.pictures else plugged
        named = {source: _name(source) for source in wanted if source != AUTO}
        return {**plugged, **named} if AUTO in wanted else named

    @cached_property
    def running(self) -> bool:
        """Whether a table runs on this machine, by the page at the port of the settings: it has cameras and pins."""
        page = http.client.HTTPConnection("localhost", self.settings.port, timeout=ANSWERING)
        try:
            page.request("GET", "/")
            return OWN in page.getresponse().read(1 << 16)
        except (OSError, http.client.HTTPException):
            return False
        finally:
            page.close()

    @cached_property
    def views(self) -> tuple[View, ...]:
        """What all cameras see, watched at the same time as in play, and the pictures that were named."""
        views = [of_picture(path, self.table) for path in self.pictures]
        cameras = {}
        for source, name in self.named.items():
            kind = source.partition(":")[0]
            if kind in TABLES:
                views += of_table(source, self.machine, f"{source}, " if len(self.named) > 1 else "")
            elif self.running and kind in {"v4l2", "rpicam"}:
                views.append(View(name, source, Table(), busy=True))
            else:
                cameras[source] = name
        return (*views, *of_cameras(cameras, self.table, self.machine))

    @cached_property
    def sights(self) -> tuple[tuple[View, Sight], ...]:
        """What is to be seen in each view that has a picture."""
        sights = Sights()
        return tuple((view, sights.of(view.frame, view)) for view in self.views if view.frame is not None)


def _name(source: str) -> str:
    """A source as it may be shown: an address in the network without its password."""
    kind = source.partition(":")[0]
    if kind not in {"http", "https"}:
        return source
    try:
        return shown(source)
    except CameraError:
        return f"{kind}:..."
