"""An evening to show in tests: a game that was won, and one that is on."""

from engine.cards import Seat
from tests.webui import tables
from webui.desk import GamePlayed, RoundPlayed

PLAYERS = dict(enumerate(tables.NAMES, start=1))


def rounds(count: int, *, racks: bool = True) -> tuple[RoundPlayed, ...]:
    """So many rounds with the points of tests.webui.tables, and more of the same."""
    made = []
    totals: dict[Seat, int] = dict.fromkeys(PLAYERS, 0)
    for number in range(1, count + 1):
        points = {seat: tables.POINTS[seat - 1][(number - 1) % 4] for seat in PLAYERS}
        totals = {seat: totals[seat] + points[seat] for seat in PLAYERS}
        out = max(points, key=points.__getitem__)
        made.append(
            RoundPlayed(
                number=number,
                dealer=1 + (number - 1) % 4,
                out=out,
                turns=30 + number,
                points=points,
                totals=totals,
                racks=tables.RACKS if racks else (),
                notices=(),
                ended=f"20:{10 + 5 * number}",
            )
        )
    return tuple(made)


def games(rounds_now: int = 5) -> tuple[GamePlayed, ...]:
    """The evening: a first game of twelve rounds, won by Ada, and the one that is on."""
    first = GamePlayed(1, "retro", ("bonus",), PLAYERS, rounds(12), (1,), "19:02")
    return (first, GamePlayed(2, "parker-1992", (), PLAYERS, rounds(rounds_now), (), "20:08"))
