import json
from pathlib import Path

import pytest

from device.cli import main
from tests.device.recorded import SESSION, copied, true_events

KEYS = ("seat", "source", "card", "slot", "discarded")


@pytest.mark.slow
def test_the_recorded_round_replays_to_every_turn_and_the_right_scores(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(SESSION), "--check", "--json"]) == 0
    captured = capsys.readouterr()
    said = [json.loads(row) for row in captured.out.splitlines()]
    turns = [event for event in said if event["type"] == "turn"]
    assert [[turn[key] for key in KEYS] for turn in turns] == [
        [turn[key] for key in KEYS] for turn in true_events("turn")
    ]
    (end,) = [event for event in said if event["type"] == "round_end"]
    (truth,) = true_events("round_end")
    assert (end["out"], end["scores"], end["racks"]) == (truth["out"], truth["scores"], truth["racks"])
    assert {event["type"] for event in said} == {"turn", "round_end"}


def test_a_session_with_a_broken_picture_goes_on_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = copied(tmp_path, frames=20)
    broken, cut, missing = (folder / "frames" / "tray" / f"{number:06}.jpg" for number in (3, 5, 6))
    broken.write_bytes(b"\xff\xd8 this is no JPEG")
    cut.write_bytes(cut.read_bytes()[:5000])
    missing.unlink()
    assert main(["replay", str(folder)]) == 1
    captured = capsys.readouterr()
    assert "Ben draws 3, puts it at 5, discards 35" in captured.out
    complaints = captured.err.splitlines()
    assert len(complaints) == 3
    for complaint, name in zip(complaints, ("000003.jpg", "000005.jpg", "000006.jpg"), strict=True):
        assert name in complaint
        assert complaint.endswith("passed over")


def test_a_session_that_is_cut_short_replays_as_far_as_it_goes_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = copied(tmp_path, frames=20)
    with (folder / "timeline.jsonl").open("a") as stream:
        stream.write('{"t": 16.0, "type": "fra')
    assert main(["replay", str(folder), "--check"]) == 1
    captured = capsys.readouterr()
    assert "Ben draws 3, puts it at 5, discards 35" in captured.out
    assert "cut short at line 21" in captured.err
    assert "check: round_end 1: missing" in captured.out


def test_a_wrong_truth_is_found_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = copied(tmp_path, frames=20)
    rows = [json.loads(row) for row in (folder / "truth.jsonl").read_text().splitlines()]
    turns = [row for row in rows if row["type"] == "turn"][:2]
    turns[0]["slot"] = 10
    (folder / "truth.jsonl").write_text("\n".join(map(json.dumps, turns)))
    assert main(["replay", str(folder), "--check"]) == 1
    found = [row for row in capsys.readouterr().out.splitlines() if row.startswith("check:")]
    assert found[0].startswith("check: turn 1: said seat 2, source draw, card 3, slot 5, discarded 35; in truth")


def test_without_a_truth_there_is_nothing_to_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = copied(tmp_path, frames=4)
    (folder / "truth.jsonl").unlink()
    assert main(["replay", str(folder), "--check"]) == 2
    assert "has no truth.jsonl" in capsys.readouterr().err
