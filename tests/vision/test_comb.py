"""A rack's comb tells how far apart its slots are and where it stands, and which of them hold no card."""

import math
import random
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration.table import SLOTS, Table
from tests.vision.drawing import Rack
from tests.vision.test_fit import CARDS as TEN
from tests.vision.test_fit import picture_of
from tests.vision.test_printed import cards_in, lying, printed_at, says_so, told
from tests.vision.test_swapped_piles import eye_for
from vision.drawing.picture import draw
from vision.drawing.random_scenes import Situation, some_scene
from vision.drawing.scene import RackStand, Scene, Standing
from vision.find import find_in_rack
from vision.frame import Frame
from vision.rack import placed
from vision.rack.comb import BEFORE, BEHIND, CLEARLY, DENSE, MUCH_LESS, SURE, Comb, CombTold
from vision.rack.fit import CERTAIN, RackView
from vision.rack.foot import UNSEEN, Footing
from vision.rack.placed import BY_COMB, CARDS, is_of_cards

PITCH, LABEL = 12.0, 2.3
"""Of a comb that is made up, in mm: from slot to slot, and how far labels reach to both sides of each."""
SIZES = [1.0, 0.94, 0.89, 1.04]


def changes_of(*places: float, strength: float = 1.5) -> np.ndarray:
    """How much a made-up comb's brightness changes, that has slots so many mm behind the first one's place."""
    rows = round(((SLOTS - 1) * PITCH + BEFORE + BEHIND) * DENSE)
    away = (np.arange(rows) + 0.5) / DENSE - BEFORE
    near = np.abs(away[:, None] - np.array(places)).min(axis=1) <= LABEL
    return np.where(near, strength, 0.0)


def slots(first: int = 0, last: int = SLOTS, *, behind: float = 0.0, share: float = 1.0) -> list[float]:
    return [behind + slot * PITCH / share for slot in range(first, last)]


def comb_of(whole: np.ndarray, labels: np.ndarray | None = None) -> Comb:
    return Comb(labels, whole, PITCH, 1.0, covers=True)


@pytest.mark.parametrize("share", SIZES)
@pytest.mark.parametrize("behind", [0.0, -3.0, 5.0])
def test_an_empty_comb_tells_how_far_apart_its_slots_are_and_where_they_are(share: float, behind: float) -> None:
    says = comb_of(changes_of(*slots(behind=behind, share=share))).told
    assert says is not None
    assert says.sized
    assert says.size == pytest.approx(share, abs=0.011)
    assert says.behind == pytest.approx(behind, abs=0.5)
    assert says.free >= SLOTS - 2


def test_slots_behind_a_card_are_not_seen_and_the_first_ones_alone_are_free() -> None:
    says = comb_of(changes_of(*slots(last=6))).told
    assert says is not None
    assert 4 <= says.free <= 6


def test_a_card_in_between_ends_what_is_surely_free() -> None:
    """Behind it there may be others, whose top edges are a pitch apart as well."""
    says = comb_of(changes_of(*slots(last=4), *slots(5))).told
    assert says is not None
    assert says.free <= 4


def test_two_free_slots_do_not_tell_how_far_apart_slots_are() -> None:
    assert comb_of(changes_of(*slots(last=2))).told is None


def test_three_free_slots_tell_where_the_rack_stands_and_hardly_the_size() -> None:
    says = comb_of(changes_of(*slots(last=3, behind=2.0))).told
    assert says is not None
    assert says.behind == pytest.approx(2.0, abs=0.5)
    assert not says.sized


def test_a_camera_that_looks_down_steeply_sees_slots_in_which_cards_stand() -> None:
    says = replace(comb_of(changes_of(*slots())), covers=False).told
    assert says is not None
    assert says.sized
    assert says.free == 0


def test_the_labels_tell_it_beside_a_full_rack() -> None:
    full = comb_of(changes_of(100.0), changes_of(*slots(behind=-2.0, share=0.94)))
    assert full.told is not None
    size, sure = pytest.approx(0.94, abs=0.011), replace(full.told, otherwise=(0.0, math.inf))
    assert sure == CombTold(size, -2.0, 0, sized=True, by_labels=True)  # type: ignore[arg-type]


def test_labels_alone_do_not_outweigh_the_foot_of_a_rack_that_stands_near_there() -> None:
    """In recorded pictures they seem to be up to 3 mm off it; half a slot off it is another place."""
    told = comb_of(changes_of(100.0), changes_of(*slots(behind=-4.0))).told
    assert told is not None
    says = replace(told, otherwise=(0.0, math.inf))
    foot = Footing(np.array([-1.0]), np.array([0.95]))
    assert says.footing(foot, -4.0).places.tolist() == [-1.0]
    assert says.footing(replace(foot, places=np.array([8.0])), -4.0).places.tolist() == [-4.0]
    assert replace(says, by_labels=False).footing(foot, -4.0).places.tolist() == [-4.0]


@pytest.mark.parametrize("by_labels", [True, False])
@pytest.mark.parametrize(("cards", "places"), [(-4.0, [-2.5, 10.0]), (9.0, [10.0])])
@pytest.mark.parametrize("less", [1.6, MUCH_LESS])
def test_what_fits_nearly_as_well_a_slot_off_counts_too(
    cards: float, places: list[float], less: float, *, by_labels: bool
) -> None:
    """Of three racks whose front was out of the picture the labels told by 1.6 to 2.3 that they stand a slot off."""
    says = CombTold(1.0, 10.0, 0, sized=True, by_labels=by_labels, otherwise=(-2.5, less))
    if less < MUCH_LESS:
        places = [-2.5, 10.0]
    footing = says.footing(UNSEEN, cards)
    assert sorted(footing.places.tolist()) == places
    assert footing.shares.sum() == pytest.approx(SURE)
    assert footing.places[footing.shares.argmax()] == 10.0


def test_a_comb_says_how_much_less_well_it_fits_a_slot_off() -> None:
    says = comb_of(changes_of(100.0), changes_of(*slots(behind=-2.0))).told
    assert says is not None
    off, less = says.otherwise
    assert abs(off + 2.0) >= PITCH / 2
    assert less >= CLEARLY


def test_what_is_seen_at_three_places_is_no_row_of_labels() -> None:
    """But cards that stand farther left than they should, say."""
    assert comb_of(changes_of(100.0), changes_of(0.0, 2 * PITCH, 3 * PITCH, strength=2.0)).told is None


def dealt(situation: Situation, cards: int, share: float = 1.0) -> Scene:
    """The scene with so many cards in the rack, from the far end on, on a mat that was printed in another size."""
    (mat,) = situation.scene.mats
    assert isinstance(mat.stand, RackStand)
    usual = (Standing(1, mat.stand.rack.lean),)
    filled = tuple(
        (replace((slot or usual)[0], card=6 * number + 3),) if number >= SLOTS - cards else ()
        for number, slot in enumerate(mat.stand.slots)
    )
    stand = replace(mat.stand, slots=filled)
    return printed_at(replace(situation.scene, mats=(replace(mat, stand=stand),)), share)


@cache
def clear() -> list[Situation]:
    """Five racks of which three cards are surely read on a mat of the right size."""
    found: list[Situation] = []
    for seed in range(60):
        situation = some_scene(random.Random(seed), "rack", typefaces=["lines 0"])
        scene = dealt(situation, 3)
        look = eye_for(situation.table).look(Frame(draw(scene)))
        if look.racks and told(look)[SLOTS - 3 :] == cards_in(scene):
            found.append(situation)
        if len(found) == 5:
            return found
    raise AssertionError(f"only {len(found)} such racks")


def seen(situation: Situation, scene: Scene) -> CombTold | None:
    frame = Frame(draw(scene))
    _, pose = lying(frame, next(iter(situation.table.cameras.values()), None))
    return Comb.of(frame.grey, pose, situation.table).told


@pytest.mark.slow
@pytest.mark.parametrize("share", SIZES)
def test_drawn_racks_tell_the_size_of_their_mats_while_they_are_empty(share: float) -> None:
    """Within what a ruler is off: who measures slots 2 % too far apart has as good a comb on a mat of 98 %."""
    free = 0
    for situation in clear():
        says = seen(situation, dealt(situation, 0, share))
        assert says is not None
        assert says.sized
        (mat,) = situation.scene.mats
        assert isinstance(mat.stand, RackStand)
        seeming = share * situation.table.rack.pitch / mat.stand.rack.pitch
        assert says.size == pytest.approx(seeming, abs=0.03)
        free += says.free >= SLOTS - 2
    assert free >= 3


@pytest.mark.slow
@pytest.mark.parametrize("cards", range(1, SLOTS + 1))
def test_no_slot_in_which_a_card_stands_is_told_to_be_free(cards: int) -> None:
    for situation in clear():
        says = seen(situation, dealt(situation, cards))
        assert says is None or says.free <= SLOTS - cards


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.94, 0.9])
@pytest.mark.parametrize("cards", [1, 2, 3, 4])
def test_few_cards_on_a_mat_that_was_printed_too_small_are_told_in_their_slots(cards: int, share: float) -> None:
    """They are too few to tell of the size themselves."""
    right = 0
    for situation in clear():
        scene = dealt(situation, cards, share)
        said = told(eye_for(situation.table).look(Frame(draw(scene))))
        empty = [("empty", None)] * (SLOTS - cards)
        wrong = [one for one, other in zip(said, [*empty, *cards_in(scene)], strict=True) if one not in {None, other}]
        assert wrong == []
        right += said[SLOTS - cards :] == cards_in(scene)
    assert right >= 3


@pytest.mark.slow
def test_the_size_that_an_empty_comb_tells_is_kept_while_the_rack_is_filled() -> None:
    for situation in clear():
        eye = eye_for(situation.table)
        for cards in (0, 1, 3, SLOTS):
            scene = dealt(situation, cards, 0.94)
            for number in range(2):
                photo = replace(scene.photo, seed=10 * cards + number)
                look = eye.look(Frame(draw(replace(scene, photo=photo))), moved=not number)
            (rack,) = eye.racks
            assert rack.pose.printed == pytest.approx(0.94, abs=0.03)
        assert says_so(look)
        assert sum(one == card for one, card in zip(told(look), cards_in(scene), strict=True)) >= SLOTS - 1


def with_a_card_lifted(situation: Situation) -> Scene:
    """The scene with nine cards in its rack."""
    scene = dealt(situation, SLOTS)
    (mat,) = scene.mats
    assert isinstance(mat.stand, RackStand)
    lifted = (*mat.stand.slots[:5], (), *mat.stand.slots[6:])
    return replace(scene, mats=(replace(mat, stand=replace(mat.stand, slots=lifted)),))


@pytest.mark.slow
def test_a_card_in_the_first_slot_outweighs_what_looks_like_free_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    """The top edges of cards are a pitch apart, too: a recorded rack lost its first card while another was lifted."""
    racks, said = clear(), 0
    monkeypatch.setattr(Comb, "told", CombTold(1.0, 4.0, 1, sized=False, by_labels=False))
    for situation in racks:
        said += told(eye_for(situation.table).look(Frame(draw(with_a_card_lifted(situation)))))[0] == ("card", 3)
    assert said >= 4


@pytest.mark.slow
@pytest.mark.parametrize("size", [0.88, 0.94])
def test_cards_that_look_like_a_comb_on_another_mat_outweigh_it(size: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two full drawn racks of 700 were read a slot off so; the comb fitted the other size better by 3.7 and 4.2."""
    racks, right = clear(), []
    front = cards_in(dealt(racks[0], SLOTS))[:5]
    monkeypatch.setattr(placed, "FRONT_CARD", 10.0)  # so strong are no card's sides: it is not told by the first card
    monkeypatch.setattr(Comb, "told", CombTold(size, 1.0, 0, sized=True, by_labels=False))
    for better in (4.0, BY_COMB):
        monkeypatch.setattr(Comb, "better", better)
        looks = [eye_for(one.table).look(Frame(draw(with_a_card_lifted(one)))) for one in racks]
        right.append(sum(told(look)[:5] == front for look in looks))
    assert right[0] >= 3
    assert right[1] < right[0]


@pytest.mark.slow
@pytest.mark.parametrize("size", [0.85, 0.88])
def test_ten_numbers_in_ten_slots_outweigh_any_comb(size: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a dark picture a full rack's sides were too faint to be held against what looked like a comb of 89.5 %."""
    racks, right = clear(), 0
    monkeypatch.setattr(placed, "FRONT_CARD", 10.0)
    monkeypatch.setattr(RackView, "is_full", property(lambda _: False))
    monkeypatch.setattr(Comb, "told", CombTold(size, 0.0, 0, sized=True, by_labels=False))
    monkeypatch.setattr(Comb, "better", BY_COMB)
    for situation in racks:
        scene = dealt(situation, SLOTS)
        said = told(eye_for(situation.table).look(Frame(draw(scene))))
        assert all(one in {None, card} for one, card in zip(said, cards_in(scene), strict=True))
        right += said == cards_in(scene)
    assert right >= 4


@pytest.fixture(scope="module")
def full() -> RackView:
    """A rack with a card in every slot."""
    frame, pose = picture_of(Rack(TEN))
    return find_in_rack(frame, 2, pose, Table()).view


@pytest.mark.parametrize("cards", [CARDS - 1, CARDS])
def test_a_comb_of_another_size_is_doubted_beside_cards_only(cards: int, full: RackView) -> None:
    strips = tuple(
        strip and replace(strip, sides=CERTAIN if slot < cards else 0.0) for slot, strip in enumerate(full.strips)
    )
    view = replace(full, strips=strips)
    comb = comb_of(changes_of(*slots(share=0.94)))
    assert comb.better >= BY_COMB
    assert not is_of_cards(comb, view)
    faint = comb_of(changes_of(*slots(share=0.94), strength=1.0))
    assert 0 < faint.better < BY_COMB
    assert is_of_cards(faint, view) == (cards == CARDS)
