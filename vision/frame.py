"""A camera's picture, decoded no further than somebody asks: most are only held against the one before."""

from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture import decode_picture, grey_of, picture_bytes


class Frame:
    """One picture, as JPEG or PNG bytes or as BGR or grey pixels. `name` stands in the errors.

    Each view of it is made when it is first asked for, and raises PictureError where the bytes are broken.
    """

    def __init__(self, data: bytes | NDArray[np.uint8], name: str = "picture") -> None:
        """Take a picture; nothing is decoded yet."""
        self._data = data
        self._name = name

    @classmethod
    def load(cls, path: Path) -> "Frame":
        """Take a picture from a file; raise PictureError if it cannot be read."""
        return cls(picture_bytes(path), str(path))

    @cached_property
    def grey(self) -> NDArray[np.uint8]:
        """The whole picture in grey levels, (height, width)."""
        if isinstance(self._data, bytes):
            return decode_picture(self._data, self._name, flags=cv2.IMREAD_GRAYSCALE)
        return grey_of(self._data)

    @cached_property
    def half(self) -> NDArray[np.uint8]:
        """The grey picture at half its width and height, which halves its noise too."""
        return _halved(self.grey)

    @cached_property
    def small(self) -> NDArray[np.uint8]:
        """The grey picture at an eighth of its width and height."""
        return _halved(_halved(self.half))

    @cached_property
    def uncoloured(self) -> "Frame":
        """The same picture, with its grey levels for colours: a JPEG's colours take twice the time to decode."""
        return Frame(self.grey, self._name)

    @cached_property
    def colour(self) -> NDArray[np.uint8]:
        """The whole picture in BGR, (height, width, 3); of one that is `uncoloured`, its grey levels."""
        return decode_picture(self._data, self._name) if isinstance(self._data, bytes) else self._data


def _halved(grey: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Halve a picture's sides, which OpenCV does seven times as fast as to quarter them."""
    return np.asarray(cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), dtype=np.uint8)
