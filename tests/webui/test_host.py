"""The host's addresses: what the host sees and says, the seats' addresses, the cameras' pictures."""

from typing import Any

import pytest

from engine.board import NOTHING_YET
from engine.editions import EDITIONS
from engine.errors import BadInput
from engine.private import OwnDoubt
from engine.variants import VARIANTS
from tests.webui import tables
from tests.webui.clients import JPEG, Table, error_in, events_of, hosted
from tests.webui.desks import TOKENS
from webui.choices import EDITION_WORDS, VARIANT_WORDS
from webui.desk import Answer, CameraLine, Order
from webui.view import as_json

CAMERAS = (
    CameraLine("tray", "v4l2:/dev/video0", "live", sees=("the tray",), picture=7),
    CameraLine("left / Ben's", "http:somewhere", "dark", "too dark; light a lamp"),
)
GAME = {"edition": "parker-1992", "players": [{"seat": 1, "name": "Ada"}, {"seat": 2, "name": "Ben"}]}

ORDERS: list[Order] = [
    {"type": "game", "edition": "retro", "variants": ["bonus"], "players": GAME["players"]},
    {"type": "game", **GAME, "variants": [], "options": {"first_dealer": "lowest"}},
    {"type": "round", "dealer": 2},
    {"type": "call", "seat": None},
    {"type": "call", "seat": 2},
    {"type": "correct", "seat": 1, "slot": 25, "card": 38},
    {"type": "correct", "seat": 1, "slot": 25, "empty": True},
    {"type": "played", "seat": 1, "source": "draw", "slot": 25, "card": 38, "discarded": 12, "at": None},
    {"type": "played", "seat": 1, "source": None, "slot": None, "card": None, "discarded": None, "at": 12.5},
    {"type": "verdict", "accepted": False},
    {"type": "pause", "on": True},
    {"type": "abandon"},
    {"type": "undo", "call": False},
    {"type": "undo", "call": True},
    {"type": "redo"},
]


@pytest.fixture
def table() -> Table:
    return hosted()


def test_the_host_sees_the_board_and_the_cameras_and_how_things_are(table: Table) -> None:
    table.desk.tell_host(
        version=44, cameras=CAMERAS, remarks=("the tray is half in shadow",), undo="the call of Ben", next_dealer=2,
        open_slots={2: 3}, panel="a button", recorder="recording", voice="heard",
    )  # fmt: skip
    state = table.get("/api/host/state").get_json()
    assert state["version"] == 44
    assert state["board"] == as_json(tables.playing())
    assert state["cameras"][0] == {
        "name": "tray", "source": "v4l2:/dev/video0", "state": "live", "words": "", "sees": ["the tray"], "picture": 7,
    }  # fmt: skip
    assert state["open_slots"] == {"2": 3}
    assert (state["undo"], state["redo"], state["next_dealer"]) == ("the call of Ben", "", 2)
    assert (state["table"], state["panel"], state["recorder"]) == ("live", "a button", "recording")
    assert state["voice"] == "heard"


def test_the_host_is_told_doubts_between_rounds_only(table: Table) -> None:
    doubts = (OwnDoubt(2, 25, {33: 0.5, 38: 0.4}),)
    for board in (tables.playing(), tables.checking()):
        table.desk.tell_host(board=board, doubts=doubts)
        assert table.get("/api/host/state").get_json()["doubts"] == []
    table.desk.tell_host(board=tables.round_over())
    assert table.get("/api/host/state").get_json()["doubts"] == [
        {"seat": 2, "slot": 25, "candidates": [{"card": 33, "chance": 0.5}, {"card": 38, "chance": 0.4}]}
    ]


def test_the_hosts_stream_is_the_state_and_each_change(table: Table) -> None:
    response = table.client.get("/api/host/events", buffered=False)
    views = events_of(response)
    assert next(views) == table.get("/api/host/state").get_json()
    table.desk.tell_host(version=45, remarks=("a camera is gone",))
    assert next(views)["remarks"] == ["a camera is gone"]
    response.close()


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: order["type"])
def test_every_order_of_the_host_is_passed_on_as_it_was_said(table: Table, order: Order) -> None:
    response = table.post("/api/host/order", order)
    assert response.status_code == 200
    assert response.get_json() == {"done": True, "words": "", "changes": []}
    assert table.desk.orders == [(order, None)]


def test_what_an_order_does_not_know_is_not_passed_on(table: Table) -> None:
    table.post("/api/host/order", {"type": "undo", "racks": [1] * 1000, "seat": 4})
    assert table.desk.orders == [({"type": "undo", "call": False}, None)]


def test_a_refused_order_and_one_that_changes_much_are_told_in_words(table: Table) -> None:
    table.desk.answer = Answer(done=True, words="judged again", changes=("Ada has 75", "Ben has 30"))
    said = table.post("/api/host/order", ORDERS[5]).get_json()
    assert said == {"done": True, "words": "judged again", "changes": ["Ada has 75", "Ben has 30"]}
    table.desk.answer = Answer(done=False, words="no round is on")
    response = table.post("/api/host/order", ORDERS[5])
    assert response.status_code == 409
    assert error_in(response) == "no round is on"
    table.desk.answer = Answer(done=False)
    assert error_in(table.post("/api/host/order", ORDERS[5]))


def test_a_desk_that_refuses_by_an_error_is_answered_alike(table: Table) -> None:
    def refuse(_order: Order, _seat: int | None) -> Answer:
        raise BadInput("seat 3 does not play")

    table.desk.answering = refuse
    response = table.post("/api/host/order", ORDERS[5])
    assert response.status_code == 409
    assert error_in(response) == "seat 3 does not play"


@pytest.mark.parametrize(
    "body",
    [
        {}, [], None, "undo", {"type": None}, {"type": ["undo"]}, {"type": "UNDO"}, {"type": "reboot"}, b"{", b"\xff",
        b"", {"type": "observe", "racks": {}}, {"type": "unsettled"}, {"type": "hidden", "seats": [1]},
        {"type": "undo", "t": 1.0},
        {"type": "undo", "call": 1}, {"type": "round", "dealer": 5}, {"type": "round", "dealer": "1"},
        {"type": "verdict"}, {"type": "pause", "on": None}, {"type": "correct", "seat": 1, "slot": 24, "card": 3},
        {"type": "call", "seat": 0},
        {"type": "played", "seat": 1, "source": "hand"}, {"type": "played", "seat": 1, "at": "now"}, {"type": "game"},
        b'{"type": "undo", "more": NaN}', b'{"type": "played", "seat": 1, "at": 1e999}', b"[" * 9000,
        b'{"type": "round", "dealer": ' + b"1" * 9000 + b"}", {"type": "game", **GAME, "edition": "x" * 9000},
        {"type": "game", **GAME, "variants": ["x" * 9000]}, {"type": "game", **GAME, "options": {"x" * 9000: 1}},
        {"type": "game", **GAME, "options": {"powers": {"7": "x" * 9000}}},
        {"type": "game", **GAME, "players": [{"seat": 1}] * 500},
        {"type": "game", **GAME, "players": [{"seat": 1, "name": "\ud800"}]},
        {"type": "game", **GAME, "variants": ["partners"]},
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_in_one_short_line(table: Table, body: object) -> None:
    response = table.post("/api/host/order", body)
    assert response.status_code == 400
    assert "x" * 300 not in error_in(response)
    assert table.desk.orders == []


def test_the_choices_are_the_engines_each_with_a_line_of_words(table: Table) -> None:
    said = table.get("/api/host/choices").get_json()
    assert [row["name"] for row in said["editions"]] == list(EDITIONS)
    assert [row["name"] for row in said["variants"]] == list(VARIANTS)
    assert all("\n" not in row["words"] and row["words"].endswith(".") for row in said["editions"] + said["variants"])
    by_name = {row["name"]: row for row in said["variants"]}
    assert by_name["bonus"]["not_with"] == ["quick"]
    assert by_name["quick"]["not_with"] == ["bonus", "bonus-from-four", "partners"]
    assert by_name["bonus-from-four"]["needs"] == "run-of-three"
    assert by_name["classic"]["editions"] == ["hasbro-2006"]
    assert by_name["partners"]["players"] == [4]
    assert EDITION_WORDS.keys() == EDITIONS.keys()
    assert VARIANT_WORDS.keys() == VARIANTS.keys()


def test_each_choice_of_an_option_makes_a_game(table: Table) -> None:
    for option in table.get("/api/host/choices").get_json()["options"]:
        assert option["words"]
        for choice in option["choices"]:
            game = {"type": "game", **GAME, "options": {option["name"]: choice["value"]}}
            assert table.post("/api/host/order", game).status_code == 200


@pytest.mark.parametrize(
    ("edition", "options", "dealer", "words"),
    [
        ("parker-1992", {}, 1, "Ada has the highest card, 17, and deals first"),
        ("retro", {}, 2, "Ben has the lowest card, 4, and deals first"),
        ("retro", {"first_dealer": "highest"}, 1, "Ada has the highest card, 17, and deals first"),
    ],
)
def test_the_cut_says_who_deals_by_the_editions_rule(
    table: Table, edition: str, options: dict[str, str], dealer: int, words: str
) -> None:
    drawn = {"1": 17, "2": 4}
    response = table.post("/api/host/cut", {**GAME, "edition": edition, "options": options, "drawn": drawn})
    assert response.get_json() == {"drawn": drawn, "dealer": dealer, "words": words}
    assert table.desk.orders == [], "nothing is changed"


@pytest.mark.parametrize("drawn", [{}, {"drawn": {}}, {"drawn": None}])
def test_the_program_cuts_where_nobody_has(table: Table, drawn: dict[str, Any]) -> None:
    seen = set()
    for _ in range(40):
        said = table.post("/api/host/cut", {**GAME, **drawn}).get_json()
        cards = {int(seat): card for seat, card in said["drawn"].items()}
        assert cards.keys() == {1, 2}
        assert all(1 <= card <= 40 for card in cards.values()), "two players use forty cards"
        assert said["dealer"] == max(cards, key=lambda seat: cards[seat])
        seen |= set(cards.values())
    assert len(seen) > 15


@pytest.mark.parametrize(
    "body",
    [
        {}, {"edition": "retro"}, {**GAME, "edition": "none"}, {**GAME, "players": 2}, {**GAME, "players": []},
        {**GAME, "more": 1}, {**GAME, "players": [{"seat": 1}]}, {**GAME, "players": [{"seat": 1}, {"seat": 1}]},
        {**GAME, "variants": ["partners"]},
        {**GAME, "drawn": {"1": 17}}, {**GAME, "drawn": {"1": 17, "2": 17}}, {**GAME, "drawn": {"1": 17, "3": 4}},
        {**GAME, "drawn": {"1": 17, "2": 41}}, {**GAME, "drawn": {"1": 17, "2": "4"}},
        {**GAME, "drawn": {"1": 17, "02": 4}},
        {**GAME, "drawn": [17, 4]}, {**GAME, "drawn": {"1": 17, "2": True}}, {**GAME, "drawn": {"1": [], "2": {}}},
        {**GAME, "drawn": {"1": 17, "2": 4, "3": 5}}, {**GAME, "drawn": {"1": 17, "2": 10**4000}},
        {**GAME, "drawn": ""},
    ],
)  # fmt: skip
def test_a_cut_that_cannot_be_is_refused(table: Table, body: object) -> None:
    response = table.post("/api/host/cut", body)
    assert response.status_code == 400
    assert error_in(response)


@pytest.mark.parametrize(
    ("host", "address", "base"),
    [
        ("192.168.1.20:8080", "10.0.0.5", "http://192.168.1.20:8080"), ("racko.example", "10.0.0.5", "http://racko.example"),
        ("localhost:8080", "10.0.0.5", "http://10.0.0.5:8080"), ("localhost", "10.0.0.5", "http://10.0.0.5"),
        ("127.0.0.1:8080", "10.0.0.5", "http://10.0.0.5:8080"), ("[::1]:8080", "fe80::5", "http://[fe80::5]:8080"),
        ("localhost:8080", None, "http://localhost:8080"), ("0.0.0.0:8080", "10.0.0.5", "http://10.0.0.5:8080"),
    ],
)  # fmt: skip
def test_the_seats_addresses_can_be_opened_by_a_phone(host: str, address: str | None, base: str) -> None:
    table = hosted(tables.playing(3), address=address, names=["racko.example"])
    cookie = table.client.get_cookie("racko")
    assert cookie is not None
    table.client = table.app.test_client(use_cookies=False)
    seats = table.get("/api/host/seats", Host=host, Cookie=f"racko={cookie.value}").get_json()
    assert [seat["seat"] for seat in seats] == [1, 2, 3]
    assert seats[0] == {"seat": 1, "name": "Ada", "url": f"{base}/seat/{TOKENS[1]}"}
    assert table.get(f"/seat/{TOKENS[1]}", Host=base.removeprefix("http://")).status_code == 200


def test_before_a_game_all_four_seats_have_addresses() -> None:
    table = hosted(NOTHING_YET)
    assert [seat["name"] for seat in table.get("/api/host/seats").get_json()] == [
        f"Seat {seat}" for seat in (1, 2, 3, 4)
    ]


def test_a_seats_address_comes_as_a_code_of_its_own() -> None:
    table = hosted(tables.playing(3))
    codes = [table.get(f"/api/host/seats/{seat}.svg") for seat in (1, 2, 3)]
    assert [code.status_code for code in codes] == [200] * 3
    assert {code.mimetype for code in codes} == {"image/svg+xml"}
    texts = [code.get_data(as_text=True) for code in codes]
    assert len(set(texts)) == 3
    assert all('fill="#fff"' in text and "<script" not in text and "token" not in text for text in texts)
    for seat in ("4", "0", "5", "x", "01"):
        assert table.get(f"/api/host/seats/{seat}.svg").status_code == 404


def test_a_cameras_picture_comes_by_its_name_whatever_the_name(table: Table) -> None:
    table.desk.tell_host(cameras=CAMERAS)
    table.desk.camera_pictures = {"tray": JPEG, "left / Ben's": b"\xff\xd8\xff another", "../secret": b"no camera"}
    response = table.get("/api/host/cameras/tray.jpg")
    assert (response.mimetype, response.data, response.headers["Cache-Control"]) == ("image/jpeg", JPEG, "no-store")
    assert table.get("/api/host/cameras/left%20%2F%20Ben's.jpg").data == b"\xff\xd8\xff another"


@pytest.mark.parametrize(
    "name",
    [
        "nothing", "..", ".", "../secret", "..%2fsecret", "%2e%2e%2fsecret", "..%5csecret", "/etc/passwd",
        "%2fetc%2fpasswd", "tray%00",
        "tray/..", "./tray", "TRAY", "tray.jpg", "%ff", "%c0%ae%c0%ae/secret", "a" * 3000, "tray%0d%0aX-Other:%201", "",
    ],
)  # fmt: skip
def test_no_name_leads_out_of_the_cameras(table: Table, name: str) -> None:
    table.desk.tell_host(cameras=CAMERAS)
    table.desk.camera_pictures = {"tray": JPEG, "../secret": b"no camera", "": b"no camera"}
    response = table.get(f"/api/host/cameras/{name}.jpg")
    assert response.status_code == 404
    assert error_in(response)
    assert table.desk.cameras_asked == [], "only a camera that there is is asked for"


def test_a_camera_without_a_picture_has_none(table: Table) -> None:
    table.desk.tell_host(cameras=CAMERAS)
    assert table.get("/api/host/cameras/tray.jpg").status_code == 404


def test_the_game_is_numbered_as_in_the_history(table: Table) -> None:
    assert table.get("/api/host/state").get_json()["board"]["game"] == 0
    table.desk.games = tables.evening()
    assert table.get("/api/host/state").get_json()["board"]["game"] == 2
