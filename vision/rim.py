"""The rim of a mat before a still camera: nobody reaches over the mat without crossing it, and light does.

A shadow's edge on paper may look like an arm's. But paper and table beside each other are in the same shadow, so the
step of brightness from one to the other stays as it was, while an arm hides it.
"""

from collections.abc import Sequence
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import MAT_SIZE
from vision.changes import Reference, halved
from vision.pose import Pose
from vision.rectify import in_picture

Side = Literal["near", "right", "far", "left"]

RACK_RIM: Final[Sequence[Side]] = "near", "right", "left"
"""The far side lies behind the cards; whose arm comes from there crosses another side as well, or leaves it at once."""

TRAY_RIM: Final[Sequence[Side]] = "near", "right", "far", "left"

CORNERS: Final = ((0.0, 0.0), (MAT_SIZE[0], 0.0), (MAT_SIZE[0], MAT_SIZE[1]), (0.0, MAT_SIZE[1]))
"""The mat's corners in mm of its frame, counterclockwise from the near left one: each begins a side."""

EVERY, BESIDE = 4.0, 5.0
"""The rim is asked every so many mm, so many mm within and beyond it."""

WIDE: Final = 6
"""What reaches over the rim hides so many neighbours of its samples, 24 mm: an arm is wider."""

STEP, OTHER = 0.25, 0.15
"""Logarithm of paper's brightness by the table's. Where it is less than STEP, the rim tells nothing; by OTHER it is
another one under an arm. Chosen on a half of three recorded rounds and 41 drawn evenings with shadows: in all of these
none of 3246 hands passes for a shadow (by 0.3 for both, and WIDE 8 without a mean, 48 of 3298), and 68 of 447 shadows
and other lights are no hands (81)."""

DARKEST: Final = 4.0
"""Grey levels: what is darker counts as so bright, for its noise would be a large share of it."""

ALONG, INSET = 6, 2.0
"""Where the picture ends over the mat its border is asked every so many pixels of the halved picture, so far inside."""

SHADED, LONG = 0.1, 4
"""There so many neighbours may be an arm whose brightness has changed by such a logarithm more than the paper's."""


class Rim:
    """The sides of a mat that a camera sees, and the picture's border where it ends over the mat."""

    def __init__(self, pose: Pose, size: tuple[int, int], sides: Sequence[Side]) -> None:
        """Find them by the mat's pose in a halved picture of a size (width, height)."""
        within, beyond, self._ends = _beside(sides)
        self._within, self._beyond, corners = (_shown_at(pose, at) for at in (within, beyond, np.array(CORNERS)))
        seen = [in_picture(at[:, 0], at[:, 1], size) for at in (self._within, self._beyond)]
        self._in_view, self._no_table = seen[0] & seen[1], seen[0] & ~seen[1]
        self._border, self._border_ends = _border(corners, size)

    def may_be_crossed(self, half: NDArray[np.uint8], bare: NDArray[np.uint8]) -> bool:
        """Whether something may reach over the rim in a halved picture: it looks otherwise than in a `bare` one.

        In that one, halved too, nothing was over the mat. Where the rim cannot tell, something may.
        """
        (paper, step), (paper_now, step_now) = (self._rim_in(seen) for seen in (bare, half))
        brighter = paper_now - paper
        # a light that has changed everywhere, or the camera's exposure, is no arm
        lit = np.median(brighter[self._in_view]) if self._in_view.any() else np.float32(0.0)
        hidden = self._in_view & ((np.abs(step) < STEP) | (np.abs(step_now - step) > OTHER))
        hidden |= self._no_table & (np.abs(brighter - lit) > SHADED)
        if _has_run(hidden, self._ends, WIDE):
            return True
        shaded = np.abs(_levels(half, self._border) - _levels(bare, self._border) - lit) > SHADED
        return _has_run(shaded, self._border_ends, LONG)

    def _rim_in(self, half: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Give how bright the paper is along the rim in a halved picture, and by how much more than the table, (n,)."""
        paper = _levels(half, self._within)
        return paper, _mean_of_three(paper - _levels(half, self._beyond), self._ends)


def _shown_at(pose: Pose, places: NDArray[np.float64]) -> NDArray[np.float32]:
    """Give where in the halved picture places (n, 2) in mm of the mat frame are, (n, 2)."""
    return halved(pose.project(np.column_stack([places, np.zeros(len(places))])))


def _levels(half: NDArray[np.uint8], points: NDArray[np.float32]) -> NDArray[np.float32]:
    """Give the logarithms of how bright points (n, 2) of a halved picture are, (n,)."""
    levels = Reference.at(half, points[None]).values[0] if len(points) else np.zeros(0, np.float32)
    return np.asarray(np.log(np.maximum(levels, np.float32(DARKEST))), np.float32)


def _beside(sides: Sequence[Side]) -> tuple[NDArray[np.float64], NDArray[np.float64], list[int]]:
    """Give points (n, 2) in mm of the mat frame within and beyond the sides, and where each side's end."""
    within, beyond, ends = [], [], []
    for number, side in enumerate(("near", "right", "far", "left")):
        if side not in sides:
            continue
        begin, end = np.array(CORNERS[number]), np.array(CORNERS[(number + 1) % 4])
        along = (end - begin) / np.linalg.norm(end - begin)
        inward = np.array([-along[1], along[0]])
        ways = np.arange(2 * BESIDE, np.linalg.norm(end - begin) - 2 * BESIDE, EVERY)
        rim = begin + ways[:, None] * along
        within.append(rim + BESIDE * inward)
        beyond.append(rim - BESIDE * inward)
        ends.append(len(rim))
    return np.concatenate(within), np.concatenate(beyond), np.cumsum(ends).tolist()


def _border(corners: NDArray[np.floating], size: tuple[int, int]) -> tuple[NDArray[np.float32], list[int]]:
    """Give points (n, 2) along the border of a picture of a size, where a mat with `corners` (4, 2) lies, and its ends.

    The ends are those of the picture's four sides.
    """
    width, height = size[0] - 1 - INSET, size[1] - 1 - INSET
    x, y = np.arange(INSET, width, ALONG), np.arange(INSET, height, ALONG)
    sides = [np.column_stack([x, np.full(len(x), level)]) for level in (INSET, height)]
    sides += [np.column_stack([np.full(len(y), level), y]) for level in (INSET, width)]
    edges = np.roll(corners, -1, axis=0) - corners
    kept = []
    for points in sides:
        way = points[:, None] - corners
        turns = edges[:, 0] * way[..., 1] - edges[:, 1] * way[..., 0]
        kept.append(points[(turns > 0).all(axis=1) | (turns < 0).all(axis=1)])
    return np.concatenate(kept).astype(np.float32), np.cumsum([len(points) for points in kept]).tolist()


def _mean_of_three(values: NDArray[np.float32], ends: Sequence[int]) -> NDArray[np.float32]:
    """Give each value's mean with its neighbours of the same side: noise hides no rim, nor does it show one."""
    sides = [cv2.blur(side[None], (3, 1), borderType=cv2.BORDER_REPLICATE)[0] for side in np.split(values, ends[:-1])]
    return np.concatenate(sides).astype(np.float32)


def _has_run(those: NDArray[np.bool_], ends: Sequence[int], length: int) -> bool:
    """Tell whether so many neighbours are among those, of one side: sides end where `ends` say."""
    return any(
        bool((np.convolve(part, np.ones(length, int), "valid") >= length).any())
        for part in np.split(those.astype(int), ends[:-1])
        if len(part) >= length
    )
