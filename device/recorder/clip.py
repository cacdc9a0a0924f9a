"""`racko clip`: a small part of a session as a session of its own, for a bug report or a test."""

import json
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from calibration.deckfile import FIGURES, SHEET
from device.recorder.account import Entry
from device.recorder.cutting import Part, Wishes, inside, opening_of, part_of, time_of
from device.recorder.recording import told_in
from device.recorder.shelf import size_of
from device.sessions.format import FrameTaken, Session, head_of, open_session, read_truth, row_of
from engine.cards import SEATS
from engine.errors import BadInput
from engine.events import Json
from engine.game import Player
from engine.lines import Line, NewGame, NewRound, Played

LEAD: Final = 1.0
"""Seconds of a clip before its part begins: what stood then is looked at twice (vision.settle)."""

BETWEEN: Final = 0.25
"""Seconds between a camera's last two pictures from before the part: a hand in the first is not taken for still."""


@dataclass
class Clip:
    """A clip while it is written: `part` of the entries of a session, and the truth that belongs to it."""

    session: Session
    entries: Sequence[Entry]
    truth: Sequence[Json]
    part: Part
    folder: Path
    names: bool
    _files: dict[str, str] = field(default_factory=dict)
    _rows: list[Json] = field(default_factory=list)

    def write(self) -> Json:
        """Write it; return how much it has come to. Raises BadInput or OSError."""
        belongs = inside(self.part, self.entries)
        within = [entry for place, entry in enumerate(self.entries) if belongs(place)]
        if not any(isinstance(entry, FrameTaken) for entry in [*within, *self._stood()]):
            raise BadInput(f"from {self.part.first:g} to {self.part.last:g}: no picture was recorded there")
        _new_folder(self.folder)
        self._beginning()
        for entry in within:
            self._add(entry, time_of(entry) - self.part.first + LEAD)
        game = self.session.game if self.names else _nameless(self.session.game)
        head = head_of(game, self.session.cameras) | {"clip": {"from": self.part.first, "to": self.part.last}}
        (self.folder / "session.json").write_text(json.dumps(head, indent=1) + "\n", encoding="utf-8")
        shutil.copyfile(self.session.table_path, self.folder / "table.toml")
        for name in (FIGURES, SHEET):
            if (learnt := self.session.table_path.parent / name).is_file():
                shutil.copyfile(learnt, self.folder / name)
        _write_rows(self.folder / "timeline.jsonl", self._rows)
        truth = list(self._true())
        if truth:
            _write_rows(self.folder / "truth.jsonl", truth)
        return {
            "clip": str(self.folder),
            "from": self.part.first,
            "to": self.part.last,
            "pictures": len(self._files),
            "lines": sum(row["type"] != "frame" for row in self._rows),
            "truth": len(truth),
            "bytes": size_of(self.folder),
        }

    def _beginning(self) -> None:
        """What stood when the part begins; in the middle of a round, the line that deals it comes first."""
        seats = [player.seat for player in self.session.game.players]
        opening = opening_of(self.part, self.entries, self.truth, seats)
        for line in opening:
            if isinstance(line, NewRound):
                self._add((0.0, line), 0.0)
        stood = self._stood()
        latest = {frame.camera: frame for frame in stood}
        for frame in stood:
            self._add(frame, BETWEEN if frame is latest[frame.camera] else 0.0)
        self._rows.sort(key=lambda row: float(row["t"]))
        for line in opening:
            if not isinstance(line, NewRound):
                self._add((LEAD, line), LEAD)

    def _stood(self) -> list[FrameTaken]:
        """Each camera's last two pictures from before the part."""
        before: dict[str, list[FrameTaken]] = {}
        for entry in self.entries:
            if isinstance(entry, FrameTaken) and entry.t < self.part.first:
                before.setdefault(entry.camera, []).append(entry)
        return [frame for frames in before.values() for frame in frames[-2:]]

    def _add(self, entry: Entry, t: float) -> None:
        t = round(t, 3)
        if isinstance(entry, FrameTaken):
            name = self._copied(entry)
            if name is not None:
                self._rows.append(row_of(FrameTaken(t, entry.camera, name)))
            return
        line: Line = entry[1]
        if isinstance(line, Played) and line.at is not None:
            at = round(line.at - self.part.first + LEAD, 3)
            if at < LEAD:
                return  # it was played before the part begins, where the pictures show what came of it
            line = replace(line, at=at)
        self._rows.append(row_of((t, line)))

    def _copied(self, frame: FrameTaken) -> str | None:
        """Copy a picture into the clip, once; give its name there, or None where there is none to copy."""
        if frame.name not in self._files:
            path = self.session.picture_path(frame)
            name = f"frames/{Path(frame.name).parent.name}/{len(self._files):06}.jpg"
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            try:
                shutil.copyfile(path, self.folder / name)
            except FileNotFoundError:
                print(f"racko: {path}: is not there; the clip goes without it", file=sys.stderr)
                return None
            self._files[frame.name] = name
        return self._files[frame.name]

    def _true(self) -> Iterator[Json]:
        """The truth that belongs to the clip: of its pictures, and of what happened in it."""
        for row in self.truth:
            t = float(row["t"])
            shifted = row | {"t": round(max(t - self.part.first + LEAD, 0.0), 3)}
            if "file" in row:
                if row["file"] in self._files:
                    yield shifted | {"file": self._files[row["file"]]}
            elif self.part.first < t <= self.part.last:
                # The words of a violation name the players.
                yield {key: value for key, value in shifted.items() if self.names or key != "text"}


def clip(source: Path, out: Path, wishes: Wishes, *, names: bool, as_json: bool) -> int:
    """Cut a clip out of a session; return the exit code. Raises BadInput for what cannot be."""
    session = open_session(source)
    entries = list(session.timeline(lambda words: print(f"racko: {words}", file=sys.stderr)))
    truth = [row for row in told_in(source) or read_truth(session) or [] if _is_sound(row)]
    try:
        part = part_of(wishes, entries, truth)
        said = Clip(session, entries, truth, part, out, names).write()
    except BadInput as problem:
        raise BadInput(f"{source}: {problem}") from None
    if as_json:
        print(json.dumps(said))
    else:
        seconds, size, rows = said["to"] - said["from"], said["bytes"] / 1e6, said["truth"]
        print(
            f"{out}: {seconds:.1f} s, {said['pictures']} pictures, {said['lines']} lines, {rows} rows of truth, "
            f"{size:.1f} MB; racko replay {out}{' --check' if rows else ''} plays it"
        )
    return 0


def _is_sound(row: Json) -> bool:
    """Whether a row of truth can be placed in time, and a turn told to be somebody's."""
    t, seat = row.get("t"), row.get("seat")
    timed = isinstance(t, int | float) and not isinstance(t, bool)
    return timed and isinstance(row.get("type"), str) and (row["type"] != "turn" or seat in SEATS)


def _nameless(game: NewGame) -> NewGame:
    return replace(game, players=tuple(Player(player.seat, f"Player {player.seat}") for player in game.players))


def _new_folder(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadInput(f"{folder}: is there already and not empty; name a new folder")
    folder.mkdir(parents=True, exist_ok=True)


def _write_rows(path: Path, rows: Sequence[Json]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
