from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.table import Places
from vision.fuse import Evidence, Number, best, fuse, sure, together
from vision.reading.place import CARDS, FIRST, SLOPE, Witness, law_of, likelihoods

DECK = range(1, 61)


def place_of(card: int) -> float:
    return FIRST + SLOPE * (card - 1)


def number(
    card: int, chance: float = 0.995, *, other: int = 60, left: float | None = None, trust: float = 1.0
) -> Number:
    probabilities = np.full(61, 1e-6)
    probabilities[other] = 1 - chance
    probabilities[card] = chance
    return Number(probabilities, place_of(card) if left is None else left, trust, 1.0)


def test_clear_numbers_are_sure() -> None:
    readings = fuse([Evidence((number(card),)) for card in (3, 17, 35, 52)], DECK)
    assert [best(reading)[1] for reading in readings] == [3, 17, 35, 52]
    assert all(sure(reading) is not None for reading in readings)


@pytest.mark.parametrize(("chance", "told"), [(0.995, ("card", 44)), (0.95, None), (0.7, None)])
def test_a_card_that_is_not_in_the_deck_is_told_where_it_is_read_very_clearly(
    chance: float, told: tuple[str, int] | None
) -> None:
    foreign = Evidence((number(44, chance, other=14),))
    readings = fuse([*(Evidence((number(card),)) for card in (3, 17, 35)), foreign], range(1, 41))
    assert sure(readings[-1]) == told


def test_the_place_settles_what_the_reader_leaves_open() -> None:
    clear = [Evidence((number(card),)) for card in (3, 17, 35, 52)]
    open_ = Evidence((number(11, 0.5, other=44),))
    assert best(fuse([*clear, open_], DECK)[-1])[:2] == ("card", 11)


def test_a_number_at_an_odd_place_is_not_sure() -> None:
    clear = [Evidence((number(card),)) for card in (3, 17, 35, 52)]
    odd = Evidence((number(4, left=place_of(44)),))
    assert sure(fuse([*clear, odd], DECK)[-1]) is None


def test_where_all_numbers_stand_in_one_place_the_place_says_nothing() -> None:
    readings = fuse([Evidence((number(card, left=7.0),)) for card in (3, 17, 35, 52, 58)], DECK)
    assert [best(reading)[1] for reading in readings] == [3, 17, 35, 52, 58]
    assert all(sure(reading) is not None for reading in readings)


def test_the_same_card_twice_leaves_both_unsure() -> None:
    doubted, other = Evidence((number(17, trust=0.97),)), Evidence((number(30),))
    assert sure(fuse([doubted, other], DECK)[0]) == ("card", 17)
    readings = fuse([doubted, doubted, other], DECK)
    assert sure(readings[0]) is None
    assert sure(readings[1]) is None
    assert sure(readings[2]) is not None


def test_the_same_card_twice_is_rather_misread_than_there_twice() -> None:
    """A 15 that was read as 16 at 0.9965 stood beside a 16 that was at 0.9988: both were told for sure."""
    readings = fuse([Evidence((number(16, trust=0.9965),)), Evidence((number(16),)), Evidence((number(30),))], DECK)
    assert [sure(reading) is not None for reading in readings] == [False, False, True]


def test_a_card_that_stands_in_two_places_beyond_doubt_stands_in_both() -> None:
    readings = fuse([Evidence((number(17),)), Evidence((number(17),)), Evidence((number(17, trust=0.97),))], DECK)
    assert [sure(reading) for reading in readings] == [("card", 17), ("card", 17), None]


def test_two_doubtful_cuts_of_one_print_do_not_bear_each_other_out() -> None:
    left = place_of(44)
    cuts = number(44, 0.7, other=45, left=left), number(44, 0.7, other=4, left=left + 4.0)
    apart = number(44, 0.7, other=45, left=left), number(44, 0.7, other=4, left=left + 30.0)
    assert best(fuse([Evidence(cuts)], DECK)[0])[2] < best(fuse([Evidence(apart)], DECK)[0])[2]
    assert sure(fuse([Evidence(cuts)], DECK)[0]) is None


def test_a_second_cut_that_reads_otherwise_takes_the_certainty() -> None:
    cuts = number(4, 0.999, left=place_of(45)), number(45, 0.999, left=place_of(45) + 1.0)
    assert sure(fuse([Evidence(cuts)], DECK)[0]) is None


def test_a_number_far_off_a_law_that_many_keep_to_is_not_sure_however_clear() -> None:
    clear = [Evidence((number(card, 0.9999),)) for card in (3, 12, 17, 26, 35, 41, 52, 58)]
    lower = Evidence((number(6, 0.99999, left=place_of(6) + 50.0),))
    assert sure(fuse([*clear, lower], DECK)[-1]) is None


def test_a_number_that_is_not_surely_this_slots_is_not_sure() -> None:
    (reading,) = fuse([Evidence((number(17, trust=0.6),))], DECK)
    assert best(reading)[2] < 0.61


def test_no_evidence_tells_nothing() -> None:
    (reading,) = fuse([Evidence()], DECK)
    assert best(reading) == ("unknown", None, 0.0)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 60), st.floats(0.2, 0.999), st.floats(0.0, 80.0)), min_size=1, max_size=10))
def test_probabilities_never_exceed_one(places: list[tuple[int, float, float]]) -> None:
    readings = fuse([Evidence((number(card, chance, left=left),), 0.5, 0.5) for card, chance, left in places], DECK)
    for reading in readings:
        assert sum(reading.cards.values()) + reading.empty + reading.back <= 1.0 + 1e-9


def test_the_law_is_learnt_from_an_edition_that_differs_a_little() -> None:
    law = law_of([Witness(card, 7.5 + 1.08 * (card - 1)) for card in (2, 9, 20, 33, 41, 55)])
    likelihood = law.likelihood(7.5 + 1.08 * 27)
    assert int(likelihood[1:].argmax()) + 1 == 28
    assert law.slope == pytest.approx(1.08, abs=0.02)


LEARNT = Places("line", 8.0 + 1.08 * 29.5, 1.08, 0.4, 0.5)


def test_numerals_weighed_together_are_weighed_each_by_its_own_law() -> None:
    laws = [law_of([]), law_of([Witness(card, 7.5 + 1.08 * (card - 1)) for card in (2, 9, 20)]), law_of([], LEARNT)]
    lefts, spreads = (12.0, 30.0, 55.0), (1.0, 3.0, 1.5)
    together = likelihoods(laws, lefts, spreads)
    for row, law, left, spread in zip(together, laws, lefts, spreads, strict=True):
        assert np.allclose(row, law.likelihood(left, spread))


def test_a_deck_whose_threes_look_like_twos_is_not_read_against_its_places() -> None:
    # an odd typeface: what is read keeps to no law, but it stands all over the cards' width
    cards = {37: 27, 54: 24, 59: 29, 31: 21, 42: 42, 16: 16, 5: 5}
    places = [Evidence((number(read, 0.999, left=place_of(card)),)) for card, read in cards.items()]
    told = [sure(reading) for reading in fuse(places, DECK)]
    for (card, read), said in zip(cards.items(), told, strict=True):
        assert said in {None, ("card", card)} if read != card else said in {None, ("card", read)}


def test_a_deck_that_prints_all_numbers_in_one_place_is_read_without_a_law() -> None:
    places = [Evidence((number(card, 0.999, left=38.0 + card % 3),)) for card in (3, 12, 17, 26, 35, 41, 52, 58)]
    assert [sure(reading) for reading in fuse(places, DECK)] == [("card", c) for c in (3, 12, 17, 26, 35, 41, 52, 58)]


def test_numbers_that_are_all_off_their_places_alike_keep_to_a_law_of_their_own() -> None:
    cards = (3, 12, 17, 26, 35, 41, 46)
    places = [Evidence((number(card, 0.999, left=place_of(card) + 11.0),)) for card in cards]
    other = Evidence((number(24, 0.95, other=34, left=place_of(34) + 11.0),))
    *told, doubtful = fuse([*places, other], DECK)
    assert [sure(reading) for reading in told] == [("card", card) for card in cards]
    assert sure(doubtful) != ("card", 24)


def test_a_learnt_law_settles_a_number_that_is_seen_alone() -> None:
    alone = Evidence((number(33, 0.5, other=38, left=8.0 + 1.08 * 32),))
    (before,) = fuse([alone], DECK)
    (after,) = fuse([alone], DECK, LEARNT)
    assert sure(before) is None
    assert best(after)[1] == 33
    assert sure(after) is not None


def test_a_learnt_law_gives_way_to_a_picture_of_another_deck() -> None:
    places = [Witness(card, 40.0) for card in (2, 9, 20, 33, 41, 55)]
    assert law_of(places, LEARNT).floor == 1.0


def test_a_learnt_law_goes_with_a_picture_whose_cards_are_all_off_alike() -> None:
    witnesses = [Witness(card, 9.5 + 1.08 * (card - 1)) for card in (2, 9, 20, 33, 41, 55)]
    likelihood = law_of(witnesses, LEARNT).likelihood(9.5 + 1.08 * 27)
    assert int(likelihood[1:].argmax()) + 1 == 28


def test_a_deck_without_a_law_is_not_asked_for_places() -> None:
    law = law_of([Witness(card, 5.7 + 1.14 * (card - 1)) for card in (3, 20, 40)], Places("none", 39.0, 0.2, 20.0, 1.0))
    likelihood = law.likelihood(20.0)
    assert likelihood[1:].min() == likelihood[1:].max()


def test_a_number_is_believed_less_the_more_others_of_its_rack_are_not_told_but_for_two() -> None:
    cards = (3, 9, 17, 24, 30, 35, 41, 48, 52, 58)
    racks = [
        [Evidence((number(card, 0.95),)) if card not in lost else Evidence() for card in cards]
        for lost in ((), (30, 17), (30, 17, 9), (30, 17, 9, 48))
    ]
    none, two, three, four = (best(fuse(rack, DECK, groups=[10])[9])[2] for rack in racks)
    assert (none, two) == tuple(best(fuse(rack, DECK)[9])[2] for rack in racks[:2])
    assert three < two - 0.02
    assert four < three - 0.1
    with_pile = fuse([*racks[3], Evidence((number(57, 0.95),))], DECK, groups=[10])
    assert best(with_pile[10])[2] > best(with_pile[9])[2] + 0.1, "the pile is no slot of the rack"


def test_slots_that_are_partly_out_of_the_picture_tell_nothing_of_others_by_being_unread() -> None:
    """Of a rack half out of view the numbers of half of the cards are: the others are read as well as ever."""
    read, blurred = Evidence((number(57, 0.99),)), Evidence((number(8, 0.6, other=6),))
    beyond = range(9)
    assert sure(fuse([*[Evidence()] * 9, read], DECK, groups=[10])[9]) is None
    assert sure(fuse([*[Evidence()] * 9, read], DECK, groups=[10], beyond=beyond)[9]) == ("card", 57)
    assert sure(fuse([*[blurred] * 9, read], DECK, groups=[10], beyond=beyond)[9]) is None


def test_the_surer_of_two_places_keeps_a_card_that_both_read() -> None:
    sure, other = number(48, 0.99999), number(48, 0.4)
    here, there = fuse([Evidence((sure,)), Evidence((other,))], DECK)
    assert best(here)[:2] == ("card", 48)
    assert best(here)[2] > 0.96
    assert best(there)[2] < 0.2


def test_a_number_is_trusted_no_more_than_its_own_place_is() -> None:
    at_rim, elsewhere = number(14, 0.99999, trust=0.9), number(4, 0.3, other=0, left=place_of(14) + 1.5)
    (reading,) = fuse([Evidence((at_rim, elsewhere))], DECK)
    assert best(reading)[1] == 14
    assert best(reading)[2] <= 0.9
    (borne_out,) = fuse([Evidence((at_rim, number(14, 0.99999)))], DECK)
    assert best(borne_out)[2] > 0.96


def test_what_is_no_number_lends_no_trust_to_one_in_whose_place_it_stands() -> None:
    # as on a drawn card whose own number was hidden: its left side was read as a 1, in a 1's place
    clear = [Evidence((number(card, 0.9999),)) for card in (3, 12, 17, 26, 35, 41, 52, 58)]
    left = place_of(1) - 1.0
    at_rim, none = number(1, 0.61, other=0, left=left, trust=0.9), number(1, 0.0004, other=0, left=left + 1.0)
    reading = fuse([*clear, Evidence((at_rim, none))], DECK)[-1]
    assert best(reading)[1] == 1
    assert best(reading)[2] <= 0.9


def test_of_two_numbers_that_are_nearly_as_likely_the_likelier_one_is_named_and_the_other_told() -> None:
    # as round figures of which a nearer card hides the lower half: 42 or 43
    chances = np.full(CARDS + 1, 1e-6)
    chances[42], chances[43] = 0.43, 0.57
    (reading,) = fuse([Evidence((Number(chances / chances.sum(), 40.0, 0.98, 30.0),))], DECK)
    assert sure(reading) is None
    assert best(reading)[:2] == ("card", 43)
    assert reading.cards[42] > 0.2


def in_slots(others: Mapping[int, Evidence]) -> list[tuple[str, int | None] | None]:
    """What is sure of a full rack of which some slots (0..9) say something else."""
    rack = [others.get(slot, Evidence((number(10 + slot),))) for slot in range(10)]
    return [sure(reading) for reading in fuse(rack, range(1, 61), groups=[len(rack)])]


def test_a_slot_is_not_empty_where_its_card_may_lean_forward_against_the_one_before() -> None:
    nothing = Evidence(empty=0.99)
    assert in_slots({4: nothing})[4] == ("empty", None)
    assert in_slots({3: Evidence((number(13),), two=0.95), 4: nothing})[4] is None
    assert in_slots({3: Evidence((number(13),), two=0.5), 4: nothing})[4] == ("empty", None)


def test_a_slot_is_not_empty_where_its_card_may_lean_back_against_the_one_behind_whose_number_is_then_its_own() -> None:
    nothing, leant_on = Evidence(empty=0.99), Evidence((number(15),), two=0.75)
    assert in_slots({4: nothing, 5: leant_on})[4:6] == [None, None]
    assert in_slots({5: leant_on})[4:6] == [("card", 14), ("card", 15)]
    assert in_slots({4: Evidence(back=0.99, empty=0.01), 5: leant_on})[4:6] == [("back", None), ("card", 15)]


def sunk(card: int) -> Evidence:
    return Evidence((replace(number(card), sunk=True),))


READ = [Evidence((number(card),)) for card in (3, 17, 35)]
"""Slots of a rack in which cards are read."""


@pytest.mark.parametrize("before", [Evidence(), Evidence(empty=0.99), Evidence((number(8, 0.001, other=0),))])
def test_a_number_that_stands_low_is_not_sure_where_none_is_read_before_it_nor_is_that_slot_empty(
    before: Evidence,
) -> None:
    """Its card may lean back until its edge is lost in that of the next one."""
    nearer, farther, *others = fuse([before, sunk(52), *READ], DECK, groups=[5])
    assert (sure(nearer), sure(farther)) == (None, None)
    assert best(farther)[1] == 52
    assert [sure(reading) for reading in others] == [("card", 3), ("card", 17), ("card", 35)]


@pytest.mark.parametrize("before", [Evidence((number(8),)), Evidence(back=0.99)])
def test_it_is_sure_where_a_card_is_seen_before_it(before: Evidence) -> None:
    assert sure(fuse([before, sunk(52), *READ], DECK, groups=[5])[1]) == ("card", 52)


def test_it_is_sure_where_it_is_the_first_of_its_rack() -> None:
    assert sure(fuse([*READ, Evidence(), sunk(52)], DECK, groups=[4, 1])[-1]) == ("card", 52)


def test_what_is_no_number_and_stands_low_makes_no_slot_before_it_full() -> None:
    logo = replace(number(8, 0.001, other=0), sunk=True)
    behind = Evidence((number(52), logo))
    assert sure(fuse([Evidence(empty=0.99), behind, *READ], DECK, groups=[5])[0]) == ("empty", None)


def test_a_card_is_turned_round_only_beside_one_whose_face_is_known() -> None:
    back, unsure = Evidence(back=0.99), Evidence((number(20, 0.5, other=0),))
    assert sure(fuse([back, unsure, unsure], DECK, groups=[3])[0]) is None
    assert sure(fuse([back, unsure, READ[0]], DECK, groups=[3])[0]) == ("back", None)
    assert sure(fuse([READ[0], back, unsure], DECK, groups=[1, 2])[1]) is None


def test_a_card_that_is_read_at_both_ends_is_told_though_another_peeps_out_from_under_it() -> None:
    ends = [replace(number(2, left=left), turned=turned) for left, turned in ((4.0, False), (9.0, True))]
    peeping = number(7, 0.9999, left=16.0)
    assert sure(fuse([Evidence((ends[0], peeping))], DECK)[0]) is None
    assert sure(fuse([Evidence((*ends, peeping))], DECK)[0]) == ("card", 2)
    assert sure(fuse([Evidence((ends[0], ends[0], peeping))], DECK)[0]) is None


def test_looks_at_both_ends_of_a_card_are_not_mixed() -> None:
    ends = number(2, left=9.0), replace(number(9, left=9.0), turned=True)
    merged = together([Evidence(ends)] * 2).numbers
    assert {(one.turned, int(one.probabilities.argmax())) for one in merged} == {(False, 2), (True, 9)}


def test_a_number_that_stands_low_does_so_in_several_looks() -> None:
    assert [one.sunk for one in together([sunk(52), sunk(52)]).numbers] == [True]
