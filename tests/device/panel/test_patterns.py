import itertools
import math

import pytest

from device.panel.patterns import GOES_ON_OVER, LIGHTS, PATTERNS, SOUNDS, Pattern, Sign

TICK = 0.05  # seconds; all steps are longer


def rhythm(pattern: Pattern, seconds: float = 60.0) -> list[bool]:
    """The pattern again and again, as somebody sees it who does not look from its beginning."""
    once = min(pattern.length, seconds)
    return [pattern.at((number * TICK) % once)[0] for number in range(int(seconds / TICK))]


def longest(states: list[bool], *, lit: bool) -> float:
    return max((len(list(run)) * TICK for state, run in itertools.groupby(states) if state is lit), default=0.0)


def test_every_sign_has_a_light_and_a_pattern() -> None:
    assert set(LIGHTS) == set(PATTERNS) == set(Sign)
    assert set(SOUNDS) <= set(Sign)


@pytest.mark.parametrize(("one", "other"), list(itertools.combinations(Sign, 2)))
def test_two_signs_are_told_apart_without_their_colours(one: Sign, other: Sign) -> None:
    """By what people see: how long the longest light and the longest dark last, and how often it is lit in between."""

    def seen(sign: Sign) -> tuple[float, float, float]:
        states = rhythm(PATTERNS[sign])
        begins = sum(1 for before, now in itertools.pairwise(states) if now and not before)
        return longest(states, lit=True), longest(states, lit=False), 1.0 + begins

    ratios = [max(a, b) / max(min(a, b), TICK) for a, b in zip(seen(one), seen(other), strict=True)]
    assert max(ratios) >= 1.4


@pytest.mark.parametrize("sign", [sign for sign in Sign if PATTERNS[sign].times is None])
def test_a_sign_that_stands_changes_no_faster_than_once_a_second(sign: Sign) -> None:
    assert min(PATTERNS[sign].steps) >= 1.0


@pytest.mark.parametrize("pattern", [*PATTERNS.values(), *(sound.pattern for sound in SOUNDS.values())])
def test_a_pattern_is_on_and_off_for_as_long_as_its_steps_say(pattern: Pattern) -> None:
    now, times = 0.0, 1 if pattern.times is None else pattern.times
    for number, step in enumerate(pattern.steps * times):
        on, left = pattern.at(now + 1e-6)
        assert on == (number % len(pattern.steps) % 2 == 0)
        assert left == pytest.approx(step, abs=1e-5)
        if math.isinf(step):
            return
        now += step
    assert pattern.at(now + 1e-6)[0] == (pattern.times is None)


@pytest.mark.parametrize("sign", list(Sign))
def test_no_light_flashes_more_than_three_times_in_any_second(sign: Sign) -> None:
    states = rhythm(PATTERNS[sign])
    begins = [number * TICK for number, (before, now) in enumerate(itertools.pairwise(states)) if now and not before]
    assert all(later - earlier > 1.0 - TICK for earlier, later in zip(begins, begins[3:], strict=False))


def test_a_turn_is_steady_light() -> None:
    assert PATTERNS[Sign.YOUR_TURN].at(0.0) == PATTERNS[Sign.YOUR_TURN].at(3600.0) == (True, math.inf)


def test_a_true_call_is_long_light_and_a_false_one_quick_flashes() -> None:
    true, false = PATTERNS[Sign.TRUE_CALL], PATTERNS[Sign.FALSE_CALL]
    assert true.length >= 5
    assert false.times is not None
    assert false.times >= 4
    assert true.steps[0] > 3 * sum(false.steps)


def test_every_sign_with_an_end_says_over_what_it_goes_on() -> None:
    assert {sign for sign in Sign if PATTERNS[sign].times is not None} <= set(GOES_ON_OVER)
    for over in GOES_ON_OVER.values():
        assert not over & {Sign.CLOSING, Sign.PAUSED, Sign.LOOKING}
        assert all(PATTERNS[sign].times is None for sign in over)


def test_turns_make_no_sound_and_no_sound_lasts_long() -> None:
    assert not set(SOUNDS) & {Sign.YOUR_TURN, Sign.READY, Sign.PAUSED, Sign.CLOSING}
    assert max(sound.pattern.length for sound in SOUNDS.values()) <= 1.5
    assert len({sound.pattern for sound in SOUNDS.values()}) == len(SOUNDS)
