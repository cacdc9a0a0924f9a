"""The RACK-O button on the scoreboard and on the seats' pages."""

import pytest

from engine.cards import Seat
from engine.snapshot import Snapshot
from tests.webui import tables
from tests.webui.clients import Table, error_in, hosted
from webui.desk import Answer


@pytest.fixture
def table() -> Table:
    return hosted(tables.playing(3))


@pytest.mark.parametrize("seat", [1, 2, 3, None])
def test_a_call_from_the_scoreboard_is_passed_on_and_accepted(table: Table, seat: Seat | None) -> None:
    response = table.post("/api/call", {"seat": seat})
    assert response.status_code == 202
    assert response.get_json() == {"called": True}
    assert table.desk.orders == [({"type": "call", "seat": seat}, None)]


def test_a_call_from_the_own_page_is_accepted(table: Table) -> None:
    response = table.post("/api/call", {"seat": 1}, **{"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"})
    assert response.status_code == 202


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://elsewhere.example"},
        {"Origin": "http://localhost:81"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Sec-Fetch-Site": "cross-site"},
        {"Origin": "http://localhost", "Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_call_from_another_page_is_refused(table: Table, headers: dict[str, str]) -> None:
    response = table.post("/api/call", {"seat": 1}, **headers)
    assert response.status_code == 403
    assert "own page" in error_in(response)
    assert table.desk.calls == []


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_call_that_is_not_sent_as_json_is_refused(table: Table, kind: str) -> None:
    response = table.post("/api/call", {"seat": 1}, kind=kind)
    assert response.status_code == 415
    assert "application/json" in error_in(response)
    assert table.desk.calls == []


@pytest.mark.parametrize(
    "body",
    [
        b"", b"seat=1", b"\xff\xfe", b"[" * 900, b"NaN", [], {}, {"seat": "1"}, {"seat": 1.0}, {"seat": True},
        {"seat": 0}, {"seat": 4}, {"seat": -1}, {"seat": [1]}, {"seat": 1, "rack": []}, {"SEAT": 1}, None,
    ],
)  # fmt: skip
def test_a_call_for_nobody_at_this_table_is_refused_in_one_line(table: Table, body: object) -> None:
    response = table.post("/api/call", body)
    assert response.status_code == 400
    assert error_in(response)
    assert table.desk.calls == []


def test_a_call_that_is_too_large_is_refused(table: Table) -> None:
    response = table.post("/api/call", b" " * 16_385)
    assert response.status_code == 413
    assert "16384 bytes" in error_in(response)
    assert table.desk.calls == []


@pytest.mark.parametrize("snapshot", [tables.waiting(), tables.round_over(), tables.game_over()])
def test_a_call_while_no_round_is_on_is_refused(snapshot: Snapshot) -> None:
    table = hosted(snapshot)
    response = table.post("/api/call", {"seat": 1})
    assert response.status_code == 409
    assert "no round is on" in error_in(response)
    assert table.desk.calls == []


def test_a_second_call_while_the_first_is_checked_is_passed_on_like_the_real_button() -> None:
    table = hosted(tables.checking())
    assert table.post("/api/call", {"seat": 2}).status_code == 202
    assert table.desk.calls == [2]


def test_a_call_that_the_table_refuses_is_answered_with_its_words(table: Table) -> None:
    table.desk.answer = Answer(done=False, words="the table is closing")
    response = table.post("/api/call", {"seat": 1})
    assert response.status_code == 409
    assert error_in(response) == "the table is closing"


def test_a_player_calls_from_the_own_page_and_for_nobody_else(table: Table) -> None:
    response = table.seat_post(2, "call", {})
    assert response.status_code == 202
    assert table.desk.orders == [({"type": "call", "seat": 2}, 2)]
    assert table.seat_post(2, "call", {"seat": 1}).status_code == 400
    assert len(table.desk.orders) == 1


def test_a_page_whose_seat_does_not_play_cannot_call(table: Table) -> None:
    response = table.seat_post(4, "call", {})
    assert response.status_code == 400
    assert error_in(response) == "nobody sits at that seat"


def test_a_player_cannot_call_while_no_round_is_on() -> None:
    table = Table(tables.round_over())
    assert table.seat_post(2, "call", {}).status_code == 409
    assert table.desk.orders == []
