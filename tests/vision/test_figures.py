"""The figures of the README: what is counted, how folders are told apart, and what their table looks like."""

import io
import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.table import Table
from tests.vision.drawing import Eye, Rack, draw_mat, draw_rack, empty_table
from vision import report
from vision.figures import photographed, pictures, progress
from vision.figures.reliability import Reliability, at_most
from vision.figures.tally import Figures
from vision.figures.truth import FolderError, shown_in
from vision.look import Reading
from vision.training.certainty import Claim, fitted, main

CARDS = dict(enumerate([3, 9, 17, 22, 28, 31, 40, 44, 51, 58]))


@pytest.fixture(scope="module")
def picture() -> bytes:
    table = empty_table()
    draw_mat(table, 1, Eye())
    draw_rack(table, Rack(CARDS), Table(), Eye())
    return cv2.imencode(".jpg", table)[1].tobytes()


@pytest.fixture
def stills(tmp_path: Path, picture: bytes) -> Path:
    folder = tmp_path / "stills"
    folder.mkdir()
    (folder / "0000.jpg").write_bytes(picture)
    (folder / "0000.toml").write_text("")
    slots = [{"slot": 5 * slot + 5, "card": card} for slot, card in CARDS.items()]
    truth = {"image": "0000.jpg", "racks": {"1": slots}, "tray": None}
    (folder / "truth.jsonl").write_text(json.dumps(truth) + "\n")
    return folder


@pytest.fixture
def session(tmp_path: Path, picture: bytes) -> Path:
    folder = tmp_path / "evening"
    folder.mkdir()
    (folder / "table.toml").write_text("")
    (folder / "session.json").write_text("{}")
    lines = [{"type": "round_end", "out": 1}]
    for number, hand in enumerate((False, True)):
        (folder / f"{number}.jpg").write_bytes(picture)
        rack = {str(5 * slot + 5): card for slot, card in CARDS.items()}
        lines.append({"type": "frame", "file": f"{number}.jpg", "camera": "rack1", "hand": hand, "rack": rack})
    (folder / "truth.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


@pytest.fixture
def digits(tmp_path: Path) -> Path:
    """Photographed pages whose figures differ, in the form of the photographed digits."""
    folder, pages = tmp_path / "photographed", 8
    folder.mkdir()
    sheet, labels = np.full((40 * pages, 360), 190, np.uint8), []
    for place in range(9 * pages):
        row, column = divmod(place, 9)
        digit = (column * (row + 1)) % 9 + 1
        cv2.putText(sheet, str(digit), (column * 40 + 12, row * 40 + 30), 0, 0.9, 40, 2, cv2.LINE_AA)
        labels.append([digit, f"image{9000 + row}"])
    cv2.imwrite(str(folder / "sheet0.jpg"), sheet)
    index = {"cell": 40, "per_row": 9, "rows_per_sheet": pages, "labels": labels}
    (folder / "labels.json").write_text(json.dumps(index), encoding="utf-8")
    return folder


@pytest.mark.slow
def test_one_command_gives_rows_for_folders_of_all_kinds(
    stills: Path,
    session: Path,
    digits: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(photographed, "PAIRS", 3)

    assert report.main([*map(str, (stills, session, digits)), "--no-tesseract", "--reliability", "--misses"]) == 0

    lines = capsys.readouterr().out.splitlines()
    table = [line for line in lines if line.startswith("|")]
    assert {line.count("|") for line in table} == {9}
    assert any(line.startswith("| stills, 1 picture | cards in racks | 10 | 100 %") for line in table)
    assert any(line.startswith("| evening, 1 picture | cards in racks | 10 |") for line in table), (
        "a hand is in the other"
    )
    assert any("photographed digits | single figures" in line for line in table)
    assert any("loose cut-outs" in line for line in table)
    assert any("said at" in line for line in lines)


def test_the_baseline_stands_beside_what_was_read(
    stills: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(report, "available", lambda: "9.9")
    answers = iter([3, 8, *[None] * 8])
    monkeypatch.setattr(pictures, "plainly_read", lambda strips: {place: next(answers) for place in sorted(strips)})

    assert report.main([str(stills)]) == 0

    assert "| 0 | 10.0 % | 10.0 % |" in capsys.readouterr().out


def test_pictures_are_drawn_judged_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert report.main(["--drawn", "1", "--seed", "4", "--keep", str(tmp_path), "--no-tesseract"]) == 0

    said = capsys.readouterr().out
    for words, kind in (("drawn racks", "rack"), ("drawn trays", "tray"), ("drawn wide tables", "wide")):
        assert f"| {words}, 1 picture |" in said
        assert [shown.name for shown in shown_in(tmp_path / kind)] == ["0000.jpg"]


def spoilt_truth(folder: Path) -> None:
    (folder / "truth.jsonl").write_text('\n{"image": "0000.jpg", "racks": {"1": [{}]}, "tray": null}\n')


def no_truth(folder: Path) -> None:
    (folder / "truth.jsonl").unlink()
    (folder / "session.json").write_text("{}")


def no_picture(folder: Path) -> None:
    (folder / "0000.jpg").unlink()


def no_folder(folder: Path) -> None:
    folder.rename(folder.with_name("elsewhere"))


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (spoilt_truth, "line 2"),
        (no_truth, "a session without its truth"),
        (no_picture, "0000.jpg: is not there"),
        (no_folder, "is no folder"),
    ],
)
def test_a_folder_that_cannot_be_used_is_refused_in_one_line(
    stills: Path, spoil: Callable[[Path], None], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(stills)

    assert report.main([str(stills), "--no-tesseract"]) == 2

    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert words in said


def test_help_is_given_and_names_what_is_hard(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        report.main(["--help"])

    said = " ".join(capsys.readouterr().out.split())
    assert all(name in said for name in report.HARD)


@pytest.mark.parametrize("arguments", [[], ["--keep", "somewhere"]])
def test_nothing_to_judge_is_said_in_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert report.main(arguments) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_each_third_picture_is_held_out(stills: Path) -> None:
    line = (stills / "truth.jsonl").read_text()
    (stills / "truth.jsonl").write_text(line * 7)

    assert len(shown_in(stills, "held-out")) == 2
    assert len(shown_in(stills, "tuning")) == 5
    (stills / "truth.jsonl").write_text(line)
    with pytest.raises(FolderError, match="another folder or part"):
        shown_in(stills, "held-out")


def test_a_share_is_never_rounded_to_all_or_nothing() -> None:
    figures = Figures("many", "pictures")
    for _ in range(2999):
        figures.weigh("card", "", ("card", 7), Reading({7: 1.0}))
    figures.weigh("card", "", ("card", 7), Reading({1: 1.0}))

    (row,) = figures.rows()

    assert row == "| many, pictures | cards in racks | 3000 | 99.967 % | 0 % | 1 (0.033 %) | - | - |"
    assert figures.misses == ["many : card 7, silently wrong (card 1)"]


def test_counting_bounds_what_is_rare() -> None:
    assert at_most(0, 29_956) == pytest.approx(1e-4, rel=1e-3)
    assert at_most(2, 100) == pytest.approx(0.0616, abs=1e-4)
    assert at_most(3, 3) == at_most(0, 0) == 1.0


def test_reliability_tells_how_often_a_confidence_was_right() -> None:
    said = Reliability([(0.75, True), (0.75, True), (0.75, False), (0.75, True), (1.0, True)])

    _, row, last = said.lines()

    assert row.split() == ["0.7", "..", "0.8", "4", "0.7500", "0.7500"]
    assert last.split()[-3:] == ["1", "1.0000", "1.0000"]
    assert said.worst() == 0.75


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def told_on(stream: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("sys.stderr", stream)
    clock = iter([0.0, 0.1, 1.0, 31.0, 32.0])
    monkeypatch.setattr("vision.figures.progress.time.monotonic", lambda: next(clock))
    telling = progress.Progress()
    for words in ("first", "second one", "third", "last"):
        telling.tell(words)
    telling.clear()
    return stream.getvalue()


def test_progress_is_one_line_on_a_terminal_and_few_lines_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told_on(io.StringIO(), monkeypatch) == "third\n"
    assert told_on(Terminal(), monkeypatch) == "\rsecond one\rthird     \rlast \r    \r"


def test_certainty_is_fitted_to_what_was_right() -> None:
    rng = np.random.default_rng(3)
    chances, trusts = rng.uniform(0.05, 0.99, 60_000), rng.choice([0.9, 1.0], 60_000)
    odds = np.exp(-0.8) * (chances / (1 - chances)) ** 1.4
    right = rng.random(60_000) < trusts * odds / (1 + odds)
    claims = [
        Claim(chance * trust, trust, bool(so), contested=False)
        for chance, trust, so in zip(chances, trusts, right, strict=True)
    ]
    contested = [Claim(0.99, 1.0, right=False, contested=True)] * 500

    assert fitted([*claims, *contested]) == pytest.approx((1.4, -0.8), abs=0.06)


def test_certainty_is_judged_on_other_folders(stills: Path, session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(stills), str(session), str(stills), "--soften", "0.75", "1"]) == 0

    said = capsys.readouterr().out
    assert said.count("fitted: SOFTEN = ") == 4
    assert "This rests on 20 places" in said
    assert main([str(stills), "nowhere"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
