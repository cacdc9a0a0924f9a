import random
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from device.evening.journal import Journal
from engine.events import RoundEnd, TurnPlayed
from tests.device.recorded import true_events
from tests.device.running import Running


def has_come(wanted: int, state: dict[str, Any]) -> bool:
    return bool(state["version"] >= wanted or state["phase"] != "playing")


@pytest.mark.slow
def test_a_program_killed_again_and_again_plays_the_same_game_to_the_same_end(tmp_path: Path) -> None:
    chance = random.Random(7)
    acknowledged, kills = 0, 0
    while True:
        program = Running(tmp_path)
        shown = program.until(lambda state: bool(state["version"]))
        assert shown["version"] >= acknowledged, "something that was shown is lost"
        if kills == 6:
            break
        wanted = shown["version"] + chance.randint(1, 25)
        reached = program.until(partial(has_come, wanted))
        acknowledged = reached["version"]
        program.kill()
        if reached["phase"] == "round-over":
            break
        kills += 1
    if kills == 6:
        program.until(lambda state: state["phase"] == "round-over")
        program.end()
    assert kills >= 3
    (path,) = (tmp_path / "racko").glob("ada-and-ben-*.sqlite")
    journal = Journal(path, lambda: "")
    entries = list(journal.last_game())
    assert len(entries) == journal.last_number(), "a second game was begun"
    events = [entry.event for entry in entries if entry.kind == "event"]
    turns = [event.turn for event in events if isinstance(event, TurnPlayed)]
    assert [(turn.seat, turn.card, turn.slot, turn.discarded) for turn in turns] == [
        (said["seat"], said["card"], said["slot"], said["discarded"]) for said in true_events("turn")
    ]
    (end,) = [event for event in events if isinstance(event, RoundEnd)]
    assert {str(seat): score.points for seat, score in end.scores.items()} == true_events("round_end")[0]["scores"]


@pytest.mark.slow
def test_a_program_that_is_asked_to_end_ends_cleanly(tmp_path: Path) -> None:
    program = Running(tmp_path)
    program.until(lambda state: bool(state["plays"]))
    assert program.end() == 0
    assert "Traceback" not in program.logged()
