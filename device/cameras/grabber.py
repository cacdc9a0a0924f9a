"""One thread around one camera: keeps its latest picture, and opens it again for ever when it has failed.

The thread alone can wait for its driver. What a driver hangs in is noticed by whoever asks, in `latest` and `report`,
which never wait: so nobody else needs to watch. A thread that never comes back is left behind, and another takes over.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Literal

from device.cameras.camera import CameraEnded, CameraError, CameraReport, Picture, Shot, State
from device.cameras.driver import Driver, picture_size, very_same
from vision.frame import Frame

log = logging.getLogger(__name__)

FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 5.0
"""Seconds before a camera that failed is opened again: the first, doubling up to the longest."""
OPENING: Final = 15.0
STUCK: Final = 5.0
"""Seconds without an answer after which a camera is called stuck: before its first picture, and later on."""
LEFT: Final = 30.0
"""Seconds without an answer after which its thread is left behind."""
MOST_LEFT: Final = 3
"""Threads that may be left behind at a time; then nothing is begun until one of them comes back."""
SAME: Final = 15.0
"""Seconds of the very same picture after which a camera is called frozen: a sensor's noise never repeats."""
CLOSING: Final = 3.0
"""Seconds that closing waits for the thread."""
WINDOW: Final = 5.0
"""Seconds over which the rate is counted."""


@dataclass(frozen=True)
class Timing:
    """How a grabber reckons with time. `same` is in seconds, or None for what may show one picture for ever.

    `clock` and `pause` stand in for the monotonic clock and for waiting in tests.
    """

    same: float | None = SAME
    clock: Callable[[], float] = time.monotonic
    pause: Callable[[float], object] | None = None


@dataclass(eq=False)
class _Line:
    """A thread at work: what it does and since when, its driver, when that was opened and if it showed anything."""

    since: float
    doing: Literal["opening", "reading", "pausing"] = "pausing"
    opened: float = 0.0
    shown: bool = False
    driver: Driver | None = None
    interrupted: bool = False
    stop: threading.Event = field(default_factory=threading.Event)
    thread: threading.Thread = field(init=False)


class _Frozen(CameraError):
    """The very same picture came for long."""


class Grabber:
    """A camera (see `device.cameras.camera.Camera`) around drivers: `driver` makes one for each opening, without fail.

    `wake` is called from the camera's thread when there is a new picture or another state; it may only set an Event.
    """

    def __init__(
        self,
        name: str,
        source: str,
        driver: Callable[[], Driver],
        wake: Callable[[], None] = lambda: None,
        timing: Timing | None = None,
    ) -> None:
        self.name = name
        self._source, self._driver, self._wake = source, driver, wake
        self._timing = timing or Timing()
        self._clock = self._timing.clock
        self._lock = threading.Lock()
        self._state: State = "starting"
        self._words = ""
        self._since = self._clock()
        self._picture: Picture = b""
        self._changed = self._since
        self._frame = Frame(b"", name)
        self._size: tuple[int, int] | None = None
        self._waiting: Shot | None = None
        self._number = self._taken = self._dropped = 0
        self._arrivals: deque[float] = deque(maxlen=1000)
        self._left: list[threading.Thread] = []
        self._closed = False
        self._begin()

    def latest(self) -> Shot | None:
        """Give the newest picture that was not given yet, or None; never waits."""
        self._watch()
        with self._lock:
            shot, self._waiting = self._waiting, None
            self._taken += shot is not None
            return shot

    def report(self) -> CameraReport:
        """Say how the camera is; never waits."""
        self._watch()
        with self._lock:
            now = self._clock()
            recent = sum(1 for t in self._arrivals if t > now - WINDOW)
            rate = recent / min(WINDOW, max(1.0, now - self._since)) if self._state == "live" else 0.0
            counts = (self._taken, self._dropped, rate)
            return CameraReport(self.name, self._source, self._state, self._words, self._size, *counts, self._since)

    def close(self) -> None:
        """Stop the thread and give the device back; waits CLOSING seconds at most."""
        with self._lock:
            self._closed = True
            line, driver = self._line, self._line.driver
            self._waiting = None
            self._turn("ended", "")
            line.stop.set()
        if driver is not None:
            driver.interrupt()
        line.thread.join(CLOSING)

    def _begin(self) -> None:
        """Put a new thread to work."""
        line = self._line = _Line(self._clock())
        line.thread = threading.Thread(target=self._work, args=(line,), name=f"camera {self.name}", daemon=True)
        line.thread.start()

    def _turn(self, state: State, words: str) -> bool:
        """Note how the camera is, with the lock held; True where that is another state."""
        if self._closed and state != "ended":
            return False
        changed = state != self._state
        if changed:
            self._state, self._since = state, self._clock()
            log.info("camera %s is %s%s", self.name, state, f": {words}" if words else "")
        self._words = words
        return changed

    def _watch(self) -> None:
        """Notice a driver that does not come back: break it off, and in the end leave its thread behind."""
        interrupted = None
        with self._lock:
            line = self._line
            if self._closed or self._state == "ended" or line.doing == "pausing":
                return
            waited = self._clock() - line.since
            if waited < (STUCK if line.shown else OPENING):
                return
            words = f"{self._source} has sent nothing for {waited:.0f} s; pull its plug and put it back"
            self._turn("frozen" if line.shown else "gone", words)
            if not line.interrupted:
                line.interrupted, interrupted = True, line.driver
            self._left = [thread for thread in self._left if thread.is_alive()]
            if waited >= LEFT and len(self._left) < MOST_LEFT:
                line.stop.set()
                self._left.append(line.thread)
                self._begin()
        if interrupted is not None:
            interrupted.interrupt()

    def _work(self, line: _Line) -> None:
        """Open and read, over and over; the thread's whole life."""
        pause = FIRST_PAUSE
        while not line.stop.is_set():
            driver = self._driver()
            numbered = self._number
            try:
                if self._enter(line, "opening", driver):
                    driver.open()
                    line.opened = self._clock()
                while self._enter(line, "reading", driver):
                    self._keep(line, driver.read(), driver.remark)
            except CameraEnded as over:
                self._fail(line, "ended", str(over))
                line.stop.set()
            except CameraError as problem:
                self._fail(line, "frozen" if isinstance(problem, _Frozen) else "gone", str(problem))
            except Exception as problem:  # noqa: BLE001 - a driver stands on foreign code, and a camera outlives it all
                words = " ".join(str(problem).split()) or type(problem).__name__
                self._fail(line, "gone", f"{self._source}: {words}; it is tried again")
            self._leave(line, driver)
            if self._number > numbered:
                pause = FIRST_PAUSE
            if not line.stop.is_set():
                (self._timing.pause or line.stop.wait)(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _enter(self, line: _Line, doing: Literal["opening", "reading"], driver: Driver) -> bool:
        """Note what the thread is about to do; False if it is to stop instead."""
        with self._lock:
            line.doing, line.since, line.driver = doing, self._clock(), driver
            line.interrupted = False
            line.shown = line.shown and doing == "reading"
            return not line.stop.is_set()

    def _leave(self, line: _Line, driver: Driver) -> None:
        """Close a driver; what it says to that does not matter any more."""
        try:
            driver.close()
        except Exception as problem:  # noqa: BLE001 - as above
            log.info("camera %s did not close well (%s)", self.name, type(problem).__name__)
        with self._lock:
            line.doing, line.driver = "pausing", None

    def _fail(self, line: _Line, state: State, words: str) -> None:
        with self._lock:
            # One that was broken off says so with words of its own, which tell a person nothing.
            if line is not self._line or line.interrupted:
                return
            changed = self._turn(state, words)
        if changed:
            self._wake()

    def _keep(self, line: _Line, picture: Picture, remark: str) -> None:
        """Put a picture in place of the one before; raise _Frozen if it has been the very same for long."""
        with self._lock:
            if line is not self._line or self._closed:
                return
            line.shown = True
            now = self._clock()
            same = very_same(picture, self._picture)
            if not same:
                self._picture, self._changed = picture, now
                self._frame = Frame(picture, self.name)
                self._size = picture_size(picture)
            elif self._timing.same is not None:
                if now - max(self._changed, line.opened) >= self._timing.same:
                    raise _Frozen(
                        f"{self._source} has sent the very same picture for {now - self._changed:.0f} s; "
                        "look whether its lens is covered, else pull its plug and put it back"
                    )
                if self._state == "frozen":
                    return
            self._number += 1
            self._dropped += self._waiting is not None
            self._waiting = Shot(self._number, now, self._frame)
            self._arrivals.append(now)
            self._turn("live", remark)
        self._wake()
