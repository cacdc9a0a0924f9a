"""Whether button, LEDs and buzzer can be had on the pins that the settings name."""

import os
import tempfile
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Final

from gpiozero import GPIOZeroWarning

from device.doctor.case import Case
from device.doctor.findings import Finding
from device.panel.parts import Parts, open_parts

CHECK: Final = "pins"
DRIVERS: Final = ("lgpio", "RPi", "pigpio")
"""Modules by one of which gpiozero speaks to pins, the first before others."""
PAGE: Final = "the button on the page does the same"


def check(case: Case) -> Iterator[Finding]:
    """Look whether there are pins at all, then try each part; nothing lights up."""
    machine = case.machine
    if machine.model is None:
        yield Finding(CHECK, "skipped", f"this is no Raspberry Pi and has no pins; {PAGE}")
        return
    if case.running:
        yield Finding(CHECK, "skipped", f"{machine.model}; the table that is running has the pins")
        return
    chips = sorted(machine.path("dev").glob("gpiochip*"))
    if not chips:
        yield Finding(
            CHECK,
            "bad",
            f"{machine.model}, but /dev has no gpiochip",
            "restart it, or if that does not help write its SD card anew",
        )
        return
    if not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        mend = "sudo usermod -aG gpio NAME, with the name of the user that racko runs as, and log in again"
        yield Finding(CHECK, "bad", f"{machine.model}; {chips[0].name} may not be used by this user", mend)
        return
    yield from _parts(case, machine.model)


def _parts(case: Case, model: str) -> Iterator[Finding]:
    """Open each part by itself, look at the buttons, and give all pins back."""
    # lgpio leaves a pipe in its working directory, which else is the one that the program was started in.
    os.environ.setdefault("LG_WD", os.environ.get("XDG_RUNTIME_DIR", tempfile.gettempdir()))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GPIOZeroWarning)
        try:
            factory = case.machine.pins()
        except Exception as problem:  # noqa: BLE001 - each driver under gpiozero raises kinds of its own
            driver = next((name for name in DRIVERS if find_spec(name)), None)
            mend = "sudo apt install python3-lgpio, and set racko up again so that it finds it"
            if driver is not None:
                mend = f"{driver} is there: see that no other program has the pins, and restart"
            yield Finding(CHECK, "bad", f"{model}; gpiozero finds no pins ({_reason(problem)})", mend)
            return
        parts = open_parts(case.settings.panel, factory)
        try:
            yield from _tried(parts, f"{model}, by {type(factory).__name__}")
        finally:
            for part in parts:
                part.close()


def _tried(parts: Parts, where: str) -> Iterator[Finding]:
    names = [part.name for part in parts]
    if not names and not parts.missing:
        yield Finding(CHECK, "skipped", f"{where}; the settings name no part ([panel]); {PAGE}")
    if names:
        yield Finding(CHECK, "good", f"{where}; open: {', '.join(names)}")
    for name, problem in parts.missing:
        mend = "end the program that uses this pin, or wire the part elsewhere and write its number into [panel]"
        yield Finding(CHECK, "bad", f"the {name} cannot be had ({_reason(problem)})", mend)
    for button in parts.buttons:
        if button.closed:
            mend = "let it go, or if nobody holds it look for a short circuit, or a wire on another pin"
            yield Finding(CHECK, "look", f"the {button.name} is down", mend)


def _reason(problem: Exception) -> str:
    return " ".join(str(problem).split()) or type(problem).__name__
