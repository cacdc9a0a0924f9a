"""How fast a table plays: turns that nobody could have played in the time are less likely."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from engine.following.history import Act, History, Place

BRISK: Final = 0.6
"""A turn that takes less than this part of a quick turn's time is less likely, ..."""

HASTE: Final = 6.0
"""... by this power of the missing part, ..."""

HASTIEST: Final = math.log(1e-3)
"""... but never less than by this factor."""

QUICK: Final = 3.0
"""Seconds that a quick turn takes at a table of which that is not known yet: in recorded rounds all take 4 at least."""

QUICKEST: Final = 0.8
"""At such a table nobody is held to play a turn in less than BRISK of this, half a second: a round figure. By QUICK a
fast game would be doubted."""


@dataclass(frozen=True, slots=True)
class Tempo:
    """How this table plays, as far as the round has shown.

    missed: chance that a turn is over before any look has shown it, though it could have. quick: seconds that a quick
    turn takes, None where that is not known yet. seen: time of the last look, before this one, that showed a place.
    """

    missed: float
    quick: float | None = None
    seen: Mapping[Place, float] = field(default_factory=dict)
    bare: float = -math.inf

    def haste(self, history: History, t: float) -> float:
        """Log chance that one more turn has been played by time `t`, for want of time; 0 where there was enough.

        Of several turns between two looks, the first cannot have been over while what it changed was seen as before.
        """
        before = [act.t for act in history.latest if act.t < t]
        others = [act for act in history.acts if act.t >= t]
        seconds = (t - before[-1]) / (len(others) + 1) if before else math.inf
        if others:
            seconds = min(seconds, (t - self._latest(others[0])) / len(others))
        return _haste(seconds, self.quick or QUICKEST)

    def first_haste(self, t: float) -> float:
        """Log chance that the round's first turn has been played by time `t`, likewise."""
        return _haste(t - self.bare, self.quick or QUICK)

    def _latest(self, act: Act) -> float:
        """When a place that a turn has changed was last seen before it was."""
        changed: list[Place] = ["discard"] if act.slot is None else ["discard", (act.seat, act.slot)]
        return max(self.seen.get(place, -math.inf) for place in changed)


def _haste(seconds: float, quick: float) -> float:
    part = seconds / (BRISK * quick)
    return 0.0 if part >= 1 else max(HASTE * math.log(max(part, 0.1)), HASTIEST)
