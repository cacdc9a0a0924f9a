"""Tables of which a look shows a part: rack and pile apart, racks by halves, slots in doubt."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from engine.cards import SLOTS, Seat
from engine.events import Thread
from engine.following.history import Place
from engine.lines import Sighting
from engine.moves import Turn
from engine.record import turn_between
from engine.round import Play, Round, play
from tests.engine.tables import PARKER, Watched, careless
from tests.engine.test_cheats import Cheat


class Apart(Watched):
    """A table whose turns take some seconds, and are seen rack first, at the pace of recorded rounds."""

    def becomes_apart(self, position: Round, turn: Turn | None) -> None:
        """The racks are seen as they are now while the tray is as it was; a hand is over it where its top was taken."""
        before: dict[Place, Sighting] = {"discard": {self.position.discard[-1]: 1.0}}
        covered = self.covered(position)
        if turn is not None:
            self.true.append(turn)
        self.position = position
        self.t += 3.5
        self.show(2, instead=before, unseen=covered)
        self.t -= 0.8
        self.show(1, unseen=["discard"])
        self.t -= 0.6
        self.show(2)

    def play_apart(self, move: Play) -> None:
        after = play(self.position, move)
        self.becomes_apart(after, turn_between(self.position, move, after))

    def go_on_apart(self, turns: int, seed: int) -> None:
        choose = careless(seed)
        for _ in range(turns):
            self.play_apart(choose(self.position))

    def rack(self, seat: Seat) -> list[Place]:
        """The places of a rack."""
        return [(seat, slot) for slot in SLOTS]

    def covered(self, after: Round) -> list[Place]:
        """The pile while the top that was taken from it is in a hand: no look shows it then."""
        top = self.position.discard[-1]
        return ["discard"] if any(top in rack for rack in after.racks) else []

    def named_once(self, done: Cheat) -> bool:
        """Play on and say whether that cheat was named, nothing else, and the thread never lost."""
        for slot in (5, 50, 20, 35):
            self.play_apart(Play("draw", slot))
        self.finish()
        lost = any(isinstance(event, Thread) for event in self.said)
        return self.violations == [(done.rule, done.seat)] and not lost


def some_turns_later(players: int, seed: int) -> Apart:
    """A table at which four turns were seen apart."""
    table = Apart(PARKER.dealt(players, seed))
    table.go_on_apart(4, seed + 20)
    return table


Order = Callable[[Apart, Seat, Round, Random], None]
"""How the looks show, in parts, that what a seat has done led to a position."""


def pile_first(table: Apart, seat: Seat, after: Round, _: Random) -> None:
    """The discard pile, and the rack only when it has lain there for a while."""
    rack = table.rack(seat)
    table.show(2, unseen=[*table.covered(after), *rack])
    table.position = after
    table.show(2, unseen=rack)
    table.t += 2.0
    table.show(2)


def half_first(table: Apart, seat: Seat, after: Round, chance: Random) -> None:
    """Five slots of the rack while the pile is as it was, then the rack, then the pile."""
    covered, before = table.covered(after), table.position.discard[-1]
    half = chance.sample(table.rack(seat), 5)
    table.position = after
    table.show(2, unseen=[*covered, *half], instead={} if covered else {"discard": {before: 1.0}})
    table.t += 1.0
    table.show(unseen=["discard"])
    table.show(2)


def pile_between_halves(table: Apart, seat: Seat, after: Round, chance: Random) -> None:
    """Five slots of the rack, the pile, and the other five a while later."""
    half = chance.sample(table.rack(seat), 5)
    table.position = after
    table.show(unseen=["discard", *half])
    table.show(2, unseen=half)
    table.t += 2.0
    table.show(2)


def rack_once(table: Apart, seat: Seat, after: Round, _: Random) -> None:
    """One look at the rack before the pile is seen, and none after it."""
    table.position = after
    table.show(unseen=["discard"])
    table.show(2, unseen=table.rack(seat))


def pile_late(table: Apart, _: Seat, after: Round, __: Random) -> None:
    """The rack for long before the pile."""
    table.position = after
    table.show(4, unseen=["discard"])
    table.show(2)


def in_doubt(table: Apart, seat: Seat, after: Round, _: Random) -> None:
    """Slots that are not surely read until the pile has been seen."""
    pairs = zip(SLOTS, table.position.rack(seat), after.rack(seat), strict=True)
    doubts: Mapping[Place, Sighting] = {
        (seat, slot): {new: 0.9} if old == new else {new: 0.7, old: 0.2} for slot, old, new in pairs
    }
    table.position = after
    table.show(3, instead=doubts, unseen=["discard"])
    table.show(2, instead=doubts)
    table.t += 1.0
    table.show()


def at_once(table: Apart, _: Seat, after: Round, __: Random) -> None:
    """All of it."""
    table.position = after
    table.show(2)


def pile_only(table: Apart, seat: Seat, after: Round, _: Random) -> None:
    """The pile, and of the rack nothing."""
    table.position = after
    table.show(2, unseen=table.rack(seat))


ORDERS: Final[list[Order]] = [
    *(pile_first, half_first, pile_between_halves, rack_once),
    *(pile_late, in_doubt, at_once, pile_only),
]
