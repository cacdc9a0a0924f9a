"""A game between its rounds: seats, totals, whose deal it is, and who has won."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.cards import Seat
from engine.errors import BadInput, IllegalPlay, RackoError
from engine.game import Game, Player, new_game
from engine.variants import Options
from tests.engine.by_hand import Way, ways
from tests.engine.tables import check_one_line


def people(*seats: Seat) -> list[Player]:
    return [Player(seat, f"Player of seat {seat}") for seat in seats]


@pytest.mark.parametrize(
    ("seats", "words"),
    [
        ((1, 5), "seat 5 is none of 1 to 4"),
        ((0, 1), "seat 0 is none of 1 to 4"),
        ((-1, 1), "seat -1 is none of 1 to 4"),
        ((2, 2), "seat 2 is given to two players"),
        ((3,), "1 players"),
        ((), "0 players"),
    ],
)
def test_seats_that_cannot_be_are_refused(seats: tuple[Seat, ...], words: str) -> None:
    with pytest.raises(BadInput, match=words) as refused:
        new_game("parker-1992", people(*seats))
    check_one_line(refused.value)


@pytest.mark.parametrize(
    ("edition", "variants", "options", "words"),
    [
        ("parker-1993", (), Options(), "edition 'parker-1993' is not known"),
        ("parker-1992", ("partners",), Options(), "variant 'partners' is for 4 players, not for 3"),
        ("parker-1992", ("bonus",), Options(ends_by_itself=True), "'ends_by_itself' is not for a bonus game"),
    ],
)
def test_a_game_whose_rules_are_not_played_is_refused(
    edition: str, variants: tuple[str, ...], options: Options, words: str
) -> None:
    with pytest.raises(BadInput, match=words):
        new_game(edition, people(1, 2, 4), variants, options)


@pytest.mark.parametrize(
    ("seats", "dealers"), [((1, 2), (1, 2, 1)), ((1, 2, 3, 4), (1, 2, 3, 4, 1)), ((1, 3, 4), (3, 4, 1, 3))]
)
def test_the_next_round_is_dealt_by_the_player_to_the_left(seats: tuple[Seat, ...], dealers: tuple[Seat, ...]) -> None:
    game = new_game("parker-1992", people(*seats))
    assert [game.next_dealer(dealer) for dealer in dealers[:-1]] == list(dealers[1:])


def test_players_sit_in_the_order_of_their_seats_whoever_is_named_first() -> None:
    game = new_game("parker-1992", people(4, 1, 3))
    assert game.seats == (1, 3, 4)
    assert game.name(3) == "Player of seat 3"
    assert game.rules.highest_card == 50
    partners = new_game("parker-1992", people(4, 2, 3, 1), ("partners",))
    assert partners.sides == ((1, 3), (2, 4))


def test_a_game_keeps_its_variants_and_options() -> None:
    options = Options(turn_over="no-discard")
    game = new_game("retro", people(1, 2), ["run-of-three", "bonus"], options)
    assert (game.edition, game.variants, game.options) == ("retro", ("run-of-three", "bonus"), options)
    assert (game.rules.edition.run_needed, game.rules.edition.turn_over) == (3, "no-discard")
    assert game.sides == ((1,), (2,))


def scored(*rounds: tuple[int, ...]) -> Game:
    """A game in which each round brought these points, by seat."""
    game = new_game("parker-1992", people(*range(1, len(rounds[0]) + 1)))
    for points in rounds:
        game = game.after_round(dict(enumerate(points, 1)), 1)
    return game


def test_the_rounds_add_up_and_a_tie_is_broken_by_the_next_round() -> None:
    tied = scored((450, 475), (75, 50))
    assert tied.totals == {1: 525, 2: 525}
    assert tied.winners == ()
    assert tied.after_round({1: 5, 2: 75}, 2).winners == (2,)
    assert len(tied.rounds) == 2, "a game is never changed, only followed by another"


def test_a_new_game_has_no_rounds_and_no_winner() -> None:
    game = new_game("parker-1992", people(1, 2))
    assert (game.rounds, game.totals, game.winners, game.last_out) == ((), {1: 0, 2: 0}, (), None)


@given(ways(), st.lists(st.lists(st.integers(0, 95).map(lambda five: 5 * five), min_size=4, max_size=4), max_size=8))
@example(Way("parker-1992", (1, 2, 3, 4), ("partners",)), [[250, 5, 250, 495]])
@example(Way("hasbro-2006", (2, 4)), [[250, 250, 0, 0], [250, 245, 0, 0]])
def test_totals_and_winners_agree_with_those_worked_out_by_hand(way: Way, rounds: list[list[int]]) -> None:
    game = new_game(way.edition, people(*way.seats), way.variants, way.options)
    out = None
    totals = dict.fromkeys(way.seats, 0)
    for number, row in enumerate(rounds):
        out = way.seats[number % len(way.seats)]
        points = dict(zip(way.seats, row, strict=False))
        totals = {seat: totals[seat] + points[seat] for seat in way.seats}
        game = game.after_round(points, out)
        assert game.totals == totals
        assert game.winners == way.winners(totals, out)
    assert len(game.rounds) == len(rounds)
    assert game.last_out == out


def test_every_error_has_the_rooms_root_and_its_exit_code() -> None:
    assert issubclass(BadInput, RackoError)
    assert BadInput.exit_code == 2
    assert issubclass(IllegalPlay, RackoError)
    assert IllegalPlay.exit_code == 1
