"""`racko simulate`: writes a session of a simulated table, with its truth."""

import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from device.simulated.cheats import RULES
from device.simulated.filming import SIZES, Film, Plan
from device.simulated.games import Setup
from device.simulated.players import LEVELS
from device.simulated.writing import Written, write_session
from engine.errors import BadInput
from engine.variants import rules_for
from vision.drawing.curls import HIGHEST

MOST_NUDGED = 5.0
"""A rack that is pushed farther, again and again, leaves its mat."""

PRINTED: Final = (0.85, 1.1)
"""Printers shrink a page to 88 % at least, and enlarge it hardly."""


@dataclass(frozen=True)
class Wishes:
    """What the command line asks for; see `racko simulate --help`."""

    players: int = 2
    edition: str = "parker-1992"
    seed: int = 1
    rounds: int = 1
    turns: int = 400
    variants: Sequence[str] = ()
    level: str = "fair"
    cheat: Sequence[str] = ()
    size: str = "720p"
    hands: float = 1.0
    shuffle: bool = False
    nudged: float = 0.0
    manners: float = 0.0
    printed: float = 1.0
    unrest: float = 0.0
    curled: float = 0.0
    no_fonts: bool = False

    def plan(self) -> Plan:
        """Make a plan of it. Raises BadInput for what cannot be, naming the option."""
        rules_for(self.edition, self.players, self.variants)
        for option, least, value in (("rounds", 1, self.rounds), ("turns", 1, self.turns)):
            if value < least:
                raise BadInput(f"--{option} {value}: choose {least} or more")
        for option, share in (("hands", self.hands), ("manners", self.manners), ("unrest", self.unrest)):
            if not 0 <= share <= 1:
                raise BadInput(f"--{option} {share:g}: is a share; choose 0 to 1")
        for option, most, way in (("nudged", MOST_NUDGED, self.nudged), ("curled", HIGHEST, self.curled)):
            if not 0 <= way <= most:
                raise BadInput(f"--{option} {way:g}: is in mm; choose 0 to {most:g}")
        if not PRINTED[0] <= self.printed <= PRINTED[1]:
            raise BadInput(f"--printed {self.printed:g}: is a share; choose {PRINTED[0]:g} to {PRINTED[1]:g}")
        level = _one_of("--level", self.level, LEVELS)
        setup = Setup(
            (level,) * self.players, self.edition, tuple(self.variants),
            at_once=bool(self.seed % 2), shuffle=self.shuffle, most_rounds=self.rounds, most_turns=self.turns,
        )  # fmt: skip
        cheats = tuple(_one_of("--cheat", rule, RULES) for rule in self.cheat)
        size = _one_of("--size", self.size, tuple(SIZES))
        return Plan(
            setup, self.seed, cheats, size,
            self.hands, not self.no_fonts, self.nudged, self.manners, self.printed, self.unrest,
            self.curled,
        )  # fmt: skip


T = TypeVar("T", bound=str)


def _one_of(option: str, value: str, choices: Sequence[T]) -> T:
    for choice in choices:
        if value == choice:
            return choice
    raise BadInput(f"{option} {value!r}: is not known; choose among {', '.join(choices)}")


@dataclass
class Progress:
    """Tells on standard error how far the drawing has come: on a terminal as it goes, elsewhere now and then."""

    began: float
    told: float = 0.0

    def tell(self, written: Written) -> None:
        """Tell once a second; where nobody watches, every half minute."""
        now, watched = time.monotonic(), sys.stderr.isatty()
        if now - max(self.told, self.began) < (1 if watched else 30):
            return
        self.told = now
        start, end = ("\r", "") if watched else ("", "\n")
        print(f"{start}{self.words(written)}", end=end, file=sys.stderr, flush=True)

    def words(self, written: Written) -> str:
        """Say what there is by now."""
        seconds = time.monotonic() - self.began
        return f"{written.pictures} pictures, {written.turns} turns, {written.bytes / 1e6:.1f} MB in {seconds:.0f} s"


def simulate(folder: Path, wishes: Wishes, *, as_json: bool) -> int:
    """Play and film a game, and write it down; return the exit code. Raises BadInput for what cannot be."""
    progress = Progress(time.monotonic())
    written = write_session(folder, Film(wishes.plan()), progress.tell)
    if sys.stderr.isatty():
        print("\r", end="", file=sys.stderr)
    if as_json:
        seconds = round(time.monotonic() - progress.began, 1)
        print(json.dumps({"session": str(folder), **vars(written), "seconds": seconds}))
    else:
        print(f"{folder}: {progress.words(written)}; racko replay {folder} --check plays it")
    return 0
