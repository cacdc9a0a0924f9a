"""The recorded round that comes with the project, and what it should come to."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.line_json import parse_line
from engine.lines import Line, NewGame

SESSION = Path(__file__).parent.parent / "sessions" / "ada-and-ben"


def truth() -> list[dict[str, Any]]:
    """Every line of the session's truth."""
    return [json.loads(row) for row in (SESSION / "truth.jsonl").read_text().splitlines()]


def true_events(kind: str) -> list[dict[str, Any]]:
    return [said for said in truth() if said["type"] == kind]


def true_lines() -> Iterator[tuple[Line, dict[str, list[int]]]]:
    """The round as perfect eyes would give it, with the racks as they stand at each line, by seat."""
    frames = {said["file"]: said for said in truth() if said["type"] == "frame"}
    head = json.loads((SESSION / "session.json").read_text())
    racks: dict[str, list[int]] = {}
    yield parse_line({"type": "game", **{key: head[key] for key in ("edition", "variants", "players")}}), {}
    for row in (SESSION / "timeline.jsonl").read_text().splitlines():
        entry = json.loads(row)
        if entry["type"] != "frame":
            yield parse_line(entry | {"type": "call"} if entry["type"] == "button" else entry), racks
            continue
        frame = frames[entry["file"]]
        if "rack" in frame:
            racks[frame["camera"][-1]] = list(frame["rack"].values())
        if frame["hand"]:
            continue
        seen: dict[str, Any] = {"type": "observe", "t": entry["t"]}
        if "rack" in frame:
            seen["racks"] = {frame["camera"][-1]: frame["rack"]}
        else:
            seen |= {"discard": frame["discard"], "draw": "cards" if frame["draw"] else "empty"}
        yield parse_line(seen), dict(racks)


def the_game() -> NewGame:
    first = next(true_lines())[0]
    assert isinstance(first, NewGame)
    return first


def copied(folder: Path, frames: int | None = None) -> Path:
    """A copy of the session that a test may spoil; with `frames`, only the timeline's first so many rows."""
    copy = folder / "session"
    shutil.copytree(SESSION, copy)
    if frames is not None:
        rows = (copy / "timeline.jsonl").read_text().splitlines(keepends=True)
        (copy / "timeline.jsonl").write_text("".join(rows[:frames]))
    return copy
