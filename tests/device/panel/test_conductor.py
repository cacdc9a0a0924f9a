import itertools
import math
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.panel import PATTERNS, Showing, Sign
from device.panel.conductor import FLASHES, GAP, HEARD, Conductor
from device.panel.patterns import SOUNDS
from engine.cards import Seat

Step = tuple[float, Callable[[Conductor, float], None]]


def show(at: float, sign: Sign, seat: Seat | None = None) -> Step:
    return at, lambda conductor, now: conductor.show(sign, seat, now)


def press(at: float, seat: Seat | None = None) -> Step:
    return at, lambda conductor, now: conductor.heard(seat, now)


def play(steps: list[Step], end: float) -> list[tuple[float, Showing | None, bool]]:
    """Time, light and sound at every moment at which a panel asks."""
    conductor, now, asked, steps = Conductor(), 0.0, [], sorted(steps, key=lambda step: step[0])
    while now <= end:
        while steps and steps[0][0] <= now:
            steps.pop(0)[1](conductor, now)
        moment = conductor.moment(now)
        asked.append((now, moment.lit, moment.buzz))
        assert moment.until >= now
        now = min(max(moment.until, now + 1e-4), steps[0][0] if steps else math.inf)
    return asked


def lights(steps: list[Step], end: float) -> list[tuple[float, Showing | None]]:
    """The changes of light, with their times in milliseconds."""
    found: list[tuple[float, Showing | None]] = []
    for now, lit, _ in play(steps, end):
        if not found or found[-1][1] != lit:
            found.append((round(now, 3), lit))
    return found


TURN, NEXT = Showing(Sign.YOUR_TURN, 1), Showing(Sign.YOUR_TURN, 2)
FALSE, TRUE = Showing(Sign.FALSE_CALL, 1), Showing(Sign.TRUE_CALL, 1)
LOOKING = Showing(Sign.LOOKING, 1)


def test_nothing_is_lit_before_the_first_sign() -> None:
    assert lights([], 100.0) == [(0.0, None)]


def test_turn_after_turn_there_is_no_darkness_between() -> None:
    turns = [show(10.0 * number, Sign.YOUR_TURN, 1 + number % 2) for number in range(4)]
    assert lights(turns, 60.0) == [(0.0, TURN), (10.0, NEXT), (20.0, TURN), (30.0, NEXT)]


def test_another_sign_is_seen_to_begin() -> None:
    shown = lights([show(0, Sign.YOUR_TURN, 1), show(5, Sign.DOUBT)], 6.0)
    assert shown == [(0.0, TURN), (5.0, None), (5.0 + GAP, Showing(Sign.DOUBT))]


def test_a_sign_that_stands_is_not_begun_anew_when_it_is_shown_again() -> None:
    once = lights([show(0, Sign.LOOKING, 1)], 10.0)
    assert lights([show(0.3 * number, Sign.LOOKING, 1) for number in range(30)], 10.0) == once


def test_a_false_call_flashes_to_its_end_and_the_turn_comes_back_by_itself() -> None:
    steps = [show(0, Sign.YOUR_TURN, 1), show(5, Sign.YOUR_TURN, 1), show(5, Sign.FALSE_CALL, 1)]
    shown = lights(steps, 60.0)
    assert [lit for _, lit in shown].count(FALSE) == PATTERNS[Sign.FALSE_CALL].times
    assert shown[-1] == (round(5 + GAP + PATTERNS[Sign.FALSE_CALL].length, 3), TURN)


def test_a_turn_that_is_seen_during_a_false_calls_flashes_waits_for_their_end() -> None:
    steps = [show(0, Sign.YOUR_TURN, 1), show(5, Sign.FALSE_CALL, 1), show(5.1, Sign.YOUR_TURN, 2)]
    shown = [lit for _, lit in lights(steps, 60.0)]
    assert shown.count(FALSE) == PATTERNS[Sign.FALSE_CALL].times
    assert shown[-1] == NEXT


def test_a_true_call_lights_up_over_the_rounds_end() -> None:
    shown = lights([show(0, Sign.YOUR_TURN, 1), show(5, Sign.READY), show(5, Sign.TRUE_CALL, 1)], 20.0)
    assert [lit for _, lit in shown].count(TRUE) == PATTERNS[Sign.TRUE_CALL].times
    assert shown[-1][1] in (None, Showing(Sign.READY))


@pytest.mark.parametrize("sign", [Sign.YOUR_TURN, Sign.LOOKING, Sign.PAUSED, Sign.CLOSING])
def test_a_true_call_that_is_undone_is_over_at_once(sign: Sign) -> None:
    shown = lights([show(0, Sign.READY), show(5, Sign.TRUE_CALL, 1), show(7, sign, 1)], 30.0)
    assert [lit for at, lit in shown if at > 7.0 + GAP and lit == TRUE] == []
    assert shown[-1][1] in (Showing(sign, 1), None)


@pytest.mark.parametrize("before", [[], [show(0, Sign.YOUR_TURN, 1)], [show(0, Sign.READY)]])
@pytest.mark.parametrize("at", [0.5, 5.0])
def test_a_press_is_seen_at_once_and_then_what_stands_comes_back(before: list[Step], at: float) -> None:
    quiet = lights(before, at)
    shown = lights([*before, press(at, 1)], at + 30.0)
    assert shown[: len(quiet)] == quiet
    assert shown[len(quiet)][0] == at
    assert shown[len(quiet)][1] in (None, LOOKING)
    assert LOOKING in [lit for _, lit in shown]
    assert LOOKING not in [lit for when, lit in shown if when > at + GAP + HEARD]


def test_looking_goes_on_where_the_answer_to_the_press_began() -> None:
    pressed = lights([show(0, Sign.YOUR_TURN, 1), press(5, 1), show(5.5, Sign.LOOKING, 1)], 20.0)
    shown = lights([show(0, Sign.YOUR_TURN, 1), show(5, Sign.LOOKING, 1)], 20.0)
    assert pressed == shown


def test_a_press_that_is_judged_at_once_is_dark_long_enough_to_be_seen() -> None:
    steps = [show(0, Sign.YOUR_TURN, 1), press(5, 1), show(5.02, Sign.READY), show(5.02, Sign.TRUE_CALL, 1)]
    assert lights(steps, 6.0) == [(0.0, TURN), (5.0, None), (5.0 + GAP, TRUE)]


def test_a_press_while_a_call_is_judged_or_was_changes_nothing() -> None:
    for sign in (Sign.LOOKING, Sign.TRUE_CALL):
        assert lights([show(0, sign, 1), press(1.3, 2)], 20.0) == lights([show(0, sign, 1)], 20.0)


def test_a_second_false_call_flashes_anew() -> None:
    steps = [show(0, Sign.YOUR_TURN, 1), show(5, Sign.FALSE_CALL, 1), show(7, Sign.FALSE_CALL, 1)]
    assert lights(steps, 60.0)[-1][0] >= 7 + PATTERNS[Sign.FALSE_CALL].length


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.floats(0, 6), st.sampled_from([*Sign, None]), st.sampled_from([None, 1, 2])),
        max_size=60,
    )
)
def test_whatever_happens_there_are_never_more_than_three_flashes_in_a_second(
    happens: list[tuple[float, Sign | None, Seat | None]],
) -> None:
    steps = [press(at, seat) if sign is None else show(at, sign, seat) for at, sign, seat in happens]
    asked = play(steps, 12.0)
    changes = [now for (_, before, _), (now, lit, _) in itertools.pairwise(asked) if before != lit]
    changes = ([0.0] if asked[0][1] is not None else []) + changes
    apart = [later - earlier for earlier, later in zip(changes, changes[2 * FLASHES :], strict=False)]
    assert all(seconds >= 1.0 - 1e-6 for seconds in apart)


def sounds(steps: list[Step], end: float) -> list[tuple[float, float]]:
    """When the buzzer sounds, and for how long."""
    found, since = [], None
    for now, _, buzz in play(steps, end):
        if buzz and since is None:
            since = now
        elif not buzz and since is not None:
            found.append((round(since, 3), round(now - since, 3)))
            since = None
    assert since is None, "the buzzer does not end"
    return found


def test_a_press_ticks_once_and_its_verdict_sounds_once() -> None:
    steps = [show(0, Sign.YOUR_TURN, 1), press(5, 1), show(5.5, Sign.LOOKING, 1)]
    steps += [show(9, Sign.YOUR_TURN, 1), show(9, Sign.FALSE_CALL, 1), show(9.5, Sign.YOUR_TURN, 2)]
    assert sounds(steps, 60.0) == [(5.0, 0.06), (9.0, 1.0)]


def test_a_camera_that_comes_and_goes_sounds_once_a_minute() -> None:
    steps = [show(number, (Sign.CAMERA_GONE, Sign.YOUR_TURN)[number % 2]) for number in range(100)]
    begun = [at for at, _ in sounds(steps, 130.0)]
    beeps = SOUNDS[Sign.CAMERA_GONE].pattern.times
    assert beeps is not None
    assert len(begun) == 2 * beeps
    assert begun[beeps] == pytest.approx(60.0)


def test_turns_are_silent() -> None:
    assert sounds([show(number, Sign.YOUR_TURN, 1 + number % 2) for number in range(20)], 30.0) == []
