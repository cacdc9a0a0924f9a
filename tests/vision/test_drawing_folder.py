"""Folders of drawn pictures: what is written about them, how wide chance is, and that the report reads them."""

import json
import random
from pathlib import Path

import numpy as np
import pytest

from calibration.table import read_table
from vision import report
from vision.drawing.__main__ import main
from vision.drawing.fairness import readable
from vision.drawing.picture import draw_with_truth
from vision.drawing.random_decks import EDITIONS, some_deck
from vision.drawing.random_scenes import some_scene
from vision.drawing.scene import RackStand
from vision.drawing.troubles import Troubles
from vision.drawing.truth import table_text, truth_of
from vision.drawing.typefaces import BUILT_IN, LINES
from vision.picture import load_picture

NO_FONTS = (BUILT_IN, *LINES)
KEYS = {"image", "kind", "edition", "racks", "tray", "strips", "notes", "camera", "px_per_mm"}
"""The words of the recorded stills."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("drawn") / "new"
    assert main([str(out), "--count", "3", "--seed", "4", "--no-fonts"]) == 0
    return out


def truths(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]


def test_a_folder_has_a_picture_and_a_table_for_each_truth(folder: Path) -> None:
    for truth in truths(folder):
        picture = folder / str(truth["image"])
        assert set(truth) >= KEYS
        camera = truth["camera"]
        assert isinstance(camera, dict)
        assert load_picture(picture).shape == (camera["height"], camera["width"], 3)
        assert read_table(picture.with_suffix(".toml")).cameras


def test_the_report_reads_a_drawn_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert report.main([str(folder), "--no-tesseract"]) == 0

    assert "3 pictures" in capsys.readouterr().out


def test_the_same_seed_writes_the_same_folder(folder: Path, tmp_path: Path) -> None:
    assert main([str(tmp_path), "--count", "3", "--seed", "4", "--no-fonts"]) == 0

    for file in sorted(folder.iterdir()):
        assert (tmp_path / file.name).read_bytes() == file.read_bytes()


def test_a_folder_that_cannot_be_made_is_said_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")

    assert main([str(tmp_path / "file" / "out"), "--count", "1"]) == 2

    words = capsys.readouterr().err
    assert words.count("\n") == 1
    assert "choose another folder" in words


def test_the_truth_names_each_slot_as_it_is() -> None:
    for seed in range(3):
        situation = some_scene(random.Random(seed), "rack", typefaces=NO_FONTS, troubles=Troubles(doubles=0.4))
        seat, stand = next(situation.scene.racks())
        truth = truth_of(situation.scene, draw_with_truth(situation.scene), "x.jpg")

        slots = (truth["racks"] | truth["partly"])[str(seat)]

        assert [slot["slot"] for slot in slots] == list(range(5, 55, 5))
        for slot, cards in zip(slots, stand.slots, strict=True):
            assert bool(slot.get("empty")) == (not cards)
            assert slot.get("two", [None])[-1] == (cards[1].card if len(cards) > 1 else None)
            if cards:
                assert slot.get("card", 0) == cards[0].card
                assert bool(slot.get("back")) == (cards[0].card == 0)


def test_what_an_owner_measured_reads_back_and_is_a_rulers_error_off() -> None:
    for seed in range(40):
        situation = some_scene(random.Random(seed), "rack", typefaces=NO_FONTS)
        table = read_table(table_text(situation.table))
        _, stand = next(situation.scene.racks())
        true, told = stand.rack, table.rack

        assert table == situation.table
        assert told != true
        assert abs(told.pitch - true.pitch) < 0.6
        assert abs(told.first - true.first) < 2.5
        assert abs(told.lean - true.lean) < 6
        assert max(abs(true.at[0] - 111), abs(true.at[1] - 33)) <= 2
        assert abs(stand.turn) <= 1.5


def test_chance_is_wide() -> None:
    scenes = [some_scene(random.Random(seed), typefaces=NO_FONTS).scene for seed in range(60)]
    decks = [some_deck(random.Random(seed), NO_FONTS) for seed in range(60)]

    assert {scene.kind for scene in scenes} == {"rack", "tray", "wide"}
    assert {scene.camera.size for scene in scenes} == {(1280, 720), (1920, 1080)}
    assert {deck.edition for deck in decks} == set(EDITIONS)
    assert any(deck.one_place for deck in decks)
    assert any(deck.primes for deck in decks)
    assert any(sum(deck.face) < sum(deck.ink) for deck in decks)
    assert np.ptp([deck.height for deck in decks]) > 2
    leans = [mat.stand.rack.lean for scene in scenes for mat in scene.mats if isinstance(mat.stand, RackStand)]
    assert np.ptp(leans) > 12


@pytest.mark.slow
def test_a_person_could_read_nearly_all_scenes() -> None:
    scenes = [some_scene(random.Random(seed), typefaces=NO_FONTS).scene for seed in range(30)]

    assert np.mean([readable(scene) for scene in scenes]) > 0.9


def test_no_card_is_twice_on_a_table() -> None:
    for seed in range(8):
        scene = some_scene(random.Random(seed), "wide", typefaces=NO_FONTS, troubles=Troubles(doubles=0.3)).scene
        tray = scene.tray()
        cards = [card.card for _, stand in scene.racks() for slot in stand.slots for card in slot]
        cards += [card.card for card in tray.discard_pile] if tray else []
        shown = [card for card in cards if card]

        assert len(set(shown)) == len(shown)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--hands", "1.5"),
        ("--shades", "-0.1"),
        ("--leaning", "many"),
        ("--doubles", "nan"),
        ("--count", "0"),
        ("--printed", "0.5"),
        ("--pushed", "30"),
        ("--curled", "-1"),
        ("--curled", "31"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_a_line(
    option: str, value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([str(tmp_path / "new"), f"{option}={value}"])

    *_, line = capsys.readouterr().err.splitlines()
    assert f"argument {option}: '{value}': choose" in line
    assert not (tmp_path / "new").exists()
