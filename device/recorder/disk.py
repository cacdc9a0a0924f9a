"""What the recorder asks of a disk. A test puts a full, a slow or a broken one in its place."""

import os
import shutil
from pathlib import Path
from typing import Final

KEPT_FREE: Final = 500_000_000
KEPT_SHARE: Final = 0.05
"""So many bytes stay free, or this share of a disk that is smaller than 10 GB: the journal of the game needs room."""


class Disk:
    """The disk as it is. All of it raises OSError."""

    def room(self, folder: Path) -> int:
        """How many bytes may be written before less than what is kept free is left; below 0 where it is already."""
        usage = shutil.disk_usage(folder)
        return usage.free - min(KEPT_FREE, int(usage.total * KEPT_SHARE))

    def write(self, path: Path, data: bytes) -> None:
        """Write a new file for its owner's eyes; where that fails, nothing of it is left."""
        stream = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            self.append(stream, data)
        except OSError:
            path.unlink(missing_ok=True)
            raise
        finally:
            os.close(stream)

    def append(self, stream: int, data: bytes) -> None:
        """Write all of the bytes to an open file."""
        left = memoryview(data)
        while left:
            left = left[os.write(stream, left) :]

    def replace(self, path: Path, data: bytes) -> None:
        """Put a file in the place of another: a power cut leaves the old one or the new one."""
        beside = path.with_name(f".{path.name}.new")
        self.write(beside, data)
        self.sync(beside)
        beside.replace(path)
        self.sync(path.parent)

    def sync(self, path: Path) -> None:
        """Wait until a file, or a folder's names, would survive a power cut."""
        stream = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(stream)
        finally:
            os.close(stream)


class Rows:
    """A file that grows row by row; rows that could not be written are kept, and written before the next ones."""

    def __init__(self, path: Path, disk: Disk) -> None:
        """Open the file, or begin it; what a power cut left of a last row is cut off. Raises OSError."""
        self.path = path
        self._disk = disk
        self._late: list[bytes] = []
        self.stream = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            self.size = path.read_bytes().rfind(b"\n") + 1
            os.ftruncate(self.stream, self.size)
        except OSError:
            os.close(self.stream)
            raise

    def add(self, row: str, *, keep: bool = True) -> None:
        """Write a row. Where that raises OSError, it is written later if `keep`, else it is as if it had not been."""
        self._late.append(row.encode() + b"\n")
        try:
            self.flush()
        except OSError:
            if not keep:
                self._late.pop()
            raise

    def flush(self) -> None:
        """Write what could not be written yet: whole rows or nothing."""
        if not self._late:
            return
        data = b"".join(self._late)
        # What is there beyond the last whole row was left by a write that failed.
        os.ftruncate(self.stream, self.size)
        self._disk.append(self.stream, data)
        self.size += len(data)
        self._late.clear()

    def sync(self) -> None:
        """Wait until all rows would survive a power cut."""
        os.fsync(self.stream)

    def close(self) -> None:
        """Close the file."""
        os.close(self.stream)
