"""Whose arm reaches over the tray tells who plays, where nothing else does."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from engine.cards import SLOTS, Seat
from engine.events import Event, Thread, Violation
from engine.following.arms import NO_ARMS, Arms, TurnEnd
from engine.following.history import Act, glance_of, opening
from engine.following.reach import arms_cost
from engine.lines import Arm, Observation
from engine.referee import Referee
from engine.round import Play, Round
from engine.variants import rules_for
from tests.engine.tables import dealt, dice, look, seated, step, turns, twice
from tests.engine.test_cheats import two_cards

Sides = dict[int, tuple[float, float, float]]
SIDES: Sides = {1: (150.0, 30.0, 0.45), 2: (20.0, 105.0, 0.7), 3: (150.0, 185.0, 0.55), 4: (280.0, 105.0, 0.45)}
"""Where each player's arm covers the tray's paper, in mm, and its shade."""

Owner = Callable[[Seat, Play], Seat]


def arm_of(seat: Seat, number: int, sides: Sides = SIDES) -> Arm:
    """A player's arm, a little different every time: it reaches for this pile and for that."""
    chance = dice(100 * seat + number)
    x, y, shade = sides[seat]
    return Arm(x + chance.gauss(0, 8), y + chance.gauss(0, 8), shade + chance.gauss(0, 0.02))


def reached(position: Round, t: float, arm: Arm) -> Observation:
    """A look while an arm hides both piles."""
    return replace(look(position, t, unseen=["discard"]), draw=None, arm=arm)


def playing(referee: Referee, start: Round, t: float, move: Play, arm: Arm | None) -> tuple[list[Event], Round]:
    """Show one turn of 8 s: twice an arm over the tray, to draw and to discard, and what lies there in the end."""
    played = step(start, move)
    looks = [look(played.after, t + 7), look(played.after, t + 7.5)]
    if arm is not None:
        looks = [reached(start, t + 1, arm), reached(start, t + 5, arm), *looks]
    return [event for one in looks for event in referee.feed(one)], played.after


def some_turns(
    referee: Referee, start: Round, count: int, owner: Owner = lambda seat, _: seat, sides: Sides = SIDES
) -> Iterator[tuple[list[Event], Round]]:
    """Turns in which the player to move exchanges a card, or every third time passes; `owner` reaches over the tray."""
    position = start
    for number in range(count):
        move = Play("draw", None if number % 3 == 2 else SLOTS[(number * 7 + 3) % 10])
        arm = arm_of(owner(position.to_move, move), number, sides)
        said, position = playing(referee, position, 10 + 8.0 * number, move, arm)
        yield said, position


def accused(events: list[Event]) -> list[tuple[str, Seat | None]]:
    return [(event.rule, event.seat) for event in events if isinstance(event, Violation)]


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("who", ["arms differ", "arms alike", "no arms"])
def test_a_card_drawn_and_discarded_out_of_turn_is_noticed_by_the_arm(players: int, seed: int, who: str) -> None:
    """Two turns later it is said; where all arms look the same, or none is seen, nobody is accused."""
    start = dealt(players, seed)
    referee, said = seated(players, start)
    sides = SIDES if who == "arms differ" else dict.fromkeys(SIDES, SIDES[1])
    position = start
    for events, after in some_turns(referee, start, 9, sides=sides):
        said, position = said + events, after
    cheat = position.seats[(position.seats.index(position.to_move) + 1) % players]
    passed_over = position.to_move
    t = 10 + 8.0 * 9
    order = [(cheat, None), (passed_over, 20), (cheat, 35)]
    for number, (seat, slot) in enumerate(order):
        arm = None if who == "no arms" else arm_of(seat, 20 + number, sides)
        events, after = playing(referee, replace(position, to_move=seat), t + 8 * number, Play("draw", slot), arm)
        said, position = said + events, after
    said += referee.finish()
    if who == "arms differ":
        assert accused(said) == [("wrong-turn", cheat)]
        assert [turn.seat for turn in turns(said)][-3:] == [cheat, passed_over, cheat]
    else:
        # what the rack shows of the turns after it is out of turn too; the card drawn and discarded is nobody's fault
        assert [turn.seat for turn in turns(said)][9] == passed_over


@pytest.mark.parametrize("seed", range(6))
def test_other_peoples_arms_accuse_nobody_of_what_the_racks_contradict(seed: int) -> None:
    """Now and then somebody squares up a pile, or hands over a card: it is the rack that tells whose turn it was."""
    chance = dice(seed)
    start = dealt(3, seed)
    referee, said = seated(3, start)

    def owner(seat: Seat, move: Play) -> Seat:
        return chance.choice((1, 2, 3)) if move.slot is not None and chance.random() < 0.3 else seat

    played = []
    for events, after in some_turns(referee, start, 15, owner):
        said += events
        played.append(after)
    said += referee.finish()
    assert [turn.seat for turn in turns(said)] == [1 + (start.to_move - 1 + n) % 3 for n in range(15)]
    assert not accused(said)


@pytest.mark.parametrize(("looks", "early"), [(3, False), (0, True)])
def test_a_turn_was_over_with_the_look_that_showed_all_of_it_though_its_card_could_not_be_read(
    looks: int, *, early: bool
) -> None:
    """Where that look has not shown all of it, the pile that it showed lacked the card still."""
    arms = replace(NO_ARMS, known={seat: tuple(arm_of(seat, number) for number in range(4)) for seat in (1, 2, 3)})
    for seat, t in ((2, 1.0), (2, 2.0), (None, 4.0), (3, 6.0), (3, 7.0), (None, 9.0)):
        arm = None if seat is None else arm_of(seat, 10 + round(t))
        arms = arms.with_look(Observation(t, {}, {5: 0.4, 6: 0.3} if arm is None else None, arm=arm), (1, 2, 3))
    start = opening((1, 2, 3), 1, rules_for("parker-1992", 3, ()))
    passed = Act("turn", 2, 4.0, Play("draw", None), start.top, start.top, looks=looks)
    history = replace(start, acts=(passed,), position=replace(start.position, to_move=3))
    glance = glance_of(Observation(9.0, {}, {5: 0.4, 6: 0.3}), (1, 2, 3), 0.0, arms)
    assert (arms_cost(history, glance) < -1.0) == early
    assert len(arms.taught(2, passed.ended).known[2]) == 6


@pytest.mark.parametrize("seen_to_lie", [True, False])
def test_the_arm_that_lays_down_a_card_is_not_the_next_players(seen_to_lie: bool) -> None:  # noqa: FBT001 - given by pytest
    """The rack shows a turn before the hand that discards has gone."""
    arms = NO_ARMS
    for number, seat in enumerate((1, 2, 3) * 3):
        t = 10.0 * number
        for look_at in (
            Observation(t + 1, {}, None, arm=arm_of(seat, number)),
            Observation(t + 4, {}, {5: 1.0}),
            Observation(t + 6, {}, None, arm=arm_of(seat, number + 50)),
            Observation(t + 7, {}, {5: 1.0}),
        ):
            arms = arms.with_look(look_at, (1, 2, 3))
        arms = arms.taught(seat, TurnEnd(t + 4, t + 7 if seen_to_lie else None, whole=False))
    assert all(len(arms.known[seat]) == 6 for seat in (1, 2, 3))
    assert all(abs(arm.y - SIDES[seat][1]) < 40 for seat in (1, 2, 3) for arm in arms.known[seat])


def test_an_arm_like_none_before_tells_nothing() -> None:
    arms = Arms(known={seat: tuple(arm_of(seat, number) for number in range(5)) for seat in (1, 2)})
    strange = arms.with_look(Observation(1.0, {}, None, arm=Arm(250.0, 190.0, 0.1)), (1, 2)).seen[-1]
    assert abs(strange.chances[1] - strange.chances[2]) < 0.5
    own = arms.with_look(Observation(1.0, {}, None, arm=arm_of(2, 9)), (1, 2)).seen[-1]
    assert own.chances[2] == 0
    assert own.chances[1] < -2.5


def test_nonsense_over_the_tray_breaks_nothing() -> None:
    arms = NO_ARMS
    for x in (1e308, -1e308, 1e200, 0.0):
        arms = arms.with_look(Observation(1.0, {}, None, arm=Arm(x, -x, x)), (1, 2)).taught(
            1, TurnEnd(1.0, 1.0, whole=True)
        )
    assert all(chance <= 0 for one in arms.seen for chance in one.chances.values())


@pytest.mark.parametrize("seed", range(4))
def test_a_card_is_rather_taken_in_its_player_s_turn_than_before_though_no_arm_was_seen(seed: int) -> None:
    """Before, nobody was seen reaching for it either: though somebody plays out of turn next, the thread is not lost.

    The player before has exchanged two cards, so that either may have lain on top.
    """
    start = dealt(4, seed)
    referee, said = seated(4, start)
    position = start
    for events, after in some_turns(referee, start, 12):
        said, position = said + events, after
    after = two_cards(position, 2 * seed, source="draw").after
    said += twice(referee, replace(after, discard=position.discard), 108.5)
    said += twice(referee, after, 110.0)
    position = after
    taken = step(position, Play("discard", 20))
    laid_bare = look(position, 0.0, instead={"discard": {position.discard[-2]: 1.0}})
    in_hand = look(replace(taken.after, discard=position.discard[:-1]), 0.0)
    for number, one in enumerate([laid_bare] * 16 + [in_hand] * 2):
        said += referee.feed(replace(one, t=113.0 + 0.2 * number))
    said += twice(referee, taken.after, 116.5)
    passed_over = taken.after.to_move
    cheat = next(seat for seat in taken.after.seats if seat not in (passed_over, position.to_move))
    events, _ = playing(referee, replace(taken.after, to_move=cheat), 118.0, Play("draw", 35), arm_of(cheat, 40))
    said += events + referee.finish()
    assert [turn for turn in turns(said) if turn.seat == position.to_move][-1] == taken.turn
    assert not any(isinstance(event, Thread) for event in said)
