"""Whether a mat that is found again lies where it lay, by its markers, and words where it does not."""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.mats import TRAY, Mat
from vision.pose import Lens, pose_of

MOVED: Final = 0.8
"""A mat whose markers are found within so many pixels of where they were (median) has not moved."""

MOVED_FAR: Final = 2.0
"""From so many pixels on it is said that something was moved: a marker half covered may be found a little off."""

CORNERS: Final = 4
"""Of a marker."""

FINGER: Final = 3.0
"""A marker half hidden makes a mat's markers fit each other at least so many times worse: 43 times in a drawn round."""


def lies_still(known: Mat, mat: Mat, lens: Lens) -> bool:
    """Tell whether a mat that was found again lies where it lay, by the markers that were seen both times.

    A finger on a marker's corner makes that corner alone seem to lie elsewhere, then or now: the better fit counts.
    """
    away = _away(known, mat)
    if len(mat.markers) > len(known.markers):
        return False
    near = bool(np.nanmedian(away) < MOVED)
    if near and np.nanmax(away) < MOVED_FAR:
        return True
    return _misfit(known, lens) <= _misfit(mat, lens) and (near or _is_touched(known, mat, lens))


def lies_near(known: Mat, mat: Mat) -> bool:
    """Tell whether a mat that was found again lies about where it lay."""
    return float(np.nanmedian(_away(known, mat))) < MOVED_FAR


def lies_elsewhere(known: Mat, mat: Mat, lens: Lens) -> bool:
    """Tell whether a mat that was found again lies elsewhere: not merely seen better, or worse."""
    far = MOVED_FAR <= float(np.nanmedian(_away(known, mat))) < math.inf
    return far and not _is_touched(known, mat, lens)


def _is_touched(known: Mat, mat: Mat, lens: Lens) -> bool:
    """Whether a finger hid a marker, then or now: another one stays, and one of both times they fit together far worse.

    A mat that was turned about one of its markers fits as well as before.
    """
    by_marker = _away(known, mat).reshape(-1, CORNERS)
    if not any(np.nanmedian(corners) < MOVED for corners in by_marker if not np.isnan(corners).all()):
        return False
    better, worse = sorted((_misfit(known, lens), _misfit(mat, lens)))
    return worse >= FINGER * better


def _away(known: Mat, mat: Mat) -> NDArray[np.float64]:
    """By how many pixels the corners are off, (n,), that were seen both times; infinite where none was."""
    both = known.markers.keys() & mat.markers.keys()
    away = [np.linalg.norm(known.markers[place] - mat.markers[place], axis=1) for place in both]
    return np.concatenate(away) if away else np.full(CORNERS, math.inf)


def _misfit(mat: Mat, lens: Lens) -> float:
    """By how many pixels (root mean square) a mat's markers miss its pose; infinite where they make none."""
    pose = pose_of(mat, lens)
    return math.inf if pose is None else pose.error


def name_of(mat: int) -> str:
    """Name a mat, by its number, as people do."""
    return "the tray's mat" if mat == TRAY else f"seat {mat}'s mat"


def moved_words(moved: Sequence[int], *, all_of_them: bool) -> tuple[str, ...]:
    """Say what was moved since the last picture, by the numbers of the mats that lie elsewhere now."""
    if not moved:
        return ()
    if all_of_them and len(moved) > 1:
        return ("the camera was moved; all mats are found anew",)
    names = [name_of(number) for number in moved]
    if all_of_them:
        return (f"{names[0]} or the camera was moved; it is found anew",)
    return tuple(f"{name} was moved; it is found anew" for name in names)
