"""What stands in front of the camera, drawn sharp: a number on a card's edge and what surrounds it, or no number.

Canvas frame: float32 reflectance 0..1, `SHARP` canvas pixels to one pixel of the crop contract (32 x 48), the crop's
centre in the canvas' centre and `MARGIN` crop pixels more on each side. Lengths on cards follow TABLE.md, Cards:
figures 5.5..8 mm high and 2..3 mm below the edge, so that a crop shows about 18 x 12 mm.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.typefaces import LETTERS, Face

SHARP = 3
MARGIN = 12
ROWS, COLUMNS = (32 + 2 * MARGIN) * SHARP, (48 + 2 * MARGIN) * SHARP
INK = 18
"""Ink height of a number by the crop contract, in crop pixels."""

Canvas = NDArray[np.float32]

# What a figure looks like when turned by 180 degrees, where it looks like a figure at all.
_TURNED = {"0": "0", "1": "1", "2": "2", "5": "5", "6": "9", "8": "8", "9": "6"}


@dataclass(frozen=True)
class Print:
    """Print as a mask: 1 is ink. Trimmed to its ink."""

    mask: Canvas
    text: str


def set_type(rng: np.random.Generator, face: Face, text: str) -> Print:
    """Text in one typeface, with its letter-spacing varied, trimmed to the ink."""
    gap = 0 if rng.random() < 0.5 else int(rng.integers(-3, 14))
    glyphs = [face.glyphs[character] for character in text]
    width = sum(glyph.shape[1] for glyph in glyphs) + gap * (len(glyphs) - 1) + 8
    row = np.zeros((glyphs[0].shape[0], max(width, 4)), np.uint8)
    left = 4
    for glyph in glyphs:
        right = min(left + glyph.shape[1], row.shape[1])
        np.maximum(row[:, left:right], glyph[:, : right - left], out=row[:, left:right])
        left = max(0, left + glyph.shape[1] + gap)
    if rng.random() < 0.2:
        size = int(rng.integers(2, 5))
        kernel = np.ones((size, size), np.uint8)
        row = np.asarray(cv2.dilate(row, kernel) if rng.random() < 0.7 else cv2.erode(row, kernel), np.uint8)
    return Print(trim(np.asarray(row / np.float32(255), np.float32)), text)


def trim(mask: Canvas) -> Canvas:
    """The mask's part that holds ink; the mask itself where there is none."""
    rows, columns = np.flatnonzero((mask > 0.3).any(axis=1)), np.flatnonzero((mask > 0.3).any(axis=0))
    if len(rows) == 0:
        return mask
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def place(canvas_mask: Canvas, mask: Canvas, height: float, stretch: float, at: tuple[float, float]) -> None:
    """Add a print to a canvas' ink, `height` crop pixels high, its centre `at` (x, y) crop pixels off the centre."""
    rows = max(3, round(height * SHARP))
    columns = max(2, round(mask.shape[1] / mask.shape[0] * rows * stretch))
    small = np.asarray(cv2.resize(mask, (columns, rows), interpolation=cv2.INTER_AREA), np.float32)
    left, top = (
        round(COLUMNS / 2 + at[0] * SHARP - columns / 2),
        round(ROWS / 2 + at[1] * SHARP - rows / 2),
    )
    x0, y0, x1, y1 = max(left, 0), max(top, 0), min(left + columns, COLUMNS), min(top + rows, ROWS)
    if x0 < x1 and y0 < y1:
        target = canvas_mask[y0:y1, x0:x1]
        np.maximum(target, small[y0 - top : y1 - top, x0 - left : x1 - left], out=target)


def empty() -> Canvas:
    """A canvas of zeros."""
    return np.zeros((ROWS, COLUMNS), np.float32)


def tones(rng: np.random.Generator) -> tuple[float, float]:
    """Reflectance of card and ink, either way round; now and then hardly apart (coloured pairs turned to grey)."""
    apart = rng.uniform(0.1, 0.3) if rng.random() < 0.25 else rng.uniform(0.3, 0.9)
    dark = rng.uniform(0.02, 0.98 - apart)
    card, ink = dark + apart, dark
    return (ink, card) if rng.random() < 0.4 else (card, ink)


def worn(rng: np.random.Generator, mask: Canvas) -> Canvas:
    """Print that lost some ink: flecks, scratches, or an even paleness."""
    kind = rng.random()
    if kind < 0.4:
        noise = blotches(rng, rng.uniform(1.5, 8))
        return np.asarray(mask * np.clip((noise + rng.uniform(0.2, 1.6)) * 3, 0.15, 1), np.float32)
    if kind < 0.8:
        lines = empty()
        for _ in range(rng.integers(1, 4)):
            x0, x1 = rng.integers(0, COLUMNS, 2)
            y0, y1 = rng.integers(0, ROWS, 2)
            cv2.line(lines, (int(x0), int(y0)), (int(x1), int(y1)), 1.0, int(rng.integers(1, 4)), cv2.LINE_AA)
        return mask * (1 - lines * np.float32(rng.uniform(0.5, 1)))
    return mask * np.float32(rng.uniform(0.5, 1))


def blotches(rng: np.random.Generator, size: float) -> Canvas:
    """Smooth random field, about -1..1, with features of `size` crop pixels."""
    rows, columns = max(2, round(ROWS / SHARP / size)), max(2, round(COLUMNS / SHARP / size))
    coarse = rng.standard_normal((rows, columns)).astype(np.float32)
    return np.asarray(cv2.resize(coarse, (COLUMNS, ROWS), interpolation=cv2.INTER_CUBIC), np.float32)


def half_plane(y: float, slope: float, soft: float = 0.4) -> Canvas:
    """1 below the line through (0, y) of that slope (crop pixels, frame of the centre), 0 above, softly."""
    ys = (np.arange(ROWS, dtype=np.float32) - ROWS / 2)[:, None] / SHARP
    xs = (np.arange(COLUMNS, dtype=np.float32) - COLUMNS / 2)[None, :] / SHARP
    return np.asarray(np.clip((ys - y - slope * xs) / soft + 0.5, 0, 1), np.float32)


def over(under: Canvas, upper: Canvas | float, where: Canvas) -> Canvas:
    """`upper` laid on `under` where the mask is 1."""
    return np.asarray(under + (upper - under) * where, np.float32)


def legal_when_turned(text: str) -> bool:
    """Whether a number shown upside down could be taken for a number of the deck."""
    if any(figure not in _TURNED for figure in text):
        return False
    turned = "".join(_TURNED[figure] for figure in reversed(text))
    return not turned.startswith("0") and 1 <= int(turned) <= 60


def letters(rng: np.random.Generator, face: Face) -> Print:
    """Print that is no number: RACK-O or a part of it, a word, a single letter."""
    kind = rng.random()
    if kind < 0.35:
        word = ("RACK-O", "Rack-o", "R-C", "ACK", "CK-O")[int(rng.integers(5))]
        word = "".join(character for character in word if character in face.glyphs)
        start = int(rng.integers(0, len(word)))
        return set_type(rng, face, word[start : start + int(rng.integers(1, 7))])
    # O, I, Z and S alone look like figures; the place on the card cannot tell, so they stay out when alone.
    safe = [letter for letter in LETTERS if letter not in "OIZSoBG"]
    count = 1 if kind < 0.65 else int(rng.integers(2, 6))
    return set_type(rng, face, "".join(rng.choice(safe, count)))
