"""Paper that does not lie flat: printed sheets curl up at their corners and sides, and the markers there with them.

Only where the print is seen changes: a curl is in the light that falls on the table, and throws no shadow.
"""

import math
import random
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.table import MAT_SIZE
from vision.drawing.camera import View
from vision.drawing.places import Placed
from vision.drawing.scene import Curl

CORNERS = (45.0, 135.0, 225.0, 315.0)
SIDES = (0.0, 90.0, 180.0, 270.0)
HIGHEST = 30.0
"""Paper that stands up higher, in mm, is no mat any more."""
STEPS = 8
"""A ray's height where it meets the paper is told by so many steps, each half the way to what the step before says."""
STEEPEST = -0.02
"""A ray falls by at least this much, as a share of its length along the camera's axis."""


def some_curls(chance: random.Random, highest: float) -> tuple[Curl, ...]:
    """Make up how a mat curls, by up to so many mm: some of its corners, or one of its sides, or two that face."""
    if chance.random() < 0.6:
        curled = [towards for towards in CORNERS if chance.random() < 0.6]
        return tuple(
            Curl(towards + chance.uniform(-20, 20), chance.uniform(60, 110), highest * chance.random())
            for towards in curled
        )
    side = chance.choice(SIDES)
    sides = (side, (side + 180) % 360) if chance.random() < 0.3 else (side,)
    return tuple(Curl(towards, chance.uniform(40, 70), highest * chance.uniform(0.4, 1.0)) for towards in sides)


def height_of(curls: Sequence[Curl], x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give how high the paper lies above the table at points of the mat frame, in mm.

    Beyond the paper's end it goes on as at its end.
    """
    height = np.zeros_like(x)
    width, depth = MAT_SIZE
    for curl in curls:
        across, up = math.cos(math.radians(curl.towards)), math.sin(math.radians(curl.towards))
        farthest = max(across, 0.0) * width + max(up, 0.0) * depth
        rising = np.clip(1 - (farthest - across * x - up * y) / curl.over, 0.0, 1.0)
        height = height + curl.height * rising**2
    return height


def met_by_rays(view: View, mat: Placed, pixels: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give where the rays of (..., 2) canvas pixels meet a mat's paper, (..., 2) mm of the mat frame."""
    flat = (pixels - view.middle) / view.camera.focal
    rays = np.concatenate([flat, np.ones((*flat.shape[:-1], 1))], axis=-1) @ view.axes() @ mat.turned()
    down = np.minimum(rays[..., 2], STEEPEST)
    eye = mat.inside(view.eye)
    height = np.zeros(pixels.shape[:-1])
    for _ in range(STEPS):
        met = eye[:2] + rays[..., :2] * ((height - eye[2]) / down)[..., None]
        height = (height + height_of(mat.place.curls, met[..., 0], met[..., 1])) / 2
    return np.asarray(met)
