"""Odd looks: wrong ones, hands that pause in the middle of a turn, cards lifted out and put back, cards unread."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import SLOTS, Seat, Slot
from engine.events import Event
from engine.following.history import Place
from engine.lines import EMPTY, Sighting
from engine.powers import Switch
from engine.referee import Referee
from engine.round import Play, put
from tests.engine.tables import (
    Step,
    Watched,
    careless,
    dealt,
    dice,
    every_place,
    look,
    said_by,
    seated,
    step,
    turns,
    twice,
)
from tests.engine.test_used_powers import HASBRO, calm_turns, up_to_a_prime

GAMES = settings(max_examples=3, deadline=None, derandomize=True)
FEW_GAMES = settings(GAMES, max_examples=2)
SEEDS = st.integers(0, 2**32 - 1)
PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])


@PLAYERS
@FEW_GAMES
@given(seed=SEEDS)
def test_one_wrong_look_at_any_place_is_not_a_play(players: int, seed: int) -> None:
    chance = dice(seed)

    def show(referee: Referee, now: Step, t: float) -> list[Event]:
        place = chance.choice(["discard", *every_place(now.after)])
        wrong = look(now.after, t + 1, instead={place: {chance.randint(0, 40): 1.0}})
        looks = [look(now.after, t), wrong, look(now.after, t + 2)]
        return [event for seen in looks for event in referee.feed(seen)]

    said_by(players, seed, careless(seed), show, turns_played=12)


@pytest.mark.parametrize("card", range(41))
def test_a_discard_pile_that_is_misread_once_is_not_a_play(card: int) -> None:
    start = dealt(2, 3)
    referee, _ = seated(2, start)
    said = twice(referee, start, 1.0)
    said += referee.feed(look(start, 3.0, instead={"discard": {card: 1.0}}))
    said += twice(referee, start, 4.0)
    assert said + referee.finish() == []


def halves(now: Step) -> list[dict[Place, Sighting]]:
    """How the table looks while a turn is played: each is the position before it with these places changed."""
    before, turn = now.before, now.turn
    hand: dict[Place, Sighting] = {}
    if turn.source == "discard":
        hand = {"discard": {before.discard[-2] if len(before.discard) > 1 else EMPTY: 1.0}}
    looks = [hand] if hand else []
    if turn.slot is not None and turn.card is not None:
        slot: Place = (turn.seat, turn.slot)
        looks += [hand | {slot: {EMPTY: 1.0}}, hand | {slot: {turn.card: 1.0}}]
    return looks


@PLAYERS
@GAMES
@given(seed=SEEDS)
def test_half_finished_turns_are_no_turns(players: int, seed: int) -> None:
    chance = dice(seed)

    def show(referee: Referee, now: Step, t: float) -> list[Event]:
        early: list[Event] = []
        for place, instead in enumerate(halves(now) if not now.turned_over else []):
            if chance.random() < 0.7:
                early += referee.feed(look(now.before, t - 5 + place, instead=instead))
        assert now.turn not in turns(early)
        return early + twice(referee, now.after, t)

    said_by(players, seed, careless(seed), show)


@pytest.mark.parametrize(
    ("move", "half"),
    [
        pytest.param(Play("draw", 30), 0, id="drawn, the slot empty"),
        pytest.param(Play("draw", 30), 1, id="drawn and placed, the old card in the hand"),
        pytest.param(Play("discard", 30), 0, id="lifted from the discard pile"),
        pytest.param(Play("discard", 30), 1, id="lifted, the slot empty"),
        pytest.param(Play("discard", 30), 2, id="lifted and placed, the old card in the hand"),
    ],
)
def test_a_hand_that_pauses_in_the_middle_of_a_turn_is_waited_for(move: Play, half: int) -> None:
    start = dealt(2, 8)
    now = step(start, move)
    shown = halves(now)[half]
    referee, _ = seated(2, start)
    said = twice(referee, start, 1.0)
    for again in range(6):
        said += referee.feed(look(start, 3.0 + again, instead=shown))
    assert said == []
    assert turns(twice(referee, now.after, 20.0)) == [now.turn]


@pytest.mark.parametrize("looks", [2, 4, 6])
@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("cards", [1, 3])
def test_cards_lifted_out_of_a_rack_and_put_back_are_no_turn(looks: int, seat: Seat, cards: int) -> None:
    # Seat 2 is to move; somebody looks at a card, or knocks some over, and puts them back as they were.
    start = dealt(2, 3)
    lifted: dict[Place, Sighting] = {(seat, slot): {EMPTY: 1.0} for slot in SLOTS[:cards]}
    referee, _ = seated(2, start)
    said = twice(referee, start, 1.0)
    for again in range(looks):
        said += referee.feed(look(start, 3.0 + again, instead=lifted))
    said += twice(referee, start, 20.0)
    assert said == []
    now = step(start, Play("draw", 20))
    assert turns(twice(referee, now.after, 30.0)) == [now.turn]


@pytest.mark.parametrize("seed", range(8))
def test_a_card_taken_from_the_discard_pile_is_known_without_reading_it_in_the_rack(seed: int) -> None:
    # In its slot it may be itself or a card that stands in the other rack: each card is there once.
    start = dealt(2, seed)
    now = step(start, Play("discard", SLOTS[seed]))
    assert now.turn.card is not None
    place: Place = (2, SLOTS[seed])
    unsure: Sighting = {now.turn.card: 0.5, start.rack(1)[seed]: 0.5}
    referee, _ = seated(2, start)
    referee.feed(look(start, 1.0))
    said = referee.feed(look(now.after, 2.0, instead={place: unsure}))
    said += referee.feed(look(now.after, 3.0, instead={place: unsure}))
    assert turns(said + referee.finish()) == [now.turn]


def test_a_drawn_card_that_nobody_could_read_is_said_without_its_number_when_play_has_gone_on() -> None:
    position = dealt(2, 4)
    # It may be any of three cards of which none was seen before: so it was drawn, and nobody can say more.
    unsure: Sighting = dict.fromkeys((position.draw[-1], *position.draw[:2]), 0.3)
    referee, _ = seated(2, position)
    said, true = referee.feed(look(position, 1.0)), []
    for number, slot in enumerate((10, 25, 40, 50), 1):
        now = step(position, Play("draw", slot))
        true.append(now.turn)
        position = now.after
        for again in (0, 1):
            said += referee.feed(look(position, 10.0 * number + again, instead={(2, 10): unsure}))
    assert turns(said + referee.finish()) == [replace(true[0], card=None), *true[1:]]


@PLAYERS
def test_a_card_is_not_named_as_one_of_two_of_which_the_other_is_only_remembered(players: int) -> None:
    start = dealt(players, 7)
    double = start.rack(1)[1]
    table = Watched(start, looks=0)
    table.show(8, unseen=[(2, 40)])
    table.becomes(put(start, (2, 40), double), looks=0)
    beside: dict[Place, Sighting] = {(2, 40): {double: 0.9995}}
    table.show(8, unseen=[(1, 10)], instead=beside)
    for _ in range(players):
        table.play(Play("draw", 50))
        table.show(3, unseen=[(1, 10)], instead=beside)
    table.call(1)
    assert ("duplicate-card", 2) not in table.violations
    assert ("duplicate-card", 1) not in table.violations


@pytest.mark.parametrize("looks", [1, 2, 4])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("players", [2, 4])
def test_a_pile_told_as_it_was_once_its_top_was_taken_makes_no_card_twice(players: int, seed: int, looks: int) -> None:
    # the tray's camera has missed the hand: until it sees the discard, it goes on to tell what it saw last
    table = Watched(dealt(players, seed))
    table.go_on(1 + seed, seed)
    before = table.position
    move = Play("discard", SLOTS[seed])
    played = step(before, move)
    table.position = played.after
    table.true.append(played.turn)
    table.show(looks, instead={"discard": {before.discard[-1]: 1.0}})
    table.show()
    table.go_on(2, seed)
    table.finish()
    assert table.violations == []
    assert table.turns == table.true


@pytest.mark.parametrize("seed", [1, 2, 4, 5])
@pytest.mark.parametrize("slot", [None, 20])
def test_who_holds_the_last_card_of_the_draw_pile_has_not_played_yet(slot: Slot | None, seed: int) -> None:
    # the last turn's end was not seen either: somebody else may have drawn and discarded since, for all that is known
    table = Watched(dealt(4, seed), looks=1)
    while len(table.position.draw) > 1:
        table.go_on(1, 100 * seed + len(table.true), looks=int(len(table.position.draw) > 2))
    before = table.position
    table.position = replace(before, draw=())
    table.show(3, unseen={"discard"})
    table.show(6)
    table.position = before
    table.play(Play("draw", slot))
    table.go_on(1, seed, looks=2)
    table.finish()
    assert table.violations == []
    assert table.turns == table.true


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("players", [2, 4])
def test_a_card_that_is_misread_in_its_new_slot_is_no_other_one_once_it_is_read(players: int, seed: int) -> None:
    """It came there by a power. In the slot it is taken for one that nobody has seen, until other cards are moved."""
    table = Watched(HASBRO.dealt(players, seed), HASBRO)
    seat = up_to_a_prime(table, seed)
    card = table.position.rack(seat)[0]
    alike = next(one for one in table.position.draw if {*str(one)} & {*str(card)})
    table.use(Switch.of((seat, 5), (seat, 45)), looks=0)
    table.show(6, instead={(seat, 45): {alike: 0.99}})
    calm_turns(table, seed, 4)
    table.finish()
    assert table.violations == []
    assert table.turns == table.true
