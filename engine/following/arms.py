"""Whose arm reaches over the tray: at a table everybody sits at a side of their own, in sleeves of their own.

How the players' arms look is learnt from the turns that were said, anew in each round.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from engine.cards import Seat
from engine.lines import Arm, Observation

ALIKE: Final = (25.0, 0.1)
"""Two arms are alike if what they cover is not much more than so many mm apart, and their shades not much more than
this. In recorded and drawn rounds one player's arms were 10 mm and 0.02 apart where they reached for one pile."""

ANYWHERE: Final = 0.05
"""How likely an arm is to be like none of its owner's before, beside being like one of them."""

DOUBT: Final = 2.0
"""An owner's arms are reckoned with as if so many more had been seen that were like none of them."""

STRANGER: Final = math.log(0.02)
"""Log chance that an arm over the tray is not that of who plays: somebody squares up a pile, or hands over a card."""

LEARNT: Final = 12
"""So many arms of each player are remembered, and so many arms since the last turn that was said."""


@dataclass(frozen=True, slots=True)
class ArmSeen:
    """An arm over the tray at time `t`, and the log chance that it is each player's, beside the likeliest one's."""

    t: float
    arm: Arm
    chances: Mapping[Seat, float]


@dataclass(frozen=True, slots=True)
class Arms:
    """The arms that were seen lately, and those of before, by owner."""

    seen: tuple[ArmSeen, ...] = ()
    known: Mapping[Seat, tuple[Arm, ...]] = field(default_factory=dict)

    def with_look(self, look: Observation, seats: Sequence[Seat]) -> "Arms":
        """What is known after one more look, which may show an arm."""
        arm = look.arm
        if arm is None:
            return self
        fits = {seat: self._fit(seat, arm) for seat in seats}
        best = max(fits.values())
        chances = {seat: max(math.log(fit / best), STRANGER) for seat, fit in fits.items()}
        return replace(self, seen=(*self.seen, ArmSeen(look.t, arm, chances))[-LEARNT:])

    def taught(self, seat: Seat, since: float, until: float) -> "Arms":
        """What is known once it is sure that a seat played from one time (excluded) to another.

        An arm that is clearly somebody else's is none of that player's.
        """
        own = [one.arm for one in self.seen if since < one.t <= until and one.chances[seat] > STRANGER / 2]
        return replace(self, known={**self.known, seat: (*self.known.get(seat, ()), *own)[-LEARNT:]})

    def _fit(self, seat: Seat, arm: Arm) -> float:
        """How likely an arm of that player's looks like this, in a unit of no account."""
        known = self.known.get(seat, ())
        return (sum(_alike(arm, one) for one in known) + DOUBT * ANYWHERE) / (len(known) + DOUBT)


def _alike(one: Arm, other: Arm) -> float:
    apart = math.hypot(one.x - other.x, one.y - other.y) / ALIKE[0], (one.shade - other.shade) / ALIKE[1]
    return math.exp(-(apart[0] ** 2 + apart[1] ** 2) / 2)
