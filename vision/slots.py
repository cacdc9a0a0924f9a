"""What stands in a rack's slots besides a readable number: a card turned round, nothing, or what cannot be told."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import SLOTS, Table
from vision.numbers import Band, Ink, find_ink
from vision.picture import grey_of
from vision.planes import ASIDE, SCALE, rectify
from vision.pose import Pose
from vision.strips import ABOVE, SIDES, RackView, Strip, side_steps

EDGE = 0.45
"""A top edge of less strength (0..1) is not believed without a number."""
WHOLE = 5.5
"""Digits of this height in mm are whole even where a nearer card begins right below (TABLE.md: 5.5..8)."""
DEEP_ENOUGH = 6.5
"""A card that shows fewer mm below its edge may be hiding its number (TABLE.md: 2..3 of gap, 5.5..8 of digits)."""
BACK_SIDES = 3.2
"""Both sides of a back stand out at least this much: nothing else vouches for it."""
OUTSTANDING = 15.0
"""A back differs from what is beside it by so many grey levels."""
EVEN = 45.0
"""A back has no ink in its strip: nine tenths of it are within so many grey levels of their row."""
BACK_COLOUR = 14.0
"""A back differs from the faces of its rack by this in colour (distance in the a, b plane of CIE Lab)."""
SEEN_THROUGH = 0.9
"""A side edge goes on behind an empty slot where it stands out this much (logarithm of 1 + contrast)."""
FAINT = 0.295
"""A slot in which so strong an edge may still hide (0..1) is not surely empty."""
AROUND = 3.5
SAME_SIDES = 0.75
"""What is seen through an empty slot has its sides where the card behind has them: the strongest step within the first
(mm) lies within the second. Another card has slid otherwise."""
ALIKE = 22.0
"""Behind an empty last slot the table goes on: its colour there and beside it differ by less (grey levels)."""


def is_card(strip: Strip) -> bool:
    """Tell whether what was cut really has a card's edges."""
    return strip.edge >= EDGE and strip.sides >= SIDES


def back_weight(strip: Strip, faces: Sequence[Strip]) -> float:
    """Judge (0..1) whether a card without a number is turned round; `faces` are the rack's cards that were read.

    The number must be in view if there were one, and the colour must not be a face's: a number that glare or shade
    hides is no back.
    """
    interior = strip.shown[round((ASIDE + 5) * SCALE) : -round((ASIDE + 5) * SCALE)]
    if not is_card(strip) or strip.sides < BACK_SIDES or not faces:
        return 0.0
    if float(np.percentile(interior, 10)) < DEEP_ENOUGH or not _is_even(strip):
        return 0.0
    if not _stands_out(strip) or not _in_picture(_face(strip)):
        return 0.0
    colour = _colour(strip)
    distance = min(float(np.linalg.norm(_colour(face) - colour)) for face in faces)
    return 0.97 if distance >= BACK_COLOUR else 0.4


def _face(strip: Strip) -> NDArray[np.uint8]:
    """Give the part of a strip that a card always shows, its rims left out."""
    rows = slice(round((ABOVE + 1.5) * SCALE), round((ABOVE + 5.5) * SCALE))
    return strip.image[rows, round((ASIDE + 5) * SCALE) : -round((ASIDE + 5) * SCALE)]


def _is_even(strip: Strip) -> bool:
    """Tell whether a face has one colour along its rows: a finger before it has another."""
    face = _face(strip).astype(np.float64)
    away = np.linalg.norm(face - np.median(face, axis=1, keepdims=True), axis=2)
    return float((away < EVEN).mean()) >= 0.9


def _stands_out(strip: Strip) -> bool:
    """Tell whether the card differs from what is to its left and right: the mat's own edge does not."""
    rows = strip.image[round((ABOVE + 1.5) * SCALE) : round((ABOVE + 5.5) * SCALE)]
    inside = np.median(_face(strip).reshape(-1, 3), axis=0)
    beside = (
        rows[:, round((ASIDE - 5) * SCALE) : round((ASIDE - 1.5) * SCALE)],
        rows[:, round((1.5 - ASIDE) * SCALE) :],
    )
    return all(float(np.linalg.norm(np.median(side.reshape(-1, 3), axis=0) - inside)) >= OUTSTANDING for side in beside)


def _colour(strip: Strip) -> NDArray[np.float64]:
    """Give the (a, b) of CIE Lab of a card's visible face, its ink left aside by the median."""
    lab = cv2.cvtColor(np.ascontiguousarray(_face(strip)[::2, ::4]), cv2.COLOR_BGR2LAB)
    return np.asarray(np.median(lab.reshape(-1, 3)[:, 1:], axis=0), dtype=np.float64)


def empty_weight(picture: NDArray[np.uint8], pose: Pose, table: Table, view: RackView, slot: int) -> float:
    """Judge (0..1) whether a slot without a card's edge is truly empty: what is behind must be seen through it.

    A hand before the slot hides the side edges of the card behind, or differs from the table beside; then it is 0.
    """
    behind = next((other for other in range(slot + 1, SLOTS) if view.strips[other] is not None), None)
    if behind is None:
        return _table_goes_on(view, slot)
    strip, face = view.strips[behind], view.faces[behind]
    if strip is None or face is None or not is_card(strip):
        return 0.0
    # the depth, on the card behind, at which a card in this slot would begin to hide it, as far as others leave it free
    rack, card = table.rack, table.card
    begin = _depth_behind(pose, view, table, slot, behind) + 2.0
    end = min(float(np.percentile(strip.shown, 20)) - 0.8, card.height - (rack.height - rack.floor) - 3.0)
    if end - begin < 2.0:
        return 0.0
    left, right = strip.slide - ASIDE, strip.slide + card.width + ASIDE
    top, bottom = card.height - begin, card.height - end
    quad = pose.project(face.points(np.array([[left, top], [right, top], [right, bottom], [left, bottom]])))
    rows = rectify(picture, quad, (round((card.width + 2 * ASIDE) * SCALE), round((end - begin) * SCALE)))
    if not _in_picture(rows):
        return 0.0
    grey = grey_of(rows)
    depth = end - begin
    anywhere = Band(0.0, (0.0, depth), depth + 1.0)
    if find_ink(grey, (ASIDE * SCALE, 0.0), np.full(rows.shape[1], depth), card.width, anywhere):
        return 0.0
    if not all(_goes_straight_on(side) for side in side_steps(rows, card.width)):
        return 0.0
    return 0.96 if view.faint[slot] < FAINT else 0.8


def _in_picture(rectified: NDArray[np.uint8]) -> bool:
    """Tell whether what was rectified lies in the picture: beyond its border all is exactly black."""
    return float((rectified.max(axis=2) == 0).mean()) < 0.02


def _goes_straight_on(side: NDArray[np.float64]) -> bool:
    """Tell whether the strongest step near a side is that side itself; another card's side would lie elsewhere."""
    middle, reach = len(side) // 2, round(AROUND * SCALE)
    around = side[middle - reach : middle + reach + 1]
    strongest = int(np.argmax(around))
    return bool(abs(strongest - reach) <= SAME_SIDES * SCALE and around[strongest] >= SEEN_THROUGH)


def _depth_behind(pose: Pose, view: RackView, table: Table, slot: int, behind: int) -> float:
    """Give how many mm of the card behind a usual card in this slot would leave in view."""
    face = view.faces[behind]
    line = view.lines[behind]
    if face is None or line is None:
        return 0.0
    # a usual card stands to the one behind as their slots do
    camera = pose.camera()
    edge = face.points(np.array([[table.card.width / 2, table.card.height]]))[0]
    edge = edge - np.array([0.0, (behind - slot) * table.rack.pitch, 0.0])
    normal = np.cross(face.along, face.up)
    ray = edge - camera
    met = camera + ray * ((face.corner - camera) @ normal) / (ray @ normal) - face.corner
    return float(table.card.height - met @ face.up)


def _table_goes_on(view: RackView, slot: int) -> float:
    """Judge a last slot: where its card would be, the picture is as it is beside, at the right of the rack's cards."""
    low = round(view.rows[slot] + 2 * SCALE)
    nearer = next((line for line in reversed(view.lines[:slot]) if line is not None), None)
    high = round(min(view.rows[slot] + 9 * SCALE, (nearer.at - 2 * SCALE) if nearer is not None else np.inf))
    if high - low < 2 * SCALE or low < 0:
        return 0.0
    if not _in_picture(view.top[low:high]):
        return 0.0
    rows = view.top[low:high].astype(np.float64)
    inside = rows[:, round((ASIDE + 6) * SCALE) : -round((ASIDE + 6) * SCALE)]
    beside = np.median(rows[:, -round(4 * SCALE) :], axis=1, keepdims=True)
    return 0.9 if float((np.linalg.norm(inside - beside, axis=2) < 2 * ALIKE).mean()) > 0.9 else 0.0


def trust_in(strip: Strip, ink: Ink) -> float:
    """Say (0..1) how far a number may be taken for that of the strip's slot."""
    return strip.belongs * (1.0 if is_card(strip) else 0.95) * (0.9 if ink.cut and ink.height < WHOLE else 1.0)
