"""From the referee's events to what everybody may see: a fold, event by event, into one Snapshot.

This is the only door between the private and the public. A card is let through while it lies on the discard pile,
and a rack once its round is over; nothing else is.
"""

from dataclasses import replace
from typing import Final

from engine.cards import Seat
from engine.events import (
    Amended,
    CallMade,
    Doubt,
    Event,
    GameEnd,
    GameStarted,
    RoundEnd,
    RoundReopened,
    RoundStarted,
    Thread,
    TurnPlayed,
    Violation,
)
from engine.snapshot import Notice, PlayerLine, PublicPlay, ShownRack, Snapshot

PLAYS_SHOWN: Final = 8
NOTICES_SHOWN: Final = 3

NOTHING_YET: Final = Snapshot(
    version=0, phase="waiting", edition="", target=0, round=0, dealer=None, to_move=None, players=()
)
"""The board before the first game."""


def after(board: Snapshot, event: Event, version: int) -> Snapshot:
    """The board once `event`, number `version` in the journal, has happened."""
    board = replace(board, version=version)
    match event:
        case GameStarted(edition, _, players, target):
            lines = tuple(PlayerLine(player.seat, player.name, 0) for player in players)
            return replace(NOTHING_YET, version=version, edition=edition, target=target, players=lines)
        case RoundStarted(number, dealer, to_move):
            return replace(
                board,
                phase="playing",
                round=number,
                dealer=dealer,
                to_move=to_move,
                discard=None,
                called_by=None,
                plays=(),
                notices=(),
                racks=(),
                lost=False,
            )
        case TurnPlayed():
            return _after_turn(board, event)
        case CallMade(seat, _):
            return replace(board, phase="checking", called_by=seat)
        case Violation(rule, seat, text, _):
            notice = Notice(version, rule, seat, text)
            return replace(board, phase="playing", called_by=None, notices=(notice, *board.notices)[:NOTICES_SHOWN])
        case Amended():
            return _after_amendment(board, event)
        case Thread(lost, text, _):
            notices = (Notice(version, "thread", None, text), *board.notices)[:NOTICES_SHOWN]
            return replace(board, lost=lost, notices=notices)
        case RoundEnd():
            return _after_round(board, event)
        case RoundReopened(to_move, _):
            return _reopened(board, to_move)
        case GameEnd(winners, _, _):
            return replace(board, phase="game-over", winners=winners)
        case Doubt():
            return board


def _after_turn(board: Snapshot, event: TurnPlayed) -> Snapshot:
    turn = event.turn
    plays = board.plays
    if event.turned_over:
        # Every card of the old discard pile lies face down now, or will stand in a rack.
        plays = tuple(replace(shown, discarded=None) for shown in plays)
    elif turn.source == "discard" and plays:
        plays = (replace(plays[0], discarded=None), *plays[1:])
    number = plays[0].number + 1 if plays else 1
    shown = PublicPlay(number, turn.seat, turn.source, turn.slot is not None, turn.discarded)
    return replace(board, to_move=event.to_move, discard=turn.discarded, plays=(shown, *plays)[:PLAYS_SHOWN])


def _after_amendment(board: Snapshot, event: Amended) -> Snapshot:
    """A card that lies on the discard pile is shown as it is now known; one that does not stays hidden."""
    turn = event.turn
    newest = bool(board.plays) and board.plays[0].number == event.number and board.plays[0].discarded is not None
    plays = tuple(
        replace(shown, seat=turn.seat, source=turn.source, exchanged=turn.slot is not None)
        if shown.number == event.number
        else shown
        for shown in board.plays
    )
    if not newest:
        return replace(board, plays=plays)
    plays = (replace(plays[0], discarded=turn.discarded), *plays[1:])
    return replace(board, plays=plays, discard=turn.discarded)


def _reopened(board: Snapshot, to_move: Seat) -> Snapshot:
    """The round goes on: its points are taken back, and the racks are secret again."""
    players = tuple(
        replace(line, total=line.total - line.points[-1], points=line.points[:-1]) for line in board.players
    )
    return replace(board, phase="playing", to_move=to_move, players=players, racks=(), winners=())


def _after_round(board: Snapshot, event: RoundEnd) -> Snapshot:
    def points(seat: Seat) -> int:
        return event.scores[seat].points

    players = tuple(
        replace(
            line,
            total=event.totals[line.seat],
            points=(*(line.points[:-1] if event.amends else line.points), points(line.seat)),
        )
        for line in board.players
    )
    racks = tuple(
        ShownRack(
            seat=seat,
            cards=event.racks[seat],
            scoring=score.scoring,
            broke_at=score.broke_at,
            points=score.points,
            out=seat == event.out,
            why=score.why,
        )
        for seat, score in sorted(event.scores.items())
    )
    return replace(
        board, phase="round-over", called_by=None, to_move=None, players=players, racks=racks, winners=(), lost=False
    )
