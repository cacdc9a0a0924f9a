"""A player's own page: what it shows, what it may say, and that its token opens nothing else."""

import pytest

from engine.lines import EMPTY
from engine.private import OwnDoubt, Tally
from tests.webui import tables
from tests.webui.clients import JPEG, Table, error_in, events_of, hosted
from tests.webui.desks import SECRETS, TOKENS, FakeDesk
from tests.webui.schemas import faults
from webui.app import create_app
from webui.desk import Answer, Secrets
from webui.view import as_json

DOUBTS = (OwnDoubt(2, 25, {33: 0.4, 38: 0.5}), OwnDoubt(2, 40, {}), OwnDoubt(3, 5, {59: 1.0}))
STRANGE = [
    "nobody",
    "x" * 2000,
    "%00",
    "%ff%fe",
    "..%2f..",
    "\N{SNOWMAN}",
    TOKENS[1][:-1],
    TOKENS[1] + " ",
    TOKENS[1].upper(),
]


def test_a_player_sees_the_board_and_the_own_doubts_and_nobody_elses() -> None:
    table = Table()
    table.desk.tell_seat(2, doubts=DOUBTS, tally=Tally(turns=7, best=75), version=31)
    state = table.get(f"/api/seats/{TOKENS[2]}/state").get_json()
    assert set(state) == {"version", "board", "seat", "name", "doubts", "wanted", "tally", "csrf"}
    assert (state["version"], state["seat"], state["name"]) == (31, 2, "Ben")
    assert state["board"] == as_json(tables.playing())
    assert state["doubts"] == [
        {"slot": 25, "candidates": [{"card": 38, "chance": 0.5}, {"card": 33, "chance": 0.4}]},
        {"slot": 40, "candidates": []},
    ]
    assert state["tally"]["turns"] == 7
    assert state["wanted"] is False


def test_a_slot_that_may_be_empty_is_told_as_one() -> None:
    table = Table()
    table.desk.tell_seat(2, doubts=(OwnDoubt(2, 25, {EMPTY: 0.55, 38: 0.45}),), version=31)
    state = table.get(f"/api/seats/{TOKENS[2]}/state").get_json()
    candidates = [{"empty": True, "chance": 0.55}, {"card": 38, "chance": 0.45}]
    assert state["doubts"] == [{"slot": 25, "candidates": candidates}]
    assert faults(state, {"$ref": "#/components/schemas/SeatState"}) == []


def test_the_stream_of_a_seat_is_its_state_and_each_change() -> None:
    table = Table()
    response = table.client.get(f"/api/seats/{TOKENS[2]}/events", buffered=False)
    views = events_of(response)
    assert next(views) == table.get(f"/api/seats/{TOKENS[2]}/state").get_json()
    table.desk.tell_seat(2, doubts=DOUBTS, version=12)
    assert [doubt["slot"] for doubt in next(views)["doubts"]] == [25, 40]
    response.close()


def test_when_somebody_else_sits_down_the_page_of_who_sat_there_ends_and_opens_no_more() -> None:
    seats = dict(TOKENS)
    desk = FakeDesk()
    client = create_app(desk, Secrets(SECRETS.pin, SECRETS.key, seats)).test_client()
    response = client.get(f"/api/seats/{TOKENS[2]}/events", buffered=False)
    views = events_of(response)
    next(views)
    seats[2] = "a-token-for-somebody-else"
    desk.tell_seat(2, doubts=DOUBTS, version=12)
    assert list(views) == []
    response.close()
    assert client.get(f"/api/seats/{TOKENS[2]}/state").status_code == 404
    assert client.get(f"/seat/{TOKENS[2]}").status_code == 404
    assert client.get(f"/api/seats/{seats[2]}/state").get_json()["seat"] == 2


@pytest.mark.parametrize("token", STRANGE)
def test_an_unknown_token_opens_nothing(token: str) -> None:
    table = Table()
    for what in ("state", "events"):
        response = table.get(f"/api/seats/{token}/{what}")
        assert response.status_code == 404
        assert error_in(response) == "there is nothing at this address"
    for what in ("call", "correct", "pictures"):
        assert table.post(f"/api/seats/{token}/{what}", {}, csrf=table.seat_csrf(1)).status_code == 404
    page = table.get(f"/seat/{token}")
    assert page.status_code == 404
    assert page.mimetype in ("text/html", "application/json")
    assert "Content-Security-Policy" in page.headers
    assert table.desk.orders == []


def test_an_unknown_token_gets_a_page_for_people() -> None:
    assert Table().get("/seat/nobody").mimetype == "text/html"


def test_a_token_that_is_empty_is_nobodys() -> None:
    client = create_app(FakeDesk(), Secrets("1", SECRETS.key, {1: "", 2: "two"})).test_client()
    assert client.get("/api/seats//state").status_code == 404
    assert client.get("/api/seats/two/state").get_json()["seat"] == 2


def test_every_token_is_compared_with_all_tokens_in_even_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[int, int]] = []

    def compare(one: str, other: str) -> bool:
        compared.append((len(one), len(other)))
        return one == other

    table = Table()
    monkeypatch.setattr("webui.tokens.hmac.compare_digest", compare)
    for token in (TOKENS[1], TOKENS[4], "x", "nobody" * 99):
        compared.clear()
        table.get(f"/api/seats/{token}/state")
        assert compared == [(64, 64)] * 4, "all of them, and always of one length"


@pytest.mark.parametrize("given", ["", "wrong", "é", TOKENS[2]])
def test_nothing_is_taken_without_the_seats_own_csrf_token(given: str) -> None:
    table = hosted()
    for csrf in (given, table.csrf, table.seat_csrf(3)):
        for what, body, kind in (
            ("call", {}, "application/json"),
            ("correct", {"slot": 25, "card": 38}, "application/json"),
            ("pictures", JPEG, "image/jpeg"),
        ):
            response = table.seat_post(2, what, body, csrf=csrf, kind=kind)
            assert response.status_code == 403
            assert error_in(response)
    assert not table.desk.orders
    assert not table.desk.pictures


def test_a_player_corrects_the_own_rack() -> None:
    table = Table()
    table.desk.answer = Answer(done=True, words="noted", changes=("Ben has gone out after all",))
    response = table.seat_post(2, "correct", {"slot": 25, "card": 38})
    assert response.status_code == 200
    assert response.get_json() == {"done": True, "words": "noted", "changes": ["Ben has gone out after all"]}
    assert table.desk.orders == [({"type": "correct", "seat": 2, "slot": 25, "card": 38}, 2)]


def test_a_player_says_that_no_card_stands_in_a_slot() -> None:
    table = Table()
    assert table.seat_post(2, "correct", {"slot": 25, "empty": True}).status_code == 200
    assert table.desk.orders == [({"type": "correct", "seat": 2, "slot": 25, "empty": True}, 2)]


@pytest.mark.parametrize(
    "body",
    [
        {"slot": 25, "card": 38, "seat": 1}, {"slot": 25, "card": 38, "type": "undo"}, {"slot": 26, "card": 38},
        {"slot": 25}, {"slot": 25, "card": 61}, {"slot": 25, "card": 0}, {"slot": "25", "card": 38}, {}, [], None,
        {"slot": 25, "card": 38.0}, {"slot": 25, "card": True}, {"slot": 25, "card": 10**400},
        {"slot": 25, "card": 38, "t": 1.0}, {"slot": 25, "empty": False}, {"slot": 25, "empty": "yes"},
        {"slot": 25, "card": 38, "empty": True},
    ],
)  # fmt: skip
def test_a_player_says_nothing_else(body: object) -> None:
    table = Table()
    response = table.seat_post(2, "correct", body)
    assert response.status_code == 400
    assert error_in(response)
    assert table.desk.orders == []


def test_a_refusal_is_told_in_the_tables_words() -> None:
    table = Table()
    table.desk.answer = Answer(done=False, words="38 lies on the discard pile")
    response = table.seat_post(2, "correct", {"slot": 25, "card": 38})
    assert response.status_code == 409
    assert error_in(response) == "38 lies on the discard pile"


def test_a_player_shows_the_own_rack_in_a_photograph() -> None:
    table = Table()
    assert table.seat_post(3, "pictures", JPEG, kind="image/jpeg").status_code == 200
    assert table.desk.pictures == [(JPEG, 3)]


def test_a_seats_token_does_not_open_the_hosts_addresses() -> None:
    table = Table()
    for token in (TOKENS[1], table.seat_csrf(1)):
        assert table.get("/api/host/state", **{"X-Racko-CSRF": token, "Authorization": token}).status_code == 401
        assert table.begin(token).status_code == 403
