"""The evening's history as JSON and as a table for spreadsheets. No round is in it before it is over."""

import csv
import io
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engine.snapshot import Snapshot
from webui.desk import Desk, GamePlayed, RoundPlayed
from webui.view import Json, rack_json, round_is_on

COLUMNS: Final = ("game", "round", "ended", "seat", "name", "points", "total", "out", "dealer", "turns")

FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What makes a spreadsheet take a cell for a formula."""


def games_of(desk: Desk) -> tuple[GamePlayed, ...]:
    """The games of the evening, oldest first, with the rounds that are over and no other.

    The desk tells no other either; but a round that was reopened is secret again, and one that is told too early
    would tell racks.
    """
    board = desk.board.latest()
    games = desk.history()
    return (*games[:-1], _without_open_round(games[-1], board)) if games else ()


def game_number(desk: Desk) -> int:
    """The number of the latest game, 0 before the first."""
    games = desk.history()
    return games[-1].number if games else 0


def history_json(games: Sequence[GamePlayed]) -> Json:
    """Return the games with all their rounds."""
    return {"games": [_game(game) for game in games]}


def history_csv(games: Sequence[GamePlayed]) -> str:
    """Return a line a round and player, under the line of COLUMNS."""
    text = io.StringIO()
    lines = csv.writer(text)
    lines.writerow(COLUMNS)
    for game in games:
        for played in game.rounds:
            for seat, points in sorted(played.points.items()):
                lines.writerow(
                    (
                        game.number,
                        played.number,
                        harmless(played.ended),
                        seat,
                        harmless(game.players.get(seat, f"Seat {seat}")),
                        points,
                        played.totals.get(seat, ""),
                        "yes" if seat == played.out else "no",
                        "yes" if seat == played.dealer else "no",
                        played.turns,
                    )
                )
    return text.getvalue()


def harmless(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def _without_open_round(game: GamePlayed, board: Snapshot) -> GamePlayed:
    if not round_is_on(board):
        return game
    return replace(game, rounds=tuple(played for played in game.rounds if played.number < board.round))


def _game(game: GamePlayed) -> Json:
    return {
        "number": game.number,
        "edition": game.edition,
        "variants": list(game.variants),
        "began": game.began,
        "players": [{"seat": seat, "name": name} for seat, name in sorted(game.players.items())],
        "winners": list(game.winners),
        "rounds": [_round(played) for played in game.rounds],
    }


def _round(played: RoundPlayed) -> Json:
    return {
        "number": played.number,
        "dealer": played.dealer,
        "out": played.out,
        "turns": played.turns,
        "ended": played.ended,
        "notices": list(played.notices),
        "points": {str(seat): points for seat, points in sorted(played.points.items())},
        "totals": {str(seat): total for seat, total in sorted(played.totals.items())},
        "racks": [rack_json(rack) for rack in played.racks],
    }
