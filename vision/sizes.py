"""Finds racks and the tray on mats that were printed too small or too large (vision.rack.printed)."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from operator import itemgetter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.table import SLOTS, Side, Table
from vision.evidence import CONTRADICTED, clear_number, judged
from vision.find import find_in_rack, find_on_pile, wells_in
from vision.found import RackFound, TrayFound
from vision.frame import Frame
from vision.level import Hinge, or_steeper, steeper_by_comb
from vision.pose import Pose
from vision.rack.comb import Comb
from vision.rack.printed import DOUBTFUL, FEWEST, is_good, may_be_misprinted, size_by_width, size_fits
from vision.rivals import A_CARDS, numbers_read
from vision.tray.wells import SIDES, TRAY_MIDDLE, look_into

SIZES: Final = (0.96, 0.92, 0.88, 1.04)
"""A rack's mat is tried at these sizes first..."""
BETWEEN: Final = (0.98, 0.94, 0.90, 0.86, 1.02)
"""...and, if one of them fits better, at these, too; between them the cards' width tells."""
NEARLY: Final = 0.003
"""Sizes that differ by less are one: two tenths of a slot at the far end of a rack."""
ALIKE: Final = 0.015
"""Two pictures of one rack say the same of its mat's size where they differ by less."""
SURELY, THOUGH_UNFIT = 4.0, 1.5
"""A mat is taken to be of another size where the cards fit it so much better (size_fits), and so many times that where
they do not fit there, either. Of 640 drawn racks on mats of the right size one was taken to be more than 2 % off, of
840 on mats of 88 to 95 % 817 were known for what they are, within 2 %."""
PUSHED: Final = SURELY
"""A push so far aside that a rack is out of reach is no likelier than a mat of another size."""
HARDLY_TOLD: Final = 2.0
"""So many times better it must be by one marker alone, which hardly tells how far away the mat is: of 61 such racks on
mats of the right size another size fitted so much better in none, and by up to 7 in one, which came out a slot off. And
so in a rack that nobody measured: its pitch and its height may make up for a size."""
MAY_BE, OR_AS_IT_SHOULD = 2.0, 8.0
"""Where another size fits a rack so much better, but not enough, or so little worse than the one that is taken, the
numbers say which of its slots may be others (vision.rivals); and where the right size is worse by less than the second,
too. Of 400 drawn racks on mats of 89 to 97 % one slot was told wrongly so, and 22 without it; of 280 that were hardly
filled 40 and 198. It costs two in a thousand slots on mats of the right size, and two in a hundred in such racks."""

OUTWEIGHED: Final = 2 * A_CARDS
"""Two numbers more outweigh that a size fits so much less well. (A rack that was nudged and turned, on a mat of the
right size, fitted one of 102 % best, a slot off, by which seven of its ten numbers were read, and at 98 % nine.)"""

BORNE_OUT: Final = 2 / 3
"""Of the edges by which another size is told so many must be cards', as the look at each slot has it. (In two of 160
drawn racks with gaps four of nine and three of eight were not, and the sides that went with them were the rack's.)"""

SIZED: Final = 3
"""So many pictures must agree on how large the mat of a rack was printed whose numbers are read: it changes no more."""

ODD_SIZE: Final = 8.0
"""What it costs to take a tray's mat for so many times larger or smaller, of a card's outline (vision.tray.outline): of
86 to 92 % a well's own walls look like a card's sides."""


@dataclass(frozen=True)
class SizeTold:
    """How large a mat was printed by the latest picture that told it, as a share of what it should be.

    `agreed`: so many pictures in a row have told that, this one among them; 0 where none has told it yet. `combed`:
    its comb was one of the witnesses.
    """

    size: float
    agreed: int = 0
    combed: bool = False

    def by_picture(self, size: float) -> "SizeTold":
        """One more picture told the size."""
        if abs(size - self.size) >= ALIKE:
            return SizeTold(size, 1)
        return replace(self, size=size, agreed=self.agreed + 1)

    def elsewhere(self) -> "SizeTold":
        """Give what is known of the paper's size once it lies elsewhere: no more than one picture would tell."""
        return replace(self, agreed=min(self.agreed, 1))

    def by_comb(self, size: float) -> "SizeTold":
        """The comb of a rack with few cards told it, as often as may be: that counts as one picture of its cards."""
        return self if self.agreed > 1 else SizeTold(size, 1, combed=True)


def _fits(frame: Frame, rack: RackFound, comb: Comb | None) -> float:
    """Say how well a rack fits the size that its pose has the mat, by its cards and its comb: a natural logarithm."""
    by_cards = size_fits(frame, rack.view)
    return by_cards if comb is None else by_cards + comb.fits(rack.pose.printed)


def find_where_it_stood(  # noqa: PLR0913 - as find_in_rack, and what is known of size and pose
    frame: Frame,
    seat: int,
    firm: Pose,
    table: Table,
    told: SizeTold,
    *,
    by_one_marker: bool = False,
    hinge: Hinge | None = None,
) -> RackFound:
    """Find the whole rack: where it surely stood last, or back on its outline if more of its cards are seen so.

    `firm` is the pose by which it stood there, on a mat of the size that is `told`. Where the mat may have curled up
    about a `hinge`, the rack is given as it stands then, too (or_printed).
    """
    if hinge is not None:
        stood = partial(find_where_it_stood, frame, seat, table=table, told=told, by_one_marker=by_one_marker)
        found = stood(firm)
        combed = steeper_by_comb(frame, firm, hinge, table)
        if combed is not None:
            pose, better = combed
            return stood(pose).or_as(found, MAY_BE - better)
        steeper = or_steeper(frame, firm, hinge, table)
        if steeper is None:
            return found
        # by cards' sides alone racks on flat mats were told a slot off, too (in three of 35 simulated evenings)
        return found.or_as(stood(steeper), math.inf)
    asked = told.agreed < SIZED
    find = partial(find_as_printed, by_one_marker=by_one_marker, agreed=told.agreed) if asked else find_in_rack
    found = find(frame, seat, firm, table)
    home = firm.in_place(table.rack.at)
    if home is not firm and len(found.view.fit.standing) < SLOTS:
        found = max(found, find(frame, seat, home, table), key=lambda rack: len(rack.view.fit.standing))
    if found.by_comb or told.combed or not asked or firm.printed == 1.0:
        return found
    return or_of_right_size(frame, found, table, told)


def find_as_printed(  # noqa: PLR0913 - as find_in_rack, and what is known of the size
    frame: Frame, seat: int, pose: Pose, table: Table, *, by_one_marker: bool = False, agreed: int = 0
) -> RackFound:
    """Find a rack as find_in_rack does, on a mat that may have been printed too small or too large.

    The pose of what is found then tells how large it is; where that is not sure, it is given as it may stand on
    others, too (or_printed). The pose that is given may be known `by_one_marker` alone; so many pictures before have
    `agreed` on its size, each of which weighs as much as this one.
    """
    first = find_in_rack(frame, seat, pose, table)
    by_comb = _sized(frame, first, pose, table)
    if by_comb is not None:
        return by_comb
    comb = first.view.comb
    pushed = first.pose.aside != pose.aside
    if not (pushed or may_be_misprinted(frame, first.view)):
        return first
    # a rack on a mat of another size may look like one that was pushed far aside
    price = PUSHED if pushed else 0.0
    starts = [(pose.farther_right(first.pose.aside - pose.aside), price), *([(pose, 0.0)] if pushed else [])]

    # slots that are seen to be free are so on a mat of any size
    free = first.view.footing.free

    @cache
    def found(size: float) -> tuple[float, RackFound]:
        racks = [
            (find_in_rack(frame, seat, start.printed_at(size, table.rack.at), table, aside=False, free=free), cost)
            for start, cost in starts
        ]
        return max(((_fits(frame, rack, comb) - cost, rack) for rack, cost in racks), key=itemgetter(0))

    before = _fits(frame, first, comb) - price
    if is_good(first.view) and max(found(size)[0] for size in SIZES) <= before:
        return first
    every = [found(size) for size in (*SIZES, *BETWEEN)]
    fits, best = max(every, key=lambda one: one[0])
    # where cards fit no size well, one must be plainly better
    surely = SURELY * (1 + agreed) * (HARDLY_TOLD if by_one_marker or not table.measured else 1.0)
    enough = surely * (1.0 if is_good(best.view) else THOUGH_UNFIT)
    # of cards that are partly out of the picture neither the width is seen nor, mostly, how the mat lies
    hardly_seen = first.view.is_cut_off or min(best.view.which) < min(DOUBTFUL, *first.view.which)
    if fits <= before + enough or hardly_seen:
        return replace(first, or_printed=_near((rack, value - before - MAY_BE) for value, rack in every))
    width = size_by_width(frame, best.view)[0]
    if abs(width - 1) > NEARLY:
        nearer = found(width * best.pose.printed / pose.printed)
        if nearer[0] > fits and min(nearer[1].view.which) >= min(DOUBTFUL, *best.view.which):
            fits, best = nearer
    near = _near((rack, value - fits + MAY_BE) for value, rack in every if rack is not best)
    return replace(best, or_printed=((first, before - fits + OR_AS_IT_SHOULD), *near))


def _near(others: Iterable[tuple[RackFound, float]]) -> tuple[tuple[RackFound, float], ...]:
    """Give those other sizes that fit a rack so well that its numbers may speak for them (RackFound.or_printed)."""
    return tuple((rack, leeway) for rack, leeway in others if leeway > -OUTWEIGHED)


def _sized(frame: Frame, first: RackFound, pose: Pose, table: Table) -> RackFound | None:
    """Give a rack, the `first` that was found by a pose, on a mat of the size that its comb tells; None if it does not.

    Where that is another size it may stand as it was found, too: a full rack's cards may look like a comb.
    """
    comb = first.view.comb
    if comb is None or comb.size is None:
        return None
    if comb.size == pose.printed:
        return replace(first, by_comb=True)
    sized = find_in_rack(frame, first.seat, pose.printed_at(comb.size / pose.printed, table.rack.at), table)
    return replace(sized, by_comb=True).or_as(first, MAY_BE - comb.better)


def is_borne_out(frame: Frame, rack: RackFound, answers: Mapping[int, NDArray[np.float64]]) -> bool:
    """Tell whether a rack's cards are enough to bear out the size that its pose has the mat.

    An empty rack's comb may look like cards on a mat that was printed too small, and so may some empty slots with the
    rack's own sides. `answers` are the reader's by slot (0..9), (possible numbers, 61) each.
    """
    if numbers_read(answers.values()) < FEWEST:
        return False
    read = {slot: card for slot, rows in answers.items() if (card := clear_number(rows)) is not None}
    standing = rack.view.fit.standing
    looks = judged(frame, rack.view, [slot for slot in standing if slot not in read], read)
    empty = sum(chances.empty >= CONTRADICTED for chances in looks.values())
    return len(standing) - empty >= BORNE_OUT * len(standing)


def find_of_size(size: float, frame: Frame, rack: RackFound, table: Table) -> RackFound:
    """Find a rack again on a mat of that size, a share of what it should be; it may stand as it was found, too."""
    pose = rack.pose.printed_at(size / rack.pose.printed, table.rack.at)
    found = find_in_rack(frame, rack.seat, replace(pose, printed=size), table, aside=False)
    return found.or_as(rack, math.inf)


def or_of_right_size(frame: Frame, rack: RackFound, table: Table, told: SizeTold) -> RackFound:
    """Give a rack on a mat that is held to be of another size; or on one of the right size, if that fits no worse.

    It may stand as on the other, too. A rack that was pushed and turned may have looked like one on another mat before.
    So may one that was hardly filled: if a third size fits surely better by now than what was `told`, it is on a mat of
    that.
    """
    right = find_of_size(1.0, frame, replace(rack, pose=rack.pose.in_place(table.rack.at)), table)
    third = find_as_printed(frame, rack.seat, right.pose, table)
    if third.by_comb:
        return third
    comb = right.view.comb
    before = _fits(frame, rack, comb)
    better = _fits(frame, right, comb) - before
    if abs(third.pose.printed - rack.pose.printed) > ALIKE and third.pose.printed != 1.0:
        surely = _fits(frame, third, comb) - before
        if surely > max(SURELY * (1 + told.agreed), better):
            return third.or_as(rack, MAY_BE - surely)
    if better >= 0:
        return replace(right, or_printed=((rack, MAY_BE - better),))
    return rack.or_as(right, OR_AS_IT_SHOULD + better)


def find_tray_as_printed(frame: Frame, pose: Pose, table: Table) -> tuple[Pose, TrayFound]:
    """Find the tray on a mat of the size by which the sides of the discard pile's card are seen best, and its pose."""
    side: Side = "right" if table.tray.draw == "left" else "left"
    poses = [pose.printed_at(size / pose.printed, TRAY_MIDDLE) for size in (1.0, *SIZES, *BETWEEN)]
    seen = [look_into(frame.grey, one, table, side).outline - ODD_SIZE * abs(1 - one.printed) for one in poses]
    best = poses[int(np.argmax(seen))]
    wells = dict(zip(SIDES, wells_in(frame, best, table, None, (True, True)), strict=True))
    return best, TrayFound(wells[table.tray.draw], wells[side], find_on_pile(frame.grey, wells[side], table))
