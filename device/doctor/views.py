"""What the cameras show, for the checks to look at: live cameras watched for some seconds, tables, and photographs."""

from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from device.cameras.camera import Camera, CameraReport
from device.doctor.machine import Machine
from device.tables import tables_named
from engine.cards import SEATS, Seat
from engine.errors import RackoError
from engine.variants import deck_of
from vision.frame import Frame
from vision.picture import PictureError

EDITION: Final = "parker-1992"
"""Whose sixty cards are looked for where no table says what is played."""
FIRST: Final = 20.0
"""Seconds that a camera has to give its first picture: `device.cameras.grabber` gives it up after 15."""
GONE: Final = 5.0
"""Seconds until one that could not be opened is believed to be gone; it is tried several times meanwhile."""
WATCHED: Final = 6.0
"""Seconds that cameras are watched from then on; the rate is counted over the latest 5."""
POLL: Final = 0.01
KEPT: Final = 40
"""Latest pictures whose brightness is kept, small: for flicker."""
DRAWING: Final = 8.0
ENOUGH: Final = 2
"""Of a table, so many pictures of each of its cameras are looked at, or as many as come in DRAWING seconds."""


@dataclass(frozen=True)
class View:
    """What one camera shows. `name` is for people; `label` has the camera's name in it, by which the table knows it.

    frame: its latest whole picture. seats: who may play.
    small: pictures that came on end, at an eighth of their size, (rows, columns) each.
    changed: how many of all `given` pictures were another than the one before. broken: how many could not be decoded.
    report: how a live camera was at the end. busy: the running table has it. problem: why there is nothing.
    """

    name: str
    label: str
    table: Table
    frame: Frame | None = None
    seats: Sequence[Seat] = SEATS
    deck: Sequence[int] = deck_of(EDITION, 4)
    report: CameraReport | None = None
    small: Sequence[NDArray[np.uint8]] = ()
    given: int = 0
    changed: int = 0
    broken: int = 0
    busy: bool = False
    problem: str = ""

    @property
    def live(self) -> bool:
        """Whether it is a camera that looks at a table now."""
        return self.report is not None


def of_picture(path: Path, table: Table | None) -> View:
    """Look at a photograph; raise PictureError if it cannot be read."""
    frame = Frame.load(path)
    _ = frame.colour
    return View(path.name, str(path), table or Table(), frame)


def of_table(source: str, machine: Machine, before: str = "") -> list[View]:
    """Look at a recorded or simulated table through each of its cameras; `before` comes before their names."""
    try:
        table = tables_named(source)(0)
        deck = deck_of(table.game.edition, len(table.game.players), table.game.variants)
        latest: dict[str, Frame] = {}
        times: dict[str, int] = dict.fromkeys(table.table.cameras, 0)
        end = machine.monotonic() + DRAWING
        for entry in table.timeline(lambda _: None):
            if isinstance(entry, tuple) or times.get(entry.camera, 0) >= ENOUGH:
                continue
            times[entry.camera] = times.get(entry.camera, 0) + 1
            latest[entry.camera] = table.picture(entry)
            if min(times.values()) >= ENOUGH or machine.monotonic() > end:
                break
    except (RackoError, PictureError) as problem:
        return [View(source, source, Table(), problem=" ".join(str(problem).split()))]
    seats = [player.seat for player in table.game.players]
    return [
        View(f"{before}{name}", name, table.table, frame, seats=seats, deck=deck)
        for name, frame in sorted(latest.items())
    ]


@dataclass
class _Watched:
    """A live camera while it is watched."""

    name: str
    source: str
    camera: Camera
    frame: Frame | None = None
    small: deque[NDArray[np.uint8]] = field(default_factory=lambda: deque(maxlen=KEPT))
    given: int = 0
    changed: int = 0
    broken: int = 0
    before: Frame | None = None
    since: float | None = None

    def take(self, now: float) -> None:
        """Take the newest picture, if there is one."""
        shot = self.camera.latest()
        if shot is None:
            return
        self.since = now if self.since is None else self.since
        self.given += 1
        if shot.frame is self.before:
            return
        self.before = shot.frame
        self.changed += 1
        try:
            self.small.append(shot.frame.small)
            self.frame = shot.frame
        except PictureError:
            self.broken += 1

    def over(self, now: float, begun: float) -> bool:
        """Whether it has been watched for long enough."""
        if self.since is not None:
            return now - self.since >= WATCHED
        return now - begun >= (GONE if self.camera.report().state == "gone" else FIRST)

    def view(self, table: Table | None) -> View:
        """What it showed."""
        return View(
            self.name,
            self.source,
            table or Table(),
            self.frame,
            report=self.camera.report(),
            small=tuple(self.small),
            given=self.given,
            changed=self.changed,
            broken=self.broken,
        )


def of_cameras(cameras: Mapping[str, str], table: Table | None, machine: Machine) -> list[View]:
    """Watch live cameras, sources by name, all at the same time: together they need what bandwidth there is."""
    watched, views = [], []
    with ExitStack() as opened:
        for source, name in cameras.items():
            try:
                camera = machine.open_camera(source, name)
            except RackoError as problem:
                views.append(View(name, source, Table(), problem=" ".join(str(problem).split())))
                continue
            opened.callback(camera.close)
            watched.append(_Watched(name, source, camera))
        begun = machine.monotonic()
        while not all(item.over(machine.monotonic(), begun) for item in watched):
            for item in watched:
                item.take(machine.monotonic())
            machine.pause(POLL)
        return views + [item.view(table) for item in watched]
