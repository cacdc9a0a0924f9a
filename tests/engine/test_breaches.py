"""How sure it is that somebody broke a rule, where it is not sure which one, and where it happens again."""

import pytest

from engine.following.belief import Belief
from engine.following.breaches import Breaches
from engine.following.history import Act, History
from engine.following.verdict import Weighed
from engine.round import Play
from tests.engine.tables import dealt

TWO = Act("turn", 2, 5.0, Play("discard", 45), rule="two-cards-exchanged")
TURN = Act("turn", 2, 5.0, Play("discard", 45))
AGAIN = Act("turn", 2, 5.0, Play("draw", 30), rule="wrong-turn")
NEXT = Act("turn", 3, 9.0, Play("draw", 30), rule="wrong-turn")


def history(*acts: Act, past: tuple[Act, ...] = ()) -> History:
    return History(dealt(4, 1), Belief(60), acts=acts, past=past)


def weighed(chance: float, *otherwise: Act) -> Weighed:
    """Two cards were exchanged in one turn, or it was otherwise."""
    return [(history(TWO), chance), (history(*otherwise), 1 - chance)]


@pytest.mark.parametrize(
    ("otherwise", "likely", "chance"),
    [
        pytest.param((TURN, AGAIN), 0.94, 1.0, id="the second card was drawn in another turn, out of order"),
        pytest.param((TURN,), 0.94, 0.94, id="no rule was broken"),
        pytest.param((TURN, NEXT), 0.94, 0.94, id="another player broke one"),
        pytest.param((TURN, AGAIN), 0.8, 0.8, id="which rule was broken is not sure enough to name one"),
    ],
)
def test_a_player_who_surely_broke_one_of_two_rules_is_named_for_the_likelier(
    otherwise: tuple[Act, ...], likely: float, chance: float
) -> None:
    assert Breaches().chance(TWO, weighed(likely, *otherwise)) == pytest.approx(chance)


@pytest.mark.parametrize("named", [TWO, None])
def test_a_breach_that_is_named_makes_the_same_one_no_less_sure_when_it_comes_again(named: Act | None) -> None:
    breaches = Breaches()
    breaches.given_up(weighed(0.94, TURN), [(history(past=(TWO,)), 1.0)], named)

    again = breaches.chance(TWO, [(history(TWO, past=(TWO,)), 1.0)])

    assert again == pytest.approx(0.94 if named is None else 1.0)
