"""The panel's parts on their pins: the only module that speaks to gpiozero's devices.

Each is opened by itself, so that one that cannot be had does not cost the others.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from gpiozero import LED, Buzzer, Factory, InputDevice

from device.panel.contact import Contact
from device.panel.patterns import Colour
from device.panel.settings import PanelSettings
from engine.cards import Seat

DARK: Colour = (False, False, False)

Edge = Callable[["Button", float, bool], None]
"""Hears of an edge: the button, the driver's time of it (ticks), and whether the button is down from then on."""


class Lamp:
    """An LED of one colour, or of three (red, green, blue), for a seat or the whole table."""

    def __init__(self, name: str, seat: Seat | None, pins: tuple[int, ...], factory: Factory, *, high: bool) -> None:
        """Open the pins, all or none. `high`: a high pin lights."""
        self.name, self.seat = name, seat
        with ExitStack() as opened:
            self.leds = [opened.enter_context(LED(pin, active_high=high, pin_factory=factory)) for pin in pins]
            self._opened = opened.pop_all()
        self._shown = DARK

    def show(self, colour: Colour) -> None:
        """Light up in this colour, or as bright as can be where there is only one."""
        if colour == self._shown:
            return
        for led, lit in zip(self.leds, colour if len(self.leds) > 1 else (any(colour),), strict=True):
            if lit:
                led.on()
            else:
                led.off()
        self._shown = colour

    def close(self) -> None:
        """Darken it and give its pins back."""
        self._opened.close()


class Sounder:
    """The buzzer."""

    def __init__(self, name: str, pin: int, factory: Factory) -> None:
        self.name = name
        self.buzzer = Buzzer(pin, pin_factory=factory)
        self._on = False

    def sound(self, *, on: bool) -> None:
        """Sound, or be silent."""
        if on != self._on:
            (self.buzzer.on if on else self.buzzer.off)()
            self._on = on

    def close(self) -> None:
        """Silence it and give its pin back."""
        self.buzzer.close()


class Button:
    """A RACK-O button between its pin and ground, for a seat or the whole table."""

    def __init__(self, name: str, seat: Seat | None, pin: int, factory: Factory) -> None:
        self.name, self.seat = name, seat
        self.device = InputDevice(pin, pull_up=True, pin_factory=factory)
        self.contact = Contact(self.device.pin_factory.ticks_diff)
        self._heard: Edge | None = None

    @property
    def closed(self) -> bool:
        """Whether it is down now, by its pin."""
        return bool(self.device.is_active)

    def listen(self, heard: Edge) -> None:
        """Hear of every edge from now on, in the driver's own thread."""
        self._heard = heard
        pin = self.device.pin
        pin.edges = "both"
        pin.when_changed = self._changed

    def close(self) -> None:
        """Hear nothing more and give the pin back."""
        self._heard = None
        pin = self.device.pin
        if pin is not None:
            pin.when_changed = None
        self.device.close()

    def _changed(self, ticks: float, state: int) -> None:
        if self._heard is not None:
            self._heard(self, ticks, not state)


Part = Lamp | Sounder | Button
P = TypeVar("P", Lamp, Sounder, Button)


@dataclass
class Parts:
    """All parts that could be opened, and those that could not, by name with what was raised."""

    lamps: list[Lamp] = field(default_factory=list)
    sounders: list[Sounder] = field(default_factory=list)
    buttons: list[Button] = field(default_factory=list)
    missing: list[tuple[str, Exception]] = field(default_factory=list)

    def __iter__(self) -> Iterator[Part]:
        """All that are open: buttons first."""
        yield from self.buttons
        yield from self.lamps
        yield from self.sounders


def open_parts(settings: PanelSettings, factory: Factory) -> Parts:
    """Open what the settings name, each by itself."""
    parts = Parts()
    for seat, pin in _by_seat(settings.button_pin, settings.seat_button_pins):
        name = f"button{_of(seat)} on GPIO {pin}"
        _open(parts.buttons, parts, name, partial(Button, seat=seat, pin=pin, factory=factory))
    for seat, pin in _by_seat(settings.led_pin, settings.seat_led_pins):
        name = f"LED{_of(seat)} on GPIO {pin}"
        _open(parts.lamps, parts, name, partial(Lamp, seat=seat, pins=(pin,), factory=factory, high=True))
    if settings.rgb_pins is not None:
        pins, high = settings.rgb_pins, settings.rgb_common == "cathode"
        name = "RGB LED on GPIO {}, {} and {}".format(*pins)
        _open(parts.lamps, parts, name, partial(Lamp, seat=None, pins=pins, factory=factory, high=high))
    if settings.buzzer_pin is not None:
        name = f"buzzer on GPIO {settings.buzzer_pin}"
        _open(parts.sounders, parts, name, partial(Sounder, pin=settings.buzzer_pin, factory=factory))
    return parts


def _open(into: list[P], parts: Parts, name: str, make: Callable[[str], P]) -> None:
    try:
        into.append(make(name))
    except Exception as error:  # noqa: BLE001 - each driver under gpiozero raises kinds of its own (lgpio.error, ...)
        parts.missing.append((name, error))


def _by_seat(shared: int | None, own: Mapping[Seat, int]) -> Iterator[tuple[Seat | None, int]]:
    if shared is not None:
        yield None, shared
    yield from sorted(own.items())


def _of(seat: Seat | None) -> str:
    return "" if seat is None else f" of seat {seat}"
