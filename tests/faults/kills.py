"""The plug is pulled at random moments of an evening: is anything lost that was acknowledged?

    python -m tests.faults.kills [--times 200] [--seed 1]

The real program plays the recorded round in quick motion; the host says something now and then. It is killed (SIGKILL)
and started again, until it was killed so often; when the round is over another one is begun. Printed are the kills,
what was acknowledged (shown on the page, or answered to the host), what of it was lost, and the rounds that came out
wrong.
"""

import argparse
import random
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from device.evening.journal import Journal
from device.sessions.truth import differences
from engine.events import spoken
from engine.lines import Pause
from tests.device.recorded import truth
from tests.device.running import Running

SPEED = 25.0
"""How much faster than recorded it is played: a round takes some seconds, and each life of the program shows some."""


@dataclass
class Toll:
    """What a number of kills came to."""

    kills: int = 0
    rounds: int = 0
    acknowledged: int = 0
    orders: int = 0
    lost: int = 0
    wrong: int = 0
    notes: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.kills} kills in {self.rounds} rounds: {self.acknowledged} events shown and {self.orders} orders"
            f" acknowledged, {self.lost} lost; {self.wrong} rounds with another score or other turns"
            + "".join(f"\n   {note}" for note in self.notes)
        )


def killed(times: int, seed: int = 1) -> Toll:
    """Kill the program so often."""
    chance, toll = random.Random(seed), Toll()
    while toll.kills < times:
        with tempfile.TemporaryDirectory() as folder:
            _one_round(Path(folder), chance, toll, times)
        toll.rounds += 1
    return toll


def _one_round(folder: Path, chance: random.Random, toll: Toll, times: int) -> None:
    shown, pauses = 0, 0
    while True:
        program = Running(folder, speed=SPEED)
        state = program.until(lambda state: bool(state["version"]))
        toll.lost += state["version"] < shown
        last = toll.kills >= times
        if not last and state["phase"] == "playing":
            shown, more = _lived(program, state, chance)
            toll.acknowledged += 1
            toll.orders += more
            pauses += more
            program.kill()
            toll.kills += 1
            continue
        program.until(lambda state: state["phase"] == "round-over")
        program.kill()
        break
    entries = _entries(folder)
    toll.lost += sum(isinstance(entry.line, Pause) for entry in entries if entry.kind == "line") != pauses
    events = [entry.event for entry in entries if entry.kind == "event"]
    found = differences([said for event in events if (said := spoken(event))], truth())
    toll.wrong += bool(found)
    toll.notes += found


def _lived(program: Running, state: dict[str, Any], chance: random.Random) -> tuple[int, int]:
    """Let the program live for a moment; return the version that was shown last, and the orders acknowledged."""
    orders = 0
    if chance.random() < 0.3:
        # A pause that is over at once: it changes nothing of the round, and stands in the journal.
        for on in (True, False):
            orders += program.order(type="pause", on=on)[0] == 200
    time.sleep(chance.uniform(0.0, 0.25))
    return max(state["version"], program.state()["version"]), orders


def _entries(folder: Path) -> list[Any]:
    (path,) = (folder / "racko").glob("ada-and-ben-*.sqlite")
    journal = Journal(path, lambda: "")
    try:
        return list(journal.last_game())
    finally:
        journal.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(killed(options.times, options.seed))  # noqa: T201 - this is what it is for
