"""A game: players, totals round by round, whose deal it is, and when it is over."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.cards import SEATS, Seat
from engine.editions import Rules
from engine.errors import BadInput
from engine.round import left_of
from engine.variants import AS_PRINTED, Options, rules_for


@dataclass(frozen=True)
class Player:
    """Who sits where."""

    seat: Seat
    name: str


@dataclass(frozen=True)
class Game:
    """The state of a game between rounds.

    rounds: each finished round's points by seat, oldest first. last_out: who went out in the last of them.
    """

    edition: str
    variants: tuple[str, ...]
    options: Options
    players: tuple[Player, ...]
    rules: Rules
    rounds: tuple[Mapping[Seat, int], ...] = ()
    last_out: Seat | None = None

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The players' seats, clockwise."""
        return tuple(player.seat for player in self.players)

    @property
    def sides(self) -> tuple[tuple[Seat, ...], ...]:
        """Who wins together: every player alone, or the two pairs who sit across (partners; Parker Brothers, 1992)."""
        if self.rules.edition.partners:
            return self.seats[::2], self.seats[1::2]
        return tuple((seat,) for seat in self.seats)

    @property
    def totals(self) -> dict[Seat, int]:
        """Every seat's points so far."""
        return {seat: sum(points[seat] for points in self.rounds) for seat in self.seats}

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Who has won; empty while the game goes on.

        The game ends after the round in which a side reaches the winning score; more than one past it: the highest
        wins (Parker Brothers leaflet, 1992, Winning). The texts are silent on a tie at the top: it plays on. A quick
        game is won by who goes out in its one round (Hasbro leaflet, 2006, Other Ways to Play).
        """
        if self.rules.edition.one_round:
            return () if self.last_out is None else (self.last_out,)
        totals = self.totals
        by_side = {side: sum(totals[seat] for seat in side) for side in self.sides}
        best = max(by_side.values())
        leaders = [side for side, total in by_side.items() if total == best]
        return leaders[0] if best >= self.rules.target and len(leaders) == 1 else ()

    def name(self, seat: Seat) -> str:
        """The name of the player in that seat."""
        return next(player.name for player in self.players if player.seat == seat)

    def next_dealer(self, dealer: Seat) -> Seat:
        """The deal passes to the left (Parker Brothers leaflet, 1992)."""
        return left_of(self.seats, dealer)

    def after_round(self, points: Mapping[Seat, int], out: Seat) -> "Game":
        """The game with one more round scored, which seat `out` ended."""
        return replace(self, rounds=(*self.rounds, dict(points)), last_out=out)


def new_game(
    edition: str, players: Sequence[Player], variants: Sequence[str] = (), options: Options = AS_PRINTED
) -> Game:
    """Seat the players, clockwise. Raises BadInput for seats that cannot be or rules that are not known."""
    seats = [player.seat for player in players]
    for seat in seats:
        if seat not in SEATS:
            raise BadInput(f"seat {seat} is none of 1 to 4")
        if seats.count(seat) > 1:
            raise BadInput(f"seat {seat} is given to two players")
    rules = rules_for(edition, len(players), variants, options)
    seated = tuple(sorted(players, key=lambda player: player.seat))
    return Game(edition, tuple(variants), options, seated, rules)
