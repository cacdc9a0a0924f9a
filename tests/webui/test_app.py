"""The application: addresses, headers, refusals, and no doors beside them."""

import json
from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from engine.cards import Seat
from engine.snapshot import Snapshot
from tests.webui import tables
from webui.app import create_app
from webui.stream import Stream
from webui.view import as_json


class Table:
    """A stream, the calls that came in, and a client that asks."""

    def __init__(self, first: Snapshot, *, max_streams: int = 64) -> None:
        self.stream = Stream(first)
        self.calls: list[Seat | None] = []
        self.app = create_app(self.stream, self.calls.append, max_streams=max_streams)
        self.client: FlaskClient = self.app.test_client()

    def call(self, body: object, **headers: str) -> TestResponse:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.client.post(
            "/api/call", data=data, headers=headers, content_type=headers.pop("content_type", "application/json")
        )


@pytest.fixture
def table() -> Table:
    return Table(tables.playing(3))


def error_in(response: TestResponse) -> str:
    """Check that the body is one JSON line with an error only, and return its words."""
    text = response.get_data(as_text=True)
    assert text.strip().count("\n") == 0
    body = json.loads(text)
    assert set(body) == {"error"}
    assert isinstance(body["error"], str)
    return body["error"]


@pytest.mark.parametrize("address", ["/", "/api/state", "/api/events", "/healthz", "/static/board.js", "/nothing"])
def test_every_response_has_the_headers_that_keep_the_page_to_itself(table: Table, address: str) -> None:
    response = table.client.get(address)
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Referrer-Policy"] == "no-referrer"
    response.close()


@pytest.mark.parametrize("address", ["/", "/api/state", "/api/events", "/healthz", "/nothing"])
def test_nothing_that_changes_is_kept_by_a_cache(table: Table, address: str) -> None:
    response = table.client.get(address)
    assert response.headers["Cache-Control"] == "no-store"
    response.close()


def test_the_page_itself_holds_no_state_and_no_inline_script_or_style(table: Table) -> None:
    page = table.client.get("/").get_data(as_text=True)
    assert "Ada" not in page
    assert "<style" not in page
    assert "style=" not in page
    assert "onclick" not in page
    assert page.count("<script") == page.count('<script type="module" src="/static/') == 1


def test_the_state_is_the_newest_snapshot(table: Table) -> None:
    assert table.client.get("/api/state").get_json() == as_json(tables.playing(3))
    table.stream.publish(tables.round_over(3))
    assert table.client.get("/api/state").get_json() == as_json(tables.round_over(3))


def events_of(response: TestResponse) -> Iterator[str]:
    for chunk in response.iter_encoded():
        yield chunk.decode()


def test_the_stream_begins_with_a_comment_and_the_full_state_and_goes_on_with_changes(table: Table) -> None:
    response = table.client.get("/api/events", buffered=False)
    assert response.status_code == 200
    assert response.mimetype == "text/event-stream"
    events = events_of(response)
    assert next(events).startswith(":")
    first = next(events)
    assert first.startswith("id: 10\ndata: ")
    assert json.loads(first.split("data: ")[1]) == as_json(tables.playing(3))
    table.stream.publish(tables.round_over(3))
    assert next(events).startswith("id: 13\n")
    response.close()
    assert table.stream.watchers == 0


def test_a_head_request_for_the_stream_leaves_no_place_taken(table: Table) -> None:
    table.client.head("/api/events").close()
    assert table.stream.watchers == 0


def test_closing_the_table_ends_the_streams(table: Table) -> None:
    response = table.client.get("/api/events", buffered=False)
    events = events_of(response)
    next(events)
    next(events)
    table.stream.close()
    assert list(events) == []
    response.close()
    again = table.client.get("/api/events")
    assert again.status_code == 503
    assert "closing" in error_in(again)


def test_beyond_the_cap_a_stream_is_refused_with_503_and_free_again_when_one_leaves() -> None:
    table = Table(tables.playing(), max_streams=2)
    first, second = (table.client.get("/api/events", buffered=False) for _ in range(2))
    third = table.client.get("/api/events")
    assert third.status_code == 503
    assert "/api/state" in error_in(third)
    assert third.headers["Retry-After"] == "5"
    first.close()
    fourth = table.client.get("/api/events", buffered=False)
    assert fourth.status_code == 200
    fourth.close()
    second.close()


@pytest.mark.parametrize("seat", [1, 2, 3, None])
def test_a_call_is_passed_on_and_accepted(table: Table, seat: Seat | None) -> None:
    response = table.call({"seat": seat})
    assert response.status_code == 202
    assert table.calls == [seat]


def test_a_call_from_the_own_page_is_accepted(table: Table) -> None:
    response = table.call({"seat": 1}, **{"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"})
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
    response = table.call({"seat": 1}, **headers)
    assert response.status_code == 403
    assert "own page" in error_in(response)
    assert table.calls == []


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_call_that_is_not_sent_as_json_is_refused(table: Table, kind: str) -> None:
    response = table.call({"seat": 1}, content_type=kind)
    assert response.status_code == 415
    assert "application/json" in error_in(response)
    assert table.calls == []


@pytest.mark.parametrize(
    "body",
    [
        b"", b"seat=1", b"\xff\xfe", b"[" * 900, b"NaN", [], {}, {"seat": "1"}, {"seat": 1.0}, {"seat": True},
        {"seat": 0}, {"seat": 4}, {"seat": -1}, {"seat": [1]}, {"seat": 1, "rack": []}, {"SEAT": 1}, None,
    ],
)  # fmt: skip
def test_a_call_for_nobody_at_this_table_is_refused_in_one_line(table: Table, body: object) -> None:
    response = table.call(body)
    assert response.status_code == 400
    assert error_in(response)
    assert table.calls == []


def test_a_call_that_is_too_large_is_refused(table: Table) -> None:
    response = table.call(b" " * 1025)
    assert response.status_code == 413
    assert "1024 bytes" in error_in(response)
    assert table.calls == []


@pytest.mark.parametrize("snapshot", [tables.waiting(), tables.round_over(), tables.game_over()])
def test_a_call_while_no_round_is_on_is_refused(snapshot: Snapshot) -> None:
    table = Table(snapshot)
    response = table.call({"seat": 1})
    assert response.status_code == 409
    assert "no round is on" in error_in(response)
    assert table.calls == []


def test_a_second_call_while_the_first_is_checked_is_passed_on_like_the_real_button() -> None:
    table = Table(tables.checking())
    assert table.call({"seat": 2}).status_code == 202
    assert table.calls == [2]


@pytest.mark.parametrize(
    "address",
    ["/nothing", "/api", "/api/", "/api/racks", "/static/", "/static/../app.py", "/static/%2e%2e/app.py", "/debug",
     "/console", "/metrics", "/api/state/1"],
)  # fmt: skip
def test_there_is_nothing_at_other_addresses(table: Table, address: str) -> None:
    response = table.client.get(address)
    assert response.status_code == 404
    assert error_in(response) == "there is nothing at this address"


@pytest.mark.parametrize(
    ("method", "address"),
    [("GET", "/api/call"), ("POST", "/"), ("PUT", "/api/state"), ("DELETE", "/api/events"), ("POST", "/healthz")],
)
def test_a_wrong_method_is_refused_and_the_right_one_named(table: Table, method: str, address: str) -> None:
    response = table.client.open(address, method=method)
    assert response.status_code == 405
    assert response.headers["Allow"]
    assert error_in(response)


def test_a_defect_inside_is_one_line_outside_even_where_the_environment_asks_for_debugging(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FLASK_DEBUG", "1")

    def broken(_seat: Seat | None) -> None:
        raise ZeroDivisionError("the card in slot 25 is 38")

    app = create_app(Stream(tables.playing()), broken)
    response = app.test_client().post("/api/call", json={"seat": 1})
    assert response.status_code == 500
    assert not app.debug
    assert error_in(response) == "something went wrong inside; the table's log has the details"
    assert "Content-Security-Policy" in response.headers


def test_health_counts_watchers_and_tells_no_more(table: Table) -> None:
    assert table.client.get("/healthz").get_json() == {"ok": True, "version": 10, "watchers": 0}
