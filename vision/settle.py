"""When is a picture worth reading? Once it has stopped changing: no hand moves, no card slides.

A camera's pictures are compared at low resolution, which costs next to nothing, and read only when they stand still.
An LED in view that goes on and off again is no movement (`Lamps`): blinking, it would never let a scene stand. Nor are
bands of light that wander through the picture (`Bands`).
"""

from collections import deque
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame

THUMBNAIL: Final = (160, 90)
"""Width and height of the picture that is compared."""

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

STILL_AFTER: Final = 0.4
"""Seconds for which a picture must have stood, where no second picture shows that it did."""


ALIKE: Final = 6.0
"""Grey levels by which a tile may differ where it looks as it did before: noise and JPEG alone."""

SPOT: Final = 0.06
"""A lamp changes less than this share of the tiles: an LED with its glow and what mirrors it 0.3 to 4.7 %, in drawn
pictures; a hand with its arm changes 15 % or more in recorded rounds."""

ROWS, COLUMNS = 2, 4
"""For bands, every second row and every fourth column of a thumbnail are looked at."""

BLACK: Final = 1.0
"""Grey levels that are added to both of two that are compared: of black ones nothing can be told."""

AGREE: Final = 0.12
"""In a row that a band has changed the middle half of all ratios lies so near together, as a share; what has moved
changes each tile otherwise."""

EVEN, MOST = 0.02, 1.8
"""Less than the first is no band, and more than the second is something else."""

MOSTLY, OTHERS = 0.8, 20
"""After so many pictures in which less than this share of the rows is told, the camera looks at something else."""

LEFT: Final = 0.2
"""Without their bands two pictures of a still scene differ by less than such a share of what they did."""

LOOKS: Final = 6
"""So many ways in which a still scene has looked are remembered: with a lamp on and off, and over some plays."""


def thumbnail(frame: Frame) -> NDArray[np.float32]:
    """A small grey picture, (90, 160), brought to a median of 128, so that a lamp or a cloud is no movement.

    A dark one is made brighter only so far, or its noise would pass for movement.
    """
    grey = cv2.resize(frame.small, THUMBNAIL, interpolation=cv2.INTER_AREA)
    smooth = cv2.blur(grey, (3, 3)).astype(np.float32)
    return smooth * np.float32(128.0 / max(_middle(smooth), DIM))


def _middle(levels: NDArray[np.float32]) -> float:
    """Give the median of every third grey level in both directions."""
    some = np.sort(levels[::3, ::3], axis=None)
    return float(some[len(some) // 2])


def differs(before: NDArray[np.float32], after: NDArray[np.float32], least: float = CHANGED) -> bool:
    """Whether something moved between two thumbnails: some tile differs by more than `least`."""
    return cv2.norm(before, after, cv2.NORM_INF) > least


class Noise:
    """Knows how much noise one camera makes, by the least of late between two of its thumbnails on end."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._deviation: float | None = None

    def least(self, before: NDArray[np.float32] | None, after: NDArray[np.float32]) -> float:
        """Give by how many grey levels a tile must differ to have changed, by the latest two thumbnails, or one."""
        if before is None:
            return CHANGED
        known, now = self._deviation, min(1.48 * _middle(np.asarray(cv2.absdiff(before, after))), NOISIEST)
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
        self._wander = False
        self._others = 0

    def evened(self, small: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32] | None]:
        """Give a thumbnail as if it were lit as the first one, and by how much each of its rows is lit more, (height,).

        As it is, and None, while no bands were seen to wander: until bands are nearly all in which two on end differ.
        """
        bands = self._in_rows(small)
        evened = small if bands is None else small / bands[:, None]
        if self._before is not None:
            away, left = (
                cv2.norm(one, other, cv2.NORM_INF) for one, other in zip(self._before, (small, evened), strict=True)
            )
            self._wander |= away > CHANGED and left < max(CHANGED, LEFT * away)
        self._before = small, evened
        return (evened, bands) if self._wander else (small, None)

    def _in_rows(self, small: NDArray[np.float32]) -> NDArray[np.float32] | None:
        """Give by how much each row is lit more than in the first thumbnail; None where they are lit alike.

        Where things have moved that is not told. If it stays so in many rows, the scene is another, with its own first.
        """
        if self._first is None or self._others >= OTHERS:
            self._first, self._others = small, 0
        ratios = (small[::ROWS, ::COLUMNS] + BLACK) / (self._first[::ROWS, ::COLUMNS] + BLACK)
        ratios.sort(axis=1)
        quarter = ratios.shape[1] // 4
        middle = ratios[:, 2 * quarter]
        told = np.flatnonzero(ratios[:, 3 * quarter] - ratios[:, quarter] < AGREE * middle)
        self._others = self._others + 1 if len(told) < MOSTLY * len(middle) else 0
        if 2 * len(told) < len(middle):
            return None
        bands = np.interp(np.arange(len(small)) / ROWS, told, middle[told]).astype(np.float32)
        return bands.clip(1 / MOST, MOST) if float(np.abs(bands - 1).max()) >= EVEN else None


class Lamps:
    """Knows lamps that go on and off before one camera, from thumbnails.

    A small spot that changes between two looks, both of which have stood there before, at a place where that has
    happened before, is a lamp. Whatever looks otherwise there is none, however small it is: a card, a finger.
    """

    def __init__(self) -> None:
        """Know of no lamp yet."""
        self._stood: deque[NDArray[np.float32]] = deque(maxlen=LOOKS)
        self._places = np.zeros(THUMBNAIL[::-1], np.uint8)

    def stands(self, small: NDArray[np.float32], least: float) -> None:
        """Remember how a still scene looks, if it never looked so: some tile differs by more than `least`."""
        if all(differs(known, small, least) for known in self._stood):
            self._stood.append(small)

    def changed(self, before: NDArray[np.float32], after: NDArray[np.float32], least: float) -> bool:
        """Whether nothing but lamps has changed, by more than `least`, in two thumbnails; remember where one may be."""
        spot = cv2.absdiff(before, after) > least
        if spot.mean() > SPOT or not (self._known(before[spot], spot) and self._known(after[spot], spot)):
            return False
        again = bool(self._places[spot].all())
        # what is brightest about a lamp is sharp, its glow ends in another tile now and then
        self._places |= cv2.dilate(spot.astype(np.uint8), np.ones((3, 3), np.uint8))
        return again

    def _known(self, levels: NDArray[np.float32], spot: NDArray[np.bool_]) -> bool:
        """Whether the tiles of a spot, all of them at a time, have stood there with these grey levels before."""
        return any(float(np.abs(stood[spot] - levels).max()) <= ALIKE for stood in self._stood)


class Stillness:
    """Tells which of one camera's pictures to read: those that stand still, and of those no more than are needed.

    Two settled pictures of one scene are read (a single look may be wrong); the rest of a still scene is not, but where
    it is asked for. Where a lamp went on or off, two more are read of the same scene: a card that is put back where it
    was would look alike.
    """

    def __init__(self, wanted: int = 2) -> None:
        """Want that many looks at each still scene. `scenes` counts how often something has moved."""
        self._wanted = wanted
        self._latest: Frame | None = None
        self._small: NDArray[np.float32] | None = None
        self._lamps = Lamps()
        self._noise = Noise()
        self._bands = Bands()
        self._since = 0.0
        self._read = 0
        self._left = 0
        self._latest_read = False
        self.scenes = 0

    def add(self, t: float, frame: Frame) -> list[tuple[float, Frame]]:
        """Take a picture at time `t` (seconds, rising); return those to be read now, with their times.

        A picture that another one bears out was still itself, so both are good to read. They come without bands.
        """
        small, bands = self._bands.evened(thumbnail(frame))
        if bands is not None:
            frame = frame.lit_evenly(bands)
        least = self._noise.least(self._small, small)
        changed = self._small is None or differs(self._small, small, least)
        ready: list[tuple[float, Frame]] = []
        if self._small is None or (changed and not self._lamps.changed(self._small, small, least)):
            self._since, self._read, self._left = t, 0, self._wanted
            self.scenes += 1
        else:
            if self._latest is not None and not self._latest_read and self._left > 0:
                ready.append((self._since, self._latest))
            if changed:
                self._left = self._wanted + len(ready)
            else:
                self._lamps.stands(small, least)
            if self._left > len(ready):
                ready.append((t, frame))
        self._read += len(ready)
        self._left -= len(ready)
        self._latest, self._small = frame, small
        self._latest_read = any(shown is frame for _, shown in ready)
        return ready

    @property
    def latest(self) -> Frame | None:
        """The latest picture."""
        return self._latest

    @property
    def latest_read(self) -> bool:
        """Whether the latest picture was read."""
        return self._latest_read

    @property
    def read_so_far(self) -> int:
        """How many pictures of the present scene were read."""
        return self._read

    @property
    def moving(self) -> bool:
        """Whether something has moved since the last picture that was read."""
        return self._read == 0

    def unread(self) -> tuple[float, Frame] | None:
        """The latest picture and the time since when it has stood, if it was not read and should be."""
        if self._latest is None or self._latest_read or self._left <= 0:
            return None
        return self._since, self._latest

    def look_again(self) -> None:
        """Ask for one more picture of the present scene: those that were read did not tell enough."""
        self._left = max(self._left, 1)

    def mark_read(self) -> None:
        """Say that the unread picture has been read."""
        self._read += 1
        self._left -= 1
        self._latest_read = True
