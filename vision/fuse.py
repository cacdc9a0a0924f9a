"""Puts a picture's witnesses together: one distribution a place, each card once, and honest doubt."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.table import Places
from vision.look import Reading
from vision.place import CARDS, Law, Witness, law_of

SURE: Final = {"card": 0.96, "empty": 0.95, "back": 0.95}
"""A card, an empty slot or a back is reported when it is at least so probable; below, it is "not sure".

A wrong card costs more than a wrong word on a place without one.
"""
SHOWN = 0.01
"""Cards less probable than this are left out of a reading; their share becomes "cannot tell"."""
SOFTEN = 0.75
"""The reader's logarithms are scaled by this: it is surer of its crops than it should be of others' pictures."""
STRANGE = 0.0005
"""Share of a reading's probability that always stays with "something else": no reader has seen everything."""
CERTAINTY = (1.45, -0.8)
"""What comes out for a number at odds of x is right at odds of exp(b) * x ** a: fitted on 260 drawn racks (a, b)."""
CLEAR = 0.85
"""A number read so surely may be a witness for its deck's law of places."""
ROUNDS = 4


@dataclass(frozen=True)
class Number:
    """One possible number at one place: the reader's (61,) probabilities and the numeral's left edge in mm.

    `trust` (0..1) is how far the place and the way it was cut can be trusted; `spread` how well, in mm, the place.
    """

    probabilities: NDArray[np.float64]
    left: float
    trust: float
    spread: float


@dataclass(frozen=True)
class Evidence:
    """All that was seen at one place (a slot or the discard pile): possible numbers, and the other states' weights."""

    numbers: tuple[Number, ...] = ()
    empty: float = 0.0
    back: float = 0.0


def fuse(evidence: Sequence[Evidence], deck: Sequence[int], learnt: Places | None = None) -> tuple[Reading, ...]:
    """Turn the evidence of one picture's places into readings; `deck` is the cards that are in play.

    `learnt` is what is known of this deck's law of places.
    """
    within = np.zeros(CARDS + 1)
    within[[card for card in deck if 1 <= card <= CARDS]] = 1.0
    clear = [_clear(item, within) for item in evidence]
    chances = np.zeros((len(evidence), CARDS + 1))
    for place, item in enumerate(evidence):
        others = [witness for other, witness in enumerate(clear) if witness is not None and other != place]
        law = law_of(others, learnt)
        chances[place] = _chances(item, within, law)
    chances = _each_once(chances)
    return tuple(_reading(chance, item) for chance, item in zip(chances, evidence, strict=True))


WIDE: Final = 12.0
"""Numerals that begin within so many mm of each other may be parts of one number, or it and a part of it."""
SAME: Final = 2.5
"""Numerals of two looks that begin within so many mm are one."""
AGAIN = 0.5
"""How much a look counts that only repeats one before: the light, the print and the blur are the same."""


def together(said: Sequence[Evidence]) -> Evidence:
    """Add up what several looks at one unchanged place say; none say nothing."""
    if len(said) < 2:
        return said[0] if said else Evidence()
    numbers = []
    for number in said[-1].numbers:
        same = [other for one in said for other in one.numbers if abs(other.left - number.left) <= SAME]
        weight = (1 + AGAIN * (len(same) - 1)) / len(same)
        logs = weight * np.sum([np.log(other.probabilities + 1e-9) for other in same], axis=0)
        chances = np.exp(logs - logs.max())
        trust = sum(other.trust for other in same) / len(same)
        left = sum(other.left for other in same) / len(same)
        numbers.append(Number(chances / chances.sum(), left, trust, number.spread))
    numbers.sort(key=lambda number: float(number.probabilities[0]))
    empty, back = (sum(getattr(one, name) for one in said) / len(said) for name in ("empty", "back"))
    return Evidence(tuple(numbers), empty, back)


def _soft(number: Number, within: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the reader's word with less confidence: (61,), entry 0 for no number or a card that is not in the deck."""
    soft = np.asarray(number.probabilities**SOFTEN)
    soft /= soft.sum()
    soft *= within
    soft[0] = max(1 - soft[1:].sum(), 0.0)
    return soft


def _clear(item: Evidence, within: NDArray[np.float64]) -> Witness | None:
    if not item.numbers:
        return None
    number = item.numbers[0]
    soft = _soft(number, within)
    card = int(soft[1:].argmax()) + 1
    return Witness(card, number.left) if soft[card] >= CLEAR and number.trust >= 0.5 else None


def _chances(item: Evidence, within: NDArray[np.float64], law: Law) -> NDArray[np.float64]:
    """Give (61,): each card's probability at a place; entry 0 takes what is not a card that can be named."""
    total = np.zeros(CARDS + 1)
    total[0] = 1.0
    for rank, number in enumerate(item.numbers):
        soft = _soft(number, within)
        place = law.likelihood(number.left, number.spread)
        # relative to a place that says nothing: a number at an odd place is less believable altogether
        soft[1:] *= np.minimum(place[1:] / place[1:].mean(), 20.0)
        soft[0] += STRANGE
        soft /= soft.sum()
        # each further number speaks only for what the ones before left open, or confirms them
        joined = _both(total, soft)
        if any(abs(other.left - number.left) <= WIDE for other in item.numbers[:rank]):
            # two cuts of one print are no two witnesses: the second may gainsay the first, but not bear it out
            joined[1:] = np.minimum(joined[1:], total[1:])
            joined[0] = 1 - joined[1:].sum()
        total = joined
    likeliest = int(total.argmax())
    if likeliest:
        certain = _certainty(float(total[likeliest]))
        total *= (1 - certain) / max(1 - total[likeliest], 1e-9)
        total[likeliest] = certain
    # whatever the number is, it may be another place's
    total[1:] *= max((number.trust for number in item.numbers), default=0.0)
    total[0] = 1 - total[1:].sum()
    return total


def _certainty(chance: float) -> float:
    """How often a number that comes out so likely is right; the steps before are too modest together."""
    odds = np.log(chance / max(1 - chance, 1e-9))
    return float(1 / (1 + np.exp(-(CERTAINTY[0] * odds + CERTAINTY[1]))))


def _both(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Join two independent views of one number; entry 0 of each is "says nothing"."""
    joined = one * other * CARDS / 2 + one[0] * other + one * other[0]
    joined[0] = one[0] * other[0]
    return np.asarray(joined / joined.sum())


def _each_once(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Let places make way for each other: a card that surely stands elsewhere is not here.

    Two places that read the same card equally surely both become unsure.
    """
    current = chances.copy()
    for _ in range(ROUNDS):
        free = np.clip(1 - current, 0.02, 1.0)
        logs = np.log(free)
        others = np.exp(np.clip(logs.sum(axis=0) - logs, -12.0, 0.0))
        following = chances.copy()
        following[:, 1:] *= others[:, 1:]
        # what a place loses to another goes to "cannot tell": a duplicate is a misreading of one of the two
        following[:, 0] += chances[:, 1:].sum(axis=1) - following[:, 1:].sum(axis=1)
        current = 0.5 * current + 0.5 * following
    return current


def _reading(chance: NDArray[np.float64], item: Evidence) -> Reading:
    """Share the part that is no card out to empty and back by their evidence; the rest stays "cannot tell"."""
    cards = {card: float(chance[card]) for card in range(1, CARDS + 1) if chance[card] >= SHOWN}
    rest = max(1.0 - sum(cards.values()), 0.0)
    return Reading(cards, empty=rest * item.empty, back=rest * item.back)


def sure(reading: Reading) -> tuple[str, int | None] | None:
    """Name a reading's state as `best` does, None where it is not sure."""
    state, card, chance = best(reading)
    return (state, card) if chance >= SURE.get(state, 1.0) else None


def best(reading: Reading) -> tuple[str, int | None, float]:
    """Name a reading's likeliest state: ("card", its number, probability), "empty", "back" or ("unknown", None, 0)."""
    options: Mapping[tuple[str, int | None], float] = {
        ("empty", None): reading.empty,
        ("back", None): reading.back,
        **{("card", card): value for card, value in reading.cards.items()},
    }
    state, chance = max(options.items(), key=lambda item: item[1])
    return (state[0], state[1], chance) if chance > 0 else ("unknown", None, 0.0)
