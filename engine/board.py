"""From the referee's events to what everybody may see: a fold, event by event, into one Snapshot.

This is the only door between the private and the public. A card is let through while it lies on the discard pile,
and a rack once its round is over; nothing else is. Where it is not clear whether a card still lies there, it is hidden.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, assert_never

from engine.events import (
    Amended,
    CallMade,
    Doubt,
    DoubtSettled,
    Event,
    GameEnd,
    GameStarted,
    Paused,
    RacksWanted,
    Rejudged,
    RoundAbandoned,
    RoundEnd,
    RoundReopened,
    RoundStarted,
    TakenBack,
    Thread,
    TurnPlayed,
    Violation,
)
from engine.game import new_game
from engine.moves import Turn
from engine.snapshot import Notice, PlayerLine, PublicPlay, ShownRack, Snapshot

PLAYS_SHOWN: Final = 8
NOTICES_SHOWN: Final = 3

NOTHING_YET: Final = Snapshot(
    version=0, phase="waiting", edition="", target=0, round=0, dealer=None, to_move=None, players=()
)
"""The board before the first game."""


def after(board: Snapshot, event: Event, version: int) -> Snapshot:
    """The board once `event`, number `version` in the journal, has happened."""
    match event:
        case GameStarted():
            board = _new_game(event)
        case RoundStarted() | RoundEnd() | RoundReopened() | RoundAbandoned() | Rejudged() | GameEnd():
            board = _between_rounds(board, event)
        case TurnPlayed() | Amended() | TakenBack() | Thread():
            board = _played(board, event)
        case CallMade(seat, _):
            board = replace(board, phase="checking", called_by=seat)
        case RacksWanted(seats, _):
            board = replace(board, wanted=seats)
        case Paused(_, on):
            board = replace(board, paused=on)
        case Violation():
            board = _violated(board, event, version)
        case Doubt() | DoubtSettled():
            pass
        case _:
            assert_never(event)
    return replace(board, version=version)


def _new_game(event: GameStarted) -> Snapshot:
    game = new_game(event.edition, event.players, event.variants)
    return replace(
        NOTHING_YET,
        edition=event.edition,
        variants=event.variants,
        target=0 if game.rules.edition.one_round else event.target,
        players=tuple(PlayerLine(player.seat, player.name, 0) for player in event.players),
        sides=game.sides,
    )


def _between_rounds(
    board: Snapshot, event: RoundStarted | RoundEnd | RoundReopened | RoundAbandoned | Rejudged | GameEnd
) -> Snapshot:
    match event:
        case RoundStarted(number, dealer, to_move):
            return replace(_cleared(board), phase="playing", round=number, dealer=dealer, to_move=to_move)
        case RoundAbandoned():
            return replace(_cleared(board), round=board.round - 1)
        case Rejudged(_, rounds):
            players = tuple(
                replace(line, total=sum(line.points[:rounds]), points=line.points[:rounds]) for line in board.players
            )
            return replace(_cleared(board), players=players, round=rounds)
        case RoundEnd():
            return _round_over(board, event)
        case RoundReopened(to_move, _):
            # The round's points are taken back, and its racks are secret again.
            players = tuple(
                replace(line, total=line.total - sum(line.points[-1:]), points=line.points[:-1])
                for line in board.players
            )
            return replace(board, phase="playing", to_move=to_move, players=players, racks=(), winners=())
        case GameEnd(winners, _, _):
            return replace(board, phase="game-over", winners=winners)


def _cleared(board: Snapshot) -> Snapshot:
    """The board of the same game with no round on it."""
    return replace(
        NOTHING_YET,
        edition=board.edition,
        variants=board.variants,
        target=board.target,
        players=board.players,
        sides=board.sides,
    )


def _round_over(board: Snapshot, event: RoundEnd) -> Snapshot:
    players = tuple(
        replace(
            line,
            total=event.totals[line.seat],
            points=(*(line.points[:-1] if event.amends else line.points), event.scores[line.seat].points),
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
        board, phase="round-over", called_by=None, wanted=(), to_move=None, players=players, racks=racks, winners=()
    )


def _played(board: Snapshot, event: TurnPlayed | Amended | TakenBack | Thread) -> Snapshot:
    match event:
        case TurnPlayed():
            return _turn(board, event)
        case Amended():
            return _amended(board, event)
        case TakenBack():
            return _taken_back(board, event)
        case Thread(True, _, _):
            # Nobody saw what became of the discards, nor whose turn it is.
            return replace(board, lost=True, to_move=None, discard=None, plays=_hidden(board.plays, 0))
        case Thread():
            return replace(board, lost=False)


def _turn(board: Snapshot, event: TurnPlayed) -> Snapshot:
    turn, plays = event.turn, board.plays
    if event.turned_over:
        # Every card of the old discard pile lies face down now, or will stand in a rack.
        plays = _hidden(plays, 0)
    elif plays and turn.source != "draw":
        # The card below was taken, or may have been.
        plays = _hidden(plays, 0, 1)
    number = board.turns + 1
    discard = turn.discarded if event.in_sight else None
    shown = PublicPlay(
        number, turn.seat, turn.source, _is_exchange(turn), discard, event.t, turn.effect, event.turned_over
    )
    plays = (shown, *plays)[:PLAYS_SHOWN]
    return replace(board, to_move=event.to_move, discard=discard, turns=number, plays=plays)


def _is_exchange(turn: Turn) -> bool | None:
    """Whether a card of the rack was exchanged; None for a turn of which no more than the discard was seen."""
    return None if turn.source is None else turn.slot is not None or turn.source == "discard"


def _amended(board: Snapshot, event: Amended) -> Snapshot:
    """A card that lies on the discard pile is shown as it is now known; one that does not stays hidden."""
    at = _place(board, event.number)
    if at is None:
        return board
    turn, before = event.turn, board.plays[at]
    now = replace(
        before,
        seat=turn.seat,
        source=turn.source,
        exchanged=_is_exchange(turn),
        discarded=turn.discarded if before.discarded is not None and event.in_sight else None,
        effect=turn.effect,
    )
    plays = (*board.plays[:at], now, *board.plays[at + 1 :])
    if turn.source != before.source:
        # The card below was taken after all; or the pile was turned over to draw from it.
        plays = _hidden(plays, at + 1)
    return replace(board, discard=plays[0].discarded, plays=plays)


def _taken_back(board: Snapshot, event: TakenBack) -> Snapshot:
    """The discarded card stands in its rack again, and the card below it is the top of the pile if nobody took it."""
    at = _place(board, event.number)
    if at is None:
        return board
    plays = (*board.plays[:at], *board.plays[at + 1 :])
    if at > 0:
        # Who played since may have taken the card below.
        return replace(board, plays=_hidden(plays, at))
    return replace(board, to_move=event.to_move, discard=plays[0].discarded if plays else None, plays=plays)


def _place(board: Snapshot, number: int) -> int | None:
    """Where a turn is among the plays shown; None for one that is not."""
    return next((place for place, shown in enumerate(board.plays) if shown.number == number), None)


def _hidden(plays: Sequence[PublicPlay], first: int, end: int | None = None) -> tuple[PublicPlay, ...]:
    """The plays, without the cards that were discarded in those from `first` on, up to `end`."""
    hidden = [replace(shown, discarded=None) for shown in plays[first:end]]
    return (*plays[:first], *hidden, *(plays[end:] if end is not None else ()))


def _violated(board: Snapshot, event: Violation, version: int) -> Snapshot:
    """A false call is the verdict on the call; whatever else is named meanwhile is not."""
    notice = Notice(version, event.rule, event.seat, event.text)
    board = replace(board, notices=(notice, *board.notices)[:NOTICES_SHOWN])
    if event.rule == "two-cards-exchanged":
        # The second card, which the turn does not tell, may have come from the discard pile.
        return replace(board, plays=_hidden(board.plays, 1, 2))
    if event.rule == "false-call" and board.phase == "checking":
        return replace(board, phase="playing", called_by=None, wanted=())
    return board
