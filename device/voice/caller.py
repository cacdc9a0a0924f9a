"""What the caller says aloud, and when: a fold over the public boards and the clock, without a voice.

The points of a round are said once they have stood for a while, so that no total is said and then corrected; where one
is corrected all the same, the corrected value is said as such, and nothing else. While it is not certain how things
stand the caller is silent. Every voice, the browsers' and the device's, says these lines and decides nothing.

Only public boards come in here, so that no card of a rack can be named before its round is over.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from engine.cards import Seat
from engine.snapshot import Notice, PlayerLine, Snapshot
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
Fact = tuple[object, ...]


@dataclass(frozen=True)
class Score:
    """What is compared: each player's points, round by round, with the total, and who has won which game."""

    game: int
    players: tuple[tuple[Seat, tuple[int, ...], int], ...]
    winners: tuple[Seat, ...]

    @property
    def rounds(self) -> int:
        """How many rounds are scored."""
        return len(self.players[0][1]) if self.players else 0


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
        self._turn: Fact | None = None
        self._turn_said: Fact | None = None
        self._turn_since = 0.0

    def hear(self, board: Snapshot, game: int, now: float, *, doubt: bool = False) -> None:
        """Take in the newest board, of game number `game`; `doubt`: a card is asked for that a score hangs on.

        Lines that it does not bear out are withdrawn at once.
        """
        before, game_before = self._board, self._game
        self._board, self._game = board, game
        lost = board.lost and round_is_on(board)
        self._sure = not (lost or board.paused or doubt or board.phase == "checking")
        facts = set(_facts(board, game))
        self._lines = [line for line in self._lines if line.fact in facts and self._may_say(line.spoken.about)]
        score, turn = _score(board, game), _turn(board)
        if before is None:
            self._said, self._turn_said = score, turn
        else:
            self._tell(before if game_before == game else None, before.phase, now)
        if score != self._score:
            self._score, self._score_since = score, now
        if turn != self._turn:
            self._turn, self._turn_since = turn, now

    def due(self, now: float) -> tuple[SpokenLine, ...]:
        """What may be said by now, by number."""
        if self._board is not None and self._sure:
            if now - self._score_since >= SETTLE and self._score != self._said:
                before, self._said = self._said, self._score
                self._tell_score(self._board, before, now)
            if now - self._turn_since >= TURN and self._turn != self._turn_said:
                self._turn_said = self._turn
                self._tell_turn(self._board, now)
        self._lines = [line for line in self._lines if now - line.since < KEPT][-MOST:]
        return tuple(line.spoken for line in self._lines)

    def _may_say(self, about: About) -> bool:
        """Whether such a line may be said now: that somebody called, too, while the call is being looked at."""
        return self._sure or (about == "call" and self._board is not None and not self._board.paused)

    def _say(self, about: About, text: str, fact: Fact, now: float) -> None:
        self._number += 1
        self._lines.append(_Line(SpokenLine(self._number, about, text), now, fact))

    def _tell(self, before: Snapshot | None, phase: str, now: float) -> None:
        """Say what is told at once: that somebody called, and what the referee has to say to everybody.

        before: the board before, None if that was of another game; phase: its phase.
        """
        board = self._board
        if board is None:
            return
        if board.phase == "checking" and phase != "checking":
            who = None if board.called_by is None else seat_name(board, board.called_by)
            words = "RACK-O was called." if who is None else f"{who} calls RACK-O."
            self._say("call", words, _call(board, self._game), now)
        if self._sure:
            heard = () if before is None or before.round != board.round else before.notices
            for notice in _fresh(heard, board.notices):
                self._say("notice", notice.text, _notice(board, self._game, notice), now)

    def _tell_score(self, board: Snapshot, heard: Score, now: float) -> None:
        score = self._score
        if heard.game != score.game:
            lines = _end_of_round(board, score) if score.rounds else iter(())
        elif score.rounds < heard.rounds:
            void = "The points of round {} do not count." if board.target > 0 else "Round {} does not count."
            words = f"Correction. {void.format(heard.rounds)}"
            lines = iter([(words, ("points", score.game, score.players))])
        elif score.rounds > heard.rounds:
            lines = _end_of_round(board, score)
        elif score.players != heard.players or heard.winners:
            lines = _corrected(board, score, heard)
        else:
            lines = _winners(board, score)
        for words, fact in lines:
            self._say("score", words, fact, now)

    def _tell_turn(self, board: Snapshot, now: float) -> None:
        if self._turn is not None and board.to_move is not None:
            words = f"{seat_name(board, board.to_move)}’s turn."  # noqa: RUF001 - a typographic apostrophe
            self._say("turn", words, self._turn, now)


# ---- What is so -------------------------------------------------------------------------------------------------


def _facts(board: Snapshot, game: int) -> Iterator[Fact]:
    """All that can be told and is so."""
    score = _score(board, game)
    yield ("points", game, score.players)
    yield ("won", game, score.winners)
    yield from (("player", game, player) for player in score.players)
    yield from (_notice(board, game, notice) for notice in board.notices)
    turn = _turn(board)
    if turn is not None:
        yield turn
    # A call that was undone is gone; one that was judged is not.
    if board.phase != "playing" or any(notice.rule == "false-call" for notice in board.notices):
        yield _call(board, game)


def _score(board: Snapshot, game: int) -> Score:
    players = tuple((line.seat, line.points, line.total) for line in board.players)
    return Score(game, players, board.winners)


def _turn(board: Snapshot) -> Fact | None:
    """Whose turn it is, as one turn of many; None where it is nobody's, or nobody can tell."""
    if board.phase != "playing" or board.to_move is None:
        return None
    return ("turn", board.round, board.plays[0].number if board.plays else 0, board.to_move)


def _call(board: Snapshot, game: int) -> Fact:
    return ("call", game, board.round)


def _notice(board: Snapshot, game: int, notice: Notice) -> Fact:
    return ("notice", game, board.round, notice.text)


def _fresh(heard: tuple[Notice, ...], notices: tuple[Notice, ...]) -> list[Notice]:
    """What was not told before, oldest first.

    Where the round was judged anew all of them have other numbers, and only what is said otherwise is news.
    """
    numbers = {notice.number for notice in heard}
    fresh = sorted((one for one in notices if one.number not in numbers), key=lambda one: one.number)
    if len(fresh) < len(notices):
        return fresh
    told = Counter(notice.text for notice in heard)
    news = []
    for notice in fresh:
        if told[notice.text] > 0:
            told[notice.text] -= 1
        else:
            news.append(notice)
    return news


# ---- The words of a score ---------------------------------------------------------------------------------------

Lines = Iterator[tuple[str, Fact]]


def _end_of_round(board: Snapshot, score: Score) -> Lines:
    whole = ("points", score.game, score.players)
    out = [seat_name(board, rack.seat) for rack in board.racks if rack.out]
    if out:
        yield f"{' and '.join(out)} goes out.", whole
    if board.target > 0:
        alone = all(len(side) == 1 for side in board.sides)
        for line in board.players:
            yield _points(line, score, total=score.rounds > 1 and alone)
        yield from _pairs(board, whole)
    yield from _winners(board, score)


def _corrected(board: Snapshot, score: Score, heard: Score) -> Lines:
    """The values that are others now, and no other."""
    whole = ("points", score.game, score.players)
    yield "Correction.", whole
    if board.target > 0 and score.players != heard.players:
        for line, now, then in zip(board.players, score.players, heard.players, strict=False):
            if now != then:
                yield _points(line, score, total=True)
        yield from _pairs(board, whole)
    if heard.winners and not score.winners:
        yield "The game goes on.", ("won", score.game, ())
    yield from _winners(board, score)


def _points(line: PlayerLine, score: Score, *, total: bool) -> tuple[str, Fact]:
    in_all = f", {line.total} in all" if total else ""
    return f"{line.name}: {line.points[-1]} points{in_all}.", (
        "player",
        score.game,
        (line.seat, line.points, line.total),
    )


def _pairs(board: Snapshot, fact: Fact) -> Lines:
    for side in board.sides:
        lines = [line for line in board.players if line.seat in side]
        if len(lines) > 1:
            names = " and ".join(line.name for line in lines)
            yield f"{names}: {sum(line.total for line in lines)} together.", fact


def _winners(board: Snapshot, score: Score) -> Lines:
    if score.winners:
        names = " and ".join(seat_name(board, seat) for seat in score.winners)
        yield f"{names} {'win' if len(score.winners) > 1 else 'wins'} the game.", ("won", score.game, score.winners)
