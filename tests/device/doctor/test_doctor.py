"""The whole visit: the program itself, checks that fail or hang, and the command as people and programs use it."""

import json
import sys
import time
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.cli import main
from device.doctor import checkup, command, program, tesseract
from device.doctor.case import Case
from device.doctor.checkup import CHECKS, examine
from device.doctor.findings import Finding, as_text, summary
from engine.errors import BadInput
from tests.device.doctor.seen import another_card, rack_picture
from tests.device.doctor.visits import Place, check_words
from tests.device.recorded import SESSION

KEYS = {"check", "verdict", "found", "mend"}


def test_the_program_finds_itself_whole() -> None:
    packages, reading = program.check()
    assert (packages.verdict, reading.verdict) == ("good", "good")
    assert "4 of 4 drawn numbers" in reading.found


def test_packages_that_are_old_or_missing_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ["numpy>=99", "racko-nowhere>=1.0", "flask", "chess>=99; extra == 'test'"]
    monkeypatch.setattr(metadata, "requires", lambda _: asked)
    finding = program.packages()
    check_words(finding)
    assert finding.verdict == "bad"
    assert "must be 99 or newer" in finding.found
    assert "racko-nowhere is missing" in finding.found
    assert "chess" not in finding.found


def test_another_package_of_the_same_module_will_do_and_an_old_python_will_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def version(name: str) -> str:
        if name == "opencv-python-headless":
            return "4.12.0.88"
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", lambda _: ["opencv-python>=4.12"])
    monkeypatch.setattr(metadata, "version", version)
    assert program.packages().verdict == "good"
    monkeypatch.setattr(program, "PYTHON", (9, 0))
    assert program.packages().verdict == "bad"


def test_a_program_that_is_not_installed_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def requires(name: str) -> list[str]:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", requires)
    assert program.packages().verdict == "look"


@pytest.mark.parametrize("broken", ["missing", "broken"])
def test_a_net_that_is_missing_or_broken_is_bad(broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    net = tmp_path / "glance.onnx"
    if broken == "broken":
        net.write_bytes(b"no net")
    monkeypatch.setattr("vision.rack.states.GLANCE", net)
    finding = program.reading()
    check_words(finding)
    assert finding.verdict == "bad"


def test_numbers_that_are_read_wrong_are_bad(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "SURELY", 1.1)
    assert program.reading().verdict == "bad"


@pytest.mark.parametrize(
    ("version", "read", "verdict", "words"),
    [
        ("5.3.0", 38, "good", "read right"),
        ("5.3.0", 36, "look", "read as 36"),
        ("5.3.0", None, "look", "not read"),
        (None, None, "look", "not installed"),
    ],
)
def test_tesseract_is_a_witness_and_its_absence_no_fault(
    version: str | None, read: int | None, verdict: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tesseract, "available", lambda: version)
    monkeypatch.setattr(tesseract, "read_strip", lambda _: read)
    (finding,) = tesseract.check()
    assert (finding.verdict, words in finding.found) == (verdict, True)


def hangs(_: Case) -> Iterator[Finding]:
    time.sleep(60)
    yield Finding("heat", "good", "never said")


def fails(_: Case) -> Iterator[Finding]:
    yield Finding("heat", "good", "said before")
    raise ZeroDivisionError("of a kind\nthat nobody foresaw")


def refuses(_: Case) -> Iterator[Finding]:
    raise BadInput("this cannot be; do that")


@pytest.mark.parametrize(
    ("check", "words"),
    [
        (hangs, ["not done after"]),
        (fails, ["said before", "ZeroDivisionError: of a kind that nobody foresaw"]),
        (refuses, ["to its end"]),
    ],
)
def test_a_check_that_hangs_or_fails_is_said_and_stops_no_other(
    place: Place, check: object, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.doctor.heat.check", check)
    monkeypatch.setitem(checkup.CHECKS, "heat", 0.3)
    found = list(examine(place.case(), ("heat", "tesseract")))
    assert [wanted in finding.found for wanted, finding in zip(words, found, strict=False)] == [True] * len(words)
    assert found[len(words) - 1].verdict == "bad"
    assert found[-1].check == "Tesseract"


def test_a_machine_of_nothing_is_examined_to_its_end(place: Place) -> None:
    findings = list(examine(place.case()))
    assert {finding.check.lower() for finding in findings} == set(CHECKS)
    for finding in findings:
        check_words(finding)


def doctor(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    """Run the command; give its exit code and what it printed."""
    code = main(["doctor", *(str(argument) for argument in arguments)])
    return code, capsys.readouterr().out


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "photo.jpg"
    cv2.imwrite(str(path), rack_picture())
    return path


def test_a_photograph_is_looked_at_for_light_and_mats_alone(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, printed = doctor(capsys, "--picture", photo, "--json")
    said = [json.loads(line) for line in printed.splitlines()]
    assert code == 0
    assert {line["check"] for line in said} == {"light", "mats"}
    assert all(set(line) == KEYS for line in said)


def test_what_is_bad_makes_exit_code_1(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cv2.imwrite(str(photo), (rack_picture() * 0.02).astype(np.uint8))
    code, printed = doctor(capsys, "--picture", photo)
    assert code == 1
    assert "  BAD  light" in printed
    assert "> it is too dark" in printed
    assert "to mend before an evening" in printed


@pytest.mark.parametrize(
    "arguments", [("--picture", "nowhere.jpg"), ("--config", "nowhere.toml"), ("--table", "nowhere.toml")]
)
def test_what_cannot_be_read_is_one_line_and_exit_code_2(
    arguments: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.splitlines()) == 1
    assert arguments[1] in said.err


def test_a_recorded_table_is_examined_by_the_settings_and_the_same_is_said_whatever_its_cards_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "racko.toml"
    settings.write_text(f'[serve]\nport = 0\ncamera = "session:{SESSION}"\n[journal]\nfolder = "{tmp_path}"\n')
    _, printed = doctor(capsys, "--config", settings, "--json")
    said = [json.loads(line) for line in printed.splitlines()]
    assert {line["check"].lower() for line in said} == set(CHECKS)
    seen = [line["found"] for line in said if line["check"] == "mats"]
    assert [words.partition(",")[0] for words in seen[:3]] == [
        "rack1: seat 1's rack",
        "rack2: seat 2's rack",
        "tray: the tray",
    ]
    assert seen[-1] == "seen altogether: the tray and seats 1 and 2"
    monkeypatch.setattr("device.doctor.sight.sure", another_card)
    again = [json.loads(line) for line in doctor(capsys, "--config", settings, "--json")[1].splitlines()]
    sights = [[line for line in lines if line["check"] in {"light", "mats"}] for lines in (said, again)]
    assert sights[0] == sights[1]


def test_a_simulated_table_is_looked_at_through_each_camera(place: Place) -> None:
    case = place.case()
    case.sources = ("simulated:3",)
    found = list(examine(case, ("cameras", "mats")))
    assert "simulated:3 is looked at instead" in found[0].found
    assert found[-1].found == "seen altogether: the tray and seats 1 and 2"


def test_where_a_package_is_missing_the_doctor_says_which(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "device.doctor.case", None)
    code = command.doctor(command.Options())
    printed = capsys.readouterr().out
    assert code == 1
    assert "device.doctor.case" in printed
    assert "nothing else was checked" in printed


def test_findings_are_shown_in_lines_that_fit_and_keep_addresses_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "70")
    where = "http://raspberrypi-in-the-living-room.local:8000/"
    text = as_text(Finding("network", "look", f"the page is on {where}", "do this; do that"), first=True)
    lines = text.splitlines()
    assert lines[0].startswith("  LOOK network")
    assert [line.strip() for line in lines[-2:]] == ["> do this", "> do that"]
    assert where in text
    assert all(len(line) <= 70 for line in lines)
    assert "network" not in as_text(Finding("network", "good", "more"), first=False)


@pytest.mark.parametrize(
    ("verdicts", "words"),
    [
        (["good", "skipped"], "All is well."),
        (["good", "look"], "Nothing is bad; one thing is worth a look."),
        (["bad", "bad", "look", "look"], "2 things are to mend before an evening, and 2 things are worth a look"),
    ],
)
def test_the_last_line_sums_up(verdicts: list[str], words: str) -> None:
    findings = [Finding("disk", verdict, "x") for verdict in verdicts]  # type: ignore[arg-type]  # by parametrize
    assert summary(findings).startswith(words)
