"""The files that systemd and Avahi read: they can be read, and agree with the program that they speak of."""

import os
import shutil
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path

import pytest

from device.loop.watchdog import END, PATROL, STALL
from device.recorder.recorder import PATIENCE
from engine.errors import RackoError
from tests.deploy.machine import DEPLOY

UNIT = DEPLOY / "racko.service"
SPANS = {"min": 60.0, "s": 1.0, "": 1.0}


def said(section: str) -> list[tuple[str, str]]:
    """The keys and values of a section; a key may stand there more than once."""
    found, inside = [], False
    for line in UNIT.read_text().splitlines():
        if line.startswith("["):
            inside = line == f"[{section}]"
        elif inside and line and not line.startswith("#"):
            key, equals, value = line.partition("=")
            assert equals, line
            found.append((key, value))
    return found


def value_of(key: str, section: str = "Service") -> str:
    [value] = [value for name, value in said(section) if name == key]
    return value


def seconds(key: str, section: str = "Service") -> float:
    value = value_of(key, section)
    digits = value.rstrip("mins")
    return float(digits) * SPANS[value[len(digits) :]]


def test_the_watchdog_ends_the_program_itself_before_systemd_does() -> None:
    watchdog = seconds("WatchdogSec")
    assert value_of("Type") == "notify"
    assert PATROL * 10 <= STALL < END < watchdog
    assert watchdog - END >= STALL + PATROL  # room for the words of a stall on a busy machine
    assert value_of("Restart") == "on-failure"


def test_an_end_with_exit_code_2_is_tried_again_a_few_times_only() -> None:
    tries, within = int(value_of("StartLimitBurst", "Unit")), seconds("StartLimitIntervalSec", "Unit")
    assert RackoError.exit_code == 2
    starting = 10.0  # seconds that a Pi takes at most to find out; a slower one is never busy with it
    assert tries * (seconds("RestartSec") + starting) <= within
    assert tries * (seconds("RestartSec") + END) > within  # a stall, again and again, is always begun anew


def test_the_recorder_has_the_time_that_it_needs_to_end() -> None:
    assert seconds("TimeoutStopSec") >= PATIENCE + 10
    assert value_of("KillMode") == "mixed"  # rpicam-vid is ended by the driver


def test_cameras_that_are_plugged_in_later_can_be_opened() -> None:
    closing = {"DeviceAllow", "DevicePolicy", "PrivateDevices", "ProtectClock", "PrivateUsers", "PrivateNetwork"}
    assert closing & {key for key, _ in said("Service")} == set()
    assert set(value_of("SupplementaryGroups").split()) == {"video", "gpio", "audio"}
    assert "AF_NETLINK" in value_of("RestrictAddressFamilies")


def test_state_is_where_the_program_looks_for_it_and_nowhere_else_can_be_written() -> None:
    environment = dict(value.split("=", 1) for key, value in said("Service") if key == "Environment")
    assert environment["XDG_STATE_HOME"] == "%S"
    assert (value_of("StateDirectory"), value_of("StateDirectoryMode")) == ("racko", "0700")
    assert value_of("ProtectSystem") == "strict"
    assert value_of("UMask") == "0077"
    assert value_of("LimitCORE") == "0"


def run(command: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not here")
def test_systemd_takes_the_unit_without_a_word(tmp_path: Path) -> None:
    # It looks whether the program is there, which on this machine it need not be.
    program = value_of("ExecStart").split()[0]
    copy = tmp_path / UNIT.name
    copy.write_text(UNIT.read_text().replace(program, "/bin/true"))
    done = run(["systemd-analyze", "verify", copy])
    if "Failed to" in done.stderr and "Unknown" not in done.stderr:
        pytest.skip(f"systemd-analyze cannot work here: {done.stderr.strip()}")
    words = [line for line in done.stderr.splitlines() if UNIT.name in line]
    assert (done.returncode, words) == (0, [])


@pytest.mark.skipif(shutil.which("systemd-sysusers") is None or os.geteuid() != 0, reason="needs systemd and root")
def test_the_user_is_made_with_its_groups(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    done = run(["systemd-sysusers", f"--root={tmp_path}", DEPLOY / "racko.sysusers.conf"])
    assert done.returncode == 0, done.stderr
    groups = (tmp_path / "etc" / "group").read_text().splitlines()
    assert {line.split(":")[0] for line in groups if line.endswith(":racko")} == {"video", "gpio", "audio"}
    [user] = [line.split(":") for line in (tmp_path / "etc" / "passwd").read_text().splitlines()]
    assert (user[0], user[5]) == ("racko", "/var/lib/racko")
    assert user[6].endswith("nologin")


def test_the_announcement_is_read_as_avahi_reads_it() -> None:
    group = ET.fromstring((DEPLOY / "racko.avahi.service").read_text())  # noqa: S314 - our own file
    assert group.tag == "service-group"
    [name, service] = group
    assert (name.get("replace-wildcards"), "%h" in (name.text or "")) == ("yes", True)
    assert [(part.tag, part.text) for part in service] == [("type", "_http._tcp"), ("port", "80")]
