"""What the caller says aloud, and when: a fold over the public boards and the clock, without a voice.

The points of a round are said once they have stood for a while, so that no total is said and then corrected; where one
is corrected all the same, the corrected value is said as such, and nothing else. While it is not certain how things
stand the caller is silent. Every voice, the browsers' and the device's, says these lines and decides nothing.

Only public boards come in here, so that no card of a rack can be named before its round is over.
"""

from dataclasses import dataclass
from typing import Final, Literal

from device.voice.telling import (
    Fact,
    Score,
    call_fact,
    facts_of,
    fresh,
    notice_fact,
    score_lines,
    score_of,
    turn_fact,
)
from engine.cards import Seat
from engine.snapshot import Snapshot
from webui.desk import SpokenLine
from webui.view import round_is_on, seat_name

SETTLE: Final = 4.0
"""Seconds that a score stands before it is said."""

TURN: Final = 1.2
"""Seconds that a turn stands before it is said."""

KEPT: Final = 60.0
"""Seconds for which a line may be said; no voice takes so long to come to it."""

MOST: Final = 12
"""Lines that may be said at a time; the oldest make room. A round's end of four partners is eight, with its winners."""

About = Literal["call", "notice", "score", "turn"]


@dataclass(frozen=True)
class _Line:
    """A line, since when it may be said, and the fact that it tells: it may be said as long as that is so."""

    spoken: SpokenLine
    since: float
    fact: Fact


class Caller:
    """Hears each board as it comes and says what may be said by now. Times are seconds that never go back.

    What was so when the first board came is not told. One thread uses it.
    """

    def __init__(self) -> None:
        self._board: Snapshot | None = None
        self._game = 0
        self._sure = False
        self._lines: list[_Line] = []
        self._number = 0
        self._score = self._said = Score(0, (), ())
        self._score_since = 0.0
        self._out: tuple[int, tuple[Seat, ...]] = (0, ())
        self._turn: Fact | None = None
        self._turn_said: Fact | None = None
        self._turn_since = 0.0

    def hear(self, board: Snapshot, game: int, now: float, *, doubt: bool = False) -> None:
        """Take in the newest board, of game number `game`; `doubt`: a card is asked for that a score hangs on.

        Lines that it does not bear out are withdrawn at once.
        """
        before, of_same_game = self._board, game == self._game
        self._board, self._game = board, game
        lost = board.lost and round_is_on(board)
        self._sure = not (lost or board.paused or doubt or board.phase == "checking")
        facts = set(facts_of(board, game))
        self._lines = [line for line in self._lines if line.fact in facts and self._may_say(line, board)]
        score, turn = score_of(board, game), turn_fact(board)
        if board.racks:
            # Kept, for the next round may have begun by the time that this is said.
            self._out = score.rounds, tuple(rack.seat for rack in board.racks if rack.out)
        if before is None:
            self._said, self._turn_said = score, turn
        else:
            same_round = of_same_game and before.round == board.round
            self._tell_call(before, board, now)
            if self._sure:
                for notice in fresh(before.notices if same_round else (), board.notices):
                    self._say("notice", notice.text, notice_fact(board, game, notice), now)
        if score != self._score:
            self._score, self._score_since = score, now
        if turn != self._turn:
            self._turn, self._turn_since = turn, now

    def due(self, now: float) -> tuple[SpokenLine, ...]:
        """What may be said by now, by number."""
        if self._board is not None and self._sure:
            if now - self._score_since >= SETTLE and self._score != self._said:
                self._tell_score(self._board, now)
            if now - self._turn_since >= TURN and self._turn != self._turn_said:
                self._tell_turn(self._board, now)
        self._lines = [line for line in self._lines if now - line.since < KEPT][-MOST:]
        return tuple(line.spoken for line in self._lines)

    def _may_say(self, line: _Line, board: Snapshot) -> bool:
        """Whether such a line may be said now: that somebody called, too, while the call is being looked at."""
        return self._sure or (line.spoken.about == "call" and not board.paused)

    def _say(self, about: About, text: str, fact: Fact, now: float) -> None:
        self._number += 1
        self._lines.append(_Line(SpokenLine(self._number, about, text), now, fact))

    def _tell_call(self, before: Snapshot, board: Snapshot, now: float) -> None:
        if board.phase == "checking" and before.phase != "checking":
            who = None if board.called_by is None else seat_name(board, board.called_by)
            words = "RACK-O was called." if who is None else f"{who} calls RACK-O."
            self._say("call", words, call_fact(board, self._game), now)

    def _tell_score(self, board: Snapshot, now: float) -> None:
        heard, self._said = self._said, self._score
        rounds, seats = self._out
        out = seats if rounds == self._score.rounds else ()
        for words, fact in score_lines(board, self._score, heard, out):
            self._say("score", words, fact, now)

    def _tell_turn(self, board: Snapshot, now: float) -> None:
        self._turn_said = self._turn
        if self._turn is not None and board.to_move is not None:
            words = f"{seat_name(board, board.to_move)}’s turn."  # noqa: RUF001 - a typographic apostrophe
            self._say("turn", words, self._turn, now)
