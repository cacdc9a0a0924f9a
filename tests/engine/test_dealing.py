"""What is seen of a rack while cards are dealt counts later, also where nobody sees that rack before it changes."""

from collections.abc import Collection

import pytest

from engine.cards import SLOTS, Seat, Source
from engine.following.dealing import Dealing, looks_dealt
from engine.following.history import Place
from engine.lines import EMPTY, Observation, Sighting
from engine.round import Play, Round, left_of
from tests.engine.tables import PARKER, Watched, dice, look

PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])
SEEDS = pytest.mark.parametrize("seed", [1, 2, 3, 4])
SOURCES = pytest.mark.parametrize("source", ["draw", "discard"])
GAP: Sighting = {EMPTY: 1.0}


def rack_of(seat: Seat) -> list[Place]:
    """The slots of one seat's rack."""
    return [(seat, slot) for slot in SLOTS]


def dealing(table: Watched, covered: Seat) -> None:
    """A deal by handfuls: half of each rack, then one rack in full, then the others, while a hand is before the one."""
    seats = table.position.seats
    halves = [(seat, slot) for seat in seats for slot in SLOTS[:5]]
    table.show(1, unseen=["discard"], instead=dict.fromkeys(halves, GAP))
    late: list[Place] = [(seat, slot) for seat in seats if seat != covered for slot in SLOTS[:5]]
    table.show(1, unseen=["discard"], instead=dict.fromkeys(late, GAP))
    table.show(unseen=[*rack_of(covered), "discard"])


@PLAYERS
@SEEDS
@SOURCES
def test_the_first_exchange_in_a_rack_that_only_the_deal_showed_is_told(
    players: int, seed: int, source: Source
) -> None:
    table = Watched(PARKER.dealt(players, seed), shown=False)
    seat, slot = table.position.to_move, dice(seed).choice(SLOTS)
    dealing(table, seat)
    table.show(unseen=rack_of(seat))
    table.play(Play(source, slot))
    table.go_on(4, seed)
    table.finish()
    assert table.turns == table.true
    assert table.violations == []


@PLAYERS
@SEEDS
@pytest.mark.parametrize("off", [1, -1])
def test_a_rack_that_was_told_a_slot_off_while_it_was_filled_is_nobodys_cheat(
    players: int, seed: int, off: int
) -> None:
    """One player's cards come late, and the rack stands askew; nobody moves cards on by a slot."""
    table = Watched(PARKER.dealt(players, seed), shown=False)
    seat = table.position.seats[-1]
    rack = table.position.rack(seat)
    late: dict[Place, Sighting] = dict.fromkeys(rack_of(seat), GAP)
    late |= {(seat, slot): {rack[at - off]: 1.0} for at, slot in enumerate(SLOTS) if at in range(5, 9)}
    table.show(instead=late)
    table.show()
    table.go_on(6, seed)
    table.finish()
    assert table.violations == []
    assert table.turns == table.true


def seen(position: Round, gaps: Collection[Place] = (), unseen: Collection[Place] = ()) -> Observation:
    """A look during a deal, with gaps and without the discard pile."""
    return look(position, 1.0, unseen=["discard", *unseen], instead=dict.fromkeys(gaps, GAP))


def test_what_stood_in_a_rack_before_it_was_dealt_is_not_taken_for_its_cards() -> None:
    """The last round's cards may still stand in one rack when another is dealt already."""
    last, new = PARKER.dealt(2, 1), PARKER.dealt(2, 2)
    dealing = Dealing().with_look(seen(last, gaps=rack_of(2)))
    assert 1 not in dealing.racks
    dealing = dealing.with_look(seen(new, gaps=[(1, 5), (1, 10)]))
    known = dealing.completed(seen(new, unseen=rack_of(1))).racks[1]
    assert known == {slot: {card: 1.0} for slot, card in zip(SLOTS[2:], new.rack(1)[2:], strict=True)}


def test_of_a_rack_that_is_dealt_what_was_seen_last_counts() -> None:
    """Somebody deals anew; and what the look after the deal shows is never replaced."""
    first, new = PARKER.dealt(2, 1), PARKER.dealt(2, 2)
    dealing = Dealing().with_look(seen(first, gaps=[(1, 5), (1, 10)])).with_look(seen(new, gaps=rack_of(1)))
    assert dealing.racks[1] == {}
    dealing = dealing.with_look(seen(first))
    assert dealing.completed(seen(new)).racks == seen(new).racks


def test_what_was_not_sure_during_the_deal_counts_after_it_too() -> None:
    """It is told in one look only; the look after the deal shows the rest of that rack."""
    new = PARKER.dealt(2, 2)
    (first, *_), doubtful = new.rack(1), {7: 0.6}
    dealing = Dealing().with_look(seen(new, gaps=[(1, 5), (1, 10)]))
    dealing = dealing.with_look(look(new, 2.0, unseen=["discard"], instead={(1, 10): doubtful}))
    known = dealing.completed(seen(new, unseen=[(1, 10)])).racks[1]
    assert known[10] == doubtful
    assert known[5] == {first: 1.0}


def test_a_rack_of_which_hardly_anything_is_told_is_not_held_to_be_dealt() -> None:
    """The first card of it was read, and one gap was sure; nothing else of the table was seen in that look."""
    new = PARKER.dealt(2, 2)
    others = [*rack_of(2), *[(1, slot) for slot in SLOTS[1:-1]]]
    begun = seen(new, gaps=[(1, 5)], unseen=others)
    assert len(begun.racks[1]) == 2
    assert not looks_dealt(begun, new.seats)
    assert looks_dealt(seen(new, unseen=rack_of(2)), new.seats)


@PLAYERS
@SEEDS
def test_who_begins_though_it_is_anothers_turn_is_named_where_the_pile_was_bare_just_before(
    players: int, seed: int
) -> None:
    """A hand is over the tray as the first card is turned up; there was no time for a turn before it was seen."""
    table = Watched(PARKER.dealt(players, seed), shown=False)
    first = table.position
    table.line(look(first, 1.0, instead={"discard": GAP}))
    table.line(look(first, 1.25, unseen=["discard"]))
    for t in (1.5, 1.75):
        table.line(look(first, t))
    table.t = 3.0
    cheat = left_of(first.seats, first.to_move)
    table.out_of_turn(cheat, Play("discard", dice(seed).choice(SLOTS)), to_move=left_of(first.seats, cheat))
    table.go_on(4, seed)
    table.finish()
    assert table.violations == [("wrong-turn", cheat)]
    assert table.turns == table.true
