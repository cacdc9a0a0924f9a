"""At whose place a card came up that is on the table twice: not at that of who played before it was drawn."""

from dataclasses import replace

from engine.following.history import glance_of
from engine.following.oddities import Oddities, Oddity
from engine.lines import Observation
from engine.round import Play
from tests.engine.tables import PARKER, Watched, look
from tests.engine.test_odd_cards import SEEDS

ALL = 4


@SEEDS
def test_a_second_card_came_up_with_who_drew_it_though_the_card_below_it_was_taken_for_it_at_first(seed: int) -> None:
    """The first looks at it were taken for misread ones of the card before, until a turn was plain."""
    table = Watched(PARKER.dealt(ALL, seed))
    for slot in (5, 5, 5, None):
        table.play(Play("draw", slot), looks=4)
    oddities = Oddities(60)

    def named(shown: Observation, turns: int) -> list[Oddity]:
        glance = glance_of(shown, table.position.seats, 0.5)
        return list(oddities.look(glance, table.referee._histories, turns))  # noqa: SLF001 - what it holds by then

    seat, twice = table.position.to_move, table.position.rack(table.position.to_move)[4]
    before = table.position
    table.position = replace(before, draw=(*before.draw[:-1], twice))
    misread = look(before, table.t + 0.1, instead={"discard": {twice: 1.0}})
    assert named(misread, ALL) == named(misread, ALL) == []
    table.play(Play("draw", None), looks=4)
    shown = look(table.position, table.t)
    assert named(shown, ALL + 1) == named(shown, ALL + 1) == []
    table.play(Play("draw", 10), looks=4)
    (odd,) = named(look(table.position, table.t), ALL + 2)
    assert (odd.rule, odd.seat) == ("duplicate-card", seat)
