"""The host's session: the PIN, the cookie, the token against forged requests, and the end of it."""

from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.webui.clients import JPEG, Clock, Table, error_in, events_of, hosted
from tests.webui.desks import PIN, SECRETS, TOKENS, FakeDesk
from webui.app import create_app
from webui.desk import Secrets
from webui.guard import CSRF_HEADER

CHANGING = [
    ("/api/call", {"seat": 1}),
    ("/api/session/end", {}),
    ("/api/host/order", {"type": "undo"}),
    ("/api/host/cut", {"edition": "retro", "players": [{"seat": 1}, {"seat": 2}]}),
    ("/api/host/pictures", JPEG),
]
READING = ["state", "events", "choices", "seats", "seats/1.svg", "cameras/tray.jpg"]


def kind_of(body: object) -> str:
    return "image/jpeg" if body is JPEG else "application/json"


def test_the_right_pin_begins_a_session_and_the_page_can_ask_for_its_token() -> None:
    table = Table()
    assert table.get("/api/session").get_json() == {"host": False, "csrf": None}
    table.begin()
    assert len(table.csrf) >= 32
    assert table.get("/api/session").get_json() == {"host": True, "csrf": table.csrf}
    assert table.get("/api/host/state").status_code == 200


def test_each_session_has_a_token_of_its_own() -> None:
    assert hosted().csrf != hosted().csrf


def test_the_cookie_is_for_this_site_only_and_for_thirty_days_and_out_of_reach_of_scripts() -> None:
    response = Table().begin()
    (cookie,) = response.headers.getlist("Set-Cookie")
    name, *flags = [part.strip() for part in cookie.split(";")]
    assert name.startswith("racko=")
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(flags)
    assert not any(flag.startswith("Domain") for flag in flags)
    assert PIN not in cookie
    (expires,) = [flag.removeprefix("Expires=") for flag in flags if flag.startswith("Expires=")]
    assert 29 <= (parsedate_to_datetime(expires) - datetime.now(UTC)).days <= 30


def test_public_pages_set_no_cookie() -> None:
    table = Table()
    for address in ("/", "/api/state", "/api/session", "/healthz", f"/api/seats/{TOKENS[1]}/state"):
        assert "Set-Cookie" not in table.get(address).headers


@pytest.mark.parametrize("pin", ["", "27182", "2718281", "271828\x00", "٢٧١٨٢٨", "\ud800", "é" * 1000, "x" * 9000])
def test_a_wrong_pin_is_refused(pin: str) -> None:
    table = Table()
    response = table.begin(pin)
    assert response.status_code == 403
    assert error_in(response) == "that is not the table's PIN"
    assert table.get("/api/host/state").status_code == 401


def test_blanks_around_the_pin_do_not_matter() -> None:
    assert Table().begin(f" {PIN} ").status_code == 200


@pytest.mark.parametrize(
    "body", [{}, {"pin": 271828}, {"pin": None}, {"pin": [PIN]}, {"pin": PIN, "more": 1}, [], PIN, b""]
)
def test_what_is_no_pin_is_not_counted_as_one(body: object) -> None:
    table = Table()
    for _ in range(8):
        assert table.post("/api/session", body).status_code == 400
    assert table.begin().status_code == 200


def test_a_table_without_a_pin_lets_nobody_in() -> None:
    client = create_app(FakeDesk(), Secrets("", SECRETS.key, TOKENS)).test_client()
    assert client.post("/api/session", json={"pin": ""}).status_code == 403


def test_after_five_wrong_pins_the_right_one_waits_too_and_is_told_how_long() -> None:
    clock = Clock()
    table = Table(clock=clock)
    assert [table.begin("000000").status_code for _ in range(5)] == [403] * 5
    clock.now += 0.2
    response = table.begin()
    assert response.status_code == 429
    assert response.get_json() == {"error": "too many wrong PINs; wait 2 seconds", "wait": 2}
    assert response.headers["Retry-After"] == "2"
    assert "Set-Cookie" not in response.headers
    clock.now += 2
    assert table.begin().status_code == 200


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Client-IP", "X-Client-IP"])
def test_a_header_does_not_make_another_address_of_a_client(header: str) -> None:
    table = Table(clock=Clock())
    codes = [table.begin("000000", headers={header: f"for=10.0.0.{guess}"}).status_code for guess in range(12)]
    assert codes == [403] * 5 + [429] * 7


def test_another_address_waits_as_well_for_the_wrong_ones_count_in_all() -> None:
    table = Table(clock=Clock())
    codes = [table.begin("000000", environ_base={"REMOTE_ADDR": f"10.0.0.{guess}"}).status_code for guess in range(12)]
    assert codes == [403] * 5 + [429] * 7


@pytest.mark.parametrize("what", READING)
def test_the_hosts_addresses_are_closed_without_a_session(what: str) -> None:
    response = Table().get(f"/api/host/{what}")
    assert response.status_code == 401
    assert error_in(response) == "enter the host's PIN first"


@pytest.mark.parametrize(("address", "body"), CHANGING)
def test_nothing_changes_without_a_session(address: str, body: object) -> None:
    table = Table()
    response = table.post(address, body, kind=kind_of(body), csrf=hosted().csrf)
    assert response.status_code == 401
    assert error_in(response)
    assert not table.desk.orders
    assert not table.desk.pictures


@pytest.mark.parametrize("given", [None, "", "wrong", "é", " ", "x" * 5000])
@pytest.mark.parametrize(("address", "body"), CHANGING)
def test_nothing_changes_without_the_sessions_token(address: str, body: object, given: str | None) -> None:
    table = hosted()
    headers = {} if given is None else {CSRF_HEADER: given}
    data: Any = {"data": body} if isinstance(body, bytes) else {"json": body}
    response = table.client.post(address, headers=headers, content_type=kind_of(body), **data)
    assert response.status_code == 403
    assert error_in(response) == "this page is too old; load it again"
    assert not table.desk.orders
    assert not table.desk.pictures
    assert table.get("/api/session").get_json()["host"], "the session goes on"


@pytest.mark.parametrize(("address", "body"), CHANGING)
def test_a_page_of_another_site_changes_nothing_even_with_cookie_and_token(address: str, body: object) -> None:
    table = hosted()
    for headers in ({"Origin": "http://elsewhere.example"}, {"Sec-Fetch-Site": "cross-site"}):
        assert table.post(address, body, kind=kind_of(body), **headers).status_code == 403
    assert not table.desk.orders
    assert not table.desk.pictures


def test_the_token_of_a_seat_or_of_an_older_session_is_not_the_sessions() -> None:
    table = hosted()
    older = table.csrf
    table.begin()
    for token in (older, table.seat_csrf(1), TOKENS[1]):
        assert table.post("/api/host/order", {"type": "undo"}, csrf=token).status_code == 403
    assert table.post("/api/host/order", {"type": "undo"}).status_code == 200


def test_a_page_of_another_site_cannot_begin_a_session() -> None:
    table = Table()
    assert table.begin(headers={"Origin": "http://elsewhere.example"}).status_code == 403
    assert table.get("/api/session").get_json()["host"] is False


def cookie_of(client: FlaskClient) -> str:
    cookie = client.get_cookie("racko")
    assert cookie is not None
    return cookie.value


def test_an_ended_session_is_over_also_for_a_copy_of_its_cookie_and_for_its_stream() -> None:
    table = hosted()
    copy = cookie_of(table.client)
    stream = table.client.get("/api/host/events", buffered=False)
    views = events_of(stream)
    next(views)
    response = table.post("/api/session/end", {})
    assert response.get_json() == {"host": False, "csrf": None}
    assert table.get("/api/host/state").status_code == 401
    thief = table.app.test_client()
    thief.set_cookie("racko", copy)
    assert thief.get("/api/host/state").status_code == 401
    table.desk.tell_host(version=99)
    assert list(views) == []
    stream.close()


def test_a_new_pin_or_a_new_key_ends_every_session() -> None:
    cookie = cookie_of(hosted().client)
    for secrets, status in (
        (SECRETS, 200),
        (Secrets("999999", SECRETS.key, TOKENS), 401),
        (Secrets(PIN, b"another key of thirty-two bytes.", TOKENS), 401),
    ):
        client = create_app(FakeDesk(), secrets).test_client()
        client.set_cookie("racko", cookie)
        assert client.get("/api/host/state").status_code == status


@pytest.mark.parametrize(
    "spoil", [lambda text: text[:-2], lambda text: "x" + text, lambda _: "", lambda _: "a.b.c", lambda _: "é"]
)
def test_a_cookie_that_was_tampered_with_is_no_session(spoil: Callable[[str], str]) -> None:
    table = hosted()
    cookie = cookie_of(table.client)
    client = table.app.test_client()
    client.set_cookie("racko", spoil(cookie))
    assert client.get("/api/host/state").status_code == 401
