"""`racko bench`: how fast the referee is, and how much memory it takes, as ratios that hold on a busy machine too."""

import json
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING, Final

from device.measuring.workloads import (
    SLICES,
    Memory,
    Work,
    chess_moves,
    lines_of_games,
    looking,
    looking_through_json,
    memory_of,
    milliseconds_a_picture,
)
from device.tables import RECORDED
from engine.errors import BadInput
from engine.events import Json

if TYPE_CHECKING:
    from device.measuring.latency import Delays
    from device.measuring.sights import SightCosts
    from device.measuring.whole import WholeCosts

TABLES: Final = ((2, 0.0), (4, 0.0), (2, 0.25), (4, 0.25))
"""Players, and the chance of each place not to be seen in a look."""

MOST_SECONDS: Final = 3600.0
MOST_LOOKS: Final = 10_000_000
MOST_LAPS: Final = 1000
TABLE_SEED: Final = 1
FEWEST_LOOKS: Final = 10
"""Fewer looks have no tenth to take the average over."""


@dataclass(frozen=True)
class Spread:
    """A median, and the range that the middle half of the values lies in."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        """Take the spread of one value or more."""
        if len(values) < 2:
            return cls(values[0], values[0], values[0])
        low, _, high = quantiles(values, n=4, method="inclusive")
        return cls(median(values), low, high)

    def rounded(self) -> Json:
        """Write it with as many digits as mean anything."""
        return {name: float(f"{value:.4g}") for name, value in asdict(self).items()}


@dataclass(frozen=True)
class Speed:
    """How fast one kind of table goes. Rates are looks a second of processor time.

    json_cost: a look through JSON lines against one through objects. chess_moves: as many of them cost what one look
    does; None without python-chess.
    """

    players: int
    unseen: float
    rate: Spread
    json_rate: Spread
    json_cost: Spread
    chess_moves: Spread | None


def lap(works: Sequence[Work], clock: Callable[[], float] = time.process_time) -> list[float]:
    """Do a lap of each work, slice by slice and by turns; return the seconds that one unit of each took."""
    spent = [0.0] * len(works)
    for number in range(SLICES):
        for place, work in enumerate(works):
            began = clock()
            work.do(number)
            spent[place] += clock() - began
    return [seconds / work.size for seconds, work in zip(spent, works, strict=True)]


def rate(laps: Sequence[Sequence[float]], one: int) -> Spread:
    """Units a second of a work, over all laps."""
    return Spread.of([1 / costs[one] for costs in laps])


def ratio(laps: Sequence[Sequence[float]], one: int, other: int) -> Spread:
    """How many units of another work cost what a unit of this one does, lap by lap."""
    return Spread.of([costs[one] / costs[other] for costs in laps])


class Progress:
    """Tells on standard error how far the measuring is: in one line that changes, or a line a phase if nobody looks."""

    def __init__(self) -> None:
        """Look whether standard error is a terminal."""
        self._alive = sys.stderr.isatty()

    def phase(self, words: str) -> None:
        """Something else begins."""
        if self._alive:
            self.count(words)
        else:
            print(f"racko bench: {words}", file=sys.stderr, flush=True)

    def count(self, words: str) -> None:
        """Say how far it is; in a terminal only."""
        if self._alive:
            print(f"\rracko bench: {words:60}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Clear the line."""
        if self._alive:
            print(f"\r{'':73}\r", end="", file=sys.stderr, flush=True)


@dataclass(frozen=True)
class Report:
    """All that was measured; None for what is missing.

    moves: chess moves a second. picture: milliseconds a look, and the picture's width and height. sights: the costs of
    a drawn table. whole: the program's memory, and a replay. delays: how soon the tablet and the LED are told.
    """

    laps: int
    speeds: tuple[Speed, ...]
    moves: Spread | None
    memory: Memory | None
    picture: tuple[float, tuple[int, int]] | None
    sights: "SightCosts | None"
    whole: "WholeCosts | None"
    delays: "Delays | None" = None


def bench(seconds: float, looks: int, laps: int, session: Path | None = None, *, as_json: bool) -> int:
    """Compare for so many seconds, watch memory over so many looks, and look at a drawn table so often (0: not at all).

    `session` is the recorded round to replay, None for the project's own. Return the exit code.
    """
    if not (math.isfinite(seconds) and 0 <= seconds <= MOST_SECONDS):
        raise BadInput(f"--seconds {seconds}: choose 0 to {MOST_SECONDS:g}")
    if looks != 0 and not FEWEST_LOOKS <= looks <= MOST_LOOKS:
        raise BadInput(f"--looks {looks}: choose {FEWEST_LOOKS} to {MOST_LOOKS}, or 0 for none")
    if not 0 <= laps <= MOST_LAPS:
        raise BadInput(f"--table-laps {laps}: choose 1 to {MOST_LAPS}, or 0 for none")
    if session is not None and not (session / "session.json").is_file():
        raise BadInput(f"--session {session}: is no recorded session; it has no session.json")
    report = measured(seconds, looks, laps, session or RECORDED, Progress())
    if as_json:
        for said in as_json_lines(report):
            print(json.dumps(said), flush=True)
    else:
        print(*in_words(report), sep="\n", flush=True)
    return 0


def measured(seconds: float, looks: int, table_laps: int, session: Path, progress: Progress) -> Report:
    """Measure everything."""
    progress.phase("playing the games to look at")
    tables = [lines_of_games(players, unseen) for players, unseen in TABLES]
    memory = None
    if looks:
        # Before anything else has made the process grow.
        progress.phase(f"watching memory over {looks} looks")
        memory = memory_of([line for lines in tables[:2] for line in lines], looks)
    works = [*map(looking, tables), *map(looking_through_json, tables)]
    chess = chess_moves()
    if chess is not None:
        works.append(chess)
    progress.phase(f"comparing for {seconds:g} s")
    laps: list[list[float]] = []
    began = time.monotonic()
    lap(works)  # the first one, with every cache still cold, does not count
    while not laps or time.monotonic() - began < seconds:
        laps.append(lap(works))
        progress.count(f"lap {len(laps)}, {time.monotonic() - began:.0f} of {seconds:g} s")
    speeds = tuple(_speed(laps, table, with_chess=chess is not None) for table in range(len(TABLES)))
    moves = None if chess is None else rate(laps, len(works) - 1)
    progress.phase("looking at a picture")
    picture = milliseconds_a_picture()
    costs = whole = soon = None
    if table_laps:
        from device.measuring.sights import costs_of, sights  # noqa: PLC0415 - OpenCV takes a while to load
        from device.measuring.whole import whole_costs  # noqa: PLC0415 - likewise

        progress.phase("drawing a table to look at")
        drawn = sights(TABLE_SEED)
        progress.phase("looking at it, and calling Tesseract")
        costs = costs_of(drawn, table_laps)
        progress.phase("replaying the recorded round")
        whole = whole_costs(drawn, session)
        if (session / "session.json").is_file():
            from device.measuring.latency import delays  # noqa: PLC0415 - pages and pins likewise

            progress.phase("holding the recorded round before live cameras")
            soon = delays(session)
    progress.end()
    return Report(len(laps), speeds, moves, memory, picture, costs, whole, soon)


def _speed(laps: Sequence[Sequence[float]], table: int, *, with_chess: bool) -> Speed:
    players, unseen = TABLES[table]
    through_json, chess = table + len(TABLES), 2 * len(TABLES)
    moves = ratio(laps, table, chess) if with_chess else None
    return Speed(players, unseen, rate(laps, table), rate(laps, through_json), ratio(laps, through_json, table), moves)


def as_json_lines(report: Report) -> Iterator[Json]:
    """The report as JSON, an object a line."""
    for speed in report.speeds:
        yield {
            "type": "referee",
            "players": speed.players,
            "unseen": speed.unseen,
            "laps": report.laps,
            "looks_per_second": speed.rate.rounded(),
            "json_looks_per_second": speed.json_rate.rounded(),
            "json_cost": speed.json_cost.rounded(),
            "chess_moves_per_look": None if speed.chess_moves is None else speed.chess_moves.rounded(),
        }
    moves = None if report.moves is None else report.moves.rounded()
    yield {"type": "chess", "installed": moves is not None, "moves_per_second": moves}
    if report.memory is not None:
        memory = report.memory
        yield {
            "type": "memory",
            "looks": memory.looks,
            "held_blocks": [round(blocks, 1) for blocks in memory.held],
            "held_ratio": round(memory.held[1] / memory.held[0], 3),
            "peak_blocks": memory.peak,
            "peak_ratio": round(memory.peak[1] / memory.peak[0], 3),
            "process_mb": [round(size, 2) for size in memory.process],
            "process_ratio": round(memory.process[1] / memory.process[0], 3),
        }
    if report.picture is not None:
        milliseconds, (width, height) = report.picture
        yield {"type": "vision", "milliseconds": round(milliseconds, 1), "width": width, "height": height}
    if report.sights is not None:
        from device.measuring import sights  # noqa: PLC0415 - likewise

        yield sights.as_json(report.sights)
    if report.whole is not None:
        from device.measuring import whole  # noqa: PLC0415 - likewise

        yield whole.as_json(report.whole)
    if report.delays is not None:
        from device.measuring import latency  # noqa: PLC0415 - likewise

        yield latency.as_json(report.delays)


def in_words(report: Report) -> Iterator[str]:
    """The report as a small table for people."""
    yield f"{report.laps} laps, in processor time; (...): the middle half of the laps"
    yield ""
    yield f"{'referee':28}{'looks a second':>16}{'through JSON':>14}{'JSON costs':>24}{'a look in chess moves':>26}"
    for speed in report.speeds:
        unseen = f"{speed.unseen:.0%} unseen" if speed.unseen else "all seen"
        chess = "-" if speed.chess_moves is None else _ratio(speed.chess_moves, 1)
        yield (
            f"{f'{speed.players} players, {unseen}':28}{speed.rate.median:16,.0f}{speed.json_rate.median:14,.0f}"
            f"{f'x {_ratio(speed.json_cost, 2)}':>24}{chess:>26}"
        )
    yield ""
    if report.moves is None:
        yield "python-chess is not installed (pip install chess): nothing to compare a look with"
    else:
        yield f"python-chess reads and plays {report.moves.median:,.0f} moves a second"
    if report.memory is not None:
        yield from _memory_in_words(report.memory)
    if report.picture is None:
        yield "the recorded round is not here: no picture to look at"
    else:
        milliseconds, (width, height) = report.picture
        yield f"a look at one rack's picture of {width} x {height} takes {milliseconds:.0f} ms"
    if report.sights is not None:
        from device.measuring import sights  # noqa: PLC0415 - likewise

        yield from sights.in_words(report.sights)
    if report.whole is not None:
        from device.measuring import whole  # noqa: PLC0415 - likewise

        yield from whole.in_words(report.whole)
    if report.delays is not None:
        from device.measuring import latency  # noqa: PLC0415 - likewise

        yield from latency.in_words(report.delays)


def _memory_in_words(memory: Memory) -> Iterator[str]:
    first, last = memory.looks
    yield ""
    yield f"{'memory of one referee':40}{f'{first:,} looks':>16}{f'{last:,} looks':>16}{'ratio':>8}"
    rows = {
        "blocks in use, on average": (*memory.held, ",.0f"),
        "blocks in use, at most": (*memory.peak, ",.0f"),
        "the whole process at its highest, MB": (*memory.process, ".1f"),
    }
    for name, (before, after, digits) in rows.items():
        yield f"{name:40}{before:>16{digits}}{after:>16{digits}}{after / before:8.2f}"
    yield ""


def _ratio(spread: Spread, digits: int) -> str:
    return f"{spread.median:.{digits}f} ({spread.low:.{digits}f} .. {spread.high:.{digits}f})"
