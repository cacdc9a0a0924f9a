"""Snapshots to show in tests: one table at several moments of a game."""

from dataclasses import replace

from engine.cards import Seat
from engine.powers import Effect, Switch
from engine.snapshot import Notice, PlayerLine, PublicPlay, ShownRack, Snapshot
from webui.desk import GamePlayed, RoundPlayed

NAMES = ("Ada", "Ben", "Maximiliane Featherstonehaugh-Cholmondeley", "<script>alert(1)</script>")
POINTS = ((75, 30, 15, 20), (25, 75, 10, 5), (5, 20, 75, 40), (40, 5, 30, 75))

PLAYS = (
    PublicPlay(number=1, seat=2, source="draw", exchanged=True, discarded=44, t=10.0),
    PublicPlay(number=2, seat=3, source="draw", exchanged=False, discarded=9, t=20.0),
    PublicPlay(number=3, seat=4, source="draw", exchanged=True, discarded=None, t=30.0),
    PublicPlay(number=4, seat=1, source="discard", exchanged=True, discarded=51, t=40.0),
    PublicPlay(number=5, seat=2, source="draw", exchanged=True, discarded=35, t=50.0),
)

FALSE_CALL = Notice(
    number=1, rule="false-call", seat=2, text="Ben called RACK-O, but that rack is not in order. Play on."
)
WRONG_TURN = Notice(number=2, rule="wrong-turn", seat=1, text="Ada played, but it is Ben's turn.")

WHY = (
    "went out: ten cards at 5, and 25 for going out, make 75",
    "6 cards in order count: slot 35 breaks the order, 22 after 31; 30 points",
    "one card counts: slot 10 breaks the order, 2 after 37; 5 points",
    "4 cards in order count: slot 25 breaks the order, 7 after 18; 20 points",
)
RACKS = (
    ShownRack(1, (3, 9, 14, 20, 26, 33, 38, 41, 52, 58), 10, None, 75, out=True, why=WHY[0]),
    ShownRack(2, (4, 8, 12, 19, 27, 31, 22, 40, 47, 55), 6, 35, 30, out=False, why=WHY[1]),
    ShownRack(3, (37, 2, 10, 6, 17, 29, 60, 1, 45, 50), 1, 10, 5, out=False, why=WHY[2]),
    ShownRack(4, (5, 11, 16, 18, 7, None, 23, 48, 59, 49), 4, 25, 20, out=False, why=WHY[3]),
)


def each_alone(players: int) -> tuple[tuple[Seat, ...], ...]:
    """Return the sides of a game in which everybody plays for themselves."""
    return tuple((seat,) for seat in range(1, players + 1))


def playing(players: int = 4, *, version: int = 10, to_move: int = 3) -> Snapshot:
    """Return a table in its fifth round."""
    return Snapshot(
        version=version,
        phase="playing",
        edition="parker-1992",
        target=500,
        round=5,
        dealer=1,
        to_move=to_move,
        players=tuple(
            PlayerLine(seat, NAMES[seat - 1], sum(POINTS[seat - 1]), POINTS[seat - 1]) for seat in range(1, players + 1)
        ),
        sides=each_alone(players),
        discard=35,
        plays=tuple(play for play in PLAYS if play.seat <= players),
    )


def waiting(players: int = 4) -> Snapshot:
    """Return a table before its first deal."""
    lines = tuple(PlayerLine(seat, NAMES[seat - 1], 0) for seat in range(1, players + 1))
    return Snapshot(1, "waiting", "parker-1992", 500, 0, None, None, lines, sides=each_alone(players))


def checking(players: int = 4) -> Snapshot:
    """Return a table where Ben called RACK-O."""
    return replace(playing(players), phase="checking", called_by=2, version=11)


def lost(players: int = 4) -> Snapshot:
    """Return a table whose play the referee does not follow."""
    before = playing(players)
    plays = tuple(replace(play, discarded=None) for play in before.plays)
    return replace(before, version=15, lost=True, to_move=None, discard=None, plays=plays)


def with_powers(players: int = 4) -> Snapshot:
    """Return a table where Prime cards were used and the discard pile was turned over."""
    before = playing(players)
    effects: tuple[Effect, ...] = (Switch((1, 5), (2, 50)), Switch((2, 10), (2, 15)), "again")
    plays = tuple(
        PublicPlay(6 + at, 1, "draw", exchanged=False, discarded=7 + at, t=60.0 + at, effect=effect)
        for at, effect in enumerate(effects)
    )
    plays = (replace(plays[0], turned_over=True), *plays[1:])
    return replace(before, version=16, edition="hasbro-2006", variants=("bonus",), discard=9, plays=plays)


def partners(before: Snapshot) -> Snapshot:
    """Return the same table of four, played two against two."""
    winners = (1, 3) if before.winners else ()
    return replace(before, variants=("bonus", "partners"), sides=((1, 3), (2, 4)), winners=winners)


def quick(before: Snapshot) -> Snapshot:
    """Return the same table in a game without scoring."""
    lines = tuple(replace(line, total=0, points=tuple(0 for _ in line.points)) for line in before.players)
    racks = tuple(
        replace(rack, points=0, why="went out and wins" if rack.out else "a quick game has no scoring")
        for rack in before.racks
    )
    return replace(before, edition="hasbro-2006", variants=("quick",), target=0, players=lines, racks=racks)


def false_call(players: int = 4) -> Snapshot:
    """Return a table where the call was false."""
    return replace(playing(players), version=12, notices=(FALSE_CALL,))


def round_over(players: int = 4) -> Snapshot:
    """Return a table whose fifth round is over: Ada went out."""
    before = playing(players)
    racks = RACKS[:players]
    lines = tuple(
        replace(line, total=line.total + rack.points, points=(*line.points, rack.points))
        for line, rack in zip(before.players, racks, strict=True)
    )
    return replace(before, version=13, phase="round-over", to_move=None, players=lines, racks=racks)


def game_over(players: int = 4) -> Snapshot:
    """Return a table whose game is over: Ada has won."""
    before = round_over(players)
    lines = tuple(replace(line, total=line.total + 300 if line.seat == 1 else line.total) for line in before.players)
    return replace(before, version=14, phase="game-over", players=lines, winners=(1,))


def long_name_wins(players: int = 4) -> Snapshot:
    """Return a table whose game is over: the winner's name fills a line of the headline."""
    before = game_over(players)
    winner = replace(before.players[0], name="Maximiliane Fe")
    return replace(before, version=15, players=(winner, *before.players[1:]))


def round_played(number: int, out: Seat = 1, racks: tuple[ShownRack, ...] = RACKS[:2]) -> RoundPlayed:
    """Return a finished round, whose points are those of its racks."""
    points = {rack.seat: rack.points for rack in racks}
    totals = {seat: number * count for seat, count in points.items()}
    return RoundPlayed(number, 1, out, 17, points, totals, racks, ("Ben called too early.",), f"20:{number:02}")


def evening(players: int = 2) -> tuple[GamePlayed, ...]:
    """Return the history of an evening: a game that is over and one with a round that is."""
    names = {seat: NAMES[seat - 1] for seat in range(1, players + 1)}
    racks = RACKS[:players]
    first = tuple(round_played(number, racks=racks) for number in (1, 2, 3))
    return (
        GamePlayed(1, "parker-1992", ("bonus",), names, first, (1,), "19:45"),
        GamePlayed(2, "retro", (), names, first[:1], (), "20:30"),
    )
