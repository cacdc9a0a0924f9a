"""What was said and is held otherwise now: the host's word, late evidence, a lost thread, and all of it resumed."""

from collections.abc import Sequence
from typing import TypeVar

import pytest

from device.evening.journal import Entry
from device.evening.standing import orders_in, standing
from engine.cards import SLOTS, Card, Seat
from engine.errors import BadInput
from engine.events import Amended, Doubt, Event, GameEnd, RoundEnd, RoundReopened, Thread, Violation
from engine.following.history import Place
from engine.line_json import line_as_json
from engine.lines import Correction, Line, NewRound, Sighting
from engine.referee import Referee
from engine.round import Play, Round
from engine.variants import Options
from tests.engine.tables import PARKER, Watched, Ways, check_one_line, nearly_done, step
from tests.engine.test_scoring import oracle

FIRST_SEED = 1000
PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])
SEEDS = pytest.mark.parametrize("seed", range(FIRST_SEED, FIRST_SEED + 2))


T = TypeVar("T", bound=Event)


def of_kind(kind: type[T], events: Sequence[Event]) -> list[T]:
    """The events of one kind."""
    return [event for event in events if isinstance(event, kind)]


def points_of(position: Round, out: Seat) -> dict[Seat, int]:
    """The scores of a round, worked out by hand."""
    return {seat: 75 if seat == out else 5 * oracle(position.rack(seat)) for seat in position.seats}


def resumed_anywhere(table: Watched) -> None:
    """Break off at ten places and go on from the journal: what is said later must be the same."""
    referee = Referee()
    said = [referee.feed(line) for line in table.lines]
    assert [event for events in said for event in events] == table.said
    first = next(number for number, line in enumerate(table.lines) if isinstance(line, NewRound))
    for cut in range(first + 1, len(table.lines), 1 + len(table.lines) // 10):
        again = broken_off(table.lines[:cut], said[:cut])
        for number in range(cut, len(table.lines)):
            assert again.feed(table.lines[number]) == said[number], f"broken off after line {cut}, line {number}"


def broken_off(lines: Sequence[Line], said: Sequence[Sequence[Event]]) -> Referee:
    """The referee as it is made anew from the journal of these lines and events."""
    entries: list[Entry] = []
    for line, events in zip(lines, said, strict=True):
        entries.append(Entry(len(entries) + 1, "line", line_as_json(line)))
        entries.extend(Entry(len(entries) + 1, "event", event.as_json()) for event in events)
    return standing(lambda: entries, orders_in(entries)).judged()[0]


def misread_draw(players: int, seed: int, *, looks: int) -> tuple[Watched, Place, Card]:
    """A card is drawn and put into slot 25, and read as another one in its first looks."""
    table = Watched(PARKER.dealt(players, seed))
    table.go_on(2, seed)
    place: Place = (table.position.to_move, 25)
    card = table.position.draw[-1]
    table.play(Play("draw", 25), looks=0)
    table.show(looks, instead={place: {table.position.draw[0]: 1.0}})
    return table, place, card


@PLAYERS
@SEEDS
def test_a_correction_amends_the_turn_that_was_said_with_a_wrong_card(players: int, seed: int) -> None:
    table, place, card = misread_draw(players, seed, looks=4)
    assert table.turns[:2] == table.true[:2]
    assert table.turns[2] != table.true[2]
    assert place != "discard"
    said = table.correct(*place, card)
    assert of_kind(Amended, said) == [Amended(3, table.true[2], of_kind(Amended, said)[0].t)]
    table.play(Play("draw", 5))
    table.go_on(4, seed)
    table.finish()
    assert table.turns == table.true
    assert table.violations == []


@PLAYERS
@SEEDS
@pytest.mark.parametrize("looks", [1, 2])
def test_later_looks_amend_a_turn_whose_card_was_misread_in_the_first_ones(players: int, seed: int, looks: int) -> None:
    table, _, _ = misread_draw(players, seed, looks=looks)
    table.show(8)
    table.go_on(9, seed)
    table.finish()
    assert table.violations == []
    assert not of_kind(Thread, table.said)
    assert table.turns == table.true


@PLAYERS
@SEEDS
def test_a_turn_that_was_said_without_its_card_is_amended_when_the_card_is_read(players: int, seed: int) -> None:
    # The card may be any of three; by the time it is read, three more turns have been played and said.
    table = Watched(PARKER.dealt(players, seed))
    place: Place = (table.position.to_move, 25)
    unsure: dict[Place, Sighting] = {place: dict.fromkeys((table.position.draw[-1], *table.position.draw[:2]), 0.3)}
    table.play(Play("draw", 25), looks=0)
    table.show(2, instead=unsure)
    for slot in (5, 10, 15, 20)[: players + 1]:
        table.play(Play("draw", slot), looks=0)
        table.show(2, instead=unsure)
    assert table.turns[0].card is None
    said = table.show(3) + table.play(Play("draw", 30))
    (amended,) = of_kind(Amended, said)
    assert (amended.number, amended.turn) == (1, table.true[0])
    table.go_on(3, seed)
    resumed_anywhere(table)
    table.finish()
    assert table.turns == table.true


@SEEDS
def test_the_same_turn_is_amended_by_the_hosts_word_too(seed: int) -> None:
    table = Watched(PARKER.dealt(2, seed))
    seat, card = table.position.to_move, table.position.draw[-1]
    unsure: dict[Place, Sighting] = {(seat, 25): dict.fromkeys((card, *table.position.draw[:2]), 0.3)}
    table.play(Play("draw", 25), looks=0)
    table.show(2, instead=unsure)
    for slot in (5, 10, 15):
        table.play(Play("draw", slot), looks=0)
        table.show(2, instead=unsure)
    (amended,) = of_kind(Amended, table.correct(seat, 25, card))
    assert (amended.number, amended.turn) == (1, table.true[0])


@PLAYERS
@SEEDS
def test_a_correction_before_the_call_settles_the_doubt_that_would_be_asked(players: int, seed: int) -> None:
    table = Watched(nearly_done(players, seed), shown=False)
    card = table.position.rack(1)[0]
    unsure: dict[Place, Sighting] = {(1, 5): {card: 0.5, table.position.draw[0]: 0.5}}
    table.show(2, instead=unsure)
    table.correct(1, 5, card)
    table.play(Play("draw", 25), looks=0)
    table.show(2, instead=unsure)
    table.call(2)
    assert not of_kind(Doubt, table.said)
    (end,) = of_kind(RoundEnd, table.said)
    assert end.racks == {seat: table.position.rack(seat) for seat in table.position.seats}


@PLAYERS
@SEEDS
def test_a_correction_after_the_end_gives_the_round_its_other_points_and_totals(players: int, seed: int) -> None:
    table = Watched(nearly_done(players, seed), shown=False)
    card, wrong = table.position.rack(1)[1], table.position.draw[0]
    misread: dict[Place, Sighting] = {(1, 10): {wrong: 1.0}}
    table.show(2, instead=misread)
    table.play(Play("draw", 25), looks=0)
    table.show(2, instead=misread)
    table.call(2)
    (first,) = of_kind(RoundEnd, table.said)
    assert first.racks[1][1] == wrong
    (end,) = table.correct(1, 10, card)
    assert isinstance(end, RoundEnd)
    assert end.amends
    assert dict(end.totals) == {seat: score.points for seat, score in end.scores.items()}
    assert dict(end.totals) == points_of(table.position, 2)
    assert end.racks == {seat: table.position.rack(seat) for seat in table.position.seats}
    assert table.referee.game is not None
    assert len(table.referee.game.rounds) == 1
    resumed_anywhere(table)


def four_rounds(last_reading: dict[Place, Sighting]) -> Watched:
    """Seat 2 of four goes out four times, by a winning score of 250; the last round is seen with this misreading."""
    ways = Ways("hasbro-2006", options=Options(powers={}))
    table = Watched(nearly_done(4, FIRST_SEED), ways)
    for number in range(4):
        if number:
            table.position = nearly_done(4, FIRST_SEED + number)
            table.line(NewRound(1))
            table.show(2, instead=last_reading if number == 3 else None)
        table.play(Play("draw", 25), looks=0)
        table.show(2, instead=last_reading if number == 3 else None)
        table.call(2)
    return table


def test_a_correction_after_the_last_round_says_the_end_of_the_game_again() -> None:
    last = nearly_done(4, FIRST_SEED + 3)
    table = four_rounds({(1, 10): {last.draw[0]: 1.0}})
    (over,) = of_kind(GameEnd, table.said)
    assert (over.winners, over.totals[2]) == ((2,), 300)
    said = table.correct(1, 10, last.rack(1)[1])
    assert [type(event) for event in said] == [RoundEnd, GameEnd]
    end, again = said
    assert isinstance(end, RoundEnd)
    assert isinstance(again, GameEnd)
    assert end.amends
    assert {seat: score.points for seat, score in end.scores.items()} == points_of(table.position, 2)
    assert dict(again.totals) == dict(end.totals)
    assert again.totals[1] - over.totals[1] == end.scores[1].points - of_kind(RoundEnd, table.said)[3].scores[1].points
    resumed_anywhere(table)


def test_a_correction_that_takes_back_the_last_racko_takes_back_the_end_of_the_game() -> None:
    last = nearly_done(4, FIRST_SEED + 3)
    table = four_rounds({})
    assert of_kind(GameEnd, table.said)
    # In truth another card was drawn, which does not rise there: the host says so.
    rack = last.rack(2)
    card = next(card for card in last.draw if not rack[3] < card < rack[5])
    said = table.correct(2, 25, card)
    assert [type(event) for event in said] == [Amended, RoundReopened, Violation]
    assert table.referee.game is not None
    assert table.referee.game.totals[2] == 225
    assert not table.referee.game.winners
    assert table.referee.in_round


@PLAYERS
@SEEDS
def test_a_racko_that_was_none_is_taken_back_and_the_round_goes_on_to_another_end(players: int, seed: int) -> None:
    # Seat 2 discards what it draws, but its slot 25 is read as the card that would fit there.
    start = nearly_done(players, seed)
    fitting = step(start, Play("draw", 25)).after.rack(2)[4]
    table = Watched(start, shown=False)
    shown: dict[Place, Sighting] = {(2, 25): {fitting: 1.0}}
    table.show(3, instead=shown)
    table.call(2)
    assert of_kind(RoundEnd, table.said)
    said = table.correct(2, 25, start.rack(2)[4])
    assert [type(event) for event in said] == [RoundReopened, Violation]
    assert table.violations == [("false-call", 2)]
    assert table.referee.game is not None
    assert set(table.referee.game.totals.values()) == {0}
    table.show(2)
    table.play(Play("draw", 25))
    table.call(2)
    table.show()
    end = of_kind(RoundEnd, table.said)[-1]
    assert not end.amends
    assert dict(end.totals) == points_of(table.position, 2)
    assert table.violations == [("false-call", 2)]
    assert table.turns == table.true
    resumed_anywhere(table)


def test_corrections_at_a_bad_time_or_of_what_cannot_be_are_refused_in_one_line() -> None:
    referee = Referee()
    with pytest.raises(BadInput) as refused:
        referee.feed(Correction(1.0, 1, 5, 12))
    check_one_line(refused.value)
    table = Watched(nearly_done(2, FIRST_SEED))
    for seat, slot, card in ((3, 5, 12), (1, 5, 41), (1, 5, 60)):
        with pytest.raises(BadInput) as refused:
            table.referee.feed(Correction(2.0, seat, slot, card))
        check_one_line(refused.value)
    fresh = Referee()
    fresh.feed(table.lines[0])
    with pytest.raises(BadInput, match="no round is being played") as refused:
        fresh.feed(Correction(2.0, 1, 5, 12))
    check_one_line(refused.value)


def test_the_round_before_cannot_be_corrected_once_the_next_is_dealt() -> None:
    table = Watched(nearly_done(2, FIRST_SEED))
    table.play(Play("draw", 25))
    table.call(2)
    (end,) = of_kind(RoundEnd, table.said)
    table.line(NewRound(2))
    said = table.correct(1, 5, 40)
    assert not of_kind(RoundEnd, said)
    assert table.referee.game is not None
    assert table.referee.game.totals == dict(end.totals)


@pytest.mark.slow
@PLAYERS
@SEEDS
@pytest.mark.parametrize("count", [1, 4])
def test_cards_replaced_by_hand_lose_the_thread_until_play_goes_on(players: int, seed: int, count: int) -> None:
    # In the rack of who has just played: a card in the rack of who is to move might be a turn that is not over.
    table = Watched(PARKER.dealt(players, seed))
    table.go_on(3, seed)
    seat = table.true[-1].seat
    table.put({(seat, slot): card for slot, card in zip(SLOTS, table.position.draw[:count], strict=False)}, looks=6)
    # One new card may be a turn out of order that is not over; that it is none is clear once play goes on.
    assert [event.lost for event in of_kind(Thread, table.said)] == ([True] if count > 1 else [])
    for number in range(8):
        table.play(Play("draw", SLOTS[-1 - number]))
    assert [event.lost for event in of_kind(Thread, table.said)] == [True, False]
    resumed_anywhere(table)
    table.finish()
    assert table.violations == []
    assert table.turns == table.true


@PLAYERS
@SEEDS
def test_what_the_host_corrects_is_amended_although_the_round_ends_without_another_turn(
    players: int, seed: int
) -> None:
    start = nearly_done(players, seed)
    table = Watched(start)
    card, wrong = start.draw[-1], start.draw[0]
    table.play(Play("draw", 25), looks=0)
    table.show(3, instead={(2, 25): {wrong: 1.0}})
    assert table.turns != table.true
    table.correct(2, 25, card)
    table.call(2)
    table.show(2)
    assert of_kind(RoundEnd, table.said)
    assert table.turns == table.true


@PLAYERS
@SEEDS
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_after_cards_were_replaced_by_hand_the_racks_count_as_they_are_seen_or_are_asked_for(
    players: int, seed: int, count: int
) -> None:
    table = Watched(nearly_done(players, seed))
    table.play(Play("draw", 25))
    table.put({(1, slot): card for slot, card in zip(SLOTS, table.position.draw[:count], strict=False)}, looks=6)
    table.call(2)
    table.show(6)
    asked = {(doubt.seat, doubt.slot) for doubt in of_kind(Doubt, table.said)}
    assert len(asked) <= (1 if count == 4 else 0)
    for seat, slot in asked:
        table.correct(seat, slot, table.position.rack(seat)[SLOTS.index(slot)])
    (end,) = of_kind(RoundEnd, table.said)
    assert end.racks == {seat: table.position.rack(seat) for seat in table.position.seats}
    assert {seat: score.points for seat, score in end.scores.items()} == points_of(table.position, 2)
    assert table.violations == []
