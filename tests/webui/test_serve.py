"""The application behind a real server on a real port."""

import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from threading import Thread

import pytest

from engine.cards import Seat
from engine.snapshot import Snapshot
from tests.webui import tables
from webui.app import create_app
from webui.serve import ServeError, Server, serve
from webui.stream import Stream

HOST = "127.0.0.1"
PATIENCE = 30.0
"""Seconds after which a test that waits for an answer has failed."""


def ignore(_seat: Seat | None) -> None:
    pass


@pytest.fixture
def stream() -> Stream[Snapshot]:
    return Stream(tables.playing(version=0))


@pytest.fixture
def server(stream: Stream[Snapshot]) -> Iterator[Server]:
    with closing(serve(create_app(stream, ignore, max_streams=30), host=HOST, port=0)) as running:
        yield running


def connect(server: Server) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(HOST, server.port, timeout=PATIENCE)


def status_of(server: Server, method: str, address: str, body: bytes | None = None) -> int:
    with closing(connect(server)) as connection:
        connection.request(method, address, body, {"Content-Type": "application/json"} if body else {})
        response = connection.getresponse()
        response.read()
        assert "Server" not in response.headers
        return response.status


def versions(response: http.client.HTTPResponse) -> Iterator[int]:
    for line in response:
        if line.startswith(b"id: "):
            yield int(line[4:])


def test_pages_state_and_calls_are_answered(server: Server) -> None:
    assert status_of(server, "GET", "/") == 200
    assert status_of(server, "GET", "/static/board.js") == 200
    assert status_of(server, "GET", "/api/state") == 200
    assert status_of(server, "POST", "/api/call", b'{"seat": 1}') == 202
    assert status_of(server, "POST", "/api/call", b" " * 5000) == 413


def test_with_every_stream_taken_pages_and_polling_are_still_answered_and_one_more_stream_is_refused(
    server: Server, stream: Stream[Snapshot]
) -> None:
    connections = [connect(server) for _ in range(30)]
    for connection in connections:
        connection.request("GET", "/api/events")
    streams = [versions(connection.getresponse()) for connection in connections]
    assert [next(one) for one in streams] == [0] * 30
    assert stream.watchers == 30
    assert status_of(server, "GET", "/api/events") == 503
    assert status_of(server, "GET", "/api/state") == 200
    assert status_of(server, "POST", "/api/call", b'{"seat": 1}') == 202
    stream.publish(tables.playing(version=7))
    assert [next(one) for one in streams] == [7] * 30
    for connection in connections:
        connection.close()


def test_thirty_tablets_that_come_and_go_see_the_last_state(server: Server, stream: Stream[Snapshot]) -> None:
    last = 200
    arrived: list[int] = []

    def tablet() -> None:
        version = -1
        while version < last:
            with closing(connect(server)) as connection:
                connection.request("GET", "/api/events")
                response = connection.getresponse()
                if response.status == 503:  # places of tablets that left are freed within two seconds
                    connection.close()
                    connection.request("GET", "/api/state")
                    version = json.load(connection.getresponse())["version"]
                    continue
                seen = versions(response)
                for _ in range(5):
                    version = next(seen)
                    if version == last:
                        break
        arrived.append(version)

    threads = [Thread(target=tablet) for _ in range(30)]
    for thread in threads:
        thread.start()
    for version in range(1, last + 1):
        stream.publish(tables.playing(version=version))
    for thread in threads:
        thread.join(PATIENCE)
    assert arrived == [last] * 30


def test_closing_ends_the_streams_and_frees_the_port(stream: Stream[Snapshot]) -> None:
    server = serve(create_app(stream, ignore), host=HOST, port=0)
    with closing(connect(server)) as connection:
        connection.request("GET", "/api/events")
        seen = versions(connection.getresponse())
        assert next(seen) == 0
        server.close()
        server.close()
        with pytest.raises((StopIteration, http.client.HTTPException, OSError)):
            next(seen)
    again = serve(create_app(Stream(tables.waiting()), ignore), host=HOST, port=server.port)
    assert again.port == server.port
    assert status_of(again, "GET", "/healthz") == 200
    again.close()


def test_a_reader_that_does_not_read_holds_nobody_up_and_closing_does_not_wait_for_it(stream: Stream[Snapshot]) -> None:
    server = serve(create_app(stream, ignore), host=HOST, port=0)
    with socket.socket() as stuck, closing(connect(server)) as connection:
        stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stuck.connect((HOST, server.port))
        stuck.sendall(b"GET /api/events HTTP/1.1\r\nHost: table\r\n\r\n")
        stuck.recv(1)
        connection.request("GET", "/api/events")
        seen = versions(connection.getresponse())
        for version in range(1, 1500):  # some megabytes: more than the sockets between take
            stream.publish(replace(tables.round_over(), version=version))
            assert version in seen
        server.close()


def test_a_taken_port_is_refused_in_one_line(server: Server, stream: Stream[Snapshot]) -> None:
    with pytest.raises(ServeError, match=rf"port {server.port}: address already in use; choose another port$"):
        serve(create_app(stream, ignore), host=HOST, port=server.port)


@pytest.mark.parametrize(("host", "port"), [(HOST, 70000), (HOST, -1), ("192.0.2.1", 0), ("no.such.host.invalid", 0)])
def test_an_address_that_cannot_be_is_refused_in_one_line(stream: Stream[Snapshot], host: str, port: int) -> None:
    with pytest.raises(ServeError) as refused:
        serve(create_app(stream, ignore), host=host, port=port)
    assert "\n" not in str(refused.value)
