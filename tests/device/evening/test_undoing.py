"""Undo, redo and plays named afterwards: the latest round is judged again, and a power cut changes nothing of it."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from device.evening.journal import Journal
from device.evening.keeper import Evening
from engine.errors import BadInput
from engine.events import Event, Rejudged, RoundEnd, TurnPlayed
from engine.lines import Abandon, Call, Correction, Line, NewRound, Observation, Pause, Played, Redo, Undo, Verdict
from engine.snapshot import Snapshot
from tests.device.recorded import true_events, true_lines

LINES = [line for line, _ in true_lines()]
SCORES = {int(seat): points for seat, points in true_events("round_end")[0]["scores"].items()}


def evening_at(path: Path) -> Evening:
    return Evening(Journal(path, lambda: "2026-01-01T20:00:00"))


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    """The recorded round, played to its end."""
    return played(tmp_path / "j.sqlite", LINES)


def played(path: Path, lines: Sequence[Line]) -> Evening:
    made = evening_at(path)
    for line in lines:
        made.take(line)
    return made


def public(board: Snapshot) -> dict[str, object]:
    return {name: getattr(board, name) for name in Snapshot.__dataclass_fields__ if name != "version"}


def totals(evening: Evening) -> list[int]:
    return [line.total for line in evening.board.players]


def test_the_call_that_ended_a_round_is_undone_and_done_again(evening: Evening) -> None:
    over = evening.board
    assert over.phase == "round-over"
    events = evening.take(Undo(500.0))
    assert isinstance(events[0], Rejudged)
    assert (evening.board.phase, evening.board.racks, totals(evening)) == ("playing", (), [0, 0])
    assert evening.in_round
    evening.take(Redo(501.0))
    assert public(evening.board) == public(over)
    assert evening.private.tally_of(1).rounds == 1


@pytest.mark.slow
def test_undoing_again_and_again_takes_back_the_deal_as_well(evening: Evening) -> None:
    evening.take(NewRound(2))
    evening.take(Undo(500.0))
    assert (evening.board.phase, totals(evening)) == ("round-over", list(SCORES.values()))
    evening.take(Undo(501.0))
    assert (evening.board.phase, totals(evening)) == ("playing", [0, 0])
    evening.take(Undo(502.0))
    assert (evening.board.phase, evening.in_round) == ("waiting", False)
    with pytest.raises(BadInput, match="nothing to undo"):
        evening.take(Undo(503.0))
    for t in range(3):
        evening.take(Redo(504.0 + t))
    assert (evening.board.round, evening.board.phase, totals(evening)) == (2, "playing", list(SCORES.values()))
    with pytest.raises(BadInput, match="nothing that was undone"):
        evening.take(Redo(510.0))


def test_a_long_press_undoes_the_call_of_this_round_only(evening: Evening) -> None:
    evening.take(Undo(500.0, call=True))
    assert evening.board.phase == "playing"
    evening.take(Redo(501.0))
    evening.take(NewRound(2))
    with pytest.raises(BadInput, match="no call to undo"):
        evening.take(Undo(502.0, call=True))


def test_after_something_new_nothing_is_done_again(evening: Evening) -> None:
    evening.take(Undo(500.0))
    evening.take(Call(501.0, evening.board.players[1].seat))
    with pytest.raises(BadInput, match="nothing that was undone"):
        evening.take(Redo(502.0))


def test_looks_at_cards_that_are_gathered_are_no_play_when_the_call_is_undone(evening: Evening) -> None:
    turns = evening.board.turns
    for t in range(6):
        evening.take(Observation(500.0 + t, {1: {5: {0: 1.0}, 10: {0: 1.0}}}, {0: 1.0}, "empty"))
    said = evening.take(Undo(510.0))
    assert sum(isinstance(event, TurnPlayed) for event in said) == turns


def test_a_correction_is_undone(evening: Evening) -> None:
    before = public(evening.board)
    rack = evening.board.racks[0].cards
    other = next(card for card in range(1, 41) if all(card not in shown.cards for shown in evening.board.racks))
    evening.take(Correction(500.0, 1, 5, other))
    assert evening.board.racks[0].cards != rack
    evening.take(Undo(501.0))
    assert public(evening.board) == before


@pytest.mark.slow
@pytest.mark.parametrize("cut", [1, 2, 3, 4])
def test_a_power_cut_among_them_changes_nothing(tmp_path: Path, cut: int) -> None:
    words: list[Line] = [Undo(500.0), Redo(501.0), NewRound(2), Undo(503.0), Undo(504.0), Pause(505.0, on=True)]
    whole = played(tmp_path / "whole.sqlite", [*LINES, *words])
    path = tmp_path / "cut.sqlite"
    first = Evening(journal := Journal(path, lambda: ""))
    for line in [*LINES, *words[:cut]]:
        first.take(line)
    journal.close()
    second = evening_at(path)
    assert (second.board, second.private) == (first.board, first.private)
    for line in words[cut:]:
        second.take(line)
    assert (second.board, second.private) == (whole.board, whole.private)


def named(turn: dict[str, Any], t: float) -> Played:
    """The host's word for a turn of the truth."""
    return Played(t, turn["seat"], turn["source"], turn["slot"], turn["card"], turn["discarded"])


def without_turn(number: int) -> tuple[list[Line], Played]:
    """The recorded round, no look having shown a turn before the next one; and the host's word for it."""
    turns = true_events("turn")
    missed, after = turns[number], turns[number + 1]

    def shows_it(line: Line) -> bool:
        if not (isinstance(line, Observation) and missed["t"] - 2 <= line.t < after["t"]):
            return False
        return line.discard is not None or missed["seat"] in line.racks

    seen = [line for line in LINES if not shows_it(line)]
    return seen, replace(named(missed, after["t"] + 5.0), at=missed["t"])


@pytest.mark.parametrize("number", [3, 8, 12])
def test_a_missed_play_that_is_named_afterwards_is_put_in_where_it_belongs(tmp_path: Path, number: int) -> None:
    lines, word = without_turn(number)
    at = next(place for place, line in enumerate(lines) if getattr(line, "t", 0.0) > word.t)
    evening = played(tmp_path / "j.sqlite", lines[:at])
    events: list[Event] = evening.take(word)
    assert isinstance(events[0], Rejudged)
    turns = [event.turn for event in events if isinstance(event, TurnPlayed)]
    assert (turns[number].seat, turns[number].card, turns[number].discarded) == (word.seat, word.card, word.discarded)
    for line in lines[at:]:
        evening.take(line)
    assert {line.seat: line.total for line in evening.board.players} == SCORES


def test_a_play_that_is_named_at_once_is_said_at_once(tmp_path: Path) -> None:
    turn = true_events("turn")[0]
    lines = [line for line in LINES if getattr(line, "t", 0.0) < turn["t"] - 2]
    evening = played(tmp_path / "j.sqlite", lines)
    (said,) = evening.take(named(turn, turn["t"]))
    assert isinstance(said, TurnPlayed)
    with pytest.raises(BadInput, match="counted already"):
        evening.take(named(turn, turn["t"]))
    assert (said.turn.card, said.turn.slot, said.turn.discarded) == (turn["card"], turn["slot"], turn["discarded"])
    for line in LINES[len(lines) :]:
        evening.take(line)
    assert {line.seat: line.total for line in evening.board.players} == SCORES


def test_the_host_accepts_a_rack_of_which_one_card_could_not_be_read(tmp_path: Path) -> None:
    call = next(line for line in LINES if isinstance(line, Call))
    out = true_events("round_end")[0]["out"]

    def covered(line: Line) -> Line:
        if not isinstance(line, Observation) or out not in line.racks:
            return line
        seen = {slot: sighting for slot, sighting in line.racks[out].items() if slot != 30}
        return replace(line, racks={**line.racks, out: seen})

    evening = played(tmp_path / "j.sqlite", [covered(line) for line in LINES if not isinstance(line, Call)])
    events = evening.take(Call(call.t + 20, out))
    assert public(evening.board)["phase"] == "checking"
    assert not any(isinstance(event, RoundEnd) for event in events)
    evening.take(Verdict(call.t + 30, accepted=True))
    assert evening.board.phase == "round-over"
    assert {line.seat: line.total for line in evening.board.players} == SCORES


def test_the_host_refuses_a_call_and_play_goes_on(tmp_path: Path) -> None:
    evening = played(tmp_path / "j.sqlite", [line for line in LINES if not isinstance(line, Call)][:40])
    evening.take(Call(90.0, 1))
    if evening.board.phase == "checking":
        evening.take(Verdict(91.0, accepted=False))
    assert (evening.board.phase, evening.board.notices[0].rule) == ("playing", "false-call")
    with pytest.raises(BadInput, match="no call"):
        evening.take(Verdict(92.0, accepted=False))


def test_a_round_is_ended_without_scores_and_that_is_undone(tmp_path: Path) -> None:
    evening = played(tmp_path / "j.sqlite", LINES[:40])
    evening.take(Abandon(90.0))
    assert (evening.board.phase, totals(evening), evening.board.round) == ("waiting", [0, 0], 0)
    with pytest.raises(BadInput, match="no round"):
        evening.take(Abandon(91.0))
    evening.take(Undo(92.0))
    assert (evening.board.phase, evening.board.round) == ("playing", 1)


def test_in_a_pause_nothing_is_taken_for_play(tmp_path: Path) -> None:
    evening = played(tmp_path / "j.sqlite", LINES[:40])
    turns = evening.board.turns
    evening.take(Pause(200.0, on=True))
    assert evening.board.paused
    for t in range(8):
        evening.take(Observation(201.0 + t, {1: {5: {33: 1.0}}}, {21: 1.0}))
    assert evening.board.turns == turns
    evening.take(Pause(300.0, on=False))
    assert not evening.board.paused
