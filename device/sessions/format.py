"""Recorded sessions (README, Formats): what a table's cameras and button gave, in time order, and the truth of it."""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, Final

from calibration.table import Table, read_table
from engine.errors import BadInput
from engine.events import Json
from engine.line_json import line_as_json, parse_line, parse_time
from engine.lines import Call, Line, NewGame, NewRound, Observation
from vision.frame import Frame

VERSION: Final = 1


@dataclass(frozen=True)
class FrameTaken:
    """At time `t` (seconds) this camera's picture changed into the one in the file `name` of the session."""

    t: float
    camera: str
    name: str


@dataclass(frozen=True)
class Session:
    """A session on disk, which is a source (device.sessions.source). `table` is what its owner measured."""

    folder: Path
    game: NewGame
    cameras: tuple[str, ...]
    table: Table
    table_path: Path

    @property
    def name(self) -> str:
        """The folder's name with a mark of what happened: another recording there is another table."""
        mark = hashlib.sha256(self._timeline_text().encode()).hexdigest()[:12]
        return f"{self.folder.resolve().name}-{mark}"

    def timeline(self, complain: Callable[[str], None]) -> Iterator[FrameTaken | tuple[float, Line]]:
        """The session's frames and lines in time order; a line comes with its time.

        A line that cannot be read is passed over, and a timeline that is cut short ends there; `complain` is told in
        one line of words each. Raises BadInput where there is no timeline at all.
        """
        return _entries(self, self._timeline_text().splitlines(), complain)

    def picture(self, taken: FrameTaken) -> Frame:
        """Open a frame's picture; raise PictureError where it cannot be read."""
        return Frame.load(self.picture_path(taken))

    def picture_path(self, frame: FrameTaken) -> Path:
        """Where a frame's picture lies."""
        return self.folder / frame.name

    def _timeline_text(self) -> str:
        return _text(self.folder / "timeline.jsonl")


def open_session(folder: Path) -> Session:
    """Read what a session says of itself. Raises BadInput or TableError: file, key, reason."""
    path = folder / "session.json"
    said = _json_object(_text(path), str(path))
    if said.get("format") != "racko-session":
        raise BadInput(f'{path}: format is {said.get("format")!r}; a recorded session has "racko-session"')
    if said.get("version") != VERSION:
        raise BadInput(f"{path}: version {said.get('version')!r} is not known; this program reads version {VERSION}")
    try:
        game = parse_line(
            {
                "type": "game",
                **{key: said.get(key) for key in ("edition", "players", "options")},
                "variants": said.get("variants", []),
            }
        )
    except BadInput as problem:
        raise BadInput(f"{path}: {problem}") from None
    cameras, table = said.get("cameras"), said.get("table", "table.toml")
    if not isinstance(cameras, list) or not all(isinstance(camera, str) for camera in cameras):
        raise BadInput(f"{path}: cameras: {cameras!r} is not a list of names")
    assert isinstance(game, NewGame)  # noqa: S101 - parse_line gives what its type key asks for
    table_path = folder / _inside(table, f"{path}: table")
    return Session(folder, game, tuple(cameras), read_table(table_path), table_path)


def head_of(game: NewGame, cameras: Sequence[str]) -> Json:
    """What a session says of itself, in its session.json; its table lies beside it, in table.toml."""
    said = line_as_json(game)
    del said["type"]
    return {"format": "racko-session", "version": VERSION, **said, "cameras": list(cameras), "table": "table.toml"}


def row_of(entry: FrameTaken | tuple[float, Line]) -> Json:
    """A picture or a line in the words of a timeline, where a line has the time at which it stands there."""
    if isinstance(entry, FrameTaken):
        return {"t": entry.t, "type": "frame", "camera": entry.camera, "file": entry.name}
    t, line = entry
    said = line_as_json(line if isinstance(line, NewGame | NewRound) else replace(line, t=t))
    return {"t": t} | (said | {"type": "button"} if isinstance(line, Call) else said)


def _entries(
    session: Session, rows: Sequence[str], complain: Callable[[str], None]
) -> Iterator[FrameTaken | tuple[float, Line]]:
    path = session.folder / "timeline.jsonl"
    now = 0.0
    for number, row in enumerate(rows, 1):
        if not row.strip():
            continue
        where = f"{path.name}, line {number}"
        try:
            entry = _entry(session, _json_object(row, where), where)
        except BadInput as problem:
            if number == len(rows):
                complain(f"{path}: the recording is cut short at line {number}; replayed up to there")
            else:
                complain(f"{session.folder}: {problem}; passed over")
            continue
        time = entry.t if isinstance(entry, FrameTaken) else entry[0]
        if time < now:
            complain(f"{session.folder}: {where}: time {time:g} lies before {now:g}; passed over")
            continue
        now = time
        yield entry


def _entry(session: Session, said: Json, where: str) -> FrameTaken | tuple[float, Line]:
    try:
        time = parse_time(said)
        if said.get("type") != "frame":
            said = said | {"type": "call"} if said.get("type") == "button" else said
            line = parse_line(said)
            if isinstance(line, NewGame | Observation):
                raise BadInput(f"type {said.get('type')!r} does not belong into a timeline")
            return time, line
        camera = said.get("camera")
        if camera not in session.cameras:
            raise BadInput(f"camera {camera!r} is none of {', '.join(session.cameras)}")
        return FrameTaken(time, str(camera), _inside(said.get("file"), "file"))
    except BadInput as problem:
        raise BadInput(f"{where}: {problem}") from None


def read_truth(session: Session) -> list[Json] | None:
    """What really happened, as recorded beside the pictures; None where nobody wrote it down."""
    path = session.folder / "truth.jsonl"
    if not path.exists():
        return None
    rows = enumerate(_text(path).splitlines(), 1)
    return [_json_object(row, f"{path}, line {number}") for number, row in rows if row.strip()]


def _inside(name: object, key: str) -> str:
    """A file name that stays inside the session."""
    if not isinstance(name, str) or not name:
        raise BadInput(f"{key}: {name!r} is not a file name")
    parts = PurePosixPath(name)
    if parts.is_absolute() or ".." in parts.parts or "\0" in name:
        raise BadInput(f"{key}: {name!r} leads out of the session")
    return name


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as problem:
        raise BadInput(f"{path}: cannot be read ({problem.strerror}); is this a recorded session?") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path}: is not text") from None


def _json_object(text: str, where: str) -> Json:
    try:
        said: Any = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise BadInput(f"{where}: is not JSON ({problem})") from None
    if not isinstance(said, dict):
        raise BadInput(f"{where}: is not a JSON object")
    return said
