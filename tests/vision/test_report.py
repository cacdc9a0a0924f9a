import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.table import Table
from tests.vision.drawing import Eye, Rack, draw_mat, draw_rack, empty_table
from vision.report import main
from vision.tesseract import available, read_strip


def test_the_report_counts_what_was_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = empty_table()
    draw_mat(picture, 1, Eye())
    cards = dict(enumerate([3, 9, 17, 22, 28, 31, 40, 44, 51, 58]))
    draw_rack(picture, Rack(cards), Table(), Eye())
    cv2.imwrite(str(tmp_path / "0000.jpg"), picture)
    (tmp_path / "0000.toml").write_text("")
    slots = [{"slot": 5 * slot + 5, "card": card} for slot, card in cards.items()]
    (tmp_path / "truth.jsonl").write_text(json.dumps({"image": "0000.jpg", "racks": {"1": slots}, "tray": None}) + "\n")
    assert main([str(tmp_path), "--no-tesseract", "--misses"]) == 0
    assert "silently wrong 0 (0.0%)" in capsys.readouterr().out


def test_a_folder_without_truth_is_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path), "--no-tesseract"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.skipif(available() is None, reason="Tesseract is not installed")
def test_tesseract_reads_a_plain_number_and_counts_noise_as_unread() -> None:
    strip = np.full((60, 200), 255, np.uint8)
    cv2.putText(strip, "37", (60, 48), cv2.FONT_HERSHEY_DUPLEX, 1.6, 0, 3, cv2.LINE_AA)
    assert read_strip(strip) == 37
    assert read_strip(np.full((60, 200), 255, np.uint8)) is None
