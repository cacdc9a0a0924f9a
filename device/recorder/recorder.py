"""The recorder: everything that the run loop gives it is kept as a session, and nothing that it does is waited for."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

from calibration.table import Table
from device.recorder.disk import Disk
from device.recorder.gate import Gate
from device.recorder.keeper import Keeper
from device.recorder.recording import Beginning
from device.recorder.writer import Writer
from engine.cards import Seat
from engine.events import Event, Rejudged, RoundAbandoned, RoundEnd, RoundReopened
from engine.lines import Abandon, Correction, Line, NewGame, Observation, Played, Redo, Undo, Verdict
from vision.frame import Frame
from vision.picture import PictureError
from vision.region import Region

PATIENCE: Final = 15.0
"""Seconds that closing waits for a slow disk to take what is still to be written."""

HOSTS: Final = (Correction, Played, Verdict, Abandon, Undo, Redo)
"""Orders by which what the referee says next is the host's word (device.recorder.account)."""

OVER: Final = (RoundEnd, RoundReopened, RoundAbandoned, Rejudged)


def _today() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class Recorder:
    """Keeps evenings in `folder` within `budget` bytes. Called from the run loop's thread; `words` from any.

    Nothing here waits for the disk, nor raises anything because of it. With `on` False nothing is kept at all.
    """

    def __init__(
        self, folder: Path, budget: int, *, on: bool = True, disk: Disk | None = None, today: Callable[[], str] = _today
    ) -> None:
        """Record nothing yet; no file is touched before `begin`. `today` gives the time of day as text."""
        self._keeper = Keeper(folder, budget, disk or Disk(), today)
        self._writer = Writer(self._keeper.tick) if on else None
        self._gates: dict[str, Gate] = {}
        self._sees: dict[str, tuple[Seat, ...]] = {}
        self._host = False

    @property
    def words(self) -> str:
        """How it goes, in one line for the host's page."""
        if self._writer is None:
            return "not recording: it is switched off in the settings"
        words, lost = self._keeper.words, sum(gate.lost for gate in tuple(self._gates.values()))
        return f"{words}; {lost} pictures left out, for the disk is slow" if lost else words

    def begin(self, game: NewGame, table: Table, cameras: Sequence[str], name: str, t: float = 0.0) -> None:
        """A game begins at the evening's time `t` (seconds): a recording of its own, and the one before is over."""
        self._begin(Beginning(game, table, tuple(cameras), name, t))

    def resume(self, game: NewGame, table: Table, cameras: Sequence[str], name: str, t: float = 0.0) -> None:
        """A game goes on that was broken off: so does its recording, or a new one begins where that is not there."""
        self._begin(Beginning(game, table, tuple(cameras), name, t, resume=True))

    def _begin(self, beginning: Beginning) -> None:
        if self._writer is None:
            return
        self._gates = {camera: Gate() for camera in beginning.cameras}
        self._sees, self._host = {}, False
        self._writer.do(partial(self._keeper.begin, beginning))

    def frame(
        self,
        t: float,
        camera: str,
        frame: Frame,
        *,
        read: bool = False,
        matters: Region | None = None,
    ) -> None:
        """A picture that a camera took at time `t`; it is kept if it shows something new, or was `read`.

        It is new where it `matters`, (90, 160), or anywhere (vision.region).
        """
        gate = self._gates.get(camera)
        if gate is not None:
            if self._keeper.is_missing(camera):
                gate.begin_again()
            try:
                gate.add(t, frame, read=read, matters=matters)
            except PictureError:
                return
        self._keep(t)

    def sees(self, t: float, camera: str, seats: Sequence[Seat]) -> None:
        """From now on a camera sees these seats' racks; if nobody says so, `rack1` sees seat 1's, and so on."""
        if self._writer is not None and self._gates and self._sees.get(camera) != tuple(seats):
            self._sees[camera] = tuple(seats)
            row = {"type": "sees", "t": t, "camera": camera, "seats": list(seats)}
            self._writer.do(partial(self._keeper.said, [row], over=False))

    def line(self, t: float, line: Line) -> None:
        """A line that was taken at time `t`. Observations may be given too: they are not kept, for pictures are."""
        self._host = isinstance(line, HOSTS)
        if self._writer is None or not self._gates or isinstance(line, NewGame | Observation):
            return
        self._keep(t, at_once=True)
        self._writer.do(partial(self._keeper.line, t, line))

    def events(self, events: Sequence[Event]) -> None:
        """What the referee said to the line that was given last."""
        by, self._host = "host" if self._host else "referee", False
        if self._writer is None or not self._gates or not events:
            return
        rows = [event.as_json() | {"by": by} for event in events]
        over = any(isinstance(event, OVER) for event in events)
        self._writer.do(partial(self._keeper.said, rows, over=over))

    def end(self) -> None:
        """The game is over, or the evening is."""
        if self._writer is None or not self._gates:
            return
        self._keep(float("inf"), at_once=True)
        self._gates = {}
        self._writer.do(self._keeper.end)

    def close(self, patience: float = PATIENCE) -> bool:
        """Write what is to be written and end; whether all of it was written within so many seconds."""
        self.end()
        return self._writer is None or self._writer.close(patience)

    def _keep(self, now: float, *, at_once: bool = False) -> None:
        """Have the pictures written that are ready."""
        if self._writer is None:
            return
        for camera, gate in self._gates.items():
            ready = gate.ready(now, at_once=at_once)
            if ready is None:
                continue
            taken, frame = ready
            if self._writer.do_picture(partial(self._keeper.picture, taken, camera, frame.bare())):
                gate.kept()
            else:
                gate.refused()
