"""What histories learn from a look: those that tell the same acts are one, but for what lies on the discard pile."""

import math
from dataclasses import replace

import pytest

from engine.following.belief import Belief
from engine.following.history import Act, Glance, History, glance_of, opening
from engine.following.learning import learnt
from engine.following.likeness import likeness
from engine.following.oddities import Oddities
from engine.following.steps import Node
from engine.round import Play
from engine.variants import rules_for
from tests.engine.tables import dealt, look

POSITION = dealt(2, 7)
LOOK = glance_of(look(POSITION, 3.0), (1, 2), 0.0)
TOP = POSITION.discard[-1]


def passed(card: int) -> History:
    """A round in which the first card was drawn and discarded: the top, which is held to be that card."""
    start = opening((1, 2), 1, rules_for("parker-1992", 2, ()))
    act = Act("turn", 2, 2.0, Play("draw", None), start.top, start.top, looks=2)
    return replace(start, belief=start.belief.told(start.top, card), acts=(act,))


def weighed(history: History, glance: Glance, score: float) -> Node:
    fits = history.belief.fits(history.in_view(glance), glance.places, glance.seen)
    return Node(history, fits, score)


def test_ways_to_explain_the_same_acts_are_one_history_that_is_as_likely_as_all_of_them() -> None:
    one, other = (weighed(passed(TOP), LOOK, score) for score in (0.0, -1.0))
    unlikely = weighed(replace(passed(TOP), acts=()), LOOK, -5.0)
    best, rest = learnt([one, other, unlikely], LOOK)
    assert best.score - rest.score == pytest.approx(5.0 + math.log(1 + math.exp(-1.0)))


def test_ways_that_hold_another_card_to_lie_on_the_discard_pile_are_two() -> None:
    """After a pile was turned over: one card turned up, another drawn, or the other way round and one lifted."""
    other = POSITION.discard[-1] % 40 + 1
    kept = learnt([weighed(passed(TOP), LOOK, -0.6), weighed(passed(other), LOOK, 0.0)], LOOK)
    assert [history.belief.best(history.top)[0] for history in kept] == [other, TOP]


@pytest.mark.parametrize(
    ("card", "like", "unlike"), [(58, 38, 22), (4, 42, 39), (16, 46, 43), (16, 1, 60), (32, 2, 23)]
)
def test_a_card_that_looks_otherwise_in_a_new_place_was_hardly_misread_if_no_figure_stands_as_before(
    card: int, like: int, unlike: int
) -> None:
    known = Belief(60)
    for _ in range(2):
        known = known.seeing([(1, (1, 5), likeness({card: 1.0}))])

    def held_to_be(other: int) -> float:
        return known.seeing([(1, "discard", likeness({other: 1.0}))]).chance_of(1, (other,))

    assert held_to_be(unlike) < 0.2 * held_to_be(like) < 0.2
    assert known.seeing([(1, "discard", likeness({card: 1.0}))]).chance_of(1, (card,)) > 0.999


def test_a_card_that_is_misread_in_look_after_look_most_likely_is_the_one_that_these_leave_open() -> None:
    """Nobody lays a card as unlike: it is what the rack's camera was not sure of, by the tray's camera, too."""
    on_pile = likeness({53: 0.98, 58: 0.01})

    def fit(*looks: dict[int, float]) -> float:
        known = Belief(60)
        for look_like in looks:
            known = known.seeing([(1, (2, 5), likeness(look_like))])
        return known.fit(1, "discard", on_pile)

    open_for_it, open_for_others = {43: 0.97, 53: 0.03}, {43: 0.97, 13: 0.03}
    assert fit(*[open_for_it] * 6) > fit(*[open_for_others] * 6) + 1.5
    assert fit(*[open_for_it] * 6) == pytest.approx(fit(*[open_for_it] * 12), abs=0.1)
    # one surer look has the last word
    assert fit(*[open_for_it] * 6, {43: 0.9999}) < fit(*[open_for_it] * 6) - 1.5


@pytest.mark.parametrize("misread", [1, 3, 8])
def test_a_card_that_is_misread_in_a_new_place_is_read_there_as_what_it_is_from_the_first_such_look_on(
    misread: int,
) -> None:
    known = Belief(60)
    own, other = likeness({32: 0.99}), likeness({39: 0.99})
    for place, seen in [((1, 30), own)] * 4 + [((1, 45), other)] * misread + [((1, 45), own)] * 2:
        before, known = known, known.seeing([(1, place, seen)])
    assert known.chance_of(1, (32,)) > 0.99
    assert before.fit(1, (1, 45), own) > own.best - 0.1


def test_where_every_card_is_known_a_stranger_is_hardly_one_of_them() -> None:
    known = Belief(60)
    for _ in range(3):
        known = known.seeing([(card, (card, 5), likeness({card: 1.0})) for card in range(1, 61)])
    assert known.fit(101, "discard", likeness({2: 1.0})) < known.fit(2, "discard", likeness({2: 1.0})) - 6.0


@pytest.mark.parametrize(("unlikely", "named"), [(0.5, []), (6.0, ["duplicate-card"])])
def test_a_card_is_there_twice_only_if_it_is_whatever_was_done_until_now(unlikely: float, named: list[str]) -> None:
    """Where one of the two may have been taken for the other, and a look be late that shows it."""
    twice = glance_of(look(POSITION, 1.0, instead={(1, 5): {7: 1.0}, (2, 50): {7: 1.0}}), (1, 2), 0.0)
    once = held = opening((1, 2), 1, rules_for("parker-1992", 2, ()))
    for _ in range(4):
        (held,) = learnt([weighed(held, twice, 0.0)], twice)
    oddities = Oddities(60)
    other = replace(once, score=-unlikely)
    assert [odd.rule for turns in range(8) for odd in oddities.look(twice, [held, other], turns)] == named


def test_who_draws_a_card_that_is_there_twice_once_one_of_the_two_was_shuffled_in_moved_none() -> None:
    """It was held to be the other one, which stands in a rack, and two players to have exchanged cards."""
    nine, slot, other = likeness({9: 1.0}), (1, 5), (2, 10)
    once = twice = Belief(60)
    for _ in range(3):
        once = once.seeing([(1, slot, nine)])
        twice = twice.seeing([(1, slot, nine), (2, "discard", nine)])
    assert 9 in twice.doubled
    shuffled, anything = twice.without({2}), Belief(60).fit(3, other, nine)
    assert shuffled.fit(3, other, nine) == pytest.approx(anything, abs=0.1)
    assert once.fit(3, other, nine) < anything - 3.0
    for _ in range(2):
        shuffled = shuffled.seeing([(3, other, nine)])
    assert [shuffled.chance_of(one, (9,)) for one in (1, 3)] == pytest.approx([1.0, 1.0], abs=0.01)
