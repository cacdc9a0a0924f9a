"""Cameras are pulled out at random and put back: does the score stay right?

    python -m tests.faults.pulls [--evenings 40] [--seed 1] [--stuck SECONDS]

The recorded round is held before live cameras by a clock that stands still. Each camera is pulled some times, for some
seconds to half a minute, and put back; also while turns are played. With `--stuck` the cameras send pictures all the
time, and one that is pulled is called gone only so many seconds after its last. Printed are the rounds whose score came
out right, those in which the verdict waited for a rack to be shown (it is shown then), those that came out wrong, and
those in which somebody was accused of anything: all play by the rules.
"""

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass

from engine.events import Event, Violation
from engine.snapshot import Snapshot
from tests.device.live_table import ENTRIES, SCORES, LiveTable, time_of

LENGTH = max(map(time_of, ENTRIES))

RATE = 5.0
"""Pictures a second of a camera that sends them all the time."""

Away = Sequence[tuple[str, float, float]]
"""Which cameras are pulled, with the seconds of the round from when and until when."""


@dataclass
class Toll:
    """What a number of evenings came to."""

    evenings: int = 0
    pulls: int = 0
    right: int = 0
    waited: int = 0
    wrong: int = 0
    accused: int = 0

    def __str__(self) -> str:
        return (
            f"{self.pulls} pulls in {self.evenings} rounds: {self.right} scores right ({self.waited} after a rack was"
            f" shown again), {self.wrong} wrong, {self.accused} rounds with somebody accused"
        )


def pulled(
    evenings: int, seed: int = 1, cameras: Sequence[str] = ("tray", "rack1", "rack2"), stuck: float | None = None
) -> Toll:
    """Play so many rounds, pulling those cameras."""
    chance, toll = random.Random(seed), Toll()
    for _ in range(evenings):
        away = [
            (name, start, start + chance.uniform(2.0, 30.0))
            for name in cameras
            for start in (chance.uniform(0.0, LENGTH) for _ in range(chance.randint(1, 2)))
        ]
        _one_round(away, toll, stuck)
    return toll


def _one_round(away: Away, toll: Toll, stuck: float | None) -> None:
    accused: list[Event] = []

    def hear(_: Snapshot, events: Sequence[Event]) -> None:
        accused.extend(event for event in events if isinstance(event, Violation))

    table = LiveTable(None, [hear], 0.0 if stuck is None else RATE)
    table.start()
    if stuck is None:
        _at_once(table, away)
    else:
        _stuck(table, away, stuck)
    toll.evenings += 1
    toll.pulls += len(away)
    if table.evening.board.phase == "checking":
        toll.waited += 1
        for camera in table.cameras.values():
            camera.state, camera.stuck = "live", False
        table.show_again()
    toll.right += table.totals == SCORES
    toll.wrong += table.totals not in (SCORES, dict.fromkeys(SCORES, 0))
    toll.accused += bool(accused)


def _at_once(table: LiveTable, away: Away) -> None:
    """Play the round; that a camera is pulled is known at once, and pictures come when something changes."""

    def shows(name: str, t: float) -> bool:
        for camera in table.cameras.values():
            gone = any(camera.name == other and start <= t < end for other, start, end in away)
            camera.state = "gone" if gone else "live"
        return table.cameras[name].state == "live"

    table.play(ENTRIES, shows=shows, back=True)


def _stuck(table: LiveTable, away: Away, stuck: float) -> None:
    """Play the round; pictures come all the time, and a camera that is pulled is called gone some seconds later."""

    def go_round() -> bool:
        t = table.clock.now - table.began
        for camera in table.cameras.values():
            since = max((start for name, start, end in away if name == camera.name and start <= t < end), default=t)
            camera.stuck = since < t
            camera.state = "gone" if t - since > stuck else "live"
        return table.loop.step()

    table.go_round = go_round
    table.play(ENTRIES)
    table.go_round = table.loop.step


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--evenings", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stuck", type=float, metavar="SECONDS", help="until a camera that is pulled is called gone")
    options = parser.parse_args()
    print(pulled(options.evenings, options.seed, stuck=options.stuck))  # noqa: T201 - this is what it is for
