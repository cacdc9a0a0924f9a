"""Cards that cannot be: of another deck, there twice, missing. Each is named once; a few misread looks name none."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import SLOTS, Card, Seat
from engine.following.history import Place
from engine.lines import EMPTY, Sighting
from engine.round import Play, Round, left_of, put
from tests.engine.tables import PARKER, Watched, dice, every_place

FIRST_SEED = 1000
PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])
FEWER = pytest.mark.parametrize("players", [2, 3])
SEEDS = pytest.mark.parametrize("seed", range(FIRST_SEED, FIRST_SEED + 2))


def passing(table: Watched, turns: int) -> None:
    """Everybody draws and discards."""
    for _ in range(turns):
        table.play(Play("draw", None))


def finished(table: Watched) -> None:
    """No more lines come; all turns were said as they were played."""
    table.finish()
    assert table.turns == table.true


@FEWER
@SEEDS
def test_a_card_of_another_deck_that_was_dealt_is_named_once(players: int, seed: int) -> None:
    seat = 1 + seed % players
    start = put(PARKER.dealt(players, seed), (seat, SLOTS[seed % 10]), 55)
    table = Watched(start, looks=3)
    table.go_on(8, seed)
    assert table.violations == [("card-not-in-deck", seat)]
    finished(table)


@FEWER
@SEEDS
@pytest.mark.parametrize("slot", [None, 30])
def test_a_card_of_another_deck_that_is_drawn_later_is_named_once(players: int, seed: int, slot: int | None) -> None:
    start = PARKER.dealt(players, seed)
    table = Watched(replace(start, draw=(*start.draw[:-4], 55, *start.draw[-3:])), looks=5)
    for number in range(3):
        table.play(Play("draw", SLOTS[number]))
    seat = table.position.to_move
    table.play(Play("draw", slot))
    table.go_on(5, seed)
    assert table.violations == [("card-not-in-deck", seat)]
    finished(table)


@FEWER
@SEEDS
def test_a_card_of_another_deck_that_is_soon_covered_is_named_with_who_discarded_it(players: int, seed: int) -> None:
    start = PARKER.dealt(players, seed)
    table = Watched(replace(start, draw=(*start.draw[:-1], 55)), looks=2)
    seat = table.position.to_move
    table.play(Play("draw", None))
    table.play(Play("draw", 5))
    table.play(Play("draw", 10))
    assert table.violations == [("card-not-in-deck", seat)]
    finished(table)


@FEWER
@SEEDS
@pytest.mark.parametrize("whose_turn", [True, False])
def test_a_card_of_another_deck_that_is_slipped_into_a_rack_is_named_and_no_turn(
    players: int,
    seed: int,
    whose_turn: bool,  # noqa: FBT001 - given by pytest
) -> None:
    table = Watched(PARKER.dealt(players, seed))
    table.go_on(3, seed)
    seat = table.position.to_move
    seat = seat if whose_turn else seat % players + 1
    table.put({(seat, 20): 55})
    for slot in (50, 45, 40):
        table.play(Play("draw", slot))
    assert table.violations == [("card-not-in-deck", seat)]
    finished(table)


@FEWER
@SEEDS
def test_who_plays_once_a_card_of_another_deck_was_slipped_in_has_not_exchanged_two(players: int, seed: int) -> None:
    table = Watched(PARKER.dealt(players, seed))
    table.go_on(3, seed)
    seat = table.position.to_move
    table.put({(seat, 5): 55}, looks=3)
    table.play(Play("discard", 50), 1)
    for slot in (45, 40, 35):
        table.play(Play("discard", slot), 1)
    finished(table)
    assert table.violations == [("card-not-in-deck", seat)]


@FEWER
@SEEDS
def test_a_card_of_another_deck_that_goes_from_rack_to_pile_to_rack_is_named_once(players: int, seed: int) -> None:
    start = put(PARKER.dealt(players, seed), (2, 20), 58)
    table = Watched(start, looks=3)
    table.play(Play("draw", 20))
    table.play(Play("discard", 35))
    table.go_on(5, seed)
    assert [rule for rule, _ in table.violations] == ["card-not-in-deck"]
    finished(table)


def test_with_four_players_every_card_is_of_the_deck() -> None:
    start = PARKER.dealt(4, FIRST_SEED)
    assert max(max(rack) for rack in start.racks) > 50
    table = Watched(start, looks=4)
    table.go_on(6, FIRST_SEED)
    assert table.violations == []
    finished(table)


def with_double(start: Round, place: tuple[Seat, int], other: tuple[Seat, int]) -> Round:
    """The card at `place` is there once more at `other`."""
    return put(start, other, start.rack(place[0])[place[1] // 5 - 1])


@PLAYERS
@SEEDS
@pytest.mark.parametrize("same_rack", [True, False])
def test_a_card_that_is_there_twice_from_the_deal_is_named_once(players: int, seed: int, same_rack: bool) -> None:  # noqa: FBT001 - given by pytest
    seats = {1} if same_rack else {1, 2}
    table = Watched(with_double(PARKER.dealt(players, seed), (1, 10), (max(seats), 40)), looks=3)
    table.go_on(6, seed)
    ((rule, seat),) = table.violations
    assert rule == "duplicate-card"
    assert seat in seats
    finished(table)


@SEEDS
@pytest.mark.parametrize("players", [3, 4])
def test_who_plays_out_of_turn_is_named_though_a_card_was_there_twice_from_the_deal(players: int, seed: int) -> None:
    start = PARKER.dealt(players, seed)
    owner = start.seats[-1]
    table = Watched(with_double(start, (1, 10), (owner, 40)), shown=False)
    table.show(2, unseen=[(owner, slot) for slot in SLOTS])
    table.show(2)
    cheat = left_of(start.seats, start.to_move)
    table.out_of_turn(cheat, Play("discard", 25), to_move=left_of(start.seats, cheat))
    table.go_on(6, seed)
    assert ("wrong-turn", cheat) in table.violations
    assert [rule for rule, _ in table.violations].count("duplicate-card") == 1
    finished(table)


@PLAYERS
@SEEDS
def test_a_card_that_is_drawn_though_it_stands_in_a_rack_is_named_once(players: int, seed: int) -> None:
    start = PARKER.dealt(players, seed)
    table = Watched(replace(start, draw=(*start.draw[:-2], start.rack(1)[9], start.draw[-1])), looks=3)
    table.play(Play("draw", 5))
    seat = table.position.to_move
    table.play(Play("draw", 15))
    for slot in (20, 25, 30, 35):
        table.play(Play("draw", slot))
    ((rule, named),) = table.violations
    assert rule == "duplicate-card"
    assert named in (1, seat)
    finished(table)


@FEWER
@SEEDS
@pytest.mark.parametrize("looks", [1, 2, 3])
@pytest.mark.parametrize("rule", ["duplicate-card", "card-not-in-deck"])
def test_who_takes_an_odd_card_from_the_discard_pile_did_not_bring_it(
    players: int, seed: int, looks: int, rule: str
) -> None:
    start = PARKER.dealt(players, seed)
    seat = start.to_move
    odd = start.rack(left_of(start.seats, seat))[9] if rule == "duplicate-card" else 55
    table = Watched(replace(start, draw=(*start.draw[:-1], odd)), looks=3)
    table.play(Play("draw", None), looks=looks)
    table.play(Play("discard", 30))
    for slot in (5, 20, 25, 35):
        table.play(Play("draw", slot))
    assert table.violations == [(rule, seat)]
    finished(table)


@PLAYERS
@SEEDS
@pytest.mark.parametrize("slot", [None, 30])
def test_a_card_that_is_drawn_though_it_lies_in_the_discard_pile_is_named_once(
    players: int, seed: int, slot: int | None
) -> None:
    start = PARKER.dealt(players, seed)
    buried = start.discard[-1]
    table = Watched(replace(start, draw=(*start.draw[:-3], buried, *start.draw[-2:])))
    table.play(Play("draw", 5))
    table.play(Play("draw", 10))
    seat = table.position.to_move
    table.play(Play("draw", slot))
    for other in (20, 25, 35):
        table.play(Play("draw", other))
    assert table.violations == [("duplicate-card", seat)]
    table.finish()
    # The card's number is left open where nobody saw the card anywhere else.
    assert [(turn.seat, turn.slot) for turn in table.turns] == [(turn.seat, turn.slot) for turn in table.true]


@PLAYERS
@SEEDS
@pytest.mark.parametrize("looks", [2, 3])
def test_a_second_card_is_drawn_in_a_turn_also_if_the_discard_is_seen_later(
    players: int, seed: int, looks: int
) -> None:
    start = PARKER.dealt(players, seed)
    buried = start.discard[-1]
    table = Watched(replace(start, draw=(*start.draw[:-3], buried, *start.draw[-2:])), looks=3)
    table.play(Play("draw", 5))
    table.play(Play("draw", 10), looks=1)
    seat = table.position.to_move
    table.play(Play("draw", 30), looks=0)
    table.show(looks, unseen={"discard"})
    table.show()
    for slot in (20, 25, 35):
        table.play(Play("draw", slot))
    assert table.violations == [("duplicate-card", seat)]
    finished(table)


@PLAYERS
@SEEDS
def test_a_card_that_is_likely_there_twice_is_named_when_the_round_ends(players: int, seed: int) -> None:
    start = with_double(PARKER.dealt(players, seed), (1, 10), (2, 40))
    table = Watched(start, looks=0)
    likely: dict[Place, Sighting] = {(2, 40): {start.rack(1)[1]: 0.9995}}
    table.show(8, instead=likely)
    for _ in range(players):
        table.play(Play("draw", 50))
        table.show(3, instead=likely)
    assert table.violations == []
    table.call(1)
    assert table.violations[0] == ("duplicate-card", 2)


@PLAYERS
@SEEDS
@pytest.mark.parametrize("whose_turn", [True, False])
def test_a_second_card_of_a_number_that_is_slipped_into_a_rack_is_named_and_no_turn(
    players: int,
    seed: int,
    whose_turn: bool,  # noqa: FBT001 - given by pytest
) -> None:
    table = Watched(PARKER.dealt(players, seed))
    table.go_on(3, seed)
    seat = table.position.to_move
    seat, other = (seat, seat % players + 1) if whose_turn else (seat % players + 1, seat)
    table.put({(seat, 20): table.position.rack(other)[0]})
    for slot in (50, 45, 40, 35):
        table.play(Play("draw", slot))
    assert table.violations == [("duplicate-card", seat)]
    finished(table)


Reading = Callable[[Round, Place], Card]


def another_racks(position: Round, place: Place) -> Card:
    """The number of a card that stands in a rack."""
    return position.rack(1)[4] if place != (1, 25) else position.rack(2)[4]


READINGS: dict[str, Reading] = {
    "not of the deck": lambda _, __: 58,
    "there twice": another_racks,
    "nothing": lambda _, __: EMPTY,
}


@settings(max_examples=8, deadline=None, derandomize=True)
@given(st.integers(0, 2**32 - 1), st.sampled_from((2, 3)), st.sampled_from(sorted(READINGS)), st.sampled_from((1, 2)))
def test_one_or_two_misread_looks_name_no_odd_card(seed: int, players: int, kind: str, looks: int) -> None:
    chance = dice(seed)
    table = Watched(PARKER.dealt(players, seed))
    for number in range(6):
        place = chance.choice(every_place(table.position))
        wrong: dict[Place, Sighting] = {place: {READINGS[kind](table.position, place): 1.0}}
        table.show(looks, instead=wrong)
        table.show(2)
        table.go_on(1, seed + number)
    assert table.violations == []
    finished(table)


@PLAYERS
@SEEDS
@pytest.mark.parametrize(("said", "sure"), [(0.9995, 1.0), (0.99, 1.0), (0.98, 0.98), (0.96, 0.99)])
def test_what_the_camera_takes_for_another_card_again_and_again_is_not_there_twice(
    players: int, seed: int, said: float, sure: float
) -> None:
    """It says so in every look, but never quite surely, and the card that it takes it for is seen elsewhere."""
    table = Watched(PARKER.dealt(players, seed), looks=0)
    wrong: dict[Place, Sighting] = {
        (2, 40): {table.position.rack(1)[1]: said},
        (1, 10): {table.position.rack(1)[1]: sure},
    }
    table.show(8, instead=wrong)
    for _ in range(players):
        table.play(Play("draw", 50))
        table.show(3, instead=wrong)
    assert table.violations == []
    comes_to_light(table, players)


@PLAYERS
@SEEDS
def test_a_card_that_is_read_rightly_after_a_turn_was_not_exchanged_in_it(players: int, seed: int) -> None:
    start = PARKER.dealt(players, seed)
    table = Watched(start, looks=0)
    seat = start.to_move
    other = seat % players + 1
    misread: dict[Place, Sighting] = {(seat, 50): {start.rack(other)[1]: 0.98, start.rack(seat)[9]: 0.01}}
    table.show(6, instead=misread)
    table.play(Play("draw", 25))
    table.show(4, instead={(seat, 50): {start.rack(seat)[9]: 0.98}})
    assert table.violations == []
    table.looks = 2
    table.go_on(4, seed)
    assert table.violations == []
    finished(table)


@FEWER
@SEEDS
def test_what_the_camera_takes_for_another_decks_card_again_and_again_is_none(players: int, seed: int) -> None:
    table = Watched(PARKER.dealt(players, seed), looks=0)
    wrong: dict[Place, Sighting] = {(2, 40): {58: 0.96}}
    for _ in range(players):
        table.show(4, instead=wrong)
        table.play(Play("draw", 50))
    comes_to_light(table, players)


def comes_to_light(table: Watched, players: int) -> None:
    """Seat 2 discards the card that was misread at 40, all see what it is, and nobody is accused of anything."""
    table.looks = 3
    while table.position.to_move != 2:
        table.play(Play("draw", 45))
    table.play(Play("draw", 40))
    passing(table, players)
    assert table.violations == []
    finished(table)


def with_double_and_gap(players: int, seed: int) -> Watched:
    """Seat 1 has a card twice from the deal, seat 2 lacks one later, and play goes on."""
    table = Watched(with_double(PARKER.dealt(players, seed), (1, 10), (1, 40)), looks=3)
    table.go_on(2, seed)
    table.put({(2, 50): EMPTY})
    for _ in range(5):
        table.play(Play("draw", 5))
    return table


@PLAYERS
@SEEDS
def test_several_odd_cards_are_each_named(players: int, seed: int) -> None:
    table = with_double_and_gap(players, seed)
    assert sorted(table.violations) == [("duplicate-card", 1), ("missing-card", 2)]
    finished(table)


@PLAYERS
@SEEDS
def test_a_look_that_shows_a_doubled_number_where_a_card_is_missing_names_nothing(players: int, seed: int) -> None:
    table = with_double_and_gap(players, seed)
    named = [*table.violations]
    doubled = table.position.rack(1)[1]
    table.show(1, unseen=[(1, slot) for slot in SLOTS], instead={(2, 50): {doubled: 1.0}})
    table.play(Play("draw", 15))
    assert table.violations == named
