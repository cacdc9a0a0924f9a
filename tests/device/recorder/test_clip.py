"""Clips: a part of a session that replays as it did."""

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from device.recorder.account import Entry
from device.recorder.cutting import Part, Wishes, inside, opening_of, part_of
from device.sessions.format import FrameTaken, open_session
from engine.errors import BadInput
from engine.lines import Call, Correction, NewRound, Pause, Undo
from tests.device.recorded import SESSION, copied, true_events
from tests.device.recorder.evenings import nobody, racko

KEYS = ("seat", "source", "card", "slot", "discarded")


def turns_of(said: str) -> list[list[Any]]:
    rows = [json.loads(row) for row in said.splitlines() if row.startswith("{")]
    return [[row[key] for key in KEYS] for row in rows if row["type"] == "turn"]


def true_turns(first: float, last: float) -> list[list[Any]]:
    return [[turn[key] for key in KEYS] for turn in true_events("turn") if first < turn["t"] <= last]


@pytest.fixture(scope="module")
def pauses() -> list[float]:
    """Moments between two turns: some time after one's end, before anything else happens."""
    entries = list(open_session(SESSION).timeline(nobody))
    times = sorted(entry.t if isinstance(entry, FrameTaken) else entry[0] for entry in entries)
    ends = [turn["t"] for turn in true_events("turn")]
    gaps = [(one + 0.7, other) for one, other in pairwise(times)]
    return [next(begin for begin, other in gaps if begin > end and other > begin + 0.2) for end in ends[:-1]]


@pytest.mark.parametrize(("first", "last"), [(0, 3), (6, 9), (11, 14)])
def test_a_clip_from_pause_to_pause_replays_to_the_turns_of_its_part(
    tmp_path: Path, pauses: list[float], first: int, last: int
) -> None:
    begin, end = pauses[first], pauses[last]
    code, words, _ = racko("clip", SESSION, tmp_path / "clip", "--from", str(begin), "--to", str(end))
    assert code == 0
    assert re.search(r"\d+ pictures, .* MB; racko replay .*clip --check plays it", words)
    code, said, complaints = racko("replay", tmp_path / "clip", "--json")
    assert (code, complaints) == (0, "")
    assert turns_of(said) == true_turns(begin, end) != []
    code, said, _ = racko("replay", tmp_path / "clip", "--check")
    assert code == 0, said


def test_a_part_that_begins_with_a_card_from_the_discard_pile_begins_some_turns_earlier(
    tmp_path: Path, pauses: list[float]
) -> None:
    assert true_events("turn")[9]["source"] == "discard"
    begin, end = pauses[8], pauses[10]
    cut = json.loads(racko("clip", SESSION, tmp_path / "clip", "--from", str(begin), "--to", str(end), "--json")[1])
    assert cut["from"] < begin
    code, said, _ = racko("replay", tmp_path / "clip", "--json")
    assert code == 0
    assert turns_of(said) == true_turns(cut["from"], end)
    assert turns_of(said)[-2:] == true_turns(begin, end)


@pytest.mark.slow
def test_a_whole_round_is_cut_with_its_end_and_its_truth(tmp_path: Path) -> None:
    assert racko("clip", SESSION, tmp_path / "clip", "--round", "1")[0] == 0
    code, said, complaints = racko("replay", tmp_path / "clip", "--check")
    assert (code, complaints) == (0, ""), said


@pytest.mark.slow
def test_the_second_round_of_two_is_cut_out_and_replays_as_it_did(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    for name in ("timeline.jsonl", "truth.jsonl"):
        rows = [json.loads(row) for row in (folder / name).read_text().splitlines()]
        again = [row | {"t": row["t"] + 200} for row in rows if name == "timeline.jsonl" or row["type"] != "frame"]
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in [*rows, *again]))
    cut = json.loads(racko("clip", folder, tmp_path / "clip", "--round", "2", "--json")[1])
    assert (cut["from"], cut["to"]) == (200, 307.43)
    whole, part = (turns_of(racko("replay", session, "--json")[1]) for session in (folder, tmp_path / "clip"))
    assert whole[17:] == part
    assert len(part) == 17


def test_a_clip_around_a_moment_has_whole_turns_before_and_after_it(tmp_path: Path) -> None:
    ends = [turn["t"] for turn in true_events("turn")]
    code, words, _ = racko("clip", SESSION, tmp_path / "clip", "--around", str(ends[5]), "--json")
    assert code == 0
    cut = json.loads(words)
    assert cut["from"] < ends[3] < ends[7] < cut["to"]
    code, said, complaints = racko("replay", tmp_path / "clip", "--json")
    assert (code, complaints) == (0, "")
    assert turns_of(said) == true_turns(cut["from"], cut["to"])


def test_a_clip_names_nobody_unless_it_is_asked_to(tmp_path: Path) -> None:
    spoken = copied(tmp_path)
    with (spoken / "truth.jsonl").open("a") as stream:
        stream.write('{"type": "violation", "rule": "false-call", "seat": 1, "t": 50, "text": "Ada called"}\n')
    for name, asked in (("without", ()), ("with", ("--names",))):
        assert racko("clip", spoken, tmp_path / name, "--from", "0", *asked)[0] == 0
        texts = "".join(path.read_text() for path in sorted((tmp_path / name).glob("*.json*")))
        assert ("Ada" in texts) == ("Ben" in texts) == bool(asked)
        assert ("Player 2" in texts) == (not asked)


def test_a_clip_is_no_recording_of_ours_and_may_lie_among_them(tmp_path: Path) -> None:
    assert racko("clip", SESSION, tmp_path / "clip", "--from", "52", "--to", "60")[0] == 0
    head = json.loads((tmp_path / "clip" / "session.json").read_text())
    assert "recorder" not in head
    assert head["clip"] == {"from": 52, "to": 60}


CANNOT_BE = [
    ((), "name one part"),
    (("--round", "1", "--from", "3"), "name one part"),
    (("--round", "2"), "--round 2: 1 rounds were begun"),
    (("--round", "0"), "--round 0"),
    (("--from", "50", "--to", "40"), "from 50 to 40: is no part"),
    (("--from", "500"), "from 500"),
    (("--from", "-3"), "from -3"),
    (("--from", "nan"), "from nan"),
    (("--around", "1000"), "--around 1000: the session goes from 0 to 107.43"),
    (("--around", "nan"), "--around nan"),
]


@pytest.mark.parametrize(("arguments", "words"), CANNOT_BE)
def test_what_cannot_be_cut_is_refused_in_one_line(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    code, said, problem = racko("clip", SESSION, tmp_path / "clip", *arguments)
    assert (code, said, problem.count("\n")) == (2, "", 1)
    assert words in problem
    assert not (tmp_path / "clip").exists()


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("precious")
    code, _, problem = racko("clip", SESSION, tmp_path, "--round", "1")
    assert (code, problem.count("\n")) == (2, 1)
    assert "not empty" in problem
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_session_without_pictures_or_without_anything_is_refused(tmp_path: Path) -> None:
    folder = copied(tmp_path, frames=1)
    assert "is no part" in racko("clip", folder, tmp_path / "clip", "--from", "0")[2]
    (folder / "timeline.jsonl").write_text("")
    assert "nothing was recorded" in racko("clip", folder, tmp_path / "clip", "--from", "0")[2]


def test_a_picture_that_is_missing_is_said_and_the_clip_goes_without_it(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "frames" / "tray" / "000020.jpg").unlink()
    code, _, problem = racko("clip", folder, tmp_path / "clip", "--from", "0")
    assert (code, problem.count("\n")) == (0, 1)
    assert "000020.jpg: is not there" in problem
    list(open_session(tmp_path / "clip").timeline(pytest.fail))


ENTRIES: list[Entry] = [
    (0.0, NewRound(2)),
    (10.0, Correction(10.0, 1, 25, 38)),
    (11.0, Correction(11.0, 1, 30, 39)),
    (12.0, Correction(12.0, 2, 30, 40)),
    (13.0, Undo(13.0)),
    (15.0, Pause(15.0, on=True)),
    (40.0, Call(40.0, 1)),
    (50.0, NewRound(1)),
    (60.0, Undo(60.0)),
    (70.0, Call(70.0, 1)),
]
TURN = {"type": "turn", "seat": 1, "slot": 25, "t": 14.0}


def test_a_clip_begins_with_the_turn_that_is_next_and_with_what_still_holds() -> None:
    opening = opening_of(Part(20.0, 30.0), ENTRIES, [TURN], (1, 2))
    assert opening == [NewRound(1), Correction(11.0, 1, 30, 39), Pause(15.0, on=True)]
    assert opening_of(Part(20.0, 30.0), ENTRIES, [TURN | {"effect": {"again": True}}], (1, 2))[0] == NewRound(2)
    assert opening_of(Part(20.0, 30.0), ENTRIES, [TURN, {"type": "round_end", "t": 16.0}], (1, 2)) == []
    assert opening_of(Part(0.0, 30.0), ENTRIES, [TURN], (1, 2)) == []


def test_what_was_undone_comes_with_its_undoing_or_not_at_all() -> None:
    whole = inside(Part(0.0, 45.0), ENTRIES)
    assert [place for place in range(len(ENTRIES)) if whole(place)] == [0, 1, 2, 3, 4, 5, 6]
    cut = inside(Part(12.5, 45.0), ENTRIES)
    assert [place for place in range(len(ENTRIES)) if cut(place)] == [5, 6]


def test_a_round_that_was_undone_is_not_counted() -> None:
    assert part_of(Wishes(round=1), ENTRIES, []) == Part(0.0, 70.0)
    with pytest.raises(BadInput, match="1 rounds"):
        part_of(Wishes(round=2), ENTRIES, [])
