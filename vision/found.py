"""What was found in a picture before any number is read: values between the stages of vision.eye."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.pose import Pose
from vision.rack.fit import RackView
from vision.reading.numbers import Ink
from vision.tray.wells import Well


@dataclass(frozen=True)
class Found:
    """One possible number before it is read: where its ink is, and its crop for the reader.

    turned: it stands upside down, as the pile's card lies.
    """

    ink: Ink
    crop: NDArray[np.uint8]
    turned: bool = False


@dataclass(frozen=True)
class RackFound:
    """A rack's view, its pose, for each slot the possible numbers, and the height in mm of their figures."""

    seat: int
    pose: Pose
    view: RackView
    slots: tuple[tuple[Found, ...], ...]
    height: float


@dataclass(frozen=True)
class TrayFound:
    """The tray's two wells, and the discard pile's possible numbers."""

    draw: Well
    discard: Well
    numbers: tuple[Found, ...]
