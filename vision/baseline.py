"""The naive way to read a table, as a baseline: one plain Tesseract call for each card's whole strip."""

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.eye import Eye
from vision.frame import Frame
from vision.look import PILE
from vision.rack.fit import RackView
from vision.rack.planes import ASIDE
from vision.rack.strips import BELOW, Strip
from vision.reading.tesseract import read_strip
from vision.rectify import SCALE
from vision.tray.wells import MARGIN, rectified_face

FINE = 4.0
"""Pixels a mm of what Tesseract is given: it reads finer pictures better than the reader's own."""


def bare_strips(picture: NDArray[np.uint8], eye: Eye) -> dict[tuple[int, int], NDArray[np.uint8]]:
    """Cut the strips of all cards that an eye has just found in a BGR picture: the card and nothing else.

    They go by place, (seat, slot 0..9) or PILE.
    """
    frame = Frame(picture)
    strips = {
        (rack.seat, slot): _card_alone(frame, rack.view, slot, strip)
        for rack in eye.racks
        for slot, strip in enumerate(rack.view.strips)
        if strip is not None
    }
    tray = eye.tray
    if tray is not None and tray.discard.wide is not None:
        rim, low = round(MARGIN * SCALE), round((MARGIN + BELOW) * SCALE)
        face = rectified_face(picture, tray.discard, eye.table.card)[rim:low, rim:-rim]
        finer = cv2.resize(face, None, fx=FINE / SCALE, fy=FINE / SCALE, interpolation=cv2.INTER_CUBIC)
        strips[PILE] = np.asarray(finer, np.uint8)
    return strips


def _card_alone(frame: Frame, view: RackView, slot: int, strip: Strip) -> NDArray[np.uint8]:
    sides = round(ASIDE * FINE)
    shown = min(float(np.percentile(strip.shown, 20)), BELOW)
    (rows,) = view.in_colour(frame, [slot], (0.0, max(shown, 2.0)), FINE)
    return rows[:, sides:-sides]


def plainly_read(strips: Mapping[tuple[int, int], NDArray[np.uint8]]) -> dict[tuple[int, int], int | None]:
    """Read strips in BGR with one Tesseract call each: a number 1..60, or None."""
    return {place: read_strip(np.ascontiguousarray(strip[:, :, ::-1])) for place, strip in strips.items()}
