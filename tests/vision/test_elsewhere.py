"""A number that is read where a slot seemed to be empty: a card that is hardly seen, or a logo behind."""

from dataclasses import replace

import pytest

from calibration.table import Table
from tests.vision.drawing import Rack
from tests.vision.test_fit import CARDS, picture_of
from tests.vision.test_rivals import says
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


@pytest.mark.parametrize(
    ("chance", "sides", "empty", "card"),
    [(0.97, 4.0, True, None), (0.9995, 4.0, False, None), (0.97, 7.0, False, CARD), (0.9995, 7.0, False, CARD)],
)
def test_the_surer_it_is_and_the_better_the_sides_the_less_empty_is_the_slot(
    seen: tuple[RackMemory, Frame], full: RackFound, *, chance: float, sides: float, empty: bool, card: int | None
) -> None:
    memory, frame = seen
    strip = full.view.strips[SLOT]
    assert strip is not None
    view = full.view.with_slot(SLOT, full.view.lines[SLOT], replace(strip, sides=sides))
    memory.learn_elsewhere(frame, SLOT, replace(full, view=view), says(CARD, chance))
    told = memory.evidence()[SLOT]
    assert (told.empty > EMPTY) == empty
    assert card_in(told) == card
