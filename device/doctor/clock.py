"""Whether the machine knows what time it is. A Pi has no clock that runs without power, and the game needs none."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from device.doctor.case import Case
from device.doctor.findings import Finding
from device.doctor.machine import Machine

CHECK: Final = "clock"
YEARS: Final = range(2026, 2100)
"""Racko is no older; a clock that was never set says 1970, or when its system was made."""
WHILE: Final = 0.2
JUMPED: Final = 0.1
"""Seconds that both clocks are compared over, and that they may differ."""
HISTORY: Final = "only the times in the history are wrong then, the game needs none"


def check(case: Case) -> Iterator[Finding]:
    """Look whether time goes on evenly, what year it is, and whether somebody sets the clock."""
    machine = case.machine
    wall, even = machine.wall(), machine.monotonic()
    machine.pause(WHILE)
    wall, even = machine.wall() - wall, machine.monotonic() - even
    if even <= 0:
        yield Finding(CHECK, "bad", "the clock for intervals stands still", "restart the machine")
        return
    now = datetime.fromtimestamp(machine.wall(), UTC).astimezone()
    time = f"{now:%A} {now.day} {now:%B %Y, %H:%M} ({now:%Z})"
    if now.year not in YEARS:
        mend = f'join a network that leads outside, or sudo date -s "YYYY-MM-DD HH:MM" ({HISTORY})'
        yield Finding(CHECK, "look", f"it says {time}, which cannot be", mend)
        return
    if abs(wall - even) > JUMPED:
        yield Finding(CHECK, "look", f"{time}; it was set by {wall - even:+.1f} s just now", "ask again in a minute")
        return
    battery = any(machine.path("sys", "class", "rtc").glob("rtc*"))
    keeps = "it goes on without power" if battery else "it stops without power"
    synchronised = is_set_by_network(machine)
    if synchronised:
        yield Finding(CHECK, "good", f"{time}, set by the network; {keeps}")
    elif synchronised is None:
        yield Finding(CHECK, "good", f"{time}; whether the network sets it is not known here")
    else:
        mend = f"look whether the time is right, or join a network and sudo timedatectl set-ntp true ({HISTORY})"
        yield Finding(CHECK, "look", f"{time}, not set by the network; {keeps}", mend)


def is_set_by_network(machine: Machine) -> bool | None:
    """Whether the network has set the clock since the machine was started; None where nobody knows."""
    if machine.path("run", "systemd", "timesync", "synchronized").exists():
        return True
    said = machine.ask("timedatectl", "show", "--property=NTPSynchronized", "--value")
    return {"yes": True, "no": False}.get(said or "")
