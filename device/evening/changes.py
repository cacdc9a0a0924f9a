"""What an order has changed of what everybody sees, in a few lines for people. Made from the public board alone."""

from collections.abc import Iterator
from typing import Final

from engine.cards import Seat
from engine.lines import Abandon, Call, Correction, NewRound, Played, Verdict
from engine.snapshot import Snapshot
from engine.undoing import Undoable
from webui.view import play_words

MOST: Final = 12
"""More lines than this nobody reads."""


def changes(before: Snapshot, after: Snapshot) -> tuple[str, ...]:
    """One line for each thing that is otherwise now."""
    found = [*_phase(before, after), *_totals(before, after), *_racks(before, after), *_plays(before, after)]
    return tuple(found[:MOST])


def _phase(before: Snapshot, after: Snapshot) -> Iterator[str]:
    if (before.phase, before.round) == (after.phase, after.round):
        return
    match after.phase:
        case "playing" if before.phase in ("round-over", "game-over") and before.round == after.round:
            yield f"Round {after.round} goes on."
        case "playing" if before.round != after.round:
            yield f"Round {after.round} is on."
        case "round-over" | "game-over":
            out = [_name(after, rack.seat) for rack in after.racks if rack.out]
            yield f"Round {after.round} is over" + (f": {out[0]} goes out." if out else ".")
        case "waiting" if before.phase == "playing":
            yield "No round is on now."


def _totals(before: Snapshot, after: Snapshot) -> Iterator[str]:
    old = {line.seat: line.total for line in before.players}
    for line in after.players:
        if line.seat in old and old[line.seat] != line.total:
            yield f"{line.name}: {line.total} points, was {old[line.seat]}."


def _racks(before: Snapshot, after: Snapshot) -> Iterator[str]:
    """Cards of racks that were turned up, and still are."""
    old = {rack.seat: rack.cards for rack in before.racks}
    for rack in after.racks:
        for place, (was, card) in enumerate(zip(old.get(rack.seat, rack.cards), rack.cards, strict=True)):
            if was != card:
                yield f"{_name(after, rack.seat)}'s slot {5 * place + 5}: {card or '?'}, was {was or '?'}."


def _plays(before: Snapshot, after: Snapshot) -> Iterator[str]:
    if before.round != after.round:
        return
    if after.turns != before.turns:
        yield f"{after.turns} turns are counted, {before.turns} were before."
    old = {play.number: play_words(_name(before, play.seat), play) for play in before.plays}
    for play in sorted(after.plays, key=lambda play: play.number):
        words = play_words(_name(after, play.seat), play)
        if play.number in old and old[play.number] != words:
            yield f"Turn {play.number}: {words}; it was: {old[play.number]}."


def undone_words(word: Undoable | None, board: Snapshot) -> str:
    """What would be undone, or done again, in words that name no card; "" for nothing."""
    match word:
        case None:
            return ""
        case Call(_, seat):
            return "the call of RACK-O" if seat is None else f"{_name(board, seat)}'s call of RACK-O"
        case Correction(_, seat, slot, _):
            return f"the correction of {_name(board, seat)}'s slot {slot}"
        case Played(_, seat):
            return f"the play that was named for {_name(board, seat)}"
        case Verdict(_, accepted):
            return "the call's being accepted" if accepted else "the call's being refused"
        case Abandon():
            return "the end of the round"
        case NewRound(dealer):
            return f"the start of the round that {_name(board, dealer)} dealt"


def _name(board: Snapshot, seat: Seat) -> str:
    return next((line.name for line in board.players if line.seat == seat), f"Seat {seat}")
