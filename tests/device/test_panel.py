"""The panel, on gpiozero's mock pins and, where RACKO_TEST_PINS=1 says so, by the same tests on a Pi's own pins.

On a Pi: a resistor of 1 kilo-ohm from GPIO 22 (the hand) to GPIO 17 (the button's pin); GPIO 27 with an LED or open.
"""

import logging
import os
import queue
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from gpiozero import BadPinFactory, Device, GPIOZeroWarning, OutputDevice
from gpiozero.pins.mock import MockFactory

from device import panel as panel_module
from device.panel import PATTERNS, GpioPanel, NullPanel, PanelSettings, Pattern, Sign, open_panel
from engine.errors import RackoError

BUTTON, LED, HAND = 17, 27, 22
LONG = 20.0  # seconds to wait for what must come; a busy machine may be slow
WHILE = 0.3  # seconds in which nothing may come


@dataclass
class Table:
    """A panel with a hand at its button: `presses` holds one entry for each call of `on_press`."""

    panel: GpioPanel
    presses: queue.SimpleQueue[None]
    press: Callable[[], None]
    release: Callable[[], None]

    def wait_for(self, *, lit: bool) -> None:
        """Wait until the LED is lit, or dark."""
        end = time.monotonic() + LONG
        while self.panel.led.is_lit != lit:
            assert time.monotonic() < end, f"the LED did not go {'on' if lit else 'off'} in {LONG} s"
            time.sleep(0.005)


def _mock() -> Iterator[Table]:
    factory = MockFactory()
    presses: queue.SimpleQueue[None] = queue.SimpleQueue()
    panel = GpioPanel(BUTTON, LED, lambda: presses.put(None), factory)
    pin = factory.pin(BUTTON)
    yield Table(panel, presses, pin.drive_low, pin.drive_high)
    panel.close()
    factory.reset()


def _pins() -> Iterator[Table]:
    presses: queue.SimpleQueue[None] = queue.SimpleQueue()
    with OutputDevice(HAND, active_high=False) as hand:
        panel = GpioPanel(BUTTON, LED, lambda: presses.put(None))
        yield Table(panel, presses, hand.on, hand.off)
        panel.close()


real = pytest.mark.skipif(
    os.environ.get("RACKO_TEST_PINS") != "1", reason="RACKO_TEST_PINS=1 is for a Pi, wired as above"
)


@pytest.fixture(params=[_mock, pytest.param(_pins, marks=real)], ids=["mock", "pins"])
def table(request: pytest.FixtureRequest) -> Iterator[Table]:
    yield from request.param()


def test_each_press_calls_once_and_letting_go_does_not(table: Table) -> None:
    for _ in range(2):
        table.press()
        table.presses.get(timeout=LONG)
        table.release()
        with pytest.raises(queue.Empty):
            table.presses.get(timeout=WHILE)


def test_the_panel_is_dark_at_first_and_when_ready(table: Table) -> None:
    assert not table.panel.led.is_lit
    table.panel.show(Sign.CHECKING)
    table.wait_for(lit=True)
    table.panel.show(Sign.READY)
    time.sleep(WHILE)
    assert not table.panel.led.is_lit


def test_a_false_call_flashes(table: Table) -> None:
    table.panel.show(Sign.FALSE_CALL)
    for _ in range(2):
        table.wait_for(lit=True)
        table.wait_for(lit=False)


def test_a_true_call_stands_for_longer_than_a_false_call_flashes_once(table: Table) -> None:
    table.panel.show(Sign.TRUE_CALL)
    table.wait_for(lit=True)
    time.sleep(PATTERNS[Sign.FALSE_CALL].lit + WHILE)
    assert table.panel.led.is_lit


def test_a_sign_takes_the_place_of_the_one_before(table: Table) -> None:
    for sign in (Sign.CHECKING, Sign.FALSE_CALL, Sign.CHECKING, Sign.TRUE_CALL, Sign.READY):
        table.panel.show(sign)
    time.sleep(WHILE)
    assert not table.panel.led.is_lit


def test_closing_twice_and_showing_after_it_do_no_harm(table: Table) -> None:
    table.panel.show(Sign.CHECKING)
    table.panel.close()
    table.panel.close()
    table.panel.show(Sign.TRUE_CALL)
    assert table.panel.led.closed
    assert table.panel.button.closed


def test_a_pattern_with_an_end_is_played_as_often_as_it_says_and_leaves_the_led_dark(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(panel_module, "PATTERNS", {Sign.FALSE_CALL: Pattern(lit=0.01, dark=0.01, times=3)})
    factory = MockFactory()
    panel = GpioPanel(BUTTON, LED, lambda: None, factory)
    panel.show(Sign.FALSE_CALL)
    end = time.monotonic() + LONG
    while len(panel.led.pin.states) < 7 and time.monotonic() < end:
        time.sleep(0.005)
    time.sleep(WHILE)
    assert [bool(state) for _, state in panel.led.pin.states] == [False, True, False, True, False, True, False]
    panel.close()
    factory.reset()


def test_the_patterns_of_a_true_and_a_false_call_are_clearly_different() -> None:
    true, false = PATTERNS[Sign.TRUE_CALL], PATTERNS[Sign.FALSE_CALL]
    assert true.times == 1
    assert true.lit >= 3
    assert false.times is not None
    assert false.times >= 4
    assert false.lit <= 0.3


def test_every_sign_has_a_pattern_of_its_own_and_none_flashes_more_than_three_times_a_second() -> None:
    assert set(PATTERNS) == set(Sign)
    assert len(set(PATTERNS.values())) == len(Sign)
    for pattern in PATTERNS.values():
        assert pattern.times in (0, 1) or pattern.lit + pattern.dark > 1 / 3


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
        panel = open_panel(PanelSettings(), lambda: None)
    assert isinstance(panel, NullPanel)
    assert heard == []
    (line,) = caplog.messages
    assert "panel: none here" in line
    assert "\n" not in line
    panel.show(Sign.TRUE_CALL)
    panel.close()
    panel.close()


def test_mock_pins_come_by_argument_and_the_log_says_so(caplog: pytest.LogCaptureFixture) -> None:
    presses: list[str] = []
    with caplog.at_level(logging.INFO):
        panel = open_panel(PanelSettings(button_pin=5, led_pin=6), lambda: presses.append("press"), mock=True)
    assert isinstance(panel, GpioPanel)
    assert caplog.messages == ["panel: button on GPIO 5, LED on GPIO 6, by MockFactory"]
    panel.button.pin.drive_low()
    assert presses == ["press"]
    panel.close()


def test_a_bouncing_contact_is_left_to_the_driver_to_settle() -> None:
    factory = MockFactory()
    panel = GpioPanel(BUTTON, LED, lambda: None, factory)
    assert 0.02 <= panel.button.pin.bounce <= 0.1  # the mock keeps the bounce time but does nothing with it
    panel.close()
    factory.reset()


def test_a_panel_that_opens_by_half_gives_its_pin_back() -> None:
    factory = MockFactory()
    with OutputDevice(BUTTON, pin_factory=factory), pytest.raises(Exception, match="17"):
        GpioPanel(BUTTON, LED, lambda: None, factory)
    GpioPanel(BUTTON, LED, lambda: None, factory).close()
    factory.reset()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"button_pin": 28}, "button_pin = 28"),
        ({"led_pin": -1}, "led_pin = -1"),
        ({"led_pin": True}, "led_pin = True"),
        ({"button_pin": "GPIO17"}, "button_pin = 'GPIO17'"),
        ({"button_pin": 27}, "both 27"),
    ],
)
def test_pins_that_cannot_be_wired_are_refused_in_one_line(settings: dict[str, int], words: str) -> None:
    with pytest.raises(RackoError, match=words) as refused:
        PanelSettings(**settings)
    assert "[panel]" in str(refused.value)
    assert "\n" not in str(refused.value)
