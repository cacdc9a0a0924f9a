"""Cards' faces and backs as flat pictures: paper, print, logo, facts and wear; drawn once and kept."""

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Card
from vision.drawing.canvas import for_each_colour, joined, linear
from vision.drawing.decks import Colour, Deck
from vision.drawing.typefaces import BUILT_IN, type_mask

FINE = 7
"""Pixels a mm of a drawn face; the nearest cards have about 6 in a picture of 1080 rows."""
CORNER = 3.0
"""Radius of a card's corners in mm (TABLE.md, Cards)."""
FACTS = (
    "Some 119 cars drove 19 times a day", "About 62 cars drove 53 weeks long", "In 1956 there were 41 of them",
    "7 of 23 planets have 37 moons", "It is 384 400 km to the moon",
)  # fmt: skip
_BYTES = np.arange(256, dtype=np.uint8)
_LINEAR = np.stack([*[linear(_BYTES)] * 3, _BYTES * np.float32(1 / 255)], axis=1)[None]
"""What the bytes of a face are as reflectance and opacity, (1, 256, 4)."""


@lru_cache(maxsize=16)
def face_of(deck: Deck, card: int, size: Card) -> NDArray[np.uint8]:
    """Draw a card's face, BGR and opacity (rows, columns, 4), FINE px a mm, top edge first."""
    chance = np.random.default_rng((deck.seed, card))
    paper, ink = deck.colours(card)
    picture = _paper(paper, size)
    if deck.border:
        _frame(picture, ink, 1.1, 0.4)
    rub = _rubbing(chance, picture.shape[:2], deck.rubbed)
    tilted = cv2.erode(type_mask(deck.logo_typeface, "RACK-O"), np.ones((2, 2), np.uint8))
    word = _sized(np.asarray(tilted, np.uint8), deck.logo_height, 1.0)
    at = ((picture.shape[1] - word.shape[1]) // 2, round(size.height * FINE * deck.logo_at) - word.shape[0] // 2)
    _print(picture, word, at, deck.logo, rub)
    if deck.facts:
        _facts(picture, chance, at[1] + word.shape[0] + 2, ink)
    numeral, left = numeral_of(deck, card), round(deck.left(card) * FINE)
    left = min(left, round((size.width - 1.5) * FINE) - numeral.shape[1])
    numeral_at = (left, round(deck.below * FINE))
    _print(picture, numeral, numeral_at, ink, rub)
    if deck.bottom:
        # the same number, the card turned by half a turn
        _print(picture[::-1, ::-1], numeral, numeral_at, ink, rub[::-1, ::-1])
    return _finished(picture, deck, chance)


@lru_cache(maxsize=8)
def back_of(deck: Deck, size: Card, which: int = 0) -> NDArray[np.uint8]:
    """Draw a card's back like face_of; `which` tells some differently worn ones apart."""
    chance = np.random.default_rng((deck.seed, 61 + which))
    picture = _paper(deck.back, size)
    _pattern(picture, deck)
    word = _sized(type_mask(deck.logo_typeface, "RACK-O"), deck.logo_height * 1.1, 1.0)
    at = ((picture.shape[1] - word.shape[1]) // 2, (picture.shape[0] - word.shape[0]) // 2)
    _print(picture, word, at, deck.back_ink, _rubbing(chance, picture.shape[:2], deck.rubbed))
    return _finished(picture, deck, chance)


def shown(deck: Deck, card: int, size: Card, pixels: tuple[int, int], back: int | None = None) -> NDArray[np.float32]:
    """Give a face (or the back numbered `back`) for a size (width, height) in pixels: each a mean over what it covers.

    Linear reflectance and opacity 0..1, (height, width, 4).
    """
    return np.asarray(cv2.LUT(_small(deck, card, size, pixels, back), _LINEAR), np.float32)


@lru_cache(maxsize=96)
def _small(deck: Deck, card: int, size: Card, pixels: tuple[int, int], back: int | None) -> NDArray[np.uint8]:
    """Shrink a face or a back; kept in bytes, a quarter of what it is drawn with, for all cards of a table."""
    fine = face_of(deck, card, size) if back is None else back_of(deck, size, back)
    box = (min(pixels[0], fine.shape[1]), min(pixels[1], fine.shape[0]))
    return np.asarray(cv2.resize(fine, box, interpolation=cv2.INTER_AREA), np.uint8)


def number_box(deck: Deck, card: int, size: Card) -> NDArray[np.float64]:
    """Give the corners of a card's upper number in mm from the card's top left corner, (4, 2), clockwise."""
    mask = numeral_of(deck, card)
    width, height = mask.shape[1] / FINE, mask.shape[0] / FINE
    left = min(deck.left(card), size.width - 1.5 - width)
    right, low = left + width, deck.below + height
    return np.array([[left, deck.below], [right, deck.below], [right, low], [left, low]])


@lru_cache(maxsize=128)
def numeral_of(deck: Deck, card: int) -> NDArray[np.uint8]:
    """Give the mask of a card's number at FINE px a mm."""
    mask = type_mask(deck.typeface, str(card))
    if deck.weight:
        size = 1 + 2 * round(abs(deck.weight) * 4)
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
        padded = cv2.copyMakeBorder(mask, size, size, size, size, cv2.BORDER_CONSTANT)
        mask = np.asarray(cv2.dilate(padded, kernel) if deck.weight > 0 else cv2.erode(padded, kernel), np.uint8)
        rows, columns = np.flatnonzero(mask.max(axis=1) > 60), np.flatnonzero(mask.max(axis=0) > 60)
        mask = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return _sized(mask, deck.height, deck.stretch)


def _sized(mask: NDArray[np.uint8], height: float, stretch: float) -> NDArray[np.uint8]:
    rows = max(round(height * FINE), 2)
    columns = max(round(mask.shape[1] * rows / mask.shape[0] * stretch), 2)
    return np.asarray(cv2.resize(mask, (columns, rows), interpolation=cv2.INTER_AREA), np.uint8)


def _paper(colour: Colour, size: Card) -> NDArray[np.float32]:
    return np.tile(np.array(colour, np.float32), (round(size.height * FINE), round(size.width * FINE), 1))


def _print(
    picture: NDArray[np.float32], mask: NDArray[np.uint8], at: tuple[int, int], ink: Colour, rub: NDArray[np.float32]
) -> None:
    """Print a mask with its top left corner at a pixel (x, y); what would lie beyond the card is cut off."""
    x, y = max(at[0], 0), max(at[1], 0)
    part = mask[: picture.shape[0] - y, : picture.shape[1] - x]
    where = (slice(y, y + part.shape[0]), slice(x, x + part.shape[1]))
    weight = for_each_colour(part.astype(np.float32) / np.float32(255) * rub[where])
    picture[where] += (np.array(ink, np.float32) - picture[where]) * weight


def _rubbing(chance: np.random.Generator, shape: tuple[int, ...], strength: float) -> NDArray[np.float32]:
    """Give how much of the ink is left, in places less: never below a half, where a person can still read it."""
    if strength <= 0:
        return np.ones(shape[:2], np.float32)
    spots = blotches(chance, shape, 5) + 0.7 * blotches(chance, shape, 40)
    return np.clip(1 - strength * np.clip(0.45 + spots, 0, 1), 0.5, 1).astype(np.float32)


def blotches(chance: np.random.Generator, shape: tuple[int, ...], size: float) -> NDArray[np.float32]:
    """Give a smooth random field of about -1..1 with features of `size` pixels."""
    rows, columns = shape[0], shape[1]
    small = chance.standard_normal((max(round(rows / size), 2), max(round(columns / size), 2))).astype(np.float32)
    return np.asarray(cv2.resize(small, (columns, rows), interpolation=cv2.INTER_CUBIC), np.float32) * 0.6


def _facts(picture: NDArray[np.float32], chance: np.random.Generator, top: int, ink: Colour) -> None:
    for line in range(2):
        words = _sized(type_mask(BUILT_IN, FACTS[int(chance.integers(len(FACTS)))]), 2.0, 0.9)
        full = np.ones(picture.shape[:2], np.float32)
        _print(picture, words, ((picture.shape[1] - words.shape[1]) // 2, top + round(line * 2.8 * FINE)), ink, full)


def _frame(picture: NDArray[np.float32], ink: Colour, inset: float, width: float) -> None:
    edge, corner = round(inset * FINE), (picture.shape[1] - round(inset * FINE), picture.shape[0] - round(inset * FINE))
    cv2.rectangle(picture, (edge, edge), corner, ink, max(round(width * FINE), 1), cv2.LINE_AA)


def _pattern(picture: NDArray[np.float32], deck: Deck) -> None:
    rows, columns = picture.shape[:2]
    if deck.back_pattern == "plain":
        return
    _frame(picture, deck.back_ink, 3.0, 0.6)
    pale = tuple(float(0.7 * a + 0.3 * b) for a, b in zip(deck.back, deck.back_ink, strict=True))
    inner = picture[5 * FINE : rows - 5 * FINE, 5 * FINE : columns - 5 * FINE]
    step = 4 * FINE
    if deck.back_pattern == "dots":
        for y in range(step, inner.shape[0] - step // 2, step):
            for x in range(step + (y // step % 2) * step // 2, inner.shape[1] - step // 2, step):
                cv2.circle(inner, (x, y), FINE, pale, -1, cv2.LINE_AA)
    elif deck.back_pattern == "lattice":
        for x in range(-inner.shape[0], inner.shape[1], step):
            cv2.line(inner, (x, 0), (x + inner.shape[0], inner.shape[0]), pale, 3, cv2.LINE_AA)
            cv2.line(inner, (x + inner.shape[0], 0), (x, inner.shape[0]), pale, 3, cv2.LINE_AA)


def _finished(picture: NDArray[np.float32], deck: Deck, chance: np.random.Generator) -> NDArray[np.uint8]:
    """Wear the card and cut its corners."""
    if deck.stained:
        spots = np.clip(blotches(chance, picture.shape, 55) + 0.5 * blotches(chance, picture.shape, 15) - 0.15, 0, 1)
        tint = np.array([0.72, 0.82, 0.9], np.float32)
        spots = deck.stained * spots
        picture *= cv2.merge([1 - spots * darker for darker in 1 - tint])
    if deck.scratched:
        lines = np.zeros(picture.shape[:2], np.float32)
        for _ in range(round(8 * deck.scratched)):
            x, y = chance.uniform(0, picture.shape[1]), chance.uniform(0, picture.shape[0])
            dx, dy = chance.normal(0, 120, 2)
            path = np.array([[x, y], [x + dx / 2 + chance.normal(0, 8), y + dy / 2], [x + dx, y + dy]])
            cv2.polylines(lines, [path.round().astype(np.int32)], isClosed=False, color=1.0, thickness=1)
        seen = for_each_colour(np.asarray(cv2.GaussianBlur(lines, (0, 0), 0.8), np.float32))
        picture += _towards(np.float32(235), picture, seen, np.float32(0.5))
    opacity = corners_cut(picture.shape[:2], chance, deck.cornered)
    if deck.cornered or deck.core:
        # worn edges are whitish (or grey with dirt) and soft
        inner = cv2.erode(opacity, np.ones((3, 3), np.uint8), borderValue=0)
        soft = np.asarray(cv2.GaussianBlur(255 - inner, (0, 0), 1 + 3 * deck.cornered), np.float32)
        rim = for_each_colour(soft / np.float32(255))
        tone = np.float32(chance.uniform(150, 240))
        strength = np.float32(np.clip(0.25 * deck.core + 0.6 * deck.cornered, 0, 0.8))
        picture += _towards(tone, picture, rim, strength)
    return joined(np.clip(picture, 0, 255, out=picture).astype(np.uint8), opacity)


def _towards(
    tone: np.float32, picture: NDArray[np.float32], where: NDArray[np.float32], share: np.float32
) -> NDArray[np.float32]:
    """Give what a picture lacks to be of one tone, times a share of what it is `where` (0..1)."""
    lacks = np.subtract(tone, picture)
    lacks *= where
    lacks *= share
    return lacks


def corners_cut(shape: tuple[int, ...], chance: np.random.Generator, worn: float) -> NDArray[np.uint8]:
    """Give the opacity of a card: 255 but for its rounded corners, which wear away unevenly."""
    opacity = np.full((shape[0], shape[1]), 255, np.uint8)
    for corner in range(4):
        radius = round((CORNER + worn * chance.uniform(0, 3)) * FINE)
        mask = np.zeros((radius, radius), np.uint8)
        cv2.circle(mask, (radius, radius), radius, 255, -1, cv2.LINE_AA)
        up, left = corner < 2, corner % 2 == 0
        mask = mask if up else mask[::-1]
        rows = slice(0, radius) if up else slice(shape[0] - radius, shape[0])
        columns = slice(0, radius) if left else slice(shape[1] - radius, shape[1])
        opacity[rows, columns] = mask if left else mask[:, ::-1]
    return opacity
