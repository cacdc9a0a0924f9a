"""The panel at work, on gpiozero's mock pins and, where RACKO_TEST_PINS=1 says so, by the same tests on a Pi's own.

On a Pi: a resistor of 1 kilo-ohm from GPIO 22 (the hand) to GPIO 17 (the button's pin); GPIO 27 with an LED or open.
"""

import os
import queue
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from gpiozero import Device, OutputDevice
from gpiozero.pins.mock import MockFactory

from device.panel import GpioPanel, PanelSettings, Sign, conductor, contact
from engine.cards import Seat

HAND = 22
LONG = 20.0  # seconds to wait for what must come; a busy machine may be slow
WHILE = 0.3  # seconds in which nothing may come
SETTLED = contact.SETTLE * 2


@dataclass
class Table:
    """A panel with a hand at its button. `heard` holds what was called: "press" or "hold"."""

    panel: GpioPanel
    heard: queue.SimpleQueue[tuple[str, Seat | None]]
    press: Callable[[], None]
    release: Callable[[], None]

    @property
    def lit(self) -> bool:
        return bool(self.panel.parts.lamps[0].leds[0].is_lit)

    def wait_for(self, *, lit: bool) -> None:
        """Wait until the LED is lit, or dark."""
        end = time.monotonic() + LONG
        while self.lit != lit:
            assert time.monotonic() < end, f"the LED did not go {'on' if lit else 'off'} in {LONG} s"
            time.sleep(0.005)

    def wait(self, *heard: tuple[str, Seat | None]) -> None:
        """Wait for these to be called, and see that nothing else is."""
        assert [self.heard.get(timeout=LONG) for _ in heard] == list(heard)
        with pytest.raises(queue.Empty):
            self.heard.get(timeout=WHILE)


def _open(factory: MockFactory | None) -> tuple[GpioPanel, queue.SimpleQueue[tuple[str, Seat | None]]]:
    heard: queue.SimpleQueue[tuple[str, Seat | None]] = queue.SimpleQueue()
    pins = Device.pin_factory if factory is None else factory
    panel = GpioPanel(
        PanelSettings(), lambda seat: heard.put(("press", seat)), lambda seat: heard.put(("hold", seat)), pins
    )
    return panel, heard


def _mock() -> Iterator[Table]:
    factory = MockFactory()
    panel, heard = _open(factory)
    pin = factory.pin(17)
    yield Table(panel, heard, pin.drive_low, pin.drive_high)
    panel.close()
    factory.reset()


def _pins() -> Iterator[Table]:
    with OutputDevice(HAND, active_high=False) as hand:
        panel, heard = _open(None)
        yield Table(panel, heard, hand.on, hand.off)
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
        table.wait(("press", None))
        table.release()
        table.wait()


def test_a_press_is_called_before_the_button_is_let_go_and_shown_by_the_led_at_once(table: Table) -> None:
    table.press()
    table.wait_for(lit=True)
    table.wait(("press", None))
    table.release()
    table.wait_for(lit=False)


def test_a_press_is_shown_where_the_led_was_lit_too(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conductor, "GAP", 1.0)  # so that a busy machine sees it
    table.panel.show(Sign.YOUR_TURN, 1)
    table.wait_for(lit=True)
    table.press()
    table.wait_for(lit=False)
    table.wait_for(lit=True)
    table.release()


def test_contacts_that_bounce_press_once(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contact, "SETTLE", 5.0)  # a busy machine bounces slowly
    for _ in range(5):
        table.press()
        table.release()
    table.press()
    table.wait(("press", None))
    for _ in range(5):
        table.release()
        table.press()
    table.release()
    table.wait()


def test_a_button_that_is_held_is_pressed_at_once_and_held_once(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contact, "HOLD", 0.2)
    table.press()
    table.wait(("press", None), ("hold", None))
    table.release()
    table.wait()
    table.press()
    table.release()
    time.sleep(SETTLED)
    table.wait(("press", None))


def test_a_button_that_is_stuck_is_said_once_and_works_once_it_is_free(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(contact, "HOLD", 0.05)
    monkeypatch.setattr(contact, "STUCK", 0.1)
    table.press()
    table.wait(("press", None), ("hold", None))
    assert len(caplog.messages) == 1
    assert "button on GPIO 17" in caplog.messages[0]
    assert "stuck" in caplog.messages[0]
    table.release()
    time.sleep(SETTLED)
    table.press()
    table.release()
    table.wait(("press", None))


def test_the_panel_is_dark_at_first(table: Table) -> None:
    time.sleep(WHILE)
    assert not table.lit


@pytest.mark.slow
def test_a_false_call_flashes_and_the_turn_is_shown_again_by_itself(table: Table) -> None:
    table.panel.show(Sign.YOUR_TURN, 1)
    table.panel.show(Sign.FALSE_CALL, 1)
    for _ in range(3):
        table.wait_for(lit=True)
        table.wait_for(lit=False)
    table.wait_for(lit=True)
    steady = time.monotonic()
    while time.monotonic() < steady + 2 * WHILE:  # longer than a flash
        if not table.lit:
            table.wait_for(lit=True)
            steady = time.monotonic()


def test_a_turn_is_steady_light(table: Table) -> None:
    table.panel.show(Sign.YOUR_TURN, 1)
    table.wait_for(lit=True)
    table.panel.show(Sign.YOUR_TURN, 2)
    time.sleep(conductor.GAP + WHILE)
    assert table.lit


def test_a_sign_takes_the_place_of_the_one_before(table: Table) -> None:
    for sign in (Sign.LOOKING, Sign.FALSE_CALL, Sign.DOUBT, Sign.TRUE_CALL, Sign.LOOKING, Sign.YOUR_TURN):
        table.panel.show(sign)
    table.wait_for(lit=True)
    time.sleep(conductor.GAP + 2 * WHILE)
    assert table.lit


def test_closing_twice_and_showing_after_it_do_no_harm(table: Table) -> None:
    table.panel.show(Sign.YOUR_TURN)
    table.panel.close()
    table.panel.close()
    table.panel.show(Sign.TRUE_CALL)
    assert table.panel.parts.lamps[0].leds[0].closed
    assert table.panel.parts.buttons[0].device.closed
