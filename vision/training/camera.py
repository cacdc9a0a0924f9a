"""What the camera and the way to a crop do to a scene: light, foreshortening, blur, noise, JPEG, resampling."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.scene import COLUMNS, MARGIN, ROWS, SHARP, Canvas, blotches, half_plane

_PX_PER_MM = 18 / 6.75
"""Scale of the crop contract: 18 px of ink for a figure in the middle of 5.5..8 mm (TABLE.md, Cards)."""


def photograph(rng: np.random.Generator, scene: Canvas, hard: float) -> NDArray[np.uint8]:
    """One crop (32, 48) uint8 of a scene. `hard` 0..1 scales how far everything may go."""
    lit = _light(rng, scene, hard)
    # Source resolution on the card, and how much of its height the view leaves (TABLE.md, Rack).
    scale = float(np.exp(rng.uniform(np.log(2.6 - 0.6 * hard), np.log(5.5)))) / _PX_PER_MM
    squeeze = rng.uniform(0.8 - 0.4 * hard, 1.0 - 0.15 * hard)
    if scale * squeeze * 18 < 5.5:
        squeeze = 5.5 / 18 / scale
    sigma = _sigma(rng, hard)
    lit = _shrink_blur(lit, scale, squeeze, sigma)
    if rng.random() < 0.25 * hard:
        lit = _motion(rng, lit, scale)
    residual = _residual(rng, hard)
    to_source, size = _source(rng, scale, squeeze)
    source = np.asarray(
        cv2.warpPerspective(lit, to_source @ residual, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
        np.float32,
    )
    pixels = _develop(rng, source, hard)
    to_crop = _contract() @ np.linalg.inv(to_source)
    way = cv2.INTER_CUBIC if rng.random() < 0.4 else cv2.INTER_LINEAR
    crop = cv2.warpPerspective(pixels, to_crop, (48, 32), flags=way, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(crop, np.uint8)


def _light(rng: np.random.Generator, scene: Canvas, hard: float) -> Canvas:
    """Uneven light, a shadow's edge, texture, glare."""
    lit = scene
    if rng.random() < 0.5:
        lit = lit * (1 + blotches(rng, rng.uniform(15, 60)) * np.float32(rng.uniform(0, 0.25)))
    if rng.random() < 0.3:
        lit = lit + blotches(rng, rng.uniform(0.4, 3)) * np.float32(rng.uniform(0, 0.05 + 0.03 * hard))
    if rng.random() < 0.1 + 0.15 * hard:
        soft = rng.uniform(0.5, 12)
        edge = half_plane(rng.uniform(-14, 14), rng.uniform(-1.5, 1.5), soft)
        edge = edge if rng.random() < 0.5 else 1 - edge
        lit = lit * (1 - edge * np.float32(rng.uniform(0.1, 0.65)))
    if rng.random() < 0.1 + 0.2 * hard:
        lit = lit + _glare(rng) * np.float32(rng.uniform(0.1, 0.9))
    return np.asarray(lit, np.float32)


def _glare(rng: np.random.Generator) -> Canvas:
    """A lamp's reflection on the card's varnish: a blob or a band, soft or hard at its rim."""
    ys, xs = np.mgrid[0:ROWS, 0:COLUMNS].astype(np.float32) / SHARP
    x0, y0 = rng.uniform(0, COLUMNS / SHARP), rng.uniform(0, ROWS / SHARP)
    turn = rng.uniform(0, np.pi)
    along = (xs - x0) * np.cos(turn) + (ys - y0) * np.sin(turn)
    across = (ys - y0) * np.cos(turn) - (xs - x0) * np.sin(turn)
    far = (along / rng.uniform(4, 30)) ** 2 + (across / rng.uniform(2, 12)) ** 2
    return np.asarray(np.exp(-(far ** rng.uniform(0.8, 3))), np.float32)


def _sigma(rng: np.random.Generator, hard: float) -> float:
    """Defocus in source pixels."""
    return float(rng.uniform(0.2, 0.6) if rng.random() < 0.6 else rng.uniform(0.4, 0.7 + 1.0 * hard))


def _shrink_blur(lit: Canvas, scale: float, squeeze: float, sigma: float) -> Canvas:
    """Blur for defocus and for the pixel's own area, before the picture is sampled at the source's pixels."""
    per_x = SHARP / scale
    per_y = SHARP / (scale * squeeze)
    own = 0.35
    spread = (sigma**2 + own**2) ** 0.5
    return np.asarray(cv2.GaussianBlur(lit, (0, 0), sigmaX=per_x * spread, sigmaY=per_y * spread), np.float32)


def _motion(rng: np.random.Generator, lit: Canvas, scale: float) -> Canvas:
    length = max(3, round(rng.uniform(0.5, 3.0) * SHARP / scale) | 1)
    kernel = np.zeros((length, length), np.float32)
    middle, turn = length // 2, rng.uniform(0, np.pi)
    dx, dy = round(middle * np.cos(turn)), round(middle * np.sin(turn))
    cv2.line(kernel, (middle - dx, middle - dy), (middle + dx, middle + dy), 1.0)
    return np.asarray(cv2.filter2D(lit, -1, kernel / kernel.sum()), np.float32)


def _residual(rng: np.random.Generator, hard: float) -> NDArray[np.float64]:
    """What the finder left undone: turn, shear and perspective about the centre (canvas to canvas)."""
    turn = np.radians(rng.normal(0, 2.0 + 5.0 * hard)).clip(-0.26, 0.26)
    shear = rng.normal(0, 0.03 + 0.08 * hard)
    tip = rng.normal(0, 0.0003, 2) * hard
    cos, sin = np.cos(turn), np.sin(turn)
    middle = np.array([[1, 0, -COLUMNS / 2], [0, 1, -ROWS / 2], [0, 0, 1]])
    bent = np.array([[cos, -sin + shear, 0], [sin, cos, 0], [tip[0], tip[1], 1]])
    return np.asarray(np.linalg.inv(middle) @ bent @ middle)


def _source(rng: np.random.Generator, scale: float, squeeze: float) -> tuple[NDArray[np.float64], tuple[int, int]]:
    """Canvas to camera pixels: foreshortened, then turned as the camera hangs; and the size of that picture."""
    kind = rng.random()
    turn = rng.uniform(-0.35, 0.35) if kind < 0.75 else rng.uniform(-np.pi, np.pi)
    cos, sin = np.cos(turn), np.sin(turn)
    flat = np.diag([scale / SHARP, scale * squeeze / SHARP, 1.0])
    turned = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1.0]]) @ flat
    x0, y0 = MARGIN * SHARP, MARGIN * SHARP
    corners = np.array([[x0, y0, 1], [COLUMNS - x0, y0, 1], [COLUMNS - x0, ROWS - y0, 1], [x0, ROWS - y0, 1]]).T
    seen = turned @ corners
    pad = rng.uniform(2, 9, 2)
    low = seen[:2].min(axis=1) - pad
    high = seen[:2].max(axis=1) + 3
    shift = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1.0]])
    width, height = np.ceil(high - low).astype(int)
    return shift @ turned, (int(width), int(height))


def _contract() -> NDArray[np.float64]:
    """Canvas to crop pixels, pixel centres on pixel centres."""
    half = (1 / SHARP - 1) / 2
    return np.array([[1 / SHARP, 0, half - MARGIN], [0, 1 / SHARP, half - MARGIN], [0, 0, 1.0]])


def _develop(rng: np.random.Generator, source: Canvas, hard: float) -> NDArray[np.uint8]:
    """Exposure, tone curve, sharpening, noise, JPEG."""
    exposed = np.clip(source * rng.uniform(0.35, 1.15) + rng.uniform(0, 0.06), 0, 1) ** rng.uniform(0.5, 1.5)
    if rng.random() < 0.35:
        soft = cv2.GaussianBlur(exposed, (0, 0), rng.uniform(0.7, 1.4))
        exposed = exposed + (exposed - soft) * rng.uniform(0.3, 1.5)
    noise = rng.uniform(0, 2.5) if rng.random() < 0.6 else rng.uniform(1, 4 + 9 * hard)
    grain = rng.standard_normal(source.shape).astype(np.float32) * np.float32(noise)
    if rng.random() < 0.4:
        grain = np.asarray(cv2.GaussianBlur(grain, (0, 0), 0.7), np.float32) * 1.6
    pixels = np.asarray(np.clip(exposed * 255 + grain, 0, 255), np.uint8)
    if rng.random() < 0.7:
        quality = int(rng.integers(70, 97) if rng.random() > 0.5 * hard else rng.integers(25, 75))
        coded = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        pixels = np.asarray(cv2.imdecode(coded, cv2.IMREAD_GRAYSCALE), np.uint8)
    return pixels
