"""The next round is started by the table itself once every rack was emptied and filled again."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from calibration.table import Table
from device.evening.journal import Journal
from device.evening.keeper import Evening
from device.loop.live import LiveLoop
from device.observing.watch import Watch
from device.simulated.held import Clock
from engine.cards import SLOTS, Seat
from engine.lines import EMPTY, Observation
from engine.variants import deck_of
from vision.reading.digits import NumberReader

IN_ORDER = tuple(range(1, 11))
OTHERS = tuple(range(30, 20, -1))
EMPTIED = (EMPTY,) * len(SLOTS)


class Shown(Watch):
    """Eyes before which racks are held: they see those that were put there since they looked last."""

    def __init__(self) -> None:
        super().__init__(Table(), deck_of("parker-1992", 2), NumberReader())
        self.discard = 33
        self.racks_shown: dict[Seat, tuple[int, ...]] = {}
        self.news = False

    def put(self, **racks: tuple[int, ...]) -> None:
        self.racks_shown |= {int(name[-1]): cards for name, cards in racks.items()}
        self.news = True

    def until(self, t: float) -> list[Observation]:
        news, self.news = self.news, False
        return self.standing(t) if news else []

    def standing(self, t: float) -> list[Observation]:
        """What is held there."""
        racks: Mapping[Seat, Mapping[int, dict[int, float]]] = {
            seat: {slot: {card: 0.999} for slot, card in zip(SLOTS, cards, strict=True)}
            for seat, cards in self.racks_shown.items()
        }
        return [Observation(t, racks, {self.discard: 0.999}, "cards")]


class DealtTable:
    """Two people's table."""

    def __init__(self) -> None:
        self.clock, self.watch = Clock(), Shown()
        self.journal = Journal(None, lambda: "")
        self.evening = Evening(self.journal)
        self.loop = LiveLoop((), self.evening, self.watch, clock=self.clock)

    def say(self, **said: Any) -> None:  # noqa: ANN401 - an order is JSON
        answer = self.loop.judged(said)
        assert answer.done, answer.words

    def show(self, seconds: float = 6.0, **racks: tuple[int, ...]) -> None:
        """Put these racks there and let time pass."""
        self.watch.put(**racks)
        until = self.clock.now + seconds
        while self.clock.now < until:
            self.clock.now += 0.5
            while self.loop.step():
                pass

    @property
    def stands(self) -> tuple[str, int, Seat | None]:
        board = self.evening.board
        return board.phase, board.round, board.dealer


@pytest.fixture
def table() -> Iterator[DealtTable]:
    """A table at which the first round is over, and the racks stand as it left them."""
    table = DealtTable()
    table.say(type="game", edition="parker-1992", players=[{"seat": 1, "name": "Ada"}, {"seat": 2, "name": "Ben"}])
    table.show(rack1=IN_ORDER, rack2=OTHERS)
    assert table.stands[0] == "waiting"
    table.say(type="round", dealer=2)
    table.show()
    table.say(type="call", seat=1)
    table.show()
    assert table.stands == ("round-over", 1, 2)
    yield table
    table.journal.close()


def test_racks_that_are_emptied_and_dealt_anew_start_the_next_round_with_the_next_dealer(table: DealtTable) -> None:
    table.show(rack1=EMPTIED)
    table.show(rack2=EMPTIED)
    table.show(rack1=OTHERS)
    assert table.stands[0] == "round-over"
    table.show(rack2=IN_ORDER)
    assert table.stands == ("playing", 2, 1)


def test_racks_that_stay_as_they_are_start_nothing(table: DealtTable) -> None:
    table.show(60.0)
    table.show(rack1=EMPTIED)
    table.show(60.0, rack1=IN_ORDER)
    assert table.stands == ("round-over", 1, 2)


def test_a_start_that_is_undone_waits_for_another_deal(table: DealtTable) -> None:
    table.show(rack1=EMPTIED, rack2=EMPTIED)
    table.show(rack1=OTHERS, rack2=IN_ORDER)
    assert table.stands[0] == "playing"
    table.say(type="undo")
    table.show(30.0, rack1=OTHERS)
    assert table.stands == ("round-over", 1, 2)
    table.show(rack1=EMPTIED, rack2=EMPTIED)
    table.show(rack1=IN_ORDER, rack2=OTHERS)
    assert table.stands == ("playing", 2, 1)


def test_whoever_begins_at_once_is_followed_from_the_first_card_on(table: DealtTable) -> None:
    table.show(rack1=EMPTIED, rack2=EMPTIED)
    table.show(1.0, rack1=OTHERS, rack2=IN_ORDER)
    table.show(1.0)
    assert table.stands[0] == "round-over"
    in_motion, played = (EMPTY, *IN_ORDER[1:]), (40, *IN_ORDER[1:])
    table.show(0.5, rack2=in_motion)
    table.watch.discard = IN_ORDER[0]
    table.show(1.0, rack2=played)
    table.show(6.0)
    assert table.stands == ("playing", 2, 1)
    assert [(play.seat, play.discarded) for play in table.evening.board.plays] == [(2, IN_ORDER[0])]
    assert not table.evening.board.notices
