"""The journal of an evening: every line taken in and every event said, durably on disk before anybody is told.

One SQLite file, insert only. WAL with synchronous=FULL: a transaction that has returned survives a power cut
(https://www.sqlite.org/pragma.html#pragma_synchronous). Pictures never go in.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from engine.errors import RackoError
from engine.event_json import event_from_json
from engine.events import Event, Json
from engine.line_json import line_as_json, parse_line
from engine.lines import Line

VERSION: Final = 1
"""Version of the file's layout, kept in SQLite's user_version."""

_LAYOUT: Final = f"""
CREATE TABLE entries (
    number INTEGER PRIMARY KEY,
    written TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('line', 'event')),
    body TEXT NOT NULL
) STRICT;
CREATE TRIGGER entries_stay BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'a journal is never changed'); END;
CREATE TRIGGER entries_last BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'a journal is never shortened'); END;
PRAGMA user_version = {VERSION};
"""


class JournalError(RackoError):
    """The journal cannot be opened, is damaged, or cannot be written."""


@dataclass(frozen=True)
class Entry:
    """One row: its number, 1, 2, 3, ..., what was taken in or said, and the time of day when it was written."""

    number: int
    kind: Literal["line", "event"]
    body: Json
    written: str = ""

    @property
    def line(self) -> Line:
        """What was taken in."""
        return parse_line(self.body)

    @property
    def event(self) -> Event:
        """What was said."""
        return event_from_json(self.body)


class Journal:
    """Appends to one file; one writer only, on one thread. `clock` gives the time of day as text."""

    def __init__(self, path: Path | None, clock: Callable[[], str]) -> None:
        """Open the journal at `path`, or begin it; without one, keep it in memory, for what nobody will go on with.

        Raises JournalError if it is damaged or not ours.
        """
        self.path = path
        self._clock = clock
        if path is None:
            self._base = sqlite3.connect(":memory:", isolation_level=None)
            self._open()
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            # The racks of a running game stand in this file: for its owner's eyes only.
            path.touch(mode=0o600)
            self._base = sqlite3.connect(path, isolation_level=None)
            self._open()
        except OSError as problem:
            words = f"{path}: the journal cannot be made ({problem.strerror}); name another folder as [journal] folder"
            raise JournalError(words) from None
        except sqlite3.Error as problem:
            mend = "move it away to begin a new one"
            if "locked" in str(problem):
                mend = "another racko is using it, stop that one first"
            raise JournalError(f"{path}: the journal cannot be opened ({problem}); {mend}") from None

    def _open(self) -> None:
        base = self._base
        base.execute("PRAGMA journal_mode = WAL")
        base.execute("PRAGMA synchronous = FULL")
        base.execute("PRAGMA locking_mode = EXCLUSIVE")
        base.execute("PRAGMA busy_timeout = 1000")
        # SQLite locks at the first write: without one now, another program could begin an evening on this journal too
        base.execute("BEGIN EXCLUSIVE")
        base.execute("COMMIT")
        found = base.execute("PRAGMA user_version").fetchone()[0]
        if found == 0 and base.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0:
            base.executescript(f"BEGIN; {_LAYOUT} COMMIT;")
        elif found != VERSION:
            raise JournalError(
                f"{self.path}: the journal has layout {found}, this program writes {VERSION}; move it away"
            )
        damage = base.execute("PRAGMA quick_check").fetchone()[0]
        if damage != "ok":
            raise JournalError(f"{self.path}: the journal is damaged ({damage}); move it away to begin a new one")

    def append(self, line: Line, events: Sequence[Event]) -> int:
        """Write a line and what it led to, all or nothing; return the last number. Raises JournalError."""
        bodies = [("line", line_as_json(line)), *(("event", event.as_json()) for event in events)]
        written = self._clock()
        rows = [(written, kind, json.dumps(body, ensure_ascii=False)) for kind, body in bodies]
        try:
            self._base.execute("BEGIN IMMEDIATE")
            self._base.executemany("INSERT INTO entries (written, kind, body) VALUES (?, ?, ?)", rows)
            self._base.execute("COMMIT")
        except sqlite3.Error as problem:
            if self._base.in_transaction:
                self._base.execute("ROLLBACK")
            raise JournalError(
                f"{self.path}: the journal cannot be written ({problem}); free some disk space"
            ) from None
        return self.last_number()

    def last_number(self) -> int:
        """The number of the newest entry, 0 for none."""
        newest: int | None = self._base.execute("SELECT max(number) FROM entries").fetchone()[0]
        return newest or 0

    def entries(self, after: int = 0) -> Iterator[Entry]:
        """Every entry behind number `after`, in order. Raises JournalError for one that cannot be read."""
        yield from self._read("number > ?", after)

    def told(self) -> Iterator[Entry]:
        """Every event, in order: what happened, without what was looked at. Raises JournalError as `entries`."""
        yield from self._read("kind = ?", "event")

    def _read(self, where: str, value: object) -> Iterator[Entry]:
        rows = self._base.execute(
            f"SELECT number, kind, body, written FROM entries WHERE {where} ORDER BY number",  # noqa: S608 - our own words
            (value,),
        )
        for number, kind, body, written in rows:
            try:
                yield Entry(number, kind, json.loads(body), written)
            except ValueError as problem:
                raise JournalError(f"{self.path}: entry {number} cannot be read ({problem})") from None

    def games(self) -> int:
        """Count the games that were begun."""
        count: int = self._base.execute(
            "SELECT count(*) FROM entries WHERE kind = 'line' AND json_extract(body, '$.type') = 'game'"
        ).fetchone()[0]
        return count

    def last_game(self) -> list[Entry]:
        """The entries of the newest game, its game line first; none where no game was begun."""
        found = self._base.execute(
            "SELECT max(number) FROM entries WHERE kind = 'line' AND json_extract(body, '$.type') = 'game'"
        ).fetchone()[0]
        return [] if found is None else list(self.entries(after=found - 1))

    def close(self) -> None:
        """Close the file; closing twice is harmless."""
        self._base.close()
