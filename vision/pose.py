"""Where a mat lies before the camera: from its markers to a projection of millimetres into pixels."""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.mats import Mat

INSET: Final = (0.3, 0.3)
"""Blur draws a dark marker's corners towards its middle: by so many pixels, and so differently. (In 153 recorded
pictures of measured cameras by 0.22 to 0.54; where white paper is bleached by a pixel and more.) Not reckoned with, it
puts edges of cards half a millimetre to three off where two markers are seen."""
CORNER_NOISE: Final = 0.25
"""By so many pixels a marker's corner is off otherwise, in the same pictures."""
RIVAL: Final = 4.0
"""A plane's other pose is refined, too, if its error is less than so many times the better one's: of 4664 poses before
any lens the other one came out better 20 times, its error having been up to 3.2 times as large."""


@dataclass(frozen=True)
class Lens:
    """A camera's inner measures for the picture at hand: 3x3 matrix in pixels and OpenCV's distortion.

    Those of a camera that was not `calibrated` are a guess.
    """

    matrix: NDArray[np.float64]
    distortion: NDArray[np.float64]
    calibrated: bool = True


@dataclass(frozen=True)
class Pose:
    """A mat before a camera: x_camera = rotation @ x_mat + translation, in mm; `error` is in pixels (rms).

    `printed` is how large the mat is, as a share of what it should be (TABLE.md, Mats), `behind` how far the rack
    stands behind its place on the mat and `aside` how far to the right of it, in mm, and `turned` how far it is turned
    there, in degrees, counterclockwise: the pose is then that of a mat under the rack.
    """

    lens: Lens
    rotation: NDArray[np.float64]
    translation: NDArray[np.float64]
    error: float
    printed: float = 1.0
    behind: float = 0.0
    turned: float = 0.0
    aside: float = 0.0

    def project(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Project (..., 3) points in mm of the mat frame to (..., 2) pixels."""
        flat = np.ascontiguousarray(points, dtype=np.float64).reshape(-1, 1, 3)
        pixels, _ = cv2.projectPoints(flat, self.vector, self.translation, self.lens.matrix, self.lens.distortion)
        return np.asarray(pixels, dtype=np.float64).reshape(*points.shape[:-1], 2)

    @cached_property
    def vector(self) -> NDArray[np.float64]:
        """The rotation as OpenCV's vector, (3, 1)."""
        return np.asarray(cv2.Rodrigues(self.rotation)[0], np.float64)

    def printed_at(self, share: float, corner: tuple[float, float]) -> "Pose":
        """Give the pose if the mat is smaller (or larger, beyond 1) by a share than this pose has it.

        The point `corner`, in mm of the mat frame, stays where it is on the paper: it is printed there.
        """
        turned = self.rotation @ np.array([*corner, 0.0])
        translation = share * (turned + self.translation) - turned
        return replace(self, translation=np.asarray(translation), printed=self.printed * share)

    def farther_back(self, depth: float) -> "Pose":
        """Give the pose of a mat that lies so many mm farther back, seen from its own front."""
        translation = self.translation + self.rotation @ np.array([0.0, depth, 0.0])
        return replace(self, translation=translation, behind=self.behind + depth)

    def farther_right(self, way: float) -> "Pose":
        """Give the pose of a mat that lies so many mm farther to the right, seen from its own front."""
        translation = self.translation + self.rotation @ np.array([way, 0.0, 0.0])
        return replace(self, translation=translation, aside=self.aside + way)

    def turned_by(self, degrees: float, corner: tuple[float, float]) -> "Pose":
        """Give the pose of a mat that is turned counterclockwise about a point of it, in mm of the mat frame."""
        pose, angle = self.farther_right(-self.aside).farther_back(-self.behind), math.radians(degrees)
        cosine, sine = math.cos(angle), math.sin(angle)
        turn = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
        about = np.array([*corner, 0.0])
        translation = pose.translation + pose.rotation @ (about - turn @ about)
        turned = replace(pose, rotation=pose.rotation @ turn, translation=translation, turned=self.turned + degrees)
        return turned.farther_back(self.behind).farther_right(self.aside)

    def in_place(self, corner: tuple[float, float]) -> "Pose":
        """Give the pose of the mat itself, whose rack's place is at a `corner`: neither moved nor turned."""
        if not (self.turned or self.behind or self.aside):
            return self
        return self.farther_right(-self.aside).farther_back(-self.behind).turned_by(-self.turned, corner)

    def camera(self) -> NDArray[np.float64]:
        """Give the camera's place (3,) in mm of the mat frame."""
        return -self.rotation.T @ self.translation

    def at_level(self, point: tuple[float, float, float], level: float) -> tuple[float, float]:
        """Give where (x and y) a point of the mat frame appears at another level of it, seen from the camera."""
        x, y, z = self.camera().tolist()
        farther = (z - level) / (z - point[2])
        return x + (point[0] - x) * farther, y + (point[1] - y) * farther


def pose_of(mat: Mat, lens: Lens) -> Pose | None:
    """Find a mat's pose from its markers; None where no pose with the camera above the table fits.

    What blur and glare take of the markers' rims is made good (INSET).
    """
    flat, picture = mat.points()
    points = np.column_stack([flat, np.zeros(len(flat))])
    first = _fitted(points, picture, lens)
    return None if first is None else _with_whole_markers(first, points, picture, mat.outwards())


def _fitted(points: NDArray[np.float64], picture: NDArray[np.float64], lens: Lens) -> Pose | None:
    """Find the pose in which points (n, 3), in mm of the mat frame, are seen at pixels (n, 2).

    A plane seen from afar fits two poses nearly as well; the better one with the camera above the mat is taken.
    """
    if len(points) < 4:
        return None
    try:
        count, rotations, translations, errors = cv2.solvePnPGeneric(
            points, picture, lens.matrix, lens.distortion, flags=cv2.SOLVEPNP_IPPE
        )
    except cv2.error:  # points that make no plane at all
        return None
    poses: list[Pose] = []
    least = float(errors[0, 0])  # the better one comes first
    for vector, translation, rough in zip(rotations[:count], translations[:count], errors.ravel(), strict=True):
        if poses and rough > RIVAL * least:
            break
        refined, moved = cv2.solvePnPRefineLM(
            points, picture, lens.matrix, lens.distortion, vector.copy(), translation.copy()
        )
        rotation, _ = cv2.Rodrigues(refined)
        pose = Pose(lens, np.asarray(rotation, dtype=np.float64), np.asarray(moved, dtype=np.float64).ravel(), 0.0)
        error = math.sqrt(float(np.mean(np.sum((pose.project(points) - picture) ** 2, axis=1))))
        if pose.camera()[2] > 0 and np.isfinite(error):
            poses.append(Pose(lens, pose.rotation, pose.translation, error))
    return min(poses, key=lambda pose: pose.error, default=None)


def _with_whole_markers(
    pose: Pose, points: NDArray[np.float64], picture: NDArray[np.float64], out: NDArray[np.float64]
) -> Pose:
    """Give the pose if markers' corners, seen at `picture` (n, 2), are drawn in along `out` (n, 2) as is likeliest.

    Both are found at once, by a step of least squares from the pose that was found without: it is a small one.
    """
    lens = pose.lens
    pixels, slopes = cv2.projectPoints(points, pose.vector, pose.translation, lens.matrix, lens.distortion)
    moves, steps = np.linalg.qr(slopes[:, :6])
    off, grown = (np.ravel(part) for part in (picture - pixels.reshape(-1, 2), out))
    # what a move of the mat explains tells nothing of its markers' rims
    off_else, grown_else = (part - moves @ (moves.T @ part) for part in (off, grown))
    usual, spread = INSET
    sure = (CORNER_NOISE / spread) ** 2
    inset = (sure * usual - grown_else @ off_else) / (sure + grown_else @ grown_else)
    step = np.linalg.lstsq(steps, moves.T @ (off + inset * grown), rcond=None)[0]
    rotation, _ = cv2.Rodrigues(pose.vector.ravel() + step[:3])
    error = math.sqrt(2 * float(np.mean(np.square(off_else + inset * grown_else))))
    return Pose(lens, np.asarray(rotation, dtype=np.float64), pose.translation + step[3:], error)
