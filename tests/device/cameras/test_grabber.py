"""The thread around a camera: the latest picture, failures, cameras that hang or freeze, and closing."""

import queue
import threading
from collections.abc import Iterator

import pytest

from device.cameras.camera import CameraEnded, CameraError, CameraReport, Picture, Shot, State
from device.cameras.grabber import LEFT, LONGEST_PAUSE, MOST_LEFT, OPENING, SAME, STUCK, Grabber, Timing
from engine.errors import RackoError
from tests.device.cameras.fakes import LONG, Clock, jpeg, pixels, wait_until

PULLED = CameraError("v4l2:/dev/video7 sends no picture; pull its plug and put it back")


class FedDriver:
    """A driver that gives what it is fed, and hangs where there is nothing."""

    def __init__(self, table: "Table") -> None:
        self.table = table
        self.food: queue.SimpleQueue[Picture | Exception] = queue.SimpleQueue()
        self.remark = ""
        self.opened = self.closed = self.interrupted = False

    def open(self) -> None:
        self.opened = True
        problem = self.table.refusal
        if problem is not None:
            raise problem

    def read(self) -> Picture:
        given = self.food.get()
        if isinstance(given, Exception):
            raise given
        return given

    def interrupt(self) -> None:
        self.interrupted = True
        if self.table.can_be_interrupted:
            self.food.put(CameraError("broken off"))

    def close(self) -> None:
        self.closed = True


class Table:
    """A grabber, its drivers, and time; `again` lets a pause before another opening end."""

    def __init__(self, same: float | None = SAME) -> None:
        self.refusal: Exception | None = None
        self.can_be_interrupted = False
        self.drivers: list[FedDriver] = []
        self.clock = Clock()
        self.woken = threading.Event()
        self.pauses: list[float] = []
        self._again: queue.SimpleQueue[None] = queue.SimpleQueue()
        timing = Timing(same, self.clock, self._pause)
        self.camera = Grabber("tray", "v4l2:/dev/video7", self._make, self.woken.set, timing)

    def _make(self) -> FedDriver:
        self.drivers.append(FedDriver(self))
        return self.drivers[-1]

    def _pause(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self._again.get()

    def again(self) -> None:
        """Let it open the camera once more."""
        number = len(self.drivers)
        self._again.put(None)
        wait_until(lambda: len(self.drivers) > number)

    def feed(self, food: Picture | Exception, driver: int = -1) -> None:
        """Give the driver something, and wait until the grabber has it."""
        wait_until(lambda: bool(self.drivers))
        self.woken.clear()
        self.drivers[driver].food.put(food)
        assert self.woken.wait(LONG)

    def report(self) -> CameraReport:
        return self.camera.report()

    def state(self) -> State:
        return self.camera.report().state

    def end(self) -> None:
        """Free all threads that still hang."""
        self.can_be_interrupted = True
        for driver in self.drivers:
            driver.food.put(CameraError("the test is over"))
        for _ in range(9):
            self._again.put(None)
        self.camera.close()


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table()
    yield table
    table.end()


@pytest.fixture
def showing() -> Iterator[Table]:
    """A table whose pictures may stay the same."""
    table = Table(same=None)
    yield table
    table.end()


def taken(table: Table) -> Shot:
    shot = table.camera.latest()
    assert shot is not None
    return shot


def test_a_camera_error_is_one_that_a_person_can_mend() -> None:
    assert issubclass(CameraError, RackoError)


def test_before_its_first_picture_a_camera_is_starting_and_gives_nothing(table: Table) -> None:
    assert table.camera.latest() is None
    assert table.report() == CameraReport("tray", "v4l2:/dev/video7", "starting", "", None, 0, 0, 0.0, 100.0)


def test_only_the_latest_picture_is_given_and_only_once(table: Table) -> None:
    for number in range(1, 4):
        table.clock.now = 100.0 + number
        table.feed(jpeg(number))
    shot = taken(table)
    assert (shot.number, shot.t) == (3, 103.0)
    assert table.camera.latest() is None
    report = table.report()
    assert (report.state, report.size, report.taken, report.dropped) == ("live", (64, 48), 1, 2)


def test_the_rate_is_that_of_the_latest_seconds(table: Table) -> None:
    for number in range(100):
        table.clock.now += 0.1
        table.feed(pixels(number, (8, 8)))
    assert table.report().rate == pytest.approx(10, abs=0.3)
    table.clock.now += 2.5
    assert table.report().rate == pytest.approx(5, abs=0.3)


def test_a_camera_that_fails_is_gone_with_its_words_and_is_opened_again_more_and_more_patiently(table: Table) -> None:
    table.feed(jpeg(1))
    table.refusal = CameraError("v4l2:/dev/video7 is not there; plug the camera in")
    table.clock.now = 110.0
    table.feed(PULLED)
    assert (table.state(), table.report().words, table.report().since) == ("gone", str(PULLED), 110.0)
    for _ in range(5):
        table.again()
    wait_until(lambda: len(table.pauses) == 6)
    assert table.pauses == [0.5, 1.0, 2.0, 4.0, LONGEST_PAUSE, LONGEST_PAUSE]
    assert table.report().words == "v4l2:/dev/video7 is not there; plug the camera in"
    assert all(driver.closed for driver in table.drivers)


def test_a_camera_put_back_in_is_back_by_itself(table: Table) -> None:
    table.feed(jpeg(1))
    table.feed(PULLED)
    table.again()
    assert table.state() == "gone"
    table.feed(jpeg(2))
    assert (table.state(), table.report().words) == ("live", "")
    table.feed(PULLED)
    wait_until(lambda: len(table.pauses) == 2)
    assert table.pauses == [0.5, 0.5]


def test_what_foreign_code_raises_makes_a_camera_gone_and_nothing_worse(table: Table) -> None:
    table.feed(ValueError("bad\nthings"))
    assert table.report().words == "v4l2:/dev/video7: bad things; it is tried again"
    table.again()
    table.feed(jpeg(1))
    assert table.state() == "live"


def test_a_read_that_does_not_come_back_is_a_frozen_camera_until_it_does(table: Table) -> None:
    table.feed(jpeg(1))
    table.clock.now += STUCK - 0.1
    assert table.state() == "live"
    table.clock.now += 1.0
    report = table.report()
    assert (report.state, report.rate) == ("frozen", 0.0)
    assert report.words == "v4l2:/dev/video7 has sent nothing for 6 s; pull its plug and put it back"
    assert table.drivers[0].interrupted
    table.feed(jpeg(2))
    assert (table.state(), len(table.drivers)) == ("live", 1)


def test_a_camera_that_shows_nothing_at_first_is_gone_only_after_longer(table: Table) -> None:
    wait_until(lambda: bool(table.drivers) and table.drivers[0].opened)
    table.clock.now += OPENING - 1
    assert table.state() == "starting"
    table.clock.now += 2
    assert table.state() == "gone"


def test_a_driver_that_can_be_broken_off_is_opened_again_and_the_words_stay(table: Table) -> None:
    table.can_be_interrupted = True
    table.feed(jpeg(1))
    table.clock.now += STUCK + 1
    assert table.state() == "frozen"
    wait_until(lambda: table.pauses == [0.5])
    assert "sent nothing for 6 s" in table.report().words
    table.again()
    table.feed(jpeg(2))
    assert table.state() == "live"


def test_a_thread_that_never_comes_back_is_left_behind_and_its_late_pictures_do_not_count(table: Table) -> None:
    table.feed(jpeg(1))
    taken(table)
    table.clock.now += LEFT + 1
    assert table.camera.latest() is None
    wait_until(lambda: len(table.drivers) == 2)
    table.feed(jpeg(2))
    table.drivers[0].food.put(jpeg(9))
    wait_until(lambda: table.drivers[0].closed)
    assert (taken(table).number, table.state()) == (2, "live")


def test_no_more_than_a_few_threads_are_left_behind(table: Table) -> None:
    wait_until(lambda: bool(table.drivers))
    for _ in range(MOST_LEFT + 3):
        table.clock.now += LEFT + 1
        table.report()
        wait_until(lambda: all(driver.opened for driver in table.drivers))
    wait_until(lambda: len(table.drivers) == 1 + MOST_LEFT)
    table.drivers[0].food.put(CameraError("back at last"))
    wait_until(lambda: table.drivers[0].closed)
    wait_until(lambda: table.report() is not None and len(table.drivers) == 2 + MOST_LEFT)


@pytest.mark.parametrize("picture", [jpeg(1), pixels(1)], ids=["bytes", "pixels"])
def test_the_very_same_picture_for_long_is_a_frozen_camera_which_is_opened_again(
    table: Table, picture: Picture
) -> None:
    table.feed(picture)
    table.clock.now += SAME - 1
    table.feed(picture if isinstance(picture, bytes) else picture.copy())
    assert (table.state(), taken(table).number) == ("live", 2)
    table.clock.now += 2
    table.feed(picture)
    assert table.state() == "frozen"
    assert table.report().words == (
        "v4l2:/dev/video7 has sent the very same picture for 16 s; look whether its lens is covered, "
        "else pull its plug and put it back"
    )
    table.again()
    table.drivers[-1].food.put(picture)
    table.feed(jpeg(2))
    assert (table.state(), taken(table).number) == ("live", 3)


def test_where_a_picture_may_stay_the_same_it_does_and_is_decoded_once(showing: Table) -> None:
    showing.feed(jpeg(1))
    first = taken(showing)
    showing.clock.now += 1000
    showing.feed(jpeg(1))
    again = taken(showing)
    assert (showing.state(), again.number) == ("live", 2)
    assert again.frame is first.frame


def test_at_its_end_a_movie_is_over_and_its_last_picture_is_still_given(showing: Table) -> None:
    showing.feed(jpeg(1))
    showing.feed(CameraEnded("file:movie.mp4 is over"))
    assert (showing.state(), showing.report().words) == ("ended", "file:movie.mp4 is over")
    assert taken(showing).number == 1
    wait_until(lambda: showing.drivers[0].closed)
    assert showing.pauses == []


def test_a_closed_camera_has_given_its_device_back_and_says_nothing_more() -> None:
    table = Table()
    table.can_be_interrupted = True
    table.feed(jpeg(1))
    table.camera.close()
    assert table.drivers[0].closed
    assert (table.state(), table.camera.latest()) == ("ended", None)
    table.camera.close()


def test_a_driver_that_hangs_does_not_hang_closing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.cameras.grabber.CLOSING", 0.01)
    table = Table()
    table.feed(jpeg(1))
    table.camera.close()
    assert table.drivers[0].interrupted
    assert not table.drivers[0].closed
    table.drivers[0].food.put(jpeg(2))
    wait_until(lambda: table.drivers[0].closed)
    assert (table.state(), table.camera.latest()) == ("ended", None)


def test_a_remark_of_the_driver_is_told_while_the_camera_works(table: Table) -> None:
    table.feed(jpeg(1))
    table.drivers[0].remark = "it sends 640 x 480 pixels, not 1920 x 1080"
    table.feed(jpeg(2))
    assert (table.state(), table.report().words) == ("live", "it sends 640 x 480 pixels, not 1920 x 1080")
