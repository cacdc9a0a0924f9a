"""The measured table (TABLE.md, beside this file): cards, rack, tray and cameras, as plain values with defaults."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Literal

from calibration.deckfile import Deck, Places, Printed, read_deck
from calibration.values import RefusedError, TableError, check, numbers_of, read_toml, row_of, section_of, vector_of

__all__ = [
    "MAT_SIZE",
    "SLOTS",
    "CameraModel",
    "Card",
    "Deck",
    "Places",
    "Printed",
    "Rack",
    "Table",
    "TableError",
    "Tray",
    "read_table",
]

SLOTS = 10
MAT_SIZE = (297.0, 210.0)
"""Width and depth of a printed A4 mat in mm (TABLE.md, Mats)."""


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


Side = Literal["left", "right"]
"""One of the tray's two wells, as the tray mat's own front sees it."""


@dataclass(frozen=True)
class Tray:
    """The tray: in which well the draw pile lies."""

    draw: Side = "left"


@dataclass(frozen=True)
class CameraModel:
    """A calibrated camera: picture size (width, height) in pixels, 3x3 matrix in pixels, OpenCV's distortion."""

    size: tuple[int, int]
    matrix: tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]
    distortion: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Table:
    """One measured table. `cameras` goes by camera name; a camera that is missing is not calibrated.

    `deck` is what was learnt of the cards' look; by default nothing was. Where its rack is not `measured`, nobody knows
    where the slots are: they are where they mostly are.
    """

    card: Card = field(default_factory=Card)
    rack: Rack = field(default_factory=Rack)
    tray: Tray = field(default_factory=Tray)
    cameras: Mapping[str, CameraModel] = field(default_factory=dict)
    deck: Deck = field(default_factory=Deck)
    measured: bool = False


def read_table(source: str | Path) -> Table:
    """Read a table from a file (a Path) or from its text (a str); raise TableError if it cannot be right.

    With a file, what was learnt of the deck is read too, from deck.toml and deck.png beside it if they are there.

    Sections and keys that are unknown here are left to others, except in [card], [rack] and [tray], where an
    unknown key is a misspelt one.
    """
    name = str(source) if isinstance(source, Path) else "table.toml"
    table = read_toml(source, name, _table, "a measured table")
    return replace(table, deck=read_deck(source.parent)) if isinstance(source, Path) else table


def _table(values: Mapping[str, object]) -> Table:
    card_values = numbers_of("card", section_of(values, "card"), [item.name for item in fields(Card)])
    card = Card(**card_values)
    for key, value in card_values.items():
        check(20 <= value <= 200, f"card.{key}", f"{value:g} mm is no card (20..200)")
    cameras, rack = section_of(values, "camera"), section_of(values, "rack")
    return Table(
        card,
        _rack(rack),
        _tray(section_of(values, "tray")),
        {k: _camera(k, cameras) for k in cameras},
        measured=bool({"pitch", "first"} & rack.keys()),
    )


def _rack(section: Mapping[str, object]) -> Rack:
    plain = {key: value for key, value in section.items() if key != "at"}
    numbers = numbers_of("rack", plain, [item.name for item in fields(Rack)])
    at = vector_of("rack.at", section["at"], (2,)) if "at" in section else Rack.at
    rack = Rack(at=(at[0], at[1]), **numbers)
    for key in ("width", "depth", "height", "pitch"):
        check(getattr(rack, key) > 0, f"rack.{key}", f"{getattr(rack, key):g} mm; it must be above 0")
    for key in ("first", "margin", "floor"):
        check(getattr(rack, key) >= 0, f"rack.{key}", f"{getattr(rack, key):g} mm; it must not be negative")
    check(-30 <= rack.lean <= 45, "rack.lean", f"{rack.lean:g} degrees; cards lean between -30 and 45")
    last = rack.first + (SLOTS - 1) * rack.pitch
    check(last <= rack.depth, "rack.pitch", f"slot 50 at {last:g} mm lies beyond the rack's depth of {rack.depth:g} mm")
    check(rack.margin < rack.width, "rack.margin", f"{rack.margin:g} mm is wider than the rack ({rack.width:g} mm)")
    check(rack.floor < rack.height, "rack.floor", f"{rack.floor:g} mm is above the rack's top ({rack.height:g} mm)")
    on_mat = 0 <= rack.at[0] <= MAT_SIZE[0] and 0 <= rack.at[1] <= MAT_SIZE[1]
    check(
        on_mat, "rack.at", f"({rack.at[0]:g}, {rack.at[1]:g}) is not on the mat of {MAT_SIZE[0]:g} x {MAT_SIZE[1]:g} mm"
    )
    return rack


def _tray(section: Mapping[str, object]) -> Tray:
    for key in section:
        check(key == "draw", f"tray.{key}", "is no key of [tray]; it has draw")
    draw = section.get("draw", Tray.draw)
    if draw not in ("left", "right"):
        raise RefusedError(f'tray.draw: {draw!r} is neither "left" nor "right"')
    return Tray("left" if draw == "left" else "right")


def _camera(name: str, cameras: Mapping[str, object]) -> CameraModel:
    section = section_of(cameras, name, f"camera.{name}")
    for key in ("size", "matrix"):
        check(key in section, f"camera.{name}.{key}", "is missing; a camera has size and matrix, or no section at all")
    width, height = vector_of(f"camera.{name}.size", section["size"], (2,))
    for value in (width, height):
        whole = value == int(value) and 16 <= value <= 16384
        check(whole, f"camera.{name}.size", f"{value:g} is no picture size in whole pixels (16..16384)")
    rows = section["matrix"]
    if not isinstance(rows, list) or len(rows) != 3:
        raise RefusedError(f"camera.{name}.matrix: must be 3 rows of 3 numbers")
    a, b, c = (row_of(f"camera.{name}.matrix", row) for row in rows)
    focal = min(a[0], b[1])
    in_range = 0.1 * width <= focal and max(a[0], b[1]) <= 20 * width
    check(in_range, f"camera.{name}.matrix", f"focal lengths {a[0]:g}, {b[1]:g} do not fit a picture {width:g} px wide")
    pinhole = a[1] == 0 and b[0] == 0 and c == (0.0, 0.0, 1.0) and 0 < a[2] < width and 0 < b[2] < height
    check(pinhole, f"camera.{name}.matrix", "must be [[fx, 0, cx], [0, fy, cy], [0, 0, 1]] with cx, cy in the picture")
    distortion = vector_of(f"camera.{name}.distortion", section.get("distortion", [0.0] * 5), (4, 5, 8, 12, 14))
    check(all(abs(value) < 50 for value in distortion), f"camera.{name}.distortion", "is too large to be a lens")
    return CameraModel((int(width), int(height)), (a, b, c), distortion)
