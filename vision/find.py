"""Finds what is to be read: the possible numbers in a rack's strips, in one slot's, and on the discard pile."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import median

import numpy as np
from numpy.typing import NDArray

from calibration.table import Side, Table, Tray
from vision.found import Found, RackFound, TrayFound
from vision.frame import Frame
from vision.pose import Pose
from vision.rack.fit import (
    RackView,
    Rival,
    behind_again,
    refit,
    with_another,
    with_edge_moved,
    with_faint,
    with_rival,
    with_supposed,
    without,
)
from vision.rack.placed import view_rack
from vision.rack.planes import ASIDE
from vision.rack.slots import is_card
from vision.rack.strips import ABOVE, Strip, strips_again
from vision.reading.ink import find_ink
from vision.reading.numbers import RACK_BAND, TRAY_BAND, Band, Ink, common_height, cut_number
from vision.rectify import SCALE
from vision.tray.wells import MARGIN, SIDES, Well, grey_face, look_into

STRIP_ORIGIN = (ASIDE * SCALE, ABOVE * SCALE)
AS_STRONG = 0.5
"""Below a faint edge, ink of less than this share of the other numbers' contrast makes no card."""
SUPPOSED_BAND = Band(-ABOVE, (-2.7, 8.2), RACK_BAND.deepest)
"""Where the number of a card is searched whose edge is not seen: cards lean by some mm more or less than others."""
ENOUGH = 3
"""So many numbers of other cards tell how far below its edge a number is."""
BELOW = 4.0
"""Ink that begins so many mm lower on a card than its rack's numbers do is not its number."""
LEANT, FRONT_LEANT = (0.0, 5.0, -4.0), (0.0, 5.0, 10.0, 15.0, -4.0)
"""So many mm nearer than the other cards' lean has it an edge is supposed that is not seen; before the first slot's
there is no card that it may be taken for, nor one that holds it."""
APART = 3.0
"""Numbers whose middles are so near in the picture, in mm of a card, are one."""
FACE_ORIGIN = (MARGIN * SCALE, MARGIN * SCALE)


def find_in_rack(  # noqa: PLR0913 - what a rack is found by, and two things that may be known of it
    frame: Frame, seat: int, pose: Pose, table: Table, *, aside: bool = True, free: int = 0
) -> RackFound:
    """Cut a rack's strips and find where their numbers may stand; if asked, where it may be pushed far `aside`, too.

    So many slots are known to be `free`, from the front on.
    """
    return _found(frame, seat, view_rack(frame, pose, table, aside=aside, free=free))


def find_rival(rack: RackFound, rival: Rival, frame: Frame) -> RackFound:
    """Find the numbers in a rack that may stand otherwise, a slot off."""
    return _found(frame, rack.seat, with_rival(rack.view, rival, frame))


def find_at_home(rack: RackFound, slot: int, home: int, frame: Frame) -> RackFound:
    """Give a rack with the card of a slot (0..9) in the slot beside, its home, which has no edge."""
    view = with_edge_moved(rack.view, slot, home, frame)
    return _with_slot(rack.with_numbers(slot, ()), home, view, _ink_in(view, home))


def _found(frame: Frame, seat: int, view: RackView) -> RackFound:
    inks = _inks(view, {})
    ghosts = [
        slot for slot, strip in enumerate(view.strips) if strip is not None and not inks[strip] and not is_card(strip)
    ]
    if ghosts:
        view = without(view, ghosts, frame)
        inks = _inks(view, inks)
    usual = median([abs(found[0].contrast) for found in inks.values() if found] or [0.0])
    for slot in range(view.footing.free, len(view.strips)):
        strip = view.strips[slot]
        other = _otherwise(view, slot, inks, usual, frame) if strip is None or not inks[strip] else None
        if other is not None:
            view = behind_again(other, [slot], frame)
            inks = _inks(view, inks)
    height = common_height([ink[0] for ink in inks.values() if ink])
    slots = tuple(_numbers(strip, inks[strip], height) if strip else () for strip in view.strips)
    return RackFound(seat, view.fit.pose, view, slots, height)


def _otherwise(
    view: RackView, slot: int, inks: Mapping[Strip, tuple[Ink, ...]], usual: float, frame: Frame
) -> RackView | None:
    """Give the view with an edge that has a number below it, in a slot (0..9) whose edge has none or that has no edge.

    The number is not much fainter than is usual in the rack.
    """
    faint = view.strips[slot] is None
    other = with_faint(view, slot, frame) if faint else with_another(view, slot, frame)
    if other is not None and _is_strong(_ink_in(other, slot), usual):
        return other
    supposed = _supposed(view, slot, inks, frame) if faint else None
    return supposed[0] if supposed is not None and _is_strong(supposed[1], usual) else None


def _is_strong(inks: Sequence[Ink], usual: float) -> bool:
    return bool(inks) and abs(inks[0].contrast) >= AS_STRONG * usual


def _supposed(
    view: RackView, slot: int, inks: Mapping[Strip, tuple[Ink, ...]], frame: Frame, off: float = 0.0
) -> tuple[RackView, tuple[Ink, ...]] | None:
    """Suppose a card in a slot (0..9) without an edge, if there is a number where one's would be; give its ink, too.

    It is sought `off` mm nearer than where the other cards' lean would have it. The edge is put where the other cards'
    numbers say that it is above this one.
    """
    tops = [found[0].top for found in inks.values() if found]
    first = with_supposed(view, slot, frame, off) if len(tops) >= ENOUGH else None
    if first is None:
        return None
    found = _ink_in(first, slot, SUPPOSED_BAND)
    if not found:
        return None
    # a card that leans far may be too near to the one before it for the edge to be put where it should be
    supposed = with_supposed(view, slot, frame, off + found[0].top - median(tops)) or first
    again = _ink_in(supposed, slot)
    if not again or _is_anothers(supposed, slot, again[0], inks, median(tops) + BELOW):
        return None
    return supposed, again


def find_elsewhere(rack: RackFound, slot: int, frame: Frame, *, bare: bool = False) -> Iterator[RackFound]:
    """Give the rack with other edges in a slot (0..9), where there is ink below them; the rest as it is.

    First comes the next likely edge, then one that is not seen but supposed where the other cards' lean has it. Where
    the slot seems to be `bare`, it is supposed nearer and farther, too: its card may lean otherwise than the others do.
    Nothing is given for a slot that is seen to be free.
    """
    view = rack.view
    if slot < view.footing.free:
        return
    strip = view.strips[slot]
    other = with_another(view, slot, frame) if strip is not None else None
    inks = _ink_in(other, slot) if other is not None else ()
    if other is not None and inks:
        yield _with_slot(rack, slot, other, inks)
    known = {
        strip: tuple(item.ink for item in items)
        for place, (strip, items) in enumerate(zip(view.strips, rack.slots, strict=True))
        if strip is not None and place != slot
    }
    leant = LEANT if slot else FRONT_LEANT
    for off in leant if bare else (0.0,):
        supposed = _supposed(view, slot, known, frame, off)
        if supposed is not None:
            yield _with_slot(rack, slot, *supposed)


def _with_slot(rack: RackFound, slot: int, other: RackView, inks: Sequence[Ink]) -> RackFound:
    """Give the rack by a view that differs in one slot (0..9), where this ink was found."""
    strip = other.strips[slot]
    numbers = _numbers(strip, inks, rack.height) if strip is not None else ()
    return replace(rack, view=other, slots=(*rack.slots[:slot], numbers, *rack.slots[slot + 1 :]))


def _ink_in(view: RackView, slot: int, band: Band = RACK_BAND) -> tuple[Ink, ...]:
    strip = view.strips[slot]
    return find_ink([(strip.grey, strip.shown)], STRIP_ORIGIN, view.fit.table.card.width, band)[0] if strip else ()


def _is_anothers(view: RackView, slot: int, ink: Ink, inks: Mapping[Strip, tuple[Ink, ...]], deepest: float) -> bool:
    """Tell whether ink is that of another card's number: an empty slot shows what stands behind it.

    Ink that begins more than `deepest` mm below another card's edge is not that card's.
    """
    own = view.strips[slot]
    if own is None:
        return False
    at, scale = _middle(view, slot, ink), float(np.hypot(*(own.quad[1] - own.quad[0]))) / view.fit.table.card.width
    return any(
        one.top <= deepest and float(np.hypot(*(at - _middle(view, other, one)))) < APART * scale
        for other, strip in enumerate(view.strips)
        if other != slot and strip is not None
        for one in inks.get(strip, ())
    )


def _middle(view: RackView, slot: int, ink: Ink) -> NDArray[np.float64]:
    """Give where in the picture a number's middle is, (2,)."""
    return np.asarray(in_picture(view, slot, np.array([ink.middle]))[0])


def in_picture(view: RackView, slot: int, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give where in the picture points (n, 2) of a slot's (0..9) card are, (n, 2) px.

    They are in mm to the right of the card's top left corner and below it.
    """
    strip = view.strips[slot]
    slide = 0.0 if strip is None else strip.slide
    flat = np.array([slide, view.fit.table.card.height]) + points * [1.0, -1.0]
    return view.fit.pose.project(view.fit.planes_of([slot]).points(flat))


def find_again(rack: RackFound, slot: int, frame: Frame) -> RackFound:
    """Find the card of a slot (0..9) again, the others being where they were.

    In grey levels, and with colours where none is seen without.
    """
    for picture in (frame.uncoloured, frame):
        fit, strip = refit(picture, rack.view, slot)
        found = _find_in_slot(strip, rack) if strip is not None else None
        if found and strip is not None and is_card(strip):
            break
    line = fit.lines[slot]
    if found is None:
        line = strip = None
    return replace(rack, view=rack.view.with_slot(slot, line, strip)).with_numbers(slot, found or ())


def _find_in_slot(strip: Strip, rack: RackFound) -> tuple[Found, ...] | None:
    """Find where the number of a rack's card may stand; None where the strip is no card's."""
    (inks,) = find_ink([(strip.grey, strip.shown)], STRIP_ORIGIN, rack.view.fit.table.card.width)
    return None if not inks and not is_card(strip) else _numbers(strip, inks, rack.height)


def _numbers(strip: Strip, inks: Sequence[Ink], height: float) -> tuple[Found, ...]:
    return tuple(Found(ink, cut_number(strip.grey, STRIP_ORIGIN, ink, height)) for ink in inks)


def _inks(view: RackView, known: Mapping[Strip, tuple[Ink, ...]]) -> dict[Strip, tuple[Ink, ...]]:
    """Find the ink in each of a rack's strips; in those that are not `known` already."""
    strips = [strip for strip in view.strips if strip is not None]
    new = [strip for strip in strips if strip not in known]
    width = view.fit.table.card.width
    found = dict(zip(new, find_ink([(strip.grey, strip.shown) for strip in new], STRIP_ORIGIN, width), strict=True))
    return {strip: found[strip] if strip in found else known[strip] for strip in strips}


def cut_again(grey: NDArray[np.uint8], rack: RackFound, slots: Sequence[int]) -> dict[int, tuple[Found, ...]]:
    """Cut the numbers of some slots (0..9) where they were found before out of a new grey picture."""
    view, height = rack.view, rack.height
    strips = {slot: strip for slot in slots if (strip := view.strips[slot]) is not None}
    if not strips:
        return {}
    pieces = strips_again(grey, view.fit.pose, view.fit.table.card, view.fit.planes_of([*strips]), [*strips.values()])
    return {
        slot: tuple(Found(item.ink, cut_number(piece, STRIP_ORIGIN, item.ink, height)) for item in rack.slots[slot])
        for slot, piece in zip(strips, pieces, strict=True)
    }


def wells_in(
    frame: Frame, pose: Pose, table: Table, before: tuple[Well, Well] | None, changed: Sequence[bool]
) -> tuple[Well, Well]:
    """Look into the left and the right well of the tray; one that has not changed is as it was before."""
    left, right = (
        before[at] if before is not None and not changed[at] else _look(frame, pose, table, side)
        for at, side in enumerate(SIDES)
    )
    return left, right


def _look(frame: Frame, pose: Pose, table: Table, side: Side) -> Well:
    """Look into a well in grey levels, and in colour where they show no card: to decode colours costs more."""
    well = look_into(frame.grey, pose, table, side)
    return well if well.state == "card" else look_into(frame.colour, pose, table, side)


def find_on_pile(picture: NDArray[np.uint8], discard: Well, table: Table, band: Band = TRAY_BAND) -> tuple[Found, ...]:
    """Find where the discard pile's number may stand.

    It is along the far edge of the card or, upside down, along the near one: a card lies at 0 or 180 degrees.
    """
    numbers: list[Found] = []
    if discard.wide is not None:
        views = _both_ways(picture, discard, table)
        shown = np.full(views[0].shape[1], table.card.height)
        both = find_ink([(view, shown) for view in views], FACE_ORIGIN, table.card.width, band)
        for turned, (view, inks) in enumerate(zip(views, both, strict=True)):
            crops = [cut_number(view, FACE_ORIGIN, ink, common_height([ink])) for ink in inks]
            numbers += [Found(ink, crop, bool(turned)) for ink, crop in zip(inks, crops, strict=False)]
    return tuple(numbers)


def find_swapped(frame: Frame, pose: Pose, table: Table, tray: TrayFound) -> TrayFound:
    """Find the tray as it would be if its piles lay in each other's wells."""
    side = table.tray.draw
    swapped = replace(table, tray=Tray("right" if side == "left" else "left"))
    discard = _look(frame, pose, swapped, side)
    return TrayFound(tray.discard, discard, find_on_pile(frame.grey, discard, swapped))


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
    grey = grey_face(picture, discard, table.card)
    return grey, np.ascontiguousarray(grey[::-1, ::-1])
