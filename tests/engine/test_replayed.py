"""Records played again by the rules of their game: what is true comes out, what was tampered with is refused."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import Card
from engine.errors import BadInput, IllegalPlay
from engine.moves import Turn, parse_turn
from engine.powers import Switch
from engine.record import after_turn, final_position, games_as_text, parse_games, replayed
from engine.round import deal
from engine.variants import rules_for
from tests.engine.by_hand import EVERY_WAY, Way, ways
from tests.engine.simulated import could_have_been, simulated_game
from tests.engine.tables import check_one_line, dice
from tests.engine.test_notation import all_turns

SEEDS = st.integers(0, 2**32 - 1)


@settings(deadline=None)
@given(ways(), SEEDS)
def test_a_true_game_is_played_again_to_the_same_totals_and_winners(way: Way, seed: int) -> None:
    game = simulated_game(way, dice(seed), rounds=12)
    again = replayed(game.record)
    assert (again.totals, again.winners) == (game.totals, game.winners)
    assert again.rounds == tuple(record.points for record in game.record.rounds if record.out is not None)
    assert replayed(parse_games(games_as_text([game.record]))[0]) == again


def test_the_simulated_games_are_of_every_kind_there_is() -> None:
    # Otherwise the properties above would say little.
    games = [simulated_game(way, dice(seed), rounds=12) for seed, way in enumerate(EVERY_WAY)]
    rounds = [record for game in games for record in game.record.rounds]
    assert sum(bool(game.winners) for game in games) > len(games) // 2
    assert any(len(game.winners) == 2 for game in games)
    assert {len(record.turns) for record in rounds} >= {0, 1, 8, 70}
    assert {record.out for record in rounds} == {None, 1, 2, 3, 4}
    assert {points for record in rounds for points in record.points.values()} >= {0, 5, 10, 15, 75, 125, 175, 275, 475}
    assert sum(isinstance(turn.effect, Switch) for record in rounds for turn in record.turns) > 10
    assert sum(turn.effect == "again" for record in rounds for turn in record.turns) > 10


def test_rounds_whose_deck_is_not_known_are_only_scored() -> None:
    game = simulated_game(EVERY_WAY[0], dice(3), rounds=12)
    plain = tuple(replace(record, deck=()) for record in game.record.rounds)
    assert replayed(replace(game.record, rounds=plain)).totals == game.totals
    turns = (parse_turn("1:D60x60"), parse_turn("1:D60x60"))
    assert replayed(replace(game.record, rounds=(replace(plain[0], turns=turns),))).rounds == (plain[0].points,)


# Seat 2 is dealt 4, 6, ... 20 from slot 10 on and 30 at slot 5, seat 1 is dealt 19, 17, ... 1; 40 is turned up.
PLAYED = """\
game parker-1992
seat 1 "Ada"
seat 2 "Ben"
round 1
deck 20 1 18 3 16 5 14 7 12 9 10 11 8 13 6 15 4 17 30 19 40 33 2 21 22 23 24 25 26 27 28 29 31 32 34 35 36 37 38 39
2:D33x33 1:T33@5x19 2:D2@5x30
out 2 1:5 2:75
round 2
"""
# All sixty cards in order: seat 2 is dealt 19, 17, ... 1, seat 1 is dealt 20, 18, ... 2; 21 is turned up.
POWERS_USED = f"""\
game hasbro-2006
seat 1 "Ada"
seat 2 "Ben"
round 1
deck {" ".join(map(str, range(1, 61)))}
2:D22@45x3+1@5/2@5 1:D23@5x19+again 1:D24x24 2:T24@5x20
"""


def played_again(text: str) -> list[dict[int, int]]:
    """The totals of every game of a text."""
    return [replayed(record).totals for record in parse_games(text)]


def test_true_games_are_played_again() -> None:
    assert played_again(PLAYED + POWERS_USED) == [{1: 5, 2: 75}, {1: 0, 2: 0}]


def test_a_player_may_wait_with_the_call_though_the_rack_is_in_order() -> None:
    waited = PLAYED.replace("2:D2@5x30", "2:D2@5x30 1:D21x21 2:D22x22")
    assert played_again(waited) == [{1: 5, 2: 75}]


@pytest.mark.parametrize(
    ("true", "false", "words"),
    [
        ("1:T33@5x19", "1:T32@5x19", "round 1: turn 2, 1:T32@5x19: the cards are those of 1:T33@5x19"),
        ("1:T33@5x19", "1:T33@5x17", "turn 2, 1:T33@5x17: the cards are those of 1:T33@5x19"),
        ("1:T33@5x19", "1:T33@10x19", "turn 2, 1:T33@10x19: the cards are those of 1:T33@10x17"),
        ("1:T33@5x19", "1:D33@5x19", "turn 2, 1:D33@5x19: the cards are those of 1:D2@5x19"),
        ("1:T33@5x19", "1:D2x2", "turn 3, 2:D2@5x30: the cards are those of 2:D21@5x30"),
        ("1:T33@5x19", "1:T?@5x19", "turn 2, 1:T?@5x19: the cards are those of 1:T33@5x19"),
        ("1:T33@5x19", "2:T33@5x19", "turn 2, 2:T33@5x19: it is the turn of seat 1"),
        ("1:T33@5x19", "3:T33@5x19", "turn 2, 3:T33@5x19: it is the turn of seat 1"),
        ("1:T33@5x19 ", "", "turn 2, 2:D2@5x30: it is the turn of seat 1"),
        ("1:T33@5x19", "1:T33@5x19 1:T33@5x19", "turn 3, 1:T33@5x19: it is the turn of seat 2"),
        ("1:T33@5x19", "1:T33@5x19+again", "turn 2, 1:T33@5x19+again: no Prime card has just been discarded"),
        (" 2:D2@5x30", "", "round 1: seat 2 cannot have gone out: its cards do not rise at slot 10"),
        ("deck 20 1", "deck 20 20", "round 1: the deck is not each card of 1 to 40 once"),
        ("deck 20 1", "deck 20 41", "round 1: the deck is not each card of 1 to 40 once"),
        ("deck 20 1", "deck 20", "round 1: the deck is not each card of 1 to 40 once"),
        (" 39\n", " 39 39\n", "round 1: the deck is not each card of 1 to 40 once"),
        (" 39\n", " 39 41\n", "round 1: the deck is not each card of 1 to 40 once"),
        ("40 33 2", "33 40 2", "turn 1, 2:D33x33: the cards are those of 2:D40x40"),
        ("40 33 2 21", "40 33 21 2", "turn 3, 2:D2@5x30: the cards are those of 2:D21@5x30"),
        ("round 1", "round 2", "round 1: turn 1, 2:D33x33: it is the turn of seat 1"),
        ("round 1", "round 3", "round 1: nobody plays at seat 3"),
        ("round 2", "round 4", "round 2: nobody plays at seat 4"),
        ("2:75", "2:125", "round 1: the points are {1: 5, 2: 75}, not {1: 5, 2: 125}"),
        ("1:5 ", "1:10 ", "round 1: the points are {1: 5, 2: 75}, not {1: 10, 2: 75}"),
        ("1:5 2:75", "1:75 2:5", "round 1: the points are {1: 5, 2: 75}, not {1: 75, 2: 5}"),
        ("1:5 2:75", "2:75", "round 1: points are given for seats [2]; those who play are [1, 2]"),
        ("2:75", "2:75 3:5", "round 1: points are given for seats [1, 2, 3]; those who play are [1, 2]"),
        ("out 2", "out 1", "round 1: seat 1 cannot have gone out: its cards do not rise at slot 10"),
        ("out 2", "out 3", "round 1: nobody plays at seat 3"),
        ("game parker-1992", "game parker-1992 run-of-three", "its longest run of consecutive numbers is 1, and this"),
        ("game parker-1992", "game parker-1992 quick", "round 1: the points are {1: 0, 2: 0}, not {1: 5, 2: 75}"),
        ("game parker-1992", "game hasbro-2006", "round 1: the deck is not each card of 1 to 60 once"),
        ("game parker-1992", "game parker", "edition 'parker' is not known"),
        ("game parker-1992", "game parker-1992 partners", "variant 'partners' is for 4 players, not for 2"),
        ('seat 1 "Ada"\n', "", "1 players: RACK-O is played by 2, 3 or 4"),
        ('seat 1 "Ada"', 'seat 2 "Ada"', "seat 2 is given to two players"),
        ('seat 1 "Ada"', 'seat 3 "Ada"', "round 1: nobody plays at seat 1"),
    ],
)
def test_a_game_that_was_tampered_with_is_refused_by_its_round_and_turn(true: str, false: str, words: str) -> None:
    assert PLAYED.count(true) == 1
    with pytest.raises((BadInput, IllegalPlay), match=re.escape(words)) as refused:
        played_again(PLAYED.replace(true, false))
    check_one_line(refused.value)


@pytest.mark.parametrize(
    ("true", "false", "words"),
    [
        ("1:D23@5x19+again", "1:T3@5x19+again", "turn 2, 1:T3@5x19+again: a Prime card may not be taken from the disc"),
        ("1:D24x24", "1:T19@5x23", "turn 3, 1:T19@5x23: another turn by a Prime card's power begins at the draw pile"),
        ("1:D24x24", "2:D24x24", "turn 3, 2:D24x24: it is the turn of seat 1"),
        ("x19+again", "x19", "turn 3, 1:D24x24: it is the turn of seat 2"),
        ("+1@5/2@5", "", "turn 2, 1:D23@5x19+again: the cards are those of 1:D23@5x20"),
        ("+1@5/2@5", "+1@5/2@10", "turn 2, 1:D23@5x19+again: the cards are those of 1:D23@5x17"),
        ("+1@5/2@5", "+2@5/3@5", "turn 1, 2:D22@45x3+2@5/3@5: nobody plays at seat 3"),
        ("1:D24x24", "1:D24x24+again", "turn 3, 1:D24x24+again: no Prime card has just been discarded"),
        ("seat 1", 'options {"powers": {"3": "switch-own"}}\nseat 1', "turn 1, 2:D22@45x3+1@5/2@5: the power of Prime"),
        ("seat 1", 'options {"powers": {}}\nseat 1', "turn 1, 2:D22@45x3+1@5/2@5: no Prime card has just been"),
        ("game hasbro-2006", "game hasbro-2006 classic", "round 1: the deck is not each card of 1 to 40 once"),
    ],
)
def test_a_game_with_a_power_that_was_tampered_with_is_refused(true: str, false: str, words: str) -> None:
    assert POWERS_USED.count(true) == 1
    with pytest.raises((BadInput, IllegalPlay), match=re.escape(words)) as refused:
        played_again(POWERS_USED.replace(true, false))
    check_one_line(refused.value)


@pytest.mark.parametrize(
    ("options", "more", "words"),
    [
        ('options {"ends_by_itself": true}\n', " 1:D21x21", "round 1: turn 4, 1:D21x21: the round had ended by itself"),
        ('options {"ends_by_itself": true}\n', "", ""),
        ("", " 1:D21x21", ""),
    ],
)
def test_where_rounds_end_by_themselves_no_turn_follows_a_rack_in_order(options: str, more: str, words: str) -> None:
    text = PLAYED.replace("seat 1", f"{options}seat 1").replace("2:D2@5x30", f"2:D2@5x30{more}")
    if words:
        with pytest.raises(BadInput, match=re.escape(words)):
            played_again(text)
    else:
        assert played_again(text) == [{1: 5, 2: 75}]


def test_no_round_follows_the_end_of_the_game() -> None:
    over = PLAYED.replace("parker-1992", "parker-1992 quick").replace("out 2 1:5 2:75", "out 2 1:0 2:0")
    with pytest.raises(BadInput, match=r"^round 2: the game was over before it$"):
        played_again(over)
    assert played_again(over.replace("round 2\n", "")) == [{1: 0, 2: 0}]


@settings(deadline=None)
@given(ways(), SEEDS, all_turns(), st.data())
def test_a_turn_can_only_be_exchanged_for_one_that_could_have_been(
    way: Way, seed: int, other: Turn, data: st.DataObject
) -> None:
    game = simulated_game(way, dice(seed)).record
    places = [(at, turn) for at, record in enumerate(game.rounds) for turn in range(len(record.turns))]
    if not places:
        return
    at, number = data.draw(st.sampled_from(places))
    turns = list(game.rounds[at].turns)
    taken_over = data.draw(st.sets(st.sampled_from(("seat", "source", "card", "slot", "discarded")), min_size=1))
    changed = replace(turns[number], **{name: getattr(other, name) for name in taken_over})
    if changed == turns[number]:
        return
    turns[number] = changed
    tampered = replace(game.rounds[at], turns=tuple(turns))
    rounds = [*game.rounds[:at], tampered, *game.rounds[at + 1 :]]
    if could_have_been(way, tampered):
        # Another card was given away than was, nobody took it, and the rack earns what it earned: nothing tells.
        assert replayed(replace(game, rounds=tuple(rounds))).totals == replayed(game).totals
        return
    with pytest.raises((BadInput, IllegalPlay), match=f"^round {at + 1}: (turn |seat )") as refused:
        replayed(replace(game, rounds=tuple(rounds)))
    check_one_line(refused.value)
    # Where the turn itself could have been, a later turn's cards are others, or it is not the rack that goes out.
    named = re.match(rf"round {at + 1}: turn (\d+), ", str(refused.value))
    assert named is None or int(named[1]) > number


@settings(deadline=None)
@given(ways(), SEEDS, st.data())
def test_no_points_and_no_card_of_a_deck_can_be_exchanged_for_others(way: Way, seed: int, data: st.DataObject) -> None:
    game = simulated_game(way, dice(seed)).record
    at = data.draw(st.integers(0, len(game.rounds) - 1))
    played = game.rounds[at]
    place, card = data.draw(st.integers(0, len(played.deck) - 1)), data.draw(st.integers(0, 61))
    deck: list[Card] = [*played.deck]
    deck[place] = card
    false = replace(played, deck=tuple(deck))
    if played.out is not None and data.draw(st.booleans()):
        seat = data.draw(st.sampled_from(way.seats))
        false = replace(played, points={**played.points, seat: data.draw(st.integers(0, 500))})
    if false != played:
        with pytest.raises(BadInput, match=f"^round {at + 1}: the (deck|points) "):
            replayed(replace(game, rounds=(*game.rounds[:at], false, *game.rounds[at + 1 :])))


@settings(deadline=None)
@given(ways(), SEEDS)
def test_the_final_position_is_the_one_after_each_turn_in_its_order(way: Way, seed: int) -> None:
    again = replayed(replace(simulated_game(way, dice(seed)).record, rounds=()))
    edition = rules_for(way.edition, len(way.seats), way.variants, way.options).edition
    for record in simulated_game(way, dice(seed)).record.rounds:
        position = deal(way.seats, record.dealer, record.deck, edition.turn_over, edition.powers)
        for turn in record.turns:
            position = after_turn(position, turn)
        assert final_position(again, record) == position
