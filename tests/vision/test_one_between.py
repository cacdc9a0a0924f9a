"""A full rack that seems to stand a slot off has no slot for one of its cards: it is found between two others."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from calibration.table import SLOTS, Table
from tests.vision.drawing import Rack
from tests.vision.test_fit import CARDS, picture_of
from tests.vision.test_rack_pose import Seen
from vision.evidence import clear_number
from vision.find import find_in_rack, find_rival
from vision.found import RackFound
from vision.frame import Frame
from vision.pushed import with_one_between
from vision.rack.edges import EdgeLine
from vision.rack.fit import Rival
from vision.reading.digits import NumberReader
from vision.rivals import Account, Answers, as_full

LEFT_OUT = 4
"""The slot (0..9) of the card for which there is none."""


def found(cards: Mapping[int, int] = CARDS) -> tuple[Frame, RackFound]:
    frame, pose = picture_of(Rack(cards))
    return frame, find_in_rack(frame, 2, pose, Table())


def by_lines(frame: Frame, rack: RackFound, lines: list[EdgeLine | None]) -> RackFound:
    """The rack as these edges have it, one a slot."""
    return find_rival(rack, Rival(replace(rack.view.fit, lines=tuple(lines)), 0.0), frame)


def squeezed(free: int) -> tuple[Frame, RackFound]:
    """The full rack with a card left out, and those before it a slot farther back, or those behind it nearer."""
    frame, rack = found()
    lines = [line for slot, line in enumerate(rack.view.lines) if slot != LEFT_OUT]
    lines.insert(free, None)
    return frame, by_lines(frame, rack, lines)


def read(rack: RackFound) -> Answers:
    reader = NumberReader()
    return {slot: reader.read([item.crop for item in items]) for slot, items in enumerate(rack.slots)}


def numbers(answers: Answers) -> dict[int, int | None]:
    return {slot: clear_number(rows) for slot, rows in answers.items()}


@pytest.mark.parametrize("free", [0, SLOTS - 1])
def test_a_card_for_which_there_was_no_slot_is_found_and_the_others_stand_in_theirs(free: int) -> None:
    """On a curled mat, of which two markers were in view, a rack was told a slot off for a whole evening."""
    frame, rack = squeezed(free)
    answers = read(rack)
    assert CARDS[LEFT_OUT] not in numbers(answers).values()
    assert numbers(answers)[free] is None
    whole = with_one_between(rack, frame, answers)
    assert whole is not None
    account = as_full([Account(whole, read(whole))])
    assert account is not None
    assert numbers(account.answers) == CARDS
    assert min(account.rack.view.which) == 1.0


def test_a_rack_that_was_found_so_is_told_as_it_stands() -> None:
    frame, rack = squeezed(0)
    seen = Seen(frame)
    seen.memory.see(frame, hand=False, moved=True)
    seen.memory.stands(frame, replace(rack, view=replace(rack.view, rivals=())))
    assert seen.decided(frame) == CARDS


@pytest.mark.parametrize("free", [0, SLOTS - 1])
def test_nothing_is_sought_between_cards_that_stand_as_far_apart_as_slots_do(free: int) -> None:
    frame, rack = found({slot: card for slot, card in CARDS.items() if slot != free})
    assert with_one_between(rack, frame, read(rack)) is None


def test_nothing_is_found_where_no_card_stands_between() -> None:
    frame, rack = found({slot: card for slot, card in CARDS.items() if slot != LEFT_OUT})
    lines = [line for slot, line in enumerate(rack.view.lines) if slot != LEFT_OUT]
    moved = by_lines(frame, rack, [None, *lines])
    assert numbers(read(moved))[LEFT_OUT] == CARDS[LEFT_OUT - 1]
    assert with_one_between(moved, frame, read(moved)) is None


def test_by_fewer_numbers_or_some_slots_alone_nothing_is_sought() -> None:
    frame, rack = squeezed(0)
    answers = read(rack)
    assert with_one_between(rack, frame, {**answers, 7: answers[7][:0]}) is None
    assert with_one_between(rack, frame, {slot: rows for slot, rows in answers.items() if slot > 1}) is None
