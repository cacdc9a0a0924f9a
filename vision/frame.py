"""A camera's picture, decoded no further than somebody asks: most are only held against the one before."""

from functools import cached_property
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture import PictureError, decode_picture, grey_of, halved, picture_bytes

JPEG: Final = b"\xff\xd8"
"""The first bytes of a JPEG."""

QUALITY: Final = 90
"""JPEG quality at which pixels are kept: what JPEG does to a number's edges is then less than a camera's noise."""

SHARES: Final = np.uint16(128)
"""A row's light is reckoned in such parts: then none of its pixels is too much for 16 bits."""


class Frame:
    """One picture, as JPEG or PNG bytes or as BGR or grey pixels. `name` stands in the errors.

    Each view of it is made when it is first asked for, and raises PictureError where the bytes are broken.
    """

    def __init__(
        self, data: bytes | NDArray[np.uint8], name: str = "picture", bands: NDArray[np.float32] | None = None
    ) -> None:
        """Take a picture; nothing is decoded yet. What is seen of it is without its `bands` (see lit_evenly)."""
        self._data = data
        self._name = name
        self._bands = bands

    @classmethod
    def load(cls, path: Path) -> "Frame":
        """Take a picture from a file; raise PictureError if it cannot be read."""
        return cls(picture_bytes(path), str(path))

    def bare(self) -> "Frame":
        """The same picture without any view of it, for whoever keeps it: the views of a picture are far larger."""
        return Frame(self._data, self._name, self._bands)

    def lit_evenly(self, bands: NDArray[np.float32]) -> "Frame":
        """The same picture, each row made darker by as much as `bands` has it lit more: any number, from top down."""
        return Frame(self._data, self._name, bands)

    def jpeg(self) -> bytes:
        """The picture as a JPEG: the very bytes that came where they are one, else encoded. Raises PictureError."""
        if isinstance(self._data, bytes) and self._data.startswith(JPEG):
            return self._data
        try:
            _, data = cv2.imencode(".jpg", self.colour, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        except cv2.error:
            raise PictureError(f"{self._name}: cannot be made a JPEG") from None
        return data.tobytes()

    @cached_property
    def grey(self) -> NDArray[np.uint8]:
        """The whole picture in grey levels, (height, width)."""
        if isinstance(self._data, bytes):
            return self._evened(decode_picture(self._data, self._name, flags=cv2.IMREAD_GRAYSCALE))
        return self._evened(grey_of(self._data))

    @property
    def size(self) -> tuple[int, int]:
        """The picture's width and height in pixels."""
        return self.grey.shape[1], self.grey.shape[0]

    @cached_property
    def half(self) -> NDArray[np.uint8]:
        """The grey picture at half its width and height, which halves its noise too."""
        return halved(self.grey)

    @cached_property
    def small(self) -> NDArray[np.uint8]:
        """The grey picture at an eighth of its width and height."""
        return halved(halved(self.half))

    @cached_property
    def uncoloured(self) -> "Frame":
        """The same picture, with its grey levels for colours: a JPEG's colours take twice the time to decode."""
        return Frame(self.grey, self._name)

    @cached_property
    def colour(self) -> NDArray[np.uint8]:
        """The whole picture in BGR, (height, width, 3); of one that is `uncoloured`, its grey levels."""
        return self._evened(decode_picture(self._data, self._name) if isinstance(self._data, bytes) else self._data)

    def _evened(self, seen: NDArray[np.uint8]) -> NDArray[np.uint8]:
        if self._bands is None:
            return seen
        rows = (np.arange(len(seen)) + 0.5) * len(self._bands) / len(seen) - 0.5
        share = SHARES / np.interp(rows, np.arange(len(self._bands)), self._bands)
        evened = seen * share.round().astype(np.uint16).reshape(-1, *[1] * (seen.ndim - 1)) // SHARES
        return np.asarray(np.minimum(evened, 255), np.uint8)
