"""Another card than the exchanged one is discarded in people's own ways: laid down first, or after a slot was tried."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from engine import referee as referee_module
from engine.cards import SLOTS, Seat, Source, slot_index
from engine.editions import Edition
from engine.following.history import Glance, History, Place
from engine.following.tempo import Tempo
from engine.following.weighing import shares, weigh
from engine.lines import EMPTY, Sighting
from engine.round import Play, Round, moved
from engine.variants import Options
from tests.engine.tables import PARKER, Watched, Ways, dice, look

PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])
SOURCES = pytest.mark.parametrize("source", ["draw", "discard"])
SEEDS = pytest.mark.parametrize("seed", [1, 2, 3])
PASS = Play("draw", None)


def with_next_discarded(before: Round, move: Play) -> Round:
    """The player to move keeps the card that left the rack, and discards the draw pile's next."""
    after = moved(before, move, before.to_move)
    return replace(after, draw=after.draw[:-1], discard=(*after.discard[:-1], after.draw[-1]))


def weighings(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[History], Glance, Edition, Tempo]]:
    """What the referee comes to hold for possible with each look, the likeliest first, and by what it was weighed."""
    seen: list[tuple[list[History], Glance, Edition, Tempo]] = []

    def noted(histories: Sequence[History], glance: Glance, edition: Edition, tempo: Tempo) -> list[History]:
        seen.append((weigh(histories, glance, edition, tempo), glance, edition, tempo))
        return seen[-1][0]

    monkeypatch.setattr(referee_module, "weigh", noted)
    return seen


def accused(table: Watched, seat: Seat) -> None:
    """Play on; every turn that follows is told, and that one player is accused."""
    played = len(table.true)
    table.go_on(4, 7)
    table.finish()
    assert table.violations == [("wrong-discard", seat)]
    assert table.turns[-4:] == table.true[played:]


@PLAYERS
@SOURCES
@SEEDS
@pytest.mark.parametrize("seen", [True, False])
def test_a_wrong_discard_is_named_where_it_was_laid_down_before_the_new_card_stands(
    players: int, source: Source, seed: int, *, seen: bool
) -> None:
    """As it lies there the card seems to be drawn and discarded; that is taken back."""
    table = Watched(PARKER.dealt(players, seed))
    table.go_on(4, seed)
    before, seat, slot = table.position, table.position.to_move, dice(seed).choice(SLOTS)
    table.position = with_next_discarded(before, Play(source, slot))
    old = before.rack(seat)[slot_index(slot)]
    gap: Mapping[Place, Sighting] = {(seat, slot): {EMPTY if seen else old: 1.0}}
    table.show(instead=gap)
    table.show(3)
    accused(table, seat)


@PLAYERS
@SEEDS
def test_a_wrong_discard_is_named_where_another_slot_was_tried_first(players: int, seed: int) -> None:
    table = Watched(PARKER.dealt(players, seed))
    table.go_on(4, seed)
    before, seat = table.position, table.position.to_move
    slot, other = dice(seed).sample(SLOTS, 2)
    table.position = with_next_discarded(before, Play("draw", slot))
    covered: Mapping[Place, Sighting] = {"discard": {before.discard[-1]: 1.0}}
    stands = {**covered, (seat, slot): {before.rack(seat)[slot_index(slot)]: 1.0}}
    table.show(instead={**stands, (seat, other): {before.draw[-1]: 1.0}})
    table.show(instead=stands)
    table.show(instead=covered)
    table.show()
    accused(table, seat)


@PLAYERS
@SEEDS
def test_a_wrong_discard_is_no_further_turn_by_a_power_for_which_there_was_no_time(players: int, seed: int) -> None:
    """Else the Prime card that left the rack might lie below, and who discarded it might have drawn another."""
    start = Ways("hasbro-2006").dealt(players, seed)
    seat, prime = start.to_move, start.rack(start.to_move)[0]
    ways = Ways("hasbro-2006", options=Options(powers={prime: "another-turn"}))
    table = Watched(replace(start, powers=ways.options.powers or {}), ways)
    for _ in range(2 * players):
        table.t += 6.0
        table.play(PASS)
    before = table.position
    table.position = with_next_discarded(before, Play("draw", 5))
    table.t += 5.0
    table.show(instead={"discard": {before.discard[-1]: 1.0}})
    table.show()
    for slot in (15, 25, 35, 45):
        table.t += 6.0
        table.play(Play("draw", slot))
    table.finish()
    assert table.violations == [("wrong-discard", seat)]
    assert table.turns[-4:] == table.true[-4:]


@SEEDS
def test_who_reached_for_the_draw_pile_and_took_the_other_card_is_hardly_suspected(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """It is as odd whether the card that left the rack is discarded then, or another one."""
    weighed = weighings(monkeypatch)
    ways = Ways("hasbro-2006")
    table = Watched(ways.dealt(2, seed), ways)
    for _ in range(12):
        table.t += 6.0
        table.go_on(1, seed)
    before, slot = table.position, dice(seed).choice(SLOTS)
    seat, move, taken = before.to_move, Play("discard", slot), before.discard[-1]
    for _ in range(2):
        table.t += 1.0
        table.line(replace(look(before, table.t), draw=None))
    for chance in (0.8, 1.0):
        table.t += 1.0
        read = look(moved(before, move, seat), table.t, unseen=["discard"], instead={(seat, slot): {taken: chance}})
        table.line(replace(read, changed={seat: {slot: table.t}}))
    kept = weighed[-1][0]
    suspected = [chance for history, chance in shares(kept) if history.acts[-1].rule == "wrong-discard"]
    assert kept[0].acts[-1].move == move
    assert 0 < sum(suspected) < 0.01


def test_nobody_is_accused_by_a_pile_that_was_turned_over_since(monkeypatch: pytest.MonkeyPatch) -> None:
    """The discard was never seen, and the whole pile lies face down now: what shows is not what was discarded."""
    seen = weighings(monkeypatch)
    table = Watched(PARKER.dealt(2, 1))
    table.go_on(6, 1)
    table.position = moved(table.position, Play("draw", 25), table.position.to_move)
    table.show(unseen=["discard"])
    history = seen[-1][0][0]
    assert not history.pile_seen
    table.show(instead={"discard": {table.position.draw[-1]: 1.0}})
    turned = replace(history.position, draw=history.position.discard, discard=())
    _, glance, edition, tempo = seen[-1]
    after = weigh([replace(history, position=turned)], glance, edition, tempo)
    assert not any(act.rule == "wrong-discard" for one in after for act in one.acts)
