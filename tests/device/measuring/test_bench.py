"""`racko bench`: its arithmetic, and what it prints; how fast anything is, is not tested."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from device.cli import main
from device.measuring import bench as bench_module
from device.measuring import workloads
from device.measuring.bench import Progress, Report, Speed, Spread, as_json_lines, in_words, lap, rate, ratio
from device.measuring.sights import Reading, SightCosts, costs_of, sights
from device.measuring.whole import WholeCosts, whole_costs
from device.measuring.workloads import (
    CHESS_GAMES,
    SLICES,
    Memory,
    Work,
    chess_moves,
    lines_of_games,
    looking,
    looking_through_json,
    looks_in,
    memory_of,
    milliseconds_a_picture,
)
from engine.errors import BadInput
from engine.events import Event
from engine.lines import Line, NewGame, Observation
from engine.referee import Referee


class FakeTime:
    """A clock that goes on only when work is done."""

    def __init__(self) -> None:
        self.now = 0.0
        self.done: list[tuple[str, int]] = []

    def work(self, name: str, size: int, seconds: float) -> Work:
        """Work of which each slice takes so long."""

        def do(number: int) -> None:
            self.now += seconds
            self.done.append((name, number))

        return Work(size, do)


def test_a_lap_takes_the_slices_of_all_works_by_turns_and_tells_the_seconds_a_unit() -> None:
    time = FakeTime()
    costs = lap([time.work("a", 24, 2.0), time.work("b", 3, 0.5)], lambda: time.now)
    assert costs == [SLICES * 2.0 / 24, SLICES * 0.5 / 3]
    assert time.done == [(name, number) for number in range(SLICES) for name in "ab"]


def test_a_ratio_is_taken_lap_by_lap_so_that_a_slow_machine_does_not_count() -> None:
    laps = [[0.002, 0.001], [0.02, 0.01], [0.3, 0.1], [0.004, 0.002], [0.001, 0.001]]
    assert ratio(laps, 0, 1) == Spread(2.0, 2.0, 2.0)
    assert rate(laps, 1) == Spread(500.0, 100.0, 1000.0)


@pytest.mark.parametrize(
    ("values", "spread"),
    [
        ([3.0], Spread(3.0, 3.0, 3.0)),
        ([1.0, 3.0], Spread(2.0, 1.5, 2.5)),
        ([9.0, 1.0, 2.0, 3.0, 4.0], Spread(3.0, 2.0, 4.0)),
    ],
)
def test_a_spread_is_the_median_and_the_range_of_the_middle_half(values: list[float], spread: Spread) -> None:
    assert Spread.of(values) == spread


def test_the_slices_of_a_lap_are_all_its_lines_once_and_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    fed: list[Line] = []
    monkeypatch.setattr(workloads, "_feed", lambda _, line: fed.append(line))
    lines = lines_of_games(2, 0.25)
    for work in (looking(lines), looking_through_json(lines)):
        fed.clear()
        for number in range(SLICES):
            work.do(number)
        assert fed == lines
        assert work.size == looks_in(lines) == sum(isinstance(line, Observation) for line in lines) > 50


def test_the_games_to_look_at_begin_with_a_game_and_hide_as_much_as_they_say() -> None:
    for players in (2, 4):
        clear, hidden = ([*lines_of_games(players, unseen)] for unseen in (0.0, 0.25))
        assert isinstance(clear[0], NewGame)
        assert len(clear[0].players) == players
        shares = [
            sum(len(rack) for look in looks for rack in look.racks.values()) / (10 * players * len(looks))
            for looks in ([line for line in lines if isinstance(line, Observation)] for lines in (clear, hidden))
        ]
        assert shares[0] == 1.0
        assert shares[1] == pytest.approx(0.75, abs=0.03)


def test_the_chess_games_are_whole_games_that_end_in_mate() -> None:
    import chess  # noqa: PLC0415 - only this test needs it

    for moves in CHESS_GAMES:
        board = chess.Board()
        for move in moves.split():
            board.push_san(move)
        assert board.is_checkmate()


def test_the_size_of_the_chess_work_is_the_number_of_moves_played(monkeypatch: pytest.MonkeyPatch) -> None:
    import chess  # noqa: PLC0415 - only this test needs it

    played: list[str] = []

    class Counting(chess.Board):
        def push_san(self, san: str) -> chess.Move:
            played.append(san)
            return super().push_san(san)

    monkeypatch.setattr(chess, "Board", Counting)
    work = chess_moves()
    assert work is not None
    for number in range(SLICES):
        work.do(number)
    assert len(played) == work.size


@pytest.mark.slow
def test_memory_is_flat_for_the_referee_and_grows_for_one_that_keeps_every_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workloads, "SAMPLES", 20)
    lines = lines_of_games(2, 0.0)
    flat = memory_of(lines, 500)
    assert flat.looks == (100, 500)
    assert 0 < flat.held[1] <= flat.peak[1]
    assert flat.peak[0] <= flat.peak[1]
    assert flat.process[0] <= flat.process[1]
    assert flat.held[1] < 1.5 * flat.held[0]

    class Hoarder(Referee):
        kept: list[object] = []  # noqa: RUF012 - that is what is wrong with it

        def feed(self, line: Line) -> list[Event]:
            said = super().feed(line)
            self.kept.append([dict(enumerate(str(line)))])
            return said

    monkeypatch.setattr(workloads, "Referee", Hoarder)
    grown = memory_of(lines, 500)
    assert grown.held[1] > 3 * grown.held[0]


def test_a_picture_of_the_recorded_round_is_looked_at() -> None:
    looked = milliseconds_a_picture(0.0)
    assert looked is not None
    milliseconds, size = looked
    assert milliseconds > 0
    assert size == (1280, 720)


def test_without_the_recorded_round_there_is_no_picture(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("device.tables.RECORDED", tmp_path)
    assert milliseconds_a_picture() is None


SPEED = Speed(2, 0.25, Spread(1650.4, 1600.0, 1700.0), Spread(1500.0, 1400.0, 1600.0), Spread(1.1, 1.05, 1.2), None)
FULL = Report(
    7,
    (SPEED, Speed(4, 0.0, SPEED.rate, SPEED.json_rate, SPEED.json_cost, Spread(56.66, 55.0, 58.0))),
    Spread(93_456.7, 90_000.0, 95_000.0),
    Memory((2000, 10_000), (100.0, 150.0), (200, 220), (18.0, 18.9)),
    (41.26, (1280, 720)),
    SightCosts(0.05, 0.02, 0.004, 0.003, 0.008, Reading(41, 40, 0), 5.0, Reading(41, 11, 3)),
    WholeCosts(0.25, 0.75, 143.46),
)
BARE = Report(1, (SPEED,), None, None, None, None, None)


def test_for_people_there_is_a_small_table() -> None:
    words = "\n".join(in_words(FULL))
    for part in (
        "7 laps",
        "2 players, 25% unseen",
        "4 players, all seen",
        "1,650",
        "x 1.10 (1.05 .. 1.20)",
        "56.7 (55.0 .. 58.0)",
        "93,457 moves a second",
        "1.50",
        "1280 x 720 takes 41 ms",
        "40 of 41 cards right, 0 silently wrong",
        "11 of 41 cards right, 3 silently wrong; 100 times as long",
        "143.5 MB",
        "3.00 times as long as",
    ):
        assert part in words
    assert max(map(len, words.splitlines())) <= 120


def test_what_is_missing_is_said_in_a_line_each() -> None:
    rows = [row for row in in_words(BARE) if row]
    assert [row for row in rows if "python-chess is not installed" in row] == [rows[-2]]
    assert "no picture" in rows[-1]


def test_as_json_each_figure_is_a_line() -> None:
    rows = [json.loads(json.dumps(said)) for said in as_json_lines(FULL)]
    assert [row["type"] for row in rows] == ["referee", "referee", "chess", "memory", "vision", "table", "whole"]
    assert (rows[5]["naive_by_whole"], rows[5]["still_by_decoding"]) == (100.0, 0.75)
    assert (rows[6]["memory_mb"], rows[6]["replay_by_decoding"]) == (143.5, 3.0)
    assert rows[0]["chess_moves_per_look"] is None
    assert rows[1]["chess_moves_per_look"] == {"median": 56.66, "low": 55.0, "high": 58.0}
    assert rows[1]["looks_per_second"]["median"] == 1650.0
    assert rows[3]["held_ratio"] == 1.5
    assert [row["type"] for row in as_json_lines(BARE)] == ["referee", "chess"]
    assert list(as_json_lines(BARE))[1] == {"type": "chess", "installed": False, "moves_per_second": None}


@pytest.mark.slow
def test_a_drawn_table_is_read_as_it_was_drawn() -> None:
    drawn = sights(1)
    costs = costs_of(drawn, 1)
    assert costs.read.cards == 41
    assert costs.read.right >= 35
    assert costs.read.wrong == 0
    assert costs.still < costs.whole
    memory = whole_costs(drawn, Path("nowhere")).memory
    assert memory is None or 50 < memory < 300


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bench with less to do."""
    monkeypatch.setattr(workloads, "ROUNDS", 1)
    monkeypatch.setattr(workloads, "SAMPLES", 4)
    monkeypatch.setattr(bench_module, "TABLES", ((2, 0.0), (2, 0.25)))
    monkeypatch.setattr(bench_module, "milliseconds_a_picture", lambda: None)


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_the_command_measures_and_prints(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--seconds", "0", "--looks", "40", "--table-laps", "0", "--json"]) == 0
    said = capsys.readouterr()
    rows = [json.loads(row) for row in said.out.splitlines()]
    assert [(row["type"], row.get("unseen")) for row in rows] == [
        ("referee", 0.0),
        ("referee", 0.25),
        ("chess", None),
        ("memory", None),
    ]
    assert rows[2]["installed"]
    for row in rows[:2]:
        assert row["laps"] == 1
        moves = rows[2]["moves_per_second"]["median"]
        assert row["chess_moves_per_look"]["median"] == pytest.approx(
            moves / row["looks_per_second"]["median"], rel=0.01
        )
        cost = row["looks_per_second"]["median"] / row["json_looks_per_second"]["median"]
        assert row["json_cost"]["median"] == pytest.approx(cost, rel=0.01)
    assert rows[3]["looks"] == [8, 40]
    assert "comparing" in said.err


@pytest.mark.usefixtures("small")
def test_without_python_chess_the_rest_is_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "chess", None)
    assert main(["bench", "--seconds", "0", "--looks", "0", "--table-laps", "0"]) == 0
    shown = capsys.readouterr().out
    assert sum("python-chess is not installed" in row for row in shown.splitlines()) == 1
    assert "2 players, all seen" in shown
    assert "memory" not in shown


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def progress_on(stream: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("sys.stderr", stream)
    progress = Progress()
    progress.phase("one")
    progress.count("lap 1")
    progress.end()
    return stream.getvalue()


def test_progress_is_one_line_that_changes_in_a_terminal_and_a_line_a_phase_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = progress_on(Terminal(), monkeypatch)
    assert [part.strip() for part in shown.split("\r")] == ["", "racko bench: one", "racko bench: lap 1", "", ""]
    assert progress_on(io.StringIO(), monkeypatch) == "racko bench: one\n"


CANNOT_BE: list[tuple[float, int, int, str]] = [
    (float("nan"), 0, 0, "--seconds nan: choose 0 to 3600"),
    (float("inf"), 0, 0, "--seconds inf"),
    (-1.0, 0, 0, "--seconds -1"),
    (0.0, -1, 0, "--looks -1: choose 10 to 10000000, or 0 for none"),
    (0.0, 9, 0, "--looks 9"),
    (0.0, 0, -1, "--table-laps -1: choose 1 to 1000, or 0 for none"),
]


@pytest.mark.parametrize(("seconds", "looks", "laps", "words"), CANNOT_BE, ids=[words for *_, words in CANNOT_BE])
def test_times_and_numbers_that_cannot_be_are_refused(seconds: float, looks: int, laps: int, words: str) -> None:
    run: Callable[..., int] = bench_module.bench
    with pytest.raises(BadInput, match=words):
        run(seconds, looks, laps, as_json=False)
