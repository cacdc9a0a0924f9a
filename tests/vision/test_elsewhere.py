"""A number that is read where a slot seemed to be empty: a card that is hardly seen, or a logo behind."""

from dataclasses import replace
from statistics import median

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.table import SLOTS, Table
from tests.vision.drawing import Rack
from tests.vision.test_fit import CARDS, picture_of
from tests.vision.test_rivals import says
from vision import rack_memory, sizes
from vision.evidence import card_in
from vision.find import find_in_rack
from vision.found import RackFound
from vision.frame import Frame
from vision.rack_memory import RackMemory
from vision.reading.digits import NumberReader

SLOT, CARD = 4, 19
EMPTY = 0.95


@pytest.fixture(scope="module")
def full() -> RackFound:
    """The same rack with a card in that slot."""
    frame, pose = picture_of(Rack(CARDS | {SLOT: CARD}))
    return find_in_rack(frame, 1, pose, Table())


@pytest.fixture
def seen() -> tuple[RackMemory, Frame]:
    """A rack in which the slot is empty, once it is read."""
    frame, pose = picture_of(Rack({slot: card for slot, card in CARDS.items() if slot != SLOT}))
    memory, reader = RackMemory(1, pose, Table()), NumberReader()
    wanted = memory.see(frame, hand=False, moved=True)
    assert memory.found is not None
    cut = {slot: memory.found.slots[slot] for slot in wanted}
    memory.learn(frame, {slot: reader.read([item.crop for item in items]) for slot, items in cut.items()})
    assert memory.evidence()[SLOT].empty > EMPTY
    return memory, frame


def with_sides(rack: RackFound, sides: float) -> RackFound:
    """The rack with a card in that slot whose sides are seen so well."""
    strip = rack.view.strips[SLOT]
    assert strip is not None
    return replace(rack, view=rack.view.with_slot(SLOT, rack.view.lines[SLOT], replace(strip, sides=sides)))


@pytest.mark.parametrize(
    ("chance", "sides", "empty", "card"),
    [(0.97, 4.0, True, None), (0.9995, 4.0, False, None), (0.97, 7.0, False, CARD), (0.9995, 7.0, False, CARD)],
)
def test_the_surer_it_is_and_the_better_the_sides_the_less_empty_is_the_slot(
    seen: tuple[RackMemory, Frame], full: RackFound, *, chance: float, sides: float, empty: bool, card: int | None
) -> None:
    memory, frame = seen
    memory.learn_elsewhere(frame, SLOT, with_sides(full, sides), says(CARD, chance))
    told = memory.evidence()[SLOT]
    assert (told.empty > EMPTY) == empty
    assert card_in(told) == card


@pytest.mark.parametrize(
    ("before", "read", "empty"),
    [(CARD, CARD, False), (CARD + 1, CARD, True), (None, CARD, True), (CARDS[1], CARDS[1], True)],
    ids=["the same card", "another one", "not known", "one that stands in another slot now"],
)
def test_a_slot_in_which_the_card_that_stood_there_may_be_read_is_not_empty(
    seen: tuple[RackMemory, Frame], full: RackFound, *, before: int | None, read: int, empty: bool
) -> None:
    memory, frame = seen
    memory.stood = [before if slot == SLOT else card for slot, card in enumerate(memory.stood)]
    memory.learn_elsewhere(frame, SLOT, with_sides(full, 3.0), says(read, 0.6))
    told = memory.evidence()[SLOT]
    assert (told.empty > EMPTY) == empty
    assert card_in(told) is None


def test_a_slot_that_is_left_open_takes_no_card_from_the_next_place_where_one_may_be(
    seen: tuple[RackMemory, Frame], full: RackFound, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory, frame = seen
    weak = with_sides(full, 4.0)
    monkeypatch.setattr(rack_memory, "find_elsewhere", lambda _, slot, *__, **___: [weak] * 3 if slot == SLOT else [])
    for slot, other in memory.elsewhere(frame):
        memory.learn_elsewhere(frame, slot, other, says(CARD, 0.9995))
    told = memory.evidence()[SLOT]
    assert told.empty == 0.0
    assert card_in(told) is None


class Watched:
    """A rack that one looks at, and whose numbers are read; `dealt_anew` other cards stand in most of its slots."""

    def __init__(self) -> None:
        self.frame, pose = picture_of(Rack(CARDS))
        self.dealt_anew, _ = picture_of(Rack(dict(zip(CARDS, reversed(CARDS.values()), strict=True))))
        self.memory, self.reader = RackMemory(1, pose, Table()), NumberReader()

    def look(self, picture: Frame) -> RackFound:
        self.memory.see(picture, hand=False, moved=True)
        assert self.memory.found is not None
        return self.memory.found

    def learn(self, picture: Frame, rack: RackFound) -> None:
        crops = [[item.crop for item in items] for items in rack.slots]
        self.memory.learn(picture, {slot: self.reader.read(some) for slot, some in enumerate(crops)})


def test_what_stood_in_a_rack_is_not_forgotten_for_a_picture_in_which_no_number_is_read() -> None:
    """Somebody pushes it, and its edges are seen, but out of focus."""
    watched = Watched()
    watched.learn(watched.frame, watched.look(watched.frame))
    stood = [*watched.memory.stood]
    assert stood == [CARDS.get(slot) for slot in range(SLOTS)]
    darker = Frame(watched.frame.colour // 2)
    watched.look(darker)
    watched.memory.learn(darker, {slot: says(0) for slot in range(SLOTS)})
    assert watched.memory.stood == stood


def test_a_rack_is_sought_where_it_stood_when_that_was_sure_last() -> None:
    """One that may stand a slot off in a picture must not be taken to stand so in the next one, too."""
    watched = Watched()
    first = watched.look(watched.frame)
    watched.learn(watched.frame, first)
    watched.look(watched.dealt_anew)
    behind = find_in_rack(watched.dealt_anew, 1, first.pose.farther_back(Table().rack.pitch), Table())
    watched.memory.stands(watched.dealt_anew, behind)
    watched.memory.doubt_place()
    watched.learn(watched.dealt_anew, behind)
    assert watched.memory.pose.behind != first.pose.behind
    assert watched.look(watched.frame).pose.behind == pytest.approx(first.pose.behind, abs=1.0)


def test_an_empty_slot_is_looked_at_again_where_the_one_beside_it_has_changed() -> None:
    """A dark card in a dark gap changes little where it is watched, and its number is seen where its neighbour is."""
    watched = Watched()
    gap = 4
    without, _ = picture_of(Rack({slot: card for slot, card in CARDS.items() if slot != gap}))
    watched.learn(watched.frame, watched.look(watched.frame))
    watched.learn(without, watched.look(without))
    assert watched.memory.evidence()[gap].empty > 0.9
    other, _ = picture_of(Rack({slot: card + (slot == gap - 1) for slot, card in CARDS.items() if slot != gap}))
    watched.look(other)
    assert watched.memory.fresh == {gap - 1, gap}


@pytest.mark.parametrize(("size", "asked"), [(1.0, 0), (0.88, 1)])
def test_how_large_a_mat_was_printed_is_asked_until_three_pictures_agree(
    monkeypatch: pytest.MonkeyPatch, size: float, asked: int
) -> None:
    """A hand that nobody noticed made one rack of nine cards look as if it stood on a far smaller mat."""
    watched = Watched()
    for picture in (watched.frame, watched.dealt_anew):
        watched.learn(picture, watched.look(picture))
    found = watched.look(watched.frame)
    last = replace(found, pose=replace(found.pose, printed=size))
    watched.memory.stands(watched.frame, last)
    watched.learn(watched.frame, last)
    calls: list[RackFound] = []

    def asks(*_: object, **__: object) -> RackFound:
        calls.append(found)
        return found

    monkeypatch.setattr(sizes, "find_as_printed", asks)
    monkeypatch.setattr(sizes, "or_of_right_size", lambda _, rack, *__: rack)
    watched.look(watched.dealt_anew)
    assert len(calls) == asked


class TwoEdges(Watched):
    """A rack with two edges in one slot, `own` and another one, with so many times a card's usual sides below them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, own: float, other: float) -> None:
        super().__init__()
        rack = self.look(self.frame)
        usual = median(strip.sides for strip in rack.view.strips if strip is not None)
        self.rack = with_sides(rack.with_numbers(SLOT, rack.slots[SLOT][:1]), own * usual)
        elsewhere = with_sides(self.rack, other * usual)
        monkeypatch.setattr(
            rack_memory, "find_elsewhere", lambda _, slot, *__, **___: [elsewhere] if slot == SLOT else []
        )

    def told(self, own: NDArray[np.float64] | None, elsewhere: NDArray[np.float64]) -> int | None:
        """The card of that slot by answers for its own edge, None being what is read, and for the other one."""
        read = {slot: self.reader.read([item.crop for item in items]) for slot, items in enumerate(self.rack.slots)}
        self.memory.stands(self.frame, self.rack)
        self.memory.learn(self.frame, read if own is None else read | {SLOT: own})
        for slot, other in self.memory.elsewhere(self.frame):
            self.memory.learn_elsewhere(self.frame, slot, other, elsewhere)
        return card_in(self.memory.evidence()[SLOT])


@pytest.mark.parametrize(
    ("own", "other", "elsewhere", "card"),
    [
        (0.4, 1.0, says(CARD, 0.8), None),
        (0.4, 1.0, says(CARD, 0.99), CARD),
        (0.4, 1.0, says(0, 0.99), CARDS[SLOT]),
        (0.4, 1.0, says(CARDS[SLOT], 0.8), CARDS[SLOT]),
        (0.4, 0.5, says(CARD, 0.99), CARDS[SLOT]),
        (0.8, 1.2, says(CARD, 0.99), CARDS[SLOT]),
    ],
    ids=[
        "another card is hardly read there",
        "another card is read there",
        "none is read there",
        "the same card is read there",
        "sides are no better there",
        "its sides are seen",
    ],
)
def test_a_number_counts_for_no_card_where_a_cards_sides_are_seen_below_another_edge(
    monkeypatch: pytest.MonkeyPatch, own: float, other: float, elsewhere: NDArray[np.float64], card: int | None
) -> None:
    """Below the upper edge of a logo, on the card behind, its first letters were read as a number."""
    assert TwoEdges(monkeypatch, own, other).told(None, elsewhere) == card


@pytest.mark.parametrize(("other", "card"), [(0.4, None), (0.7, CARD), (1.2, CARD)])
def test_no_number_is_taken_from_an_edge_with_fewer_sides_than_the_slots_own(
    monkeypatch: pytest.MonkeyPatch, other: float, card: int | None
) -> None:
    assert TwoEdges(monkeypatch, 1.0, other).told(says(0, 0.6), says(CARD, 0.999)) == card


def test_but_for_one_that_is_read_so_surely_that_what_seems_to_be_the_cards_edge_is_a_shadows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On curled mats, 47 and 20 were not read for a whole evening below the end of the light on their own faces."""
    assert TwoEdges(monkeypatch, 1.0, 0.4).told(says(0, 0.6), says(CARD, 0.99999)) == CARD
