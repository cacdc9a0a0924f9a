"""Whether what was cut out of a rack is a card, and how far its number may be taken for that of its slot."""

from vision.rack.fit import EDGE, LEAST_SURE, MAY_BE, SIDES
from vision.rack.planes import ASIDE
from vision.rack.strips import Strip
from vision.reading.ink import DIGIT_GAP
from vision.reading.ink import RIM as NUMBERS_RIM
from vision.reading.numbers import Ink
from vision.rectify import SCALE

WHOLE = 5.5
"""Digits of this height in mm are whole even where a nearer card begins right below (TABLE.md: 5.5..8)."""
FAINT = 0.999
"""A number that is read on what has not a card's edges is trusted so far: on 5,326 drawn racks none of 2523 that were
read clearly was wrong. (It was 0.997 when 8 of 2585 had been, before numbers were sought below other edges, too.)"""
CUT = 0.98
"""So far one whose ink is cut off by a nearer card, or by the right rim. None of 479 that were read clearly was wrong,
but at 0.99 a 58 of which the lower half was hidden was told to be a 59."""
AT_RIM = 0.3
"""Ink so near, in mm, to where numbers begin to be sought is cut off by that rim."""
A_PART = 0.5
"""A number that is less high than such a share of its rack's, though nothing cuts it off, may be a part of one: of 4027
that were read right two were less high, and of three that were read wrongly one (below an edge that was no card's)."""
NOT_ITS_OWN = 0.9
"""So far a number is trusted that may be such a part, or a label of the rack to the left of the card."""
NOT_WHOLE = 0.9
"""So far one that the picture's border may cut off: one figure beside which, nearer than a second one may be, the
picture ends, ..."""
TWO_FIGURES, TOUCHING = 1.0, 0.7
"""...or, of what is so many times as wide as high, and so has two, within so many mm of it. Of 2500 numbers that were
told on 600 drawn racks half out of the picture three were such parts, and with this none."""
LOWER, LOWER_IF_CUT = 1.9, 0.6
"""A number that begins or ends so many mm lower on its card than its rack's others may stand on another one, right
before it; the second where a nearer card cuts it off, whose true end is not known. Of 1300 drawn racks, in each of
which two cards lean together, 16 told such a card's number for the one behind: 13 of these are lower, and so are nine
of 5854 that were right, if none is read in the slot before; on 900 racks as drawn it is one of 8102."""


def is_card(strip: Strip, *, read: bool = False) -> bool:
    """Tell whether what was cut really has a card's edges; above a number that is `read`, the top one may be faint."""
    return (read or strip.edge >= EDGE) and strip.sides >= SIDES


def trust_in(strip: Strip, ink: Ink, width: float, height: float) -> float:
    """Say (0..1) how far a number may be taken for that of the strip's slot, on a card `width` mm wide.

    The rack's numbers are `height` mm high. Ink at the very rim of where numbers are sought may be a printed border;
    and to the left, a label of the rack beside the card, which looks like a number. Where the card may be that of a
    free slot beside no number is sure: of 23 that were told in 760 drawn racks although it was but 0.95 to 0.99 sure
    that it was not, three were another slot's.
    """
    trust = strip.belongs if strip.belongs >= LEAST_SURE else min(strip.belongs, MAY_BE)
    if not is_card(strip):
        trust *= FAINT
    if ink.cut and ink.height < WHOLE:
        trust *= CUT
    is_part = not ink.cut and ink.height < A_PART * height
    if is_part or ink.left <= NUMBERS_RIM + AT_RIM:
        trust *= NOT_ITS_OWN
    if ink.right >= width - NUMBERS_RIM - AT_RIM:
        trust *= CUT
    return trust * (NOT_WHOLE if _may_go_on(strip, ink) else 1.0)


def _may_go_on(strip: Strip, ink: Ink) -> bool:
    """Tell whether the picture's border may cut a number off, or part one figure from the other."""
    gap = TOUCHING if ink.width > TWO_FIGURES * ink.height else DIGIT_GAP
    left, right = (ASIDE + ink.left - gap) * SCALE, (ASIDE + ink.right + gap) * SCALE
    return bool((strip.shown[max(round(left), 0) : round(right)] <= 0).any())


def is_sunk(ink: Ink, usual: tuple[float, float]) -> bool:
    """Tell whether a number stands so low on its card that it may be on another one, right before it.

    `usual` is where its rack's numbers begin and end, in mm below their cards' top edges.
    """
    lower = max(ink.top - usual[0], ink.bottom - usual[1])
    return lower >= (LOWER_IF_CUT if ink.cut else LOWER)
