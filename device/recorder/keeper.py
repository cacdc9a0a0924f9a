"""Keeps what comes within the budget, on the writer's thread: begins recordings, makes room, and says how it goes."""

import errno
import logging
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Final

from device.recorder.disk import Disk
from device.recorder.recording import Beginning, Recording, begin_recording, resumed
from device.recorder.shelf import Kept, Shelf, remove
from engine.events import Json
from engine.lines import Line
from vision.frame import Frame
from vision.picture import PictureError

log = logging.getLogger(__name__)

SYNC_EVERY: Final = 10.0
"""Seconds of an evening that a power cut may take from its recording; a card wears out by syncing picture by picture.
"""

AGAIN: Final = 3.0
"""Seconds after which a disk that failed is tried again."""

BEGINNING: Final = 200_000
"""Bytes for which room is made before a recording is begun."""

MARGIN: Final = 20_000_000
"""Bytes, or a fiftieth of the budget, that must be free before a recorder that had no room takes pictures again."""

LATE: Final = 10_000
"""So many lines wait for a disk that will not have them; an evening has some hundreds."""


class Keeper:
    """Writes one recording after another into a folder of `budget` bytes. Everything is called from one thread.

    `words` is how it goes, in one line for the host; it may be read from any thread. `clock` gives seconds, `today` the
    time of day as text.
    """

    def __init__(
        self,
        folder: Path,
        budget: int,
        disk: Disk,
        today: Callable[[], str],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Keep nothing yet."""
        self._shelf = Shelf(folder)
        self._budget = budget
        self._disk = disk
        self._today = today
        self._clock = clock
        self._others: list[Kept] = []
        self._stuck = 0
        self._missing: set[str] = set()
        self._wanted: Beginning | None = None
        self._on: Recording | None = None
        self._late: deque[Callable[[Recording], None]] = deque(maxlen=LATE)
        self._trouble = ""
        self._full = False
        self._failed_at: float | None = None
        self._synced_at = clock()
        self._truth_due = False
        self.words = "ready to record"

    def begin(self, wanted: Beginning) -> None:
        """Begin another recording; the one before is over."""
        self.end()
        self._wanted = wanted
        if self._try(self._opened):
            self._say("")

    def picture(self, t: float, camera: str, frame: Frame) -> None:
        """Keep a picture, if there is room for it."""
        if self._picture(t, camera, frame):
            self._missing.discard(camera)
            self._say("")
        else:
            self._missing.add(camera)

    def _picture(self, t: float, camera: str, frame: Frame) -> bool:
        if not self._try_again() or self._on is None:
            return False
        recording = self._on
        try:
            jpeg = frame.jpeg()
        except PictureError:
            return True  # nothing is missing: it shows nothing
        return self._room_for(len(jpeg)) and self._try(lambda: recording.picture(t, camera, jpeg))

    def is_missing(self, camera: str) -> bool:
        """Whether the camera's latest picture could not be kept; said once. May be called from any thread."""
        missing = camera in self._missing
        self._missing.discard(camera)
        return missing

    def line(self, t: float, line: Line) -> None:
        """Keep a line, now or as soon as it can be."""
        self._later(lambda recording: recording.line(t, line))

    def said(self, rows: list[Json], *, over: bool) -> None:
        """Keep what the referee said; `over`: a round was, so that its truth is written down."""
        self._later(lambda recording: recording.said(rows))
        if over:
            self._truth_due = True
            self.tick()

    def end(self) -> None:
        """The evening is over, or broken off."""
        if self._wanted is not None:
            self._truth_due = True
            self._failed_at = None
            if not (self._try(self._caught_up) and self._try(self._settled)):
                log.warning("recordings: the end of one could not be written")
        if self._on is not None:
            self._on.close()
        self._on = self._wanted = None
        self._truth_due = False
        self._late.clear()
        self._missing.clear()
        self._failed_at, self._trouble, self._full = None, "", False
        self.words = "ready to record"

    def tick(self) -> None:
        """Do what is due by the clock; the writer calls it now and then."""
        if self._try_again() and (self._truth_due or self._clock() - self._synced_at >= SYNC_EVERY):
            self._try(self._settled)

    def _later(self, write: Callable[[Recording], None]) -> None:
        if self._wanted is None:
            return
        self._late.append(write)
        self._try_again()

    def _try_again(self) -> bool:
        """Catch up with what could not be written, unless that was tried just now; whether all is written."""
        if self._wanted is None or (self._failed_at is not None and self._clock() - self._failed_at < AGAIN):
            return False
        return self._try(self._caught_up)

    def _try(self, write: Callable[[], None]) -> bool:
        """Write, and say how it went where that is news. Whether it went well."""
        try:
            write()
        except OSError as problem:
            self._failed_at = self._clock()
            full = problem.errno in (errno.ENOSPC, errno.EDQUOT)
            self._say("the disk is full" if full else f"{self._shelf.folder}: {problem.strerror or problem}")
            return False
        self._failed_at = None
        return True

    def _opened(self) -> None:
        """See to it that there is a recording to write into."""
        wanted = self._wanted
        if self._on is not None or wanted is None:
            return
        self._others, self._stuck = self._shelf.kept(), 0
        if wanted.resume:
            found = next((kept for kept in reversed(self._others) if kept.name == wanted.name), None)
            self._on = None if found is None else resumed(found, wanted, self._disk)
            if self._on is not None:
                self._others = [kept for kept in self._others if kept is not found]
                return
        number = max((kept.number for kept in self._others), default=0) + 1
        self._shelf.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._room_for(BEGINNING)
        ours = {"number": number, "name": wanted.name, "began": self._today(), "zero": wanted.zero}
        self._on = begin_recording(self._shelf.new_folder(wanted.name), ours, wanted, self._disk)
        self._synced_at = self._clock()

    def _caught_up(self) -> None:
        """Write everything that is late, in its order."""
        self._opened()
        if self._on is None:
            return
        self._on.flush()
        while self._late:
            # What fails is kept by the recording itself, as a row to be written first.
            self._late.popleft()(self._on)

    def _settled(self) -> None:
        """Make sure of what was written, and of the truth of a round that is over."""
        if self._on is None:
            return
        if self._truth_due:
            self._on.write_truth()
            self._truth_due = False
        self._on.sync()
        self._synced_at = self._clock()

    def _room_for(self, size: int) -> bool:
        """Remove the oldest recordings until so many bytes more are within the budget; whether there is room."""
        try:
            room = self._disk.room(self._shelf.folder)
        except OSError:
            room = 0
        limit = min(self._budget, self._used() + room)
        if self._full:
            # Said once: a smaller picture that would just fit is no room yet.
            size += min(self._budget // 50, MARGIN)
        own = self._stuck + (0 if self._on is None else self._on.size)
        # Where others fill the disk, no recording is removed in vain.
        while self._used() + size > limit and self._others and own + size <= limit:
            oldest = self._others.pop(0)
            if remove(oldest):
                log.info("recordings: %s is removed to make room", oldest.folder.name)
            else:
                self._stuck += oldest.size
        self._full = self._used() + size > limit
        if not self._full:
            return True
        full = "the budget is used up" if limit == self._budget else "the disk is nearly full"
        self._say(f"{full}; no more pictures of this evening are kept")
        return False

    def _used(self) -> int:
        return sum(kept.size for kept in self._others) + self._stuck + (0 if self._on is None else self._on.size)

    def _say(self, trouble: str) -> None:
        """Say how it goes; in the log once, when it changes."""
        if trouble != self._trouble:
            self._trouble = trouble
            log.warning("recordings: %s", trouble or "there is room again")
        self.words = f"not recording: {trouble}" if trouble else f"recording, {_amounts(self._used(), self._budget)}"


def _amounts(used: int, budget: int) -> str:
    unit, name = (1e9, "GB") if budget >= 1e9 else (1e6, "MB")
    return f"{used / unit:.1f} of {budget / unit:.3g} {name}"
