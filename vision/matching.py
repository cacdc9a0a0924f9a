"""Which edge is which slot's: all ten slots of a rack explained together."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

GRID = 0.5
"""Top edges are chosen among places so far apart, in mm; they are refined afterwards."""
REACH = 12.0
"""A top edge is searched so far, in mm, from where the rack's measures put it: a lean of +-8 degrees and its place."""
LEAN_SPREAD = 2.2
"""Standard deviation of a card's top edge in mm about the rack's common offset, from a lean of about 2.3 degrees."""
COMMON_SPREAD = 2.4
"""Standard deviation of the rack's common offset in mm: put down by hand, measured by ruler, the lean to a degree."""
COMMON = np.arange(-9.0, 9.1, 1.0)
"""Common offsets that are tried, in mm."""
IMPOSSIBLE = -1e6
SAME_EDGE = 0.75
"""Places so near in mm are one edge."""
RIVALRY = 1.0
"""Differences of logarithms are divided by this before two explanations are weighed: edges are no free witnesses."""
FARTHEST = 6.5
"""No card's top edge is farther than this, in mm, from where the common offset puts it: about half a pitch."""
CLOSEST = 4.5
"""Two top edges are at least so far apart in mm; a printed border is nearer to its card's edge."""
CARD_COST = 0.27
"""A card is taken where its edge's strength, less what its place is unlikely, is above this."""
WEIGHT = 14.0
"""How much the strength of an edge counts against the likelihood of its place (natural logarithms)."""
OTHER = 0.45
"""Common offsets that differ by this share of the pitch are two explanations: the rack may be a slot off."""


@dataclass(frozen=True)
class Explanation:
    """A choice of place (an index) for each slot, None for no card there; `value` is a natural logarithm.

    It holds how likely it is that the rack as a whole is `off` its measures by so many mm.

    `belongs` (0..1) says for each slot how sure it is that its edge is not that of a free slot beside, and
    `faint` how strong (0..1) an edge may still hide where a slot's would be if it has none.
    """

    choices: tuple[int | None, ...]
    value: float
    off: float
    belongs: tuple[float, ...]
    faint: tuple[float, ...]


def gain_of(strength: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give what cards with edges of such strengths add to an explanation's value, their places aside."""
    return WEIGHT * (strength - CARD_COST)


def unlikely(off: float) -> float:
    """Give the logarithm of how likely it is that a rack is so many mm off its measures, 0 for none."""
    return -0.5 * (off / COMMON_SPREAD) ** 2


def explain(
    strength: NDArray[np.float64], places: NDArray[np.float64], expected: NDArray[np.float64]
) -> tuple[Explanation, ...]:
    """Choose for all slots at once, for each common offset of the rack by dynamic programming over the slots.

    `strength` (0..1) is that of an edge at each of `places`, mm in steps of GRID that grow away from the player;
    `expected` (slots,) is where the rack's measures put the edges. Edges keep the slots' order. The best explanation
    comes first; then, where there are some, the best that has the rack a slot nearer, and the best a slot farther.
    """
    pitch = float(expected[-1] - expected[0]) / (len(expected) - 1)
    # half the digits: logarithms of probabilities need no more
    offsets = (places[None, :] - expected[:, None]).astype(np.float32)
    away = np.abs(offsets[None] - COMMON[:, None, None].astype(np.float32))
    possible = (away <= FARTHEST) & (np.abs(offsets) <= REACH)[None]
    gain = np.where(
        possible,
        gain_of(strength).astype(np.float32) - (away * away) * np.float32(0.5 / LEAN_SPREAD**2),
        np.float32(IMPOSSIBLE),
    )
    totals = _forward(gain)
    backward = _forward(gain[:, ::-1, ::-1])[:, ::-1, ::-1]
    common_gain = np.array([unlikely(off) for off in COMMON.tolist()], np.float32)
    through = totals + backward - gain + common_gain[:, None, None]
    values = np.maximum(totals.max(axis=(1, 2)), 0.0) + common_gain
    best = int(np.argmax(values))
    rivals = [np.flatnonzero((COMMON - COMMON[best]) * side >= OTHER * pitch) for side in (-1, 1)]
    found = []
    for common in [best, *(int(rival[np.argmax(values[rival])]) for rival in rivals if len(rival))]:
        path = _path(totals[common])
        near = np.abs(COMMON - COMMON[common]) < OTHER * pitch
        belongs = _belongs(path, float(values[near].max()), through[near].max(axis=0))
        faint = _faint(path, strength, places, expected + COMMON[common])
        found.append(Explanation(tuple(path), float(values[common]), float(COMMON[common]), belongs, faint))
    return tuple(found)


def choose_one(strength: NDArray[np.float64], places: NDArray[np.float64], expected: float) -> int | None:
    """Choose a single card's place (an index), likely near where the other cards' lean puts it; None for no card."""
    gain = gain_of(strength) - 0.5 * ((places - expected) / LEAN_SPREAD) ** 2
    best = int(np.argmax(gain))
    return best if gain[best] > 0 else None


def _forward(gain: NDArray[np.float32]) -> NDArray[np.float32]:
    """Give the best total of any path that ends at each choice, (commons, slots, places)."""
    totals = np.empty_like(gain)
    best = np.zeros((gain.shape[0], gain.shape[2]), gain.dtype)
    apart = round(CLOSEST / GRID)
    for slot in range(gain.shape[1]):
        totals[:, slot] = gain[:, slot]
        totals[:, slot, apart:] += best[:, :-apart]
        best = np.maximum(best, np.maximum.accumulate(totals[:, slot], axis=1))
    return totals


def _path(totals: NDArray[np.float64]) -> list[int | None]:
    """Follow the best path back from its end; `totals` is (slots, places)."""
    apart = round(CLOSEST / GRID)
    slots, end = totals.shape
    path: list[int | None] = [None] * slots
    while slots > 0 and end > 0:
        slot, place = np.unravel_index(int(np.argmax(totals[:slots, :end])), (slots, end))
        if totals[slot, place] <= 0:
            break
        path[int(slot)] = int(place)
        slots, end = int(slot), int(place) - apart + 1
    return path


def _faint(
    path: list[int | None], strength: NDArray[np.float64], places: NDArray[np.float64], usual: NDArray[np.float64]
) -> tuple[float, ...]:
    """Give for each slot the strongest edge where a usual card's would be, clear of the edges that are explained."""
    strength = strength.copy()
    for choice in path:
        if choice is not None:
            strength[np.abs(places - places[choice]) < CLOSEST] = 0.0
    first = np.searchsorted(places, usual - 2 * LEAN_SPREAD, "left").tolist()
    last = np.searchsorted(places, usual + 2 * LEAN_SPREAD, "right").tolist()
    return tuple(float(strength[low:high].max(initial=0.0)) for low, high in zip(first, last, strict=True))


def _belongs(path: list[int | None], value: float, through: NDArray[np.float32]) -> tuple[float, ...]:
    """Weigh the best path against the best that gives a slot's edge to another slot, or an edge to an empty slot.

    `through` is the value of the best path through each choice, (slots, places).
    """
    same = int(SAME_EDGE / GRID)
    at_edge = {
        choice: through[:, max(choice - same, 0) : choice + same + 1].max(axis=1).tolist()
        for choice in path
        if choice is not None
    }
    sure = []
    for slot, choice in enumerate(path):
        if choice is None:
            rivals = [values[slot] for values in at_edge.values()]
        else:
            rivals = [at_edge[choice][other] for other in _others(slot, len(path))]
        doubt = (max(rivals, default=-math.inf) - value) / RIVALRY
        sure.append(1 / (1 + math.exp(min(max(doubt, -50.0), 50.0))))
    return tuple(sure)


def _others(slot: int, slots: int) -> list[int]:
    return [other for other in (slot - 1, slot + 1) if 0 <= other < slots]
