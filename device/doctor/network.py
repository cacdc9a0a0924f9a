"""Whether tablets and phones reach the page: addresses, the port, and how a wireless network behaves."""

import re
import socket
from collections.abc import Iterator
from typing import Final

from device.doctor.case import Case
from device.doctor.findings import Finding, Verdict, together
from device.doctor.machine import Machine
from device.pages.addresses import addresses

CHECK: Final = "network"
WEAK: Final = -75.0
"""Signal in dBm below which a wireless network stutters."""


def check(case: Case) -> Iterator[Finding]:
    """Where the page is or will be, then each wireless network."""
    yield _page(case)
    yield from _wireless(case.machine)


def _page(case: Case) -> Finding:
    port = case.settings.port
    where = addresses(port)
    if (case.machine.path("run", "avahi-daemon", "socket")).exists():
        where.append(f"http://{socket.gethostname()}.local:{port}/")
    shown = ", ".join(where)
    if case.running:
        return Finding(CHECK, "good", f"a table is running; its page is on {shown}")
    if port and not _free(port):
        mend = "end the program that has it, or write another number as [serve] port"
        return Finding(CHECK, "bad", f"port {port} is taken by another program, so the page cannot be there", mend)
    if len(where) == 1:
        mend = "join the network that the tablet is in (sudo nmtui), or plug in a network cable"
        return Finding(CHECK, "look", f"the page can be reached on this machine only, on {shown}", mend)
    return Finding(CHECK, "good", f"port {port} is free; the page will be on {shown}")


def _free(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        # as a server does it: a port whose connections are just closing is free
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("", port))
        except OSError:
            return False
    return True


def _wireless(machine: Machine) -> Iterator[Finding]:
    """Power saving and signal of each wireless network that is up."""
    for network in sorted(machine.path("sys", "class", "net").glob("*/wireless")):
        name = network.parent.name
        if machine.text("sys", "class", "net", name, "operstate") != "up":
            continue
        words, amiss = [], list[tuple[Verdict, str]]()
        signal = re.search(
            rf"^\s*{re.escape(name)}:\s+\S+\s+\S+\s+(-?\d+)", machine.text("proc", "net", "wireless") or "", re.M
        )
        if signal is not None:
            words.append(f"signal {signal[1]} dBm")
            if float(signal[1]) < WEAK:
                amiss.append(("look", "the signal is weak: bring the machine nearer to the router, or take a cable"))
        saving = machine.ask("iw", "dev", name, "get", "power_save")
        if saving is not None and ":" in saving:
            on = saving.rpartition(":")[2].strip() == "on"
            words.append(f"power saving is {'on' if on else 'off'}")
            if on:
                mend = f"pages may lag by half a second: sudo iw dev {name} set power_save off (until the next start)"
                amiss.append(("look", mend))
        if words:
            yield together(CHECK, f"{name}: {', '.join(words)}", amiss)
