"""Racks are secret until the round is over: every address is asked after every line of a round."""

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from device.evening import Evening
from device.journal import Journal
from device.run import log_audience
from engine.board import NOTHING_YET
from engine.events import RoundEnd
from tests.device.recorded import true_lines
from tests.device.running import Running
from webui.app import create_app
from webui.stream import Stream

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


def answers(app: Flask, client: FlaskClient) -> Iterator[tuple[str, Any]]:
    """What every address of the application that can be asked says now."""
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or rule.arguments:
            continue
        answer = client.get(rule.rule, buffered=False)
        if answer.mimetype == "text/event-stream":
            text = b""
            for part in answer.iter_encoded():
                text += part
                if b"data:" in text:
                    break
            answer.close()
            yield rule.rule, json.loads(text.split(b"data:", 1)[1])
        else:
            yield rule.rule, answer.get_json(silent=True) or answer.get_data(as_text=True)
    yield "an error", client.get("/api/racks").get_data(as_text=True)
    yield "a refused call", client.post("/api/call", json={"seat": 9}).get_data(as_text=True)


def test_no_address_and_no_log_line_tells_a_racks_card_before_the_round_is_over(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    stream = Stream(NOTHING_YET)
    app = create_app(stream, lambda _: None)
    client = app.test_client()
    page = {str(number) for number in range(1, 61)} & set(re.findall(r"\d+", client.get("/").get_data(as_text=True)))
    journal = Journal(tmp_path / "j.sqlite", lambda: "2026-01-01T20:00:00")
    evening = Evening(journal, [lambda board, _: stream.publish(board), log_audience])
    asked, over = 0, False
    for line, racks in true_lines():
        logged = len(caplog.records)
        over = over or any(isinstance(event, RoundEnd) for event in evening.take(line))
        if over:
            break
        # A card just taken from the discard pile was seen by all, and the turn may not be certain yet.
        secret = {card for rack in racks.values() for card in rack} - {evening.board.discard}
        for address, said in answers(app, client):
            told = numbers(said) & secret
            asked += 1
            if address == "/":
                told -= {int(number) for number in page}  # the page itself is the same, whatever the racks hold
            elif address == "a refused call":
                told -= {9, 400}
            assert not told, f"{address} tells {told} of a rack, at {line}"
        for record in caplog.records[logged:]:
            assert not set(re.findall(r"\d+", record.getMessage())) - {"1", "2"}, record.getMessage()
    assert over
    assert asked > 400
    shown = [[place["card"] for place in rack["cards"]] for rack in client.get("/api/state").get_json()["racks"]]
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
