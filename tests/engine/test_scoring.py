"""Scores: the leaflets' own cases, and an oracle over random racks."""

from collections.abc import Sequence
from itertools import pairwise, takewhile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import SLOTS, Card, Seat, Slot
from engine.editions import EDITIONS
from engine.errors import BadInput
from engine.rack import broken_at, is_racko, longest_run, rising_length
from engine.scoring import score_rack, score_round
from engine.variants import rules_for
from tests.engine.by_hand import Way, ways

PARKER = "Parker Brothers leaflet, 1992, Scoring a Round"
RISING = (3, 7, 9, 14, 21, 22, 30, 33, 38, 40)
PLAIN = rules_for("parker-1992", 2)

LEAFLET_CASES = [
    pytest.param((3, 7, 35, 12, 13, 20, 30, 31, 39, 40), 15, 20, id=f"{PARKER}: 3, 7, 35, then below 35 is 15"),
    pytest.param((5, 8, 11, 17, 25, 31, 22, 27, 33, 40), 30, 35, id=f"{PARKER}: 5 to 31 over six, then 22, is 30"),
    pytest.param((9, 4, 10, 11, 12, 13, 14, 15, 16, 17), 5, 10, id=f"{PARKER}: a second card lower leaves 5"),
    pytest.param((40, 39, 38, 37, 36, 35, 34, 33, 32, 31), 5, 10, id=f"{PARKER}: the first card always counts"),
    pytest.param((1, 2, 3, 4, 5, 6, 7, 8, 40, 39), 45, 50, id=f"{PARKER}: broken at the last slot is 45"),
    pytest.param(RISING, 50, None, id=f"{PARKER}: a full rack that did not go out is 50"),
]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("cards", "points", "broke_at"), LEAFLET_CASES)
def test_a_rack_that_did_not_go_out_scores_five_a_card_up_to_the_break(
    cards: tuple[Card, ...], points: int, broke_at: Slot | None, edition: str
) -> None:
    for variants in ((), ("bonus",), ("run-of-three",), ("run-of-three", "bonus-from-four")):
        score = score_rack(rules_for(edition, 2, variants), cards, out=False)
        assert (score.points, score.scoring, score.broke_at) == (points, points // 5, broke_at)
        assert str(points) in score.why


def test_going_out_scores_75_by_the_parker_leaflet_scoring_a_round() -> None:
    score = score_rack(PLAIN, RISING, out=True)
    assert (score.points, score.scoring, score.broke_at) == (75, 10, None)
    assert "75" in score.why


def test_the_words_of_a_score_name_the_breaking_slot_and_its_two_cards() -> None:
    assert score_rack(PLAIN, (5, 8, 11, 17, 25, 31, 22, 27, 33, 40), out=False).why == (
        "6 cards in order count: slot 35 breaks the order, 22 after 31; 30 points"
    )
    assert score_rack(PLAIN, (9, 4, *range(10, 18)), out=False).why.startswith("one card counts: slot 10")


def test_the_words_of_a_score_name_the_run_and_its_bonus() -> None:
    rack = (1, 2, 3, 4, 21, 22, 23, 24, 25, 26)
    why = score_rack(rules_for("parker-1992", 2, ("bonus",)), rack, out=True).why
    assert why == "went out: ten cards at 5, and 25 for going out, and 400 for a run of 6, make 475"
    no_run = score_rack(rules_for("parker-1992", 2, ("bonus",)), (*RISING[:3], 15, 20, 24, 28, 33, 38, 40), out=True)
    assert no_run.why == "went out: ten cards at 5, and 25 for going out, make 75"


def test_the_words_of_a_quick_game_give_no_points() -> None:
    rules = rules_for("hasbro-2006", 2, ("quick",))
    assert score_rack(rules, RISING, out=True).why == "went out and wins"
    assert score_rack(rules, RISING, out=False).why == "a quick game has no scoring"


@pytest.mark.parametrize(
    ("cards", "run"),
    [
        ((24, 25, 26, 30, 31, 33, 35, 37, 39, 40), 3),
        ((24, 26, 25, 30, 32, 34, 35, 37, 39, 40), 2),
        ((1, 2, 3, 5, 6, 7, 8, 10, 11, 12), 4),
        ((26, 25, 24, 23, 22, 21, 20, 19, 18, 17), 1),
        ((4, 1, 2, 3, 30, 20, 21, 40, 41, 50), 3),
        (range(31, 41), 10),
        ((1,), 1),
    ],
)
def test_a_run_is_of_consecutive_numbers_in_neighbouring_slots(cards: Sequence[Card], run: int) -> None:
    assert longest_run(cards) == run


def test_any_steps_are_in_order_and_nine_cards_are_no_rack() -> None:
    assert is_racko((1, 2, 3, 4, 5, 6, 7, 8, 9, 60))
    assert not is_racko(RISING[:9])
    assert not is_racko((2, 1, *RISING[2:]))


def test_a_round_scores_every_rack_that_was_shown() -> None:
    racks = {3: (1, 2, 4, 50, 5, 6, 8, 10, 11, 12), 1: RISING, 2: (42, 41, *range(43, 50), 13)}
    scores = score_round(rules_for("parker-1992", 3), racks, out=1)
    assert {seat: score.points for seat, score in scores.items()} == {1: 75, 2: 5, 3: 20}
    assert list(scores) == [1, 2, 3]


LOW, HIGH = tuple(range(1, 11)), tuple(range(11, 21))

REFUSED = [
    pytest.param({1: LOW[:9], 2: HIGH}, 1, "seat 1 shows 9 cards", id="nine cards"),
    pytest.param({1: (*LOW, 30), 2: HIGH}, 1, "seat 1 shows 11 cards", id="eleven cards"),
    pytest.param({1: LOW, 2: (*HIGH[:9], 41)}, 1, "card 41; this deck is 1 to 40", id="a card above the deck"),
    pytest.param({1: (0, *LOW[1:]), 2: HIGH}, 1, "card 0;", id="a card below the deck"),
    pytest.param({1: (*LOW[:9], 9), 2: HIGH}, 1, "card 9 twice", id="a card twice in a rack"),
    pytest.param({1: LOW, 2: (*HIGH[:9], 10)}, 1, "seat 2 shows card 10 and so does seat 1", id="a card in two racks"),
    pytest.param({1: LOW, 2: HIGH}, 3, "seat 3 is said to have gone out", id="nobody there to go out"),
    pytest.param({1: (2, 1, *LOW[2:]), 2: HIGH}, 1, "do not rise at slot 10", id="out with a rack not in order"),
]


@pytest.mark.parametrize(("racks", "out", "words"), REFUSED)
def test_racks_that_cannot_be_are_refused_in_words(racks: dict[Seat, Sequence[Card]], out: Seat, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        score_round(rules_for("parker-1992", 2), racks, out)


def oracle(cards: Sequence[Card]) -> int:
    """How many cards count, said once more in other words."""
    return 1 + len(list(takewhile(lambda pair: pair[1] > pair[0], pairwise(cards))))


@st.composite
def racks_with_a_rise(draw: st.DrawFn) -> tuple[Card, ...]:
    """Ten cards of which any number rises at first, for random racks nearly always break at once."""
    cards = draw(st.permutations(range(1, 61)))[:10]
    rise = draw(st.integers(0, 10))
    return (*sorted(cards[:rise]), *cards[rise:])


@given(racks_with_a_rise(), st.booleans())
def test_scores_agree_with_the_oracle(cards: tuple[Card, ...], out: bool) -> None:  # noqa: FBT001 - hypothesis gives it
    counting = oracle(cards)
    assert rising_length(cards) == counting
    assert is_racko(cards) == (counting == 10) == (list(cards) == sorted(cards))
    assert broken_at(cards) == (SLOTS[counting] if counting < 10 else None)
    goes_out = out and counting == 10
    assert score_rack(PLAIN, cards, out=goes_out).points == 5 * counting + (25 if goes_out else 0)


@given(ways(), st.data())
def test_a_rounds_scores_agree_with_those_worked_out_by_hand(way: Way, data: st.DataObject) -> None:
    deck = data.draw(st.permutations(range(1, way.highest_card + 1)))
    racks = {seat: deck[10 * place : 10 * place + 10] for place, seat in enumerate(way.seats)}
    out = data.draw(st.sampled_from(way.seats))
    lowest, run = data.draw(st.integers(1, way.highest_card - 9)), data.draw(st.integers(0, 10))
    elsewhere = [card for seat, rack in racks.items() if seat != out for card in rack]
    together = [card for card in range(lowest, lowest + run) if card not in elsewhere]
    others = [card for card in deck if card not in together and card not in elsewhere]
    racks[out] = sorted([*together, *others[: 10 - len(together)]])
    rules = rules_for(way.edition, len(way.seats), way.variants, way.options)
    if not way.goes_out(racks[out]):
        with pytest.raises(BadInput, match="this game asks for 3"):
            score_round(rules, racks, out)
        return
    scores = score_round(rules, racks, out)
    expected = {seat: way.points(cards, out=seat == out) for seat, cards in racks.items()}
    assert {seat: score.points for seat, score in scores.items()} == expected
    for seat, cards in racks.items():
        assert scores[seat].scoring == oracle(cards)
