"""Learns a deck's look from numbers whose cards are known: a mean look each, the ink, and the law of places.

What is learnt is added to what was known. A look that does not fit the one that was learnt counts against it, and
takes its place once it has outweighed it, so that a wrong sample is forgotten evening by evening.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.deckfile import CARDS, COLUMNS, LEAST_TRUST, NARROWEST, ROWS, TRUSTED, Deck, Kind, Places, Printed

MIDDLE: Final = (1 + CARDS) / 2
ALIKE: Final = 0.6
"""Two looks of one number correlate by at least so much; two numbers of one typeface hardly ever do."""
REACH: Final = (3, 4)
"""A number is tried so many pixels up and down, left and right of where it should be."""
CORE: Final = (slice(5, 27), slice(6, 42))
"""Rows and columns of a look that are compared: the number, and little about it."""
FEWEST, SPAN = 8, 15
"""A law of places is believed from so many numbers on that lie so far apart in value."""
LOOSE: Final = 2.5
"""Places whose standard deviation in mm about a line is more than this keep to no line."""
FLAT: Final = 0.12
"""A line that rises by less mm a number means one place for all; TABLE.md gives about 1.14."""
OFF: Final = 4.0
"""A numeral so many mm off its law was found wrongly, or is another number's: each number has 1.14 mm."""
ASKEW, ENOUGH = 6.0, 4
"""A whole picture may be off by so many mm, where so many of its cards say so: cards' edges are found alike wrongly."""
USUAL_SPREAD, USUAL_WANDER = 1.0, 1.0
"""Standard deviations in mm before anything was seen, as in vision/reading/place.py; they count as the next says."""
PRIOR_CARDS, PRIOR_PICTURES = 10, 2


@dataclass(frozen=True, eq=False)
class Sample:
    """A number whose card is known.

    `look` is (32, 48) uint8, print dark on white (vision/reading/deck.py); `left` where its numeral begins and `height`
    how high it is, in mm (None where it is partly hidden); `contrast` is in grey levels, negative for dark print.
    `picture` tells samples of one picture from those of another.
    """

    card: int
    look: NDArray[np.uint8]
    left: float
    height: float | None
    contrast: float
    picture: int


def learn(deck: Deck, samples: Sequence[Sample]) -> tuple[Deck, tuple[Sample, ...]]:
    """Add samples to what was known of a deck; also give those that were left out, being far off the law of places."""
    usable = [sample for sample in samples if 1 <= sample.card <= CARDS]
    if not usable:
        return deck, ()
    places = _places(deck, usable)
    left_out = _off_the_law(places, usable)
    kept = [sample for sample in usable if sample not in left_out]
    numbers = list(deck.numbers)
    for sample in kept:
        numbers[sample.card - 1] = _with(numbers[sample.card - 1], sample)
    heights = [sample.height for sample in kept if sample.height is not None]
    before = sum(number.seen for number in deck.numbers if number is not None)
    learnt = Deck(
        tuple(numbers),
        places,
        _mixed(deck.height, before, heights),
        _mixed(deck.contrast, before, [sample.contrast for sample in kept]),
        deck.trust,
    )
    return learnt, left_out


def learn_trust(deck: Deck, known: int, answers: NDArray[np.float64], cards: Sequence[int]) -> Deck:
    """Learn how far the reader can be believed with this deck from its answers (n, 61) and the true cards.

    It is the power of its probabilities that makes the truth likeliest, never more than 1. `known` is how many numbers
    the deck's trust so far was learnt from.
    """
    if not cards:
        return deck
    logs = np.log(np.maximum(answers, 1e-9))
    powers = np.linspace(LEAST_TRUST, 1.0, 19)
    gains = []
    for power in powers:
        tempered = power * (logs - logs.max(axis=1, keepdims=True))
        tempered -= np.log(np.exp(tempered).sum(axis=1, keepdims=True))
        gains.append(float(tempered[np.arange(len(cards)), list(cards)].sum()))
    best = float(powers[int(np.argmax(gains))])
    return replace(deck, trust=(deck.trust * known + best * len(cards)) / (known + len(cards)))


def likeness(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> float:
    """Give how alike two looks (32, 48) are: their correlation, -1..1, the best over small shifts."""
    return _aligned(one, other)[0]


def _with(known: Printed | None, sample: Sample) -> Printed:
    """Give what is known of a number after one more sample of it."""
    if known is None:
        return Printed(sample.look.tobytes(), 1, sample.left)
    mean = np.frombuffer(known.look, np.uint8).reshape(ROWS, COLUMNS)
    alike, moved = _aligned(sample.look, mean)
    if alike < ALIKE:
        return replace(known, seen=known.seen - 1) if known.seen > 1 else _with(None, sample)
    share = 1 / (known.seen + 1)
    look = np.round((1 - share) * mean + share * moved).astype(np.uint8)
    left = (1 - share) * known.left + share * sample.left
    return Printed(look.tobytes(), min(known.seen + 1, TRUSTED), left)


def _aligned(look: NDArray[np.uint8], mean: NDArray[np.uint8]) -> tuple[float, NDArray[np.uint8]]:
    """Move a look to where it fits a mean one best; also give their correlation there."""
    goal = _even(mean)
    moves = [(y, x) for y in range(-REACH[0], REACH[0] + 1) for x in range(-REACH[1], REACH[1] + 1)]
    padded = np.pad(look, REACH[1], constant_values=255)
    found = []
    for y, x in moves:
        top, left = REACH[1] - y, REACH[1] - x
        moved = padded[top : top + ROWS, left : left + COLUMNS]
        found.append((float(_even(moved) @ goal), moved))
    return max(found, key=lambda item: item[0])


def _even(look: NDArray[np.uint8]) -> NDArray[np.float64]:
    values = look[CORE].astype(np.float64).ravel()
    values -= values.mean()
    return np.asarray(values / max(float(np.linalg.norm(values)), 1e-3))


def _places(deck: Deck, samples: Sequence[Sample]) -> Places | None:
    """Fit the law of places to what was known of each number and to the new samples, outliers left out."""
    known = [(card, number.left) for card, number in enumerate(deck.numbers, 1) if number is not None]
    cards = np.array([card for card, _ in known] + [sample.card for sample in samples], dtype=np.float64)
    lefts = np.array([left for _, left in known] + [sample.left for sample in samples])
    if len(set(cards)) < FEWEST or np.ptp(cards) < SPAN:
        return deck.places
    middle, slope = _line(cards, lefts)
    off = lefts - middle - slope * (cards - MIDDLE)
    kind: Kind = "line" if abs(slope) >= FLAT else "one place"
    near = np.abs(off) <= OFF
    if near.mean() < 0.6 or float(np.std(off[near])) > LOOSE:
        return Places("none", middle, slope, max(float(np.std(off)), NARROWEST), USUAL_WANDER)
    slope, middle = np.polyfit(cards[near] - MIDDLE, lefts[near], 1) if kind == "line" else (0.0, np.median(lefts))
    law = Places(kind, float(middle), float(slope), USUAL_SPREAD, USUAL_WANDER)
    before = deck.places if deck.places is not None and deck.places.kind == kind else None
    left_out = _off_the_law(law, samples)
    return _spreads(law, before, [sample for sample in samples if sample not in left_out], len(known))


def _line(cards: NDArray[np.float64], lefts: NDArray[np.float64]) -> tuple[float, float]:
    """Give the line's place at MIDDLE and its slope by medians over pairs (Theil and Sen): outliers count little."""
    one, other = np.triu_indices(len(cards), 1)
    apart = np.abs(cards[one] - cards[other]) >= 5
    one, other = one[apart], other[apart]
    slope = float(np.median((lefts[one] - lefts[other]) / (cards[one] - cards[other])))
    return float(np.median(lefts - slope * (cards - MIDDLE))), slope


def _spreads(law: Places, before: Places | None, samples: Sequence[Sample], known: int) -> Places:
    """Measure how far cards are off their picture's line, and pictures' lines off the deck's."""
    pictures: dict[int, list[float]] = {}
    for sample in samples:
        pictures.setdefault(sample.picture, []).append(_off(law, sample))
    lines = {picture: float(np.median(offs)) for picture, offs in pictures.items()}
    within = sum((off - lines[picture]) ** 2 for picture, offs in pictures.items() for off in offs)
    between = sum(line**2 for line in lines.values())
    cards, count = PRIOR_CARDS + (known if before else 0), PRIOR_PICTURES + (known / 10 if before else 0)
    spread, wander = (before.spread, before.wander) if before else (USUAL_SPREAD, USUAL_WANDER)
    return replace(
        law,
        spread=max(float(np.sqrt((spread**2 * cards + within) / (cards + len(samples)))), NARROWEST),
        wander=max(float(np.sqrt((wander**2 * count + between) / (count + len(lines)))), NARROWEST),
    )


def _off(law: Places, sample: Sample) -> float:
    return sample.left - law.middle - law.slope * (sample.card - MIDDLE)


def _off_the_law(law: Places | None, samples: Sequence[Sample]) -> tuple[Sample, ...]:
    """Give the samples that are far off the law, about their own picture's line where enough of it was seen."""
    if law is None or law.kind == "none":
        return ()
    lines = {}
    for picture in {sample.picture for sample in samples}:
        offs = [_off(law, sample) for sample in samples if sample.picture == picture]
        lines[picture] = float(np.clip(np.median(offs), -ASKEW, ASKEW)) if len(offs) >= ENOUGH else 0.0
    return tuple(sample for sample in samples if abs(_off(law, sample) - lines[sample.picture]) > OFF)


def _mixed(before: float | None, weight: int, values: Sequence[float]) -> float | None:
    """Mix what was known, which counts as so many values, with the median of new values."""
    if not values:
        return before
    middle = float(np.median(values))
    return middle if before is None else (before * weight + middle * len(values)) / (weight + len(values))
