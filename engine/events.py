"""What the referee says. Each event is written for its owner; what the table may see of it is made in engine.board."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.cards import Card, Seat, Slot
from engine.game import Player
from engine.moves import Turn
from engine.powers import Power
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
class DoubtSettled:
    """A slot that was in doubt is clear by now: by other looks, or by somebody's word."""

    seat: Seat
    slot: Slot
    t: float

    def as_json(self) -> Json:
        """Write the event as one JSON object."""
        return {"type": "doubt_settled", "seat": self.seat, "slot": self.slot, "t": self.t}


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
class RoundAbandoned:
    """The host has ended the round without scoring it."""

    t: float

    def as_json(self) -> Json:
        """Write the event as one JSON object."""
        return {"type": "round_abandoned", "t": self.t}


@dataclass(frozen=True)
class Paused:
    """The host has told the referee to look away (`on`), or to look again."""

    t: float
    on: bool

    def as_json(self) -> Json:
        """Write the event as one JSON object."""
        return {"type": "paused", "on": self.on, "t": self.t}


@dataclass(frozen=True)
class RacksWanted:
    """The verdict on a call waits until these seats' racks are shown to a camera; none: it does not wait for any."""

    seats: tuple[Seat, ...]
    t: float

    def as_json(self) -> Json:
        """Write the event as one JSON object."""
        return {"type": "racks_wanted", "seats": list(self.seats), "t": self.t}


@dataclass(frozen=True)
class Rejudged:
    """Something was undone, done again or put in at an earlier time: what was said of the latest round is void.

    What stands in its place follows at once, from the start of that round; nothing, if it has not begun any more.
    `rounds`: how many rounds of the game were over before it.
    """

    t: float
    rounds: int

    def as_json(self) -> Json:
        """Write the event as one JSON object."""
        return {"type": "rejudged", "t": self.t, "rounds": self.rounds}


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
    | DoubtSettled
    | Thread
    | CallMade
    | RoundEnd
    | RoundReopened
    | RoundAbandoned
    | Paused
    | RacksWanted
    | Rejudged
    | GameEnd
)

_TURN: Final = ("seat", "source", "card", "slot", "discarded", "effect", "t")

SPOKEN: Final[Mapping[str, tuple[str, ...]]] = {
    "turn": ("type", *_TURN, "reshuffle", "power"),
    "amended": ("type", "number", *_TURN),
    "taken_back": ("type", "number", "t"),
    "thread": ("type", "lost", "t", "text"),
    "round_reopened": ("type", "t"),
    "rejudged": ("type", "rounds", "t"),
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
