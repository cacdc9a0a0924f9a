"""Finds the printed mats of a picture by their ArUco markers (TABLE.md, Mats)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import MAT_SIZE

MARKER_SIDE = 30.0
MARKER_CENTRES = ((25.0, 25.0), (272.0, 25.0), (272.0, 185.0), (25.0, 185.0))
"""Centres of the four markers in mm of the mat frame, in the order of their ids (TABLE.md, Mats)."""
TRAY = 0
"""The number of the tray's mat where the other mats are numbered by seat, 1..4."""
MATS = 5
SMALLEST_SIDE = 14.0
"""A marker of a smaller side in pixels is not believed: its six cells have two pixels each."""
MISFIT = 0.03
"""How far a corner may lie from the mat that its fellows make, as a share of the markers' spread in the picture.

Lens distortion alone, which is not removed here, takes about a third of it.
"""

STRAY, STRAYS = 2.0, 6.0
"""A corner that is farther than so many pixels, and so many times as far as its fellows (root mean square), from where
they put it is not that marker's: a finger lies on it, noise has frayed it, or the picture's border cuts it off."""

FELLOWS = 7
"""It takes so many corners to tell that one of them is stray: four alone fit any place."""

SUSPECTS = 3
"""A stray corner is among so many that fit worst when all are taken together."""

BORDER = 4.0
"""A corner nearer to the picture's border than this, in pixels, is where the picture cuts the marker off."""


@dataclass(frozen=True)
class Mat:
    """One mat in a picture: its number (0 tray, 1..4 seats) and its believed markers.

    `markers` maps a marker's place (0..3: front-left, front-right, back-right, back-left) to its four corners in
    pixels, (4, 2), in the order back-left, back-right, front-right, front-left of the marker itself. A corner that was
    not seen, or is stray, is nan.
    """

    number: int
    markers: Mapping[int, NDArray[np.float64]]

    @property
    def by_one_marker(self) -> bool:
        """Whether one marker alone was found of it."""
        return len(self.markers) < 2

    @property
    def by_half(self) -> bool:
        """Whether two markers or one were found of it: mostly those at one end, by which the other is hardly known."""
        return len(self.markers) <= len(MARKER_CENTRES) // 2

    def points(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Give matching points: (n, 2) in mm of the mat frame and (n, 2) in pixels of the picture."""
        mat, picture = matched_corners(self.markers)
        seen = np.isfinite(picture).all(axis=1)
        return mat[seen], picture[seen]

    def outwards(self) -> NDArray[np.float64]:
        """Give how each of the points moves in the picture, (n, 2), if the markers grow by a pixel on all sides.

        Of a corner whose opposite was not seen that is not known: it stays.
        """
        _, picture = matched_corners(self.markers)
        markers = picture.reshape(-1, 4, 2)
        diagonals = markers - np.roll(markers, 2, axis=1)
        out = np.sqrt(2.0) * diagonals / np.linalg.norm(diagonals, axis=2, keepdims=True)
        return np.asarray(np.nan_to_num(out.reshape(-1, 2)[np.isfinite(picture).all(axis=1)]))


def marker_corners(place: int) -> NDArray[np.float64]:
    """Give the (4, 2) corners of the marker at a place in mm of the mat frame, in the detector's order."""
    half = MARKER_SIDE / 2
    offsets = np.array([[-half, half], [half, half], [half, -half], [-half, -half]])
    return np.asarray(np.asarray(MARKER_CENTRES[place]) + offsets)


def find_mats(grey: NDArray[np.uint8]) -> tuple[Mat, ...]:
    """Find the mats of a grey picture (height, width), in the order of their numbers.

    A marker that does not fit the mat which its fellows make is left out. Of a mat with two fitting markers or more
    these are given; a mat of which only one marker is seen is given with that one, if that does not lie on another mat:
    there a finger makes another marker of one.
    """
    corners, ids, _ = _detector().detectMarkers(grey)
    seen: dict[int, list[tuple[int, NDArray[np.float64]]]] = {}
    for quad, marker in zip(corners, np.asarray(ids if ids is not None else []).ravel(), strict=True):
        points = quad.reshape(-1, 2).astype(np.float64)
        sides = np.linalg.norm(points - np.roll(points, 1, axis=0), axis=1)
        if marker < 4 * MATS and sides.min() >= SMALLEST_SIDE:
            inside = ((points > BORDER) & (points < np.array(grey.shape[::-1]) - 1 - BORDER)).all(axis=1)
            points[~inside] = np.nan
            seen.setdefault(int(marker) // 4, []).append((int(marker) % 4, points))
    mats = [Mat(number, markers) for number in sorted(seen) if (markers := _consistent(seen[number]))]
    whole = well_seen(mats)
    return tuple(mat for mat in mats if not mat.by_one_marker or not any(_lies_on(mat, other) for other in whole))


def shows_marker(grey: NDArray[np.uint8], number: int, place: int, around: NDArray[np.float64]) -> bool:
    """Tell whether a mat's marker is seen in a grey picture (height, width) where points (n, 2) on it should be."""
    low, high = around.min(axis=0), around.max(axis=0)
    middle, reach = (low + high) / 2, high - low
    left, top = np.maximum(middle - reach, 0).astype(int)
    right, bottom = np.ceil(middle + reach).astype(int) + 1
    _, ids, _ = _detector().detectMarkers(np.ascontiguousarray(grey[top:bottom, left:right]))
    return ids is not None and 4 * number + place in ids


def well_seen(mats: Sequence[Mat]) -> list[Mat]:
    """Give those mats of which two markers or more are seen: one alone tells little of the camera."""
    return [mat for mat in mats if not mat.by_one_marker]


@cache
def _detector() -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.adaptiveThreshWinSizeMin = 13
    parameters.adaptiveThreshWinSizeMax = 33
    parameters.adaptiveThreshWinSizeStep = 20
    # a marker that the picture's border cuts a corner from is still read; its lost corner is left out later
    parameters.minDistanceToBorder = 0
    parameters.polygonalApproxAccuracyRate = 0.06
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), parameters)


def _consistent(seen: list[tuple[int, NDArray[np.float64]]]) -> dict[int, NDArray[np.float64]]:
    """Choose the most markers that make one flat mat; between as many, those that fit best."""
    for count in range(min(len(seen), 4), 1, -1):
        choices = [markers for chosen in combinations(seen, count) if len(markers := dict(chosen)) == count]
        fits = [(_misfit(markers), markers) for markers in choices]
        good = [fit for fit in fits if fit[0] <= MISFIT]
        if good:
            return _without_strays(min(good, key=lambda fit: fit[0])[1])
    whole = [marker for marker in seen if np.isfinite(marker[1]).all()]
    largest = max(whole, key=lambda marker: cv2.contourArea(marker[1].astype(np.float32)), default=None)
    return {largest[0]: largest[1]} if largest else {}


def _lies_on(mat: Mat, other: Mat) -> bool:
    """Tell whether a mat's only marker is on the paper of another one, of which more is seen."""
    width, height = MAT_SIZE
    paper = _shown(*other.points(), np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]))
    (corners,) = mat.markers.values()
    x, y = corners.mean(axis=0).tolist()
    return cv2.pointPolygonTest(paper.astype(np.float32), (x, y), measureDist=False) > 0


def _without_strays(markers: dict[int, NDArray[np.float64]]) -> dict[int, NDArray[np.float64]]:
    """Leave out corners, of at most one in four, that lie elsewhere than all others put them."""
    mat, picture = matched_corners(markers)
    for _ in range(len(markers)):
        seen = np.flatnonzero(np.isfinite(picture).all(axis=1))
        if len(seen) < FELLOWS:
            break
        off = _off(mat[seen], picture[seen], mat[seen], picture[seen])
        # a stray corner draws the others' plane towards it by no more than half its way
        if float(off.max()) < STRAY / 2:
            break
        strays = []
        for corner in seen[np.argsort(-off)[:SUSPECTS]].tolist():
            others = seen[seen != corner]
            *fit, own = _off(mat[others], picture[others], mat[[*others, corner]], picture[[*others, corner]])
            usual = float(np.sqrt(np.mean(np.square(fit))))
            if own > max(STRAY, STRAYS * usual):
                strays.append((usual, corner))
        if not strays:
            break
        picture[min(strays)[1]] = np.nan
    return dict(zip(sorted(markers), picture.reshape(-1, 4, 2), strict=True))


def matched_corners(markers: Mapping[int, NDArray[np.float64]]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give all corners of a mat's markers, the places in order: (n, 2) in mm of the mat frame, and in pixels or nan."""
    places = sorted(markers)
    mat = np.concatenate([marker_corners(place) for place in places])
    return mat, np.concatenate([markers[place] for place in places])


def _misfit(markers: Mapping[int, NDArray[np.float64]]) -> float:
    """Give the largest distance of a corner from the common plane's, as a share of the markers' spread."""
    mat, picture = Mat(TRAY, markers).points()
    if len(mat) < 4:
        return float("inf")
    return float(_off(mat, picture, mat, picture).max() / np.ptp(picture, axis=0).max())


def _off(
    known: NDArray[np.float64], shown: NDArray[np.float64], mat: NDArray[np.float64], picture: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Give how far, in pixels, points (n, 2) of a mat lie in the picture from where known ones put them, (n,)."""
    return np.asarray(np.linalg.norm(_shown(known, shown, mat) - picture, axis=1))


def _shown(known: NDArray[np.float64], shown: NDArray[np.float64], mat: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give where known points put others (n, 2) of a mat in the picture, (n, 2); infinitely far if they make none."""
    plane = np.asarray(cv2.findHomography(known, shown, 0)[0])
    if plane.shape != (3, 3):
        return np.full(mat.shape, np.inf)
    return np.asarray(cv2.perspectiveTransform(mat.reshape(-1, 1, 2), plane).reshape(-1, 2))
