"""People's own ways: the old card out before the new one is in, another slot tried first, a rack filled late."""

from collections.abc import Mapping, Sequence

import pytest

from engine.cards import SLOTS, Seat, Slot, Source, slot_index
from engine.events import Thread
from engine.following.history import Place
from engine.lines import EMPTY, Sighting
from engine.moves import Turn
from engine.record import turn_between
from engine.round import Play, left_of, legal_plays, moved, play
from tests.engine.tables import PARKER, Watched, Ways, careless, dice

PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])
SOURCES = pytest.mark.parametrize("source", ["draw", "discard"])
GAP: Sighting = {EMPTY: 1.0}


def played(table: Watched, move: Play) -> tuple[Turn, Mapping[Place, Sighting]]:
    """Let the player to move play; give the turn, and how the discard pile looks while its top may be in a hand."""
    before = table.position
    table.position = play(before, move)
    turn = turn_between(before, move, table.position)
    table.true.append(turn)
    return turn, pile_of(before.discard[: -1 if move.source == "discard" else None])


def pile_of(cards: Sequence[int]) -> Mapping[Place, Sighting]:
    """How a discard pile of those cards looks, the lowest first."""
    return {"discard": {cards[-1] if cards else EMPTY: 1.0}}


def went_smoothly(table: Watched) -> None:
    """Hold what was said against what was played: every turn, nobody accused, the thread never lost."""
    table.go_on(2, 7)
    assert table.turns == table.true
    assert table.violations == []
    assert not any(isinstance(event, Thread) for event in table.said)


def some_slot(seed: int) -> Slot:
    """A slot by chance."""
    return dice(seed).choice(SLOTS)


@PLAYERS
@SOURCES
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_an_old_card_may_be_discarded_before_the_new_one_stands_in_its_slot(
    players: int, source: Source, seed: int
) -> None:
    table = Watched(PARKER.dealt(players, seed))
    for number in range(4):
        table.go_on(1, seed + number)
        slot, seat = some_slot(seed + number), table.position.to_move
        turn, held = played(table, Play(source, slot))
        assert turn.discarded is not None
        gap: dict[Place, Sighting] = {(seat, slot): GAP}
        table.show(instead={**held, **gap})
        table.show(instead=gap)
        table.show()
    went_smoothly(table)


@pytest.mark.parametrize("hidden", ["rack", "slot"])
@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_who_lays_the_old_card_down_first_plays_out_of_turn_too(
    *, players: int, seed: int, again: bool, hidden: str
) -> None:
    """The rack is hidden when the card lies there, or the slot: that it left this rack is known by its number alone."""
    table = Watched(PARKER.dealt(players, seed))
    table.go_on(players, seed)
    seats, to_move = table.position.seats, table.position.to_move
    others = [seat for seat in seats if (left_of(seats, seat) == to_move) == again and seat != to_move]
    seat = dice(seed).choice(others)
    # in the same slot once more it might be a turn that was thought over
    slot = dice(seed).choice([slot for slot in SLOTS if slot != table.true[-1].slot])
    table.out_of_turn(seat, Play("draw", slot), left_of(seats, seat), looks=0)
    table.show(2, unseen=[(seat, other) for other in SLOTS if hidden == "rack" or other == slot])
    table.show(2)
    table.go_on(4, 7)
    table.finish()
    assert table.turns == table.true
    assert table.violations == [("wrong-turn", seat)]


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_a_turn_out_of_turn_is_told_though_the_slot_is_hardly_sure_to_be_empty(players: int, seed: int) -> None:
    """Else who was passed over is said to have drawn and discarded a card that nobody saw."""
    table = Watched(PARKER.dealt(players, seed))
    table.go_on(players, seed)
    seats, to_move = table.position.seats, table.position.to_move
    seat, slot = left_of(seats, to_move), some_slot(seed)
    instead: dict[Place, Sighting] = {(seat, slot): {EMPTY: 0.97}}
    table.show(2, instead=instead)
    table.out_of_turn(seat, Play("draw", slot), left_of(seats, seat), looks=0)
    table.show(2, instead=instead)
    table.show(2)
    table.go_on(4, 7)
    table.finish()
    assert table.turns == table.true
    # sure enough to accuse it is not: the other may have played between two looks
    assert table.violations in ([], [("wrong-turn", seat)])


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_who_tried_another_slot_first_is_no_less_likely_to_play_out_of_turn(seed: int) -> None:
    """Else the one before, who went on in order after a turn out of order, would be accused instead."""
    table = Watched(PARKER.dealt(4, seed))
    table.go_on(4, seed)
    seats, skipped = table.position.seats, table.position.to_move
    seat = left_of(seats, skipped)
    after = left_of(seats, seat)
    one, two, three, tried = dice(seed).sample(SLOTS, 4)
    table.out_of_turn(seat, Play("draw", one), skipped)
    table.play(Play("draw", two))
    table.show(2, instead={(after, tried): {table.position.draw[-1]: 1.0}})
    table.show(2)
    table.out_of_turn(after, Play("draw", three), left_of(seats, after))
    table.go_on(4, 7)
    table.finish()
    assert table.turns == table.true
    assert table.violations == [("wrong-turn", seat), ("wrong-turn", after)]


@PLAYERS
@SOURCES
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_another_slot_may_be_tried_first(players: int, source: Source, seed: int) -> None:
    table = Watched(PARKER.dealt(players, seed))
    for number in range(4):
        table.go_on(number, seed + number)
        seat, before = table.position.to_move, table.position.rack(table.position.to_move)
        slot, other = dice(seed + number).sample(SLOTS, 2)
        turn, held = played(table, Play(source, slot))
        assert turn.card is not None
        stands: Mapping[Place, Sighting] = {**held, (seat, slot): {before[slot_index(slot)]: 1.0}}
        table.show(5, instead={**stands, (seat, other): {turn.card: 1.0}})
        table.show(3, instead=stands)
        table.show(instead=held)
        table.show()
    went_smoothly(table)


@pytest.mark.parametrize("seed", range(1, 7))
def test_another_slot_may_be_tried_first_where_the_next_players_rack_cannot_be_read(seed: int) -> None:
    """Nobody sees what the next player may have done meanwhile, which would explain the old card in its slot, too."""
    start = PARKER.dealt(3, seed)
    hidden = left_of(start.seats, start.to_move)
    table = Watched(start, unread=[(hidden, slot) for slot in SLOTS])
    seat, before = start.to_move, start.rack(start.to_move)
    slot, other = dice(seed).sample(SLOTS, 2)
    turn, held = played(table, Play("draw", slot))
    assert turn.card is not None
    stands: Mapping[Place, Sighting] = {**held, (seat, slot): {before[slot_index(slot)]: 1.0}}
    table.show(4, instead={**stands, (seat, other): {turn.card: 1.0}})
    table.show(3, instead=stands)
    table.show(3, instead=held)
    table.show()
    assert table.turns == table.true
    assert table.violations == []
    assert not any(isinstance(event, Thread) for event in table.said)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_rack_may_be_filled_while_others_play(seed: int) -> None:
    start = PARKER.dealt(4, seed)
    late: Seat = start.seats[start.seats.index(start.to_move) - 1]
    gaps: dict[Place, Sighting] = {(late, slot): GAP for slot in SLOTS[:4]}
    table, choose = Watched(start, shown=False), careless(seed)
    table.show(instead=gaps)
    for _ in range(3):
        played(table, choose(table.position))
        table.show(instead=gaps)
    table.show()
    went_smoothly(table)


def with_a_prime_card_tried(players: int, seed: int, looks: int) -> tuple[Watched, Mapping[Place, Sighting]]:
    """A table where the next player holds the Prime card of the discard pile, having tried it in a slot in such looks.

    With how that pile looks meanwhile.
    """
    ways = Ways("hasbro-2006")
    table = Watched(ways.dealt(players, seed), ways)
    chance = dice(seed)
    while table.position.discard[-1] not in table.position.powers:
        table.play(chance.choice([move for move in legal_plays(table.position) if move.source == "draw"]))
    *below, prime = table.position.discard
    lifted = pile_of(below)
    table.show(looks, instead={**lifted, (table.position.to_move, 25): {prime: 1.0}})
    table.show(2, instead=lifted)
    return table, lifted


@PLAYERS
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_who_takes_a_prime_card_may_try_another_slot_first(players: int, seed: int) -> None:
    table, lifted = with_a_prime_card_tried(players, seed, 4)
    before, move = table.position, Play("discard", 10)
    table.show(instead={**lifted, (before.to_move, 10): {before.discard[-1]: 1.0}})
    after = moved(before, move, before.to_move)
    table.becomes(after, turn_between(before, move, after))
    table.go_on(4, seed)
    table.finish()
    assert table.violations == [("prime-taken", before.to_move)]
    assert table.turns == table.true


@PLAYERS
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_who_lays_a_prime_card_back_that_was_tried_has_not_taken_it(players: int, seed: int) -> None:
    table, _ = with_a_prime_card_tried(players, seed, 3)
    table.show(2)
    table.play(Play("draw", 10))
    table.go_on(4, seed)
    table.finish()
    assert table.violations == []
    assert table.turns == table.true
