"""The folder of all recordings: which of what lies there is ours, how large it is, and what makes room for more."""

import fcntl
import json
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

MARK: Final = "recorder"
"""The key of a session.json that says: this was recorded by us, and may be removed by us."""

HEAD: Final = "session.json"
TIMELINE: Final = "timeline.jsonl"


@dataclass(frozen=True)
class Kept:
    """A recording on the shelf. `number` rises from recording to recording, whatever the clock says; `size` is bytes.

    name: what its table is called. zero: the evening's time, in seconds, at which its own time begins.
    """

    folder: Path
    number: int
    name: str
    zero: float
    size: int


class Shelf:
    """The recordings in one folder. Nothing else that lies there is ever touched, nor what a link leads to."""

    def __init__(self, folder: Path) -> None:
        """Look at a folder, which need not be there yet."""
        self.folder = folder

    def kept(self) -> list[Kept]:
        """All recordings, the oldest first."""
        try:
            inside = [path for path in self.folder.iterdir() if path.is_dir() and not path.is_symlink()]
        except FileNotFoundError:
            return []
        found = [recording for path in inside if (recording := _kept(path)) is not None]
        return sorted(found, key=lambda recording: recording.number)

    def new_folder(self, name: str) -> Path:
        """A folder that is not there yet, by the name of a table."""
        plain = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip(".-") or "table"
        number, path = 1, self.folder / plain
        while os.path.lexists(path):
            number += 1
            path = self.folder / f"{plain}-{number}"
        return path


def remove(recording: Kept) -> bool:
    """Remove a whole recording, its mark last; False where that cannot be, or somebody is recording there."""
    if in_use(recording.folder):
        return False
    try:
        for path in recording.folder.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            elif path.name != HEAD:
                path.unlink()
        (recording.folder / HEAD).unlink()
        recording.folder.rmdir()
    except OSError:
        return False
    return True


def in_use(folder: Path) -> bool:
    """Whether a recorder, of this program or another, holds this recording."""
    try:
        stream = os.open(folder / TIMELINE, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return not hold(stream)
    finally:
        os.close(stream)


def hold(stream: int) -> bool:
    """Hold an open timeline for as long as it stays open; False where somebody else holds it."""
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def size_of(folder: Path) -> int:
    """The bytes of all files in a folder."""
    total = 0
    for inside, _, files in os.walk(folder):
        for name in files:
            try:
                total += os.lstat(os.path.join(inside, name)).st_size  # noqa: PTH118 - thousands of them
            except OSError:
                continue
    return total


def _kept(folder: Path) -> Kept | None:
    """Read a recording's mark; None for what is none of ours."""
    try:
        said = json.loads((folder / HEAD).read_text(encoding="utf-8"))
        if said["format"] != "racko-session" or type(said[MARK]["number"]) is not int:
            return None
        ours = said[MARK]
        return Kept(folder, ours["number"], str(ours["name"]), float(ours["zero"]), size_of(folder))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
