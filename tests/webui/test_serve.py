"""The application behind a real server on a real port."""

import http.client
import json
import logging
import socket
import struct
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from threading import Event, Thread

import pytest

from engine.cards import Seat
from tests.webui import tables
from tests.webui.clients import JPEG
from tests.webui.desks import PIN, SECRETS, TOKENS, FakeDesk
from tests.webui.waiting import PATIENCE, eventually
from webui.app import create_app
from webui.asking import ORDERS_AT_ONCE
from webui.desk import Answer, Order
from webui.serve import ServeError, Server, serve

HOST = "127.0.0.1"


@pytest.fixture
def desk() -> FakeDesk:
    return FakeDesk(tables.playing(version=0))


@pytest.fixture
def server(desk: FakeDesk) -> Iterator[Server]:
    with closing(serve(create_app(desk, SECRETS, max_streams=30), host=HOST, port=0)) as running:
        yield running


def connect(server: Server) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(HOST, server.port, timeout=PATIENCE)


def status_of(server: Server, method: str, address: str, body: bytes | None = None, **headers: str) -> int:
    with closing(connect(server)) as connection:
        kind = {"Content-Type": "application/json"} if body else {}
        connection.request(method, address, body, kind | headers)
        response = connection.getresponse()
        response.read()
        assert "Server" not in response.headers
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        return response.status


def seat_headers(server: Server, seat: int) -> dict[str, str]:
    """What a seat's page sends along with what it says."""
    with closing(connect(server)) as connection:
        connection.request("GET", f"/api/seats/{TOKENS[seat]}/state")
        return {"X-Racko-CSRF": json.load(connection.getresponse())["csrf"]}


def seat_call(server: Server, seat: int) -> int:
    return status_of(server, "POST", f"/api/seats/{TOKENS[seat]}/call", b"{}", **seat_headers(server, seat))


def versions(response: http.client.HTTPResponse) -> Iterator[int]:
    for line in response:
        if line.startswith(b"id: "):
            yield int(line[4:])


def test_pages_state_and_calls_are_answered(server: Server) -> None:
    assert status_of(server, "GET", "/") == 200
    assert status_of(server, "GET", "/static/shared/base.css") == 200
    assert status_of(server, "GET", "/api/state") == 200
    assert seat_call(server, 1) == 202
    assert status_of(server, "POST", "/api/call", b" " * 20_000) == 413


def test_with_every_stream_taken_pages_and_polling_are_still_answered_and_one_more_stream_is_refused(
    server: Server, desk: FakeDesk
) -> None:
    connections = [connect(server) for _ in range(30)]
    for connection in connections:
        connection.request("GET", "/api/events")
    streams = [versions(connection.getresponse()) for connection in connections]
    assert [next(one) for one in streams] == [0] * 30
    assert desk.board.watchers == 30
    assert status_of(server, "GET", "/api/events") == 503
    assert status_of(server, "GET", "/api/state") == 200
    assert seat_call(server, 1) == 202
    desk.publish(tables.playing(version=7))
    assert [next(one) for one in streams] == [7] * 30
    for connection in connections:
        connection.close()


def test_thirty_tablets_that_come_and_go_see_the_last_state(server: Server, desk: FakeDesk) -> None:
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
        desk.publish(tables.playing(version=version))
    for thread in threads:
        thread.join(PATIENCE)
    assert arrived == [last] * 30
    assert eventually(lambda: watchers(server) == 0)


def test_closing_ends_the_streams_and_frees_the_port(desk: FakeDesk) -> None:
    server = serve(create_app(desk, SECRETS), host=HOST, port=0)
    with closing(connect(server)) as connection:
        connection.request("GET", "/api/events")
        seen = versions(connection.getresponse())
        assert next(seen) == 0
        server.close()
        server.close()
        with pytest.raises((StopIteration, http.client.HTTPException, OSError)):
            next(seen)
    again = serve(create_app(FakeDesk(tables.waiting()), SECRETS), host=HOST, port=server.port)
    assert again.port == server.port
    assert status_of(again, "GET", "/healthz") == 200
    again.close()


def test_a_reader_that_does_not_read_holds_nobody_up_and_closing_does_not_wait_for_it(desk: FakeDesk) -> None:
    server = serve(create_app(desk, SECRETS), host=HOST, port=0)
    with socket.socket() as stuck, closing(connect(server)) as connection:
        stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stuck.connect((HOST, server.port))
        stuck.sendall(b"GET /api/events HTTP/1.1\r\nHost: table\r\n\r\n")
        stuck.recv(1)
        connection.request("GET", "/api/events")
        seen = versions(connection.getresponse())
        for version in range(1, 1500):  # some megabytes: more than the sockets between take
            desk.publish(replace(tables.round_over(), version=version))
            assert version in seen
        server.close()


def test_a_taken_port_is_refused_in_one_line(server: Server, desk: FakeDesk) -> None:
    with pytest.raises(ServeError, match=rf"port {server.port}: address already in use; choose another port$"):
        serve(create_app(desk, SECRETS), host=HOST, port=server.port)


@pytest.mark.parametrize(("host", "port"), [(HOST, 70000), (HOST, -1), ("192.0.2.1", 0), ("no.such.host.invalid", 0)])
def test_an_address_that_cannot_be_is_refused_in_one_line(desk: FakeDesk, host: str, port: int) -> None:
    with pytest.raises(ServeError) as refused:
        serve(create_app(desk, SECRETS), host=host, port=port)
    assert "\n" not in str(refused.value)


@pytest.mark.slow
def test_thirty_pages_of_all_kinds_that_vanish_without_a_word_free_their_places(
    desk: FakeDesk, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    cookie = host_cookie(server)
    addresses = ["/api/events", "/api/host/events", *(f"/api/seats/{token}/events" for token in TOKENS.values())]
    for _ in range(2):
        socks = [socket.create_connection((HOST, server.port)) for _ in range(30)]
        for at, sock in enumerate(socks):
            ask = f"GET {addresses[at % len(addresses)]} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n\r\n"
            sock.sendall(ask.encode())
        heard = [sock.recv(12) for sock in socks]
        assert heard == [b"HTTP/1.1 200"] * 30
        assert status_of(server, "GET", "/api/events") == 503
        for at, sock in enumerate(socks):
            if at % 2:  # a tablet that is switched off, and one whose page is closed
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            sock.close()
        assert eventually(lambda: watchers(server) == 0)
    everywhere = [desk.board.watchers, desk.host.watchers, *(stream.watchers for stream in desk.seats.values())]
    assert everywhere == [0] * 6
    assert not any(token in caplog.text for token in TOKENS.values()), "the log names no address"


def test_while_the_desk_is_slow_pages_are_answered_and_too_many_orders_are_sent_away(
    desk: FakeDesk, server: Server
) -> None:
    go_on, answers = Event(), list[int]()

    def slow(_order: Order, _seat: Seat | None) -> Answer:
        assert go_on.wait(PATIENCE)
        return Answer(done=True)

    desk.answering = slow
    people = [Thread(target=lambda: answers.append(seat_call(server, 1))) for _ in range(ORDERS_AT_ONCE)]
    for person in people:
        person.start()
    assert eventually(lambda: len(desk.orders) == ORDERS_AT_ONCE)
    assert seat_call(server, 2) == 503
    assert status_of(server, "GET", "/") == 200
    assert status_of(server, "GET", "/api/state") == 200
    go_on.set()
    for person in people:
        person.join(PATIENCE)
    assert answers == [202] * ORDERS_AT_ONCE
    assert seat_call(server, 2) == 202


def test_tablets_that_do_not_read_their_pictures_keep_nobody_waiting(desk: FakeDesk, server: Server) -> None:
    desk.games = tables.evening()
    desk.publish(tables.round_over(2))
    desk.rack_pictures[1, 1, 1] = JPEG.ljust(1_000_000, b"\0")
    stuck = [socket.socket() for _ in range(60)]  # more than there are threads beside the streams
    for sock in stuck:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.connect((HOST, server.port))
        sock.sendall(b"GET /api/rounds/1/1/1.jpg HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert [sock.recv(1) for sock in stuck] == [b"H"] * 60
    assert status_of(server, "GET", "/api/state") == 200
    assert seat_call(server, 1) == 409
    for sock in stuck:
        sock.close()


def test_a_header_does_not_make_another_address_of_a_client(server: Server) -> None:
    guesses = [
        status_of(server, "POST", "/api/session", b'{"pin": "0"}', **{"X-Forwarded-For": f"10.0.0.{guess}"})
        for guess in range(7)
    ]
    assert guesses == [403] * 5 + [429] * 2


def host_cookie(server: Server) -> str:
    with closing(connect(server)) as connection:
        body = json.dumps({"pin": PIN})
        connection.request("POST", "/api/session", body, {"Content-Type": "application/json"})
        return str(connection.getresponse().headers["Set-Cookie"]).split(";")[0]


def watchers(server: Server) -> int:
    with closing(connect(server)) as connection:
        connection.request("GET", "/healthz")
        return int(json.load(connection.getresponse())["watchers"])
