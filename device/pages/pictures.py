"""Pictures for the pages: a camera's view that keeps the racks secret, and a rack as it was read at its round's end."""

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from vision.eye import Eye
from vision.frame import Frame
from vision.look import Look
from vision.mats import TRAY
from vision.pose import Pose
from vision.rectify import rectify
from vision.show import draw_over

WIDEST: Final = 1280
"""Pictures are made no wider than this, in pixels: for a tablet, over a home's wireless network."""

MAT: Final = np.array([[0.0, 0.0, 0.0], [297.0, 0.0, 0.0], [297.0, 210.0, 0.0], [0.0, 210.0, 0.0]])
"""Corners of a mat in mm of its own frame (TABLE.md, Mats)."""

RACK_WIDTH: Final = 480
"""Width in pixels of a rack's picture."""

JPEG: Final = (cv2.IMWRITE_JPEG_QUALITY, 82)

VEIL: Final = 80
"""The grey level of what is kept secret."""

OUTLINE: Final = (80, 200, 255)
"""A colour, in BGR, that is seen on any table."""

FONT: Final = cv2.FONT_HERSHEY_SIMPLEX
LARGE, LETTERS = 450, 750
"""A picture so many pixels wide has letters of OpenCV's own size, for a name and for what stands below it: they are
read where the picture is a third of a tablet wide."""


def camera_view(
    frame: Frame, eye: Eye | None, look: Look | None, words: Mapping[int, Sequence[str]], *, secret: bool
) -> bytes:
    """A camera's picture as the host may see it, as JPEG; `words` are what to write on the mats, by number.

    While a round is on it is `secret`: no more is left of it than where mats lie. A rack may come into view anywhere,
    with its mat covered, and a card may be in somebody's hand; and a number's ink tells by its place which card that
    is, blurred as it may be. Else it shows what was read.
    Raises PictureError where the picture is broken.
    """
    picture = frame.colour
    if not secret:
        return _jpeg(_narrowed(draw_over(picture, eye, look) if eye is not None and look is not None else picture))
    width = picture.shape[1]
    veiled = np.full_like(picture, VEIL)
    for number, pose in ({} if eye is None else eye.poses).items():
        corners = pose.project(MAT)
        outline = [np.rint(corners).astype(np.int32)]
        cv2.polylines(veiled, outline, isClosed=True, color=OUTLINE, thickness=max(2, width // 400))
        _write_on(veiled, words.get(number, (f"seat {number}",)), corners)
    return _jpeg(_narrowed(veiled))


def _write_on(veiled: NDArray[np.uint8], words: Sequence[str], corners: NDArray[np.float64]) -> None:
    """Write lines of words in the middle of a mat, the first one large; within the picture, where that can be."""
    height, width = veiled.shape[:2]
    sizes = [width / (LETTERS if place else LARGE) for place in range(len(words))]
    boxes = [cv2.getTextSize(line, FONT, size, 1)[0] for line, size in zip(words, sizes, strict=True)]
    middle, top = corners.mean(axis=0)[:2]
    down = min(max(float(top) - sum(high for _, high in boxes) * 0.8, 0.0), 0.9 * height)
    for line, size, (wide, high) in zip(words, sizes, boxes, strict=True):
        down += 1.6 * high
        left = min(max(float(middle) - wide / 2, 4.0), max(width - wide - 4.0, 4.0))
        cv2.putText(
            veiled, line, (round(left), round(down)), FONT, size, OUTLINE, max(round(1.6 * size), 1), cv2.LINE_AA
        )


def plainly(name: str) -> str:
    """Give a name in the few letters that OpenCV writes: without accents; "" where none is left."""
    return unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().strip()


def rack_picture(frame: Frame, pose: Pose, table: Table) -> bytes:
    """A rack as its player sees it, slot 5 in front, as JPEG. Raises PictureError where the picture is broken."""
    rack, card = table.rack, table.card
    left, front = rack.at
    right = left + rack.margin + card.width + 4.0
    top = rack.floor + card.height
    back = front + rack.depth + 12.0
    quad = np.array([[left - 4, back, top], [right, back, top], [right, front - 6, top], [left - 4, front - 6, top]])
    height = int(RACK_WIDTH * (back - front) / (right - left))
    return _jpeg(rectify(frame.colour, pose.project(quad), (RACK_WIDTH, height)))


def rack_pictures(eyes: Mapping[str, Eye], frames: Mapping[str, Frame], table: Table) -> dict[int, bytes]:
    """Every rack that the cameras see, by seat."""
    found: dict[int, bytes] = {}
    for name, eye in eyes.items():
        frame = frames.get(name)
        if frame is None:
            continue
        for number, pose in eye.poses.items():
            if number != TRAY and number not in found:
                found[number] = rack_picture(frame, pose, table)
    return found


def _narrowed(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    height, width = picture.shape[:2]
    if width <= WIDEST:
        return picture
    size = (WIDEST, round(height * WIDEST / width))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _jpeg(picture: NDArray[np.uint8]) -> bytes:
    return bytes(cv2.imencode(".jpg", picture, JPEG)[1].tobytes())
