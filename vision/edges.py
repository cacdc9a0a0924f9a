"""Finds the top edges of a rack's cards in the rectified plane in which they lie, all ten together."""

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

SEGMENTS = 8
"""An edge is judged in so many pieces of a card's width: a number or a logo spoils few of them."""
SLOPES = np.arange(-4.5, 4.6, 0.5)
"""How much higher, in mm, a top edge may be at one end of the card than at the other (cards stand a little turned)."""
SLOPE_SPREAD = 2.5
"""Standard deviation of that, in mm."""
OFFSETS = np.arange(-9.0, 9.01, 0.25)
"""Where a top edge is searched, in mm farther than the rack's measures say: a lean of +-8 degrees."""
LEAN_SPREAD = 2.2
"""Standard deviation of a card's top edge in mm about the rack's common offset, from a lean of about 2.3 degrees."""
COMMON_SPREAD = 1.8
"""Standard deviation of the rack's common offset in mm: put down by hand, measured by ruler, the lean to a degree."""
COMMON = np.arange(-4.0, 4.01, 0.5)
"""Common offsets that are tried, in mm."""
CLOSEST = 2.0
"""Two neighbouring top edges are at least so far apart in mm."""
FULL = 25.0
FULL_SAME = 16.0
"""So many times the noise, a step in brightness or colour counts fully: in one segment, in the median segment."""
CARD_COST = 0.27
"""A card is taken where its edge's strength, less what its place is unlikely, is above this."""
WEIGHT = 14.0
"""How much the strength of an edge counts against the likelihood of its place (natural logarithms)."""


@dataclass(frozen=True)
class EdgeLine:
    """A top edge in the rectified plane: the row at `middle` (a column), rows by column, and its strength (0..1)."""

    at: float
    middle: float
    slope: float
    strength: float

    def row(self, column: float) -> float:
        """Give the edge's row at a column."""
        return self.at + self.slope * (column - self.middle)


def top_edges(
    top: NDArray[np.uint8], rows: NDArray[np.float64], columns: tuple[float, float], scale: float
) -> tuple[EdgeLine | None, ...]:
    """Find each slot's top edge, or None where there is none.

    `top` is the rectified BGR plane, `rows` where the measures put each slot's edge (nearest first, that is the
    largest row first), `columns` the part of the width that every card covers, `scale` pixels a mm.
    """
    changes, middles = _changes(top, columns)
    middle = float(np.mean(middles))
    width = columns[1] - columns[0] + 6 * scale
    slopes = -SLOPES * scale / width
    noise = max(float(np.percentile(np.linalg.norm(changes, axis=2), 35)), 0.6)
    unlikely = 0.5 * (SLOPES / SLOPE_SPREAD) ** 2 / WEIGHT
    strengths = np.stack([_along(changes / noise, middles - middle, slope) for slope in slopes]) - unlikely[:, None]
    best_slope = strengths.argmax(axis=0)
    strength = strengths.max(axis=0)
    where = np.clip(np.round(rows[:, None] - OFFSETS[None, :] * scale).astype(int), 0, len(strength) - 1)
    chosen = _together(strength[where], rows[:, None] / -scale + OFFSETS[None, :])
    lines: list[EdgeLine | None] = []
    for slot, choice in enumerate(chosen):
        if choice is None:
            lines.append(None)
            continue
        row = int(where[slot, choice])
        low = max(row - 1, 0)
        row = low + int(np.argmax(strength[low : row + 2]))
        lines.append(EdgeLine(row + 0.5, middle, float(slopes[best_slope[row]]), float(strength[row])))
    return tuple(lines)


def _changes(top: NDArray[np.uint8], columns: tuple[float, float]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give the colour's change downwards in each segment and row, (SEGMENTS, rows, 3), and the segments' middles."""
    bounds = np.linspace(*columns, SEGMENTS + 1).round().astype(int)
    smooth = cv2.GaussianBlur(top, (1, 3), 0).astype(np.float64)
    profile = np.stack([smooth[:, a:b].mean(axis=1) for a, b in pairwise(bounds)])
    change = np.zeros(profile.shape)
    change[:, 2:-2] = profile[:, 4:] - profile[:, :-4]
    return change, (bounds[1:] + bounds[:-1]) / 2


def _along(changes: NDArray[np.float64], across: NDArray[np.float64], slope: float) -> NDArray[np.float64]:
    """Give the strength (0..1) of lines of a slope, by the row where they cross the middle.

    Two witnesses: how many segments show a step at all (cards of changing surroundings), and whether the median
    segment shows the same step (a faint edge between two cards of one colour).
    """
    shifts = [-round(slope * x) for x in across]
    aligned = np.stack([np.roll(segment, shift, axis=0) for segment, shift in zip(changes, shifts, strict=True)])
    many = _strong(np.linalg.norm(aligned, axis=2), FULL).mean(axis=0)
    middle = np.sort(aligned, axis=0)[SEGMENTS // 2 - 1 : SEGMENTS // 2 + 1].mean(axis=0)
    return np.asarray(0.5 * many + 0.5 * _strong(np.linalg.norm(middle, axis=1), FULL_SAME))


def _strong(step: NDArray[np.float64], full: float) -> NDArray[np.float64]:
    """Give a step's strength (0..1): twice as strong counts more, yet less and less."""
    return np.asarray(np.minimum(np.log1p(step) / np.log1p(full), 1.0))


def _together(strength: NDArray[np.float64], places: NDArray[np.float64]) -> list[int | None]:
    """Choose for all slots at once, for each common offset of the rack by dynamic programming over the slots.

    `strength` and `places` (mm, growing away from the player) are (slots, offsets). Edges keep the slots' order. None
    means no card in a slot, which gains nothing.
    """
    slots, count = strength.shape
    likely = -0.5 * ((OFFSETS[None, :] - COMMON[:, None]) / LEAN_SPREAD) ** 2
    gain = WEIGHT * (strength - CARD_COST)[None] + likely[:, None]
    totals = np.zeros(gain.shape)
    # which choice (slot * count + offset, -1 for none) stands before each choice on its best path
    before = np.full(gain.shape, -1)
    for slot in range(slots):
        starts = np.zeros((len(COMMON), count))
        for earlier in range(slot):
            # offsets are in rising order, so all that leave room are the first few
            allowed = np.searchsorted(places[earlier], places[slot] - CLOSEST, side="right")
            last = np.maximum(allowed, 1) - 1
            running = np.maximum.accumulate(totals[:, earlier], axis=1)
            where = np.maximum.accumulate(np.where(totals[:, earlier] == running, np.arange(count), 0), axis=1)
            better = (allowed > 0) & (running[:, last] > starts)
            starts = np.where(better, running[:, last], starts)
            before[:, slot] = np.where(better, earlier * count + where[:, last], before[:, slot])
        totals[:, slot] = starts + gain[:, slot]
    unlikely = 0.5 * (COMMON / COMMON_SPREAD) ** 2
    common = int(np.argmax(np.maximum(totals.max(axis=(1, 2)), 0.0) - unlikely))
    path: list[int | None] = [None] * slots
    step = int(totals[common].argmax())
    while step >= 0 and totals[common].max() > 0:
        path[step // count] = step % count
        step = int(before[common].ravel()[step])
    return path
