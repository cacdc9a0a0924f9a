"""What can be told of a public board, and in which words; device.voice.caller knows when."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.cards import Seat
from engine.snapshot import Notice, PlayerLine, Snapshot
from webui.view import seat_name

Fact = tuple[object, ...]
"""Something that is so, or is not; a line that tells it may be said as long as it is."""

Lines = Iterator[tuple[str, Fact]]


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


# ---- What is so -------------------------------------------------------------------------------------------------


def facts_of(board: Snapshot, game: int) -> Iterator[Fact]:
    """All that can be told and is so."""
    score = score_of(board, game)
    yield _points_fact(score)
    yield _won_fact(score)
    yield from (("player", game, player) for player in score.players)
    yield from (notice_fact(board, game, notice) for notice in board.notices)
    turn = turn_fact(board)
    if turn is not None:
        yield turn
    # A call that was undone is gone; one that was judged is not.
    if board.phase != "playing" or any(notice.rule == "false-call" for notice in board.notices):
        yield call_fact(board, game)


def score_of(board: Snapshot, game: int) -> Score:
    """The score as the board of this game has it."""
    return Score(game, tuple((line.seat, line.points, line.total) for line in board.players), board.winners)


def turn_fact(board: Snapshot) -> Fact | None:
    """Whose turn it is, as one turn of many; None where it is nobody's, or nobody can tell."""
    if board.phase != "playing" or board.to_move is None:
        return None
    return ("turn", board.round, board.plays[0].number if board.plays else 0, board.to_move)


def call_fact(board: Snapshot, game: int) -> Fact:
    """That somebody called in this round."""
    return ("call", game, board.round)


def notice_fact(board: Snapshot, game: int, notice: Notice) -> Fact:
    """That this was said to everybody in this round."""
    return ("notice", game, board.round, notice.text)


def _points_fact(score: Score) -> Fact:
    return ("points", score.game, score.players)


def _won_fact(score: Score) -> Fact:
    return ("won", score.game, score.winners)


def fresh(heard: Sequence[Notice], notices: Sequence[Notice]) -> list[Notice]:
    """Those notices that were not told before, oldest first.

    Where the round was judged anew all of them have other numbers, and only what is said otherwise is news.
    """
    numbers = {notice.number for notice in heard}
    new = sorted((notice for notice in notices if notice.number not in numbers), key=lambda notice: notice.number)
    if len(new) < len(notices):
        return new
    told = Counter(notice.text for notice in heard)
    news = []
    for notice in new:
        if told[notice.text] > 0:
            told[notice.text] -= 1
        else:
            news.append(notice)
    return news


# ---- The words of a score ---------------------------------------------------------------------------------------


def score_lines(board: Snapshot, score: Score, heard: Score, out: Sequence[Seat]) -> Lines:
    """What is to be told of a score by who heard another one. `out`: who went out in the latest round."""
    if heard.game != score.game:
        return _end_of_round(board, score, out) if score.rounds else iter(())
    if score.rounds > heard.rounds:
        return _end_of_round(board, score, out)
    if score.rounds < heard.rounds:
        void = "The points of round {} do not count." if board.target > 0 else "Round {} does not count."
        return iter([(f"Correction. {void.format(heard.rounds)}", _points_fact(score))])
    if score.players != heard.players or heard.winners:
        return _corrected(board, score, heard)
    return _winners(board, score)


def _end_of_round(board: Snapshot, score: Score, out: Sequence[Seat]) -> Lines:
    if out:
        yield f"{_names(board, out)} goes out.", _points_fact(score)
    if board.target > 0:
        for line in board.players:
            yield _points(board, line, score, total=score.rounds > 1)
        yield from _pairs(board, board.players, score)
    yield from _winners(board, score)


def _corrected(board: Snapshot, score: Score, heard: Score) -> Lines:
    """The values that are others now, and no other."""
    yield "Correction.", _points_fact(score)
    if board.target > 0:
        compared = zip(board.players, score.players, heard.players, strict=False)
        changed = [line for line, now, then in compared if now != then]
        for line in changed:
            yield _points(board, line, score, total=True)
        yield from _pairs(board, changed, score)
    if heard.winners and not score.winners:
        yield "The game goes on.", _won_fact(score)
    yield from _winners(board, score)


def _points(board: Snapshot, line: PlayerLine, score: Score, *, total: bool) -> tuple[str, Fact]:
    """A player's points; the total of one who has a partner is said with theirs."""
    alone = all(len(side) == 1 for side in board.sides)
    in_all = f", {line.total} in all" if total and alone else ""
    fact = ("player", score.game, (line.seat, line.points, line.total))
    return f"{line.name}: {line.points[-1]} points{in_all}.", fact


def _pairs(board: Snapshot, of: Sequence[PlayerLine], score: Score) -> Lines:
    """The totals of partners, of those pairs that one of these players is of."""
    for side in board.sides:
        lines = [line for line in board.players if line.seat in side]
        if len(lines) > 1 and any(line in of for line in lines):
            yield f"{_names(board, side)}: {sum(line.total for line in lines)} together.", _points_fact(score)


def _winners(board: Snapshot, score: Score) -> Lines:
    if score.winners:
        verb = "win" if len(score.winners) > 1 else "wins"
        yield f"{_names(board, score.winners)} {verb} the game.", _won_fact(score)


def _names(board: Snapshot, seats: Sequence[Seat]) -> str:
    return " and ".join(seat_name(board, seat) for seat in seats)
