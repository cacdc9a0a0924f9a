"""Behind the last card of a rack nothing stands: there an empty slot is told by the sides that no card shows."""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from calibration.table import SLOTS, Table
from tests.vision.test_printed import told
from tests.vision.test_swapped_piles import eye_for
from vision.drawing.picture import draw
from vision.drawing.random_scenes import some_scene
from vision.drawing.scene import RackStand
from vision.figures.truth import State
from vision.frame import Frame
from vision.fuse import SURE
from vision.rack import states
from vision.rack.states import by_sides

EMPTY: State = ("empty", None)
LAST = 2
"""So many slots at the far end hold no card."""


@pytest.mark.parametrize("empty", [0.3, 0.9, 0.99])
def test_a_slot_is_the_emptier_the_less_is_seen_of_a_cards_sides(empty: float) -> None:
    chances = [by_sides(empty, sides, 6.0) for sides in (0.0, 2.0, 4.8, 6.0, 8.0)]
    assert chances == sorted(chances, reverse=True)
    assert chances[2] == pytest.approx(empty)
    assert (chances[0] >= SURE) == (empty >= 0.9)


def test_what_the_net_surely_says_is_nearly_sure_whatever_the_sides_say() -> None:
    assert by_sides(0.0, 0.0, 6.0) == 0.0
    assert by_sides(1.0, 12.0, 6.0) == 1.0
    assert by_sides(0.999, 9.0, 6.0) > SURE


def ends(seeds: range) -> Iterator[tuple[Table, Frame, list[State]]]:
    """Pictures of drawn racks, and what stands in their last slots: no card, or their own."""
    for seed in seeds:
        situation = some_scene(random.Random(seed), "rack", typefaces=["lines 0"])
        (mat,) = situation.scene.mats
        assert isinstance(mat.stand, RackStand)
        for slots in (mat.stand.slots, (*mat.stand.slots[:-LAST], *[()] * LAST)):
            stand = replace(mat.stand, slots=slots)
            picture = draw(replace(situation.scene, mats=(replace(mat, stand=stand),)))
            states_there: list[State] = [
                ("card", slot[0].card) if slot and slot[0].card else ("back", None) if slot else EMPTY for slot in slots
            ]
            yield situation.table, Frame(picture), states_there[SLOTS - LAST :]


@pytest.mark.slow
def test_empty_slots_behind_the_last_card_are_told_and_no_card_there_is_taken_for_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ways = (by_sides, lambda empty, _sides, _usual: empty)
    pairs: tuple[list[tuple[State | None, State]], ...] = ([], [])
    for table, frame, there in ends(range(24)):
        for by, some in zip(ways, pairs, strict=True):
            monkeypatch.setattr(states, "by_sides", by)
            look = eye_for(table).look(frame)
            if look.racks:
                some.extend(zip(told(look)[SLOTS - LAST :], there, strict=True))
    right = []
    for some in pairs:
        assert not any(one == EMPTY != other for one, other in some)
        empty = [one for one, other in some if other == EMPTY]
        right.append(empty.count(EMPTY) / len(empty))
    assert right[0] >= 0.65
    assert right[0] >= right[1] + 0.1
