"""What stands in a rack's slots besides a readable number: a card turned round, nothing, or what cannot be told."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.table import SLOTS
from vision.fit import EDGE, SIDES, RackFit, RackView, without
from vision.frame import Frame
from vision.ink import RIM as NUMBERS_RIM
from vision.ink import find_ink
from vision.numbers import Band, Ink
from vision.picture import grey_of
from vision.planes import ACROSS, ASIDE, SCALE, flatten
from vision.strips import COLUMN, SIDE_REACH, Strip, side_steps

WHOLE = 5.5
"""Digits of this height in mm are whole even where a nearer card begins right below (TABLE.md: 5.5..8)."""
DEEP_ENOUGH = 6.5
"""A card that shows fewer mm below its edge may be hiding its number (TABLE.md: 2..3 of gap, 5.5..8 of digits)."""
BACK_SIDES = 3.2
"""Both sides of a back stand out at least this much: nothing else vouches for it."""
OUTSTANDING = 15.0
"""A back differs from what is beside it by so many grey levels."""
BACK_EDGE = 0.6
"""So does its top edge (strength 0..1): a weaker one may be the logo of a card that is seen through an empty slot."""
AT_RIM = 0.3
"""Ink so near, in mm, to where numbers begin to be sought is cut off by that rim."""
EVEN = 45.0
"""A back has no ink in its strip: nine tenths of it are within so many grey levels of their row."""
BACK_COLOUR, BACK_APART = 0.2, 3.0
"""A back differs from all faces of its rack by this in colour (logarithms of blue and red by green), and by so many
times what one face differs from the next."""
GREEN = -0.08
"""A green card may be a Prime card (TABLE.md, Cards) whose number is not seen: its colour makes it no back."""
DARKEST = 6.0
"""Added to grey levels, so that dark pictures' noise makes no colour."""
RIM = 5.0
LOGO_PARTS = (0.3, 0.42, 0.54, 0.66)
"""A logo is seen in all three parts of its card's width between these: no number is so wide."""
LOGO_INK, LOGO_SHARE, LOGO_CLEAR = 14.0, 0.12, 1.5
"""It differs from its card by so many grey levels in this share of each part, over so many mm of rows."""
FAINTER = 0.4
"""Ink of less than this share of the other numbers' contrast is no number."""
LOGO_UPPER = (0.5, 10.0)
"""A logo begins so many mm above its card's middle (TABLE.md: a large logo in the middle)."""
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


def back_weight(frame: Frame, view: RackView, slot: int, read: Sequence[int]) -> float:
    """Judge (0..1) whether a slot's card without a number is turned round; `read` are the slots whose cards were read.

    The number must be in view if there were one, and the colour must not be a face's: a number that glare or shade
    hides is no back.
    """
    strip = view.strips[slot]
    if strip is None or strip.edge < BACK_EDGE or strip.sides < BACK_SIDES or not read:
        return 0.0
    interior = strip.shown[round((ASIDE + 5) * SCALE) : -round((ASIDE + 5) * SCALE)]
    if float(np.percentile(interior, 10)) < DEEP_ENOUGH:
        return 0.0
    own, *faces = view.in_colour(frame, [slot, *read])
    if not _is_even(own) or not _stands_out(own) or not _in_picture(_face(own)):
        return 0.0
    colour, others = _colour(own), np.array([_colour(face) for face in faces])
    distances = np.linalg.norm(others - colour, axis=1)
    alike = [np.sort(np.linalg.norm(others - other, axis=1))[1] for other in others] if len(others) > 1 else [0.0]
    differs = float(distances.min()) >= max(BACK_COLOUR, BACK_APART * float(np.median(alike)))
    return 0.97 if differs and float(colour.max()) > GREEN else 0.4


def _face(rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Give the card itself of rows in colour, its rims left out."""
    return rows[:, round((ASIDE + 5) * SCALE) : -round((ASIDE + 5) * SCALE)]


def _is_even(rows: NDArray[np.uint8]) -> bool:
    """Tell whether a face has one colour along its rows: a finger before it has another."""
    face = _face(rows).astype(np.float64)
    away = np.linalg.norm(face - np.median(face, axis=1, keepdims=True), axis=2)
    return float((away < EVEN).mean()) >= 0.9


def _stands_out(rows: NDArray[np.uint8]) -> bool:
    """Tell whether the card differs from what is to its left and right: the mat's own edge does not."""
    inside = np.median(_face(rows).reshape(-1, 3), axis=0)
    beside = (
        rows[:, round((ASIDE - 5) * SCALE) : round((ASIDE - 1.5) * SCALE)],
        rows[:, round((1.5 - ASIDE) * SCALE) :],
    )
    return all(float(np.linalg.norm(np.median(side.reshape(-1, 3), axis=0) - inside)) >= OUTSTANDING for side in beside)


def _colour(rows: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Give a card's visible face as the logarithms of blue and red by green, its ink left aside by the median.

    Light and shade change them little.
    """
    blue, green, red = np.median(_face(rows)[::2, ::4].reshape(-1, 3), axis=0) + DARKEST
    return np.asarray(np.log([blue / green, red / green]))


def empty_weight(frame: Frame, view: RackView, slot: int, contrast: float = 0.0) -> float:
    """Judge (0..1) whether a slot without a number is truly empty: what is behind must be seen through it.

    `contrast` is that of the faintest number read in the rack, in grey levels: what is much fainter is no number.
    A hand before the slot hides the side edges of the card behind, or differs from the table beside; then it is 0.
    """
    own = view.strips[slot]
    faint = max(view.fit.faint[slot], own.edge if own is not None else 0.0)
    if own is not None:
        view = without(view, [slot], frame)
    behind = next((other for other in range(slot + 1, SLOTS) if view.strips[other] is not None), None)
    if behind is None:
        return _table_goes_on(view, slot) if faint < EDGE else 0.0
    fit = view.fit
    strip, face = view.strips[behind], fit.faces[behind]
    if strip is None or face is None or not is_card(strip):
        return 0.0
    # the depth, on the card behind, at which a card in this slot would begin to hide it, as far as others leave it free
    rack, card = fit.table.rack, fit.table.card
    begin = _depth_behind(fit, slot, behind) + 2.0
    end = min(float(np.percentile(strip.shown, 20)) - 0.8, card.height - (rack.height - rack.floor) - 3.0)
    if end - begin < 2.0:
        return 0.0
    reach = round(SIDE_REACH * SCALE)
    corner = face.points(np.array([strip.slide - ASIDE - SIDE_REACH, card.height - begin]))
    size = strip.grey.shape[1] + 2 * reach, round((end - begin) * SCALE)
    wide = flatten(frame.colour, fit.pose, corner, face.along, -face.up, size)
    rows = wide[:, reach:-reach]
    if not _in_picture(rows):
        return 0.0
    if not all(_goes_straight_on(side) for side in side_steps(wide, card.width)):
        return 0.0
    # the logo of the card behind, at its own height: seen through an empty slot, and no number of a card in it
    logo = _logo_from(rows, begin, card.height / 2)
    free = (logo - LOGO_CLEAR if logo is not None else end) - begin
    if free >= 2.0 and _has_number(rows[: round(free * SCALE)], card.width, FAINTER * contrast):
        return 0.0
    if logo is not None:
        return 0.97
    return 0.96 if faint < FAINT else 0.8 if faint < EDGE else 0.0


def _has_number(rows: NDArray[np.uint8], width: float, least: float) -> bool:
    """Tell whether there may be a number of the least contrast or more in rows of a card."""
    depth = len(rows) / SCALE
    anywhere = Band(0.0, (0.0, depth), depth + 1.0)
    (inks,) = find_ink([(grey_of(rows), np.full(rows.shape[1], depth))], (ASIDE * SCALE, 0.0), width, anywhere)
    return any(abs(ink.contrast) >= least for ink in inks)


def _logo_from(rows: NDArray[np.uint8], begin: float, middle: float) -> float | None:
    """Give how many mm below its card's edge a logo begins in rows of a card that start at `begin`; None for none.

    A logo is wider than any number, and begins above the card's middle: not that of a nearer card, which is lower.
    """
    card = rows[:, round(ASIDE * SCALE) : -round(ASIDE * SCALE)].astype(np.float64)
    away = np.linalg.norm(card - np.median(card, axis=1, keepdims=True), axis=2)
    bounds = np.round(card.shape[1] * np.array(LOGO_PARTS)).astype(int)
    noise = np.median(away[:, round(RIM * SCALE) : bounds[0]], axis=1, keepdims=True)
    inked = (away > np.maximum(LOGO_INK, 4 * noise)).astype(np.float64)
    parts = np.add.reduceat(inked[:, : bounds[-1]], bounds[:-1], axis=1) / np.diff(bounds)
    clear = round(LOGO_CLEAR * SCALE)
    if len(parts) <= clear:
        return None
    wide = np.stack([np.convolve(part, np.ones(clear) / clear, "valid") for part in parts.T]).min(axis=0) >= LOGO_SHARE
    start = int(np.argmax(wide))
    upper = begin + start / SCALE
    seen = wide.any() and start >= clear and middle - LOGO_UPPER[1] <= upper <= middle - LOGO_UPPER[0]
    return upper if seen else None


def _in_picture(rectified: NDArray[np.uint8]) -> bool:
    """Tell whether what was rectified lies in the picture: beyond its border all is exactly black."""
    return float((rectified.max(axis=2) == 0).mean()) < 0.02


def _goes_straight_on(side: NDArray[np.float64]) -> bool:
    """Tell whether the strongest step near a side is that side itself; another card's side would lie elsewhere."""
    middle, reach = len(side) // 2, round(AROUND / COLUMN)
    around = side[middle - reach : middle + reach + 1]
    strongest = int(np.argmax(around))
    return bool(abs(strongest - reach) <= SAME_SIDES / COLUMN and around[strongest] >= SEEN_THROUGH)


def _depth_behind(fit: RackFit, slot: int, behind: int) -> float:
    """Give how many mm of the card behind a usual card in this slot would leave in view."""
    face, table = fit.faces[behind], fit.table
    if face is None:
        return 0.0
    # a usual card stands to the one behind as their slots do
    camera = fit.pose.camera()
    edge = face.points(np.array([[table.card.width / 2, table.card.height]]))[0]
    edge = edge - np.array([0.0, (behind - slot) * table.rack.pitch, 0.0])
    normal = np.cross(face.along, face.up)
    ray = edge - camera
    met = camera + ray * ((face.corner - camera) @ normal) / (ray @ normal) - face.corner
    return float(table.card.height - met @ face.up)


def _table_goes_on(view: RackView, slot: int) -> float:
    """Judge a last slot: where its card would be, the picture is as it is beside, at the right of the rack's cards."""
    low = round(view.fit.rows[slot] + 2 * SCALE)
    nearer = next((line for line in reversed(view.lines[:slot]) if line is not None), None)
    high = round(min(view.fit.rows[slot] + 9 * SCALE, (nearer.at - 2 * SCALE) if nearer is not None else np.inf))
    if high - low < 2 * SCALE or low < 0:
        return 0.0
    if not _in_picture(view.top[low:high]):
        return 0.0
    rows = view.top[low:high].astype(np.float64)
    inside = rows[:, round((ASIDE + 6) * ACROSS) : -round((ASIDE + 6) * ACROSS)]
    beside = np.median(rows[:, -round(4 * ACROSS) :], axis=1, keepdims=True)
    alike = float((np.linalg.norm(inside - beside, axis=2) < 2 * ALIKE).mean())
    return 0.0 if alike <= 0.9 else 0.95 if view.fit.faint[slot] < FAINT else 0.8


def trust_in(strip: Strip, ink: Ink, width: float) -> float:
    """Say (0..1) how far a number may be taken for that of the strip's slot, on a card `width` mm wide.

    Ink at the very rim of where numbers are sought may be a printed border, or a label of the rack beside the card.
    """
    trust = strip.belongs
    if not is_card(strip):
        trust *= 0.99
    if ink.cut and ink.height < WHOLE:
        trust *= 0.98
    if ink.left <= NUMBERS_RIM + AT_RIM or ink.right >= width - NUMBERS_RIM - AT_RIM:
        trust *= 0.9
    return trust
