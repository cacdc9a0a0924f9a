"""Whether the machine keeps cool and has power, time and memory left; what a Pi says of itself, in words."""

import os
from collections.abc import Iterator
from typing import Final

from device.doctor.case import Case
from device.doctor.findings import Finding, Verdict, together
from device.doctor.machine import Machine

CHECK: Final = "heat"
WARM, HOT = 70.0, 80.0
"""Degrees Celsius; a Pi slows down from 80 on (Raspberry Pi documentation, frequency management)."""
LOADED: Final = 1.2
"""Programs that want to run, for each processor."""
MEMORY: Final = (100, 300)
"""MB that are free: fewer than the first is bad; a serving racko has some 150."""

VOLTAGE: Final = "too little voltage"
THROTTLED: Final = ((0, VOLTAGE), (1, "a capped clock"), (2, "throttled"), (3, "its soft limit of heat"))
"""Bits of `vcgencmd get_throttled` (Raspberry Pi documentation, vcgencmd); 16 higher: so it was since the start."""
SINCE: Final = 16
SUPPLY: Final = "take the power supply made for this Pi and a short cable, and no hungry USB devices"
COOL: Final = "give it a heat sink or a fan, and free air around it"


def check(case: Case) -> Iterator[Finding]:
    """Temperature, then what a Pi says of its power, then load and memory."""
    yield _temperature(case.machine)
    yield from _power(case.machine)
    yield _left(case.machine)


def _temperature(machine: Machine) -> Finding:
    zones = sorted(machine.path("sys", "class", "thermal").glob("thermal_zone*"))
    said = [machine.text("sys", "class", "thermal", zone.name, "temp") for zone in zones]
    degrees = [int(words) / 1000 for words in said if words is not None and words.lstrip("-").isdigit()]
    if not degrees:
        return Finding(CHECK, "skipped", "this machine does not tell its temperature")
    hottest = max(degrees)
    if hottest < WARM:
        return Finding(CHECK, "good", f"{hottest:.0f} degrees (below {WARM:.0f} is good)")
    return Finding(
        CHECK, "bad" if hottest >= HOT else "look", f"{hottest:.0f} degrees; from {HOT:.0f} on it slows down", COOL
    )


def _power(machine: Machine) -> Iterator[Finding]:
    """What a Pi's firmware says of voltage and throttling, now and since it was started."""
    if machine.model is None:
        return
    said = machine.ask("vcgencmd", "get_throttled")
    try:
        bits = int((said or "").partition("=")[2], 16)
    except ValueError:
        mend = "sudo usermod -aG video NAME lets a user ask vcgencmd"
        yield Finding(CHECK, "skipped", f"{machine.model}: its firmware could not be asked about power", mend)
        return
    now = [words for bit, words in THROTTLED if bits >> bit & 1]
    before = [words for bit, words in THROTTLED if bits >> (bit + SINCE) & 1 and words not in now]
    if not now and not before:
        yield Finding(CHECK, "good", f"{machine.model}: power was good and it was never throttled since its start")
        return
    verdict: Verdict = "bad" if VOLTAGE in now else "look"
    told = [f"now {', '.join(now)}"] * bool(now) + [f"since its start {', '.join(before)}"] * bool(before)
    # without voltage it is throttled too, and no fan helps
    mend = SUPPLY if VOLTAGE in (*now, *before) else COOL
    yield Finding(CHECK, verdict, f"{machine.model}: {'; '.join(told)} ({said})", mend)


def _left(machine: Machine) -> Finding:
    """Load over the last five minutes, and memory."""
    words: list[str] = []
    amiss: list[tuple[Verdict, str]] = []
    processors = os.cpu_count() or 1
    load = (machine.text("proc", "loadavg") or "").split()
    if len(load) > 1:
        words.append(f"load {float(load[1]):.1f} on {processors} processors")
        if float(load[1]) > LOADED * processors:
            amiss.append(("look", "end programs that are not needed, such as a desktop with a browser"))
    free = next(
        (row for row in (machine.text("proc", "meminfo") or "").splitlines() if row.startswith("MemAvailable:")), ""
    )
    if free:
        megabytes = int(free.split()[1]) / 1000
        words.append(f"{megabytes:.0f} MB of memory free")
        if megabytes < MEMORY[1]:
            amiss.append(("bad" if megabytes < MEMORY[0] else "look", "end other programs, or restart the machine"))
    if not words:
        return Finding(CHECK, "skipped", "this machine does not tell its load")
    return together(CHECK, ", ".join(words), amiss)
