"""Bytes that are nearly requests, at the real server: it answers or hangs up, and goes on."""

import logging
import socket
from collections.abc import Iterator
from contextlib import closing
from random import Random

import pytest

from tests.webui import tables
from tests.webui.clients import JPEG
from tests.webui.desks import SECRETS, TOKENS, FakeDesk
from webui.app import create_app
from webui.serve import Server, serve
from webui.tokens import Tokens

HOST = "127.0.0.1"
CSRF = Tokens(SECRETS).csrf(TOKENS[2])

SEAT = f"/api/seats/{TOKENS[2]}"


def asking(first: str, *lines: str, body: bytes = b"") -> bytes:
    """A request as it goes over the wire."""
    return "\r\n".join([f"{first} HTTP/1.1", *lines, "", ""]).encode() + body


GOOD = [
    asking("GET /api/state", "Host: localhost"),
    asking("GET /static/shared/base.css", "Host: localhost", "Range: bytes=0-9", 'If-None-Match: "x"'),
    asking(
        "POST /api/session", "Host: localhost", "Content-Type: application/json", "Content-Length: 17",
        body=b'{"pin": "000000"}',
    ),
    asking(
        f"POST {SEAT}/correct", "Host: localhost", "Content-Type: application/json", f"X-Racko-CSRF: {CSRF}",
        "Content-Length: 24", body=b'{"slot": 25, "card": 38}',
    ),
    asking(
        f"POST {SEAT}/pictures", "Host: localhost", "Content-Type: image/jpeg", f"X-Racko-CSRF: {CSRF}",
        "Transfer-Encoding: chunked", body=b"%x\r\n%s\r\n0\r\n\r\n" % (len(JPEG), JPEG),
    ),
    asking(f"GET {SEAT}/events", "Host: [::1]:8080", "Accept: text/event-stream"),
]  # fmt: skip
PIECES = [
    b"\r\n", b"\n", b"\r", b"\0", b" ", b":", b"\xff", b"9" * 30, b"-1", b"%00", b"%", b"//", b"..", b"\r\n\r\n",
    b"chunked",
    b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n", b"Host: evil.example\r\n", b"Expect: 100-continue\r\n",
    b"Connection: close\r\n", b"x" * 3000, b"[", b"{", b"HTTP/1.0", b"http://[", "\N{SNOWMAN}".encode(),
]  # fmt: skip


def nearly(chance: Random) -> bytes:
    """A good request with one to four pieces taken out, put in, said twice or changed."""
    text = bytearray(chance.choice(GOOD))
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(text) + 1)
        end = min(len(text), at + chance.choice((1, 1, 2, 8, 40)))
        text[at:end] = chance.choice((b"", chance.choice(PIECES), bytes(text[at:end]) * 2, chance.randbytes(3)))
        if not text:
            text += b"G"
    return bytes(text)


@pytest.fixture
def server() -> Iterator[Server]:
    app = create_app(FakeDesk(tables.playing()), SECRETS, max_streams=200)
    with closing(serve(app, host=HOST, port=0)) as running:
        yield running


def answer_to(server: Server, sent: bytes) -> bytes:
    """What comes back at once; nothing where the server waits for more, or has hung up."""
    with socket.create_connection((HOST, server.port), timeout=0.1) as sock:
        try:
            sock.sendall(sent)
            return sock.recv(65_536)
        except OSError:
            return b""


def check(server: Server, seed: int, count: int) -> None:
    chance = Random(seed)
    answered = 0
    for _ in range(count):
        sent = nearly(chance)
        got = answer_to(server, sent)
        answered += got != b""
        assert not got or got.startswith(b"HTTP/1."), sent
        assert b" 500 " not in got.split(b"\r\n")[0], sent
        assert b"Traceback" not in got, sent
    assert answered > count / 3
    assert b" 200 " in answer_to(server, GOOD[0])


def warned(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What the log warns of, but for requests that wait their turn: the machine may be busy."""
    return [record.getMessage() for record in caplog.records if record.name != "waitress.queue"]


def test_whatever_bytes_come_the_server_goes_on(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        check(server, 1, 80)
    assert warned(caplog) == []


@pytest.mark.slow
def test_whatever_bytes_come_for_long_the_server_goes_on(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        check(server, 2, 800)
    assert warned(caplog) == []
