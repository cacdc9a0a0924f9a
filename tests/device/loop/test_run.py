import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from calibration.table import Table
from device.evening.journal import Journal
from device.evening.keeper import Audience, Evening
from device.loop.run import RunLoop
from device.observing.watch import Watch
from device.panel import GpioPanel, PanelAudience, PanelSettings, Sign
from device.sessions.format import FrameTaken, open_session
from engine.cards import Seat
from engine.events import Event, TurnPlayed, Violation
from engine.lines import Line, NewRound, Observation
from engine.snapshot import Snapshot
from tests.device.recorded import SESSION, true_events, true_lines
from tests.device.running import Running
from vision.frame import Frame
from vision.picture import PictureError
from vision.reading.digits import NumberReader


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
    loop = RunLoop(lambda _: open_session(SESSION), Evening(journal, [told, *others]), PerfectEyes, speed=400)
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
        def show(self, sign: Sign, seat: Seat | None = None) -> None:
            shown.append(sign)
            super().show(sign, seat)

    def press(_: Snapshot, __: Sequence[Event]) -> None:
        if told.turns() >= pressed_after and not pressed:
            pressed.append(True)
            factory.pin(17).drive_low()
            factory.pin(17).drive_high()

    pressed: list[bool] = []
    told = Told()
    panel = Remembering(PanelSettings(), lambda seat: loop.call(seat), lambda _: None, factory)  # noqa: PLW0108 - made below
    loop, _ = loop_into(tmp_path / "j.sqlite", told, PanelAudience(panel), press)
    play(loop)
    panel.close()
    factory.reset()
    assert told.is_over()
    assert shown[0] == Sign.READY
    assert Sign.YOUR_TURN in shown
    assert shown[-1] == Sign.TRUE_CALL
    assert (Sign.FALSE_CALL in shown) == (pressed_after == 3)


class ShortGames:
    """Tables on which a round is dealt, and then nothing happens. `asked`: which of the games were asked for."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def __call__(self, number: int) -> "ShortGames":
        self.asked.append(number)
        return self

    name = "short"
    table = Table()
    game = open_session(SESSION).game

    def timeline(self, _: Callable[[str], None]) -> Iterator[FrameTaken | tuple[float, Line]]:
        yield 0.0, NewRound(1)

    def picture(self, taken: FrameTaken) -> Frame:
        raise PictureError(f"{taken.name}: there is none")


def test_game_follows_game_and_one_that_was_broken_off_goes_on(tmp_path: Path) -> None:
    def three_games() -> list[int]:
        told, tables = Told(), ShortGames()
        journal = Journal(tmp_path / "j.sqlite", lambda: "2026-01-01T20:00:00")
        told.loop = RunLoop(tables, Evening(journal, [told]), PerfectEyes, speed=1000)
        told.enough = lambda: len(tables.asked) == 3 and told.boards[-1].phase == "playing"
        told.loop.run(once=False, new=False)
        journal.close()
        return tables.asked

    assert three_games() == [0, 1, 2]
    assert three_games() == [2, 3, 4]


@pytest.mark.slow
def test_a_simulated_evening_plays_by_itself_and_ends_when_asked_to(tmp_path: Path) -> None:
    program = Running(tmp_path, speed=20, camera="simulated:30")
    state = program.until(lambda now: len(now["plays"]) >= 2)
    assert [player["name"] for player in state["players"]] == ["Ada", "Ben"]
    assert state["racks"] == []
    assert program.end() == 0
    assert len(list((tmp_path / "racko").glob("simulated-*.sqlite"))) == 1
