"""Prime cards: when a power acts, what each one does, and what is refused, by cases from the Hasbro leaflet, 2006."""

import re
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import SEATS, SLOTS, Card, Seat, Slot
from engine.editions import TurnOver
from engine.errors import BadInput, IllegalPlay
from engine.game import Player, new_game
from engine.moves import Turn, parse_turn
from engine.powers import POWERS, PRIME_NUMBERS, Effect, Power, Switch, may_use, power_used
from engine.record import after_turn, play_of
from engine.round import Play, Round, deal, legal_plays, legal_switches, play, turned_over, use_power
from engine.variants import Options, rules_for
from tests.engine.by_hand import FRONT_TO_BACK, KINDS, PRIMES, Table, Way, ways
from tests.engine.simulated import careless_turns, shuffled
from tests.engine.tables import check_one_line, dice

AGAIN, OPPONENTS, WITH_OPPONENT, OWN = KINDS
LEAFLET = "Hasbro leaflet, 2006, Prime Cards"


def test_the_prime_cards_are_the_prime_numbers_each_with_a_power_not_known_unless_the_owner_says_otherwise() -> None:
    assert dict.fromkeys(PRIMES) == PRIME_NUMBERS
    assert len(PRIME_NUMBERS) == 17
    for players in (2, 3, 4):
        assert rules_for("hasbro-2006", players).edition.powers == PRIME_NUMBERS
        assert not rules_for("hasbro-2006", players, ("classic",)).edition.powers
        for edition in ("parker-1992", "milton-bradley-1956", "retro"):
            assert not rules_for(edition, players).edition.powers


def position_of(
    powers: Mapping[Card, Power | None] = PRIME_NUMBERS,
    *,
    draw: tuple[Card, ...] = (38, 31, 40),
    discard: tuple[Card, ...] = (32, 33),
    to_move: Seat = 1,
) -> Round:
    """Three players: 1 to 10 in seat 1's rack from the front, then 11 to 20, then 21 to 30. Seat 1 is to move."""
    racks = tuple(tuple(range(first, first + 10)) for first in (1, 11, 21))
    return Round((1, 2, 3), racks, draw, discard, to_move, "no-discard", powers)


DRAWING = [("draw", None), *(("draw", slot) for slot in SLOTS)]
TAKING = [("discard", slot) for slot in SLOTS]


@pytest.mark.parametrize(
    ("position", "plays"),
    [
        pytest.param(position_of(), DRAWING + TAKING, id=f"{LEAFLET}: a blue card may be taken"),
        pytest.param(position_of(discard=(33, 31)), DRAWING, id=f"{LEAFLET}: a Prime card may not be taken"),
        pytest.param(position_of(discard=(31,)), DRAWING, id=f"{LEAFLET}: nor the one turned up after the deal"),
        pytest.param(
            position_of({33: None}, discard=(31, 33)), DRAWING, id=f"{LEAFLET}: nor one of the owner's own table"
        ),
        pytest.param(
            position_of({33: None}, discard=(33, 31)), DRAWING + TAKING, id="a prime number not in the owner's table"
        ),
        pytest.param(position_of({}, discard=(33, 31)), DRAWING + TAKING, id="Classic: no Prime cards"),
        pytest.param(
            position_of(draw=(), discard=(33, 31)), DRAWING, id=f"{LEAFLET}: nor while the draw pile is used up"
        ),
        pytest.param(
            replace(position_of(), again=True), DRAWING, id=f"{LEAFLET}: another turn begins at the draw pile"
        ),
        pytest.param(
            replace(position_of(draw=()), again=True), DRAWING, id=f"{LEAFLET}: another turn turns the pile over"
        ),
    ],
)
def test_what_may_be_played_beside_prime_cards(position: Round, plays: list[tuple[str, Slot | None]]) -> None:
    assert [(move.source, move.slot) for move in legal_plays(position)] == plays


def test_a_play_that_a_prime_card_forbids_is_refused_in_words() -> None:
    with pytest.raises(IllegalPlay, match=r"^a Prime card may not be taken from the discard pile$"):
        play(position_of(discard=(33, 31)), Play("discard", 5))
    with pytest.raises(IllegalPlay, match=r"^another turn by a Prime card's power begins at the draw pile$"):
        play(replace(position_of(), again=True), Play("discard", 5))


@pytest.mark.parametrize(
    ("move", "discarded", "power_of"),
    [
        pytest.param(Play("discard", 10), 2, 1, id=f"{LEAFLET}: exchanged for a card taken from the discard pile"),
        pytest.param(Play("draw", 10), 2, 1, id=f"{LEAFLET}: exchanged for a drawn card"),
        pytest.param(Play("draw", 5), 1, None, id="1 is no prime number"),
        pytest.param(Play("draw", None), 40, None, id="a blue card drawn and discarded"),
    ],
)
def test_a_power_acts_when_its_card_is_discarded(move: Play, discarded: Card, power_of: Seat | None) -> None:
    after = play(position_of(), move)
    assert (after.discard[-1], after.power_of) == (discarded, power_of)


def test_a_power_acts_also_when_its_card_is_drawn_and_discarded_at_once() -> None:
    after = play(position_of(draw=(40, 31)), Play("draw", None))
    assert (after.discard[-1], after.power_of, after.to_move) == (31, 1, 2)


def test_a_prime_card_put_into_a_rack_has_no_power_there() -> None:
    after = play(position_of(draw=(40, 31)), Play("draw", 5))
    assert (after.discard[-1], after.power_of) == (1, None)
    assert not list(legal_switches(after))
    with pytest.raises(IllegalPlay, match="no Prime card has just been discarded"):
        use_power(after, "again")


def test_a_prime_card_turned_up_after_the_deal_was_discarded_by_nobody() -> None:
    deck = [*range(1, 21), 23, 22, *range(24, 61), 21]
    position = deal((1, 2), 1, deck, "no-discard", PRIME_NUMBERS)
    assert (position.discard, position.power_of) == ((23,), None)
    with pytest.raises(IllegalPlay, match="no Prime card has just been discarded"):
        use_power(position, "again")


# Seat 1 has just discarded 2 and shows 40 at slot 10 in its place.
JUST_DISCARDED = play(position_of(), Play("draw", 10))


def test_using_a_power_is_the_players_choice_and_not_using_it_costs_nothing() -> None:
    next_turn = play(JUST_DISCARDED, Play("draw", None))
    assert (JUST_DISCARDED.to_move, next_turn.to_move, next_turn.power_of) == (2, 3, 2)
    assert next_turn.discard == (32, 33, 2, 31)
    assert next_turn.racks == JUST_DISCARDED.racks
    blue = play(JUST_DISCARDED, Play("draw", 20))
    with pytest.raises(IllegalPlay, match="no Prime card has just been discarded"):
        use_power(blue, "again")


@pytest.mark.parametrize(
    ("power", "effect", "moved"),
    [
        pytest.param(OPPONENTS, Switch((2, 5), (2, 50)), {(2, 5): 20, (2, 50): 11}, id="opponents, the same rack"),
        pytest.param(OPPONENTS, Switch((2, 5), (3, 15)), {(2, 5): 23, (3, 15): 11}, id="opponents, two racks"),
        pytest.param(WITH_OPPONENT, Switch((1, 5), (3, 5)), {(1, 5): 21, (3, 5): 1}, id="one's own and an opponent's"),
        pytest.param(
            WITH_OPPONENT, Switch((1, 10), (2, 5)), {(1, 10): 11, (2, 5): 40}, id="the card that was just put there"
        ),
        pytest.param(OWN, Switch((1, 5), (1, 50)), {(1, 5): 10, (1, 50): 1}, id="two of one's own"),
    ],
)
def test_a_switch_exchanges_two_cards_and_then_the_turn_is_over(
    power: Power, effect: Switch, moved: Mapping[tuple[Seat, Slot], Card]
) -> None:
    before = replace(JUST_DISCARDED, powers={2: power})
    after = use_power(before, effect)
    for seat in (1, 2, 3):
        for slot, card in zip(SLOTS, before.rack(seat), strict=True):
            assert after.rack(seat)[SLOTS.index(slot)] == moved.get((seat, slot), card)
    assert (after.draw, after.discard) == (before.draw, before.discard)
    assert (after.to_move, after.again, after.power_of) == (2, False, None)
    assert power_used(effect, 1) == power


def test_another_turn_is_a_draw_by_the_same_player_and_then_play_goes_to_the_left() -> None:
    again = use_power(JUST_DISCARDED, "again")
    assert (again.to_move, again.again, again.power_of) == (1, True, None)
    assert replace(again, to_move=2, again=False, power_of=1) == JUST_DISCARDED, "nothing has moved yet"
    after = play(again, Play("draw", 5))
    assert (after.rack(1)[:2], after.discard, after.to_move, after.again) == ((31, 40), (32, 33, 2, 1), 2, False)


def test_another_turn_that_discards_another_prime_card_has_its_power_too() -> None:
    after = play(use_power(JUST_DISCARDED, "again"), Play("draw", 15))
    assert (after.discard[-1], after.power_of) == (3, 1)
    assert use_power(after, "again").to_move == 1
    assert use_power(after, Switch((1, 5), (2, 5))).to_move == 2


def test_a_power_is_used_once() -> None:
    for effect in ("again", Switch((1, 5), (2, 5))):
        with pytest.raises(IllegalPlay, match="no Prime card has just been discarded"):
            use_power(use_power(JUST_DISCARDED, effect), effect)


@pytest.mark.parametrize(("turn_over", "discard"), [("no-discard", ()), ("new-discard", (32,))])
def test_a_power_is_past_when_its_card_has_been_turned_over_with_the_pile(
    turn_over: TurnOver, discard: tuple[Card, ...]
) -> None:
    # Turned over at once: the card that was discarded last lies at the bottom of the draw pile.
    last = play(replace(position_of(draw=(40,)), turn_over=turn_over), Play("draw", 10))
    turned = turned_over(last)
    assert (turned.draw[0], turned.discard, turned.power_of) == (2, discard, None)
    with pytest.raises(IllegalPlay, match="no Prime card has just been discarded"):
        use_power(turned, "again")


EFFECTS: Mapping[Power, Effect] = {
    AGAIN: "again",
    OPPONENTS: Switch((2, 5), (3, 5)),
    WITH_OPPONENT: Switch((1, 5), (3, 5)),
    OWN: Switch((1, 5), (1, 10)),
}


@pytest.mark.parametrize("used", POWERS)
@pytest.mark.parametrize("printed", [*POWERS, None])
def test_a_card_has_the_power_of_the_owners_table_or_any_where_nobody_has_written_it_down(
    used: Power, printed: Power | None
) -> None:
    before = replace(JUST_DISCARDED, powers={2: printed, 3: used})
    assert power_used(EFFECTS[used], 1) == used
    assert may_use(before.powers, 2, EFFECTS[used], 1) == (printed in (used, None))
    if printed in (used, None):
        assert use_power(before, EFFECTS[used]).power_of is None
    else:
        with pytest.raises(IllegalPlay, match=r"^the power of Prime card 2 is another one$"):
            use_power(before, EFFECTS[used])


def test_the_same_switch_is_another_power_for_another_player() -> None:
    switch = Switch((1, 5), (2, 5))
    assert [power_used(switch, seat) for seat in (1, 2, 3)] == [WITH_OPPONENT, WITH_OPPONENT, OPPONENTS]
    assert [power_used(Switch((2, 5), (2, 10)), seat) for seat in (1, 2)] == [OPPONENTS, OWN]
    assert not may_use({7: None}, 6, switch, 1), "only a Prime card has a power"


@pytest.mark.parametrize(
    "effect",
    [
        pytest.param(Switch((1, 5), (4, 5)), id="a seat that nobody has"),
        pytest.param(Switch((1, 5), (1, 5)), id="a card with itself"),
        pytest.param(Switch((2, 5), (1, 5)), id="the higher seat first, which has no notation"),
        pytest.param(Switch((1, 10), (1, 5)), id="the higher slot first, which has no notation"),
    ],
)
def test_a_switch_that_is_none_is_refused(effect: Switch) -> None:
    with pytest.raises(IllegalPlay) as refused:
        use_power(JUST_DISCARDED, effect)
    check_one_line(refused.value)


@settings(deadline=None)
@given(ways(), st.integers(0, 2**32 - 1))
def test_the_legal_switches_are_those_of_the_power_and_each_can_be_used(way: Way, seed: int) -> None:
    chance = dice(seed)
    deck, dealer = shuffled(way, chance), chance.choice(way.seats)
    edition = rules_for(way.edition, len(way.seats), way.variants, way.options).edition
    table, position = Table(way, deck, dealer), deal(way.seats, dealer, deck, edition.turn_over, edition.powers)
    for turn in careless_turns(table.copy(), chance, 12):
        move = play_of(turn)
        position = play(position, move)
        assert table.turn(move.source, move.slot) == replace(turn, effect=None)
        effects = table.effects()
        expected = {switch for kind, kinds in effects.items() if kind != AGAIN for switch in kinds}
        found = list(legal_switches(position))
        assert len(found) == len(set(found))
        assert set(found) == expected
        if AGAIN not in effects:
            with pytest.raises(IllegalPlay):
                use_power(position, "again")
        if turn.effect is not None:
            position = use_power(position, turn.effect)
            table.use(turn.effect)


PLACES = st.tuples(st.sampled_from(SEATS), st.sampled_from(SLOTS))


@given(PLACES, PLACES)
def test_a_switch_is_the_same_whichever_slot_is_named_first(one: tuple[Seat, Slot], other: tuple[Seat, Slot]) -> None:
    switch = Switch.of(one, other)
    assert switch == Switch.of(other, one)
    assert {switch.one, switch.other} == {one, other}
    assert switch.one <= switch.other


def test_in_a_game_of_partners_the_partners_rack_counts_as_an_opponents() -> None:
    # The leaflet knows no partners; a choice of this house (engine.powers).
    people = [Player(seat, "") for seat in SEATS]
    game = new_game("hasbro-2006", people, ("partners",), Options(powers={2: WITH_OPPONENT}))
    position = deal(game.seats, 4, range(1, 61), "no-discard", game.rules.edition.powers)
    assert position.rack(2)[9] == 2
    after = play(play(position, Play("draw", None)), Play("draw", 50))
    assert use_power(after, Switch((2, 5), (4, 5))).rack(4)[0] == position.rack(2)[0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2:D22@5x18+again", "turn of seat 1"),
        ("1:D40@10x2+1@5/4@5", "nobody plays at seat 4"),
        ("1:D40@10x2+2@5/3@5", "the power of Prime card 2 is another one"),
        ("1:D40@5x1+again", "no Prime card has just been discarded"),
        ("1:D40@5x1+1@10/1@15", "no Prime card has just been discarded"),
    ],
)
def test_a_turn_whose_power_cannot_be_is_refused(text: str, words: str) -> None:
    with pytest.raises((BadInput, IllegalPlay), match=re.escape(words)) as refused:
        after_turn(position_of({2: WITH_OPPONENT}), parse_turn(text))
    check_one_line(refused.value)


def test_a_turn_with_its_power_leads_to_the_position_after_both() -> None:
    before = position_of()
    switch = Switch((1, 10), (3, 50))
    after = after_turn(before, Turn(1, "draw", 40, 10, 2, switch))
    assert after == use_power(play(before, Play("draw", 10)), switch)
    assert after.rack(1)[FRONT_TO_BACK.index(10)] == 30
    assert after.rack(3)[FRONT_TO_BACK.index(50)] == 40
