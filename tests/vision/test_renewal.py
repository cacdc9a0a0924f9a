"""What is taken over from a rack that was found anew."""

from dataclasses import replace

import pytest

from calibration.table import Table
from tests.vision.drawing import Rack
from tests.vision.test_curls import CAMERA
from tests.vision.test_fit import CARDS, picture_of
from tests.vision.test_recipe import DECK
from vision.drawing.decks import Deck
from vision.drawing.picture import draw
from vision.drawing.scene import MatPlace, Photo, RackStand, Scene, Standing
from vision.eye import Eye
from vision.find import find_in_rack
from vision.found import RackFound
from vision.frame import Frame
from vision.fuse import sure
from vision.reading.digits import NumberReader
from vision.rectify import SCALE
from vision.renewal import has_cards_sides, renewed


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


def test_a_slot_whose_edge_is_anothers_in_the_rack_found_anew_has_it_no_more(
    before: RackFound, after: RackFound
) -> None:
    # slot by slot the first of two took the card of the second
    view = before.view.with_slot(4, after.view.lines[5], after.view.strips[5]).with_slot(5, None, None)
    slots = (*before.slots[:4], after.slots[5], (), *before.slots[6:])
    anew = replace(after, view=after.view.with_slot(4, None, None), slots=(*after.slots[:4], (), *after.slots[5:]))
    rack, taken = renewed(replace(before, view=view, slots=slots), anew, {4, 5}, {4, 5})
    assert taken == {4, 5}
    assert rack.view.lines[4] is None
    assert rack.view.lines[5] is after.view.lines[5]


def standing(cards: tuple[int, ...], leans: tuple[float, ...] = (7.0,) * 10) -> Frame:
    slots = tuple((Standing(card, lean=lean),) if card else () for card, lean in zip(cards, leans, strict=True))
    mat = MatPlace(2, stand=RackStand(slots, Table().rack))
    return Frame(draw(Scene(Deck(), (mat,), camera=CAMERA, photo=Photo(noise=0.0))))


@pytest.mark.parametrize(
    ("leans", "read"),
    [((0.0, 2.0), [3, 14]), ((-2.0, 1.0), [None, None]), ((-2.0, 2.0), [None, None]), ((-4.0, 0.0), [None, None])],
)
def test_a_card_that_was_tried_in_the_slot_before_is_not_told_to_stand_there_still(
    leans: tuple[float, float], read: list[int | None]
) -> None:
    # who tries 14 in slot 10, and puts it at 15: there it leans forward, and hides most of 3
    rest = (17, 22, 26, 31, 37, 44, 51)
    eye = Eye(replace(Table(), measured=True), DECK, None, NumberReader())
    eye.look(standing((2, 14, 21, *rest)))
    eye.look(standing((2, 0, 21, *rest)))
    look = eye.look(standing((2, 3, 14, *rest), (7.0, *leans, *(7.0,) * 7)))
    told = [sure(look.readings[2, slot]) for slot in (1, 2)]
    assert [state and state[1] for state in told] == read


@pytest.mark.parametrize(
    ("sides", "usual", "of_a_card"),
    [(6.1, 12.0, True), (5.9, 12.0, False), (4.1, 5.0, True), (3.9, 5.0, False), (5.9, 0.0, False), (6.1, 0.0, True)],
)
def test_a_cards_sides_are_seen_plainly_or_about_as_well_as_the_others(
    before: RackFound, *, sides: float, usual: float, of_a_card: bool
) -> None:
    strip = before.view.strips[4]
    assert strip is not None

    assert has_cards_sides(replace(strip, sides=sides), usual) == of_a_card
    assert not has_cards_sides(None, usual)
