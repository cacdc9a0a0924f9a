"""The panel at work: presses become calls, signs become light and sound, and no pin stops another.

One thread of its own writes to all lamps and the buzzer and watches for held buttons, so that `show` and a press never
wait for a pin. Presses come in the driver's thread, which would end for all pins if a handler raised: what a handler
raises goes no further than the log.
"""

import logging
import math
import os
import tempfile
import threading
import time
import warnings
from collections.abc import Callable
from functools import partial
from typing import Protocol

from gpiozero import Device, Factory, GPIOZeroWarning
from gpiozero.pins.mock import MockFactory

from device.panel.conductor import Conductor, Moment
from device.panel.contact import STUCK
from device.panel.parts import DARK, Button, Lamp, Part, open_parts
from device.panel.patterns import LIGHTS, Colour, Sign
from device.panel.settings import PanelSettings
from engine.cards import Seat

log = logging.getLogger(__name__)

Handler = Callable[[Seat | None], None]
"""Hears of a button: whose it is, None for the table's. Called in a driver's thread: it may only enqueue."""

PATIENCE = 1.0
"""Seconds that closing waits for a pin that does not answer."""


class Panel(Protocol):
    """What the run loop knows of a panel."""

    @property
    def words(self) -> str:
        """How it is, for the host: what is missing, or that all of it works."""

    def show(self, sign: Sign, seat: Seat | None = None) -> None:
        """Show this sign, for a seat or the whole table, and return at once.

        One that stands already goes on. A verdict's ends by itself, and what stands is shown again.
        """

    def close(self) -> None:
        """Darken it and give the pins back; may be called again, and `show` does nothing from then on."""


class NullPanel:
    """The panel of a machine without pins: nobody presses it and it shows nothing."""

    words = "no button and no lamp are joined; the pages' buttons do the same"

    def show(self, sign: Sign, seat: Seat | None = None) -> None:
        """Show nothing."""

    def close(self) -> None:
        """Close nothing."""


class GpioPanel:
    """The parts that `settings` name, on pins of `factory`.

    `on_press` is called once for each press, at its first edge; `on_hold` once for each press that lasts `HOLD`
    seconds. A part that cannot be opened, or fails later, is left out and said once. If none can be opened, what the
    first of them raised comes through.
    """

    def __init__(self, settings: PanelSettings, on_press: Handler, on_hold: Handler, factory: Factory) -> None:
        self.parts = open_parts(settings, factory)
        self._handlers = {"press": on_press, "hold": on_hold}
        self._quiet = settings.quiet
        self._conductor = Conductor()
        self._wake = threading.Condition()
        self._woken = self._closed = False
        self._failed: set[str] = set()
        if not list(self.parts) and self.parts.missing:
            raise self.parts.missing[0][1]
        for name, error in self.parts.missing:
            self._leave_out(name, error)
        for button in self.parts.buttons:
            self._use(button, partial(self._listen, button))
        self._lamp_seats = {lamp.seat for lamp in self.parts.lamps}
        self._thread = threading.Thread(target=self._run, name="panel", daemon=True)
        self._thread.start()

    @property
    def words(self) -> str:
        """How it is, for the host."""
        if self._failed:
            return f"not working: {', '.join(sorted(self._failed))}; the rest is"
        return "the button and its lamps work"

    def show(self, sign: Sign, seat: Seat | None = None) -> None:
        """Show this sign, for a seat or the whole table, and return at once."""
        with self._wake:
            self._conductor.show(sign, seat, time.monotonic())
            self._stir()

    def close(self) -> None:
        """Darken everything and give the pins back."""
        with self._wake:
            self._closed = True
            self._wake.notify()
        self._thread.join(PATIENCE)
        for part in self.parts:
            try:
                part.close()
            except Exception as error:  # noqa: BLE001 - one pin that cannot be given back does not keep the others
                log.warning("panel: the %s was not closed (%s)", part.name, _reason(error))

    def _stir(self) -> None:
        self._woken = True
        self._wake.notify()

    def _listen(self, button: Button) -> None:
        button.contact.begin(time.monotonic(), closed=button.closed)
        button.listen(self._edge)

    def _edge(self, button: Button, ticks: float, closed: bool) -> None:  # noqa: FBT001 - an Edge
        with self._wake:
            now = time.monotonic()
            pressed = not self._closed and button.contact.edge(ticks, now, closed=closed)
            if pressed:
                self._conductor.heard(button.seat, now)
                self._stir()
        if pressed:
            self._tell("press", button)

    def _tell(self, what: str, button: Button) -> None:
        try:
            self._handlers[what](button.seat)
        except Exception as error:  # noqa: BLE001 - see the module's docstring
            log.error("panel: a %s of the %s was not taken (%s)", what, button.name, _reason(error))  # noqa: TRY400 - one line

    def _run(self) -> None:
        while True:
            with self._wake:
                if self._closed:
                    return
                self._woken = False
                now = time.monotonic()
                moment = self._conductor.moment(now)
            self._light(moment)
            until = min([moment.until, *(self._look(button, now) for button in self.parts.buttons)])
            with self._wake:
                wait = None if math.isinf(until) else max(0.0, until - time.monotonic())
                self._wake.wait_for(lambda: self._woken or self._closed, wait)

    def _light(self, moment: Moment) -> None:
        for lamp in self.parts.lamps:
            self._use(lamp, partial(lamp.show, self._colour(lamp, moment)))
        for sounder in self.parts.sounders:
            self._use(sounder, partial(sounder.sound, on=moment.buzz and not self._quiet))

    def _colour(self, lamp: Lamp, moment: Moment) -> Colour:
        """What a lamp shows. A sign for a seat is on that seat's lamp and on those of the whole table."""
        if moment.lit is None:
            return DARK
        sign, seat = moment.lit.sign, moment.lit.seat
        others = sign is not Sign.YOUR_TURN and seat not in self._lamp_seats
        mine = lamp.seat is None or seat is None or lamp.seat == seat or others
        return LIGHTS[sign].colour if mine else DARK

    def _look(self, button: Button, now: float) -> float:
        """See what a button that was pressed has come to; tell when to look again."""
        if button.name in self._failed or now < button.contact.due:
            return button.contact.due
        closed = False

        def read() -> None:
            nonlocal closed
            closed = button.closed

        self._use(button, read)
        with self._wake:
            finding = button.contact.look(now, closed=closed)
        if finding == "held":
            self._tell("hold", button)
        elif finding == "stuck":
            log.warning("panel: the %s has been down for %.0f s; it seems to be stuck", button.name, STUCK)
        return button.contact.due

    def _use(self, part: Part, action: Callable[[], None]) -> None:
        """Do something with a part, unless it has failed before."""
        if part.name in self._failed or self._closed:
            return
        try:
            action()
        except Exception as error:  # noqa: BLE001 - each driver under gpiozero raises kinds of its own
            self._leave_out(part.name, error)

    def _leave_out(self, name: str, error: Exception) -> None:
        self._failed.add(name)
        log.warning("panel: the %s is left out (%s); the rest works", name, _reason(error))


def open_panel(settings: PanelSettings, on_press: Handler, on_hold: Handler, *, mock: bool = False) -> Panel:
    """Try the pins once and give what this machine has; without pins it is a `NullPanel`, and one log line says so.

    `mock` takes gpiozero's mock pins instead of the machine's. The handlers are as in `GpioPanel`.
    """
    # lgpio leaves a pipe in its working directory, which else is the one that the program was started in.
    os.environ.setdefault("LG_WD", os.environ.get("XDG_RUNTIME_DIR", tempfile.gettempdir()))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", GPIOZeroWarning)
            factory = MockFactory() if mock else _pins_of_this_machine()
            panel = GpioPanel(settings, on_press, on_hold, factory)
    except Exception as error:  # noqa: BLE001 - each driver under gpiozero raises kinds of its own (lgpio.error, ...)
        log.warning("panel: none here (%s); the button on the page does the same", _reason(error))
        return NullPanel()
    names = ", ".join(part.name for part in panel.parts)
    log.info("panel: %s, by %s", names, type(factory).__name__)
    return panel


def _pins_of_this_machine() -> Factory:
    Device.ensure_pin_factory()
    return Device.pin_factory


def _reason(error: Exception) -> str:
    """What was raised, in one line."""
    return " ".join(str(error).split()) or type(error).__name__
