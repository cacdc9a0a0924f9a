"""The real program with a wanted voice: the game goes on whatever becomes of it, and the pages have the words."""

from pathlib import Path

import pytest

from tests.device.running import Running


@pytest.mark.slow
def test_the_running_program_calls_the_round_and_goes_on_whether_it_can_be_heard_or_not(tmp_path: Path) -> None:
    settings = tmp_path / "racko.toml"
    settings.write_text("[voice]\non = true\n")
    program = Running(tmp_path, "--config", str(settings))
    state = program.until(lambda state: any(line["about"] == "score" for line in state["spoken"]))
    assert [line["text"] for line in state["spoken"]] == ["Ben goes out.", "Ada: 35 points.", "Ben: 75 points."]
    assert program.order(type="pause", on=True)[0] == 200
    assert program.state()["spoken"] == []
    status, view = program.get_as_host("/api/host/state")
    assert status == 200
    assert view["voice"].startswith("the caller ")
    assert program.end() == 0
    rows = [row for row in program.logged().splitlines() if " voice: " in row]
    # espeak-ng may not be installed where this runs, and there may be no sound card.
    assert 1 <= len(rows) <= 3
    assert "Ada" not in program.logged()
