"""When is a picture worth reading? Once it has stopped changing: no hand moves, no card slides.

A camera's pictures are compared at low resolution, which costs next to nothing, and read only when they stand still.
An LED in view that goes on and off again is no movement (`Lamps`): blinking, it would never let a scene stand. Nor is
what moves beside the mats (vision.region).
"""

import math
from collections import deque
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame
from vision.region import TILES, Region
from vision.thumbnails import Thumbnails, differs

STILL_AFTER: Final = 0.4
"""Seconds for which a picture must have stood, where no second picture shows that it did."""

UNWATCHED: Final = 1.0
"""Where no picture came for more seconds, a card may have been changed unseen: a hand takes one or two. In thumbnails
one number in place of another makes as little difference as noise (8 grey levels in a drawn one). A camera that takes
its pictures half as far apart, or farther, sees no less than usual."""

RESTLESS: Final = 3.0
"""After so many seconds in which nothing stood still it may be that something moves all the time: a television."""

ALIKE: Final = 6.0
"""Grey levels by which a tile may differ where it looks as it did before: noise and JPEG alone."""

SPOT: Final = 0.06
"""A lamp changes less than this share of the tiles: an LED with its glow and what mirrors it 0.3 to 4.7 %, in drawn
pictures; a hand with its arm changes 15 % or more in recorded rounds."""

SWAY: Final = 0.01
"""A shadow that sways changes less than this share of the tiles from picture to picture, often: so it is in 71 of 184
pairs on end of unlike pictures of still scenes in nine drawn evenings, and in none of 540 between which something was
moved (1.9 % and more)."""

LOOKS: Final = 6
"""So many ways in which a still scene has looked are remembered: with a lamp on and off, and over some plays."""


class Lamps:
    """Knows lamps that go on and off before one camera, from thumbnails.

    A small spot that changes between two looks, both of which have stood there before, at a place where that has
    happened before, is a lamp. Whatever looks otherwise there is none, however small it is: a card, a finger.
    """

    def __init__(self) -> None:
        """Know of no lamp yet."""
        self._stood: deque[NDArray[np.float32]] = deque(maxlen=LOOKS)
        self._places = np.zeros(TILES[::-1], np.uint8)

    def stands(self, small: NDArray[np.float32], least: float, where: Region | None) -> None:
        """Remember how a scene looks that stands still `where` it is, (90, 160), or all over, if it never looked so.

        Some tile there differs by more than `least` then.
        """
        if all(differs(known, small, least, where) for known in self._stood):
            self._stood.append(small)

    def changed(self, before: NDArray[np.float32], after: NDArray[np.float32], spot: NDArray[np.bool_]) -> bool:
        """Whether nothing but lamps is where two thumbnails differ, the `spot`; remember where one may be."""
        if spot.mean() > SPOT or not (self._known(before[spot], spot) and self._known(after[spot], spot)):
            return False
        again = bool(self._places[spot].all())
        # what is brightest about a lamp is sharp, its glow ends in another tile now and then
        self._places |= cv2.dilate(spot.astype(np.uint8), np.ones((3, 3), np.uint8))
        return again

    def _known(self, levels: NDArray[np.float32], spot: NDArray[np.bool_]) -> bool:
        """Whether the tiles of a spot, all of them at a time, have stood there with these grey levels before."""
        return any(float(np.abs(stood[spot] - levels).max()) <= ALIKE for stood in self._stood)


class _Moves(NamedTuple):
    """What is otherwise in a thumbnail than in the one before.

    here: something where it matters. moved: that has moved and is no lamp; elsewhere: so where it does not matter.
    share: of all tiles, those that differ.
    """

    here: bool
    moved: bool
    elsewhere: bool
    share: float


class Stillness:
    """Tells which of one camera's pictures to read: those that stand still, and of those no more than are needed.

    Two settled pictures of one scene are read (a single look may be wrong); the rest of a still scene is not, but where
    it is asked for. Where a lamp went on or off, two more are read of the same scene: a card that is put back where it
    was would look alike. Where it is known what of the picture `matters`, what moves elsewhere does not keep a scene
    from standing; where it has come to rest otherwise than before, something may be new there, and one more is read.
    What stands as it stood before a time without any pictures is another scene, for what has moved was not seen.
    """

    def __init__(self, wanted: int = 2) -> None:
        """Want that many looks at each still scene. `scenes` counts how often something has moved, wherever it was."""
        self._wanted = wanted
        self._latest: Frame | None = None
        self._small: NDArray[np.float32] | None = None
        self._shown: NDArray[np.float32] | None = None
        self._lamps = Lamps()
        self._thumbnails = Thumbnails()
        self._at, self._apart = math.inf, 0.0
        self._since = 0.0
        self._restless_since = 0.0
        self._read = 0
        self._left = 0
        self._latest_read = False
        self._sways = False
        self.scenes = 0

    def matters(self, tiles: Region | None) -> None:
        """Take which part of the pictures matters, (90, 160); None: all of it (see vision.region)."""
        self._thumbnails.focus(tiles)

    def add(self, t: float, frame: Frame) -> list[tuple[float, Frame]]:
        """Take a picture at time `t` (seconds, rising); return those to be read now, with their times.

        A picture that another one bears out was still itself, so both are good to read. They come without bands.
        """
        seen = self._thumbnails.of(frame)
        small, least = seen.levels, seen.least
        if seen.bands is not None:
            frame = frame.lit_evenly(seen.bands)
        here, moved, elsewhere, share = self._compared(small, least)
        unwatched, self._at, self._apart = self.unwatched(t), t, t - self._at
        self._sways = share < SWAY and not unwatched
        self.scenes += moved or elsewhere or unwatched
        ready: list[tuple[float, Frame]] = []
        if moved and (self._read > 0 or self._small is None):
            self._restless_since = t
        if moved or unwatched:
            self._latest, self._since, self._read, self._left = None, t, 0, self._wanted
        if not moved:
            if self._latest is not None and not self._latest_read and self._left > 0:
                ready.append((self._since, self._latest))
            if here:
                self._left = self._wanted + len(ready)
            else:
                self._lamps.stands(small, least, self._thumbnails.matters if elsewhere else None)
                if not elsewhere and self._is_new_elsewhere(small, least):
                    self._left = max(self._left, 1 + len(ready))
            if self._left > len(ready):
                ready.append((t, frame))
        self._read += len(ready)
        self._left -= len(ready)
        self._latest, self._small = frame, small
        self._latest_read = any(shown is frame for _, shown in ready)
        if ready:
            self._shown = small
        return ready

    def _compared(self, small: NDArray[np.float32], least: float) -> _Moves:
        """Hold a thumbnail against the one before."""
        before = self._small
        if before is None:
            return _Moves(here=True, moved=True, elsewhere=False, share=1.0)
        spots = cv2.absdiff(before, small) > least
        if not spots.any():
            return _Moves(here=False, moved=False, elsewhere=False, share=0.0)
        here = spots if self._thumbnails.matters is None else spots & self._thumbnails.matters
        around = spots ^ here
        return _Moves(
            here=bool(here.any()),
            moved=bool(here.any()) and not self._lamps.changed(before, small, here),
            elsewhere=bool(around.any()) and not self._lamps.changed(before, small, around),
            share=float(spots.mean()),
        )

    def _is_new_elsewhere(self, small: NDArray[np.float32], least: float) -> bool:
        """Whether what does not matter looks otherwise than in the latest picture that was read."""
        if self._thumbnails.matters is None or self._shown is None:
            return False
        return differs(self._shown, small, least, ~self._thumbnails.matters)

    @property
    def latest(self) -> Frame | None:
        """The latest picture."""
        return self._latest

    @property
    def latest_read(self) -> bool:
        """Whether the latest picture was read."""
        return self._latest_read

    @property
    def sways(self) -> bool:
        """Whether the latest picture is much like the one right before it, whatever little in it has moved."""
        return self._sways

    @property
    def read_so_far(self) -> int:
        """How many pictures of the present scene were read."""
        return self._read

    @property
    def moving(self) -> bool:
        """Whether something has moved since the last picture that was read."""
        return self._read == 0

    def unwatched(self, t: float) -> bool:
        """Whether the latest picture is so old at time `t` that something may have moved since without being seen."""
        return t > self._at + max(UNWATCHED, 2 * self._apart)

    def restless(self, t: float) -> bool:
        """Whether nothing has stood still by time `t` for RESTLESS seconds, or since this was true last."""
        if self._read > 0 or t < self._restless_since + RESTLESS:
            return False
        self._restless_since = t
        return True

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
