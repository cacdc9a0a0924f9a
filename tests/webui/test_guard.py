"""Under which names and from which pages the table may be asked."""

import pytest

from tests.webui import tables
from tests.webui.clients import Table, error_in, hosted
from tests.webui.desks import TOKENS
from webui.guard import Names, host_in

GOOD = [
    "localhost", "localhost:8080", "LOCALHOST", "localhost.", "127.0.0.1", "127.0.0.1:80", "192.168.1.20:8080",
    "[::1]", "[::1]:8080", "[fe80::1]", "[2001:DB8::a]:443", "[::ffff:10.0.0.1]", "kitchen", "KITCHEN:8080",
    "kitchen.local", "kitchen.local.:80", "kitchen.home.example", "racko.example", "Racko.Example.:99", "localhost:",
]  # fmt: skip
BAD = [
    "", " ", "evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1.evil.example", "kitchen.evil",
    "evil.local", "notkitchen.local", "127.0.0.1, evil.example", "localhost@evil.example", "evil.example#localhost",
    "localhost/", "::1", "[::1", "::1]", "[localhost]", "[127.0.0.1]", "[fe80::1%25eth0]", "[fe80::1%eth0]",
    "2130706433", "0x7f.1", "127.1", "0177.0.0.1", "127.0.0.1:x", "localhost:123456", "localhost:-1", ":80",
    "local host", "loc\N{CYRILLIC SMALL LETTER A}lhost",
    "localhost\t", "localhost\x00", "127.0.0.1..", "http://localhost", "*", "null", "racko.example.evil", "x" * 5000,
]  # fmt: skip


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Names:
    monkeypatch.setattr("socket.gethostname", lambda: "Kitchen.home.example")
    return Names(["Racko.example."])


@pytest.mark.parametrize("header", GOOD)
def test_addresses_and_the_machines_own_names_are_known(names: Names, header: str) -> None:
    assert names.know(header)


@pytest.mark.parametrize("header", BAD)
def test_any_other_name_is_not(names: Names, header: str) -> None:
    assert not names.know(header)


def test_a_host_header_is_taken_apart() -> None:
    assert host_in("[2001:DB8::A]:8080") == ("2001:db8::a", "8080")
    assert host_in("Kitchen.local.") == ("kitchen.local", "")
    assert host_in("10.0.0.1:80") == ("10.0.0.1", "80")


@pytest.mark.parametrize(
    "address",
    ["/", "/host", "/api/state", "/api/host/state", "/static/shared/base.css", "/nothing", f"/seat/{TOKENS[1]}"],
)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "HEAD", "OPTIONS"])
def test_a_strange_name_is_refused_before_anything_else(address: str, method: str) -> None:
    response = Table().client.open(address, method=method, headers={"Host": "evil.example"})
    assert response.status_code == 421
    assert "Content-Security-Policy" in response.headers
    if method != "HEAD":
        assert "evil" not in error_in(response)


def test_no_other_header_names_the_host() -> None:
    table = Table()
    for header in ("X-Forwarded-Host", "Forwarded", "X-Host", "X-Forwarded-Server"):
        assert table.get("/api/state", Host="evil.example", **{header: "localhost"}).status_code == 421
        assert table.get("/api/state", Host="localhost", **{header: "evil.example"}).status_code == 200


def test_a_table_is_asked_under_the_names_that_it_was_given() -> None:
    table = Table(names=["rack.home.arpa"])
    assert table.get("/api/state", Host="rack.home.arpa:8080").status_code == 200
    assert Table().get("/api/state", Host="rack.home.arpa:8080").status_code == 421


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("localhost", "http://localhost"), ("127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("[::1]:8080", "http://[::1]:8080"), ("[::1]", "http://[::1]"), ("192.168.1.20", "http://192.168.1.20"),
    ],
)  # fmt: skip
def test_the_own_page_may_change_things_under_any_of_the_names(host: str, origin: str) -> None:
    table = hosted()
    cookie = table.client.get_cookie("racko")
    assert cookie is not None
    table.client = table.app.test_client(use_cookies=False)
    headers = {"Host": host, "Origin": origin, "Sec-Fetch-Site": "same-origin", "Cookie": f"racko={cookie.value}"}
    assert table.post("/api/call", {"seat": 1}, **headers).status_code == 202
    assert table.post("/api/call", {"seat": 1}, **{**headers, "Origin": "http://10.9.9.9"}).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://elsewhere.example"}, {"Origin": "http://localhost:81"}, {"Origin": "null"}, {"Origin": ""},
        {"Origin": "http://["}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "none"}, {"Origin": "localhost"},
        {"Origin": "http://localhost", "Sec-Fetch-Site": "same-site"}, {"Origin": "http://localhost@elsewhere.example"},
    ],
)  # fmt: skip
def test_a_seats_page_takes_orders_from_itself_only(headers: dict[str, str]) -> None:
    table = Table(tables.playing())
    assert table.seat_post(1, "call", {}, **headers).status_code == 403
    assert table.desk.orders == []
