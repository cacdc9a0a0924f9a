"""What was learnt of the owner's deck, and the two files beside table.toml that keep it: deck.toml and deck.png.

deck.toml holds the figures. deck.png is a sheet of sixty tiles, ten in a row, each what a number of this deck looks
like on the average, blank where it was never seen: a person sees at a glance whether the deck was learnt well.
"""

import contextlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, get_args

from calibration.values import RefusedError, TableError, check, numbers_of, read_toml, section_of, vector_of

CARDS: Final = 60
ROWS, COLUMNS = 32, 48
"""A number's tile in pixels, rows and columns: the same cut as the number reader takes (vision/reading/digits.py)."""
TILES: Final = 10
"""Tiles in a row of deck.png."""
FIGURES, SHEET = "deck.toml", "deck.png"
TRUSTED: Final = 6
"""A look that was borne out so often counts as certain; more is not counted, so that a wrong one can be forgotten."""
LEAST_TRUST: Final = 0.1
NARROWEST: Final = 0.05
"""No law of places is known better than to so many mm, however often the same racks were seen in the same pictures."""
AGAIN = "learn the deck again (racko calibrate --deck), or delete deck.toml and deck.png"
Kind = Literal["line", "one place", "none"]


@dataclass(frozen=True)
class Printed:
    """One number as the deck prints it.

    `look` is its mean crop, ROWS * COLUMNS bytes of grey, print dark; `seen` (1..TRUSTED) how often that was borne
    out; `left` where in mm from the card's left edge the numeral begins.
    """

    look: bytes
    seen: int
    left: float


@dataclass(frozen=True)
class Places:
    """The law of places: a numeral begins `middle` + `slope` * (card - 30.5) mm from its card's left edge.

    `spread` is the standard deviation in mm of one card about its picture's line, `wander` that of the pictures'
    lines: of how the cards' edges were found. Of kind "none" the numbers keep to no line, and the rest says nothing.
    """

    kind: Kind
    middle: float
    slope: float
    spread: float
    wander: float


@dataclass(frozen=True)
class Deck:
    """What is known of a deck; by default nothing.

    `numbers` has an entry a card, 1 to 60, None where it was never seen. `height` is that of the digits in mm and
    `contrast` in grey levels how they differ from their card, negative for dark print; both None if unknown. `trust`
    (LEAST_TRUST..1) is how far the reader of any typeface can be believed with this one: 1 as far as with others.
    """

    numbers: tuple[Printed | None, ...] = (None,) * CARDS
    places: Places | None = None
    height: float | None = None
    contrast: float | None = None
    trust: float = 1.0

    def __bool__(self) -> bool:
        """Whether anything was learnt."""
        return any(self.numbers)


def read_deck(folder: Path) -> Deck:
    """Read what was learnt of a deck from a folder, nothing without a deck.toml. Raises TableError if it is broken."""
    path = folder / FIGURES
    if not path.is_file():
        return Deck()
    tiles = _tiles(folder / SHEET)
    return read_toml(path, str(path), lambda values: _deck(values, tiles), "what was learnt of a deck")


def write_deck(deck: Deck, folder: Path) -> tuple[Path, Path]:
    """Write what was learnt into a folder; return the paths of deck.toml and deck.png.

    Each file is written beside and then takes the old one's place, so that a power cut leaves the old or the new one.
    The sheet is first: it may know more numbers than the figures, never fewer. Raises OSError.
    """
    figures, sheet = folder / FIGURES, folder / SHEET
    _replace(sheet, _sheet(deck))
    _replace(figures, _figures(deck).encode())
    return figures, sheet


def _deck(values: Mapping[str, object], tiles: tuple[bytes, ...]) -> Deck:
    known = ("ink", "reader", "places", "numbers")
    for key in values:
        check(key in known, key, f"is no section of a deck; it has {', '.join(known)}")
    numbers: list[Printed | None] = [None] * CARDS
    for key, value in section_of(values, "numbers").items():
        check(key.isdecimal() and 1 <= int(key) <= CARDS, f"numbers.{key}", f"is no card; cards are 1 to {CARDS}")
        seen, left = vector_of(f"numbers.{key}", value, (2,))
        check(seen in range(1, TRUSTED + 1), f"numbers.{key}", f"was seen {seen:g} times; 1 to {TRUSTED} count")
        check(0 <= left <= 200, f"numbers.{key}", f"begins at {left:g} mm, which is on no card (0..200)")
        look = tiles[int(key) - 1]
        check(len(set(look)) > 1, f"numbers.{key}", f"{SHEET} shows nothing in its place; {AGAIN}")
        numbers[int(key) - 1] = Printed(look, int(seen), left)
    ink = numbers_of("ink", section_of(values, "ink"), ("height", "contrast"))
    height, contrast = ink.get("height"), ink.get("contrast")
    check(height is None or 2 <= height <= 15, "ink.height", f"{height} mm is no digit's height (2..15)")
    check(contrast is None or 1 <= abs(contrast) <= 255, "ink.contrast", f"{contrast} is no contrast (1..255, or -)")
    trust = numbers_of("reader", section_of(values, "reader"), ("trust",)).get("trust", 1.0)
    check(LEAST_TRUST <= trust <= 1, "reader.trust", f"{trust:g} is no trust ({LEAST_TRUST}..1)")
    places = section_of(values, "places")
    return Deck(tuple(numbers), _places(places) if places else None, height, contrast, trust)


def _places(section: Mapping[str, object]) -> Places:
    kind = section.get("kind")
    if kind not in get_args(Kind):
        raise RefusedError(f"places.kind: {kind!r} is none of {', '.join(get_args(Kind))}")
    figures = {key: value for key, value in section.items() if key != "kind"}
    names = ("middle", "slope", "spread", "wander")
    places = numbers_of("places", figures, names)
    for key in names:
        check(key in places, f"places.{key}", "is missing")
    check(0 <= places["middle"] <= 200, "places.middle", f"{places['middle']:g} mm is on no card (0..200)")
    check(abs(places["slope"]) <= 3, "places.slope", f"{places['slope']:g} mm a number has no room on a card (-3..3)")
    for key in ("spread", "wander"):
        check(NARROWEST <= places[key] <= 50, f"places.{key}", f"{places[key]:g} mm cannot be ({NARROWEST}..50)")
    named = next(name for name in get_args(Kind) if name == kind)
    return Places(named, **places)


def _figures(deck: Deck) -> str:
    lines = [
        "# What Racko has learnt of this deck's look; deck.png beside it shows it. It is written anew whenever more",
        "# is learnt. Delete both files to begin anew.",
    ]
    if deck.height is not None and deck.contrast is not None:
        tone = "dark" if deck.contrast < 0 else "light"
        lines += ["[ink]", f"height = {deck.height:.2f}      # of the digits, in mm"]
        lines += [f"contrast = {deck.contrast:.1f}   # {tone} print, in grey levels"]
    lines += ["[reader]", f"trust = {deck.trust:.2f}       # how far it can be believed with this typeface; 1: as ever"]
    if deck.places is not None:
        law = deck.places
        lines += ["[places]   # a numeral begins middle + slope * (number - 30.5) mm from its card's left edge"]
        lines += [f'kind = "{law.kind}"', f"middle = {law.middle:.3f}", f"slope = {law.slope:.4f}"]
        lines += [f"spread = {law.spread:.3f}", f"wander = {law.wander:.3f}"]
    lines += ["[numbers]   # how often each was seen and borne out, and where it began, in mm"]
    lines += [f"{card} = [{it.seen}, {it.left:.2f}]" for card, it in enumerate(deck.numbers, 1) if it is not None]
    return "\n".join(lines) + "\n"


def _tiles(path: Path) -> tuple[bytes, ...]:
    import cv2  # noqa: PLC0415 - takes a while to load, and most tables have no deck.png
    import numpy as np  # noqa: PLC0415 - likewise

    size = (TILES * COLUMNS, CARDS // TILES * ROWS)
    try:
        data = path.read_bytes()
        sheet = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE) if data else None
    except OSError as error:
        raise TableError(f"{path}: cannot be read ({error.strerror or error}); {AGAIN}") from None
    except cv2.error:
        sheet = None
    if sheet is None or (sheet.shape[1], sheet.shape[0]) != size:
        raise TableError(f"{path}: is no picture of {size[0]} x {size[1]} pixels; {AGAIN}")
    tiles = sheet.reshape(CARDS // TILES, ROWS, TILES, COLUMNS).swapaxes(1, 2).reshape(CARDS, -1)
    return tuple(tile.tobytes() for tile in tiles)


def _sheet(deck: Deck) -> bytes:
    import cv2  # noqa: PLC0415 - as above
    import numpy as np  # noqa: PLC0415 - as above

    blank = bytes([255]) * (ROWS * COLUMNS)
    tiles = np.frombuffer(b"".join(it.look if it else blank for it in deck.numbers), np.uint8)
    sheet = tiles.reshape(CARDS // TILES, TILES, ROWS, COLUMNS).swapaxes(1, 2).reshape(CARDS // TILES * ROWS, -1)
    return bytes(cv2.imencode(".png", sheet)[1].tobytes())


def _replace(path: Path, data: bytes) -> None:
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise
