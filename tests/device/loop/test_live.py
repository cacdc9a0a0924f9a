"""A live table: cameras that show what they will, people who say what they want, and one loop that follows."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from device.cameras.camera import Shot
from device.sessions.format import FrameTaken
from engine.lines import Call, Hidden, NewRound, Observation, Unsettled
from tests.device.live_table import ENTRIES, SCORES, LiveTable, time_of
from tests.device.recorded import true_events
from vision.frame import Frame


@pytest.fixture
def table() -> LiveTable:
    return LiveTable()


def test_a_round_before_live_cameras_is_followed_to_its_scores(table: LiveTable) -> None:
    table.start()
    table.play(ENTRIES)
    assert (table.evening.board.phase, table.totals) == ("round-over", SCORES)
    assert table.evening.board.turns == len(true_events("turn"))


def test_a_round_is_started_when_the_cards_lie_there_already(table: LiveTable) -> None:
    table.start()
    deal = [entry for entry in ENTRIES if isinstance(entry, FrameTaken) and entry.t < 4]
    table.play(deal)
    lines = [entry[1] for entry in ENTRIES if not isinstance(entry, FrameTaken)]
    dealt = next(line for line in lines if isinstance(line, NewRound))
    assert table.order(type="round", dealer=dealt.dealer).done
    table.play([entry for entry in ENTRIES if time_of(entry) >= 4])
    assert (table.evening.board.phase, table.totals) == ("round-over", SCORES)


@pytest.mark.slow
def test_a_rack_camera_that_is_unplugged_and_put_back_costs_no_score(table: LiveTable) -> None:
    table.start()

    def shows(name: str, t: float) -> bool:
        gone = name == "rack1" and 30 <= t < 60
        table.cameras["rack1"].state = "gone" if 30 <= t < 60 else "live"
        return not gone

    table.play(ENTRIES, shows=shows)
    assert (table.evening.board.phase, table.totals) == ("round-over", SCORES)
    assert not table.evening.board.notices


@pytest.mark.slow
def test_a_broken_picture_is_passed_over(table: LiveTable) -> None:
    table.start()
    for name in table.cameras:
        table.cameras[name].hold(Frame(b"\xff\xd8 no picture at all", name))
    table.settle(1.0)
    table.play(ENTRIES)
    assert table.totals == SCORES


def test_plays_may_have_been_missed_where_the_trays_picture_could_not_be_read(table: LiveTable) -> None:
    seen: list[object] = []
    see = table.loop._see  # noqa: SLF001 - what it is told is noted

    def noted(look: Observation | Unsettled | Hidden) -> None:
        seen.append(look)
        see(look)

    table.loop._see = noted  # type: ignore[method-assign]  # noqa: SLF001 - likewise
    table.start()
    table.play([entry for entry in ENTRIES if time_of(entry) < 12])
    table.cameras["tray"].hold(Frame(b"\xff\xd8 no picture at all", "tray"))
    table.settle(3.0)
    assert not any(isinstance(line, Unsettled) for line in seen)
    table.hold(table.stands["tray"])
    table.settle(1.0)
    assert sum(isinstance(line, Unsettled) for line in seen) == 1


def test_late_pictures_are_dropped_and_the_loop_never_falls_behind(table: LiveTable) -> None:
    noise = np.random.default_rng(1)
    looked: list[float] = []
    take = table.loop._look  # noqa: SLF001 - what it does is counted

    def counted(name: str, shot: Shot) -> None:
        looked.append(table.clock.now)
        take(name, shot)

    table.loop._look = counted  # type: ignore[method-assign]  # noqa: SLF001 - likewise
    pictures = [Frame(noise.integers(0, 255, (240, 320, 3), np.uint8), "noise") for _ in range(4)]
    for number in range(200):
        table.cameras["tray"].hold(pictures[number % 4])
        table.clock.now += 0.02
        table.loop.step()
    assert len(looked) <= 200 * 0.02 / 0.2 + 1


def test_nothing_is_played_without_a_game_and_orders_that_cannot_be_are_refused_in_words(table: LiveTable) -> None:
    assert table.order(type="round", dealer=1).words == "no game has begun; a game line comes first"
    assert "comes from the cameras" in table.order(type="observe", racks={}).words
    assert table.order(type="nonsense").words.startswith("type 'nonsense' is not known")
    table.start()
    assert table.order(type="call", seat=1).words.startswith("RACK-O was called, but no round is being played")
    assert table.order(type="correct", seat=1, slot=7, card=3).words == "slot: 7 is none of the slots 5, 10, ... 50"


def test_a_power_cut_in_the_middle_of_a_live_round_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "live.sqlite"
    first = LiveTable(path)
    first.start()
    cut = next(number for number, entry in enumerate(ENTRIES) if time_of(entry) > 50)
    first.play(ENTRIES[:cut])
    shown = first.evening.board
    first.journal.close()
    second = LiveTable(path)
    assert second.evening.board == shown
    latest = {entry.camera: entry for entry in ENTRIES[:cut] if isinstance(entry, FrameTaken)}
    for entry in latest.values():
        second.hold(entry)
    second.settle(0.5)
    second.play(ENTRIES[cut:])
    assert (second.evening.board.phase, second.totals) == ("round-over", SCORES)


@pytest.mark.slow
def test_a_second_game_begins_with_its_own_players_and_deck(table: LiveTable) -> None:
    table.start()
    table.play(ENTRIES)
    players = [{"seat": seat, "name": name} for seat, name in ((1, "Cleo"), (2, "Dan"), (3, "Eve"))]
    assert table.order(type="game", edition="parker-1992", players=players).done
    assert [line.name for line in table.evening.board.players] == ["Cleo", "Dan", "Eve"]
    assert table.totals == {1: 0, 2: 0, 3: 0}
    assert table.order(type="round", dealer=3).done


def test_a_long_press_undoes_the_call_that_it_began_with(table: LiveTable) -> None:
    table.start()
    early = [entry for entry in ENTRIES if time_of(entry) < 40]
    table.play(early)
    board = table.evening.board
    table.loop.call(None)
    table.settle(1.0)
    assert any(notice.rule == "false-call" for notice in table.evening.board.notices)
    table.loop.call(None)
    table.loop.undo_call(None)
    table.settle(1.0)
    assert not table.evening.board.notices
    assert (table.evening.board.phase, table.evening.board.turns) == ("playing", board.turns)
    assert not any(isinstance(table.evening.undoing.next_undo(), kind) for kind in (Call,))
    assert isinstance(table.evening.undoing.next_undo(), NewRound)


def test_when_the_journal_cannot_be_written_the_game_stands_still_and_goes_on_when_it_can(
    table: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.start()
    half = next(number for number, entry in enumerate(ENTRIES) if time_of(entry) > 40)
    table.play(ENTRIES[:half])
    shown = table.evening.board

    def full(*_: object) -> int:
        from device.evening.journal import JournalError  # noqa: PLC0415 - only this fault needs it

        raise JournalError("j.sqlite: the journal cannot be written (disk full); free some disk space")

    with monkeypatch.context() as fault:
        fault.setattr(table.journal, "append", full)
        answer = table.order(type="call", seat=1)
        assert (answer.done, "free some disk space" in answer.words) == (False, True)
        assert table.evening.board == shown
        assert "free some disk space" in table.loop.trouble
    answer = table.order(type="pause", on=True)
    assert (answer.done, table.loop.trouble) == (True, "")


def blank() -> Frame:
    return Frame(np.full((720, 1280, 3), 90, np.uint8), "blank")


def test_a_rack_that_is_carried_away_is_out_of_sight(table: LiveTable) -> None:
    table.start()
    table.play([entry for entry in ENTRIES if time_of(entry) < 40])
    table.cameras["rack2"].hold(blank())
    table.settle(1.0)
    table.cameras["rack2"].hold(blank())
    table.settle(9.0)
    lines = [entry.body for entry in table.journal.last_game() if entry.kind == "line"]
    assert [said["seats"] for said in lines if said["type"] == "hidden"] == [[2]]


def test_jpeg_frames_are_what_cameras_give() -> None:
    coded = cv2.imencode(".jpg", np.full((240, 320, 3), 90, np.uint8))[1].tobytes()
    assert Frame(coded).small.shape == (30, 40)
