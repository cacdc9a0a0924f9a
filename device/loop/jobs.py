"""What other threads want done by the run loop's own: orders of people, pictures to draw, a press of the button.

The loop alone owns the game. Whoever wants something of it hands in a job, and waits for the answer or does not.
"""

import logging
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Final, TypeVar

log = logging.getLogger(__name__)

T = TypeVar("T")

MOST: Final = 200
"""So many jobs may wait; more come from no person, and are refused."""

PATIENCE: Final = 10.0
"""Seconds for which a page waits for an answer."""


class NoAnswer(Exception):
    """The run loop does not answer: it is closing, or has too much to do."""


class Jobs:
    """A queue of jobs. Any thread hands them in, one takes them out."""

    def __init__(self, wake: threading.Event | None = None) -> None:
        """`wake` is set whenever there is a new job."""
        self._queue: queue.Queue[tuple[Callable[[], Any], Future[Any]]] = queue.Queue(MOST)
        self._wake = wake or threading.Event()
        self._closed = False

    def hand_in(self, job: Callable[[], T]) -> "Future[T]":
        """Have a job done; returns at once. Its result, or what it raises, comes through the future."""
        future: Future[T] = Future()
        try:
            if self._closed:
                raise queue.Full
            self._queue.put_nowait((job, future))
        except queue.Full:
            future.set_exception(NoAnswer("the table does not answer just now; try again"))
        self._wake.set()
        return future

    def done_by_loop(self, job: Callable[[], T], patience: float = PATIENCE) -> T:
        """Have a job done and wait for its result. Raises NoAnswer, and whatever the job raises."""
        future = self.hand_in(job)
        try:
            return future.result(patience)
        except TimeoutError:
            future.cancel()
            raise NoAnswer("the table is busy and has not answered yet; look whether it was done") from None

    def do_next(self, seconds: float) -> bool:
        """Do the next job, waiting so long for one; whether there was one. What it raises is its own."""
        try:
            job, future = self._queue.get(timeout=seconds) if seconds > 0 else self._queue.get_nowait()
        except queue.Empty:
            return False
        if future.set_running_or_notify_cancel():
            try:
                future.set_result(job())
            except Exception as problem:  # noqa: BLE001 - it is for whoever handed the job in; the loop goes on
                future.set_exception(problem)
        return True

    def close(self) -> None:
        """Take no more jobs; those that wait are refused."""
        self._closed = True
        while True:
            try:
                _, future = self._queue.get_nowait()
            except queue.Empty:
                return
            if future.set_running_or_notify_cancel():
                future.set_exception(NoAnswer("the table is closing"))
