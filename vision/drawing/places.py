"""Mats in the world: from millimetres of a mat's frame to those of the world and back."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.table import MAT_SIZE
from vision.drawing.scene import MatPlace

MAT_MIDDLE = np.array([MAT_SIZE[0] / 2, MAT_SIZE[1] / 2, 0.0])


@dataclass(frozen=True)
class Placed:
    """A mat at its place."""

    place: MatPlace

    def world(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Turn (..., 3) mm of the mat into mm of the world."""
        return np.asarray(points @ self.turned().T + np.array([*self.place.at, 0.0]))

    def inside(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Turn (..., 3) mm of the world into mm of the mat."""
        return np.asarray((points - np.array([*self.place.at, 0.0])) @ self.turned())

    def turned(self) -> NDArray[np.float64]:
        """Give the mat's turn as a matrix (3, 3), from directions in the mat to those in the world."""
        return about_vertical(self.place.turn)


def about_vertical(degrees: float) -> NDArray[np.float64]:
    """Give the matrix (3, 3) that turns counterclockwise about the vertical."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
