import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from device.evening.journal import Journal
from device.evening.keeper import Evening
from engine.errors import BadInput
from engine.events import Event, TurnPlayed
from engine.lines import Call, NewRound
from engine.snapshot import Snapshot
from tests.device.recorded import the_game, true_events, true_lines


def journal_at(path: Path) -> Journal:
    return Journal(path, lambda: "2026-01-01T20:00:00")


def test_the_recorded_round_seen_perfectly_gives_every_turn_and_the_scores(tmp_path: Path) -> None:
    evening = Evening(journal_at(tmp_path / "j.sqlite"))
    events = [event for line, _ in true_lines() for event in evening.take(line)]
    turns = [event.turn for event in events if isinstance(event, TurnPlayed)]
    expected = true_events("turn")
    assert [(turn.seat, turn.source, turn.card, turn.slot, turn.discarded) for turn in turns] == [
        tuple(said[key] for key in ("seat", "source", "card", "slot", "discarded")) for said in expected
    ]
    assert [line.total for line in evening.board.players] == list(true_events("round_end")[0]["scores"].values())


@pytest.mark.slow
def test_an_evening_broken_off_anywhere_comes_to_the_same_end(tmp_path: Path) -> None:
    lines = [line for line, _ in true_lines()]
    whole = Evening(journal_at(tmp_path / "whole.sqlite"))
    for line in lines:
        whole.take(line)
    for cut in random.Random(1).sample(range(1, len(lines)), 12):
        path = tmp_path / f"cut-{cut}.sqlite"
        journal = journal_at(path)
        first = Evening(journal)
        for line in lines[:cut]:
            first.take(line)
        journal.close()
        second = Evening(journal_at(path))
        assert second.board == first.board, f"broken off after line {cut}"
        for line in lines[cut:]:
            second.take(line)
        assert second.board == whole.board, f"broken off after line {cut}"


def test_nobody_is_told_what_is_not_on_disk_yet(tmp_path: Path) -> None:
    journal = journal_at(tmp_path / "j.sqlite")
    on_disk: list[bool] = []

    def listener(board: Snapshot, events: Sequence[Event]) -> None:
        written = [entry.event for entry in journal.entries() if entry.kind == "event"]
        on_disk.append(bool(events) and written[-len(events) :] == list(events))
        assert board.version == journal.last_number()

    evening = Evening(journal, [listener])
    for line, _ in true_lines():
        evening.take(line)
    assert len(on_disk) >= 10
    assert all(on_disk)


def test_a_line_that_cannot_be_leaves_no_trace(tmp_path: Path) -> None:
    journal = journal_at(tmp_path / "j.sqlite")
    evening = Evening(journal)
    with pytest.raises(BadInput, match="no game has begun"):
        evening.take(NewRound(1))
    evening.take(the_game())
    before = evening.board, journal.last_number()
    with pytest.raises(BadInput, match="no round is being played"):
        evening.take(Call(1.0, 2))
    assert (evening.board, journal.last_number()) == before


def test_the_second_round_is_dealt_on_after_a_power_cut_between_the_rounds(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    journal = journal_at(path)
    evening = Evening(journal)
    for line, _ in true_lines():
        evening.take(line)
    journal.close()
    again = Evening(journal_at(path))
    assert not again.in_round
    again.take(NewRound(2))
    assert again.board.round == 2
    assert [line.total for line in again.board.players] == [35, 75]
