"""How sure it is that somebody broke a rule, whatever was said meanwhile."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from engine.following.history import Act, History
from engine.following.verdict import Weighed

Breach = tuple[object, ...]


class Breaches:
    """The chances that rules were broken, by all histories there were, not only by those that are still held.

    Where a turn is said that is likely, though not certain, the histories that tell it otherwise are given up. What the
    others agree in is no surer for that: who seems to be out of turn after that turn might be in turn after another.
    """

    def __init__(self) -> None:
        """Begin a round."""
        self._held: dict[Breach, float] = {}

    def chance(self, act: Act, weighed: Weighed) -> float:
        """Give the chance that this broke this rule, whatever followed, and from whichever pile the card came."""
        breach = _breach(act)
        return self._held.get(breach, 1.0) * _share(breach, weighed, _open)

    def chance_of_said(self, act: Act, weighed: Weighed, back: int) -> float:
        """Give the same for an act that was said: the latest but `back` - 1."""
        breach = _breach(act)
        return self._held.get(breach, 1.0) * _share(breach, weighed, lambda history: history.past[-back:][:1])

    def given_up(self, before: Weighed, after: Weighed) -> None:
        """Note how much less sure a breach is than those histories hold that are left once an act was said."""
        known = {_breach(act) for history, _ in after for act in history.latest if act.rule is not None}
        self._held = {breach: held for breach, held in self._held.items() if breach in known}
        for breach in known:
            was, now = (_share(breach, weighed, lambda history: history.latest) for weighed in (before, after))
            if now > 0:
                self._held[breach] = self._held.get(breach, 1.0) * min(1.0, was / now)


def _breach(act: Act) -> Breach:
    """What is the same of all acts that break one rule in one way: their key but for the pile and the power."""
    return replace(act, move=act.move and replace(act.move, source="draw"), effect=None).key


def _open(history: History) -> Sequence[Act]:
    """What was not said yet, and what was said last: that may have been said as another act."""
    return (*history.past[-1:], *history.acts)


def _share(breach: Breach, weighed: Weighed, acts: Callable[[History], Sequence[Act]]) -> float:
    return sum(chance for history, chance in weighed if any(_breach(act) == breach for act in acts(history)))
