"""Cards that are missing from a rack: named once, after some looks or turns, and no gap in which something stands."""

from dataclasses import replace

import pytest

from engine.cards import SLOTS
from engine.events import RoundEnd
from engine.following.history import Act, Place, glance_of, opening
from engine.following.oddities import Oddities, Oddity
from engine.lines import EMPTY, Sighting
from engine.round import Play, put
from engine.variants import rules_for
from tests.engine.tables import PARKER, Watched, look, nearly_done, step
from tests.engine.test_odd_cards import PLAYERS, SEEDS, finished, passing


@PLAYERS
@SEEDS
def test_a_card_that_is_missing_for_two_turns_is_named_once(players: int, seed: int) -> None:
    table = Watched(PARKER.dealt(players, seed))
    table.go_on(2, seed)
    table.put({(1, 45): EMPTY})
    assert table.violations == []
    for _ in range(6):
        table.play(Play("draw", 5))
    assert table.violations == [("missing-card", 1)]
    finished(table)


@PLAYERS
@SEEDS
def test_a_missing_card_that_is_put_back_counts_again_and_is_not_named_again(players: int, seed: int) -> None:
    table = Watched(nearly_done(players, seed))
    card = table.position.rack(1)[8]
    table.put({(1, 45): EMPTY})
    passing(table, 2 * players)
    table.put({(1, 45): card}, looks=4)
    passing(table, players)
    assert table.violations == [("missing-card", 1)]
    assert table.turns == table.true[: len(table.turns)]
    finished(table)


@PLAYERS
@SEEDS
@pytest.mark.parametrize("slot", [5, 10, 30, 50])
def test_a_gap_ends_the_count_of_its_rack(players: int, seed: int, slot: int) -> None:
    rising = tuple(range(2, 22, 2))
    start = nearly_done(players, seed)
    # Seat 1 holds a rack in order but for the gap, of cards that no other rack has.
    others = {card for rack in start.racks[1:] for card in rack} | {start.draw[-1]}
    free = [card for card in range(1, {2: 40, 3: 50, 4: 60}[players] + 1) if card not in others]
    rack = tuple(free[: len(rising)])
    rest = [card for card in free if card not in rack]
    start = replace(start, racks=(rack, *start.racks[1:]), draw=(*rest[1:], start.draw[-1]), discard=(rest[0],))
    table = Watched(start)
    table.put({(1, slot): EMPTY})
    for _ in range(players):
        # Nobody completes anything: the one card that seat 2 needs goes to the bottom of the pile meanwhile.
        table.position = (
            replace(table.position, draw=(table.position.draw[-1], *table.position.draw[:-1]))
            if table.position.draw[-1] == start.draw[-1]
            else table.position
        )
        table.play(Play("draw", None))
    assert table.violations == [("missing-card", 1)]
    table.position = replace(
        table.position, draw=(*(card for card in table.position.draw if card != start.draw[-1]), start.draw[-1])
    )
    table.play(Play("draw", 25))
    table.call(2)
    table.show(3)
    (end,) = [event for event in table.said if isinstance(event, RoundEnd)]
    assert end.scores[1].points == 5 * (slot // 5 - 1)
    assert end.scores[2].points == 75
    assert table.violations == [("missing-card", 1)]


@PLAYERS
@SEEDS
@pytest.mark.parametrize("slot", [5, 30, 50])
def test_nobody_goes_out_with_a_gap(players: int, seed: int, slot: int) -> None:
    table = Watched(nearly_done(players, seed))
    table.play(Play("draw", 25))
    table.put({(2, slot): EMPTY})
    passing(table, players)
    table.call(2)
    table.show(3)
    assert not any(isinstance(event, RoundEnd) for event in table.said)
    assert table.violations == [("missing-card", 2), ("false-call", 2)]


@PLAYERS
@SEEDS
@pytest.mark.parametrize("filled", [False, True])
def test_a_gap_in_which_something_stands_again_that_cannot_be_read_is_none(
    players: int, seed: int, *, filled: bool
) -> None:
    table = Watched(nearly_done(players, seed))
    table.play(Play("draw", 25))
    table.put({(2, 30): EMPTY}, looks=3)
    for _ in range(3):
        table.t += 1.0
        changed = {2: {30: table.t if filled else 1.0}}
        table.line(replace(look(table.position, table.t, unseen=[(2, 30)]), changed=changed))
    table.call(2)
    assert (("missing-card", 2) in table.violations) is not filled


def test_turns_that_were_played_before_a_gap_was_seen_do_not_count_though_they_are_said_later() -> None:
    """Who uses the power of a Prime card lifts a card while the turns before are still being said."""
    start = opening((1, 2), 1, rules_for("hasbro-2006", 2, ()))
    dealt = PARKER.dealt(2, 1000)
    start = replace(start, belief=start.belief.told(start.at((1, 45)), dealt.rack(1)[8]))
    oddities = Oddities(60)

    def named(t: float, *played: float) -> list[Oddity]:
        acts = tuple(Act("turn", 2, at, Play("draw", None), 1, 1, looks=3) for at in played)
        glance = glance_of(look(dealt, t, instead={(1, 45): {EMPTY: 1.0}}), (1, 2), 0.5)
        return oddities.look(glance, [replace(start, past=acts)], len(acts))

    before = [*named(5.0), *named(6.0), *named(7.0, 3.0, 4.0), *named(8.0, 3.0, 4.0)]
    assert [odd for odd in before if odd.rule == "missing-card"] == []
    after = named(16.0, 3.0, 4.0, 11.0, 15.0)
    assert [(odd.rule, odd.seat) for odd in after if odd.rule == "missing-card"] == [("missing-card", 1)]


@PLAYERS
@SEEDS
def test_a_gap_that_was_hardly_sure_in_any_look_is_named_by_none(players: int, seed: int) -> None:
    """A card that hardly peeps out is told to be no card, look after look, by one that has hardly enough reason."""
    table = Watched(PARKER.dealt(players, seed))
    table.go_on(2, seed)
    hardly: dict[Place, Sighting] = {(1, 45): {EMPTY: 0.962}}
    for _ in range(6):
        after = step(table.position, Play("draw", 5)).after
        table.position = after
        table.show(3, instead=hardly)
    assert table.violations == []


@PLAYERS
@SEEDS
@pytest.mark.parametrize("slot", [5, 25, 50])
def test_a_gap_that_was_never_seen_filled_is_no_turn_and_is_named_once_its_player_has_played_twice(
    players: int, seed: int, slot: int
) -> None:
    """A card was taken away out of a rack that nobody had read; its look has changed since the deal."""
    rack = [(2, one) for one in SLOTS]
    table = Watched(PARKER.dealt(players, seed), shown=False)
    table.show(2, unseen=rack)
    table.position = put(table.position, (2, slot), EMPTY)
    began = table.t + 1.0
    for _ in range(4):
        table.t += 1.0
        table.line(replace(look(table.position, table.t), changed={2: dict.fromkeys(SLOTS, began)}))
    assert table.turns == []
    others = [one for one in SLOTS if one != slot]
    for number in range(players):
        table.play(Play("draw", others[number]), looks=3)
    assert table.violations == []
    for number in range(players, 2 * players):
        table.play(Play("draw", others[number]), looks=3)
    assert table.violations == [("missing-card", 2)]
    assert table.turns == table.true[: len(table.turns)]
    finished(table)
