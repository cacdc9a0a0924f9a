"""Writing a simulated table down as a recorded session with its truth (README, Formats)."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2

from device.sessions.format import VERSION
from device.simulated.filming import Film, Picture
from device.simulated.script import Said
from engine.errors import BadInput
from engine.events import Json
from vision.drawing.truth import table_text

QUALITY: Final = 80
"""JPEG quality of recorded pictures, that of the recorded rounds."""


@dataclass
class Written:
    """What a session has come to so far; `bytes` are those of its pictures."""

    pictures: int = 0
    bytes: int = 0
    turns: int = 0
    violations: int = 0
    rounds: int = 0


def write_session(folder: Path, film: Film, tell: Callable[[Written], None]) -> Written:
    """Draw all of a film into a folder, which must be new or empty, and tell after each picture how far it has come.

    What is written so far is at any moment a session that was cut short. Raises BadInput for a folder with something
    in it, OSError where nothing can be written.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadInput(f"{folder}: is there already and not empty; name a new folder")
    for camera in film.cameras:
        (folder / "frames" / camera).mkdir(parents=True)
    (folder / "session.json").write_text(json.dumps(_head(film), indent=1) + "\n", encoding="utf-8")
    (folder / "table.toml").write_text(table_text(film.table), encoding="utf-8")
    written = Written()
    happened: list[Json] = []
    with (
        (folder / "timeline.jsonl").open("w", encoding="utf-8", buffering=1) as timeline,
        (folder / "truth.jsonl").open("w", encoding="utf-8", buffering=1) as truth,
    ):
        for entry in film.entries():
            if isinstance(entry, Picture):
                written.bytes += _write_picture(folder, entry)
                written.pictures += 1
                line = {"t": entry.t, "type": "frame", "camera": entry.camera, "file": entry.name}
                timeline.write(json.dumps(line) + "\n")
                truth.write(json.dumps(entry.truth()) + "\n")
                tell(written)
            elif isinstance(entry, Said):
                timeline.write(json.dumps(entry.line) + "\n")
            else:
                happened.append(entry.line)
                written.turns += entry.line["type"] == "turn"
                written.violations += entry.line["type"] == "violation"
                written.rounds += entry.line["type"] == "round_end"
        truth.writelines(json.dumps(line) + "\n" for line in happened)
    return written


def _write_picture(folder: Path, picture: Picture) -> int:
    """Write one picture; give its size in bytes."""
    _, data = cv2.imencode(".jpg", picture.draw(), [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return (folder / picture.name).write_bytes(data.tobytes())


def _head(film: Film) -> Json:
    """Say what a session says of itself."""
    game = film.game
    return {
        "format": "racko-session",
        "version": VERSION,
        "edition": game.edition,
        "variants": list(game.variants),
        "players": [{"seat": player.seat, "name": player.name} for player in game.players],
        "cameras": list(film.cameras),
        "table": "table.toml",
    }
