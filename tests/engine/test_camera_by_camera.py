"""A camera a rack and one at the tray: a changed slot is seen some moments before the discarded card is."""

from functools import partial

import pytest

from engine.cards import SLOTS
from engine.events import Doubt, RoundEnd, Thread, TurnPlayed, Violation
from engine.following.history import Place
from engine.lines import Call, Sighting
from engine.moves import Turn
from engine.record import turn_between
from engine.round import Play, Round, play
from tests.engine.tables import PARKER, Watched, careless, dice, nearly_done, step
from tests.engine.test_cheats import Cheat, Way, rearranged, two_cards, wrong_discard, wrong_turn

PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])
SEEDS = pytest.mark.parametrize("seed", [7, 8, 9])


class Apart(Watched):
    """A table whose turns take some seconds, and are seen rack first, at the pace of recorded rounds."""

    def becomes_apart(self, position: Round, turn: Turn | None) -> None:
        """The racks are seen as they are now while the tray is as it was; a hand is over it where its top was taken."""
        top = self.position.discard[-1]
        before: dict[Place, Sighting] = {"discard": {top: 1.0}}
        taken = any(top in rack for rack in position.racks)
        if turn is not None:
            self.true.append(turn)
        self.position = position
        self.t += 3.5
        self.show(2, instead=before, unseen=["discard"] if taken else [])
        self.t -= 0.8
        self.show(1, unseen=["discard"])
        self.t -= 0.6
        self.show(2)

    def play_apart(self, move: Play) -> None:
        after = play(self.position, move)
        self.becomes_apart(after, turn_between(self.position, move, after))

    def go_on_apart(self, turns: int, seed: int) -> None:
        choose = careless(seed)
        for _ in range(turns):
            self.play_apart(choose(self.position))

    def named_once(self, done: Cheat) -> bool:
        """Play on and say whether that cheat was named, nothing else, and the thread never lost."""
        for slot in (5, 50, 20, 35):
            self.play_apart(Play("draw", slot))
        self.finish()
        lost = any(isinstance(event, Thread) for event in self.said)
        return self.violations == [(done.rule, done.seat)] and not lost


def some_turns_later(players: int, seed: int) -> Apart:
    table = Apart(PARKER.dealt(players, seed))
    table.go_on_apart(4, seed + 20)
    return table


CHEATS = pytest.mark.parametrize(
    "cheat",
    [
        partial(wrong_turn, source="draw", onward=True),
        partial(wrong_turn, source="discard", onward=False),
        partial(two_cards, source="draw"),
        partial(two_cards, source="discard"),
        partial(wrong_discard, source="draw"),
    ],
    ids=["turn-draw", "turn-discard", "two-draw", "two-discard", "discard"],
)


@PLAYERS
@SEEDS
def test_honest_turns_are_told_as_they_were_and_nobody_is_accused(players: int, seed: int) -> None:
    table = Apart(PARKER.dealt(players, seed))
    table.go_on_apart(9, seed)
    table.finish()
    assert table.turns == table.true
    assert table.violations == []


@PLAYERS
@SEEDS
def test_a_turn_is_told_with_its_discard_in_sight_where_a_look_has_shown_it(players: int, seed: int) -> None:
    table = Apart(PARKER.dealt(players, seed))
    choose = careless(seed)
    for _ in range(6):
        table.play_apart(choose(table.position))
        # the rack's camera looks on; the tray's shows what lies there only now and then
        table.show(3, unseen=["discard"])
        table.show(1)
    table.finish()
    told = [event for event in table.said if isinstance(event, TurnPlayed)]
    assert len(told) == 6
    assert all(event.in_sight for event in told)


@PLAYERS
@SEEDS
@CHEATS
def test_a_cheat_is_named_once_and_nobody_else_is_accused(players: int, seed: int, cheat: Way) -> None:
    table = some_turns_later(players, seed)
    done = cheat(table.position, seed)
    table.becomes_apart(done.after, done.turn)
    assert table.named_once(done)


@PLAYERS
@SEEDS
@CHEATS
def test_a_cheat_is_named_once_where_the_discard_is_seen_before_the_rack_is(
    players: int, seed: int, cheat: Way
) -> None:
    table = some_turns_later(players, seed)
    done, top = cheat(table.position, seed), table.position.discard[-1]
    rack: list[Place] = [(done.seat, slot) for slot in SLOTS]
    table.t += 3.5
    table.show(2, unseen=["discard", *rack] if any(top in other for other in done.after.racks) else rack)
    table.position = done.after
    table.show(2, unseen=rack)
    table.t += 2.0
    table.show(2)
    assert table.named_once(done)


IN_PARTS: list[Way] = [
    partial(two_cards, source="draw"),
    partial(two_cards, source="discard"),
    partial(rearranged, count=3, with_turn=False),
    partial(rearranged, count=3, with_turn=True),
]


@PLAYERS
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("cheat", IN_PARTS, ids=["two-draw", "two-discard", "three-moved", "three-moved-in-a-turn"])
def test_a_cheat_is_named_once_where_the_discard_is_seen_between_the_two_halves_of_the_rack(
    players: int, seed: int, cheat: Way
) -> None:
    """A hand lets go of the rack little by little. What was told of the first half by then is taken back."""
    table = some_turns_later(players, seed)
    done = cheat(table.position, seed)
    hidden: list[Place] = [(done.seat, slot) for slot in dice(seed).sample(SLOTS, 5)]
    table.position = done.after
    table.t += 3.5
    table.show(1, unseen=["discard", *hidden])
    table.show(2, unseen=hidden)
    table.t += 2.0
    table.show(2)
    assert table.named_once(done)


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_a_wrong_discard_is_named_where_the_next_one_may_have_passed(players: int, seed: int) -> None:
    """Only what follows shows that nobody did: the pile was out of sight, and half of the rack, until then.

    Of two players who plays twice is the only one who can be out of turn: that is too likely for a name.
    """
    table = some_turns_later(players, seed)
    top = table.position.discard[-1]
    done = wrong_discard(table.position, seed, source="discard")
    half = SLOTS[5:] if top in done.after.rack(done.seat)[:5] else SLOTS[:5]
    table.position = done.after
    table.t += 3.5
    table.show(2, unseen=["discard", *((done.seat, slot) for slot in half)])
    table.t += 1.0
    table.show(1, unseen=["discard"])
    table.show(2)
    assert table.named_once(done)


@PLAYERS
@pytest.mark.parametrize("seed", range(4))
def test_who_plays_after_a_wrong_discard_is_not_out_of_turn(players: int, seed: int) -> None:
    """The discard is seen first. It may be the card that the next one drew and discarded, but need not."""
    table = some_turns_later(players, seed)
    done = wrong_discard(table.position, seed, source="discard")
    rack: list[Place] = [(done.seat, slot) for slot in SLOTS]
    table.t += 3.5
    table.show(2, unseen=["discard", *rack])
    table.position = done.after
    table.show(2, unseen=rack)
    table.t += 2.0
    table.show(2)
    for slot in (5, 50, 20, 35):
        table.play_apart(Play("draw", slot))
    table.finish()
    assert set(table.violations) <= {(done.rule, done.seat)}
    assert table.turns[-4:] == table.true[-4:]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_who_is_in_the_middle_of_two_cards_when_somebody_calls_is_not_accused(players: int) -> None:
    table = Apart(nearly_done(players, 3))
    table.play(Play("draw", 25))
    seat = table.position.to_move
    fresh = zip(SLOTS[:2], table.position.draw[:2], strict=True)
    table.put({(seat, slot): card for slot, card in fresh}, looks=2)
    table.call(2)
    assert table.violations == []


def test_slots_that_nobody_could_read_make_no_call_false() -> None:
    start = nearly_done(2, 4)
    won = step(start, Play("draw", 25)).after
    unread: list[Place] = [(2, slot) for slot in (10, 15, 45)]
    table = Apart(start, shown=False)
    table.show(2, unseen=unread)
    table.position = won
    table.show(4, unseen=unread)
    table.call(2)
    table.show(4, unseen=unread)
    asked = {(event.seat, event.slot) for event in table.said if isinstance(event, Doubt)}
    assert set(unread) <= asked
    table.finish()
    assert not [event for event in table.said if isinstance(event, Violation)]


def test_a_call_that_waits_for_slots_is_judged_once_they_are_read() -> None:
    start = nearly_done(2, 4)
    unread: list[Place] = [(2, slot) for slot in (10, 15, 45)]
    table = Apart(start, shown=False)
    table.show(2, unseen=unread)
    table.position = step(start, Play("draw", 25)).after
    table.show(3, unseen=unread)
    table.line(Call(table.t + 1, 2))
    assert not [event for event in table.said if isinstance(event, RoundEnd)]
    table.t += 1
    table.show(2)
    assert [event.out for event in table.said if isinstance(event, RoundEnd)] == [2]
