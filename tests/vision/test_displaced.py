"""A rack that was pushed off its place on the mat, or turned there, is read rightly all the same, and it is said."""

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest

from calibration.table import SLOTS, Table
from tests.vision.drawing import Rack
from tests.vision.test_fit import CARDS, picture_of
from tests.vision.test_printed import cards_in, readable, told
from tests.vision.test_rivals import read
from tests.vision.test_swapped_piles import eye_for
from vision import pushed as pushed_module
from vision import rack_memory, rack_pose
from vision.drawing.picture import draw
from vision.drawing.random_scenes import Situation, some_scene
from vision.drawing.scene import RackStand, Scene
from vision.eye import Eye
from vision.find import find_in_rack
from vision.found import RackFound
from vision.frame import Frame
from vision.look import Look
from vision.pose import Pose
from vision.pushed import displaced, followed, is_displaced, slots_off, stands_as_before, strayed
from vision.rack.comb import Comb
from vision.rack.states import Chances
from vision.rivals import Account, Answers

ENOUGH = 9
"""Cards of a drawn rack that are surely read where it stands in its place."""


def pushed(situation: Situation, depth: float, cards: int = SLOTS, right: float = 0.0) -> Scene:
    """The scene with its rack so many mm farther back and to the right on its mat, and its last slots empty."""
    (mat,) = situation.scene.mats
    assert isinstance(mat.stand, RackStand)
    x, y = mat.stand.rack.at
    slots = (*mat.stand.slots[:cards], *((),) * (SLOTS - cards))
    stand = replace(mat.stand, rack=replace(mat.stand.rack, at=(x + right, y + depth)), slots=slots)
    return replace(situation.scene, mats=(replace(mat, stand=stand),))


def seen(situation: Situation, scene: Scene) -> Look:
    return eye_for(situation.table).look(Frame(draw(scene)))


def looked_twice(eye: Eye, scene: Scene) -> Look:
    """The second look at a scene after something has moved."""
    picture = draw(scene)
    eye.look(Frame(picture), moved=True)
    return eye.look(Frame(picture))


def said(look: Look) -> list[str]:
    return [word for word in look.remarks if "its outline on the mat" in word]


@pytest.mark.slow
def test_racks_that_were_pushed_by_a_slots_width_are_read_rightly() -> None:
    """Seven of eight: in a bare slot a number may seem to be read, and another lean explains a slot's width as well."""
    right = noticed = 0
    for situation in readable():
        pitch = situation.table.rack.pitch
        for depth, where in ((pitch, "behind"), (-pitch, "before")):
            scene = pushed(situation, depth)
            look = seen(situation, scene)
            (mat,) = scene.mats
            assert isinstance(mat.stand, RackStand)
            # it was put down by hand before, up to 2 mm off its outline
            off = abs(mat.stand.rack.at[1] - situation.table.rack.at[1])
            for word in said(look):
                assert f"mm {where} its outline" in word
                assert int(word.split("about ")[1].split()[0]) == pytest.approx(off, abs=2.0)
            noticed += len(said(look))
            right += sum(one == card for one, card in zip(told(look), cards_in(scene), strict=True)) >= ENOUGH
    assert right >= 7
    assert noticed >= 6


@pytest.mark.slow
@pytest.mark.parametrize(("right", "where"), [(12.0, "right"), (-12.0, "left")])
def test_racks_that_were_pushed_far_aside_are_read_rightly(right: float, where: str) -> None:
    """Their cards' sides are sought there, too: about where they should be, many numbers would be out of reach."""
    noticed = 0
    for situation in readable():
        scene = pushed(situation, 0.0, right=right)
        look = seen(situation, scene)
        assert [*told(look)] == [*cards_in(scene)]
        assert all(f"mm to the {where} of its outline" in word for word in said(look))
        noticed += len(said(look))
    assert noticed >= 2


@pytest.mark.slow
def test_where_a_rack_may_have_been_pushed_none_of_its_cards_is_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as neither ten numbers nor the first slot, by the rack's comb, tell which slot is which."""
    monkeypatch.setattr(rack_pose, "as_full", lambda _: None)
    monkeypatch.setattr(Comb, "first_elsewhere", lambda *_: None)
    pushes = 0
    for situation in readable():
        for depth in (situation.table.rack.pitch, -situation.table.rack.pitch):
            noticed: list[bool] = []

            def unsure(other: Account, last: int, noticed: list[bool] = noticed) -> bool:
                noticed.append(is_displaced(other, last))
                return False

            monkeypatch.setattr(rack_pose, "is_displaced", unsure)
            look = seen(situation, pushed(situation, depth))
            if any(noticed):
                assert told(look) == [None] * SLOTS
                pushes += 1
    assert pushes >= 5


@pytest.mark.slow
def test_a_card_beyond_the_end_whose_number_is_not_read_leaves_a_rack_in_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two cards stood before a rack that was told two slots off: the nearer one's number was not read."""
    monkeypatch.setattr(rack_pose, "as_full", lambda _: None)
    monkeypatch.setattr(Comb, "first_elsewhere", lambda *_: None)
    doubted = []

    def unread(rack: RackFound, frame: Frame, table: Table, answers: Answers) -> Iterator[tuple[RackFound, int]]:
        for other, last in displaced(rack, frame, table, answers):
            doubted.append(last)
            yield other.with_numbers(last, ()), last

    monkeypatch.setattr(rack_memory, "displaced", unread)
    for situation in readable():
        for depth in (situation.table.rack.pitch, -situation.table.rack.pitch):
            before = len(doubted)
            look = seen(situation, pushed(situation, depth))
            if len(doubted) > before:
                assert told(look) == [None] * SLOTS
    assert len(doubted) >= 5


@pytest.mark.parametrize("last", [0, SLOTS - 1])
def test_cards_may_be_a_slot_off_though_the_foot_of_the_rack_is_in_its_place(
    monkeypatch: pytest.MonkeyPatch, last: int
) -> None:
    """On a mat that curls up the card in the first slot was left out, and nine were told in the slots before theirs."""
    frame, pose = picture_of(Rack(CARDS))
    whole = find_in_rack(frame, 2, pose, Table())
    lines, cards = whole.view.lines, dict(CARDS)
    off = (*lines[1:], None) if last == 0 else (None, *lines[:-1])
    found = replace(whole, view=replace(whole.view, fit=replace(whole.view.fit, lines=off)))
    step = -1 if last == 0 else 1
    answers = read({slot + step: card for slot, card in cards.items() if 0 <= slot + step < SLOTS})
    monkeypatch.setattr(pushed_module, "find_in_rack", lambda *_: found)
    monkeypatch.setattr(pushed_module, "judge_slots", lambda *_: {slot: Chances(empty=0.9) for slot in range(SLOTS)})
    (moved, end), *_ = displaced(found, frame, Table(), answers)
    assert end == last
    for line, true in zip(moved.view.lines, lines, strict=True):
        assert line is not None
        assert true is not None
        assert line.at == pytest.approx(true.at, abs=1.0)
    assert all(moved.slots)


@pytest.mark.slow
def test_where_no_edge_is_seen_no_card_stands_whatever_the_table_looks_like(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pushed_module, "judge_slots", lambda *_: {slot: Chances(card=0.6) for slot in range(SLOTS)})
    noticed = 0
    for situation in readable():
        scene = pushed(situation, -situation.table.rack.pitch)
        look = seen(situation, scene)
        assert all(one in {None, card} for one, card in zip(told(look), cards_in(scene), strict=True))
        noticed += len(said(look))
    assert noticed >= 2


def test_of_a_rack_in_its_place_nothing_is_said() -> None:
    assert not any(said(seen(situation, situation.scene)) for situation in readable())


def test_a_rack_with_an_empty_last_slot_is_not_taken_for_one_that_was_pushed() -> None:
    situation = readable()[0]
    scene = pushed(situation, 0.0, cards=SLOTS - 1)
    look = seen(situation, scene)
    assert not said(look)
    assert told(look)[: SLOTS - 1] == cards_in(scene)


def test_a_rack_that_is_pushed_off_and_back_is_followed() -> None:
    situation = readable()[0]
    eye = eye_for(situation.table)
    cards = cards_in(situation.scene)
    for depth in (0.0, situation.table.rack.pitch, 0.0):
        look = eye.look(Frame(draw(pushed(situation, depth))), moved=True)
        assert bool(said(look)) == bool(depth)
        assert sum(one == card for one, card in zip(told(look), cards, strict=True)) >= ENOUGH


@pytest.mark.slow
def test_a_rack_whose_cards_are_known_is_followed_wherever_it_is_pushed() -> None:
    for situation in readable():
        eye = eye_for(situation.table)
        cards = cards_in(situation.scene)
        for depth in (0.0, 4.0, 7.0, 10.0, 6.0, 2.0, -3.0, -6.0, -2.0):
            look = looked_twice(eye, pushed(situation, depth))
            seen = [(one, card) for one, card in zip(told(look), cards, strict=True) if one is not None]
            assert all(one == card for one, card in seen)
            assert len(seen) >= ENOUGH - 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", [6003, 6015, 6016])
def test_half_a_slot_off_its_place_the_cards_that_stood_there_tell_which_slot_is_which(seed: int) -> None:
    situation = some_scene(random.Random(seed), "rack", typefaces=["lines 0"])
    cards = cards_in(situation.scene)
    for depth in (5.0, 6.0, 7.0, -5.0, -6.0):
        eye = eye_for(situation.table)
        looked_twice(eye, situation.scene)
        seen = told(looked_twice(eye, pushed(situation, depth)))
        assert all(one in {None, card} for one, card in zip(seen, cards, strict=True))
        assert seen.count(None) <= (seed == 6003)  # one of its cards hardly shows its number


def turned(situation: Situation, degrees: float) -> Scene:
    """The scene with its rack turned on its mat, about its middle, by so much more."""
    (mat,) = situation.scene.mats
    assert isinstance(mat.stand, RackStand)
    rack, angle = mat.stand.rack, math.radians(degrees)
    middle = np.array([rack.width / 2, rack.depth / 2])
    way = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    x, y = np.array(rack.at) + middle - way @ middle
    stand = replace(mat.stand, turn=mat.stand.turn + degrees, rack=replace(rack, at=(float(x), float(y))))
    return replace(situation.scene, mats=(replace(mat, stand=stand),))


@pytest.mark.slow
@pytest.mark.parametrize("degrees", [-3.5, 3.5])
def test_a_rack_that_stands_turned_is_read_and_said_to_be_so(degrees: float) -> None:
    for situation in readable():
        scene = turned(situation, degrees)
        look = seen(situation, scene)
        assert any("stands turned by about" in word for word in look.remarks)
        assert sum(one == card for one, card in zip(told(look), cards_in(scene), strict=True)) >= ENOUGH
    assert not any("turned" in word for word in seen(situation, situation.scene).remarks)


def leaning_together(situation: Situation, slot: int, back: float, forward: float) -> Scene:
    """The scene with its rack 2 mm farther back, and a slot's card and the next one leaning together, in degrees."""
    scene = pushed(situation, 2.0)
    (mat,) = scene.mats
    assert isinstance(mat.stand, RackStand)
    slots = [*mat.stand.slots]
    for at, more in ((slot, back), (slot + 1, -forward)):
        (card,) = slots[at]
        slots[at] = (replace(card, lean=mat.stand.rack.lean + more),)
    return replace(scene, mats=(replace(mat, stand=replace(mat.stand, slots=tuple(slots))),))


@pytest.mark.slow
@pytest.mark.parametrize(("slot", "back", "forward"), [(2, 7.0, 3.0), (8, 5.5, 4.0), (8, 7.0, 3.0), (8, 4.5, 4.5)])
def test_a_card_that_leans_against_another_one_is_not_taken_to_stand_in_its_slot(
    slot: int, back: float, forward: float
) -> None:
    known = 0
    for situation in readable():
        eye = eye_for(situation.table)
        cards = cards_in(situation.scene)
        looked_twice(eye, situation.scene)
        said = told(looked_twice(eye, leaning_together(situation, slot, back, forward)))
        assert all(one in {None, card} for one, card in zip(said, cards, strict=True))
        known += sum(one is not None for one in said)
    assert known >= 4 * (SLOTS - 2)


@pytest.mark.parametrize("nearer", [True, False])
def test_a_rack_that_is_read_a_slot_off_is_sought_where_its_cards_lean_as_measured(
    monkeypatch: pytest.MonkeyPatch,
    nearer: bool,  # noqa: FBT001 - given by pytest
) -> None:
    """Sought a whole slot off, its cards might be nearest to the next slots but one: pushed by 8 mm, and leaning."""
    situation = readable()[0]
    eye, picture = eye_for(situation.table), Frame(draw(situation.scene))
    cards = [card for _, card in cards_in(situation.scene)]
    eye.look(picture)
    (rack,) = eye.racks
    sought = list[float]()

    def found(_frame: Frame, _seat: int, pose: Pose, _table: Table) -> RackFound:
        sought.append(pose.behind)
        return rack

    monkeypatch.setattr(pushed_module, "find_in_rack", found)
    stood = [None, *cards[:-1]] if nearer else [*cards[1:], None]
    answers = read({slot: card for slot, card in enumerate(cards) if card})
    assert followed(rack, picture, situation.table, stood, answers) is not None
    pitch = situation.table.rack.pitch
    assert sought == [pytest.approx((-pitch if nearer else pitch) + rack.view.fit.off)]
    assert not stands_as_before(stood, answers)
    assert stands_as_before(cards, answers)


@pytest.mark.parametrize(
    ("now", "found"),
    [
        ([3, 9, 14, 20, 27, 33, 38, 44, 58, None], [(8, 9)]),
        ([3, 14, None, 20, 27, 33, 38, 44, 51, 58], [(1, 2)]),
        ([3, 9, 14, 20, 27, 33, 38, 44, 51, None], []),
        ([3, 9, 14, 20, 27, 33, 38, 44, 58, 51], []),
        ([9, None, 14, 20, 27, 33, 38, 44, 51, 58], [(0, 1)]),
    ],
)
def test_only_what_shows_the_card_of_an_empty_slot_beside_has_strayed(
    now: list[int | None], found: list[tuple[int, int]]
) -> None:
    assert [*strayed([3, 9, 14, 20, 27, 33, 38, 44, 51, 58], now)] == found
    assert not [*strayed([0] * SLOTS, now)]


STOOD = (3, 9, 14, 20, 27, 33, 38, 44, 51, 58)


@pytest.mark.parametrize(
    ("now", "off"),
    [
        (STOOD, 0),
        ((None, *STOOD[:-1]), 1),
        ((*STOOD[1:], None), -1),
        ((3, 9, 14, None, None, None, None, None, None, None), 0),
        ((None, 3, 9, None, None, 27, None, None, None, None), 1),
        ((3, 9, None, None, None, None, None, None, None, None), None),
        ((3, 9, 14, None, 20, 27, 33, None, None, None), None),
        ((9, 3, 20, 14, 33, 27, 44, 38, 58, 51), None),
        ((1, 2, 4, 5, 6, 7, 8, 10, 11, 12), None),
        # dealt anew, with three cards that are a slot off by chance
        ((9, 14, 20, 5, 6, 7, 8, 10, 11, 12), None),
        ((3, 9, 14, 5, 6, 7, 8, 10, 11, 12), None),
        ((3, 9, 14, 20, 27, 33, 8, 10, 11, 12), 0),
    ],
)
def test_the_cards_that_stood_there_tell_by_how_many_slots_a_rack_is_read_off(
    now: Sequence[int | None], off: int | None
) -> None:
    assert slots_off(STOOD, now) == off
    assert slots_off([0] * SLOTS, now) is None
