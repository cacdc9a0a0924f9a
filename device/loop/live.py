"""The run loop of a real table: follows what live cameras show, and what people say, until it is stopped.

It takes each camera's latest picture and never falls behind: pictures that came meanwhile are dropped, and counted by
the camera. A camera that fails is left to its own thread, which tries again; the game goes on with the others.
"""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from device.cameras.camera import Camera, CameraReport, Shot
from device.evening.journal import JournalError
from device.evening.keeper import Evening
from device.loop.base import STATUS, Loop, Record
from device.observing.dealing import Dealing
from device.observing.lessons import Lessons
from device.observing.presence import Presence
from device.observing.watch import Watch
from engine.cards import Seat
from engine.errors import BadInput
from engine.events import Event, RoundStarted
from engine.lines import Hidden, NewGame, NewRound, Observation, Unsettled
from engine.variants import deck_of
from vision.mats import TRAY
from vision.picture import PictureError

log = logging.getLogger(__name__)

BETWEEN: Final = 0.2
"""Least seconds between two pictures of one camera that are looked at: five a second show every play, and leave a
small computer's cores to the rest."""

TICK: Final = 0.05
"""Most seconds that the loop sleeps: what stands still is read on time, and a stop is noticed."""

RECORDED_AS: Final = "table"
"""The name under which a live table's games are recorded."""

SILENT: Final = 1.0
FEW: Final = 4
"""Seconds, and intervals between pictures, from which on a camera shows nothing, long before it is called gone: what it
saw last may have changed. A turn takes longer."""

DEAD: Final = ("gone", "frozen")
"""States of a camera that shows nothing."""


@dataclass(frozen=True)
class _Latest:
    """A camera's latest picture: its number, when it was taken in (seconds), and how many came in a second then.

    A camera that sends pictures only when it sees something else has the rate 0.
    """

    number: int
    at: float
    rate: float

    def silent_until(self, t: float, shot: Shot | None) -> bool:
        """Whether no picture has come from then until now, but perhaps this one.

        If the loop was busy, the pictures that it did not look at have come all the same.
        """
        none = shot is None or shot.number <= self.number + 1
        return none and self.rate > 0 and t - self.at > max(SILENT, FEW / self.rate)


class LiveLoop(Loop):
    """Follows a table through its cameras. `clock` gives monotonic seconds."""

    def __init__(  # noqa: PLR0913 - a loop has as many parts
        self,
        cameras: Sequence[Camera],
        evening: Evening,
        watch: Watch,
        *,
        lessons: Lessons | None = None,
        record: Record | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Follow with these cameras and eyes."""
        super().__init__(evening, lessons, record)
        self._watch: Watch = watch
        self.use(cameras)
        self._clock = clock
        self._began = clock() - evening.last_time
        self._presence = Presence()
        self._dealing = Dealing()
        self._dead: set[str] = set()
        self._lost: set[int] = set()
        self._latest: dict[str, _Latest] = {}
        self.beat = clock()
        if evening.game is not None:
            watch.play(evening.game.rules.deck)

    def use(self, cameras: Sequence[Camera]) -> None:
        """Follow with these cameras from now on."""
        self._cameras = {camera.name: camera for camera in cameras}
        self._due = dict.fromkeys(self._cameras, 0.0)

    def join(self, camera: Camera) -> None:
        """Follow with one camera more; for the loop's own thread."""
        self._cameras[camera.name] = camera
        self._due[camera.name] = 0.0

    @property
    def reports(self) -> Mapping[str, CameraReport]:
        """How each camera is."""
        return {name: camera.report() for name, camera in self._cameras.items()}

    def run(self) -> None:
        """Follow the table until stopped."""
        self.evening.tell()
        game = self.evening.game
        if game is not None and not game.winners:
            self._begun(NewGame(game.edition, game.variants, game.players, game.options), again=True)
        while not self._stop.is_set():
            if not self.step():
                self.wake.wait(TICK)
                self.wake.clear()
        self.jobs.close()

    def step(self) -> bool:
        """Go round once: do what is asked, look at what is new, see to the cameras. Whether there was work to do."""
        self.beat = self._clock()
        self._now = max(self._now, self.beat - self._began)
        worked = self.jobs.do_next(0) or self._look_around()
        if self.beat >= self._next_status:
            self._next_status = self.beat + STATUS
            self._check()
        return worked

    def _look_around(self) -> bool:
        """Look at what is new, one picture of each camera; whether there was anything."""
        due = [camera for name, camera in self._cameras.items() if self.beat >= self._due[name]]
        shots = {camera.name: shot for camera in due if (shot := camera.latest()) is not None}
        self._mind_silence(shots)
        for name, shot in shots.items():
            self._due[name] = self.beat + BETWEEN
            self._latest[name] = _Latest(shot.number, self.beat, self._cameras[name].report().rate)
            self._look(name, shot)
        looks = self._watch.until(self._now)
        for look in looks:
            self._see(look)
        return bool(shots or looks)

    def _mind_silence(self, shots: Mapping[str, Shot]) -> None:
        """Notice which cameras show nothing now, or have shown nothing before the picture that they show now."""
        silent = {name for name, latest in self._latest.items() if latest.silent_until(self.beat, shots.get(name))}
        self._watch.silent(silent)
        if any(self._watch.sees_tray(name) for name in silent & shots.keys()):
            # Plays may have been missed meanwhile.
            self._see(Unsettled(self._now))

    def _look(self, name: str, shot: Shot) -> None:
        """Look at one picture; one that is broken is passed over."""
        self._lose_the_dead()
        overlooked = self._watch.overlooked(name, self._now)
        try:
            looks = self._watch.frame(self._now, name, shot.frame)
        except PictureError as problem:
            self._watch.missed(name)
            log.warning("camera %s: %s; passed over", name, problem)
            return
        if self._record is not None:
            read, matters = self._watch.has_read(name), self._watch.matters(name)
            self._record.frame(self._now, name, shot.frame, read=read, matters=matters)
            self._record.sees(self._now, name, self._seats_before(name))
        if overlooked:
            self._see(Unsettled(self._now))
        for look in looks:
            self._see(look)

    def _seats_before(self, name: str) -> list[Seat]:
        """The seats whose racks a camera sees."""
        eye = self._watch.eyes.get(name)
        return [] if eye is None else [number for number in eye.mats if number != TRAY]

    def _see(self, look: Observation | Unsettled | Hidden) -> None:
        if isinstance(look, Observation) and self._lost:
            seen = self._mats_in_view()
            if TRAY in self._lost & seen:
                # Plays may have been missed meanwhile; the pile that is seen now tells, so this is said before.
                self._take_in_round(Unsettled(look.t))
            self._lost -= seen
        self._take_in_round(look)

    def _take_in_round(self, line: Observation | Unsettled | Hidden) -> None:
        if self.evening.in_round:
            self._take(line)
        elif isinstance(line, Observation):
            self._dealing.see(line)

    def _check(self) -> None:
        """See to the cameras: what a dead one saw stands no more, and a rack that nobody sees is out of sight."""
        self._lose_the_dead()
        hidden = self._presence.look(self._now, self._mats_in_view())
        if hidden is not None:
            self._see(hidden)
        self._start_if_dealt()
        self.status()

    def _start_if_dealt(self) -> None:
        """Start the next round where all racks were emptied and filled again since the last one was over.

        The first round of a game is the host's to start: who deals it is not known.
        """
        game, board = self.evening.game, self.evening.board
        if game is None or board.dealer is None or board.phase != "round-over" or board.paused:
            return
        if not self._dealing.dealt(game.seats, self._now):
            return
        looks = self._dealing.looks
        try:
            self._take_order(NewRound(game.next_dealer(board.dealer)))
        except (BadInput, JournalError) as problem:
            log.warning("the round is not started: %s", problem)
            return
        for look in looks:
            self._take(look)

    def _happened(self, events: Sequence[Event]) -> None:
        if any(isinstance(event, RoundStarted) for event in events):
            # Also one that was started too soon: undone, it is not started again before the racks are emptied.
            self._dealing = Dealing()
        super()._happened(events)

    def _lose_the_dead(self) -> None:
        """Notice which cameras are gone, before what they saw is told once more with what another one sees."""
        dead = {name for name, report in self.reports.items() if report.state in DEAD}
        for name in dead - self._dead:
            log.warning("camera %s is gone; the game goes on without it", name)
            self._lose(name)
        for name in self._dead - dead:
            log.info("camera %s is back", name)
        self._dead = dead

    def _lose(self, name: str) -> None:
        """Forget what a camera saw: what it alone has seen is out of sight at once."""
        before = self._mats_in_view()
        self._watch.drop(name)
        lost = before - self._mats_in_view()
        self._lost |= lost
        hidden = self._presence.lose(self._now, lost)
        if hidden is not None:
            self._see(hidden)
        if TRAY in lost:
            self._see(Unsettled(self._now))

    def _mats_in_view(self) -> set[int]:
        return {number for eye in self._watch.eyes.values() for number in eye.mats}

    def _begun(self, game: NewGame, *, again: bool = False) -> None:
        """Have the game recorded from now on, or again."""
        if self._record is None:
            return
        begin = self._record.resume if again else self._record.begin
        begin(game, self._watch.table, tuple(self._cameras), RECORDED_AS, self._now)

    def _new_game(self, line: NewGame) -> None:
        """Begin a game that the host asks for."""
        self._began = self._clock()
        self._now = 0.0
        self._take_order(line)
        self._watch.play(deck_of(line.edition, len(line.players), line.variants))
        self._begun(line)
