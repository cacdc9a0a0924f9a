"""Says in words what hinders the reading of a rack, so that a person can mend it."""

from collections.abc import Iterator, Sequence
from statistics import median

import numpy as np
from numpy.typing import NDArray

from calibration.table import SLOTS
from vision.changes import BLEACHED
from vision.fuse import SURE, TWO, sure
from vision.look import Reading
from vision.pose import Pose
from vision.rack.fit import SIDES, TOO_SMALL, RackView
from vision.rectify import in_picture

SMALL = 2.6
"""Pixels a mm at the farthest card below which a rack is called small: TABLE.md (Rack) asks for 3 in general."""
NUMBERS = 9.0
"""A number lies within so many mm below its card's edge (TABLE.md, Cards: 2..3 and 5.5..8)."""
MISPRINT = 0.025
"""A mat whose size is off by such a share is said to be: one nearer to its size does no harm."""
PRINT = "it is reckoned with; print it at 100 %, not fitted to the page, if your paper is large enough"
OUT_OF_PICTURE = "out of the picture: turn the camera or move the mat"
OFF_OUTLINE = 2.0
"""So many mm off its outline (TABLE.md, Mats), or degrees turned on it, a rack may stand that was put down by hand.
More is said."""
PUT_BACK = "push it back onto its outline"
BACK, BACKS = "a card shows its back: turn it round", "cards show their backs: turn them round"
A_SLOT_OFF = (
    "its cards may be a slot off: put the rack on its outline, show its front, fill it (a full rack tells where its "
    "slots are, and whether its mat was printed at 100 %), or measure it anew"
)
COVERED = "covered, by a hand or by glare perhaps: show the rack freely"
ALL_WHITE = 0.6
"""Where so much of most cards' strips is bleached, one card's edge is as white as the next card."""
MANY = 4
"""Of so many cards in a rack a number is read on one at least, however hard it is to see."""


def hindrances(
    view: RackView, readings: Sequence[Reading], outside: Sequence[int], *, by_one_marker: bool = False
) -> tuple[str, ...]:
    """Give words on a rack: too small, partly out of the picture or covered, pushed off its place, two cards, ...

    `readings` are its ten slots', `outside` the slots that are partly out of the picture. Each says what to do.
    Where the mat's pose is known `by_one_marker` alone, nothing is said of its size, which makes good what that is off.
    """
    fit, words = view.fit, list[str]()
    scale = fit.scale
    words += [*([] if by_one_marker else misprinted(fit.pose)), *_off_its_place(fit.pose)]
    if scale < SMALL:
        small = "too small" if scale < TOO_SMALL else "small"
        words.append(f"the rack is {small} in the picture ({scale:.1f} px a mm, 3 are good): move the camera nearer")
    if outside:
        these = "all its cards are partly" if len(outside) == SLOTS else f"{_named(outside)} {_are(outside)}"
        words.append(f"{these} {OUT_OF_PICTURE}")
    states = [said[0] if (said := sure(reading)) is not None else None for reading in readings]
    hidden = [
        slot
        for slot, (strip, state) in enumerate(zip(view.strips, states, strict=True))
        if state is None
        and slot not in outside
        and readings[slot].empty == 0
        and (strip is None or strip.sides < SIDES)
    ]
    if not fit.standing and any(reading.empty > 0 for reading in readings):
        hidden = []  # a bare rack, of which the far end is as hard to tell
    # what hides one slot alone is no hand: an empty slot is easily as hard to tell
    if hidden := [slot for slot in hidden if slot - 1 in hidden or slot + 1 in hidden]:
        what = "overexposed: take light away, or expose shorter" if _is_bleached(view) else COVERED
        words.append(f"{_named(hidden)} {_are(hidden)} {what}")
    twice = [slot for slot, reading in enumerate(readings) if reading.two >= TWO]
    words += [f"{_named([slot])} seems to hold two cards: take one out" for slot in twice]
    if turned := [slot for slot, state in enumerate(states) if state == "back"]:
        words.append(f"in {_named(turned)} {BACK if len(turned) == 1 else BACKS}")
    cards = [state for slot, state in enumerate(states) if slot not in outside and slot in fit.standing]
    if scale < TOO_SMALL:
        return tuple(words)
    if min(view.which) < SURE:
        words.append(A_SLOT_OFF)
    elif len(cards) >= MANY and not {"card", "back"} & {*cards}:
        words.append("no number is read on any of its cards: turn their faces to the camera, or light them better")
    return tuple(words)


def misprinted(pose: Pose) -> Iterator[str]:
    """Say that a mat is of another size than it should be, if it is."""
    if abs(pose.printed - 1) >= MISPRINT:
        wrong = "small" if pose.printed < 1 else "large"
        yield f"its mat seems to be printed too {wrong} (about {100 * pose.printed:.0f} %): {PRINT}"


def _off_its_place(pose: Pose) -> Iterator[str]:
    """Say that the rack stands plainly elsewhere on its mat than it should."""
    ways = (pose.behind, "behind", "before"), (pose.aside, "to the right of", "to the left of")
    for off, here, there in ways:
        if abs(off) > OFF_OUTLINE:
            where = here if off > 0 else there
            yield f"the rack stands about {abs(off):.0f} mm {where} its outline on the mat: {PUT_BACK}"
    if abs(pose.turned) > OFF_OUTLINE:
        yield f"the rack stands turned by about {abs(pose.turned):.0f} degrees on the mat: {PUT_BACK}"


def _is_bleached(view: RackView) -> bool:
    """Tell whether the rack's cards are so white in the picture that their edges are not seen."""
    white = [float((strip.grey >= BLEACHED).mean()) for strip in view.strips if strip is not None]
    return bool(white) and median(white) >= ALL_WHITE


def out_of_picture(view: RackView, size: tuple[int, int]) -> list[int]:
    """Give the slots (0..9) of which a part is out of the picture, where cards have their numbers.

    The picture's `size` is (width, height) in pixels.
    """
    quads = _number_parts(view)
    return np.flatnonzero(~in_picture(quads[..., 0], quads[..., 1], size).all(axis=1)).tolist()


def _number_parts(view: RackView) -> NDArray[np.float64]:
    """Give the part of each slot's card where its number is, (SLOTS, 4, 2) in pixels, or where a card's would be."""
    fit, card = view.fit, view.fit.table.card
    left, right, low = view.slide, view.slide + card.width, card.height - NUMBERS
    flat = np.array([(left, card.height), (right, card.height), (right, low), (left, low)])
    return fit.pose.project(fit.everywhere.points(flat[:, None])).swapaxes(0, 1)


def _named(slots: Sequence[int]) -> str:
    names = [str(5 * slot + 5) for slot in slots]
    return f"slot {names[0]}" if len(names) == 1 else f"slots {', '.join(names[:-1])} and {names[-1]}"


def _are(slots: Sequence[int]) -> str:
    return "is" if len(slots) == 1 else "are"
