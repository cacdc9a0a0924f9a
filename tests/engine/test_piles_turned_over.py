"""The draw pile is used up, and the discard pile is turned over, before anybody draws."""

import pytest

from engine.round import Play
from tests.engine.tables import Watched, Ways

HASBRO = Ways("hasbro-2006")
"""Where nothing is left of the discard pile that is turned over."""


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("seed", range(7, 13))
def test_a_pass_before_it_is_no_exchange_in_a_slot_that_nobody_can_read(players: int, seed: int) -> None:
    """All of the pile is gone: nobody has merely lifted its top."""
    table = Watched(HASBRO.dealt(players, seed), HASBRO, unread=[(2, 25)])
    while table.position.draw:
        table.play(Play("draw", None))
    table.turn_over(looks=4)
    for _ in range(4):
        table.play(Play("draw", None))
    table.finish()
    assert table.turns == table.true
    assert table.violations == []
