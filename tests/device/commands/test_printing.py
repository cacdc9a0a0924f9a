"""`racko mats`: what it writes, what it says, and what it does not overwrite."""

import json
from pathlib import Path

import pytest

from calibration.mats import mats_pdf
from calibration.table import Table
from device.cli import main


def _refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line on standard error of a command that cannot do it."""
    assert main(["mats", *arguments]) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert error.startswith("racko: ")
    assert error.count("\n") == 1
    return error


def test_without_a_name_it_writes_racko_mats_pdf_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["mats"]) == 0
    assert (tmp_path / "racko-mats.pdf").read_bytes() == mats_pdf(Table())


def test_it_says_what_it_wrote_and_how_to_print_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mats.pdf"
    assert main(["mats", str(path), "--seats", "2"]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"{path}: 3 pages, the mats of the tray and of seats 1 to 2\n")
    for words in ("100 %", "A4", "landscape", "stiff", "matt", "100 mm"):
        assert words in said


def test_as_json_it_says_one_line_with_the_markers_of_each_mat(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mats.pdf"
    assert main(["mats", str(path), "--seats", "1", "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line) == {
        "file": str(path),
        "bytes": path.stat().st_size,
        "page": [297.0, 210.0],
        "mats": [{"mat": "tray", "markers": [0, 1, 2, 3]}, {"mat": "seat 1", "markers": [4, 5, 6, 7]}],
    }


def test_the_measured_table_makes_its_own_mats(tmp_path: Path) -> None:
    table, path = tmp_path / "table.toml", tmp_path / "mats.pdf"
    table.write_text('[rack]\nwidth = 80.0\n[tray]\ndraw = "right"\n')
    assert main(["mats", str(path), "--table", str(table)]) == 0
    assert path.read_bytes() != mats_pdf(Table())


def test_mats_that_are_there_already_are_replaced(tmp_path: Path) -> None:
    path = tmp_path / "mats.pdf"
    assert main(["mats", str(path), "--seats", "2"]) == 0
    assert main(["mats", str(path)]) == 0
    assert path.read_bytes() == mats_pdf(Table())


@pytest.mark.parametrize("content", [b"", b"[rack]\nwidth = 80.0\n", b"%PD"])
def test_a_file_that_is_no_pdf_is_left_as_it_is(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.toml"
    path.write_bytes(content)
    assert "table.toml: is there already and is not a PDF" in _refused(capsys, str(path))
    assert path.read_bytes() == content


def test_a_missing_folder_and_a_folder_and_a_device_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert f"there is no folder {tmp_path / 'no'};" in _refused(capsys, str(tmp_path / "no" / "mats.pdf"))
    assert "is a folder" in _refused(capsys, str(tmp_path))
    assert "is no ordinary file" in _refused(capsys, "/dev/null")
    assert "cannot be written" in _refused(capsys, str(tmp_path / ("m" * 300)))


def test_a_place_that_must_not_be_written_to_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def forbid(path: Path, content: bytes) -> int:
        raise PermissionError(13, "Permission denied", str(path), len(content))

    # the superuser may write everywhere, so the folder's own rights would not do
    monkeypatch.setattr(Path, "write_bytes", forbid)
    assert "mats.pdf: cannot be written (Permission denied)" in _refused(capsys, str(tmp_path / "mats.pdf"))


def test_nothing_is_written_for_what_makes_no_mats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, path = tmp_path / "table.toml", tmp_path / "mats.pdf"
    table.write_text("[rack]\nat = [111.0, 100.0]\n")
    assert "hangs over its mat" in _refused(capsys, str(path), "--table", str(table))
    assert "1 to 4 seats" in _refused(capsys, str(path), "--seats", "7")
    assert not path.exists()
