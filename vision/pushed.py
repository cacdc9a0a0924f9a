"""Whether a rack was pushed off its place on the mat by a slot's width: its cards then seem to stand a slot off."""

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from calibration.table import SLOTS, Table
from vision.evidence import clear_number
from vision.find import find_at_home, find_in_rack, find_rival
from vision.found import RackFound
from vision.frame import Frame
from vision.rack.edges import EdgeLine
from vision.rack.fit import MAY_BE, SIDES, RackView, Rival, refit
from vision.rack.states import judge_slots
from vision.rectify import SCALE
from vision.rivals import Account, Answers, numbers_read

ENOUGH: Final = 6
"""Of fewer numbers it is not concluded that a rack was pushed."""

FRONT: Final = 4.0
"""A number before the rack's front counts only on what so surely has the sides of a card (Strip.sides): of 800 drawn
racks in their places two showed one there, the bottom number of a card behind an empty slot, with 3.3 and 1.6. Of 600
more one did, that of the card in front, with 7.2: now it is known by how it reads turned (vision.lower_numbers).
Behind the last card nothing shows a number."""

NEARLY_FULL: Final = 9
"""Of fewer numbers, with the one beyond the rack's end, it is not sure that a rack was pushed: of 130 hardly filled
racks in their places one showed a number before its front, of a card's logo, between the sides of a card (5.1)."""

BARE: Final = 0.97
"""Nor does a number count where its slot so surely looks empty: of 854 that were another slot's, of 1400 drawn racks
that were pushed by a slot's width, one did by 0.92, all others by less. A logo's "K-O", read as 40 before the front of
one of 3000 racks in their places, did by 0.9998."""

FILLED: Final = 0.5
"""A slot that looks so surely as if a card stood there is not bare, though its number is not read. Of some 90 drawn
racks told rightly, with no number read beyond their ends, what is there looked so by 0.16 at most; it did by 0.99 where
two cards stood before one that was told two slots off, and by 0.87 and 0.88 in two that were in doubt anyhow."""

WIDE: Final = 1.2
"""Between two edges so many pitches apart there may be a card's for which there was no slot. A tenth of 1488 pairs of
neighbours in drawn racks stand so far apart; the two between which one was left out, 1.33."""

FOLLOWED: Final = 3
"""So many cards tell by where they stood before how a rack stands."""


def displaced(rack: RackFound, frame: Frame, table: Table, answers: Answers) -> Iterator[tuple[RackFound, int]]:
    """Give a rack as it may stand if it was pushed off its place by a slot's width.

    At one end, where no card is, then mostly no number is read, and the last card is beyond the other, of which each
    time the slot (0..9) is given. Where its first slot or its foot is seen, that may have it in its place all the same:
    then its cards may be a slot off, seen on a mat that has curled up.
    """
    if numbers_read(answers.values()) < ENOUGH:
        return
    read = _read_in(rack, answers)
    for bare, last in ((0, SLOTS - 1), (SLOTS - 1, 0)):
        if clear_number(answers[bare]) is None and not _is_filled(rack, bare, frame, read):
            pose = rack.pose.farther_back(math.copysign(table.rack.pitch, last - bare))
            other = find_in_rack(frame, rack.seat, pose, table)
            if abs(other.pose.behind - pose.behind) < table.rack.pitch / 2:
                yield other, last
            elif (moved := _moved_on(rack, last, frame)) is not None:
                yield moved, last


def _moved_on(rack: RackFound, last: int, frame: Frame) -> RackFound | None:
    """Give a rack with each card in the slot beside, and one that is seen beyond them in the `last` slot (0..9)."""
    lines = rack.view.lines
    fit, strip = refit(frame, _with_lines(rack, (*lines[1:], None) if last else (None, *lines[:-1])), last)
    return None if strip is None else find_rival(rack, Rival(fit, 0.0), frame)


def with_one_between(rack: RackFound, frame: Frame, answers: Answers) -> RackFound | None:
    """Give a rack of nine read numbers and a free slot at one end with a card more where two edges are widest apart.

    Where a curled mat is taken for one that lies flat, ten cards may seem to stand a slot off, one of them beyond the
    end: then there is no slot for one of those between. None where no edge is seen there.
    """
    if len(answers) < SLOTS or numbers_read(answers.values()) < NEARLY_FULL:
        return None
    free = next((end for end in (0, SLOTS - 1) if clear_number(answers[end]) is None), None)
    lines = [line for slot, line in enumerate(rack.view.lines) if slot != free and line is not None]
    if free is None or len(lines) < NEARLY_FULL:
        return None
    gaps = [one.at - other.at for one, other in pairwise(lines)]
    if max(gaps) < WIDE * rack.view.fit.table.rack.pitch * SCALE:
        return None
    slot = 1 + gaps.index(max(gaps))
    # by the cards beside: of cards that seemed to stand a slot off the common lean says less
    about = lines[slot].at + max(gaps) / 2
    fit, strip = refit(frame, _with_lines(rack, (*lines[:slot], None, *lines[slot:])), slot, about=about)
    return None if strip is None or strip.sides < SIDES else find_rival(rack, Rival(fit, 0.0), frame)


def _with_lines(rack: RackFound, lines: tuple[EdgeLine | None, ...]) -> RackView:
    return replace(rack.view, fit=replace(rack.view.fit, lines=lines))


def _is_filled(rack: RackFound, slot: int, frame: Frame, read: Sequence[int]) -> bool:
    """Tell whether a card stands in a slot (0..9) whose number is not read, by the looks of those that were `read`.

    Where not even its edge is seen, none does: what is seen there may be the table.
    """
    if rack.view.lines[slot] is None:
        return False
    chances = judge_slots(frame, rack.view, [slot], read)[slot]
    return chances.card + chances.back + chances.two >= FILLED


def _read_in(rack: RackFound, answers: Answers) -> list[int]:
    """Give the slots (0..9) of a rack in which a number is read clearly on a strip."""
    return [slot for slot in range(SLOTS) if clear_number(answers[slot]) is not None and rack.view.strips[slot]]


def is_displaced(other: Account, last: int) -> bool:
    """Tell whether a rack that may_be_displaced surely is: if it is nearly full, and there are a card's sides.

    Behind nine cards that are read nothing but a tenth one shows a number, be its sides seen or not.
    """
    strip, read = other.rack.view.strips[last], numbers_read(other.answers.values())
    least = FRONT if last == 0 else SIDES if read < SLOTS else 0.0
    return strip is not None and strip.sides >= least and read >= NEARLY_FULL


def may_be_displaced(other: Account, last: int, before: Account) -> bool:
    """Tell whether a rack may have been pushed by a slot's width: as the `other` account has it, or as `before`.

    Then a card of which nothing was known stands in its `last` slot (0..9), and as many numbers are read as before.
    """
    number = clear_number(other.answers[last])
    if number is None or number in {clear_number(rows) for rows in before.answers.values()}:
        return False
    return numbers_read(other.answers.values()) >= numbers_read(before.answers.values())


def holds_an_unread_card(account: Account, slot: int, frame: Frame) -> bool:
    """Tell whether a slot (0..9) in which no number is read looks as if a card stood there."""
    read = _read_in(account.rack, account.answers)
    return clear_number(account.answers[slot]) is None and _is_filled(account.rack, slot, frame, read)


def looks_bare(account: Account, slot: int, frame: Frame) -> bool:
    """Tell whether a slot (0..9) in which a number is read surely looks empty: then the number is no card's."""
    read = _read_in(account.rack, account.answers)
    return judge_slots(frame, account.rack.view, [slot], read)[slot].empty >= BARE


def followed(
    rack: RackFound, frame: Frame, table: Table, stood: Sequence[int | None], answers: Answers
) -> RackFound | None:
    """Give a rack as it stands by the cards that `stood` in it before, slot by slot, None and 0 where unknown.

    It was pushed by a slot's width, or nearly, if they are read a slot off; then it is sure which slot is which. None
    where too few of them tell.
    """
    now = _numbers(answers)
    off = slots_off(stood, now)
    if off is None:
        return None
    if off:
        # as if none of what they are off were lean, so that no other slot is nearer
        behind = off * table.rack.pitch + rack.view.fit.off
        return _surely(find_in_rack(frame, rack.seat, rack.pose.farther_back(behind), table), ())
    doubted = []
    for slot, home in strayed(stood, now):
        if rack.view.lines[home] is None:
            rack = find_at_home(rack, slot, home, frame)
        else:
            doubted.append(slot)
    return _surely(rack, doubted)


def stands_as_before(stood: Sequence[int | None], answers: Answers) -> bool:
    """Tell whether a rack's cards are read in the slots in which they `stood`, as far as enough of them tell."""
    return slots_off(stood, _numbers(answers)) == 0


def _numbers(answers: Answers) -> list[int | None]:
    return [clear_number(answers[slot]) for slot in range(SLOTS)]


def _surely(rack: RackFound, doubted: Collection[int]) -> RackFound:
    """Give a rack of which it is sure which slot is which, but for the `doubted` ones (0..9)."""
    which = tuple(MAY_BE if slot in doubted else 1.0 for slot in range(SLOTS))
    return replace(rack, view=replace(rack.view, which=which, rivals=()))


def strayed(stood: Sequence[int | None], now: Sequence[int | None]) -> Iterator[tuple[int, int]]:
    """Give slots (0..9) that show the card of a slot beside, and that slot, which shows none.

    So it is where two cards lean against each other: edges so near are taken for one, which may be either's. Nobody
    takes a card away and puts the next one into its slot. Numbers as in slots_off.
    """
    for home, card in enumerate(stood):
        for slot in (home - 1, home + 1):
            if card and now[home] is None and 0 <= slot < SLOTS and now[slot] == card:
                yield slot, home


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
    compared = {off: [card == other for card, other in some if card and other] for off, some in pairs.items()}
    alike = {off: sum(same) for off, same in compared.items()}
    best = max(alike, key=alike.__getitem__)
    least = max(FOLLOWED, 2 * max(count for off, count in alike.items() if off != best))
    # a rack that was dealt anew may show three of the last round's cards by chance
    return best if alike[best] >= least and 2 * alike[best] > len(compared[best]) else None
