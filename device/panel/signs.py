"""What the panel shows of what happens at the table: from the public board and its events to signs.

Only the board, the kind of an event and its seat are looked at, never a card.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from device.panel.patterns import Sign
from engine.board import NOTHING_YET
from engine.cards import Seat
from engine.events import Event, RoundEnd, Violation
from engine.snapshot import Snapshot


@dataclass(frozen=True)
class Showing:
    """A sign and the seat that it is for; None where it is for the whole table."""

    sign: Sign
    seat: Seat | None = None


class Shows(Protocol):
    """Something that signs are shown on."""

    def show(self, sign: Sign, seat: Seat | None = None) -> None:
        """Show a sign."""


def signs_for(
    board: Snapshot, events: Sequence[Event], *, camera_gone: bool = False, doubt: bool = False
) -> tuple[Showing, ...]:
    """What to show after `events` have led to `board`, in this order: the sign that stands now, then a verdict's.

    A verdict's sign ends by itself, and the standing one comes back. camera_gone: a camera that is needed gives no
    pictures. doubt: the host is being asked something.
    """
    standing = _standing(board, camera_gone=camera_gone, doubt=doubt)
    verdict = _verdict(events)
    return (standing,) if verdict is None else (standing, verdict)


def _standing(board: Snapshot, *, camera_gone: bool, doubt: bool) -> Showing:
    if _is_paused(board):
        return Showing(Sign.PAUSED)
    if board.phase == "checking":
        return Showing(Sign.LOOKING, board.called_by)
    # The lamp of whose turn it is says this, so that nobody has to ask whose turn it is meanwhile.
    mover = board.to_move if board.phase == "playing" else None
    if camera_gone:
        return Showing(Sign.CAMERA_GONE, mover)
    if board.phase == "playing" and board.lost:
        return Showing(Sign.LOST)
    if doubt:
        return Showing(Sign.DOUBT, mover)
    return Showing(Sign.YOUR_TURN, mover) if board.phase == "playing" else Showing(Sign.READY)


def _is_paused(board: Snapshot) -> bool:
    """Whether the host has paused the game, as `Snapshot.paused` says where a board has it."""
    return bool(getattr(board, "paused", False))


def _verdict(events: Sequence[Event]) -> Showing | None:
    """The last verdict on a call. A round's end that only amends an earlier one was shown before."""
    verdict = None
    for event in events:
        match event:
            case RoundEnd(out=seat, amends=False):
                verdict = Showing(Sign.TRUE_CALL, seat)
            case Violation(rule="false-call", seat=seat):
                verdict = Showing(Sign.FALSE_CALL, seat)
    return verdict


class PanelAudience:
    """Shows an evening on a panel: an Audience of `device.evening.keeper`, which also hears of cameras and doubts."""

    def __init__(self, panel: Shows) -> None:
        self._panel = panel
        self._board = NOTHING_YET
        self._camera_gone = False
        self._doubt = False

    def __call__(self, board: Snapshot, events: Sequence[Event]) -> None:
        """Show what has happened at the table."""
        self._board = board
        self._show(events)

    def status(self, *, camera_gone: bool, doubt: bool) -> None:
        """Show how things stand with the cameras and the host. Cheap where nothing is new."""
        if (camera_gone, doubt) != (self._camera_gone, self._doubt):
            self._camera_gone, self._doubt = camera_gone, doubt
            self._show(())

    def _show(self, events: Sequence[Event]) -> None:
        for showing in signs_for(self._board, events, camera_gone=self._camera_gone, doubt=self._doubt):
            self._panel.show(showing.sign, showing.seat)
