"""How soon the table is told in `racko bench`: from a turn's last picture to the tablet, and from a press to the LED.

A recorded round is held before live cameras (device.simulated.held); the pages are served as ever, a tablet follows by
server-sent events, and the button and LED are gpiozero's mock pins. Only what the program does is timed: how long a
hand must be away until a picture counts as still (vision.settle) is a rule of its own, and the same on each machine.
"""

import http.client
import json
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Final

from gpiozero.pins.mock import MockFactory, MockPin

from device.evening.history import History
from device.pages.desk import TableDesk
from device.panel import PanelAudience
from device.panel.gpio import GpioPanel
from device.panel.patterns import Sign
from device.panel.settings import PanelSettings
from device.sessions.format import FrameTaken, open_session
from device.simulated.held import HeldTable
from engine.cards import Seat
from engine.events import Event, Json
from engine.snapshot import Snapshot
from vision.reading.digits import NumberReader
from webui.app import create_app
from webui.desk import Secrets
from webui.serve import serve

PATIENCE: Final = 10.0
"""Seconds that anything may take at most; what takes longer is broken."""

PRESSES: Final = 12
STEADY: Final = 0.6
"""Seconds after which the switch is at rest again, and the light that of the turn."""

VERDICTS: Final = (Sign.TRUE_CALL, Sign.FALSE_CALL)


@dataclass(frozen=True)
class Delay:
    """Seconds: the median, and what 95 of 100 stay below."""

    median: float
    p95: float
    count: int

    @classmethod
    def of(cls, seconds: Sequence[float]) -> "Delay":
        """Take them of two values or more."""
        return cls(median(seconds), quantiles(seconds, n=20, method="inclusive")[-1], len(seconds))


@dataclass(frozen=True)
class Delays:
    """How soon the table is told.

    tablet: the picture that settles a turn comes in, until a tablet has the turn. led: a press, until the LED changes.
    verdict: a press while the racks stand still, until the panel shows the verdict.
    """

    tablet: Delay
    led: Delay
    verdict: Delay


class _Tablet:
    """Follows the scoreboard's stream, and notes when each version came."""

    def __init__(self, port: int) -> None:
        self.came: dict[int, float] = {}
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self._connection.request("GET", "/api/events")
        self._answer = self._connection.getresponse()
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def _follow(self) -> None:
        try:
            for line in self._answer:
                if line.startswith(b"data: {"):
                    self.came.setdefault(json.loads(line[6:])["version"], time.perf_counter())
        except (OSError, ValueError):
            return

    def when(self, version: int) -> float:
        """When a version, or a newer one, was there."""
        until = time.perf_counter() + PATIENCE
        while time.perf_counter() < until:
            there = [came for seen, came in list(self.came.items()) if seen >= version]
            if there:
                return min(there)
            time.sleep(0.0005)
        raise TimeoutError("the tablet was not told")


class _TimedPanel:
    """A panel on mock pins that notes when a verdict is shown."""

    def __init__(self, panel: GpioPanel) -> None:
        self._panel = panel
        self.verdict = 0.0

    def show(self, sign: Sign, seat: Seat | None = None) -> None:
        self._panel.show(sign, seat)
        if sign in VERDICTS:
            self.verdict = time.perf_counter()

    @property
    def words(self) -> str:
        return self._panel.words

    def close(self) -> None:
        self._panel.close()


def delays(recorded: Path) -> Delays:
    """Measure with a recorded round's folder."""
    desk = TableDesk("live", None, lambda: "", History())
    factory, settings = MockFactory(), PanelSettings()

    def pressed(seat: Seat | None) -> None:
        table.loop.call(seat)

    panel = GpioPanel(settings, pressed, lambda _: None, factory)
    timed = _TimedPanel(panel)
    signs = PanelAudience(timed)

    def tell(_: Snapshot, events: Sequence[Event]) -> None:
        desk.hear(table.evening, events)

    table = HeldTable(open_session(recorded), NumberReader(), audience=(tell, signs))
    pages = serve(create_app(desk, Secrets("0000", bytes(32), {})), port=0, host="127.0.0.1")
    tablet = _Tablet(pages.port)
    try:
        told = _turns(table, tablet)
        led, verdict = _presses(table, timed, panel, factory.pin(settings.button_pin or 0))
    finally:
        panel.close()
        desk.close()
        pages.close()
    return Delays(Delay.of(told), Delay.of(led), Delay.of(verdict))


def _turns(table: HeldTable, tablet: _Tablet) -> list[float]:
    """Play the round up to its call; give for each turn how long it took until the tablet had it."""
    told: list[float] = []

    def go_round() -> bool:
        turns, began = table.evening.board.turns, time.perf_counter()
        worked = table.loop.step()
        if table.evening.board.turns > turns:
            told.append(tablet.when(table.evening.board.version) - began)
        return worked

    table.go_round = go_round
    table.start()
    entries = list(table.session.timeline(lambda _: None))
    table.play([entry for entry in entries if isinstance(entry, FrameTaken) or entry[0] == 0.0])
    return told


def _presses(
    table: HeldTable, timed: _TimedPanel, panel: GpioPanel, pin: MockPin, times: int = PRESSES
) -> tuple[list[float], list[float]]:
    """Press and undo; give for each press how long the LED took, and the verdict."""
    led, verdict = [], []
    light = panel.parts.lamps[0].leds[0]
    time.sleep(3 * STEADY)  # the round was played in quick motion, and no lamp changes more than six times a second
    for _ in range(times):
        _until(lambda: bool(light.is_lit))  # its turn to play: a steady light
        timed.verdict, began = 0.0, time.perf_counter()
        pin.drive_low()
        led.append(_until(lambda: not light.is_lit) - began)
        while not timed.verdict:
            table.settle(0.05)
        verdict.append(timed.verdict - began)
        pin.drive_high()
        table.order(type="undo", call=True)
        time.sleep(STEADY)
    return led, verdict


def _until(holds: Callable[[], bool]) -> float:
    """Wait until something holds; when that was."""
    until = time.perf_counter() + PATIENCE
    while not holds():
        if time.perf_counter() > until:
            raise TimeoutError("the panel does not answer")
        time.sleep(0.0002)
    return time.perf_counter()


def in_words(measured: Delays) -> list[str]:
    """The delays as a small table for people."""
    rows = {
        "the picture that settles a turn, to the tablet": measured.tablet,
        "a press, to the LED": measured.led,
        "a press while the racks stand still, to the verdict": measured.verdict,
    }
    lines = ["", f"{'how soon, in milliseconds':56}{'median':>10}{'95 of 100':>12}{'measured':>10}"]
    for name, delay in rows.items():
        lines.append(f"{name:56}{1000 * delay.median:10.1f}{1000 * delay.p95:12.1f}{delay.count:10}")
    return lines


def as_json(measured: Delays) -> Json:
    """The delays as one JSON object, in milliseconds."""
    said: Json = {"type": "delays"}
    for name in ("tablet", "led", "verdict"):
        delay: Delay = getattr(measured, name)
        said[name] = {
            "median_ms": round(1000 * delay.median, 2),
            "p95_ms": round(1000 * delay.p95, 2),
            "count": delay.count,
        }
    return said
