"""The draw pile is used up, and the discard pile is turned over, before anybody draws."""

from collections.abc import Collection, Mapping

import pytest

from engine.cards import Slot
from engine.events import Event
from engine.following.history import Place
from engine.lines import Sighting
from engine.round import Play
from tests.engine.tables import Watched, Ways

HASBRO = Ways("hasbro-2006")
"""Where nothing is left of the discard pile that is turned over."""


class HalfRead(Watched):
    """A table at which nobody can read one slot of seat 2."""

    slot: Slot = 25

    def show(
        self,
        looks: int | None = None,
        *,
        unseen: Collection[Place] = (),
        instead: Mapping[Place, Sighting] | None = None,
    ) -> list[Event]:
        return super().show(looks, unseen=[*unseen, (2, self.slot)], instead=instead)


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("seed", range(7, 13))
def test_a_pass_before_it_is_no_exchange_in_a_slot_that_nobody_can_read(players: int, seed: int) -> None:
    """All of the pile is gone: nobody has merely lifted its top."""
    table = HalfRead(HASBRO.dealt(players, seed), HASBRO)
    while table.position.draw:
        table.play(Play("draw", None))
    table.turn_over(looks=4)
    for _ in range(4):
        table.play(Play("draw", None))
    table.finish()
    assert table.turns == table.true
    assert table.violations == []
