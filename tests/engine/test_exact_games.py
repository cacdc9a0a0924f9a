"""Properties of whole games, played with known cards by every rule text, and the positions that a few turns reach."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import SLOTS, Card, Seat, Slot
from engine.errors import IllegalPlay
from engine.moves import Turn
from engine.powers import NO_POWERS, PowerTable, Switch
from engine.record import after_turn, play_of, turn_between
from engine.round import Play, Round, deal, legal_plays, legal_switches, play, use_power
from engine.variants import Options, rules_for
from tests.engine.by_hand import EVERY_WAY, KINDS, Table, Way, ways
from tests.engine.simulated import careless_turns, shuffled
from tests.engine.tables import dice

SEEDS = st.integers(0, 2**32 - 1)


def by_the_engine(way: Way, deck: Sequence[Card], dealer: Seat) -> Round:
    """Deal a round with the engine's own rules."""
    edition = rules_for(way.edition, len(way.seats), way.variants, way.options).edition
    return deal(way.seats, dealer, deck, edition.turn_over, edition.powers)


@dataclass(frozen=True)
class Step:
    """One turn by both: the engine's positions around it, and the table of lists as it is after it."""

    before: Round
    turn: Turn
    after: Round
    table: Table


def side_by_side(way: Way, seed: int, count: int) -> Iterator[Step]:
    """Turns chosen and moved by hand, and played by the engine from its own position."""
    chance = dice(seed)
    deck, dealer = shuffled(way, chance), chance.choice(way.seats)
    table, position = Table(way, deck, dealer), by_the_engine(way, deck, dealer)
    assert in_lists(position) == table.key()
    for turn in careless_turns(table, chance, count):
        after = play(position, play_of(turn))
        after = after if turn.effect is None else use_power(after, turn.effect)
        yield Step(position, turn, after, table)
        position = after


def in_lists(position: Round) -> tuple[object, ...]:
    """What a position holds, told as the table of lists tells it."""
    return position.racks, position.draw, position.discard, position.to_move, position.again, position.power_of


@settings(deadline=None)
@given(ways(), SEEDS)
def test_a_game_moves_the_same_cards_as_lists_moved_by_hand(way: Way, seed: int) -> None:
    for step in side_by_side(way, seed, 120):
        assert in_lists(step.after) == step.table.key()


@settings(deadline=None)
@given(ways(), SEEDS)
def test_every_card_is_there_exactly_once_after_any_turns(way: Way, seed: int) -> None:
    rules = rules_for(way.edition, len(way.seats), way.variants, way.options)
    for step in side_by_side(way, seed, 120):
        after = step.after
        cards = [*after.draw, *after.discard, *(card for rack in after.racks for card in rack)]
        assert sorted(cards) == list(range(1, way.highest_card + 1)) == list(rules.deck)
        assert len(after.draw) + len(after.discard) == rules.pile_size + 1
        assert {len(rack) for rack in after.racks} == {10}
        assert after.discard, "a turn ends with a card on the discard pile"


@settings(deadline=None)
@given(ways(), SEEDS)
def test_the_player_to_move_always_has_a_play_and_the_same_ones_as_by_hand(way: Way, seed: int) -> None:
    before = None
    for step in side_by_side(way, seed, 60):
        plays = legal_plays(step.before)
        assert plays
        assert play_of(step.turn) in plays
        if before is not None:
            assert sorted(map(repr, plays)) == sorted(repr(Play(*move)) for move in before.choices())
        before = step.table.copy()


@settings(deadline=None)
@given(ways(), SEEDS)
def test_a_turn_is_told_by_the_positions_around_it_and_leads_from_one_to_the_other(way: Way, seed: int) -> None:
    for step in side_by_side(way, seed, 60):
        move = play_of(step.turn)
        assert turn_between(step.before, move, play(step.before, move)) == replace(step.turn, effect=None)
        assert after_turn(step.before, step.turn) == step.after


def slots_of(position: Round) -> dict[tuple[Seat, Slot], Card]:
    """The card in every slot."""
    racks = zip(position.seats, position.racks, strict=True)
    return {(seat, slot): card for seat, rack in racks for slot, card in zip(SLOTS, rack, strict=True)}


@settings(deadline=None)
@given(ways(), SEEDS)
def test_a_turn_changes_one_slot_at_most_and_a_switch_exchanges_two(way: Way, seed: int) -> None:
    for step in side_by_side(way, seed, 60):
        turn, expected = step.turn, slots_of(step.before)
        assert step.after.discard[-1] == turn.discarded
        if turn.slot is not None:
            assert turn.card is not None
            assert expected[turn.seat, turn.slot] == turn.discarded
            expected[turn.seat, turn.slot] = turn.card
        if isinstance(turn.effect, Switch):
            one, other = turn.effect.one, turn.effect.other
            expected[one], expected[other] = expected[other], expected[one]
        assert slots_of(step.after) == expected


@pytest.mark.parametrize("way", EVERY_WAY, ids=lambda way: " ".join((way.edition, str(len(way.seats)), *way.variants)))
def test_every_way_to_play_turns_its_piles_over_and_uses_its_powers(way: Way) -> None:
    # Otherwise the properties above would say nothing of the refill and of the powers.
    used: Counter[str] = Counter()
    step = None
    for step in side_by_side(way, 5, 200):
        used["again" if step.turn.effect == "again" else type(step.turn.effect).__name__] += 1
        assert in_lists(step.after) == step.table.key()
    assert step is not None
    assert step.table.refills >= 3
    assert (min(used["again"], used["Switch"]) >= 3) if way.powers else set(used) == {"NoneType"}


def reachable(start: Round, turns: int) -> tuple[int, int]:
    """How many courses of `turns` turns there are, and how many positions they lead to."""
    courses = {start: 1}
    for _ in range(turns):
        after: dict[Round, int] = {}
        for position, ways_there in courses.items():
            for move in legal_plays(position):
                played = play(position, move)
                for reached in (played, *used_powers(played)):
                    after[reached] = after.get(reached, 0) + ways_there
        courses = after
    return sum(courses.values()), len(courses)


def used_powers(position: Round) -> Iterator[Round]:
    """Each position that a power may lead to."""
    for switch in legal_switches(position):
        yield use_power(position, switch)
    with suppress(IllegalPlay):
        yield use_power(position, "again")


def reachable_by_hand(start: Table, turns: int) -> tuple[int, int]:
    """Count the same on tables of lists."""
    courses = {start.key(): (start, 1)}
    for _ in range(turns):
        after: dict[tuple[object, ...], tuple[Table, int]] = {}
        for table, ways_there in courses.values():
            for move in table.choices():
                played = table.copy()
                played.turn(*move)
                ends = [played]
                for effect in (effect for effects in played.effects().values() for effect in effects):
                    ends.append(played.copy())
                    ends[-1].use(effect)
                for end in ends:
                    _, others = after.get(end.key(), (end, 0))
                    after[end.key()] = end, others + ways_there
        courses = after
    return sum(ways_there for _, ways_there in courses.values()), len(courses)


@dataclass(frozen=True)
class Start:
    """A position to count from: two players, cards dealt in order from 1 on by seat 1, then perhaps other piles.

    Seat 2 begins and holds the odd cards 19 to 1, seat 1 the even ones 20 to 2; 21 is turned up and 22 drawn next.
    """

    edition: str
    powers: PowerTable | None = None
    piles: tuple[tuple[Card, ...], tuple[Card, ...]] | None = None

    def both(self) -> tuple[Round, Table]:
        """The same start for the engine and on a table of lists."""
        way = Way(self.edition, (1, 2), (), Options(powers=self.powers))
        deck = range(1, way.highest_card + 1)
        position, table = by_the_engine(way, deck, 1), Table(way, deck, 1)
        if self.piles is not None:
            position = replace(position, draw=self.piles[0], discard=self.piles[1])
            table.draw, table.discard = map(list, self.piles)
        return position, table


AGAIN, OPPONENTS, WITH_OPPONENT, OWN = KINDS
PARKER, HASBRO = "Parker Brothers leaflet, 1992", "Hasbro leaflet, 2006"
DEALT = Start("parker-1992")
USED_UP = Start("parker-1992", piles=((), (22, 21)))
LAST_CARD = Start("parker-1992", piles=((22,), (21,)))
ONLY_DISCARD = Start("parker-1992", piles=((), (21,)))
PRIMES = Start("hasbro-2006")
EACH_POWER = Start("hasbro-2006", {1: AGAIN, 3: OWN, 5: OPPONENTS, 7: WITH_OPPONENT})
ONLY_AGAIN = Start("hasbro-2006", {1: AGAIN})
ONE_EACH = Start("hasbro-2006", {1: AGAIN, 2: WITH_OPPONENT})
ALL_TURNED = Start("hasbro-2006", NO_POWERS, ((), (22, 21)))
ONE_TURNED = Start("hasbro-2006", NO_POWERS, ((), (21,)))


@pytest.mark.parametrize(
    ("start", "turns", "courses", "positions"),
    [
        # 21 plays: ten slots from either pile, and discarding a drawn card. While the draw pile lasts, and until both
        # have had a second turn, no two courses meet: it lacks one card for each draw, and the racks show them.
        pytest.param(DEALT, 1, 21, 21, id=f"{PARKER}: dealt, one turn"),
        pytest.param(DEALT, 2, 441, 441, id=f"{PARKER}: dealt, two turns"),
        pytest.param(DEALT, 3, 9261, 9261, id=f"{PARKER}: dealt, three turns"),
        # Then they can. With x from slot X of seat 2 and y from slot Y of seat 1, seats 2, 1, 2, 1 meet by
        #     22 to X, x to Y, y to X, 22 to Z     or 21 to X, x to Y, y to X, 22 drawn to Z     10 x 10 x 10 slots
        #     22 discarded, 22 to Y, y to X, x to Y     or 21 to X, x to Y, y to X, 22 discarded          10 x 10
        #     22 discarded, 23 to Y, y to X, x to Y     or 22 to X, x to Y, y to X, 23 discarded          10 x 10
        #     22 discarded, 22 to Y, y to X, 23 discarded     or 22 to X, 23 to Y, y to X, 22 to Y        10 x 10
        pytest.param(DEALT, 4, 194481, 194481 - 1000 - 300, id=f"{PARKER}: dealt, four turns", marks=pytest.mark.slow),
        # Two discards, no draw pile: turned over, the top discard is the one card to draw. So drawing it for a slot and
        # taking it for that slot end alike, and 21 plays lead to 11 positions, each with two discards and no draw pile.
        pytest.param(USED_UP, 1, 21, 11, id=f"{PARKER}: used up, one turn"),
        pytest.param(USED_UP, 2, 441, 11**2, id=f"{PARKER}: used up, two turns"),
        # At the third turn the first player has the second one. If the other has discarded what he drew, a slot given
        # away can be taken back, which is discarding twice (10 slots), or filled a turn later instead (10 more).
        pytest.param(USED_UP, 3, 9261, 11**3 - 20, id=f"{PARKER}: used up, three turns"),
        # One card to draw: 11 draws lead to the case above, 10 takings leave one card in each pile again.
        pytest.param(LAST_CARD, 1, 21, 11 + 10, id=f"{PARKER}: one card left, one turn"),
        pytest.param(LAST_CARD, 2, 441, 11 * 11 + 10 * (11 + 10), id=f"{PARKER}: one card left, two turns"),
        pytest.param(
            LAST_CARD, 3, 9261, 11**3 + 10 * 11**2 + 10**2 * (11 + 10) - 20, id=f"{PARKER}: one card left, three turns"
        ),
        # One discard and nothing else: it stays the discard, and can only be taken.
        pytest.param(ONLY_DISCARD, 4, 10**4, 10**4, id=f"{PARKER}: only a discard, four turns"),
        # Seat 2 can discard seven prime numbers (3, 5, 7, 11, 13, 17, 19), each by drawing or taking; any power may be
        # theirs, so each leaves its power unused, takes another turn, or switches two of the twenty slots (190 pairs).
        # The other 7 plays: 1, 9 and 15 by either pile, and 22 drawn and discarded.
        pytest.param(PRIMES, 1, 7 + 14 * (1 + 1 + 190), 2695, id=f"{HASBRO}: prime numbers, one turn"),
        # By either pile: 1 and another turn, 3 and 45 pairs of one's own, 5 and 45 of the opponent's, 7 and 10 x 10.
        pytest.param(EACH_POWER, 1, 21 + 2 * (1 + 45 + 45 + 100), 403, id=f"{HASBRO}: each power, one turn"),
        # 13 plays discard no Prime card, and seat 1 has all 21. Under an unused Prime card (8) seat 1 can only draw, 11
        # plays, and so it is after a switch (90 + 90 + 200). Another turn (2) is a draw by seat 2: 8 cards without a
        # power and the three Prime cards left with theirs. And 3 of the 10 slots that seat 2 can give away with 7 hold
        # 1, 3 or 5: for each, by either pile and for each of 10 slots, seat 1 can use that power: 1 + 45 + 45.
        pytest.param(
            EACH_POWER,
            2,
            13 * 21 + 8 * 11 + 380 * 11 + 2 * (8 + (1 + 45) + (1 + 45) + (1 + 100)) + 2 * 10 * (1 + 45 + 45),
            6763,
            id=f"{HASBRO}: each power, two turns",
        ),
        pytest.param(ONLY_AGAIN, 1, 21 + 2, 23, id=f"{HASBRO}: another turn, one turn"),
        # 19 plays keep 1 in the rack; 2 discard it, 2 use it. After these the next player can only draw.
        pytest.param(ONLY_AGAIN, 2, 19 * 21 + 2 * 11 + 2 * 11, 443, id=f"{HASBRO}: another turn, two turns"),
        # Where seat 2 has kept 1, it has 23 turns now. Where it is gone it lies under another card: 21 plays.
        pytest.param(ONLY_AGAIN, 3, 19 * 21 * 23 + 44 * 21, 10101, id=f"{HASBRO}: another turn, three turns"),
        # Seat 1 can discard 2, by either pile where 1 does not lie on top, and switch 10 x 10. Ways that meet: seat 2
        # gives the card of one of 9 slots for 21 or for 22, seat 1 takes it for 2, and the power brings it back.
        pytest.param(
            ONE_EACH,
            2,
            19 * (21 + 200) + 2 * (11 + 100) + 2 * 11,
            4443 - 2 * (9 - 1),
            id=f"{HASBRO}: each player a Prime card, two turns",
        ),
        # All of the discard pile is the new draw pile: 22 comes to the top. Drawing and taking end differently.
        pytest.param(ALL_TURNED, 1, 21, 21, id=f"{HASBRO}: used up, one turn"),
        pytest.param(ALL_TURNED, 2, 441, 441, id=f"{HASBRO}: used up, two turns"),
        # The only discard can be drawn, for nothing else is there: as taking it, or to be discarded again.
        pytest.param(ONE_TURNED, 1, 21, 11, id=f"{HASBRO}: only a discard, one turn"),
    ],
)
def test_the_positions_reachable_in_some_turns_are_counted(
    start: Start, turns: int, courses: int, positions: int
) -> None:
    position, table = start.both()
    assert reachable(position, turns) == (courses, positions)
    assert reachable_by_hand(table, turns) == (courses, positions)
