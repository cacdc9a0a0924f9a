"""The measured table (TABLE.md, beside this file): cards, rack, tray and cameras, as plain values with defaults."""

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Literal, cast

SLOTS = 10
MAT_SIZE = (297.0, 210.0)
"""Width and depth of a printed A4 mat in mm (TABLE.md, Mats)."""


class TableError(Exception):
    """Root of what calibration and vision cannot do: one line saying what, where, and what to do."""

    exit_code = 2


@dataclass(frozen=True)
class Card:
    """A card's outline in mm (TABLE.md, Cards)."""

    width: float = 89.0
    height: float = 56.0


@dataclass(frozen=True)
class Rack:
    """A rack on its mat, in mm of the mat frame (TABLE.md, Rack); the lean is in degrees, backwards positive.

    `at` is the front-left corner; `first` is the way from the front edge to slot 5 and `pitch` from slot to slot;
    `margin` is the way from the rack's left edge to the cards; `floor` is the height of a card's lower edge.
    """

    at: tuple[float, float] = (111.0, 33.0)
    width: float = 75.0
    depth: float = 144.0
    height: float = 22.0
    pitch: float = 11.9
    first: float = 20.0
    margin: float = 14.0
    floor: float = 5.0
    lean: float = 6.0


@dataclass(frozen=True)
class Tray:
    """The tray: in which well, as the tray mat's own front sees it, the draw pile lies."""

    draw: Literal["left", "right"] = "left"


@dataclass(frozen=True)
class CameraModel:
    """A calibrated camera: picture size (width, height) in pixels, 3x3 matrix in pixels, OpenCV's distortion."""

    size: tuple[int, int]
    matrix: tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]
    distortion: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Table:
    """One measured table. `cameras` goes by camera name; a camera that is missing is not calibrated."""

    card: Card = field(default_factory=Card)
    rack: Rack = field(default_factory=Rack)
    tray: Tray = field(default_factory=Tray)
    cameras: Mapping[str, CameraModel] = field(default_factory=dict)


def read_table(source: str | Path) -> Table:
    """Read a table from a file (a Path) or from its text (a str); raise TableError if it cannot be right.

    Sections and keys that are unknown here are left to others, except in [card], [rack] and [tray], where an
    unknown key is a misspelt one.
    """
    name = str(source) if isinstance(source, Path) else "table.toml"
    try:
        text = source.read_text(encoding="utf-8") if isinstance(source, Path) else source
        values = tomllib.loads(text)
    except OSError as error:
        raise TableError(f"{name}: cannot be read ({error.strerror or error}); check the path") from None
    except UnicodeDecodeError:
        raise TableError(f"{name}: is not text; write it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise TableError(f"{name}: is not TOML: {error}") from None
    except RecursionError:
        raise TableError(f"{name}: is nested too deeply to be a measured table") from None
    try:
        return _table(values)
    except _RefusedError as refused:
        raise TableError(f"{name}: {' '.join(str(refused).split())}") from None


class _RefusedError(Exception):
    """A key and the reason why its value cannot be right."""


def _table(values: Mapping[str, object]) -> Table:
    card_values = _numbers("card", _section(values, "card"), Card)
    card = Card(**card_values)
    for key, value in card_values.items():
        _check(20 <= value <= 200, f"card.{key}", f"{value:g} mm is no card (20..200)")
    cameras = _section(values, "camera")
    return Table(
        card,
        _rack(_section(values, "rack")),
        _tray(_section(values, "tray")),
        {k: _camera(k, cameras) for k in cameras},
    )


def _rack(section: Mapping[str, object]) -> Rack:
    plain = {key: value for key, value in section.items() if key != "at"}
    numbers = _numbers("rack", plain, Rack)
    at = _vector("rack.at", section["at"], (2,)) if "at" in section else Rack.at
    rack = Rack(at=(at[0], at[1]), **numbers)
    for key in ("width", "depth", "height", "pitch"):
        _check(getattr(rack, key) > 0, f"rack.{key}", f"{getattr(rack, key):g} mm; it must be above 0")
    for key in ("first", "margin", "floor"):
        _check(getattr(rack, key) >= 0, f"rack.{key}", f"{getattr(rack, key):g} mm; it must not be negative")
    _check(-30 <= rack.lean <= 45, "rack.lean", f"{rack.lean:g} degrees; cards lean between -30 and 45")
    last = rack.first + (SLOTS - 1) * rack.pitch
    _check(
        last <= rack.depth, "rack.pitch", f"slot 50 at {last:g} mm lies beyond the rack's depth of {rack.depth:g} mm"
    )
    _check(rack.margin < rack.width, "rack.margin", f"{rack.margin:g} mm is wider than the rack ({rack.width:g} mm)")
    _check(rack.floor < rack.height, "rack.floor", f"{rack.floor:g} mm is above the rack's top ({rack.height:g} mm)")
    on_mat = 0 <= rack.at[0] <= MAT_SIZE[0] and 0 <= rack.at[1] <= MAT_SIZE[1]
    _check(
        on_mat, "rack.at", f"({rack.at[0]:g}, {rack.at[1]:g}) is not on the mat of {MAT_SIZE[0]:g} x {MAT_SIZE[1]:g} mm"
    )
    return rack


def _tray(section: Mapping[str, object]) -> Tray:
    for key in section:
        _check(key == "draw", f"tray.{key}", "is no key of [tray]; it has draw")
    draw = section.get("draw", Tray.draw)
    if draw not in ("left", "right"):
        raise _RefusedError(f'tray.draw: {draw!r} is neither "left" nor "right"')
    return Tray("left" if draw == "left" else "right")


def _camera(name: str, cameras: Mapping[str, object]) -> CameraModel:
    section = _section(cameras, name, f"camera.{name}")
    for key in ("size", "matrix"):
        _check(key in section, f"camera.{name}.{key}", "is missing; a camera has size and matrix, or no section at all")
    width, height = _vector(f"camera.{name}.size", section["size"], (2,))
    for value in (width, height):
        whole = value == int(value) and 16 <= value <= 16384
        _check(whole, f"camera.{name}.size", f"{value:g} is no picture size in whole pixels (16..16384)")
    rows = section["matrix"]
    if not isinstance(rows, list) or len(rows) != 3:
        raise _RefusedError(f"camera.{name}.matrix: must be 3 rows of 3 numbers")
    a, b, c = (_row(f"camera.{name}.matrix", row) for row in rows)
    focal = min(a[0], b[1])
    in_range = 0.1 * width <= focal and max(a[0], b[1]) <= 20 * width
    _check(
        in_range, f"camera.{name}.matrix", f"focal lengths {a[0]:g}, {b[1]:g} do not fit a picture {width:g} px wide"
    )
    pinhole = a[1] == 0 and b[0] == 0 and c == (0.0, 0.0, 1.0) and 0 < a[2] < width and 0 < b[2] < height
    _check(pinhole, f"camera.{name}.matrix", "must be [[fx, 0, cx], [0, fy, cy], [0, 0, 1]] with cx, cy in the picture")
    distortion = _vector(f"camera.{name}.distortion", section.get("distortion", [0.0] * 5), (4, 5, 8, 12, 14))
    _check(all(abs(value) < 50 for value in distortion), f"camera.{name}.distortion", "is too large to be a lens")
    return CameraModel((int(width), int(height)), (a, b, c), distortion)


def _section(values: Mapping[str, object], key: str, name: str | None = None) -> Mapping[str, object]:
    section = values.get(key, {})
    if not isinstance(section, dict):
        raise _RefusedError(f"{name or key}: must be a section, [{name or key}]")
    return cast("Mapping[str, object]", section)


def _numbers(name: str, section: Mapping[str, object], kind: type[Card] | type[Rack]) -> dict[str, float]:
    known = [item.name for item in fields(kind)]
    for key in section:
        _check(key in known, f"{name}.{key}", f"is no key of [{name}]; it has {', '.join(known)}")
    return {key: _number(f"{name}.{key}", value) for key, value in section.items()}


def _number(key: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _RefusedError(f"{key}: {value!r} is not a number")
    try:
        number = float(value)
    except OverflowError:
        raise _RefusedError(f"{key}: the number is too large") from None
    _check(math.isfinite(number), key, f"{number} is not a finite number")
    return number


def _vector(key: str, value: object, lengths: tuple[int, ...]) -> tuple[float, ...]:
    if not isinstance(value, list) or len(value) not in lengths:
        raise _RefusedError(f"{key}: must be a list of {' or '.join(map(str, lengths))} numbers")
    return tuple(_number(key, item) for item in value)


def _row(key: str, value: object) -> tuple[float, float, float]:
    if not isinstance(value, list) or len(value) != 3:
        raise _RefusedError(f"{key}: must be 3 rows of 3 numbers")
    first, second, third = (_number(key, item) for item in value)
    return first, second, third


def _check(holds: bool, key: str, reason: str) -> None:  # noqa: FBT001 - reads as a sentence at the call
    if not holds:
        raise _RefusedError(f"{key}: {reason}")
