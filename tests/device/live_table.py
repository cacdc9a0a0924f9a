"""A live table for tests: cameras that show what a test holds before them, and a clock that stands still."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from calibration.table import read_table
from device.cameras.camera import CameraReport, Shot, State
from device.evening import Evening
from device.journal import Journal
from device.live import LiveLoop
from device.watch import Watch
from engine.variants import deck_of
from tests.device.recorded import SESSION, the_game, true_events
from vision.frame import Frame
from vision.reading.digits import NumberReader
from webui.desk import Answer

SCORES = {int(seat): points for seat, points in true_events("round_end")[0]["scores"].items()}
ROWS: list[dict[str, Any]] = [json.loads(row) for row in (SESSION / "timeline.jsonl").read_text().splitlines()]
READER = NumberReader()


class Clock:
    """Seconds that pass only when somebody says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class HeldCamera:
    """A camera that shows what a test holds before it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.state: State = "live"
        self.shots: list[Shot] = []
        self.count = 0

    def hold(self, frame: Frame) -> None:
        self.count += 1
        self.shots = [Shot(self.count, 0.0, frame)]

    def latest(self) -> Shot | None:
        return self.shots.pop() if self.shots and self.state == "live" else None

    def report(self) -> CameraReport:
        return CameraReport(self.name, "held", self.state, "", (1280, 720), self.count, 0, 5.0, 0.0)

    def close(self) -> None:
        self.state = "ended"


class LiveTable:
    """The recorded round as it is seen by live cameras."""

    def __init__(self, path: Path | None = None) -> None:
        self.clock = Clock()
        self.cameras = {name: HeldCamera(name) for name in ("tray", "rack1", "rack2")}
        table = read_table(SESSION / "table.toml")
        game = the_game()
        self.journal = Journal(path, lambda: "")
        self.evening = Evening(self.journal)
        watch = Watch(table, deck_of(game.edition, len(game.players), game.variants), READER)
        self.loop = LiveLoop(list(self.cameras.values()), self.evening, watch, clock=self.clock)
        self.began = self.clock.now
        self.stands: dict[str, dict[str, Any]] = {}

    def order(self, **said: Any) -> Answer:  # noqa: ANN401 - an order is JSON
        """Say something as the host does, and let the loop answer."""
        future = self.loop.jobs.hand_in(lambda: self.loop._order(said))  # noqa: SLF001 - the thread is the test's own
        self.settle(0.01)
        return future.result(0)

    def settle(self, seconds: float) -> None:
        """Let time pass."""
        until = self.clock.now + seconds
        while self.clock.now < until:
            self.clock.now = min(self.clock.now + 0.05, until)
            while self.loop.step():
                pass

    def start(self) -> None:
        game = the_game()
        players = [{"seat": player.seat, "name": player.name} for player in game.players]
        assert self.order(type="game", edition=game.edition, variants=list(game.variants), players=players).done
        self.began = self.clock.now

    def play(
        self, rows: list[dict[str, Any]], *, shows: Callable[[str, float], bool] | None = None, back: bool = False
    ) -> None:
        """Show and say what was recorded; a camera shows only what `shows` lets it.

        back: a camera that shows again begins with what stands before it then.
        """
        dark: set[str] = set()
        for row in rows:
            if row["type"] == "round":
                assert self.order(type="round", dealer=row["dealer"]).done
                continue
            self.settle(self.began + row["t"] - self.clock.now)
            if row["type"] == "button":
                assert self.order(type="call", seat=row["seat"]).done
                continue
            self.stands[row["camera"]] = row
            for name in list(self.stands):
                if shows is not None and not shows(name, row["t"]):
                    dark.add(name)
                elif name == row["camera"] or (back and name in dark):
                    dark.discard(name)
                    self.cameras[name].hold(Frame.load(SESSION / self.stands[name]["file"]))
        self.settle(2.0)

    def show_again(self) -> None:
        """Every camera shows what stands before it."""
        for _ in range(2):
            for name, row in self.stands.items():
                self.cameras[name].hold(Frame.load(SESSION / row["file"]))
            self.settle(1.0)

    @property
    def totals(self) -> dict[int, int]:
        return {line.seat: line.total for line in self.evening.board.players}
