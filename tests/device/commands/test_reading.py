"""`racko read`: what it says in a few words; `--show` and `--stages`: pictures for people of what was seen."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from device.cli import main
from device.commands.reading import in_short
from vision.look import Reading
from vision.picture import load_picture

SESSION = Path(__file__).parents[2] / "sessions" / "ada-and-ben"
RACK, TRAY = (SESSION / "frames" / name / "000000.jpg" for name in ("rack1", "tray"))
TABLE = ["--table", str(SESSION / "table.toml")]


def test_what_is_seen_is_drawn_over_the_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = tmp_path / "shown" / "rack.png"
    assert main(["read", str(RACK), *TABLE, "--players", "2", "--show", str(shown)]) == 0
    assert "rack of seat 1" in capsys.readouterr().out
    drawn, picture = load_picture(shown), load_picture(RACK)
    assert drawn.shape == picture.shape
    changed = np.any(cv2.absdiff(drawn, picture) > 40, axis=2)
    assert 0.002 < changed.mean() < 0.2


def test_of_several_pictures_each_goes_into_the_folder(tmp_path: Path) -> None:
    stages = tmp_path / "stages"
    assert main(["read", str(RACK), str(TRAY), *TABLE, "--show", str(tmp_path / "all"), "--stages", str(stages)]) == 0
    assert {path.name for path in (tmp_path / "all").iterdir()} == {"rack1-000000.jpg", "tray-000000.jpg"}
    assert {path.name for path in (stages / "rack1-000000").iterdir()} >= {"found.png", "rack1-strips.png"}
    assert {path.name for path in (stages / "tray-000000").iterdir()} >= {"found.png", "tray-wells.png"}


@pytest.mark.parametrize("name", ["shown", "shown.txt"])
def test_one_picture_needs_a_file_name_that_says_how_to_write_it(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["read", str(RACK), *TABLE, "--show", str(tmp_path / name)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert ".jpg or .png" in said.err


def test_a_place_that_cannot_be_written_is_named_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "taken").write_text("")
    assert main(["read", str(RACK), *TABLE, "--show", str(tmp_path / "taken" / "x.jpg")]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "taken" in said


@pytest.mark.parametrize(
    ("reading", "words"),
    [
        (Reading({17: 0.99}), "17"),
        (Reading({33: 0.5, 38: 0.4}), "not sure (33 or 38)"),
        (Reading({17: 0.6}, empty=0.1, back=0.3), "not sure (17 or a back or empty)"),
        (Reading({}, back=0.9), "not sure (a back)"),
        (Reading({}, empty=0.99), "empty"),
        (Reading({}, back=0.99), "back"),
        (Reading({}), "not sure"),
    ],
)
def test_what_is_not_sure_is_said_with_what_it_may_be(reading: Reading, words: str) -> None:
    assert in_short(reading) == words
