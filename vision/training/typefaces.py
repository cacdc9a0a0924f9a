"""Typefaces for drawing training crops: found on the machine, split by design, kept as small glyph masks.

The split is by design and not by file: metric clones of one design (Liberation Sans, Arimo, Nimbus Sans, ...) stay on
one side, so that a typeface "never seen" was not seen under another name either.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Part = Literal["train", "calibrate", "test"]

CAP = 64
"""Height of a figure in the glyph masks, in pixels."""

FONT_FOLDER = Path("/usr/share/fonts")
"""Where Debian's font packages put their files."""

LETTERS = "ABCDEFGHIKLMNOPRSTUVXYZackoenrt-"
"""What the masks hold beside the figures: RACK-O, and other print that is no number."""

_UNFIT = re.compile(
    r"BRK|Symbol|Inverted|Outline|OCRACond|Math|Initials|Keyboard|Dings|Music|Integrals|Size\w+Sym|NonUnicode|STIXVariants|Sketch|D050000L"
    r"|Signwriting|OpenDyslexicAlta|Smallcaps|unifur|Atari|Aksar|Balker|Junkyard|Caliban|Penguin|Wargames|flatline"
    r"|progenisis|Saturday|El Abogado|Glass TTY|Swift|Winks|Mad's|Marked|Domestic|Cupola|Delphine|Monoisome|Steve"
    r"|It wasn't me|Musica|Quotation|Dunhill|^Noto (?!Sans$|Serif$|Sans Mono|Sans Display|Serif Display|Mono$)",
    re.IGNORECASE,
)
_TOO_THIN = re.compile(r"thin|hairline|extra ?light|ultra ?light", re.IGNORECASE)

_TEST = re.compile(
    r"^(Lato|Carlito|URW Bookman|TeX Gyre Bonum|EB Garamond|League Spartan|PT Sans|PT Serif|Fira|Vollkorn|Yanone"
    r"|Caladea|Quattrocento|Tiresias|Bebas|Roadgeek|Gillius|Clear Sans|CMU|Latin Modern|Roboto Slab"
    r"|M PLUS|Mplus|OpenDyslexic)"
)
_CALIBRATE = re.compile(r"^(Inter|Play|Cabin|Oxygen|Old Standard|Karla|Karmilla|B612|Mekanus|Romande|Manrope|Lobster)")


@dataclass(frozen=True)
class Face:
    """One typeface. `glyphs`: uint8 masks, all of one height; `weight`: how often it is drawn with."""

    name: str
    glyphs: dict[str, NDArray[np.uint8]]
    weight: float


def part_of(family: str) -> Part:
    """To which part of the split a family belongs."""
    if _TEST.match(family):
        return "test"
    return "calibrate" if _CALIBRATE.match(family) else "train"


def load(part: Part, folder: Path = FONT_FOLDER) -> list[Face]:
    """All usable typefaces of one part, in the order of their names; an empty list where no fonts are installed."""
    faces: dict[str, Face] = {}
    for path, family, style in _files(folder):
        name = f"{family} {style}"
        if part_of(family) == part and name not in faces:
            face = _face(path, name)
            if face is not None:
                faces[name] = face
    # A family of thirty cuts is not thirty designs: each cut counts for less.
    cuts = Counter(_design(name) for name in faces)
    return [replace(faces[name], weight=faces[name].weight / cuts[_design(name)] ** 0.5) for name in sorted(faces)]


def files(part: Part, folder: Path = FONT_FOLDER) -> list[str]:
    """The font files of one part, each cut of a typeface once, in the order of their names; for vision.drawing."""
    found = {f"{family} {style}": str(path) for path, family, style in _files(folder) if part_of(family) == part}
    return [found[name] for name in sorted(found)]


def _design(name: str) -> str:
    return " ".join(name.split()[:2])


def _files(folder: Path) -> Iterator[tuple[Path, str, str]]:
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() not in {".ttf", ".otf"}:
            continue
        try:
            family, style = ImageFont.truetype(str(path), 16).getname()
        except OSError:
            continue
        if family and not _UNFIT.search(family) and not _TOO_THIN.search(f"{style}"):
            yield path, family, style or ""


def _face(path: Path, name: str) -> Face | None:
    """Masks of one file, or None where it has no proper figures."""
    try:
        probe = ImageFont.truetype(str(path), 200)
        boxes = [probe.getbbox(figure) for figure in "0123456789"]
        heights = [box[3] - box[1] for box in boxes]
        if min(heights) < 20 or max(heights) > 400:
            return None
        font = ImageFont.truetype(str(path), max(8, round(200 * CAP / float(np.median(heights)))))
        rows = [font.getbbox(figure) for figure in "0123456789"]
        above, below = min(box[1] for box in rows), max(box[3] for box in rows)
        pad = CAP // 3
        glyphs = {character: _mask(font, character, above - pad, below + pad) for character in "0123456789" + LETTERS}
    except (OSError, ValueError):
        return None
    figures = [glyphs[figure].tobytes() for figure in "0123456789"]
    if len(set(figures)) < 10 or any(not glyphs[figure].any() for figure in "0123456789"):
        return None
    # Figures of unlike height are old style: hardly ever on a card, but they must not be a surprise either.
    old_style = min(heights) / max(heights) < 0.86
    slanted = bool(re.search("italic|oblique|slant", name, re.IGNORECASE))
    heavy = bool(re.search("bold|black|heavy|demi", name, re.IGNORECASE))
    weight = (0.12 if old_style else 1.0) * (0.3 if slanted else 1.0) * (2.0 if heavy else 1.0)
    return Face(name, glyphs, weight)


def _mask(font: ImageFont.FreeTypeFont, character: str, above: float, below: float) -> NDArray[np.uint8]:
    """One glyph at its own advance width; ink that hangs over the advance is kept by a small margin."""
    width = max(2, round(font.getlength(character)))
    picture = Image.new("L", (width, round(below - above)))
    ImageDraw.Draw(picture).text((0, -above), character, fill=255, font=font)
    return np.asarray(picture, dtype=np.uint8)
