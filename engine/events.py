"""What the referee says. Each event is written for its owner; what the table may see of it is made in engine.board."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.cards import Card, Seat, Slot
from engine.errors import BadInput
from engine.game import Player
from engine.moves import Turn
from engine.scoring import RackScore

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
    """A turn that is certain. `turned_over`: the discard pile was turned over for it, or just before it."""

    turn: Turn
    to_move: Seat
    t: float
    turned_over: bool = False

    def as_json(self) -> Json:
        """Write the event as one JSON object."""
        turn = self.turn
        said: Json = {
            "type": "turn",
            "seat": turn.seat,
            "source": turn.source,
            "card": turn.card,
            "slot": turn.slot,
            "discarded": turn.discarded,
            "t": self.t,
            "to_move": self.to_move,
        }
        return said | {"reshuffle": True} if self.turned_over else said


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
    """A scored round. `racks` and `scores` are by seat; the racks are no secret any more."""

    out: Seat
    scores: Mapping[Seat, RackScore]
    totals: Mapping[Seat, int]
    racks: Mapping[Seat, tuple[Card | None, ...]]
    t: float

    def as_json(self) -> Json:
        """Write the event as one JSON object."""
        return {
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


Event = GameStarted | RoundStarted | TurnPlayed | Violation | Doubt | CallMade | RoundEnd | GameEnd

SPOKEN: Final[Mapping[str, tuple[str, ...]]] = {
    "turn": ("type", "seat", "source", "card", "slot", "discarded", "t", "reshuffle"),
    "violation": ("type", "rule", "seat", "t", "text"),
    "doubt": ("type", "seat", "slot", "candidates", "t"),
    "round_end": ("type", "out", "scores", "totals", "t", "why", "racks"),
    "game_end": ("type", "winners", "totals", "t"),
}
"""The events that the commands say, and with which keys; the rest keeps the journal and the board complete."""


def spoken(event: Event) -> Json | None:
    """What a command says of an event in JSON; None for an event that only the journal and the board need."""
    said = event.as_json()
    keys = SPOKEN.get(said["type"])
    return None if keys is None else {key: said[key] for key in keys if key in said}


def event_from_json(said: Json) -> Event:
    """Read back what `as_json` wrote. Raises BadInput for anything else."""
    try:
        return _READERS[said["type"]](said)
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        raise BadInput(f"{said!r} is no event of a journal: {problem}") from None


def _by_seat(said: Json) -> dict[Seat, Any]:
    return {int(seat): value for seat, value in said.items()}


def _read_game(said: Json) -> GameStarted:
    players = tuple(Player(player["seat"], player["name"]) for player in said["players"])
    return GameStarted(said["edition"], tuple(said["variants"]), players, said["target"])


def _read_turn(said: Json) -> TurnPlayed:
    turn = Turn(said["seat"], said["source"], said["card"], said["slot"], said["discarded"])
    return TurnPlayed(turn, said["to_move"], said["t"], said.get("reshuffle", False))


def _read_round_end(said: Json) -> RoundEnd:
    racks = {seat: tuple(cards) for seat, cards in _by_seat(said["racks"]).items()}
    why, scoring, broke_at = (_by_seat(said[key]) for key in ("why", "scoring", "broke_at"))
    scores = {
        seat: RackScore(points, scoring[seat], broke_at[seat], why[seat])
        for seat, points in _by_seat(said["scores"]).items()
    }
    return RoundEnd(said["out"], scores, _by_seat(said["totals"]), racks, said["t"])


_READERS: Final[Mapping[str, Callable[[Json], Event]]] = {
    "game": _read_game,
    "round": lambda said: RoundStarted(said["number"], said["dealer"], said["to_move"]),
    "turn": _read_turn,
    "violation": lambda said: Violation(said["rule"], said["seat"], said["text"], said["t"]),
    "doubt": lambda said: Doubt(said["seat"], said["slot"], _by_seat(said["candidates"]), said["t"]),
    "call": lambda said: CallMade(said["seat"], said["t"]),
    "round_end": _read_round_end,
    "game_end": lambda said: GameEnd(tuple(said["winners"]), _by_seat(said["totals"]), said["t"]),
}
