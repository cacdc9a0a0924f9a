"""Whose arm reaches over the tray: at a table everybody sits at a side of their own, in sleeves of their own.

How the players' arms look is learnt from the turns that were said, anew in each round.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from engine.cards import Seat
from engine.lines import Arm, Observation

ALIKE: Final = (25.0, 0.1)
"""Two arms are alike if what they cover is not much more than so many mm apart, and their shades not much more than
this. In recorded and drawn rounds one player's arms were 10 mm and 0.02 apart where they reached for one pile."""

ANYWHERE: Final = 0.05
"""How likely an arm is to be like none that was seen before, beside being like one of its owner's."""

DOUBT: Final = 0.5
"""A player's arms are reckoned with as if so many more had been seen, which might be anybody's."""

STRANGER: Final = math.log(0.02)
"""Log chance that an arm over the tray is not that of who plays: somebody squares up a pile, or hands over a card."""

ABSENT: Final = (1, 10)
"""In how many turns no arm is seen: before any was said 1 in 10, as if 10 had told so."""

LEARNT, LATELY = 12, 12
"""So many arms of each player are remembered, and so many of those that were seen last."""


class TurnEnd(NamedTuple):
    """When a turn ended: in the look at time `t`, which showed the `whole` of it, or the last one that showed a part.

    laid: when a look first showed its card on the discard pile; None while none has.
    """

    t: float
    laid: float | None
    whole: bool


BEFORE: Final = TurnEnd(-math.inf, -math.inf, whole=True)
"""Before a round's first turn."""


@dataclass(frozen=True, slots=True)
class ArmSeen:
    """An arm over the tray at time `t`, and the log chance that it is each player's, beside the likeliest one's."""

    t: float
    arm: Arm
    chances: Mapping[Seat, float]


@dataclass(frozen=True, slots=True)
class Arms:
    """The arms that were seen lately, and those of before, by owner. `shown`: when looks showed the discard pile.

    `turns`: how many were said, and how many of them without any arm; `last`: when the latest ended (see `over`).
    """

    seen: tuple[ArmSeen, ...] = ()
    shown: tuple[float, ...] = ()
    known: Mapping[Seat, tuple[Arm, ...]] = field(default_factory=dict)
    turns: tuple[int, int] = (0, 0)
    last: TurnEnd = BEFORE

    @property
    def absent(self) -> float:
        """Log chance that no arm is seen over the tray in a turn, at this table and before these cameras."""
        played, without = self.turns
        return math.log((without + ABSENT[0]) / (played + ABSENT[1]))

    def with_look(self, look: Observation, seats: Sequence[Seat]) -> "Arms":
        """What is known after one more look, which may show an arm."""
        shown = self.shown if look.discard is None else self._shown_at(look.t)
        if look.arm is None:
            return self if shown is self.shown else replace(self, shown=shown)
        fits = self._fits(look.arm, seats)
        best = max(fits.values())
        chances = {seat: max(math.log(fit / best), STRANGER) for seat, fit in fits.items()}
        return replace(self, seen=(*self.seen, ArmSeen(look.t, look.arm, chances))[-LATELY:], shown=shown)

    def _shown_at(self, t: float) -> tuple[float, ...]:
        """When looks showed the discard pile, one more being at `t`: the first and the last between two arms."""
        since_arm = len(self.shown) > 1 and (not self.seen or self.shown[-2] > self.seen[-1].t)
        return (*(self.shown[:-1] if since_arm else self.shown), t)[-2 * LATELY :]

    def taught(self, seat: Seat, turn: TurnEnd) -> "Arms":
        """What is known once it is sure that a seat played the next turn.

        An arm that is clearly somebody else's is none of that player's; nor may be one at the very end.
        """
        since, until = self.over(self.last), self.over(turn)
        meanwhile = [one for one in self.seen if (self.last.t if since == math.inf else since) < one.t < until]
        own = [one.arm for one in meanwhile if one.chances[seat] > STRANGER / 2]
        known = {**self.known, seat: (*self.known.get(seat, ()), *own)[-LEARNT:]}
        turns = self.turns[0] + 1, self.turns[1] + (not meanwhile)
        return replace(self, known=known, turns=turns, last=turn)

    def over(self, turn: TurnEnd) -> float:
        """Give when a turn was over for all to see; infinity if it is not yet.

        That is when its card was first seen to lie there, or else when the discard pile was shown again: until then it
        may be the same player's arm that hides it. The look that showed the whole turn may have shown the pile, too,
        though nobody could read what lies there.
        """
        if turn.laid is not None:
            return turn.laid
        return next((t for t in self.shown if t > turn.t or (turn.whole and t == turn.t)), math.inf)

    def _fits(self, arm: Arm, seats: Sequence[Seat]) -> dict[Seat, float]:
        """How likely an arm of each player's looks like this, in a unit of no account.

        A player of whom little was seen yet may have arms like anybody's.
        """
        alike = {seat: [_alike(arm, one) for one in self.known.get(seat, ())] for seat in seats}
        everybodys = [fit for fits in alike.values() for fit in fits]
        anybodys = max(sum(everybodys) / max(len(everybodys), 1), ANYWHERE)
        return {seat: (sum(fits) + DOUBT * anybodys) / (len(fits) + DOUBT) for seat, fits in alike.items()}


def _alike(one: Arm, other: Arm) -> float:
    apart, shade = math.hypot(one.x - other.x, one.y - other.y) / ALIKE[0], (one.shade - other.shade) / ALIKE[1]
    return math.exp(-(apart * apart + shade * shade) / 2)


NO_ARMS: Final = Arms()
"""Nothing was seen yet."""
