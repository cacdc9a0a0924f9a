"""Which pile a player reaches for, and whose hand it is.

Vision tells for which pile an arm reaches; otherwise, a hand over one of them hides it, and the other stays in view.
"""

import math
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from engine.cards import Seat, Source
from engine.following.arms import STRANGER, ArmSeen
from engine.following.history import Act, Glance, History, Reach
from engine.following.stir import changed_slots

CONTRARY_COST: Final = math.log(0.1)
"""Log chance that who takes a card from a pile was seen to reach for the other one first. Of 142 exchanges in recorded
and drawn rounds in which one pile alone was hidden two were so; people's hands stray more."""

EARLY: Final = math.log(0.1)
"""Log chance that a player's arm is over the tray before the card discarded in the turn before is seen there, ..."""

LATE: Final = math.log(0.02)
"""... and that it still is once the player's own discard was seen there."""

TELLING: Final = 2
"""More looks at the arms of one turn tell no more than so many: they are much alike."""


def reach_of(history: History, acts: Sequence[Act], glance: Glance) -> Reach | None:
    """Tell which pile a hand was seen over first since the last turn, with one more look; `acts` are not said yet.

    None until the card discarded in that turn was seen to lie there, and both piles were: before, the hand that is seen
    over one may be that player's, and a pile that cannot be made out is not hidden.
    """
    last = next((act for act in reversed((*history.past, *acts)) if act.kind in ("turn", "lost")), None)
    if last is not None and not last.in_sight:
        return None
    before, discard, draw = _since_last_turn(history), "discard" in glance.index, glance.draw is not None
    if before is None:
        return "neither" if discard and draw else None
    reached = _seen_to_reach(glance) or (None if discard == draw else "draw" if discard else "discard")
    if before != "neither" or reached is None:
        return before
    # once the rack has changed, who reaches for the discard pile puts a card there
    exchanged = changed_slots(history, history.position.to_move, glance)
    return "neither" if exchanged else reached


def _seen_to_reach(glance: Glance) -> Source | None:
    """Give the pile for which an arm in this look reaches, if it shows one."""
    latest = glance.arms.seen[-1] if glance.arms.seen else None
    return None if latest is None or latest.t < glance.t else latest.arm.reaches


def reaching_cost(history: History, source: Source) -> float:
    """Give how much a turn that takes a card from a pile is less likely, as log chance, by where a hand was seen."""
    return contrary_cost(_since_last_turn(history), source)


def contrary_cost(reached: Reach | None, source: Source) -> float:
    """Give the log chance of taking a card from a pile if a hand `reached` for what it was seen over first."""
    return 0.0 if reached in {None, "neither", source} else CONTRARY_COST


def _since_last_turn(history: History) -> Reach | None:
    """Give which pile a hand was seen over; what was seen before a turn that is only being made up belongs to that."""
    only_now = history.acts and not history.acts[-1].looks
    return None if only_now else history.reached


def arms_before(origin: History, glance: Glance) -> float:
    """Give how likely a history's latest turns are, as log chance, by whose arms reached for the tray until the last.

    Arms that were seen since speak of the next turn alone.
    """
    last = next((act.t for act in reversed(origin.latest) if act.kind == "turn"), glance.began)
    return arms_cost(origin, glance, last)


def arms_cost(history: History, glance: Glance, until: float = math.inf) -> float:
    """Give how likely a history's latest turns are, as log chance, by the arms over the tray that were seen until then.

    These are the last turn that was seen whole before this look, and those since. The next player may have begun one
    more, and who played before them may still have been laying down a card.
    """
    before, turns = _latest_turns(history, glance)
    arms = [arm for arm in _arms_since(before, glance) if arm.t <= until]
    if not (arms and turns):
        return 0.0
    ends = range(len(arms) + 1)
    # costs[n]: the first n arms are those of the turns so far
    costs = [0.0] + [-math.inf] * len(arms)
    if before is not None and glance.arms.over(before.ended) == math.inf:
        sums = _sums(arms, before.seat)
        costs = [_of_one_turn(sums, 0, end) for end in ends]
    for turn in turns:
        sums, absent = _sums(arms, turn.seat), glance.arms.absent
        costs = [
            max(costs[begin] + (_of_one_turn(sums, begin, end) if begin < end else absent) for begin in range(end + 1))
            for end in ends
        ]
        over = _over(turn, history, glance)
        for at, arm in enumerate(arms if over < math.inf else ()):
            costs[at + 1] += LATE if arm.t > over else 0.0
            costs[at] += EARLY if arm.t < over else 0.0
    seats = history.position.seats
    sums = _sums(arms, seats[(seats.index(turns[-1].seat) + 1) % len(seats)])
    return max(cost + _of_one_turn(sums, end, len(arms)) for end, cost in enumerate(costs))


def speak_for(history: History, glance: Glance, seat: Seat) -> bool:
    """Whether an arm that was seen since the last turn is rather that seat's than that of the player to move."""
    last = next((act for act in reversed(history.latest) if act.kind == "turn"), None)
    arms, to_move = _arms_since(last, glance), history.position.to_move
    return any(arm.chances[seat] == 0 and arm.chances[to_move] < STRANGER / 2 for arm in arms)


def _latest_turns(history: History, glance: Glance) -> tuple[Act | None, Sequence[Act]]:
    """Give the last turn that was seen whole before this look and those since, and the turn before them."""
    turns = [act for act in history.latest if act.kind == "turn"]
    whole = next((at for at in range(len(turns) - 1, -1, -1) if turns[at].looks and turns[at].t < glance.t), 0)
    return turns[whole - 1] if whole else None, turns[whole:]


def _arms_since(turn: Act | None, glance: Glance) -> Sequence[ArmSeen]:
    """Give the arms that were seen since a turn's discard was (None: since the deal)."""
    over = glance.began if turn is None else glance.arms.over(turn.ended)
    since = turn.t if turn is not None and over == math.inf else over
    return [arm for arm in glance.arms.seen if arm.t > since]


def _over(turn: Act, history: History, glance: Glance) -> float:
    """Give when a turn was over for all to see (Arms.over); one of this look, as soon as the discard pile is shown."""
    shown_now = turn.t == glance.t and "discard" in glance.index and not history.unfinished
    return glance.t if shown_now else glance.arms.over(turn.ended)


def _sums(arms: Sequence[ArmSeen], seat: Seat) -> Sequence[float]:
    """Give the sums of the log chances that the first arms, none to all of them, are a player's."""
    return [0.0, *accumulate(arm.chances[seat] for arm in arms)]


def _of_one_turn(sums: Sequence[float], begin: int, end: int) -> float:
    """Give the log chance that the arms from `begin` to before `end` are those of one turn of the player of `sums`."""
    return (sums[end] - sums[begin]) * min(1.0, TELLING / (end - begin)) if begin < end else 0.0
