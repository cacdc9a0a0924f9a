"""A whole game at a desk that tells the pages more than it should, with cards that are found wherever they turn up."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from engine import board as boards
from engine import private as privates
from engine.cards import SLOTS, Card, Seat
from engine.events import (
    CallMade,
    Doubt,
    DoubtSettled,
    Event,
    GameEnd,
    GameStarted,
    Paused,
    RacksWanted,
    RoundAbandoned,
    RoundEnd,
    RoundReopened,
    RoundStarted,
    Thread,
    TurnPlayed,
    Violation,
)
from engine.game import Player
from engine.private import OwnDoubt
from engine.scoring import RackScore
from engine.snapshot import ShownRack, Snapshot
from tests.engine.by_hand import Table, Way
from tests.engine.simulated import careless_turns
from tests.webui import tables
from tests.webui.desks import FakeDesk
from webui.desk import CameraLine, GamePlayed, RoundPlayed

MARK: Final = 7_000_000
"""Added to each card's number: no other number that a page tells is like it."""

WAY: Final = Way("parker-1992", (1, 2, 3))
ROUNDS: Final = 3


@dataclass
class Leaky:
    """The game, what everybody and each one may see of it by the engine, and the desk that the pages ask."""

    chance: Random
    desk: FakeDesk = field(default_factory=lambda: FakeDesk(boards.NOTHING_YET))
    board: Snapshot = boards.NOTHING_YET
    private: privates.Private = privates.NOTHING_PRIVATE
    table: Table | None = None
    played: tuple[RoundPlayed, ...] = ()
    deals: int = 0
    to_move: Seat = 1

    @property
    def racks(self) -> Mapping[Seat, list[Card]]:
        """What stands in the racks; nothing between rounds."""
        return {} if self.table is None else self.table.racks

    def steps(self) -> Iterator[str]:
        """Play the game; after each step everything is published, and more than may be."""
        people = tuple(Player(seat, tables.NAMES[seat - 1]) for seat in WAY.seats)
        yield self.tell(GameStarted(WAY.edition, (), people, 500))
        for number in range(1, ROUNDS + 1):
            yield from self.round(number)
        yield self.tell(GameEnd((1,), self.totals(), 99.0))

    def round(self, number: int) -> Iterator[str]:
        dealer = 1 + number % 3
        self.deal(dealer)
        yield self.tell(RoundStarted(number, dealer, self.to_move))
        if number == 2:
            self.deal(dealer)
            yield self.tell(RoundAbandoned(5.0), RoundStarted(number, dealer, self.to_move))
        yield from self.turns(6)
        yield self.tell(Violation("wrong-turn", 2, "Ben played, but it is Ada's turn.", 7.0))
        yield self.tell(CallMade(2, 8.0))
        yield self.tell(Violation("false-call", 2, "Ben called RACK-O, but that rack is not in order.", 9.0))
        yield self.tell(*self.doubts())
        yield self.tell(Thread(lost=True, text="lost", t=10.0))
        yield self.tell(Thread(lost=False, text="found", t=11.0), Paused(11.0, on=True))
        yield self.tell(Paused(12.0, on=False))
        yield from self.turns(3)
        yield self.tell(CallMade(None, 13.0), *self.doubts())
        yield self.tell(RacksWanted((1, 3), 13.0))
        yield self.over()
        if number == 1:
            self.table = self.before_the_end
            yield self.tell(RoundReopened(self.table.to_move, 14.0), *self.doubts(), DoubtSettled(1, 5, 14.0))
            yield from self.turns(2)
            yield self.tell(CallMade(1, 15.0), *self.doubts())
            yield self.over()

    def deal(self, dealer: Seat) -> None:
        """Deal cards that were in no deal before, so that a card is known by its number to be of this round."""
        self.deals += 1
        deck = [MARK + 100 * self.deals + card for card in range(1, WAY.highest_card + 1)]
        self.chance.shuffle(deck)
        self.table = Table(WAY, deck, dealer)
        self.to_move = self.table.to_move

    def turns(self, count: int) -> Iterator[str]:
        assert self.table is not None
        for turn in careless_turns(self.table, self.chance, count):
            yield self.tell(TurnPlayed(turn, self.table.to_move, 6.0))

    def doubts(self) -> list[Doubt]:
        """A doubt for each slot of each rack, with the very card that stands there."""
        return [
            Doubt(seat, slot, {card: 0.6}, 10.0)
            for seat, rack in self.racks.items()
            for slot, card in zip(SLOTS, rack, strict=True)
        ]

    def over(self) -> str:
        scores = {seat: RackScore(5, 1, 10, "one card counts") for seat in WAY.seats}
        scores[1] = RackScore(75, 10, None, "went out")
        racks = {seat: tuple(rack) for seat, rack in self.racks.items()}
        totals = {seat: total + scores[seat].points for seat, total in self.totals().items()}
        assert self.table is not None
        self.before_the_end = self.table
        self.table = None
        told = self.tell(RoundEnd(1, scores, totals, racks, 14.0))
        self.played = (*self.played[: self.board.round - 1], self.round_played(racks))
        self.publish(racks)
        return told

    def totals(self) -> dict[Seat, int]:
        return {line.seat: line.total for line in self.board.players}

    def tell(self, *events: Event) -> str:
        for event in events:
            self.board = boards.after(self.board, event, self.board.version + 1)
            self.private = privates.after(self.private, event)
        self.publish({seat: tuple(rack) for seat, rack in self.racks.items()})
        return f"{self.board.phase}, round {self.board.round}: {type(events[-1]).__name__}"

    def publish(self, racks: Mapping[Seat, tuple[Card, ...]]) -> None:
        """Tell the pages all there is, with the racks that stand there now wherever a careless desk might put them."""
        doubts = tuple(
            OwnDoubt(seat, slot, {card: 1.0}) for seat in racks for slot, card in zip(SLOTS, racks[seat], strict=True)
        )
        self.desk.publish(replace(self.board, racks=self.board.racks or shown(racks)))
        self.desk.tell_host(
            doubts=doubts, cameras=(CameraLine("tray", "simulated:1", "live"),), open_slots=dict.fromkeys(racks, 10),
            next_dealer=2,
        )  # fmt: skip
        for seat in WAY.seats:
            self.desk.tell_seat(seat, doubts=doubts, tally=self.private.tally_of(seat))
        rounds = (*self.played[: self.board.round - 1], self.round_played(racks))
        names = {line.seat: line.name for line in self.board.players}
        self.desk.games = (GamePlayed(1, WAY.edition, (), names, rounds, (), "20:00"),)
        for seat, rack in racks.items():
            self.desk.rack_pictures[1, self.board.round, seat] = b"\xff\xd8\xff" + repr(rack).encode()

    def round_played(self, racks: Mapping[Seat, tuple[Card, ...]]) -> RoundPlayed:
        points = dict.fromkeys(WAY.seats, 5)
        return RoundPlayed(self.board.round, 1, 1, 9, points, points, shown(racks), (), "20:30")


def shown(racks: Mapping[Seat, tuple[Card, ...]]) -> tuple[ShownRack, ...]:
    """Racks as if they were turned up."""
    return tuple(ShownRack(seat, rack, 1, 10, 5, out=seat == 1, why="") for seat, rack in racks.items())
