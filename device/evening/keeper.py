"""The keeper of the game: lines go in, are judged, written down, and only then told to everybody.

One Evening owns the referee and the journal; a live table, a recorded session and a test all use it in the same way.
It is made anew from the journal after a power cut, and goes on with the same game.
"""

from collections.abc import Callable, Iterable, Sequence

from device.evening.journal import Journal
from device.evening.standing import orders_in, standing
from engine.board import NOTHING_YET, after
from engine.errors import BadInput
from engine.events import Event, Rejudged
from engine.game import Game
from engine.lines import Line, NewGame, NewRound, Played, Redo, Undo
from engine.private import NOTHING_PRIVATE
from engine.private import after as after_privately
from engine.snapshot import Snapshot
from engine.undoing import Undoing

Audience = Callable[[Snapshot, Sequence[Event]], None]
"""Is told each new board and the events behind it. The events are the owner's: a page is drawn from the board alone."""


class Evening:
    """The referee, the journal and the board, moved together. One thread owns it.

    board: what everybody sees. private: what only a rack's owner may see. undoing: what can be undone.
    """

    def __init__(self, journal: Journal, audience: Iterable[Audience] = ()) -> None:
        """Go on where the journal ends. Raises JournalError for a journal that cannot be read."""
        self._journal = journal
        self._audience = tuple(audience)
        self.restore()

    def restore(self) -> None:
        """Go back to what stands in the journal. Raises JournalError for a journal that cannot be read."""
        journal = self._journal
        stands = standing(journal.last_game, orders_in(journal.last_game()))
        self._referee, _ = stands.judged()
        self.board, self.private = NOTHING_YET, NOTHING_PRIVATE
        self.undoing = Undoing.of(orders_in(journal.last_game()))
        for entry in journal.last_game():
            if entry.kind == "event":
                self._happened(entry.event, entry.number)
        self.last_time = max((_time(line) for line in stands.lines), default=0.0)
        self._latest = [line for line in stands.lines if _time(line) == self.last_time]

    @property
    def game(self) -> Game | None:
        """The game being played, or the one that was played last."""
        return self._referee.game

    @property
    def games(self) -> int:
        """How many games were begun, since the journal was."""
        return self._journal.games()

    @property
    def in_round(self) -> bool:
        """Whether a round is being played."""
        return self._referee.in_round

    def has_taken(self, line: Line) -> bool:
        """Whether this very line was the last to be taken, or was taken at the same time as the last."""
        return line in self._latest

    def take(self, line: Line) -> list[Event]:
        """Judge a line, write it down with its events, then tell.

        Raises BadInput for a line that cannot be at this point: nothing has happened then. After a JournalError the
        line may not be on disk: make the Evening anew.
        """
        if isinstance(line, Undo | Redo) or (isinstance(line, Played) and line.at is not None):
            events = self._judge_again(line)
        else:
            events = self._referee.feed(line)
        self._commit(line, events)
        return events

    def _judge_again(self, line: Undo | Redo | Played) -> list[Event]:
        """Judge the latest round anew, with what is undone left out, and what was missed put in where it belongs."""
        orders = orders_in(self._journal.last_game())
        undoing = Undoing.of(orders)
        if isinstance(line, Undo) and undoing.next_undo(call=line.call) is None:
            raise BadInput("there is no call to undo" if line.call else "there is nothing to undo")
        if isinstance(line, Redo) and undoing.next_redo() is None:
            raise BadInput("there is nothing that was undone")
        stands = standing(self._journal.last_game, [*orders, (self._journal.last_number() + 1, line)])
        if stands.game is None or (isinstance(line, Played) and not stands.lines):
            raise BadInput("no round is being played")
        self._referee, said = stands.judged()
        return [Rejudged(_time(line), len(stands.game.rounds)), *said]

    def finish(self) -> list[Event]:
        """What the referee would say if nothing more came; for the end of a recorded session."""
        return self._referee.finish()

    def _commit(self, line: Line, events: Sequence[Event]) -> None:
        number = self._journal.append(line, events)
        time = _time(line)
        if time > self.last_time or isinstance(line, NewGame):
            self.last_time, self._latest = time, []
        if time == self.last_time:
            self._latest.append(line)
        first = number - len(events) + 1
        self.undoing.take(first - 1, line)
        for place, event in enumerate(events):
            self._happened(event, first + place)
        if events:
            self.tell(events)

    def _happened(self, event: Event, number: int) -> None:
        self.board = after(self.board, event, number)
        self.private = after_privately(self.private, event)

    def tell(self, events: Sequence[Event] = ()) -> None:
        """Tell everybody the board as it is now."""
        for listener in self._audience:
            listener(self.board, events)


def _time(line: Line) -> float:
    """The time of a line in seconds; games and rounds begin without one."""
    return 0.0 if isinstance(line, NewGame | NewRound) else line.t
