"""What changed since the last picture of a still camera: sampled at known places, so that only those are read again."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.mats import marker_corners
from vision.pose import Pose

STRONGEST: Final = 12
"""A group of samples has changed by the mean of its so many strongest changes: a few square millimetres."""

CHANGED: Final = 6.5
"""So many times the noise is a change. In recorded rounds a new card makes 12 or more, an untouched one below 7."""

STIRRED: Final = 1.35
"""A group changes so many times as strongly as most where it is not merely seen once more: those are within a tenth."""

LEAST_NOISE: Final = 0.7
"""Grey levels of noise that are taken for granted."""

PARTS: Final = 4
"""Changes are ranked in so small parts of a grey level, up to 255 of them: far above MOST."""

LEAST: Final = 6.0
MOST: Final = 25.0
"""Grey levels below the first are no change, whatever the noise, and above the second one."""

GRAIN: Final = 5
"""Where noise is as strong as a change may be, so many neighbours are taken together: what changed is as wide."""

ALIKE: Final = (2.0, 0.1)
"""A point shows the same if, the light being reckoned with, it differs by no more than so many grey levels, and such a
share of its brightness: of few grey levels, the light itself is told to a tenth only."""

SOFT: Final = 0.05
"""What is over paper makes it darker or brighter by more than this share; a pushed rack's shadow mostly does not."""

LARGE: Final = 0.12
"""Something covers a group of points if so many of them have changed: an arm does, a card's shadow moves less."""

BLEACHED: Final = 250
"""What is so bright may be brighter than the picture shows."""

ANOTHER_LIGHT: Final = 0.03
"""A light that has grown by more than such a share may have done so unevenly: a lamp was carried, or switched on."""

DARK: Final = 30
EACH: Final = 2
"""Points that are darker tell nothing of that; of the others every second one is asked, ..."""

LEAST_TOLD: Final = 0.15
"""... and such a share must tell it: where nearly all paper is bleached, a hand alone would tell it."""

NEARER: Final = 3
"""So often it is found anew which points show the same, by what those before tell."""

PAPER: Final = 0.12
"""Paper is as bright as most of it to such a share: light falls off across a mat."""

SETTLED: Final = 0.995
"""A marker that correlates so well with itself as it was has not moved; a shift by a pixel makes 0.95 to 0.99."""

ACROSS: Final = 14
"""A marker is sampled at so many places in each direction, a fifth of its side beyond its border."""


@dataclass(frozen=True)
class Reference:
    """Groups of points in a picture and their grey levels when they were looked at last, (groups, n).

    `points` (groups, n, 2) are in pixels of the halved picture, in which they are looked at.
    """

    points: NDArray[np.float32]
    values: NDArray[np.float32]

    @staticmethod
    def of(half: NDArray[np.uint8], groups: Sequence[NDArray[np.floating]]) -> "Reference":
        """Remember how groups of points, (n, 2) each in pixels of the whole picture, look in the halved one."""
        return Reference.at(half, halved(np.stack(groups)))

    @staticmethod
    def at(half: NDArray[np.uint8], points: NDArray[np.float32]) -> "Reference":
        """Remember how `points` of the halved picture look; beyond its border they are black."""
        # one map with both coordinates takes a quarter less time than two
        seen = cv2.remap(half, points, None, cv2.INTER_LINEAR)  # type: ignore[call-overload]
        return Reference(points, seen.astype(np.float32))

    @cached_property
    def bright(self) -> NDArray[np.int64]:
        """Where (indices into all points) the brighter half of every third is: dark ones tell nothing of the light."""
        some = self.values.ravel()[::3]
        return 3 * np.argpartition(some, len(some) // 2)[len(some) // 2 :]

    @cached_property
    def centred(self) -> NDArray[np.float32]:
        """The grey levels, each group's about its mean."""
        return np.asarray(self.values - self.values.mean(axis=1, keepdims=True))

    @cached_property
    def power(self) -> NDArray[np.float32]:
        """The sum of their squares in each group."""
        return np.asarray((self.centred * self.centred).sum(axis=1))

    def renewed(self, half: NDArray[np.uint8]) -> "Reference":
        """The same places as they look now, in a halved picture."""
        return Reference.at(half, self.points)

    def with_group(self, group: int, now: "Reference") -> "Reference":
        """The same places, one group of them as it looks now."""
        values = self.values.copy()
        values[group] = now.values[group]
        return Reference(self.points, values)

    def changed(self, now: "Reference", *, lit: bool = True) -> NDArray[np.bool_]:
        """Tell for each group whether it looks otherwise now; a light that grew brighter or darker is no change.

        By what most groups show, that is. Where there are so few that one may pass for the light, ask without (`lit`).
        """
        away = self._away(now, lit=lit)
        strongest, least = _strongest(away)
        if least >= MOST:
            strongest, least = _strongest(np.asarray(cv2.blur(away, (GRAIN, 1)), np.float32))
        return np.asarray(strongest > least)

    def stirred(self, now: "Reference", changed: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Tell for each group whether it may have changed: it differs more than most do, if by less than noise may.

        More, that is, than most of those that have not surely `changed`, (groups,).
        """
        strongest, _ = _strongest(self._away(now))
        usual = np.median(strongest if changed.all() else strongest[~changed])
        return np.asarray(strongest > STIRRED * usual)

    def _away(self, now: "Reference", *, lit: bool = True) -> NDArray[np.float32]:
        # in whole grey levels, as the noise is told
        seen = np.rint(now.values / self.light(now)) if lit else now.values
        return np.asarray(seen - self.values, np.float32)

    def covered(self, now: "Reference", large: float = LARGE, *, bared: bool = True) -> bool:
        """Tell whether something large is over a group now: more than such a share of its points have changed.

        Points beyond the picture's border, which are black, do not count; `bared` as in `over`.
        """
        count = (self.values > 0).sum(axis=1)
        share = self.over(now, bared=bared).sum(axis=1) / np.maximum(count, 1)
        return bool((share[count > STRONGEST] > large).any())

    def over(self, now: "Reference", *, bared: bool = True) -> NDArray[np.bool_]:
        """Tell for each point, (groups, n) in square grids, whether something is over it now.

        `bared`: whether points count, too, that have become as bright as most are: something was over them before.
        """
        inside = self.values > 0
        if not inside.any():
            return inside
        away = now.values / self.lights(now) - self.values
        # what is bleached may be brighter than it can show
        away[((self.values >= BLEACHED) & (away > 0)) | ((now.values >= BLEACHED) & (away < 0))] = 0.0
        least = np.maximum(_least_change(_middle(np.abs(away[inside]))), np.float32(SOFT) * self.values)
        over = (np.abs(away) > least) & (_locally(away, inside) > least) & inside
        rest = inside & ~over
        if not bared and rest.any():
            usual = np.median(now.values[rest])
            over &= (away < 0) | (np.abs(now.values - usual) > PAPER * usual)
        return np.asarray(over)

    def alike(self, now: "Reference") -> NDArray[np.float64]:
        """Correlate each group with itself as it looks now: 1 for the same picture in whatever light."""
        power = np.sqrt(self.power * now.power)
        return np.asarray((self.centred * now.centred).sum(axis=1) / np.maximum(power, 1e-6), dtype=np.float64)

    def light(self, now: "Reference") -> np.float32:
        """Give by how much the light has grown, by all points that show the same: some may show something else now."""
        before, after = self.values.ravel()[self.bright], now.values.ravel()[self.bright]
        ratios = after / np.maximum(before, 1.0)
        about = max(float(np.partition(ratios, len(ratios) // 2)[len(ratios) // 2]), 0.1)
        same = np.abs(after - about * before) <= ALIKE[0] + ALIKE[1] * before
        return np.float32(max(float(after[same].sum()), 1.0) / max(float(before[same].sum()), 1.0))

    @cached_property
    def level(self) -> NDArray[np.float32]:
        """What a light that changes evenly across the picture is made of at each point, (3, all points)."""
        points = self.points.reshape(-1, 2)
        middle, size = points.mean(axis=0), max(float(np.ptp(points, axis=0).max()), 1.0)
        return np.asarray(np.vstack([np.ones(len(points)), ((points - middle) / size).T]), np.float32)

    def lights(self, now: "Reference") -> NDArray[np.float32]:
        """Give by how much the light has grown at each point, (groups, n), evenly from side to side or not.

        By all points that show the same, and are not bleached: some may show something else now.
        """
        light = self.light(now)
        factors = self._unevenly(now) if abs(light - 1) > ANOTHER_LIGHT else None
        if factors is None:
            return np.full_like(self.values, light)
        return np.asarray(np.maximum(factors @ self.level, np.float32(0.1)).reshape(self.values.shape), np.float32)

    def _unevenly(self, now: "Reference") -> NDArray[np.float32] | None:
        """Give the factors (3,) of `level` that tell how much the light has grown; None where too few points tell."""
        before, after = self.values.ravel()[::EACH], now.values.ravel()[::EACH]
        told = (before > DARK) & (before < BLEACHED) & (after < BLEACHED)
        before, after, level = before[told], after[told], self.level[:, ::EACH][:, told]
        least = LEAST_TOLD * len(told)
        if len(before) < least:
            return None
        factors = np.array([np.median(after / before), 0.0, 0.0], np.float32)
        for _ in range(NEARER):
            expected = before * (factors @ level)
            same = np.abs(after - expected) <= ALIKE[0] + ALIKE[1] * expected
            if same.sum() < least:
                break
            factors = np.linalg.lstsq((level[:, same] * before[same]).T, after[same], rcond=1e-3)[0]
        return factors


def correlation(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> float:
    """Correlate two pictures of one size, each smoothed against noise: 1 for the same in whatever light."""
    parts = [cv2.blur(picture, (3, 3)).astype(np.float64) for picture in (one, other)]
    first, second = (part - part.mean() for part in parts)
    power = np.sqrt((first * first).sum() * (second * second).sum())
    return float((first * second).sum() / max(power, 1e-6))


def halved(points: NDArray[np.floating]) -> NDArray[np.float32]:
    """Turn points (..., 2) in pixels of the whole picture into those of the halved one."""
    return np.asarray(points.astype(np.float32) / 2 - 0.25, np.float32)


def _strongest(away: NDArray[np.float32]) -> tuple[NDArray[np.float64], float]:
    """Give each group's strongest changes of (groups, n) points, and how strong they must be to be more than noise."""
    # of bytes, NumPy's stable sort is a count, which takes a fifth of the time; what is too much for them is a change
    ranked = np.sort(cv2.convertScaleAbs(away, alpha=PARTS), axis=1, kind="stable")
    # a group that changed altogether must not pass for noise
    strongest, middle = ranked[:, -STRONGEST:].mean(axis=1), int(ranked[:, ranked.shape[1] // 2].min())
    return strongest / PARTS, _least_change(middle / PARTS)


def _locally(away: NDArray[np.float32], inside: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Give by how much grids of points, (groups, n), are away about each point: what covers some covers neighbours too.

    Noise does not: a camera that sees little light has more of it than a hand differs from a dark paper.
    """
    side = math.isqrt(away.shape[1])
    both = np.concatenate([away * inside, inside]).astype(np.float32).reshape(-1, side, side).transpose(1, 2, 0)
    mean = cv2.blur(np.ascontiguousarray(both), (3, 3)).transpose(2, 0, 1).reshape(2, *away.shape)
    return np.asarray(np.abs(mean[0]) / np.maximum(mean[1], 1e-6))


def _middle(values: NDArray[np.float32]) -> float:
    """Give the median of every third value: exact enough, and these are asked for in each picture."""
    some = values.ravel()[::3]
    return float(np.partition(some, len(some) // 2)[len(some) // 2])


def _least_change(middle: float) -> float:
    """Give by how many grey levels a point has changed, where half of those that have not are off by `middle`."""
    return min(max(CHANGED * max(1.48 * middle, LEAST_NOISE), LEAST), MOST)


def grid(
    pose: Pose, across: NDArray[np.float64], along: NDArray[np.float64], height: float = 0.0
) -> NDArray[np.float64]:
    """Points (n, 2) in the picture, in pixels, of a grid in mm of the mat frame at a height above the mat."""
    x, y = np.meshgrid(across, along)
    return pose.project(np.column_stack([x.ravel(), y.ravel(), np.full(x.size, height)]))


def marker_points(pose: Pose, place: int) -> NDArray[np.float64]:
    """Where in the picture a mat's marker is sampled: (ACROSS ** 2, 2) pixels, by the mat's pose."""
    corners = marker_corners(place)
    middle, half = corners.mean(axis=0), (corners.max(axis=0) - corners.min(axis=0)) / 2 * 1.2
    steps = np.linspace(-1, 1, ACROSS)
    return grid(pose, middle[0] + half[0] * steps, middle[1] + half[1] * steps)
