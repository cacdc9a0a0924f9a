"""The panel on the table: the RACK-O button and one LED, on a Raspberry Pi's pins through gpiozero.

Wiring, by the numbers of the 40-pin header (GPIO numbers are settings, these are the defaults):

    button   between 11 (GPIO 17) and 9 (ground); it is pulled up inside the Pi, so it needs no resistor
    LED      its longer leg by a resistor of 330 ohms to 13 (GPIO 27), its shorter leg to 14 (ground)

Put the LED where its light falls on nothing that a camera watches: it must not disturb what is observed. What it
shows is public, so a sign may never tell anything about a rack's cards while a round is on.
"""

import enum
import logging
import os
import tempfile
import warnings
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

from gpiozero import LED, Button, Factory, GPIOZeroWarning
from gpiozero.pins.mock import MockFactory

from engine.errors import BadInput

log = logging.getLogger(__name__)

HEADER = range(28)
"""The GPIO numbers on the header of every Raspberry Pi since 2014."""

BOUNCE = 0.05
"""Seconds in which a button's contacts may bounce; a person presses no faster than that."""


class Sign(enum.Enum):
    """What the LED can tell the table."""

    READY = "ready"
    CHECKING = "checking"
    TRUE_CALL = "true call"
    FALSE_CALL = "false call"


@dataclass(frozen=True)
class Pattern:
    """How a sign looks: lit for `lit` seconds, then dark for `dark` seconds, and that `times` times (None: no end)."""

    lit: float
    dark: float
    times: int | None


PATTERNS: Mapping[Sign, Pattern] = MappingProxyType(
    {
        Sign.READY: Pattern(lit=0, dark=0, times=0),
        Sign.CHECKING: Pattern(lit=1.0, dark=1.0, times=None),
        Sign.TRUE_CALL: Pattern(lit=5.0, dark=0, times=1),
        # Quick, but under the three flashes a second that WCAG 2.2 (2.3.1) allows for people with photosensitivity.
        Sign.FALSE_CALL: Pattern(lit=0.2, dark=0.2, times=8),
    }
)
"""Each sign's pattern. One with an end leaves the LED dark, which is how READY looks."""


@dataclass(frozen=True)
class PanelSettings:
    """Where button and LED are wired, as GPIO numbers; section `[panel]` of the configuration.

    Raises BadInput for a number that no pin has and for one pin with two uses.
    """

    button_pin: int = 17
    led_pin: int = 27

    def __post_init__(self) -> None:
        """Refuse what cannot be wired."""
        for key, pin in (("button_pin", self.button_pin), ("led_pin", self.led_pin)):
            if type(pin) is not int or pin not in HEADER:
                raise BadInput(f"[panel] {key} = {pin!r}: write a GPIO number from {HEADER[0]} to {HEADER[-1]}")
        if self.button_pin == self.led_pin:
            raise BadInput(f"[panel] button_pin and led_pin are both {self.led_pin}: give each its own GPIO number")


class Panel(Protocol):
    """What the run loop knows of a panel."""

    def show(self, sign: Sign) -> None:
        """Start this sign from its beginning, in place of the one before, and return at once."""

    def close(self) -> None:
        """Darken the LED and give the pins back; may be called again, and `show` does nothing from then on."""


class NullPanel:
    """The panel of a machine without pins: nobody presses it and it shows nothing."""

    def show(self, sign: Sign) -> None:
        """Show nothing."""

    def close(self) -> None:
        """Close nothing."""


class GpioPanel:
    """Button and LED on pins: `button_pin` and `led_pin` are GPIO numbers.

    `on_press` is called once for each press, in the driver's own thread, so it may only put something into a queue.
    `factory` makes the pins (None: gpiozero's choice for this machine). What gpiozero and its drivers raise where
    pins cannot be had comes through.
    """

    def __init__(
        self, button_pin: int, led_pin: int, on_press: Callable[[], None], factory: Factory | None = None
    ) -> None:
        with ExitStack() as devices:
            self.led = devices.enter_context(LED(led_pin, pin_factory=factory))
            self.button = devices.enter_context(
                Button(button_pin, pull_up=True, bounce_time=BOUNCE, pin_factory=factory)
            )
            self.button.when_pressed = on_press
            self._devices = devices.pop_all()

    def show(self, sign: Sign) -> None:
        """Start this sign's pattern from its beginning, in place of the one before, and return at once."""
        if self.led.closed:
            return
        pattern = PATTERNS[sign]
        self.led.off()
        self.led.blink(on_time=pattern.lit, off_time=pattern.dark, n=pattern.times, background=True)

    def close(self) -> None:
        """Darken the LED and give both pins back."""
        self._devices.close()


def open_panel(settings: PanelSettings, on_press: Callable[[], None], *, mock: bool = False) -> Panel:
    """Try the pins once and give what this machine has; without pins it is a `NullPanel`, and one log line says so.

    `mock` takes gpiozero's mock pins instead of the machine's. `on_press` is as in `GpioPanel`.
    """
    # lgpio leaves a pipe in its working directory, which else is the one that the program was started in.
    os.environ.setdefault("LG_WD", os.environ.get("XDG_RUNTIME_DIR", tempfile.gettempdir()))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", GPIOZeroWarning)
            panel = GpioPanel(settings.button_pin, settings.led_pin, on_press, MockFactory() if mock else None)
    except Exception as error:  # noqa: BLE001 - each driver under gpiozero raises kinds of its own (lgpio.error, ...)
        why = " ".join(str(error).split()) or type(error).__name__
        log.warning("panel: none here (%s); the button on the page does the same", why)
        return NullPanel()
    driver = type(panel.led.pin_factory).__name__
    log.info("panel: button on GPIO %d, LED on GPIO %d, by %s", settings.button_pin, settings.led_pin, driver)
    return panel
