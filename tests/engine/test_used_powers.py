"""Prime cards' powers as the referee sees them used: at once, late, wrongly, again and again, or not at all."""

from dataclasses import replace

import pytest

from engine.cards import SLOTS, Card, Seat
from engine.events import RoundEnd, TurnPlayed
from engine.following.history import Place
from engine.powers import POWERS, PRIME_NUMBERS, Effect, Power, Switch, power_used
from engine.record import turn_between
from engine.round import Play, moved, play, switched
from engine.variants import Options
from tests.engine.tables import PARKER, Watched, Ways, dice, left, nearly_done
from tests.engine.test_arms import arm_of, reached

FIRST_SEED = 1000
SEEDS = pytest.mark.parametrize("seed", range(FIRST_SEED, FIRST_SEED + 2))
PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])
HASBRO = Ways("hasbro-2006")


def owners(power: Power | None) -> Ways:
    """Every third card is a Prime card, all with this power."""
    return Ways("hasbro-2006", options=Options(powers=dict.fromkeys(range(3, 61, 3), power)))


def some_use(power: Power, seat: Seat, players: int, seed: int) -> Effect:
    """A way to use that power."""
    if power == "another-turn":
        return "again"
    chance = dice(seed)
    others = [other for other in range(1, players + 1) if other != seat]
    one, two = chance.sample(SLOTS, 2)
    if power == "switch-own":
        return Switch.of((seat, one), (seat, two))
    if power == "switch-with-opponent":
        return Switch.of((seat, one), (chance.choice(others), two))
    return Switch.of((chance.choice(others), one), (chance.choice(others), two))


def calm_turns(table: Watched, seed: int, count: int, *, looks: int | None = None) -> None:
    """Draw by chance, and discard no Prime card as far as that can be helped: what follows is no power's doing."""
    chance = dice(seed)
    for _ in range(count):
        moves = [Play("draw", slot) for slot in chance.sample(SLOTS, 10)]
        calm = [move for move in moves if play(table.position, move).power_of is None]
        table.play((calm or moves)[0], looks)


def up_to_a_prime(table: Watched, seed: int, *, looks: int | None = None, exchanged: bool = True) -> Seat:
    """Two turns without Prime cards, then one is discarded and seen in so many looks; return whose turn it was."""
    chance = dice(seed)
    calm_turns(table, seed, 2)
    while True:
        before = table.position
        for slot in chance.sample(SLOTS, 10) if exchanged else (None,):
            after = play(before, Play("draw", slot))
            if after.power_of is not None:
                table.becomes(after, turn_between(before, Play("draw", slot), after), looks)
                return before.to_move
        calm_turns(table, seed, 1)


def said_turns(table: Watched) -> list[TurnPlayed]:
    """The events of turns."""
    return [event for event in table.said if isinstance(event, TurnPlayed)]


@PLAYERS
@SEEDS
@pytest.mark.parametrize("power", POWERS)
@pytest.mark.parametrize("own_table", [False, True], ids=["powers not known", "owner's table"])
@pytest.mark.parametrize("exchanged", [True, False], ids=["exchanged", "drawn"])
def test_a_used_power_is_part_of_its_turn(
    players: int,
    power: Power,
    seed: int,
    own_table: bool,  # noqa: FBT001 - given by pytest
    exchanged: bool,  # noqa: FBT001 - given by pytest
) -> None:
    ways = owners(power) if own_table else HASBRO
    table = Watched(ways.dealt(players, seed), ways)
    seat = up_to_a_prime(table, seed, exchanged=exchanged)
    table.use(some_use(power, seat, players, seed), looks=0 if power == "another-turn" else 2)
    number = len(table.true)
    calm_turns(table, seed + 1, 5)
    table.finish()
    assert table.violations == []
    assert table.turns == table.true
    said = said_turns(table)[number - 1]
    assert (said.prime, said.power, said.turn.effect) == (True, power, table.true[number - 1].effect)


@pytest.mark.parametrize("seed", range(FIRST_SEED, FIRST_SEED + 7))
def test_who_had_another_turn_and_passed_shows_when_the_next_ones_have_played(seed: int) -> None:
    """Until then the next player's arm, which was seen over the tray, may have drawn: nobody plays out of turn."""
    table = Watched(HASBRO.dealt(3, seed), HASBRO)

    def reaches(seat: Seat) -> None:
        table.t += 1.0
        table.line(reached(table.position, table.t, arm_of(seat, int(table.t))))

    for _ in range(9):
        reaches(table.position.to_move)
        calm_turns(table, seed + int(table.t), 1)
    seat = up_to_a_prime(table, seed)
    assert not any(card in PRIME_NUMBERS for card in table.position.draw[-2:]), "other seeds are needed"
    table.use(some_use("another-turn", seat, 3, seed), looks=0)
    reaches(left(3, seat))
    for _ in range(2):
        table.play(Play("draw", None), 2)
    calm_turns(table, seed + 1, 3)
    table.finish()
    assert table.violations == []
    assert table.turns == table.true


@PLAYERS
@SEEDS
@pytest.mark.parametrize("power", [power for power in POWERS if power != "another-turn"])
def test_a_discard_and_the_switch_it_allows_may_be_seen_at_the_same_time(players: int, power: Power, seed: int) -> None:
    ways = owners(power)
    table = Watched(ways.dealt(players, seed), ways)
    seat = up_to_a_prime(table, seed, looks=0, exchanged=False)
    table.use(some_use(power, seat, players, seed), looks=3)
    calm_turns(table, seed + 1, 5)
    table.finish()
    assert table.violations == []
    assert table.turns == table.true


@PLAYERS
@SEEDS
@pytest.mark.parametrize("ways", [HASBRO, *map(owners, POWERS)], ids=["not known", *POWERS])
def test_a_power_that_is_not_used_is_said_to_be_there_and_no_more(players: int, seed: int, ways: Ways) -> None:
    table = Watched(ways.dealt(players, seed), ways)
    powers = table.position.powers
    table.go_on(10, seed)
    table.finish()
    assert table.violations == []
    assert table.turns == table.true
    for said in said_turns(table):
        card = said.turn.discarded or 0
        assert (said.prime, said.power) == (card in powers, powers.get(card))
        assert said.turn.effect is None
        assert ("power" in said.as_json()) == (card in powers)


@PLAYERS
@SEEDS
def test_the_turn_that_discards_a_prime_card_is_said_when_the_next_player_plays(players: int, seed: int) -> None:
    table = Watched(HASBRO.dealt(players, seed), HASBRO)
    up_to_a_prime(table, seed)
    table.show(4)
    assert table.turns == table.true[:-1], "its power may still be used"
    table.play(Play("draw", 25))
    assert table.turns[: len(table.true) - 1] == table.true[:-1]


@PLAYERS
def test_the_turn_that_discards_a_prime_card_is_said_when_its_player_calls(players: int) -> None:
    for seed in range(FIRST_SEED, FIRST_SEED + 4):
        start = nearly_done(players, seed)
        ways = Ways("hasbro-2006", options=Options(powers={start.rack(2)[4]: None}))
        table = Watched(start, ways)
        table.play(Play("draw", 25))
        assert table.turns == []
        table.call(2)
        table.show()
        assert table.turns == table.true
        assert isinstance(table.said[-1], RoundEnd)
        assert said_turns(table)[-1].prime


@PLAYERS
@SEEDS
@pytest.mark.parametrize("power", [power for power in POWERS if power != "another-turn"])
@pytest.mark.parametrize("own_table", [False, True], ids=["powers not known", "owner's table"])
def test_a_used_power_that_is_noticed_late_amends_its_turn(
    players: int,
    power: Power,
    seed: int,
    own_table: bool,  # noqa: FBT001 - given by pytest
) -> None:
    ways = owners(power) if own_table else HASBRO
    table = Watched(ways.dealt(players, seed), ways)
    seat = up_to_a_prime(table, seed)
    effect = some_use(power, seat, players, seed)
    assert isinstance(effect, Switch)
    hidden: list[Place] = [effect.one, effect.other]
    table.use(effect, looks=0)
    table.show(2, unseen=hidden)
    free = [Play("draw", slot) for slot in SLOTS if (table.position.to_move, slot) not in hidden]
    table.play(next(move for move in free if play(table.position, move).power_of is None), looks=0)
    table.show(2, unseen=hidden)
    table.show(3)
    calm_turns(table, seed + 1, 5)
    table.finish()
    assert table.violations == []
    assert table.turns == table.true


WRONG = [(power, used) for power in POWERS for used in POWERS if used not in (power, "another-turn")]


@pytest.mark.parametrize(("power", "used"), WRONG)
@pytest.mark.parametrize("players", [2, 3])
def test_a_switch_that_the_owners_table_does_not_allow_is_a_violation(players: int, power: Power, used: Power) -> None:
    ways = owners(power)
    for seed in range(FIRST_SEED, FIRST_SEED + 3):
        table = Watched(ways.dealt(players, seed), ways)
        seat = up_to_a_prime(table, seed)
        switch = some_use(used, seat, players, seed)
        assert isinstance(switch, Switch)
        table.becomes(switched(table.position, switch))
        calm_turns(table, seed + 1, 5)
        table.finish()
        assert [rule for rule, _ in table.violations] == ["cards-rearranged"]
        assert table.turns == table.true


@PLAYERS
@pytest.mark.parametrize("seed", range(4))
def test_who_takes_the_prime_card_back_in_the_further_turn_that_it_gave_is_named(players: int, seed: int) -> None:
    """It stands in the rack then and lies no more on the pile: nobody has brought a second one."""
    ways = owners("another-turn")
    table = Watched(ways.dealt(players, seed), ways)
    seat = up_to_a_prime(table, seed)
    slot = dice(seed).choice([slot for slot in SLOTS if slot != table.true[-1].slot])
    table.becomes(moved(table.position, Play("discard", slot), seat))
    calm_turns(table, seed + 1, 5)
    table.finish()
    assert table.violations == [("prime-taken", seat)]


@pytest.mark.parametrize("used", [power for power in POWERS if power != "another-turn"])
@pytest.mark.parametrize("ways", [PARKER, Ways("hasbro-2006", ("classic",))], ids=["parker", "classic"])
@PLAYERS
def test_without_prime_cards_the_same_switch_is_against_the_rules(players: int, ways: Ways, used: Power) -> None:
    for seed in range(FIRST_SEED, FIRST_SEED + 3):
        table = Watched(ways.dealt(players, seed), ways)
        table.go_on(1, seed)
        while table.position.discard[-1] not in PRIME_NUMBERS:
            table.play(Play("draw", 10))
        seat = table.true[-1].seat
        switch = some_use(used, seat, players, seed)
        assert isinstance(switch, Switch)
        table.becomes(switched(table.position, switch))
        table.go_on(4, seed)
        table.finish()
        assert [rule for rule, _ in table.violations] == ["cards-rearranged"]
        assert table.turns == table.true
        assert all("power" not in said.as_json() and not said.prime for said in said_turns(table))


@SEEDS
@PLAYERS
def test_a_switch_within_one_rack_without_prime_cards_is_its_owners(players: int, seed: int) -> None:
    table = Watched(PARKER.dealt(players, seed))
    table.go_on(2, seed)
    for seat in table.position.seats:
        table.becomes(switched(table.position, Switch.of((seat, 15), (seat, 40))))
        table.go_on(2, seed)
    table.finish()
    assert table.violations == [("cards-rearranged", seat) for seat in table.position.seats]


@SEEDS
@PLAYERS
def test_a_switch_while_no_prime_card_lies_on_the_pile_is_a_violation(players: int, seed: int) -> None:
    # Five turns in a row without a Prime card: so it is no power that is noticed late.
    table = Watched(HASBRO.dealt(players, seed), HASBRO)
    calm_turns(table, seed, 5)
    seat = table.true[-1].seat
    table.becomes(switched(table.position, Switch.of((seat, 15), (seat, 40))))
    calm_turns(table, seed, 3)
    table.finish()
    assert table.violations == [("cards-rearranged", seat)]


@SEEDS
@PLAYERS
def test_three_cards_moved_while_a_hand_hides_the_piles_are_named(players: int, seed: int) -> None:
    """Two switches could do it too, but nobody has put other cards there, and it need not be held possible."""
    table = Watched(HASBRO.dealt(players, seed), HASBRO)
    calm_turns(table, seed, 5)
    seat = table.true[-1].seat
    table.show(unseen=["discard"])
    moved = switched(table.position, Switch.of((seat, 15), (seat, 40)))
    table.position = switched(moved, Switch.of((seat, 40), (seat, 25)))
    table.show(unseen=["discard"])
    table.show()
    calm_turns(table, seed, 3)
    table.finish()
    assert table.violations == [("cards-rearranged", seat)]


@PLAYERS
@SEEDS
@pytest.mark.parametrize("primes", [1, 2, 3])
def test_further_turns_that_discard_prime_cards_again_each_have_their_power(
    players: int, seed: int, primes: int
) -> None:
    # All cards have the power, so that every further turn, exchanged or discarded, gives another one.
    everything: dict[Card, Power | None] = dict.fromkeys(range(1, 61), "another-turn")
    ways = Ways("hasbro-2006", options=Options(powers=everything))
    table = Watched(ways.dealt(players, seed), ways)
    seat = table.position.to_move
    chance = dice(seed)
    table.play(Play("draw", chance.choice(SLOTS)))
    for _ in range(primes):
        table.use("again", looks=0)
        table.play(Play("draw", chance.choice((None, *SLOTS))))
    for _ in range(4):
        table.play(Play("draw", chance.choice(SLOTS)))
    table.finish()
    assert table.violations == []
    assert table.turns == table.true
    assert [turn.seat for turn in table.turns[: primes + 1]] == [seat] * (primes + 1)
    assert [turn.effect for turn in table.turns[: primes + 1]] == ["again"] * primes + [None]


@PLAYERS
@SEEDS
@pytest.mark.parametrize("discards", [False, True])
def test_a_further_turn_may_end_with_a_switch(players: int, seed: int, discards: bool) -> None:  # noqa: FBT001 - given by pytest
    start = HASBRO.dealt(players, seed)
    seat = start.to_move
    first, second = start.rack(seat)[0], start.draw[-2] if discards else start.rack(seat)[4]
    ways = Ways("hasbro-2006", options=Options(powers={first: "another-turn", second: "switch-own"}))
    table = Watched(replace(start, powers=ways.options.powers or {}), ways)
    table.play(Play("draw", 5))
    table.use("again", looks=0)
    table.play(Play("draw", None if discards else 25))
    table.use(Switch.of((seat, 20), (seat, 45)))
    for slot in (10, 30, 50):
        table.play(Play("draw", slot))
    table.finish()
    assert table.violations == []
    assert table.turns == table.true


@PLAYERS
@SEEDS
@pytest.mark.parametrize("looks", [1, 3])
def test_in_a_further_turn_another_slot_may_be_tried_first(players: int, seed: int, looks: int) -> None:
    start = HASBRO.dealt(players, seed)
    seat, first = start.to_move, start.rack(start.to_move)[0]
    ways = Ways("hasbro-2006", options=Options(powers={first: "another-turn"}))
    table = Watched(replace(start, powers=ways.options.powers or {}), ways)
    table.play(Play("draw", 5))
    new, old = table.position.draw[-1], table.position.rack(seat)[4]
    table.show(looks, instead={(seat, 25): {new: 1.0}})
    table.show(looks, instead={(seat, 25): {old: 1.0}})
    table.use("again", looks=0)
    table.play(Play("draw", 30))
    for slot in (10, 35, 50):
        table.play(Play("draw", slot))
    table.finish()
    assert table.violations == []
    assert table.turns == table.true


@SEEDS
@PLAYERS
def test_a_further_turn_for_which_the_owners_table_gives_no_power_is_out_of_turn(players: int, seed: int) -> None:
    ways = owners("switch-own")
    table = Watched(ways.dealt(players, seed), ways)
    seat = up_to_a_prime(table, seed)
    table.out_of_turn(seat, Play("draw", 30), table.position.to_move)
    table.go_on(5, seed)
    table.finish()
    assert table.violations == [("wrong-turn", seat)]
    assert table.turns == table.true


def test_the_power_that_was_used_is_told_by_what_changed() -> None:
    assert power_used("again", 1) == "another-turn"
    assert power_used(Switch.of((2, 5), (3, 5)), 1) == "switch-opponents"
    assert power_used(Switch.of((1, 5), (3, 5)), 1) == "switch-with-opponent"
    assert power_used(Switch.of((1, 5), (1, 10)), 1) == "switch-own"


@SEEDS
@PLAYERS
def test_the_first_of_two_switches_used_the_power_and_the_second_was_against_the_rules(players: int, seed: int) -> None:
    """The card may have any power, so that either switch might have been allowed."""
    ways = Ways("hasbro-2006", options=Options(powers=dict.fromkeys(range(3, 61, 3))))
    table = Watched(ways.dealt(players, seed), ways)
    seat = up_to_a_prime(table, seed)
    other = next(one for one in table.position.seats if one != seat)
    table.use(Switch.of((other, 15), (other, 50)))
    own = table.position.rack(seat)
    table.put({(seat, 15): own[3], (seat, 20): own[2]})
    table.go_on(4, seed)
    table.finish()
    assert table.violations == [("cards-rearranged", seat)]
    assert table.turns == table.true
