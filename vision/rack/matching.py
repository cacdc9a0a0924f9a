"""Which edge is which slot's: all ten slots of a rack explained together."""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.rack.foot import UNSEEN, Footing

GRID = 0.5
"""Top edges are chosen among places so far apart, in mm; they are refined afterwards."""
LEAN_SPREAD = 2.2
"""Standard deviation of a card's top edge in mm about the rack's common offset, from a lean of about 2.3 degrees."""
COMMON, UNMEASURED_COMMON = np.arange(-9.0, 9.1, 1.0), np.arange(-15.0, 15.1, 1.0)
"""Common offsets that are tried, in mm: of a rack that was measured, and of one that was not."""
BEYOND = 3.0
"""A top edge is searched so many mm beyond the farthest of them."""
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
RIVALS = 4
"""So many other explanations of a rack that nobody measured are looked at."""
FULL = 2.0
"""What a card in every slot adds for such a rack (natural logarithm): in play every rack is full. Of drawn ones four in
five are, where one in ninety has all but an end's; so it might be more, but for racks that are filled at a deal."""
HOPELESS = 20.0
"""An explanation that is so much worse (natural logarithm) need not be looked at."""
OTHER = 0.45
"""Common offsets that differ by this share of the pitch are two explanations: the rack may be a slot off."""


@dataclass(frozen=True)
class Explanation:
    """A choice of place (an index) for each slot, None for no card there; `value` is a natural logarithm.

    It holds how likely it is that the rack as a whole `stands` so far off its measures, a natural logarithm, too.
    `guess` is the index of the measures by which it is made.

    `belongs` (0..1) says for each slot how sure it is that its edge is not that of a free slot beside, and
    `faint` how strong (0..1) an edge may still hide where a slot's would be if it has none.
    """

    choices: tuple[int | None, ...]
    value: float
    stands: float
    belongs: tuple[float, ...]
    faint: tuple[float, ...]
    guess: int = 0


def gain_of(strength: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give what cards with edges of such strengths add to an explanation's value, their places aside."""
    return WEIGHT * (strength - CARD_COST)


def explain_by_any(
    strength: NDArray[np.float64],
    places: NDArray[np.float64],
    guesses: NDArray[np.float64],
    footing: Footing = UNSEEN,
) -> tuple[Explanation, ...]:
    """Choose as `explain` does by that guess of where the slots' edges are, (n, slots), which does best.

    There is but one where the rack was measured. Else, behind the best explanation come others, by any guess, that have
    one of its edges in another slot: at most RIVALS.
    """
    if len(guesses) == 1:
        return explain(strength, places, guesses[0], footing)
    every = [
        replace(one, guess=guess, value=one.value + FULL * (None not in one.choices))
        for guess, expected in enumerate(guesses)
        for one in explain(strength, places, expected, footing, UNMEASURED_COMMON)
    ]
    best, *others = sorted(every, key=lambda one: -one.value)
    found = [best]
    for other in others:
        if other.value >= best.value - HOPELESS and all(_moves(other, one, places) for one in found):
            found.append(other)
    return tuple(found[: 1 + RIVALS])


def _moves(one: Explanation, other: Explanation, places: NDArray[np.float64]) -> bool:
    """Tell whether an explanation gives an edge to another slot than the other one does."""
    return any(
        slot != at and abs(places[choice] - places[its]) < CLOSEST / 2
        for slot, choice in enumerate(one.choices)
        for at, its in enumerate(other.choices)
        if choice is not None and its is not None
    )


def explain(
    strength: NDArray[np.float64],
    places: NDArray[np.float64],
    expected: NDArray[np.float64],
    footing: Footing = UNSEEN,
    commons: NDArray[np.float64] = COMMON,
) -> tuple[Explanation, ...]:
    """Choose for all slots at once, for each common offset of the rack by dynamic programming over the slots.

    `strength` (0..1) is that of an edge at each of `places`, mm in steps of GRID that grow away from the player;
    `expected` (slots,) is where the rack's measures put the edges, `footing` where the rack may stand, `commons` (n,)
    the common offsets to try, in mm. Edges keep the slots' order. The best explanation comes first; then, where it is
    not hopeless, the best that has the rack a slot nearer, and likewise a slot farther.
    """
    pitch = float(expected[-1] - expected[0]) / (len(expected) - 1)
    # only places within reach of each slot are weighed: its first one, and so many more, for each common offset
    reach = float(commons[-1]) + BEYOND
    first, wide = np.searchsorted(places, expected - reach), round(2 * reach / GRID) + 1
    window = first[:, None] + np.arange(wide)
    inside = np.minimum(window, len(places) - 1)
    # half the digits: logarithms of probabilities need no more
    offsets = (places[inside] - expected[:, None]).astype(np.float32)
    away = np.abs(offsets[..., None] - commons.astype(np.float32))
    possible = (away <= FARTHEST) & ((np.abs(offsets) <= reach) & (window < len(places)))[..., None]
    possible[: footing.free] = False
    gain = np.where(
        possible,
        gain_of(strength[inside]).astype(np.float32)[..., None] - (away * away) * np.float32(0.5 / LEAN_SPREAD**2),
        np.float32(IMPOSSIBLE),
    )
    totals = _forward(gain, first)
    backward = _forward(gain[::-1, ::-1], (first[-1] - first)[::-1])[::-1, ::-1]
    common_gain = footing.likely(commons).astype(np.float32)
    through = totals + backward - gain + common_gain
    values = np.maximum(totals.max(axis=(0, 1)), 0.0) + common_gain
    best = int(np.argmax(values))
    rivals = [np.flatnonzero((commons - commons[best]) * side >= OTHER * pitch) for side in (-1, 1)]
    likeliest = [int(rival[np.argmax(values[rival])]) for rival in rivals if len(rival)]
    found = []
    for common in [best, *(rival for rival in likeliest if values[rival] >= values[best] - HOPELESS)]:
        path = _path(totals[..., common], window)
        near = np.abs(commons - commons[common]) < OTHER * pitch
        belongs = _belongs(path, float(values[near].max()), through[..., near].max(axis=2), first)
        faint = _faint(path, strength, places, expected + commons[common])
        found.append(Explanation(tuple(path), float(values[common]), float(common_gain[common]), belongs, faint))
    return tuple(found)


def choose_one(strength: NDArray[np.float64], places: NDArray[np.float64], expected: float) -> int | None:
    """Choose a single card's place (an index), likely near where the other cards' lean puts it; None for no card."""
    gain = gain_of(strength) - 0.5 * ((places - expected) / LEAN_SPREAD) ** 2
    best = int(np.argmax(gain))
    return best if gain[best] > 0 else None


def _forward(gain: NDArray[np.float32], first: NDArray[np.int64]) -> NDArray[np.float32]:
    """Give the best total of any path that ends at each choice, (slots, window, commons).

    `first` is the place where each slot's window begins.
    """
    _, wide, commons = gain.shape
    totals = np.empty_like(gain)
    apart = round(CLOSEST / GRID)
    # the best of all slots before that ends at each place or nearer, CLOSEST farther on
    best = np.zeros((int(first.max()) + wide + apart, commons), gain.dtype)
    for slot, start in enumerate(first.tolist()):
        totals[slot] = gain[slot] + best[start : start + wide]
        own, after = best[start + apart : start + apart + wide], best[start + apart + wide :]
        np.maximum(own, np.maximum.accumulate(totals[slot], axis=0), out=own)
        np.maximum(after, own[-1], out=after)
    return totals


def _path(totals: NDArray[np.float32], window: NDArray[np.int64]) -> list[int | None]:
    """Follow the best path back from its end; `totals` and the places that they are of are (slots, window)."""
    apart = round(CLOSEST / GRID)
    slots, wide = totals.shape
    path: list[int | None] = [None] * slots
    end = int(window[-1, -1]) + 1
    while slots > 0:
        allowed = np.where(window[:slots] < end, totals[:slots], np.float32(IMPOSSIBLE))
        slots, column = divmod(int(allowed.argmax()), wide)
        if allowed[slots, column] <= 0:
            break
        path[slots] = int(window[slots, column])
        end = int(window[slots, column]) - apart + 1
    return path


def _faint(
    path: list[int | None], strength: NDArray[np.float64], places: NDArray[np.float64], usual: NDArray[np.float64]
) -> tuple[float, ...]:
    """Give for each slot the strongest edge where a usual card's would be, clear of the edges that are explained."""
    explained = places[[choice for choice in path if choice is not None]]
    clear = (np.abs(places - explained[:, None]) >= CLOSEST).all(axis=0)
    strength = np.where(clear, strength, 0.0)
    first = np.searchsorted(places, usual - 2 * LEAN_SPREAD, "left").tolist()
    last = np.searchsorted(places, usual + 2 * LEAN_SPREAD, "right").tolist()
    return tuple(float(strength[low:high].max(initial=0.0)) for low, high in zip(first, last, strict=True))


def _belongs(
    path: list[int | None], value: float, through: NDArray[np.float32], first: NDArray[np.int64]
) -> tuple[float, ...]:
    """Weigh the best path against the best that gives a slot's edge to another slot, or an edge to an empty slot.

    `through` is the value of the best path through each choice, (slots, window); the windows begin at places `first`.
    """
    choices = [choice for choice in path if choice is not None]
    same = int(SAME_EDGE / GRID)
    near = np.array(choices, np.int64)[:, None] + np.arange(-same, same + 1) - first[:, None, None]
    inside = (near >= 0) & (near < through.shape[1])
    values = through[np.arange(len(path))[:, None, None], np.where(inside, near, 0)]
    at_edge = np.where(inside, values, np.float32(IMPOSSIBLE)).max(axis=2)
    by_choice = dict(zip(choices, at_edge.T.tolist(), strict=True))
    sure = []
    for slot, choice in enumerate(path):
        if choice is None:
            rivals = [values[slot] for values in by_choice.values()]
        else:
            rivals = [by_choice[choice][other] for other in _others(slot, len(path))]
        doubt = (max(rivals, default=-math.inf) - value) / RIVALRY
        sure.append(1 / (1 + math.exp(min(max(doubt, -50.0), 50.0))))
    return tuple(sure)


def _others(slot: int, slots: int) -> list[int]:
    return [other for other in (slot - 1, slot + 1) if 0 <= other < slots]
