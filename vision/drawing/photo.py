"""From light to a picture as a camera gives it: exposure, lens blur, noise, tone and JPEG."""

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.drawing.camera import View
from vision.drawing.scene import Photo

Picture = NDArray[np.uint8]
POOL = 512
"""Side of the stored field of noise; each picture takes another part of it, repeated."""
GRAINS = (0.0, 1.5, 2.5, 4.0)
"""Sizes of blotches for which noise is stored; others take the nearest."""
WHITE = 0.85
"""Reflectance of white paper."""


def take_photo(light: NDArray[np.float32], view: View, photo: Photo, paper_light: float) -> Picture:
    """Turn a painted sheet's light (height, width, 3) into the camera's picture, uint8 BGR; the light is used up.

    `paper_light` is the light (mean of the colours) that falls on the middle of the mats, for the exposure.
    """
    chance = np.random.default_rng(photo.seed)
    gains = np.array(photo.balance) * photo.exposure / max(paper_light * WHITE, 1e-6)
    light *= _falling_off(photo, (light.shape[1], light.shape[0]), gains)
    if photo.bloom:
        _bloom(light, photo.bloom)
    # from here on brightness has a gamma of 2: noise of light is then alike in dark and bright parts
    seen = view.bend(np.asarray(cv2.sqrt(light), np.float32))
    seen = _blurred(seen, photo)
    if photo.sharpen:
        seen = np.asarray(
            cv2.addWeighted(seen, 1 + photo.sharpen, cv2.GaussianBlur(seen, (0, 0), 1.4), -photo.sharpen, 0)
        )
    _add_noise(seen, photo, chance)
    levels = np.asarray(cv2.convertScaleAbs(np.maximum(seen, 0, out=seen), alpha=255), np.uint8)
    picture: Picture = np.asarray(cv2.LUT(levels, _curve(photo.contrast)), np.uint8)
    if photo.saturation != 1:
        picture = _saturated(picture, photo.saturation)
    return as_jpeg(picture, photo.quality)


def as_jpeg(picture: Picture, quality: int) -> Picture:
    """Give a picture as it comes out of a JPEG file; 0 leaves it as it is."""
    if not quality:
        return picture
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _falling_off(photo: Photo, size: tuple[int, int], gains: NDArray[np.float64]) -> NDArray[np.float32]:
    """Give the gain at each pixel: the lens's corners are darker, and a soft shade may lie over one side."""
    columns, rows = 32, 18
    x, y = np.linspace(-1, 1, columns)[None, :], np.linspace(-1, 1, rows)[:, None]
    square = (x * x + y * y * (rows / columns) ** 2) / (1 + (rows / columns) ** 2)
    field = 1 - photo.vignette * square**1.5
    across, strength = photo.shade
    if strength:
        angle = np.radians(across)
        side = x * np.cos(angle) + y * np.sin(angle)
        field = field * (1 - strength * np.clip(0.5 + 2.2 * side, 0, 1))
    small = (field[..., None] * gains).astype(np.float32)
    return np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_LINEAR), np.float32)


def _bloom(light: NDArray[np.float32], strength: float) -> None:
    """Let what is very bright shine over its surroundings, in place."""
    small = cv2.resize(light, None, fx=0.125, fy=0.125, interpolation=cv2.INTER_AREA)
    glow = cv2.GaussianBlur(np.maximum(small - 0.9, 0), (0, 0), 5)
    if float(glow.max()) > 0.01:
        light += cv2.resize(glow, (light.shape[1], light.shape[0])) * np.float32(strength)


def _blurred(seen: NDArray[np.float32], photo: Photo) -> NDArray[np.float32]:
    """Blur by motion and by the lens, more so away from the plane of focus (`focus`: a height in the picture, 0..1)."""
    length = float(np.hypot(*photo.motion))
    if length > 0.5:
        side = 2 * int(np.ceil(length / 2)) + 3
        kernel = np.zeros((side, side), np.float32)
        middle, half = side / 2 - 0.5, np.array(photo.motion) / 2
        ends = [tuple(int(v) for v in np.round((middle + sign * half) * 16)) for sign in (-1, 1)]
        cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, shift=4)
        seen = np.asarray(cv2.filter2D(seen, -1, kernel / kernel.sum()), np.float32)
    near = np.asarray(cv2.GaussianBlur(seen, (0, 0), photo.blur), np.float32) if photo.blur > 0.25 else seen
    if photo.depth < 0.2:
        return near
    far = np.asarray(cv2.GaussianBlur(seen, (0, 0), photo.blur + photo.depth), np.float32)
    rows = np.linspace(0, 1, seen.shape[0], dtype=np.float32)
    share = np.clip(np.abs(rows - photo.focus) * 2, 0, 1)[:, None]
    mixed = np.subtract(far, near, out=far).reshape(seen.shape[0], -1)
    mixed *= share
    mixed += near.reshape(mixed.shape)
    return mixed.reshape(seen.shape)


def _add_noise(seen: NDArray[np.float32], photo: Photo, chance: np.random.Generator) -> None:
    """Add the sensor's noise, a part of it in blotches as is left after denoising, in place."""
    height, width = seen.shape[:2]
    for strength, size in ((photo.noise, 0.0), (photo.grain, photo.grain_size)):
        if strength <= 0:
            continue
        y, x = (int(v) for v in chance.integers(0, POOL, 2))
        stored = _pool(min(GRAINS, key=lambda grain: abs(grain - size)) if size else 0.0)
        pool = np.roll(stored, (-y, -x), axis=(0, 1)) * np.float32(strength / 255)
        for top in range(0, height, POOL):
            for left in range(0, width, POOL):
                part = seen[top : top + POOL, left : left + POOL]
                rows, columns = part.shape[:2]
                part += pool[:rows, :columns]


@lru_cache(maxsize=len(GRAINS))
def _pool(size: float) -> NDArray[np.float32]:
    """Give noise of sigma 1 in blotches of `size` pixels, (POOL, POOL, 3), whose borders fit each other."""
    chance = np.random.default_rng(1000 + round(size * 10))
    grey = chance.standard_normal((POOL, POOL, 1), np.float32)
    field = np.float32(0.8) * grey + np.float32(0.6) * chance.standard_normal((POOL, POOL, 3), np.float32)
    if size > 0:
        edge = 4 * round(size)
        wrapped = cv2.copyMakeBorder(field, edge, edge, edge, edge, cv2.BORDER_WRAP)
        field = np.asarray(cv2.GaussianBlur(wrapped, (0, 0), size / 2), np.float32)[edge:-edge, edge:-edge]
    return np.asarray(field / field.std(), np.float32)


@lru_cache(maxsize=8)
def _curve(contrast: float) -> NDArray[np.uint8]:
    """Give the camera's curve as a table: an S of some strength; negative values flatten (a hazy picture)."""
    x = np.arange(256) / 255
    bent = x + contrast * (x * x * (3 - 2 * x) - x) if contrast >= 0 else 0.5 + (x - 0.5) * (1 + contrast)
    return np.clip(np.round(255 * bent), 0, 255).astype(np.uint8)


def _saturated(picture: Picture, saturation: float) -> Picture:
    """Make colours stronger or weaker."""
    weights = np.array([0.114, 0.587, 0.299])
    mix = saturation * np.eye(3) + (1 - saturation) * np.tile(weights, (3, 1))
    return np.asarray(cv2.transform(picture, mix), np.uint8)
