"""Finds the top edges of a rack's cards in the rectified plane in which they lie."""

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.matching import GRID, WEIGHT, choose_one, explain

SEGMENTS = 8
"""An edge is judged in so many pieces of a card's width: a number or a logo spoils few of them."""
ENDS = (0, 1, SEGMENTS - 2, SEGMENTS - 1)
"""These pieces are beside a card's logo: an edge is seen here, too."""
SLOPES = np.arange(-4.5, 4.6, 0.75)
"""How much higher, in mm, a top edge may be at one end of the card than at the other (cards stand a little turned)."""
SLOPE_SPREAD = 2.5
"""Standard deviation of that, in mm."""
BOW = 0.5
"""A worn card's edge may bow by so many mm."""
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
class TopEdges:
    """One explanation of a rack's edges: a line a slot or None, and how good it is (a natural logarithm).

    `faint` is how strong (0..1) an edge may still hide where a slot's would be, if it has no line.
    """

    lines: tuple[EdgeLine | None, ...]
    value: float
    faint: tuple[float, ...]


def top_edges(
    top: NDArray[np.uint8], rows: NDArray[np.float64], columns: tuple[float, float], scale: float
) -> tuple[TopEdges, ...]:
    """Find each slot's top edge, or None where there is none: the likeliest explanation first, at most three.

    `top` is the rectified BGR plane, `rows` where the measures put each slot's edge (nearest first, that is the
    largest row first), `columns` the part of the width that every card covers, `scale` pixels a mm.
    """
    steps = _Steps.of(top, columns, scale)
    explained = []
    for item in explain(steps.strength, steps.places, -rows / scale):
        chosen: list[EdgeLine | None] = []
        for choice, belongs in zip(item.choices, item.belongs, strict=True):
            chosen.append(None if choice is None else steps.line(choice, belongs))
        explained.append(TopEdges(tuple(chosen), item.value, item.faint))
    return tuple(explained)


def edge_near(  # noqa: PLR0913, PLR0917 - a part of the plane with its measures, and what is sought
    top: NDArray[np.uint8], row: float, columns: tuple[float, float], scale: float, margin: int, hint: float = 0.0
) -> EdgeLine | None:
    """Find a single card's top edge in a part of the plane, likely near a row; None where there is none.

    The edge is not within `margin` rows of the part's ends. `hint` is added to edges' strength (0..1) in choosing.
    """
    if len(top) <= 2 * margin + 2 * NEAR:
        return None
    steps = _Steps.of(top, columns, scale)
    inside = (-steps.places * scale >= margin) & (-steps.places * scale < len(top) - margin)
    choice = choose_one(np.where(inside, steps.strength + hint, -1.0), steps.places, -row / scale)
    return None if choice is None else steps.line(choice, 1.0)


@dataclass(frozen=True)
class _Steps:
    """How strong an edge would be along the plane: by `places` (mm, GRID apart, growing away), and its slope there."""

    changes: NDArray[np.float64]
    across: NDArray[np.float64]
    middle: float
    grid: NDArray[np.int64]
    places: NDArray[np.float64]
    strength: NDArray[np.float64]
    slope: NDArray[np.float64]
    fitted: dict[int, tuple[float, float]] = field(default_factory=dict)

    @staticmethod
    def of(top: NDArray[np.uint8], columns: tuple[float, float], scale: float) -> "_Steps":
        changes, middles = _changes(top, columns)
        middle = float(np.mean(middles[:SEGMENTS]))
        slopes = -SLOPES * scale / (columns[1] - columns[0] + 6 * scale)
        grid = np.arange(len(top) - 1, -1, -round(GRID * scale))
        strengths = _along(changes, middles - middle, slopes, grid, round(BOW * scale))
        strengths -= (0.5 * (SLOPES / SLOPE_SPREAD) ** 2 / WEIGHT)[:, None]
        slope = slopes[strengths.argmax(axis=0)]
        return _Steps(changes, middles - middle, middle, grid, -grid / scale, strengths.max(axis=0), slope)

    def line(self, choice: int, belongs: float) -> EdgeLine:
        """Give the edge at a choice of place, fitted to where it is steepest."""
        if choice not in self.fitted:
            row, slope = float(self.grid[choice]), float(self.slope[choice])
            # a second time from where the first fit leads: the choice may be a bow's height away from the edge
            for _ in range(2):
                row, slope = _fitted(self.changes[:SEGMENTS], self.across[:SEGMENTS], row, slope)
            self.fitted[choice] = row, slope
        at, slope = self.fitted[choice]
        return EdgeLine(at + 0.5, self.middle, slope, float(self.strength[choice]), belongs)


def _changes(top: NDArray[np.uint8], columns: tuple[float, float]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give the colour's change downwards in each segment and row, (SEGMENTS + 2, rows, 3), and the segments' middles.

    The last two segments are beside the cards, at the picture's left and right rim.
    """
    first, last, rim = round(columns[0]), round(columns[1]), round(RIM * columns[0])
    height, width = top.shape[:2]
    cards = cv2.resize(top[:, first:last].astype(np.float32), (SEGMENTS, height), interpolation=cv2.INTER_AREA)
    rims = [top[:, part].mean(axis=1, keepdims=True) for part in (slice(0, rim), slice(width - rim, width))]
    profile = np.concatenate([cards, *rims], axis=1)
    profile = cv2.GaussianBlur(profile, (1, 3), 0).astype(np.float64).transpose(1, 0, 2)
    change = np.zeros(profile.shape)
    change[:, 2:-2] = profile[:, 4:] - profile[:, :-4]
    centres = first + (np.arange(SEGMENTS) + 0.5) * (last - first) / SEGMENTS
    return change, np.array([*centres, rim / 2, width - rim / 2])


def _along(
    changes: NDArray[np.float64],
    across: NDArray[np.float64],
    slopes: NDArray[np.float64],
    grid: NDArray[np.int64],
    bow: int,
) -> NDArray[np.float64]:
    """Give the strength (0..1) of lines, (slopes, grid), by the row of the grid where they cross the middle.

    Two witnesses: how many segments show a step at all (cards of changing surroundings), be it that their edge bows by
    some rows; and whether the median segment shows the same step (a faint edge between two cards of one colour).
    A step that goes on at both sides of the cards is the mat's own edge or the table's, and counts little.
    """
    sizes = np.linalg.norm(changes, axis=2)
    bowed = np.asarray(cv2.dilate(sizes[:SEGMENTS], np.ones((1, 2 * bow + 1))), dtype=np.float64)
    noise, noise_bowed = (max(float(np.percentile(size, 35)), 0.6) for size in (sizes[:SEGMENTS], bowed))
    rows = grid[None, None, :] + np.round(slopes[:, None] * across[None, :]).astype(int)[:, :, None]
    rows = np.clip(rows, 0, changes.shape[1] - 1)
    segment = np.arange(len(across))[None, :, None]
    shown = _strong(bowed / noise_bowed, FULL)[segment[:, :SEGMENTS], rows[:, :SEGMENTS]]
    many = np.minimum(shown.mean(axis=1), shown[:, ENDS].mean(axis=1))
    aligned = changes[segment, rows]
    cards, rims = np.sort(aligned[:, :SEGMENTS], axis=1), aligned[:, SEGMENTS:]
    # of the two median segments the one with the smaller step: a logo is as wide as four of eight
    low, high = cards[:, SEGMENTS // 2 - 1], cards[:, SEGMENTS // 2]
    middle = np.maximum(low, 0.0) + np.minimum(high, 0.0)
    size = np.linalg.norm(middle, axis=2)
    differs = np.linalg.norm(rims - middle[:, None], axis=3) / (size[:, None] + 1e-6)
    goes_on = np.clip(1 - differs, 0.0, 1.0).min(axis=1)
    return np.asarray((0.5 * many + 0.5 * _strong(size / noise, FULL_SAME)) * (1 - GOES_ON * goes_on))


def _fitted(changes: NDArray[np.float64], across: NDArray[np.float64], row: float, slope: float) -> tuple[float, float]:
    """Fit a line through where the step is steepest in each segment near a first line; give its row and its slope."""
    expected = row + slope * across
    starts = np.clip(np.round(expected).astype(int) - NEAR, 0, changes.shape[1] - 2 * NEAR - 1)
    windows = changes[np.arange(SEGMENTS)[:, None], starts[:, None] + np.arange(2 * NEAR + 1)]
    common = np.median(windows[:, NEAR], axis=0)
    along = np.maximum(windows @ common, 0.0) ** 2
    weights = along.sum(axis=1)
    if (weights > 0).sum() < SEGMENTS // 2:
        return row, slope
    places = starts + (along * np.arange(2 * NEAR + 1)).sum(axis=1) / np.maximum(weights, 1e-9) - expected
    # most segments decide: what is far from the middle one is a number, a logo or a finger
    good = (weights > 0) & (np.abs(places - np.median(places[weights > 0])) <= NEAR / 2)
    if good.sum() < SEGMENTS // 2:
        return row, slope
    x, y = across[good], places[good]
    turn = float((x - x.mean()) @ (y - y.mean()) / ((x - x.mean()) @ (x - x.mean())))
    return row + float(y.mean()) - turn * float(x.mean()), slope + turn


def _strong(step: NDArray[np.float64], full: float) -> NDArray[np.float64]:
    """Give a step's strength (0..1): twice as strong counts more, yet less and less, and beyond 1 hardly."""
    strength = np.log1p(step) / np.log1p(full)
    return np.asarray(np.minimum(strength, 0.98) + 0.02 * np.minimum(strength - 0.98, 1.0).clip(0.0))
