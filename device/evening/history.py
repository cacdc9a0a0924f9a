"""The games of an evening, round by round, for everybody: a fold of the journal's events. Only what is over is told."""

from collections.abc import Iterable
from dataclasses import replace

from device.evening.journal import Entry
from engine.board import NOTHING_YET, after
from engine.events import (
    Event,
    GameEnd,
    GameStarted,
    Rejudged,
    RoundAbandoned,
    RoundEnd,
    RoundReopened,
    RoundStarted,
    TurnPlayed,
    Violation,
)
from engine.snapshot import ShownRack
from webui.desk import GamePlayed, RoundPlayed


class History:
    """Keeps the games as they are told; one thread feeds it, any may read `games`."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        """Read what a journal holds."""
        self.games: tuple[GamePlayed, ...] = ()
        self._dealer = 0
        self._turns = 0
        self._notices: list[str] = []
        for entry in entries:
            if entry.kind == "event":
                self.hear(entry.event, entry.written)

    @property
    def game(self) -> int:
        """The number of the game that is on, or was last; 0 for none."""
        return len(self.games)

    def hear(self, event: Event, written: str) -> None:
        """Take in one event, and the time of day at which it was written."""
        match event:
            case GameStarted():
                players = {player.seat: player.name for player in event.players}
                number = len(self.games) + 1
                self.games += (GamePlayed(number, event.edition, event.variants, players, (), (), written),)
            case RoundStarted(_, dealer):
                self._dealer, self._turns, self._notices = dealer, 0, []
            case TurnPlayed():
                self._turns += 1
            case Violation():
                self._notices.append(event.text)
            case RoundEnd():
                self._ended(event, written)
            case RoundReopened() | Rejudged() | GameEnd():
                self._changed(event)
            case RoundAbandoned():
                self._turns = 0
            case _:
                pass

    def _ended(self, end: RoundEnd, written: str) -> None:
        game = self.games[-1]
        before = game.rounds[:-1] if end.amends else game.rounds
        played = RoundPlayed(
            number=len(before) + 1,
            dealer=self._dealer,
            out=end.out,
            turns=self._turns,
            points={seat: score.points for seat, score in end.scores.items()},
            totals=dict(end.totals),
            racks=_racks(end),
            notices=tuple(self._notices),
            ended=game.rounds[-1].ended if end.amends else written,
        )
        self.games = (*self.games[:-1], replace(game, rounds=(*before, played), winners=()))

    def _changed(self, event: RoundReopened | Rejudged | GameEnd) -> None:
        game = self.games[-1]
        match event:
            case RoundReopened():
                game = replace(game, rounds=game.rounds[:-1], winners=())
            case Rejudged(_, rounds):
                game = replace(game, rounds=game.rounds[:rounds], winners=())
            case GameEnd(winners):
                game = replace(game, winners=winners)
        self.games = (*self.games[:-1], game)


def _racks(end: RoundEnd) -> tuple[ShownRack, ...]:
    """The racks as the board shows them."""
    return after(NOTHING_YET, end, 0).racks
