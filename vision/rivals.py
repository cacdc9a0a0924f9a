"""Which of a rack's fits the numbers bear out, where the rack may be taken for one a slot off.

A fit that leaves out an edge below which a number is read, or has one where there is none, is less likely for it: the
edge of a logo, of a shadow or of the mat then stands for a card's, and moves all cards behind it by a slot.
"""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import itemgetter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.table import SLOTS
from vision.evidence import clear_number, is_read, numbers_in
from vision.found import RackFound
from vision.frame import Frame
from vision.rack.edges import EdgeLine
from vision.rack.fit import Rival, which_of
from vision.rack.printed import FEWEST, size_fits
from vision.rack.stand import same_edge

AT_AN_END: Final = 0.99
"""So surely a number is read in a rack's first and last slot if it is to tell that none is beyond them. (An O of a logo
was read as 60 with 0.965.)"""

DOUBTED: Final = 0.99
"""Numbers are asked where a fit is less sure than this of a slot."""

A_CARDS: Final = 3.8
"""What a number that is read clearly below an edge adds to the logarithm of how likely it is a card's: of drawn cards
93 % are read clearly, of other edges 2 %."""

NO_NUMBER, OTHERS = (1.0, 10.0), 0.95
"""Of so many cards about so many show no number that is read, cards turned round among them; of other edges, so large a
share. What the rack itself shows is added to the cards': one may be full of cards turned round."""

A_PLAIN_CARDS: Final = 6.0
"""What a number adds instead that is read so surely (PLAINLY) below an edge with the sides of a card (PLAIN_SIDES), in
drawn racks' every fit: 1084 edges of cards had such a number, and none of 900 others."""

PLAINLY, PLAIN_SIDES = 0.999, 4.0
"""How surely such a number is read, and how strongly both sides are seen (Strip.sides). Of 1,300 other edges with
weaker sides one had such a number: a rack's logo, its "K-O" read as 40."""

MANY: Final = 8
"""With so many numbers a rack is nearly full. Of 3500 drawn racks, 300 of them on mats of 88 to 97 %, 14 were read so,
and with fewer numbers, in other slots, if their mats were of another size: all 14 were as they were read. Of six that
were not so full two were not."""

SOME_NUMBER: Final = 0.99
"""So surely must a number that is not read clearly be one that no other slot shows, to be the tenth of a full rack."""

SURELY, IN_PLACE = 4.0, 0.95
"""A rack stands by another pose where that is likelier by so much (a natural logarithm), by its cards' edges and by the
numbers that may be trusted so far to stand where cards have them. By it seven of 1200 drawn racks, half of them on
curled mats, are told of which nothing was told (66 of their 70 slots), and of no other anything else."""

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


def explains_more(whole: Answers, by_slot: Answers) -> bool:
    """Whether a rack found as a whole shows more numbers than one found slot by slot, or the same in other slots.

    Slot by slot the first of two takes an edge that may be either's; the whole is weighed.
    """
    read, others = _slots_by_number(whole), _slots_by_number(by_slot)
    return len(read) > len(others) or (read.keys() == others.keys() and read != others)


def as_full(accounts: Iterable[Account]) -> Account | None:
    """Give the first account that reads ten different numbers, one in each slot, as one that is sure which is which.

    So is each edge its own slot's then. A rack holds no more, unless one more card seems to stand behind them. (Of 2800
    drawn racks that were read so, 270 of them pushed by 12 mm or on mats of 88 to 97 %, none stood otherwise; 25 were
    doubted. Of 300 with gaps none was.)
    """
    for account in accounts:
        view = account.rack.view
        if not view.fit.one_more and _shows_ten(account.answers.values()) and _from_end_to_end(account):
            return Account(replace(account.rack, view=view.surely()), account.answers)
    return None


def surely_otherwise(frame: Frame, best: Account, others: Iterable[tuple[Account, float]]) -> Account | None:
    """Give the likeliest of some accounts of a rack by other poses, if that is surely likelier than the `best` by one.

    Each comes with how much else speaks against it, as a logarithm. By fewer than FEWEST numbers nothing is concluded:
    a rack that was being filled was told a slot off by two, and all round long.
    """
    telling = [one for one in others if numbers_read(one[0].answers.values()) >= FEWEST]
    weighed = [(_likely(frame, other) - against, other) for other, against in telling]
    if not weighed:
        return None
    most, likeliest = max(weighed, key=itemgetter(0))
    return likeliest if most >= _likely(frame, best) + SURELY else None


def _likely(frame: Frame, account: Account) -> float:
    """Say how likely a rack's pose is by its cards' edges and the numbers below them; a logarithm, about."""
    rack = account.rack
    in_place = [
        rows
        for slot, rows in account.answers.items()
        if (numbers := numbers_in(rack, slot, rows)) and numbers[0].trust >= IN_PLACE * rack.view.which[slot]
    ]
    return size_fits(frame, rack.view) + A_CARDS * numbers_read(in_place)


def _shows_ten(answers: Collection[NDArray[np.float64]]) -> bool:
    """Tell whether ten slots' answers are ten numbers; one may be open between some that no other slot shows."""
    read = {number for rows in answers if (number := clear_number(rows)) is not None}
    blurred = [rows for rows in answers if clear_number(rows) is None]
    if len(read) + len(blurred) < SLOTS or len(blurred) > 1:
        return False
    return all(_is_of_others(rows, read) for rows in blurred)


def _from_end_to_end(account: Account) -> bool:
    """Whether it is sure which slot is which, or if not, that cards' numbers are read in the first and the last slot.

    Of a rack that seems to stand a slot off nine numbers are its own, and a tenth may be read in a logo at its end.
    """
    ends = (account.answers[0], account.answers[SLOTS - 1])
    return min(account.rack.view.which) >= DOUBTED or all(rows[:, 1:].max() >= AT_AN_END for rows in ends)


def _is_of_others(rows: NDArray[np.float64], read: Collection[int]) -> bool:
    """Tell whether the clearest of a slot's answers surely is a number, and none of those that are read already."""
    if not len(rows):
        return False
    clearest = rows[rows[:, 0].argmin()]
    return float(np.delete(clearest, [0, *read]).sum()) >= SOME_NUMBER


def moved_by_size(one: Account, other: Account, leeway: float) -> range:
    """Give the slots (0..9) that may be others if the mat is of another size, by what is read in one case or the other.

    The rack stands at its front: what is read alike there stands as it is told, and what is behind that may not, up to
    what is read alike again behind all that is not. (Of 21 such racks, drawn hard, none was a slot off there.) A number
    between such ones, in a slot where none is read otherwise, is no news of where cards stand.
    Without any number nothing is said: a rack without cards looks like one with cards that stand closer.
    """
    own, its = _slots_by_number(one.answers), _slots_by_number(other.answers)
    alike = [slot for number, slot in own.items() if its.get(number) == slot]
    last, taken = max(alike, default=-1), set(own.values())
    unlike = [
        {own.get(number, slot), slot}
        for number, slot in its.items()
        if own.get(number) != slot and (number in own or slot in taken or slot > last)
    ]
    if not own or not unlike or not _may_be_other(one, other, leeway):
        return range(0)
    first, behind = min(map(min, unlike)), max(map(max, unlike))
    before = max((slot for slot in alike if slot < first), default=-1)
    return range(before + 1, min((slot for slot in alike if slot > behind), default=SLOTS))


def _may_be_other(one: Account, other: Account, leeway: float) -> bool:
    """Tell whether a rack may stand as another account, by another size of its mat, has it.

    It may where there is no room for a number that the other shows between such that both do: of 4400 drawn racks two
    were so, both told wrongly in part. Else it may not where the other has no room for cards that are read plainly (of
    107 racks in doubt, drawn hard, that frees 17, 16 of them told rightly); nor where it leaves cards of a nearly full
    rack without their numbers, and its `leeway` is less than these count (RackFound.or_printed); numbers that it has
    more make good what it lacks.
    """
    own, its = _slots_by_number(one.answers), _slots_by_number(other.answers)
    shared = [slot for number, slot in its.items() if number in own]
    if _has_no_room(own, its, [slot for slot in its.values() if shared and min(shared) < slot < max(shared)]):
        return True
    more = sum(_adds(one, slot) for number, slot in own.items() if number not in its)
    more -= sum(_adds(other, slot) for number, slot in its.items() if number not in own)
    plain = [slot for slot in own.values() if _adds(one, slot) == A_PLAIN_CARDS]
    return leeway > (more if len(own) >= MANY else min(more, 0.0)) and not _has_no_room(its, own, plain)


def _has_no_room(held: Mapping[int, int], other: Mapping[int, int], cards: Collection[int]) -> bool:
    """Tell whether a rack, as it is held to be, has too few slots for `cards` of another account: it has ten in all.

    Slots (0..9) by number are given for both, and those of the cards by the other. They are counted between numbers
    that both read, and beyond these.
    """
    both = sorted((slot, held[number]) for number, slot in other.items() if number in held)
    ends = [(-1, -1), *both, (SLOTS, SLOTS)]
    in_order = all(before[1] < behind[1] for before, behind in pairwise(ends))
    return in_order and any(
        sum(begin < slot < end for slot in cards) >= held_end - held_begin
        for (begin, held_begin), (end, held_end) in pairwise(ends)
    )


def _slots_by_number(answers: Answers) -> dict[int, int]:
    """Give the slots (0..9) of those numbers that are read clearly."""
    return {number: slot for slot, rows in answers.items() if (number := clear_number(rows)) is not None}


def _weight(one: Account, other: Account) -> float:
    """Weigh the edges that one account of a rack has and another has not, in whatever slots, by their numbers.

    The other has those, too, that turned out there to be no cards': it was found by them as well.
    """
    lines, ghosts = one.rack.view.lines, other.rack.view.ghosts
    known = [line for line in other.rack.view.lines if line is not None]
    elsewhere = set(_elsewhere(one, other))
    none, total = _without_number(one, known), 0.0
    for slot, line in enumerate(lines):
        if line is None or any(same_edge(line, seen) for seen in (*known, *ghosts)):
            continue
        number = clear_number(one.answers[slot])
        if number is not None and number not in elsewhere:
            total += _adds(one, slot)
        elif number is not None or not is_read(one.answers[slot]):
            total += none
    return total


def _elsewhere(one: Account, other: Account) -> Iterator[int | None]:
    """Give the numbers that another account reads, but those in whose place the one reads a number of its own."""
    own = [(line, clear_number(one.answers[slot])) for slot, line in enumerate(one.rack.view.lines) if line is not None]
    for slot, line in enumerate(other.rack.view.lines):
        number = clear_number(other.answers[slot])
        if not any(its not in {None, number} and same_edge(line, seen) for seen, its in own):
            yield number


def _without_number(one: Account, known: Sequence[EdgeLine]) -> float:
    """Say what it adds that no number is read below an edge, by those edges of an account that another has, too."""
    both = [
        is_read(one.answers[slot])
        for slot, line in enumerate(one.rack.view.lines)
        if line is not None and any(same_edge(line, seen) for seen in known)
    ]
    return math.log((NO_NUMBER[0] + both.count(False)) / (NO_NUMBER[1] + len(both)) / OTHERS)


def _adds(one: Account, slot: int) -> float:
    """Say what the number that is read in a slot adds to the logarithm of how likely it is a card's."""
    strip = one.rack.view.strips[slot]
    plain = strip is not None and strip.sides >= PLAIN_SIDES and one.answers[slot][:, 1:].max() >= PLAINLY
    return A_PLAIN_CARDS if plain else A_CARDS
