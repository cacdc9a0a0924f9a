"""Whether there is room for an evening, how fast it is safely written down, and whether the journals are whole."""

import fcntl
import os
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import IO, Final

from device.doctor.case import Case
from device.doctor.findings import Finding, Verdict, together
from device.doctor.machine import Machine

CHECK: Final = "disk"
MB: Final = 1_000_000
FULL, LITTLE = 200 * MB, 2000 * MB
"""Free bytes: a journal takes some hundred kB an evening, recorded pictures some hundred MB."""
SLOW, SLOWEST = 0.05, 1.0
"""Seconds for a few bytes to be safely on the disk: a call is answered after that, and should take 0.1 in all."""
WRITES: Final = 12
BYTES: Final = 4096
PASSING: Final = frozenset({"tmpfs", "ramfs", "overlay"})
"""Kinds of disk that are gone with the power; a Pi's protected card is an overlay."""
WORN: Final = 9
"""A memory chip that counts its wear says in tenths how much of its life is over."""
LARGEST: Final = 500 * MB
"""A larger journal is not copied to be checked; no evening makes one."""
LOCKS: Final = (510, 0x40000002)
"""How many bytes from where on SQLite locks for its readers (https://www.sqlite.org/fileformat.html, lock bytes)."""
NEWEST: Final = 8
"""So many journals are checked, the latest first."""


@dataclass(frozen=True)
class Mount:
    """What a folder lies on: the kind of file system, and its device as "179:2"."""

    at: str
    kind: str
    device: str


def check(case: Case) -> Iterator[Finding]:
    """Look at the disk that the journals go to, then at the journals."""
    folder = case.settings.folder
    there = next(parent for parent in (folder, *folder.absolute().parents) if parent.exists())
    name = f"{folder}" if there == folder else f"{folder} (will be made)"
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        mend = f"sudo chown NAME {there}, with the user that racko runs as, or name another as [journal] folder"
        yield Finding(CHECK, "bad", f"{name}: nothing can be written there", mend)
    else:
        yield _room(case.machine, name, there)
    mount = mount_of(case.machine, there)
    if mount is not None:
        yield from _wear(case.machine, mount)
    yield from _journals(folder)


def _room(machine: Machine, name: str, folder: Path) -> Finding:
    """Free space, the kind of disk, and how long a safe write takes."""
    free = machine.free(folder)
    amiss: list[tuple[Verdict, str]] = []
    if free < LITTLE:
        verdict: Verdict = "bad" if free < FULL else "look"
        amiss.append((verdict, "free some disk space: delete old recordings, or sudo apt clean"))
    mount = mount_of(machine, folder)
    if mount is not None and mount.kind in PASSING:
        words = f"this folder is a {mount.kind} and is gone with the power: name one on a real disk as [journal] folder"
        amiss.append(("look", words))
    try:
        times = _written(machine, folder)
    except OSError as problem:
        mend = "see that the disk is not full and not read-only, which an SD card becomes when it is worn out"
        return Finding(CHECK, "bad", f"{name}: a write failed ({problem.strerror})", mend)
    usual = median(times)
    if usual > SLOW:
        words = "the disk is slow: take a good SD card (A1 or A2), or put the journal on a USB disk"
        amiss.append(("bad" if usual > SLOWEST else "look", words))
    speed = f"{1000 * usual:.1f} ms, at worst {1000 * max(times):.1f} ms"
    return together(CHECK, f"{name}: {free / 1000 / MB:.1f} GB free, a safe write takes {speed}", amiss)


def _written(machine: Machine, folder: Path) -> list[float]:
    """Write a little several times, each safely; give the seconds of each. The file is gone afterwards."""
    times = []
    with tempfile.NamedTemporaryFile(dir=folder, prefix=".racko-doctor-", buffering=0) as file:
        for _ in range(WRITES):
            begun = machine.monotonic()
            file.write(bytes(BYTES))
            os.fsync(file.fileno())
            times.append(machine.monotonic() - begun)
    return times


def mount_of(machine: Machine, folder: Path) -> Mount | None:
    """Find what a folder lies on, in /proc/self/mountinfo; None where that does not say."""
    said, found = machine.text("proc", "self", "mountinfo"), None
    whole = folder.resolve()
    for row in (said or "").splitlines():
        first, _, second = row.partition(" - ")
        fields, kind = first.split(), second.split()
        if len(fields) < 5 or not kind:
            continue
        at = re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), fields[4])
        if whole.is_relative_to(at) and (found is None or len(at) >= len(found.at)):
            found = Mount(at, kind[0], fields[2])
    return found


def _wear(machine: Machine, mount: Mount) -> Iterator[Finding]:
    """What the system knows of the disk's own troubles, where it knows."""
    device = machine.path("sys", "dev", "block", mount.device).resolve()
    errors = machine.text("sys", "fs", "ext4", device.name, "errors_count")
    if errors is not None and errors.isdigit() and int(errors):
        mend = "save what you need, then put in a new card, or have this one checked (fsck) in another machine"
        yield Finding(CHECK, "bad", f"the file system on {device.name} has noted {errors} errors", mend)
    life = [_text(folder / "device" / "life_time") for folder in (device, device.parent)]
    used = [int(part, 16) for words in life for part in words.split() if re.fullmatch(r"0x[0-9a-fA-F]{2}", part)]
    if used and max(used) > WORN:
        mend = "save what you need and replace it soon"
        yield Finding(
            CHECK, "look", f"the memory of {device.name} is worn: {10 * max(used)} % of its life is over", mend
        )


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""


def _journals(folder: Path) -> Iterator[Finding]:
    """Check copies of the latest journals, so that nothing is changed; what they hold is not looked at."""
    files = sorted(folder.glob("*.sqlite"), key=lambda file: file.stat().st_mtime, reverse=True)
    states: dict[str, list[str]] = {}
    for file in files[:NEWEST]:
        states.setdefault(_state(file), []).append(file.name)
    for state, names in states.items():
        found = f"{state}: {', '.join(names)}"
        match state:
            case "whole":
                yield Finding(CHECK, "good", f"{len(names)} of the latest {min(len(files), NEWEST)} journals are whole")
            case "in use":
                yield Finding(CHECK, "good", f"a table is writing {', '.join(names)}")
            case "not checked":
                yield Finding(CHECK, "look", found, f"each has more than {LARGEST / MB:.0f} MB, move it away")
            case _:
                mend = "move it away and keep it: a new one is begun, and a game that was broken off in it is lost"
                yield Finding(CHECK, "bad", f"{found} (in {folder})", mend)


def _state(file: Path) -> str:
    """How a journal is: "whole", "in use", "not checked", or what is wrong."""
    try:
        with file.open("rb") as journal:
            if file.stat().st_size > LARGEST:
                return "not checked"
            if not _held_for_reading(journal):
                return "in use"
            with tempfile.TemporaryDirectory(prefix="racko-doctor-") as folder:
                copy = Path(folder) / "copy.sqlite"
                shutil.copyfile(file, copy)
                log = file.with_name(f"{file.name}-wal")
                if log.exists():
                    shutil.copyfile(log, f"{copy}-wal")
                return _checked(copy)
    except OSError as problem:
        return f"cannot be read ({problem.strerror})"


def _held_for_reading(journal: IO[bytes]) -> bool:
    """Take SQLite's lock for readers as long as the file is open; False where another program is writing."""
    try:
        fcntl.lockf(journal, fcntl.LOCK_SH | fcntl.LOCK_NB, *LOCKS)
    except BlockingIOError:
        return False
    return True


def _checked(copy: Path) -> str:
    try:
        with closing(sqlite3.connect(copy)) as base:
            damage = base.execute("PRAGMA quick_check").fetchone()[0]
    except sqlite3.Error:
        return "damaged"
    return "whole" if damage == "ok" else "damaged"
