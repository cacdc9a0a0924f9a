"""This deck's own look as a second witness of a number: crops are compared with what the deck was learnt to print.

It is another kind of reader than the net: it knows one typeface only, but that one exactly, so it is better where the
typeface is odd or the picture blurred, and worse where a crop holds half a number or another card's edge.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Deck
from vision.reading.glyphs import assembled
from vision.reading.numbers import CROP_COLUMNS, CROP_ROWS

PAPER_COLUMN = 14
"""Each row's paper is as bright as its column of this rank (0..47): print covers the ranks above, edges of other cards
lie along rows and so vanish."""
FULL = 0.97
"""Share of a crop's middle that is fainter than its full print."""
FAINTEST = 6.0
"""Grey levels; print fainter than this is not stretched further, or noise would look like print."""
MIDDLE = (slice(6, 26), slice(6, 42))
"""Rows and columns of a crop where its number stands by the crop contract (vision/reading/digits.py)."""
WHITE, STRETCH = 255.0, 200.0
"""A look shows paper as WHITE and full print STRETCH grey levels darker."""
HIGH, WIDE = 9, 18
"""What is compared: so many rows and columns of the middle, every second pixel."""
SHIFTS = (-2, 0, 2)
SIZES = (0.9, 1.0, 1.1)
"""A number is tried at these places (pixels, both ways) and sizes; its blur covers what lies between."""
SOFT = 1.0
"""Sigma, in pixels, by which what was learnt is softened, so that it need not fit to the pixel."""
WEIGHT = 4.0
"""A crop that correlates with a number's look by r has the likelihood (1 - r * r) ** -WEIGHT: that of noise of unknown
strength in 2 * WEIGHT pixels, far fewer than there are, since what spoils a crop spoils many pixels alike. It was
chosen on drawn decks of many typefaces, where it gave the least loss together with the net; it counts for more where
the net is trusted less."""
MOST = 0.995


def print_of(crops: NDArray[np.uint8], contrasts: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Bring crops (n, 32, 48) to one look: print dark on white paper, without shade, glare or the edges of other cards.

    `contrasts` (n,) are those of their ink: negative where it is darker than its card.
    """
    if len(crops) == 0:
        return np.zeros((0, CROP_ROWS, CROP_COLUMNS), np.uint8)
    light = np.where(contrasts > 0, 1.0, -1.0).astype(np.float32)
    strength = crops.astype(np.float32) * light[:, None, None]
    strength -= np.partition(strength, PAPER_COLUMN, axis=2)[:, :, PAPER_COLUMN, None]
    middle = strength[:, *MIDDLE].reshape(len(crops), -1)
    rank = round(FULL * middle.shape[1])
    full = np.maximum(np.partition(middle, rank, axis=1)[:, rank], FAINTEST)
    return np.asarray(WHITE - STRETCH * np.clip(strength / full[:, None, None], 0.0, 1.2), np.uint8)


def join(
    deck: Deck, crops: NDArray[np.uint8], contrasts: NDArray[np.float64], answers: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Join the net's answers (n, 61) for crops (n, 32, 48) with what the deck's own look says of them.

    Without anything learnt, or without crops, the answers stay as they are. Rows sum to 1; entry 0, no number, keeps
    its share against the likeliest number.
    """
    if not deck or len(crops) == 0:
        return answers
    known = _known(deck)
    seen = _likeness(known, print_of(crops, contrasts))
    # a number that was never seen may be meant where several are alike, but hardly where one stands out
    likeness = np.repeat(np.sort(seen, axis=1)[:, -2:].mean(axis=1, keepdims=True), len(known.seen), axis=1)
    likeness[:, known.seen] = seen
    unlike = 1 - np.clip(likeness, 0.0, MOST) ** 2
    likelihood = (unlike.min(axis=1, keepdims=True) / unlike) ** (WEIGHT / deck.trust)
    joined = answers**deck.trust
    joined /= joined.sum(axis=1, keepdims=True)
    joined[:, 1:] *= likelihood
    return np.asarray(joined / joined.sum(axis=1, keepdims=True))


@dataclass(frozen=True)
class _Known:
    """What a deck prints, ready to be compared: (pixels, numbers * sizes), and which of the sixty were seen."""

    looks: NDArray[np.float32]
    seen: NDArray[np.bool_]


@lru_cache(maxsize=4)
def _known(deck: Deck) -> _Known:
    looks = {
        card: np.frombuffer(number.look, np.uint8).reshape(CROP_ROWS, CROP_COLUMNS).astype(np.float32)
        for card, number in enumerate(deck.numbers, 1)
        if number is not None
    }
    looks |= assembled(looks)
    cards = sorted(looks)
    soft = [np.asarray(cv2.GaussianBlur(looks[card], (0, 0), SOFT), np.float32) for card in cards]
    windows = _even(_windows(np.stack([_sized(look, size) for look in soft for size in SIZES]), (0,)))[:, 0]
    return _Known(np.ascontiguousarray(windows.T), np.isin(np.arange(1, len(deck.numbers) + 1), cards))


def _likeness(known: _Known, looks: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Correlate looks (n, 32, 48) with all numbers that were seen: (n, seen), -1..1, best of all shifts and sizes."""
    windows = _even(_windows(looks.astype(np.float32), SHIFTS))
    matches = windows.reshape(-1, windows.shape[2]) @ known.looks
    return np.asarray(matches.reshape(len(looks), len(SHIFTS) ** 2, -1, len(SIZES)).max(axis=(1, 3)), np.float64)


def _sized(look: NDArray[np.float32], size: float) -> NDArray[np.float32]:
    x, y = (CROP_COLUMNS - 1) / 2, (CROP_ROWS - 1) / 2
    way = np.array([[size, 0.0, x * (1 - size)], [0.0, size, y * (1 - size)]])
    sized = cv2.warpAffine(look, way, (CROP_COLUMNS, CROP_ROWS), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(sized, np.float32)


def _windows(looks: NDArray[np.float32], shifts: tuple[int, ...]) -> NDArray[np.float32]:
    """Give the middles of looks at half their fineness, moved by all shifts: (n, shifts * shifts, HIGH * WIDE)."""
    half = (looks[:, :-1, :-1] + looks[:, 1:, :-1] + looks[:, :-1, 1:] + looks[:, 1:, 1:]) / 4
    top, left = (half.shape[1] - 2 * HIGH) // 2, (half.shape[2] - 2 * WIDE) // 2
    moved = [
        half[:, top + y : top + y + 2 * HIGH : 2, left + x : left + x + 2 * WIDE : 2].reshape(len(looks), -1)
        for y in shifts
        for x in shifts
    ]
    return np.stack(moved, axis=1)


def _even(windows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Bring windows to mean 0 and length 1, so that a product of two is their correlation."""
    even = windows - windows.mean(axis=-1, keepdims=True)
    return np.asarray(even / np.maximum(np.linalg.norm(even, axis=-1, keepdims=True), 1e-3), np.float32)
