"""The truth of a round: one step after another, each with the true table before and after it.

Positions are engine.round.Round with card numbers; 0 stands for a slot that has lost its card.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from device.sessions.truth import NO_WHOLE_TURN
from engine.cards import Card, Seat
from engine.moves import Turn
from engine.round import Round
from engine.violations import Rule

GAP: Final = 0
"""In a rack: a slot that has lost its card."""


@dataclass(frozen=True, slots=True)
class Cheat:
    """A broken rule, and whose it is. `also`: who may be named as well, where two racks show one number."""

    rule: Rule
    seat: Seat
    also: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happened at the table.

    what: "dealt" (the first step of a round), "turn", "turned-over" (the discard pile, without anybody drawing),
    "tampered" (a rack changed between two turns) or "call". turn: as it was played, with its effect; None in a cheat
    that no turn describes. called: who called RACK-O, rightly so unless there is a violation.
    """

    what: Literal["dealt", "turn", "turned-over", "tampered", "call"]
    before: Round
    after: Round
    turn: Turn | None = None
    called: Seat | None = None
    violation: Cheat | None = None


@dataclass(frozen=True)
class PlayedRound:
    """A round and its truth. `deck`: as it was dealt, top card first. `out`: None for a round that was given up."""

    dealer: Seat
    deck: tuple[Card, ...]
    steps: tuple[Step, ...]
    out: Seat | None
    points: Mapping[Seat, int]

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns that the referee is expected to tell."""
        return tuple(step.turn for step in self.steps if step.turn is not None and expected(step))

    @property
    def violations(self) -> tuple[Cheat, ...]:
        """The cheats, each at the first step that shows it."""
        return tuple(step.violation for step in self.steps if step.violation is not None)


def expected(step: Step) -> bool:
    """Whether the turn of a step, if it has one, is expected of the referee."""
    return step.violation is None or step.violation.rule not in NO_WHOLE_TURN
