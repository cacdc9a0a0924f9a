"""Movies and pictures in place of a camera."""

from pathlib import Path

import cv2
import pytest

from device.cameras.camera import CameraEnded, CameraError
from device.cameras.movie import STILL, MovieDriver, StillDriver
from device.cameras.naming import camera_named
from tests.device.cameras.fakes import Clock, pixels, wait_until

SIZE = (320, 240)


@pytest.fixture(scope="module")
def movie(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five pictures, ten a second."""
    path = tmp_path_factory.mktemp("movie") / "movie.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, SIZE)
    for number in range(5):
        writer.write(pixels(number, SIZE, bright=40 * number + 40))
    writer.release()
    return path


def refusal(driver: MovieDriver | StillDriver) -> str:
    with pytest.raises(CameraError) as caught:
        driver.open()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_movie_is_shown_at_its_own_pace_and_ends(movie: Path) -> None:
    clock = Clock()

    def wait(seconds: float) -> None:
        clock.now += seconds

    driver = MovieDriver(movie, clock=clock, wait=wait)
    driver.open()
    times, bright = [], []
    for _ in range(5):
        picture = driver.read()
        assert not isinstance(picture, bytes)
        times.append(clock.now - 100)
        bright.append(picture.mean())
    assert times == pytest.approx([0, 0.1, 0.2, 0.3, 0.4])
    assert bright == pytest.approx([40, 80, 120, 160, 200], abs=4)
    with pytest.raises(CameraEnded, match=r"movie\.avi is over"):
        driver.read()
    driver.close()


class Timeless:
    """A movie that tells no times, and hardly a rate."""

    def __init__(self, rate: float) -> None:
        self.rate = rate

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return True

    def get(self, prop: int) -> float:
        return self.rate if prop == cv2.CAP_PROP_FPS else 0.0

    def read(self) -> tuple[bool, object]:
        return True, pixels(1)

    def release(self) -> None:
        """Nothing is open."""


@pytest.mark.parametrize(("rate", "step"), [(5.0, 0.2), (0.0, 0.04), (90000.0, 0.04)])
def test_a_movie_without_times_goes_by_its_rate(movie: Path, rate: float, step: float) -> None:
    waits: list[float] = []
    driver = MovieDriver(movie, lambda _: Timeless(rate), Clock(), waits.append)
    driver.open()
    for _ in range(4):
        driver.read()
    assert waits == pytest.approx([step, 2 * step, 3 * step])


def test_a_late_movie_does_not_wait(movie: Path) -> None:
    clock, waits = Clock(), list[float]()
    driver = MovieDriver(movie, clock=clock, wait=waits.append)
    driver.open()
    driver.read()
    clock.now += 0.35
    for _ in range(4):
        driver.read()
    assert waits == pytest.approx([0.05])
    driver.close()


def test_what_is_not_there_or_no_movie_is_told_in_one_line(tmp_path: Path) -> None:
    text = tmp_path / "text.mp4"
    text.write_text("no movie")
    assert refusal(MovieDriver(tmp_path / "none.mp4")).endswith(
        "none.mp4 is not there; write the way to a movie or a picture"
    )
    assert "is no movie that can be read" in refusal(MovieDriver(text))
    assert "is not there" in refusal(StillDriver(tmp_path / "none.jpg"))
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"\xff\xd8\xff")
    assert "the JPEG is cut short" in refusal(StillDriver(broken))


def test_a_picture_is_shown_again_and_again(tmp_path: Path) -> None:
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), pixels(1, SIZE))
    waits: list[float] = []
    driver = StillDriver(path, waits.append)
    driver.open()
    first, second = driver.read(), driver.read()
    assert first is second
    assert waits == [STILL]


def test_as_a_camera_a_movie_ends_and_a_picture_stays(movie: Path, tmp_path: Path) -> None:
    path = tmp_path / "table.jpg"
    cv2.imwrite(str(path), pixels(1, SIZE))
    film, still = camera_named(f"file:{movie}", "film"), camera_named(f"file:{path}", "still")
    wait_until(lambda: film.report().state == "ended")
    assert film.report().words == f"file:{movie} is over"
    shot = film.latest()
    assert shot is not None
    assert shot.number == 5
    wait_until(lambda: still.report().state == "live")
    assert still.report().size == SIZE
    film.close()
    still.close()
