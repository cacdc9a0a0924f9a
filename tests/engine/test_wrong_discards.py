"""Another card than the exchanged one is discarded in people's own ways: laid down first, or after a slot was tried."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from engine.cards import SLOTS, Seat, Source, slot_index
from engine.following.history import Place
from engine.lines import EMPTY, Sighting
from engine.round import Play, Round, moved
from engine.variants import Options
from tests.engine.tables import PARKER, Watched, Ways, dice

PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])
SOURCES = pytest.mark.parametrize("source", ["draw", "discard"])
SEEDS = pytest.mark.parametrize("seed", [1, 2, 3])
PASS = Play("draw", None)


def with_next_discarded(before: Round, move: Play) -> Round:
    """The player to move keeps the card that left the rack, and discards the draw pile's next."""
    after = moved(before, move, before.to_move)
    return replace(after, draw=after.draw[:-1], discard=(*after.discard[:-1], after.draw[-1]))


def accused(table: Watched, seat: Seat) -> None:
    """Play on; every turn that follows is told, and that one player is accused."""
    played = len(table.true)
    table.go_on(4, 7)
    table.finish()
    assert table.violations == [("wrong-discard", seat)]
    assert table.turns[-4:] == table.true[played:]


@PLAYERS
@SOURCES
@SEEDS
@pytest.mark.parametrize("seen", [True, False])
def test_a_wrong_discard_is_named_where_it_was_laid_down_before_the_new_card_stands(
    players: int, source: Source, seed: int, *, seen: bool
) -> None:
    """As it lies there the card seems to be drawn and discarded; that is taken back."""
    table = Watched(PARKER.dealt(players, seed))
    table.go_on(4, seed)
    before, seat, slot = table.position, table.position.to_move, dice(seed).choice(SLOTS)
    table.position = with_next_discarded(before, Play(source, slot))
    old = before.rack(seat)[slot_index(slot)]
    gap: Mapping[Place, Sighting] = {(seat, slot): {EMPTY if seen else old: 1.0}}
    table.show(instead=gap)
    table.show(3)
    accused(table, seat)


@PLAYERS
@SEEDS
def test_a_wrong_discard_is_named_where_another_slot_was_tried_first(players: int, seed: int) -> None:
    table = Watched(PARKER.dealt(players, seed))
    table.go_on(4, seed)
    before, seat = table.position, table.position.to_move
    slot, other = dice(seed).sample(SLOTS, 2)
    table.position = with_next_discarded(before, Play("draw", slot))
    covered: Mapping[Place, Sighting] = {"discard": {before.discard[-1]: 1.0}}
    stands = {**covered, (seat, slot): {before.rack(seat)[slot_index(slot)]: 1.0}}
    table.show(instead={**stands, (seat, other): {before.draw[-1]: 1.0}})
    table.show(instead=stands)
    table.show(instead=covered)
    table.show()
    accused(table, seat)


@PLAYERS
@SEEDS
def test_a_wrong_discard_is_no_further_turn_by_a_power_for_which_there_was_no_time(players: int, seed: int) -> None:
    """Else the Prime card that left the rack might lie below, and who discarded it might have drawn another."""
    start = Ways("hasbro-2006").dealt(players, seed)
    seat, prime = start.to_move, start.rack(start.to_move)[0]
    ways = Ways("hasbro-2006", options=Options(powers={prime: "another-turn"}))
    table = Watched(replace(start, powers=ways.options.powers or {}), ways)
    for _ in range(2 * players):
        table.t += 6.0
        table.play(PASS)
    before = table.position
    table.position = with_next_discarded(before, Play("draw", 5))
    table.t += 5.0
    table.show(instead={"discard": {before.discard[-1]: 1.0}})
    table.show()
    for slot in (15, 25, 35, 45):
        table.t += 6.0
        table.play(Play("draw", slot))
    table.finish()
    assert table.violations == [("wrong-discard", seat)]
    assert table.turns[-4:] == table.true[-4:]
