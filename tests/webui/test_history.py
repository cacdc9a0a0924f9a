"""The history: rounds that are over, as JSON, as a table, and the pictures that racks were read from."""

import csv
import io
from dataclasses import replace

import pytest

from engine.snapshot import Snapshot
from tests.webui import tables
from tests.webui.clients import JPEG, Table, error_in
from webui.history import COLUMNS, FORMULA_STARTS, harmless
from webui.view import as_json


@pytest.fixture
def table() -> Table:
    made = Table(tables.round_over(2))
    made.desk.games = tables.evening()
    return made


def rows(table: Table) -> list[dict[str, str]]:
    response = table.get("/api/history.csv")
    assert response.mimetype == "text/csv"
    assert response.headers["Content-Disposition"] == 'attachment; filename="racko-history.csv"'
    return list(csv.DictReader(io.StringIO(response.data.decode(), newline="")))


def test_before_the_first_game_there_is_nothing() -> None:
    table = Table()
    assert table.get("/api/history").get_json() == {"games": []}
    assert rows(table) == []
    assert table.get("/api/state").get_json()["game"] == 0


def test_the_history_tells_every_game_and_every_round_that_is_over(table: Table) -> None:
    first, second = table.get("/api/history").get_json()["games"]
    assert {**first, "rounds": len(first["rounds"])} == {
        "number": 1, "edition": "parker-1992", "variants": ["bonus"], "began": "19:45", "winners": [1], "rounds": 3,
        "players": [{"seat": 1, "name": "Ada"}, {"seat": 2, "name": "Ben"}],
    }  # fmt: skip
    assert {**first["rounds"][1], "racks": None} == {
        "number": 2, "dealer": 1, "out": 1, "turns": 17, "ended": "20:02", "notices": ["Ben called too early."],
        "points": {"1": 75, "2": 30}, "totals": {"1": 150, "2": 60}, "racks": None,
    }  # fmt: skip
    assert first["rounds"][0]["racks"] == as_json(tables.round_over(2))["racks"]
    assert second["winners"] == []
    assert table.get("/api/state").get_json()["game"] == 2


def test_the_table_has_a_row_a_round_and_player(table: Table) -> None:
    read = rows(table)
    assert len(read) == 8
    assert list(read[0]) == list(COLUMNS)
    assert read[3] == {
        "game": "1", "round": "2", "ended": "20:02", "seat": "2", "name": "Ben", "points": "30", "total": "60",
        "out": "no", "dealer": "no", "turns": "17",
    }  # fmt: skip
    assert [row["out"] for row in read[:2]] == ["yes", "no"]


@pytest.mark.parametrize("beginning", FORMULA_STARTS)
def test_a_name_that_a_spreadsheet_would_calculate_is_made_harmless(table: Table, beginning: str) -> None:
    name = f'{beginning}cmd|"/c calc"!A1'
    table.desk.games = tuple(replace(game, players={1: name, 2: 'Ben, or "Benny"\n'}) for game in table.desk.games)
    read = rows(table)
    assert read[0]["name"] == f"'{name}"
    assert read[1]["name"] == 'Ben, or "Benny"\n'
    assert harmless("Ada = Ben") == "Ada = Ben"


def test_a_name_may_hold_anything_that_text_can_hold(table: Table) -> None:
    table.desk.games = tuple(replace(game, players={1: "\ud800\x00 Zoë 🂡", 2: "<b>"}) for game in table.desk.games)
    assert rows(table)[0]["name"] == "?\x00 Zoë 🂡"
    assert table.get("/api/history").get_json()["games"][0]["players"][0]["name"] == "\ud800\x00 Zoë 🂡"


def test_the_picture_of_a_rack_comes_once_its_round_is_over(table: Table) -> None:
    table.desk.rack_pictures[2, 1, 2] = JPEG
    response = table.get("/api/rounds/2/1/2.jpg")
    assert (response.status_code, response.mimetype, response.data) == (200, "image/jpeg", JPEG)
    assert response.headers["Cache-Control"] == "no-store"
    assert error_in(table.get("/api/rounds/2/1/1.jpg")) == "there is no picture of that rack"
    assert table.get("/api/rounds/2/1").get_json() == {"pictures": [2]}
    assert table.get("/api/rounds/1/1").get_json() == {"pictures": []}


def test_a_rack_of_a_round_that_is_not_over_has_no_picture_whatever_the_desk_has(table: Table) -> None:
    table.desk.rack_pictures = {(2, 2, 1): JPEG, (3, 1, 1): JPEG}
    assert table.get("/api/rounds/2/2/1.jpg").status_code == 404
    assert table.get("/api/rounds/3/1/1.jpg").status_code == 404
    assert [table.get(f"/api/rounds/{one}").get_json() for one in ("2/2", "3/1")] == [{"pictures": []}] * 2


@pytest.mark.parametrize("board", [tables.playing(2), tables.checking(2)])
def test_a_round_that_was_reopened_is_secret_again_whatever_the_desk_tells(table: Table, board: Snapshot) -> None:
    table.desk.games = (*tables.evening()[:1], replace(tables.evening()[1], rounds=tables.evening()[0].rounds))
    table.desk.rack_pictures[2, 3, 1] = JPEG
    assert table.get("/api/rounds/2/3/1.jpg").status_code == 200
    table.desk.publish(replace(board, round=3))
    games = table.get("/api/history").get_json()["games"]
    assert [len(game["rounds"]) for game in games] == [3, 2]
    assert len(rows(table)) == 10
    assert table.get("/api/rounds/2/3/1.jpg").status_code == 404
    assert table.get("/api/rounds/1/3/1.jpg").status_code == 404, "there is none"


@pytest.mark.parametrize(
    "address",
    ["0/1/1", "1/0/1", "1/1/0", "1/1/5", "-1/1/1", "1/1/01", "01/1/1", "x/1/1", "1.0/1/1", "9999999/1/1", "1/1/1/1",
     "1/1", "9" * 6000 + "/1/1", "1/" + "9" * 6000 + "/1", "%D9%A1/1/1", "1/1/..%2f1", "+1/1/1"],
)  # fmt: skip
def test_a_picture_has_one_address_and_other_numbers_have_none(table: Table, address: str) -> None:
    table.desk.rack_pictures = {(1, 1, 1): JPEG}
    response = table.get(f"/api/rounds/{address}.jpg")
    assert response.status_code == 404
    assert error_in(response)
