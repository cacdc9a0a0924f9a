"""What the referee makes of small trials, by condition, with seeds that nobody chose: 1000 and the next ones.

The bounds are what the referee reached on these seeds and others, with a margin. A larger trial, of the seeds that
follow, is marked slow; `python -m device.simulated.trial` plays as many games as one likes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from device.simulated.comparing import Figures
from device.simulated.evidence import Noise
from device.simulated.games import Setup
from device.simulated.players import Level
from device.simulated.trial import CONDITIONS, Condition, row_of, try_condition
from engine.violations import Rule

FEW, MORE = range(1000, 1002), range(1002, 1007)
PLAYERS = (2, 3, 4)
CLEARLY = Noise(looks=(2, 3))
"""Looks at which a cheat can be proved: no rule is broken on the word of one look."""


def tried(condition: Condition, seeds: Sequence[int], edition: str = "parker-1992") -> Figures:
    """Play one round with each number of players for each of the seeds."""
    level: Level = "fair"
    total = Figures()
    for number in PLAYERS:
        setup = Setup((level,) * number, edition, most_rounds=1)
        for trial in try_condition(condition, setup, seeds):
            total += trial.figures
    return total


def check_told(figures: Figures, share: float) -> None:
    """Every round has its exact score without help, no cheat was made up, and nearly all turns are exact."""
    words = row_of("figures", figures)
    assert figures.ended == figures.rounds > 0, words
    assert not figures.false_alarms, words
    assert not figures.refused, words
    assert figures.exact >= share * figures.turns, words


EXACT = ["clean", "one-look", "misread-looks-3", "half-turns"]
NEARLY = ["hidden-25", "missed-said", "shuffled", "shuffled-hidden"]


@pytest.mark.parametrize("name", EXACT)
def test_clear_or_slightly_wrong_looks_give_every_turn_and_every_score(name: str) -> None:
    figures = tried(CONDITIONS[name], FEW)
    assert figures.all_well, row_of(name, figures)
    assert figures.rounds == 6


@pytest.mark.slow
@pytest.mark.parametrize("name", NEARLY)
def test_hidden_slots_and_missed_plays_cost_few_turns_and_no_score(name: str) -> None:
    check_told(tried(CONDITIONS[name], FEW), 0.97)


PROVING: Mapping[Rule, Noise] = {"card-not-in-deck": Noise(looks=(3, 4)), "duplicate-card": Noise(looks=(3, 4))}
"""It takes three looks to say that a card cannot be."""

NAMED: Mapping[Rule, float] = {
    "wrong-turn": 0.9,
    "two-cards-exchanged": 0.95,
    "cards-rearranged": 0.95,
    "wrong-discard": 0.85,
    "prime-taken": 0.7,
    "false-call": 1.0,
    "card-not-in-deck": 0.5,
    "duplicate-card": 0.6,
    "missing-card": 0.9,
}
"""The share of cheats that must be named. A card that cannot be may be covered before enough looks have shown it."""


def check_named(rule: Rule, figures: Figures) -> None:
    """No round is scored wrongly, and enough cheats of that kind are named, nearly all with the right seat."""
    words = row_of(rule, figures)
    assert figures.ended + figures.helped == figures.rounds > 0, words
    assert figures.planted[rule] > 0, words
    assert figures.other_seat[rule] <= 0.1 * figures.planted[rule], words
    assert figures.planted[rule] - figures.missed[rule] >= NAMED[rule] * figures.planted[rule], words


@pytest.mark.slow
@pytest.mark.parametrize("rule", NAMED)
def test_cheats_that_two_looks_show_are_named_and_cost_no_score(rule: Rule) -> None:
    check_named(rule, tried(replace(CONDITIONS[rule], noise=PROVING.get(rule, CLEARLY)), FEW))


@pytest.mark.slow
@pytest.mark.parametrize("name", EXACT)
def test_many_clear_rounds_are_told_exactly(name: str) -> None:
    figures = tried(CONDITIONS[name], MORE)
    assert figures.all_well, row_of(name, figures)


@pytest.mark.slow
@pytest.mark.parametrize("name", NEARLY)
def test_many_rounds_with_hidden_slots_or_missed_plays_have_their_scores(name: str) -> None:
    check_told(tried(CONDITIONS[name], MORE), 0.97)


@pytest.mark.slow
@pytest.mark.parametrize("rule", NAMED)
def test_many_cheats_are_named(rule: Rule) -> None:
    check_named(rule, tried(replace(CONDITIONS[rule], noise=PROVING.get(rule, CLEARLY)), MORE))


@pytest.mark.slow
@pytest.mark.parametrize("name", EXACT)
def test_games_with_prime_cards_are_told_as_well(name: str) -> None:
    check_told(tried(CONDITIONS[name], MORE, "hasbro-2006"), 0.97)
