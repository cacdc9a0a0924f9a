"""A panel of many parts on mock pins: which lamp shows what, who pressed, and what fails by itself."""

import logging
import queue
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Self

import pytest
from gpiozero import BadPinFactory, Device, GPIOZeroWarning, OutputDevice
from gpiozero.pins.mock import MockFactory

from device.panel import GpioPanel, NullPanel, PanelSettings, Sign, open_panel
from device.panel.patterns import CYAN, GREEN
from engine.cards import Seat

LONG = 20.0  # seconds to wait for what must come
WHILE = 0.2  # seconds in which nothing may come

WHOLE = PanelSettings(
    seat_button_pins={1: 5, 2: 6, 3: 13, 4: 19},
    seat_led_pins={1: 12, 2: 16},
    rgb_pins=(22, 23, 24),
    buzzer_pin=25,
)


@pytest.fixture
def pins() -> Iterator[MockFactory]:
    factory = MockFactory()
    yield factory
    factory.reset()


class Table:
    """A panel on mock pins; `heard` holds what was called."""

    def __init__(self, settings: PanelSettings, pins: MockFactory) -> None:
        self.heard: queue.SimpleQueue[tuple[str, Seat | None]] = queue.SimpleQueue()
        self.pins = pins
        self.panel = GpioPanel(settings, self.said("press"), self.said("hold"), pins)

    def said(self, what: str) -> Callable[[Seat | None], None]:
        return lambda seat: self.heard.put((what, seat))

    def lit(self, *numbers: int) -> tuple[bool, ...]:
        return tuple(bool(self.pins.pin(number).state) for number in numbers)

    def wait_until(self, true: Callable[[], bool]) -> None:
        end = time.monotonic() + LONG
        while not true():
            assert time.monotonic() < end, f"what must come did not come in {LONG} s"
            time.sleep(0.002)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.panel.close()


def test_a_turn_is_on_its_seats_lamp_and_on_the_tables_own(pins: MockFactory) -> None:
    with Table(WHOLE, pins) as table:
        table.panel.show(Sign.YOUR_TURN, 1)
        table.wait_until(lambda: table.lit(27, 12, 16, 22, 23, 24) == (True, True, False, *GREEN))
        table.panel.show(Sign.YOUR_TURN, 2)
        table.wait_until(lambda: table.lit(27, 12, 16, 22, 23, 24) == (True, False, True, *GREEN))
        table.panel.show(Sign.YOUR_TURN, 4)  # a seat without a lamp: the others are not to be taken for it
        table.wait_until(lambda: table.lit(27, 12, 16) == (True, False, False))
        assert [state for _, state in pins.pin(27).states] == [False, True]


def test_a_sign_for_the_whole_table_or_for_a_seat_without_a_lamp_is_on_all(pins: MockFactory) -> None:
    with Table(WHOLE, pins) as table:
        for seat in (None, 4):
            table.panel.show(Sign.LOOKING, seat)
            table.wait_until(lambda: table.lit(27, 12, 16, 22, 23, 24) == (True, True, True, *CYAN))
            table.panel.show(Sign.CLOSING, 1)
            table.wait_until(lambda: table.lit(12, 16) == (True, False))


def test_a_common_anode_is_lit_by_low_pins(pins: MockFactory) -> None:
    with Table(PanelSettings(rgb_pins=(22, 23, 24), rgb_common="anode"), pins) as table:
        assert table.lit(22, 23, 24) == (True, True, True)
        table.panel.show(Sign.YOUR_TURN)
        table.wait_until(lambda: table.lit(22, 23, 24) == (True, False, True))


def test_the_buzzer_sounds_a_verdict_and_ends(pins: MockFactory) -> None:
    with Table(WHOLE, pins) as table:
        table.panel.show(Sign.TRUE_CALL, 1)
        table.wait_until(lambda: len(pins.pin(25).states) == 7)
        time.sleep(WHILE)
        assert [state for _, state in pins.pin(25).states] == [False, True, False, True, False, True, False]


def test_a_quiet_panel_shows_and_does_not_sound(pins: MockFactory) -> None:
    with Table(PanelSettings(buzzer_pin=25, quiet=True), pins) as table:
        table.panel.show(Sign.FALSE_CALL, 1)
        table.wait_until(lambda: table.lit(27) == (True,))
        time.sleep(WHILE)
        assert [state for _, state in pins.pin(25).states] == [False]


def test_two_seats_that_press_within_milliseconds_are_both_heard(pins: MockFactory) -> None:
    with Table(WHOLE, pins) as table:
        for number in (6, 5, 17):
            pins.pin(number).drive_low()
        assert [table.heard.get(timeout=LONG) for _ in range(3)] == [("press", 2), ("press", 1), ("press", None)]


def test_a_button_that_is_held_down_keeps_no_other_from_being_heard(pins: MockFactory) -> None:
    with Table(WHOLE, pins) as table:
        pins.pin(5).drive_low()
        assert table.heard.get(timeout=LONG) == ("press", 1)
        for number, seat in ((6, 2), (13, 3), (19, 4)):
            pins.pin(number).drive_low()
            pins.pin(number).drive_high()
            assert table.heard.get(timeout=LONG) == ("press", seat)


def test_a_handler_that_raises_is_said_in_one_line_and_the_next_press_is_heard(
    pins: MockFactory, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[Seat | None] = []

    def handler(seat: Seat | None) -> None:
        heard.append(seat)
        if seat == 1:
            raise ValueError("no\nqueue")

    panel = GpioPanel(WHOLE, handler, handler, pins)
    pins.pin(5).drive_low()
    pins.pin(6).drive_low()
    panel.close()
    assert heard == [1, 2]
    assert caplog.messages == ["panel: a press of the button of seat 1 on GPIO 5 was not taken (no queue)"]


def test_parts_that_cannot_be_opened_are_left_out_and_said_once_each(
    pins: MockFactory, caplog: pytest.LogCaptureFixture
) -> None:
    with OutputDevice(5, pin_factory=pins), OutputDevice(23, pin_factory=pins), Table(WHOLE, pins) as table:
        assert len(caplog.messages) == 2
        assert "the button of seat 1 on GPIO 5 is left out" in caplog.messages[0]
        assert "the RGB LED on GPIO 22, 23 and 24 is left out" in caplog.messages[1]
        assert not any("\n" in line for line in caplog.messages)
        pins.pin(6).drive_low()
        assert table.heard.get(timeout=LONG) == ("press", 2)
        table.wait_until(lambda: table.lit(27) == (True,))
    GpioPanel(WHOLE, lambda _: None, lambda _: None, pins).close()


def test_a_pin_that_fails_later_is_left_out_and_said_once(
    pins: MockFactory, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise OSError("the pin\nis gone")

    with Table(WHOLE, pins) as table:
        table.panel.show(Sign.CLOSING)
        table.wait_until(lambda: table.lit(27, 12) == (True, True))
        monkeypatch.setattr(table.panel.parts.lamps[0].leds[0], "off", broken)
        for sign in (Sign.FALSE_CALL, Sign.READY):
            table.panel.show(sign)
            table.wait_until(lambda: table.lit(12) == (False,))
            table.wait_until(lambda: table.lit(12) == (True,))
        pins.pin(6).drive_low()
        assert table.heard.get(timeout=LONG) == ("press", 2)
        assert caplog.messages == ["panel: the LED on GPIO 27 is left out (the pin is gone); the rest works"]


def test_a_button_whose_pin_cannot_be_read_any_more_is_left_out(
    pins: MockFactory, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.panel.contact.HOLD", 0.05)
    with Table(WHOLE, pins) as table:
        monkeypatch.setattr(table.panel.parts.buttons[1], "device", None)
        pins.pin(5).drive_low()
        table.wait_until(lambda: len(caplog.messages) == 1)
        assert "button of seat 1 on GPIO 5 is left out" in caplog.messages[0]
        pins.pin(6).drive_low()
        heard = [table.heard.get(timeout=LONG) for _ in range(3)]
        assert heard == [("press", 1), ("press", 2), ("hold", 2)]


@pytest.mark.parametrize("failure", [BadPinFactory("no pins\nat all"), OSError("/dev/gpiochip0: busy"), ValueError()])
def test_without_pins_the_panel_is_a_null_panel_and_one_log_line_says_so(
    failure: Exception, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def no_factory() -> None:
        warnings.warn("falling back", GPIOZeroWarning, stacklevel=1)
        raise failure

    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setattr(Device, "_default_pin_factory", staticmethod(no_factory))
    with caplog.at_level(logging.INFO), warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        panel = open_panel(WHOLE, lambda _: None, lambda _: None)
    assert isinstance(panel, NullPanel)
    assert heard == []
    (line,) = caplog.messages
    assert "panel: none here" in line
    assert "\n" not in line
    panel.show(Sign.TRUE_CALL, 1)
    panel.close()
    panel.close()


def test_where_no_single_pin_can_be_had_one_line_says_so(
    pins: MockFactory, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def none(_: object) -> None:
        raise OSError("unable to locate Pi revision")

    monkeypatch.setattr(Device, "pin_factory", pins)
    monkeypatch.setattr(pins, "pin", none)
    assert isinstance(open_panel(WHOLE, lambda _: None, lambda _: None), NullPanel)
    assert caplog.messages == ["panel: none here (unable to locate Pi revision); the button on the page does the same"]


def test_mock_pins_come_by_argument_and_the_log_says_so(caplog: pytest.LogCaptureFixture) -> None:
    presses: list[Seat | None] = []
    settings = PanelSettings(button_pin=None, seat_button_pins={2: 5}, led_pin=6, buzzer_pin=7)
    with caplog.at_level(logging.INFO):
        panel = open_panel(settings, presses.append, lambda _: None, mock=True)
    assert isinstance(panel, GpioPanel)
    words = "panel: button of seat 2 on GPIO 5, LED on GPIO 6, buzzer on GPIO 7, by MockFactory"
    assert caplog.messages == [words]
    panel.parts.buttons[0].device.pin.drive_low()
    assert presses == [2]
    panel.close()
