"""Finds the top edges of a rack's cards in the rectified plane in which they lie."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.matching import OFFSETS, WEIGHT, explain

SEGMENTS = 8
"""An edge is judged in so many pieces of a card's width: a number or a logo spoils few of them."""
SLOPES = np.arange(-4.5, 4.6, 0.5)
"""How much higher, in mm, a top edge may be at one end of the card than at the other (cards stand a little turned)."""
SLOPE_SPREAD = 2.5
"""Standard deviation of that, in mm."""
HINT = 0.1
"""A number below adds so much to the strength of an edge: less than a card needs, so a hint alone makes no card."""
NEAR = 5
"""Rows to both sides of a first line in which its steepest place is sought."""
RIM = 0.25
"""Share of the way from the picture's rim to the cards' columns that is surely beside the cards."""
GOES_ON = 0.8
"""So much of an edge's strength is lost where the same step is seen beside the cards too."""
FULL = 25.0
FULL_SAME = 16.0
"""So many times the noise, a step in brightness or colour counts fully: in one segment, in the median segment."""


@dataclass(frozen=True)
class EdgeLine:
    """A top edge in the rectified plane: the row at `middle` (a column), rows by column, and its strength (0..1).

    `belongs` (0..1) is how sure it is that the edge is that of this slot's card and not of a slot beside.
    """

    at: float
    middle: float
    slope: float
    strength: float
    belongs: float

    def row(self, column: float) -> float:
        """Give the edge's row at a column."""
        return self.at + self.slope * (column - self.middle)


@dataclass(frozen=True)
class Hint:
    """A place in the rectified plane where an edge is likely, since a number stands below it; `spread` is in rows."""

    row: float
    column: float
    spread: float


@dataclass(frozen=True)
class TopEdges:
    """One explanation of a rack's edges: a line a slot or None, and how good it is (a natural logarithm).

    `faint` is how strong (0..1) an edge may still hide where a slot's would be, if it has no line.
    """

    lines: tuple[EdgeLine | None, ...]
    value: float
    faint: tuple[float, ...]


def top_edges(
    top: NDArray[np.uint8],
    rows: NDArray[np.float64],
    columns: tuple[float, float],
    scale: float,
    hints: Sequence[Hint] = (),
) -> tuple[TopEdges, ...]:
    """Find each slot's top edge, or None where there is none: the likeliest explanation first, at most two.

    `top` is the rectified BGR plane, `rows` where the measures put each slot's edge (nearest first, that is the
    largest row first), `columns` the part of the width that every card covers, `scale` pixels a mm.
    `hints` are places where an edge is likely.
    """
    changes, middles = _changes(top, columns)
    middle = float(np.mean(middles[:SEGMENTS]))
    width = columns[1] - columns[0] + 6 * scale
    slopes = -SLOPES * scale / width
    noise = max(float(np.percentile(np.linalg.norm(changes[:SEGMENTS], axis=2), 35)), 0.6)
    unlikely = 0.5 * (SLOPES / SLOPE_SPREAD) ** 2 / WEIGHT
    bumps = np.stack([_bumps(hints, middle, slope, len(top)) for slope in slopes])
    strengths = np.stack([_along(changes / noise, middles - middle, slope) for slope in slopes])
    strengths += HINT * bumps - unlikely[:, None]
    best_slope = strengths.argmax(axis=0)
    strength = strengths.max(axis=0)
    where = np.clip(np.round(rows[:, None] - OFFSETS[None, :] * scale).astype(int), 0, len(strength) - 1)
    pitch = float(rows[0] - rows[-1]) / (len(rows) - 1) / scale
    explained = []
    for explanation in explain(strength[where], rows[:, None] / -scale + OFFSETS[None, :], pitch):
        lines: list[EdgeLine | None] = []
        for slot, choice in enumerate(explanation.choices):
            if choice is None:
                lines.append(None)
                continue
            row = max(int(where[slot, choice]) - 1, 0)
            row += int(np.argmax(strength[row : row + 3]))
            at, slope = _fitted(changes[:SEGMENTS], middles[:SEGMENTS] - middle, row, float(slopes[best_slope[row]]))
            lines.append(EdgeLine(at + 0.5, middle, slope, float(strength[row]), explanation.belongs[slot]))
        explained.append(TopEdges(tuple(lines), explanation.value, explanation.faint))
    return tuple(explained)


def _bumps(hints: Sequence[Hint], middle: float, slope: float, length: int) -> NDArray[np.float64]:
    """Give for each row, where lines of a slope cross the middle, how likely (0..1) the hints make an edge there."""
    rows = np.arange(length)
    at = [(hint.row + slope * (middle - hint.column), hint.spread) for hint in hints]
    bumps = [np.exp(-0.5 * ((rows - row) / spread) ** 2) for row, spread in at]
    return np.asarray(np.max(bumps, axis=0) if bumps else np.zeros(length))


def _changes(top: NDArray[np.uint8], columns: tuple[float, float]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give the colour's change downwards in each segment and row, (SEGMENTS + 2, rows, 3), and the segments' middles.

    The last two segments are beside the cards, at the picture's left and right rim.
    """
    bounds = np.linspace(*columns, SEGMENTS + 1).round().astype(int)
    rim = round(RIM * columns[0])
    spans = [*pairwise(bounds), (0, rim), (top.shape[1] - rim, top.shape[1])]
    smooth = cv2.GaussianBlur(top, (1, 3), 0).astype(np.float64)
    profile = np.stack([smooth[:, first:last].mean(axis=1) for first, last in spans])
    change = np.zeros(profile.shape)
    change[:, 2:-2] = profile[:, 4:] - profile[:, :-4]
    return change, np.array([(first + last) / 2 for first, last in spans])


def _along(changes: NDArray[np.float64], across: NDArray[np.float64], slope: float) -> NDArray[np.float64]:
    """Give the strength (0..1) of lines of a slope, by the row where they cross the middle.

    Two witnesses: how many segments show a step at all (cards of changing surroundings), and whether the median
    segment shows the same step (a faint edge between two cards of one colour). A step that goes on at both sides of
    the cards is the mat's own edge or the table's, and counts little.
    """
    shifts = [-round(slope * x) for x in across]
    aligned = np.stack([np.roll(segment, shift, axis=0) for segment, shift in zip(changes, shifts, strict=True)])
    cards, rims = aligned[:SEGMENTS], aligned[SEGMENTS:]
    many = _strong(np.linalg.norm(cards, axis=2), FULL).mean(axis=0)
    middle = np.sort(cards, axis=0)[SEGMENTS // 2 - 1 : SEGMENTS // 2 + 1].mean(axis=0)
    size = np.linalg.norm(middle, axis=1)
    differs = np.linalg.norm(rims - middle, axis=2) / (size + 1e-6)
    goes_on = np.clip(1 - differs, 0.0, 1.0).min(axis=0)
    return np.asarray((0.5 * many + 0.5 * _strong(size, FULL_SAME)) * (1 - GOES_ON * goes_on))


def _fitted(changes: NDArray[np.float64], across: NDArray[np.float64], row: int, slope: float) -> tuple[float, float]:
    """Fit a line through where the step is steepest in each segment near a first line; give its row and its slope."""
    expected = row + slope * across
    starts = np.clip(np.round(expected).astype(int) - NEAR, 0, changes.shape[1] - 2 * NEAR - 1)
    windows = np.stack([change[start : start + 2 * NEAR + 1] for change, start in zip(changes, starts, strict=True)])
    common = np.median(windows, axis=0)[NEAR]
    along = np.maximum(windows @ common, 0.0) ** 2
    weights = along.sum(axis=1)
    if (weights > 0).sum() < SEGMENTS // 2:
        return float(row), slope
    places = starts + (along * np.arange(2 * NEAR + 1)).sum(axis=1) / np.maximum(weights, 1e-9) - expected
    # most segments decide: what is far from the middle one is a number, a logo or a finger
    good = (weights > 0) & (np.abs(places - np.median(places[weights > 0])) <= NEAR / 2)
    if good.sum() < SEGMENTS // 2:
        return float(row), slope
    turn, shift = np.polyfit(across[good], places[good], 1)
    return row + float(shift), slope + float(turn)


def _strong(step: NDArray[np.float64], full: float) -> NDArray[np.float64]:
    """Give a step's strength (0..1): twice as strong counts more, yet less and less, and beyond 1 hardly."""
    strength = np.log1p(step) / np.log1p(full)
    return np.asarray(np.minimum(strength, 0.98) + 0.02 * np.minimum(strength - 0.98, 1.0).clip(0.0))
