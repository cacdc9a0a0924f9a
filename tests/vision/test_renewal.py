"""What is taken over from a rack that was found anew."""

from dataclasses import replace

import pytest

from calibration.table import Table
from tests.vision.drawing import Rack
from tests.vision.test_fit import CARDS, picture_of
from vision.find import find_in_rack
from vision.found import RackFound
from vision.rectify import SCALE
from vision.renewal import renewed


def found(rack: Rack) -> RackFound:
    frame, pose = picture_of(rack)
    return find_in_rack(frame, 1, pose, Table())


@pytest.fixture(scope="module")
def before() -> RackFound:
    return found(Rack(CARDS))


@pytest.fixture(scope="module")
def after() -> RackFound:
    return found(Rack(CARDS | {4: 19}, slides={4: 2.0}))


def test_slots_that_changed_are_taken_and_the_rest_stays(before: RackFound, after: RackFound) -> None:
    line = before.view.lines[4]
    assert line is not None
    view = before.view.with_slot(4, replace(line, at=line.at + 4.0 * SCALE), before.view.strips[4])
    before = replace(before, view=view)
    rack, taken = renewed(before, after, {3, 4}, frozenset())
    assert taken == {3, 4}
    for slot in range(10):
        assert rack.slots[slot] is (after if slot in taken else before).slots[slot]
    lines = [rack.view.lines[slot] is before.view.lines[slot] for slot in range(10)]
    assert lines == [slot not in taken for slot in range(10)]


def test_where_all_stand_beside_known_cards_each_edge_is_its_own_slots(before: RackFound, after: RackFound) -> None:
    strip = after.view.strips[4]
    assert strip is not None
    line = after.view.lines[4]
    assert line is not None
    view = after.view.with_slot(4, line.belonging(0.6), replace(strip, belongs=0.6))
    doubted = replace(after, view=view)
    unread = replace(before, slots=tuple(() if slot == 4 else items for slot, items in enumerate(before.slots)))
    taken = renewed(unread, doubted, {4}, set())[0].view
    for seen in (taken.strips[4], taken.lines[4]):
        assert seen is not None
        assert seen.belongs == pytest.approx(1.0)


def test_nothing_is_taken_from_a_rack_that_was_pushed(before: RackFound, after: RackFound) -> None:
    unread = replace(before, slots=tuple(() if slot == 5 else items for slot, items in enumerate(before.slots)))
    pushed = replace(after, pose=after.pose.farther_back(6.0))
    assert renewed(unread, after, {5}, {4})[1] == {5}
    assert renewed(unread, pushed, {5}, {4}) == (unread, frozenset())


def test_nothing_is_taken_where_the_others_cards_stand_in_other_slots(before: RackFound) -> None:
    view = before.view
    shifted = view
    for slot in range(1, 10):
        shifted = shifted.with_slot(slot, view.lines[slot - 1], view.strips[slot - 1])
    assert renewed(before, replace(before, view=shifted), {0}, set()) == (before, frozenset())


def test_nothing_is_taken_where_a_slot_would_have_the_edge_of_one_that_has_not_changed(before: RackFound) -> None:
    view, line = before.view, before.view.lines[5]
    assert line is not None
    ghost = replace(line, at=line.at - 4.0 * SCALE)
    view = view.with_slot(4, line, before.view.strips[5]).with_slot(5, ghost, None)
    assert renewed(before, replace(before, view=view), {4}, set()) == (before, frozenset())
