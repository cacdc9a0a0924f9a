"""Type for cards and mats: font files of the machine, Pillow's own font, or OpenCV's lines; as masks of ink.

A typeface is a name: the path of a TTF or OTF file, "" for the font inside Pillow, or "lines 0" to "lines 3" for
OpenCV's line fonts, so that cards can be drawn where no font is installed.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

BUILT_IN = ""
LINES = ("lines 0", "lines 1", "lines 2", "lines 3")
_LINE_FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
)
FOLDERS = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".local/share/fonts")
"""Where Linux keeps fonts (Filesystem Hierarchy Standard, XDG base directories)."""
CAP = 96
"""Height of a numeral in a mask, in pixels: cards are drawn with some 50."""
THIN = 0.085
"""Strokes thinner than this share of a numeral's height are not printed on cards that are read across a table."""
_UNFIT = re.compile(
    r"symbol|outline|inverted|math|initial|keyboard|dings|music|braille|emoji|barcode|smallcap|thin|hairline|key|button|boxed|stencil|rounded.?box|wingding|glass|tty|dot|led|pixel|bitmap|extra.?light"
    r"|ultra.?light|ocra|noto(?!sans-|serif-|sansmono|sansdisplay|serifdisplay)|script|signwriting|nonunicode|kaushan",
    re.IGNORECASE,
)
_USUAL = (
    "LiberationSans-Bold", "LiberationSerif-Bold", "DejaVuSans-Bold", "DejaVuSerif-Bold", "Roboto-Bold",
    "RobotoSlab-Bold", "OpenSans-Bold", "C059-Bold", "FreeSansBold", "FreeSerifBold", "Ubuntu-B",
)  # fmt: skip
"""Designs such as cards are printed in, among what Linux systems bring along."""


@cache
def installed(folders: tuple[Path, ...] = FOLDERS) -> tuple[str, ...]:
    """Give the typefaces of the machine that have proper numerals, sorted by path."""
    found = (path for folder in folders if folder.is_dir() for path in sorted(folder.rglob("*")))
    return tuple(str(path) for path in found if path.suffix.lower() in {".ttf", ".otf"} and _fit(path))


@cache
def usual() -> tuple[str, ...]:
    """Give those of the machine's typefaces that look like a card's: sturdy and plain."""
    return tuple(name for name in installed() if Path(name).stem in _USUAL)


def _fit(path: Path) -> bool:
    """Say whether a file is worth a try by its name; whether it has numerals is seen when it is first used."""
    return not _UNFIT.search(path.stem) and "aenigma" not in path.parts


@lru_cache(maxsize=256)
def numerals_of(name: str) -> bool:
    """Say whether a typeface has what a card needs: ten distinct numerals of one height, neither thin nor boxed."""
    try:
        masks = [type_mask(name, figure) for figure in "0123456789"]
    except (OSError, ValueError):
        return False
    heights = [mask.shape[0] for mask in masks]
    if min(heights) < 0.88 * max(heights) or len({mask.tobytes() for mask in masks}) < 10:
        return False
    boxed = min(float((mask[edge] > 127).mean()) for mask in (masks[4], masks[6]) for edge in (0, -1)) > 0.6
    stroke = 2 * float(cv2.distanceTransform((masks[1] > 127).astype(np.uint8), cv2.DIST_L2, 3).max())
    return not boxed and stroke > THIN * CAP


def slanted(name: str) -> bool:
    """Say whether a typeface is an italic, by its file's name."""
    return bool(re.search("italic|oblique|slant|kursiv|[-_]i$|[-_]bi$", Path(name).stem, re.IGNORECASE))


@lru_cache(maxsize=512)
def type_mask(name: str, text: str) -> NDArray[np.uint8]:
    """Set a line of type: a mask (255 is ink) trimmed to its ink, numerals and capitals about CAP pixels high.

    Raises OSError where the file is no font, ValueError where it has no ink for the text.
    """
    mask = _lines(LINES.index(name), text) if name in LINES else _typeset(name, text)
    rows, columns = np.flatnonzero(mask.max(axis=1) > 60), np.flatnonzero(mask.max(axis=0) > 60)
    if len(rows) == 0:
        raise ValueError(f"{name}: has no ink for {text!r}; choose another typeface")
    return np.ascontiguousarray(mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


@lru_cache(maxsize=32)
def _font(name: str) -> ImageFont.FreeTypeFont:
    def of(size: float) -> ImageFont.FreeTypeFont:
        font = ImageFont.truetype(name, round(size)) if name else ImageFont.load_default(size)
        if not isinstance(font, ImageFont.FreeTypeFont):
            raise OSError("Pillow's own font: this Pillow was built without FreeType; name a typeface")
        return font

    heights = [box[3] - box[1] for box in _boxes(of(CAP))]
    middle = sorted(heights)[5]
    if middle < 8:
        raise ValueError(f"{name}: has no numerals; choose another typeface")
    return of(min(CAP * CAP / middle, 4 * CAP))


def _boxes(font: ImageFont.FreeTypeFont) -> Iterator[tuple[float, float, float, float]]:
    return (font.getbbox(figure) for figure in "0123456789")


def _typeset(name: str, text: str) -> NDArray[np.uint8]:
    font = _font(name)
    left, top, right, bottom = (round(value) for value in font.getbbox(text))
    image = Image.new("L", (max(right - left, 1) + 8, max(bottom - top, 1) + 8))
    ImageDraw.Draw(image).text((4 - left, 4 - top), text, fill=255, font=font)
    return np.asarray(image, dtype=np.uint8)


def _lines(which: int, text: str) -> NDArray[np.uint8]:
    font, thick = _LINE_FONTS[which], 10
    (_, high), _ = cv2.getTextSize("0", font, 1.0, 1)
    scale = (CAP - thick) / high
    (width, height), below = cv2.getTextSize(text, font, scale, thick)
    image = np.zeros((height + below + 2 * thick, width + 2 * thick), np.uint8)
    cv2.putText(image, text, (thick, height + thick), font, scale, 255, thick, cv2.LINE_AA)
    return image
