"""The server and webui/openapi.json say the same: addresses, methods, statuses, bodies."""

import json
import re
from collections import Counter
from typing import Any, Literal

import pytest

from engine.board import NOTHING_YET
from engine.private import OwnDoubt, Tally
from engine.snapshot import Snapshot
from tests.webui import tables
from tests.webui.clients import events_of
from tests.webui.desks import TOKENS
from tests.webui.schemas import DOCUMENT, faults, operations, resolved, response_faults
from tests.webui.sending import OPERATIONS, a_table, body_of, described_statuses, provoked, send, tokens_of
from tests.webui.sending import good as good_request
from tests.webui.test_host import ORDERS
from webui.desk import CameraLine, SpokenLine

BOARDS = [
    NOTHING_YET, tables.waiting(), tables.playing(), tables.playing(2), tables.checking(), tables.false_call(),
    tables.lost(),
    tables.with_powers(), tables.round_over(), tables.game_over(), tables.partners(tables.game_over()),
    tables.quick(tables.game_over()),
]  # fmt: skip

ABOUT: list[Literal["call", "notice", "score", "turn"]] = ["call", "notice", "score", "turn"]


def test_the_server_has_each_address_and_method_of_the_file_and_no_other() -> None:
    rules = {
        (re.sub(r"<[^>]*>", "{}", rule.rule), method)
        for rule in a_table().app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD"}
        if rule.endpoint != "static"
    }
    assert rules == {(re.sub(r"\{[^}]*\}", "{}", path), method) for path, method, _ in operations()}


def test_what_the_file_refers_to_is_there_and_all_that_is_there_is_used() -> None:
    text = json.dumps(DOCUMENT)
    used = set(re.findall(r'"\$ref": "#/components/(\w+/[\w-]+)"', text))
    there = {
        f"{kind}/{name}" for kind in ("schemas", "responses", "parameters") for name in DOCUMENT["components"][kind]
    }
    by_words = {"responses/MethodNotAllowed", "responses/HeadersTooLarge", "responses/NotTaken"}  # named in info
    assert used <= there
    assert there - used == by_words
    assert all(name.split("/")[1] in DOCUMENT["info"]["description"] for name in by_words)


def test_each_operation_has_a_name_of_its_own_and_says_what_stands_in_its_path() -> None:
    names = Counter(operation["operationId"] for _, _, operation in operations())
    assert set(names.values()) == {1}
    for path, method, operation in operations():
        said = [resolved(parameter) for parameter in operation.get("parameters", [])]
        in_path = {parameter["name"] for parameter in said if parameter["in"] == "path"}
        assert in_path == set(re.findall(r"\{(\w+)\}", path))
        needs_token = method == "POST" and path != "/api/session"
        assert needs_token == any(parameter["name"] == "X-Racko-CSRF" for parameter in said)
        closed = path.startswith("/api/host") or (needs_token and "{token}" not in path)
        assert closed == ("security" in operation)
        assert closed == ("401" in operation["responses"])


@pytest.mark.parametrize(("path", "method", "operation", "status"), described_statuses())
def test_every_answer_that_the_file_describes_is_given_as_described(
    path: str, method: str, operation: str, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    response = provoked(path, method, operation, status, monkeypatch)
    assert response.status_code == status, response.get_data()[:200]
    described = DOCUMENT["paths"][path][method.lower()]
    assert response_faults(described, status, response.mimetype, body_of(response)) == []
    for header in resolved(described["responses"][str(status)]).get("headers", {}):
        assert header in response.headers


@pytest.mark.parametrize(("path", "method", "operation"), [one for one in OPERATIONS if one[1] == "GET"])
def test_a_head_is_answered_like_a_get_without_its_body(path: str, method: str, operation: str) -> None:
    table = a_table()
    request = good_request(path, method, operation, tokens_of(table))
    response = table.client.head(request.path)
    assert response.status_code == 200
    assert response.get_data() == b""


@pytest.mark.parametrize("board", BOARDS)
def test_every_state_of_a_game_is_described(board: Snapshot) -> None:
    table = a_table()
    table.desk.publish(board)
    table.desk.speak(*(SpokenLine(4 + at, about, "Ada & Ben") for at, about in enumerate(ABOUT)))
    table.desk.tell_host(
        cameras=(CameraLine("tray", "file:x", "frozen", "it stands still", ("the tray",), 3),),
        open_slots={1: 2, 4: 10},
        doubts=(OwnDoubt(1, 5, {60: 0.25, 1: 0.125}), OwnDoubt(4, 50, {})), remarks=("dark",), next_dealer=3,
    )  # fmt: skip
    table.desk.tell_seat(2, doubts=(OwnDoubt(2, 5, {7: 1.0}),), tally=Tally(turns=3))
    for address, schema in (
        ("/api/state", "State"), ("/api/host/state", "HostState"), (f"/api/seats/{TOKENS[2]}/state", "SeatState"),
        ("/api/history", "History"),
    ):  # fmt: skip
        described: dict[str, Any] = {"$ref": f"#/components/schemas/{schema}"}
        assert faults(table.get(address).get_json(), described) == []
        if schema != "History":
            response = table.client.get(address.replace("/state", "/events"), buffered=False)
            assert faults(next(events_of(response)), described) == []
            response.close()


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: order["type"])
def test_every_order_is_described(order: dict[str, Any]) -> None:
    assert faults(order, {"$ref": "#/components/schemas/Order"}) == []


def test_the_file_is_to_be_had_from_the_table() -> None:
    table = a_table()
    assert table.get("/api/openapi.json").get_json() == DOCUMENT
    assert send(table, good_request("/api/openapi.json", "GET", "description", tokens_of(table))).status_code == 200


@pytest.mark.parametrize(
    ("schema", "wrong"),
    [
        ("Error", {}), ("Error", {"error": ""}), ("Error", {"error": 1}), ("Error", {"error": "a\nb"}), ("Error", []),
        ("Error", {"error": "x" * 301}), ("Error", {"error": "x", "more": 1}), ("Order", {"type": "undone"}),
        ("Order", {"type": "round", "dealer": 5}), ("Order", {"type": "verdict", "accepted": 1}),
        ("Order", {"type": "correct"}), ("Drawn", {"5": 1}),
        ("Drawn", {"1": 61}), ("Rack", {"seat": 1, "points": 0, "out": False, "why": "", "cards": []}),
    ],
)  # fmt: skip
def test_the_check_of_bodies_finds_what_is_wrong(schema: str, wrong: object) -> None:
    assert faults({"error": "x"}, {"$ref": "#/components/schemas/Error"}) == []
    assert faults(wrong, {"$ref": f"#/components/schemas/{schema}"}) != []
