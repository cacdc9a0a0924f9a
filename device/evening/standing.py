"""What a journal says of the game that is on: which lines stand, and the latest round judged from them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from device.evening.journal import Entry
from engine.errors import BadInput
from engine.events import Event, Rejudged, RoundAbandoned, RoundEnd, RoundReopened, RoundStarted
from engine.game import Game, new_game
from engine.lines import Hidden, Line, NewGame, NewRound, Observation, Played, Redo, Undo, Unsettled
from engine.referee import Referee
from engine.undoing import Undoing


@dataclass(frozen=True)
class Standing:
    """The game as it was before its latest round that stands, and that round's lines, in the order of what happened.

    game: None before the first one. lines: they begin with the round's own line; none where no round stands.
    """

    game: Game | None
    lines: Sequence[Line]

    def judged(self) -> tuple[Referee, list[Event]]:
        """A referee who has judged the round anew, and what it said. What cannot stand any more is passed over."""
        referee, said = Referee(), list[Event]()
        referee.game = self.game
        for line in self.lines:
            try:
                said += referee.feed(line)
            except BadInput:
                continue
        return referee, said


def orders_in(entries: Iterable[Entry]) -> list[tuple[int, Line]]:
    """What people said, with its numbers: every line that no camera gave."""
    return [
        (entry.number, entry.line)
        for entry in entries
        if entry.kind == "line" and entry.body.get("type") not in ("observe", "unsettled", "hidden")
    ]


def standing(entries: Callable[[], Iterable[Entry]], orders: Sequence[tuple[int, Line]]) -> Standing:
    """What stands of a game: of its `entries`, which begin with its own line, and of what people said, `orders`.

    The latter may hold one order more than was written down yet. Looks that were taken while the round was held to be
    over are left out, for the cards may have been gathered; a line says so.
    """
    void = Undoing.of(orders).void
    story = _Story()
    last = 0
    for entry in entries():
        last = entry.number
        if entry.kind == "event":
            story.hear(entry.event)
        elif entry.number not in void:
            story.take(entry.line)
    for number, line in orders:
        if number > last and number not in void:
            story.take(line)
    return story.told()


class _Story:
    """Reads a game's entries one by one, and keeps no more than its latest round."""

    def __init__(self) -> None:
        self._game: Game | None = None
        self._ends: list[RoundEnd] = []
        self._before = 0
        self._lines: list[Line] = []
        self._on = False
        self._gap = False

    def take(self, line: Line) -> None:
        match line:
            case NewGame(edition, variants, players, options):
                self._game = new_game(edition, players, variants, options)
            case NewRound():
                self._before, self._lines, self._gap = len(self._ends), [line], False
            case Undo() | Redo():
                pass
            case Observation() | Unsettled() | Hidden():
                self._look(line)
            case Played(at=float() as at):
                self._put_in(line, at)
            case _ if self._lines:
                self._lines.append(line)

    def _look(self, look: Observation | Unsettled | Hidden) -> None:
        if not self._lines:
            return
        if self._on:
            self._lines.append(look)
        elif not self._gap:
            self._lines.append(Unsettled(look.t))
        self._gap = not self._on

    def _put_in(self, line: Played, at: float) -> None:
        """Put a play in before the first look that was taken then or later."""
        later = (
            place
            for place, taken in enumerate(self._lines)
            if isinstance(taken, Observation | Unsettled) and taken.t >= at
        )
        if self._lines:
            self._lines.insert(next(later, len(self._lines)), line)

    def hear(self, event: Event) -> None:
        match event:
            case RoundStarted():
                self._on = True
            case RoundEnd():
                self._on = False
                if event.amends:
                    self._ends.pop()
                self._ends.append(event)
            case RoundReopened():
                self._on = True
                self._ends.pop()
            case RoundAbandoned():
                self._on = False
            case Rejudged(_, rounds):
                self._on = False
                del self._ends[rounds:]

    def told(self) -> Standing:
        game = self._game
        if game is None:
            return Standing(None, ())
        for end in self._ends[: self._before] if self._lines else self._ends:
            game = game.after_round({seat: score.points for seat, score in end.scores.items()}, end.out)
        return Standing(game, self._lines)
