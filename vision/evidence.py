"""What one picture says of a slot or of the discard pile: the reader's words, and how far they may be trusted."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.found import Found, RackFound, TrayFound
from vision.frame import Frame
from vision.fuse import EITHER, TWO, Evidence, Number
from vision.rack.fit import MAY_BE, RackView
from vision.rack.slots import is_sunk, trust_in
from vision.rack.states import Chances, glance_at, judge_slots
from vision.reading.numbers import PRIMES
from vision.tray.wells import BY_SIDES

LOOKS = 3
"""A card is read in so many pictures; more of the same card in the same light tell little new."""
UNKNOWN = Evidence()
"""What is said of a place that is hidden."""
PLACE_IN_RACK = 1.0
"""How well, in mm, a numeral's place on its card is known in a rack; in the tray its well says how well."""
TRUST_IN_TRAY = 0.9998
"""A tray's card may lie askew on a loose pile, and another card's number may peep out from under it: of 10,800 discards
that were read clearly, in drawn and recorded pictures of some 280 tables, one was read wrongly (see LOW), and none of
3100 others."""
TRUST_IF_UNCLEAR = 0.97
"""Likewise where the card's own outline is not seen well (glare, or a hand near it), or its numbers do not agree: none
of 94."""
LOW, TRUST_IF_PEEPING = 0.8, 0.9
"""A number of less than this share of the usual height may be another card's that peeps out from under the topmost:
of 69 discards that were read so in simulated sessions, seven were. Not so where the card's other number is read alike;
of 41 such in 26 others none was."""
ABOVE = 3.5
"""So may one that begins so many mm higher on the card than this deck's numbers do, where the card's place is known by
its sides alone: of four such among 2030 discards in some 100 simulated sessions one was."""
CLEARLY = 0.9
"""Of two numbers on one card that differ, the one that is read with this counts, if the other is not."""
READ_CLEARLY = 0.9
"""A number that is read so surely is that one, and if it was another one before, it has changed."""
NOTHING = 0.9
"""A crop that is "no number" with more than this need not be read again."""
READ = 0.5
"""A crop that is "no number" with less than this has a number in it."""
CLEAR = 0.01
"""With less than this it has one clearly: a slot in which it stands is neither empty nor a back."""
PLAIN = 0.7
"""A glance that is so sure of one card's face needs no closer look."""
UNREAD_FACE, UNREAD_BACK = 0.1, 0.97
"""Of the slots that are looked at closely, so many with a card's face, and with a back, show no number that is read:
85 of 858 and 365 of 383 on 760 drawn pictures."""
FACE_OR_BACK = 0.95
"""A card of a face's colour is no more surely a back than this, be it that of its rack's faces or green: Prime cards'
faces are green (2006), and where ink is not read nobody can tell. Of 11 faces that were surely taken for backs on 4060
drawn pictures 9 were Prime cards'."""
CONTRADICTED = 0.8
"""Where the look at a slot as a whole says that there is no number, more surely than this, none counts, ..."""
SIDES, THOUGH_EMPTY = 4.0, 0.95
"""...but one that is read clearly between sides that stand out so much is trusted so far: on 4160 drawn pictures 25
cards stood in slots that were said to be empty so, and one slot was empty."""
TURNED, THOUGH_TURNED = 0.95, 0.9
"""Where a back that is unlike its rack's faces is seen so surely, a number that is read is trusted so far: of four such
on 1800 drawn pictures three were another card's."""
ITS_OWN = 0.9
"""A slot without a card is no surer to have none than the edge of a card beside it is that card's own, where that is
less sure than this: of a rack that is told a slot off, one slot that has a card seems to have none. It leaves 3 of 379
empty slots of 220 drawn racks with gaps in doubt."""
LIKELY_ITSELF = 0.7
"""A rack may well be a slot off where one of its slots is no surer than this to be itself. Of 960 drawn racks with gaps
17 of 1454 empty slots are so in doubt, and one that had a card; with 0.9 it would be 25 and that one."""
FADED = 0.1
"""A card that one more look gives no such chance is there no longer. Of 20,000 cards looked at once more three that
were the same got less, and six that had been exchanged unnoticed."""


def judged(frame: Frame, view: RackView, slots: Sequence[int], read: Mapping[int, int]) -> dict[int, Chances]:
    """Look at some of a rack's slots (0..9) as a whole; `read` are the numbers of those in which one was read.

    Those where a glance shows one card, as was read, and nothing else are left out.
    """
    glances = glance_at(frame, view, [slot for slot in slots if slot in read])
    closer = [slot for slot in slots if glances.get(slot, 0.0) < PLAIN]
    return judge_slots(frame, view, closer, [*read], [slot for slot, number in read.items() if number in PRIMES])


def number_in(answers: NDArray[np.float64]) -> int:
    """Give the number that the clearest of the reader's answers (possible numbers, 61) most likely is."""
    return 1 + int(answers[answers[:, 0].argmin(), 1:].argmax())


def is_read(answers: NDArray[np.float64]) -> bool:
    """Tell whether one of the reader's answers (possible numbers, 61) is a number at all."""
    return bool(len(answers)) and float(answers[:, 0].min()) < READ


def clear_number(answers: NDArray[np.float64]) -> int | None:
    """Give the number that one of the reader's answers (possible numbers, 61) clearly is; None for none."""
    if not len(answers):
        return None
    row = answers[answers[:, 0].argmin()]
    card = int(row.argmax())
    return card if card and row[card] >= READ_CLEARLY else None


def in_slot(rack: RackFound, slot: int, answers: NDArray[np.float64], chances: Chances | None) -> Evidence:
    """Give the evidence of a rack's slot (0..9) from the reader's answers, (possible numbers, 61).

    `chances` are what stands there by a look at the slot as a whole, None where that is but one card. In a rack that
    may well be a slot off (LIKELY_ITSELF) no slot is surely empty, not even one that is so by all its fits: none of
    them may be the right one.
    """
    numbers = numbers_in(rack, slot, answers)
    if chances is None:
        return Evidence(numbers)
    sure, back = rack.view.which[slot], _back(chances, is_number=is_read(answers))
    two = sure * chances.two
    trust = EITHER if two >= TWO else 1.0
    if chances.back >= TURNED and not chances.like_a_face:
        trust *= THOUGH_TURNED
    if float(answers[:, 0].min(initial=1.0)) < CLEAR:
        if chances.empty >= CONTRADICTED:
            # another card's number, seen through an empty slot, or a card that leans where none would
            strip = rack.view.strips[slot]
            if strip is None or strip.sides < SIDES:
                return Evidence(two=two)
            trust *= THOUGH_EMPTY
        return Evidence(_trusted(numbers, trust), two=two, trust=trust)
    if max(chances.empty, back) < CONTRADICTED:
        return Evidence(_trusted(numbers, trust), two=two, trust=trust)
    there = sure if min(rack.view.which) > LIKELY_ITSELF else min(sure, MAY_BE)
    return Evidence((), there * _without_neighbour(rack.view, slot) * chances.empty, sure * back)


def _without_neighbour(view: RackView, slot: int) -> float:
    """Give how sure (0..1) it is that a slot (0..9) without a card is not that of a card told to stand beside it."""
    beside = (view.fit.standing.get(other) for other in (slot - 1, slot + 1))
    sure = min((line.belongs for line in beside if line is not None), default=1.0)
    return sure if sure < ITS_OWN else 1.0


def _back(chances: Chances, *, is_number: bool) -> float:
    """Give how likely a card's back is seen, by the look at the slot as a whole and by whether a number is read there.

    An empty slot is not believed more for want of a number: a card that another one hides shows none either.
    """
    face, back = (1 - UNREAD_FACE, 1 - UNREAD_BACK) if is_number else (UNREAD_FACE, UNREAD_BACK)
    rest = chances.empty + face * (chances.card + chances.two + chances.hidden)
    likely = back * chances.back / (back * chances.back + rest) if chances.back > 0 else 0.0
    return min(likely, FACE_OR_BACK) if chances.like_a_face else likely


def again_in_slot(rack: RackFound, slot: int, answers: NDArray[np.float64], before: Evidence) -> Evidence:
    """Give the evidence of one more picture of a slot (0..9) in which nothing has changed since `before`."""
    return replace(before, numbers=_trusted(numbers_in(rack, slot, answers), before.trust))


def _trusted(numbers: tuple[Number, ...], share: float) -> tuple[Number, ...]:
    return tuple(number.trusted(share) for number in numbers)


def numbers_in(rack: RackFound, slot: int, answers: NDArray[np.float64]) -> tuple[Number, ...]:
    """Give the numbers read in a slot (0..9), the clearest first."""
    view = rack.view
    strip = view.strips[slot]
    if strip is None:
        return ()
    return _clearest_first(
        Number(
            row,
            item.ink.left,
            view.which[slot] * trust_in(strip, item.ink, view.fit.table.card.width, rack.height),
            math.hypot(PLACE_IN_RACK, 2 * strip.doubt),
            sunk=rack.rows is not None and is_sunk(item.ink, rack.rows),
        )
        for item, row in zip(rack.slots[slot], answers, strict=True)
    )


def worth_reading(found: Sequence[Found], answers: NDArray[np.float64]) -> tuple[Found, ...]:
    """Give those that may be a number at all, by the reader's answers, (possible numbers, 61)."""
    return tuple(item for item, row in zip(found, answers, strict=True) if row[0] < NOTHING)


def shown_as(found: Sequence[Found], answers: NDArray[np.float64], card: int | None) -> tuple[Found, ...]:
    """Give those that most likely show a card, by the reader's answers, (possible numbers, 61)."""
    return tuple(item for item, row in zip(found, answers, strict=True) if row.argmax() == card)


def card_in(evidence: Evidence) -> int | None:
    """Give the card that a place's clearest number surely is, by the reader alone; None for none."""
    return clear_number(evidence.numbers[0].probabilities[None]) if evidence.numbers else None


def has_faded(card: int | None, answers: NDArray[np.float64]) -> bool:
    """Whether a place's known card, if any, is not there any more by its answers, (possible numbers, 61)."""
    return card is not None and float(answers[:, card].max(initial=0.0)) < FADED


@dataclass(frozen=True)
class Usual:
    """Where this deck's numbers usually begin, in mm below the card's edge, and how high they are."""

    top: float
    height: float


def on_pile(tray: TrayFound, answers: NDArray[np.float64], usual: Usual | None = None) -> Evidence:
    """Give the evidence of the discard pile's top; `usual` is how this deck's numbers are, if known."""
    trust = TRUST_IN_TRAY if tray.discard.state == "card" and _agree(tray, answers) else TRUST_IF_UNCLEAR
    own = _own(tray, answers, usual)
    numbers = _clearest_first(
        Number(
            row,
            item.ink.left,
            min(trust, TRUST_IF_PEEPING) if _may_peep(tray, item, usual) and int(row.argmax()) not in own else trust,
            tray.discard.spread,
            turned=item.turned,
        )
        for item, row in zip(tray.numbers, answers, strict=True)
    )
    return Evidence(numbers, empty=0.97 if tray.discard.state == "plain" else 0.0)


def _may_peep(tray: TrayFound, item: Found, usual: Usual | None) -> bool:
    """Tell whether a number may be another card's that peeps out from under the topmost."""
    if usual is None:
        return False
    above = tray.discard.spread >= BY_SIDES and item.ink.top <= usual.top - ABOVE
    return above or item.ink.height < LOW * usual.height


def _own(tray: TrayFound, answers: NDArray[np.float64], usual: Usual | None) -> set[int]:
    """Give the cards that are read clearly in a number that is surely the topmost card's, or at both ends of it."""
    own, ends = set(), set()
    for item, row in zip(tray.numbers, answers, strict=True):
        card = int(row.argmax())
        if card and row[card] >= READ_CLEARLY:
            if not _may_peep(tray, item, usual) or (card, not item.turned) in ends:
                own.add(card)
            ends.add((card, item.turned))
    return own


def _agree(tray: TrayFound, answers: NDArray[np.float64]) -> bool:
    """Whether the pile's upper and lower number are read as one (a card has it twice), or just one of them clearly."""
    clearest: dict[bool, NDArray[np.float64]] = {}
    for item, row in zip(tray.numbers, answers, strict=True):
        if row[0] < READ and row[0] < clearest.get(item.turned, np.ones(1))[0]:
            clearest[item.turned] = row
    said = list(clearest.values())
    if len({int(row[1:].argmax()) for row in said}) < 2:
        return True
    return sum(float(row[1:].max()) >= CLEARLY for row in said) == 1


def _clearest_first(numbers: Iterable[Number]) -> tuple[Number, ...]:
    return tuple(sorted(numbers, key=lambda number: float(number.probabilities[0])))
