"""An eye remembers what it saw: only what changed is found and read again, and a hand hides no more than it covers."""

import random
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.table import SLOTS, Table
from tests.vision import drawing
from vision import eye as eye_module
from vision import rack_memory
from vision.changes import Reference
from vision.drawing.picture import draw
from vision.drawing.random_scenes import Situation, some_scene
from vision.drawing.scene import Hand, RackStand, Scene, Standing
from vision.eye import Eye
from vision.frame import Frame
from vision.fuse import best, sure
from vision.mats import Mat, find_mats
from vision.rack_memory import RackMemory
from vision.reading.digits import NumberReader
from vision.surroundings import Surroundings

CARDS = (3, 9, 14, 20, 27, 33, 38, 44, 51, 58)
DECK = range(1, 61)


class Counting(NumberReader):
    """Counts the crops that it reads."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def read(self, crops: Sequence[NDArray[np.uint8]] | NDArray[np.uint8]) -> NDArray[np.float64]:
        self.count += len(crops)
        return super().read(crops)


def sharp_rack() -> Situation:
    """A rack that is seen sharply."""
    chance = random.Random(5)
    situation = some_scene(chance, "rack", typefaces=["lines 0"])
    while situation.scene.camera.size != (1280, 720):
        situation = some_scene(chance, "rack", typefaces=["lines 0"])
    photo = replace(situation.scene.photo, exposure=0.75, blur=0.6, noise=1.5, grain=0.5, motion=(0.0, 0.0), depth=0.0)
    return replace(situation, scene=replace(situation.scene, photo=photo))


@pytest.fixture(scope="module")
def situation() -> Situation:
    """A sharp picture of a full rack."""
    return sharp_rack()


def unworn(scene: Scene) -> Scene:
    """The scene with a deck whose cards are as new: none of them is in doubt."""
    return replace(scene, deck=replace(scene.deck, rubbed=0.0, stained=0.0, scratched=0.0, cornered=0.0))


def rack_with(scene: Scene, cards: Sequence[int | None]) -> Scene:
    """The scene with these cards, upright as the rack's measures say; None for an empty slot."""
    (mat,) = scene.mats
    assert isinstance(mat.stand, RackStand)
    lean = mat.stand.rack.lean
    slots = tuple(() if card is None else (Standing(card, lean + 0.3 * (card % 3)),) for card in cards)
    return replace(scene, mats=(replace(mat, stand=replace(mat.stand, slots=slots)),))


def frame(scene: Scene, seed: int = 0) -> Frame:
    """A picture of the scene with its own noise."""
    return Frame(draw(replace(scene, photo=replace(scene.photo, seed=seed))))


def told(eye: Eye, picture: Frame) -> list[int | None]:
    """The cards of the one rack that a look names surely."""
    (readings,) = eye.look(picture).racks.values()
    said = [sure(reading) for reading in readings]
    return [one[1] if one is not None else None for one in said]


def eye_for(situation: Situation) -> tuple[Eye, Counting]:
    reader = Counting()
    return Eye(situation.table, DECK, next(iter(situation.table.cameras.values()), None), reader), reader


@pytest.mark.slow
def test_a_card_that_stays_is_read_once_in_clear_pictures_and_three_times_in_noisy_ones(situation: Situation) -> None:
    scene = unworn(rack_with(situation.scene, CARDS))
    reads: dict[float, list[int]] = {1.5: [], 20.0: []}
    for noise, counts in reads.items():
        eye, reader = eye_for(situation)
        noisy = replace(scene, photo=replace(scene.photo, noise=noise))
        for seed in range(5):
            before = reader.count
            assert told(eye, frame(noisy, seed)) == list(CARDS)
            counts.append(reader.count - before)
    assert reads[1.5][0] >= SLOTS
    assert reads[1.5][1:] == [0, 0, 0, 0]
    assert all(reads[20.0][:3])


@pytest.mark.slow
def test_a_mat_in_a_noisy_picture_is_not_searched_in_each_one(
    situation: Situation, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = rack_with(situation.scene, CARDS)
    dim = replace(scene, photo=replace(scene.photo, exposure=0.3 * scene.photo.exposure, noise=15.0))
    eye, _ = eye_for(situation)
    eye.look(frame(dim))
    searches: list[int] = []

    def counted(grey: NDArray[np.uint8]) -> tuple[Mat, ...]:
        searches.append(1)
        return find_mats(grey)

    monkeypatch.setattr(eye_module, "find_mats", counted)
    for seed in range(1, 5):
        eye.look(frame(dim, seed))
    assert not searches
    (mat,) = dim.mats
    look = eye.look(frame(replace(dim, mats=(replace(mat, at=(mat.at[0] + 3.0, mat.at[1])),)), 6))
    assert searches
    assert any("moved" in remark for remark in look.remarks)


def test_only_the_card_that_changed_is_news(situation: Situation) -> None:
    eye, _ = eye_for(situation)
    scene = rack_with(situation.scene, CARDS)
    for seed in range(3):
        eye.look(frame(scene, seed))
    now = [*CARDS[:4], 6, *CARDS[5:]]
    changed = frame(rack_with(situation.scene, now), 7)
    look = eye.look(changed)
    seat = next(iter(look.racks))
    assert {place for place in ((seat, slot) for slot in range(SLOTS)) if place not in look.repeated} == {(seat, 4)}
    assert told(eye, changed) == now


def test_a_light_that_grows_brighter_is_no_news(situation: Situation) -> None:
    eye, reader = eye_for(situation)
    scene = rack_with(situation.scene, CARDS)
    for seed in range(3):
        eye.look(frame(scene, seed))
    before = reader.count
    bright = replace(scene, photo=replace(scene.photo, exposure=0.9 * scene.photo.exposure))
    look = eye.look(frame(bright, 4))
    assert reader.count == before
    assert len(look.repeated) == SLOTS


def hand_over(scene: Scene, aside: float = 0.0) -> Scene:
    """The scene with an arm that reaches from the player's side to the middle of the rack."""
    (mat,) = scene.mats
    x, y = mat.at
    return replace(scene, hands=(Hand((x + 140.0 + aside, y - 260.0, 120.0), (x + 150.0 + aside, y - 20.0, 90.0)),))


def test_what_a_hand_covers_cannot_be_told_and_is_known_again_when_it_has_gone(situation: Situation) -> None:
    eye, reader = eye_for(situation)
    (mat,) = situation.scene.mats
    scene = rack_with(replace(situation.scene, mats=(replace(mat, at=(0.0, 0.0), turn=0.0),)), CARDS)
    for seed in range(3):
        assert told(eye, frame(scene, seed)) == list(CARDS)
    before = reader.count
    look = eye.look(frame(hand_over(scene), 5))
    (readings,) = look.racks.values()
    said = [sure(reading) for reading in readings]
    assert any(one is None for one in said)
    assert all(one is None or one == ("card", card) for one, card in zip(said, CARDS, strict=True))
    assert any("hand" in remark for remark in look.remarks)
    assert told(eye, frame(scene, 6)) == list(CARDS)
    assert reader.count == before


def test_a_mat_that_was_moved_is_found_again_with_all_that_stands_on_it(situation: Situation) -> None:
    eye, _ = eye_for(situation)
    scene = rack_with(situation.scene, CARDS)
    eye.look(frame(scene))
    (mat,) = scene.mats
    moved = replace(scene, mats=(replace(mat, at=(mat.at[0] + 12.0, mat.at[1] + 6.0), turn=mat.turn + 2.0),))
    look = eye.look(frame(moved, 1))
    assert [remark for remark in look.remarks if "moved" in remark] == [
        f"seat {mat.number}'s mat or the camera was moved; it is found anew"
    ]
    assert told(eye, frame(moved, 2)) == list(CARDS)
    assert not any("moved" in remark for remark in eye.look(frame(moved, 3)).remarks)


def test_a_hand_is_over_a_mat_in_the_picture_in_which_that_is_found_elsewhere(situation: Situation) -> None:
    scene = replace(situation.scene, hands=())
    eye, _ = eye_for(situation)
    eye.look(frame(scene))
    (mat,) = scene.mats
    moved = replace(scene, mats=(replace(mat, at=(mat.at[0] + 6.0, mat.at[1] + 3.0)),))
    assert eye.look(frame(hand_over(moved), 1), moved=True).hands == {mat.number}
    assert not eye.look(frame(moved, 2), moved=True).hands


def test_a_mat_that_was_turned_about_one_of_its_markers_was_moved(
    situation: Situation, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = rack_with(situation.scene, CARDS)
    (whole,) = find_mats(frame(scene).grey)
    angle, pivot = np.radians(1.2), next(iter(whole.markers.values())).mean(axis=0)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    turned = Mat(whole.number, {place: (found - pivot) @ turn + pivot for place, found in whole.markers.items()})
    shown = [whole, turned]
    monkeypatch.setattr(eye_module, "find_mats", lambda _: (shown.pop(0),))
    monkeypatch.setattr(Eye, "_all_there", lambda *_: False)
    eye, _ = eye_for(situation)
    assert not any("moved" in remark for remark in eye.look(frame(scene)).remarks)
    assert any("moved" in remark for remark in eye.look(frame(scene)).remarks)
    assert [mat.markers for mat in eye.mats.values()] == [turned.markers]


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("corners", [1, 4])
def test_a_finger_on_a_marker_is_no_mat_that_was_moved(
    situation: Situation,
    monkeypatch: pytest.MonkeyPatch,
    corners: int,
    first: bool,  # noqa: FBT001 - given by pytest
) -> None:
    """Of two markers one's corners are some px off, one or all, in the first picture or in the second."""
    scene = rack_with(situation.scene, CARDS)
    picture = frame(scene)
    (whole,) = find_mats(picture.grey)
    two = Mat(whole.number, dict(sorted(whole.markers.items())[-2:]))
    place, found = next(iter(two.markers.items()))
    off = np.zeros((4, 2))
    off[:corners] = (5.0, 5.0)
    off[0] *= corners
    touched = Mat(two.number, {**two.markers, place: found + off})
    shown = [touched, two] if first else [two, touched]
    monkeypatch.setattr(eye_module, "find_mats", lambda _: (shown.pop(0),))
    eye, _ = eye_for(situation)
    eye.look(picture)
    monkeypatch.setattr(Eye, "_all_there", lambda *_: False)  # so the mats are sought again
    assert not [remark for remark in eye.look(picture).remarks if "moved" in remark]
    assert not shown
    assert [mat.markers for mat in eye.mats.values()] == [two.markers]


def test_a_mat_that_lies_where_it_lay_is_not_found_anew_while_a_hand_is_over_it(
    situation: Situation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hand would be taken for the paper, and the paper for a hand, from then on."""
    eye, reader = eye_for(situation)
    scene = unworn(rack_with(situation.scene, CARDS))
    for seed in range(3):
        assert told(eye, frame(scene, seed)) == list(CARDS)
    before, covered = reader.count, frame(hand_over(scene), 5)
    (whole,) = find_mats(frame(scene).grey)
    drawn = {place: corners + 0.4 * (place % 2) for place, corners in whole.markers.items()}
    better = Mat(whole.number, {**drawn, next(iter(drawn)): drawn[next(iter(drawn))] + 2.5})
    with monkeypatch.context() as patched:
        patched.setattr(eye_module, "find_mats", lambda _: (better,))
        patched.setattr(eye_module, "lies_still", lambda *_: False)
        patched.setattr(Eye, "_all_there", lambda *_: False)
        eye.look(covered, moved=True)
    monkeypatch.setattr(Surroundings, "may_hold_a_mat", lambda *_: False)
    look = eye.look(frame(scene, 6))
    assert not any("hand" in remark for remark in look.remarks)
    assert told(eye, frame(scene, 7)) == list(CARDS)
    assert reader.count == before


@pytest.mark.slow
def test_a_hand_in_the_very_first_picture_is_told_from_the_paper_after_some_plays(situation: Situation) -> None:
    eye, _ = eye_for(situation)
    (mat,) = situation.scene.mats
    scene = rack_with(replace(situation.scene, mats=(replace(mat, at=(0.0, 0.0), turn=0.0),)), CARDS)
    eye.look(frame(hand_over(scene), 0))
    for play in range(1, 4):
        for picture, moved in ((hand_over(scene, 25.0 * play), True), (scene, True), (scene, False)):
            eye.look(frame(picture, play), moved=moved)
    eye.look(frame(hand_over(scene), 5), moved=True)
    look = eye.look(frame(scene, 6), moved=True)
    assert not any("hand" in remark for remark in look.remarks)
    (readings,) = look.racks.values()
    assert [sure(reading) for reading in readings] == [("card", card) for card in CARDS]


@pytest.mark.slow
def test_it_is_said_whether_one_mat_or_the_camera_was_moved() -> None:
    situation = some_scene(random.Random(3), "wide", typefaces=["lines 0"])
    eye, _ = eye_for(situation)
    eye.look(frame(situation.scene))
    mats = situation.scene.mats
    assert set(eye.mats) == {mat.number for mat in mats}
    away = tuple(replace(mat, at=(mat.at[0] + 9.0, mat.at[1] + 4.0)) for mat in mats)
    for scene_mats, words in (
        ((away[0], *mats[1:]), f"seat {mats[0].number}'s mat was moved; it is found anew"),
        (away[:1] + mats[1:], None),
        (mats, f"seat {mats[0].number}'s mat was moved; it is found anew"),
        (away, "the camera was moved; all mats are found anew"),
    ):
        look = eye.look(frame(replace(situation.scene, mats=scene_mats), 1))
        assert [remark for remark in look.remarks if "moved" in remark] == ([] if words is None else [words])


@pytest.mark.parametrize("card", [39, 12])
def test_another_figure_that_changes_too_little_to_be_noticed_is_read_when_something_moved(
    situation: Situation, card: int
) -> None:
    eye, reader = eye_for(situation)
    for seed in range(4):
        told(eye, frame(rack_with(situation.scene, CARDS), seed))
    before = reader.count
    other = frame(rack_with(situation.scene, (*CARDS[:6], card, *CARDS[7:])), 5)
    # as if the picture were so full of noise that no slot stands out
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Reference, "changed", lambda self, _: np.zeros(len(self.points), np.bool_))
        assert told(eye, other)[6] == 38
        assert reader.count == before
        eye.look(other, moved=True)
        assert reader.count > before
        assert told(eye, other)[6] == card


def test_of_two_neighbours_that_changed_the_numbers_tell_how_they_stand(
    situation: Situation, monkeypatch: pytest.MonkeyPatch
) -> None:
    eye, _ = eye_for(situation)
    told(eye, frame(rack_with(situation.scene, CARDS), 1))
    # as if each alone were taken for no card, and no other edge were likely
    monkeypatch.setattr(RackMemory, "elsewhere", lambda *_: iter(()))
    monkeypatch.setattr(rack_memory, "find_again", lambda rack, slot, _: rack.with_numbers(slot, ()))
    other = (*CARDS[:6], CARDS[7], CARDS[6], *CARDS[8:])
    assert told(eye, frame(rack_with(situation.scene, other), 2)) == list(other)


@pytest.mark.parametrize(("stretch", "least"), [(0.3, 26), (0.5, 30), (1.8, 28)])
def test_condensed_and_extended_figures_are_read(situation: Situation, stretch: float, least: int) -> None:
    """Of 120 figures of 0.3 times the usual width 109 are read in one look, of those of 0.5 times all."""
    printed = replace(situation.scene, deck=replace(situation.scene.deck, stretch=stretch))
    right = 0
    for cards in (CARDS, [2, 7, 16, 19, 25, 30, 36, 43, 48, 60], [1, 5, 11, 18, 22, 29, 40, 46, 53, 57]):
        eye, _ = eye_for(situation)
        for one, card in zip(told(eye, frame(rack_with(printed, cards))), cards, strict=True):
            assert one in {None, card}
            right += one == card
    assert right >= least


@pytest.mark.parametrize("ink", [1.0, 0.4])
def test_another_number_where_one_stood_on_the_pile_is_read(ink: float) -> None:
    eye = Eye(Table(), DECK, drawing.CAMERA, NumberReader())
    for card in (46, 48, 13, 31, 30):
        tray = eye.look(Frame(pile_with(card, ink))).tray
        assert tray is not None
        assert best(tray.discard)[:2] == ("card", card)


def test_an_empty_pile_in_another_light_is_empty_still() -> None:
    picture, above = drawing.empty_table(), drawing.Eye()
    drawing.draw_mat(picture, 0, above)
    for side in ("left", "right"):
        drawing.draw_pile(picture, side, 0 if side == "left" else None, above)
    eye = Eye(Table(), DECK, drawing.CAMERA, NumberReader())
    for slant in (0.0, 0.04, 0.08, 0.16, 0.3):
        light = np.linspace(1 - slant, 1 + slant, picture.shape[1])[None, :, None]
        tray = eye.look(Frame(np.asarray((picture * light).clip(0, 255), np.uint8))).tray
        assert tray is not None
        assert best(tray.discard)[0] == "empty"


def pile_with(card: int, ink: float) -> NDArray[np.uint8]:
    """A tray with a card on its discard pile whose number, at its left, has so much (0..1) of the usual contrast."""
    face = drawing.draw_card(card, one_place=True)
    plain, edge = face.copy(), drawing.PRINT
    for rows in (slice(3 * edge, 10 * edge), slice(-10 * edge, -3 * edge)):
        plain[rows, edge:-edge] = drawing.CREAM
    picture, above = drawing.empty_table(), drawing.Eye()
    drawing.draw_mat(picture, 0, above)
    drawing.draw_pile(picture, "left", 0, above)
    drawing.draw_pile(
        picture, "right", card, above, face=np.asarray(cv2.addWeighted(face, ink, plain, 1 - ink, 0), np.uint8)
    )
    return picture


def test_a_mirrored_picture_is_said_to_be_one(situation: Situation) -> None:
    eye, _ = eye_for(situation)
    picture = draw(situation.scene)
    assert eye_module.MIRRORED in eye.look(Frame(np.ascontiguousarray(picture[:, ::-1]))).remarks
    assert eye_module.MIRRORED not in eye.look(Frame(picture)).remarks
