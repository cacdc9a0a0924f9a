"""How large a rack's mat was printed, by how well the cards that stand on it fit their measures.

Many printers shrink a page to their margins unless they are told not to, A4 mostly to 93..97 %, and to 89..94 % on the
paper of North America (Letter, 279 mm wide). The mat, by which all is measured, is then smaller than it should be, all
cards seem larger and farther apart, and at the rack's far end they seem to stand half a slot behind where they do, or
one.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame
from vision.rack.fit import CERTAIN, RackView, sides_of
from vision.rack.matching import FARTHEST, LEAN_SPREAD
from vision.rack.planes import ASIDE
from vision.rack.strips import COLUMN, SIDE_REACH, SIDE_WEIGHT
from vision.rectify import SCALE

FEWEST: Final = 5
"""Of fewer cards nothing is concluded: in play a rack is full."""
SIDES_COUNT: Final = 0.75
"""How much the strength of a card's sides counts beside the logarithm of how likely its place is."""
POOR, FITTING = 3.0, 2.5
"""Where cards fit less well than the first, each (how_well), other sizes are tried: so it was with a fifth of 640 drawn
racks on mats of the right size, and with nearly all of 840 on mats of 88 to 95 %. Where they fit less well than the
second, they do not fit."""
GAIN: Final = 0.6
"""Where they do fit, other sizes are tried, too, if both their sides are clearer so far apart by so much a card: one
on a mat of 94 % with a hard shadow over it was told a slot off, at 0.9."""
DOUBTFUL: Final = 0.96
"""Other sizes are tried, too, where it is less sure than this which slot is which; and a rack is not taken for one on a
mat of another size if it is less sure then."""
NOT_AS_WIDE, AT_MOST = 0.2, 25.0
"""What it counts against a size that cards of another width would have clearer sides: by so much clearer, up to this.
(Of 640 drawn racks on mats of the right size 5 were taken for smaller without it, with it one; of 840 on mats of 88 to
95 % 803 and 817 were known for what they are.)"""
CLEAR: Final = 2.5
"""A side edge that is so strong (Sides.steps) is one: more counts no more, lest a shadow outweigh weak true edges."""
OFF: Final = 6.0
"""Standard deviation in mm of a card's middle: on a mat of another size the rack's place is off as well."""
WIDTHS = np.arange(-5.0, 15.0 + COLUMN / 2, COLUMN)
"""Cards are tried that are so many mm wider than the table's: on mats of 106 down to 86 %."""
AS_MEASURED: Final = 1.0
"""A width that is off by so many mm is the measured one."""
AROUND: Final = 1.5
"""Where cards' sides are clearest, they are strongest within so many mm."""


def may_be_misprinted(frame: Frame, view: RackView) -> bool:
    """Tell whether the mat may be of another size than the view's pose has it."""
    cards = len(view.fit.standing)
    if cards < FEWEST:
        return False
    return min(view.which) < DOUBTFUL or how_well(view) < POOR * cards or size_by_width(frame, view)[1] >= GAIN * cards


def is_good(view: RackView) -> bool:
    """Tell whether a rack's cards fit as well as nearly always on a mat of the right size."""
    return how_well(view) >= FITTING * len(view.fit.standing)


def how_well(view: RackView) -> float:
    """Say how well a rack's cards fit its measures and their edges the picture: a natural logarithm, about."""
    fit = view.fit
    if not fit.standing:
        return 0.0
    off = np.array([fit.rows[slot] - line.at for slot, line in fit.standing.items()]) / SCALE
    lean = -0.5 * float(np.sum(((off - fit.off).clip(-FARTHEST, FARTHEST) / LEAN_SPREAD) ** 2))
    sides = sum(min(strip.sides, CERTAIN) for strip in view.strips if strip is not None)
    return lean + float(view.footing.likely(np.array([fit.off]))[0]) + SIDES_COUNT * sides


def size_fits(frame: Frame, view: RackView) -> float:
    """Say how well a rack's cards fit the size that the view's pose has the mat: how_well, and how wide they are."""
    return how_well(view) - NOT_AS_WIDE * min(size_by_width(frame, view)[1], AT_MOST)


def size_by_width(frame: Frame, view: RackView) -> tuple[float, float]:
    """Give the mat's size by the width of its cards, as a share of the size that the view's pose has it.

    The second is how much clearer both sides of the cards are there than for the width that they should have.
    """
    steps, width = sides_of(frame, view.fit, view.fit.standing).steps, view.fit.table.card.width
    clear, strong = (_by_width(some, width) for some in (np.minimum(steps, CLEAR), steps))
    around = np.flatnonzero(np.abs(WIDTHS - WIDTHS[clear.argmax()]) <= AROUND)
    at = int(around[strong[around].argmax()])
    wider = float(WIDTHS[at])
    if 0 < at < len(WIDTHS) - 1:
        before, there, after = strong[at - 1 : at + 2]
        bend = before - 2 * there + after
        wider += 0.5 * (before - after) / bend * COLUMN if bend < 0 else 0.0
    return width / (width + wider), float(clear.max() - clear[np.abs(WIDTHS) <= AS_MEASURED].max())


def _by_width(steps: NDArray[np.float64], width: float) -> NDArray[np.float64]:
    """Sum up over cards how strong both sides are (widths,), each card being where they are strongest."""
    reach = ASIDE + SIDE_REACH
    left = np.arange(round(2 * reach / COLUMN))
    right = left + np.round((width + WIDTHS[:, None]) / COLUMN).astype(int)
    middle = (left + right) / 2 * COLUMN - reach - width / 2
    inside = right < steps.shape[1]
    both = SIDE_WEIGHT * (steps[:, left][:, None] + steps[:, np.where(inside, right, 0)]) - 0.5 * (middle / OFF) ** 2
    return np.asarray(np.where(inside, both, -np.inf).max(axis=2).sum(axis=0))
