"""What the referee says. Each event is written for its owner; what the table may see of it is made in engine.board."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from engine.cards import Card, Seat, Slot, Source
from engine.errors import BadInput
from engine.fields import Reader, by_number, field, flag, listed, maybe, one_of, real, text, whole
from engine.game import Player
from engine.moves import Turn
from engine.powers import POWERS, Effect, Power, SlotOf, Switch
from engine.scoring import RackScore

T = TypeVar("T")

Json = dict[str, Any]
"""One JSON object, in the words of the README (Formats)."""


@dataclass(frozen=True)
class GameStarted:
    """A new game: who plays, and by which rules."""

    edition: str
    variants: tuple[str, ...]
    players: tuple[Player, ...]
    target: int

    def as_json(self) -> Json:
        """Write the event as one JSON object."""
        players = [{"seat": player.seat, "name": player.name} for player in self.players]
        return {
            "type": "game",
            "edition": self.edition,
            "variants": list(self.variants),
            "players": players,
            "target": self.target,
        }


@dataclass(frozen=True)
class RoundStarted:
    """A new round is dealt."""

    number: int
    dealer: Seat
    to_move: Seat

    def as_json(self) -> Json:
        """Write the event as one JSON object."""
        return {"type": "round", "number": self.number, "dealer": self.dealer, "to_move": self.to_move}


@dataclass(frozen=True)
class TurnPlayed:
    """A turn that is certain. `turned_over`: the discard pile was turned over for it, or just before it.

    prime: the card discarded is a Prime card. power: the one that was used, else the one that the owner's table gives.
    in_sight: a look has shown that card on the discard pile; else it is only inferred, and may stand in a rack still.
    """

    turn: Turn
    to_move: Seat
    t: float
    turned_over: bool = False
    prime: bool = False
    power: Power | None = None
    in_sight: bool = True

    def as_json(self) -> Json:
        """Write the event as one JSON object."""
        said: Json = {"type": "turn", **_turn_json(self.turn), "t": self.t, "to_move": self.to_move}
        if self.turned_over:
            said["reshuffle"] = True
        if self.prime:
            said["power"] = self.power
        return said if self.in_sight else said | {"in_sight": False}


@dataclass(frozen=True)
class Amended:
    """A turn that was said otherwise before: turn `number` of this round, counted from 1, is now held to be `turn`.

    in_sight: as of a TurnPlayed.
    """

    number: int
    turn: Turn
    t: float
    in_sight: bool = True

    def as_json(self) -> Json:
        """Write the event as one JSON object."""
        said: Json = {"type": "amended", "number": self.number, **_turn_json(self.turn), "t": self.t}
        return said if self.in_sight else said | {"in_sight": False}


@dataclass(frozen=True)
class TakenBack:
    """Turn `number` of this round, counted from 1, was said and then taken back by its player, who is to move again."""

    number: int
    to_move: Seat
    t: float

    def as_json(self) -> Json:
        """Write the event as one JSON object."""
        return {"type": "taken_back", "number": self.number, "to_move": self.to_move, "t": self.t}


@dataclass(frozen=True)
class Thread:
    """The referee has lost the thread of the play (`lost`), or found it again. `text` is for everybody."""

    lost: bool
    text: str
    t: float

    def as_json(self) -> Json:
        """Write the event as one JSON object."""
        return {"type": "thread", "lost": self.lost, "t": self.t, "text": self.text}


@dataclass(frozen=True)
class Violation:
    """A play or a call that the rules do not allow. `text` is for everybody and tells no rack's card."""

    rule: str
    seat: Seat
    text: str
    t: float

    def as_json(self) -> Json:
        """Write the event as one JSON object."""
        return {"type": "violation", "rule": self.rule, "seat": self.seat, "t": self.t, "text": self.text}


@dataclass(frozen=True)
class Doubt:
    """A slot that must be known and is not, with its likeliest cards. Private until the round is over."""

    seat: Seat
    slot: Slot
    candidates: Mapping[Card, float]
    t: float

    def as_json(self) -> Json:
        """Write the event as one JSON object."""
        candidates = {str(card): round(chance, 3) for card, chance in self.candidates.items()}
        return {"type": "doubt", "seat": self.seat, "slot": self.slot, "candidates": candidates, "t": self.t}


@dataclass(frozen=True)
class CallMade:
    """RACK-O was called and the racks are being looked at: the verdict follows."""

    seat: Seat | None
    t: float

    def as_json(self) -> Json:
        """Write the event as one JSON object."""
        return {"type": "call", "seat": self.seat, "t": self.t}


@dataclass(frozen=True)
class RoundEnd:
    """A scored round. `racks` and `scores` are by seat; the racks are no secret any more.

    amends: the host corrected a card, and this stands in place of what was said of the same round before.
    """

    out: Seat
    scores: Mapping[Seat, RackScore]
    totals: Mapping[Seat, int]
    racks: Mapping[Seat, tuple[Card | None, ...]]
    t: float
    amends: bool = False

    def as_json(self) -> Json:
        """Write the event as one JSON object."""
        said: Json = {
            "type": "round_end",
            "out": self.out,
            "scores": {str(seat): score.points for seat, score in self.scores.items()},
            "totals": {str(seat): total for seat, total in self.totals.items()},
            "why": {str(seat): score.why for seat, score in self.scores.items()},
            "scoring": {str(seat): score.scoring for seat, score in self.scores.items()},
            "broke_at": {str(seat): score.broke_at for seat, score in self.scores.items()},
            "racks": {str(seat): list(cards) for seat, cards in self.racks.items()},
            "t": self.t,
        }
        return said | {"amends": True} if self.amends else said


@dataclass(frozen=True)
class RoundReopened:
    """The host corrected the rack that was said to have gone out, and it did not: the round goes on."""

    to_move: Seat
    t: float

    def as_json(self) -> Json:
        """Write the event as one JSON object."""
        return {"type": "round_reopened", "to_move": self.to_move, "t": self.t}


@dataclass(frozen=True)
class GameEnd:
    """Somebody has won."""

    winners: tuple[Seat, ...]
    totals: Mapping[Seat, int]
    t: float

    def as_json(self) -> Json:
        """Write the event as one JSON object."""
        totals = {str(seat): total for seat, total in self.totals.items()}
        return {"type": "game_end", "winners": list(self.winners), "totals": totals, "t": self.t}


Event = (
    GameStarted
    | RoundStarted
    | TurnPlayed
    | Amended
    | TakenBack
    | Violation
    | Doubt
    | Thread
    | CallMade
    | RoundEnd
    | RoundReopened
    | GameEnd
)

_TURN: Final = ("seat", "source", "card", "slot", "discarded", "effect", "t")

SPOKEN: Final[Mapping[str, tuple[str, ...]]] = {
    "turn": ("type", *_TURN, "reshuffle", "power"),
    "amended": ("type", "number", *_TURN),
    "taken_back": ("type", "number", "t"),
    "thread": ("type", "lost", "t", "text"),
    "round_reopened": ("type", "t"),
    "violation": ("type", "rule", "seat", "t", "text"),
    "doubt": ("type", "seat", "slot", "candidates", "t"),
    "round_end": ("type", "out", "scores", "totals", "t", "why", "racks", "amends"),
    "game_end": ("type", "winners", "totals", "t"),
}
"""The events that the commands say, and with which keys; the rest keeps the journal and the board complete."""


def spoken(event: Event) -> Json | None:
    """What a command says of an event in JSON; None for an event that only the journal and the board need."""
    said = event.as_json()
    keys = SPOKEN.get(said["type"])
    return None if keys is None else {key: said[key] for key in keys if key in said}


def event_from_json(said: object) -> Event:
    """Read back what `as_json` wrote. Raises BadInput for anything else, also where a part is of another type."""
    try:
        return _READERS[field(said, "type", one_of(tuple(_READERS)))](said)
    except BadInput as problem:
        raise BadInput(f"{said!r} is no event of a journal: {problem}") from None


def _turn_json(turn: Turn) -> Json:
    """The keys of a turn. How a power was used: another turn, or the two slots whose cards were switched."""
    said: Json = {
        "seat": turn.seat,
        "source": turn.source,
        "card": turn.card,
        "slot": turn.slot,
        "discarded": turn.discarded,
    }
    if turn.effect == "again":
        said["effect"] = {"again": True}
    elif turn.effect is not None:
        places = (turn.effect.one, turn.effect.other)
        said["effect"] = {"switched": [{"seat": seat, "slot": slot} for seat, slot in places]}
    return said


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
    "round_reopened": lambda said: RoundReopened(field(said, "to_move", whole), field(said, "t", real)),
    "violation": lambda said: Violation(
        field(said, "rule", text), field(said, "seat", whole), field(said, "text", text), field(said, "t", real)
    ),
    "doubt": lambda said: Doubt(
        field(said, "seat", whole),
        field(said, "slot", whole),
        field(said, "candidates", by_number(real)),
        field(said, "t", real),
    ),
    "call": lambda said: CallMade(field(said, "seat", maybe(whole)), field(said, "t", real)),
    "round_end": _read_round_end,
    "game_end": lambda said: GameEnd(
        field(said, "winners", listed(whole)), field(said, "totals", by_number(whole)), field(said, "t", real)
    ),
}
