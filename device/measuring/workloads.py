"""What `racko bench` measures: a referee that looks at simulated tables, and chess moves as a yardstick for it."""

import gc
import json
import resource
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import cycle
from random import Random
from statistics import fmean, median
from typing import Final

from device.commands.judging import decoded
from device.simulated.evidence import Noise, lines_of
from device.simulated.games import Setup, play_game
from device.simulated.players import Level
from engine.errors import RackoError
from engine.line_json import line_as_json, parse_line
from engine.lines import Line, Observation
from engine.referee import Referee
from engine.variants import deck_of

SLICES: Final = 12
"""A lap of each work is cut into so many slices, which run by turns with those of the others: some 5 to 30 ms each."""

LEVEL: Final[Level] = "fair"
ROUNDS: Final = 2
"""Who plays the games to look at, and how many rounds a lap is."""

CHESS_REPEATS: Final = 4
"""How often the chess games are played in a slice, so that it is about as long as one of looks."""

CHESS_GAMES: Final = (
    # Anderssen - Kieseritzky, London 1851; Anderssen - Dufresne, Berlin 1852; Morphy - Karl II and Isouard, Paris 1858.
    (
        "e4 e5 f4 exf4 Bc4 Qh4+ Kf1 b5 Bxb5 Nf6 Nf3 Qh6 d3 Nh5 Nh4 Qg5 Nf5 c6 g4 Nf6 Rg1 cxb5 h4 Qg6 h5 Qg5 Qf3 Ng8 "
        "Bxf4 Qf6 Nc3 Bc5 Nd5 Qxb2 Bd6 Bxg1 e5 Qxa1+ Ke2 Na6 Nxg7+ Kd8 Qf6+ Nxf6 Be7#"
    ),
    (
        "e4 e5 Nf3 Nc6 Bc4 Bc5 b4 Bxb4 c3 Ba5 d4 exd4 O-O d3 Qb3 Qf6 e5 Qg6 Re1 Nge7 Ba3 b5 Qxb5 Rb8 Qa4 Bb6 Nbd2 Bb7 "
        "Ne4 Qf5 Bxd3 Qh5 Nf6+ gxf6 exf6 Rg8 Rad1 Qxf3 Rxe7+ Nxe7 Qxd7+ Kxd7 Bf5+ Ke8 Bd7+ Kf8 Bxe7#"
    ),
    (
        "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8 Rxd7 "
        "Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#"
    ),
)


SAMPLES: Final = 200
"""How often memory is looked at."""


@dataclass(frozen=True)
class Work:
    """A lap of something to be timed. `size`: how many looks or moves it is; `do(n)`: do slice n of SLICES."""

    size: int
    do: Callable[[int], None]


def lines_of_games(players: int, unseen: float, seed: int = 1) -> list[Line]:
    """All lines of a simulated game (parker-1992): two looks a turn, at which each place is `unseen` by that chance."""
    chance = Random(seed)  # noqa: S311 - chance on a simulated table guards nothing
    played = play_game(Setup((LEVEL,) * players, most_rounds=ROUNDS), chance)
    return list(lines_of(played, Noise(looks=(2, 2), hide=unseen), chance))


def looks_in(lines: Iterable[Line]) -> int:
    """How many of the lines are looks."""
    return sum(isinstance(line, Observation) for line in lines)


def looking(lines: Sequence[Line]) -> Work:
    """A referee takes ready-made lines. They begin with a game, so that each lap is like the first."""
    referee = Referee()

    def do(number: int) -> None:
        for line in lines[_part(len(lines), number)]:
            _feed(referee, line)

    return Work(looks_in(lines), do)


def looking_through_json(lines: Sequence[Line]) -> Work:
    """The same as `racko referee` does it: each line is decoded and checked first."""
    referee = Referee()
    texts = [json.dumps(line_as_json(line)) for line in lines]

    def do(number: int) -> None:
        for text in texts[_part(len(texts), number)]:
            _feed(referee, parse_line(decoded(text)))

    return Work(looks_in(lines), do)


def _feed(referee: Referee, line: Line) -> None:
    try:
        referee.feed(line)
    except RackoError:
        # A call that comes when the referee holds the round to be over; `racko referee` would say so and go on.
        return


def _part(length: int, number: int) -> slice:
    """The place of slice `number` in something so long."""
    return slice(length * number // SLICES, length * (number + 1) // SLICES)


def chess_moves() -> Work | None:
    """python-chess reads each move of some games and plays it on a board; None where it is not installed."""
    try:
        import chess  # noqa: PLC0415 - nobody needs it but this
    except ImportError:
        return None
    games = [game.split() for game in CHESS_GAMES]

    def do(_: int) -> None:
        for _ in range(CHESS_REPEATS):
            for moves in games:
                board = chess.Board()
                for move in moves:
                    board.push_san(move)

    return Work(SLICES * CHESS_REPEATS * sum(map(len, games)), do)


@dataclass(frozen=True)
class Memory:
    """Memory after the first fifth of the looks, and after all of them.

    looks: how many those are. held: blocks of Python's memory (one small object each) that have come with the referee
    and are in use, on average over the tenth of all looks before. peak: the most that were in use until then. process:
    the process's highest memory until then, in MB (2**20 bytes), whatever it was used for.
    """

    looks: tuple[int, int]
    held: tuple[float, float]
    peak: tuple[int, int]
    process: tuple[float, float]


def memory_of(lines: Sequence[Line], looks: int) -> Memory:
    """Watch one referee's memory over so many looks, at least ten; the lines are given to it again and again.

    Blocks are counted exactly, at hundreds of looks, each time with the garbage collected; tracemalloc would make every
    look six times as slow. What is longer than 512 bytes is no such block, but shows in the process's memory.
    """
    first, window, step = looks // 5, looks // 10, max(1, looks // SAMPLES)
    ground = _blocks_in_use()
    referee = Referee()
    seen = peak = 0
    samples: list[int] = []
    at_first = (0.0, 0, 0.0)
    for line in cycle(lines):
        _feed(referee, line)
        if not isinstance(line, Observation):
            continue
        seen += 1
        if seen % step == 0 or seen in (first, looks):
            blocks = _blocks_in_use() - ground
            peak = max(peak, blocks)
            if first - window < seen <= first or seen > looks - window:
                samples.append(blocks)
        if seen == first:
            at_first = (fmean(samples), peak, _highest_memory())
            samples = []
        if seen == looks:
            break
    return Memory((first, looks), (at_first[0], fmean(samples)), (at_first[1], peak), (at_first[2], _highest_memory()))


def _blocks_in_use() -> int:
    gc.collect()
    return sys.getallocatedblocks()


def _highest_memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def milliseconds_a_picture(most_seconds: float = 1.0) -> tuple[float, tuple[int, int]] | None:
    """Processor time of a look at a rack in the recorded round (median), and the picture's width and height.

    None where the recorded round, which lies among the tests, is not there.
    """
    from calibration.table import TableError  # noqa: PLC0415 - OpenCV and the pages take a while to load
    from device.commands.reading import camera_for  # noqa: PLC0415 - likewise
    from device.sessions.format import FrameTaken, open_session  # noqa: PLC0415 - likewise
    from device.tables import RECORDED  # noqa: PLC0415 - likewise
    from vision.eye import look_at  # noqa: PLC0415 - likewise
    from vision.picture import load_picture  # noqa: PLC0415 - likewise
    from vision.reading.digits import NumberReader  # noqa: PLC0415 - likewise

    try:
        session = open_session(RECORDED)
        frames = (entry for entry in session.timeline(lambda _: None) if isinstance(entry, FrameTaken))
        path = session.picture_path(next(frame for frame in frames if frame.camera != "tray"))
        picture = load_picture(path)
    except (RackoError, TableError, StopIteration):
        return None
    size = picture.shape[1], picture.shape[0]
    camera = camera_for(session.table, path, size)
    deck = deck_of(session.game.edition, len(session.game.players), session.game.variants)
    reader = NumberReader()
    spent: list[float] = []
    # The first look loads the reader's network, and is not counted.
    while len(spent) < 2 or (len(spent) < 20 and sum(spent) < most_seconds):
        began = time.process_time()
        look_at(picture, session.table, deck, camera, reader)
        spent.append(time.process_time() - began)
    return 1000 * median(spent[1:]), size
