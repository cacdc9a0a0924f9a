"""Decks that lack a card or more, which nobody has noticed: the draw pile is used up sooner than was counted."""

from dataclasses import replace

import pytest

from engine.round import Play
from tests.engine.tables import PARKER, Watched, Ways
from tests.engine.test_piles_shuffled import HASBRO, shuffle, used_up


@pytest.mark.parametrize("lacking", [1, 2, 3, 5])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_every_turn_is_told_and_nobody_named_where_cards_are_missing(players: int, seed: int, *, lacking: int) -> None:
    table = used_up(PARKER, players, seed, lacking=lacking, looks=2)
    table.go_on(8, seed)
    table.finish()
    assert table.violations == []
    assert table.turns == table.true


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_nobody_is_named_though_each_position_is_seen_in_one_look(players: int, seed: int) -> None:
    table = used_up(PARKER, players, seed, lacking=1, looks=1)
    table.go_on(8, seed)
    table.finish()
    assert table.violations == []


@pytest.mark.parametrize("ways", [PARKER, HASBRO], ids=["parker", "hasbro"])
@pytest.mark.parametrize("shuffled", [True, False])
def test_so_it_is_nearly_always_where_the_pile_is_turned_over_at_once(ways: Ways, *, shuffled: bool) -> None:
    """Of a card on top nobody can always say whether it was turned up, or drawn and discarded."""
    exact = []
    for seed in range(4):
        for lacking in (1, 2, 3):
            table = used_up(ways, 3, seed, lacking=lacking, looks=2)
            if shuffled:
                shuffle(table, seed)
                table.show()
            else:
                table.turn_over()
            table.go_on(8, seed)
            table.finish()
            assert table.violations == []
            exact.append(table.turns == table.true)
    assert sum(exact) >= len(exact) - 1


@pytest.mark.parametrize("seed", range(4))
def test_a_pile_that_nobody_has_seen_empty_is_used_up_all_the_same(seed: int) -> None:
    """The last card is drawn, the pile is turned over and the first of it is exchanged, all before the next look."""
    start = PARKER.dealt(2, seed)
    table = Watched(replace(start, draw=start.draw[1:]))
    while len(table.position.draw) > 1:
        table.play(Play("draw", None))
    table.play(Play("draw", 30), looks=0)
    table.play(Play("draw", 15))
    table.go_on(6, seed)
    table.finish()
    assert table.violations == []


def test_what_breaks_a_rule_is_named_as_ever_when_the_pile_is_nearly_used_up() -> None:
    for left in (1, 2, 3, 5, 8):
        table = Watched(PARKER.dealt(2, left))
        while len(table.position.draw) > left:
            table.play(Play("draw", None))
        seat = table.position.to_move
        table.out_of_turn(3 - seat, Play("draw", 20), to_move=seat)
        table.go_on(8, left)
        table.finish()
        assert table.violations == [("wrong-turn", 3 - seat)], left
