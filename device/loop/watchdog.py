"""A watchdog over the run loop: a stall is said, and at last the program ends, to be started again.

systemd (deploy/) is told that all is well only while the loop goes round, so that it starts a program anew which hangs
where nothing else can help. Nothing is lost by that: what was acknowledged stands in the journal.
"""

import faulthandler
import logging
import os
import socket
import threading
import time
from collections.abc import Callable
from typing import Final

log = logging.getLogger(__name__)

STALL: Final = 10.0
"""Seconds without a round of the loop after which it is said that it stands still; a slow look takes a tenth of one."""

END: Final = 60.0
"""Seconds after which the program ends itself: a loop that has stood for a minute does not come back."""

EXIT: Final = 70
"""Exit code of that end (EX_SOFTWARE of sysexits.h)."""

PATROL: Final = 1.0


class Watchdog:
    """Watches that `beat` changes. `alarm` is told in words when it does not, and "" when it does again."""

    def __init__(
        self, beat: Callable[[], float], alarm: Callable[[str], None], end: Callable[[], None] | None = None
    ) -> None:
        """`end`: ends the program where nothing else helps (None: at once, with EXIT)."""
        self._beat = beat
        self._alarm = alarm
        self._end = end or (lambda: os._exit(EXIT))
        self._stalled = False
        self._seen = (beat(), 0.0)
        self._stop = threading.Event()

    def start(self) -> None:
        """Watch from now on, on a thread of its own."""
        threading.Thread(target=self._patrol, name="racko-watchdog", daemon=True).start()

    def close(self) -> None:
        """Watch no more."""
        self._stop.set()
        notify("STOPPING=1")

    def _patrol(self) -> None:
        notify("READY=1")
        while not self._stop.wait(PATROL):
            self.look(time.monotonic())

    def look(self, now: float) -> None:
        """Look once, at time `now` in seconds."""
        beat = self._beat()
        if beat != self._seen[0] or not self._seen[1]:
            self._seen = (beat, now)
            notify("WATCHDOG=1")
            if self._stalled:
                self._stalled = False
                log.warning("the run loop goes on")
                self._alarm("")
            return
        still = now - self._seen[1]
        if still >= STALL and not self._stalled:
            self._stalled = True
            log.error("the run loop stands still since %.0f s; where it stands follows", still)
            faulthandler.dump_traceback(all_threads=True)
            self._alarm("the program stands still; if that lasts, it is started again by itself, and nothing is lost")
        if still >= END:
            log.critical("the run loop has stood still for %.0f s; the program ends, to be started again", still)
            self._end()


def notify(words: str) -> None:
    """Tell systemd, if it has started this program (sd_notify(3)); else nothing."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    if address.startswith("@"):
        address = "\0" + address[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as door:
            door.sendto(words.encode(), address)
    except OSError as problem:
        log.warning("systemd cannot be told %s (%s)", words, problem.strerror)
