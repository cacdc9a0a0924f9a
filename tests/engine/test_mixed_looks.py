"""Tables of which a look shows a part: racks by halves, the pile before the rack or long after it, slots in doubt."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

import pytest

from engine.cards import SLOTS, Seat
from engine.events import Thread
from engine.following.history import Place
from engine.lines import Sighting
from engine.record import turn_between
from engine.round import Round, play
from tests.engine.tables import PARKER, careless, dice
from tests.engine.test_camera_by_camera import Apart
from tests.engine.test_cheats import NOT_TURNS, TURNS, Cheat

TURNS_BEFORE: Final = 4
TURNS_OF_EACH: Final = 9

Order = Callable[["Parts", Seat, Round, Random], None]


class Parts(Apart):
    """A table at which whose rack has changed, and the discard pile, are seen in parts, in some order."""

    def rack(self, seat: Seat) -> list[Place]:
        return [(seat, slot) for slot in SLOTS]

    def covered(self, after: Round) -> list[Place]:
        """The pile while the top that was taken from it is in a hand: no look shows it then."""
        taken = self.position.discard[-1:]
        return ["discard"] if any(card in rack for card in taken for rack in after.racks) else []


def pile_first(table: Parts, seat: Seat, after: Round, _: Random) -> None:
    rack, covered = table.rack(seat), table.covered(after)
    table.show(2, unseen=[*covered, *rack] if covered else rack)
    table.position = after
    table.show(2, unseen=rack)
    table.t += 2.0
    table.show(2)


def half_first(table: Parts, seat: Seat, after: Round, chance: Random) -> None:
    covered, before = table.covered(after), table.position.discard[-1]
    half = chance.sample(table.rack(seat), 5)
    table.position = after
    table.show(2, unseen=[*covered, *half], instead={} if covered else {"discard": {before: 1.0}})
    table.t += 1.0
    table.show(unseen=["discard"])
    table.show(2)


def pile_between_halves(table: Parts, seat: Seat, after: Round, chance: Random) -> None:
    half = chance.sample(table.rack(seat), 5)
    table.position = after
    table.show(unseen=["discard", *half])
    table.show(2, unseen=half)
    table.t += 2.0
    table.show(2)


def rack_once(table: Parts, seat: Seat, after: Round, _: Random) -> None:
    table.position = after
    table.show(unseen=["discard"])
    table.show(2, unseen=table.rack(seat))


def pile_late(table: Parts, _: Seat, after: Round, __: Random) -> None:
    table.position = after
    table.show(4, unseen=["discard"])
    table.show(2)


def in_doubt(table: Parts, seat: Seat, after: Round, _: Random) -> None:
    pairs = zip(SLOTS, table.position.rack(seat), after.rack(seat), strict=True)
    doubts: Mapping[Place, Sighting] = {
        (seat, slot): {new: 0.9} if old == new else {new: 0.7, old: 0.2} for slot, old, new in pairs
    }
    table.position = after
    table.show(3, instead=doubts, unseen=["discard"])
    table.show(2, instead=doubts)
    table.t += 1.0
    table.show()


def at_once(table: Parts, _: Seat, after: Round, __: Random) -> None:
    table.position = after
    table.show(2)


def pile_only(table: Parts, seat: Seat, after: Round, _: Random) -> None:
    table.position = after
    table.show(2, unseen=table.rack(seat))


ORDERS: Final[list[Order]] = [
    *(pile_first, half_first, pile_between_halves, rack_once),
    *(pile_late, in_doubt, at_once, pile_only),
]


def some_parts(seed: int) -> Parts:
    table = Parts(PARKER.dealt(2 + seed % 3, seed))
    table.go_on_apart(TURNS_BEFORE, seed + 20)
    return table


def play_on(table: Parts, turns: int, seed: int, chance: Random) -> None:
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
    table, chance = some_parts(seed), dice(seed)
    play_on(table, TURNS_OF_EACH, seed, chance)
    table.show(2)
    table.finish()
    assert table.violations == []
    assert not any(isinstance(event, Thread) for event in table.said)
    assert table.turns == table.true


def cheated(seed: int) -> tuple[Parts, Cheat]:
    """Some turns, a cheat, some turns more."""
    table, chance = some_parts(seed), dice(seed)
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


@pytest.mark.parametrize("group", range(3))
def test_of_cheats_that_are_seen_in_parts_most_are_named_and_nobody_else_is_accused(group: int) -> None:
    """Some are not certain; and where one player did two things it may not be, which of two rules that broke."""
    named = 0
    for seed in range(12 * group, 12 * group + 12):
        table, done = cheated(seed)
        assert {seat for _, seat in table.violations} <= {done.seat}
        named += table.violations == [(done.rule, done.seat)]
    assert named >= 9
