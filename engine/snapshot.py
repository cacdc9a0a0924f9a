"""What everybody at the table may see: the one shape that pages, streams and panels are drawn from.

A snapshot never holds a card that stands in a rack while the round is on (racks are secret until their round is over).
A discarded card is named only as long as it lies in the discard pile: once somebody has taken it, it is a
rack's card.
"""

from dataclasses import dataclass
from typing import Literal

from engine.cards import Card, Seat, Slot, Source
from engine.powers import Effect

Phase = Literal["waiting", "playing", "checking", "round-over", "game-over"]
"""`checking`: RACK-O was called and the racks are still being looked at."""


@dataclass(frozen=True)
class PlayerLine:
    """One player's line on the scoreboard; `points` by finished round, oldest first."""

    seat: Seat
    name: str
    total: int
    points: tuple[int, ...] = ()


@dataclass(frozen=True)
class PublicPlay:
    """One turn as the whole table saw it. `discarded` is None once that card is in a rack again, or may be.

    source, exchanged: None where the rack was out of sight, so that nobody can tell.
    t: when it was first seen. effect: how the power of the Prime card that was discarded was used. turned_over: the
    discard pile was turned over for this turn, or just before it.
    """

    number: int
    seat: Seat
    source: Source | None
    exchanged: bool | None
    discarded: Card | None
    t: float
    effect: Effect | None = None
    turned_over: bool = False


@dataclass(frozen=True)
class Notice:
    """Something to tell the table in words: a false call, a wrong turn. Never tells a rack's card."""

    number: int
    rule: str
    seat: Seat
    text: str


@dataclass(frozen=True)
class ShownRack:
    """A rack turned up after its round: cards from slot 5 to 50 (None: never read).

    The first `scoring` cards score; `broke_at` is the slot where the order broke, None for an unbroken rack.
    """

    seat: Seat
    cards: tuple[Card | None, ...]
    scoring: int
    broke_at: Slot | None
    points: int
    out: bool
    why: str


@dataclass(frozen=True)
class Snapshot:
    """The public state of the table after journal entry number `version`.

    target: the score that ends the game, 0 for a game without scoring. sides: the seats that win together, as
    `engine.game.Game.sides` has them. to_move: None between rounds, and while nobody can tell. turns: how many were
    said of this round. plays, notices: the latest, newest first. called_by: who called RACK-O while the phase is
    "checking"; None where one button serves all. lost: the referee has lost the thread of this round. wanted: whose
    racks are to be shown to a camera, for the verdict. paused: nothing is taken for play.
    """

    version: int
    phase: Phase
    edition: str
    target: int
    round: int
    dealer: Seat | None
    to_move: Seat | None
    players: tuple[PlayerLine, ...]
    variants: tuple[str, ...] = ()
    sides: tuple[tuple[Seat, ...], ...] = ()
    discard: Card | None = None
    called_by: Seat | None = None
    turns: int = 0
    plays: tuple[PublicPlay, ...] = ()
    notices: tuple[Notice, ...] = ()
    racks: tuple[ShownRack, ...] = ()
    winners: tuple[Seat, ...] = ()
    lost: bool = False
    wanted: tuple[Seat, ...] = ()
    paused: bool = False
