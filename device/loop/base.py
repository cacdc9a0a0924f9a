"""The heart of every table's run loop: one thread that owns the game, and does what people ask of it in between.

Pages and pins live on threads of their own and only hand in jobs (device.loop.jobs); what the cameras see comes from
whoever drives the loop: device.loop.run plays a table that was recorded or is drawn, device.loop.live follows a real
one.
"""

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

from calibration.table import Table
from device.cameras.camera import CameraReport
from device.evening.changes import changes
from device.evening.journal import JournalError
from device.evening.keeper import Evening
from device.loop.jobs import Jobs, NoAnswer
from device.observing.lessons import Lessons
from device.observing.watch import Watch
from engine.cards import Seat
from engine.errors import BadInput
from engine.events import Event
from engine.line_json import parse_line
from engine.lines import Call, Hidden, Line, NewGame, NewRound, Observation, Unsettled
from vision.frame import Frame
from vision.region import Region
from webui.desk import Answer, Order

log = logging.getLogger(__name__)

STATUS: Final = 1.0
"""Seconds between two looks at how the cameras are."""

REST: Final = 5.0
"""Seconds until a journal that could not be written is tried again."""

RECENT: Final = 120.0
"""Seconds for which a call can be undone by holding the button; later the host undoes it on the page."""

OWN_ORDERS: Final = ("call", "correct")
"""What a player may say from the own page, of the own rack."""


class Record(Protocol):
    """Who writes an evening down beside the journal (device.recorder); returns at once and never raises."""

    def begin(self, game: NewGame, table: Table, cameras: Sequence[str], name: str, t: float = 0.0) -> None:
        """A game begins at time `t`."""

    def resume(self, game: NewGame, table: Table, cameras: Sequence[str], name: str, t: float = 0.0) -> None:
        """A game goes on that was broken off."""

    def sees(self, t: float, camera: str, seats: Sequence[Seat]) -> None:
        """From now on a camera sees these seats' racks."""

    def line(self, t: float, line: Line) -> None:
        """Hear a line that was taken, with the table's time in seconds."""

    def frame(self, t: float, camera: str, frame: Frame, *, read: bool, matters: Region | None) -> None:
        """See a picture that was looked at, whether it was `read`, and what of it matters; None: all of it."""

    def events(self, events: Sequence[Event]) -> None:
        """Hear what the referee said."""


class Loop:
    """Owns an evening. `call`, `undo_call`, `order`, `jobs` and `stop` are for any thread, the rest for one."""

    def __init__(self, evening: Evening, lessons: Lessons | None = None, record: Record | None = None) -> None:
        """With `lessons`, the deck is learnt round by round; with `record`, what happens is recorded."""
        self.evening = evening
        self.wake = threading.Event()
        self.jobs = Jobs(self.wake)
        self.trouble = ""
        self._lessons = lessons
        self._record = record
        self._stop = threading.Event()
        self.status: Callable[[], None] = lambda: None
        self._next_status = 0.0
        self._watch: Watch | None = None
        self._now = 0.0
        self.beat = time.monotonic()
        self._pressed = False
        self._rests_until = 0.0

    @property
    def watch(self) -> Watch | None:
        """The eyes, if there are any yet; for the loop's own thread."""
        return self._watch

    @property
    def now(self) -> float:
        """The table's time in seconds; for the loop's own thread."""
        return self._now

    @property
    def reports(self) -> Mapping[str, CameraReport] | None:
        """How each camera is; None where the pictures come from no camera."""
        return None

    def call(self, seat: Seat | None) -> None:
        """Somebody pressed RACK-O (`seat` None where one button serves all); returns at once."""
        self.jobs.hand_in(lambda: self._press(seat))

    def undo_call(self, seat: Seat | None) -> None:  # noqa: ARG002 - whichever button it was
        """Somebody held the button down: what the press called is undone, and a call just before it."""
        self.jobs.hand_in(self._hold)

    def _press(self, seat: Seat | None) -> None:
        self._pressed = self.judged({"type": "call", "seat": seat}).done

    def _hold(self) -> None:
        """Undo the call that the long press itself began with, if it was taken, and the one that it is meant for."""
        if self._pressed:
            self.judged({"type": "undo", "call": True})
        self._pressed = False
        meant = self.evening.undoing.next_undo(call=True)
        if isinstance(meant, Call) and meant.t >= self._now - RECENT:
            self.judged({"type": "undo", "call": True})

    def order(self, said: Order, seat: Seat | None = None) -> Answer:
        """Do what the host says or, for a `seat`, the player there; returns once it is judged and written down."""
        if seat is not None and (said.get("type") not in OWN_ORDERS or said.get("seat") != seat):
            return Answer(done=False, words="that is the host's to say")
        try:
            return self.jobs.done_by_loop(lambda: self.judged(said))
        except NoAnswer as problem:
            return Answer(done=False, words=str(problem))

    def stop(self) -> None:
        """End the loop soon; may be called from a signal handler or another thread."""
        self._stop.set()
        self.wake.set()

    def judged(self, said: Order) -> Answer:
        """Judge an order; say what came of it. For the loop's own thread."""
        before = self.evening.board
        try:
            line = parse_line({**said, "t": self._now})
            if isinstance(line, Observation | Unsettled | Hidden):
                raise BadInput("what is seen comes from the cameras")
            self._do(line)
        except (BadInput, JournalError) as problem:
            return Answer(done=False, words=str(problem))
        return Answer(done=True, changes=changes(before, self.evening.board))

    def _do(self, line: Line) -> None:
        """Do what an order says. Raises BadInput and JournalError."""
        match line:
            case Call():
                for look in self._looks(lambda watch: watch.at_once(self._now)):
                    self._take(look)
                self._take_order(line)
                self._look_again()
            case NewGame():
                self._new_game(line)
            case NewRound():
                self._take_order(line)
                self._look_again()
            case _:
                self._take_order(line)

    def _new_game(self, line: NewGame) -> None:  # noqa: ARG002 - a table that plays by itself begins none
        """Begin a game that the host asks for."""
        raise BadInput("this table plays by itself; a game is begun where cameras watch a real one")

    def _look_again(self) -> None:
        """Tell again what stands still: something was said that makes it news."""
        for look in self._looks(lambda watch: watch.standing(self._now)):
            self._take(look)

    def _looks(self, ask: Callable[[Watch], Sequence[Observation]]) -> Sequence[Observation]:
        return () if self._watch is None else ask(self._watch)

    def _wait(self, seconds: float | None) -> None:
        """Let time pass, doing jobs as they come; None waits until stopped."""
        until = None if seconds is None else time.monotonic() + seconds
        while not self._stop.is_set():
            self.beat = time.monotonic()
            if self.beat >= self._next_status:
                self._next_status = self.beat + STATUS
                self.status()
            left = 0.25 if until is None else min(0.25, until - self.beat)
            if not self.jobs.do_next(max(left, 0.0)) and left <= 0:
                return

    def _take_order(self, line: Line) -> None:
        """Take a line of people. Raises BadInput, and JournalError where it could not be written down."""
        try:
            self._told(line, self.evening.take(line))
        except JournalError as problem:
            self._cannot_write(problem)
            raise

    def _take(self, line: Line) -> None:
        """Take a line of the cameras; what cannot be is logged and passed over."""
        if time.monotonic() < self._rests_until:
            return
        try:
            events = self.evening.take(line)
        except BadInput as problem:
            log.warning("passed over: %s", problem)
        except JournalError as problem:
            self._cannot_write(problem)
        else:
            self._told(line, events)

    def _told(self, line: Line, events: Sequence[Event]) -> None:
        if self.trouble:
            log.warning("the journal can be written again")
            self.trouble = ""
        if self._record is not None:
            self._record.line(self._now, line)
            self._record.events(events)
        if self._lessons is not None and self._watch is not None:
            self._lessons.hear(events, self._watch)
        self._happened(events)

    def _happened(self, events: Sequence[Event]) -> None:
        """Tell the status anew whenever something was said."""
        if events:
            self.status()

    def see(self, look: Observation) -> None:
        """Take what was seen otherwise than by a camera: a photograph. For the loop's own thread."""
        self._take(look)

    def _cannot_write(self, problem: JournalError) -> None:
        """Nothing happens that is not written down: the game stands still as it was written last, and says why."""
        if not self.trouble:
            log.error("%s; the game stands still until it can", problem)
        self.trouble = str(problem)
        self._rests_until = time.monotonic() + REST
        self.evening.restore()
