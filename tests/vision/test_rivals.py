"""Where a rack may be taken for one a slot off, the numbers below the edges decide."""

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.table import SLOTS, Table
from tests.vision.drawing import Rack
from tests.vision.test_fit import CARDS, picture_of
from vision.find import find_in_rack
from vision.found import Found, RackFound
from vision.fuse import SURE
from vision.pushed import FRONT, NEARLY_FULL, holds_an_unread_card, is_displaced, looks_bare, may_be_displaced
from vision.rack.fit import Rival, which_of
from vision.reading.digits import CLASSES
from vision.rivals import Account, as_full, explains_more, likeliest, moved_by_size, surely_otherwise

LAST = SLOTS - 1


@pytest.fixture(scope="module")
def full() -> RackFound:
    """A rack with a card in every slot."""
    frame, pose = picture_of(Rack(CARDS))
    return find_in_rack(frame, 2, pose, Table())


def says(card: int, chance: float = 0.98) -> NDArray[np.float64]:
    """The reader's answer for one place where it reads this card; 0 for no number."""
    rows = np.full((1, CLASSES), (1 - chance) / (CLASSES - 1))
    rows[0, card] = chance
    return rows


def read(cards: Mapping[int, int]) -> dict[int, NDArray[np.float64]]:
    """The answers for these cards by slot, and nothing to read in other slots."""
    return {slot: says(cards[slot]) if slot in cards else says(0)[:0] for slot in range(SLOTS)}


def without(rack: RackFound, slot: int, rival: Rival) -> RackFound:
    """The rack by a fit that leaves out a slot's edge, with another fit beside it."""
    view = replace(rack.view, fit=rack.view.fit.with_line(slot, None), rivals=(rival,))
    return replace(rack, view=view)


@pytest.mark.parametrize(
    ("cards", "more"), [({1: 3, 2: 14}, True), ({2: 14}, True), ({1: 14}, False), ({2: 3}, False), ({}, False)]
)
def test_a_rack_as_a_whole_counts_if_it_reads_more_or_the_same_in_other_slots(
    cards: dict[int, int], *, more: bool
) -> None:
    by_slot, whole = read({0: 2, 1: 14, 3: 17}), read({0: 2, 3: 17, **cards})
    assert explains_more(whole, by_slot) is more


def test_a_number_below_an_edge_that_was_left_out_tells_for_the_other_fit(full: RackFound) -> None:
    shorter = without(full, LAST, Rival(full.view.fit, -2.0))
    seen = {slot: card for slot, card in CARDS.items() if slot != LAST}
    chosen = likeliest(Account(shorter, read(seen)), [Account(full, read(CARDS))])
    assert chosen.rack.view.fit is full.view.fit
    assert [rival.fit for rival in chosen.rack.view.rivals] == [shorter.view.fit]
    assert chosen.rack.view.rivals[0].likely == pytest.approx(-1.8, abs=0.1)
    assert chosen.rack.view.which[LAST] < min(chosen.rack.view.which[:LAST])


@pytest.mark.parametrize("none", [1, 3])
def test_edges_without_numbers_count_alike_whether_they_are_kept_or_not(full: RackFound, none: int) -> None:
    """A comb's free slots had four edges by the right fit and, the same but for one, by that a slot off: all of these
    were dropped, for no ink was found below them, and spoke against the right fit alone."""
    ghosts = [line for line in full.view.lines[:none] if line is not None]
    bare = full
    for slot in range(none):
        view = bare.view.with_slot(slot, None, None)
        bare = replace(bare, view=replace(view, ghosts=(*view.ghosts, *ghosts[slot : slot + 1])))
    first = replace(full, view=replace(full.view, rivals=(Rival(bare.view.fit, -1.0),)))
    cards = read({slot: card for slot, card in CARDS.items() if slot >= none})
    for one, other in ((first, bare), (replace(bare, view=replace(bare.view, rivals=first.view.rivals)), full)):
        (rival,) = likeliest(Account(one, cards), [Account(other, cards)]).rack.view.rivals
        assert rival.likely == pytest.approx(-1.0)


def test_a_number_counts_though_the_other_fit_misreads_another_card_for_it(full: RackFound) -> None:
    """By another fit a card's number may be cut badly: a 59 was read as the 60 that stood in another slot."""
    shorter = without(full, LAST, Rival(full.view.fit, 0.0))
    first = replace(full, view=replace(full.view, rivals=(Rival(shorter.view.fit, -2.0),)))
    seen = {slot: card for slot, card in CARDS.items() if slot != LAST}
    alike, misread = (
        likeliest(Account(first, read(CARDS)), [Account(shorter, read(cards))])
        for cards in (seen, seen | {3: CARDS[LAST]})
    )
    assert misread.rack.view.rivals[0].likely == pytest.approx(alike.rack.view.rivals[0].likely)
    assert misread.rack.view.rivals[0].likely < -5.0


@pytest.mark.parametrize(("sides", "likely"), [(5.0, -4.0), (3.0, -1.8)])
def test_a_plain_number_tells_more_between_the_sides_of_a_card(full: RackFound, sides: float, likely: float) -> None:
    shorter = without(full, LAST, Rival(full.view.fit, -2.0))
    strip = full.view.strips[LAST]
    assert strip is not None
    view = full.view.with_slot(LAST, full.view.lines[LAST], replace(strip, sides=sides))
    seen = {slot: card for slot, card in CARDS.items() if slot != LAST}
    plain = read(CARDS) | {LAST: says(CARDS[LAST], 0.9995)}
    chosen = likeliest(Account(shorter, read(seen)), [Account(replace(full, view=view), plain)])
    assert chosen.rack.view.rivals[0].likely == pytest.approx(likely, abs=0.1)


@pytest.mark.parametrize("below", [0, CARDS[3]])
def test_an_edge_without_a_number_of_its_own_tells_against_its_fit(full: RackFound, below: int) -> None:
    shorter = without(full, LAST, Rival(full.view.fit, -2.0))
    seen = {slot: card for slot, card in CARDS.items() if slot != LAST}
    first = Account(shorter, read(seen))
    chosen = likeliest(first, [Account(full, read(CARDS) | {LAST: says(below)})])
    assert chosen.rack.view.fit is shorter.view.fit
    assert chosen.rack.view.rivals[0].likely == pytest.approx(-4.9, abs=0.1)


def test_in_a_rack_of_cards_turned_round_an_edge_without_a_number_tells_little(full: RackFound) -> None:
    shorter = without(full, LAST, Rival(full.view.fit, -2.0))
    few = {slot: CARDS[slot] for slot in (1, 4)}
    chosen = likeliest(Account(shorter, read(few)), [Account(full, read(few))])
    assert chosen.rack.view.rivals[0].likely == pytest.approx(-2.8, abs=0.1)


def test_fits_by_the_same_edges_stay_as_likely_as_they_were(full: RackFound) -> None:
    first = replace(full, view=replace(full.view, rivals=(Rival(full.view.fit, -1.0),)))
    chosen = likeliest(Account(first, read(CARDS)), [Account(full, read({}))])
    assert chosen.rack.view.fit is full.view.fit
    assert chosen.rack.view.rivals[0].likely == pytest.approx(-1.0)


@pytest.fixture
def pushed(full: RackFound) -> Account:
    """The rack as it stands if it was pushed by a slot: a card more in front, with both sides of a card."""
    front = full.view.strips[0]
    assert front is not None
    strips = (replace(front, sides=FRONT), *full.view.strips[1:])
    return Account(replace(full, view=replace(full.view, strips=strips)), read(CARDS))


def seen_in_place(full: RackFound) -> Account:
    """The same cards but the frontmost, each a slot nearer."""
    rack = replace(full, slots=(*full.slots[1:], ()))
    return Account(rack, read({slot - 1: card for slot, card in CARDS.items() if slot}))


def test_a_new_number_in_front_tells_that_the_rack_was_pushed(full: RackFound, pushed: Account) -> None:
    before = seen_in_place(full)
    assert is_displaced(pushed, 0)
    assert may_be_displaced(pushed, 0, before)
    assert not may_be_displaced(replace(pushed, answers=before.answers), 0, before)


def test_a_new_number_in_front_without_a_cards_sides_leaves_it_open(full: RackFound, pushed: Account) -> None:
    front = pushed.rack.view.strips[0]
    assert front is not None
    strips = (replace(front, sides=FRONT - 1.0), *pushed.rack.view.strips[1:])
    faint = replace(pushed, rack=replace(pushed.rack, view=replace(pushed.rack.view, strips=strips)))
    before = seen_in_place(full)
    assert not is_displaced(faint, 0)
    assert may_be_displaced(faint, 0, before)
    assert not may_be_displaced(replace(faint, answers=before.answers), 0, before)


def test_a_tenth_number_behind_nine_tells_that_the_rack_was_pushed_whatever_is_seen_of_its_sides(
    full: RackFound,
) -> None:
    """Where the mat is printed smaller they are elsewhere; nothing else shows a number there."""
    behind = full.view.strips[LAST]
    assert behind is not None
    strips = (*full.view.strips[:LAST], replace(behind, sides=1.0))
    faint = Account(replace(full, view=replace(full.view, strips=strips)), read(CARDS))
    before = Account(full, read({slot + 1: card for slot, card in CARDS.items() if slot < LAST}))
    assert is_displaced(faint, LAST)
    assert may_be_displaced(faint, LAST, before)
    nine = replace(faint, answers=read({slot: card for slot, card in CARDS.items() if slot != 4}))
    fewer = replace(before, answers=read({slot + 1: card for slot, card in CARDS.items() if slot not in {4, LAST}}))
    assert not is_displaced(nine, LAST)
    assert may_be_displaced(nine, LAST, fewer)


def test_in_a_hardly_filled_rack_a_new_number_in_front_leaves_it_open(full: RackFound, pushed: Account) -> None:
    """It may be a part of a logo, and no number beyond the other end bears it out."""
    few = {slot: rows if slot < NEARLY_FULL - 2 else says(0)[:0] for slot, rows in pushed.answers.items()}
    before = {slot: rows if 0 < slot < NEARLY_FULL - 1 else says(0)[:0] for slot, rows in read(CARDS).items()}
    hardly, in_place = replace(pushed, answers=few), Account(full, before)
    assert not is_displaced(hardly, 0)
    assert may_be_displaced(hardly, 0, in_place)


def test_a_number_where_no_card_stands_is_no_cards(full: RackFound) -> None:
    """Before the front of one of 3000 drawn racks a logo's "K-O" was read as 40: all its cards came out a slot off."""
    frame, pose = picture_of(Rack({slot: card for slot, card in CARDS.items() if slot != 4}))
    gap = Account(find_in_rack(frame, 2, pose, Table()), {**read(CARDS), 4: says(40)})
    assert looks_bare(gap, 4, frame)
    assert not holds_an_unread_card(Account(gap.rack, {**gap.answers, 4: says(0)[:0]}), 4, frame)
    assert not looks_bare(gap, 3, frame)
    assert not looks_bare(Account(full, read(CARDS)), 4, picture_of(Rack(CARDS))[0])


@pytest.mark.parametrize(
    ("other", "doubted"),
    [
        ({0: 5, 3: 20, 9: 60}, range(0)),
        ({0: 5, 3: 20}, range(0)),
        ({0: 5, 3: 20, 8: 60}, range(4, SLOTS)),
        ({0: 5, 2: 20, 8: 60}, range(1, SLOTS)),
        ({0: 5, 3: 20, 4: 30, 9: 60}, range(0)),
        ({0: 5, 3: 30, 9: 60}, range(1, 9)),
        ({0: 5, 3: 20, 4: 30}, range(4, SLOTS)),
        ({1: 5, 3: 20, 9: 60}, range(3)),
        ({1: 5, 4: 20}, range(SLOTS)),
    ],
)
def test_what_is_read_alike_before_or_behind_all_else_stands_where_it_is_told_on_a_mat_of_any_size(
    full: RackFound, other: dict[int, int], doubted: range
) -> None:
    assert moved_by_size(Account(full, read({0: 5, 3: 20, 9: 60})), Account(full, read(other)), 1.0) == doubted


def test_of_a_rack_without_numbers_nothing_is_said_by_what_is_read_elsewhere(full: RackFound) -> None:
    assert moved_by_size(Account(full, read({})), Account(full, read({2: 20})), 1.0) == range(0)


@pytest.mark.parametrize(
    ("cards", "leeway", "doubted"),
    [(SLOTS, 1.0, 0), (8, 1.0, 0), (SLOTS, 4.0, SLOTS), (7, 1.0, SLOTS)],
    ids=["full", "nearly full", "full, but the other size fits much better", "not so full"],
)
def test_another_size_by_which_a_nearly_full_racks_numbers_are_fewer_is_no_doubt(
    full: RackFound, cards: int, leeway: float, doubted: int
) -> None:
    own = {slot: 5 + 5 * slot for slot in range(cards)}
    nearer = {slot - 1: card for slot, card in own.items() if slot}
    one, as_many = Account(full, read(own)), Account(full, read({**nearer, cards - 1: 60}))
    assert moved_by_size(one, Account(full, read(nearer)), leeway) == range(doubted)
    assert moved_by_size(one, as_many, leeway) == range(SLOTS)


@pytest.mark.parametrize(("chance", "first", "doubted"), [(0.9995, 0, 0), (0.98, 0, SLOTS), (0.9995, 1, SLOTS)])
@pytest.mark.parametrize("towards", [-1, 1])
def test_no_card_of_a_rack_stands_beyond_its_ends_on_a_mat_of_any_size(
    full: RackFound, chance: float, first: int, doubted: int, towards: int
) -> None:
    """Of ten cards nine stood a slot nearer on a paper that might have curled up; one was before the first slot."""
    own = {slot: 5 + 5 * slot for slot in (range(first, SLOTS) if towards < 0 else range(SLOTS - first))}
    moved = {slot + towards: card for slot, card in own.items() if 0 <= slot + towards < SLOTS}
    one = Account(full, read({}) | {slot: says(card, chance) for slot, card in own.items()})
    assert moved_by_size(one, Account(full, read(moved)), math.inf) == range(doubted)


@pytest.mark.parametrize(("between", "doubted"), [(17, range(3, SLOTS)), (0, range(0))])
def test_a_rack_without_room_for_a_card_that_is_read_is_in_doubt(full: RackFound, between: int, doubted: range) -> None:
    """Of a full rack, in the dark, one card was left out on a mat of 88 %, and those behind it told a slot off."""
    own = dict(enumerate([3, 6, 11, 28, 41, 45, 53, 56, 59]))
    its = {slot + (slot > 2): card for slot, card in own.items() if slot < 8} | ({3: between} if between else {})
    assert moved_by_size(Account(full, read(own)), Account(full, read(its)), -4.0) == doubted


@pytest.mark.parametrize(("leeway", "doubted"), [(-7.0, SLOTS), (-8.0, 0)])
def test_numbers_that_another_size_has_more_make_good_that_it_fits_less_well(
    full: RackFound, leeway: float, doubted: int
) -> None:
    """A turned rack fitted a mat of 102 % best, a slot off, by which seven of its ten numbers were read."""
    own = {slot: 5 + 5 * slot for slot in range(1, 8)}
    nearer = {slot - 1: card for slot, card in own.items()} | {8: 50, 9: 60}
    assert moved_by_size(Account(full, read(own)), Account(full, read(nearer)), leeway) == range(doubted)


@pytest.mark.parametrize(("chance", "doubted"), [(0.98, 0), (0.9995, SLOTS)])
def test_a_plain_number_that_another_size_has_more_makes_good_more(
    full: RackFound, chance: float, doubted: int
) -> None:
    """Eight cards that leaned less than was measured fitted a mat of 96 % best, by which one of them was none."""
    own = {slot: 5 + 5 * slot for slot in range(7)}
    nearer = {slot + 1: card for slot, card in own.items()}
    answers = read(nearer) | {0: says(3, chance)}
    assert moved_by_size(Account(full, read(own)), Account(full, answers), -5.0) == range(doubted)


def test_where_it_is_hardly_sure_which_slot_is_which_no_card_is_sure(full: RackFound) -> None:
    """Of those that were 0.96 to 0.99 sure a quarter was a slot off."""
    shorter = without(full, LAST, Rival(full.view.fit, 0.0)).view.fit
    hardly, clearly = (which_of(full.view.fit, (Rival(shorter, likely),))[LAST] for likely in (-5.5, -7.0))
    assert hardly < SURE < 0.99 < clearly


def test_ten_numbers_in_ten_slots_tell_which_is_which(full: RackFound) -> None:
    doubtful = replace(full, view=replace(full.view, which=(0.3,) * SLOTS))
    nine = {slot: card for slot, card in CARDS.items() if slot != LAST}
    ends = {slot: says(CARDS[slot], 0.9995) for slot in (0, LAST)}
    chosen = as_full([Account(full, read(nine)), Account(doubtful, read(CARDS) | ends)])
    assert chosen is not None
    assert chosen.rack.view.fit is doubtful.view.fit
    assert set(chosen.rack.view.which) == {1.0}


@pytest.mark.parametrize("end", [0, LAST])
def test_a_tenth_number_at_an_end_that_is_read_less_surely_may_be_a_part_of_a_logo(full: RackFound, end: int) -> None:
    """An O of RACK-O on the front card was read as 60, and nine cards stood a slot off."""
    doubtful = replace(full, view=replace(full.view, which=(0.5,) * SLOTS))
    ends = {0: says(CARDS[0], 0.9995), LAST: says(CARDS[LAST], 0.9995)} | {end: says(60, 0.97)}
    assert as_full([Account(doubtful, read(CARDS) | ends)]) is None
    assert as_full([Account(full, read(CARDS) | ends)]) is not None


def test_they_tell_of_each_edge_whose_it_is(full: RackFound) -> None:
    """Else the referee doubts such a card all evening: may it be the one in the slot beside?"""
    line, strip = full.view.lines[4], full.view.strips[4]
    assert line is not None
    assert strip is not None
    view = full.view.with_slot(4, line.belonging(0.95), replace(strip, belongs=0.95))
    chosen = as_full([Account(replace(full, view=view), read(CARDS))])
    assert chosen is not None
    assert [line and line.belongs for line in chosen.rack.view.lines] == [1.0] * SLOTS
    assert [strip and strip.belongs for strip in chosen.rack.view.strips] == [1.0] * SLOTS


def test_nine_numbers_a_number_twice_or_an_eleventh_card_do_not(full: RackFound) -> None:
    assert as_full([Account(full, read({slot: card for slot, card in CARDS.items() if slot != 4}))]) is None
    assert as_full([Account(full, read({**CARDS, 3: CARDS[4]}))]) is None
    behind = replace(full, view=replace(full.view, fit=replace(full.view.fit, one_more=True)))
    assert as_full([Account(behind, read(CARDS))]) is None


@pytest.mark.parametrize(
    ("shares", "tells"),
    [({60: 0.7, 50: 0.3}, True), ({60: 0.7, 0: 0.3}, False), ({60: 0.7, CARDS[4]: 0.3}, False), ({60: 0.6}, False)],
)
def test_one_of_the_ten_may_be_open_between_cards_that_no_other_slot_shows(
    full: RackFound, shares: Mapping[int, float], *, tells: bool
) -> None:
    blurred = np.full((1, CLASSES), (1 - sum(shares.values())) / CLASSES)
    blurred[0, [*shares]] = [*shares.values()]
    assert (as_full([Account(full, {**read(CARDS), LAST: blurred})]) is not None) is tells
    assert as_full([Account(full, {**read(CARDS), LAST: blurred, 2: blurred})]) is None


def told(rack: RackFound, slots: range) -> Account:
    """An account that reads one number in each of those slots, where the rack has one, and nothing in the others."""
    kept = tuple(items[:1] if slot in slots else () for slot, items in enumerate(rack.slots))
    return Account(replace(rack, slots=kept), read({slot: CARDS[slot] for slot in slots}))


@pytest.mark.parametrize(
    ("fewer", "more", "against", "right"),
    [(3, 5, 0.0, True), (3, 5, 4.0, False), (4, 5, 0.0, False), (1, 4, 0.0, False)],
)
def test_another_pose_by_which_more_numbers_are_read_is_right_if_these_are_not_few(
    full: RackFound, fewer: int, more: int, against: float, *, right: bool
) -> None:
    frame, _ = picture_of(Rack(CARDS))
    best, other = told(full, range(fewer)), told(full, range(9 - more, 9))
    assert (surely_otherwise(frame, best, [(best, 0.0), (other, against)]) is other) is right


def at(number: Found, left: float) -> Found:
    """The number so many mm from its card's left edge."""
    return replace(number, ink=replace(number.ink, left=left, right=left + number.ink.width))


def test_numbers_where_cards_have_none_do_not_tell_a_racks_pose(full: RackFound) -> None:
    frame, _ = picture_of(Rack(CARDS))
    aside = replace(full, slots=tuple(tuple(at(number, 3.3) for number in found) for found in full.slots))
    well, ill = told(full, range(9)), told(aside, range(9))
    assert surely_otherwise(frame, ill, [(well, 0.0)]) is well
    assert surely_otherwise(frame, told(full, range(2)), [(ill, 0.0)]) is None


def test_another_pose_whose_cards_fit_better_is_right_by_as_many_numbers(full: RackFound) -> None:
    frame, pose = picture_of(Rack(CARDS))
    well = told(full, range(9))
    smaller = find_in_rack(frame, 2, pose.printed_at(0.9, Table().rack.at), Table(), aside=False)
    ill = replace(well, rack=replace(smaller, slots=well.rack.slots))
    assert surely_otherwise(frame, ill, [(well, 0.0)]) is well
    assert surely_otherwise(frame, well, [(ill, 0.0)]) is None
