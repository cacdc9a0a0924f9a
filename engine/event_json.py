"""Events read back from the JSON that they were written as: what a journal kept."""

from collections.abc import Mapping
from typing import Final, TypeVar

from engine.cards import Source
from engine.errors import BadInput
from engine.events import (
    Amended,
    CallMade,
    Doubt,
    DoubtSettled,
    Event,
    GameEnd,
    GameStarted,
    Paused,
    RacksWanted,
    Rejudged,
    RoundAbandoned,
    RoundEnd,
    RoundReopened,
    RoundStarted,
    TakenBack,
    Thread,
    TurnPlayed,
    Violation,
)
from engine.fields import Reader, by_number, field, flag, listed, maybe, one_of, real, text, whole
from engine.game import Player
from engine.moves import Turn
from engine.powers import POWERS, Effect, SlotOf, Switch
from engine.scoring import RackScore

T = TypeVar("T")


def event_from_json(said: object) -> Event:
    """Read back what `as_json` wrote. Raises BadInput for anything else, also where a part is of another type."""
    try:
        return _READERS[field(said, "type", one_of(tuple(_READERS)))](said)
    except BadInput as problem:
        raise BadInput(f"{said!r} is no event of a journal: {problem}") from None


def _or(said: object, key: str, read: Reader[T], without: T) -> T:
    """Read a key that may be missing."""
    return field(said, key, read) if isinstance(said, dict) and key in said else without


def _read_turn(said: object) -> Turn:
    return Turn(
        field(said, "seat", whole),
        field(said, "source", maybe(one_of(_SOURCES))),
        field(said, "card", maybe(whole)),
        field(said, "slot", maybe(whole)),
        field(said, "discarded", maybe(whole)),
        _or(said, "effect", _read_effect, None),
    )


def _read_effect(said: object) -> Effect:
    switched = _or(said, "switched", listed(_read_place), None)
    if switched is None:
        field(said, "again", flag)
        return "again"
    if len(switched) != 2:
        raise BadInput(f"a switch is of two slots, not of {len(switched)}")
    return Switch(*switched)


def _read_place(said: object) -> SlotOf:
    return field(said, "seat", whole), field(said, "slot", whole)


def _read_game(said: object) -> GameStarted:
    return GameStarted(
        field(said, "edition", text),
        field(said, "variants", listed(text)),
        field(said, "players", listed(_read_player)),
        field(said, "target", whole),
    )


def _read_player(said: object) -> Player:
    return Player(field(said, "seat", whole), field(said, "name", text))


def _read_played(said: object) -> TurnPlayed:
    return TurnPlayed(
        _read_turn(said),
        field(said, "to_move", whole),
        field(said, "t", real),
        _or(said, "reshuffle", flag, without=False),
        isinstance(said, dict) and "power" in said,
        _or(said, "power", maybe(one_of(POWERS)), None),
        _or(said, "in_sight", flag, without=True),
    )


def _read_round_end(said: object) -> RoundEnd:
    points = field(said, "scores", by_number(whole))
    scoring = field(said, "scoring", by_number(whole))
    broke_at = field(said, "broke_at", by_number(maybe(whole)))
    why = field(said, "why", by_number(text))
    racks = field(said, "racks", by_number(listed(maybe(whole))))
    if any(part.keys() != points.keys() for part in (scoring, broke_at, why, racks)):
        raise BadInput("scores, scoring, broke_at, why and racks are not of the same seats")
    return RoundEnd(
        field(said, "out", whole),
        {seat: RackScore(points[seat], scoring[seat], broke_at[seat], why[seat]) for seat in points},
        field(said, "totals", by_number(whole)),
        racks,
        field(said, "t", real),
        _or(said, "amends", flag, without=False),
    )


_SOURCES: Final[tuple[Source, ...]] = ("draw", "discard")

_READERS: Final[Mapping[str, Reader[Event]]] = {
    "game": _read_game,
    "round": lambda said: RoundStarted(
        field(said, "number", whole), field(said, "dealer", whole), field(said, "to_move", whole)
    ),
    "turn": _read_played,
    "amended": lambda said: Amended(
        field(said, "number", whole),
        _read_turn(said),
        field(said, "t", real),
        _or(said, "in_sight", flag, without=True),
    ),
    "taken_back": lambda said: TakenBack(
        field(said, "number", whole), field(said, "to_move", whole), field(said, "t", real)
    ),
    "thread": lambda said: Thread(field(said, "lost", flag), field(said, "text", text), field(said, "t", real)),
    "round_abandoned": lambda said: RoundAbandoned(field(said, "t", real)),
    "paused": lambda said: Paused(field(said, "t", real), on=field(said, "on", flag)),
    "racks_wanted": lambda said: RacksWanted(field(said, "seats", listed(whole)), field(said, "t", real)),
    "rejudged": lambda said: Rejudged(field(said, "t", real), field(said, "rounds", whole)),
    "round_reopened": lambda said: RoundReopened(field(said, "to_move", whole), field(said, "t", real)),
    "violation": lambda said: Violation(
        field(said, "rule", text), field(said, "seat", whole), field(said, "text", text), field(said, "t", real)
    ),
    "doubt": lambda said: Doubt(
        field(said, "seat", whole),
        field(said, "slot", whole),
        {card: round(chance, 3) for card, chance in field(said, "candidates", by_number(real)).items()},
        field(said, "t", real),
    ),
    "doubt_settled": lambda said: DoubtSettled(
        field(said, "seat", whole), field(said, "slot", whole), field(said, "t", real)
    ),
    "call": lambda said: CallMade(field(said, "seat", maybe(whole)), field(said, "t", real)),
    "round_end": _read_round_end,
    "game_end": lambda said: GameEnd(
        field(said, "winners", listed(whole)), field(said, "totals", by_number(whole)), field(said, "t", real)
    ),
}
