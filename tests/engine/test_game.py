"""Editions, decks, the deal's way round the table, and winning, by cases from the leaflets."""

import pytest

from engine.cards import Seat
from engine.editions import EDITIONS, edition_named
from engine.errors import BadInput, IllegalPlay, RackoError
from engine.game import Game, Player, new_game
from engine.variants import deck_of, rules_for

LEAFLETS = {
    "parker-1992": "Parker Brothers leaflet, 1992, Preparation",
    "milton-bradley-1956": "Milton Bradley copy, 1956",
    "retro": "how-to texts of the classic edition",
}


def people(*seats: Seat) -> list[Player]:
    return [Player(seat, f"Player of seat {seat}") for seat in seats]


@pytest.mark.parametrize(
    ("edition", "players", "highest"),
    [
        pytest.param(edition, players, highest, id=f"{text}: {players} players, 1 to {highest}")
        for edition, text in LEAFLETS.items()
        for players, highest in ((2, 40), (3, 50), (4, 60))
    ],
)
def test_the_deck_grows_with_the_players(edition: str, players: int, highest: int) -> None:
    rules = rules_for(edition, players)
    assert list(rules.deck) == list(deck_of(edition, players)) == list(range(1, highest + 1))
    assert rules.highest_card == highest
    assert rules.pile_size == 19, "twenty cards are left after the deal, and one of them is turned up"
    assert rules.target == 500


@pytest.mark.parametrize(("players", "target"), [(2, 500), (3, 400), (4, 250)])
def test_all_sixty_cards_are_used_and_fewer_points_win_by_the_hasbro_leaflet_2006(players: int, target: int) -> None:
    assert len(deck_of("hasbro-2006", players)) == 60
    assert edition_named("hasbro-2006").target[players] == target


@pytest.mark.parametrize(
    ("edition", "dealer", "turn_over"),
    [
        pytest.param("parker-1992", "highest", "new-discard", id="Parker Brothers leaflet, 1992"),
        pytest.param("milton-bradley-1956", "lowest", "new-discard", id="Milton Bradley copy, 1956"),
        pytest.param("retro", "lowest", "new-discard", id="how-to texts of the classic edition"),
        pytest.param("hasbro-2006", "highest", "no-discard", id="Hasbro leaflet, 2006"),
    ],
)
def test_the_editions_differ_in_who_deals_first_and_in_the_turning_over(
    edition: str, dealer: str, turn_over: str
) -> None:
    row = EDITIONS[edition]
    assert (row.name, row.first_dealer, row.turn_over) == (edition, dealer, turn_over)


@pytest.mark.parametrize(
    ("edition", "players", "variants", "words"),
    [
        ("parker-1993", 2, (), "edition 'parker-1993' is not known; choose one of parker-1992"),
        ("parker-1992", 1, (), "1 players: RACK-O is played by 2, 3 or 4"),
        ("parker-1992", 5, (), "5 players"),
        ("parker-1992", 2, ("backwards",), "variant 'backwards' is not known"),
    ],
)
def test_rules_that_are_not_played_are_refused(
    edition: str, players: int, variants: tuple[str, ...], words: str
) -> None:
    with pytest.raises(BadInput, match=words):
        rules_for(edition, players, variants)


@pytest.mark.parametrize(
    ("seats", "words"),
    [
        ((1, 5), "seat 5 is none of 1 to 4"),
        ((0, 1), "seat 0 is none of 1 to 4"),
        ((2, 2), "seat 2 is given to two players"),
        ((3,), "1 players"),
        ((), "0 players"),
    ],
)
def test_seats_that_cannot_be_are_refused(seats: tuple[Seat, ...], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        new_game("parker-1992", people(*seats))


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


def scored(*rounds: tuple[int, ...]) -> Game:
    """A game in which each round brought these points, by seat."""
    game = new_game("parker-1992", people(*range(1, len(rounds[0]) + 1)))
    for points in rounds:
        game = game.after_round(dict(enumerate(points, 1)), 1)
    return game


WINNING = "Parker Brothers leaflet, 1992, Winning"


@pytest.mark.parametrize(
    ("totals", "winners"),
    [
        pytest.param((495, 490), (), id=f"{WINNING}: 495 is not enough"),
        pytest.param((500, 495), (1,), id=f"{WINNING}: 500 is enough"),
        pytest.param((425, 30, 510), (3,), id=f"{WINNING}: past 500"),
        pytest.param((505, 540, 500), (2,), id=f"{WINNING}: more than one past 500, the highest wins"),
        pytest.param((520, 520), (), id="a tie at the top plays on"),
        pytest.param((520, 510, 520, 5), (), id="a tie at the top plays on, whoever else is past 500"),
        pytest.param((505, 505, 510), (3,), id="a tie below the top does not matter"),
        pytest.param((0, 0), (), id="nobody has a point yet"),
    ],
)
def test_who_has_won(totals: tuple[int, ...], winners: tuple[Seat, ...]) -> None:
    game = scored(totals)
    assert tuple(game.totals.values()) == totals
    assert game.winners == winners


def test_the_rounds_add_up_and_a_tie_is_broken_by_the_next_round() -> None:
    tied = scored((450, 475), (75, 50))
    assert tied.totals == {1: 525, 2: 525}
    assert tied.winners == ()
    assert tied.after_round({1: 5, 2: 75}, 2).winners == (2,)
    assert len(tied.rounds) == 2, "a game is never changed, only followed by another"


def test_a_new_game_has_no_rounds_and_no_winner() -> None:
    game = new_game("parker-1992", people(1, 2))
    assert (game.rounds, game.totals, game.winners) == ((), {1: 0, 2: 0}, ())


def test_every_error_has_the_rooms_root_and_its_exit_code() -> None:
    assert issubclass(BadInput, RackoError)
    assert BadInput.exit_code == 2
    assert issubclass(IllegalPlay, RackoError)
    assert IllegalPlay.exit_code == 1
