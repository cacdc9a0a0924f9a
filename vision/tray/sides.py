"""Fits the four sides of a card in a well finely, near where its outline was found."""

import math

import numpy as np
from numpy.typing import NDArray

from calibration.table import Card
from vision.tray.imprint import Middle
from vision.tray.outline import Outline, Shades

NEAR = 1.0
"""A side is sought again within so many mm of where it was found."""
FINE = 0.25
"""It is seen at points so many mm apart across it, ..."""
PIECES, POINTS = 16, 3
"""...in so many pieces along it, each the mean of some points."""
STRONG = 3.0
"""A side whose step is lower than so many grey levels counts less."""
FIT = 0.4
"""A piece that lies farther than about this from its straight line, in mm, hardly counts."""
SIZES = 0.4
"""Spread in mm of how much larger or smaller than a card's size its outline is seen: cards differ, piles are high."""
LOOSE = 0.05
"""One over the spread of a move in mm and a turn in radians: where no side is seen, the outline stays."""
BY_PRINT = 0.1
"""The print's middle is weighed as one piece that is found with this spread in mm; ..."""
AGREED = 1.5
"""...if it lies no farther than this from the outline's, in mm."""


def fit_sides(shades: Shades, outline: Outline, card: Card, middle: Middle | None) -> Outline:
    """Fit a card's four sides to a well's view near an outline: one card, moved and turned."""
    sizes = np.array([card.width, card.width, card.height, card.height]) / 2
    ends = np.array([card.height / 2 - 5, card.height / 2 - 5, card.width / 2 - 6.5, card.width / 2 - 6.5])
    sides = np.array([-1.0, 1.0, 1.0, -1.0])
    along = ends[:, None] * (2 * (np.arange(PIECES * POINTS) + 0.5) / (PIECES * POINTS) - 1)
    across = np.arange(-NEAR - FINE, NEAR + 1.5 * FINE, FINE)
    beside = (sides * sizes)[:, None, None] + np.broadcast_to(across, (4, PIECES * POINTS, len(across)))
    line = np.broadcast_to(along[:, :, None], beside.shape)
    upright, level = np.stack([beside, line], axis=-1)[:2], np.stack([line, beside], axis=-1)[2:]
    points = outline.place(np.concatenate([upright, level]).reshape(-1, len(across), 2))
    pieces = shades.at(points).reshape(4, PIECES, POINTS, len(across)).mean(axis=2)
    steps = pieces[:, :, 2:] - pieces[:, :, :-2]
    # a side's step has one direction of colour all along it
    mean = steps.mean(axis=1)
    colour = mean[np.arange(4), np.abs(mean).argmax(axis=1)]
    height = (steps * (colour.conj() / (np.abs(colour) + 1e-6))[:, None, None]).real.reshape(4 * PIECES, -1)
    at = height[:, 1:-1].argmax(axis=1) + 1
    row = np.arange(len(at))
    before, top, after = height[row, at - 1], height[row, at], height[row, at + 1]
    found = across[1:-1][at] + FINE * np.clip(
        (after - before) / (2 * np.maximum(2 * top - before - after, 1e-6)), -1, 1
    )
    return _fitted(outline, found, top.reshape(4, PIECES), along, middle)


def _fitted(
    outline: Outline,
    found: NDArray[np.float64],
    height: NDArray[np.float32],
    along: NDArray[np.float64],
    middle: Middle | None,
) -> Outline:
    """Move and turn an outline to where its sides' pieces were found, mm off it, by steps so high."""
    one, none = np.ones((4, PIECES)), np.zeros((4, PIECES))
    place = along.reshape(4, PIECES, POINTS).mean(axis=2)
    upright = np.arange(4)[:, None] < 2
    half = np.array([-0.5, 0.5, 0.5, -0.5])[:, None] * one
    # unknown: the card's move along and up, its turn, how much wider and higher it is seen
    columns = [
        np.where(upright, one, none), np.where(upright, none, one), np.where(upright, -place, place),
        np.where(upright, half, none), np.where(upright, none, half),
    ]  # fmt: skip
    sides = np.stack(columns, axis=-1).reshape(-1, 5)
    usual = np.sort(height, axis=1)[:, PIECES // 2 - 1 : PIECES // 2 + 1].mean(axis=1, keepdims=True)
    clear = (np.clip(height / np.maximum(usual, 1e-6), 0, 1) * np.clip(usual / STRONG, 0, 1)).ravel()
    known, towards = np.array([LOOSE, LOOSE, LOOSE, 1 / SIZES, 1 / SIZES]), np.zeros(5)
    if middle is not None:
        angle = math.radians(outline.turn)
        away = middle.x - outline.x, middle.y - outline.y
        if math.hypot(*away) < AGREED:
            towards[0] = away[0] * math.cos(angle) + away[1] * math.sin(angle)
            towards[1] = -away[0] * math.sin(angle) + away[1] * math.cos(angle)
            known[:2] = max(LOOSE, middle.certainty / BY_PRINT)
    moved, sure = np.zeros(5), np.diag(known**2)
    for _ in range(4):
        weighed = sides.T * (clear / (1 + ((found - sides @ moved) / FIT) ** 2))
        moved = np.linalg.solve(weighed @ sides + sure, weighed @ found + sure @ towards)
    x, y = outline.place(moved[:2]).tolist()
    return Outline(x, y, outline.turn + math.degrees(moved[2]), outline.strength)
