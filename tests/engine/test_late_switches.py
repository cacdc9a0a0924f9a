"""Cards that change places after the next act, in sight all the while: no power was used, for play had gone on."""

import pytest

from engine.cards import Seat
from tests.engine.tables import Watched
from tests.engine.test_used_powers import HASBRO, PLAYERS, SEEDS, calm_turns, up_to_a_prime


def switched_own_is_named(table: Watched, seat: Seat, seed: int) -> None:
    """Two cards of a rack change places before everybody's eyes, which is named, and play goes on."""
    rack = table.position.rack(seat)
    table.put({(seat, 10): rack[7], (seat, 40): rack[1]}, looks=2)
    calm_turns(table, seed + 1, 4)
    table.finish()
    assert table.violations == [("cards-rearranged", seat)]
    assert table.turns == table.true


@PLAYERS
@SEEDS
@pytest.mark.parametrize("looks", [1, 2, 3])
def test_after_a_further_turn_the_power_that_gave_it_switches_no_cards(players: int, seed: int, looks: int) -> None:
    """The further turn was held to be out of turn, and the cards to have been switched by the power after it."""
    table = Watched(HASBRO.dealt(players, seed), HASBRO)
    up_to_a_prime(table, seed)
    table.use("again", looks=0)
    calm_turns(table, seed, 1, looks=looks)
    table.show(looks)
    seat = table.position.to_move
    switched_own_is_named(table, seat, seed)


@PLAYERS
@SEEDS
@pytest.mark.parametrize("looks", [1, 2, 3])
def test_after_the_next_players_turn_a_power_switches_no_cards(players: int, seed: int, looks: int) -> None:
    table = Watched(HASBRO.dealt(players, seed), HASBRO)
    up_to_a_prime(table, seed)
    seat = table.position.to_move
    calm_turns(table, seed, 1, looks=looks)
    table.show(looks)
    switched_own_is_named(table, seat, seed)
