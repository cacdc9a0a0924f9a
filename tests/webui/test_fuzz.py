"""Whatever is sent, the server answers as webui/openapi.json says, in one line, and never with a defect."""

import json
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from engine.line_json import parse_line
from tests.webui.clients import Table
from tests.webui.desks import PIN, TOKENS
from tests.webui.fuzzing import requests
from tests.webui.schemas import DOCUMENT, operations, resolved, response_faults
from tests.webui.sending import OPERATIONS, Sent, a_table, body_of, good, tokens_of
from tests.webui.sending import send as send_to
from webui.guard import HEADERS
from webui.pictures import BEGINNINGS

FEW = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
MANY = settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))

GENERAL: dict[str, Any] = {
    "404": {"$ref": "#/components/responses/NotFound"},
    "405": {"$ref": "#/components/responses/MethodNotAllowed"},
    "421": {"$ref": "#/components/responses/Misdirected"},
}


def operations_at(path: str, method: str) -> list[dict[str, Any]]:
    """The operations that a path, as it is sent, may mean; what begins with "//" names a host first."""
    asked = re.sub("^//[^/?]*", "", path).split("?", maxsplit=1)[0] or "/"
    found = []
    for template, name, operation in operations():
        pattern = re.sub(r"\\\{(\w+)\\\}", lambda place: ".+" if place[1] == "name" else "[^/]*", re.escape(template))
        if name == ("GET" if method == "HEAD" else method) and re.fullmatch(pattern, asked, re.DOTALL):
            found.append(operation)
    return found


def check_answer(sent: Sent, response: TestResponse, *, usual: bool) -> None:
    """An answer must be described, by the operation or, where none is meant, by the general ones; and be discreet."""
    body = body_of(response)
    assert response.status_code < 500 or response.status_code == 503, body
    for name, value in HEADERS.items():
        assert response.headers[name] == value
    assert response.headers["Cache-Control"] == "no-store"
    meant = operations_at(sent.path, sent.method)
    described = meant if meant and usual else [*meant, {"responses": GENERAL}]
    if sent.method == "HEAD":
        assert body == b""
        assert any(str(response.status_code) in resolved(one)["responses"] for one in described)
    else:
        found = [response_faults(one, response.status_code, response.mimetype, body) for one in described]
        assert [] in found, (response.status_code, found, body[:200])
    if response.status_code >= 400 and response.mimetype == "application/json":
        assert body.count(b"\n") <= 1
        assert b"Traceback" not in body
        assert not any(token.encode() in body for token in (PIN, *TOKENS.values()))


def check_desk(table: Table) -> None:
    """Only orders that the referee's lines know, and pictures that look like some, have come to the desk."""
    for order, seat in table.desk.orders:
        assert "t" not in order
        parse_line({**order, "t": 0.0})
        assert len(json.dumps(order)) < 20_000
        assert seat in (None, 2)
        assert seat is None or (order["type"], order["seat"]) in {("call", 2), ("correct", 2)}
    assert all(picture.startswith(tuple(BEGINNINGS.values())) for picture, _ in table.desk.pictures)
    table.desk.orders.clear()
    table.desk.pictures.clear()


def fuzz(path: str, method: str, operation: str, how: settings) -> dict[int, int]:
    """Send requests for an operation; returns how often each status came."""
    table = a_table()
    csrf, statuses = tokens_of(table), dict[int, int]()
    asking = requests(path, method, csrf)

    @how
    @given(st.data())
    def sent_and_checked(data: st.DataObject) -> None:
        if operation == "endSession" and not table.get("/api/session").get_json()["host"]:
            table.begin()
            csrf["host"] = table.csrf
        sent, usual = data.draw(asking)
        response = send_to(table, sent)
        statuses[response.status_code] = statuses.get(response.status_code, 0) + 1
        check_answer(sent, response, usual=usual)
        check_desk(table)

    sent_and_checked()
    if operation != "endSession":
        # What is made by chance may never have been what this is for.
        status = send_to(table, good(path, method, operation, csrf)).status_code
        statuses[status] = statuses.get(status, 0) + 1
    return statuses


@pytest.mark.parametrize(("path", "method", "operation"), OPERATIONS, ids=[name for _, _, name in OPERATIONS])
def test_whatever_is_sent_to_an_address_the_answer_is_described(path: str, method: str, operation: str) -> None:
    fuzz(path, method, operation, FEW)


@pytest.mark.slow
@pytest.mark.parametrize(("path", "method", "operation"), OPERATIONS, ids=[name for _, _, name in OPERATIONS])
def test_whatever_is_sent_for_long_the_answer_is_described_and_each_usual_one_is_met(
    path: str, method: str, operation: str
) -> None:
    statuses = fuzz(path, method, operation, MANY)
    told = {int(status) for status in DOCUMENT["paths"][path][method.lower()]["responses"]}
    # Nothing here makes the table refuse or busy, a picture too large, or a PIN wait; and strange names are seldom.
    assert told - set(statuses) <= {403, 409, 413, 421, 429, 503}


TABLE = a_table()


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=30), st.sampled_from(["GET", "POST", "PUT", "HEAD"]))
@example("/", "GET")  # names a host, which is none, and no path
@example("/", "HEAD")
@example("//", "GET")
def test_at_any_other_address_there_is_nothing(path: str, method: str) -> None:
    sent = Sent("/" + "".join(letter for letter in path if letter not in "?#\t\r\n"), method)
    try:
        response = send_to(TABLE, sent)
    except (UnicodeError, ValueError):
        return  # no client can send this
    check_answer(sent, response, usual=False)
