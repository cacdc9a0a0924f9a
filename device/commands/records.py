"""Writing games down from what the referee says of them, in the words of engine.record.

A record made so knows no deck, since the referee never sees one: it can be read back and scored again
(`engine.record.replayed`), but its turns cannot be checked against their positions. It holds the turns as they were
told last; violations and calls have no place in it.
"""

from collections.abc import Iterable
from dataclasses import replace

from engine.errors import BadInput
from engine.events import Amended, Event, GameStarted, RoundEnd, RoundReopened, RoundStarted, TurnPlayed
from engine.record import GameRecord, RoundRecord
from engine.variants import AS_PRINTED, Options


def begun(start: GameStarted, options: Options = AS_PRINTED) -> GameRecord:
    """A game of which nothing was played yet. The event does not name the table's options, hence the argument."""
    return GameRecord(start.edition, start.players, start.variants, options)


def after(record: GameRecord, event: Event) -> GameRecord:
    """The record once one more event of the same game was said. Raises BadInput for a turn or an end without a round.

    A round that was cut off stays as it is, without an end; the next one follows it.
    """
    if isinstance(event, RoundStarted):
        return replace(record, rounds=(*record.rounds, RoundRecord(event.dealer)))
    if not isinstance(event, TurnPlayed | Amended | RoundEnd | RoundReopened):
        return record
    if not record.rounds:
        raise BadInput("a turn or the end of a round was said before any round began")
    return replace(record, rounds=(*record.rounds[:-1], _in_round(record.rounds[-1], event)))


def _in_round(played: RoundRecord, event: TurnPlayed | Amended | RoundEnd | RoundReopened) -> RoundRecord:
    match event:
        case TurnPlayed(turn=turn):
            return replace(played, turns=(*played.turns, turn))
        case Amended(number=number, turn=turn):
            if not 1 <= number <= len(played.turns):
                raise BadInput(f"turn {number} was amended, but this round has {len(played.turns)}")
            return replace(played, turns=(*played.turns[: number - 1], turn, *played.turns[number:]))
        case RoundEnd(out=out, scores=scores):
            return replace(played, out=out, points={seat: score.points for seat, score in scores.items()})
        case RoundReopened():
            return replace(played, out=None, points={})


def recorded(events: Iterable[Event], options: Options = AS_PRINTED) -> tuple[GameRecord, ...]:
    """Every game that the events tell of, finished or cut off, all of them with the same options.

    Raises BadInput for events that no referee says in this order.
    """
    games: list[GameRecord] = []
    for event in events:
        if isinstance(event, GameStarted):
            games.append(begun(event, options))
        elif games:
            games[-1] = after(games[-1], event)
        else:
            raise BadInput("something was said before any game began")
    return tuple(games)
