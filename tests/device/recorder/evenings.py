"""Evenings for the recorder: a source that is recorded while it is played, and disks with something wrong."""

import errno
import io
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import cv2
import numpy as np

from calibration.table import Table
from device.cli import main
from device.evening.journal import Journal
from device.evening.keeper import Evening
from device.observing.player import lines_from
from device.observing.watch import Watch
from device.recorder.disk import Disk
from device.recorder.recorder import Recorder
from device.sessions.format import FrameTaken, Session
from device.simulated.camera import SimulatedTable
from engine.game import Player
from engine.lines import Correction, Line, NewGame, Pause, Undo
from engine.variants import deck_of
from vision.frame import Frame
from vision.reading.digits import NumberReader

GAME = NewGame("parker-1992", (), (Player(1, "Wilhelmina"), Player(2, "Ben")))
CAMERAS = ("tray", "rack1", "rack2")
Order = Correction | Pause | Undo
MUCH = 10_000_000_000


def nobody(_: str) -> None:
    """Nothing is amiss in a test's own sources."""


class Tapped:
    """A table whose pictures go to the recorder as they are played."""

    def __init__(self, source: Session | SimulatedTable, recorder: Recorder, orders: Sequence[Order] = ()) -> None:
        self.game, self.table, self.name = source.game, source.table, "the table"
        self._source = source
        self._recorder = recorder
        self._orders = orders

    def timeline(self, complain: Callable[[str], None]) -> Iterator[FrameTaken | tuple[float, Line]]:
        waiting = [(line.t, line) for line in self._orders]
        for entry in self._source.timeline(complain):
            now = entry.t if isinstance(entry, FrameTaken) else entry[0]
            while waiting and waiting[0][0] < now:
                yield waiting.pop(0)
            yield entry
        yield from waiting

    def picture(self, taken: FrameTaken) -> Frame:
        frame = self._source.picture(taken)
        self._recorder.frame(taken.t, taken.camera, frame)
        return frame


def play(
    source: Session | SimulatedTable,
    recorder: Recorder,
    orders: Sequence[Order] = (),
) -> None:
    """Play a source as the run loop would, recording it; also the orders, each at its time."""
    tapped = Tapped(source, recorder, orders)
    recorder.begin(source.game, source.table, CAMERAS, tapped.name)
    deck = deck_of(source.game.edition, len(source.game.players), source.game.variants)
    watch = Watch(source.table, deck, NumberReader())
    evening = Evening(Journal(None, lambda: "now"))
    recorder.line(0.0, source.game)
    recorder.events(evening.take(source.game))
    for t, line in lines_from(tapped, watch, nobody):
        recorder.line(t, line)
        recorder.events(evening.take(line))
    recorder.end()


def racko(*arguments: str | Path) -> tuple[int, str, str]:
    """Run a command; give its exit code and what it said."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main([str(argument) for argument in arguments])
    return code, out.getvalue(), err.getvalue()


def some_picture(number: int, size: tuple[int, int] = (640, 480)) -> Frame:
    """A picture as a camera sends it, unlike that of every other number nearby."""
    pixels = np.full((size[1], size[0], 3), 90, np.uint8)
    left = (number * 97) % (size[0] - 120)
    cv2.rectangle(pixels, (left, 100), (left + 100, 300), (230, 230, 230), -1)
    return Frame(cv2.imencode(".jpg", pixels)[1].tobytes())


def begun(folder: Path, disk: Disk | None = None, budget: int = MUCH, name: str = "evening") -> Recorder:
    """A recorder of a game that nobody plays."""
    recorder = Recorder(folder, budget, disk=disk)
    recorder.begin(GAME, Table(), CAMERAS, name)
    return recorder


def pictures_in(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.jpg"))


def until(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait for the writer's thread."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.005)


class FullDisk(Disk):
    """A disk that takes nothing, or not even half of it, while it is full."""

    def __init__(self) -> None:
        self.full = False

    def append(self, stream: int, data: bytes) -> None:
        if self.full:
            super().append(stream, data[: len(data) // 2])
            raise OSError(errno.ENOSPC, "No space left on device")
        super().append(stream, data)


class SlowDisk(Disk):
    """A disk that writes nothing until it is let."""

    def __init__(self) -> None:
        self.let = threading.Event()

    def append(self, stream: int, data: bytes) -> None:
        self.let.wait(60)
        super().append(stream, data)


class SmallDisk(Disk):
    """A disk on which only so many bytes may still be written."""

    def __init__(self, left: int) -> None:
        self.left = left

    def room(self, folder: Path) -> int:
        return self.left - sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
