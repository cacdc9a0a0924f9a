"""The referee's input lines: what cameras see and people say."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from engine.cards import Card, Seat, Slot, Source
from engine.game import Player
from engine.variants import AS_PRINTED, Options

EMPTY: Final = 0
"""The word for "seen to be empty" where a card could stand."""

Sighting = Mapping[Card, float]
"""What was seen at one place: a probability by card, EMPTY among them; what is missing to one may be anything."""


Changes = Mapping[Seat, Mapping[Slot, float]]
"""When slots have changed last, in seconds, by seat and slot."""


@dataclass(frozen=True)
class NewGame:
    """A game begins."""

    edition: str
    variants: tuple[str, ...]
    players: tuple[Player, ...]
    options: Options = AS_PRINTED


@dataclass(frozen=True)
class NewRound:
    """A round is dealt by the player in seat `dealer`."""

    dealer: Seat


@dataclass(frozen=True)
class Arm:
    """What reaches over the paper of the tray's mat: the middle of what it covers, in mm of the mat frame.

    `shade`: how bright it is beside the paper, 1 for as bright. `reaches`: for which pile, None where that is unclear.
    """

    x: float
    y: float
    shade: float
    reaches: Source | None = None


@dataclass(frozen=True)
class Observation:
    """The table at time `t` (seconds) as far as it was seen; a place that is not named was not seen.

    `changed`: for each rack that stands still in view, when the slots whose look has changed since it came into view
    did so last, whatever was read in them. `arm`: whatever reached over the tray just then.
    """

    t: float
    racks: Mapping[Seat, Mapping[Slot, Sighting]]
    discard: Sighting | None = None
    draw: Literal["cards", "empty"] | None = None
    changed: Changes = field(default_factory=dict)
    arm: Arm | None = None


@dataclass(frozen=True)
class Unsettled:
    """One or more plays may have passed without a settled look."""

    t: float


@dataclass(frozen=True)
class Hidden:
    """From now on no camera sees the racks of these seats, until a look shows them again."""

    t: float
    seats: tuple[Seat, ...]


@dataclass(frozen=True)
class Call:
    """The RACK-O button; `seat` is None where one button serves all."""

    t: float
    seat: Seat | None


@dataclass(frozen=True)
class Correction:
    """The host's word: this card stands there; or none does, where it is EMPTY."""

    t: float
    seat: Seat
    slot: Slot
    card: Card


@dataclass(frozen=True)
class Played:
    """The host's word: this turn was played, and missed. `at`: when, if it was not the latest; None for just now.

    source, slot, card and discarded are as in a Turn (engine.moves).
    """

    t: float
    seat: Seat
    source: Source | None
    slot: Slot | None
    card: Card | None
    discarded: Card | None
    at: float | None = None


@dataclass(frozen=True)
class Verdict:
    """The host's word on a call that is being judged: the rack is in order (`accepted`), or it is not."""

    t: float
    accepted: bool


@dataclass(frozen=True)
class Pause:
    """The host wants nothing to be taken for play (`on`), or play to be followed again."""

    t: float
    on: bool


@dataclass(frozen=True)
class Abandon:
    """The host ends the round without scoring it."""

    t: float


@dataclass(frozen=True)
class Undo:
    """The host's latest word is taken back; or, if `call`, the latest call of RACK-O."""

    t: float
    call: bool = False


@dataclass(frozen=True)
class Redo:
    """What was undone last stands again."""

    t: float


Order = NewGame | NewRound | Call | Correction | Played | Verdict | Pause | Abandon | Undo | Redo
"""What people say."""

Line = Order | Observation | Unsettled | Hidden
