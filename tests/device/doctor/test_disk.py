"""The disk that journals go to, and the journals on it."""

import errno
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from device.doctor import disk
from device.evening.journal import Journal
from engine.line_json import parse_line
from tests.device.doctor.visits import Place, check_words, only, told

GB = 1_000_000_000
MOUNTS = """22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 179:2 / / rw,relatime shared:1 - ext4 /dev/mmcblk0p2 rw
28 27 0:30 / {folder} rw - tmpfs tmpfs rw
"""


def test_room_and_the_time_of_a_safe_write_are_told(place: Place) -> None:
    finding = only(list(disk.check(place.case(free=lambda _: 40 * GB))))
    assert finding.verdict == "good"
    assert "40.0 GB free" in finding.found
    assert " ms" in finding.found
    assert not list(place.home.iterdir())


@pytest.mark.parametrize(("free", "verdict"), [(GB, "look"), (GB // 20, "bad")])
def test_a_disk_that_is_nearly_full_is_said(place: Place, free: int, verdict: str) -> None:
    assert only(list(disk.check(place.case(free=lambda _: free)))).verdict == verdict


@pytest.mark.parametrize(("seconds", "verdict"), [(0.01, "good"), (0.2, "look"), (3.0, "bad")])
def test_a_disk_that_is_slow_to_be_safe_is_said(place: Place, seconds: float, verdict: str) -> None:
    ticks: Iterator[float] = iter(tick * seconds for tick in range(1000))
    finding = only(list(disk.check(place.case(monotonic=lambda: next(ticks), free=lambda _: 40 * GB))))
    assert (finding.verdict, f"{1000 * seconds:.1f} ms" in finding.found) == (verdict, True)


def test_a_folder_that_is_not_there_yet_is_checked_where_it_will_be_made(place: Place) -> None:
    case = place.case(free=lambda _: 40 * GB)
    case.settings = replace(case.settings, folder=place.home / "not" / "yet")
    finding = only(list(disk.check(case)))
    assert finding.verdict == "good"
    assert "will be made" in finding.found
    assert not (place.home / "not").exists()


def test_a_folder_that_may_not_be_written_is_bad(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    assert "chown" in only(list(disk.check(place.case()))).mend


def test_a_write_that_fails_is_bad_and_no_stack_trace(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr("os.fsync", fail)
    finding = only(list(disk.check(place.case())))
    assert finding.verdict == "bad"
    assert "Input/output error" in finding.found


def test_a_disk_that_is_gone_with_the_power_is_worth_a_look(place: Place) -> None:
    place.write("proc/self/mountinfo", MOUNTS.format(folder=place.home.resolve()))
    finding = only(list(disk.check(place.case(free=lambda _: 40 * GB))))
    assert finding.verdict == "look"
    assert "gone with the power" in finding.mend


def test_mounts_are_found_by_their_longest_name_with_its_blanks(place: Place) -> None:
    folder = place.home / "my evenings"
    folder.mkdir()
    place.write("proc/self/mountinfo", MOUNTS.format(folder=str(folder.resolve()).replace(" ", "\\040")))
    machine = place.machine()
    assert disk.mount_of(machine, folder) == disk.Mount(str(folder.resolve()), "tmpfs", "0:30")
    assert disk.mount_of(machine, place.home) == disk.Mount("/", "ext4", "179:2")
    place.write("proc/self/mountinfo", "nothing\n")
    assert disk.mount_of(machine, folder) is None


@pytest.mark.parametrize(
    ("errors", "life", "verdicts"),
    [("0", "0x01 0x02", []), ("7", "0x01 0x02", ["bad"]), ("0", "0x0a 0x01", ["look"]), (None, None, [])],
)
def test_wear_is_told_where_the_system_knows_of_it(
    place: Place, errors: str | None, life: str | None, verdicts: list[str]
) -> None:
    place.write("proc/self/mountinfo", MOUNTS.format(folder="/elsewhere"))
    device = place.root / "sys/devices/mmcblk0/mmcblk0p2"
    device.mkdir(parents=True)
    links = place.root / "sys/dev/block"
    links.mkdir(parents=True)
    (links / "179:2").symlink_to(device)
    if errors is not None and life is not None:
        place.write("sys/fs/ext4/mmcblk0p2/errors_count", f"{errors}\n")
        place.write("sys/devices/mmcblk0/device/life_time", f"{life}\n")
    room, *wear = disk.check(place.case(free=lambda _: 40 * GB))
    assert room.verdict == "good"
    assert [finding.verdict for finding in wear] == verdicts
    for finding in wear:
        check_words(finding)
        assert "mmcblk0" in finding.found


def journal(path: Path) -> Journal:
    begun = Journal(path, lambda: "now")
    begun.append(parse_line({"type": "round", "dealer": 1}), [])
    return begun


WRITER = """import os, pathlib, sys
from device.evening.journal import Journal
from engine.line_json import parse_line
writer = Journal(pathlib.Path(sys.argv[1]), lambda: "now")
writer.append(parse_line({"type": "round", "dealer": 1}), [])
print("it is written", flush=True)
sys.stdin.readline()
os._exit(0)
"""


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Another program that writes a journal, and is cut off in the end."""
    command = [sys.executable, "-c", WRITER, str(path)]
    root = Path(__file__).parents[3]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline()
        yield
        writer.kill()


def test_journals_are_checked_without_a_change_even_where_a_power_cut_left_them(place: Place) -> None:
    journal(place.home / "ended.sqlite").close()
    with writing(place.home / "killed.sqlite"):
        pass
    before = {file.name: (file.stat().st_mtime_ns, file.read_bytes()) for file in place.home.iterdir()}
    assert "killed.sqlite-wal" in before
    _, finding = disk.check(place.case(free=lambda _: 40 * GB))
    assert (finding.verdict, finding.found) == ("good", "2 of the latest 2 journals are whole")
    assert {file.name: (file.stat().st_mtime_ns, file.read_bytes()) for file in place.home.iterdir()} == before


def test_a_journal_that_a_table_writes_is_left_alone(place: Place) -> None:
    with writing(place.home / "evening.sqlite"):
        _, finding = disk.check(place.case(free=lambda _: 40 * GB))
    assert (finding.verdict, finding.found) == ("good", "a table is writing evening.sqlite")


@pytest.mark.parametrize("damage", ["text", "page"])
def test_a_journal_that_is_damaged_is_named_and_stays_where_it_is(place: Place, damage: str) -> None:
    file = place.home / "evening.sqlite"
    journal(place.home / "other.sqlite").close()
    with closing(journal(file)) as written:
        for _ in range(170):
            written.append(parse_line({"type": "round", "dealer": 1}), [])
    data = bytearray(file.read_bytes())
    if damage == "text":
        data[:16] = b"This is no base."
    else:
        data[4096 * 3 : 4096 * 5] = bytes(range(256)) * 32
    file.write_bytes(data)
    _, *findings = disk.check(place.case(free=lambda _: 40 * GB))
    assert ("bad", "damaged: evening.sqlite") in [(item.verdict, item.found.partition(" (in ")[0]) for item in findings]
    assert ("good", "1 of the latest 2 journals are whole") in [(item.verdict, item.found) for item in findings]
    assert file.read_bytes() == data


def test_a_journal_of_no_size_that_an_evening_makes_is_not_copied(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "LARGEST", 10)
    sqlite3.connect(place.home / "evening.sqlite").execute("CREATE TABLE entries (number INTEGER)").connection.close()
    verdicts = told(list(disk.check(place.case(free=lambda _: 40 * GB))))
    assert verdicts[1][0] == "look"
