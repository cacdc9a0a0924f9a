"""What each player may see of the own rack, and nobody else: a fold, event by event, beside the public board.

Doubts name likely cards of a rack, so that they are for its owner's eyes; the host learns no more than that there are
some, until the round is over.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from engine.cards import Card, Seat, Slot
from engine.events import (
    CallMade,
    Doubt,
    DoubtSettled,
    Event,
    GameStarted,
    Rejudged,
    RoundAbandoned,
    RoundEnd,
    RoundReopened,
    RoundStarted,
    TurnPlayed,
    Violation,
)


@dataclass(frozen=True)
class OwnDoubt:
    """A slot that is asked for, with its likeliest cards; none: it could not be read at all."""

    seat: Seat
    slot: Slot
    candidates: Mapping[Card, float]


@dataclass(frozen=True)
class Tally:
    """One player's game so far, in numbers that tell nothing of a rack. taken: turns with a card from the discard pile.

    broken: violations of any rule but a false call. best: the most points of one round.
    """

    turns: int = 0
    taken: int = 0
    calls: int = 0
    false_calls: int = 0
    broken: int = 0
    rounds: int = 0
    out: int = 0
    points: int = 0
    best: int = 0


@dataclass(frozen=True)
class Private:
    """What is not public: the open doubts of all racks, and each player's tally."""

    doubts: tuple[OwnDoubt, ...] = ()
    tallies: Mapping[Seat, Tally] = field(default_factory=lambda: MappingProxyType({}))

    def doubts_of(self, seat: Seat) -> tuple[OwnDoubt, ...]:
        """The open doubts of one rack, slot by slot."""
        return tuple(doubt for doubt in self.doubts if doubt.seat == seat)


NOTHING_PRIVATE: Final = Private()
"""Before the first game."""


def after(private: Private, event: Event) -> Private:
    """What is private once `event` has happened."""
    match event:
        case GameStarted():
            return Private(tallies={player.seat: Tally() for player in event.players})
        case RoundStarted() | RoundEnd() | RoundReopened() | RoundAbandoned() | Rejudged():
            private = replace(private, doubts=())
        case Doubt(seat, slot, candidates, _):
            others = [doubt for doubt in private.doubts if (doubt.seat, doubt.slot) != (seat, slot)]
            doubts = sorted([*others, OwnDoubt(seat, slot, candidates)], key=lambda doubt: (doubt.seat, doubt.slot))
            return replace(private, doubts=tuple(doubts))
        case DoubtSettled(seat, slot, _):
            kept = [doubt for doubt in private.doubts if (doubt.seat, doubt.slot) != (seat, slot)]
            return replace(private, doubts=tuple(kept))
        case _:
            pass
    return _counted(private, event)


def _counted(private: Private, event: Event) -> Private:
    match event:
        case TurnPlayed():
            taken = int(event.turn.source == "discard")
            return _with(private, event.turn.seat, turns=1, taken=taken)
        case CallMade(seat) if seat is not None:
            return _with(private, seat, calls=1)
        case Violation(rule, seat):
            return _with(private, seat, **{"false_calls" if rule == "false-call" else "broken": 1})
        case RoundEnd() if not event.amends:
            for seat, score in event.scores.items():
                private = _with(private, seat, rounds=1, out=int(seat == event.out), points=score.points)
                tally = private.tallies[seat]
                best = replace(tally, best=max(tally.best, score.points))
                private = replace(private, tallies={**private.tallies, seat: best})
    return private


def _with(private: Private, seat: Seat, **more: int) -> Private:
    """Add to a player's tally."""
    tally = private.tallies.get(seat, Tally())
    tally = replace(tally, **{name: getattr(tally, name) + count for name, count in more.items()})
    return replace(private, tallies={**private.tallies, seat: tally})
