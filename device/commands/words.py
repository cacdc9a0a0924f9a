"""The referee's events in words, for the owner of the table. Pages have words of their own: these tell everything."""

from collections.abc import Iterable

from engine.cards import Card, Seat
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
from engine.game import Game
from engine.moves import Turn

Told = DoubtSettled | RacksWanted | Paused | RoundAbandoned | Rejudged
AtATime = TurnPlayed | Amended | TakenBack | CallMade | Violation | Thread | Doubt | RoundReopened | Told


def in_words(event: Event, game: Game) -> list[str]:
    """What happened, one line each; what happened at a moment begins with its time in seconds."""
    match event:
        case GameStarted():
            return [_game(game)]
        case RoundStarted(number, dealer, to_move):
            return [f"Round {number}: {game.name(dealer)} deals, {game.name(to_move)} begins"]
        case RoundEnd():
            return _scores(event, game)
        case GameEnd():
            return [_winners(event, game)]
    return [f"{event.t:8.2f}  {_at_a_time(event, game)}"]


def _turn(turn: Turn, game: Game) -> str:
    """One readable line: "Ada draws 17, puts it at 25, discards 44"."""
    name = game.name(turn.seat)
    if turn.source is None:
        return f"{name} discards {_card(turn.discarded)}"
    if turn.slot is None and turn.source == "discard":
        return f"{name} takes {_card(turn.card)}, discards {_card(turn.discarded)}"
    if turn.slot is None:
        return f"{name} draws {_card(turn.card)} and discards it"
    verb = "draws" if turn.source == "draw" else "takes"
    return f"{name} {verb} {_card(turn.card)}, puts it at {turn.slot}, discards {_card(turn.discarded)}"


def _card(card: Card | None) -> str:
    return "a card" if card is None else str(card)


def _effect(turn: Turn, game: Game) -> str:
    if turn.effect is None:
        return ""
    if turn.effect == "again":
        return ", and takes another turn"
    one, other = (f"{game.name(seat)}'s card at {slot}" for seat, slot in (turn.effect.one, turn.effect.other))
    return f", and switches {one} with {other}"


def _at_a_time(event: AtATime, game: Game) -> str:
    match event:
        case TurnPlayed(turn, _, _, turned_over, prime):
            over = "The discard pile is turned over. " if turned_over else ""
            return f"{over}{_turn(turn, game)}{' (a Prime card)' if prime else ''}{_effect(turn, game)}"
        case Amended(number, turn, _):
            return f"Correction of turn {number}: {_turn(turn, game)}{_effect(turn, game)}"
        case TakenBack(number, to_move, _):
            return f"Turn {number} is taken back; {game.name(to_move)} is to move again"
        case CallMade(seat, _):
            return f"{'Somebody' if seat is None else game.name(seat)} calls RACK-O!"
        case Violation() | Thread():
            return event.text
        case Doubt(seat, slot, candidates, _):
            maybe = " or ".join(str(card or "none") for card in candidates) or "not readable"
            return f"In doubt: {game.name(seat)}'s card at {slot} ({maybe})"
        case RoundReopened(to_move, _):
            return f"That was no RACK-O: the round goes on, and {game.name(to_move)} is to move"
        case DoubtSettled() | RacksWanted() | Paused() | RoundAbandoned() | Rejudged():
            return _told(event, game)


def _told(event: Told, game: Game) -> str:
    match event:
        case DoubtSettled(seat, slot, _):
            return f"{game.name(seat)}'s card at {slot} is in doubt no more"
        case RacksWanted(seats, _):
            return (
                f"Show a camera the racks of {_names(seats, game)}" if seats else "No rack needs to be shown any more"
            )
        case Paused(_, on):
            return "Pause: nothing is taken for play" if on else "Play is followed again"
        case RoundAbandoned():
            return "The round is ended without scores"
        case Rejudged():
            return "The round is judged again from its start:"


def _game(game: Game) -> str:
    variants = f" ({', '.join(game.variants)})" if game.variants else ""
    sides = [_names(side, game) for side in game.sides]
    people = " against ".join(sides) if len(sides) < len(game.seats) else _names(game.seats, game)
    goal = "the first out wins" if game.rules.edition.one_round else f"to {game.rules.target} points"
    return f"{people} play {game.edition}{variants}, {goal}"


def _scores(event: RoundEnd, game: Game) -> list[str]:
    lines = ["Corrected:"] if event.amends else []
    if game.rules.edition.one_round:
        return [*lines, f"{game.name(event.out)} goes out"]
    lines += [
        f"{game.name(seat)} scores {score.points:3} (total {event.totals[seat]}): {score.why}"
        for seat, score in event.scores.items()
    ]
    pairs = [side for side in game.sides if len(side) > 1]
    return lines + [f"{_names(pair, game)} have {sum(event.totals[seat] for seat in pair)} together" for pair in pairs]


def _winners(event: GameEnd, game: Game) -> str:
    words = f"{_names(event.winners, game)} {'win' if len(event.winners) > 1 else 'wins'} the game"
    if game.rules.edition.one_round:
        return words
    return f"{words} with {sum(event.totals[seat] for seat in event.winners)}"


def _names(seats: Iterable[Seat], game: Game) -> str:
    *first, last = (game.name(seat) for seat in seats)
    return f"{', '.join(first)} and {last}" if first else last
