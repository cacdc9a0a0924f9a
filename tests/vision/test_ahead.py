"""What is learnt from is made ahead, in order."""

import threading
from collections.abc import Iterator

import pytest

from vision.training.ahead import made_ahead


def test_batches_come_in_the_order_in_which_they_are_made_and_no_more_are_made() -> None:
    made: Iterator[int] = iter(range(100))
    assert list(made_ahead(lambda: next(made), 5)) == [0, 1, 2, 3, 4]
    assert next(made) == 5
    assert list(made_ahead(lambda: next(made), 0)) == []
    assert next(made) == 6


def test_the_next_batch_is_made_while_one_is_in_use() -> None:
    made = [threading.Event() for _ in range(2)]
    events = iter(made)
    batches = made_ahead(lambda: next(events).set(), 2)
    next(batches)
    assert made[1].wait(10)


def test_what_goes_wrong_is_told_to_the_one_who_learns() -> None:
    def fail() -> int:
        raise ValueError("no patches")

    with pytest.raises(ValueError, match="no patches"):
        list(made_ahead(fail, 3))
