import json
from collections.abc import Callable
from pathlib import Path

import pytest

from calibration.table import TableError
from device.cli import main
from device.sessions.format import FrameTaken, open_session
from engine.errors import BadInput
from tests.device.recorded import SESSION, copied


def change(folder: Path, **keys: object) -> None:
    path = folder / "session.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | keys))


def write_row(folder: Path, number: int, row: str) -> None:
    path = folder / "timeline.jsonl"
    rows = path.read_text().splitlines()
    rows[number - 1] = row
    path.write_text("\n".join(rows))


def test_a_session_gives_its_frames_and_lines_in_time_order() -> None:
    complaints: list[str] = []
    entries = list(open_session(SESSION).timeline(complaints.append))
    times = [entry.t if isinstance(entry, FrameTaken) else entry[0] for entry in entries]
    assert times == sorted(times)
    assert (len(entries), complaints) == (120, [])


CANNOT_BE: list[tuple[str, Callable[[Path], object], str]] = [
    ("no such folder", lambda folder: (folder / "session.json").unlink(), "session.json: cannot be read"),
    ("not JSON", lambda folder: (folder / "session.json").write_text("{"), "session.json: is not JSON"),
    ("no object", lambda folder: (folder / "session.json").write_text("[]"), "is not a JSON object"),
    ("another format", lambda folder: change(folder, format="chess"), "format is 'chess'"),
    ("another version", lambda folder: change(folder, version=2), "version 2 is not known"),
    ("an unknown edition", lambda folder: change(folder, edition=5), "edition: 5 is not a name"),
    ("a seat that is none", lambda f: change(f, players=[{"seat": 7, "name": "X"}]), "players: seat: 7 is none"),
    ("cameras that are none", lambda folder: change(folder, cameras="tray"), "cameras: 'tray' is not a list"),
    ("a table outside", lambda folder: change(folder, table="../../etc/passwd"), "leads out of the session"),
    ("no table", lambda folder: (folder / "table.toml").unlink(), "table.toml: cannot be read"),
    ("a wrong pitch", lambda f: (f / "table.toml").write_text("[rack]\npitch = 40.0\n"), "rack.pitch"),
    ("a text for a number", lambda f: (f / "table.toml").write_text('[card]\nwidth = "wide"\n'), "card.width"),
    ("a bad matrix", lambda f: (f / "table.toml").write_text("[camera.a]\nsize=[1,2]\nmatrix=[[1]]\n"), "camera.a"),
    ("no timeline", lambda folder: (folder / "timeline.jsonl").unlink(), "timeline.jsonl: cannot be read"),
]


@pytest.mark.parametrize(("spoil", "words"), [case[1:] for case in CANNOT_BE], ids=[case[0] for case in CANNOT_BE])
def test_a_session_that_cannot_be_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], spoil: Callable[[Path], object], words: str
) -> None:
    folder = copied(tmp_path)
    spoil(folder)
    assert main(["replay", str(folder), "--json"]) == 2
    captured = capsys.readouterr()
    events = [json.loads(row) for row in captured.out.splitlines()]
    assert not any(event["type"] in ("turn", "round_end") for event in events)
    assert captured.err.count("\n") == 1
    assert words in captured.err


def test_a_row_that_cannot_be_read_is_passed_over_and_told(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    write_row(folder, 5, '{"t": 0.7, "type": "frame", "camera": "moon", "file": "frames/tray/000001.jpg"}')
    write_row(folder, 6, '{"t": "soon", "type": "button"}')
    write_row(folder, 7, "rubbish")
    write_row(folder, 8, '{"t": 6.0, "type": "frame", "camera": "tray", "file": "../../secret.jpg"}')
    write_row(folder, 9, '{"t": 6.0, "type": "observe"}')
    complaints: list[str] = []
    assert len(list(open_session(folder).timeline(complaints.append))) == 115
    assert len(complaints) == 5
    for complaint, words in zip(complaints, ("moon", "not a time", "not JSON", "leads out", "observe"), strict=True):
        assert words in complaint
        assert "line " in complaint
        assert "\n" not in complaint


def test_a_timeline_cut_in_the_middle_of_a_row_ends_there_and_says_so(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    path = folder / "timeline.jsonl"
    rows = path.read_text().splitlines()
    path.write_text("\n".join([*rows[:10], rows[10][:20]]))
    complaints: list[str] = []
    assert len(list(open_session(folder).timeline(complaints.append))) == 10
    assert complaints == [f"{path}: the recording is cut short at line 11; replayed up to there"]


def test_times_that_run_backwards_are_passed_over(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    write_row(folder, 20, '{"t": 0.1, "type": "button", "seat": 1}')
    complaints: list[str] = []
    list(open_session(folder).timeline(complaints.append))
    assert len(complaints) == 1
    assert "line 20: time 0.1 lies before" in complaints[0]


@pytest.mark.parametrize("text", ["", "{}", "\0", "[[[["])
def test_whatever_stands_in_session_json_is_refused_without_a_trace(tmp_path: Path, text: str) -> None:
    (tmp_path / "session.json").write_text(text)
    with pytest.raises((BadInput, TableError)):
        open_session(tmp_path)
