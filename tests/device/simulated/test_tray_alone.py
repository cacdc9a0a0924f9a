"""One camera at the tray only: turns are followed by their discards; racks that are shown at the call are scored."""

from collections.abc import Iterator
from dataclasses import replace
from difflib import SequenceMatcher
from random import Random

import pytest

from device.simulated.evidence import Noise, lines_of
from device.simulated.games import PlayedGame, Setup, play_game
from device.simulated.players import Level
from engine.board import NOTHING_YET, after
from engine.cards import SLOTS, Seat
from engine.events import Amended, CallMade, Event, RacksWanted, RoundEnd, Thread, TurnPlayed, Violation
from engine.lines import Call, Hidden, Line, Observation
from engine.moves import Turn
from engine.referee import Referee

SEEDS = range(1, 13)
LEVEL: Level = "fair"


def a_round(seed: int) -> tuple[PlayedGame, list[Line]]:
    """A round of two, three or four players, and what is seen of it when every rack is out of sight."""
    chance = Random(seed)
    played = play_game(Setup((LEVEL,) * (2 + seed % 3), most_rounds=1), chance)
    noise = Noise(looks=(2, 3), half=0.15, misread=0.02)
    lines = [
        replace(line, racks={}) if isinstance(line, Observation) else line for line in lines_of(played, noise, chance)
    ]
    return played, lines


def shown(played: PlayedGame, t: float, first: Seat | None = None) -> Iterator[Observation]:
    """The racks, shown to the camera one after the other; that of seat `first` before the others."""
    last = played.rounds[0].steps[-1].after
    for number, seat in enumerate(sorted(last.seats, key=lambda seat: seat != first)):
        for look in range(2):
            rack = {slot: {card: 0.98} for slot, card in zip(SLOTS, last.rack(seat), strict=True)}
            yield Observation(t + number + look / 2, {seat: rack})


def followed(lines: list[Line]) -> tuple[Referee, list[Event]]:
    referee = Referee()
    return referee, [event for line in lines for event in referee.feed(line)]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_score_is_right_all_the_same_and_nobody_is_accused(seed: int) -> None:
    played, lines = a_round(seed)
    referee, events = followed(lines)
    for look in shown(played, 10_000.0):
        events += referee.feed(look)
    assert not [event for event in events if isinstance(event, Violation | Thread)]
    (end,) = [event for event in events if isinstance(event, RoundEnd)]
    assert {seat: score.points for seat, score in end.scores.items()} == played.rounds[0].points


@pytest.mark.slow
def test_nearly_all_turns_are_told_by_what_was_discarded() -> None:
    right = expected = 0
    for seed in SEEDS:
        played, lines = a_round(seed)
        turns: dict[int, Turn] = {}
        for event in followed(lines)[1]:
            if isinstance(event, TurnPlayed):
                turns[len(turns) + 1] = event.turn
            elif isinstance(event, Amended):
                turns[event.number] = event.turn
        true = [step.turn.discarded for step in played.rounds[0].steps if step.turn]
        told = [turn.discarded for turn in turns.values()]
        assert all(turn.slot is None and turn.source != "draw" for turn in turns.values())
        blocks = SequenceMatcher(None, true, told, autojunk=False).get_matching_blocks()
        right += sum(block.size for block in blocks)
        expected += len(true)
    assert right >= 0.9 * expected


def test_at_the_call_the_racks_are_asked_for_one_after_the_other() -> None:
    played, lines = a_round(3)
    referee, events = followed(lines)
    board = NOTHING_YET
    for number, event in enumerate(events):
        board = after(board, event, number)
    caller = next(event.seat for event in events if isinstance(event, CallMade))
    assert (board.phase, board.wanted) == ("checking", (caller,))
    asked = []
    for look in shown(played, 10_000.0, caller):
        asked += [event.seats for event in referee.feed(look) if isinstance(event, RacksWanted)]
    others = tuple(seat for seat in played.rounds[0].steps[0].before.seats if seat != caller)
    assert others in asked, "once the caller's rack is seen the others' are asked for"
    assert all(caller not in seats for seats in asked)


def test_racks_that_were_shown_for_a_false_call_are_out_of_sight_again() -> None:
    played, lines = a_round(4)
    at = next(place for place, line in enumerate(lines) if isinstance(line, Call))
    before = lines[: at // 2]
    referee, _ = followed(before)
    seat = played.rounds[0].steps[0].before.seats[0]
    t = max(line.t for line in before if isinstance(line, Observation)) + 1
    referee.feed(Call(t, seat))
    rack = {slot: {card: 1.0} for slot, card in zip(SLOTS, (9, 8, 7, 6, 5, 4, 3, 2, 1, 10), strict=True)}
    said = referee.feed(Observation(t + 1, {seat: rack}))
    assert [event.rule for event in said if isinstance(event, Violation)] == ["false-call"]
    later = [line for line in lines[at // 2 : at] if isinstance(line, Observation)]
    turns = [
        event.turn
        for line in later
        for event in referee.feed(replace(line, t=line.t + 10))
        if isinstance(event, TurnPlayed)
    ]
    assert [turn for turn in turns if turn.seat == seat]
    assert all(turn.slot is None and turn.source != "draw" for turn in turns)


def test_a_rack_whose_camera_is_gone_is_out_of_sight_until_it_is_seen_again() -> None:
    chance = Random(5)
    played = play_game(Setup((LEVEL,) * 2, most_rounds=1), chance)
    lines = list(lines_of(played, Noise(looks=(2, 3)), chance))
    looks = [place for place, line in enumerate(lines) if isinstance(line, Observation)]
    gone, back = looks[len(looks) // 3], looks[2 * len(looks) // 3]
    seen: list[Line] = []
    for place, line in enumerate(lines):
        if place == gone:
            assert isinstance(line, Observation)
            seen.append(Hidden(line.t, (2,)))
        if gone <= place < back and isinstance(line, Observation):
            seen.append(replace(line, racks={1: line.racks[1]}))
        else:
            seen.append(line)
    events = followed(seen)[1]
    assert not [event for event in events if isinstance(event, Violation | Thread)]
    (end,) = [event for event in events if isinstance(event, RoundEnd)]
    assert {seat: score.points for seat, score in end.scores.items()} == played.rounds[0].points
