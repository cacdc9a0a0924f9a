"""Which part of a camera's picture matters: the mats and what stands on them. What moves elsewhere hides nothing."""

from collections.abc import Iterable
from itertools import product
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import MAT_SIZE, Table
from vision.mats import TRAY
from vision.pose import Pose

TILES: Final = (160, 90)
"""So many tiles are across a picture, and down, whatever its size."""

Region = NDArray[np.bool_]
"""Which tiles of a picture matter, (90, 160)."""

BESIDE: Final = 20.0
"""A rack may stand so many mm off its place on the mat, and so many from the mat's edges a tray's wells begin, or more
(TABLE.md, Mats)."""

HIGHER: Final = 10.0
"""A card may stand so many mm higher in its slot than it should: loosely, or on another one."""

TRAY_HEIGHT: Final = 40.0
"""No pile is higher above the mat than this, in mm: sixty cards are 20 mm thick (TABLE.md)."""

BLURRED: Final = 2
"""What changes so many tiles beside a tile changes it, too, for thumbnails are smoothed: a mat's rim matters not."""


def region(mats: Iterable[tuple[int, Pose | None]], table: Table, size: tuple[int, int]) -> Region | None:
    """Give the tiles that matter of a picture of a size (width, height) in pixels, by its mats' numbers.

    None where no mat is known, or of one not where it lies: then all of the picture matters.
    """
    tiles = np.zeros(TILES[::-1], np.uint8)
    for number, pose in mats:
        if pose is None:
            return None
        corners = pose.project(_corners(number, table)) * (np.array(TILES) / np.array(size))
        outline = cv2.convexHull(corners.clip(-4 * TILES[0], 4 * TILES[0]).round().astype(np.int32))
        cv2.fillConvexPoly(tiles, outline, 1)
    inside = cv2.erode(tiles, np.ones((2 * BLURRED + 1, 2 * BLURRED + 1), np.uint8)) > 0
    return inside if inside.any() else None


def _corners(number: int, table: Table) -> NDArray[np.float64]:
    """Give the corners of a mat and those above what stands on it, (8, 3) in mm of the mat frame."""
    rack, width, depth = table.rack, *MAT_SIZE
    if number == TRAY:
        box = (BESIDE, width - BESIDE), (2 * BESIDE, depth - 2 * BESIDE), (TRAY_HEIGHT,)
    else:
        right = rack.at[0] + max(rack.width, rack.margin + table.card.width)
        across, deep = (rack.at[0] - BESIDE, right + BESIDE), (rack.at[1] - BESIDE, rack.at[1] + rack.depth + BESIDE)
        box = across, deep, (rack.floor + table.card.height + HIGHER,)
    paper = (0.0, width), (0.0, depth), (0.0,)
    return np.array([corner for part in (paper, box) for corner in product(*part)])
