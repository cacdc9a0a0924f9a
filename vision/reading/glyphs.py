"""Puts numbers that were never seen together from the digits of those that were."""

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

CARDS, COLUMNS = 60, 48
Look = NDArray[np.float32]
"""A number as print on white, (32, 48): 255 is paper, dark is print."""

ROWS = slice(5, 27)
"""Rows of a look in which its digits stand, by the crop contract (vision/reading/digits.py)."""
RIM = 4
"""No digit reaches so many columns of a look's sides; a card's own edge may."""
PRINT = 70.0
"""Print is so many grey levels darker than paper in some row of its column."""
THIN = 0.5
"""Two digits are told apart where the columns between hold less than this share of their usual print."""
BETWEEN = (0.3, 0.7)
"""Two digits part within this share of their number's width."""
LIKE = 2
"""Digits whose width in pixels differs by more from the usual one were cut wrongly."""


def assembled(looks: Mapping[int, Look]) -> dict[int, Look]:
    """Give looks of those numbers of 1..60 that are not among `looks`, as far as their digits are."""
    parts: dict[int, list[Look]] = {}
    gaps = []
    for number, look in looks.items():
        cut = _cut(look, two=number > 9)
        if cut is None:
            continue
        for digit, (left, right) in zip(map(int, str(number)), cut, strict=True):
            parts.setdefault(digit, []).append(look[:, max(left - 1, 0) : right + 1])
        gaps += [cut[1][0] - cut[0][1]] if len(cut) == 2 else []
    digits = {digit: mean for digit, found in parts.items() if (mean := _mean(found)) is not None}
    gap = max(round(float(np.median(gaps))) - 2, 0) if gaps else None
    made: dict[int, Look] = {}
    for number in range(1, CARDS + 1):
        needed = [digits[int(figure)] for figure in str(number) if int(figure) in digits]
        if number in looks or len(needed) < len(str(number)) or (number > 9 and gap is None):
            continue
        joined = _joined(needed, gap or 0)
        if joined is not None:
            made[number] = joined
    return made


def _cut(look: Look, *, two: bool) -> tuple[tuple[int, int], ...] | None:
    """Give the columns (first, one past the last) of a number's digits; None where they cannot be told apart."""
    darkness = 255 - look[ROWS]
    darkness[:, :RIM] = darkness[:, -RIM:] = 0
    columns = np.flatnonzero(darkness.max(axis=0) > PRINT)
    if len(columns) == 0:
        return None
    first, last = int(columns[0]), int(columns[-1]) + 1
    if not two:
        return ((first, last),)
    sums = darkness.sum(axis=0)
    start, end = (round(first + share * (last - first)) for share in BETWEEN)
    middle = start + int(sums[start : end + 1].argmin())
    left, right = columns[columns < middle], columns[columns >= middle]
    if sums[middle] > THIN * float(np.median(sums[first:last])) or min(len(left), len(right)) < 2:
        return None
    return (first, int(left[-1]) + 1), (int(right[0]), last)


def _mean(parts: Sequence[Look]) -> Look | None:
    """Give the median of a digit's looks, brought to their usual width."""
    width = round(float(np.median([part.shape[1] for part in parts])))
    usual = [part for part in parts if abs(part.shape[1] - width) <= LIKE]
    if not usual:
        return None
    return np.asarray(np.median([cv2.resize(part, (width, part.shape[0])) for part in usual], axis=0), np.float32)


def _joined(digits: Sequence[Look], gap: int) -> Look | None:
    """Set digits side by side in the middle of a look; None where there is no room."""
    width = sum(digit.shape[1] for digit in digits) + gap * (len(digits) - 1)
    if width > COLUMNS - 2:
        return None
    joined = np.full((digits[0].shape[0], COLUMNS), 255, np.float32)
    at = (COLUMNS - width) // 2
    for digit in digits:
        joined[:, at : at + digit.shape[1]] = digit
        at += digit.shape[1] + gap
    return joined
