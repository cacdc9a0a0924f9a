"""Finds what is to be read: the possible numbers in a rack's strips, in one slot's, and on the discard pile."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from vision.fit import RackView, view_rack, with_faint, without
from vision.found import Found, RackFound
from vision.numbers import RACK_BAND, TRAY_BAND, Ink, common_height, cut_number, find_ink
from vision.picture import grey_of
from vision.planes import ASIDE, SCALE, flatten
from vision.pose import Pose
from vision.slots import is_card
from vision.strips import ABOVE, Strip
from vision.tray import MARGIN, Well, look_into, rectified_face

STRIP_ORIGIN = (ASIDE * SCALE, ABOVE * SCALE)
AS_STRONG = 0.5
"""Below a faint edge, ink of less than this share of the other numbers' contrast makes no card."""
FACE_ORIGIN = (MARGIN * SCALE, MARGIN * SCALE)
SIDES: Final[tuple[Literal["left", "right"], ...]] = ("left", "right")
"""The wells, in the order in which they are kept."""


def find_in_rack(picture: NDArray[np.uint8], seat: int, pose: Pose, table: Table) -> RackFound:
    """Cut a rack's strips and find where their numbers may stand."""
    view = view_rack(picture, pose, table)
    inks = _inks(view, table)
    ghosts = [
        slot
        for slot, (strip, found) in enumerate(zip(view.strips, inks, strict=True))
        if strip is not None and not found and not is_card(strip)
    ]
    if ghosts:
        view = without(view, ghosts, picture)
        inks = _inks(view, table)
    usual = float(np.median([abs(found[0].contrast) for found in inks if found] or [0.0]))
    for slot in [slot for slot, strip in enumerate(view.strips) if strip is None]:
        faint = with_faint(view, slot, picture)
        again = _inks(faint, table) if faint is not None else inks
        if faint is not None and again[slot] and abs(again[slot][0].contrast) >= AS_STRONG * usual:
            view, inks = faint, again
    height = common_height([ink[0] for ink in inks if ink])
    slots = tuple(
        tuple(Found(ink, cut_number(strip.grey(), STRIP_ORIGIN, ink, height)) for ink in found) if strip else ()
        for strip, found in zip(view.strips, inks, strict=True)
    )
    return RackFound(seat, pose, view, slots, height)


def find_in_slot(strip: Strip | None, height: float, table: Table) -> tuple[Found, ...] | None:
    """Find where the number of one card may stand, in figures `height` mm high; None where the strip is no card's."""
    if strip is None:
        return ()
    grey = strip.grey()
    inks = find_ink(grey, STRIP_ORIGIN, strip.shown, table.card.width, RACK_BAND)
    if not inks and not is_card(strip):
        return None
    return tuple(Found(ink, cut_number(grey, STRIP_ORIGIN, ink, height)) for ink in inks)


def _inks(view: RackView, table: Table) -> list[tuple[Ink, ...]]:
    return [
        find_ink(strip.grey(), STRIP_ORIGIN, strip.shown, table.card.width, RACK_BAND) if strip else ()
        for strip in view.strips
    ]


def cut_again(picture: NDArray[np.uint8], view: RackView, slot: int, inks: Sequence[Ink], height: float) -> list[Found]:
    """Cut the numbers of a slot (0..9) where they were found before out of a new picture, BGR or grey."""
    strip, face, fit = view.strips[slot], view.fit.faces[slot], view.fit
    if strip is None or face is None:
        return []
    corner = face.points(np.array([strip.slide - ASIDE, fit.table.card.height + ABOVE]))
    rows, columns = strip.image.shape[:2]
    grey = grey_of(flatten(picture, fit.pose, corner, face.along, -face.up, (columns, rows)))
    return [Found(ink, cut_number(grey, STRIP_ORIGIN, ink, height)) for ink in inks]


def wells_in(
    picture: NDArray[np.uint8], pose: Pose, table: Table, before: tuple[Well, Well] | None, changed: Sequence[bool]
) -> tuple[Well, Well]:
    """Look into the left and the right well of the tray; one that has not changed is as it was before."""
    left, right = (
        before[at] if before is not None and not changed[at] else look_into(picture, pose, table, side)
        for at, side in enumerate(SIDES)
    )
    return left, right


def find_on_pile(picture: NDArray[np.uint8], discard: Well, table: Table) -> tuple[Found, ...]:
    """Find where the discard pile's number may stand.

    It is along the far edge of the card or, upside down, along the near one: a card lies at 0 or 180 degrees.
    """
    numbers: list[Found] = []
    if discard.wide is not None:
        for turned, view in enumerate(_both_ways(picture, discard, table)):
            shown = np.full(view.shape[1], table.card.height)
            inks = find_ink(view, FACE_ORIGIN, shown, table.card.width, TRAY_BAND)[:2]
            crops = [cut_number(view, FACE_ORIGIN, ink, common_height([ink])) for ink in inks]
            numbers += [Found(ink, crop, bool(turned)) for ink, crop in zip(inks, crops, strict=True)]
    return tuple(numbers)


def cut_pile_again(
    picture: NDArray[np.uint8], discard: Well, table: Table, before: Sequence[Found]
) -> tuple[Found, ...]:
    """Cut the discard pile's numbers where they were found before out of a new picture, BGR or grey."""
    views = _both_ways(picture, discard, table)
    return tuple(
        replace(item, crop=cut_number(views[item.turned], FACE_ORIGIN, item.ink, common_height([item.ink])))
        for item in before
    )


def _both_ways(picture: NDArray[np.uint8], discard: Well, table: Table) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The topmost card as it lies, and turned round, in grey levels."""
    grey = grey_of(rectified_face(picture, discard, table.card))
    return grey, np.ascontiguousarray(grey[::-1, ::-1])
