"""Wrong PINs: after five of them a wait that doubles, from one address and in all."""

from threading import Barrier, Thread

from tests.webui.clients import Clock
from webui.limiter import MOST_ADDRESSES, Limiter


def wrong(limiter: Limiter, times: int, address: str = "10.0.0.1") -> list[float]:
    return [limiter.attempt(address, right=False) for _ in range(times)]


def test_five_wrong_ones_are_heard_and_the_sixth_waits() -> None:
    limiter = Limiter(Clock())
    assert wrong(limiter, 6) == [0, 0, 0, 0, 0, 2]


def test_the_wait_doubles_up_to_five_minutes() -> None:
    clock = Clock()
    limiter = Limiter(clock)
    wrong(limiter, 5)
    waits = []
    for _ in range(12):
        waits.append(limiter.attempt("10.0.0.1", right=False))
        clock.now += waits[-1]
        assert limiter.attempt("10.0.0.1", right=False) == 0
    assert waits == [2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300, 300]


def test_the_right_one_is_not_heard_either_while_waiting_and_asking_does_not_lengthen_the_wait() -> None:
    clock = Clock()
    limiter = Limiter(clock)
    wrong(limiter, 5)
    clock.now += 0.5
    assert limiter.attempt("10.0.0.1", right=True) == 1.5
    wrong(limiter, 100)
    clock.now += 1.5
    assert limiter.attempt("10.0.0.1", right=True) == 0


def test_the_right_one_begins_the_count_anew() -> None:
    limiter = Limiter(Clock())
    wrong(limiter, 4)
    assert limiter.attempt("10.0.0.1", right=True) == 0
    assert wrong(limiter, 6) == [0, 0, 0, 0, 0, 2]


def test_an_hour_without_a_wrong_one_begins_the_count_anew() -> None:
    clock = Clock()
    limiter = Limiter(clock)
    wrong(limiter, 4)
    clock.now += 3601
    assert wrong(limiter, 6) == [0, 0, 0, 0, 0, 2]


def test_changing_the_address_with_each_guess_does_not_help() -> None:
    limiter = Limiter(Clock())
    heard = [limiter.attempt(f"10.0.{guess}.1", right=False) == 0 for guess in range(200)]
    assert sum(heard) == 5


def test_who_guessed_goes_on_waiting_when_the_host_has_come_in_and_nobody_else_does() -> None:
    clock = Clock()
    limiter = Limiter(clock)
    for _ in range(12):
        wrong(limiter, 1)
        clock.now += 300
    assert limiter.attempt("10.0.0.2", right=True) == 0
    assert wrong(limiter, 2) == [0, 300]
    assert wrong(limiter, 4, "10.0.0.3") == [0, 0, 0, 0]


def test_no_more_addresses_are_remembered_than_there_is_room_for() -> None:
    clock = Clock()
    limiter = Limiter(clock)
    for guess in range(3 * MOST_ADDRESSES):
        limiter.attempt(f"address {guess}", right=False)
        clock.now += 400
    assert len(limiter._by_address) == MOST_ADDRESSES  # noqa: SLF001 - nothing else can be asked


def test_guesses_made_at_the_same_moment_are_counted_one_by_one() -> None:
    limiter, start = Limiter(Clock()), Barrier(40)
    heard: list[float] = []

    def guess() -> None:
        start.wait()
        heard.append(limiter.attempt("10.0.0.1", right=False))

    threads = [Thread(target=guess) for _ in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert heard.count(0) == 5
