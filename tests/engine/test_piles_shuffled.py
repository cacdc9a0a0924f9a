"""The discard pile is shuffled when it is turned over. No leaflet has it so, but people do."""

from dataclasses import replace

import pytest

from engine.cards import Card
from engine.round import Play, turned_over
from tests.engine.tables import PARKER, Watched, Ways, dice

HASBRO = Ways("hasbro-2006")


def used_up(ways: Ways, players: int, seed: int, looks: int, *, lacking: int = 0) -> Watched:
    """A table whose draw pile has just been used up; so many cards are `lacking` in its deck."""
    start = ways.dealt(players, seed)
    table = Watched(replace(start, draw=start.draw[lacking:]), ways, looks=looks)
    while table.position.draw:
        table.go_on(1, seed + len(table.true))
    return table


def shuffle(table: Watched, seed: int, *, up: Card | None = None) -> None:
    """Turn the pile over and shuffle it, the card `up` being turned up; nobody has looked at it yet."""
    turned = turned_over(table.position)
    cards = [*turned.draw, *turned.discard]
    dice(seed).shuffle(cards)
    if up is not None:
        cards.remove(up)
        cards.append(up)
    left = len(turned.draw)
    table.position = replace(turned, draw=tuple(cards[:left]), discard=tuple(cards[left:]))


@pytest.mark.parametrize("shown", [True, False], ids=["before anybody draws", "with the next draw"])
@pytest.mark.parametrize("ways", [PARKER, HASBRO], ids=["parker", "hasbro"])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_what_is_drawn_then_is_what_is_seen(ways: Ways, players: int, seed: int, *, shown: bool) -> None:
    table = used_up(ways, players, seed, looks=2)
    shuffle(table, seed)
    if shown:
        table.show()
    else:
        table.play(Play("draw", 25))
    table.go_on(8, seed)
    table.finish()
    assert table.violations == []
    assert table.turns == table.true


@pytest.mark.parametrize("seed", range(6))
def test_nobody_plays_out_of_turn_where_the_card_that_is_turned_up_might_have_been_drawn(seed: int) -> None:
    """In its order, the pile would have had that card on top: who is to move would have drawn and discarded it."""
    table = used_up(PARKER, 3, seed, looks=2)
    shuffle(table, seed, up=turned_over(table.position).draw[-1])
    table.show()
    for _ in range(3):
        table.play(Play("draw", 25))
    table.finish()
    assert table.violations == []
    assert table.turns == table.true


@pytest.mark.parametrize("ways", [PARKER, HASBRO], ids=["parker", "hasbro"])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("shuffled", [True, False])
def test_cards_to_draw_show_that_the_pile_was_turned_over_though_no_discard_is_told(
    ways: Ways, players: int, *, shuffled: bool
) -> None:
    table = used_up(ways, players, 1, looks=2)
    if shuffled:
        shuffle(table, 1)
    else:
        table.position = turned_over(table.position)
    table.show(unseen=["discard"])
    assert table.referee._histories[0].position.draw  # noqa: SLF001 - what it holds by then
    table.go_on(8, 1)
    table.finish()
    assert table.violations == []
    assert table.turns == table.true
