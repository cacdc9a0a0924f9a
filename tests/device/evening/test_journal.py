import sqlite3
import stat
from pathlib import Path

import pytest

from device.evening.journal import Journal, JournalError
from engine.events import Doubt, GameEnd, RoundStarted
from engine.game import Player
from engine.lines import Call, NewGame, NewRound

GAME = NewGame("parker-1992", (), (Player(1, "Ada"), Player(2, "Bén")))


def opened(path: Path) -> Journal:
    return Journal(path, lambda: "2026-01-01T20:00:00")


def test_what_is_appended_is_there_in_order_when_the_file_is_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "evening" / "journal.sqlite"
    journal = opened(path)
    journal.append(GAME, [])
    last = journal.append(NewRound(1), [RoundStarted(1, 1, 2), Doubt(2, 25, {33: 0.5, 38: 0.4}, 3.0)])
    journal.close()
    entries = list(opened(path).entries())
    assert last == len(entries) == 4
    assert [entry.number for entry in entries] == [1, 2, 3, 4]
    assert [entry.line for entry in entries if entry.kind == "line"] == [GAME, NewRound(1)]
    assert [entry.event for entry in entries if entry.kind == "event"] == [
        RoundStarted(1, 1, 2),
        Doubt(2, 25, {33: 0.5, 38: 0.4}, 3.0),
    ]


def test_only_the_newest_game_is_given_back(tmp_path: Path) -> None:
    journal = opened(tmp_path / "j.sqlite")
    journal.append(GAME, [])
    journal.append(Call(1.0, 2), [GameEnd((1,), {1: 500}, 1.0)])
    journal.append(GAME, [])
    assert [entry.number for entry in journal.last_game()] == [4]


def test_a_journal_is_never_changed_or_shortened(tmp_path: Path) -> None:
    journal = opened(tmp_path / "j.sqlite")
    journal.append(GAME, [])
    journal.close()
    base = sqlite3.connect(tmp_path / "j.sqlite")
    for statement in ("UPDATE entries SET body = '{}'", "DELETE FROM entries"):
        with pytest.raises(sqlite3.IntegrityError, match="never"):
            base.execute(statement)


def test_each_append_waits_until_the_disk_has_it(tmp_path: Path) -> None:
    journal = opened(tmp_path / "j.sqlite")
    base = journal._base  # noqa: SLF001 - the setting can be asked only of the connection itself
    assert base.execute("PRAGMA synchronous").fetchone()[0] == 2
    assert base.execute("PRAGMA journal_mode").fetchone()[0] == "wal"


def test_a_journal_is_for_its_owners_eyes_only(tmp_path: Path) -> None:
    path = tmp_path / "new" / "j.sqlite"
    opened(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("content", [b"not a database at all" * 50, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_journal_is_refused_in_one_line_and_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "j.sqlite"
    path.write_bytes(content)
    with pytest.raises(JournalError, match=r"j\.sqlite: the journal cannot be opened .*move it away"):
        opened(path)
    assert path.read_bytes() == content


def test_a_journal_of_another_layout_is_refused(tmp_path: Path) -> None:
    base = sqlite3.connect(tmp_path / "j.sqlite")
    base.executescript("CREATE TABLE entries (number INTEGER); PRAGMA user_version = 7;")
    base.close()
    with pytest.raises(JournalError, match="layout 7"):
        opened(tmp_path / "j.sqlite")


@pytest.mark.slow
def test_two_programs_cannot_write_one_journal(tmp_path: Path) -> None:
    first = opened(tmp_path / "j.sqlite")
    first.append(GAME, [])
    with pytest.raises(JournalError, match="another racko is using it"):
        opened(tmp_path / "j.sqlite")


@pytest.mark.slow
def test_two_programs_cannot_open_one_journal_before_either_has_written(tmp_path: Path) -> None:
    opened(tmp_path / "j.sqlite").close()
    first = opened(tmp_path / "j.sqlite")
    with pytest.raises(JournalError, match="another racko is using it"):
        opened(tmp_path / "j.sqlite")
    first.close()
    opened(tmp_path / "j.sqlite").close()


def test_a_folder_that_cannot_be_made_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(JournalError, match=r"cannot be made \(Not a directory\); name another folder"):
        opened(tmp_path / "file" / "deep" / "j.sqlite")


def test_a_full_disk_is_said_in_one_line_and_leaves_no_half_of_a_turn(tmp_path: Path) -> None:
    journal = opened(tmp_path / "j.sqlite")
    journal.append(GAME, [])
    base = journal._base  # noqa: SLF001 - a full disk is made by forbidding the file to grow
    base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    base.execute(f"PRAGMA max_page_count = {base.execute('PRAGMA page_count').fetchone()[0]}")
    doubts = [Doubt(1, 5, dict.fromkeys(range(1, 61), 0.01), 1.0)] * 30
    with pytest.raises(JournalError, match=r"cannot be written .*full"):
        journal.append(NewRound(1), doubts)
    assert journal.last_number() == 1
