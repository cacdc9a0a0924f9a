"""Saying what is certain: when an act may be said, in which words, and what has to be amended."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.cards import Seat, Slot
from engine.events import Amended, Doubt, Event, TakenBack, Thread, TurnPlayed, Violation
from engine.following.breaches import Breaches
from engine.following.history import Act, History
from engine.following.verdict import unsure_slots
from engine.following.weighing import shares
from engine.game import Game
from engine.moves import Turn
from engine.powers import power_used
from engine.round import Play
from engine.violations import WORDS, Rule

CERTAIN: Final = (0.998, 0.97, 0.9)
"""An act is said once its histories hold this much of all weight: a new one, one that another has followed, and one
that two or more have followed, when waiting tells nothing more and everybody waits for the referee."""

CERTAIN_VIOLATION: Final = (0.9995, 0.995, 0.99)
"""The same for what breaks a rule, and for a lost thread, ..."""

CERTAIN_AT_LAST: Final = 0.97
"""The same when nothing more will be learnt: no more looks come, the round is over, or OPEN others have followed. It is
less, for waiting makes it no surer: in 700 rounds with cheats that were seen in parts (tests/engine/test_mixed_looks.py
plays some) and in 173 drawn evenings all of 45 that were between this and 0.99 were true; from 0.95 on 8 of 10."""

LIKELY_AT_LAST: Final = 0.9
"""A turn that nothing follows is said at the end of all looks if it is this likely, ..."""

LIKELY: Final = 0.5
"""... and one that others follow, if it is this likely: then whoever reads on is better served with it."""

VIOLATION_LOOKS: Final = 2
"""... and after so many looks have shown all of it, or play has gone on."""

PATIENCE: Final = 2
"""A turn whose new card nobody could read yet is said without it once this many acts followed."""

OPEN: Final = 6
"""An act that is not certain once this many followed is said as it most likely was, with its doubts."""

FADED: Final = 4.0
"""A history this many log units behind the best is given up, ..."""

RECENT: Final = 3
"""... if it differs neither in the latest so many acts that were said nor in those that were not."""

OUT_OF_STEP: Final = 2
"""So many acts that are no turns may come before the one that was said, in a history that knows of more."""

WINDOW: Final = 12
"""So many of the latest turns can still be amended."""

PRIME: Final = 0.5
"""A discarded card this likely to be a Prime card may have its power used: its turn is said when that is decided."""


@dataclass(frozen=True, slots=True)
class _Told:
    """An act as it was said: how many turns there were until then, the turn, if it was one, and the rule it broke.

    The rule only if that was said, too. key: the act's.
    """

    number: int
    turn: Turn | None
    rule: Rule | None
    key: tuple[object, ...]


class Telling:
    """What was said of one round, so that nothing is said twice and what turns out otherwise is amended."""

    def __init__(self, game: Game) -> None:
        """Begin a round."""
        self._game = game
        self._told: tuple[_Told, ...] = ()
        self._breaches = Breaches()
        self._checked: tuple[object, object] = ((), None)
        self.turns = 0
        self._lost = False
        self._doubted: set[tuple[Seat, Slot, int]] = set()

    def at_last(self, histories: Sequence[History]) -> tuple[list[Event], list[History]]:
        """Say every act that is likely, when no more looks will come: the very last one only if it is quite likely."""
        said = self._named_late(histories, at_last=True)
        # What was likely, and is said now, makes nobody's offence any surer.
        kept, weighed = list(histories), shares(histories)
        while True:
            agreed, weight = self._likeliest([item for item in kept if len(item.acts) > int(item.unfinished)], kept)
            if not agreed or weight < (LIKELY_AT_LAST if len(agreed[0].acts) == 1 else LIKELY):
                return said + self.amended(kept), kept
            named = self._breaches.chance(agreed[0].acts[0], weighed) >= CERTAIN_AT_LAST
            said += self.say(agreed[0], named=named)
            kept = [_with_first_said(history) for history in agreed]

    def certain(self, histories: Sequence[History]) -> tuple[list[Event], list[History]]:
        """Say every act that is certain. Return the events, and the histories that agree with them."""
        said: list[Event] = []
        kept = list(histories)
        while any(history.acts for history in kept):
            agreed, weight = self._agreed(kept)
            if not agreed:
                break
            open_still = weight < CERTAIN[-1]
            if open_still:
                said += self._doubts(kept, agreed[0])
            weighed, first = shares(kept), agreed[0].acts[0]
            named = self._breaches.chance(first, weighed) >= CERTAIN_AT_LAST
            said += self.say(agreed[0], named=named)
            # Those that hold another turn of the same player to have been played are kept while they are likely at all:
            # if the looks to come speak for them, what was said is amended.
            kept = [after for history in kept if (after := self._in_step(history, first)) is not None]
            self._breaches.given_up(weighed, shares(kept), first if named else None)
            kept = [history for history in kept if not _has_faded(history, kept[0])]
        return said + self.amended(kept) + self._named_late(kept), kept

    def _in_step(self, history: History, said: Act) -> History | None:
        """A history after something was said: without the act that answers to it; None where it has none."""
        if not history.acts and history.turned_over and said.turned_over:
            # Nobody need have drawn: what lies there may have been turned up.
            return replace(history, past=(*history.past, Act("undone", said.seat, said.t))[-WINDOW:])
        if len(history.acts) <= int(history.unfinished):
            return None
        for place, act in enumerate(history.acts[: OUT_OF_STEP + 1]):
            if act.key == said.key:
                earlier = [one for one in history.acts[:place] if _in_either_order(one, act)]
                acts = (*earlier, *history.acts[place + 1 :])
                return replace(history, acts=acts, past=(*history.past, act)[-WINDOW:])
            if act.kind == "turn" and not _in_either_order(act, said):
                break
        return _with_first_said(history) if _is_alternative(history, said) else None

    def _agreed(self, histories: Sequence[History]) -> tuple[list[History], float]:
        """The histories whose first act may be said now, the likeliest first, and their chance; none while none may."""
        agreed, weight = self._likeliest([history for history in histories if self._is_complete(history)], histories)
        if not agreed:
            return [], 0.0
        best = agreed[0]
        followers, act = len(best.acts) - 1, best.acts[0]
        if followers >= OPEN:
            return agreed, weight
        if act.rule is not None or act.kind != "turn":
            # Who was seen in the middle of it and never at its end may have done something else.
            half_seen = not act.looks and followers > 0 and best.acts[1].t > act.t
            followed = not half_seen and any(later.kind == "turn" for later in best.acts[1:])
            certain = weight >= _at(CERTAIN_VIOLATION, followers) and (act.looks >= VIOLATION_LOOKS or followed)
        else:
            certain = weight >= _at(CERTAIN, followers)
        waits = not certain or (followers < PATIENCE and _is_unread(best, act))
        return ([], 0.0) if waits else (agreed, weight)

    def _likeliest(self, complete: Sequence[History], histories: Sequence[History]) -> tuple[list[History], float]:
        """Those among the complete ones that begin with the likeliest act, and their share of all histories."""
        weights: dict[tuple[object, ...], float] = {}
        chances = {id(history): chance for history, chance in shares(histories)}
        for history in complete:
            for key in _beginnings(history):
                weights[key] = weights.get(key, 0.0) + chances[id(history)]
        if not weights:
            return [], 0.0
        said = self._told[-1].key if self._told else None
        for history in histories:
            # What was said otherwise may be held to have been this very breach: only the telling of it differs.
            for act in history.past[-1:]:
                if act.rule is not None and act.key in weights and act.key != said:
                    weights[act.key] += chances[id(history)]
        likeliest = max(weights, key=weights.__getitem__)
        first = complete[0].acts[0]
        if first.kind == "lost" and weights[first.key] >= CERTAIN_VIOLATION[-1]:
            likeliest = first.key
        agreed = [_begun_with(history, likeliest) for history in complete if likeliest in _beginnings(history)]
        # The one whose first act it is can be said as it stands.
        return sorted(agreed, key=lambda history: history.acts[0].key != likeliest), weights[likeliest]

    def _is_complete(self, history: History) -> bool:
        """Whether the first act that was not said yet came to its end."""
        if len(history.acts) <= int(history.unfinished):
            return False
        powers = self._game.rules.edition.powers
        if not powers or len(history.acts) > 1:
            return True
        act = history.acts[0]
        decided = act.kind != "turn" or act.effect is not None
        return decided or history.belief.chance_of(act.discarded, powers) < PRIME

    def say(self, history: History, *, named: bool) -> list[Event]:
        """Say the first act of a history; what it breaks only if that is certain (`named`)."""
        act = history.acts[0]
        said: list[Event] = []
        turn: Turn | None = None
        if act.kind == "turn":
            self.turns += 1
            turn = history.turn(act)
            said.append(self._turn_event(history, act, turn))
        if act.rule is not None and named:
            said.append(self.violation(act.rule, act.seat, act.t))
        lost = act.kind == "lost" or (self._lost and act.kind != "turn")
        if lost != self._lost:
            self._lost = lost
            text = "The referee has lost the thread; play on." if lost else "The referee follows again."
            said.append(Thread(lost, text, act.t))
        self._told = (*self._told, _Told(self.turns, turn, act.rule if named else None, act.key))[-WINDOW:]
        return said

    def say_all(self, weighed: Sequence[tuple[History, float]]) -> tuple[list[Event], History]:
        """Say every act of the likeliest history, which comes first in `weighed`: the round is over.

        Also a turn whose player has called before discarding is said.
        """
        said = self._named_late([history for history, _ in weighed], at_last=True)
        history = weighed[0][0]
        while history.acts:
            over = not history.unfinished or len(history.acts) > 1
            chance = self._breaches.chance(history.acts[0], weighed)
            said += self.say(history, named=over and chance >= CERTAIN_AT_LAST)
            history = _with_first_said(history)
        return said + self.amended([history]), history

    def _turn_event(self, history: History, act: Act, turn: Turn) -> TurnPlayed:
        powers = self._game.rules.edition.powers
        prime = turn.effect is not None or turn.discarded in powers
        power = None
        if turn.effect is not None:
            power = power_used(turn.effect, act.seat)
        elif turn.discarded is not None:
            power = powers.get(turn.discarded)
        if len(history.acts) == 1:
            to_move = history.position.to_move
        else:
            to_move = act.seat if turn.effect == "again" else self._game.next_dealer(act.seat)
        return TurnPlayed(turn, to_move, act.t, act.turned_over, prime, power, act.in_sight)

    def violation(self, rule: Rule, seat: int, t: float) -> Violation:
        """Name what somebody did wrong."""
        text = WORDS[rule].format(name=self._game.name(seat))
        return Violation(rule, seat, f"{text} Play goes on.", t)

    def _doubts(self, histories: Sequence[History], best: History) -> Iterator[Event]:
        """Ask, once, for the slots on which the histories differ, where that is why an act stays open."""
        weighed = shares(histories)
        for seat in self._game.seats:
            for doubt in unsure_slots(weighed, seat):
                place = (seat, doubt.slot)
                what = (*place, best.at(place))
                if what in self._doubted or not doubt.candidates or len({item.at(place) for item in histories}) == 1:
                    continue
                self._doubted.add(what)
                yield Doubt(seat, doubt.slot, doubt.candidates, best.acts[-1].t)

    def amended(self, histories: Sequence[History]) -> list[Event]:
        """Say which turns that were said are held to be others now."""
        best = histories[0]
        if best.past is self._checked[0] and best.belief is self._checked[1]:
            return []
        said: list[Event] = []
        told = list(self._told)
        weighed, open_still = shares(histories), False
        for back, one, act in self._told_and_held(best):
            if one.turn is None or act.kind not in ("turn", "undone"):
                continue
            now = None if act.kind == "undone" else history_turn(best, act, one.turn)
            if now == one.turn:
                continue
            # Other turns may be in doubt: what counts is how many histories hold this one to be so.
            chance = sum(chance for other, chance in weighed if _tells(other, back, one.turn, now))
            same_place = now is not None and _place_of(now) == _place_of(one.turn)
            if chance < (CERTAIN[-1] if same_place else CERTAIN[0]):
                open_still = True
                continue
            told[-back] = replace(one, turn=now)
            said.append(
                TakenBack(one.number, act.seat, act.t) if now is None else Amended(one.number, now, act.t, act.in_sight)
            )
        self._told = tuple(told)
        if not open_still:
            self._checked = (best.past, best.belief)
        return said

    def _named_late(self, histories: Sequence[History], *, at_last: bool = False) -> list[Event]:
        """Name what is certain only now: a turn that was said by the rules, or in doubt, broke one."""
        best = histories[0]
        said: list[Event] = []
        told = list(self._told)
        for back, one, act in self._told_and_held(best):
            if act.rule is None or one.rule == act.rule:
                continue
            settled = at_last or back > OPEN
            shown = act.looks >= VIOLATION_LOOKS or back > 1 or any(later.kind == "turn" for later in best.acts)
            enough = CERTAIN_AT_LAST if settled else _at(CERTAIN_VIOLATION, back - 1)
            if (shown or settled) and self._breaches.chance_of_said(act, shares(histories), back) >= enough:
                told[-back] = replace(one, rule=act.rule)
                said.append(self.violation(act.rule, act.seat, act.t))
        self._told = tuple(told)
        return said

    def _told_and_held(self, history: History) -> Iterator[tuple[int, _Told, Act]]:
        """What was said, oldest first, with how far back that is, and what a history holds it to have been."""
        for back in range(min(len(self._told), len(history.past)), 0, -1):
            yield back, self._told[-back], history.past[-back]


def _place_of(turn: Turn) -> tuple[object, ...]:
    return turn.seat, turn.source, turn.slot


def _tells(history: History, back: int, before: Turn, now: Turn | None) -> bool:
    """Whether a history, too, holds the turn so far `back` that was said as `before` to be `now`; None: taken back."""
    if back > len(history.past):
        return False
    act = history.past[-back]
    if now is None or act.kind != "turn":
        return now is None and act.kind == "undone"
    return history_turn(history, act, before) == now


def history_turn(history: History, act: Act, before: Turn) -> Turn:
    """An act as a turn; a card that was said and is not sure any more stays as it was said."""
    now = history.turn(act)
    if _place_of(now) != _place_of(before):
        return now
    card = before.card if now.card is None else now.card
    discarded = before.discarded if now.discarded is None else now.discarded
    return replace(now, card=card, discarded=discarded)


def _with_first_said(history: History) -> History:
    return replace(history, acts=history.acts[1:], past=(*history.past, history.acts[0])[-WINDOW:])


def _at(thresholds: Sequence[float], followers: int) -> float:
    return thresholds[min(followers, len(thresholds) - 1)]


def _has_faded(history: History, best: History) -> bool:
    """Whether an unlikely history is one because of something that is past: nothing to come will speak for it."""
    if history.score >= best.score - FADED or history is best:
        return False
    return _story(history) == _story(best)


def _story(history: History) -> list[tuple[object, ...]]:
    """What was said lately, and what was not said yet."""
    return [act.key for act in (*history.past[-RECENT:], *history.acts)]


def _is_alternative(history: History, said: Act) -> bool:
    """Whether a history's first act may be what was said: another turn of that player, or what another one drew.

    That one is who had another turn by a Prime card: whose card was drawn and discarded shows only later. A turn by the
    rules may also have ended with a wrong discard: what lies there is then no card that was drawn and discarded, by
    that player or by the next one, who plays now, and would surely be out of turn. Or another card may have been
    exchanged in it, of which one look was had before the rack was out of sight.
    """
    act, before = history.acts[0], history.past[-1] if history.past else None
    same_rule = act.rule == said.rule or (act.rule in {"wrong-discard", "two-cards-exchanged"} and said.rule is None)
    if act.kind != said.kind or not same_rule:
        return False
    again = before is not None and before.effect == "again" and before.seat == act.seat
    return act.seat == said.seat or (again and act.move == said.move == Play("draw", None))


def _beginnings(history: History) -> list[tuple[object, ...]]:
    """What a history may be said to begin with: where a card was replaced unseen, what comes next is as good.

    So is what was done in another rack meanwhile; but a turn that nothing follows may not have come to its end.
    """
    first, *then = history.acts[:3]
    either = bool(then) and _in_either_order(first, then[0]) and (then[0].kind != "turn" or len(then) > 1)
    return [act.key for act in history.acts[: 2 if first.kind == "lost" or either else 1]]


def _begun_with(history: History, key: tuple[object, ...]) -> History:
    """The same history, told in the order in which it begins with an act, if that may be."""
    first, *then = history.acts
    if first.key == key or not _in_either_order(first, then[0]):
        return history
    return replace(history, acts=(then[0], first, *then[1:]))


def _in_either_order(one: Act, other: Act) -> bool:
    """Whether it makes no difference which came first: cards moved within a rack, and what left that rack alone.

    Of a player who moves cards while another one plays, looks seldom show when that was.
    """
    kinds, alone = {one.kind, other.kind}, {one.effect, other.effect} <= {None, "again"}
    return kinds == {"turn", "rearranged"} and alone and one.seat != other.seat


def _is_unread(history: History, act: Act) -> bool:
    """Whether a turn holds a card that nobody could read so far."""
    if act.kind != "turn":
        return False
    turn = history.turn(act)
    return (turn.card is None and not act.blind) or turn.discarded is None
