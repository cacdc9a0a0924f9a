"""The referee's events in words, for the owner of the table. Pages have words of their own: these tell everything."""

from collections.abc import Callable

from engine.cards import Card, Seat
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
from engine.game import Game
from engine.moves import Turn


def _card(card: Card | None) -> str:
    return "a card" if card is None else str(card)


def turn_in_words(turn: Turn, name: str) -> str:
    """One readable line: "Ada draws 17, puts it at 25, discards 44"."""
    verb = "draws" if turn.source == "draw" else "takes"
    if turn.slot is None:
        return f"{name} draws {_card(turn.card)} and discards it"
    return f"{name} {verb} {_card(turn.card)}, puts it at {turn.slot}, discards {_card(turn.discarded)}"


def _effect(turn: Turn, named: Callable[[Seat], str]) -> str:
    if turn.effect is None:
        return ""
    if turn.effect == "again":
        return ", and takes another turn"
    one, other = (f"{named(seat)}'s card at {slot}" for seat, slot in (turn.effect.one, turn.effect.other))
    return f", and switches {one} with {other}"


def in_words(event: Event, game: Game) -> list[str]:
    """What happened, one line each."""

    def named(seat: Seat) -> str:
        return game.name(seat)

    match event:
        case GameStarted(edition, _, players, target):
            return [f"{' and '.join(player.name for player in players)} play {edition} to {target}"]
        case RoundStarted(number, dealer, to_move):
            return [f"Round {number}: {named(dealer)} deals, {named(to_move)} begins"]
        case TurnPlayed(turn, _, t, turned_over):
            over = "The discard pile is turned over. " if turned_over else ""
            return [f"{t:8.2f}  {over}{turn_in_words(turn, named(turn.seat))}{_effect(turn, named)}"]
        case Amended(number, turn, t):
            return [
                f"{t:8.2f}  Turn {number} was rather: {turn_in_words(turn, named(turn.seat))}{_effect(turn, named)}"
            ]
        case CallMade(seat, t):
            return [f"{t:8.2f}  {'Somebody' if seat is None else named(seat)} calls RACK-O!"]
        case Violation(_, _, text, t) | Thread(_, text, t):
            return [f"{t:8.2f}  {text}"]
        case Doubt(seat, slot, candidates, t):
            maybe = " or ".join(map(str, candidates)) or "not readable"
            return [f"{t:8.2f}  In doubt: {named(seat)}'s card at {slot} ({maybe})"]
        case RoundReopened(to_move, t):
            return [f"{t:8.2f}  The round goes on; {named(to_move)} is to move"]
        case RoundEnd():
            return [
                f"{named(seat)} scores {score.points:3} (total {event.totals[seat]}): {score.why}"
                for seat, score in event.scores.items()
            ]
        case GameEnd(winners, totals, _):
            return [f"{' and '.join(map(named, winners))} wins the game with {totals[winners[0]]}"]
