import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import cv2
import pytest

from calibration.table import read_table
from device.cli import main
from device.observing.player import lines_from
from device.observing.watch import Watch
from device.sessions.format import FrameTaken, open_session, read_truth
from device.simulated.camera import SimulatedTable
from device.simulated.command import Wishes
from device.simulated.filming import Film, Picture
from device.simulated.writing import Written, write_session
from engine.errors import BadInput
from engine.lines import Call, Line, NewRound
from engine.variants import deck_of
from vision.picture import PictureError
from vision.reading.digits import NumberReader

TINY = Wishes(turns=1, seed=3, hands=0.5, no_fonts=True)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("simulated") / "evening"
    write_session(folder, Film(TINY.plan()), lambda _: None)
    return folder


def nobody_complains(words: str) -> None:
    pytest.fail(words)


@pytest.mark.slow
def test_what_is_written_is_a_recorded_session(session: Path) -> None:
    opened = open_session(session)
    entries = list(opened.timeline(nobody_complains))
    shown = [entry for entry in entries if isinstance(entry, FrameTaken)]

    assert opened.cameras == ("tray", "rack1", "rack2")
    assert set(read_table(session / "table.toml").cameras) == set(opened.cameras)
    assert any(isinstance(entry, tuple) and isinstance(entry[1], NewRound) for entry in entries)
    assert {str(opened.picture_path(frame)) for frame in shown} == {str(path) for path in session.rglob("*.jpg")}


def test_the_truth_tells_of_every_picture(session: Path) -> None:
    truth = read_truth(open_session(session))
    assert truth is not None
    frames = [line for line in truth if line["type"] == "frame"]

    assert {line["file"] for line in frames} == {str(path.relative_to(session)) for path in session.rglob("*.jpg")}
    assert all(len(line["rack"]) == 10 if line["camera"] != "tray" else "draw" in line for line in frames)
    assert [line["type"] for line in truth if line["type"] != "frame"] == ["turn"]
    assert all(one["t"] <= other["t"] for one, other in pairwise(frames))


def test_pictures_have_the_size_that_was_asked_for(session: Path) -> None:
    picture = cv2.imread(str(session / "frames" / "rack1" / "000000.jpg"))

    assert picture is not None
    assert picture.shape == (720, 1280, 3)


def test_the_same_seed_writes_the_same_bytes(session: Path, tmp_path: Path) -> None:
    class FirstTwo(Exception):
        """Enough was drawn."""

    def stop(written: Written) -> None:
        if written.pictures == 2:
            raise FirstTwo

    with pytest.raises(FirstTwo):
        write_session(tmp_path / "again", Film(TINY.plan()), stop)

    for path in (tmp_path / "again").rglob("*.*"):
        before = (session / path.relative_to(tmp_path / "again")).read_bytes()
        assert before.startswith(path.read_bytes()) if path.suffix == ".jsonl" else before == path.read_bytes()
    assert len(list((tmp_path / "again").rglob("*.jpg"))) == 2


def test_a_session_that_is_cut_short_replays_as_far_as_it_goes(tmp_path: Path) -> None:
    def stop(_: Written) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_session(tmp_path / "short", Film(TINY.plan()), stop)

    assert len(list(open_session(tmp_path / "short").timeline(nobody_complains))) == 2


CANNOT_BE = [
    (["--players", "5"], "5 players"),
    (["--edition", "klingon"], "edition 'klingon'"),
    (["--variants", "partners"], "variant 'partners' is for 4 players"),
    (["--level", "genius"], "--level 'genius'"),
    (["--cheat", "bribery"], "--cheat 'bribery'"),
    (["--size", "8k"], "--size '8k'"),
    (["--hands", "2"], "--hands 2"),
    (["--hands", "nan"], "--hands nan"),
    (["--nudged", "-1"], "--nudged -1"),
    (["--nudged", "nan"], "--nudged nan"),
    (["--curled", "31"], "--curled 31"),
    (["--manners", "1.5"], "--manners 1.5"),
    (["--manners", "nan"], "--manners nan"),
    (["--unrest", "1.5"], "--unrest 1.5"),
    (["--unrest", "nan"], "--unrest nan"),
    (["--printed", "0.5"], "--printed 0.5"),
    (["--printed", "nan"], "--printed nan"),
    (["--rounds", "0"], "--rounds 0"),
    (["--turns", "-1"], "--turns -1"),
]


@pytest.mark.parametrize(("arguments", "words"), CANNOT_BE)
def test_what_cannot_be_simulated_is_one_line(
    arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", str(tmp_path / "new"), *arguments]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1
    assert not (tmp_path / "new").exists()


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").write_text("precious")

    assert main(["simulate", str(tmp_path)]) == 2
    assert "not empty" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.slow
def test_the_command_says_what_it_wrote(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--seed", "3", "--turns", "1", "--hands", "0.5", "--no-fonts"]

    assert main(["simulate", str(tmp_path / "new"), *arguments, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["turns"] == 1
    assert said["pictures"] == len(list((tmp_path / "new").rglob("*.jpg")))


@pytest.fixture(scope="module")
def live() -> tuple[SimulatedTable, Film, list[FrameTaken | tuple[float, Line]]]:
    plan = replace(TINY.plan(), seed=4)
    table = SimulatedTable(plan)
    return table, Film(plan), list(table.timeline(nobody_complains))


def test_a_simulated_table_gives_what_its_session_would(
    live: tuple[SimulatedTable, Film, list[FrameTaken | tuple[float, Line]]],
) -> None:
    table, film, entries = live
    shown = [(entry.t, entry.camera, entry.name) for entry in entries if isinstance(entry, FrameTaken)]
    written = [(entry.t, entry.camera, entry.name) for entry in film.entries() if isinstance(entry, Picture)]

    assert shown == written
    assert table.game == film.game
    assert entries[0] == (0.0, NewRound(film.played.rounds[0].dealer))


def test_the_button_of_a_simulated_table_is_a_call() -> None:
    plan = Wishes(seed=4, no_fonts=True, level="strong").plan()
    said = [entry[1] for entry in SimulatedTable(plan).timeline(nobody_complains) if isinstance(entry, tuple)]

    assert isinstance(said[-1], Call)
    assert said[-1].seat == Film(plan).played.rounds[0].out


def test_a_simulated_camera_draws_its_latest_pictures_only(
    live: tuple[SimulatedTable, Film, list[FrameTaken | tuple[float, Line]]],
) -> None:
    table, _, entries = live
    shown = [entry for entry in entries if isinstance(entry, FrameTaken) and entry.camera == "tray"]

    assert table.picture(shown[-1]).colour.shape == (720, 1280, 3)
    assert table.picture(shown[-2]).colour.shape == (720, 1280, 3)
    with pytest.raises(PictureError, match="is gone"):
        table.picture(shown[0])


@pytest.mark.slow
def test_a_simulated_game_goes_on_with_all_that_was_seen_last_also_where_a_new_picture_comes_at_once() -> None:
    plan = replace(TINY, seed=2).plan()
    frames = [entry for entry in SimulatedTable(plan).timeline(nobody_complains) if isinstance(entry, FrameTaken)]
    shown = [frame for frame in frames if frame.camera == "tray"]
    third = next(frame for before, frame in pairwise(shown[1:]) if frame.t > before.t + 1)
    table, said = SimulatedTable(plan), list[str]()
    watch = Watch(table.table, deck_of(table.game.edition, 2), NumberReader())
    broken_off = max(frame.t for frame in frames if frame.t < third.t)
    for t, _ in lines_from(table, watch, said.append, broken_off):
        if t > third.t + 0.3:
            break

    assert said == []


def test_each_simulated_table_has_a_name_of_its_own() -> None:
    names = [SimulatedTable(replace(TINY, seed=seed).plan()).name for seed in (1, 1, 2)]

    assert names[0] == names[1] != names[2]


def test_a_watch_reads_a_simulated_table_as_it_draws() -> None:
    table = SimulatedTable(replace(TINY, seed=2).plan())
    watch = Watch(table.table, deck_of(table.game.edition, 2), NumberReader())
    seen = []
    for entry in table.timeline(nobody_complains):
        if isinstance(entry, FrameTaken) and entry.camera == "tray":
            seen += watch.frame(entry.t, entry.camera, table.picture(entry))
            if entry.t >= 0.75:
                break

    top = Film(replace(TINY, seed=2).plan()).played.rounds[0].steps[0].after.discard[-1]
    assert len(seen) == 2
    assert all(look.discard is not None and max(look.discard, key=look.discard.__getitem__) == top for look in seen)


def test_wishes_that_cannot_be_are_refused_before_anything_is_drawn() -> None:
    with pytest.raises(BadInput, match="5 players"):
        Wishes(players=5).plan()
