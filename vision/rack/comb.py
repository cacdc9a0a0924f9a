"""How far apart a rack's slots are, by the rack itself: the slots that are free, and their ends and labels at its left.

An empty rack tells it best, and a full one hardly; with cards it is the other way round (vision.rack.printed). Of 300
drawn racks with none to nine cards, of which one led to a change, 229 tell where they stand, to 0.8 mm (standard
deviation), and 174 how large their mats were printed, to 0.9 % and by 2.3 % at worst; of 120 with fewer than five cards
115 and 108. In none of 160 is a slot told to be free in which a card stands.

The first slot alone tells which slot is which, be it free or not: so it is asked where a rack may be a slot off.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import SLOTS, Table
from vision.pose import Pose
from vision.rack.foot import Footing, put_down
from vision.rectify import in_picture, places

DENSE: Final = 2.0
"""Pixels a mm of the picture of the comb's top."""
BEFORE, BEHIND = 34.0, 26.0
"""It is looked at from so many mm before the first slot to so many behind the last one."""
INSET: Final = 1.0
"""So many mm at its left side are left out, ..."""
OVERHANG: Final = 12.0
"""... and so many at its right: there the front is lower, and slots are open."""
LABELS: Final = 3.0
"""What no card hides at the left side tells something if it is so many mm wide."""
TOOTH: Final = 2.6
"""A slot and its label change the brightness within so many mm of the slot's middle; between slots nothing does."""
OFF: Final = np.arange(-14.0, 14.1, 0.5)
"""So many mm behind its measured place a rack may stand, as far as is looked for, ..."""
PUSHED: Final = 0.03
"""... and what each square of that counts against it."""
FRONT: Final = 3.0
"""So much more counts the frontmost slot, which no card hides, and that there is none before it."""
FIRST: Final = 5.0
"""How much counts how clearly that slot is seen, between fits that are a slot off: about as tells 450 pairs of drawn
racks' fits best, one of them right."""
ODD: Final = 0.01
"""So likely it is, beside that it is the first slot (1), that what is seen in its place is something else: of those
pairs three have clearly more like a slot there by the wrong fit."""
CONTRARY, A_SLOT = 0.5, 0.6
"""The first slot is not where the cards have it but a slot off if it is seen so much more clearly, and so clearly,
there. Of 580 racks that were told rightly, 186 of them pushed, none was told otherwise by this; of 15 that were told a
slot off nine were."""
FEWEST: Final = 3
"""From the front so many slots in a row must be free to tell something. At most so many before them may be out of the
picture: farther back, cards' top edges pass for free slots more easily."""
SIZES: Final = np.arange(0.85, 1.065, 0.015)
"""The sizes of a mat that are tried."""
CLEARLY, NEARLY = 2.0, 0.03
"""Another size is told where it fits better by so much, and is so far off, as a share: by less no card is taken to
stand in another slot."""
ALIKE, LEAST = 0.6, 0.35
"""The front slots tell something where all of them are seen about alike, and so clearly; ..."""
LEAST_OF_LABELS, MOST = 0.25, 8
"""...the left side does where so many of its slots and labels are seen so clearly."""
HALF: Final = 0.5
"""A slot is free that is seen half as clearly as the front ones."""
COVERED: Final = 2
"""The frontmost card's own slot looks like a free one: so it was in 155 of 224 drawn racks, and in 11 the next one."""
OTHER: Final = 0.05
"""The size is told where those that differ by such a share fit clearly less well."""
SLID: Final = 2.0
"""Cards may stand so many mm farther left than measured."""
SURE: Final = 0.97
"""So sure is it that what looks like a comb is the rack's."""
MUCH_LESS: Final = 4.0
"""A place a slot off that fits less well by so much (a natural logarithm) is no likelier than that this is no comb
(SURE). Of 300 racks on mats of 88 to 103 %, half of them curled up, one was told a slot off though it fitted less well
by 2.3 alone."""
BESIDE: Final = 6.0
"""Half a slot: the foot of a rack that stands so near where labels have it is no other rack's. In recorded pictures
these seem to be up to 3 mm off it: how high the comb is, is measured by a ruler."""
RIM: Final = 7
"""So many rows about one in which the picture ends tell nothing."""
LEAST_CHANGE: Final = 1e-4
"""Nowhere is it less than that, as a share of the brightness."""
DARKEST: Final = 8.0
"""Grey levels; what is darker is taken to be as bright, or its noise would look like print."""


@dataclass(frozen=True)
class Comb:
    """What is seen of a rack's comb.

    `labels` and `whole` (rows,) are how much the brightness changes along its left side, None where cards may hide it,
    and along all of it: logarithms, from BEFORE mm before the first slot on. `pitch` is that of the slots in mm on a
    mat of the right size, and `printed` the size of the mat, a share of that, by which it is seen so. `covers`: whether
    the camera looks on it so flatly that a card hides the slots behind it. So many rows, from the first on, are
    `beyond` the picture's border. `measured`: whether anybody took the rack's measures.
    """

    labels: NDArray[np.float64] | None
    whole: NDArray[np.float64]
    pitch: float
    printed: float
    covers: bool
    beyond: int = 0
    measured: bool = True

    @staticmethod
    def of(grey: NDArray[np.uint8], pose: Pose, table: Table) -> "Comb":
        """Look at the comb of a rack that stands on its outline, by the pose of its mat, in a grey picture."""
        rack = table.rack
        left, width = rack.at[0] + INSET, rack.width - INSET - OVERHANG
        rows = round(((SLOTS - 1) * rack.pitch + BEFORE + BEHIND) * DENSE)
        corner = np.array([left, rack.at[1] + rack.first - BEFORE + rows / DENSE, rack.height])
        axes = np.array([1.0, 0.0, 0.0]), np.array([0.0, -1.0, 0.0])
        x, y = (at[::-1] for at in places(pose, corner, *axes, (round(width * DENSE), rows), DENSE))
        top = np.asarray(cv2.remap(grey, x, y, cv2.INTER_LINEAR), np.uint8)
        inside = in_picture(x, y, (grey.shape[1], grey.shape[0]))
        free = _free_of_cards(pose, table) - left
        wide = round(free * DENSE) if free >= LABELS else 0
        labels = _changes(top[:, :wide], _beyond(inside[:, :wide])) if wide else None
        covers = _hidden(pose, table) >= rack.pitch + TOOTH
        beyond = _beyond(inside)
        first = int(np.flatnonzero(beyond[: rows // 2]).max(initial=-1)) + 1
        return Comb(labels, _changes(top, beyond), rack.pitch, pose.printed, covers, first, table.measured)

    @property
    def size(self) -> float | None:
        """How large the mat was printed, as a share of what it should be; None where that is not told."""
        return self.told.size if self.told is not None and self.told.sized else None

    @property
    def tells_another_size(self) -> bool:
        """Whether the mat is of another size by it than that by which it is seen."""
        return self.told is not None and self.told.size != self.printed

    def fits(self, size: float) -> float:
        """Say how well the comb fits a size of the mat; a natural logarithm, about."""
        return float(self._fits(np.array([size]))[0].max())

    def fits_in_place(self, size: float) -> float:
        """Say how well the comb fits a size of the mat as fits does, of a rack that was put on its outline by hand."""
        return float((self._fits(np.array([size]))[0][0] + np.log(put_down(OFF))).max())

    def first_slots(self, off: Sequence[float], pitches: Sequence[float]) -> NDArray[np.float64]:
        """Weigh between fits by whether the first slot is seen where each has it: logarithms of likelihood (n,).

        Its cards are so many mm `off` the measures, and its slots a pitch (mm) apart: within half a pitch of there. In
        between are those where that is not in the picture. All are alike where nobody took the measures: of 200 drawn
        racks six were told a slot off by this.
        """
        if not self.measured:
            return np.zeros(len(off))
        clear = np.array(
            [
                self._firsts(pitch)[_near(place, pitch)].max(initial=0.0)
                for place, pitch in zip(off, pitches, strict=True)
            ]
        )
        return np.asarray(np.log(ODD + np.exp(FIRST * (clear - clear.max()))))

    def first_elsewhere(self, off: float) -> float | None:
        """Tell where the first slot is, mm behind the measures, if not where cards have it that are `off` mm behind.

        None where it may be there, where that would not be in the picture, where it may be on either side of it, where
        the comb tells another size of the mat, and where nobody took the measures.
        """
        if not self.measured or self.tells_another_size:
            return None
        firsts, here = self._firsts(self.pitch), _near(off, self.pitch)
        if not here.any() or not self._in_view(self.pitch)[here].all():
            return None
        beside = ~here & (np.abs(OFF - off) <= 1.5 * self.pitch)
        there = beside & (firsts >= max(A_SLOT, firsts[here].max() + CONTRARY))
        if not there.any() or OFF[there].min() < off < OFF[there].max():
            return None
        return float(OFF[np.where(there, firsts, -math.inf).argmax()])

    def _firsts(self, pitch: float) -> NDArray[np.float64]:
        """Give how much more clearly a slot is seen at each of the places OFF than one a pitch (mm) before it."""
        before, slot = _teeth(self.whole, np.array([pitch]))[0, :, :2].clip(0.0).T
        return np.asarray((slot - before) * self._in_view(pitch))

    def _in_view(self, pitch: float) -> NDArray[np.bool_]:
        """Tell at which of the places OFF a slot and one a pitch (mm) before it would be in the picture."""
        return np.asarray((OFF - pitch - TOOTH + BEFORE) * DENSE >= self.beyond)

    @property
    def better(self) -> float:
        """How much better the size that is told fits than that by which the comb is seen, as fits has it; or 0."""
        return 0.0 if self.told is None else self.fits(self.told.size) - self.fits(self.printed)

    @cached_property
    def told(self) -> "CombTold | None":
        """Say where the slots are; None where too little of the comb is seen to tell."""
        sizes = np.concatenate([[self.printed], SIZES])
        fits, whole, labels = self._fits(sizes)
        by_size = fits.max(axis=1)
        best = int(by_size.argmax())
        if by_size[best] < by_size[0] + CLEARLY or abs(sizes[best] / self.printed - 1) < NEARLY:
            best = 0
        place = int(fits[best].argmax())
        pitch = self.pitch * self.printed / float(sizes[best])
        hidden = max(math.ceil((self.beyond / DENSE - BEFORE + TOOTH - float(OFF[place])) / pitch), 0)
        first = whole[best, place, hidden : hidden + FEWEST]
        by_slots = hidden <= FEWEST and first.min() >= max(ALIKE * first.max(), LEAST)
        by_labels = labels is not None and np.count_nonzero(labels[best, place] >= LEAST_OF_LABELS) >= MOST
        if not by_slots and not by_labels:
            return None
        free = 0
        if by_slots and self.covers:
            unlike = hidden + np.flatnonzero(whole[best, place, hidden:] < HALF * np.median(first))
            free = int(unlike[0] if len(unlike) else SLOTS) - COVERED
        size = float(sizes[best])
        others = by_size[np.abs(sizes / size - 1) >= OTHER]
        sized = bool(by_size[best] >= others.max() + CLEARLY)
        farther = np.where(np.abs(OFF - OFF[place]) >= pitch / 2, fits[best], -math.inf)
        other = int(farther.argmax())
        less = float(fits[best, place] - farther[other])
        return CombTold(size, float(OFF[place]), max(free, 0), sized, not by_slots, (float(OFF[other]), less))

    def _fits(
        self, sizes: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64] | None]:
        """Give how well each size and each of the places OFF fits, and all slots' and labels' share in that."""
        pitches = self.pitch * self.printed / sizes
        before, whole = np.split(_teeth(self.whole, pitches), [1], axis=2)
        before = before[:, :, 0]
        # cards hide all slots from the frontmost one's on
        fits = np.cumsum(whole, axis=2)[:, :, FEWEST - 1 :].max(axis=2).clip(0.0) - PUSHED * OFF**2
        # nobody knows whether there is a slot more before the first one that is in the picture
        in_view = np.array([self._in_view(pitch) for pitch in pitches])
        fits += FRONT * (whole[:, :, 0].clip(0.0) - before.clip(0.0)) * in_view
        if self.labels is None:
            return fits, whole, None
        labels = _teeth(self.labels, pitches)[:, :, 1:]
        return fits + labels.sum(axis=2), whole, labels


@dataclass(frozen=True)
class CombTold:
    """Where a comb's slots are.

    size: how large the mat was printed, as a share of what it should be, or what was measured as the slots' pitch is
    off by as much; only if `sized` is it told. behind: how many mm the slots are behind where the measures put them.
    free: so many slots, at least, hold no card, from the front on. by_labels: these alone have told it. otherwise: how
    many mm they would be behind if they were a slot off, and how much less well that fits (a natural logarithm, about).
    """

    size: float
    behind: float
    free: int
    sized: bool
    by_labels: bool
    otherwise: tuple[float, float] = (0.0, math.inf)

    def footing(self, seen: Footing, cards: float) -> Footing:
        """Give where the rack stands, which may have been `seen` by its foot; by its `cards` it is so many mm behind.

        Where labels alone have told it, the foot counts instead, if it is near there. And if the picture ends before
        the first slot, or a card hides it, a place a slot off may fit nearly as well: it counts, too, unless it is much
        less likely and the cards are nearer to the first.
        """
        near = np.abs(seen.places - self.behind) <= BESIDE
        if self.by_labels and near.any():
            return seen if near.all() else replace(seen, places=seen.places[near], shares=seen.shares[near])
        places, shares = [self.behind], [1.0]
        other, less = self.otherwise
        if less < MUCH_LESS or (less < math.inf and abs(cards - other) < abs(cards - self.behind)):
            share = 1 / (1 + math.exp(less))
            places, shares = [self.behind, other], [1 - share, share]
        return replace(seen, places=np.array(places), shares=SURE * np.array(shares), free=max(self.free, seen.free))


def _near(off: float, pitch: float) -> NDArray[np.bool_]:
    """Tell which of the places OFF are within half a pitch of where something is so many mm `off`; all in mm."""
    return np.abs(OFF - off) <= pitch / 2


def _free_of_cards(pose: Pose, table: Table) -> float:
    """Give how far to the right (x in mm on the mat) no card hides the level of the comb's top from the camera."""
    rack = table.rack
    side = rack.at[0] + rack.margin
    hidden, _ = pose.at_level((side - SLID, 0.0, rack.floor + table.card.height), rack.height)
    return min(side, hidden)


def _hidden(pose: Pose, table: Table) -> float:
    """Give how many mm of the comb's top a card in the first slot hides behind it."""
    rack = table.rack
    first = rack.at[1] + rack.first
    return pose.at_level((0.0, first, rack.floor + table.card.height), rack.height)[1] - first


def _beyond(inside: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell which rows of a comb's top (rows,) are not wholly `inside` the picture (rows, columns), or at its border."""
    return np.asarray(cv2.erode(np.asarray(inside.all(axis=1), np.uint8), np.ones(RIM, np.uint8)).ravel() == 0)


def _changes(top: NDArray[np.uint8], beyond: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Give how much the brightness changes from row to row (rows,), beside the usual, by a picture of a comb's top.

    Rows that are `beyond` the picture's border (rows,) tell nothing.
    """
    smooth = cv2.GaussianBlur(top.astype(np.float32), (0, 0), 0.8)
    changes = np.abs(smooth[2:] - smooth[:-2]).mean(axis=1) / np.maximum(np.median(smooth[1:-1, ::4], axis=1), DARKEST)
    changes = np.pad(changes, 1, "edge")
    usual = max(float(np.median(changes[~beyond] if not beyond.all() else changes)), LEAST_CHANGE)
    return np.asarray(np.log1p(np.where(beyond, 1.0, changes / usual)), np.float64)


def _teeth(changes: NDArray[np.float64], pitches: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give by how much more changes about each slot than between slots: (pitches, places, 1 + slots).

    What is first is where there would be one more slot before the frontmost.
    """
    sums = np.concatenate([[0.0], np.cumsum(changes)])
    middles = OFF[:, None] + np.arange(-1, SLOTS) * pitches[:, None, None]

    def within(reach: NDArray[np.float64] | float) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        first, last = (
            np.clip(np.rint((middles + side * reach + BEFORE) * DENSE).astype(int), 0, len(changes)) for side in (-1, 1)
        )
        return sums[last] - sums[first], last - first

    (near, rows), (around, all_rows) = within(TOOTH), within(pitches[:, None, None] / 2)
    return np.asarray(near / np.maximum(rows, 1) - (around - near) / np.maximum(all_rows - rows, 1))
