"""Virtual players: what they may know, what they decide, and that the stronger ones win."""

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from device.simulated.games import Setup, play_game
from device.simulated.memory import Memory
from device.simulated.players import LEVELS, Level, View, VirtualPlayer, virtual_player
from device.simulated.prospects import Prospects, fitting, run_worth, runs_ahead
from device.simulated.table import Table, as_others_see
from engine.cards import Card
from engine.game import new_game
from engine.moves import Turn, parse_turn
from engine.powers import Switch
from engine.variants import rules_for

EVENLY = [0.0, *([1 / 40] * 40), *([0.0] * 20)]
"""Every card of a deck of 40 is as likely to come as any other."""

SKILLED: tuple[Level, ...] = ("fair", "strong")


def a_player(
    level: Level, *variants: str, edition: str = "parker-1992", players: int = 2, seed: int = 1
) -> VirtualPlayer:
    """A player in seat 1."""
    return virtual_player(level, rules_for(edition, players, variants), 1, tuple(range(1, players + 1)), Random(seed))


def rounds_won(levels: Sequence[Level], rounds: int) -> Counter[Level]:
    """Rounds won by level; the players change places from round to round."""
    won: Counter[Level] = Counter()
    for seed in range(rounds):
        at = seed % len(levels)
        seated = (*levels[at:], *levels[:at])
        played = play_game(Setup(seated, most_rounds=1), Random(seed)).rounds[0]
        if played.out is not None:
            won[seated[played.out - 1]] += 1
    return won


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize(("weaker", "stronger", "rounds"), [(*LEVELS[:2], 100), (*LEVELS[1:3], 100), (*LEVELS[2:], 80)])
def test_of_two_neighbouring_strengths_the_stronger_wins_more_rounds(
    weaker: Level, stronger: Level, rounds: int, players: int
) -> None:
    won = rounds_won((weaker, stronger) * (players // 2), rounds)
    assert won[stronger] > won[weaker]


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_chance_makes_the_same_game(level: Level) -> None:
    setup = Setup((level, "fair", level), "hasbro-2006", most_rounds=2)
    assert play_game(setup, Random(7)) == play_game(setup, Random(7))
    assert play_game(setup, Random(7)) != play_game(setup, Random(8))


@pytest.mark.parametrize("level", LEVELS)
def test_a_decision_does_not_depend_on_cards_that_the_player_cannot_see(level: Level) -> None:
    deck = list(range(1, 41))
    Random(5).shuffle(deck)
    game = new_game("parker-1992", Setup().players)
    other_way = [*deck]
    # Seat 2 is dealt the first card and every second one; from card 21 on lies the draw pile, below its top card.
    other_way[0:20:2], other_way[22:] = deck[0:20:2][::-1], deck[22:][::-1]
    choices = []
    for cards in (deck, other_way):
        table = Table(game, (level, level), {}, Random(3))
        table.deal_out(1, cards)
        choices.append(table.decide(1))
    assert choices[0] == choices[1]


def test_others_do_not_see_a_card_that_goes_from_the_draw_pile_into_a_rack() -> None:
    assert as_others_see(parse_turn("2:D17@25x44")) == parse_turn("2:D?@25x44")
    for open_to_see in ("2:D17x17", "2:T19@20x7"):
        assert as_others_see(parse_turn(open_to_see)) == parse_turn(open_to_see)


@pytest.mark.parametrize("level", SKILLED)
def test_a_discard_that_completes_the_rack_is_taken(level: Level) -> None:
    rack = (2, 6, 10, 14, 40, 22, 26, 30, 34, 38)
    taken = [a_player(level, seed=seed).take(View(rack, 18)) for seed in range(20)]
    assert taken.count(25) >= 15
    assert set(taken) <= {25, None}


@pytest.mark.parametrize("level", ["beginner", *SKILLED])
def test_a_drawn_card_that_completes_the_rack_is_kept(level: Level) -> None:
    assert a_player(level).place(View((2, 6, 10, 14, 40, 22, 26, 30, 34, 38), 3), 18) == 25


@pytest.mark.parametrize("level", SKILLED)
def test_a_drawn_card_that_fits_nowhere_better_is_discarded(level: Level) -> None:
    assert a_player(level).place(View((2, 6, 10, 14, 40, 22, 26, 30, 34, 38), 3), 39) is None


@pytest.mark.parametrize("level", LEVELS)
def test_nobody_puts_a_card_into_a_slot_that_has_lost_its_own(level: Level) -> None:
    rack = (0, 31, 7, 22, 3, 40, 17, 9, 28, 12)
    player = a_player(level)
    assert all(player.place(View(rack, None), card) != 5 for card in (1, 2, 4, 5, 6, 8) for _ in range(20))


def test_a_strong_player_keeps_room_for_the_cards_that_are_missing() -> None:
    # After 20 at slot 25, 21 at slot 35 would leave no card for slot 30; 24 leaves three.
    rack = (2, 6, 10, 15, 20, 5, 1, 31, 35, 39)
    strong = a_player("strong")
    assert strong.place(View(rack, None), 21) == 30
    assert strong.place(View(rack, None), 28) == 35


def test_a_rack_in_order_waits_for_nothing_and_a_gap_for_a_card_of_its_range() -> None:
    in_order: list[Card] = [1, 5, 9, 13, 17, 21, 25, 29, 33, 37]
    assert Prospects(in_order, EVENLY).wait == 0
    # Slot 30 takes 18 to 24 of a deck of 40: seven cards, in sixtieths 10.5.
    missing = Prospects([*in_order[:5], 40, *in_order[6:]], EVENLY)
    assert missing.wait == pytest.approx(40 / 7, rel=0.1)
    assert missing.best_place(20) == (0, 5)


def test_a_wider_gap_is_filled_sooner_and_two_gaps_later_than_each() -> None:
    narrow = Prospects([1, 5, 9, 13, 17, 40, 20, 29, 33, 37], EVENLY).wait
    wide = Prospects([1, 5, 9, 13, 17, 40, 28, 29, 33, 37], EVENLY).wait
    both = Prospects([40, 5, 9, 13, 17, 40, 20, 29, 33, 37], EVENLY).wait
    assert wide < narrow < both


def test_a_fair_player_values_cards_that_rise_with_room_and_near_their_places() -> None:
    rising = [2, 6, 10, 14, 18, 22, 26, 30, 34, 38]
    assert fitting(rising, 40) > fitting([*rising[:9], 1], 40) > fitting([*rising[:8], 2, 1], 40)
    assert fitting(rising, 40) > fitting(list(range(1, 11)), 40)


def test_a_strong_player_does_not_wait_for_a_card_that_lies_in_the_discard_pile() -> None:
    memory = Memory(40, 1)
    memory.watch_pile(30)
    memory.watch(parse_turn("2:D17x17"))
    memory.watch(parse_turn("1:D5@10x33"))
    chances = memory.chances([5])
    assert sum(chances) == pytest.approx(1)
    assert [card for card in range(1, 41) if not chances[card]] == [5, 17, 30, 33]


def test_a_strong_player_remembers_what_was_taken_and_where_it_went() -> None:
    memory = Memory(40, 1)
    memory.watch_pile(30)
    memory.watch(parse_turn("2:T30@35x8"))
    unknown = memory.chances([])[20]
    assert 0 < memory.chances([])[30] < unknown
    memory.watch(parse_turn("1:D7x7+1@5/2@35"))
    memory.watch(parse_turn("2:D?@35x9"))
    assert 0 < memory.chances([])[30] < unknown
    assert memory.exchanges(2) == 2


def test_a_turned_over_pile_is_what_comes_next() -> None:
    memory = Memory(40, 1)
    memory.watch_pile(30)
    for turn in ("2:D17x17", "1:D18x18"):
        memory.watch(parse_turn(turn))
    memory.watch_pile(30)
    chances = memory.chances([])
    assert chances[17] == chances[18] > chances[3] > 0
    assert chances[30] == 0
    memory.watch(parse_turn("2:D17x17"))
    assert memory.chances([])[17] == 0


@pytest.mark.parametrize("level", SKILLED)
def test_a_player_who_waits_for_a_run_calls_in_the_end(level: Level) -> None:
    view = View((1, 5, 9, 13, 20, 21, 22, 29, 33, 37), 2)
    player = a_player(level, "bonus")
    answers = [player.calls(view) for _ in range(10)]
    assert not answers[0]
    assert answers[-1]


@pytest.mark.parametrize("level", SKILLED)
def test_nobody_skilled_waits_for_a_run_that_earns_nothing(level: Level) -> None:
    assert a_player(level).calls(View((1, 5, 9, 13, 20, 21, 22, 29, 33, 37), 2))


def test_a_run_is_lengthened_at_its_ends() -> None:
    rules = rules_for("parker-1992", 2, ["bonus"])
    ahead = dict(runs_ahead(rules, (1, 5, 9, 13, 20, 21, 26, 29, 33, 37)))
    assert ahead == {19: 50, 22: 50}
    assert dict(runs_ahead(rules, (1, 5, 9, 13, 20, 21, 22, 29, 33, 37))) == {19: 50, 23: 50}
    assert runs_ahead(rules, (1, 5, 9, 13, 15, 21, 27, 30, 32, 34)) == []


def test_a_pair_is_a_hope_of_a_run() -> None:
    rules = rules_for("parker-1992", 2, ["run-of-three"])
    apart = run_worth(rules, (1, 5, 9, 13, 20, 24, 28, 31, 34, 37), EVENLY)
    paired = run_worth(rules, (1, 5, 9, 13, 20, 21, 28, 31, 34, 37), EVENLY)
    assert apart < paired < run_worth(rules, (1, 5, 9, 13, 20, 21, 22, 31, 34, 37), EVENLY)


@pytest.mark.parametrize("level", LEVELS)
def test_powers_are_used_on_the_cards_they_are_for(level: Level) -> None:
    rack = (2, 26, 10, 14, 18, 22, 6, 30, 34, 38)
    player = a_player(level, edition="hasbro-2006", players=3)
    for _ in range(20):
        own = player.use(View(rack, 7), "switch-own")
        assert own is None or (isinstance(own, Switch) and {own.one[0], own.other[0]} == {1})
        mixed = player.use(View(rack, 7), "switch-with-opponent")
        assert mixed is None or (isinstance(mixed, Switch) and mixed.one[0] == 1 != mixed.other[0])
        theirs = player.use(View(rack, 7), "switch-opponents")
        assert theirs is None or (isinstance(theirs, Switch) and 1 not in (theirs.one[0], theirs.other[0]))
        assert player.use(View(rack, 7), "another-turn") in ("again", None)


@pytest.mark.parametrize("level", SKILLED)
def test_two_misplaced_cards_of_the_own_rack_are_switched(level: Level) -> None:
    player = a_player(level, edition="hasbro-2006")
    rack = (3, 40, 15, 20, 27, 33, 9, 45, 51, 57)
    assert player.use(View(rack, 7), "switch-own") == Switch((1, 10), (1, 35))


def test_partners_leave_each_other_alone() -> None:
    seats = (1, 2, 3, 4)
    player = virtual_player("strong", rules_for("parker-1992", 4, ["partners"]), 2, seats, Random(1))
    assert player.foes == (1, 3)


def test_a_turn_without_a_slot_is_no_exchange() -> None:
    memory = Memory(40, 1)
    memory.watch(Turn(2, "draw", 4, None, 4))
    assert memory.exchanges(2) == 0
    assert memory.danger == 0
