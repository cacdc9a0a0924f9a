"""Counts right, not sure and silently wrong by what stands there, ours beside a baseline; as rows of Markdown."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from vision.figures.reliability import Reliability
from vision.figures.truth import State
from vision.fuse import best, sure
from vision.look import Reading

KINDS: Final[Mapping[str, str]] = {
    "card": "cards in racks",
    "empty": "empty slots",
    "back": "cards turned round",
    "in view": "numbers in view in racks partly out of it",
    "partly": "other slots of these racks",
    "discard": "discard piles",
    "no discard": "empty discard piles",
    "draw": "draw piles, there or used up",
    "figure": "single figures, cut as on a card",
    "number": "numbers of two figures, cut as on a card",
    "loose figure": "single figures, loose cut-outs",
    "loose number": "numbers of two figures, loose cut-outs",
}
"""Kinds of places, in the order of their rows, and their words."""
HEADER: Final = (
    "| | | count | right | not sure | silently wrong | Tesseract right | Tesseract silently wrong |",
    "|---|---|---|---|---|---|---|---|",
)


@dataclass
class Tally:
    """Outcomes of one kind of place."""

    right: int = 0
    unsure: int = 0
    wrong: int = 0

    @property
    def total(self) -> int:
        """How many were counted."""
        return self.right + self.unsure + self.wrong

    def count(self, truth: State, told: State | None) -> str | None:
        """Count one place; `told` is None for "not sure". Give words on what was not right, None where it was."""
        if told == truth:
            self.right += 1
            return None
        if told is None:
            self.unsure += 1
            return f"{_words(truth)}, not sure"
        self.wrong += 1
        return f"{_words(truth)}, silently wrong ({_words(told)})"


@dataclass
class Figures:
    """What one folder has come to: its name, how much was judged in words, and outcomes by kind.

    `plain` is the baseline's part, `said` how surely anything was named, `seconds` processor time a look.
    """

    name: str
    amount: str
    ours: defaultdict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    plain: defaultdict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    said: Reliability = field(default_factory=Reliability)
    seconds: list[float] = field(default_factory=list)
    misses: list[str] = field(default_factory=list)

    def weigh(self, kind: str, where: str, truth: State, reading: Reading) -> None:
        """Count one place by its reading."""
        state, card, chance = best(reading)
        self.said.add(chance, right=(state, card) == truth)
        self.count(kind, where, truth, sure(reading))

    def count(self, kind: str, where: str, truth: State, told: State | None) -> None:
        """Count one place by what was told; None is "not sure"."""
        words = self.ours[kind].count(truth, told)
        if words is not None:
            self.misses.append(f"{self.name} {where}: {words}")

    def count_plain(self, kind: str, card: int, told: int | None) -> None:
        """Count what the baseline made of one card."""
        self.plain[kind].count(("card", card), None if told is None else ("card", told))

    def rows(self) -> Iterator[str]:
        """Give a row of Markdown for each kind that was there."""
        first = f"{self.name}, {self.amount}"
        for kind, words in KINDS.items():
            if kind in self.ours:
                ours, plain = self.ours[kind], self.plain.get(kind, Tally())
                cells = [first, words, str(ours.total), _share(ours.right, ours), _share(ours.unsure, ours)]
                cells += [f"{ours.wrong} ({_share(ours.wrong, ours)})" if ours.wrong else "0"]
                cells += [_share(plain.right, plain), _share(plain.wrong, plain)]
                yield f"| {' | '.join(cells)} |"
                first = ""


def _share(part: int, tally: Tally) -> str:
    """Give a share in words; a little of something is never 0 %, and not quite all never 100 %."""
    if not tally.total:
        return "-"
    percent = 100 * part / tally.total
    digits = 1 if 0.05 <= percent < 99.95 else 3
    return f"{percent:.0f} %" if part in {0, tally.total} else f"{percent:.{digits}f} %"


def _words(state: State) -> str:
    return f"card {state[1]}" if state[1] is not None else state[0]
