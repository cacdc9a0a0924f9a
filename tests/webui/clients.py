"""A table's application and a browser before it: without a session, as the host, or with a seat's page."""

import json
from collections.abc import Iterator
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from engine.cards import Seat
from engine.snapshot import Snapshot
from tests.webui.desks import PIN, SECRETS, TOKENS, FakeDesk
from webui.app import create_app
from webui.guard import CSRF_HEADER

JPEG = b"\xff\xd8\xff\xe0 the rest of a picture"
PNG = b"\x89PNG\r\n\x1a\n the rest of a picture"


class Table:
    """A desk, the application before it, and a client that asks; `options` are create_app's."""

    def __init__(self, board: Snapshot | None = None, **options: Any) -> None:  # noqa: ANN401 - as create_app has them
        self.desk = FakeDesk(board)
        self.app = create_app(self.desk, SECRETS, **options)
        self.client: FlaskClient = self.app.test_client()
        self.csrf = ""

    def begin(self, pin: str = PIN, **more: Any) -> TestResponse:  # noqa: ANN401 - as the test client has them
        """Begin a session; its CSRF token goes with all that is sent from now on."""
        response = self.client.post("/api/session", json={"pin": pin}, **more)
        if response.status_code == 200:
            self.csrf = response.get_json()["csrf"]
        return response

    def get(self, address: str, **headers: str) -> TestResponse:
        return self.client.get(address, headers=headers)

    def post(
        self,
        address: str,
        body: object = None,
        *,
        kind: str = "application/json",
        csrf: str | None = None,
        **headers: str,
    ) -> TestResponse:
        """Send a body, as JSON if it is not bytes, with the host's CSRF token or another."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        token = self.csrf if csrf is None else csrf
        return self.client.post(address, data=data, content_type=kind, headers={CSRF_HEADER: token, **headers})

    def seat_csrf(self, seat: Seat) -> str:
        """The CSRF token of a seat's page, as its state tells it."""
        csrf = self.get(f"/api/seats/{TOKENS[seat]}/state").get_json()["csrf"]
        assert isinstance(csrf, str)
        return csrf

    def seat_post(self, seat: Seat, what: str, body: object, **options: Any) -> TestResponse:  # noqa: ANN401 - as above
        """Send a body from a seat's page."""
        return self.post(f"/api/seats/{TOKENS[seat]}/{what}", body, **{"csrf": self.seat_csrf(seat), **options})


def hosted(board: Snapshot | None = None, **options: Any) -> Table:  # noqa: ANN401 - as create_app has them
    """A table at which the host's session has begun."""
    table = Table(board, **options)
    assert table.begin().status_code == 200
    return table


def error_in(response: TestResponse) -> str:
    """Check that the body is one JSON line with an error only, and return its words."""
    text = response.get_data(as_text=True)
    assert text.strip().count("\n") == 0
    body = json.loads(text)
    assert set(body) == {"error"}
    assert isinstance(body["error"], str)
    assert 0 < len(body["error"]) <= 300
    return body["error"]


def events_of(response: TestResponse) -> Iterator[dict[str, Any]]:
    """The views of an event stream, one after the other."""
    for chunk in response.iter_encoded():
        if b"\ndata: {" in chunk:
            yield json.loads(chunk.decode().split("\ndata: ", 1)[1])


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now
