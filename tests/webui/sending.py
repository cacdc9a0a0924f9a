"""A good request for each operation of webui/openapi.json, and ways to spoil it so that each answer is seen."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import pytest
from werkzeug.test import TestResponse

from tests.webui import tables
from tests.webui.clients import JPEG, PNG, Clock, Table
from tests.webui.desks import PIN, TOKENS
from tests.webui.schemas import operations, resolved
from webui.desk import Answer, CameraLine
from webui.guard import CSRF_HEADER
from webui.pictures import MAX_PICTURE_BYTES

GAME: Final = {"edition": "retro", "players": [{"seat": 1, "name": "Ada"}, {"seat": 2}]}

BODIES: Final[Mapping[str, object]] = {
    "call": {"seat": 2},
    "beginSession": {"pin": PIN},
    "endSession": {},
    "order": {"type": "game", **GAME},
    "cut": GAME,
    "hostPicture": JPEG,
    "seatCall": {},
    "seatCorrect": {"slot": 25, "card": 38},
    "seatPicture": PNG,
}
"""What is sent, by the operation's id."""

FILLED: Final = {"token": TOKENS[2], "game": "1", "round": "2", "seat": "2", "name": "tray"}
"""What stands in a path where all is well."""

NOT_THERE: Final = {"token": "nobody", "game": "7", "round": "2", "seat": "4", "name": "nothing"}

OPERATIONS: Final = [(path, method, operation["operationId"]) for path, method, operation in operations()]


@dataclass(frozen=True)
class Sent:
    """A request, all of it."""

    path: str
    method: str = "GET"
    body: bytes = b""
    kind: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    session: bool = True


def filled(path: str, values: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: values[found[1]], path)


def a_table(**options: Any) -> Table:  # noqa: ANN401 - as create_app has them
    """A table of two with something at each address; its clock goes on so fast that no PIN waits."""
    clock = Clock()

    def hurrying() -> float:
        clock.now += 10_000
        return clock.now

    table = Table(tables.playing(3), **{"clock": hurrying, **options})
    table.desk.games = tables.evening()
    table.desk.rack_pictures[1, 2, 2] = JPEG
    table.desk.tell_host(cameras=(CameraLine("tray", "simulated:1", "live"),))
    table.desk.camera_pictures["tray"] = JPEG
    table.begin()
    return table


def good(path: str, method: str, operation: str, csrf: Mapping[str, str]) -> Sent:
    """The request that gets what the operation is for. csrf: the token of the host's session and of seat 2."""
    if method == "GET":
        return Sent(filled(path, FILLED))
    body = BODIES[operation]
    kind = (
        {JPEG: "image/jpeg", PNG: "image/png"}.get(body, "application/json")
        if isinstance(body, bytes)
        else "application/json"
    )
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    token = csrf["seat"] if "{token}" in path else csrf["host"]
    return Sent(filled(path, FILLED), method, raw, kind, {CSRF_HEADER: token})


def tokens_of(table: Table) -> dict[str, str]:
    return {"host": table.csrf, "seat": table.seat_csrf(2)}


def send(table: Table, sent: Sent) -> TestResponse:
    """Send a request to a table, with its session or without."""
    client = table.client if sent.session else table.app.test_client()
    return client.open(
        sent.path,
        method=sent.method,
        data=sent.body,
        headers=dict(sent.headers),
        content_type=sent.kind or None,
        buffered=False,
    )


WRONG_PIN: Final = json.dumps({"pin": "000000"}).encode()

SPOILT: Final[Mapping[int, Callable[[Sent], Sent]]] = {
    400: lambda sent: replace(sent, body=b"{"),
    401: lambda sent: replace(sent, session=False),
    403: lambda sent: replace(sent, headers={CSRF_HEADER: "wrong"}),
    413: lambda sent: replace(sent, body=b" " * (MAX_PICTURE_BYTES + 1)),
    415: lambda sent: replace(sent, kind="text/plain"),
    421: lambda sent: replace(sent, headers={**sent.headers, "Host": "evil.example"}),
}
"""What is done to a good request to get that status; the other statuses come of how things are at the table."""


def provoked(path: str, method: str, operation: str, status: int, monkeypatch: pytest.MonkeyPatch) -> TestResponse:
    """Ask so that the operation answers with this status."""
    options: dict[str, Any] = {}
    if status == 429:
        options["clock"] = Clock()
    if status == 503:
        options["max_streams"] = 0
        monkeypatch.setattr("webui.asking.ORDERS_AT_ONCE", 0)
        monkeypatch.setattr("webui.asking.PICTURES_AT_ONCE", 0)
    table = a_table(**options)
    sent = good(path, method, operation, tokens_of(table))
    if operation == "beginSession" and status in (403, 429):
        for _ in range(5 if status == 429 else 0):
            send(table, replace(sent, body=WRONG_PIN))
        return send(table, replace(sent, body=WRONG_PIN))
    if status == 404:
        sent = replace(sent, path=filled(path, NOT_THERE))
    if status == 409:
        table.desk.answer = Answer(done=False, words="not now")
    spoil = SPOILT.get(status)
    return send(table, sent if spoil is None else spoil(sent))


def body_of(response: TestResponse) -> bytes:
    """What an answer holds; of a stream nothing, for it has no end."""
    if response.mimetype == "text/event-stream":
        response.close()
        return b""
    return response.get_data()


def described_statuses() -> list[tuple[str, str, str, int]]:
    """Each operation with each status that is described of it."""
    found = []
    for path, method, operation in operations():
        found += [(path, method, operation["operationId"], int(status)) for status in resolved(operation)["responses"]]
    return found
