import math

from hypothesis import given
from hypothesis import strategies as st

from device.panel.contact import HOLD, SETTLE, STUCK, Contact

BOUNCE = st.lists(st.floats(0.0001, SETTLE / 2), max_size=12).filter(lambda gaps: len(gaps) % 2 == 0)


def edges(t: float, gaps: list[float], *, closed: bool) -> list[tuple[float, bool]]:
    """The edges of a contact that closes (or opens) at `t` and bounces before it stays so."""
    times = [t]
    for gap in gaps:
        times.append(times[-1] + gap)
    return [(time, closed == (number % 2 == 0)) for number, time in enumerate(times)]


@given(st.lists(st.tuples(BOUNCE, st.floats(0.06, 5), BOUNCE, st.floats(0.06, 5)), min_size=1, max_size=6))
def test_each_press_counts_once_at_its_first_edge_however_its_contacts_bounce(
    presses: list[tuple[list[float], float, list[float], float]],
) -> None:
    contact, t, began, counted = Contact(), 10.0, [], []
    for closing, down, opening, up in presses:
        began.append(t)
        taken = edges(t, closing, closed=True)
        taken += edges(taken[-1][0] + down, opening, closed=False)
        counted += [when for when, closed in taken if contact.edge(when, when, closed=closed)]
        t = taken[-1][0] + up
    assert counted == began


def test_a_press_is_one_press_also_where_all_its_edges_come_late_and_far_apart() -> None:
    contact = Contact()
    by_driver, by_us = [1.000, 1.002, 1.003, 1.120, 1.121, 1.123], [1.0, 1.4, 1.8, 2.2, 2.6, 3.0]
    presses = [
        contact.edge(ticks, now, closed=number % 2 == 0)
        for number, (ticks, now) in enumerate(zip(by_driver, by_us, strict=True))
    ]
    assert presses == [True, False, False, False, False, False]


def test_the_drivers_own_way_to_tell_times_apart_is_used() -> None:
    contact = Contact(lambda later, earlier: (later - earlier) % 100)
    assert contact.edge(99.90, 0.0, closed=True)
    assert not contact.edge(99.99, 0.1, closed=False)
    assert contact.edge(0.30, 0.4, closed=True)


def test_a_tap_is_not_held() -> None:
    contact = Contact()
    contact.edge(1.0, 1.0, closed=True)
    contact.edge(1.1, 1.1, closed=False)
    assert contact.look(1.0 + HOLD, closed=False) is None
    assert contact.due == math.inf


def test_a_button_that_is_held_is_found_held_once_and_stuck_once() -> None:
    contact = Contact()
    contact.edge(1.0, 1.0, closed=True)
    assert contact.due == 1.0 + HOLD
    assert contact.look(1.0 + HOLD - 0.01, closed=True) is None
    assert contact.look(1.0 + HOLD, closed=True) == "held"
    assert contact.due == 1.0 + STUCK
    assert contact.look(1.0 + STUCK, closed=True) == "stuck"
    assert contact.due == math.inf
    assert [contact.look(1.0 + STUCK * number, closed=True) for number in range(2, 100)] == [None] * 98


def test_a_button_that_was_let_go_in_time_is_not_stuck_and_works_again() -> None:
    contact = Contact()
    contact.edge(1.0, 1.0, closed=True)
    assert contact.look(1.0 + HOLD, closed=True) == "held"
    contact.edge(30.0, 30.0, closed=False)
    assert contact.look(1.0 + STUCK, closed=False) is None
    assert contact.edge(70.0, 70.0, closed=True)
    assert contact.due == 70.0 + HOLD


def test_a_new_press_begins_to_be_held_anew() -> None:
    contact = Contact()
    contact.edge(1.0, 1.0, closed=True)
    contact.edge(2.0, 2.0, closed=False)
    assert contact.edge(2.5, 2.5, closed=True)
    assert contact.look(1.0 + HOLD, closed=True) is None
    assert contact.look(2.5 + HOLD, closed=True) == "held"


def test_a_button_that_is_down_from_the_start_was_not_pressed_but_is_stuck_in_the_end() -> None:
    contact = Contact()
    contact.begin(5.0, closed=True)
    assert contact.look(5.0 + HOLD, closed=True) is None
    assert contact.look(5.0 + STUCK, closed=True) == "stuck"
    assert not contact.edge(80.0, 80.0, closed=False)
    assert contact.edge(81.0, 81.0, closed=True)


def test_a_line_that_flutters_without_rest_counts_once() -> None:
    contact = Contact()
    times = [number * 0.01 for number in range(1000)]
    assert sum(contact.edge(t, t, closed=number % 2 == 0) for number, t in enumerate(times)) == 1


def test_a_release_that_was_never_heard_of_does_not_cost_the_next_press() -> None:
    contact = Contact()
    assert contact.edge(1.0, 1.0, closed=True)
    assert contact.edge(9.0, 9.0, closed=True)
