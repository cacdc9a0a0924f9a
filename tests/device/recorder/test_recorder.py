"""The recorder with something wrong: the game must not notice, and what can be kept is kept."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.table import Table
from device.recorder import keeper
from device.recorder.recorder import Recorder
from device.recorder.writer import PICTURES
from device.sessions.format import FrameTaken, open_session
from engine.events import RoundStarted
from engine.lines import Call, NewRound, Observation, Unsettled
from tests.device.recorder.evenings import (
    CAMERAS,
    GAME,
    FullDisk,
    SlowDisk,
    begun,
    nobody,
    pictures_in,
    racko,
    some_picture,
    until,
)
from vision.frame import Frame


@pytest.fixture(autouse=True)
def soon_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "AGAIN", 0.0)


def rows(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(row) for row in (folder / "evening" / "timeline.jsonl").read_text().splitlines()]


def test_a_session_says_who_plays_what_and_all_its_rows_can_be_read(tmp_path: Path) -> None:
    recorder = begun(tmp_path)
    recorder.line(0.0, NewRound(1))
    recorder.frame(0.5, "tray", some_picture(1))
    recorder.line(0.7, Observation(0.7, {}))
    recorder.line(1.0, Unsettled(1.0))
    recorder.line(2.0, Call(2.0, 1))
    assert recorder.close()
    session = open_session(tmp_path / "evening")
    assert (session.game, session.cameras) == (GAME, CAMERAS)
    entries = list(session.timeline(pytest.fail))
    assert entries[1:] == [
        FrameTaken(0.5, "tray", "frames/tray/000000.jpg"),
        (1.0, Unsettled(1.0)),
        (2.0, Call(2.0, 1)),
    ]


def test_a_jpeg_is_written_as_it_came_and_pixels_are_encoded(tmp_path: Path) -> None:
    recorder = begun(tmp_path)
    picture = some_picture(1)
    recorder.frame(0.5, "tray", picture)
    recorder.frame(0.5, "rack1", Frame(np.full((240, 320, 3), 70, np.uint8)))
    recorder.close()
    assert (tmp_path / "evening/frames/tray/000000.jpg").read_bytes() == picture.jpeg()
    assert Frame.load(tmp_path / "evening/frames/rack1/000000.jpg").colour.shape == (240, 320, 3)


def test_a_broken_picture_and_an_unknown_camera_are_passed_over(tmp_path: Path) -> None:
    recorder = begun(tmp_path)
    recorder.frame(0.5, "tray", Frame(b"\xff\xd8 no picture"))
    recorder.frame(0.5, "ceiling", some_picture(1))
    recorder.frame(0.6, "rack1", some_picture(1))
    assert recorder.close()
    assert [row["camera"] for row in rows(tmp_path)] == ["rack1"]


def test_a_slow_disk_is_not_waited_for_and_pictures_are_dropped_and_counted_but_no_line(tmp_path: Path) -> None:
    disk = SlowDisk()
    recorder = begun(tmp_path, disk)
    pictures = [some_picture(number) for number in range(60)]
    for number, picture in enumerate(pictures):
        recorder.frame(number, "tray", picture)
        recorder.line(number, Call(number, 1))
    assert pictures_in(tmp_path) == [], "somebody has waited for the disk"
    assert f"{60 - PICTURES - 1} pictures left out" in recorder.words
    disk.let.set()
    assert recorder.close()
    kinds = [row["type"] for row in rows(tmp_path)]
    assert kinds.count("button") == 60
    assert PICTURES <= kinds.count("frame") <= PICTURES + 2


def test_a_full_disk_is_said_once_and_recording_goes_on_when_there_is_room(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    disk = FullDisk()
    recorder = begun(tmp_path, disk)
    recorder.frame(0.0, "tray", some_picture(0))
    until(lambda: len(pictures_in(tmp_path)) == 1)
    until(lambda: recorder.words.startswith("recording, "))
    disk.full = True
    for number in range(1, 30):
        recorder.frame(number, "tray", some_picture(number))
        recorder.line(number, Call(number, 1))
    until(lambda: recorder.words == "not recording: the disk is full")
    until(lambda: not recorder._writer._jobs)  # type: ignore[union-attr]  # noqa: SLF001 - nothing is under way
    assert [record.message for record in caplog.records] == ["recordings: the disk is full"]
    disk.full = False
    recorder.frame(40, "tray", some_picture(29))
    recorder.frame(41, "tray", some_picture(29))
    until(lambda: recorder.words.startswith("recording, "))
    assert recorder.close()
    found = rows(tmp_path)
    assert [row["t"] for row in found if row["type"] == "button"] == list(range(1, 30))
    shown = [row for row in found if row["type"] == "frame"]
    assert shown[-1]["t"] >= 40
    assert len(shown) == len(pictures_in(tmp_path))
    assert all(Frame.load(path).grey.any() for path in pictures_in(tmp_path))


def test_a_recording_that_cannot_be_begun_is_begun_when_it_can_and_has_all_lines(tmp_path: Path) -> None:
    disk = FullDisk()
    disk.full = True
    recorder = begun(tmp_path / "on", disk)
    recorder.line(0.0, NewRound(1))
    recorder.events([RoundStarted(1, 1, 2)])
    recorder.frame(0.0, "tray", some_picture(0))
    until(lambda: "full" in recorder.words)
    until(lambda: not (tmp_path / "on" / "evening").exists())
    disk.full = False
    recorder.frame(1.0, "tray", some_picture(0))
    until(lambda: recorder.words.startswith("recording"))
    assert recorder.close()
    kinds = [row["type"] for row in rows(tmp_path / "on")]
    assert kinds[0] == "round"
    assert set(kinds[1:]) == {"frame"}


def test_a_folder_that_cannot_be_made_is_said_and_nothing_is_raised(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    recorder = begun(tmp_path / "file")
    recorder.frame(0.0, "tray", some_picture(0))
    until(lambda: recorder.words.startswith("not recording: "))
    assert "file" in recorder.words
    assert recorder.close()


def test_switched_off_nothing_is_touched(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "none", 1, on=False)
    recorder.begin(GAME, Table(), CAMERAS, "evening")
    recorder.frame(0.0, "tray", some_picture(0))
    recorder.line(0.0, NewRound(1))
    recorder.events([RoundStarted(1, 1, 2)])
    assert recorder.words.startswith("not recording: it is switched off")
    assert recorder.close()
    assert list(tmp_path.iterdir()) == []


def test_a_game_that_goes_on_goes_on_in_its_recording(tmp_path: Path) -> None:
    first = begun(tmp_path)
    first.line(0.0, NewRound(1))
    first.frame(5.0, "tray", some_picture(0))
    first.close()
    timeline = tmp_path / "evening" / "timeline.jsonl"
    with timeline.open("a") as stream:
        stream.write('{"t": 5.5, "type": "fra')
    second = Recorder(tmp_path, 10**9)
    second.resume(GAME, Table(), CAMERAS, "evening", 6.0)
    second.frame(7.0, "tray", some_picture(0))
    second.line(8.0, Call(8.0, 1))
    second.close()
    assert [(row["type"], row["t"]) for row in rows(tmp_path)] == [
        ("round", 0.0),
        ("frame", 5.0),
        ("frame", 7.0),
        ("button", 8.0),
    ]
    assert len(pictures_in(tmp_path)) == 2
    assert len(list(tmp_path.iterdir())) == 1


def test_an_evening_that_begins_late_by_its_clock_begins_at_nought_in_its_session(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path, 10**9)
    recorder.begin(GAME, Table(), CAMERAS, "evening", 5000.0)
    recorder.frame(5001.5, "tray", some_picture(0))
    recorder.line(5002.0, Call(5002.0, 1))
    recorder.close()
    assert [row["t"] for row in rows(tmp_path)] == [1.5, 2.0]


WRITES = """
import sys, time
from pathlib import Path
from tests.device.recorder.evenings import begun, some_picture
from engine.lines import Call, NewRound
recorder = begun(Path(sys.argv[1]))
recorder.line(0.0, NewRound(1))
pictures = [some_picture(number) for number in range(10)]
print("on", flush=True)
for number in range(100000):
    recorder.frame(number, "tray", pictures[number % 10])
    if number % 5 == 0:
        recorder.line(number, Call(number, 1))
    time.sleep(0.0005)
"""


@pytest.mark.parametrize("seconds", [0.05, 0.21, 0.4])
def test_a_process_that_is_killed_leaves_a_session_that_can_be_read_and_no_picture_is_missing(
    tmp_path: Path, seconds: float
) -> None:
    process = subprocess.Popen([sys.executable, "-c", WRITES, str(tmp_path)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    timeline = tmp_path / "evening" / "timeline.jsonl"
    while not (timeline.exists() and timeline.stat().st_size):
        time.sleep(0.001)
    time.sleep(seconds)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    session = open_session(tmp_path / "evening")
    complaints: list[str] = []
    entries = list(session.timeline(complaints.append))
    assert len(complaints) <= 1
    assert all(session.picture(entry).grey.any() for entry in entries if isinstance(entry, FrameTaken))
    again = Recorder(tmp_path, 10**9)
    again.resume(GAME, Table(), CAMERAS, "evening", 1000.0)
    again.frame(1000.0, "tray", some_picture(3))
    assert again.close()
    after = list(session.timeline(pytest.fail))
    assert len(after) == len(entries) + 1
    assert racko("clip", tmp_path / "evening", tmp_path / "clip", "--from", "0")[0] == 0
    list(open_session(tmp_path / "clip").timeline(nobody))


def test_a_session_that_was_damaged_goes_without_its_truth_and_the_next_one_is_recorded(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    recorder = begun(tmp_path)
    recorder.line(0.0, NewRound(1))
    recorder.events([RoundStarted(1, 1, 2)])
    until(lambda: any(path.stat().st_size for path in tmp_path.rglob("said.jsonl")))
    (tmp_path / "evening" / "table.toml").write_text("[[[")
    recorder.begin(GAME, Table(), CAMERAS, "evening")
    recorder.frame(0.5, "tray", some_picture(1))
    assert recorder.close()
    assert len(pictures_in(tmp_path / "evening-2")) == 1
    assert "the truth of evening cannot be told" in caplog.text
    assert "Traceback" not in caplog.text
