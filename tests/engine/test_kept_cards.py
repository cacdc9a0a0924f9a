"""Cards that somebody has kept from the discard pile: they lie under the draw pile, or come back no more."""

from dataclasses import replace

import pytest

from engine.round import Play
from tests.engine.tables import PARKER, Watched, look
from tests.engine.test_cheats import PLAYERS, SEEDS, wrong_discard


@PLAYERS
@SEEDS
@pytest.mark.parametrize("at_once", [True, False])
def test_a_card_kept_from_the_discard_pile_confuses_nobody_when_the_draw_pile_is_used_up(
    players: int, seed: int, *, at_once: bool
) -> None:
    table = Watched(PARKER.dealt(players, seed))
    table.go_on(1, seed)
    cheat = wrong_discard(table.position, seed, source="draw")
    table.becomes(cheat.after)
    table.play(Play("draw", 35))
    while len(table.position.draw) > 1:
        table.play(Play("draw", None))
    played = len(table.true)
    table.play(Play("draw", 30), looks=0 if at_once else 2)
    if at_once:
        table.turn_over()
    for slot in (5, 10, None, 15):
        table.play(Play("draw", slot))
    table.finish()
    assert table.violations == [("wrong-discard", cheat.seat)]
    assert table.turns[-5:] == table.true[played:]


@PLAYERS
@pytest.mark.parametrize("hidden", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1), (0, 0, 0), (1, 1, 1)])
def test_whichever_kept_cards_lie_under_the_draw_pile_those_that_are_drawn_are_told(
    players: int, hidden: tuple[int, ...]
) -> None:
    table = Watched(PARKER.dealt(players, 1002))
    for under in hidden:
        table.go_on(players + 1, 7)
        table.becomes(wrong_discard(table.position, 1000 + under, source="draw").after)
    while len(table.position.draw) > sum(hidden):
        table.play(Play("draw", None))
    played = len(table.true)
    for slot in (5, 10, 15, 20, 25):
        table.play(Play("draw", slot))
    table.finish()
    assert [rule for rule, _ in table.violations] == ["wrong-discard"] * len(hidden)
    assert table.turns[-5:] == table.true[played:]


@PLAYERS
@pytest.mark.parametrize("seed", range(4))
def test_the_last_card_may_have_been_drawn_though_the_pile_is_told_as_it_was_before(players: int, seed: int) -> None:
    """The tray's camera has missed the hand that drew it: what it told before is told again with the rack's look."""
    table = Watched(PARKER.dealt(players, seed))
    for under in (1, 0, 0):
        table.go_on(players + 1, seed)
        table.becomes(wrong_discard(table.position, 1000 + under, source="draw").after)
    while len(table.position.draw) > 1:
        table.play(Play("draw", None))
    seat, before = table.position.to_move, table.position.discard[-1]
    table.play(Play("draw", 20), looks=0)
    for _ in range(2):
        table.t += 1.0
        half = look(table.position, table.t, instead={"discard": {before: 1.0}})
        table.line(replace(half, draw="cards"))
    for _ in range(2):
        table.t += 1.0
        table.line(replace(look(table.position, table.t), draw=None))
    table.turn_over()
    for slot in (5, None, 15):
        table.play(Play("draw", slot))
    table.finish()
    assert [rule for rule, _ in table.violations] == ["wrong-discard"] * 3
    assert table.turns[-4:] == table.true[-4:]
    assert table.turns[-4].seat == seat
