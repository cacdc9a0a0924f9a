"""Rounds of which every turn is seen in parts, in some order, and cheats among them."""

from random import Random
from typing import Final

import pytest

from engine.events import Thread
from engine.record import turn_between
from engine.round import play
from tests.engine.apart import ORDERS, Apart, pile_only, some_turns_later
from tests.engine.tables import careless, dice
from tests.engine.test_cheats import NOT_TURNS, TURNS, Cheat

TURNS_OF_EACH: Final = 9


def play_on(table: Apart, turns: int, seed: int, chance: Random) -> None:
    choose = careless(seed)
    for _ in range(turns):
        before = table.position
        move = choose(before)
        after = play(before, move)
        table.true.append(turn_between(before, move, after))
        table.t += 3.5
        chance.choice(ORDERS)(table, before.to_move, after, chance)


@pytest.mark.parametrize("seed", range(16))
def test_turns_that_are_seen_in_parts_are_told_as_they_were_and_accuse_nobody(seed: int) -> None:
    table, chance = some_turns_later(2 + seed % 3, seed), dice(seed)
    play_on(table, TURNS_OF_EACH, seed, chance)
    table.show(2)
    table.finish()
    assert table.violations == []
    assert not any(isinstance(event, Thread) for event in table.said)
    assert table.turns == table.true


def cheated(seed: int) -> tuple[Apart, Cheat]:
    """Some turns, a cheat, some turns more."""
    table, chance = some_turns_later(2 + seed % 3, seed), dice(seed)
    at = chance.randrange(1, TURNS_OF_EACH - 2)
    play_on(table, at, seed, chance)
    ways = {**NOT_TURNS, **TURNS}
    done = ways[chance.choice(list(ways))](table.position, seed)
    table.t += 3.5
    chance.choice([order for order in ORDERS if order is not pile_only])(table, done.seat, done.after, chance)
    play_on(table, TURNS_OF_EACH - at, seed, chance)
    table.show(2)
    table.finish()
    return table, done


@pytest.mark.slow
@pytest.mark.parametrize("group", range(3))
def test_of_cheats_that_are_seen_in_parts_most_are_named_and_nobody_else_is_accused(group: int) -> None:
    """Some are not certain; and where one player did two things it may not be, which of two rules that broke."""
    named = 0
    for seed in range(12 * group, 12 * group + 12):
        table, done = cheated(seed)
        assert {seat for _, seat in table.violations} <= {done.seat}
        named += table.violations == [(done.rule, done.seat)]
    assert named >= 9
