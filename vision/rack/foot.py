"""Where a rack stands on its mat: the edge of its foot on the paper, along its front.

A rack is put down by hand, up to 2 mm off its outline and turned by 1.5 degrees (TABLE.md, Mats), and may be pushed.
The edge of its foot is no question of how cards lean, as their top edges are.
"""

import math
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from vision.pose import Pose
from vision.rectify import SCALE, in_picture, places

REACH: Final = 9.0
"""The edge is searched so many mm before and behind the outline's front: farther back the rack's upper edge is seen."""
AHEAD: Final = 15.0
"""Edges are looked at from so many mm before the outline on: what one there leaves, ..."""
UPPER, NEXT = 0.1, 9.0
"""... so many mm or more behind another edge, is less likely a foot's by so much: rather a rack's upper edge."""
RIM: Final = 2.0
"""So many mm at either end of the front are left out: a rack stands a little to the left or to the right, too."""
BLOCKS: Final = 8
"""The front is looked at in so many pieces: those that are wholly in the picture count, ..."""
FEWEST: Final = 3
"""... if there are so many."""
STEP: Final = round(1.0 * SCALE)
"""Rows (1 mm) before an edge and behind it that are compared."""
TURNED: Final = np.tan(np.radians(np.arange(-2.5, 2.6, 0.5)))
"""A rack may stand turned so much, as mm a mm."""
FAINTEST, PALEST = 8.0, 0.06
"""An edge between paper and plastic has at least so many grey levels, such a share of the brightest there (the printed
outline has 0.05 of the paper's), ..."""
SHARE: Final = 0.3
"""... and so much of the strongest edge there: that may be a shadow's, or the rack's upper one."""
SPREAD: Final = 1.4
"""Standard deviation in mm of where a rack stands that was put on its outline: of 800 drawn racks, as of TABLE.md's."""
PUSHED, PUSHED_SPREAD = 0.02, 6.0
"""How likely it is, beside that (1), that it was pushed, and by how many mm, about, it then stands off."""
COMMON_SPREAD: Final = 2.4
"""Standard deviation of the cards' common offset in mm: the rack's place, what was measured by ruler, the lean to a
degree."""
LEAN_SPREAD: Final = 1.8
"""The same where the rack's place is known: of 800 drawn racks."""
ODD: Final = 0.03
"""How likely it is that what is seen there is no edge of the rack's foot, beside that it is one in its place (1)."""
FAR: Final = 4.0
"""A rack so many mm off its outline was pushed: its cards' planes are then reckoned from where it stands."""


@dataclass(frozen=True)
class Footing:
    """Where a rack may stand: (n,) mm behind its outline, and how likely each place is; (0,) if none was seen.

    `slack` is the standard deviation in mm of what its measures are off besides, where nobody took them. So many
    slots, from the front on, are seen to be `free`. All places are (n,) mm behind the outline that is seen from a pose,
    which has the mat's own `home` mm behind it.
    """

    places: NDArray[np.float64]
    shares: NDArray[np.float64]
    slack: float = 0.0
    free: int = 0
    home: float = 0.0

    def likely(self, off: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give the logarithms of how likely it is that all cards' edges are so many mm (n,) off the measures."""
        common, lean = math.hypot(COMMON_SPREAD, self.slack), math.hypot(LEAN_SPREAD, self.slack)
        unseen = -0.5 * ((off - self.home) / common) ** 2
        if not len(self.places):
            return unseen
        seen = np.exp(-0.5 * ((off[:, None] - self.places) / lean) ** 2) @ self.shares
        return np.asarray(np.log(common / lean * seen + (1 - self.shares.sum()) * np.exp(unseen)))

    def pushed(self, off: float) -> float | None:
        """Tell how far (mm) behind its outline a rack was pushed if its cards are so many mm off; None for in place."""
        if not len(self.places):
            return None
        lean = math.hypot(LEAN_SPREAD, self.slack)
        place = float(self.places[np.argmax(np.log(self.shares) - 0.5 * ((off - self.places) / lean) ** 2)])
        return place if abs(place) > FAR and abs(off - place) < abs(off) else None

    def seen_from(self, depth: float, *, surely: bool) -> "Footing":
        """Give the places as they are behind an outline that lies so many mm farther back.

        Where it is not `surely` from there that the rack is seen, it may as well stand on the mat's own outline.
        """
        return replace(self, places=self.places - depth, home=0.0 if surely else self.home - depth)


UNSEEN: Final = Footing(np.empty(0), np.empty(0))
UNMEASURED: Final = 4.7
"""How far off, in mm (standard deviation), the common offset of cards is for want of measures: racks have their first
slot at 17.5 to 22 mm, cards lean by -2 to 13.5 degrees and stand 4 to 10 mm above the mat (TABLE.md, Rack)."""


def find_foot(grey: NDArray[np.uint8], pose: Pose, table: Table) -> Footing:
    """Look in a grey picture for the front edge of a rack's foot, about where a pose has the rack."""
    edges, brightest = _edges(grey, pose, table)
    slack = 0.0 if table.measured else UNMEASURED
    if not len(edges):
        return replace(UNSEEN, slack=slack)
    strongest = max(float(edges[-2 * round(REACH * SCALE) :].max()), FAINTEST)
    least = max(FAINTEST, PALEST * brightest, SHARE * strongest)
    before, there, after = edges[:-2], edges[1:-1], edges[2:]
    peaks = 1 + np.flatnonzero((there >= before) & (there > after) & (there >= least))
    behind = peaks / SCALE - AHEAD
    upper = behind >= behind[:1] + NEXT
    near = behind >= -REACH
    shares = (edges[peaks] / strongest * put_down(behind) * np.where(upper, UPPER, 1.0))[near]
    return Footing(behind[near], shares / (shares.sum() + ODD), slack)


def put_down(behind: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give how likely it is, beside the likeliest place (about 1), that a rack stands so many mm behind its outline."""
    put, pushed = (np.exp(-0.5 * (behind / spread) ** 2) for spread in (SPREAD, PUSHED_SPREAD))
    return np.asarray(put + PUSHED * pushed)


def _edges(grey: NDArray[np.uint8], pose: Pose, table: Table) -> tuple[NDArray[np.float64], float]:
    """Give how strong (grey levels) an edge along the rack's front is, row by row from AHEAD before it to REACH behind.

    The second is the brightest row's brightness. No rows where too little of the front is in the picture.
    """
    wide = table.rack.width - 2 * RIM
    slack = math.ceil(float(TURNED.max()) * wide / 2 * SCALE)
    ahead, reach = round(AHEAD * SCALE), round(REACH * SCALE)
    rows, columns = ahead + reach + 2 * (slack + STEP), BLOCKS * round(wide / BLOCKS)  # columns: about one a mm
    corner = np.array([table.rack.at[0] + RIM, table.rack.at[1] - (ahead + slack + STEP) / SCALE, 0.0])
    along, away = np.array([SCALE * wide / columns, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])
    x, y = places(pose, corner, along, away, (columns, rows), SCALE)
    inside = in_picture(x, y, (grey.shape[1], grey.shape[0]))
    seen = inside[ahead - reach :].reshape(-1, BLOCKS, columns // BLOCKS).all(axis=(0, 2))
    if seen.sum() < FEWEST:
        return np.empty(0), 0.0
    paper = cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).reshape(rows, BLOCKS, -1)
    blocks = paper[:, seen].mean(axis=2)
    sums = np.cumsum(np.vstack([np.zeros(len(blocks[0])), blocks]), axis=0)
    means = (sums[STEP:] - sums[:-STEP]) / STEP
    steps = means[STEP:] - means[:-STEP]
    middles = ((np.arange(BLOCKS) + 0.5) / BLOCKS - 0.5)[seen] * wide
    shifts = np.round(TURNED[:, None] * middles * SCALE).astype(int)
    at = (slack + np.arange(ahead + reach + 1))[:, None] + shifts[:, None, :]
    edges = np.abs(steps[at, np.arange(len(middles))].mean(axis=2)).max(axis=0)
    return edges, float(blocks.mean(axis=1).max())
