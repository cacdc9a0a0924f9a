"""What was found in a picture before any number is read: values between the stages of vision.recipe."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from vision.numbers import Ink
from vision.pose import Pose
from vision.strips import RackView
from vision.tray import Well


@dataclass(frozen=True)
class Found:
    """One possible number before it is read: where its ink is, and its crop for the reader."""

    ink: Ink
    crop: NDArray[np.uint8]


@dataclass(frozen=True)
class RackFound:
    """A rack's view, its pose, and for each slot the possible numbers."""

    seat: int
    pose: Pose
    view: RackView
    slots: tuple[tuple[Found, ...], ...]


@dataclass(frozen=True)
class TrayFound:
    """The tray's two wells, and the discard pile's possible numbers."""

    draw: Well
    discard: Well
    numbers: tuple[Found, ...]


@dataclass(frozen=True)
class Scene:
    """All that was found in one picture, before anything is read."""

    picture: NDArray[np.uint8]
    table: Table
    racks: Sequence[RackFound]
    tray: TrayFound | None
