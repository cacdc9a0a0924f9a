"""Racks are secret until the round is over: every address is asked after every line of a round."""

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from device.evening.history import History
from device.evening.journal import Journal
from device.evening.keeper import Evening
from device.loop.run import log_audience
from device.pages.desk import TableDesk
from engine.cards import Seat
from engine.events import Event, RoundEnd
from engine.lines import Line
from tests.device.recorded import true_lines
from tests.device.running import Running
from tests.webui.desks import PIN, SECRETS, TOKENS
from webui.app import create_app

NOT_CARDS = (
    "version",
    "number",
    "seat",
    "total",
    "points",
    "target",
    "round",
    "dealer",
    "to_move",
    "called_by",
    "about",
    "game",
    "highest",
    "next_dealer",
    "open_slots",
    "picture",
    "began",
    "csrf",
    "tally",
    "why",
)
"""Keys whose numbers are never a card; `about` says the round and the target in words."""


def numbers(said: object) -> set[int]:
    """Every number in a JSON value, in its texts too, that could be a card."""
    match said:
        case dict():
            return {found for key, value in said.items() if key not in NOT_CARDS for found in numbers(value)}
        case list():
            return {found for value in said for found in numbers(value)}
        case bool() | None:
            return set()
        case int():
            return {said}
        case _:
            return {int(found) for found in re.findall(r"\d+", str(said))}


class Table:
    """An evening with all its doors: the pages, the host's session, each seat's page."""

    def __init__(self, folder: Path) -> None:
        self.desk = TableDesk("live", None, lambda: "2026-01-01T20:00:00", History())
        self.app = create_app(self.desk, SECRETS)
        self.client = self.app.test_client()
        journal = Journal(folder / "j.sqlite", lambda: "2026-01-01T20:00:00")
        self.evening = Evening(journal, [lambda _, events: self.desk.hear(self.evening, events), log_audience])
        assert self.client.post("/api/session", json={"pin": PIN}).status_code == 200

    def take(self, line: Line) -> list[Event]:
        events = self.evening.take(line)
        self.desk.tell_host(self.evening)
        return events

    def answers(self) -> Iterator[tuple[str, Seat | None, Any]]:
        """What every address says now, each with the seat whose own it is; the host asks, who is a player too."""
        for rule in self.app.url_map.iter_rules():
            if "GET" not in (rule.methods or ()) or "static" in rule.rule:
                continue
            for seat in (1, 2) if "token" in rule.arguments else (None,):
                given = {"game": "1", "played": "1", "seat": "1", "name": "tray", "token": TOKENS[seat or 1]}
                parts = re.split(r"<(?:\w+:)?(\w+)>", rule.rule)
                yield rule.rule, seat, self._asked("".join(given.get(part, part) for part in parts))
        yield "an error", None, self._asked("/api/racks")
        yield "a refused call", None, self.client.post("/api/call", json={"seat": 9}).get_data(as_text=True)

    def _asked(self, address: str) -> Any:  # noqa: ANN401 - decoded JSON, or text
        answer = self.client.get(address, buffered=False)
        if answer.mimetype == "text/event-stream":
            text = b""
            for part in answer.iter_encoded():
                text += part
                if b"data:" in text:
                    break
            answer.close()
            return json.loads(text.split(b"data:", 1)[1])
        return answer.get_json(silent=True) or answer.get_data(as_text=True)


STANDS = ("/", "/host", "/seat/<token>", "/api/openapi.json", "/api/host/choices", "/api/host/seats", "/api/session")
"""Addresses whose answers are the same whatever the racks hold (tested here too), numbers and all."""


@pytest.mark.slow
def test_no_address_and_no_log_line_tells_a_racks_card_before_the_round_is_over(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    table = Table(tmp_path)
    stand = {(address, seat): said for address, seat, said in table.answers() if address in STANDS}
    asked, over = 0, False
    for line, racks in true_lines():
        logged = len(caplog.records)
        over = over or any(isinstance(event, RoundEnd) for event in table.take(line))
        if over:
            break
        # A card just taken from the discard pile was seen by all, and the turn may not be certain yet.
        secret = {card for rack in racks.values() for card in rack} - {table.evening.board.discard}
        for address, seat, said in table.answers():
            asked += 1
            if address in STANDS and address not in ("/api/session", "/api/host/seats"):
                assert said == stand[address, seat], address
                continue
            if address in STANDS or address.endswith(".svg"):
                continue  # tokens and squares, made of the secrets alone
            own = set(racks.get(str(seat), ()))
            told = numbers(said) & (secret - own)
            if address == "a refused call":
                told -= {9, 400, 403}
            assert not told, f"{address} tells {told} of a rack, at {line}"
        for record in caplog.records[logged:]:
            assert not set(re.findall(r"\d+", record.getMessage())) - {"1", "2"}, record.getMessage()
    assert over
    assert asked > 1000
    shown = [[place["card"] for place in rack["cards"]] for rack in table.client.get("/api/state").get_json()["racks"]]
    assert shown[1] == [3, 9, 10, 19, 20, 22, 25, 28, 34, 40], "once the round is over the racks are shown"


@pytest.mark.slow
def test_the_running_program_prints_and_logs_no_card(tmp_path: Path) -> None:
    program = Running(tmp_path)
    program.until(lambda state: state["phase"] == "round-over")
    program.end()
    rows = [re.sub(r"^\d\d:\d\d:\d\d ", "", row) for row in program.logged().splitlines()]
    assert rows
    allowed = re.compile(
        r"panel: .*|round 1 begins|RACK-O is called by seat [12]|the round is over: seat 2 went out"
        r"|more of the deck.s look was learnt from this round"
    )
    assert [row for row in rows if not allowed.fullmatch(row)] == []
