"""The deal, the turns and the refill, by cases from the leaflets."""

from dataclasses import replace

import pytest

from engine.cards import SLOTS, Seat
from engine.errors import BadInput, IllegalPlay
from engine.round import ALL_PLAYS, Play, Round, deal, left_of, legal_plays, moved, play, turned_over

FIRST = tuple(range(1, 11))
SECOND = tuple(range(11, 21))
POSITION = Round(seats=(1, 2), racks=(FIRST, SECOND), draw=(23, 22, 21), discard=(31, 32), to_move=1)
"""Card 21 is on top of the draw pile and 32 on top of the discard pile: the top comes last."""


def test_the_first_card_dealt_goes_to_slot_50_and_the_last_to_slot_5_by_the_parker_leaflet_preparation() -> None:
    position = deal((1, 2), 1, range(1, 41))
    assert position.rack(2) == (19, 17, 15, 13, 11, 9, 7, 5, 3, 1)
    assert position.rack(1) == (20, 18, 16, 14, 12, 10, 8, 6, 4, 2)


@pytest.mark.parametrize(
    ("seats", "dealer", "order"),
    [
        ((1, 2), 1, (2, 1)),
        ((1, 2), 2, (1, 2)),
        ((1, 2, 3), 2, (3, 1, 2)),
        ((1, 2, 3, 4), 3, (4, 1, 2, 3)),
        ((1, 2, 3, 4), 4, (1, 2, 3, 4)),
        ((1, 3, 4), 1, (3, 4, 1)),
    ],
)
def test_cards_are_dealt_one_at_a_time_from_the_dealers_left_by_the_parker_leaflet_preparation(
    seats: tuple[Seat, ...], dealer: Seat, order: tuple[Seat, ...]
) -> None:
    position = deal(seats, dealer, range(1, 61))
    assert [position.rack(seat)[9] for seat in order] == list(range(1, len(order) + 1))
    assert [position.rack(seat)[0] for seat in order] == list(range(9 * len(order) + 1, 10 * len(order) + 1))
    assert position.seats == seats
    assert position.to_move == order[0], "the player to the left of the dealer begins"


def test_the_top_of_the_rest_starts_the_discard_pile_by_the_parker_leaflet_preparation() -> None:
    position = deal((1, 2), 1, range(1, 41))
    assert position.discard == (21,)
    assert position.draw == tuple(range(40, 21, -1))
    assert position.draw[-1] == 22, "the next card of the deck is drawn next"


@pytest.mark.parametrize(
    ("dealer", "cards", "words"),
    [(3, 40, "the dealer's seat 3 is none of"), (1, 20, "a deck of 20 cards is too small")],
)
def test_a_deal_that_cannot_be_is_refused(dealer: Seat, cards: int, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        deal((1, 2), dealer, range(1, cards + 1))


def test_a_taken_card_stands_in_the_old_ones_slot_and_the_old_one_goes_on_the_discard_pile() -> None:
    after = play(POSITION, Play("discard", 15))
    assert after.rack(1) == (1, 2, 32, 4, 5, 6, 7, 8, 9, 10)
    assert (after.rack(2), after.draw, after.discard, after.to_move) == (SECOND, (23, 22, 21), (31, 3), 2)


def test_a_drawn_card_can_be_exchanged_for_one_of_the_rack() -> None:
    after = play(POSITION, Play("draw", 50))
    assert after.rack(1) == (1, 2, 3, 4, 5, 6, 7, 8, 9, 21)
    assert (after.rack(2), after.draw, after.discard, after.to_move) == (SECOND, (23, 22), (31, 32, 10), 2)


def test_a_drawn_card_can_be_discarded() -> None:
    after = play(POSITION, Play("draw", None))
    assert (after.racks, after.draw, after.discard) == (POSITION.racks, (23, 22), (31, 32, 21))


def test_a_card_from_the_discard_pile_must_be_exchanged_by_the_parker_leaflet_play() -> None:
    assert Play("discard", None) not in legal_plays(POSITION)
    with pytest.raises(IllegalPlay, match="must be exchanged"):
        play(POSITION, Play("discard", None))


def test_cards_move_for_any_seat_legal_or_not_and_then_it_is_the_turn_of_the_player_to_its_left() -> None:
    # The referee follows the table also where somebody plays out of turn, or takes what may not be taken.
    prime = replace(POSITION, powers={32: None, 5: None}, power_of=2, again=True)
    after = moved(prime, Play("discard", 5), seat=2)
    assert (after.rack(1), after.rack(2)) == (FIRST, (32, *SECOND[1:]))
    assert (after.draw, after.discard, after.to_move) == (POSITION.draw, (31, 11), 1)
    assert (after.again, after.power_of, after.powers) == (False, None, prime.powers)
    assert moved(POSITION, Play("discard", None), seat=1) == replace(POSITION, to_move=2), "taken and laid back"


def test_play_goes_to_the_left_around_the_table() -> None:
    assert [left_of((1, 2, 3, 4), seat) for seat in (1, 2, 3, 4)] == [2, 3, 4, 1]
    assert [left_of((1, 3), seat) for seat in (1, 3)] == [3, 1]


def test_a_used_up_draw_pile_is_the_discard_pile_turned_over_unshuffled_by_the_parker_leaflet_play() -> None:
    # 11 was discarded first and lies at the bottom; turned over it comes to the top and starts the next discard pile.
    # Then 12 lies on top of the draw pile, 13 below it and 14, discarded last, at the bottom.
    empty = Round((1, 2), (tuple(range(1, 11)), tuple(range(21, 31))), (), (11, 12, 13, 14), to_move=1)
    refilled = turned_over(empty)
    assert (refilled.discard, refilled.draw) == ((11,), (14, 13, 12))
    assert refilled.racks == empty.racks
    drawn = play(empty, Play("draw", 5))
    assert drawn.rack(1)[0] == 12
    assert (drawn.discard, drawn.draw) == ((11, 1), (14, 13))
    assert play(empty, Play("draw", None)).discard == (11, 12)


def test_the_last_discard_may_still_be_taken_while_the_draw_pile_is_used_up() -> None:
    empty = Round((1, 2), (tuple(range(1, 11)), tuple(range(21, 31))), (), (11, 12, 13, 14), to_move=1)
    after = play(empty, Play("discard", 5))
    assert (after.rack(1)[0], after.draw, after.discard) == (14, (), (11, 12, 13, 1))


def test_all_of_the_discard_pile_is_the_next_draw_pile_where_the_edition_says_so_by_the_hasbro_leaflet_2006() -> None:
    empty = replace(POSITION, draw=(), discard=(11, 12, 13), turn_over="no-discard")
    refilled = turned_over(empty)
    assert (refilled.discard, refilled.draw) == ((), (13, 12, 11))
    assert play(empty, Play("draw", None)).discard == (11,)


def test_the_discard_pile_is_turned_over_only_when_the_draw_pile_is_used_up() -> None:
    with pytest.raises(IllegalPlay, match="only when the draw pile is used up"):
        turned_over(POSITION)


DISCARDED = (Play("draw", None),)
DRAWN = tuple(Play("draw", slot) for slot in SLOTS)
TAKEN = tuple(Play("discard", slot) for slot in SLOTS)


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        pytest.param(POSITION, DISCARDED + DRAWN + TAKEN, id="both piles"),
        pytest.param(replace(POSITION, draw=()), DISCARDED + DRAWN + TAKEN, id="a discard pile to turn over"),
        pytest.param(replace(POSITION, draw=(), discard=(31,)), TAKEN, id="one discard, which stays the discard"),
        pytest.param(
            replace(POSITION, draw=(), discard=(31,), turn_over="no-discard"),
            DISCARDED + DRAWN + TAKEN,
            id="one discard, which becomes the draw pile",
        ),
        pytest.param(replace(POSITION, discard=()), DISCARDED + DRAWN, id="no discard"),
    ],
)
def test_the_legal_plays_follow_from_the_piles(position: Round, expected: tuple[Play, ...]) -> None:
    assert legal_plays(position) == expected
    for move in ALL_PLAYS:
        if move not in expected:
            with pytest.raises(IllegalPlay):
                play(position, move)
