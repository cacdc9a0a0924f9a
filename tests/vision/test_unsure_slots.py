"""As long as the eye is not sure of a slot it looks at it anew, in the mean of what stays before the camera."""

from collections.abc import Collection
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from calibration.table import SLOTS, Table
from tests.vision.test_eye import CARDS, eye_for, frame, rack_with, sharp_rack, told
from vision import find as finding
from vision import rack_memory, sizes
from vision.changes import Reference
from vision.drawing.picture import draw
from vision.drawing.random_scenes import Situation, some_scene
from vision.evidence import LOOKS, again_in_slot, in_slot
from vision.find import find_in_rack
from vision.found import RackFound
from vision.frame import Frame
from vision.fuse import fuse, sure, together
from vision.pose import Pose
from vision.rack.fit import RackView
from vision.rack.stand import RackFit
from vision.rack.states import Chances
from vision.rack_memory import RackMemory


@pytest.fixture(scope="module")
def situation() -> Situation:
    """A sharp picture of a full rack."""
    return sharp_rack()


def test_what_was_not_read_is_sought_in_each_picture(situation: Situation, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = {4, 7}
    for module, find in ((sizes, "find_as_printed"), (rack_memory, "find_in_rack")):
        monkeypatch.setattr(module, find, lambda *at, **_: without_slots(find_in_rack(*at), lost))
    monkeypatch.setattr(rack_memory, "find_elsewhere", lambda *_, **__: ())
    eye, _ = eye_for(situation)
    scene = rack_with(situation.scene, CARDS)
    first = told(eye, frame(scene, 0))
    assert [slot for slot, card in enumerate(first) if card is None] == [4, 7]
    assert told(eye, frame(scene, 1)) == first
    lost.clear()
    assert told(eye, frame(scene, 2)) == list(CARDS)


def test_a_card_that_was_not_read_when_it_came_is_found_anew_in_the_next_picture(
    situation: Situation, monkeypatch: pytest.MonkeyPatch
) -> None:
    eye, _ = eye_for(situation)
    told(eye, frame(rack_with(situation.scene, CARDS)))
    anew = []

    def find(picture: Frame, seat: int, pose: Pose, table: Table) -> RackFound:
        anew.append(picture)
        return find_in_rack(picture, seat, pose, table)

    def miss(_: Frame, view: RackView, slot: int) -> tuple[RackFit, None]:
        return view.fit.with_line(slot, None), None

    monkeypatch.setattr(rack_memory, "find_in_rack", find)
    monkeypatch.setattr(finding, "refit", miss)
    monkeypatch.setattr(rack_memory, "find_elsewhere", lambda *_, **__: ())
    cards = (*CARDS[:4], 31, *CARDS[5:])
    first, second, third = (frame(rack_with(situation.scene, cards), seed) for seed in (1, 2, 3))
    eye.look(first, moved=True)
    assert told(eye, second) == list(cards)
    assert told(eye, third) == list(cards)
    assert len(anew) == 1


@pytest.mark.slow
def test_what_noise_hides_in_each_picture_is_read_in_their_mean(situation: Situation) -> None:
    red, green, blue = (round(0.9 * level) for level in situation.scene.deck.face)
    faint = replace(situation.scene.deck, ink=(red, green, blue), primes=None)
    photo = replace(situation.scene.photo, noise=10.0)
    scene = rack_with(replace(situation.scene, deck=faint, photo=photo), CARDS)
    pictures = [frame(scene, seed) for seed in range(8)]
    alone = [sum(card is not None for card in told(eye_for(situation)[0], picture)) for picture in pictures]
    eye, _ = eye_for(situation)
    seen = [told(eye, picture) for picture in pictures]
    assert all(card in {None, true} for one in seen for card, true in zip(one, CARDS, strict=True))
    assert sum(card is not None for card in seen[-1]) >= max(alone) + 4


def test_a_card_in_a_slot_that_was_empty_is_noticed_where_noise_may_hide_it(
    situation: Situation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So it is in the dark with a dark card that was lifted in the look before; the slots that were full stay so."""
    eye, _ = eye_for(situation)
    gap = rack_with(situation.scene, (*CARDS[:4], None, *CARDS[5:]))
    for seed in range(2):
        assert told(eye, frame(gap, seed))[4] is None
    monkeypatch.setattr(Reference, "changed", lambda *_, **__: np.zeros(SLOTS, np.bool_))
    look = eye.look(frame(rack_with(situation.scene, CARDS), 2), moved=True)
    ((seat, readings),) = look.racks.items()
    assert sure(readings[4]) == ("card", CARDS[4])
    assert 4 in look.altered[seat]


def test_a_rack_that_may_be_a_slot_off_is_found_anew_when_something_has_changed(
    situation: Situation, monkeypatch: pytest.MonkeyPatch
) -> None:
    def doubted(picture: Frame, seat: int, pose: Pose, table: Table, **_: bool) -> RackFound:
        rack = find_in_rack(picture, seat, pose, table)
        return replace(rack, view=replace(rack.view, which=(0.9,) * SLOTS, rivals=()))

    eye, _ = eye_for(situation)
    cards = (*CARDS[:-1], None)  # ten numbers would tell which is which
    with monkeypatch.context() as patch:
        patch.setattr(sizes, "find_as_printed", doubted)
        assert told(eye, frame(rack_with(situation.scene, cards), 0)) == [None] * SLOTS
    other = (*cards[:4], 31, *cards[5:])
    assert told(eye, frame(rack_with(situation.scene, cards), 1)) == [None] * SLOTS
    assert told(eye, frame(rack_with(situation.scene, other), 2)) == list(other)


def without_slots(rack: RackFound, lost: Collection[int]) -> RackFound:
    """The rack as if the cards of some slots had not been found."""
    fit, strips, slots = rack.view.fit, list(rack.view.strips), list(rack.slots)
    for slot in lost:
        fit, strips[slot], slots[slot] = fit.with_line(slot, None), None, ()
    return replace(rack, view=replace(rack.view, fit=fit, strips=tuple(strips)), slots=tuple(slots))


@pytest.mark.slow
def test_a_number_that_is_not_sure_is_looked_for_below_another_edge(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards in three drawn racks that are told so only: their edge may be another slot's, or is a logo's."""
    drawn = [(some_scene(Random(f"elsewhere/{seed}"), "rack"), slot) for seed, slot in ((35, 4), (59, 9), (100, 5))]
    pictures = [Frame(draw(situation.scene)) for situation, _ in drawn]

    def surely() -> list[int | None]:
        return [
            told(eye_for(situation)[0], seen)[slot] for (situation, slot), seen in zip(drawn, pictures, strict=True)
        ]

    cards = surely()
    assert {46, 52, 39} >= set(cards) - {None}
    assert cards.count(None) <= 1
    monkeypatch.setattr(RackMemory, "doubted", lambda *_: iter(()))
    assert surely().count(None) > cards.count(None)


@pytest.mark.parametrize(("belongs", "empty"), [(1.0, 0.999), (0.95, 0.999), (0.5, 0.4995)])
def test_a_slot_is_no_surer_to_be_empty_than_the_edge_beside_is_that_cards_own(
    situation: Situation, belongs: float, empty: float
) -> None:
    """Of a rack that is told a slot off, a slot behind all cards that are seen seems to have none."""
    eye, _ = eye_for(situation)
    told(eye, frame(rack_with(situation.scene, CARDS)))
    (known,) = eye.racks
    view = without_slots(known, {6, 9}).view
    line = view.lines[8]
    assert line is not None
    rack = replace(known, view=replace(view, fit=view.fit.with_line(8, line.belonging(belongs))))
    said = in_slot(rack, 9, np.zeros((0, 61)), Chances(empty=0.999))
    assert said.empty == pytest.approx(empty)
    assert in_slot(rack, 6, np.zeros((0, 61)), Chances(empty=0.999)).empty == pytest.approx(0.999), "not beside it"


@pytest.mark.parametrize(("others", "empty"), [(1.0, 0.999), (0.75, 0.999), (0.7, 0.8991), (0.3, 0.8991)])
def test_in_a_rack_that_may_well_be_a_slot_off_no_slot_is_surely_empty(
    situation: Situation, others: float, empty: float
) -> None:
    """Although all its fits have no card there: of one that stood otherwise a card was told as an empty slot."""
    eye, _ = eye_for(situation)
    told(eye, frame(rack_with(situation.scene, (*CARDS[:-1], None))))
    (known,) = eye.racks
    rack = replace(known, view=replace(known.view, which=(*(others,) * (SLOTS - 1), 1.0)))
    assert in_slot(rack, SLOTS - 1, np.zeros((0, 61)), Chances(empty=0.999)).empty == pytest.approx(empty)


@pytest.mark.parametrize(
    ("chances", "sure_of_it"),
    [
        (Chances(back=0.99), False),
        (Chances(back=0.99, like_a_face=True), True),
        (Chances(card=0.3, back=0.7), True),
    ],
)
def test_a_number_where_a_back_is_plainly_seen_is_not_sure(
    situation: Situation, chances: Chances, *, sure_of_it: bool
) -> None:
    """It may be that of the card behind. Not so where faces have the back's colour: it may be no back."""
    eye, reader = eye_for(situation)
    assert told(eye, frame(rack_with(situation.scene, CARDS))) == list(CARDS)
    (rack,) = eye.racks
    read = reader.read(np.array([item.crop for item in rack.slots[3]]))
    looks = [in_slot(rack, 3, read, chances)]
    for _ in range(LOOKS):
        (said,) = fuse([together(looks)], range(1, 61))
        assert sure(said) == (("card", CARDS[3]) if sure_of_it else None)
        looks.append(again_in_slot(rack, 3, read, looks[-1]))
