"""An evening of ten thousand pictures at full speed: does anything grow, slow down, or get lost in silence?

    python -m tests.faults.long_evening [--frames 10000] [--seed 1]

The recorded round is held before live cameras again and again, round after round and game after game, by a clock that
stands still, so that nothing waits. Blank and broken pictures come in between, the host undoes the call and looks at
the cameras, and the disk keeps journal, deck and recordings. Tablets follow over real connections, one of which reads
nothing. Printed are memory, processor time, threads and open files, early in the evening and at its end.
"""

import argparse
import gc
import http.client
import logging
import os
import random
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final

import numpy as np

from device.evening.history import History
from device.loop.live import LiveLoop
from device.observing.lessons import Lessons
from device.pages.desk import TableDesk
from device.pages.sight import Sight
from device.recorder.recorder import Recorder
from device.sessions.format import FrameTaken
from engine.events import Event
from engine.lines import NewRound
from engine.snapshot import Snapshot
from tests.device.live_table import ENTRIES, READER, RECORDED, SCORES, LiveTable, time_of
from vision.frame import Frame
from vision.region import Region
from webui.app import create_app
from webui.desk import Secrets
from webui.serve import serve

TOKEN: Final = "a-seat-s-token-of-an-evening"  # noqa: S105 - it opens a table that nobody plays at
BUDGET: Final = 150_000_000
"""Bytes for recordings: an evening this long fills it several times."""

DEAL = [entry for entry in ENTRIES if isinstance(entry, FrameTaken) and time_of(entry) < 4]
"""The cards as they lie when the host begins the round."""
PLAYS = [entry for entry in ENTRIES if time_of(entry) >= 4]
DEALER = next(entry[1].dealer for entry in ENTRIES if isinstance(entry, tuple) and isinstance(entry[1], NewRound))

BLANK = Frame(np.full((720, 1280, 3), 90, np.uint8), "blank")
BROKEN = Frame(b"\xff\xd8 no picture at all", "broken")


@dataclass(frozen=True)
class Mark:
    """How things stand after so many pictures. Sizes in MB; `cost`: milliseconds of processor time a picture lately."""

    frames: int
    memory: float
    peak: float
    blocks: int
    cost: float
    threads: int
    files: int
    journal: float

    def __str__(self) -> str:
        return (
            f"after {self.frames} pictures: memory {self.memory:.1f} MB (most {self.peak:.1f}), {self.blocks} blocks of"
            f" Python, {self.cost:.1f} ms of processor time a picture, {self.threads} threads, {self.files} open files,"
            f" journal {1000 * self.journal / self.frames:.2f} kB a picture"
        )


@dataclass
class Told:
    """What an evening came to. Pictures: `held` before the cameras, of which each is one of the next three."""

    marks: list[Mark] = field(default_factory=list)
    rounds: int = 0
    wrong: int = 0
    games: int = 0
    held: int = 0
    looked: int = 0
    broken: int = 0
    dropped: int = 0
    events: int = 0
    errors: int = 0
    recorder: str = ""

    @property
    def silent(self) -> int:
        """Pictures that are gone, and nobody counted them."""
        return self.held - self.looked - self.broken - self.dropped

    def __str__(self) -> str:
        lines = [
            *map(str, self.marks),
            f"{self.games} games, {self.rounds} rounds, {self.wrong} of them with another score",
            f"{self.held} pictures: {self.looked} looked at, {self.broken} broken and said so,",
            f"    {self.dropped} dropped and counted by their camera, {self.silent} lost in silence",
            f"{self.events} events reached the tablets; {self.errors} errors in the log; recorder: {self.recorder}",
        ]
        return "\n".join(lines)


class Heard(logging.Handler):
    """Counts in the log the pictures that were passed over, and whatever went wrong."""

    passed = wrong = 0

    def emit(self, record: logging.LogRecord) -> None:
        self.passed += "passed over" in record.getMessage()
        self.wrong += record.levelno >= logging.ERROR


class Counting(Recorder):
    """Counts what it is given: every picture that was looked at."""

    looked = 0

    def frame(self, t: float, camera: str, frame: Frame, *, read: bool = False, matters: Region | None = None) -> None:
        self.looked += 1
        super().frame(t, camera, frame, read=read, matters=matters)


class LongTable(LiveTable):
    """The recorded round before live cameras, with all that a real table has around its loop."""

    def __init__(self, folder: Path, parts: ExitStack, told: Told, seed: int) -> None:
        self.folder, self.told, self.chance = folder, told, random.Random(seed)
        super().__init__(folder / "table.sqlite", [self._tell])
        parts.callback(self.journal.close)
        self.desk = TableDesk("live", folder / "racks", lambda: "2026-01-01T20:00:00", History())
        parts.callback(self.desk.close)
        recorder = Counting(folder / "recordings", BUDGET)
        parts.callback(recorder.close)
        watch = self.loop.watch
        assert watch is not None
        lessons = Lessons(RECORDED.table, READER, folder / "deck")
        cameras = list(self.cameras.values())
        self.loop = LiveLoop(cameras, self.evening, watch, lessons=lessons, record=recorder, clock=self.clock)
        self.go_round = self.loop.step
        self.sight = Sight(self.evening, lambda: self.loop.watch)
        self.recorder = recorder
        self.loop.status = lambda: self.desk.tell_host(
            self.evening, self.sight.lines(self.loop.reports), recorder=recorder.words
        )
        secrets = Secrets("0000", bytes(32), {1: TOKEN})
        pages = serve(create_app(self.desk, secrets), port=0, host="127.0.0.1")
        parts.callback(pages.close)
        self.port = pages.port

    def _tell(self, _: Snapshot, events: Sequence[Event]) -> None:
        if hasattr(self, "desk"):
            self.sight.hear(events)
            self.desk.hear(self.evening, events)

    def hold(self, entry: FrameTaken) -> None:
        """Hold a picture before its camera; now and then a broken one or a blank one comes first."""
        odd = self.chance.random()
        if odd < 0.03:
            self.told.held += 1
            self.cameras[entry.camera].hold(BROKEN if odd < 0.015 else BLANK)
            self.settle(0.25)
        self.told.held += 1
        super().hold(entry)

    def round(self) -> None:
        """Play the recorded round once more; the host begins another game where one is over."""
        board = self.evening.board
        if board.phase in ("waiting", "game-over"):
            self.start()
            self.told.games += 1
        before = self.totals
        self.began = self.clock.now
        self.play(DEAL)
        assert self.order(type="round", dealer=DEALER).done
        self.play(PLAYS)
        assert self.order(type="undo", call=True).done
        self.order(type="call", seat=2)
        self.settle(2.0)
        for name in self.cameras:
            self.loop.jobs.hand_in(partial(self.sight.picture, name))
        self.settle(1.0)
        self.told.rounds += 1
        self.told.wrong += self.totals != {seat: total + SCORES[seat] for seat, total in before.items()}


def _follow(port: int, address: str, told: Told) -> None:
    """Follow a stream to its end, keeping nothing."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
    try:
        connection.request("GET", address)
        for line in connection.getresponse():
            told.events += line.startswith(b"data: {")
    except (OSError, http.client.HTTPException):
        pass
    finally:
        connection.close()


def evening(frames: int, marks: Iterable[int], seed: int = 1) -> Told:
    """Play an evening of so many pictures at least, and note how things stand at `marks` and at its end."""
    told, due, heard = Told(), sorted({*marks, frames}), Heard()
    log = logging.getLogger("device")
    with tempfile.TemporaryDirectory() as name, ExitStack() as parts:
        log.addHandler(heard)
        parts.callback(log.removeHandler, heard)
        table = LongTable(Path(name), parts, told, seed)
        for address in ("/api/events", "/api/events", f"/api/seats/{TOKEN}/events"):
            threading.Thread(target=_follow, args=(table.port, address, told), daemon=True).start()
        deaf = http.client.HTTPConnection("127.0.0.1", table.port)
        parts.callback(deaf.close)
        deaf.request("GET", "/api/events")
        costs: list[float] = []
        while due:
            held, spent = told.held, time.process_time()
            table.round()
            costs.append(1000 * (time.process_time() - spent) / (told.held - held))
            while due and told.held >= due[0]:
                told.marks.append(_mark(told.held, median(costs[-5:]), Path(name)))
                due.pop(0)
        told.broken, told.errors, told.recorder = heard.passed, heard.wrong, table.recorder.words
        told.looked = table.recorder.looked
        told.dropped = sum(report.dropped for report in table.loop.reports.values())
    return told


def _mark(frames: int, cost: float, folder: Path) -> Mark:
    gc.collect()
    status = dict(row.split(":", 1) for row in Path("/proc/self/status").read_text().splitlines())
    now, most = (int(status[key].split()[0]) / 1024 for key in ("VmRSS", "VmHWM"))
    journal = sum(path.stat().st_size for path in folder.glob("table.sqlite*")) / 1e6
    files = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - names of no files that stay
    return Mark(frames, now, most, sys.getallocatedblocks(), cost, threading.active_count(), files, journal)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(evening(options.frames, [options.frames // 5], options.seed))  # noqa: T201 - this is what it is for
