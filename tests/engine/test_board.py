"""What every event does to the board."""

from dataclasses import replace

import pytest

from engine.board import NOTHING_YET, NOTICES_SHOWN, PLAYS_SHOWN, after
from engine.cards import SLOTS
from engine.events import (
    Amended,
    CallMade,
    Doubt,
    Event,
    GameEnd,
    GameStarted,
    RoundEnd,
    RoundReopened,
    RoundStarted,
    TakenBack,
    Thread,
    TurnPlayed,
    Violation,
)
from engine.game import new_game
from engine.moves import parse_turn
from engine.powers import Switch
from engine.round import Play
from engine.scoring import RackScore
from engine.snapshot import Notice, PlayerLine, PublicPlay, Snapshot
from tests.engine.boards import begun, fold, people, round_end, turn
from tests.engine.tables import careless, dealt, left, nearly_done, step, steps

WON = step(nearly_done(2, 2), Play("draw", 25)).after
FALSE_CALL = Violation("false-call", 2, "Not in order.", 1.0)
LOST = Thread(lost=True, text="Play on.", t=9.0)
FOUND = Thread(lost=False, text="Here again.", t=9.0)


def discards(board: Snapshot) -> list[int | None]:
    """What the plays show, newest first."""
    return [shown.discarded for shown in board.plays]


def test_taking_the_top_of_the_discard_pile_hides_it() -> None:
    board = fold(begun(2), turn("2:D40@5x11", 1.0))
    assert (board.discard, board.plays) == (11, (PublicPlay(1, 2, "draw", exchanged=True, discarded=11, t=1.0),))
    board = fold(board, turn("1:T11@50x10", 2.0, to_move=2))
    assert board.discard == 10
    assert board.plays == (
        PublicPlay(2, 1, "discard", exchanged=True, discarded=10, t=2.0),
        PublicPlay(1, 2, "draw", exchanged=True, discarded=None, t=1.0),
    )
    assert board.to_move == 2


def test_turning_the_pile_over_hides_every_earlier_discard() -> None:
    board = fold(begun(2), turn("2:D39x39", 1.0), turn("1:D40x40", 2.0))
    assert discards(board) == [40, 39]
    board = fold(board, turn("2:D30@5x11", 3.0, turned_over=True))
    assert discards(board) == [11, None, None]
    assert [shown.turned_over for shown in board.plays] == [True, False, False]


def test_a_discard_that_was_covered_before_any_look_showed_it_is_hidden() -> None:
    board = fold(begun(2), turn("2:D40@5x11", 1.0), turn("1:D30@5x12", 2.0, in_sight=False))
    assert (board.discard, discards(board)) == (None, [None, 11])
    board = fold(board, turn("2:D31@5x13", 2.0))
    assert discards(board) == [13, None, 11]


def test_a_correction_names_no_discard_that_nobody_saw() -> None:
    board = fold(begun(2), turn("2:D40@5x11", 1.0), Amended(1, parse_turn("2:D40@5x12"), 2.0, in_sight=False))
    assert (board.discard, discards(board)) == (None, [None])


def test_a_used_power_is_shown_with_its_slots_and_without_a_card() -> None:
    board = fold(begun(3), turn("2:D13x13+again", 1.0), turn("2:D40@5x7+1@10/3@45", 2.0))
    assert [shown.effect for shown in board.plays] == [Switch((1, 10), (3, 45)), "again"]
    assert discards(board) == [7, 13]


def test_only_the_last_plays_and_notices_are_shown_newest_first() -> None:
    board = begun(2)
    for number, now in enumerate(steps(dealt(2, 3), careless(3), 12), 1):
        event = TurnPlayed(now.turn, left(2, now.turn.seat), float(number), turned_over=now.turned_over)
        board = fold(board, event)
    assert [shown.number for shown in board.plays] == list(range(12, 12 - PLAYS_SHOWN, -1))
    for number in range(1, 6):
        board = after(board, FALSE_CALL, number)
    assert board.notices == tuple(Notice(number, "false-call", 2, "Not in order.") for number in (5, 4, 3))
    assert len(board.notices) == NOTICES_SHOWN


THREE = (turn("2:D40@5x11", 1.0), turn("1:T11@50x10", 2.0), turn("2:D30@5x12", 3.0))


def amended(number: int, text: str) -> Amended:
    return Amended(number, parse_turn(text), 9.0)


def test_an_amended_turn_shows_the_card_on_top_as_it_is_known_now() -> None:
    board = fold(begun(2), *THREE, amended(3, "2:D30@10x14+again"))
    assert board.discard == 14
    assert board.plays[0] == PublicPlay(3, 2, "draw", exchanged=True, discarded=14, t=3.0, effect="again")
    assert discards(board) == [14, 10, None]


def test_an_amended_turn_shows_a_card_below_the_top_as_it_is_known_now() -> None:
    board = fold(begun(2), *THREE, amended(2, "1:T11@50x9"))
    assert board.discard == 12
    assert discards(board) == [12, 9, None]


def test_a_turn_that_is_amended_to_another_source_hides_the_cards_below_it() -> None:
    # Of a turn that took the discard after all, the card before; else the pile may have been turned over for it.
    board = fold(begun(2), *THREE, amended(3, "2:T10@5x12"))
    assert discards(board) == [12, None, None]
    assert board.discard == 12
    board = fold(begun(2), *THREE, amended(2, "1:D11@50x10"))
    assert discards(board) == [12, 10, None]


@pytest.mark.parametrize("text", ["2:D40@5x13", "2:D40x40"])
def test_an_amended_turn_never_names_a_card_that_was_taken(text: str) -> None:
    board = fold(begun(2), *THREE, amended(1, text))
    assert discards(board) == [12, 10, None]
    assert board.plays[-1].exchanged == ("@" in text)


def test_an_amended_turn_whose_card_nobody_knows_any_more_shows_none() -> None:
    board = fold(begun(2), *THREE, amended(3, "2:D30@5x?"))
    assert (board.discard, discards(board)) == (None, [None, 10, None])


def test_an_amended_turn_that_is_not_shown_any_more_changes_nothing() -> None:
    board = fold(begun(2), *(turn(f"{1 + number % 2}:D{number}x{number}", number) for number in range(1, 12)))
    assert fold(board, amended(3, "1:D60x60")) == replace(board, version=board.version + 1)


def test_a_turn_that_is_taken_back_goes_and_the_card_below_it_is_the_top_again() -> None:
    board = fold(begun(2), turn("2:D40@5x11", 1.0), turn("1:D33@5x20", 2.0, to_move=2), TakenBack(2, 1, 3.0))
    assert (board.discard, discards(board), board.to_move) == (11, [11], 1)
    board = fold(board, turn("1:T11@20x21", 4.0))
    assert discards(board) == [21, None]
    assert board.plays[0].number == 3, "turns are counted on"
    board = fold(board, TakenBack(3, 1, 5.0))
    assert (board.discard, discards(board)) == (None, [None]), "it lies there again, but nobody looks it up"
    assert fold(begun(2), THREE[0], TakenBack(1, 2, 2.0)).plays == ()


def test_a_turn_that_is_found_to_be_taken_back_later_hides_what_lay_below_it() -> None:
    board = fold(begun(2), turn("2:D40@5x11", 1.0), turn("1:D33@5x20", 2.0), turn("1:T11@20x21", 3.0, to_move=2))
    board = fold(board, TakenBack(2, 1, 4.0))
    assert (board.discard, discards(board), board.to_move) == (21, [21, None], 2)
    assert fold(board, TakenBack(2, 1, 4.0)) == replace(board, version=board.version + 1)


def test_while_the_thread_is_lost_no_discard_and_nobodys_turn_is_told() -> None:
    board = fold(begun(2), *THREE, LOST)
    assert (board.lost, board.discard, board.to_move) == (True, None, None)
    assert discards(board) == [None, None, None]
    assert board.notices == ()
    found = fold(board, turn("1:D20@5x21", 12.0, to_move=2), FOUND)
    assert (found.lost, found.discard, found.to_move, discards(found)) == (False, 21, 2, [21, None, None, None])
    assert not fold(board, RoundStarted(2, 2, 1)).lost


def test_the_second_card_of_two_may_have_come_from_the_discard_pile() -> None:
    two = Violation("two-cards-exchanged", 2, "Ben exchanged two cards in one turn.", 3.0)
    assert discards(fold(begun(2), turn("1:D39x39", 1.0), turn("2:D40@5x11", 2.0), two)) == [11, None]


def test_a_game_goes_through_its_phases() -> None:
    events: list[tuple[Event, str]] = [
        (GameStarted("retro", (), people(2), 500), "waiting"),
        (RoundStarted(1, 1, 2), "playing"),
        (CallMade(1, 1.0), "checking"),
        (Doubt(1, 5, {3: 0.5}, 1.0), "checking"),
        (Violation("wrong-turn", 1, "Out of turn.", 1.0), "checking"),
        (THREE[0], "checking"),
        (FALSE_CALL, "playing"),
        (LOST, "playing"),
        (CallMade(None, 3.0), "checking"),
        (FOUND, "checking"),
        (round_end(WON, 2), "round-over"),
        (round_end(WON, 2, amends=True), "round-over"),
        (RoundReopened(1, 5.0), "playing"),
        (FALSE_CALL, "playing"),
        (round_end(WON, 2), "round-over"),
        (RoundStarted(2, 2, 1), "playing"),
        (round_end(WON, 2), "round-over"),
        (GameEnd((2,), {1: 5, 2: 510}, 4.0), "game-over"),
        (round_end(WON, 2, amends=True), "round-over"),
        (GameEnd((2,), {1: 5, 2: 510}, 4.0), "game-over"),
        (GameStarted("retro", (), people(2), 500), "waiting"),
    ]
    board = NOTHING_YET
    for version, (event, phase) in enumerate(events, 1):
        board = after(board, event, version)
        assert (board.version, board.phase) == (version, phase)
    assert board == after(NOTHING_YET, events[0][0], len(events))


def test_a_call_shows_who_called_until_it_is_judged() -> None:
    board = fold(begun(2), CallMade(2, 1.0))
    assert board.called_by == 2
    odd = fold(board, Violation("cards-rearranged", 1, "Moved cards.", 1.0))
    assert odd.called_by == 2
    assert [notice.rule for notice in odd.notices] == ["cards-rearranged"]
    assert fold(odd, FALSE_CALL).called_by is None
    assert fold(board, round_end(WON, 1)).called_by is None


def test_a_new_deal_while_a_call_is_judged_forgets_the_call() -> None:
    board = fold(begun(2), *THREE, CallMade(2, 1.0))
    assert after(board, RoundStarted(1, 1, 2), 4) == replace(begun(2), version=4)


def test_a_doubt_changes_nothing_but_the_version() -> None:
    board = begun(2)
    assert after(board, Doubt(1, 5, {3: 0.5, 8: 0.5}, 1.0), 3) == replace(board, version=3)


def test_the_end_of_a_round_shows_racks_points_and_totals() -> None:
    end = round_end(WON, 2)
    board = fold(begun(2), end)
    one = end.scores[1].points
    assert board.players == (PlayerLine(1, "Ada", one, (one,)), PlayerLine(2, "Ben", 75, (75,)))
    assert [(shown.seat, shown.points, shown.out) for shown in board.racks] == [(1, one, False), (2, 75, True)]
    loser, winner = board.racks
    assert loser.broke_at == SLOTS[loser.scoring]
    assert (winner.broke_at, winner.scoring, winner.why) == (None, 10, end.scores[2].why)
    assert (board.to_move, board.called_by) == (None, None)
    fresh = fold(board, RoundStarted(2, 2, 1))
    assert (fresh.racks, fresh.plays, fresh.notices, fresh.discard, fresh.round) == ((), (), (), None, 2)
    assert fresh.players == board.players, "the totals stay"


def test_a_corrected_score_stands_in_place_of_the_one_before() -> None:
    board = fold(begun(2), round_end(WON, 2), RoundStarted(2, 2, 1), round_end(WON, 2, before=100))
    end = round_end(WON, 2, before=100, amends=True)
    scores = {**end.scores, 1: RackScore(50, 10, None, "all ten rise")}
    amends = replace(end, scores=scores, totals={1: 150, 2: 175})
    again = fold(board, amends)
    first = board.players[0].points[0]
    assert again.players == (PlayerLine(1, "Ada", 150, (first, 50)), PlayerLine(2, "Ben", 175, (75, 75)))
    assert again.racks[0].points == 50


def test_a_round_that_goes_on_takes_points_winners_and_racks_back() -> None:
    board = fold(begun(2), *THREE, CallMade(2, 5.0))
    over = fold(board, round_end(WON, 2), GameEnd((2,), {1: 5, 2: 75}, 5.0))
    again = fold(over, RoundReopened(1, 6.0))
    assert again == replace(board, version=again.version, phase="playing", called_by=None, to_move=1)
    assert fold(again, FALSE_CALL).notices[0].rule == "false-call"
    later = fold(again, turn("1:D33@5x34", 7.0), round_end(WON, 2))
    assert later.players == fold(begun(2), round_end(WON, 2)).players
    assert [shown.number for shown in later.plays] == [4, 3, 2, 1]


def test_the_loss_of_the_thread_outlasts_a_round_that_was_not_over() -> None:
    board = fold(begun(2), LOST, round_end(WON, 2), RoundReopened(1, 6.0))
    assert board.lost


@pytest.mark.parametrize(
    ("players", "variants", "sides", "target"),
    [
        (2, (), ((1,), (2,)), 500),
        (4, ("partners", "bonus"), ((1, 3), (2, 4)), 250),
        (3, ("quick",), ((1,), (2,), (3,)), 0),
    ],
)
def test_the_board_of_a_game_knows_its_variants_who_wins_together_and_whether_points_count(
    players: int, variants: tuple[str, ...], sides: tuple[tuple[int, ...], ...], target: int
) -> None:
    game = new_game("hasbro-2006", people(players), variants)
    board = fold(NOTHING_YET, GameStarted("hasbro-2006", variants, people(players), game.rules.target))
    assert (board.variants, board.sides, board.target) == (variants, sides, target)
    in_round = fold(board, RoundStarted(1, 1, 2))
    assert (in_round.variants, in_round.sides, in_round.target) == (variants, sides, target)


def test_partners_keep_their_own_points_and_win_together() -> None:
    board = fold(NOTHING_YET, GameStarted("parker-1992", ("partners",), people(4), 500), RoundStarted(1, 1, 2))
    end = round_end(step(nearly_done(4, 2), Play("draw", 25)).after, 2)
    board = fold(board, end, GameEnd((2, 4), dict(end.totals), 99.0))
    assert [line.total for line in board.players] == [end.scores[seat].points for seat in (1, 2, 3, 4)]
    assert board.winners == (2, 4)


def test_a_rack_with_a_card_that_was_never_read_is_shown_with_its_gap() -> None:
    end = round_end(WON, 2)
    unread: RoundEnd = replace(end, racks={**end.racks, 1: (*end.racks[1][:9], None)})
    assert fold(begun(2), unread).racks[0].cards[9] is None
