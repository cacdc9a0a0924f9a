from itertools import islice, pairwise
from pathlib import Path

import pytest

from device.configuration import CameraWanted
from device.sessions.format import FrameTaken
from device.tables import DEMONSTRATION, RECORDED, live_cameras, tables_named, wanted_cameras
from engine.errors import BadInput
from engine.lines import Line
from tests.device.recorded import SESSION


def nobody_complains(words: str) -> None:
    pytest.fail(words)


def first_entries(name: str, number: int) -> list[FrameTaken | tuple[float, Line]]:
    return list(islice(tables_named(name)(number).timeline(nobody_complains), 40))


def test_a_recorded_table_is_the_same_for_each_game() -> None:
    tables = tables_named(f"session:{RECORDED}")
    assert tables(0).name == tables(3).name
    assert tables(0).name.startswith("ada-and-ben-")


CONFIGURED = (CameraWanted("tray", "rpicam:0"),)


def test_a_session_comes_before_cameras_and_the_command_line_before_the_configuration() -> None:
    assert wanted_cameras(["rpicam:1"], SESSION, CONFIGURED) == (CameraWanted("", f"session:{SESSION}"),)
    assert wanted_cameras(["rpicam:1"], None, CONFIGURED) == (CameraWanted("camera1", "rpicam:1"),)
    assert wanted_cameras([], None, CONFIGURED) == CONFIGURED
    assert wanted_cameras([], None, ()) == (CameraWanted("", DEMONSTRATION),)


def test_a_live_camera_may_be_given_a_name() -> None:
    said = ["tray=v4l2:/dev/video0", "http://10.0.0.7/?a=b", "file:a=b.mp4"]
    assert wanted_cameras(said, None, ()) == (
        CameraWanted("tray", "v4l2:/dev/video0"),
        CameraWanted("camera2", "http://10.0.0.7/?a=b"),
        CameraWanted("camera3", "file:a=b.mp4"),
    )


def test_a_whole_table_stands_beside_no_camera() -> None:
    with pytest.raises(BadInput, match="name no other camera beside it"):
        live_cameras((CameraWanted("tray", "rpicam:0"), CameraWanted("", "simulated:1")), lambda: None)


@pytest.mark.parametrize(("seed", "players"), [(0, 2), (1, 3), (2, 4), (30, 2)])
def test_the_seed_of_a_simulated_table_tells_how_many_play(seed: int, players: int) -> None:
    assert len(tables_named(f"simulated:{seed}")(0).game.players) == players


def test_the_games_of_a_simulated_evening_differ_and_the_table_stays() -> None:
    tables = tables_named("simulated:5")
    assert tables(0).name == tables(1).name != tables_named("simulated:6")(0).name
    assert tables(0).table == tables(1).table
    assert first_entries("simulated:5", 0) != first_entries("simulated:5", 1)
    assert first_entries("simulated:5", 1) == first_entries("simulated:5", 1)


def test_a_simulated_table_is_played_at_the_pace_of_people() -> None:
    times = [entry.t if isinstance(entry, FrameTaken) else entry[0] for entry in first_entries("simulated:5", 0)]
    assert times[0] == 0
    assert all(one <= other for one, other in pairwise(times))
    assert 8 < times[-1] < 60


CANNOT_BE = ["simulated", "simulated:", "simulated:one", "simulated:-1", "simulated:²", "v4l2:/dev/video0", "", "x"]


@pytest.mark.parametrize("name", CANNOT_BE)
def test_a_camera_that_is_not_known_is_refused_in_one_line(name: str) -> None:
    with pytest.raises(BadInput, match="camera ") as refused:
        tables_named(name)
    assert "\n" not in str(refused.value)
    assert "simulated:" in str(refused.value)


def test_a_folder_without_a_session_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"session\.json"):
        tables_named(f"session:{tmp_path}")
