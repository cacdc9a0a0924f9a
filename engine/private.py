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

    broken: violations of any rule but a false call. rounds: that were scored. best: the most points of one round.
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


Counts = Mapping[Seat, Tally]


@dataclass(frozen=True)
class Private:
    """What is not public: the open doubts of all racks, and what was counted of each player.

    counts: of what they did. begun: the same at the beginning of each round. results: who went out in each scored
    round, and everybody's points.
    """

    doubts: tuple[OwnDoubt, ...] = ()
    counts: Counts = field(default_factory=lambda: MappingProxyType({}))
    begun: tuple[Counts, ...] = ()
    results: tuple[tuple[Seat, Mapping[Seat, int]], ...] = ()

    def doubts_of(self, seat: Seat) -> tuple[OwnDoubt, ...]:
        """The open doubts of one rack, slot by slot."""
        return tuple(doubt for doubt in self.doubts if doubt.seat == seat)

    def tally_of(self, seat: Seat) -> Tally:
        """One player's game so far."""
        points = [scored[seat] for _, scored in self.results if seat in scored]
        return replace(
            self.counts.get(seat, Tally()),
            rounds=len(points),
            out=sum(out == seat for out, _ in self.results),
            points=sum(points),
            best=max(points, default=0),
        )


NOTHING_PRIVATE: Final = Private()
"""Before the first game."""


def after(private: Private, event: Event) -> Private:
    """What is private once `event` has happened."""
    match event:
        case GameStarted():
            return NOTHING_PRIVATE
        case Doubt(seat, slot, candidates, _):
            others = _without(private.doubts, seat, slot)
            doubts = sorted([*others, OwnDoubt(seat, slot, candidates)], key=lambda doubt: (doubt.seat, doubt.slot))
            return replace(private, doubts=tuple(doubts))
        case DoubtSettled(seat, slot, _):
            return replace(private, doubts=_without(private.doubts, seat, slot))
        case TurnPlayed():
            return _counted(private, event.turn.seat, turns=1, taken=int(event.turn.source == "discard"))
        case CallMade(seat) if seat is not None:
            return _counted(private, seat, calls=1)
        case Violation(rule, seat):
            return _counted(private, seat, **{"false_calls" if rule == "false-call" else "broken": 1})
        case RoundStarted() | RoundEnd() | RoundReopened() | RoundAbandoned() | Rejudged():
            return _between_rounds(replace(private, doubts=()), event)
        case _:
            return private


def _between_rounds(
    private: Private, event: RoundStarted | RoundEnd | RoundReopened | RoundAbandoned | Rejudged
) -> Private:
    match event:
        case RoundStarted(number):
            return replace(private, begun=(*private.begun[: number - 1], private.counts))
        case RoundEnd():
            scored = {seat: score.points for seat, score in event.scores.items()}
            results = private.results[:-1] if event.amends else private.results
            return replace(private, results=(*results, (event.out, scored)))
        case RoundReopened():
            return replace(private, results=private.results[:-1])
        case Rejudged(_, rounds):
            counts = private.begun[rounds] if rounds < len(private.begun) else private.counts
            return replace(private, counts=counts, results=private.results[:rounds])
        case RoundAbandoned():
            return private


def _without(doubts: tuple[OwnDoubt, ...], seat: Seat, slot: Slot) -> tuple[OwnDoubt, ...]:
    return tuple(doubt for doubt in doubts if (doubt.seat, doubt.slot) != (seat, slot))


def _counted(private: Private, seat: Seat, **more: int) -> Private:
    """Add to what was counted of a player."""
    tally = private.counts.get(seat, Tally())
    tally = replace(tally, **{name: getattr(tally, name) + count for name, count in more.items()})
    return replace(private, counts={**private.counts, seat: tally})
