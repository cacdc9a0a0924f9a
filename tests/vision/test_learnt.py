"""A rack that nobody has measured: a full one tells where its slots are; until then what is not told is not sure."""

import math
import random
from dataclasses import replace

import numpy as np
import pytest

from calibration.table import SLOTS, Rack, Table, read_table
from tests.vision.drawing import Rack as DrawnRack
from tests.vision.test_fit import picture_of
from tests.vision.test_printed import told
from vision.drawing.picture import draw
from vision.drawing.random_scenes import Situation, some_scene
from vision.drawing.scene import BACK, RackStand, Scene, Standing
from vision.eye import Eye, look_at
from vision.figures.truth import State
from vision.frame import Frame
from vision.look import Look
from vision.pose import Pose
from vision.rack.edges import EdgeLine
from vision.rack.foot import UNMEASURED, UNSEEN
from vision.rack.learnt import ENOUGH, with_measures
from vision.rack.matching import COMMON, GRID, explain_by_any
from vision.rack.placed import view_rack
from vision.rack.planes import PITCHES, TopPlane
from vision.rack.stand import RackFit
from vision.reading.digits import NumberReader
from vision.rectify import SCALE

DECK = range(1, 61)


def situation_of(seed: int) -> Situation:
    """A drawn rack, whose measures differ from the usual ones as racks' do."""
    return some_scene(random.Random(seed), "rack", typefaces=["lines 0"])


def with_cards(scene: Scene, cards: dict[int, int]) -> Scene:
    """The scene with these cards alone, by slot (0..9)."""
    (mat,) = scene.mats
    assert isinstance(mat.stand, RackStand)
    stood = [slot[0] if slot else Standing(0, mat.stand.rack.lean) for slot in mat.stand.slots]
    slots = tuple((replace(one, card=cards[slot]),) if slot in cards else () for slot, one in enumerate(stood))
    return replace(scene, mats=(replace(mat, stand=replace(mat.stand, slots=slots)),))


def standing_in(scene: Scene) -> list[State]:
    """What stands in a drawn rack's slots."""
    (mat,) = scene.mats
    assert isinstance(mat.stand, RackStand)
    cards = [slot[0].card if slot else None for slot in mat.stand.slots]
    return [("empty", None) if card is None else ("back", None) if card == BACK else ("card", card) for card in cards]


def unmeasured(scene: Scene) -> Look:
    """A look at a scene by somebody who knows no measures, of rack or camera."""
    return look_at(draw(scene), Table(), DECK, None, NumberReader())


@pytest.mark.parametrize("seed", [20, 32, 34])
def test_a_full_rack_is_read_that_nobody_has_measured(seed: int) -> None:
    # by usual measures, taken for measured ones, none of their cards was sure
    scene = situation_of(seed).scene
    assert told(unmeasured(scene)) == standing_in(scene)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 124, 169])
def test_what_an_unmeasured_rack_does_not_tell_is_not_sure(seed: int) -> None:
    # by usual measures, taken for measured ones, four to ten of their slots were told wrongly
    scene = situation_of(seed).scene
    for said, stands in zip(told(unmeasured(scene)), standing_in(scene), strict=True):
        assert said in {None, stands}


@pytest.mark.slow
def test_when_it_was_full_an_unmeasured_rack_is_known() -> None:
    scene = situation_of(20).scene
    few = with_cards(scene, {2: 14, 3: 33, 4: 40, 6: 8, 7: 52})
    first = told(unmeasured(few))
    assert ("card", 14) not in first
    eye = Eye(Table(), DECK, None, NumberReader())
    eye.look(Frame(draw(scene)))
    assert [said for said in told(eye.look(Frame(draw(few)))) if said and said[0] == "card"] == [
        ("card", 14), ("card", 33), ("card", 40), ("card", 8), ("card", 52),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "measured"),
    [("", False), ("[rack]\nlean = 9.0", False), ("[rack]\nfirst = 20.5", True), ("[rack]\npitch = 11.9", True)],
)
def test_a_rack_is_measured_where_somebody_told_where_its_slots_are(text: str, *, measured: bool) -> None:
    assert read_table(text).measured is measured


def fit_of(pose: Pose, pitch: float, first: float, slots: range, table: Table) -> RackFit:
    """A fit whose edges lie exactly so many mm apart, the first so far behind the rack's front."""
    plane = TopPlane.of(table)
    depths = {slot: table.rack.at[1] + first + slot * pitch for slot in slots}
    lines = tuple(
        EdgeLine((plane.far - depths[slot]) * SCALE, 80.0, 0.0, 1.0, 1.0) if slot in depths else None
        for slot in range(SLOTS)
    )
    return RackFit(pose, table, plane, lines, (0.0,) * SLOTS)


def test_measures_are_told_by_the_edges_of_a_full_rack() -> None:
    _, pose = picture_of(DrawnRack({}))
    table = with_measures(Table(), fit_of(pose, 12.5, 31.0, range(SLOTS), Table()))
    # drawn a little to the usual pitch: cards lean as they like
    assert 12.2 < table.rack.pitch < 12.5
    depth = table.rack.first + table.card.height * math.sin(math.radians(table.rack.lean))
    assert depth + 4.5 * table.rack.pitch == pytest.approx(31.0 + 4.5 * 12.5)
    assert table.measured


def test_few_cards_tell_no_measures_and_measured_ones_stay() -> None:
    _, pose = picture_of(DrawnRack({}))
    few = fit_of(pose, 12.5, 31.0, range(ENOUGH - 1), Table())
    assert with_measures(Table(), few) == Table()
    measured = Table(rack=Rack(pitch=11.5, first=19.0), measured=True)
    assert with_measures(measured, fit_of(pose, 12.5, 31.0, range(SLOTS), measured)) is measured


def test_an_unmeasured_racks_pitch_is_the_one_that_explains_its_edges() -> None:
    places = np.arange(400, dtype=np.float64) * GRID
    guesses = 40.0 + PITCHES[:, None] * np.arange(SLOTS)
    strength = np.zeros(len(places))
    strength[[np.abs(places - 46.0 - slot * 12.5).argmin() for slot in range(SLOTS)]] = 0.9
    best, *others = explain_by_any(strength, places, guesses, replace(UNSEEN, slack=UNMEASURED))
    assert PITCHES[best.guess] == pytest.approx(12.5)
    assert None not in best.choices
    for other in others:
        assert any(
            choice in best.choices and best.choices.index(choice) != slot
            for slot, choice in enumerate(other.choices)
            if choice is not None
        )


def test_an_unmeasured_rack_may_stand_farther_off_than_a_measured_one() -> None:
    assert replace(UNSEEN, slack=UNMEASURED).likely(COMMON)[0] > UNSEEN.likely(COMMON)[0] + 4.0


@pytest.mark.slow
def test_the_view_of_an_unmeasured_rack_has_its_own_pitch() -> None:
    scene = situation_of(20).scene
    (mat,) = scene.mats
    assert isinstance(mat.stand, RackStand)
    eye = Eye(Table(), DECK, None, NumberReader())
    frame = Frame(draw(scene))
    eye.look(frame)
    (pose,) = eye.poses.values()
    assert view_rack(frame, pose, Table()).fit.table.rack.pitch == pytest.approx(mat.stand.rack.pitch, abs=0.4)
