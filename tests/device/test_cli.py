import json
import os
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.cli import main
from engine.editions import EDITIONS
from engine.powers import POWERS
from engine.variants import VARIANTS, Options
from tests.device.commands.answering import answered
from tests.device.recorded import SESSION

ROOT = Path(__file__).parents[2]
RACKO = [sys.executable, "-m", "device.cli"]
COMMANDS = ("serve", "read", "score", "referee", "replay", "mats", "simulate", "calibrate", "doctor", "pin", "bench")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_help_that_names_its_exit_codes(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    assert f"racko {command}" in shown
    assert "Exit codes: 0 done" in shown


def test_the_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = capsys.readouterr().out
    assert all(f"\n    {command}" in shown for command in COMMANDS)


CANNOT_BE = [
    (["replay", "nowhere"], "session.json"),
    (["read", "nowhere.jpg"], "nowhere.jpg"),
    (["read", "x.jpg", "--table", "nowhere.toml"], "nowhere.toml"),
    (["read", "x.jpg", "--players", "9"], "9 players"),
    (["score", "nowhere.jsonl"], "nowhere.jsonl"),
    (["referee", "."], "cannot be read"),
    (["serve", "--session", "nowhere"], "session.json"),
    (["serve", "--config", "nowhere.toml"], "nowhere.toml"),
    (["serve", "--speed", "nan"], "--speed"),
    (["serve", "--port", "99999999"], "port 99999999"),
    (["pin"], "secrets.json"),
    (["pin", "--config", "nowhere.toml"], "nowhere.toml"),
    (["bench", "--seconds", "nan"], "--seconds nan"),
    (["bench", "--looks", "-1"], "--looks -1"),
    (["bench", "--looks", "many"], "invalid int value: 'many' (see racko bench --help)"),
    (["referee", "--json", "--notation"], "not allowed with argument --json (see racko referee --help)"),
    (["juggle"], "invalid choice: 'juggle'"),
    ([], "COMMAND (see racko --help)"),
]


@pytest.mark.parametrize(("arguments", "words"), CANNOT_BE, ids=[" ".join(case[0]) for case in CANNOT_BE])
def test_what_cannot_be_done_is_one_line_and_exit_code_2(tmp_path: Path, arguments: list[str], words: str) -> None:
    done = subprocess.run(
        [*RACKO, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={"XDG_STATE_HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
    )
    assert done.returncode == 2
    assert words in done.stderr
    assert len([row for row in done.stderr.splitlines() if "panel: none here" not in row]) == 1
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["score", "referee"])
def test_the_helps_of_score_and_referee_name_what_a_line_may_hold_and_their_examples_are_taken(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    shown = capsys.readouterr().out
    for word in (*EDITIONS, *VARIANTS, *POWERS, *(field.name for field in fields(Options))):
        assert word in shown
    examples = [row for row in shown.splitlines() if row.startswith("{")]
    kinds = [json.loads(row).get("type") for row in examples]
    assert kinds == ([None] if command == "score" else ["game", "round", "observe", "unsettled", "call", "correct"])
    answer = answered("\n".join(examples), command, "--json")
    assert answer.code == 0
    assert not any("error" in row for row in answer.rows)


def test_output_that_cannot_be_written_is_one_line_and_exit_code_2() -> None:
    line = json.dumps({"edition": "retro", "racks": {"1": list(range(1, 11)), "2": list(range(20, 10, -1))}, "out": 1})
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*RACKO, "score"], input=line, stdout=full, stderr=subprocess.PIPE, text=True, check=False, cwd=ROOT
        )
    assert (done.returncode, done.stderr) == (2, "racko: the output: No space left on device\n")


def test_names_that_a_terminal_has_no_letters_for_are_written_all_the_same() -> None:
    people = [{"seat": 1, "name": "Zoë"}, {"seat": 2, "name": "Łukasz 🃏"}]
    line = json.dumps({"type": "game", "edition": "retro", "players": people})
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    done = subprocess.run(
        [*RACKO, "referee"], input=line.encode(), capture_output=True, check=False, cwd=ROOT, env=environment
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert "Zoë and \\u0141ukasz \\U0001f0cf" in done.stdout.decode("latin-1")


def test_lines_that_begin_with_a_byte_order_mark_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "lines.jsonl"
    file.write_text('\ufeff{"type": "round", "dealer": 1}\n', encoding="utf-8")
    assert main(["referee", str(file), "--json"]) == 1
    assert "no game has begun" in capsys.readouterr().out


def test_a_picture_is_read_into_one_json_line_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"no picture")
    table, tray = SESSION / "table.toml", SESSION / "frames" / "tray" / "000000.jpg"
    rack = SESSION / "frames" / "rack1" / "000000.jpg"
    arguments = ["read", str(tray), str(broken), str(rack), "--table", str(table), "--players", "2", "--json"]
    assert main(arguments) == 2
    first, second, third = (json.loads(row) for row in capsys.readouterr().out.splitlines())
    assert first["image"] == "000000.jpg"
    assert first["racks"] == {}
    assert first["tray"]["discard"]["card"] == 31
    assert first["tray"]["draw"] == "cards"
    assert second.keys() == {"image", "error"}
    assert third["tray"] is None
    slots = third["racks"]["1"]
    assert [slot["slot"] for slot in slots] == [5, 10, 15, 20, 25, 30, 35, 40, 45, 50]
    truth = [2, 4, 20, 19, 16, 40, 39, 36, 17, 18]
    assert sum(slot.get("card") == card for slot, card in zip(slots, truth, strict=True)) >= 9
    assert all(slot.get("card") in (card, None) for slot, card in zip(slots, truth, strict=True))


def test_a_picture_is_read_by_the_table_that_was_measured_for_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = SESSION / "frames" / "rack1" / "000000.jpg"
    assert main(["read", str(shown)]) == 0
    of_its_session = capsys.readouterr().out.splitlines()
    assert of_its_session[0] == "000000.jpg (measured in table.toml):"
    alone = tmp_path / "rack1.jpg"
    alone.write_bytes(shown.read_bytes())
    assert main(["read", str(alone)]) == 0
    assert "usual measures" in capsys.readouterr().out.splitlines()[0]
    own = tmp_path / "rack1.toml"
    own.write_text((SESSION / "table.toml").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "table.toml").write_text("[rack]\npitch = 1e9\n", encoding="utf-8")
    assert main(["read", str(alone)]) == 0
    assert capsys.readouterr().out.splitlines() == ["rack1.jpg (measured in rack1.toml):", *of_its_session[1:]]
    own.unlink()
    assert main(["read", str(alone), str(shown)]) == 2
    said = capsys.readouterr()
    assert said.out.splitlines() == of_its_session
    assert "table.toml" in said.err
    assert "pitch" in said.err
    assert len(said.err.splitlines()) == 1


def test_a_picture_without_a_mat_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blank = tmp_path / "blank.png"
    cv2.imwrite(str(blank), np.full((720, 1280, 3), 128, np.uint8))
    assert main(["read", str(blank), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["racks"], said["tray"]) == ({}, None)
    assert "no mat in view" in said["remarks"]
    assert main(["read", str(blank)]) == 0
    assert "no mat in view" in capsys.readouterr().out


def test_a_cut_out_number_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = np.full((60, 90), 235, np.uint8)
    cv2.putText(picture, "17", (18, 45), cv2.FONT_HERSHEY_DUPLEX, 1.4, 30, 3, cv2.LINE_AA)
    path = tmp_path / "crop.png"
    cv2.imwrite(str(path), picture)
    assert main(["read", "--crop", str(path), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["image"] == "crop.png"
    assert said["card"] in (17, None)
    assert 0 <= said["confidence"] <= 1
