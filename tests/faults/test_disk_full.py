"""The disk is full in an evening: what cannot be written is not said, and all goes on when there is room."""

import resource
import time
from pathlib import Path

import pytest

from tests.device.running import Running

UNLIMITED = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)


def fill(program: Running, folder: Path) -> None:
    """From now on no file of the program's can grow: as on a full disk, every write fails (setrlimit(2), EFBIG)."""
    sizes = [path.stat().st_size for path in folder.rglob("*.sqlite*")]
    resource.prlimit(program.pid, resource.RLIMIT_FSIZE, (min(sizes), resource.RLIM_INFINITY))


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux lets a test fill another program's disk")
def test_with_a_full_disk_the_game_stands_still_and_says_so_and_then_goes_on(tmp_path: Path) -> None:
    program = Running(tmp_path, speed=4)
    program.until(lambda state: len(state["plays"]) >= 2)
    fill(program, tmp_path)
    assert program.order(type="pause", on=True)[0] == 409
    shown = program.state()
    time.sleep(2.0)
    # a line of what is shown already may be said meanwhile, or be old
    assert {**program.state(), "spoken": shown["spoken"]} == shown, "something was told that is not written down"
    assert program.get("/healthz")[0] == 200
    status, host = program.get_as_host("/api/host/state")
    assert status == 200
    assert any("free some disk space" in remark for remark in host["remarks"])
    resource.prlimit(program.pid, resource.RLIMIT_FSIZE, UNLIMITED)
    program.until(lambda state: state["version"] > shown["version"])
    assert "Traceback" not in program.logged()
    program.kill()
    again = Running(tmp_path, speed=4)
    assert again.until(lambda state: bool(state["version"]))["version"] >= shown["version"]
    assert again.end() == 0
