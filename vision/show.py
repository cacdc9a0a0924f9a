"""Draws over a picture what was seen in it: mats, cards, numbers and doubts."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.eye import Eye
from vision.found import RackFound
from vision.fuse import sure
from vision.look import Look, Reading

GREEN: Final = (60, 200, 60)
ORANGE: Final = (0, 150, 255)
GREY: Final = (190, 190, 190)
RED: Final = (60, 60, 255)
INK: Final = (20, 20, 20)
"""Colours in BGR: surely read; not sure; nothing there, or a card's back; cannot tell; the outline of letters."""

RING: Final = ((-1, 0), (1, 0), (0, -1), (0, 1))
"""Letters are drawn dark around themselves first, to be read on any ground."""

MAYBE: Final = 0.05
"""A card less likely than this is not written beside a doubt."""

Colour = tuple[int, int, int]


def draw_over(picture: NDArray[np.uint8], eye: Eye, look: Look) -> NDArray[np.uint8]:
    """Give a BGR picture, (height, width, 3), with all drawn over it that an eye has just seen there."""
    drawn = picture.copy()
    size = max(drawn.shape[1] / 1600, 0.6)
    for number, mat in eye.mats.items():
        for place, corners in enumerate(mat.markers.values()):
            whole = corners[np.isfinite(corners).all(axis=1)]
            _outline(drawn, whole, GREEN, size)
            if len(whole) and not place:
                _write(drawn, f"seat {number}" if number else "tray", whole.min(axis=0), GREEN, 0.8 * size)
    for rack in eye.racks:
        _draw_rack(drawn, rack, look.racks.get(rack.seat, ()), size)
    tray, seen = eye.tray, look.tray
    if tray is not None and seen is not None:
        for well, words, colour in (
            (tray.discard, *told(seen.discard)),
            (tray.draw, seen.draw or "?", GREY if seen.draw else RED),
        ):
            if well.quad is not None:
                _outline(drawn, well.quad, colour, size)
                _write(drawn, words, well.quad.mean(axis=0), colour, 1.4 * size)
    for row, remark in enumerate(look.remarks):
        _write(drawn, remark, np.array([10, 24 * (row + 1) * size]), RED, 0.8 * size)
    return drawn


def _draw_rack(drawn: NDArray[np.uint8], rack: RackFound, readings: Sequence[Reading], size: float) -> None:
    """Draw the cards from the farthest to the nearest, each with its slot and what was read, left of it."""
    for strip, reading in reversed(list(zip(rack.view.strips, readings, strict=False))):
        if strip is None:
            continue
        words, colour = told(reading)
        left, right = strip.quad[3], strip.quad[2]
        low = 0.25
        upper = np.array([strip.quad[0] * (1 - low) + left * low, strip.quad[0], strip.quad[1]])
        _outline(drawn, np.vstack([upper, strip.quad[1] * (1 - low) + right * low]), colour, size, closed=False)
        _write(drawn, words, strip.quad[1] + np.array([8 * size, 6 * size]), colour, size)
    for slot, (strip, reading) in enumerate(zip(rack.view.strips, readings, strict=False)):
        if strip is None:
            face = rack.view.fit.expected(slot)
            corner = rack.pose.project(face.points(np.array([[0.0, rack.view.fit.table.card.height]])))[0]
            words, colour = told(reading)
            _write(drawn, f"{5 * slot + 5}: {words}", corner, colour, 0.8 * size)


def told(reading: Reading) -> tuple[str, Colour]:
    """Say a reading in a few letters, and in which colour."""
    said = sure(reading)
    if said is not None:
        return (str(said[1]), GREEN) if said[1] is not None else (said[0], GREY)
    maybe = [str(one) for one, likely in sorted(reading.cards.items(), key=lambda item: -item[1]) if likely >= MAYBE]
    return (" or ".join(maybe[:3]) + "?", ORANGE) if maybe else ("?", RED)


def _outline(
    drawn: NDArray[np.uint8], points: NDArray[np.float64], colour: Colour, size: float, *, closed: bool = True
) -> None:
    corners, width = [np.round(points).astype(np.int32)], max(round(2 * size), 1)
    cv2.polylines(drawn, corners, isClosed=closed, color=colour, thickness=width, lineType=cv2.LINE_AA)


def _write(drawn: NDArray[np.uint8], words: str, at: NDArray[np.float64], colour: Colour, size: float) -> None:
    x, y, width = round(float(at[0])), round(float(at[1])), max(round(1.5 * size), 1)
    for right, down in (*RING, (0, 0)):
        ink = colour if (right, down) == (0, 0) else INK
        place = (x + right * width, y + down * width)
        cv2.putText(drawn, words, place, cv2.FONT_HERSHEY_SIMPLEX, 0.7 * size, ink, width, cv2.LINE_AA)
