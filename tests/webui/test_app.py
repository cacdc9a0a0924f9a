"""The application: addresses, headers, refusals, and no doors beside them."""

import logging

import pytest

from engine.errors import BadInput
from tests.webui import tables
from tests.webui.clients import Table, error_in, events_of, hosted
from tests.webui.desks import TOKENS, FakeDesk
from webui.app import create_app
from webui.desk import Answer, Secrets, SpokenLine
from webui.view import as_json

STATIC = "/static/shared/base.css"
STATES = ["/api/state", "/api/events", "/api/host/state", "/api/seats/nobody/state"]
PAGES = ["/", "/host", f"/seat/{TOKENS[2]}"]


@pytest.fixture
def table() -> Table:
    return hosted(tables.playing(3))


@pytest.mark.parametrize(
    "address",
    [*PAGES, *STATES, "/healthz", STATIC, "/nothing", "/seat/nobody"],
)
def test_every_response_has_the_headers_that_keep_the_page_to_itself(table: Table, address: str) -> None:
    response = table.client.get(address)
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Referrer-Policy"] == "no-referrer"
    assert response.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    response.close()


@pytest.mark.parametrize("address", [*PAGES, "/api/state", "/api/events", "/healthz", "/nothing", "/api/host/state"])
def test_nothing_that_changes_is_kept_by_a_cache(table: Table, address: str) -> None:
    response = table.client.get(address)
    assert response.headers["Cache-Control"] == "no-store"
    response.close()


@pytest.mark.parametrize("address", PAGES)
def test_a_page_itself_holds_no_state_and_no_inline_script_or_style(table: Table, address: str) -> None:
    page = table.client.get(address).get_data(as_text=True)
    assert "Ada" not in page
    assert not any(token in page for token in TOKENS.values())
    assert "<style" not in page
    assert "style=" not in page
    assert "onclick" not in page
    assert page.count("<script") == page.count('<script type="module" src="/static/') == 1


def test_the_state_is_the_newest_snapshot(table: Table) -> None:
    assert table.client.get("/api/state").get_json() == as_json(tables.playing(3))
    table.desk.publish(tables.round_over(3))
    assert table.client.get("/api/state").get_json() == as_json(tables.round_over(3))


def test_what_may_be_said_aloud_stands_beside_the_board_of_the_scoreboard_alone(table: Table) -> None:
    lines = (SpokenLine(4, "score", "Ada: 75 points."), SpokenLine(5, "turn", "<b>Ada & Ben</b>’s turn."))  # noqa: RUF001 - as it is said
    response = table.client.get("/api/events", buffered=False)
    events = events_of(response)
    assert next(events)["spoken"] == []
    table.desk.speak(*lines)
    told = next(events)
    assert told == as_json(tables.playing(3), 0, lines)
    assert told["spoken"][0] == {"number": 4, "about": "score", "text": "Ada: 75 points."}
    assert table.client.get("/api/state").get_json() == told
    assert table.get(f"/api/seats/{TOKENS[1]}/state").get_json()["board"]["spoken"] == []
    response.close()


def test_the_stream_begins_with_a_comment_and_the_full_state_and_goes_on_with_changes(table: Table) -> None:
    response = table.client.get("/api/events", buffered=False)
    assert response.status_code == 200
    assert response.mimetype == "text/event-stream"
    chunks = response.iter_encoded()
    assert next(chunks).startswith(b":")
    assert next(chunks).startswith(b"id: 10\ndata: ")
    table.desk.publish(tables.round_over(3))
    assert next(events_of(response)) == as_json(tables.round_over(3))
    response.close()
    assert table.desk.board.watchers == 0


def test_a_head_request_for_the_stream_leaves_no_place_taken(table: Table) -> None:
    table.client.head("/api/events").close()
    assert table.desk.board.watchers == 0


def test_closing_the_table_ends_the_streams(table: Table) -> None:
    response = table.client.get("/api/events", buffered=False)
    events = events_of(response)
    next(events)
    table.desk.close()
    assert list(events) == []
    response.close()
    again = table.client.get("/api/events")
    assert again.status_code == 503
    assert "closing" in error_in(again)


def test_beyond_one_cap_for_all_a_stream_is_refused_with_503_and_free_again_when_one_leaves() -> None:
    table = hosted(tables.playing(), max_streams=2)
    seats = f"/api/seats/{TOKENS[1]}/events"
    first, second = (table.client.get(address, buffered=False) for address in ("/api/host/events", seats))
    assert table.get("/healthz").get_json()["watchers"] == 2
    third = table.client.get("/api/events")
    assert third.status_code == 503
    assert "ask for the state now and then" in error_in(third)
    assert third.headers["Retry-After"] == "5"
    first.close()
    fourth = table.client.get("/api/events", buffered=False)
    assert fourth.status_code == 200
    fourth.close()
    second.close()


@pytest.mark.parametrize(
    "address",
    ["/nothing", "/api", "/api/", "/api/racks", "/static/", "/static/../app.py", "/static/%2e%2e/app.py", "/debug",
     "/console", "/metrics", "/api/state/1", "/api//state", "/seat", "/seat/", "/api/seats/state", "/api/host/",
     "/robots.txt"],
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
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("FLASK_DEBUG", "1")
    table = Table()

    def broken(*_said: object) -> Answer:
        raise ZeroDivisionError("the card in slot 25 is 38")

    table.desk.answering = broken
    with caplog.at_level(logging.DEBUG):
        response = table.seat_post(2, "call", {})
    assert response.status_code == 500
    assert not table.app.debug
    assert error_in(response) == "something went wrong inside; the table's log has the details"
    assert "Content-Security-Policy" in response.headers
    assert "seats.call" in caplog.text, "the log says where it was"
    assert not any(token in caplog.text for token in TOKENS.values())


def test_a_defect_in_a_stream_ends_it_and_the_log_does_not_name_its_address(caplog: pytest.LogCaptureFixture) -> None:
    table = Table()
    table.desk.tell_seat(3, board=None)
    with caplog.at_level(logging.DEBUG):
        assert list(events_of(table.client.get(f"/api/seats/{TOKENS[3]}/events", buffered=False))) == []
    assert "seats.events" in caplog.text
    assert TOKENS[3] not in caplog.text


def test_health_counts_watchers_and_tells_no_more(table: Table) -> None:
    assert table.client.get("/healthz").get_json() == {"ok": True, "version": 10, "watchers": 0}


@pytest.mark.parametrize("method", ["OPTIONS", "TRACE", "PATCH", "PROPFIND", "BREW"])
@pytest.mark.parametrize("address", ["/", "/api/state", "/api/host/order", STATIC, f"/api/seats/{TOKENS[1]}/call"])
def test_methods_that_nothing_takes_are_refused_everywhere(table: Table, method: str, address: str) -> None:
    response = table.client.open(address, method=method)
    assert response.status_code == 405
    assert error_in(response)


def test_a_key_that_is_too_short_to_sign_anything_is_refused() -> None:
    with pytest.raises(BadInput, match="the key that signs the host's session has 5 bytes"):
        create_app(FakeDesk(), Secrets("1", b"short", {}))
