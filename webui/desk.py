"""What the pages know of the table behind them, and what they ask of it.

The table (device) makes these values and answers; pages only draw and pass on. Nothing here holds a card of a rack
while a round is on, but for `SeatView.doubts`, which are for that rack's owner alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from engine.cards import Seat
from engine.private import OwnDoubt, Tally
from engine.snapshot import ShownRack, Snapshot
from webui.stream import Stream

Order = dict[str, Any]
"""What people say, in the words of the README (Formats), without its time: {"type": "correct", "seat": 1, ...}."""


@dataclass(frozen=True)
class Answer:
    """What came of an order. `words`: why not, or what is to be told; `changes`: what is otherwise now, a line each."""

    done: bool
    words: str = ""
    changes: tuple[str, ...] = ()


@dataclass(frozen=True)
class CameraLine:
    """One camera. `sees`: mats in words; `words`: what is amiss and what to do; `picture`: number of its latest one."""

    name: str
    source: str
    state: Literal["starting", "live", "gone", "frozen", "dark", "ended"]
    words: str = ""
    sees: tuple[str, ...] = ()
    picture: int = 0


@dataclass(frozen=True)
class SpokenLine:
    """A line that the caller says aloud. `number` rises from line to line; `about`: what it is, to leave it out by."""

    number: int
    about: Literal["call", "notice", "score", "turn"]
    text: str


@dataclass(frozen=True)
class HostView:
    """All that the host sees.

    version: rises with each change. table: what kind of table it is; a simulated or recorded one plays by itself.
    remarks: what hinders the eyes. undo, redo: in words what they would take back, or bring; "" for nothing.
    open_slots: how many slots of each rack are in doubt. doubts: which, and their likely cards, only between rounds.
    next_dealer: whose deal the next round is.
    """

    version: int
    board: Snapshot
    table: Literal["live", "simulated", "session"]
    cameras: tuple[CameraLine, ...] = ()
    remarks: tuple[str, ...] = ()
    panel: str = ""
    recorder: str = ""
    voice: str = ""
    undo: str = ""
    redo: str = ""
    open_slots: Mapping[Seat, int] = field(default_factory=dict)
    doubts: tuple[OwnDoubt, ...] = ()
    next_dealer: Seat | None = None


@dataclass(frozen=True)
class SeatView:
    """All that one player sees on the own page. `wanted`: the verdict waits until this rack is shown to a camera."""

    version: int
    board: Snapshot
    seat: Seat
    doubts: tuple[OwnDoubt, ...] = ()
    tally: Tally = field(default_factory=Tally)

    @property
    def wanted(self) -> bool:
        """Whether the verdict on a call waits until this rack is shown to a camera."""
        return self.seat in self.board.wanted


@dataclass(frozen=True)
class RoundPlayed:
    """A finished round of the evening's history. `ended`: time of day, as the journal wrote it. `turns`: how many."""

    number: int
    dealer: Seat
    out: Seat
    turns: int
    points: Mapping[Seat, int]
    totals: Mapping[Seat, int]
    racks: tuple[ShownRack, ...]
    notices: tuple[str, ...]
    ended: str


@dataclass(frozen=True)
class GamePlayed:
    """A game of the history, finished or not. `number`: 1, 2, ... in this journal. `began`: time of day."""

    number: int
    edition: str
    variants: tuple[str, ...]
    players: Mapping[Seat, str]
    rounds: tuple[RoundPlayed, ...]
    winners: tuple[Seat, ...]
    began: str


@dataclass(frozen=True)
class Secrets:
    """What opens the pages: the host's PIN, the key that signs sessions, and each seat's token.

    The table gives a seat another token when somebody else sits down there; `seats` always holds the present ones.
    """

    pin: str
    key: bytes
    seats: Mapping[Seat, str]


class Desk(Protocol):
    """The table as the pages reach it; everything may be called from any thread."""

    @property
    def board(self) -> Stream[Snapshot]:
        """What everybody sees."""

    @property
    def spoken(self) -> Stream[tuple[SpokenLine, ...]]:
        """What may be said aloud now. A line that is new there is said; one that is gone is not said any more.

        It is never behind `board`: it says nothing that the board, once published, does not bear out.
        """

    @property
    def host(self) -> Stream[HostView]:
        """What the host sees."""

    def seat(self, seat: Seat) -> Stream[SeatView]:
        """What the player of a seat, 1..4, sees."""

    def order(self, said: Order, seat: Seat | None = None) -> Answer:
        """Do what somebody says: the host, or the player whose page it comes from. Returns once it is judged."""

    def show(self, picture: bytes, seat: Seat | None = None) -> Answer:
        """Read an uploaded picture (JPEG or PNG) of racks that are shown for a verdict."""

    def camera_picture(self, name: str) -> bytes | None:
        """What may be seen now of a camera's picture, with what is recognised drawn on it, as JPEG; None for none."""

    def rack_picture(self, game: int, number: int, seat: Seat) -> bytes | None:
        """The picture that a rack was read from when round `number` of a game ended, as JPEG; None for none."""

    def history(self) -> tuple[GamePlayed, ...]:
        """The games of the evening, oldest first."""
