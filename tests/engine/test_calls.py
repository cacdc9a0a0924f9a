"""RACK-O is called: valid, false, early, in doubt, twice, or by nobody knows whom."""

from dataclasses import replace

import pytest

from engine.cards import SLOTS, Card, Seat, Slot
from engine.events import CallMade, Doubt, DoubtSettled, Event, GameEnd, RoundEnd, TurnPlayed, Violation
from engine.following.belief import Belief
from engine.following.history import History, Place
from engine.following.likeness import likeness
from engine.following.verdict import open_slots
from engine.lines import Call, Correction, NewRound, Sighting
from engine.referee import Referee
from engine.round import Play, Round
from tests.engine.tables import dealt, left, look, nearly_done, rises, seated, sensible, step, steps, turns
from tests.engine.test_scoring import oracle

START = nearly_done(2, 1)
WON = step(START, Play("draw", 25))


def test_the_position_that_the_other_tests_start_from_is_one_draw_away_from_racko() -> None:
    start = nearly_done(3, 1)
    after = step(start, Play("draw", 25)).after
    assert list(after.rack(2)) == sorted(after.rack(2))
    assert list(start.rack(2)) != sorted(start.rack(2))


def seen(*positions: Round) -> tuple[Referee, list[Event]]:
    """A referee that has seen these positions twice each."""
    referee, _ = seated(len(positions[0].seats), positions[0])
    said = referee.feed(look(positions[0], 1.0))
    for number, position in enumerate(positions[1:], 1):
        said += referee.feed(look(position, 10.0 * number)) + referee.feed(look(position, 10.0 * number + 1))
    return referee, said


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("caller", [2, None])
def test_a_valid_call_ends_the_round_at_once_with_the_racks_as_they_stand(players: int, caller: Seat | None) -> None:
    start = nearly_done(players, 5)
    won = step(start, Play("draw", 25))
    referee, said = seen(start, won.after)
    assert turns(said) == [won.turn]
    told = referee.feed(Call(50.0, caller))
    assert told[0] == CallMade(caller, 50.0)
    (end,) = told[1:]
    assert isinstance(end, RoundEnd)
    expected = {seat: 75 if seat == 2 else 5 * oracle(won.after.rack(seat)) for seat in start.seats}
    assert (end.out, end.t) == (2, 50.0)
    assert {seat: score.points for seat, score in end.scores.items()} == dict(end.totals) == expected
    assert end.racks == {seat: won.after.rack(seat) for seat in start.seats}
    assert not referee.in_round


@pytest.mark.parametrize("place", [1, 2])
def test_a_call_before_the_discard_is_valid_as_soon_as_the_last_card_stands(place: int) -> None:
    # The old card is still in the hand: the discard pile shows the card before, or is hidden by the hand.
    referee, _ = seen(START)
    slot: Place = (2, 25)
    instead: dict[Place, Sighting] = {slot: {WON.turn.card or 0: 1.0}}
    unseen: list[Place] = [] if place == 1 else ["discard"]
    said = referee.feed(look(START, 10.0, instead=instead, unseen=unseen)) + referee.feed(Call(10.5, 2))
    assert turns(said) == [WON.turn]
    end = said[-1]
    assert isinstance(end, RoundEnd)
    assert end.racks == {1: START.rack(1), 2: WON.after.rack(2)}
    assert end.scores[2].points == 75


@pytest.mark.parametrize(("caller", "named"), [(2, 2), (1, 1), (None, 1)])
def test_a_false_call_is_a_violation_that_tells_no_card_and_play_goes_on(caller: Seat | None, named: Seat) -> None:
    # Seat 2 is to move, so where one button serves all it is seat 1, who played last, that is taken to have called.
    referee, _ = seen(START)
    assert referee.feed(Call(5.0, caller)) == [CallMade(caller, 5.0)]
    (violation,) = referee.feed(look(START, 6.0))
    assert isinstance(violation, Violation)
    assert (violation.rule, violation.seat, violation.t) == ("false-call", named, 6.0)
    assert not any(character.isdigit() for character in violation.text)
    assert referee.in_round
    after = referee.feed(look(WON.after, 10.0)) + referee.feed(look(WON.after, 11.0))
    assert turns(after) == [WON.turn]
    assert isinstance(referee.feed(Call(12.0, 2))[-1], RoundEnd)


def test_a_call_by_the_wrong_seat_is_false_though_another_rack_is_in_order() -> None:
    referee, _ = seen(START, WON.after)
    referee.feed(Call(50.0, 1))
    (violation,) = referee.feed(look(WON.after, 51.0))
    assert isinstance(violation, Violation)
    assert violation.seat == 1


def test_who_calls_just_after_a_play_that_no_look_has_shown_is_not_called_a_liar() -> None:
    referee, _ = seen(START)
    assert referee.feed(Call(50.0, 2)) == [CallMade(2, 50.0)]
    said = referee.feed(look(WON.after, 51.0)) + referee.feed(look(WON.after, 52.0))
    assert turns(said) == [WON.turn]
    assert isinstance(said[-1], RoundEnd)


def test_a_false_call_is_named_when_no_more_looks_come() -> None:
    referee, _ = seen(START)
    referee.feed(Call(50.0, 2))
    (violation,) = referee.finish()
    assert isinstance(violation, Violation)
    assert (violation.rule, violation.seat) == ("false-call", 2)


@pytest.mark.parametrize("read", [False, True])
def test_a_slot_that_looks_otherwise_since_it_was_read_makes_no_call_false(*, read: bool) -> None:
    # Seat 2's rack is not in order by slot 25 alone.
    referee, _ = seen(START)
    unseen: list[Place] = [] if read else [(2, 25)]
    for t in (40.0, 41.0):
        referee.feed(replace(look(START, t, unseen=unseen), changed={2: {25: 40.0}}))
    referee.feed(Call(50.0, 2))
    assert [event.rule for event in referee.finish() if isinstance(event, Violation)] == ["false-call"] * read


def test_looks_of_a_round_that_is_over_say_nothing() -> None:
    referee, _ = seen(START, WON.after)
    referee.feed(Call(50.0, 2))
    assert referee.feed(look(START, 51.0)) == []
    assert referee.finish() == []


RISING: tuple[Card, ...] = (2, 5, 9, 13, 17, 21, 25, 29, 32, 33)


def in_doubt(
    other: tuple[Card, ...], slot: Slot, sighting: Sighting, variants: tuple[str, ...] = ()
) -> tuple[Referee, list[Event]]:
    """Seat 2 calls with a rack in order, while seat 1's rack `other` has one slot that cannot be told surely."""
    rest = [card for card in range(1, 41) if card not in {*other, *RISING}]
    position = Round((1, 2), (other, RISING), tuple(rest[1:]), (rest[0],), to_move=1)
    assert len({*other, *RISING}) == 20
    referee, _ = seated(2, first=1, variants=variants)
    blurred: dict[Place, Sighting] = {(1, slot): sighting}
    said = []
    for t in (1.0, 2.0):
        said += referee.feed(look(position, t, instead=blurred))
    return referee, said + referee.feed(Call(3.0, 2))


def test_a_slot_that_matters_and_is_in_doubt_is_asked_for_once_with_its_candidates() -> None:
    other = (3, 7, 35, 36, 1, 4, 6, 8, 10, 11)
    referee, said = in_doubt(other, 15, {35: 0.5, 6: 0.0, 39: 0.0, 4: 0.0, 38: 0.0, 37: 0.5})
    call, doubt = said
    assert call == CallMade(2, 3.0)
    assert isinstance(doubt, Doubt)
    assert (doubt.seat, doubt.slot, doubt.t) == (1, 15, 3.0)
    assert set(doubt.candidates) == {35, 37}
    assert referee.feed(Call(4.0, None)) == [], "it is asked once"
    assert referee.in_round


@pytest.mark.parametrize(("card", "points"), [(35, 20), (37, 15)])
def test_a_doubt_ends_with_the_hosts_word(card: Card, points: int) -> None:
    referee, _ = in_doubt((3, 7, 35, 36, 1, 4, 6, 8, 10, 11), 15, {35: 0.5, 37: 0.5})
    (end,) = referee.feed(Correction(5.0, 1, 15, card))
    assert isinstance(end, RoundEnd)
    assert end.racks[1][2] == card
    assert {seat: score.points for seat, score in end.scores.items()} == {1: points, 2: 75}


def test_a_doubt_ends_when_the_slot_is_seen() -> None:
    other = (3, 7, 35, 36, 1, 4, 6, 8, 10, 11)
    referee, _ = in_doubt(other, 15, {35: 0.5, 37: 0.5})
    rest = [card for card in range(1, 41) if card not in {*other, *RISING}]
    position = Round((1, 2), (other, RISING), tuple(rest[1:]), (rest[0],), to_move=1)
    said = referee.feed(look(position, 6.0)) + referee.feed(look(position, 7.0))
    (end,) = said
    assert isinstance(end, RoundEnd)
    assert end.scores[1].points == 20


NOT_ASKED = [
    pytest.param((3, 7, 35, 12, 14, 20, 30, 31, 39, 38), 50, {38: 0.5, 37: 0.5}, 15, id="behind the break"),
    pytest.param((3, 7, 35, 12, 14, 20, 30, 31, 39, 38), 45, {}, 15, id="behind the break, and never seen"),
    pytest.param((3, 7, 35, 12, 14, 20, 30, 31, 39, 38), 25, {14: 0.5, 16: 0.5}, 15, id="just behind the break"),
    pytest.param((3, 7, 35, 12, 14, 20, 30, 31, 39, 38), 20, {12: 0.5, 10: 0.5}, 15, id="breaks the order either way"),
    pytest.param((3, 7, 35, 12, 14, 20, 30, 31, 39, 38), 10, {7: 0.5, 8: 0.5}, 15, id="in order either way"),
]


@pytest.mark.parametrize(("other", "slot", "sighting", "points"), NOT_ASKED)
def test_a_doubt_that_cannot_change_a_score_is_not_asked(
    other: tuple[Card, ...], slot: Slot, sighting: Sighting, points: int
) -> None:
    _, said = in_doubt(other, slot, sighting)
    assert [type(event) for event in said] == [CallMade, RoundEnd]
    end = said[1]
    assert isinstance(end, RoundEnd)
    assert (end.scores[1].points, end.scores[2].points) == (points, 75)


def test_a_quick_game_has_no_scoring_so_no_card_of_another_rack_is_asked_for() -> None:
    other = (3, 7, 35, 36, 1, 4, 6, 8, 10, 11)
    _, said = in_doubt(other, 15, {35: 0.3, 37: 0.3, 39: 0.3}, variants=("quick",))

    assert [type(event) for event in said] == [CallMade, RoundEnd, GameEnd]
    end = said[1]
    assert isinstance(end, RoundEnd)
    assert end.racks[1] == (3, 7, None, *other[3:]), "nor is a guess shown for it"
    assert end.racks[2] == RISING


def test_a_quick_game_asks_for_a_card_of_who_calls() -> None:
    referee, _ = seated(2, first=1, variants=("quick",))
    rest = [card for card in range(1, 41) if card not in RISING]
    position = Round((1, 2), (tuple(rest[:10]), RISING), tuple(rest[11:]), (rest[10],), to_move=1)
    blurred: dict[Place, Sighting] = {(2, 25): {17: 0.5, 30: 0.5}}
    for t in (1.0, 2.0):
        referee.feed(look(position, t, instead=blurred))

    said = referee.feed(Call(3.0, 2))

    assert [(type(event), event.slot if isinstance(event, Doubt) else None) for event in said] == [
        (CallMade, None), (Doubt, 25),
    ]  # fmt: skip


UNLIKE = [
    pytest.param(10, {15: 0.4, 19: 0.1}, [{35: 0.45, 15: 0.55}], id="another card, by one unsure look"),
    pytest.param(10, {15: 0.4, 35: 0.2}, [], id="another card, or what it was"),
    pytest.param(10, {}, [], id="no card"),
    pytest.param(40, {15: 0.4, 19: 0.1}, [], id="another card, behind the break"),
]


@pytest.mark.parametrize(("slot", "sighting", "asked"), UNLIKE)
def test_a_card_that_does_not_look_like_what_was_taken_is_asked_for_where_a_score_hangs_on_it(
    slot: Slot, sighting: Sighting, asked: list[dict[Card, float]]
) -> None:
    # The pile showed the card for sure before it was taken; how it came to the slot is the referee's own conclusion.
    cards = (3, 7, 22, 36, 1, 4, 6, 8, 10, 11)
    place = SLOTS.index(slot)
    stand_ins = Round((1, 2), (tuple(range(1, 11)), tuple(range(11, 21))), tuple(range(22, 30)), (21,), to_move=2)
    belief = Belief(40).seeing([(1 + place, "discard", likeness({35: 1.0}))] * 3)
    for number, (at, card) in enumerate(zip(SLOTS, cards, strict=True)):
        belief = belief.seeing([(1 + number, (1, at), likeness(sighting if at == slot else {card: 1.0}))])
    doubts = open_slots([(History(stand_ins, belief), 1.0)], 1)
    assert [doubt.slot for doubt in doubts] == [slot] * len(asked)
    assert [doubt.candidates for doubt in doubts] == [pytest.approx(one, abs=0.03) for one in asked]


FALLING = (*range(40, 33, -1), 12, 11, 10)
REST = tuple(card for card in range(1, 41) if card not in {*FALLING, *RISING, 15})


def unclear_caller() -> tuple[Referee, Round]:
    """Seat 2 holds a rack that is in order if slot 30 holds 21, and is not if it holds 15: nobody can tell."""
    position = Round((1, 2), (FALLING, RISING), (15, *REST[1:]), REST[:1], to_move=1)
    referee, _ = seated(2, first=1)
    for t in (1.0, 2.0):
        referee.feed(look(position, t, instead={(2, 30): {21: 0.5, 15: 0.5}}))
    return referee, position


@pytest.mark.parametrize(("card", "ends"), [(21, RoundEnd), (15, Violation)])
def test_a_call_whose_own_rack_is_in_doubt_is_judged_when_the_doubt_is_settled(card: Card, ends: type) -> None:
    referee, _ = unclear_caller()
    call, doubt = referee.feed(Call(3.0, 2))
    assert isinstance(call, CallMade)
    assert isinstance(doubt, Doubt)
    assert (doubt.seat, doubt.slot, set(doubt.candidates)) == (2, 30, {21, 15})
    said = referee.feed(Correction(4.0, 2, 30, card))
    assert [type(event) for event in said if not isinstance(event, DoubtSettled)] == [ends]


def test_a_second_call_while_the_racks_are_looked_at_is_still_the_first_call() -> None:
    referee, position = unclear_caller()
    referee.feed(Call(3.0, 2))
    assert referee.feed(Call(4.0, 1)) == []
    said = referee.feed(look(position, 5.0)) + referee.feed(look(position, 6.0))
    (end,) = said
    assert isinstance(end, RoundEnd)
    assert end.out == 2


def test_a_doubt_that_the_call_itself_raised_stands_until_the_verdict() -> None:
    """Without the call, the one look at a card that would be exchanged against the rules hardly counts."""
    referee, _ = seen(START)
    new, other = WON.after.rack(2)[4], START.draw[0]
    hidden = [(2, slot) for slot in SLOTS]
    referee.feed(look(WON.after, 10.0, instead={(2, 25): {new: 0.7}, "discard": {other: 1.0}}))
    _, doubt = referee.feed(Call(11.0, 2))
    assert isinstance(doubt, Doubt)
    assert (doubt.seat, doubt.slot, set(doubt.candidates)) == (2, 25, {new, START.rack(2)[4]})
    assert referee.feed(look(START, 12.0, unseen=[*hidden, "discard"])) == []
    said = referee.feed(Correction(13.0, 2, 25, new))
    assert [event.out for event in said if isinstance(event, RoundEnd)] == [2]


def test_a_doubt_is_asked_again_at_the_next_call() -> None:
    referee, _ = unclear_caller()
    referee.feed(Call(3.0, 2))
    violation, settled = referee.feed(Correction(4.0, 2, 30, 15))
    assert isinstance(violation, Violation)
    assert settled == DoubtSettled(2, 30, 4.0)
    # Play goes on: seat 1 discards what it drew; then seat 2 puts 21 there, and again nobody can read it.
    position = Round((1, 2), (FALLING, (*RISING[:5], 15, *RISING[6:])), (*REST[2:], 21, REST[1]), REST[:1], to_move=1)
    first = step(position, Play("draw", None))
    second = step(first.after, Play("draw", 30))
    said = referee.feed(look(first.after, 5.0)) + referee.feed(look(first.after, 6.0))
    for t in (7.0, 8.0):
        said += referee.feed(look(second.after, t, instead={(2, 30): {21: 0.5, REST[-1]: 0.5}}))
    assert turns(said)[:1] == [first.turn]
    said = referee.feed(Call(9.0, 2))
    assert [(doubt.seat, doubt.slot) for doubt in said if isinstance(doubt, Doubt)] == [(2, 30)]


def test_a_rack_that_no_camera_saw_is_asked_for_and_then_shown() -> None:
    hidden: list[Place] = [(1, slot) for slot in SLOTS]
    referee, _ = seated(2, first=1)
    for t in (1.0, 2.0):
        referee.feed(look(WON.after, t, unseen=hidden))
    said = referee.feed(Call(3.0, 2))
    doubts = [event for event in said if isinstance(event, Doubt)]
    assert doubts
    assert {doubt.seat for doubt in doubts} == {1}
    end = (referee.feed(look(WON.after, 4.0)) + referee.feed(look(WON.after, 5.0)))[-1]
    assert isinstance(end, RoundEnd)
    assert end.racks == {1: WON.after.rack(1), 2: WON.after.rack(2)}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_whole_game_is_followed_to_its_winner(players: int) -> None:
    referee, _ = seated(players)
    totals = dict.fromkeys(range(1, players + 1), 0)
    dealer: Seat = 1
    for number in range(1, 40):
        start = nearly_done(players, number, caller=left(players, dealer))
        if number > 1:
            referee.feed(NewRound(dealer))
        for t in (1.0, 2.0):
            referee.feed(look(start, t))
        (won,) = steps(start, lambda _: Play("draw", 25), 1)
        said = [event for t in (3.0, 4.0) for event in referee.feed(look(won.after, t))]
        said += referee.feed(Call(5.0, won.turn.seat))
        assert turns(said) == [won.turn]
        for seat in totals:
            totals[seat] += 75 if seat == won.turn.seat else 5 * oracle(won.after.rack(seat))
        end = next(event for event in said if isinstance(event, RoundEnd))
        assert (end.out, dict(end.totals)) == (won.turn.seat, totals)
        dealer = left(players, dealer)
        best = max(totals.values())
        if best >= 500 and list(totals.values()).count(best) == 1:
            assert said[-1] == GameEnd((max(totals, key=totals.__getitem__),), totals, 5.0)
            return
        assert said[-1] is end
    pytest.fail("nobody won in forty rounds")


def test_a_round_of_sensible_players_is_followed_from_the_deal_to_racko() -> None:
    position = dealt(3, 11)
    referee, _ = seated(3, position)
    said, true = referee.feed(look(position, 1.0)), []
    for number, now in enumerate(steps(position, sensible, 400), 1):
        true.append(now.turn)
        position = now.after
        said += referee.feed(look(position, 10.0 * number)) + referee.feed(look(position, 10.0 * number + 1))
    caller = true[-1].seat
    assert rises(position.rack(caller))
    said += referee.feed(Call(9999.0, caller))
    assert turns(said) == true
    assert [type(event) for event in said if not isinstance(event, TurnPlayed)] == [CallMade, RoundEnd]
