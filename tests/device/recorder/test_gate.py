from itertools import pairwise

import pytest

from device.recorder.gate import MOVING_EVERY, Gate
from tests.device.recorder.evenings import some_picture
from vision.frame import Frame
from vision.picture import PictureError

STILL = some_picture(1)
OTHER = some_picture(2)


def kept(shown: list[tuple[float, Frame]]) -> list[float]:
    """When the pictures that the gate lets through were taken, asked after each."""
    gate, times = Gate(), []
    for t, frame in shown:
        gate.add(t, frame)
        ready = gate.ready(t)
        if ready is not None:
            gate.kept()
            times.append(ready[0])
    return times


def seconds(first: float, last: float, rate: int = 10) -> list[float]:
    return [first + number / rate for number in range(round((last - first) * rate))]


def test_of_a_still_scene_its_first_pictures_are_kept_and_no_more() -> None:
    assert kept([(t, STILL) for t in seconds(0, 10)]) == pytest.approx([0.0, 0.1, 0.2])


def test_what_is_read_of_a_still_scene_beyond_its_first_pictures_is_kept_too() -> None:
    gate, times = Gate(), []
    for t in seconds(0, 10):
        gate.add(t, STILL, read=4.0 <= t < 4.35)
        if gate.ready(t) is not None:
            gate.kept()
            times.append(t)
    assert times == pytest.approx([0.0, 0.1, 0.2, 4.0, 4.1, 4.2, 4.3])


def test_a_change_is_kept_with_two_pictures_that_bear_it_out() -> None:
    times = kept([(t, STILL if t < 5 else OTHER) for t in seconds(0, 10)])
    assert times[3:] == pytest.approx([5.0, 5.1, 5.2])


def test_what_moves_all_the_time_is_kept_at_a_bounded_rate() -> None:
    times = kept([(t, some_picture(number)) for number, t in enumerate(seconds(0, 20, 30))])
    assert len(times) <= 20 / MOVING_EVERY + 1
    assert all(later - before >= MOVING_EVERY - 0.001 for before, later in pairwise(times))


def test_a_flickering_picture_is_kept_at_a_bounded_rate() -> None:
    frames = [some_picture(number // 2 % 2) for number in range(300)]
    assert len(kept([(t, frame) for t, frame in zip(seconds(0, 10, 30), frames, strict=True)])) <= 100


def test_what_came_too_soon_is_kept_once_it_may_be_though_nothing_else_comes() -> None:
    gate = Gate()
    gate.add(0.0, STILL)
    gate.kept()
    gate.add(0.05, OTHER)
    assert gate.ready(0.1) is None
    assert gate.ready(0.1, at_once=True) == (0.05, OTHER)
    assert gate.ready(1.0) == (0.05, OTHER)


def test_pictures_without_room_are_counted_when_another_takes_their_place() -> None:
    gate = Gate()
    for number in range(5):
        gate.add(number, some_picture(number))
        gate.refused()
        gate.refused()
    assert gate.lost == 4
    gate.kept()
    assert gate.ready(9.0) is None


def test_after_a_gap_in_the_recording_a_still_scene_is_kept_again() -> None:
    gate = Gate()
    for t in seconds(0, 1):
        gate.add(t, STILL)
        if gate.ready(t):
            gate.kept()
    gate.begin_again()
    gate.add(1.0, STILL)
    assert gate.ready(1.0) == (1.0, STILL)


def test_a_picture_that_cannot_be_decoded_is_refused_and_changes_nothing() -> None:
    gate = Gate()
    with pytest.raises(PictureError):
        gate.add(0.0, Frame(b"\xff\xd8 no picture \xff\xd9"))
    assert gate.ready(1.0) is None
