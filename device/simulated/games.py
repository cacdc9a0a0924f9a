"""Whole games played by virtual players, with their truth: every position, every turn, every cheat.

A game comes as rounds, a round as steps (device.simulated.steps). Everything follows from the setup and the source of
chance, so that a game can be played again.
"""

from dataclasses import dataclass, replace
from random import Random
from typing import Final

from device.simulated.players import Level
from device.simulated.steps import PlayedRound, Step
from device.simulated.table import Table
from engine.cards import Card, Seat
from engine.game import Game, Player, new_game
from engine.powers import POWERS, Power
from engine.record import GameRecord, RoundRecord
from engine.round import Round, left_of, turned_over
from engine.variants import AS_PRINTED, Options

NAMES: Final = ("Ada", "Ben", "Cleo", "Dan")


@dataclass(frozen=True)
class Setup:
    """Who plays, and how. `levels`: one a player, in the order of their seats.

    at_once: the discard pile is turned over as soon as the draw pile is used up, not only when somebody draws.
    shuffle: so it is, and shuffled: no leaflet has it so, but people do. lacks: so many cards of the deck were lost
    before, and nobody has noticed. The record of such games cannot be replayed.
    most_rounds, most_turns (a round): where the players give up. seats: 1, 2, ... where they are not named.
    """

    levels: tuple[Level, ...] = ("fair", "fair")
    edition: str = "parker-1992"
    variants: tuple[str, ...] = ()
    options: Options = AS_PRINTED
    at_once: bool = False
    shuffle: bool = False
    lacks: int = 0
    most_rounds: int = 100
    most_turns: int = 400
    seats: tuple[Seat, ...] = ()

    @property
    def players(self) -> tuple[Player, ...]:
        """The players as the engine seats them."""
        seats = self.seats or tuple(range(1, len(self.levels) + 1))
        return tuple(Player(seat, NAMES[seat - 1]) for seat in seats)


@dataclass(frozen=True)
class PlayedGame:
    """A game and its truth. `game`: the state that it ended in; nobody has won if the players gave up."""

    setup: Setup
    rounds: tuple[PlayedRound, ...]
    game: Game

    @property
    def record(self) -> GameRecord:
        """The game as the engine writes it down; only a game without cheats can be replayed."""
        setup = self.setup
        rounds = tuple(
            RoundRecord(played.dealer, played.deck, played.turns, played.out, played.points) for played in self.rounds
        )
        return GameRecord(setup.edition, setup.players, setup.variants, setup.options, rounds)


class Cheating:
    """Nobody cheats; device.simulated.cheats knows who does."""

    def stacked(self, table: Table, deck: tuple[Card, ...]) -> tuple[Card, ...]:  # noqa: ARG002 - for others to change
        """The deck that is really dealt."""
        return deck

    def step(self, table: Table) -> Step | None:  # noqa: ARG002 - for others to change
        """A cheat in place of the next turn, or before it; None for honest play."""
        return None


NOBODY: Final = Cheating()


def play_game(setup: Setup, chance: Random, cheating: Cheating = NOBODY) -> PlayedGame:
    """Play a game to its end, or until the players give up."""
    game = new_game(setup.edition, setup.players, setup.variants, setup.options)
    drawn = dict(zip(game.seats, chance.sample(game.rules.deck, len(game.seats)), strict=True))
    dealer = game.rules.first_dealer(drawn)
    powers: dict[Card, Power] = {}
    for card, power in game.rules.edition.powers.items():
        powers[card] = chance.choice(POWERS) if power is None else power
    rounds: list[PlayedRound] = []
    while not game.winners and len(rounds) < setup.most_rounds:
        played = _play_round(Table(game, setup.levels, powers, chance), dealer, setup, cheating)
        rounds.append(played)
        if played.out is None:
            break
        game = game.after_round(played.points, played.out)
        dealer = left_of(game.seats, dealer)
    return PlayedGame(setup, tuple(rounds), game)


def _play_round(table: Table, dealer: Seat, setup: Setup, cheating: Cheating) -> PlayedRound:
    shuffled = list(table.rules.deck)
    table.chance.shuffle(shuffled)
    deck = cheating.stacked(table, tuple(shuffled[: len(shuffled) - setup.lacks]))
    table.deal_out(dealer, deck)
    out = None
    for _ in range(setup.most_turns):
        table.add(cheating.step(table) or table.turn())
        out = table.caller()
        if out is not None:
            break
        position = table.position
        if (setup.at_once or setup.shuffle) and not position.draw:
            turned = replace(turned_over(position), power_of=None)
            table.add(Step("turned-over", position, _shuffled(turned, table.chance) if setup.shuffle else turned))
    if out is None:
        return PlayedRound(dealer, deck, tuple(table.steps), None, {})
    if not table.rules.edition.ends_by_itself:
        table.add(Step("call", table.position, table.position, called=out))
    return PlayedRound(dealer, deck, tuple(table.steps), out, table.points(out))


def _shuffled(position: Round, chance: Random) -> Round:
    """The position just after the pile was turned over, as if it had been shuffled before."""
    cards = [*position.draw, *position.discard]
    chance.shuffle(cards)
    left = len(position.draw)
    return replace(position, draw=tuple(cards[:left]), discard=tuple(cards[left:]))
