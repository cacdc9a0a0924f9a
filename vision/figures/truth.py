"""What pictures show, as their truth.jsonl says: of stills, of drawn pictures and of recorded sessions alike."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from calibration.table import SLOTS, CameraModel, Table, TableError, read_table

State = tuple[str, int | None]
"""What stands at a place, as `vision.fuse.best` names it: ("card", its number), ("empty", None), ("back", None)."""
Part = Literal["all", "tuning", "held-out"]
PARTS: Final[Sequence[Part]] = ("all", "tuning", "held-out")
THIRD: Final = 3
"""Of so many pictures the last is held out: nobody looks at it or tunes on it."""


class FolderError(TableError):
    """A folder that nothing can be judged by: which, why, and what to do."""


@dataclass(frozen=True)
class Shown:
    """What one picture of a folder shows.

    `racks`: by seat, what stands in the slots 5 to 50; `partly` likewise, for racks that are not wholly in the picture;
    `in_view` are the slots (0..9) of those whose number is wholly in it, by seat.
    `pile` is the discard pile's top and `draw` whether there is a draw pile ("cards", "empty"); None without a tray.
    `camera` is its camera's name in the measured table, None where that has but one.
    """

    folder: Path
    name: str
    racks: Mapping[int, tuple[State, ...]] = field(default_factory=dict)
    partly: Mapping[int, tuple[State, ...]] = field(default_factory=dict)
    in_view: Mapping[int, frozenset[int]] = field(default_factory=dict)
    pile: State | None = None
    draw: str | None = None
    camera: str | None = None

    @property
    def file(self) -> Path:
        """The picture."""
        return self.folder / self.name

    def table(self) -> Table:
        """Read what was measured: the picture's own .toml, else its folder's table.toml; raise TableError."""
        own = self.file.with_suffix(".toml")
        return read_table(own if own.exists() else self.folder / "table.toml")

    def camera_in(self, table: Table) -> CameraModel | None:
        """Give the measured camera of this picture: the one that is named, else the first; None without one."""
        cameras = table.cameras
        return cameras.get(self.camera) if self.camera is not None else next(iter(cameras.values()), None)


def shown_in(folder: Path, part: Part = "all") -> list[Shown]:
    """Read a folder's truth, but for pictures with a hand in them; raise FolderError where that cannot be."""
    file = folder / "truth.jsonl"
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise FolderError(f"{file}: cannot be read ({why}); name a folder with a truth.jsonl") from None
    found = []
    for number, line in enumerate(lines, 1):
        try:
            found += list(_shown(folder, json.loads(line))) if line.strip() else []
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise FolderError(f"{file}, line {number}: is no picture's truth ({error!r}); see FORMATS") from None
    chosen = [one for place, one in enumerate(found) if part == "all" or (place % THIRD == 2) == (part == "held-out")]
    if not chosen:
        raise FolderError(f"{file}: tells of no picture without a hand; name another folder or part")
    missing = next((one.file for one in chosen if not one.file.is_file()), None)
    if missing is not None:
        raise FolderError(f"{missing}: is not there, though {file} tells of it; fetch the pictures, too")
    return chosen


def _shown(folder: Path, truth: Mapping[str, Any]) -> Iterator[Shown]:
    """Give what a line of truth tells of a picture; nothing where it tells of something else."""
    if "image" in truth:
        tray = truth["tray"]
        yield Shown(
            folder,
            truth["image"],
            _racks(truth["racks"]),
            _racks(truth.get("partly", {})),
            _in_view(truth),
            _pile(tray["discard"]) if tray else None,
            tray["draw"] if tray else None,
        )
    elif truth.get("type") == "frame" and not truth["hand"]:
        camera = truth["camera"]
        if "rack" in truth:
            states = tuple(_card_or(card, "empty") for card in truth["rack"].values())
            seat = int(camera.removeprefix("rack"))
            yield Shown(folder, truth["file"], _whole({seat: states}), camera=camera)
        else:
            draw = "cards" if truth["draw"] else "empty"
            yield Shown(folder, truth["file"], pile=_pile(truth["discard"]), draw=draw, camera=camera)


def _in_view(truth: Mapping[str, Any]) -> Mapping[int, frozenset[int]]:
    """Give the slots (0..9) whose number is wholly in the picture, of racks that are not, by seat."""
    return {
        int(seat): frozenset(
            int(slot) // 5 - 1
            for slot, corners in truth["numbers"][seat].items()
            if all(0 <= x < truth["camera"]["width"] and 0 <= y < truth["camera"]["height"] for x, y in corners)
        )
        for seat in truth.get("partly", {})
    }


def _racks(racks: Mapping[str, Sequence[Mapping[str, Any]]]) -> Mapping[int, tuple[State, ...]]:
    return _whole(
        {
            int(seat): tuple(_card_or(slot.get("card"), "empty" if slot.get("empty") else "back") for slot in slots)
            for seat, slots in racks.items()
        }
    )


def _whole(racks: Mapping[int, tuple[State, ...]]) -> Mapping[int, tuple[State, ...]]:
    for seat, slots in racks.items():
        if len(slots) != SLOTS:
            raise ValueError(f"seat {seat} has {len(slots)} slots instead of {SLOTS}")
    return racks


def _card_or(card: int | None, otherwise: str) -> State:
    return ("card", int(card)) if card else (otherwise, None)


def _pile(discard: int | None) -> State:
    return _card_or(discard, "empty")
