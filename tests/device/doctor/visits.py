"""A machine of folders and fakes, and visits of the doctor to it."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from device.configuration import Configuration
from device.doctor.case import Case
from device.doctor.findings import Finding
from device.doctor.machine import Machine
from device.doctor.sight import MatSight, Sight
from device.doctor.views import View

PI = "Raspberry Pi 4 Model B Rev 1.4\0"
SATURDAY = 1_795_290_000.0  # 21 November 2026, in the evening


class Place:
    """A folder in the place of /, and programs that are all there is on the PATH."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root, self.bin, self.home = folder / "root", folder / "bin", folder / "home"
        for path in (self.root, self.bin, self.home):
            path.mkdir()
        for name in ("sh", "sleep"):
            (self.bin / name).symlink_to(str(shutil.which(name)))
        monkeypatch.setenv("PATH", str(self.bin))
        monkeypatch.setattr("device.doctor.machine.ALSO", ())
        self.changes: dict[str, Any] = {"cameras": lambda _dev, _sys: ()}

    def write(self, path: str, text: str) -> None:
        """Write a file of the system."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def program(self, name: str, script: str) -> None:
        """Put a program on the PATH."""
        (self.bin / name).write_text(f"#!/bin/sh\n{script}\n")
        (self.bin / name).chmod(0o755)

    def machine(self, **changes: Any) -> Machine:  # noqa: ANN401 - any field of a machine
        return Machine(self.root, **{**self.changes, **changes})

    def case(self, *, running: bool = False, **changes: Any) -> Case:  # noqa: ANN401 - likewise
        """A visit, with the journal in `home`; `running`: as if a table had cameras and pins."""
        case = Case(Configuration(port=0, folder=self.home), machine=self.machine(**changes))
        case.__dict__["running"] = running
        return case


def seeing(*mats: MatSight, view: View, remarks: Sequence[str] = (), far: bool = False) -> tuple[View, Sight]:
    """What is seen in a view."""
    return view, Sight((1280, 720), mats, tuple(remarks), None, far=far)


def case_of(*sights: tuple[View, Sight]) -> Case:
    """A visit in which this is seen, whatever there is."""
    case = Case(Configuration(port=0))
    case.__dict__["sights"] = sights
    case.__dict__["views"] = tuple(view for view, _ in sights)
    return case


def told(findings: Sequence[Finding]) -> list[tuple[str, str]]:
    """Verdicts with all words."""
    return [(finding.verdict, f"{finding.found} > {finding.mend}") for finding in findings]


def only(findings: Sequence[Finding]) -> Finding:
    """The one finding."""
    (finding,) = findings
    check_words(finding)
    return finding


def check_words(finding: Finding) -> None:
    """Hold a finding against what every one must be: one line each, and something to do where there is."""
    assert finding.found
    assert "\n" not in finding.found + finding.mend
    assert bool(finding.mend) == (finding.verdict in {"look", "bad"})


def is_root() -> bool:
    return os.geteuid() == 0
