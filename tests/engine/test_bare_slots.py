"""RACK-O is called while a slot looks empty, but not so plainly that its card counts as missing: it is asked for."""

from collections.abc import Callable

import pytest

from engine.cards import Seat, Slot
from engine.events import Doubt, DoubtSettled, Event, RoundEnd
from engine.lines import EMPTY, Sighting
from engine.round import Play
from tests.engine.tables import Watched, nearly_done
from tests.engine.test_odd_cards import PLAYERS, SEEDS
from tests.engine.test_scoring import oracle

HARDLY: Sighting = {EMPTY: 0.955}
FIRST = (1, 5)

Bared = Callable[[Watched, tuple[Seat, Slot]], None]


def won(players: int, seed: int) -> Watched:
    """Seat 2's rack is in order by now."""
    table = Watched(nearly_done(players, seed))
    table.play(Play("draw", 25), looks=3)
    return table


def shown(table: Watched, place: tuple[Seat, Slot]) -> None:
    """A slot is seen to be empty by two looks."""
    table.show(2, instead={place: HARDLY})


def shown_once(table: Watched, place: tuple[Seat, Slot]) -> None:
    """A slot is seen to be empty by one look, and by none to hold a card after it."""
    table.show(1, instead={place: HARDLY})
    table.show(3, unseen=[place])


WAYS = pytest.mark.parametrize("bared", [shown, shown_once])


def asked(said: list[Event]) -> list[tuple[Seat, Slot, set[int]]]:
    """The slots that are in doubt, and what may be in them."""
    return [(event.seat, event.slot, set(event.candidates)) for event in said if isinstance(event, Doubt)]


def ended(said: list[Event]) -> dict[Seat, int]:
    """Everybody's points."""
    (end,) = [event for event in said if isinstance(event, RoundEnd)]
    return {seat: score.points for seat, score in end.scores.items()}


@PLAYERS
@SEEDS
@WAYS
@pytest.mark.parametrize("there", [False, True])
def test_a_slot_that_looks_empty_is_asked_for_and_scored_by_the_answer(
    players: int, seed: int, bared: Bared, *, there: bool
) -> None:
    table = won(players, seed)
    bared(table, FIRST)
    card = table.position.rack(1)[0]
    said = table.call(2)
    assert asked(said) == [(1, 5, {EMPTY, card})]
    assert not any(isinstance(event, RoundEnd) for event in table.said)
    answered = table.correct(1, 5, card if there else EMPTY)
    assert ended(answered)[1] == (5 * oracle(table.position.rack(1)) if there else 0)
    assert table.violations == []


@PLAYERS
@SEEDS
@WAYS
def test_a_look_at_the_card_answers_it(players: int, seed: int, bared: Bared) -> None:
    table = won(players, seed)
    bared(table, FIRST)
    table.call(2)
    said = [*table.show(1), *table.show(1)]
    assert ended(said)[1] == 5 * oracle(table.position.rack(1))


@PLAYERS
@SEEDS
def test_a_card_that_was_read_since_is_not_asked_for(players: int, seed: int) -> None:
    table = won(players, seed)
    shown(table, FIRST)
    table.show(1)
    said = table.call(2)
    assert asked(said) == []
    assert ended(said)[2] == 75


@PLAYERS
@SEEDS
def test_cards_that_are_taken_out_once_the_call_is_judged_are_not_asked_for(players: int, seed: int) -> None:
    """People clear the table while one of them answers what was asked."""
    table = won(players, seed)
    shown(table, FIRST)
    table.call(2)
    said = table.show(3, instead={(2, 10): HARDLY, (2, 15): HARDLY, FIRST: HARDLY})
    assert asked(said) == []
    assert ended(table.correct(1, 5, EMPTY))[1] == 0


@PLAYERS
@SEEDS
@pytest.mark.parametrize("there", [False, True])
def test_who_calls_is_asked_for_the_own_slot_first(players: int, seed: int, *, there: bool) -> None:
    table = won(players, seed)
    shown(table, (2, 30))
    card = table.position.rack(2)[5]
    said = table.call(2)
    assert asked(said) == [(2, 30, {EMPTY, card})]
    assert table.violations == []
    answered = table.correct(2, 30, card if there else EMPTY)
    if there:
        assert ended(answered)[2] == 75
    else:
        assert table.violations == [("false-call", 2)]
        assert DoubtSettled(2, 30, table.t) in answered


@PLAYERS
@SEEDS
def test_it_is_said_of_a_slot_at_any_time_and_once_the_round_is_over(players: int, seed: int) -> None:
    table = won(players, seed)
    assert table.correct(1, 5, EMPTY) == []
    assert ended(table.call(2))[1] == 0
    card = table.position.rack(1)[0]
    assert ended(table.correct(1, 5, card))[1] == 5 * oracle(table.position.rack(1))
    assert ended(table.correct(1, 5, EMPTY))[1] == 0
