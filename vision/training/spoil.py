"""Spoils crops as light, hands and bad aim do: what is hard to read shall make the reader unsure, not wrong."""

import cv2
import numpy as np
from numpy.typing import NDArray

Crop = NDArray[np.uint8]

SHARE = 0.35
"""So many crops are spoiled."""


def spoil(rng: np.random.Generator, crop: Crop) -> Crop:
    """One crop (rows, columns), perhaps with glare, a shadow, something before it, noise, blur, turn or offset."""
    if rng.random() > SHARE:
        return crop
    kind = rng.random()
    if kind < 0.4:
        return _veiled(rng, crop)
    if kind < 0.5:
        return _covered(rng, crop)
    if kind < 0.65:
        spread = float(np.ptp(crop)) * rng.uniform(0.03, 0.25)
        grain = rng.standard_normal(crop.shape).astype(np.float32) * np.float32(spread)
        if rng.random() < 0.5:
            grain = np.asarray(cv2.GaussianBlur(grain, (0, 0), 0.8), np.float32) * 2
        return np.asarray(np.clip(crop + grain, 0, 255), np.uint8)
    if kind < 0.75:
        sides = rng.uniform(0.3, 2.2, 2)
        return np.asarray(cv2.GaussianBlur(crop, (0, 0), sigmaX=float(sides[0]), sigmaY=float(sides[1])), np.uint8)
    return _moved(rng, crop)


def _veiled(rng: np.random.Generator, crop: Crop) -> Crop:
    """A reflection that brightens a part of the crop, to white or nearly so; or the opposite, a deep shadow."""
    rows, columns = crop.shape
    ys, xs = np.mgrid[0:rows, 0:columns].astype(np.float32)
    x, y, turn = rng.uniform(0, columns), rng.uniform(0, rows), rng.uniform(0, np.pi)
    along = (xs - x) * np.cos(turn) + (ys - y) * np.sin(turn)
    across = (ys - y) * np.cos(turn) - (xs - x) * np.sin(turn)
    far = np.abs(along / rng.uniform(3, 30)) ** 2 + np.abs(across / rng.uniform(2, 9)) ** 2
    veil = np.exp(-(far ** rng.uniform(0.6, 4))) * rng.uniform(0.25, 1.0)
    if rng.random() < 0.15:
        return np.asarray(crop * (1 - veil), np.uint8)
    # light is added, and a sensor is full at 255; sometimes the veil itself is even and hides what is below
    added = crop + veil * rng.uniform(60, 255) if rng.random() < 0.7 else crop + (250 - crop.astype(np.float32)) * veil
    return np.asarray(np.clip(added, 0, 255), np.uint8)


def _covered(rng: np.random.Generator, crop: Crop) -> Crop:
    """Something of one tone before a part of the crop, with a sharp or soft rim."""
    rows, columns = crop.shape
    cover = np.zeros(crop.shape, np.float32)
    middle = (int(rng.integers(0, columns)), int(rng.integers(0, rows)))
    axes = (int(rng.integers(2, 14)), int(rng.integers(2, 14)))
    cv2.ellipse(cover, middle, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1, cv2.LINE_AA)
    cover = np.asarray(cv2.GaussianBlur(cover, (0, 0), rng.uniform(0.4, 2)), np.float32)
    return np.asarray(crop + (rng.uniform(0, 255) - crop) * cover, np.uint8)


def _moved(rng: np.random.Generator, crop: Crop) -> Crop:
    """Turned, sheared, larger or smaller, and off the middle."""
    rows, columns = crop.shape
    turn, size = np.radians(rng.normal(0, 6)), np.exp(rng.normal(0, 0.1))
    bent = size * np.array([[np.cos(turn), -np.sin(turn) + rng.normal(0, 0.1)], [np.sin(turn), np.cos(turn)]])
    middle = np.array([(columns - 1) / 2, (rows - 1) / 2])
    way = np.column_stack([bent, middle - bent @ middle + rng.normal(0, 1.5, 2)])
    return np.asarray(cv2.warpAffine(crop, way, (columns, rows), borderMode=cv2.BORDER_REPLICATE), np.uint8)
