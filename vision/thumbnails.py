"""A camera's pictures, small and lit as the first one, so that they can be held against each other at little cost.

Bands of light that wander through the pictures (`Bands`), a lamp, a cloud and grain make no difference between them.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.changes import BLEACHED
from vision.frame import Frame
from vision.region import TILES, Region

CHANGED: Final = 12.0
"""Grey levels, of 255, by which a tile must differ to have changed; noise and JPEG mostly stay below 5 on tiles."""

NOISY: Final = 8.0
"""A camera that sees little light makes more noise: then it must be so many standard deviations of it. Of 1927 pairs
of pictures of still scenes in 45 drawn sessions, many of them noisy, 3 differ more, 122 by more than CHANGED; of 3520
pairs in which a hand comes or goes all do, most of them twenty times as much."""

NOISIEST: Final = 5.0
"""Grey levels: a camera has no more noise on tiles. (The noisiest that could still be read had 4.)"""

WORSE: Final = 1.01
"""From picture to picture noise seems to grow by no more than this: a moving hand is none, a light that goes out is."""

DIM: Final = 64.0
"""Median grey level below which a picture is not made brighter in proportion."""

RELIT: Final = (0.5, 2.0)
"""What matters is brought back to the brightness that it had when it became known, within these limits."""

ROWS, COLUMNS = 2, 4
"""For bands, every second row and every fourth column of a thumbnail are looked at."""

BLACK: Final = 1.0
"""Grey levels that are added to both of two that are compared: of black ones nothing can be told."""

AGREE: Final = 0.12
"""In a row that a band has changed the middle half of all ratios lies so near together, as a share; what has moved
changes each tile otherwise."""

EVEN, MOST = 0.02, 1.8
"""Less than the first is no band, and more than the second is something else."""

ABOUT: Final = 0.4
"""A tile that is bleached may be as bright as before within such a share: bands are no stronger, ..."""

RIM: Final = (5, 5)
"""... and so may a tile about it be: each is smoothed with its neighbours."""

HIGHEST: Final = 1e6
"""Above all ratios."""

FEWEST: Final = 8
"""So few tiles of a row tell nothing."""

LEAST_ROWS: Final = 0.5
"""In so many of the rows it must be told how they are lit."""

MOSTLY, OTHERS = 0.8, 20
"""After so many pictures in which less than this share of the rows is told, the camera looks at something else."""

LEFT: Final = 0.2
"""Without their bands two pictures of a still scene differ by less than such a share of what they did, ..."""

RIMS: Final = round(0.98 * TILES[0] * TILES[1])
"""... but for one tile of fifty: so many differ by less."""


def thumbnail(frame: Frame) -> NDArray[np.float32]:
    """A small grey picture, (90, 160), brought to a median of 128, so that a lamp or a cloud is no movement.

    A dark one is made brighter only so far, or its noise would pass for movement.
    """
    return _lit(_tiles(frame))


def _tiles(frame: Frame) -> NDArray[np.float32]:
    grey = cv2.resize(frame.small, TILES, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.blur(grey, (3, 3)), np.float32)


def _lit(tiles: NDArray[np.float32]) -> NDArray[np.float32]:
    return tiles * np.float32(128.0 / max(_middle(tiles), DIM))


def _middle(levels: NDArray[np.float32], where: Region | None = None) -> float:
    """Give the median of one in nine grey levels, of those `where` it is, (90, 160), or of all."""
    some = levels[::3, ::3] if where is None else levels[where][::9]
    some = np.sort(some, axis=None)
    return float(some[len(some) // 2])


def differs(
    before: NDArray[np.float32],
    after: NDArray[np.float32],
    least: float = CHANGED,
    where: Region | None = None,
) -> bool:
    """Whether something moved between two thumbnails: some tile differs by more than `least`, of those `where` it is.

    `where` is (90, 160); without it all of the picture is looked at.
    """
    mask = None if where is None else where.view(np.uint8)
    return cv2.norm(before, after, cv2.NORM_INF, mask) > least


class Noise:
    """Knows how much noise one camera makes, by the least of late between two of its thumbnails on end."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._deviation: float | None = None

    def least(
        self, before: NDArray[np.float32] | None, after: NDArray[np.float32], where: Region | None = None
    ) -> float:
        """Give by how many grey levels a tile must differ to have changed, by the latest two thumbnails, or one.

        They are compared `where` it is, (90, 160), or all over.
        """
        if before is None:
            return CHANGED
        known, now = self._deviation, min(1.48 * _middle(np.asarray(cv2.absdiff(before, after)), where), NOISIEST)
        self._deviation = now if known is None else min(now, known * WORSE)
        # by the first two alone nobody can tell noise from something large that moves
        return CHANGED if known is None else max(CHANGED, NOISY * self._deviation)


class Bands:
    """Knows how one camera's pictures are lit: in bands that wander, where lamps flicker faster than it exposes.

    People do not see that alternating current makes a lamp flicker. A camera takes a picture's rows one after another:
    some are brighter, in each picture others.
    """

    def __init__(self) -> None:
        """Know no picture yet, and of no bands."""
        self._first: NDArray[np.float32] | None = None
        self._before: tuple[NDArray[np.float32], NDArray[np.float32]] | None = None
        self._as_first = True
        self._bright = np.zeros(TILES[::-1], np.bool_)
        self._wander = False
        self._others = 0

    def evened(
        self, small: NDArray[np.float32], bleached: NDArray[np.bool_] | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.float32] | None]:
        """Give a thumbnail as if it were lit as the first one, and by how much each of its rows is lit more, (height,).

        As it is, and None, while no bands were seen to wander: until bands are nearly all in which two on end differ.
        Of what is `bleached`, (height, width), nothing is told: it may be brighter than it shows.
        """
        bright = np.zeros(small.shape, np.bool_)
        if bleached is not None and bleached.any():
            bright = cv2.dilate(bleached.view(np.uint8), np.ones(RIM, np.uint8)) > 0
        if self._first is None or self._others >= OTHERS:
            self._first, self._others = small, 0
        bands, as_first = self._bands_of(small, self._first, ~(bright | self._bright))
        evened = self._as_far_as_shown(small if bands is None else small / bands[:, None], bright)
        if self._before is not None:
            self._wander = self._wander or (bands is not None and _is_nearly_all(small, evened, *self._before))
            if self._others and as_first:
                stays = np.abs(evened - self._before[1]) <= CHANGED
                self._first = np.where(stays & (np.abs(evened - self._first) > CHANGED), evened, self._first)
        self._before, self._as_first = (small, evened), as_first
        return (evened, bands) if self._wander else (small, None)

    def _bands_of(
        self, small: NDArray[np.float32], first: NDArray[np.float32], dim: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float32] | None, bool]:
        """Give by how much each row is lit more than in the `first` thumbnail, None where alike, and if that is told.

        By what is `dim`. Where things have moved it is not told. What has changed since the first may be told by the
        thumbnail before, which may be lit as that was. If it stays so in many rows, the scene is another, with its own
        first; until then what has changed and stays is remembered as if it were lit as that.
        """
        middle, told = _in_rows(small, first, dim)
        known, as_first = told.mean() >= MOSTLY, True
        self._others = 0 if known else self._others + 1
        if self._before is not None and not told.all():
            by_before, told_by_it = _in_rows(small, self._before[1], dim)
            if self._as_first:
                middle, told = np.where(told, middle, by_before), told | told_by_it
            elif not known and told_by_it.sum() > told.sum():
                middle, told, as_first = by_before, told_by_it, False
        if told.mean() < LEAST_ROWS:
            return None, False
        bands = np.interp(np.arange(len(small)) / ROWS, np.flatnonzero(told), middle[told]).astype(np.float32)
        bands = bands.clip(1 / MOST, MOST)
        return bands if float(np.abs(bands - 1).max()) >= EVEN else None, as_first

    def _as_far_as_shown(self, evened: NDArray[np.float32], bright: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Give a thumbnail without bands, in which what is bleached, or was, is as bright as before if that may be."""
        if self._before is not None and (bright.any() or self._bright.any()):
            before = self._before[1]
            still = (bright & (evened < before)) | (self._bright & (evened > before))
            still &= np.abs(evened - before) < ABOUT * before
            evened, bright = np.where(still, before, evened), bright | still
        self._bright = bright
        return evened


def _is_nearly_all(
    small: NDArray[np.float32],
    evened: NDArray[np.float32],
    before: NDArray[np.float32],
    evened_before: NDArray[np.float32],
) -> bool:
    """Tell whether bands are nearly all in which a thumbnail differs from the one before.

    But for what is bleached in parts: a tile at the rim of white paper.
    """
    away = _but_for_rims(small, before)
    return away > CHANGED and _but_for_rims(evened, evened_before) < max(CHANGED, LEFT * away)


def _but_for_rims(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """By how many grey levels two thumbnails differ at most, but for one tile of fifty."""
    return float(np.partition(np.abs(one - other), RIMS, axis=None)[RIMS])


def _in_rows(
    small: NDArray[np.float32], other: NDArray[np.float32], dim: NDArray[np.bool_]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Give by how much some rows of a thumbnail, (height / ROWS,), are lit more than another's, and where it is told.

    Only what is `dim` in both, (height, width), tells it.
    """
    ratios = (small[::ROWS, ::COLUMNS] + BLACK) / (other[::ROWS, ::COLUMNS] + BLACK)
    ratios[~dim[::ROWS, ::COLUMNS]] = HIGHEST
    ratios.sort(axis=1)
    count = dim[::ROWS, ::COLUMNS].sum(axis=1)
    quarter, each = count // 4, np.arange(len(ratios))
    middle = ratios[each, 2 * quarter]
    return middle, (count >= FEWEST) & (ratios[each, 3 * quarter] - ratios[each, quarter] < AGREE * middle)


@dataclass(frozen=True)
class Thumbnail:
    """A picture as it is compared.

    levels: (90, 160), grey. least: by how many grey levels a tile must differ from the thumbnail before to have
    changed. bands: by how much each row of the picture was lit more than in the first one, (90,), if bands wander.
    """

    levels: NDArray[np.float32]
    least: float
    bands: NDArray[np.float32] | None


class Thumbnails:
    """Makes the thumbnails of one camera's pictures, each lit as the ones before it."""

    def __init__(self) -> None:
        """Know no picture yet, and take all of it to matter."""
        self._bands = Bands()
        self._noise = Noise()
        self._latest: NDArray[np.float32] | None = None
        self._level = 0.0
        self.matters: Region | None = None
        """Which part of the pictures matters, (90, 160); None: all of it (see vision.region)."""

    def focus(self, matters: Region | None) -> None:
        """From now on that part of the pictures matters, (90, 160), or all of it; it is to stay as bright as it is."""
        if matters is not self.matters and matters is not None and self._latest is not None:
            self._level = _middle(self._latest, matters)
        self.matters = matters

    def of(self, frame: Frame) -> Thumbnail:
        """Make the thumbnail of the next picture. Raises PictureError where it is broken."""
        tiles = _tiles(frame)
        levels, bands = self._bands.evened(_lit(tiles), tiles >= BLEACHED)
        if self.matters is not None:
            # a dark coat beside the mats makes them no brighter
            now = max(_middle(levels, self.matters), 1.0)
            self._level = self._level or now
            levels = levels * np.float32(np.clip(self._level / now, *RELIT))
        least = self._noise.least(self._latest, levels, self.matters)
        self._latest = levels
        return Thumbnail(levels, least, bands)
