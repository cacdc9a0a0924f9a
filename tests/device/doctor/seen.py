"""Cameras that show drawn tables, and what they are said to see."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from device.cameras.camera import CameraReport, Shot, State
from device.doctor.sight import Sight, Sights
from device.doctor.views import View
from tests.vision.drawing import CAMERA, Eye, Rack, draw_mat, draw_pile, draw_rack, empty_table
from vision.frame import Frame
from vision.fuse import sure
from vision.look import Reading

SIGHTS: Final = Sights()
TABLE: Final = Table(cameras={"drawn": CAMERA}, measured=True)
STANDING: Final = {slot: 5 * slot + 6 for slot in range(10)}
REPORT: Final = CameraReport("cam", "v4l2:/dev/video0", "live", "", (1280, 720), 88, 0, 15.0, 0.0)


def rack_picture(eye: Eye | None = None, table: Table = TABLE, seat: int = 2) -> NDArray[np.uint8]:
    """A seat's full rack on its mat, (720, 1280, 3)."""
    picture, eye = empty_table(), eye or Eye()
    draw_mat(picture, seat, eye)
    draw_rack(picture, Rack(STANDING), table, eye)
    return picture


def tray_picture(eye: Eye | None = None, card: int | None = 23) -> NDArray[np.uint8]:
    """The tray with a card on its discard pile, (720, 1280, 3)."""
    picture, eye = empty_table(), eye or Eye()
    draw_mat(picture, 0, eye)
    draw_pile(picture, "left", 0, eye)
    draw_pile(picture, "right", card, eye)
    return picture


def view(picture: NDArray[np.uint8], name: str = "drawn", *, live: bool = False, table: Table = TABLE) -> View:
    """A view of a picture."""
    return View(name, name, table, Frame(picture), report=REPORT if live else None)


def sight_of(seen: View) -> Sight:
    """What is seen in a view."""
    assert seen.frame is not None
    return SIGHTS.of(seen.frame, seen)


def another_card(reading: Reading) -> tuple[str, int | None] | None:
    """What is surely read, with another card in the place of each."""
    told = sure(reading)
    return told if told is None or told[1] is None else (told[0], told[1] % 60 + 1)


@dataclass
class FakeCamera:
    """A camera that gives the pictures of `give` in order, each new one a tick after the other; None gives none."""

    name: str
    give: Callable[[int], Frame | None]
    state: State = "live"
    words: str = ""
    size: tuple[int, int] | None = (1280, 720)
    rate: float = 15.0
    dropped: int = 0
    asked: int = 0
    closed: list[str] = field(default_factory=list)

    def latest(self) -> Shot | None:
        self.asked += 1
        frame = self.give(self.asked)
        return None if frame is None else Shot(self.asked, 0.1 * self.asked, frame)

    def report(self) -> CameraReport:
        return replace(
            REPORT, name=self.name, source=self.name, state=self.state, words=self.words, size=self.size,
            rate=self.rate, dropped=self.dropped, taken=self.asked,
        )  # fmt: skip

    def close(self) -> None:
        self.closed.append(self.name)


class Ticks:
    """A clock that goes a tenth of a second on while somebody waits."""

    def __init__(self) -> None:
        self.now = 10.0

    def __call__(self) -> float:
        return self.now

    def pause(self, _: float) -> None:
        self.now += 0.1


def noisy(picture: NDArray[np.uint8], seed: int, bright: float = 1.0) -> Frame:
    """A picture with a sensor's noise, brighter or darker by a factor."""
    noise = np.random.default_rng(seed).normal(0, 2, picture.shape[:2])[:, :, None]
    return Frame(np.clip(picture * bright + noise, 0, 255).astype(np.uint8))


def banded(picture: NDArray[np.uint8], part: float, phases: Sequence[float]) -> list[NDArray[np.uint8]]:
    """Small grey pictures under a lamp that flickers by a part (0..1), each at its own phase, row after row."""
    grey = np.asarray(cv2.resize(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), None, fx=0.125, fy=0.125), np.uint8)
    rows = np.linspace(0, 3.3, len(grey))
    lamps = [1 + part / 2 * np.sin(2 * np.pi * (phase + rows)) for phase in phases]
    return [np.clip(grey * lamp[:, None], 0, 255).astype(np.uint8) for lamp in lamps]
