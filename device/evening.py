"""The keeper of the game: lines go in, are judged, written down, and only then told to everybody.

One Evening owns the referee and the journal; a live table, a recorded session and a test all use it in the same way.
It is made anew from the journal after a power cut, and goes on with the same game.
"""

from collections.abc import Callable, Iterable, Sequence

from device.journal import Entry, Journal
from engine.board import NOTHING_YET, after
from engine.events import Event, RoundEnd, RoundReopened
from engine.game import Game, new_game
from engine.lines import Line, NewGame, NewRound
from engine.referee import Referee
from engine.snapshot import Snapshot

Audience = Callable[[Snapshot, Sequence[Event]], None]
"""Is told each new board and the events behind it. The events are the owner's: a page is drawn from the board alone."""


class Evening:
    """The referee, the journal and the board, moved together. One thread owns it."""

    def __init__(self, journal: Journal, audience: Iterable[Audience] = ()) -> None:
        """Go on where the journal ends. Raises JournalError for a journal that cannot be read."""
        self._journal = journal
        self._audience = tuple(audience)
        self._referee, self.board, lines = resumed(journal.last_game())
        self.last_time = max((_time(line) for line in lines), default=0.0)
        self._latest = [line for line in lines if _time(line) == self.last_time]

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
        events = self._referee.feed(line)
        self._commit(line, events)
        return events

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
        for place, event in enumerate(events):
            self.board = after(self.board, event, number - len(events) + 1 + place)
        if events:
            self.tell(events)

    def tell(self, events: Sequence[Event] = ()) -> None:
        """Tell everybody the board as it is now."""
        for listener in self._audience:
            listener(self.board, events)


def _time(line: Line) -> float:
    """The time of a line in seconds; games and rounds begin without one."""
    return 0.0 if isinstance(line, NewGame | NewRound) else line.t


def resumed(entries: Sequence[Entry]) -> tuple[Referee, Snapshot, list[Line]]:
    """The referee, the board and the lines of the latest round, from the entries of one game.

    What was said stands: board and totals follow from the events. Only the latest round is judged again, from its
    lines, so that the referee knows again what it believed of every card, and the host can still correct it.
    """
    referee, board = Referee(), NOTHING_YET
    game: Game | None = None
    latest_round: list[Line] = []
    end: RoundEnd | None = None
    for entry in entries:
        if entry.kind == "event":
            event = entry.event
            board = after(board, event, entry.number)
            if isinstance(event, RoundEnd | RoundReopened):
                end = event if isinstance(event, RoundEnd) else None
            continue
        line = entry.line
        if isinstance(line, NewGame):
            game = new_game(line.edition, line.players, line.variants, line.options)
            latest_round, end = [], None
        elif isinstance(line, NewRound):
            if game is not None and end is not None:
                game = game.after_round({seat: score.points for seat, score in end.scores.items()}, end.out)
            latest_round, end = [line], None
        elif latest_round:
            latest_round.append(line)
    referee.game = game
    for line in latest_round:
        referee.feed(line)
    return referee, board, latest_round
