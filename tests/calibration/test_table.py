from pathlib import Path

import pytest

from calibration.table import Table, TableError, read_table

GOOD = """
[card]
width = 88.5
[rack]
at = [110.0, 34.0]
pitch = 12.1
[tray]
draw = "right"
[camera.tray]
size = [1280, 720]
matrix = [[985.0, 0, 640.0], [0, 985.0, 360.0], [0, 0, 1]]
distortion = [-0.03, 0.0, 0, 0, 0]
[deck]
anything = "goes"
"""
MATRIX = "[[985.0, 0, 640.0], [0, 985.0, 360.0], [0, 0, 1]]"


def test_what_is_not_given_has_its_default() -> None:
    assert read_table("") == Table()


def test_a_measured_table_is_read_with_its_camera_and_foreign_sections_are_left_alone() -> None:
    table = read_table(GOOD)
    assert table.card.width == 88.5
    assert table.card.height == 56.0
    assert table.rack.at == (110.0, 34.0)
    assert table.tray.draw == "right"
    assert table.cameras["tray"].size == (1280, 720)
    assert table.cameras["tray"].matrix[0] == (985.0, 0.0, 640.0)


def test_a_table_is_read_from_its_file(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text(GOOD)
    assert read_table(tmp_path / "table.toml") == read_table(GOOD)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("[rack]\npitch = nan", "rack.pitch"),
        ("[rack]\npitch = inf", "rack.pitch"),
        ("[rack]\npitch = -1", "rack.pitch"),
        ('[rack]\npitch = "12"', "rack.pitch"),
        ("[rack]\npitch = true", "rack.pitch"),
        ("[rack]\npitch = 20", "rack.pitch"),
        ("[rack]\npicth = 12", "rack.picth"),
        ("[rack]\nat = 111", "rack.at"),
        ("[rack]\nat = [111, 900]", "rack.at"),
        ("[rack]\nlean = 80", "rack.lean"),
        ("[rack]\nfloor = 30", "rack.floor"),
        ("[rack]\nmargin = -2", "rack.margin"),
        ("[card]\nwidth = 0", "card.width"),
        ("card = 3", "card"),
        ('[tray]\ndraw = "middle"', "tray.draw"),
        ("[tray]\ndeal = 1", "tray.deal"),
        ("camera = 1", "camera"),
        ("[camera]\ntray = 1", "camera.tray"),
        ("[camera.tray]\nsize = [1280, 720]", "camera.tray.matrix"),
        (f"[camera.tray]\nmatrix = {MATRIX}", "camera.tray.size"),
        (f"[camera.tray]\nsize = [0, 720]\nmatrix = {MATRIX}", "camera.tray.size"),
        (f"[camera.tray]\nsize = [1280.5, 720]\nmatrix = {MATRIX}", "camera.tray.size"),
        ("[camera.tray]\nsize = [1280, 720]\nmatrix = [[1, 2], [3, 4]]", "camera.tray.matrix"),
        ("[camera.tray]\nsize = [1280, 720]\nmatrix = [[1, 0, 640], [0, 1, 360], [0, 0, 1]]", "camera.tray.matrix"),
        (f"[camera.tray]\nsize = [1280, 720]\nmatrix = {MATRIX}\ndistortion = [0, 0]", "camera.tray.distortion"),
    ],
)
def test_a_value_that_cannot_be_right_is_refused_with_its_key(text: str, key: str) -> None:
    with pytest.raises(TableError) as caught:
        read_table(text)
    assert str(caught.value).startswith(f"table.toml: {key}: ")
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("data", [b"[rack", b"\xff\xfe\x00", b"a = " + b"[" * 5000])
def test_a_file_that_is_no_table_is_refused_with_its_name(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "table.toml"
    path.write_bytes(data)
    with pytest.raises(TableError) as caught:
        read_table(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"nothing\.toml"):
        read_table(tmp_path / "nothing.toml")
