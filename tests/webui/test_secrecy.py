"""While a round is on no rack's card leaves by any address but its own seat's, whatever the desk tells the pages."""

import logging
import re
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from flask.testing import FlaskClient

from engine.cards import Card, Seat
from tests.webui.clients import JPEG, Table, hosted
from tests.webui.desks import SECRETS, TOKENS, FakeDesk
from tests.webui.leaky import MARK, ROUNDS, WAY, Leaky
from webui.app import create_app
from webui.guard import CSRF_HEADER

FILLED = {
    "<token>": list(TOKENS.values()), "<seat:seat>": ["1", "2", "3"], "<path:name>": ["tray"],
    "<number:game>": ["1"], "<number:played>": [str(number) for number in range(1, ROUNDS + 2)],
}  # fmt: skip
"""What is put in place of what is open in an address."""


def cards_in(text: str) -> set[Card]:
    return {int(found) for found in re.findall(r"(?<!\d)700\d{4}(?!\d)", text)}


def addresses(rules: list[str]) -> Iterator[str]:
    """Each address with everything put into it that there is."""
    for rule in rules:
        made = [rule]
        for place, values in FILLED.items():
            made = [one.replace(place, value) for one in made for value in (values if place in one else [""])]
        yield from made


def said_at(client: FlaskClient, address: str) -> str:
    """All that an address says; of a stream what comes first."""
    response = client.get(address, buffered=False)
    text = b""
    for part in response.iter_encoded():
        text += part
        if response.mimetype == "text/event-stream" and b"\ndata:" in text:
            break
    response.close()
    headers = str(response.headers)
    return headers + text.decode("latin-1")


def may_see(address: str, racks: dict[Seat, list[Card]]) -> set[Card]:
    """The rack cards that may stand at an address: on a seat's own page its own."""
    for seat, token in TOKENS.items():
        if address.startswith(f"/api/seats/{token}/"):
            return set(racks.get(seat, []))
    return set()


@pytest.mark.slow
def test_no_get_address_tells_a_rack_in_any_phase_of_a_whole_game_but_the_owners(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    game = Leaky(Random(5))
    app = create_app(game.desk, SECRETS)
    stranger, host = app.test_client(), app.test_client()
    assert host.post("/api/session", json={"pin": SECRETS.pin}).status_code == 200
    rules = sorted(
        {rule.rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())} - {"/static/<path:filename>"}
    )
    every = list(addresses(rules))
    assert not any("<" in address for address in every), "an address is not asked for; say in FILLED how"
    seen, own = Counter[str](), Counter[Seat]()
    for step in game.steps():
        seen[game.board.phase] += 1
        secret = {card for rack in game.racks.values() for card in rack}
        for address in every:
            for client in (stranger, host):
                told = cards_in(said_at(client, address)) & secret
                allowed = may_see(address, dict(game.racks))
                assert told <= allowed, f"{address} tells {told - allowed} at {step}"
                own.update(seat for seat in WAY.seats if told and TOKENS[seat] in address)
        assert not cards_in(caplog.text) & secret
    assert set(seen) == {"waiting", "playing", "checking", "round-over", "game-over"}
    assert set(own) == set(WAY.seats), "each player sees the own doubts"
    assert len(cards_in(said_at(stranger, "/api/history"))) > 30, "what is over is told"
    assert len(cards_in(said_at(stranger, "/api/state"))) >= 30
    assert not any(token in caplog.text for token in TOKENS.values())


def test_no_answer_to_what_is_sent_tells_a_rack_while_the_round_is_on() -> None:
    game = Leaky(Random(6))
    app = create_app(game.desk, SECRETS)
    host = app.test_client()
    csrf = host.post("/api/session", json={"pin": SECRETS.pin}).get_json()["csrf"]
    sent = [
        ("/api/call", {"seat": 9}), ("/api/host/order", {"type": "correct", "seat": 1, "slot": 5, "card": 99}),
        ("/api/host/order", {"type": "observe"}), ("/api/host/cut", {}), ("/api/session", {"pin": "1"}),
        (f"/api/seats/{TOKENS[1]}/correct", {"slot": 5}), (f"/api/seats/{TOKENS[1]}/call", {}),
    ]  # fmt: skip
    for step in game.steps():
        secret = {card for rack in game.racks.values() for card in rack}
        for address, body in sent:
            answer = host.post(address, json=body, headers={CSRF_HEADER: csrf}).get_data(as_text=True)
            assert not cards_in(answer) & secret, f"{address} at {step}"


def test_no_address_but_the_hosts_list_of_seats_tells_a_token() -> None:
    table = hosted()
    for rule in table.app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or rule.arguments:
            continue
        said = said_at(table.client, rule.rule)
        tokens = {seat for seat, token in TOKENS.items() if token in said}
        assert tokens == ({1, 2, 3, 4} if rule.rule == "/api/host/seats" else set()), rule.rule


@pytest.mark.parametrize("card", [MARK + 12])
def test_what_was_sent_is_not_said_again_at_length(card: Card) -> None:
    table = Table(FakeDesk().board.latest())
    for body in ({"slot": str(card) * 500, "card": 1}, {"slot": [card] * 500, "card": 1}, {str(card) * 500: 1}):
        said = table.seat_post(1, "correct", body).get_data(as_text=True)
        assert len(said) < 320
    assert len(table.post("/api/session", {"pin": str(card) * 500}).get_data()) < 100
    assert str(card) not in table.post("/api/session", {"pin": str(card)}).get_data(as_text=True)
    assert JPEG not in table.seat_post(1, "pictures", JPEG, kind="image/gif").data
