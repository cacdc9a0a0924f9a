"""How sure it is that somebody broke a rule, whatever was said meanwhile."""

from collections.abc import Callable, Sequence
from itertools import dropwhile, takewhile
from typing import Final

from engine.cards import Seat
from engine.following.history import Act, History
from engine.following.verdict import Weighed

Breach = tuple[object, ...]

ONE_RULE: Final = 0.9
"""Where it is sure that somebody broke a rule, but not which one, the likelier is named if it is this likely: of two
cards that were exchanged before anybody looked, the second may have been drawn in that turn or in one out of order."""


class Breaches:
    """The chances that rules were broken, by all histories there were, not only by those that are still held.

    Where a turn is said that is likely, though not certain, the histories that tell it otherwise are given up. What the
    others agree in is no surer for that: who seems to be out of turn after that turn might be in turn after another.
    """

    def __init__(self) -> None:
        """Begin a round."""
        self._held: dict[Breach, float] = {}

    def chance(self, act: Act, weighed: Weighed) -> float:
        """Give the chance that this broke this rule, whatever followed, and from whichever pile the card came.

        Or that its player broke any rule then, in turns on end, where this one is the likeliest by far (ONE_RULE).
        """
        breach = _breach(act)
        held, this = self._held.get(breach, 1.0), _share(breach, weighed, _open)
        if act.rule is None or held * this < ONE_RULE:
            return held * this
        return held * max(this, sum(chance for history, chance in weighed if _breaks_any(history, act.seat)))

    def chance_of_said(self, act: Act, weighed: Weighed, back: int) -> float:
        """Give the same for an act that was said: the latest but `back` - 1."""
        breach = _breach(act)
        return self._held.get(breach, 1.0) * _share(breach, weighed, lambda history: history.past[-back:][:1])

    def given_up(self, before: Weighed, after: Weighed, named: Act | None = None) -> None:
        """Note how much less sure a breach is than those histories hold that are left once an act was said.

        Not of one that was `named` with it: if its player does the same again, that is as sure as it is by itself.
        """
        known = {_breach(act) for history, _ in after for act in history.latest if act.rule is not None}
        if named is not None:
            known.discard(_breach(named))
        self._held = {breach: held for breach, held in self._held.items() if breach in known}
        for breach in known:
            was, now = (_share(breach, weighed, lambda history: history.latest) for weighed in (before, after))
            if now > 0:
                self._held[breach] = self._held.get(breach, 1.0) * min(1.0, was / now)


def _breach(act: Act) -> Breach:
    """What is the same of all acts that break one rule in one way: their key but for the pile and the power."""
    kind, seat, move, _, *rest = act.key
    return kind, seat, None if move is None else (act.slot,), *rest


def _open(history: History) -> Sequence[Act]:
    """What was not said yet, and what was said last: that may have been said as another act."""
    return (*history.past[-1:], *history.acts)


def _breaks_any(history: History, seat: Seat) -> bool:
    """Whether a seat broke a rule in the first of its turns that are open, or in one it played right after that."""
    since = dropwhile(lambda act: act.seat != seat, _open(history))
    return any(act.rule is not None for act in takewhile(lambda act: act.seat == seat, since))


def _share(breach: Breach, weighed: Weighed, acts: Callable[[History], Sequence[Act]]) -> float:
    return sum(chance for history, chance in weighed if any(_breach(act) == breach for act in acts(history)))
