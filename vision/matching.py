"""Which edge is which slot's: all ten slots of a rack explained together."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

OFFSETS = np.arange(-12.0, 12.01, 0.25)
"""Where a top edge is searched, in mm farther than the rack's measures say: a lean of +-8 degrees and its place."""
LEAN_SPREAD = 2.2
"""Standard deviation of a card's top edge in mm about the rack's common offset, from a lean of about 2.3 degrees."""
COMMON_SPREAD = 2.4
"""Standard deviation of the rack's common offset in mm: put down by hand, measured by ruler, the lean to a degree."""
COMMON = np.arange(-9.0, 9.01, 0.75)
"""Common offsets that are tried, in mm."""
IMPOSSIBLE = -1e6
SAME_EDGE = 0.75
"""Places so near in mm are one edge."""
RIVALRY = 2.0
"""Differences of logarithms are divided by this before two explanations are weighed: edges are no free witnesses."""
FARTHEST = 6.5
"""No card's top edge is farther than this, in mm, from where the common offset puts it: about half a pitch."""
CLOSEST = 2.0
"""Two neighbouring top edges are at least so far apart in mm."""
CARD_COST = 0.27
"""A card is taken where its edge's strength, less what its place is unlikely, is above this."""
WEIGHT = 14.0
"""How much the strength of an edge counts against the likelihood of its place (natural logarithms)."""


@dataclass(frozen=True)
class Explanation:
    """A choice of offset (an index into OFFSETS) for each slot, None for no card there; `value` is a logarithm.

    `belongs` (0..1) says for each slot how sure it is that its edge is not that of a free slot beside, and
    `faint` how strong (0..1) an edge may still hide where a slot's would be if it has none.
    """

    choices: tuple[int | None, ...]
    value: float
    belongs: tuple[float, ...]
    faint: tuple[float, ...]


def gain_of(strength: float) -> float:
    """Give what a card with an edge of this strength adds to an explanation's value, its place aside."""
    return WEIGHT * (strength - CARD_COST)


def explain(strength: NDArray[np.float64], places: NDArray[np.float64], pitch: float) -> tuple[Explanation, ...]:
    """Choose for all slots at once, for each common offset of the rack by dynamic programming over the slots.

    `strength` (0..1) and `places` (mm, growing away from the player) are (slots, offsets). Edges keep the slots' order.
    The best explanation comes first; then, if there is one, the best that has the whole rack about a slot off.
    """
    away = np.abs(OFFSETS[None, :] - COMMON[:, None])
    likely = np.where(away <= FARTHEST, -0.5 * (away / LEAN_SPREAD) ** 2, IMPOSSIBLE)
    gain = WEIGHT * (strength - CARD_COST)[None] + likely[:, None]
    totals, before = _forward(gain, places)
    backward, _ = _forward(gain[:, ::-1, ::-1], -places[::-1, ::-1])
    unlikely = 0.5 * (COMMON / COMMON_SPREAD) ** 2
    through = totals + backward[:, ::-1, ::-1] - gain - unlikely[:, None, None]
    values = np.maximum(totals.max(axis=(1, 2)), 0.0) - unlikely
    best = int(np.argmax(values))
    others = np.where(np.abs(COMMON - COMMON[best]) >= 0.45 * pitch, values, -np.inf)
    chosen = [best] if not np.isfinite(others).any() else [best, int(np.argmax(others))]
    found = []
    for common in chosen:
        path = _path(totals[common], before[common])
        near = np.abs(COMMON - COMMON[common]) < 0.45 * pitch
        belongs = _belongs(path, float(values[near].max()), through[near].max(axis=0), places)
        faint = _faint(path, COMMON[common], strength, places)
        found.append(Explanation(tuple(path), float(values[common]), belongs, faint))
    return tuple(found)


def _forward(gain: NDArray[np.float64], places: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Give the best total of any path that ends at each choice, (commons, slots, offsets), and the choice before it.

    A choice before is slot * offsets + offset, or -1 for none.
    """
    commons, slots, count = gain.shape
    totals, before = np.zeros(gain.shape), np.full(gain.shape, -1)
    for slot in range(slots):
        starts = np.zeros((commons, count))
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
    return totals, before


def _path(totals: NDArray[np.float64], before: NDArray[np.int64]) -> list[int | None]:
    """Follow the best path back from its end."""
    slots, count = totals.shape
    path: list[int | None] = [None] * slots
    step = int(totals.argmax()) if totals.max() > 0 else -1
    while step >= 0:
        path[step // count] = step % count
        step = int(before.ravel()[step])
    return path


def _faint(
    path: list[int | None], common: float, strength: NDArray[np.float64], places: NDArray[np.float64]
) -> tuple[float, ...]:
    """Give for each slot without an edge the strongest one where a usual card's would be, clear of others' edges."""
    taken = [places[slot, choice] for slot, choice in enumerate(path) if choice is not None]
    faint = []
    for slot in range(len(path)):
        clear = np.abs(OFFSETS - common) <= 2 * LEAN_SPREAD
        for place in taken:
            clear &= np.abs(places[slot] - place) >= CLOSEST
        faint.append(float(strength[slot][clear].max()) if clear.any() else 0.0)
    return tuple(faint)


def _belongs(
    path: list[int | None], value: float, through: NDArray[np.float64], places: NDArray[np.float64]
) -> tuple[float, ...]:
    """Weigh the best path against the best that gives a slot's edge to another slot, or an edge to an empty slot.

    `through` is the value of the best path through each choice, (slots, offsets).
    """
    taken = [places[slot, choice] for slot, choice in enumerate(path) if choice is not None]
    sure = []
    for slot, choice in enumerate(path):
        edges, rivals = (taken, [slot]) if choice is None else ([places[slot, choice]], _others(slot, len(path)))
        other = max(
            (_through(through[rival], places[rival], edge) for rival in rivals for edge in edges), default=-np.inf
        )
        sure.append(float(1 / (1 + np.exp(np.clip((other - value) / RIVALRY, -50.0, 50.0)))))
    return tuple(sure)


def _others(slot: int, slots: int) -> list[int]:
    return [other for other in (slot - 1, slot + 1) if 0 <= other < slots]


def _through(through: NDArray[np.float64], places: NDArray[np.float64], edge: float) -> float:
    near = np.abs(places - edge) <= SAME_EDGE
    return float(through[near].max()) if near.any() else -np.inf
