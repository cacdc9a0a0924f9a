import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from device.evening import Audience, Evening
from device.journal import Journal
from device.panel import GpioPanel, Sign
from device.run import RunLoop, panel_audience, sign_for
from device.session import open_session
from device.watch import Watch
from engine.events import Event, TurnPlayed, Violation
from engine.lines import Observation
from engine.snapshot import Snapshot
from tests.device.recorded import SESSION, true_events, true_lines
from vision.digits import NumberReader
from vision.frame import Frame


class PerfectEyes(Watch):
    """Sees what is true, without reading a picture."""

    def __init__(self) -> None:
        session = open_session(SESSION)
        super().__init__(session.table, range(1, 41), NumberReader())
        self._truth = {
            (line.t, f"rack{min(line.racks)}" if line.racks else "tray"): line
            for line, _ in true_lines()
            if isinstance(line, Observation)
        }

    def frame(self, t: float, camera: str, frame: Frame) -> list[Observation]:
        assert frame.colour.shape == (720, 1280, 3)
        return [self._truth[t, camera]] if (t, camera) in self._truth else []


class Told:
    """Collects what the audience is told, and ends the loop as soon as that is enough."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.boards: list[Snapshot] = []
        self.enough: Callable[[], bool] = lambda: False
        self.loop: RunLoop | None = None

    def __call__(self, board: Snapshot, events: Sequence[Event]) -> None:
        self.boards.append(board)
        self.events.extend(events)
        if self.loop is not None and self.enough():
            self.loop.stop()

    def turns(self) -> int:
        return sum(isinstance(event, TurnPlayed) for event in self.events)

    def is_over(self) -> bool:
        return self.boards[-1].phase == "round-over"


def loop_into(path: Path, told: Told, *others: Audience) -> tuple[RunLoop, Journal]:
    journal = Journal(path, lambda: "2026-01-01T20:00:00")
    loop = RunLoop(open_session(SESSION), Evening(journal, [told, *others]), PerfectEyes, speed=400)
    told.loop, told.enough = loop, told.is_over
    return loop, journal


def play(loop: RunLoop) -> None:
    """Run the loop until what it tells is enough; a loop that never comes to that is stopped after a minute."""
    late = threading.Timer(60, loop.stop)
    late.start()
    loop.run(once=True, new=False)
    late.cancel()


def test_a_session_is_played_to_its_end_and_stays_on_the_board(tmp_path: Path) -> None:
    told = Told()
    play(loop_into(tmp_path / "j.sqlite", told)[0])
    assert told.is_over()
    assert told.turns() == len(true_events("turn"))
    assert [line.total for line in told.boards[-1].players] == [35, 75]


def test_a_call_from_a_page_too_early_is_judged_and_the_round_goes_on(tmp_path: Path) -> None:
    told = Told()

    def impatient(_: Snapshot, __: Sequence[Event]) -> None:
        if told.turns() >= 2 and not called:
            called.append(1)
            loop.call(1)

    called: list[int] = []

    loop, _ = loop_into(tmp_path / "j.sqlite", told, impatient)
    play(loop)
    assert told.is_over()
    assert [event.rule for event in told.events if isinstance(event, Violation)] == ["false-call"]
    assert told.turns() == len(true_events("turn"))


def test_a_loop_that_is_stopped_goes_on_with_the_same_game_when_it_is_made_anew(tmp_path: Path) -> None:
    first, second = Told(), Told()
    loop, journal = loop_into(tmp_path / "j.sqlite", first)
    first.enough = lambda: first.turns() >= 5
    play(loop)
    journal.close()
    assert not first.is_over()
    play(loop_into(tmp_path / "j.sqlite", second)[0])
    assert second.is_over()
    assert second.boards[0] == first.boards[-1]
    assert first.turns() + second.turns() == len(true_events("turn"))


@pytest.mark.parametrize("pressed_after", [3, 17])
def test_the_button_on_the_table_calls_and_the_led_tells_true_from_false(tmp_path: Path, pressed_after: int) -> None:
    factory = MockFactory()
    shown: list[Sign] = []

    class Remembering(GpioPanel):
        def show(self, sign: Sign) -> None:
            shown.append(sign)
            super().show(sign)

    def press(_: Snapshot, __: Sequence[Event]) -> None:
        if told.turns() >= pressed_after and not pressed:
            pressed.append(True)
            factory.pin(17).drive_low()
            factory.pin(17).drive_high()

    pressed: list[bool] = []
    told = Told()
    panel = Remembering(17, 27, lambda: loop.call(None), factory)
    loop, _ = loop_into(tmp_path / "j.sqlite", told, panel_audience(panel), press)
    play(loop)
    panel.close()
    factory.reset()
    assert told.is_over()
    assert shown[0] == Sign.READY
    assert shown[-1] == Sign.TRUE_CALL
    assert (Sign.FALSE_CALL in shown) == (pressed_after == 3)


def test_events_that_concern_nobodys_call_leave_the_led_as_it_is() -> None:
    assert sign_for([]) is None
    assert sign_for([Violation("wrong-turn", 1, "It was Ben's turn.", 1.0)]) is None
