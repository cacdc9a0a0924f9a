"""What the server makes of requests that are too large, cut off, lying or no requests at all."""

import json
import socket
from collections.abc import Iterator
from contextlib import closing

import pytest

from tests.webui import tables
from tests.webui.clients import JPEG
from tests.webui.desks import SECRETS, TOKENS, FakeDesk
from tests.webui.waiting import eventually
from webui.app import create_app
from webui.guard import HEADERS
from webui.pictures import MAX_PICTURE_BYTES
from webui.receiving import UPLOADS_AT_ONCE
from webui.serve import Server, serve
from webui.tokens import Tokens

HOST = "127.0.0.1"
CSRF = Tokens(SECRETS).csrf(TOKENS[1])
PICTURES = f"/api/seats/{TOKENS[1]}/pictures"


@pytest.fixture
def desk() -> FakeDesk:
    return FakeDesk(tables.playing())


@pytest.fixture
def server(desk: FakeDesk) -> Iterator[Server]:
    with closing(serve(create_app(desk, SECRETS, max_streams=4), host=HOST, port=0)) as running:
        yield running


def connected(server: Server) -> socket.socket:
    return socket.create_connection((HOST, server.port), timeout=30)


def head(address: str, *lines: str, method: str = "POST", kind: str = "image/jpeg") -> bytes:
    own = [f"{method} {address} HTTP/1.1", "Host: localhost", f"Content-Type: {kind}", f"X-Racko-CSRF: {CSRF}"]
    return "\r\n".join([*own, *lines, "", ""]).encode("latin-1")


def answer(sock: socket.socket) -> tuple[int, dict[str, str], bytes]:
    """Read one answer: its status, its headers in small letters, its body."""
    reader = sock.makefile("rb")
    status = int(reader.readline().split()[1])
    headers = {}
    while (line := reader.readline()) not in (b"\r\n", b""):
        name, value = line.decode("latin-1").split(":", 1)
        headers[name.lower()] = value.strip()
    return status, headers, reader.read(int(headers.get("content-length", "0")))


def said(server: Server, *parts: bytes) -> tuple[int, str]:
    """Send the parts and return the status and the error's words; the answer must be as all others are."""
    with connected(server) as sock:
        for part in parts:
            sock.sendall(part)
        status, headers, body = answer(sock)
    for name, value in HEADERS.items():
        assert headers[name.lower()] == value
    assert headers["cache-control"] == "no-store"
    assert "server" not in headers
    assert body.count(b"\n") == 1
    words: dict[str, object] = json.loads(body)
    return status, str(words.get("error", ""))


def works(server: Server) -> bool:
    return said(server, head("/healthz", method="GET")) == (200, "")


def test_a_picture_is_taken_with_its_length_or_in_chunks(server: Server, desk: FakeDesk) -> None:
    assert said(server, head(PICTURES, f"Content-Length: {len(JPEG)}"), JPEG) == (200, "")
    chunks = b"3\r\n" + JPEG[:3] + b"\r\n" + f"{len(JPEG) - 3:x}\r\n".encode() + JPEG[3:] + b"\r\n0\r\n\r\n"
    assert said(server, head(PICTURES, "Transfer-Encoding: chunked"), chunks) == (200, "")
    assert desk.pictures == [(JPEG, 1), (JPEG, 1)]


def test_a_picture_that_is_a_byte_too_large_is_refused_and_the_sender_is_told(server: Server, desk: FakeDesk) -> None:
    largest = JPEG.ljust(MAX_PICTURE_BYTES, b"\0")
    assert said(server, head(PICTURES, f"Content-Length: {len(largest)}"), largest) == (200, "")
    status, words = said(server, head(PICTURES, f"Content-Length: {len(largest) + 1}"), largest, b"\0")
    assert status == 413
    assert "12 MB" in words
    assert len(desk.pictures) == 1


@pytest.mark.parametrize("length", [100_000_000, 10**12, 10**30])
def test_what_is_far_too_large_is_refused_before_it_is_sent(server: Server, length: int) -> None:
    assert said(server, head(PICTURES, f"Content-Length: {length}"))[0] == 413
    assert said(server, head(PICTURES, f"Content-Length: {MAX_PICTURE_BYTES + 1}", "Expect: 100-continue"))[0] == 413


@pytest.mark.parametrize(
    "address", ["/api/call", "/api/host/order", "/api/session", "/", "/nothing", PICTURES + "/more"]
)
def test_nothing_but_a_picture_may_be_long(server: Server, address: str) -> None:
    assert said(server, head(address, "Content-Length: 100000"), b" " * 100_000)[0] == 413
    assert said(server, head(address, "Content-Length: 100000", method="GET"), b" " * 100_000)[0] == 413


def test_chunks_without_end_are_cut_off(server: Server, desk: FakeDesk) -> None:
    chunk = b"4000\r\n" + b"\0" * 0x4000 + b"\r\n"
    assert said(server, head("/api/call", "Transfer-Encoding: chunked"), chunk, chunk)[0] == 413
    with connected(server) as sock:
        sock.sendall(head(PICTURES, "Transfer-Encoding: chunked"))
        try:
            for _ in range(2 * MAX_PICTURE_BYTES // 0x4000):
                sock.sendall(chunk)
        except OSError:
            pass
        else:
            pytest.fail("twice as much as is allowed was taken in")
    assert works(server)
    assert desk.pictures == []


@pytest.mark.parametrize(
    "lines",
    [
        ["Content-Length: -1"], ["Content-Length: x"], ["Content-Length: " + "9" * 5000], ["Content-Length: 1, 2"],
        ["Content-Length: 1", "Content-Length: 2"], ["Content-Length: 1e3"], ["Content-Length: +5"],
        ["Content-Length: 0x10"], ["Content Length: 5"], [": 5"], ["No colon"], ["X: a\nb"], ["X: \x00"],
    ],
)  # fmt: skip
def test_a_head_that_lies_or_is_none_is_refused(server: Server, lines: list[str]) -> None:
    assert said(server, head(PICTURES, *lines))[0] in (400, 413)
    assert works(server)


@pytest.mark.parametrize(
    "line",
    [
        b"GET http://[ HTTP/1.1", b"GET  / HTTP/1.1", b"get / HTTP/1.1", b"GET", b"\x00\x01\x02", b"GET / HTTP/9.9.9",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"GET / HTTP/1.1\rX: 1", b"G\xc3\x84T / HTTP/1.1",
    ],
)  # fmt: skip
def test_a_first_line_that_is_none_is_refused(server: Server, line: bytes) -> None:
    assert said(server, line + b"\r\nHost: localhost\r\n\r\n")[0] == 400
    assert works(server)


def test_heads_that_are_too_large_are_refused(server: Server) -> None:
    assert said(server, head("/", "X: " + "x" * 20_000, method="GET"))[0] == 431
    assert said(server, head("/" + "x" * 20_000, method="GET"))[0] == 431


def test_chunks_that_are_none_and_other_ways_of_sending_are_refused(server: Server) -> None:
    assert said(server, head(PICTURES, "Transfer-Encoding: chunked"), b"zz\r\n")[0] == 400
    assert said(server, head(PICTURES, "Transfer-Encoding: gzip"))[0] == 501
    assert works(server)


def test_a_body_that_is_shorter_than_it_says_is_never_passed_on(server: Server, desk: FakeDesk) -> None:
    with connected(server) as sock:
        sock.sendall(head(PICTURES, "Content-Length: 1000") + JPEG)
    with connected(server) as sock:
        sock.sendall(head(PICTURES, "Transfer-Encoding: chunked") + b"4\r\n\xff\xd8\xff\xe0\r\n")
    assert works(server)
    assert desk.pictures == []


def test_what_comes_after_the_length_is_not_part_of_the_body(server: Server, desk: FakeDesk) -> None:
    with connected(server) as sock:
        sock.sendall(head(PICTURES, "Content-Length: 4") + JPEG)
        assert answer(sock)[0] == 200
    assert desk.pictures == [(JPEG[:4], 1)]
    assert works(server)


@pytest.mark.parametrize("hosts", [[], ["evil.example"], ["localhost", "evil.example"], [""]])
def test_a_request_without_one_known_host_is_refused(server: Server, hosts: list[str]) -> None:
    lines = "".join(f"Host: {host}\r\n" for host in hosts)
    for version in ("1.0", "1.1"):
        assert said(server, f"GET /api/state HTTP/{version}\r\n{lines}\r\n".encode())[0] == 421


def test_an_address_in_the_first_line_does_not_stand_for_the_host_header(server: Server) -> None:
    ask = "GET http://localhost/api/state HTTP/1.1\r\nHost: evil.example\r\n\r\n"
    assert said(server, ask.encode())[0] == 421


def test_only_a_few_pictures_are_taken_in_at_once_and_a_broken_upload_frees_its_place(server: Server) -> None:
    slow = [connected(server) for _ in range(UPLOADS_AT_ONCE)]
    for sock in slow:
        sock.sendall(head(PICTURES, "Content-Length: 1000000") + JPEG)
    ninth = head(PICTURES, f"Content-Length: {len(JPEG)}")
    assert eventually(lambda: said(server, ninth, JPEG)[0] == 503)
    assert works(server), "all else goes on"
    for sock in slow[:4]:
        sock.close()
    assert eventually(lambda: said(server, ninth, JPEG)[0] == 200)
    for _ in range(3 * UPLOADS_AT_ONCE):
        assert said(server, ninth, JPEG)[0] == 200
    for sock in slow[4:]:
        sock.close()
