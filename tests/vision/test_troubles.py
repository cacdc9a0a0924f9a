"""What makes a table harder to read is laid over a scene that is otherwise as without it."""

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.table import SLOTS, read_table
from vision import report
from vision.drawing.camera import View
from vision.drawing.folder import Wanted, write_folder
from vision.drawing.places import Placed
from vision.drawing.random_scenes import some_scene
from vision.drawing.scene import MatPlace, RackStand, Scene
from vision.drawing.troubles import LEAST_OUT, UNTROUBLED, Troubles
from vision.drawing.truth import table_text
from vision.figures.truth import shown_in

FACES = ["lines 0"]
SEEDS = range(6)
LAID_OVER = [
    Troubles(gaps=0.3),
    Troubles(filling=1.0),
    Troubles(curled=12.0),
    Troubles(printed=0.88),
    Troubles(pushed=6.0),
    Troubles(aside=0.5),
]


def scene_of(seed: int, troubles: Troubles = UNTROUBLED) -> Scene:
    return some_scene(random.Random(seed), "rack", typefaces=FACES, troubles=troubles).scene


def rack_of(scene: Scene) -> tuple[MatPlace, RackStand]:
    (mat,) = scene.mats
    assert isinstance(mat.stand, RackStand)
    return mat, mat.stand


@pytest.mark.parametrize("troubles", LAID_OVER, ids=str)
def test_a_trouble_changes_nothing_but_what_it_says(troubles: Troubles) -> None:
    for seed in SEEDS:
        without, with_it = scene_of(seed), scene_of(seed, troubles)

        assert with_it != without
        assert replace(with_it, mats=without.mats, camera=without.camera) == without
        assert (with_it.camera == without.camera) == (not troubles.aside)
        assert (with_it.mats == without.mats) == bool(troubles.aside)


def test_slots_are_emptied_and_no_other_card_moves() -> None:
    scenes = [(rack_of(scene_of(seed))[1], rack_of(scene_of(seed, Troubles(gaps=0.3)))[1]) for seed in range(12)]

    assert all(now in ((), before) for one, other in scenes for before, now in zip(one.slots, other.slots, strict=True))
    stood, left = (sum(bool(cards) for stand in pair for cards in stand.slots) for pair in zip(*scenes, strict=True))
    assert 0.6 < left / stood < 0.8


def test_a_rack_is_filled_from_its_far_end() -> None:
    free = set()
    for seed in range(16):
        full, filling = rack_of(scene_of(seed))[1].slots, rack_of(scene_of(seed, Troubles(filling=1.0)))[1].slots
        first = next((slot for slot in range(SLOTS) if filling[slot:] == full[slot:] and not any(filling[:slot])), None)
        assert first is not None
        free.add(sum(not cards for cards in filling[:first]))

    assert len(free) > 4


def test_a_rack_stands_off_its_place_and_a_mat_is_smaller() -> None:
    for seed in SEEDS:
        (x, y), (was_x, was_y) = (
            rack_of(scene_of(seed, troubles))[1].rack.at for troubles in (Troubles(pushed=6.0), UNTROUBLED)
        )
        assert 0 < max(abs(x - was_x), abs(y - was_y)) <= 6
        assert 0.88 <= rack_of(scene_of(seed, Troubles(printed=0.88)))[0].printed < 1


@pytest.mark.parametrize("seed", SEEDS)
def test_so_much_of_the_cards_is_out_of_the_picture(seed: int) -> None:
    scene = scene_of(seed, Troubles(aside=0.5))
    mat, stand = rack_of(scene)
    rack, width = stand.rack, scene.camera.size[0]
    left, depth = rack.at[0] + rack.margin, rack.at[1] + rack.first + 5 * rack.pitch
    along = [Placed(mat).world(np.array([left + scene.card.width * step / 200, depth, 55.0])) for step in range(201)]
    out = sum(not 0 <= float(View(scene.camera).pixels(point)[0]) < width for point in along) / len(along)

    assert LEAST_OUT - 0.01 < out < 0.51


def test_numbers_that_are_out_of_the_picture_are_none_that_should_be_read(tmp_path: Path) -> None:
    list(write_folder(tmp_path, Wanted(4, 7, "rack", FACES, Troubles(aside=0.5))))

    all_shown = shown_in(tmp_path)

    for shown in all_shown:
        ((seat, in_view),) = shown.in_view.items()
        assert set(shown.partly) == {seat}
        assert all(shown.partly[seat][slot][0] == "card" for slot in in_view)
    assert 0 < sum(len(slots) for shown in all_shown for slots in shown.in_view.values()) < SLOTS * len(all_shown)


def test_of_a_rack_that_nobody_measured_nothing_is_written_down() -> None:
    table = some_scene(random.Random(1), "rack", typefaces=FACES, troubles=Troubles(unmeasured=True)).table

    assert not table.measured
    assert not table.cameras
    assert read_table(table_text(table)) == table
    assert "[rack]" not in table_text(table)


@pytest.mark.slow
def test_the_report_draws_the_same_racks_hard(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert report.main(["--hard", "1", "--seed", "3", "--keep", str(tmp_path), "--no-tesseract"]) == 0

    rows = capsys.readouterr().out
    assert "| racks as drawn, 1 picture |" in rows
    assert all(f"| racks {name}, 1 picture |" in rows for name in report.HARD)
    assert len([*tmp_path.iterdir()]) == 1 + len(report.HARD)
