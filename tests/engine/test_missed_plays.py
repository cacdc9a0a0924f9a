"""Plays that nobody saw settle: with a word of it and without, the pile covered, at the deal, and before a call."""

from collections.abc import Sequence
from random import Random

import pytest

from device.simulated.evidence import Noise, lines_of
from device.simulated.games import Setup, play_game
from device.simulated.players import Level
from engine.cards import SLOTS, Seat, Slot
from engine.events import RoundEnd, TurnPlayed, Violation
from engine.following.history import Place
from engine.moves import Turn
from engine.referee import Referee
from engine.round import Play
from tests.engine.tables import PARKER, Watched, careless, dice, nearly_done, thrifty, turns

FIRST_SEED = 1000
PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])
SEEDS = pytest.mark.parametrize("seed", range(FIRST_SEED, FIRST_SEED + 3))


def some_turns(table: Watched, seed: int, count: int, passes: int = 0) -> None:
    """Draws into slots of their own, unseen, `passes` of them discarded at once; the piles never end here."""
    chance = dice(seed)
    slots = chance.sample(SLOTS, count)
    passing = chance.sample(range(count), passes)
    for number, slot in enumerate(slots):
        table.play(Play("draw", None if number in passing else slot), looks=0)


def seats_and_slots(played: Sequence[Turn]) -> list[tuple[Seat, Slot | None]]:
    """Who put a card where, or discarded what was drawn."""
    return [(turn.seat, turn.slot) for turn in played]


MISSED = [(players, missed) for players in (2, 3, 4) for missed in (1, 2, 3) if missed < players]


@SEEDS
@pytest.mark.parametrize(("players", "missed"), MISSED)
def test_exchanges_that_were_missed_are_all_found_once_somebody_says_so(players: int, seed: int, missed: int) -> None:
    table = Watched(PARKER.dealt(players, seed))
    table.go_on(2, seed)
    some_turns(table, seed, missed)
    table.unsettled()
    some_turns(table, seed + 1, 1)
    table.show(3)
    table.go_on(4, seed + 2)
    table.finish()
    assert table.violations == []
    assert table.turns == table.true


@SEEDS
@pytest.mark.parametrize("missed", [2, 3])
def test_missed_turns_whose_order_nobody_can_know_leave_the_later_ones_exact(seed: int, missed: int) -> None:
    # Two exchanges of one player may have been played the one or the other way round.
    table = Watched(PARKER.dealt(2, seed))
    table.go_on(2, seed)
    some_turns(table, seed, missed)
    table.unsettled()
    some_turns(table, seed + 1, 1)
    table.show(3)
    table.go_on(9, seed + 2)
    table.finish()
    assert table.violations == []
    assert len(table.turns) == len(table.true)
    assert table.turns[-9:] == table.true[-9:]


@PLAYERS
@SEEDS
def test_a_missed_draw_that_was_discarded_is_told_by_whose_turn_comes_next(players: int, seed: int) -> None:
    # Which card it was nobody can know, nor whether the next player took it or drew.
    table = Watched(PARKER.dealt(players, seed))
    table.go_on(2, seed)
    table.play(Play("draw", None), looks=0)
    table.unsettled()
    table.play(Play("draw", 25))
    table.go_on(9, seed + 2)
    table.finish()
    assert table.violations == []
    assert seats_and_slots(table.turns) == seats_and_slots(table.true)
    assert table.turns[-9:] == table.true[-9:]
    passed = table.turns[2]
    assert passed.discarded in (None, table.true[2].discarded)


@PLAYERS
@SEEDS
def test_three_missed_turns_with_a_pass_among_them_are_told_without_a_violation(players: int, seed: int) -> None:
    table = Watched(PARKER.dealt(players, seed))
    table.go_on(2, seed)
    some_turns(table, seed, 3, passes=1)
    table.unsettled()
    table.show(3)
    table.go_on(9, seed + 2)
    table.finish()
    assert table.violations == []
    told, true = seats_and_slots(table.turns), seats_and_slots(table.true)
    assert table.turns[-9:] == table.true[-9:]
    assert sorted(place for place in told[:-9] if place[1]) == sorted(place for place in true[:-9] if place[1])


@PLAYERS
@SEEDS
def test_at_the_end_of_the_lines_later_turns_are_said_though_an_earlier_one_is_not_certain(
    players: int, seed: int
) -> None:
    # The first of them discarded what was drawn, unseen: nobody can know whether the second took that card or drew.
    table = Watched(PARKER.dealt(players, seed))
    table.go_on(2, seed)
    table.play(Play("draw", None), looks=0)
    table.unsettled()
    table.play(Play("draw", 25))
    table.go_on(3, seed + 2)
    table.finish()
    assert seats_and_slots(table.turns) == seats_and_slots(table.true)
    assert table.turns[-3:] == table.true[-3:]


@PLAYERS
@SEEDS
def test_one_missed_exchange_of_which_nobody_says_a_word_is_found(players: int, seed: int) -> None:
    table = Watched(PARKER.dealt(players, seed))
    table.go_on(2, seed)
    table.play(Play("draw", SLOTS[seed % 10]), looks=0)
    table.play(Play("draw", SLOTS[(seed + 3) % 10]))
    table.go_on(4, seed + 2)
    table.finish()
    assert table.violations == []
    assert table.turns == table.true


@PLAYERS
@SEEDS
def test_a_word_of_missed_plays_where_none_were_missed_changes_nothing(players: int, seed: int) -> None:
    table = Watched(PARKER.dealt(players, seed))
    for number in range(6):
        table.unsettled()
        table.go_on(1, seed + number)
    table.finish()
    assert table.violations == []
    assert table.turns == table.true


@PLAYERS
def test_a_call_right_after_a_play_that_nobody_saw_waits_for_the_looks(players: int) -> None:
    for seed in range(FIRST_SEED, FIRST_SEED + 5):
        table = Watched(nearly_done(players, seed))
        table.play(Play("draw", 25), looks=0)
        table.unsettled()
        assert [type(event).__name__ for event in table.call(2)] == ["CallMade"]
        table.show(3)
        assert table.violations == []
        assert table.turns == table.true
        end = table.said[-1]
        assert isinstance(end, RoundEnd)
        assert (end.out, end.racks) == (2, {seat: table.position.rack(seat) for seat in table.position.seats})


@PLAYERS
def test_a_call_after_two_plays_that_nobody_saw_ends_the_round_rightly(players: int) -> None:
    for seed in range(FIRST_SEED, FIRST_SEED + 5):
        start = nearly_done(players, seed)
        table = Watched(start)
        table.play(Play("draw", 25), looks=0)
        table.play(Play("draw", 5), looks=0)
        table.unsettled()
        table.call(2)
        table.show(4)
        assert table.violations == []
        end = next(event for event in table.said if isinstance(event, RoundEnd))
        assert (end.out, end.racks) == (2, {seat: table.position.rack(seat) for seat in table.position.seats})


def test_no_verdict_comes_of_looks_from_before_the_call() -> None:
    table = Watched(nearly_done(2, FIRST_SEED), looks=5)
    table.call(2)
    assert table.violations == []
    table.show(1)
    assert table.violations == [("false-call", 2)]


@PLAYERS
@SEEDS
def test_at_the_end_of_the_lines_likely_turns_are_said_though_one_look_showed_them(players: int, seed: int) -> None:
    table = Watched(PARKER.dealt(players, seed), looks=1)
    table.go_on(3, seed)
    some_turns(table, seed, 2)
    table.unsettled()
    table.show(1)
    table.finish()
    assert table.violations == []
    assert table.turns == table.true


@PLAYERS
@SEEDS
def test_the_turns_come_out_although_the_discard_pile_was_covered_for_long(players: int, seed: int) -> None:
    table = Watched(PARKER.dealt(players, seed))
    table.go_on(2, seed)
    slots = dice(seed).sample(SLOTS, 6)
    for slot in slots:
        table.play(Play("draw", slot), looks=0)
        table.show(3, unseen=["discard"])
    table.go_on(players + 1, seed)
    table.finish()
    assert table.violations == []
    assert table.turns == table.true


@PLAYERS
@SEEDS
def test_the_scores_are_right_although_one_rack_was_out_of_sight_until_the_call(players: int, seed: int) -> None:
    table = Watched(nearly_done(players, seed), shown=False)
    hidden: list[Place] = [(1, slot) for slot in SLOTS]
    table.show(2, unseen=hidden)
    table.play(Play("draw", 25), looks=0)
    table.show(2, unseen=hidden)
    for _ in range(players):
        table.play(Play("draw", None), looks=0)
        table.show(2, unseen=hidden)
    table.call(2)
    table.show(4)
    ends = [event for event in table.said if isinstance(event, RoundEnd)]
    assert table.violations == []
    assert [end.racks for end in ends] == [{seat: table.position.rack(seat) for seat in table.position.seats}]
    assert [turn.seat for turn in table.turns] == [turn.seat for turn in table.true]


@PLAYERS
@SEEDS
def test_the_first_look_of_a_round_may_be_partly_covered(players: int, seed: int) -> None:
    start = PARKER.dealt(players, seed)
    chance = dice(seed)
    table = Watched(start, shown=False)
    for _ in range(2):
        covered: list[Place] = [(seat, slot) for seat in start.seats for slot in SLOTS if chance.random() < 0.4]
        table.show(1, unseen=[*covered, "discard"])
    table.show(1)
    table.go_on(6, seed)
    table.finish()
    assert table.violations == []
    assert table.turns == table.true


@PLAYERS
@SEEDS
def test_a_first_turn_that_was_played_before_the_pile_was_seen_is_told(players: int, seed: int) -> None:
    table = Watched(PARKER.dealt(players, seed), shown=False)
    table.show(2, unseen=["discard"])
    table.play(Play("draw", 30), looks=0)
    table.show(2)
    table.go_on(9, seed)
    table.finish()
    assert table.violations == []
    told, true = table.turns, table.true
    assert told[1:] == true[1:]
    assert (told[0].seat, told[0].slot, told[0].discarded) == (true[0].seat, true[0].slot, true[0].discarded)


@PLAYERS
@pytest.mark.parametrize("at_once", [True, False])
def test_missed_plays_around_the_turning_over_of_the_pile_are_found(players: int, at_once: bool) -> None:  # noqa: FBT001 - a parameter of pytest's
    for seed in range(FIRST_SEED, FIRST_SEED + 3):
        table = Watched(PARKER.dealt(players, seed))
        choose = thrifty(seed)
        while len(table.position.draw) > 1:
            table.play(choose(table.position))
        table.play(Play("draw", 20), looks=0)
        if at_once:
            table.turn_over(looks=0)
        table.play(Play("draw", 35), looks=0)
        table.unsettled()
        table.show(3)
        table.go_on(5, seed)
        table.finish()
        assert table.violations == []
        assert table.turns == table.true
        assert sum(event.turned_over for event in table.said if isinstance(event, TurnPlayed)) == 1


@PLAYERS
@SEEDS
def test_a_round_with_one_play_in_eight_missed_ends_with_its_exact_score(players: int, seed: int) -> None:
    level: Level = "fair"
    played = play_game(Setup((level,) * players, most_rounds=1), Random(seed))
    referee = Referee()
    said = [
        event for line in lines_of(played, Noise(missed=0.125), Random(seed)) for event in referee.feed(line)
    ] + referee.finish()
    ends = [event for event in said if isinstance(event, RoundEnd)]
    assert not [event for event in said if isinstance(event, Violation)]
    assert [(end.out, dict(end.totals)) for end in ends] == [(played.rounds[0].out, dict(played.rounds[0].points))]
    assert len(turns(said)) >= len(played.rounds[0].turns) - 2


@SEEDS
@pytest.mark.parametrize(("players", "missed"), [(2, 4), (2, 8), (3, 6), (4, 8)])
def test_after_many_missed_plays_the_racks_are_scored_as_they_stand(players: int, missed: int, seed: int) -> None:
    # Seat 2 completes the rack in the first of these turns, and only then discards what it draws.
    table = Watched(nearly_done(players, seed))
    choose = careless(seed)
    table.play(Play("draw", 25), looks=0)
    for _ in range(missed - 1):
        table.play(Play("draw", None) if table.position.to_move == 2 else choose(table.position), looks=0)
    table.unsettled()
    table.show(3)
    table.call(2)
    table.show(4)
    ends = [event for event in table.said if isinstance(event, RoundEnd)]
    assert table.violations == []
    assert [(end.out, end.racks) for end in ends] == [
        (2, {seat: table.position.rack(seat) for seat in table.position.seats})
    ]


@SEEDS
def test_a_discard_pile_that_nobody_ever_sees_still_leaves_the_racks_to_score(seed: int) -> None:
    hidden: list[Place] = ["discard"]
    table = Watched(nearly_done(2, seed), shown=False)
    table.show(3, unseen=hidden)
    table.play(Play("draw", 25), looks=0)
    table.show(3, unseen=hidden)
    table.call(2)
    table.show(3, unseen=hidden)
    end = table.said[-1]
    assert isinstance(end, RoundEnd)
    assert end.racks == {seat: table.position.rack(seat) for seat in (1, 2)}
    assert table.violations == []
