"""Which of the tray's wells a hand reaches for: told by what is over each, and from which side the arm comes."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Side
from vision.changes import Reference, grid
from vision.pose import Pose
from vision.tray.wells import PILE_HEIGHT, SIDES, WELL_CENTRES

POINTS: Final = 64
"""The tray's mat is looked at in so many places across and along."""

ACROSS: Final = np.linspace(2.0, 295.0, POINTS)
ALONG: Final = np.linspace(2.0, 208.0, POINTS)
"""Those places, in mm of the mat frame."""

WITHIN: Final = (44.0, 29.0)
"""Half the width and depth in mm of a well's inside, about its middle."""

RIM: Final = 2
"""An arm comes over one of so many places along the mat's edges."""

FROM_A_SIDE: Final = 40.0
"""It comes from beside the tray if it crosses the edge within so many mm of the left or right end, in the mean."""

REACHED: Final = 0.27
"""Whoever reaches over one well for the other one covers so much of that other one. Of some 120 hands in recorded
and drawn rounds about 35 reached for the near well from beside the tray; they covered 0.25 of the other at most, ..."""

FREE: Final = 0.05
"""... and the other well is free if no more of it is covered."""

OVER: Final = 0.05
PASSING: Final = (0.55, 0.7)
"""A hand that reaches for the near well covers so much of it, from the first to the second: that is for an arm from
beside the tray, and for any other. One that is on its way to somewhere else covers more. Where it was told for which
pile 318 hands in drawn rounds reached, it was wrong of 8."""


def well_reached(bare: NDArray[np.uint8], half: NDArray[np.uint8], pose: Pose) -> Side | None:
    """Tell which well a hand over the tray reaches for; None where that is not clear.

    `bare` and `half` are halved pictures of the tray, (height, width), without the hand and with it.
    """
    before = Reference.of(bare, [grid(pose, ACROSS, ALONG, PILE_HEIGHT)])
    over = before.over(before.renewed(half)).reshape(POINTS, POINTS)
    seen = before.values.reshape(POINTS, POINTS) > 0
    shares = {side: _share(over, seen, side) for side in SIDES}
    beside = _comes_from(over)
    fuller: Side = "left" if shares["left"] > shares["right"] else "right"
    near, far = SIDES if (beside or fuller) == "left" else SIDES[::-1]
    if beside is not None and shares[far] >= REACHED:
        return far
    reaches = OVER <= shares[near] <= PASSING[beside is None] and shares[far] <= FREE
    return near if reaches else None


def _share(over: NDArray[np.bool_], seen: NDArray[np.bool_], side: Side) -> float:
    """Give the share of a well's inside that something is over, of what is seen of it."""
    x, y = WELL_CENTRES[side]
    inside = np.outer(np.abs(ALONG - y) < WITHIN[1], np.abs(ACROSS - x) < WITHIN[0]) & seen
    return float((over & inside).sum() / max(inside.sum(), 1))


def _comes_from(over: NDArray[np.bool_]) -> Side | None:
    """Tell from which end of the mat an arm comes; None where it comes over another edge, or over none."""
    rim = np.ones_like(over)
    rim[RIM:-RIM, RIM:-RIM] = False
    _, parts, sizes, _ = cv2.connectedComponentsWithStats(over.astype(np.uint8))
    # what moves beside the mat may show along its edges
    largest = parts == 1 + np.argmax(sizes[1:, cv2.CC_STAT_AREA]) if len(sizes) > 1 else over
    crossed = np.nonzero(largest & rim)[1]
    if not len(crossed):
        return None
    x = float(ACROSS[crossed].mean())
    return "left" if x < FROM_A_SIDE else "right" if x > ACROSS[-1] - FROM_A_SIDE else None
