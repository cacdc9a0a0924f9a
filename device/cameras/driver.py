"""What a grabber needs of any kind of camera, and what it asks of a picture before anybody decodes it."""

from typing import Protocol

import numpy as np

from device.cameras.camera import Picture
from device.cameras.jpegs import size_of


class Driver(Protocol):
    """One opening of one camera. All but `interrupt` is called from one thread, and a driver is opened once."""

    @property
    def remark(self) -> str:
        """What a person should know of a camera that works, or "". Asked for after each picture."""

    def open(self) -> None:
        """Open the device; raise CameraError with what to do."""

    def read(self) -> Picture:
        """Wait for the next picture; raise CameraError if none will come, CameraEnded if all is over."""

    def interrupt(self) -> None:
        """Make a waiting `open` or `read` come back soon, where that is safe from another thread; must not wait."""

    def close(self) -> None:
        """Give the device back; is called also where `open` has failed."""


def picture_size(picture: Picture) -> tuple[int, int] | None:
    """Give a picture's (width, height) in pixels, decoding nothing; None where its bytes do not say."""
    return size_of(picture) if isinstance(picture, bytes) else (picture.shape[1], picture.shape[0])


def very_same(one: Picture, other: Picture) -> bool:
    """Tell whether two pictures are the very same; of pixels, a part of them shows that."""
    if isinstance(one, bytes) or isinstance(other, bytes):
        return isinstance(one, bytes) and isinstance(other, bytes) and one == other
    return one.shape == other.shape and bool(np.array_equal(one[::8, ::8], other[::8, ::8]))
