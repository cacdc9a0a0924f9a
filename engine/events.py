"""What the referee says. Each event is written for its owner; what the table may see of it is made in engine.board."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.cards import Card, Seat, Slot
from engine.errors import BadInput
from engine.game import Player
from engine.moves import Turn
from engine.powers import Effect, Power, Switch
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
    """A turn that is certain. `turned_over`: the discard pile was turned over for it, or just before it.

    prime: the card discarded is a Prime card. power: the one that was used, else the one that the owner's table gives.
    """

    turn: Turn
    to_move: Seat
    t: float
    turned_over: bool = False
    prime: bool = False
    power: Power | None = None

    def as_json(self) -> Json:
        """Write the event as one JSON object."""
        said: Json = {"type": "turn", **_turn_json(self.turn), "t": self.t, "to_move": self.to_move}
        if self.turned_over:
            said["reshuffle"] = True
        if self.prime:
            said["power"] = self.power
        return said


@dataclass(frozen=True)
class Amended:
    """A turn that was said otherwise before: turn `number` of this round, counted from 1, is now held to be `turn`."""

    number: int
    turn: Turn
    t: float

    def as_json(self) -> Json:
        """Write the event as one JSON object."""
        return {"type": "amended", "number": self.number, **_turn_json(self.turn), "t": self.t}


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


def _turn_of(said: Json) -> Turn:
    effect: Effect | None = None
    if "effect" in said:
        switched = said["effect"].get("switched")
        effect = "again" if switched is None else Switch(*((place["seat"], place["slot"]) for place in switched))
    return Turn(said["seat"], said["source"], said["card"], said["slot"], said["discarded"], effect)


def _read_turn(said: Json) -> TurnPlayed:
    return TurnPlayed(
        _turn_of(said), said["to_move"], said["t"], said.get("reshuffle", False), "power" in said, said.get("power")
    )


def _read_round_end(said: Json) -> RoundEnd:
    racks = {seat: tuple(cards) for seat, cards in _by_seat(said["racks"]).items()}
    why, scoring, broke_at = (_by_seat(said[key]) for key in ("why", "scoring", "broke_at"))
    scores = {
        seat: RackScore(points, scoring[seat], broke_at[seat], why[seat])
        for seat, points in _by_seat(said["scores"]).items()
    }
    return RoundEnd(said["out"], scores, _by_seat(said["totals"]), racks, said["t"], said.get("amends", False))


_READERS: Final[Mapping[str, Callable[[Json], Event]]] = {
    "game": _read_game,
    "round": lambda said: RoundStarted(said["number"], said["dealer"], said["to_move"]),
    "turn": _read_turn,
    "amended": lambda said: Amended(said["number"], _turn_of(said), said["t"]),
    "thread": lambda said: Thread(said["lost"], said["text"], said["t"]),
    "round_reopened": lambda said: RoundReopened(said["to_move"], said["t"]),
    "violation": lambda said: Violation(said["rule"], said["seat"], said["text"], said["t"]),
    "doubt": lambda said: Doubt(said["seat"], said["slot"], _by_seat(said["candidates"]), said["t"]),
    "call": lambda said: CallMade(said["seat"], said["t"]),
    "round_end": _read_round_end,
    "game_end": lambda said: GameEnd(tuple(said["winners"]), _by_seat(said["totals"]), said["t"]),
}
