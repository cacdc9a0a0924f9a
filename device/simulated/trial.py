"""Try the referee on simulated tables: how much of what happened does it tell, and under which conditions.

    python -m device.simulated.trial --games 10 --players 2 4 --condition clean --verbose

A turn counts as exact only if seat, source, slot and both cards are told, also where nobody could have seen a card.
Game number n of a trial is played with seed + n, so that `--seed N --games 1` plays one game of it again.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from device.simulated.cheats import RULES, Cheats
from device.simulated.comparing import Figures, Hearing, Trial
from device.simulated.evidence import Camera, Noise
from device.simulated.games import Setup, play_game
from device.simulated.players import LEVELS
from engine.editions import EDITIONS
from engine.violations import Rule


@dataclass(frozen=True)
class Condition:
    """How a game is seen, and who cheats: `rate` is the chance of a cheat before each turn where one can be.

    edition: the only one that it makes sense for, played whatever edition was asked for. shuffle: the pile is shuffled
    when it is turned over. lacks: so many cards are missing from the deck.
    """

    noise: Noise = field(default_factory=Noise)
    cheats: tuple[Rule, ...] = ()
    rate: float = 0.0
    edition: str | None = None
    shuffle: bool = False
    lacks: int = 0


CHEATS_OFTEN: Final = 0.08
"""Chance of a cheat before a turn, in a condition for that cheat."""

PRIMES_OFTEN: Final = 0.25
"""Likewise, of turns at which a Prime card lies on the discard pile."""

CONDITIONS: Final[Mapping[str, Condition]] = {
    "clean": Condition(),
    "one-look": Condition(Noise(looks=(1, 1))),
    "hidden-25": Condition(Noise(hide=0.25)),
    "misread-looks-3": Condition(Noise(misread=0.03)),
    "misread-places-3": Condition(Noise(misread_place=0.03)),
    "blurred-25": Condition(Noise(blur=0.25)),
    "doubted-30": Condition(Noise(doubted=0.3)),
    "half-turns": Condition(Noise(half=0.5)),
    "missed-said": Condition(Noise(missed=0.125)),
    "missed-unsaid": Condition(Noise(missed=0.125, say_unsettled=False)),
    "long-occlusions": Condition(Noise(long_hide=0.3)),
    "cameras-away": Condition(Noise(half=0.3, away=0.05)),
    "shuffled": Condition(shuffle=True),
    "shuffled-hidden": Condition(Noise(hide=0.25), shuffle=True),
    "one-card-lost": Condition(lacks=1),
    "three-cards-lost": Condition(lacks=3),
    "two-lost-shuffled": Condition(shuffle=True, lacks=2),
    **{rule: Condition(cheats=(rule,), rate=CHEATS_OFTEN) for rule in RULES},
    "prime-taken": Condition(cheats=("prime-taken",), rate=PRIMES_OFTEN, edition="hasbro-2006"),
    "everything-mildly": Condition(
        Noise(hide=0.05, long_hide=0.02, misread=0.01, blur=0.1, half=0.2, missed=0.03, button="shared"), RULES, 0.02
    ),
}
"""A condition that bears a rule's name plants that cheat, in clean looks."""


def dice(seed: str) -> Random:
    """A repeatable source of chance."""
    return Random(seed)  # noqa: S311 - chance on a simulated table guards nothing


def try_condition(condition: Condition, setup: Setup, seeds: Iterable[int]) -> Iterator[Trial]:
    """Play a game for each seed under a condition; in every other one the pile is turned over at once."""
    if condition.edition is not None and condition.edition != setup.edition:
        setup = replace(setup, edition=condition.edition, variants=())
    for seed in seeds:
        at_once = bool(seed % 2)
        played = replace(setup, at_once=at_once, shuffle=condition.shuffle, lacks=condition.lacks)
        yield try_game(condition, played, seed)


def try_game(condition: Condition, setup: Setup, seed: int) -> Trial:
    """Play one game, show it to a referee, and compare. Whatever the referee raises is raised on, with the seed."""
    try:
        return _tried(condition, setup, seed)
    except Exception as problem:
        problem.add_note(f"in the game of {len(setup.levels)} players with seed {seed}")
        raise


def _tried(condition: Condition, setup: Setup, seed: int) -> Trial:
    played = play_game(setup, dice(f"game {seed}"), Cheats(condition.cheats, condition.rate))
    camera = Camera(condition.noise, dice(f"looks {seed}"))
    hearing = Hearing()
    hearing.feed(camera.begins(setup))
    figures, amiss = Figures(), []
    for number, dealt in enumerate(played.rounds, 1):
        hearing.begin(dealt)
        hearing.feed(camera.deals(dealt))
        for step in dealt.steps:
            hearing.happened(step)
            for line in camera.sees(step):
                hearing.feed(line)
        unaided = hearing.end is not None
        if dealt.out is not None and not unaided:
            hearing.help(camera.now)
        if dealt is played.rounds[-1]:
            hearing.finish()
        of_round = hearing.compared(unaided=unaided)
        figures += of_round.figures
        amiss += [f"round {number}: {words}" for words in of_round.amiss]
    own = Figures(games=1, refused=hearing.refused, looks=hearing.looks, seconds=hearing.seconds)
    figures += own
    amiss += hearing.errors
    return Trial(figures if figures.all_well else replace(figures, failed=(seed,)), tuple(amiss))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the trials that are asked for and print a table of their figures."""
    options = _options(arguments)
    names = options.condition or list(CONDITIONS)
    print(HEADING)
    for name in names:
        figures = Figures()
        amiss: list[str] = []
        for players in options.players:
            levels = (options.level,) * players
            setup = Setup(levels, options.edition, tuple(options.variants), most_rounds=options.rounds)
            seeds = range(options.seed, options.seed + options.games)
            for trial in try_condition(_chosen(options, CONDITIONS[name]), setup, seeds):
                figures += trial.figures
                amiss += [
                    f"  {players} players, seed {seed}: {words}"
                    for seed in trial.figures.failed
                    for words in trial.amiss
                ]
                print(f"\r{name}: {figures.games} games ", end="", file=sys.stderr, flush=True)
        print("\r", end="", file=sys.stderr, flush=True)
        print(row_of(name, figures))
        if options.verbose:
            print("\n".join(amiss))
    return 0


def _chosen(options: argparse.Namespace, condition: Condition) -> Condition:
    """A condition with the number of looks, and the rate of its cheats, that were asked for."""
    if options.looks is not None:
        condition = replace(condition, noise=replace(condition.noise, looks=(options.looks, options.looks)))
    if options.rate is not None and condition.cheats:
        condition = replace(condition, rate=options.rate)
    return condition


HEADING: Final = (
    f"{'condition':20}{'turns':>7}{'exact':>8}{'placed':>8}{'unread':>7}{'extra':>6}{'amended':>8}{'powers':>9}{'rounds':>9}{'helped':>7}{'lost':>5}"
    f"{'alarms':>7}{'cheats':>7}{'missed':>7}{'seat':>5}{'errors':>7}{'looks/s':>8}"
)


def row_of(name: str, figures: Figures) -> str:
    """One line of the table; what is wrong by rule follows in brackets."""
    share = max(figures.turns, 1) / 100
    row = (
        f"{name:20}{figures.turns:7}{figures.exact / share:7.2f}%{figures.placed / share:7.2f}%{figures.unread:7}"
        f"{figures.extra:6}{figures.amended:8}{f'{figures.effects_told}/{figures.effects}':>9}{f'{figures.ended}/{figures.rounds}':>9}"
        f"{figures.helped:7}{figures.lost:5}{figures.false_alarms.total():7}{figures.planted.total():7}{figures.missed.total():7}"
        f"{figures.other_seat.total():5}{figures.refused:7}{figures.looks / max(figures.seconds, 1e-9):8.0f}"
    )
    kinds = {"alarms": figures.false_alarms, "missed": figures.missed, "seat": figures.other_seat}
    wrong = (
        f"{kind}: {', '.join(f'{rule} {n}' for rule, n in counts.items())}" for kind, counts in kinds.items() if counts
    )
    words = "; ".join(wrong)
    return f"{row}  [{words}]" if words else row


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m device.simulated.trial", description="Try the referee.")
    parser.add_argument(
        "--games", type=int, default=4, metavar="N", help="games for each number of players (%(default)s)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the first game (%(default)s)")
    parser.add_argument("--rounds", type=int, default=2, metavar="N", help="most rounds in a game (%(default)s)")
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4], choices=(2, 3, 4), metavar="N")
    parser.add_argument("--edition", default="parker-1992", choices=EDITIONS)
    parser.add_argument("--variants", nargs="*", default=(), metavar="NAME")
    parser.add_argument("--level", default="fair", choices=LEVELS, help="of all players (%(default)s)")
    parser.add_argument("--condition", action="append", choices=CONDITIONS, help="may be given again; default: all")
    parser.add_argument("--looks", type=int, metavar="N", help="after each play (default: that of the condition)")
    parser.add_argument("--rate", type=float, metavar="X", help="chance of a cheat before a turn (default: likewise)")
    parser.add_argument("--verbose", action="store_true", help="say seed by seed what was amiss")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
