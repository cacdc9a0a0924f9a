"""Puts a picture's witnesses together: one distribution a place, each card once, and honest doubt."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from operator import itemgetter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.table import Places
from vision.look import Reading
from vision.reading.place import CARDS, Law, Witness, law_of, likelihoods

SURE: Final = 0.96
"""A card, an empty slot or a back is reported when it is at least so probable; below, it is "not sure".

A wrong card costs more than a wrong word on a place without one. On 4960 drawn racks, 13 of 49,600 slots are then
silently wrong; with 0.97 for a card it were 10, and 141 cards less right.
"""
TWO: Final = 0.9
"""A slot is said to hold two cards when that is at least so probable; neither is told for sure then. So it is in 156 of
719 slots with two cards (in most of them the rear one hardly peeps out) and in 44 of 32,053 with one."""
EITHER: Final = 0.95
"""A number that is read where two cards stand in a slot is trusted so far: of 150 it was that of the rear one in 4."""
SUNK: Final = 0.9
"""A number that stands low on its card is trusted so far, where none is read in the slot before: it may be that one's,
whose card leans back until its edge is hidden by this one's, or lost in it (vision.rack.slots)."""
FACELESS: Final = 0.9
"""So far a card is believed to be turned round where none of its rack is told: what faces look like is not known then.
On 2000 drawn pictures of several racks each, in all kinds of typefaces, ten cards were taken for backs there, and 21
backs told; where cards were told, eight were, beside some 800."""
LEANS = 0.7
"""So likely two cards in a slot may be the one before it, which leans back, and its own, if the slot before seems to be
empty: of nine such on 3600 drawn pictures one was, and the wrong number was read; of 28 with less none."""
SHOWN = 0.01
"""Cards less probable than this are left out of a reading; their share becomes "cannot tell"."""
SOFTEN = 0.75
"""The reader's logarithms are scaled by this: it is surer of its crops than it should be of others' pictures."""
FOREIGN = 0.05
"""How likely a card is that this deck should not have, beside one that it should. So only what is clearly read is told:
on 5360 drawn pictures, read as if decks ended at 40, none of 33,000 cards up to 40 was told as one above, and 92 % of
the others were. Whether such a card has come in is the referee's to say."""
STRANGE = 0.0005
"""Share of a reading's probability that always stays with "something else": no reader has seen everything."""
CERTAINTY = (1.45, -0.8)
"""What comes out for a number at odds of x is right at odds of exp(b) * x ** a: fitted on 260 drawn racks (a, b)."""
BEHIND = 0.999
"""No number gets nearer than this, as a share, to the one that is likelier by the reader and the place."""
TOLD = 0.9
"""A slot is told where its card, or that there is none or its back, is so probable."""
COMPANY, HIDDEN = 0.2, 2
"""By how much the odds for a number change for each other slot of its rack that is not told, but for the first two. On
5,460 drawn racks, of what was said at 96 % without it, 9 of 42,100 were wrong where all others were told, 2 of 5,750
where one or two were not, 2 of 270 where three, and 2 of 180 where more."""
CLEAR = 0.85
"""A number read so surely may be a witness for its deck's law of places."""
SUREST = 0.999
"""No place is surer than this that a card is its own, where another one reads the same card."""
TWICE: Final = 0.998
"""Places that are so sure of one card by themselves all show it, unlikely as that is: in 5360 drawn pictures no two
were, and two pairs were at 0.96. In 2000 harder ones a 15 was read as 16, at 0.9965, beside the 16 at 0.9988."""


@dataclass(frozen=True)
class Number:
    """One possible number at one place: the reader's (61,) probabilities and the numeral's left edge in mm.

    `trust` (0..1) is how far the place and the way it was cut can be trusted; `spread` how well, in mm, the place.
    `sunk`: it stands so low on its card that it may be on one before it. `turned`: it is the card's other one, upside
    down.
    """

    probabilities: NDArray[np.float64]
    left: float
    trust: float
    spread: float
    sunk: bool = False
    turned: bool = False

    def bears_out(self, other: "Number") -> bool:
        """Tell whether this is the card's other number, read as the same card."""
        card = int(self.probabilities.argmax())
        return self.turned != other.turned and card > 0 and card == other.probabilities.argmax()

    def trusted(self, share: float) -> "Number":
        """Give the number as it is where only such a share of its trust remains."""
        return replace(self, trust=share * self.trust)


@dataclass(frozen=True)
class Evidence:
    """All that was seen at one place (a slot or the discard pile): possible numbers, and the other states' weights.

    `trust` (0..1) is how far any number read there can be trusted by what the place looks like as a whole; those of
    `numbers` are already trusted no more.
    """

    numbers: tuple[Number, ...] = ()
    empty: float = 0.0
    back: float = 0.0
    two: float = 0.0
    trust: float = 1.0


def fuse(
    evidence: Sequence[Evidence],
    deck: Sequence[int],
    learnt: Places | None = None,
    groups: Sequence[int] = (),
    beyond: Collection[int] = (),
) -> tuple[Reading, ...]:
    """Turn the evidence of one picture's places into readings; `deck` is the cards that are in play.

    `learnt` is what is known of this deck's law of places. `groups` are how many places on end are one rack's, and
    `beyond` the places that are partly out of the picture: if nothing is read there, that tells nothing of others.
    """
    racks = _parted(groups)
    evidence = [*evidence]
    for rack in racks:
        evidence[rack] = _but_for_leaning(evidence[rack])
    within = np.zeros(CARDS + 1)
    within[[card for card in deck if 1 <= card <= CARDS]] = 1.0
    numbers = [number for item in evidence for number in item.numbers]
    # where each place's numbers begin among all of them
    begins = np.cumsum([0, *(len(item.numbers) for item in evidence)])
    soft = _soft(numbers, within)
    clear = [
        _clear(item.numbers[0], soft[begin]) if item.numbers else None
        for item, begin in zip(evidence, begins, strict=False)
    ]
    laws: list[Law] = []
    for place, item in enumerate(evidence):
        others = [witness for other, witness in enumerate(clear) if witness is not None and other != place]
        laws += [law_of(others, learnt)] * len(item.numbers)
    chances = _each_once(_chances(evidence, begins, _by_place(soft, numbers, laws)))
    unseen = [place in beyond and not _is_read(item) for place, item in enumerate(evidence)]
    for rack in racks:
        _in_company(chances[rack], evidence[rack], unseen[rack])
        evidence[rack] = _beside_faces(evidence[rack], chances[rack])
    return tuple(_reading(chance, item) for chance, item in zip(chances, evidence, strict=True))


def _parted(groups: Sequence[int]) -> list[slice]:
    """Give each group's places, of groups of so many on end."""
    ends = [*accumulate(groups)]
    return [slice(end - size, end) for size, end in zip(groups, ends, strict=True)]


WIDE: Final = 12.0
"""Numerals that begin within so many mm of each other may be parts of one number, or it and a part of it."""
SAME: Final = 2.5
"""Numerals of two looks that begin within so many mm are one."""
AGAIN = 0.2
"""How much a look counts that only repeats one before: the light, the print and the blur are the same. At 0.5, of 76
cards in drawn rounds of which the second look or the third made sure two were another."""


def together(said: Sequence[Evidence]) -> Evidence:
    """Add up what several looks at one unchanged place say; none say nothing."""
    if len(said) < 2:
        return said[0] if said else Evidence()
    numbers = []
    for number in said[-1].numbers:
        here = [other for one in said for other in one.numbers if other.turned == number.turned]
        same = [other for other in here if abs(other.left - number.left) <= SAME]
        weight = (1 + AGAIN * (len(same) - 1)) / len(same)
        logs = weight * np.sum([np.log(other.probabilities + 1e-9) for other in same], axis=0)
        chances = np.exp(logs - logs.max())
        trust = sum(other.trust for other in same) / len(same)
        left = sum(other.left for other in same) / len(same)
        numbers.append(replace(number, probabilities=chances / chances.sum(), left=left, trust=trust))
    numbers.sort(key=lambda number: float(number.probabilities[0]))
    states = (sum(getattr(one, name) for one in said) / len(said) for name in ("empty", "back", "two"))
    return Evidence(tuple(numbers), *states)


def _soft(numbers: Sequence[Number], within: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the reader's word with less confidence: (n, 61), column 0 for no number.

    A card that is not in the deck counts as none, but for one that is read very clearly.
    """
    soft = np.array([number.probabilities for number in numbers]).reshape(-1, CARDS + 1) ** SOFTEN
    soft /= soft.sum(axis=1, keepdims=True)
    foreign = 1 - within
    foreign[0] = 0.0
    soft *= within + np.outer(FOREIGN / (1 - (1 - FOREIGN) * (soft @ foreign)), foreign)
    soft[:, 0] = (1 - soft[:, 1:].sum(axis=1)).clip(0.0)
    return soft


def _clear(number: Number, soft: NDArray[np.float64]) -> Witness | None:
    card = int(soft[1:].argmax()) + 1
    return Witness(card, number.left) if soft[card] >= CLEAR and number.trust >= 0.5 else None


def _by_place(soft: NDArray[np.float64], numbers: Sequence[Number], laws: Sequence[Law]) -> NDArray[np.float64]:
    """Join what the reader says of numbers, (n, 61), with their places on their cards."""
    lefts, spreads = ([getattr(number, name) for number in numbers] for name in ("left", "spread"))
    place = likelihoods(laws, lefts, spreads)[:, 1:]
    joined = soft.copy()
    # relative to a place that says nothing: a number at an odd place is less believable altogether
    joined[:, 1:] *= np.minimum(place / place.mean(axis=1, keepdims=True), 20.0)
    joined[:, 0] += STRANGE
    return np.asarray(joined / joined.sum(axis=1, keepdims=True))


def _chances(
    evidence: Sequence[Evidence], begins: NDArray[np.int64], words: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Give (places, 61): each card's probability at a place; column 0 takes what is not a card that can be named.

    `words` (n, 61) are of all numbers, and each place's begin in the row `begins` (places + 1,).
    """
    total = np.zeros((len(evidence), CARDS + 1))
    total[:, 0] = 1.0
    for rank in range(max((len(item.numbers) for item in evidence), default=0)):
        these = [place for place, item in enumerate(evidence) if len(item.numbers) > rank]
        # each further number speaks only for what the ones before left open, or confirms them
        joined = _both(total[these], words[begins[these] + rank])
        for place, row in zip(these, joined, strict=True):
            number, *before = evidence[place].numbers[rank::-1]
            if any(abs(other.left - number.left) <= WIDE and not number.bears_out(other) for other in before):
                # two cuts of one print are no two witnesses: the second may gainsay the first, but not bear it out
                row[1:] = np.minimum(row[1:], total[place, 1:])
                row[0] = 1 - row[1:].sum()
        total[these] = joined
    _certain(total)
    # whatever the number is, it may be another place's
    for row, item, begin in zip(total, evidence, begins, strict=False):
        row[1:] *= _trust(item.numbers, words[begin : begin + len(item.numbers)], 1 + int(row[1:].argmax()))
    total[:, 0] = 1 - total[:, 1:].sum(axis=1)
    return total


def _trust(numbers: Sequence[Number], words: NDArray[np.float64], card: int) -> float:
    """Give how far a place's numbers may be trusted that are a card by their `words`, (n, 61).

    What is likelier no number at all, but in the place of one, speaks for none.
    """
    naming = [number.trust for number, word in zip(numbers, words, strict=True) if word.argmax() == card]
    if naming or not numbers:
        return max(naming, default=0.0)
    return numbers[int(words[:, card].argmax())].trust


def _certain(total: NDArray[np.float64]) -> None:
    """Bring each place's likeliest number to how often it is right; the steps before are too modest together.

    Where they were too bold, what it loses goes to the others, but none gets ahead of it; the rest is "cannot tell".
    """
    likeliest = total.argmax(axis=1)
    named = np.flatnonzero(likeliest)
    likeliest = likeliest[named]
    chance = total[named, likeliest]
    left = np.maximum(1 - chance, 1e-9)
    certain = 1 / (1 + np.exp(-(CERTAINTY[0] * np.log(chance / left) + CERTAINTY[1])))
    total[named] *= ((1 - certain) / left)[:, None]
    total[named, 1:] = np.minimum(total[named, 1:], (BEHIND * certain)[:, None])
    total[named, likeliest] = certain
    total[named, 0] = 1 - total[named, 1:].sum(axis=1)


def _but_for_leaning(evidence: Sequence[Evidence]) -> list[Evidence]:
    """Take no slot to be empty, of a rack's from front to back, whose card may be the second one in a slot beside.

    It may lean forward against the card before it, or back against the one behind; that one's number is then its own.
    Nor take a number that stands low on its card for surely its own where none is read before it, nor that slot to be
    empty: it may be that one's.
    """
    told = [*evidence]
    for slot in range(len(told) - 1):
        nearer, farther = told[slot : slot + 2]
        low = any(number.sunk and number.probabilities.argmax() for number in farther.numbers)
        if low and not _is_read(nearer) and nearer.back < TOLD:
            own = tuple(number.trusted(SUNK) if number.sunk else number for number in farther.numbers)
            nearer, farther = replace(nearer, empty=0.0), replace(farther, numbers=own)
            told[slot : slot + 2] = nearer, farther
        if nearer.two >= TWO and farther.empty:
            told[slot + 1] = replace(farther, empty=0.0)
        if farther.two >= LEANS and nearer.empty >= LEANS:
            own = tuple(number.trusted(EITHER) for number in farther.numbers)
            told[slot : slot + 2] = replace(nearer, empty=0.0), replace(farther, numbers=own)
    return told


def _is_read(item: Evidence) -> bool:
    """Tell whether one of a place's numbers is likelier a number than none."""
    return any(number.probabilities.argmax() for number in item.numbers)


def _beside_faces(evidence: Sequence[Evidence], chances: NDArray[np.float64]) -> Sequence[Evidence]:
    """Take no card of a rack to be surely turned round where no card's face is known, by all `chances`."""
    if (chances[:, 1:] >= SURE).any():
        return evidence
    return [replace(item, back=FACELESS * item.back) for item in evidence]


def _in_company(chances: NDArray[np.float64], evidence: Sequence[Evidence], unseen: Sequence[bool]) -> None:
    """Believe a rack's numbers less where others of its slots are not told, but for what is `unseen`.

    One or two may be hidden. What hinders more (blur, noise, edges that are not cards') may hinder this one's reading.
    """
    told = [
        out or max(float(row[1:].max()), item.empty, item.back) >= TOLD
        for row, item, out in zip(chances, evidence, unseen, strict=True)
    ]
    for place, likeliest in enumerate(chances.argmax(axis=1).tolist()):
        untold = (told[:place] + told[place + 1 :]).count(False)
        if likeliest and untold > HIDDEN:
            chance, doubt = float(chances[place, likeliest]), COMPANY ** (untold - HIDDEN)
            less = doubt * chance / (1 - chance + doubt * chance)
            chances[place, 0] += chance - less
            chances[place, likeliest] = less


def _both(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Join two independent views of the same numbers, (n, 61); column 0 of each is "says nothing"."""
    joined = one * other * CARDS / 2 + one[:, :1] * other + one * other[:, :1]
    joined[:, 0] = one[:, 0] * other[:, 0]
    return np.asarray(joined / joined.sum(axis=1, keepdims=True))


def _each_once(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Let places make way for each other: a card that surely stands elsewhere is not here.

    Of two places that read the same card the surer one has it; both become unsure where both are as sure, unless they
    are so sure that somebody must have put a second such card there.
    """
    known = np.minimum(chances[:, 1:], SUREST)
    free = 1 - known
    logs = np.log(free)
    nowhere_else = np.exp(np.maximum(logs.sum(axis=0) - logs, -12.0))
    following = chances.copy()
    # by Bayes' rule, two places having the same card being left out: exact for two
    following[:, 1:] *= nowhere_else / (known * nowhere_else + free)
    doubled = chances[:, 1:] >= TWICE
    doubled &= doubled.sum(axis=0) > 1
    following[:, 1:][doubled] = chances[:, 1:][doubled]
    # what a place loses to another goes to "cannot tell": a duplicate is a misreading of one of the two
    following[:, 0] += chances[:, 1:].sum(axis=1) - following[:, 1:].sum(axis=1)
    return following


def _reading(chance: NDArray[np.float64], item: Evidence) -> Reading:
    """Share the part that is no card out to empty and back by their evidence; the rest stays "cannot tell"."""
    shown = 1 + np.flatnonzero(chance[1:] >= SHOWN)
    cards = dict(zip(shown.tolist(), chance[shown].tolist(), strict=True))
    rest = max(1.0 - sum(cards.values()), 0.0)
    return Reading(cards, empty=rest * item.empty, back=rest * item.back, two=item.two)


def sure(reading: Reading) -> tuple[str, int | None] | None:
    """Name a reading's state as `best` does, None where it is not sure."""
    state, card, chance = best(reading)
    return (state, card) if chance >= SURE else None


def best(reading: Reading) -> tuple[str, int | None, float]:
    """Name a reading's likeliest state: ("card", its number, probability), "empty", "back" or ("unknown", None, 0)."""
    options: list[tuple[str, int | None, float]] = [("empty", None, reading.empty), ("back", None, reading.back)]
    if reading.cards:
        options.append(("card", *max(reading.cards.items(), key=itemgetter(1))))
    likeliest = max(options, key=itemgetter(2))
    return likeliest if likeliest[2] > 0 else ("unknown", None, 0.0)
