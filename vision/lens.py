"""The lens of a camera for the picture at hand: calibrated, or guessed from the mats' markers.

What is guessed is the focal length and how much the lens bends straight lines, as wide ones do. Its middle is taken for
the picture's, and its pixels for squares, unless the mats plainly say otherwise.
"""

import math
from collections.abc import Callable, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import CameraModel
from vision.mats import Mat, well_seen
from vision.moved import lies_still
from vision.pose import Lens, pose_of

PLAUSIBLE_FOCAL: Final = 0.8
"""Focal length over picture width of a common webcam (about 64 degrees across), where nothing better is known."""
FOCALS: Final = tuple(math.log(PLAUSIBLE_FOCAL) + 0.2 * step for step in range(-4, 7))
"""Logarithms of focal lengths over picture width that are tried (0.36 to 2.7), then those between them."""
FOCAL_SPREAD: Final = 0.35
"""Common cameras' focal lengths differ so much in their logarithm."""
MEASURES: Final = 8
"""Of a mat's 32 measures, corners in two directions, no more than so many err independently."""
FLOOR: Final = 0.05
"""Squared pixels that are added to each misfit: poses that fit better than this fit equally well."""
NO_POSE: Final = 1e6
DOUBTED: Final = 5.0
"""A calibrated lens whose misfit is so many times that of the guess is another camera's. (One of 1,119 that were right
is doubted so; of others whose focal length was a fifth off, 94 %; curled mats, their corners up by 10 mm, 1 %.)"""
GOOD: Final = 0.5
"""Nor is one doubted whose misfit, in squared pixels, is no more than this."""

POOR: Final = 1.2
"""Where the misfit is more, in squared pixels, the picture's pixels may be no squares. (Of 40 stills none has more.)"""
SQUEEZES: Final = tuple(0.1 * step for step in range(-6, 7))
"""Logarithms of a pixel's height over its width that are tried (0.55 to 1.8), then those between: some webcams, relays
and capture sticks squeeze 16:9 into 4:3, or stretch 4:3."""
RATIOS: Final = (0.75, 4 / 3)
"""Such ratios are common: 16:9 squeezed into 4:3, and 4:3 stretched to 16:9."""
COMMON, UNCOMMON, SQUEEZE_SPREAD = 5.0, 8.0, 0.3
"""What it costs (natural logarithms) to take pixels for such, and for any others that are no squares; and how far those
are from it, about. (At 5 for all, 5 of 1100 drawn pictures of square pixels were said to be squeezed, now 2.)"""
NEARLY: Final = 0.01
"""Up to this logarithm ratios are one."""

BENDS: Final = tuple(0.1 * step for step in range(-10, 6))
"""Bends that are tried, then those between; at the plausible focal length, a lens 100 degrees across may have -0.6."""
BEND_SPREAD: Final = 0.1
"""Most lenses bend less than this, but few bend far more: the prior is Student's, with two degrees of freedom."""
CORNER_NOISE: Final = 0.5
"""Pixels by which a marker's corner is found amiss."""
INSET: Final = 0.5
"""Blur draws a dark marker's corners towards its middle, by about so many pixels (0.2 to 0.4 where it was measured).
Not reckoned with, it makes markers seem as small as a lens does that bends inwards. (What is measured of both, by which
a pose is found (vision.pose), told bends no better: of 100 drawn tables each, as bright and twice as bright.)"""
ENOUGH: Final = 6
"""Of a mat with fewer corners each fits any bend."""


class KnownLens:
    """The lens of one camera, which stays as it was told while the camera stands still and no more of the mats is seen.

    To guess it takes as long as to look at a picture, and far longer where mats do not lie flat.
    """

    def __init__(self, camera: CameraModel | None) -> None:
        """Know nothing yet; `camera` is None where it is not calibrated."""
        self._camera = camera
        self._lens: Lens | None = None
        self._told_by: dict[int, Mat] = {}
        self._of: tuple[tuple[int, int], float | None] | None = None

    def seen_by(self, mats: Sequence[Mat], size: tuple[int, int], ratio: float | None = None) -> Lens:
        """Give the lens for a picture that shows these mats (see lens_of)."""
        wide = well_seen(mats)
        if self._lens is None or self._of != (size, ratio) or not self._still_told(wide, self._lens):
            self._lens, self._of = lens_of(wide, size, self._camera, ratio), (size, ratio)
            self._told_by = {mat.number: mat for mat in wide}
        return self._lens

    def _still_told(self, mats: Sequence[Mat], lens: Lens) -> bool:
        known = [(self._told_by.get(mat.number), mat) for mat in mats]
        told = [(before, mat) for before, mat in known if before and len(mat.markers) <= len(before.markers)]
        # where nothing is seen that could tell, the lens is still the same
        return not mats or (len(told) == len(mats) and any(lies_still(before, mat, lens) for before, mat in told))


def lens_of(mats: Sequence[Mat], size: tuple[int, int], camera: CameraModel | None, ratio: float | None = None) -> Lens:
    """Give the lens for a picture of a size (width, height) in pixels.

    A calibrated camera counts if the picture has its proportions (else it was cropped and the matrix means nothing),
    and if it explains how the mats look: another camera, zoom or mode of the sensor shows them otherwise. Else the lens
    is guessed from how the mats are seen. `ratio` is its pixels' height over their width, if that is known.
    """
    wide = well_seen(mats)
    measured = _measured(size, camera)
    if measured is None or not wide:
        return measured or guessed(wide, size, ratio)
    misfit = _misfit(wide, measured)
    if misfit <= GOOD:
        return measured
    # mats that curl fit no lens: pixels of all shapes, which takes long, are tried where common ones fit far better
    common = (1.0, *RATIOS) if ratio is None else (ratio,)
    if misfit <= DOUBTED * min(_misfit(wide, _of_pixels(wide, size, other)) for other in common):
        return measured
    guess = guessed(wide, size, ratio)
    return guess if misfit > DOUBTED * _misfit(wide, guess) else measured


def _measured(size: tuple[int, int], camera: CameraModel | None) -> Lens | None:
    width, height = size
    if camera is None or abs(camera.size[0] * height - camera.size[1] * width) > 0.01 * camera.size[0] * height:
        return None
    scale = np.diag([width / camera.size[0], height / camera.size[1], 1.0])
    return Lens(scale @ np.asarray(camera.matrix, dtype=np.float64), np.asarray(camera.distortion))


def guessed(mats: Sequence[Mat], size: tuple[int, int], ratio: float | None = None) -> Lens:
    """Guess the lens from mats that show two markers or more each; a common webcam's where there is none.

    Its pixels are taken for squares, unless the mats fit far better if they are none, or their `ratio` is known.
    """
    if ratio is not None:
        return _of_pixels(mats, size, ratio)
    square = _of_square_pixels(mats, size)
    if not mats or _misfit(mats, square) <= POOR:
        return square

    def cost(by: float) -> float:
        return how_unlikely(mats, _of_pixels(mats, size, math.exp(by)))

    by = _least(cost, SQUEEZES)
    return _of_pixels(mats, size, math.exp(min(by, *map(math.log, RATIOS), key=cost)))


def pixel_ratio(lens: Lens) -> float:
    """Give the height of a lens' pixels over their width: 1 for squares, less for a squeezed picture."""
    return float(lens.matrix[0, 0] / lens.matrix[1, 1])


def how_unlikely(mats: Sequence[Mat], lens: Lens) -> float:
    """Tell how unlikely a guessed lens is by how the mats lie and by its pixels: a natural logarithm."""
    by = math.log(pixel_ratio(lens))
    odd = UNCOMMON + (by / SQUEEZE_SPREAD) ** 2 / 2
    if any(abs(by - math.log(ratio)) <= NEARLY for ratio in RATIOS):
        odd = COMMON
    return MEASURES / 2 * math.log(_misfit(mats, lens)) + (odd if abs(by) > NEARLY else 0.0)


def _of_pixels(mats: Sequence[Mat], size: tuple[int, int], ratio: float) -> Lens:
    """Guess the lens of pixels of a `ratio` (pixel_ratio)."""
    lens = _of_square_pixels([_stretched(mat, 1 / ratio) for mat in mats], (size[0] / ratio, size[1]))
    return Lens(np.diag([ratio, 1.0, 1.0]) @ lens.matrix, lens.distortion, calibrated=False)


def _stretched(mat: Mat, times: float) -> Mat:
    """Give a mat as it is seen in a picture that is so many times as wide."""
    return Mat(mat.number, {place: corners * [times, 1.0] for place, corners in mat.markers.items()})


def _of_square_pixels(mats: Sequence[Mat], size: tuple[float, float]) -> Lens:
    """Guess the lens of square pixels.

    How much it bends comes first: that is seen whatever the focal length. Over those the poses' misfit is smooth, but
    can be flat (a mat seen straight from above): then a common webcam's is nearest.
    """
    if not mats:
        return _lens(PLAUSIBLE_FOCAL, size, 0.0)
    bend = _bend(mats, size)

    def cost(focal: float) -> float:
        unlikely = ((focal - math.log(PLAUSIBLE_FOCAL)) / FOCAL_SPREAD) ** 2 / 2
        return MEASURES / 2 * math.log(_misfit(mats, _lens(math.exp(focal), size, bend))) + unlikely

    return _lens(math.exp(_least(cost, FOCALS)), size, bend)


def _least(cost: Callable[[float], float], tried: Sequence[float]) -> float:
    """Give where a smooth cost is least, by trying evenly spaced places, then three times those half as far off."""
    step = tried[1] - tried[0]
    best = min((cost(place), place) for place in tried)
    for part in (2, 4, 8):
        best = min(best, *((cost(place), place) for place in (best[1] - step / part, best[1] + step / part)))
    return best[1]


def _misfit(mats: Sequence[Mat], lens: Lens) -> float:
    """Tell how badly mats lie in their poses, in squared pixels: the mean over mats, and FLOOR."""
    poses = [pose_of(mat, lens) for mat in mats]
    return float(np.mean([pose.error**2 if pose else NO_POSE for pose in poses])) + FLOOR


def _lens(ratio: float, size: tuple[float, float], bend: float) -> Lens:
    """Give a lens of a focal length, over the picture's width, that bends so much at the plausible focal length.

    Of lenses that bend as one of another focal length does, the distortion goes with the square of that. The second
    coefficient is the first one's square: then no bend, however strong, folds the picture over.
    """
    width, height = size
    focal = ratio * width
    matrix = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
    first = bend * (ratio / PLAUSIBLE_FOCAL) ** 2
    return Lens(matrix, np.array([first, first**2, 0.0, 0.0, 0.0]), calibrated=False)


def _bend(mats: Sequence[Mat], size: tuple[float, float]) -> float:
    """Find the bend without which each mat's corners lie as a flat mat's do, whatever the focal length."""
    shown = [(flat, picture, mat.outwards()) for mat in mats for flat, picture in [mat.points()] if len(flat) >= ENOUGH]
    if not shown:
        return 0.0

    def cost(bend: float) -> float:
        unlikely = 3.0 * math.log1p((bend / BEND_SPREAD) ** 2 / 2.0)
        return _unevenness(shown, _lens(PLAUSIBLE_FOCAL, size, bend)) + unlikely

    return _least(cost, BENDS)


Corners = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]
"""Of a mat's corners, each (n, 2): mm of the mat frame, pixels, and how each moves if the markers grow by a pixel."""


def _unevenness(shown: Sequence[Corners], lens: Lens) -> float:
    """Tell how badly corners fit flat mats through a lens (-2 log likelihood) at the markers' likeliest inset."""
    square, mixed, rest = 1 / INSET**2, 0.0, 0.0
    for flat, picture, out in shown:
        off = _off(flat, picture, lens)
        slope = _off(flat, picture + out, lens) - off
        square += float(slope @ slope) / CORNER_NOISE**2
        mixed += float(slope @ off) / CORNER_NOISE**2
        rest += float(off @ off) / CORNER_NOISE**2
    return rest - mixed**2 / square


def _off(flat: NDArray[np.float64], picture: NDArray[np.float64], lens: Lens) -> NDArray[np.float64]:
    """Give how far (2n,), in pixels, corners are from the flat mat that fits them best, once the lens is undone."""
    exact = (cv2.TERM_CRITERIA_COUNT + cv2.TERM_CRITERIA_EPS, 40, 1e-9)
    straight = cv2.undistortPoints(picture.reshape(-1, 1, 2), lens.matrix, lens.distortion, criteria=exact)
    straight = straight.reshape(-1, 2) * lens.matrix[0, 0]
    plane = np.asarray(cv2.findHomography(flat, straight, 0)[0])
    if plane.shape != (3, 3):
        return np.full(straight.size, 1e3)
    return np.asarray(cv2.perspectiveTransform(flat.reshape(-1, 1, 2), plane).reshape(-1, 2) - straight).ravel()
