"""Whole rounds, and what a room hears of them: the referee, the desk and the caller together."""

import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Self

import pytest

from device.evening.history import History
from device.evening.journal import Journal
from device.evening.keeper import Evening
from device.pages.desk import TableDesk
from device.voice.caller import Caller
from device.voice.espeak import PROGRAM
from device.voice.wording import marked_up
from engine.events import Event
from engine.lines import Call, Correction, Line, NewRound, Observation, Pause, Redo, Undo
from engine.snapshot import Snapshot
from tests.device.recorded import true_lines
from tests.webui.leaky import Leaky
from webui.view import round_is_on

LINES = [line for line, _ in true_lines()]
ENDS = ["Ben goes out.", "Ada: 35 points.", "Ben: 75 points."]


class Room:
    """An evening, its desk, and an ear that hears each new line, and "(hush)" where lines are withdrawn."""

    def __init__(self, path: Path) -> None:
        self.now = 0.0
        self.desk = TableDesk("live", None, lambda: "20:00", History(), seconds=lambda: self.now)
        self.journal = Journal(path, lambda: "20:00")
        self.evening = Evening(self.journal, [self.tell])
        self.heard: list[str] = []
        self.turns: list[str] = []
        self.numbers: frozenset[int] = frozenset()
        self.evening.tell()

    def tell(self, _: Snapshot, events: Sequence[Event]) -> None:
        self.desk.hear(self.evening, events)
        self.listen()

    def listen(self) -> None:
        lines = self.desk.spoken.latest()
        other = [line for line in lines if line.about != "turn"]
        if self.numbers - {line.number for line in other}:
            self.heard.append("(hush)")
        self.turns += [line.text for line in lines if line.about == "turn" and line.text not in self.turns[-1:]]
        self.heard += [line.text for line in other if line.number not in self.numbers]
        self.numbers = frozenset(line.number for line in other)

    def wait(self, seconds: float) -> None:
        """Let time pass, with the loop's second hand."""
        for _ in range(int(seconds)):
            self.now += 1.0
            self.desk.tick()
            self.listen()

    def play(self, lines: Sequence[Line]) -> Self:
        """Play lines at the times that they were seen."""
        for line in lines:
            at = getattr(line, "t", None)
            if at is not None:
                self.wait(at - self.now)
                self.now = max(self.now, at)
            self.evening.take(line)
        return self


@pytest.fixture
def room(tmp_path: Path) -> Room:
    """The recorded round, just scored."""
    return Room(tmp_path / "j.sqlite").play(LINES)


def test_the_recorded_round_is_heard_as_turns_and_scores_and_nothing_else(room: Room) -> None:
    assert room.heard == []
    room.wait(30)
    assert room.heard == ENDS
    assert set(room.turns) == {"Ada’s turn.", "Ben’s turn."}  # noqa: RUF001 - as it is said
    assert len(room.turns) > 10


def test_no_page_gets_a_board_beside_words_that_it_does_not_bear_out(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside: list[tuple[str, list[str]]] = []
    publish = room.desk.board.publish

    def noted(board: Snapshot) -> None:
        beside.append((board.phase, [line.text for line in room.desk.spoken.latest()]))
        publish(board)

    monkeypatch.setattr(room.desk.board, "publish", noted)
    room.wait(10)
    room.evening.take(Undo(room.now))
    room.evening.take(Redo(room.now))
    assert beside == [("playing", []), ("round-over", [])]


def test_pages_are_told_again_when_there_is_something_new_to_say_and_only_then(room: Room) -> None:
    with room.desk.board.subscribe() as page:
        page.wait()
        room.wait(3)
        assert page.wait(0) is None
        room.wait(10)
        assert page.wait(0) == room.evening.board
        room.wait(10)
        assert page.wait(0) is None


def test_a_score_that_the_host_corrects_at_once_is_heard_once_and_right(room: Room) -> None:
    room.wait(2)
    room.evening.take(Correction(room.now, 1, 25, 33))
    assert [line.total for line in room.evening.board.players] == [25, 75]
    room.wait(30)
    assert room.heard == ["Ben goes out.", "Ada: 25 points.", "Ben: 75 points."]


def test_a_score_that_the_host_corrects_later_is_heard_as_the_corrected_value(room: Room) -> None:
    room.wait(20)
    room.evening.take(Correction(room.now, 1, 25, 33))
    room.wait(30)
    assert room.heard == [*ENDS, "(hush)", "Correction.", "Ada: 25 points, 25 in all."]


def test_a_call_that_is_undone_and_done_again_is_heard_as_it_came(room: Room) -> None:
    room.wait(1)
    room.evening.take(Undo(room.now))
    room.wait(20)
    assert room.heard == []
    room.evening.take(Redo(room.now))
    room.wait(20)
    assert room.heard == ENDS
    room.evening.take(Undo(room.now))
    room.wait(20)
    assert room.heard[3:] == ["(hush)", "Correction. The points of round 1 do not count."]


def test_a_pause_is_silent_and_what_happened_before_it_is_heard_after_it(room: Room) -> None:
    room.wait(1)
    room.evening.take(Pause(room.now, on=True))
    room.wait(20)
    assert room.heard == []
    room.evening.take(Pause(room.now, on=False))
    room.wait(20)
    assert room.heard == ENDS


def test_after_a_power_cut_nothing_is_heard_a_second_time(room: Room, tmp_path: Path) -> None:
    room.wait(20)
    room.journal.close()
    again = Room(tmp_path / "j.sqlite")
    again.wait(20)
    again.evening.take(NewRound(2))
    again.wait(20)
    assert again.heard == []


def test_a_call_is_heard_while_it_is_looked_at_and_nothing_else_before_the_verdict(tmp_path: Path) -> None:
    """Ada's rack is not in order as it was read; a look at it after the call has to bear that out."""
    call = next(place for place, line in enumerate(LINES) if isinstance(line, Call))
    room = Room(tmp_path / "j.sqlite").play(LINES[:call])
    room.evening.take(Call(room.now, 1))
    room.wait(20)
    assert (room.evening.board.phase, room.heard) == ("checking", ["Ada calls RACK-O."])
    looks = [line for line in LINES if isinstance(line, Observation) and 1 in line.racks]
    for _ in range(3):
        room.wait(1)
        room.evening.take(replace(looks[-1], t=room.now))
    room.wait(20)
    assert room.evening.board.phase == "playing"
    assert len(room.heard) == 2
    assert room.heard[-1].startswith("Ada called RACK-O, but")


def told_of(game: Leaky) -> Iterator[tuple[str, list[str]]]:
    """What each step of a whole game is told as, two seconds a step, with time for the scores after a round."""
    caller, now, numbers = Caller(), 0.0, frozenset[int]()
    for step in game.steps():
        caller.hear(game.board, 1, now)
        new: list[str] = []
        for _ in range(3 if round_is_on(game.board) else 12):
            lines = caller.due(now)
            new += [line.text for line in lines if line.number not in numbers]
            numbers = frozenset(line.number for line in lines)
            now += 1.0
        yield step, new


def test_no_card_of_a_rack_is_heard_in_a_whole_game_and_every_total_is_the_boards() -> None:
    game = Leaky(Random(7))
    totals = 0
    for step, said in told_of(game):
        assert not [line for line in said if re.search(r"700\d{4}", line)], step
        for line in said:
            found = re.fullmatch(r"(.*): (\d+) points, (\d+) in all\.", line, re.DOTALL)
            if found:
                totals += 1
                player = next(one for one in game.board.players if one.name == found[1])
                assert (player.points[-1], player.total) == (int(found[2]), int(found[3]))
    assert totals >= 6


@pytest.mark.skipif(shutil.which(PROGRAM) is None, reason="espeak-ng is not here")
def test_every_line_of_a_whole_game_becomes_sound(tmp_path: Path) -> None:
    lines = {line for _, said in told_of(Leaky(Random(8))) for line in said}
    assert len(lines) > 15
    for number, line in enumerate(sorted(lines)):
        sound = tmp_path / f"{number}.wav"
        subprocess.run(
            [PROGRAM, "-m", "-b", "1", "--stdin", "-v", "en-gb", "-w", sound],
            input=marked_up(line).encode(), check=True, timeout=30,
        )  # fmt: skip
        assert sound.stat().st_size > 10_000, line
