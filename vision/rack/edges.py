"""Finds the top edges of a rack's cards in the rectified plane in which they lie."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture import exact
from vision.rack.foot import UNSEEN, Footing
from vision.rack.matching import CLOSEST, GRID, WEIGHT, choose_one, explain_by_any

Floats = NDArray[np.float32]
SEGMENTS = 8
"""An edge is judged in so many pieces of a card's width: a number or a logo spoils few of them."""
BESIDE = 2
"""So many pieces at either end are beside a card's logo: an edge is seen here, too."""
SLOPES = np.arange(-4.5, 4.6, 0.75)
"""How much higher, in mm, a top edge may be at one end of the card than at the other (cards stand a little turned)."""
SLOPE_SPREAD = 2.5
"""Standard deviation of that, in mm."""
BOW = 0.5
"""A worn card's edge may bow by so many mm."""
NEAR = 5
"""Rows to both sides of a first line in which its steepest place is sought."""
OFF_LINE = 1.5
"""So many rows off the line through most segments, as far as an edge may bow, a step is another's."""
PAIRS = np.triu_indices(SEGMENTS, 1)
ANOTHER = 2.5
"""What is so many mm off an edge is another one: a blurred edge is nowhere so wide."""
RIM = 0.25
"""Share of the way from the picture's rim to the cards' columns that is surely beside the cards."""
GOES_ON = 0.8
"""So much of an edge's strength is lost where the same step is seen beside the cards too."""
MAT_OFF = 2.0
"""The mat's far edge is within so many mm of where the mat's pose puts it: printed, cut and found by its markers."""
STRONG = 0.7
"""An edge behind all cards that is so strong may be one more card's."""
APART = round(CLOSEST / GRID)
"""It is so many places behind the last card's, at least."""
FOURTH_AND_FIFTH = (
    *((0, 2), (1, 3), (4, 6), (5, 7), (0, 4), (1, 5), (2, 6), (3, 7), (0, 1)),
    *((2, 3), (4, 5), (6, 7), (2, 4), (3, 5), (1, 4), (3, 6), (3, 4)),
)
"""In this order two of eight values are put in order to know the middle two: Batcher's odd-even merge, what serves."""
FULL = 20.0
FULL_SAME = 13.0
"""So many times the noise, a step in brightness or colour counts fully: in one segment, in the median segment."""


@dataclass(frozen=True)
class Layout:
    """How the rectified plane lies: the columns that every card covers, its pixels a mm across and down.

    `mat` is the row where the mat's far edge is seen, None where it is not in the picture.
    """

    columns: tuple[float, float]
    scale: tuple[float, float]
    mat: float | None = None


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

    def belonging(self, belongs: float) -> "EdgeLine":
        """Give the edge as one that so surely is its slot's."""
        return EdgeLine(self.at, self.middle, self.slope, self.strength, belongs)

    def row(self, column: float) -> float:
        """Give the edge's row at a column."""
        return self.at + self.slope * (column - self.middle)


@dataclass(frozen=True)
class TopEdges:
    """One explanation of a rack's edges: a line a slot or None, and how good it is (a natural logarithm).

    The value holds how likely it is that the rack `stands` so far off its measures, a natural logarithm, too. `faint`
    is how strong (0..1) an edge may still hide where a slot's would be, if it has no line. `guess` is the index of the
    measures by which it is made. `behind` is a strong edge behind all of them, None where there is none.
    """

    lines: tuple[EdgeLine | None, ...]
    value: float
    stands: float
    faint: tuple[float, ...]
    guess: int
    behind: EdgeLine | None


def top_edges(
    top: NDArray[np.uint8], rows: NDArray[np.float64], layout: Layout, footing: Footing = UNSEEN
) -> tuple[TopEdges, ...]:
    """Find each slot's top edge, or None where there is none: the likeliest explanation first, at most five.

    `top` is the rectified plane, BGR or grey, `rows` where the measures put each slot's edge (nearest first, that is
    the largest row first), `footing` where the rack may stand. Where nobody measured, rows are guesses, (n, slots).
    """
    steps = _Steps.of(top, layout)
    explained = explain_by_any(steps.strength, steps.places, np.atleast_2d(-rows / layout.scale[1]), footing)
    behind = [steps.behind(item.choices) for item in explained]
    every = (choice for item, one in zip(explained, behind, strict=True) for choice in (*item.choices, one))
    chosen = sorted({choice for choice in every if choice is not None})
    lines = dict(zip(chosen, steps.lines(chosen), strict=True))
    return tuple(
        TopEdges(
            tuple(
                None if choice is None else lines[choice].belonging(belongs)
                for choice, belongs in zip(item.choices, item.belongs, strict=True)
            ),
            item.value,
            item.stands,
            item.faint,
            item.guess,
            None if one is None else lines[one],
        )
        for item, one in zip(explained, behind, strict=True)
    )


def edge_near(  # noqa: PLR0913, PLR0917 - a part of the plane with its measures, and what is sought
    top: NDArray[np.uint8],
    row: float,
    layout: Layout,
    margin: int,
    hint: float = 0.0,
    but: float | None = None,
) -> EdgeLine | None:
    """Find a single card's top edge in a part of the plane, likely near a row; None where there is none.

    The edge is not within `margin` rows of the part's ends, nor near the row `but`, if there is one. `hint` is added to
    edges' strength (0..1) in choosing.
    """
    if len(top) <= 2 * margin + 2 * NEAR:
        return None
    steps, down = _Steps.of(top, layout), layout.scale[1]
    inside = (steps.grid >= margin) & (steps.grid < len(top) - margin)
    if but is not None:
        inside &= np.abs(steps.grid - but) >= ANOTHER * down
    choice = choose_one(np.where(inside, steps.strength + hint, -1.0), steps.places, -row / down)
    return None if choice is None else steps.lines([choice])[0]


@dataclass(frozen=True)
class _Steps:
    """How strong an edge would be along the plane: by `places` (mm, GRID apart, growing away), and its slope there."""

    changes: Floats
    across: NDArray[np.float64]
    middle: float
    grid: NDArray[np.int64]
    places: NDArray[np.float64]
    strength: NDArray[np.float64]
    slope: NDArray[np.float64]

    @staticmethod
    def of(top: NDArray[np.uint8], layout: Layout) -> "_Steps":
        changes, middles = _changes(top, layout.columns)
        middle, (across, down) = float(np.mean(middles[:SEGMENTS])), layout.scale
        slopes = -SLOPES * down / (layout.columns[1] - layout.columns[0] + 6 * across)
        places = np.arange(1 - len(top), 1, GRID * down) / down
        grid = np.round(-places * down).astype(np.int64)
        mat = None if layout.mat is None else (layout.mat - MAT_OFF * down, layout.mat + MAT_OFF * down)
        strengths = _along(changes, middles - middle, slopes, grid, round(BOW * down), mat)
        strengths -= (0.5 * (SLOPES / SLOPE_SPREAD) ** 2 / WEIGHT)[:, None]
        slope = slopes[strengths.argmax(axis=0)]
        return _Steps(changes, middles - middle, middle, grid, places, strengths.max(axis=0), slope)

    def behind(self, choices: Sequence[int | None]) -> int | None:
        """Choose the strongest edge behind all that are chosen, if it is as strong as a card's."""
        first = max((choice for choice in choices if choice is not None), default=len(self.strength)) + APART
        strength = self.strength[first:]
        if not len(strength) or strength.max() < STRONG:
            return None
        return first + int(strength.argmax())

    def lines(self, choices: Sequence[int]) -> list[EdgeLine]:
        """Give the edges at some choices of place, each fitted to where it is steepest."""
        rows, slopes = self.grid[choices].astype(np.float64), self.slope[choices]
        # a second time from where the first fit leads: the choice may be a bow's height away from the edge
        for _ in range(2):
            rows, slopes = _fitted(self.changes[:SEGMENTS], self.across[:SEGMENTS], rows, slopes)
        return [
            EdgeLine(float(row) + 0.5, self.middle, float(slope), float(self.strength[choice]), 1.0)
            for row, slope, choice in zip(rows, slopes, choices, strict=True)
        ]


def _changes(top: NDArray[np.uint8], columns: tuple[float, float]) -> tuple[Floats, NDArray[np.float64]]:
    """Give the colour's change downwards in each segment and row, and the segments' middles.

    The first is (SEGMENTS + 2, rows, colours). The last two segments are beside the cards, at the picture's left and
    right rim.
    """
    height, width = top.shape[:2]
    first, last, rim = round(columns[0]), round(columns[1]), round(RIM * columns[0])
    parts = (first, last, SEGMENTS), (0, rim, 1), (width - rim, width, 1)
    pixels = exact(top)
    means = [cv2.resize(pixels[:, a:b], (count, height), interpolation=cv2.INTER_AREA) for a, b, count in parts]
    profile = np.concatenate(means, axis=1)
    smooth = np.ascontiguousarray(np.atleast_3d(cv2.GaussianBlur(profile, (1, 3), 0)).transpose(1, 0, 2))
    change = np.zeros(smooth.shape, np.float32)
    np.subtract(smooth[:, 2:], smooth[:, :-2], out=change[:, 1:-1])
    centres = first + (np.arange(SEGMENTS) + 0.5) * (last - first) / SEGMENTS
    return change, np.array([*centres, rim / 2, width - rim / 2])


def _along(  # noqa: PLR0913, PLR0917 - what changes, and along which lines
    changes: Floats,
    across: NDArray[np.float64],
    slopes: NDArray[np.float64],
    grid: NDArray[np.int64],
    bow: int,
    mat: tuple[float, float] | None,
) -> Floats:
    """Give the strength (0..1) of lines, (slopes, grid), by the row of the grid where they cross the middle.

    Two witnesses: how many segments show a step at all (cards of changing surroundings), be it that their edge bows by
    some rows; and whether the median segment shows the same step (a faint edge between two cards of one colour).
    A step that goes on at both sides of the cards is the mat's own edge or the table's, and counts little. Between the
    rows `mat`, where the mat's own edge must be, it is enough that such a step is seen at one side, a little off.
    """
    sizes = lengths(changes)
    bowed = np.asarray(cv2.dilate(sizes[:SEGMENTS], np.ones((1, 2 * bow + 1))), np.float32)
    noise, noise_bowed = (max(_ranked(size, 0.35), 0.6) for size in (sizes[:SEGMENTS], bowed))
    shifts = np.round(across[:, None] * slopes).astype(np.int64)
    rows = np.clip(grid + shifts[..., None], 0, changes.shape[1] - 1)
    rows += changes.shape[1] * np.arange(len(across))[:, None, None]
    shown = _strong(bowed / np.float32(noise_bowed), FULL).ravel().take(rows[:SEGMENTS])
    ends, inner = shown[:BESIDE].sum(axis=0) + shown[-BESIDE:].sum(axis=0), shown[BESIDE:-BESIDE].sum(axis=0)
    many = np.minimum((ends + inner) / SEGMENTS, ends / (2 * BESIDE))
    colours = changes.shape[2]
    aligned = changes.reshape(-1, colours).take(rows, axis=0)
    middle = middle_change([*aligned[:SEGMENTS]])
    size = lengths(middle)
    differs = np.maximum(*lengths(aligned[SEGMENTS:] - middle))
    if mat is not None:
        at_mat = np.flatnonzero((grid >= mat[0]) & (grid <= mat[1]))
        beside = changes[SEGMENTS:, max(round(mat[0]), 0) : max(round(mat[1]) + 1, 0)].reshape(-1, 1, 1, colours)
        if len(at_mat) and len(beside):
            differs[:, at_mat] = lengths(beside - middle[:, at_mat]).min(axis=0)
    goes_on = np.maximum(1 - differs / (size + np.float32(1e-6)), np.float32(0.0))
    return np.asarray(
        (0.5 * many + 0.5 * _strong(size / np.float32(noise), FULL_SAME)) * (1 - np.float32(GOES_ON) * goes_on)
    )


def lengths(vectors: Floats) -> Floats:
    """Give the lengths of vectors (..., colours)."""
    # a product with ones sums a short last axis in a quarter of the time that NumPy's own sums take
    return np.asarray(np.sqrt((vectors * vectors) @ np.ones(vectors.shape[-1], np.float32)))


def middle_change(eight: list[Floats]) -> Floats:
    """Give the median change (..., colours) of eight segments: of the two middle ones that with the smaller step.

    A logo is as wide as four of eight.
    """
    # place by place in all arrays at once, which is faster than to sort
    for one, other in FOURTH_AND_FIFTH:
        eight[one], eight[other] = np.minimum(eight[one], eight[other]), np.maximum(eight[one], eight[other])
    return np.asarray(np.maximum(eight[3], np.float32(0.0)) + np.minimum(eight[4], np.float32(0.0)))


def _fitted(
    changes: Floats, across: NDArray[np.float64], rows: NDArray[np.float64], slopes: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Fit lines through where the step is steepest in each segment near first lines; give their rows and slopes.

    `changes` is (SEGMENTS, rows, colours), `across` (SEGMENTS,), the others are (lines,). A first line stays as it was
    where too few segments show a step.
    """
    expected = rows[:, None] + slopes[:, None] * across
    starts = np.clip(np.round(expected).astype(int) - NEAR, 0, changes.shape[1] - 2 * NEAR - 1)
    near = np.arange(2 * NEAR + 1)
    windows = changes[np.arange(SEGMENTS)[:, None], starts[:, :, None] + near]
    common = np.sort(windows[:, :, NEAR], axis=1)[:, SEGMENTS // 2 - 1 : SEGMENTS // 2 + 1].mean(axis=1)
    along = np.maximum(np.einsum("lsnc,lc->lsn", windows, common), 0.0) ** 2
    weights = along.sum(axis=2)
    shown = weights > 0
    places = starts + along @ near / np.maximum(weights, 1e-9) - expected
    # most segments decide: what is far from their line is a number, a logo or a finger, or what is behind the card
    # ends there; the line through most of them is that of the middle one of all pairs' slopes (Theil and Sen)
    one, other = PAIRS
    leaning = _middle(
        (places[:, other] - places[:, one]) / (across[other] - across[one]), shown[:, one] & shown[:, other]
    )
    upright = places - leaning[:, None] * across
    good = shown & (np.abs(upright - _middle(upright, shown)[:, None]) <= OFF_LINE)
    enough = good.sum(axis=1) >= SEGMENTS // 2
    count = np.maximum(good.sum(axis=1), 1)
    x, y = ((good * values).sum(axis=1) / count for values in (across, places))
    aside = good * (across - x[:, None])
    turns = (aside * (places - y[:, None])).sum(axis=1) / np.maximum((aside * aside).sum(axis=1), 1e-9)
    return np.where(enough, rows + y - turns * x, rows), np.where(enough, slopes + turns, slopes)


def _middle(values: NDArray[np.float64], shown: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Give the median of those values of each line, (lines, n), that are `shown`; 0 for none."""
    ranked, count = np.sort(np.where(shown, values, np.inf), axis=1), shown.sum(axis=1)
    each = np.arange(len(ranked))
    middle = (ranked[each, np.maximum(count - 1, 0) // 2] + ranked[each, count // 2]) / 2
    return np.where(count > 0, middle, 0.0)


def _ranked(values: Floats, share: float) -> float:
    """Give the value that a share of some values is below, as np.percentile does, in a quarter of the time."""
    low, part = divmod(share * (values.size - 1), 1.0)
    below, above = np.partition(values, (int(low), int(low) + 1), axis=None)[int(low) : int(low) + 2].tolist()
    return float(below + part * (above - below))


def _strong(step: Floats, full: float) -> Floats:
    """Give a step's strength (0..1): twice as strong counts more, yet less and less, and beyond 1 hardly."""
    strength = np.log1p(step) / np.float32(np.log1p(full))
    more = (strength - np.float32(0.98)).clip(0.0, 1.0)
    return np.asarray(np.minimum(strength, np.float32(0.98)) + np.float32(0.02) * more)
