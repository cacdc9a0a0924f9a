"""Where a mat lies before the camera: from its markers to a projection of millimetres into pixels."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import CameraModel
from vision.mats import Mat

PLAUSIBLE_FOCAL = 0.8
"""Focal length over picture width of a common webcam (about 64 degrees across), where nothing better is known."""
FOCAL_RANGE = (0.5, 2.5)
"""Focal lengths over picture width that are believed when they are found from the mats."""


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

    `printed` is how large the mat is, as a share of what it should be (TABLE.md, Mats).
    """

    lens: Lens
    rotation: NDArray[np.float64]
    translation: NDArray[np.float64]
    error: float
    printed: float = 1.0

    def project(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Project (..., 3) points in mm of the mat frame to (..., 2) pixels."""
        flat = np.ascontiguousarray(points, dtype=np.float64).reshape(-1, 1, 3)
        pixels, _ = cv2.projectPoints(flat, self._vector, self.translation, self.lens.matrix, self.lens.distortion)
        return np.asarray(pixels, dtype=np.float64).reshape(*points.shape[:-1], 2)

    @cached_property
    def _vector(self) -> NDArray[np.float64]:
        return np.asarray(cv2.Rodrigues(self.rotation)[0], np.float64)

    def printed_at(self, share: float, corner: tuple[float, float]) -> "Pose":
        """Give the pose if the mat is smaller (or larger, beyond 1) by a share than this pose has it.

        The point `corner`, in mm of the mat frame, stays where it is on the paper: it is printed there.
        """
        turned = self.rotation @ np.array([*corner, 0.0])
        translation = share * (turned + self.translation) - turned
        return replace(self, translation=np.asarray(translation), printed=self.printed * share)

    def camera(self) -> NDArray[np.float64]:
        """Give the camera's place (3,) in mm of the mat frame."""
        return -self.rotation.T @ self.translation


def lens_of(mats: Sequence[Mat], size: tuple[int, int], camera: CameraModel | None) -> Lens:
    """Give the lens for a picture of a size (width, height) in pixels.

    A calibrated camera counts if the picture has its proportions (else it was cropped and the matrix means nothing).
    Otherwise the focal length comes from the mats' own perspective (square pixels, principal point in the middle).
    """
    width, height = size
    if camera is not None and abs(camera.size[0] * height - camera.size[1] * width) <= 0.01 * camera.size[0] * height:
        scale = np.diag([width / camera.size[0], height / camera.size[1], 1.0])
        return Lens(scale @ np.asarray(camera.matrix, dtype=np.float64), np.asarray(camera.distortion))
    focal = _focal(mats, size)
    matrix = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
    return Lens(matrix, np.zeros(5), calibrated=False)


def pose_of(mat: Mat, lens: Lens) -> Pose | None:
    """Find a mat's pose from its markers; None where no pose with the camera above the table fits.

    A plane seen from afar fits two poses nearly as well; the better one with the camera above the mat is taken.
    """
    flat, picture = mat.points()
    points = np.column_stack([flat, np.zeros(len(flat))])
    if len(points) < 4:
        return None
    try:
        count, rotations, translations, _ = cv2.solvePnPGeneric(
            points, picture, lens.matrix, lens.distortion, flags=cv2.SOLVEPNP_IPPE
        )
    except cv2.error:  # points that make no plane at all
        return None
    poses = []
    for vector, translation in zip(rotations[:count], translations[:count], strict=True):
        refined, moved = cv2.solvePnPRefineLM(
            points, picture, lens.matrix, lens.distortion, vector.copy(), translation.copy()
        )
        rotation, _ = cv2.Rodrigues(refined)
        pose = Pose(lens, np.asarray(rotation, dtype=np.float64), np.asarray(moved, dtype=np.float64).ravel(), 0.0)
        error = math.sqrt(float(np.mean(np.sum((pose.project(points) - picture) ** 2, axis=1))))
        if pose.camera()[2] > 0 and np.isfinite(error):
            poses.append(Pose(lens, pose.rotation, pose.translation, error))
    return min(poses, key=lambda pose: pose.error, default=None)


def _focal(mats: Sequence[Mat], size: tuple[int, int]) -> float:
    """Find the focal length in pixels at which the mats' homographies are nearest to those of rigid planes.

    Only mats with two markers or more count. The sum over mats of the squared misfits of pose is smallest there;
    it is searched over a logarithmic grid, since the sum is smooth but can be flat (a mat seen straight from above).
    """
    width, height = size
    wide = [mat for mat in mats if len(mat.markers) >= 2]
    ratios = np.geomspace(*FOCAL_RANGE, 24)
    if not wide:
        return PLAUSIBLE_FOCAL * width
    errors = []
    for ratio in ratios:
        matrix = np.array([[ratio * width, 0, (width - 1) / 2], [0, ratio * width, (height - 1) / 2], [0, 0, 1]])
        poses = [pose_of(mat, Lens(matrix, np.zeros(5))) for mat in wide]
        errors.append(sum(pose.error**2 if pose else 1e6 for pose in poses))
    # a grid point counts by how little it is worse than the best; the prior keeps flat sums near a common webcam
    noise = min(errors) + 0.05
    cost = np.asarray(errors) / noise + 0.5 * (np.log(ratios / PLAUSIBLE_FOCAL) / 0.35) ** 2
    best = int(np.argmin(cost))
    return float(ratios[best] * width)
