"""All checks, one after the other, each in a thread of its own with a time to be done: none can stop the others."""

import queue
import threading
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Final

from calibration.table import TableError
from device.doctor.case import Case
from device.doctor.findings import Finding
from engine.errors import RackoError

CHECKS: Final = {
    "program": 30.0,
    "clock": 15.0,
    "disk": 30.0,
    "heat": 15.0,
    "network": 30.0,
    "pins": 15.0,
    "voice": 15.0,
    "tesseract": 15.0,
    "cameras": 60.0,
    "light": 60.0,
    "mats": 30.0,
}
"""Modules of this package, each with a function `check`, and the seconds that each has. What takes longest, and what a
person is about to mend, comes last and so stands at the end. Cameras are watched once, by whichever asks first."""

OF_PICTURES: Final = ("light", "mats")
"""What can be said of a photograph."""


def examine(case: Case, checks: Sequence[str] = tuple(CHECKS)) -> Iterator[Finding]:
    """Give each check's findings as soon as it is done."""
    for name in checks:
        yield from _in_time(name, case, CHECKS[name])


def _in_time(name: str, case: Case, seconds: float) -> list[Finding]:
    """Run a check; one that is not done in time is left behind, and what it raises is a finding."""
    answer: queue.SimpleQueue[list[Finding]] = queue.SimpleQueue()
    threading.Thread(target=lambda: answer.put(_checked(name, case)), name=f"check {name}", daemon=True).start()
    try:
        return answer.get(timeout=seconds)
    except queue.Empty:
        mend = "something of this machine does not answer: restart it and ask again"
        return [Finding(name, "bad", f"was not done after {seconds:.0f} s and is left out", mend)]


def _checked(name: str, case: Case) -> list[Finding]:
    findings: list[Finding] = []
    try:
        for finding in import_module(f"device.doctor.{name}").check(case):
            findings.append(finding)  # noqa: PERF402 - what was found before something fails counts
    except (RackoError, TableError, OSError) as problem:
        words = " ".join(str(problem).split())
        findings.append(Finding(name, "bad", "could not be checked to its end", words))
    except Exception as problem:  # noqa: BLE001 - a doctor is asked where things are wrong, of a kind nobody foresaw
        words = " ".join(f"{type(problem).__name__}: {problem}".split())
        mend = "this is a fault of the doctor's own: please report it with this line"
        findings.append(Finding(name, "bad", f"could not be checked to its end ({words})", mend))
    return findings
