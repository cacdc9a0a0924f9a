"""Pictures from files and bytes, and what hinders a look at them: darkness, glare, blur."""

import math
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import TableError

SMALLEST = 200
"""A picture of fewer pixels on its short side cannot show a mat that could be read."""
LARGEST = 12_000
DARK, BRIGHT = 35.0, 235.0
"""Median brightness in grey levels below or above which a picture is called too dark or too bright."""
BLURRED = 0.24
"""A picture is called blurred where its strongest edges are no steeper than this (see sharpness)."""
ENOUGH = 2560
"""A picture with more pixels on a side is judged at half its size: a phone's are soft, and numbers need no more."""
WIDE = 5
STRONGEST, LEAST_EDGE = 300, 40
"""So many pixels at edges are looked at, if these are at least so high in grey levels."""
SMALLER = (1, 2, 4, 8)
"""Edges are sought in the picture itself, then in those of so many times smaller sides."""


class PictureError(TableError):
    """A picture that cannot be used: which, why, and what to do."""


def load_picture(path: Path, smallest: int = SMALLEST) -> NDArray[np.uint8]:
    """Load a picture as (height, width, 3) BGR; raise PictureError if it is missing, broken or too small.

    `smallest` is the least number of pixels on a side: a table needs many, a cut-out of one number few.
    """
    return decode_picture(picture_bytes(path), str(path), smallest)


def picture_bytes(path: Path) -> bytes:
    """Read a picture's bytes; raise PictureError if there is no such file."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise PictureError(f"{path}: cannot be read ({error.strerror or error}); check the path") from None


def decode_picture(
    data: bytes, name: str, smallest: int = SMALLEST, flags: int = cv2.IMREAD_COLOR
) -> NDArray[np.uint8]:
    """Decode JPEG or PNG bytes; raise PictureError, with the name, if they are broken.

    `flags` are OpenCV's: the result is (height, width, 3) BGR, or (height, width) in grey levels, whole or reduced.
    """
    if not data:
        raise PictureError(f"{name}: the picture is empty (0 bytes); take it again")
    if data[:2] == b"\xff\xd8" and b"\xff\xd9" not in data[-4096:]:
        raise PictureError(f"{name}: the JPEG is cut short; take it again")
    try:
        picture = cv2.imdecode(np.frombuffer(data, dtype=np.uint8), flags)
    except cv2.error:
        picture = None
    if picture is None:
        raise PictureError(f"{name}: is no picture that can be decoded; JPEG and PNG can")
    height, width = picture.shape[:2]
    if min(height, width) < smallest or max(height, width) > LARGEST:
        raise PictureError(f"{name}: {width} x {height} pixels; needed are {smallest} to {LARGEST} on each side")
    return np.asarray(picture, dtype=np.uint8)


def is_picture(path: Path) -> bool:
    """Tell by its name whether a file can hold a picture: JPEG or PNG."""
    return path.suffix.lower() in {".jpg", ".jpeg", ".png"}


def save_picture(picture: NDArray[np.uint8], path: Path) -> None:
    """Write a BGR picture as JPEG or PNG, by its name; raise PictureError if that cannot be done."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(cv2.imencode(path.suffix, picture)[1].tobytes())
    except (OSError, cv2.error) as error:
        raise PictureError(f"{path}: cannot be written ({getattr(error, 'strerror', None) or error})") from None


def grey_of(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Give a BGR picture (height, width, 3) in grey levels (height, width); one that is grey already as it is."""
    if picture.ndim == 2:
        return picture
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def halved(grey: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Halve a picture's sides, which OpenCV does seven times as fast as to quarter them."""
    return np.asarray(cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def exact(picture: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Give a picture, BGR or grey, for calculating; steps in a grey one count as steps in three equal colours."""
    pixels = picture.astype(np.float32)
    return pixels * np.float32(math.sqrt(3)) if picture.ndim == 2 else pixels


def remarks_on(grey: NDArray[np.uint8], mats: NDArray[np.bool_] | None = None) -> tuple[str, ...]:
    """Say in words what hinders a look at a grey picture: too dark, too bright, blurred.

    Where is known which tiles of it show `mats`, those are not to be too dark: a tablecloth may be black.
    """
    small = np.asarray(cv2.resize(grey, None, fx=0.125, fy=0.125, interpolation=cv2.INTER_AREA), np.uint8)
    middle, high = _middle_and_high(small)
    lit, highlights = (middle, high) if mats is None else _middle_and_high(small[_as_large_as(small, mats)])
    remarks = []
    if highlights < 2 * DARK or lit < DARK / 2:
        remarks.append("the picture is too dark; add light or expose longer")
    if middle > BRIGHT:
        remarks.append("the picture is too bright; take light away or expose shorter")
    if sharpness(grey) < BLURRED:
        remarks.append("the picture is blurred; focus the camera and keep it still")
    return tuple(remarks)


def _middle_and_high(levels: NDArray[np.uint8]) -> tuple[float, float]:
    """Give the median of some grey levels, and which 98 of 100 are below."""
    ranked = np.sort(levels, axis=None, kind="stable")
    return float(ranked[ranked.size // 2]), float(ranked[round(0.98 * (ranked.size - 1))])


def _as_large_as(picture: NDArray[np.uint8], tiles: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return cv2.resize(tiles.view(np.uint8), picture.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0


def sharpness(grey: NDArray[np.uint8]) -> float:
    """Give how much of the strongest edges' height, seen over five pixels, lies between two neighbouring pixels.

    Where a picture has no strong edges they are sought in smaller ones, in which they are as steep as they ever get.
    About 0.35 and more for a sharp picture, 0.2 at worst, of what changes across and what changes down, for a camera
    that moves blurs one of them. 1 for a picture without edges, of which nothing can be said.
    """
    while max(grey.shape) > ENOUGH:
        grey = halved(grey)
    return min(_steepness(grey, across=True), _steepness(grey, across=False))


def _steepness(grey: NDArray[np.uint8], *, across: bool) -> float:
    """Give the same of what changes across the picture, or down it."""
    for smaller in SMALLER:
        share = 1 / smaller
        seen = cv2.resize(grey, None, fx=share, fy=share, interpolation=cv2.INTER_AREA) if smaller > 1 else grey
        rows = np.ascontiguousarray(seen[::4] if across else seen[:, ::4].T)
        wide = cv2.absdiff(rows[:, WIDE:], rows[:, :-WIDE])
        # the highest edges by counting how many pixels have each height
        counts = cv2.calcHist([wide], [0], None, [256], [0, 256]).ravel()
        least = int(np.flatnonzero(np.cumsum(counts[::-1])[::-1] >= STRONGEST * share**2)[-1])
        row, column = np.divmod(np.flatnonzero(wide >= least), wide.shape[1])
        height = wide[row, column]
        if np.median(height) >= LEAST_EDGE:
            along = rows[row[:, None], column[:, None] + np.arange(WIDE + 1)].astype(np.int16)
            return float(np.median(np.abs(np.diff(along, axis=1)).max(axis=1) / height))
    return 1.0
