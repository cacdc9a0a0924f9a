"""Cameras are pulled out at random and put back: does the score stay right?

    python -m tests.faults.pulls [--evenings 40] [--seed 1]

The recorded round is held before live cameras by a clock that stands still. Each camera is pulled some times, for some
seconds to half a minute, and put back; also while turns are played. Printed are the rounds whose score came out right,
those in which the verdict waited for a rack to be shown (it is shown then), and those that came out wrong.
"""

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass

from tests.device.live_table import ENTRIES, SCORES, LiveTable, time_of

LENGTH = max(map(time_of, ENTRIES))


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


def pulled(evenings: int, seed: int = 1, cameras: Sequence[str] = ("tray", "rack1", "rack2")) -> Toll:
    """Play so many rounds, pulling those cameras."""
    chance, toll = random.Random(seed), Toll()
    for _ in range(evenings):
        away = [
            (name, start, start + chance.uniform(2.0, 30.0))
            for name in cameras
            for start in (chance.uniform(0.0, LENGTH) for _ in range(chance.randint(1, 2)))
        ]
        _one_round(away, toll)
    return toll


def _one_round(away: Sequence[tuple[str, float, float]], toll: Toll) -> None:
    table = LiveTable()
    table.start()

    def shows(name: str, t: float) -> bool:
        for camera in table.cameras.values():
            gone = any(camera.name == other and start <= t < end for other, start, end in away)
            camera.state = "gone" if gone else "live"
        return table.cameras[name].state == "live"

    table.play(ENTRIES, shows=shows, back=True)
    toll.evenings += 1
    toll.pulls += len(away)
    if table.evening.board.phase == "checking":
        toll.waited += 1
        for camera in table.cameras.values():
            camera.state = "live"
        table.show_again()
    toll.right += table.totals == SCORES
    toll.wrong += table.totals not in (SCORES, dict.fromkeys(SCORES, 0))
    toll.accused += bool(table.evening.board.notices)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--evenings", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(pulled(options.evenings, options.seed))  # noqa: T201 - this is what it is for
