"""Which of a rack's fits the numbers bear out, where the rack may be taken for one a slot off.

A fit that leaves out an edge below which a number is read, or has one where there is none, is less likely for it: the
edge of a logo, of a shadow or of the mat then stands for a card's, and moves all cards behind it by a slot.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.evidence import clear_number, is_read
from vision.found import RackFound
from vision.rack.fit import SIDES, Rival, which_of
from vision.rack.stand import same_edge

DOUBTED: Final = 0.99
"""Numbers are asked where a fit is less sure than this of a slot."""

A_CARDS, NONES = 3.8, -2.2
"""What a number that is read clearly below an edge adds to the logarithm of how likely it is a card's, and what none
does: of drawn cards 93 % are read clearly and 10 %, backs among them, not at all; of other edges 2 and 95 %."""

A_PLAIN_CARDS: Final = 6.0
"""What a number adds instead that is read so surely (PLAINLY) below an edge with the sides of a card (PLAIN_SIDES), in
drawn racks' every fit: 1084 edges of cards had such a number, and none of 900 others."""

PLAINLY, PLAIN_SIDES = 0.999, 4.0
"""How surely such a number is read, and how strongly both sides are seen (Strip.sides). Of 1,300 other edges with
weaker sides one had such a number: a rack's logo, its "K-O" read as 40."""

FRONT: Final = 4.0
"""A number before the rack's front counts only on what so surely has the sides of a card (Strip.sides): of 800 drawn
racks in their places two showed one there, the bottom number of a card behind an empty slot, with 3.3 and 1.6. Of 600
more one did, that of the card in front, with 7.2: it is known by how it reads turned. Behind the last card nothing
shows a number."""

FOLLOWED: Final = 3
"""So many cards tell by where they stood before how a rack stands."""

Answers = Mapping[int, NDArray[np.float64]]
"""The reader's answers by slot (0..9), (possible numbers, 61) each."""


@dataclass(frozen=True)
class Account:
    """A rack as one of its fits has it, and what the reader says of that."""

    rack: RackFound
    answers: Answers


def likeliest(first: Account, others: Sequence[Account]) -> Account:
    """Choose between a rack and what its rivals make of it, in their order, and say anew how sure that is."""
    every = [first, *others]
    likely = [0.0]
    for rival, other in zip(first.rack.view.rivals, others, strict=True):
        likely.append(rival.likely + _weight(other, first) - _weight(first, other))
    best = int(np.argmax(likely))
    chosen = every[best]
    view = chosen.rack.view
    against = tuple(
        Rival(one.rack.view.fit, value - likely[best])
        for one, value in zip(every, likely, strict=True)
        if one is not chosen
    )
    view = replace(view, which=which_of(view.fit, against), rivals=against)
    return replace(chosen, rack=replace(chosen.rack, view=view))


def numbers_read(answers: Iterable[NDArray[np.float64]]) -> int:
    """Count how many numbers are read clearly, each once, by the answers of some slots, (possible numbers, 61) each."""
    return len({clear_number(rows) for rows in answers} - {None})


def slots_off(before: Sequence[int | None], now: Sequence[int | None]) -> int | None:
    """Tell by how many slots, -1, 0 or 1 towards the back, a rack's cards are read off where they stood before.

    None where too few of them tell. Numbers are given slot by slot; None and 0 are no numbers. Nobody moves all cards
    of a rack on by a slot.
    """
    pairs = {
        -1: zip(before[1:], now, strict=False),
        0: zip(before, now, strict=True),
        1: zip(before, now[1:], strict=False),
    }
    alike = {off: sum(bool(card) and card == other for card, other in some) for off, some in pairs.items()}
    best = max(alike, key=alike.__getitem__)
    return best if alike[best] >= max(FOLLOWED, 2 * max(count for off, count in alike.items() if off != best)) else None


def is_displaced(other: Account, last: int, before: Account, turned: NDArray[np.float64]) -> bool:
    """Tell whether a rack was pushed off its place by a slot's width: as the `other` account has it, or as `before`.

    Then a card of which nothing was known stands in its `last` slot (0..9), and as many numbers are read as before.
    What is the number of a known card if it is `turned`, by the reader's answers (possible numbers, 61), is the one
    at the bottom of the frontmost card.
    """
    strip, number = other.rack.view.strips[last], clear_number(other.answers[last])
    known = {clear_number(rows) for rows in before.answers.values()} - {None}
    if strip is None or strip.sides < (SIDES if last else FRONT) or number in {None, *known}:
        return False
    if clear_number(turned) in known:
        return False
    return numbers_read(other.answers.values()) >= numbers_read(before.answers.values())


def _weight(one: Account, other: Account) -> float:
    """Weigh the edges that one account of a rack has and another has not, in whatever slots, by their numbers."""
    lines, known = one.rack.view.lines, [line for line in other.rack.view.lines if line is not None]
    elsewhere = {clear_number(rows) for rows in other.answers.values()}
    total = 0.0
    for slot, line in enumerate(lines):
        if line is None or any(same_edge(line, seen) for seen in known):
            continue
        number = clear_number(one.answers[slot])
        if number is not None and number not in elsewhere:
            total += A_PLAIN_CARDS if _is_plain(one, slot) else A_CARDS
        elif number is not None or not is_read(one.answers[slot]):
            total += NONES
    return total


def _is_plain(one: Account, slot: int) -> bool:
    """Tell whether the number that is read in a slot can hardly be anything but a card's."""
    strip = one.rack.view.strips[slot]
    return strip is not None and strip.sides >= PLAIN_SIDES and one.answers[slot][:, 1:].max() >= PLAINLY
