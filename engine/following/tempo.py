"""How fast a table plays: turns that nobody could have played in the time are less likely."""

import math
from dataclasses import dataclass
from typing import Final

from engine.following.history import History

BRISK: Final = 0.6
"""A turn that takes less than this part of a quick turn's time is less likely, ..."""

HASTE: Final = 6.0
"""... by this power of the missing part, ..."""

HASTIEST: Final = math.log(1e-3)
"""... but never less than by this factor."""


@dataclass(frozen=True, slots=True)
class Tempo:
    """How this table plays, as far as the round has shown.

    missed: chance that a turn is over before any look has shown it, though it could have. quick: seconds that a quick
    turn takes, None where that is not known yet. pile_seen: time of the last look, before this one, that showed the
    discard pile.
    """

    missed: float
    quick: float | None = None
    pile_seen: float = -math.inf

    def haste(self, history: History, t: float) -> float:
        """Log chance that one more turn has been played by time `t`, for want of time; 0 where there was enough.

        Of several turns between two looks, the first cannot have been over while the discard pile was seen as before.
        """
        if not self.quick:
            return 0.0
        before = [act.t for act in (*history.past, *history.acts) if act.t < t]
        others = sum(act.t >= t for act in history.acts)
        seconds = (t - before[-1]) / (others + 1) if before else math.inf
        if others:
            seconds = min(seconds, (t - self.pile_seen) / others)
        part = seconds / (BRISK * self.quick)
        return 0.0 if part >= 1 else max(HASTE * math.log(max(part, 0.1)), HASTIEST)
