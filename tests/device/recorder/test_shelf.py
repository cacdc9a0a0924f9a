"""The budget of recordings, and what is never touched for its sake."""

import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.table import Table
from device.recorder import keeper
from device.recorder.keeper import Keeper
from device.recorder.recording import Beginning
from device.recorder.shelf import Shelf, size_of
from tests.device.recorder.evenings import CAMERAS, GAME, MUCH, SmallDisk, begun, pictures_in, some_picture, until
from vision.frame import Frame

NOISE = os.urandom(200_000)


def picture(size: int) -> Frame:
    """Bytes that pass for a JPEG of that size: nobody decodes what the keeper writes."""
    return Frame(b"\xff\xd8" + NOISE[:size])


@settings(max_examples=12, deadline=None)
@given(
    budget=st.integers(500_000, 3_000_000),
    evenings=st.lists(st.lists(st.integers(1_000, 190_000), max_size=8), min_size=1, max_size=6),
)
def test_recordings_stay_within_the_budget_and_the_latest_ones_are_kept(budget: int, evenings: list[list[int]]) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "precious").mkdir()
        (folder / "precious" / "photos.jpg").write_bytes(NOISE)
        mine = Keeper(folder, budget, SmallDisk(MUCH), lambda: "today")
        total = 0
        for number, sizes in enumerate(evenings):
            mine.begin(Beginning(GAME, Table(), CAMERAS, f"evening {number}"))
            for at, size in enumerate(sizes):
                mine.picture(at, "tray", picture(size))
            # Rows and the head of a session come on top; a page of them is not worth a picture.
            assert sum(kept.size for kept in Shelf(folder).kept()) <= budget + 10_000
            mine.end()
            total += sum(sizes)
        numbers = [kept.number for kept in Shelf(folder).kept()]
        assert numbers == list(range(len(evenings) - len(numbers) + 1, len(evenings) + 1))
        assert total + 220_000 > budget or len(numbers) == len(evenings)
        assert (folder / "precious" / "photos.jpg").stat().st_size == len(NOISE)


def test_the_evening_that_is_on_stops_taking_pictures_at_the_budget_and_says_so(tmp_path: Path) -> None:
    mine = Keeper(tmp_path, 1_000_000, SmallDisk(MUCH), lambda: "today")
    mine.begin(Beginning(GAME, Table(), CAMERAS, "evening"))
    for at in range(20):
        mine.picture(at, "tray", picture(100_000))
    assert mine.words == "not recording: the budget is used up; no more pictures of this evening are kept"
    assert 8 <= len(pictures_in(tmp_path)) <= 10
    mine.end()


def test_the_disk_is_left_some_room_and_old_recordings_go_first(tmp_path: Path) -> None:
    disk = SmallDisk(1_200_000)
    mine = Keeper(tmp_path, MUCH, disk, lambda: "today")
    for name in ("old", "new"):
        mine.begin(Beginning(GAME, Table(), CAMERAS, name))
        for at in range(6):
            mine.picture(at, "tray", picture(150_000))
    assert [kept.name for kept in Shelf(tmp_path).kept()] == ["new"]
    assert mine.words.startswith("recording, ")
    for at in range(6, 12):
        mine.picture(at, "tray", picture(150_000))
    assert mine.words == "not recording: the disk is nearly full; no more pictures of this evening are kept"
    disk.left += 100_000_000
    mine.picture(20, "tray", picture(150_000))
    assert mine.words.startswith("recording, ")
    mine.end()


def test_no_recording_is_removed_in_vain_where_others_fill_the_disk(tmp_path: Path) -> None:
    disk = SmallDisk(MUCH)
    mine = Keeper(tmp_path, MUCH, disk, lambda: "today")
    for name in ("old", "new"):
        mine.begin(Beginning(GAME, Table(), CAMERAS, name))
        mine.picture(0, "tray", picture(150_000))
    disk.left = -MUCH
    mine.picture(1, "tray", picture(150_000))
    assert mine.words.startswith("not recording: the disk is nearly full")
    assert [kept.name for kept in Shelf(tmp_path).kept()] == ["old", "new"]
    mine.end()


def test_what_is_not_ours_is_never_removed(tmp_path: Path) -> None:
    plain = {"format": "racko-session", "version": 1}
    ours = plain | {"recorder": {"number": 1, "name": "x", "began": "", "zero": 0.0}}
    theirs = {
        "photos": "",
        "session": json.dumps(plain),
        "broken": "{",
        "list": "[]",
        "number": json.dumps(plain | {"recorder": {"number": "1"}}),
        "other": json.dumps(ours | {"format": "chess"}),
    }
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "session.json").write_text(json.dumps(ours))
    folder = tmp_path / "recordings"
    for name, text in theirs.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "session.json").write_text(text)
        (folder / name / "big").write_bytes(NOISE)
    (folder / "link").symlink_to(outside)
    mine = Keeper(folder, 300_000, SmallDisk(MUCH), lambda: "today")
    for number in range(3):
        mine.begin(Beginning(GAME, Table(), CAMERAS, f"evening {number}"))
        mine.picture(0, "tray", picture(150_000))
    mine.end()
    assert [kept.name for kept in Shelf(folder).kept()] == ["evening 2"]
    assert all((folder / name / "big").exists() for name in theirs)
    assert (outside / "session.json").exists()


def test_a_recording_that_another_recorder_is_at_is_not_removed(tmp_path: Path) -> None:
    other = begun(tmp_path, name="other")
    other.frame(0.0, "tray", some_picture(0))
    until(lambda: len(pictures_in(tmp_path)) == 1)
    mine = Keeper(tmp_path, 100_000, SmallDisk(MUCH), lambda: "today")
    mine.begin(Beginning(GAME, Table(), CAMERAS, "mine"))
    mine.picture(0, "tray", picture(150_000))
    assert {kept.name for kept in Shelf(tmp_path).kept()} == {"other", "mine"}
    mine.end()
    assert other.close()


def test_an_evening_of_the_same_name_has_a_folder_of_its_own(tmp_path: Path) -> None:
    for _ in range(2):
        begun(tmp_path, name="../simulated: 1/2").close()
    assert {path.name for path in tmp_path.iterdir()} == {"simulated-1-2", "simulated-1-2-2"}
    assert size_of(tmp_path) > 0


def test_a_disk_that_fails_is_not_tried_with_every_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    tries: list[float] = []

    class Failing(SmallDisk):
        def write(self, path: Path, data: bytes) -> None:  # noqa: ARG002 - it fails whatever it is
            tries.append(now)
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(keeper, "AGAIN", 3.0)
    mine = Keeper(tmp_path, MUCH, Failing(MUCH), lambda: "today", lambda: now)
    mine.begin(Beginning(GAME, Table(), CAMERAS, "evening"))
    for step in range(100):
        now = step / 10
        mine.picture(now, "tray", picture(1000))
    assert mine.words.endswith("Input/output error")
    assert tries == pytest.approx([0.0, 3.0, 6.0, 9.0], abs=0.11)
