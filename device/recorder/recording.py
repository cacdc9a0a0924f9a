"""One recording on disk: its session while it grows, with what the referee said beside it, and its truth in the end.

session.json comes first, a picture before the row that names it, and rows one by one: whatever cuts it short leaves a
session that replays as far as it goes. A power cut may also take the pictures of the latest seconds (SYNC_EVERY);
their rows then name broken pictures, which a replay passes over.
"""

import json
import logging
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from calibration.deckfile import write_deck
from calibration.table import Deck, Table, TableError
from device.recorder.account import truth_of
from device.recorder.disk import Disk, Rows
from device.recorder.shelf import HEAD, MARK, TIMELINE, Kept, hold, size_of
from device.sessions.format import FrameTaken, head_of, open_session, row_of
from engine.errors import BadInput
from engine.events import Json
from engine.lines import Line, NewGame, Played
from vision.drawing.truth import table_text

log = logging.getLogger(__name__)

SAID: Final = "said.jsonl"
"""What the referee said, as it came; beside FORMATS, and not needed to replay."""

TRUTH: Final = "truth.jsonl"


@dataclass(frozen=True)
class Beginning:
    """What a recording begins with. `name`: of its table; zero: the evening's time at which the session's begins.

    resume: go on with the latest recording of that name, if it is of the same game.
    """

    game: NewGame
    table: Table
    cameras: tuple[str, ...]
    name: str
    zero: float = 0.0
    resume: bool = False


class Recording:
    """A session that grows. Owned by one thread; all of it raises OSError where the disk will not have it."""

    def __init__(self, folder: Path, disk: Disk, cameras: tuple[str, ...], zero: float) -> None:
        """Open or go on with what `begin_recording` has put there."""
        self.folder = folder
        self._pictures = 0
        self._disk = disk
        self._zero = zero
        self._folders = {camera: f"frames/{_plain(camera, number)}" for number, camera in enumerate(cameras)}
        self._numbers = dict.fromkeys(cameras, 0)
        self._unsynced: list[Path] = []
        self._now = 0.0
        self._changed = True
        for inside in ("frames", *self._folders.values()):
            (folder / inside).mkdir(exist_ok=True, mode=0o700)
        self._timeline = Rows(folder / TIMELINE, disk)
        try:
            self._said = Rows(folder / SAID, disk)
        except OSError:
            self._timeline.close()
            raise
        self.held = hold(self._timeline.stream)

    @property
    def size(self) -> int:
        """How many bytes it has come to."""
        return self._pictures + self._timeline.size + self._said.size

    def go_on(self) -> None:
        """Read how far the recording has come."""
        for entry in open_session(self.folder).timeline(_nobody):
            self._now = entry.t if isinstance(entry, FrameTaken) else entry[0]
        for camera, inside in self._folders.items():
            # A picture may have come to the disk, and the row that names it not.
            taken = [int(path.stem) for path in (self.folder / inside).glob("*.jpg") if path.stem.isdecimal()]
            self._numbers[camera] = max(taken, default=-1) + 1
        self._pictures = size_of(self.folder / "frames")

    def picture(self, t: float, camera: str, jpeg: bytes) -> None:
        """Write a picture, then the row that names it; where either fails, neither is there."""
        name = f"{self._folders[camera]}/{self._numbers[camera]:06}.jpg"
        path = self.folder / name
        self._disk.write(path, jpeg)
        try:
            self._row(FrameTaken(self._time(t), camera, name), keep=False)
        except OSError:
            path.unlink(missing_ok=True)
            raise
        self._numbers[camera] += 1
        self._unsynced.append(path)
        self._pictures += len(jpeg)

    def line(self, t: float, line: Line) -> None:
        """Write a line; where that fails it is kept, and written before the next."""
        if isinstance(line, Played) and line.at is not None:
            line = replace(line, at=line.at - self._zero)
        self._row((self._time(t), line), keep=True)

    def said(self, rows: list[Json]) -> None:
        """Write what the referee said."""
        shifted = [row | {"t": round(row["t"] - self._zero, 3)} if "t" in row else row for row in rows]
        if shifted:
            self._changed = True
            self._said.add("\n".join(json.dumps(row) for row in shifted))

    def flush(self) -> None:
        """Write what could not be written before."""
        self._timeline.flush()
        self._said.flush()

    def sync(self) -> None:
        """Wait until everything would survive a power cut: the pictures first, then the rows that name them."""
        if not self._changed:
            return
        while self._unsynced:
            path = self._unsynced[-1]
            self._disk.sync(path)
            self._unsynced.pop()
        for inside in self._folders.values():
            self._disk.sync(self.folder / inside)
        self._timeline.sync()
        self._said.sync()
        self._changed = False

    def write_truth(self) -> None:
        """Write down what is known by now, in place of what was known before; nothing where the session is damaged."""
        try:
            rows = told_in(self.folder)
        except (BadInput, TableError) as problem:
            log.warning("recordings: the truth of %s cannot be told (%s)", self.folder.name, problem)
            return
        if rows:
            self._disk.replace(self.folder / TRUTH, "".join(json.dumps(row) + "\n" for row in rows).encode())

    def close(self) -> None:
        """Let go of the files."""
        self._timeline.close()
        self._said.close()

    def _row(self, entry: FrameTaken | tuple[float, Line], *, keep: bool) -> None:
        self._changed = True
        self._now = entry.t if isinstance(entry, FrameTaken) else entry[0]
        self._timeline.add(json.dumps(row_of(entry)), keep=keep)

    def _time(self, t: float) -> float:
        """The session's time: a timeline never runs backwards, though a picture waits for others now and then."""
        return max(round(t - self._zero, 3), self._now)


def begin_recording(folder: Path, ours: Json, wanted: Beginning, disk: Disk) -> Recording:
    """Begin a new recording in a folder that is not there yet, with `ours` as its mark.

    Raises OSError; nothing is left then.
    """
    folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder.mkdir(mode=0o700)
    try:
        head = head_of(wanted.game, wanted.cameras) | {MARK: ours}
        disk.write(folder / HEAD, (json.dumps(head, indent=1) + "\n").encode())
        # A camera's name may be any; as a key of TOML it stands in quotes.
        cameras = {json.dumps(name): model for name, model in wanted.table.cameras.items()}
        disk.write(folder / "table.toml", table_text(replace(wanted.table, cameras=cameras)).encode())
        if wanted.table.deck != Deck():
            write_deck(wanted.table.deck, folder)
        recording = Recording(folder, disk, wanted.cameras, wanted.zero)
        for path in (folder / HEAD, folder / "table.toml", folder, folder.parent):
            disk.sync(path)
    except OSError:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return recording


def resumed(kept: Kept, wanted: Beginning, disk: Disk) -> Recording | None:
    """Go on with a recording, if it is of that game and nobody is at it. Raises OSError."""
    try:
        session = open_session(kept.folder)
    except (BadInput, TableError):
        return None
    if (session.game, session.cameras) != (wanted.game, wanted.cameras):
        return None
    recording = Recording(kept.folder, disk, session.cameras, kept.zero)
    if recording.held:
        recording.go_on()
        return recording
    recording.close()
    return None


def told_in(folder: Path) -> list[Json] | None:
    """The truth of a recording from all that was said in it; None where nobody wrote down what was said."""
    try:
        rows = (folder / SAID).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    return truth_of(list(open_session(folder).timeline(_nobody)), list(_whole(rows)))


def _whole(rows: list[str]) -> Iterator[Json]:
    for row in rows:
        try:
            said = json.loads(row)
        except ValueError:
            continue  # a power cut went through it
        if isinstance(said, dict):
            yield said


def _nobody(_: str) -> None:
    """What is amiss with a timeline is said where somebody replays it."""


def _plain(camera: str, number: int) -> str:
    """A camera's name as that of its folder; one that cannot be is made to be, with its number."""
    plain = re.sub(r"[^A-Za-z0-9_-]", "-", camera)[:40]
    return plain if plain == camera else f"{number}-{plain}"
