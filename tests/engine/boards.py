"""Boards made from events, and the cards that a board tells."""

import re
from collections.abc import Iterator
from dataclasses import asdict

from engine.board import NOTHING_YET, after
from engine.cards import Card
from engine.events import Event, GameStarted, RoundEnd, RoundStarted, TurnPlayed
from engine.game import Player
from engine.moves import parse_turn
from engine.round import Round
from engine.scoring import score_rack
from engine.snapshot import Snapshot
from engine.variants import rules_for
from tests.engine.tables import NAMES

PLAIN = rules_for("parker-1992", 4)
NO_CARDS = {
    "version", "edition", "target", "round", "dealer", "to_move", "seat", "total", "points", "number", "called_by",
    "scoring", "broke_at", "winners", "sides", "turns", "t", "effect",
}  # fmt: skip
"""Keys of a snapshot whose numbers are no cards. `effect` names slots, which everybody saw."""


def cards_in(value: object) -> Iterator[Card]:
    """Every number in a snapshot that could be a card, numbers in its words among them."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in NO_CARDS:
                yield from cards_in(inner)
    elif isinstance(value, tuple | list):
        for inner in value:
            yield from cards_in(inner)
    elif isinstance(value, str):
        yield from map(int, re.findall(r"\d+", value))
    elif isinstance(value, int) and not isinstance(value, bool):
        yield value


def cards_of(board: Snapshot) -> set[Card]:
    """Every number on a board that could be a card."""
    return set(cards_in(asdict(board)))


def in_racks(position: Round) -> set[Card]:
    return {card for rack in position.racks for card in rack}


def fold(board: Snapshot, *events: Event) -> Snapshot:
    """The board after these events, each with the next number."""
    for event in events:
        board = after(board, event, board.version + 1)
    return board


def people(players: int) -> tuple[Player, ...]:
    return tuple(Player(seat, NAMES[seat - 1]) for seat in range(1, players + 1))


def begun(players: int) -> Snapshot:
    """The board of a first round that has just begun."""
    return fold(NOTHING_YET, GameStarted("parker-1992", (), people(players), 500), RoundStarted(1, 1, 2))


def turn(text: str, t: float, *, to_move: int = 1, turned_over: bool = False, in_sight: bool = True) -> TurnPlayed:
    """A turn by its notation, first seen at `t`."""
    return TurnPlayed(parse_turn(text), to_move, t, turned_over, in_sight=in_sight)


def round_end(position: Round, out: int, *, amends: bool = False, before: int = 0) -> RoundEnd:
    """The end of a round with these racks; everybody had `before` points."""
    scores = {seat: score_rack(PLAIN, position.rack(seat), out=seat == out) for seat in position.seats}
    totals = {seat: before + score.points for seat, score in scores.items()}
    return RoundEnd(out, scores, totals, {seat: position.rack(seat) for seat in position.seats}, 99.0, amends)
