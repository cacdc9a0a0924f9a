"""Every order can stand in a timeline, and what the recorder's settings may say."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.cli import main
from device.configuration import read_configuration
from device.sessions.format import open_session, row_of
from engine.errors import BadInput
from engine.lines import (
    Abandon,
    Call,
    Correction,
    Hidden,
    Line,
    NewRound,
    Pause,
    Played,
    Redo,
    Undo,
    Unsettled,
    Verdict,
)
from tests.device.recorded import copied
from vision.frame import Frame
from vision.picture import PictureError

LINES: list[Line] = [
    NewRound(2),
    Unsettled(1.0),
    Hidden(2.0, (1, 2)),
    Call(3.0, None),
    Verdict(4.0, accepted=False),
    Correction(5.0, 1, 25, 38),
    Played(6.0, 2, "draw", 10, 12, 13, 4.5),
    Played(7.0, 2, None, None, None, None),
    Pause(8.0, on=True),
    Undo(9.0, call=True),
    Redo(10.0),
    Abandon(11.0),
]


def test_every_order_line_is_read_back_from_a_timeline_as_it_was(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    entries = [(float(number), line) for number, line in enumerate(LINES)]
    rows = [json.dumps(row_of(entry)) + "\n" for entry in entries]
    assert '"type": "button"' in rows[3]
    (folder / "timeline.jsonl").write_text("".join(rows))
    assert list(open_session(folder).timeline(pytest.fail)) == entries


@pytest.mark.slow
def test_a_session_with_undone_words_of_the_host_is_checked_against_what_stood_in_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = copied(tmp_path)
    with (folder / "timeline.jsonl").open("a") as stream:
        for line in (Correction(108.0, 1, 50, 5), Undo(109.0)):
            stream.write(json.dumps(row_of((line.t, line))) + "\n")
    assert main(["replay", str(folder), "--check"]) == 0, capsys.readouterr().out


def test_a_jpeg_is_given_as_it_came_and_anything_else_is_made_one() -> None:
    pixels = np.full((240, 320, 3), 90, np.uint8)
    jpeg = cv2.imencode(".jpg", pixels)[1].tobytes()
    assert Frame(jpeg).jpeg() is jpeg
    assert Frame(jpeg).bare().jpeg() is jpeg
    for other in (pixels, cv2.imencode(".png", pixels)[1].tobytes()):
        assert np.abs(Frame(Frame(other).jpeg()).colour.astype(int) - pixels).max() <= 2
    with pytest.raises(PictureError, match=r"tray\.png"):
        Frame(b"no picture", "tray.png").jpeg()


def read(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "racko.toml"
    path.write_text(text)
    return path


def test_recordings_lie_beside_the_journals_unless_another_folder_is_named(tmp_path: Path) -> None:
    beside = read_configuration(read(tmp_path, '[journal]\nfolder = "evenings"\n')).record
    assert (beside.on, beside.folder, beside.budget) == (True, tmp_path / "evenings" / "recordings", 4_000_000_000)
    other = read_configuration(read(tmp_path, '[record]\non = false\nfolder = "films"\nbudget = 0.5\n')).record
    assert (other.on, other.folder, other.budget) == (False, tmp_path / "films", 500_000_000)


@pytest.mark.parametrize(
    "text", ['on = "no"', "folder = 3", 'folder = ""', 'budget = "4 GB"', "budget = 0", "size = 4"]
)
def test_settings_that_cannot_be_are_refused_with_their_key(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadInput, match=rf"racko\.toml: record\.{text.split(maxsplit=1)[0]}"):
        read_configuration(read(tmp_path, f"[record]\n{text}\n"))
