"""A recorded table that is held before live cameras by hand: for tests of the live loop, and to measure it.

Nothing waits here: time passes only when somebody says so, and the loop goes round until it has nothing left to do.
"""

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from device.cameras.camera import CameraReport, Shot, State
from device.evening.journal import Journal
from device.evening.keeper import Audience, Evening
from device.loop.live import LiveLoop
from device.observing.watch import Watch
from device.sessions.format import FrameTaken, Session
from engine.lines import Call, Line, NewRound
from engine.variants import deck_of
from vision.frame import Frame
from vision.reading.digits import NumberReader
from webui.desk import Answer

ROUND = 0.05
"""Seconds that pass between two rounds of the loop."""


class Clock:
    """Seconds that pass only when somebody says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        """Give the time."""
        return self.now


class HeldCamera:
    """A camera that shows what is held before it: once, or `rate` times a second by a clock.

    While it is `stuck` it shows nothing, and nobody has noticed that yet.
    """

    def __init__(self, name: str, rate: float = 0.0, clock: Callable[[], float] = time.monotonic) -> None:
        self.name = name
        self.state: State = "live"
        self.stuck = False
        self._rate, self._clock, self._next = rate, clock, 0.0
        self._frame: Frame | None = None
        self._shot: Shot | None = None
        self._count = self._taken = self._dropped = 0

    def hold(self, frame: Frame) -> None:
        """Show another picture."""
        self._frame = frame
        self._dropped += self._shot is not None
        self._show(frame)

    def _show(self, frame: Frame) -> None:
        self._count += 1
        self._shot = Shot(self._count, 0.0, frame)

    def latest(self) -> Shot | None:
        """Give the newest picture that was not given yet."""
        if self.state != "live" or self.stuck:
            return None
        if self._rate and self._frame is not None and self._clock() >= self._next:
            self._next = self._clock() + 1 / self._rate
            self._show(self._frame)
        shot, self._shot = self._shot, None
        self._taken += shot is not None
        return shot

    def report(self) -> CameraReport:
        """Say how it is."""
        return CameraReport(self.name, "held", self.state, "", None, self._taken, self._dropped, self._rate, 0.0)

    def close(self) -> None:
        """Show nothing more."""
        self.state = "ended"


Entry = FrameTaken | tuple[float, Line]


class HeldTable:
    """A session as live cameras see it, which send a picture when it changes, or `rate` a second.

    `journal` None: in memory.
    """

    def __init__(
        self,
        session: Session,
        reader: NumberReader,
        journal: Path | None = None,
        audience: Iterable[Audience] = (),
        rate: float = 0.0,
    ) -> None:
        """Nothing is shown yet, and no game is begun."""
        self.session = session
        self.clock = Clock()
        self.cameras = {name: HeldCamera(name, rate, self.clock) for name in session.cameras}
        self.journal = Journal(journal, lambda: "")
        self.evening = Evening(self.journal, audience)
        game = session.game
        watch = Watch(session.table, deck_of(game.edition, len(game.players), game.variants), reader)
        self.loop = LiveLoop(list(self.cameras.values()), self.evening, watch, clock=self.clock)
        self.began = self.clock.now - self.evening.last_time
        self.stands: dict[str, FrameTaken] = {}
        self.go_round: Callable[[], bool] = self.loop.step

    def order(self, **said: Any) -> Answer:  # noqa: ANN401 - an order is JSON
        """Say something as the host does, and let the loop answer."""
        future = self.loop.jobs.hand_in(lambda: self.loop.judged(said))
        self.settle(ROUND)
        return future.result(0)

    def settle(self, seconds: float) -> None:
        """Let time pass."""
        until = self.clock.now + seconds
        while self.clock.now < until:
            self.clock.now = min(self.clock.now + ROUND, until)
            while self.go_round():
                pass

    def start(self) -> None:
        """Begin the session's game."""
        game = self.session.game
        players = [{"seat": player.seat, "name": player.name} for player in game.players]
        answer = self.order(type="game", edition=game.edition, variants=list(game.variants), players=players)
        assert answer.done, answer.words  # noqa: S101 - a recorded game can be begun
        self.began = self.clock.now

    def hold(self, entry: FrameTaken) -> None:
        """Hold a picture before its camera."""
        self.stands[entry.camera] = entry
        self.cameras[entry.camera].hold(self.session.picture(entry))

    def play(
        self, entries: Iterable[Entry], *, shows: Callable[[str, float], bool] | None = None, back: bool = False
    ) -> None:
        """Show and say what was recorded; a camera shows only what `shows` lets it.

        back: a camera that shows again begins with what stands before it then.
        """
        dark: set[str] = set()
        for entry in entries:
            if isinstance(entry, FrameTaken):
                self.settle(self.began + entry.t - self.clock.now)
                self.stands[entry.camera] = entry
                for name in list(self.stands):
                    if shows is not None and not shows(name, entry.t):
                        dark.add(name)
                    elif name == entry.camera or (back and name in dark):
                        dark.discard(name)
                        self.hold(self.stands[name])
                continue
            t, line = entry
            if isinstance(line, NewRound):
                self.order(type="round", dealer=line.dealer)
            elif isinstance(line, Call):
                self.settle(self.began + t - self.clock.now)
                self.order(type="call", seat=line.seat)
        self.settle(2.0)

    def show_again(self) -> None:
        """Every camera shows what stands before it."""
        for _ in range(2):
            for entry in list(self.stands.values()):
                self.hold(entry)
            self.settle(1.0)
