"""A round that is played is recorded, and the recording plays as the round did."""

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from device.recorder.recorder import Recorder
from device.sessions.format import open_session
from device.simulated.camera import SimulatedTable
from device.simulated.command import Wishes
from engine.lines import Correction, Pause, Undo
from tests.device.recorded import SESSION, true_events
from tests.device.recorder.evenings import MUCH, Order, play, racko

Recorded = tuple[Path, list[dict[str, Any]]]


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recorded round, recorded once more."""
    folder = tmp_path_factory.mktemp("evenings")
    recorder = Recorder(folder, MUCH)
    play(open_session(SESSION), recorder)
    assert recorder.close()
    return folder / "the-table"


def rows_of(folder: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(row) for row in (folder / name).read_text().splitlines()]


@pytest.mark.slow
def test_a_recorded_round_replays_to_its_own_truth_and_to_the_real_one(evening: Path) -> None:
    code, said, complaints = racko("replay", evening, "--check")
    assert (code, complaints) == (0, ""), said
    assert "check: all" in said
    turns = [row for row in rows_of(evening, "truth.jsonl") if row["type"] == "turn"]
    keys = ("seat", "source", "card", "slot", "discarded")
    assert [[turn[key] for key in keys] for turn in turns] == [
        [turn[key] for key in keys] for turn in true_events("turn")
    ]


def test_pictures_are_kept_as_they_came_and_each_scene_at_most_a_few_times(evening: Path) -> None:
    came = {path.read_bytes() for path in SESSION.rglob("*.jpg")}
    kept = [path.read_bytes() for path in evening.rglob("*.jpg")]
    assert set(kept) <= came
    assert 0.8 * len(came) <= len(kept) <= len(came)


def test_without_the_hosts_word_nothing_is_the_hosts(evening: Path) -> None:
    truth = rows_of(evening, "truth.jsonl")
    assert {row["by"] for row in truth} == {"referee"}
    assert {row["type"] for row in truth} == {"turn", "round_end"}


def test_only_its_owner_may_look_at_a_recording(evening: Path) -> None:
    assert {path.stat().st_mode & 0o077 for path in [evening, *evening.rglob("*")] if path.is_dir()} == {0}
    assert all(path.stat().st_mode & 0o077 == 0 for path in evening.rglob("*.jpg"))


def test_names_of_files_tell_nothing_but_the_camera_and_a_count(evening: Path) -> None:
    names = {str(path.relative_to(evening)) for path in evening.rglob("*") if path.is_file()}
    counts = {f"frames/{camera}/{number:06}.jpg" for camera in ("tray", "rack1", "rack2") for number in range(120)}
    plain = {"session.json", "table.toml", "timeline.jsonl", "truth.jsonl", "said.jsonl"}
    assert names <= counts | plain


CUTS = [random.Random(7).random() for _ in range(4)]


@pytest.mark.parametrize("share", CUTS)
def test_a_recording_cut_at_any_byte_replays_as_far_as_it_goes(evening: Path, tmp_path: Path, share: float) -> None:
    copy = tmp_path / "cut"
    shutil.copytree(evening, copy)
    timeline = (copy / "timeline.jsonl").read_bytes()
    (copy / "timeline.jsonl").write_bytes(timeline[: int(share * len(timeline))])
    code, said, complaints = racko("replay", copy)
    assert code in (0, 1)
    assert complaints.count("\n") <= 1
    assert all("cut short" in words for words in complaints.splitlines())
    first = true_events("turn")[0]["discarded"]
    assert share < 0.2 or f"discards {first}" in said


@pytest.fixture(scope="module")
def corrected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The round with a host who names a card when it is over, then a wrong one, takes that back, and names it."""
    folder = tmp_path_factory.mktemp("corrected")
    recorder = Recorder(folder, MUCH)
    racks = true_events("round_end")[0]["racks"]
    card, other = racks["2"][9], racks["2"][8]
    end = true_events("round_end")[0]["t"] + 30
    orders: list[Order] = [
        Pause(30.0, on=True),
        Pause(30.1, on=False),
        Correction(end, 2, 50, card),
        Correction(end + 1, 2, 45, card),
        Undo(end + 2),
        Correction(end + 3, 2, 45, other),
    ]
    play(open_session(SESSION), recorder, orders)
    assert recorder.close()
    return folder / "the-table"


@pytest.mark.slow
def test_orders_of_the_host_are_in_the_timeline_and_replay(corrected: Path) -> None:
    said = [row["type"] for row in rows_of(corrected, "timeline.jsonl") if row["type"] != "frame"]
    assert said == ["round", "pause", "pause", "button", "correct", "correct", "undo", "correct"]
    code, words, complaints = racko("replay", corrected, "--check")
    assert (code, complaints) == (0, ""), words


def test_a_card_that_the_host_named_is_the_truth_of_the_picture_of_then(corrected: Path) -> None:
    named = [row for row in rows_of(corrected, "truth.jsonl") if row["type"] == "card"]
    racks = true_events("round_end")[0]["racks"]
    assert [(row["seat"], row["slot"], row["card"]) for row in named] == [
        (2, 50, racks["2"][9]),
        (2, 45, racks["2"][8]),
    ]
    for row in named:
        assert row["by"] == "host"
        assert row["camera"] == "rack2"
        assert (corrected / row["file"]).is_file()


def test_scores_that_the_host_changed_are_said_once(corrected: Path) -> None:
    truth = rows_of(corrected, "truth.jsonl")
    (end,) = [row for row in truth if row["type"] == "round_end"]
    assert end["scores"] == true_events("round_end")[0]["scores"]


@pytest.fixture(scope="module")
def drawn() -> SimulatedTable:
    return SimulatedTable(Wishes(seed=3, turns=2, hands=1, no_fonts=True).plan())


@pytest.mark.slow
def test_a_drawn_table_is_recorded_while_it_plays_and_replays_without_a_difference(
    drawn: SimulatedTable, tmp_path: Path
) -> None:
    recorder = Recorder(tmp_path, MUCH)
    play(drawn, recorder)
    assert recorder.close()
    code, said, complaints = racko("replay", tmp_path / "the-table", "--check")
    assert (code, complaints) == (0, ""), said
    assert "check: all 2 turns" in said


@pytest.mark.slow
def test_a_whole_drawn_round_is_recorded_and_replays_without_a_difference(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path, MUCH)
    play(SimulatedTable(Wishes(seed=4, level="strong", no_fonts=True).plan()), recorder)
    assert recorder.close()
    code, said, complaints = racko("replay", tmp_path / "the-table", "--check")
    assert (code, complaints) == (0, ""), said
    assert '"round_end"' in (tmp_path / "the-table" / "truth.jsonl").read_text()
