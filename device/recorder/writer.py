"""One thread that writes, and the queue to it: lines always find a place there, pictures only while there is room."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final

log = logging.getLogger(__name__)

PICTURES: Final = 16
"""Pictures that may wait: a burst of several cameras, and a bound for what memory they take."""

TICK: Final = 1.0
"""Seconds after which the thread looks at the clock, if nothing comes."""

Job = Callable[[], None]


class Writer:
    """Does one job after another on a thread of its own, and calls `tick` in between. May be used from any thread."""

    def __init__(self, tick: Job) -> None:
        """Start the thread; the program does not wait for it when it ends."""
        self._tick = tick
        self._jobs: deque[tuple[Job, bool]] = deque()
        self._pictures = 0
        self._more = threading.Condition()
        self._ending = False
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()

    def do(self, job: Job) -> None:
        """Have a job done that must not be lost."""
        with self._more:
            self._jobs.append((job, False))
            self._more.notify()

    def do_picture(self, job: Job) -> bool:
        """Have a picture written, or not: False where too many wait already."""
        with self._more:
            if self._pictures >= PICTURES:
                return False
            self._pictures += 1
            self._jobs.append((job, True))
            self._more.notify()
            return True

    def close(self, patience: float) -> bool:
        """End the thread once all is done, but wait for so many seconds only; whether it has ended."""
        with self._more:
            self._ending = True
            self._more.notify()
        self._thread.join(patience)
        return not self._thread.is_alive()

    def _run(self) -> None:
        ticked = time.monotonic()
        while True:
            with self._more:
                if not self._jobs and not self._ending:
                    self._more.wait(TICK)
                if not self._jobs and self._ending:
                    return
                job, picture = self._jobs.popleft() if self._jobs else (self._tick, False)
            self._do(job)
            with self._more:
                self._pictures -= picture
            if time.monotonic() - ticked >= TICK:
                self._do(self._tick)
                ticked = time.monotonic()

    def _do(self, job: Job) -> None:
        try:
            job()
        except Exception:  # a recorder must not end an evening, nor end in silence itself
            log.exception("recordings: something was not recorded")
