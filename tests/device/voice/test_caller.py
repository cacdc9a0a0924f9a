"""What the caller says aloud, and when: boards and times in, lines out."""

from dataclasses import replace

import pytest

from device.voice.caller import KEPT, MOST, Caller
from engine.snapshot import Notice, PlayerLine, Snapshot
from tests.webui import tables

Moment = tuple[float, Snapshot | None] | tuple[float, Snapshot | None, str]
"""A time in seconds; a board that comes then, None for nothing new; and "doubt" where a score's card is asked for."""

HUSH = "(hush)"


def game_of(board: Snapshot) -> int:
    """One before the first deal is of another game."""
    return 2 if board.phase == "waiting" else 1


def heard(*moments: Moment, turns: bool = False) -> list[str]:
    """What a listener says who looks at these times, and where it breaks off what it may have begun."""
    caller, said, before = Caller(), list[str](), frozenset[int]()
    for time, board, *doubt in moments:
        if board is not None:
            caller.hear(board, game_of(board), time, doubt=bool(doubt))
        lines = [line for line in caller.due(time) if turns or line.about != "turn"]
        numbers = frozenset(line.number for line in lines)
        if before - numbers:
            said.append(HUSH)
        said += [line.text for line in lines if line.number not in before]
        before = numbers
    return said


PLAYING, OVER, GAME_OVER = tables.playing(2), tables.round_over(2), tables.game_over(2)
SCORES = ["Ada goes out.", "Ada: 75 points, 215 in all.", "Ben: 30 points, 145 in all."]


def with_bens(points: int, board: Snapshot = OVER) -> Snapshot:
    """The board with other points of Ben's last round."""
    ada, ben = board.players
    total = ben.total - ben.points[-1] + points
    return replace(board, players=(ada, replace(ben, total=total, points=(*ben.points[:-1], points))))


def test_what_was_so_before_is_not_told() -> None:
    assert heard((0, OVER), (9, None)) == []
    assert heard((0, tables.false_call()), (9, None)) == []
    assert heard((0, PLAYING), (9, None), turns=True) == []


def test_a_call_is_told_at_once_and_the_scores_once_they_have_stood() -> None:
    before: list[Moment] = [(0, PLAYING), (1, tables.checking(2)), (2, OVER)]
    assert heard(*before, (5.9, None)) == ["Ben calls RACK-O."]
    assert heard(*before, (6, None), (9, None)) == ["Ben calls RACK-O.", *SCORES]


def test_a_score_is_told_whole_where_the_next_round_has_begun_by_then() -> None:
    dealt = replace(PLAYING, round=6, players=OVER.players)
    assert heard((0, PLAYING), (1, OVER), (3, dealt), (5, None), (9, dealt)) == SCORES
    assert heard((0, PLAYING), (1, OVER), (5, None), (6, dealt), (20, None)) == SCORES


def test_a_call_of_nobody_in_particular_names_nobody() -> None:
    board = replace(tables.checking(2), called_by=None)
    assert heard((0, PLAYING), (1, board)) == ["RACK-O was called."]


def test_a_score_that_is_corrected_before_it_was_told_is_told_once_and_right() -> None:
    lines = heard((0, PLAYING), (1, OVER), (4, with_bens(35)), (6, None), (8, None), (60, None))
    assert lines == [*SCORES[:2], "Ben: 35 points, 150 in all."]


def test_a_score_that_is_corrected_later_is_told_as_the_corrected_value_and_no_other() -> None:
    lines = heard((0, PLAYING), (1, OVER), (5, None), (40, with_bens(35)), (44, None))
    assert lines == [*SCORES, HUSH, "Correction.", "Ben: 35 points, 150 in all."]


def test_a_wrong_total_that_is_being_said_is_broken_off_and_the_others_are_not() -> None:
    caller = Caller()
    caller.hear(PLAYING, 1, 0)
    caller.hear(OVER, 1, 1)
    assert [line.text for line in caller.due(5)] == SCORES
    caller.hear(with_bens(35), 1, 6)
    assert [line.text for line in caller.due(6)] == [SCORES[1]]


def test_a_score_that_is_corrected_back_before_anybody_spoke_of_it_is_no_correction() -> None:
    assert heard((0, PLAYING), (1, OVER), (5, None), (6, with_bens(35)), (8, OVER), (12, None)) == [*SCORES, HUSH]


def test_a_round_that_goes_on_after_all_is_told_as_a_correction() -> None:
    lines = heard((0, PLAYING), (1, OVER), (5, None), (6, PLAYING), (11, None))
    assert lines == [*SCORES, HUSH, "Correction. The points of round 5 do not count."]
    assert heard((0, PLAYING), (1, OVER), (2, PLAYING), (11, None)) == []


def test_a_game_that_was_won_and_goes_on_after_all_is_told_as_such() -> None:
    ada, ben = OVER.players
    on = replace(OVER, players=(replace(ada, total=190, points=(*ada.points[:-1], 50)), ben))
    lines = heard((0, PLAYING), (1, GAME_OVER), (5, None), (50, on), (54, None))
    assert lines[-3:] == ["Correction.", "Ada: 50 points, 190 in all.", "The game goes on."]


def test_another_winner_is_told_as_a_correction() -> None:
    lines = heard((0, PLAYING), (1, GAME_OVER), (5, None), (50, replace(GAME_OVER, winners=(2,))), (54, None))
    assert lines[-3:] == [HUSH, "Correction.", "Ben wins the game."]


def test_nothing_is_told_while_it_is_not_certain_how_things_stand() -> None:
    lost = replace(tables.lost(2), notices=(tables.WRONG_TURN,))
    assert heard((0, PLAYING), (1, lost), (9, None)) == []
    paused = replace(tables.playing(2, to_move=2), paused=True)
    assert heard((0, PLAYING), (1, paused), (9, None), turns=True) == []
    assert heard((0, PLAYING), (1, replace(OVER, paused=True)), (9, None)) == []
    assert heard((0, PLAYING), (1, OVER, "doubt"), (9, None)) == []


def test_a_score_that_was_in_doubt_is_told_once_it_is_not() -> None:
    assert heard((0, PLAYING), (1, OVER, "doubt"), (20, OVER), (21, None)) == SCORES
    assert heard((0, PLAYING), (1, OVER, "doubt"), (20, with_bens(35)), (24, None))[2] == "Ben: 35 points, 150 in all."


def test_whatever_is_being_said_is_broken_off_when_somebody_calls() -> None:
    board = replace(PLAYING, notices=(tables.WRONG_TURN,))
    called = replace(tables.checking(2), notices=board.notices)
    lines = heard((0, PLAYING), (1, board), (2, called))
    assert lines == [tables.WRONG_TURN.text, HUSH, "Ben calls RACK-O."]


def test_a_call_that_is_undone_is_not_spoken_of_any_more() -> None:
    assert heard((0, PLAYING), (1, tables.checking(2)), (2, PLAYING)) == ["Ben calls RACK-O.", HUSH]


def test_a_lost_thread_at_the_rounds_end_silences_nothing() -> None:
    assert heard((0, PLAYING), (1, replace(OVER, lost=True)), (5, None)) == SCORES


def test_a_false_call_is_told_when_the_verdict_is_there() -> None:
    lines = heard((0, tables.playing()), (1, tables.checking()), (2, tables.false_call()))
    assert lines == ["Ben calls RACK-O.", tables.FALSE_CALL.text]


def test_a_round_that_was_judged_anew_is_not_told_once_more() -> None:
    twice = (replace(tables.FALSE_CALL, number=7), tables.FALSE_CALL)
    again = tuple(replace(notice, number=notice.number + 40) for notice in twice)
    before: list[Moment] = [
        (0, PLAYING),
        (1, replace(PLAYING, notices=twice[1:])),
        (2, replace(PLAYING, notices=twice)),
    ]
    assert heard(*before) == [tables.FALSE_CALL.text] * 2
    assert heard(*before, (3, replace(PLAYING, notices=again))) == [tables.FALSE_CALL.text] * 2
    other = (Notice(60, "wrong-turn", 1, "Ada played."), *again)
    assert heard(*before, (3, replace(PLAYING, notices=other)))[2:] == ["Ada played."]


def test_the_winner_is_named_after_the_scores() -> None:
    lines = heard((0, PLAYING), (1, OVER), (2, GAME_OVER), (6, None))
    assert lines[-1] == "Ada wins the game."
    assert len([line for line in lines if "wins" in line]) == 1


def test_partners_hear_their_points_together_and_win_together() -> None:
    lines = heard((0, tables.partners(tables.playing())), (1, tables.partners(tables.game_over())), (5, None))
    assert lines[1] == "Ada: 75 points."
    assert lines[-1] == f"Ada and {tables.NAMES[2]} win the game."
    assert f"Ada and {tables.NAMES[2]}: 660 together." in lines
    assert len(lines) <= MOST


def test_a_correction_among_partners_names_the_pair_that_it_is_of_and_no_other() -> None:
    over = tables.partners(tables.round_over())
    ben = over.players[1]
    right = replace(ben, total=ben.total + 5, points=(*ben.points[:-1], ben.points[-1] + 5))
    now = replace(over, players=(over.players[0], right, *over.players[2:]))
    lines = heard((0, tables.partners(tables.playing())), (1, over), (5, None), (40, now), (44, None))
    together = f"Ben and {tables.NAMES[3]}: {right.total + over.players[3].total} together."
    assert lines[-4:] == [HUSH, "Correction.", "Ben: 35 points.", together]


def test_a_quick_game_is_told_without_points() -> None:
    before: list[Moment] = [(0, tables.quick(PLAYING)), (1, tables.quick(GAME_OVER)), (5, None)]
    assert heard(*before) == ["Ada goes out.", "Ada wins the game."]
    undone = heard(*before, (6, tables.quick(PLAYING)), (10, None))
    assert undone[2:] == [HUSH, "Correction. Round 5 does not count."]


def test_turns_are_lines_of_their_own_that_a_listener_may_leave_out() -> None:
    moments: list[Moment] = [(0, tables.playing(2, to_move=1)), (1, tables.playing(2, to_move=2)), (2.3, None)]
    assert heard(*moments) == []
    assert heard(*moments, turns=True) == ["Ben’s turn."]  # noqa: RUF001 - as it is said


def test_a_turn_that_is_over_is_not_told_any_more() -> None:
    board = tables.playing(2, to_move=1)
    later = tables.playing(2, to_move=2)
    passed = heard((0, PLAYING), (1, board), (2, later), (9, None), turns=True)
    assert passed == ["Ben’s turn."]  # noqa: RUF001 - as it is said
    broken_off = heard((0, PLAYING), (1, board), (3, None), (4, later), (9, None), turns=True)
    assert broken_off == ["Ada’s turn.", HUSH, "Ben’s turn."]  # noqa: RUF001 - as it is said


def test_a_new_game_begins_in_silence() -> None:
    assert heard((0, GAME_OVER), (1, tables.waiting(2)), (9, None)) == []


def test_a_seat_without_a_name_is_called_by_its_number() -> None:
    """As the rules' engine names it; and one that nobody sits at, though the board should name it."""
    board = replace(OVER, players=tuple(replace(line, name=f"Seat {line.seat}") for line in OVER.players))
    assert heard((0, PLAYING), (1, board), (5, None))[0] == "Seat 1 goes out."
    assert heard((0, PLAYING), (1, replace(tables.checking(2), called_by=4)))[0] == "Seat 4 calls RACK-O."


@pytest.mark.parametrize("name", ["Ada & Ben", "Зоя", "明", "<break time=9999>", "-w/etc/x", "a\nb"])
def test_a_name_is_said_as_it_is(name: str) -> None:
    board = replace(OVER, players=(replace(OVER.players[0], name=name), OVER.players[1]))
    assert heard((0, PLAYING), (1, board), (5, None))[0] == f"{name} goes out."


def test_a_line_may_be_said_for_a_while_and_no_longer() -> None:
    caller = Caller()
    caller.hear(PLAYING, 1, 0)
    caller.hear(OVER, 1, 1)
    assert caller.due(5)
    assert caller.due(5 + KEPT - 0.1)
    assert caller.due(5 + KEPT) == ()


def test_never_more_lines_are_due_than_the_description_of_the_api_allows() -> None:
    caller = Caller()
    caller.hear(PLAYING, 1, 0)
    for number in range(1, 40):
        notice = Notice(number, "wrong-turn", 1, f"It was {number}.")
        caller.hear(replace(PLAYING, notices=(notice,), to_move=1 + number % 2), 1, number)
        assert len(caller.due(number)) <= MOST


def test_a_board_before_the_first_game_and_players_without_rounds_are_no_trouble() -> None:
    nobody = replace(tables.waiting(2), players=(), sides=())
    fresh = replace(PLAYING, round=1, players=(PlayerLine(1, "Ada", 0), PlayerLine(2, "Ben", 0)))
    assert heard((0, nobody), (5, fresh), (10, None), (11, nobody), (20, None)) == []
