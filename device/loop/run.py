"""The run loop of a table that plays by itself: plays what was recorded or is drawn, and never waits for watchers."""

import logging
import time
from collections.abc import Callable, Sequence
from typing import Final

from device.evening.keeper import Evening
from device.loop.base import Loop
from device.observing.lessons import Lessons
from device.observing.player import lines_from
from device.observing.watch import Watch
from device.sessions.source import Source
from engine.events import CallMade, Event, RoundEnd, RoundStarted, Violation
from engine.snapshot import Snapshot

log = logging.getLogger(__name__)

PAUSE: Final = 20.0
"""Seconds for which a finished game stays on the page before the next one is played."""

Tables = Callable[[int], Source]
"""Gives the table of an evening's first game (0), its second (1), ...; a recorded one is the same again and again."""


class RunLoop(Loop):
    """Plays game after game of a table that was recorded or is drawn into an evening."""

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
        super().__init__(evening, lessons)
        self._tables = tables
        self._new_watch = new_watch
        self._speed = speed

    def run(self, *, once: bool, new: bool) -> None:
        """Play until stopped. A game that was broken off goes on, unless `new`; `once`: do not begin again."""
        after = None if new else self._broken_off_at()
        self.evening.tell()
        while not self._stop.is_set():
            self._play(after)
            after = None
            if once:
                self._wait(None)
            else:
                self._wait(PAUSE / self._speed)
        self.jobs.close()

    def _broken_off_at(self) -> float | None:
        """The session time at which the game was broken off; None if it is to be begun."""
        game = self.evening.game
        if game is None or not (self.evening.in_round or (game.rounds and not game.winners)):
            return None
        log.info("a game was broken off in round %d; it goes on", len(game.rounds) + self.evening.in_round)
        return self.evening.last_time

    def _play(self, after: float | None) -> None:
        self._watch = self._new_watch()
        source = self._tables(self.evening.games - (after is not None))
        if after is None:
            self._take(source.game)
        began = time.monotonic() - (after or 0.0) / self._speed
        for at, line in lines_from(source, self._watch, log.warning, after):
            self._wait(began + at / self._speed - time.monotonic())
            if self._stop.is_set():
                return
            self._now = at
            if after is None or not self.evening.has_taken(line):
                self._take(line)


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
