"""Slots without a readable number: seen through, turned round, covered, out of the picture; words on what hinders."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.table import CameraModel, Table
from tests.vision.drawing import CAMERA, WIDTH, Eye, Rack, draw_mat, draw_rack, empty_table
from tests.vision.test_recipe import CARDS, DECK, rack_picture, told
from vision import evidence
from vision.drawing.decks import Deck
from vision.drawing.picture import Drawn, SeenCard, draw
from vision.drawing.scene import BACK, Camera, Cloth, MatPlace, Photo, RackStand, Scene, Standing
from vision.drawing.typefaces import BUILT_IN, LINES
from vision.eye import Eye as Looker
from vision.eye import look_at
from vision.frame import Frame
from vision.fuse import SURE, best, sure
from vision.look import Look
from vision.rack import states
from vision.rack.fit import RackView
from vision.rack.stand import RackFit
from vision.rack.states import (
    COLUMNS,
    ROWS,
    STATES,
    Chances,
    StatesError,
    glance_at,
    judge_slots,
    patch_of,
    prepared,
    though_hidden,
)
from vision.reading import digits
from vision.reading.digits import NumberReader
from vision.training.states import Shares, label_of, patches


@pytest.fixture(scope="module")
def reader() -> NumberReader:
    return NumberReader()


def look(picture: NDArray[np.uint8], reader: NumberReader) -> Look:
    return look_at(picture, Table(), DECK, CAMERA, reader)


@pytest.mark.parametrize("slot", [2, 6])
def test_the_logo_of_the_card_behind_shows_that_a_slot_is_empty(reader: NumberReader, slot: int) -> None:
    rack = Rack({other: card for other, card in CARDS.items() if other != slot})
    states = [best(reading) for reading in look(rack_picture(rack), reader).racks[2]]
    assert states[slot][0] == "empty"
    assert states[slot][2] > 0.9


@pytest.mark.parametrize("slot", [2, 6])
def test_a_card_whose_number_is_covered_is_not_called_empty(reader: NumberReader, slot: int) -> None:
    picture = rack_picture(Rack(CARDS))
    without = rack_picture(Rack({other: card for other, card in CARDS.items() if other != slot}))
    changed = np.argwhere(np.abs(picture.astype(int) - without).max(axis=2) > 0)
    top, bottom = changed[:, 0].min(), changed[:, 0].max()
    picture[top : bottom + 1, 560:800] = (90, 120, 170)
    assert told(look(picture, reader))[slot] != "empty"


def test_a_hand_over_slots_is_named_in_words(reader: NumberReader) -> None:
    picture = rack_picture(Rack(CARDS))
    picture[250:420, 560:900] = (90, 120, 170)
    assert any("covered" in remark for remark in look(picture, reader).remarks)
    assert not any("covered" in remark for remark in look(rack_picture(Rack(CARDS)), reader).remarks)


def test_slots_out_of_the_picture_are_named_in_words(reader: NumberReader) -> None:
    cut = rack_picture(Rack(CARDS))[232:]
    camera = CameraModel((WIDTH, cut.shape[0]), ((1000.0, 0.0, 639.5), (0.0, 1000.0, 359.5 - 232), (0.0, 0.0, 1.0)))
    remarks = look_at(cut, Table(), DECK, camera, reader).remarks
    assert any("slot 50 is out of the picture" in remark for remark in remarks)


def test_a_rack_that_is_too_small_is_named_in_words(reader: NumberReader) -> None:
    def remarks(eye: Eye) -> str:
        picture = empty_table()
        draw_mat(picture, 2, eye)
        draw_rack(picture, Rack(CARDS), Table(), eye)
        return " ".join(look(picture, reader).remarks)

    assert "move the camera nearer" in remarks(Eye((165.0, -330.0, 620.0), (150.0, 110.0, 20.0)))
    assert "nearer" not in remarks(Eye((165.0, -120.0, 290.0), (150.0, 110.0, 20.0)))


@pytest.mark.parametrize(("share", "too_small"), [(0.55, False), (0.32, True)])
def test_in_a_rack_that_is_far_too_small_nothing_is_sure(
    reader: NumberReader, share: float, *, too_small: bool
) -> None:
    picture = cv2.resize(rack_picture(Rack(CARDS)), None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    seen = look_at(np.asarray(picture, np.uint8), Table(), DECK, None, reader)
    (remark,) = [remark for remark in seen.remarks if "move the camera nearer" in remark]
    assert ("too small" in remark) == too_small
    assert any(map(sure, seen.racks[2])) != too_small
    assert not too_small or "number" not in " ".join(seen.remarks)


def looked(picture: NDArray[np.uint8], reader: NumberReader) -> Looker:
    eye = Looker(Table(), DECK, CAMERA, reader)
    eye.look(Frame(picture))
    return eye


@pytest.mark.parametrize("slot", [0, 9])
def test_the_first_and_the_last_slot_may_be_empty_too(reader: NumberReader, slot: int) -> None:
    rack = Rack({other: card for other, card in CARDS.items() if other != slot})
    assert told(look(rack_picture(rack), reader))[slot] in {"empty", None}


def test_no_card_of_a_full_rack_is_held_to_be_anything_else(reader: NumberReader) -> None:
    frame = Frame(rack_picture(Rack(CARDS)))
    (rack,) = looked(rack_picture(Rack(CARDS)), reader).racks
    chances = judge_slots(frame, rack.view, range(10), range(10))
    assert max(max(one.empty, one.back) for one in chances.values()) < 0.9


def test_a_slot_that_is_seen_through_shows_it(reader: NumberReader) -> None:
    picture = rack_picture(Rack({other: card for other, card in CARDS.items() if other != 4}))
    (rack,) = looked(picture, reader).racks
    read = [slot for slot in range(10) if slot != 4]
    assert judge_slots(Frame(picture), rack.view, [4], read)[4].empty > 0.9


def test_where_no_card_is_read_nobody_knows_what_a_face_looks_like(reader: NumberReader) -> None:
    picture = rack_picture(Rack(dict.fromkeys(range(10), 0)))
    assert set(told(look(picture, reader))) == {None}
    (rack,) = looked(rack_picture(Rack(CARDS)), reader).racks
    assert judge_slots(Frame(picture), rack.view, [4], []) == {4: Chances()}


def test_of_a_slot_out_of_the_picture_nothing_is_said(reader: NumberReader) -> None:
    picture = rack_picture(Rack(CARDS))
    (rack,) = looked(picture, reader).racks
    patch = patch_of(picture, rack.view, 3)
    assert patch.shape == (ROWS, COLUMNS, 3)
    assert patch.min() > 0
    away = np.zeros_like(picture)
    away[:200] = picture[:200]
    assert judge_slots(Frame(away), rack.view, [0], [9]) == {0: Chances()}


def test_of_a_slot_that_glare_bleaches_nothing_is_said(reader: NumberReader) -> None:
    """Four times too much light made slots with cards in them surely empty."""
    picture = rack_picture(Rack({other: card for other, card in CARDS.items() if other != 4}))
    (rack,) = looked(picture, reader).racks
    corners = rack.view.fit.pose.project(rack.view.fit.expected(4).points(np.array([[0.0, 40.0], [89.0, 62.0]])))
    (left, low), (right, high) = corners.round().astype(int).reshape(2, 2)
    cv2.rectangle(picture, (int(left) - 40, int(low) + 20), (int(right) + 40, int(high) - 20), (255, 255, 255), -1)
    read = [0, 1, 2, 7, 8, 9]
    assert judge_slots(Frame(picture), rack.view, [4], read) == {4: Chances()}


def test_other_light_on_a_whole_rack_changes_little_of_what_the_net_sees() -> None:
    patches = np.random.default_rng(1).integers(60, 120, (2, ROWS, COLUMNS, 3)).astype(np.uint8)
    faces = np.full((2, 3), 90.0)
    bright = cv2.convertScaleAbs(patches.reshape(-1, COLUMNS), alpha=2.0).reshape(patches.shape)
    assert np.abs(prepared(patches, faces) - prepared(np.asarray(bright, np.uint8), 2 * faces)).max() < 0.1


@pytest.mark.parametrize("net", ["MODEL", "GLANCE"])
def test_a_net_that_is_missing_or_another_is_named_in_one_line(
    net: str, reader: NumberReader, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (rack,) = looked(rack_picture(Rack(CARDS)), reader).racks
    frame = Frame(rack_picture(Rack(CARDS)))
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"no net")
    for file, words in (
        (tmp_path / "none.onnx", "missing"),
        (broken, "broken"),
        (digits.MODEL, "broken|no net for slots"),
    ):
        monkeypatch.setattr(states, net, file)
        with pytest.raises(StatesError, match=words) as caught:
            _ = judge_slots(frame, rack.view, [0], [1]) if net == "MODEL" else glance_at(frame, rack.view, [0])
        assert "\n" not in str(caught.value)


def test_the_states_of_the_net_are_those_of_its_answer() -> None:
    assert tuple(Chances.__dataclass_fields__)[: len(STATES)] == STATES


def rack_of(*cards: int, behind: Mapping[int, int] | None = None) -> RackStand:
    """Give a full rack with a second card behind those of some slots, leaning farther back: it peeps out."""
    slots = [[Standing(card, lean=6.0 + slot % 3, slide=slot % 4)] for slot, card in enumerate(cards)]
    for slot, card in (behind or {}).items():
        slots[slot].append(Standing(card, lean=slots[slot][0].lean + 4.0, slide=2.0))
    return RackStand(tuple(tuple(slot) for slot in slots), Table().rack)


def photographed(stand: RackStand, photo: Photo = Photo(), cloth: Cloth = Cloth()) -> NDArray[np.uint8]:  # noqa: B008 - frozen
    near = Camera(at=(150.0, -150.0, 330.0))
    return draw(Scene(Deck(), (MatPlace(2, stand=stand),), camera=near, photo=photo, cloth=cloth))


TEN = (4, 11, 23, 25, 31, 38, 42, 47, 52, 58)
NEAR = CameraModel((1280, 720), ((1000.0, 0.0, 639.5), (0.0, 1000.0, 359.5), (0.0, 0.0, 1.0)), (-0.07, 0.01, 0, 0, 0))


def test_a_gap_and_a_card_turned_round_are_told_apart(reader: NumberReader) -> None:
    cards = rack_of(*TEN).slots
    stand = replace(rack_of(*TEN), slots=(*cards[:3], (replace(cards[3][0], card=BACK),), *cards[4:6], (), *cards[7:]))
    look = look_at(photographed(stand), Table(), DECK, NEAR, reader)
    assert told(look) == [4, 11, 23, "back", 31, 38, "empty", 47, 52, 58]
    assert "seat 2: in slot 20 a card shows its back: turn it round" in look.remarks


def test_cards_that_stand_the_wrong_way_round_are_named_in_words(reader: NumberReader) -> None:
    cards = rack_of(*TEN).slots
    turned = tuple((replace(slot[0], card=BACK),) if place in {3, 8} else slot for place, slot in enumerate(cards))
    look = look_at(photographed(replace(rack_of(*TEN), slots=turned)), Table(), DECK, NEAR, reader)
    assert "seat 2: in slots 20 and 45 cards show their backs: turn them round" in look.remarks
    assert not any(
        "back" in remark for remark in look_at(photographed(rack_of(*TEN)), Table(), DECK, NEAR, reader).remarks
    )


def test_a_rack_of_which_no_card_is_read_is_named_in_words(reader: NumberReader) -> None:
    words = "no number is read on any of its cards: turn their faces to the camera, or light them better"
    backs = tuple((replace(slot[0], card=BACK),) for slot in rack_of(*TEN).slots)
    look = look_at(photographed(replace(rack_of(*TEN), slots=backs)), Table(), DECK, NEAR, reader)
    assert f"seat 2: {words}" in look.remarks
    empty = look_at(photographed(replace(rack_of(*TEN), slots=((),) * 10)), Table(), DECK, NEAR, reader)
    read = look_at(photographed(rack_of(*TEN)), Table(), DECK, NEAR, reader)
    assert not any(words in remark for remark in (*empty.remarks, *read.remarks))


def test_two_cards_in_a_slot_are_named_in_words(reader: NumberReader) -> None:
    eye = Looker(Table(measured=True), DECK, NEAR, reader)
    frame = Frame(photographed(rack_of(*TEN, behind={4: 17})))
    for _ in range(3):
        seen = eye.look(frame)
        assert "seat 2: slot 25 seems to hold two cards: take one out" in seen.remarks
        # nobody can tell for sure which of the two is read, but it mostly is the front one
        assert told(seen) == [None if slot == 4 else card for slot, card in enumerate(TEN)]
        assert best(seen.racks[2][4])[:2] == ("card", TEN[4])
        assert 0.9 < best(seen.racks[2][4])[2] < SURE


def fit_beside_a_gap(slot: int, lean: float, reader: NumberReader) -> RackFit:
    """The fit of a rack with nothing in slot 35 (6), and a card in another one that leans back by so many degrees."""
    slots = list(rack_of(*TEN).slots)
    slots[6], slots[slot] = (), (replace(slots[slot][0], lean=lean),)
    (rack,) = looked(photographed(replace(rack_of(*TEN), slots=tuple(slots))), reader).racks
    return rack.view.fit


def test_a_slot_is_not_surely_empty_where_a_card_would_be_hidden(reader: NumberReader) -> None:
    # the card before the empty slot leans back, farther and farther
    fits = {lean: fit_beside_a_gap(5, lean, reader) for lean in (6.0, 12.0)}
    chances = {lean: [though_hidden(looks, fit, 6) for looks in (0.98, 0.999)] for lean, fit in fits.items()}
    assert chances[6.0] == pytest.approx([0.98, 0.999], abs=0.001)
    assert chances[12.0][0] < SURE < chances[12.0][1]


def test_a_slot_is_not_surely_empty_where_the_next_card_may_be_its_own(reader: NumberReader) -> None:
    # the card behind the empty slot stands as the others do, or leans forward to the middle between two slots
    chances = {lean: though_hidden(0.999, fit_beside_a_gap(7, lean, reader), 6) for lean in (6.0, 0.0)}
    assert chances[6.0] == pytest.approx(0.999, abs=0.001)
    assert 0.9 < chances[0.0] < SURE


def test_a_rack_that_is_read_clearly_is_hardly_looked_at_slot_by_slot(
    reader: NumberReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def ask(_frame: Frame, _view: RackView, slots: Sequence[int], *_: Sequence[int]) -> dict[int, Chances]:
        asked.extend(slots)
        return dict.fromkeys(slots, Chances())

    monkeypatch.setattr(evidence, "judge_slots", ask)
    seen = look_at(photographed(rack_of(*TEN)), Table(), DECK, NEAR, reader)
    assert told(seen) == list(TEN)
    assert not any("two cards" in remark for remark in seen.remarks)
    assert len(asked) <= 1


def test_a_number_that_is_seen_through_an_empty_slot_is_not_that_of_the_slot(
    reader: NumberReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evidence, "glance_at", lambda _frame, _view, slots: dict.fromkeys(slots, 0.1))
    seen_through = Chances(card=0.02, empty=0.98)
    monkeypatch.setattr(evidence, "judge_slots", lambda _frame, _view, slots, *_: dict.fromkeys(slots, seen_through))
    assert told(look_at(photographed(rack_of(*TEN)), Table(), DECK, NEAR, reader)) == [None] * 10


def test_a_number_that_is_read_clearly_on_a_card_is_told_though_its_slot_looks_empty(reader: NumberReader) -> None:
    (rack,) = looked(photographed(rack_of(*TEN)), reader).racks
    rack = rack.with_numbers(3, rack.slots[3][:1])
    read = np.zeros((1, 61))
    read[0, TEN[3]] = 1.0
    empty, strip = Chances(card=0.02, empty=0.98), rack.view.strips[3]
    assert strip is not None
    said = evidence.in_slot(rack, 3, read, empty)
    assert [number.trust for number in said.numbers] == pytest.approx([0.95], abs=0.01)
    assert said.empty == 0
    strips = (*rack.view.strips[:3], replace(strip, sides=2.5), *rack.view.strips[4:])
    assert evidence.in_slot(replace(rack, view=replace(rack.view, strips=strips)), 3, read, empty).numbers == ()


def test_a_card_that_may_be_turned_round_is_believed_to_be_where_no_number_is_read(reader: NumberReader) -> None:
    (seen,) = looked(photographed(rack_of(*TEN)), reader).racks
    rack, bare = (seen.with_numbers(3, found) for found in (seen.slots[3][:1], ()))
    maybe = Chances(card=0.1, back=0.75, two=0.15)
    unread, read = np.zeros((0, 61)), np.zeros((1, 61))
    read[0, [0, 7]] = 0.3, 0.7
    assert evidence.in_slot(bare, 3, unread, maybe).back > 0.95
    assert evidence.in_slot(rack, 3, read, maybe).back == 0
    green = replace(maybe, like_a_face=True)
    assert 0.9 < evidence.in_slot(bare, 3, unread, green).back <= 0.95, "it may be a Prime card"
    gone = Chances(card=0.1, empty=0.75, back=0.15)
    assert evidence.in_slot(bare, 3, unread, gone).empty == 0, "a hidden card shows no number either"


def test_an_unchanged_glance_needs_no_colours(reader: NumberReader) -> None:
    (rack,) = looked(rack_picture(Rack(CARDS)), reader).racks
    _, data = cv2.imencode(".jpg", rack_picture(Rack(CARDS)))
    frame = Frame(data.tobytes())
    glance_at(frame, rack.view, [3])
    assert "colour" not in vars(frame)


def test_patches_for_training_are_labelled_by_what_was_put_into_the_slots(reader: NumberReader) -> None:
    kinds = Shares(gaps=0.4, backs=0.3, doubles=0.5, leaning=0.1, bare=0.0, hands=0.0, shades=0.5, wide=0.0)
    made = list(patches("test", (BUILT_IN, *LINES), 3, kinds, reader))
    assert {patch.pixels.shape for patch in made} == {(ROWS, COLUMNS, 3)}
    names = {STATES[patch.label] for patch in made}
    assert {"card", "two"} <= names <= {"card", "empty", "back", "two"}
    # no number is read where nothing stands, and one is read on most cards' faces
    assert sum(patch.read for patch in made if STATES[patch.label] == "card") > 0
    assert all(patch.face.shape == (3,) for patch in made)


def labelled(*tops: Sequence[float]) -> list[str | None]:
    """How slots are labelled for training, 5 first, whose cards' top edges are so many mm (pixels) down."""
    edges = {(1, slot, which): top for slot, cards in enumerate(tops) for which, top in enumerate(cards)}
    seen = {
        place: SeenCard(7, np.array([[0, top], [88, top], [88, top + 56], [0, top + 56]]), np.zeros((4, 2)), 1.0)
        for place, top in edges.items()
    }
    slots = [tuple(Standing(7, 20.0) for _ in cards) for cards in tops]
    drawn = Drawn(np.zeros((1, 1, 3), np.uint8), seen)
    labels = [label_of(slots, drawn, (1, slot)) for slot in range(len(slots))]
    return [None if label is None else STATES[label] for label in labels]


def test_what_nobody_can_tell_is_not_learnt() -> None:
    assert labelled([100], [90], [], [70]) == ["card", "card", "empty", "card"]
    assert labelled([100], [99], [101], [90]) == ["card", None, None, "card"], "hidden by a nearer card"
    assert labelled([100, 95], [85, 84], [75, 76]) == ["two", None, "card"], "by how much the rear one peeps out"
    assert labelled([100, 95], [], []) == ["two", None, "empty"], "it may be the second slot's, and lean forward"


@pytest.mark.parametrize("plan", ["LOOK", "GLANCE"])
def test_an_exported_net_for_slots_answers_in_opencv_as_in_torch(tmp_path: Path, plan: str) -> None:
    torch = pytest.importorskip("torch", reason="torch is missing (pip install racko[train]): the export is NOT tested")
    pytest.importorskip("onnx", reason="onnx is missing (pip install racko[train]): the export is NOT tested")
    from vision.training import network, train_states  # noqa: PLC0415 - need torch

    torch.manual_seed(1)
    chosen = getattr(train_states, plan)
    net = network.stacked(chosen.layers, chosen.shape, len(STATES)).eval()
    network.export(net, 2.0, tmp_path / "net.onnx", chosen.shape)
    colours = np.random.default_rng(1).integers(0, 256, (2, ROWS, COLUMNS, 3), dtype=np.uint8)
    seen = chosen.seen(colours, np.full((2, 3), 120.0, np.float32))
    loaded = cv2.dnn.readNetFromONNX(str(tmp_path / "net.onnx"))
    loaded.setInput(seen)
    with torch.no_grad():
        assert np.allclose(loaded.forward(), net(torch.from_numpy(seen)).numpy() / 2, atol=1e-4)


@pytest.mark.parametrize(
    ("told", "short"), [("flags: avx2 avx512_bf16", True), ("flags: fma avx2", False), (None, False)]
)
def test_short_numbers_are_used_where_the_processor_can(tmp_path: Path, told: str | None, *, short: bool) -> None:
    torch = pytest.importorskip("torch", reason="torch is missing (pip install racko[train]): training is NOT tested")
    pytest.importorskip("onnx", reason="onnx is missing (pip install racko[train]): training is NOT tested")
    from vision.training import network  # noqa: PLC0415 - needs torch

    processor = tmp_path / "cpuinfo"
    if told is not None:
        processor.write_text(told)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(network, "PROCESSOR", processor)
        with network.in_short_numbers():
            assert torch.is_autocast_enabled("cpu") is short
