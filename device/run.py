"""The run loop: plays what the table gives, takes the button in between, and never waits for anybody who watches.

Pages and pins live on threads of their own and only put calls into a queue; this loop alone owns the game.
"""

import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from typing import Final

from device.evening import Evening
from device.lessons import Lessons
from device.player import lines_from
from device.source import Source
from device.watch import Watch
from engine.cards import Seat
from engine.errors import BadInput
from engine.events import CallMade, Event, RoundEnd, RoundStarted, Violation
from engine.lines import Call, Line
from engine.snapshot import Snapshot

log = logging.getLogger(__name__)

PAUSE: Final = 20.0
"""Seconds for which a finished game stays on the page before the next one is played."""

Tables = Callable[[int], Source]
"""Gives the table of an evening's first game (0), its second (1), ...; a recorded one is the same again and again."""


class RunLoop:
    """Plays game after game into an evening. `call` may be used from any thread, the rest from one."""

    def __init__(
        self,
        tables: Tables,
        evening: Evening,
        new_watch: Callable[[], Watch],
        speed: float = 1.0,
        lessons: Lessons | None = None,
    ) -> None:
        """Play `speed` times as fast as the tables do; `new_watch` makes the eyes for one game.

        With `lessons`, the deck is learnt round by round.
        """
        self._tables = tables
        self._evening = evening
        self._new_watch = new_watch
        self._speed = speed
        self._lessons = lessons
        self._calls: queue.SimpleQueue[Seat | None] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._session_time = 0.0
        self._watch: Watch | None = None

    def call(self, seat: Seat | None) -> None:
        """Somebody pressed RACK-O, on the table (`seat` None) or on a page. Only enqueues."""
        self._calls.put(seat)

    def stop(self) -> None:
        """End the loop soon; may be called from a signal handler or another thread."""
        self._stop.set()

    def run(self, *, once: bool, new: bool) -> None:
        """Play until stopped. A game that was broken off goes on, unless `new`; `once`: do not begin again."""
        after = None if new else self._broken_off_at()
        self._evening.tell()
        while not self._stop.is_set():
            self._play(after)
            after = None
            if once:
                self._wait(None)
            else:
                self._wait(PAUSE / self._speed)

    def _broken_off_at(self) -> float | None:
        """The session time at which the game was broken off; None if it is to be begun."""
        game = self._evening.game
        if game is None or not (self._evening.in_round or (game.rounds and not game.winners)):
            return None
        log.info("a game was broken off in round %d; it goes on", len(game.rounds) + self._evening.in_round)
        return self._evening.last_time

    def _play(self, after: float | None) -> None:
        self._watch = self._new_watch()
        source = self._tables(self._evening.games - (after is not None))
        if after is None:
            self._take(source.game)
        began = time.monotonic() - (after or 0.0) / self._speed
        for at, line in lines_from(source, self._watch, log.warning, after):
            self._wait(began + at / self._speed - time.monotonic())
            if self._stop.is_set():
                return
            self._session_time = at
            if after is None or not self._evening.has_taken(line):
                self._take(line)

    def _wait(self, seconds: float | None) -> None:
        """Let time pass, taking calls as they come; None waits until stopped."""
        until = None if seconds is None else time.monotonic() + seconds
        while not self._stop.is_set():
            left = 0.25 if until is None else min(0.25, until - time.monotonic())
            try:
                seat = self._calls.get(timeout=left) if left > 0 else self._calls.get_nowait()
            except queue.Empty:
                if left <= 0:
                    return
                continue
            self._called(seat)

    def _called(self, seat: Seat | None) -> None:
        if self._watch is not None:
            for look in self._watch.at_once(self._session_time):
                self._take(look)
        self._take(Call(self._session_time, seat))
        if self._watch is not None:
            for look in self._watch.standing(self._session_time):
                self._take(look)

    def _take(self, line: Line) -> None:
        try:
            events = self._evening.take(line)
        except BadInput as problem:
            log.warning("passed over: %s", problem)
            return
        if self._lessons is not None and self._watch is not None:
            self._lessons.hear(events, self._watch)


def log_audience(_: Snapshot, events: Sequence[Event]) -> None:
    """Log what happens, without any card: a log is read by everybody."""
    for event in events:
        match event:
            case RoundStarted(number):
                log.info("round %d begins", number)
            case CallMade(seat):
                log.info("RACK-O is called by %s", "somebody" if seat is None else f"seat {seat}")
            case Violation(rule, seat):
                log.info("%s, seat %d", rule, seat)
            case RoundEnd(out):
                log.info("the round is over: seat %d went out", out)
