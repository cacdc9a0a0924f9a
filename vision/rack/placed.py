"""Finds a rack's cards wherever it stands on its mat: on its outline, pushed off it to any side, or turned."""

from dataclasses import replace
from operator import attrgetter
from typing import Final

import numpy as np

from calibration.table import Table
from vision.frame import Frame
from vision.pose import Pose
from vision.rack.comb import SURE, Comb
from vision.rack.fit import CERTAIN, RackView, view_from
from vision.rack.foot import Footing, find_foot
from vision.rack.stand import TELLING

TURNED: Final = 2.0
"""A rack that is turned by so many degrees, more than one that is put down by hand (TABLE.md, Mats), is looked at anew
as it stands: its far cards are aside of where they should be, and none leans as its edge has it."""
FRONT_CARD: Final = 6.0
"""The first slot's card surely is one if its sides stand out so much: full racks' top edges are a pitch apart, too."""
CARDS, BY_COMB = 5, 8.0
"""Where so many cards' sides stand out as those of cards do, a comb of another size counts if that fits it so much
better (Comb.better): of 700 drawn racks on mats of the right size the cards of six full ones looked like one, by 2.5 to
4.7. Of 600 that are being filled, on mats of 89 to 103 %, three that tell their mat's size are doubted so, two that do
not tell it rightly, and all others with a comb of another size count."""
UNSEEN: Final = 3.2
"""Where cards' sides stand out less than this, as in one of 30 pictures of full racks that were pushed about, ..."""
FARTHER: Final = 8.0
"""... they are sought so many mm to the right and to the left, so that what was out of reach (SIDE_REACH) is within.
There, sides must stand out as those of cards do: the sides of an empty rack's slots may do so by up to 4.9."""

UNDECIDED: Final = -1.6
"""A rack that seems to be pushed may stand in its place, and a slot off, if that is likelier than this (one to five: a
logarithm), seen from either place. Of 1300 drawn racks in their places one was told a slot off for want of this; of 220
that were pushed by up to 12 mm none is told otherwise for it."""


def view_rack(frame: Frame, pose: Pose, table: Table, *, aside: bool = True, free: int = 0) -> RackView:
    """Find the cards of a rack in a picture and cut their strips; if asked, also where it was pushed far `aside`.

    So many slots are known to be `free`, from the front on.

    The pose of what is found (RackFit.pose) tells where the rack stands if it was pushed off its outline, or turned.
    """
    view = _view_turned(frame, pose, table, free)
    if not aside:
        return view
    if pose.aside:
        view = max(_view_turned(frame, pose.farther_right(-pose.aside), table, free), view, key=attrgetter("sides"))
    if len(view.fit.standing) < TELLING or view.sides >= UNSEEN:
        return view
    middle = pose.farther_right(view.fit.pose.aside - pose.aside)
    others = (_view_turned(frame, middle.farther_right(right), table, free) for right in (FARTHER, -FARTHER))
    farther = max(others, key=attrgetter("sides"))
    return farther if farther.sides >= CERTAIN else view


def _view_turned(frame: Frame, pose: Pose, table: Table, free: int) -> RackView:
    view = _view_pushed(frame, pose, table, free)
    turned = view.fit.turned
    if abs(turned) < TURNED:
        return view
    return _view_pushed(frame, view.fit.pose.turned_by(turned, table.rack.at), table, free)


def _view_pushed(frame: Frame, pose: Pose, table: Table, free: int) -> RackView:
    footing = replace(find_foot(frame.grey, pose, table), free=free)
    view = view_from(frame, pose, table, footing)
    seen = None if view.is_full else Comb.of(frame.grey, pose, table)
    comb = None if seen is None or is_of_cards(seen, view) else seen
    if comb is not None and comb.told is not None and (comb.told.by_labels or not _has_front_card(view)):
        before, footing = footing, comb.told.footing(footing, view.fit.off)
        view = replace(view if footing is before else view_from(frame, pose, table, footing), comb=comb)
    elsewhere = seen.first_elsewhere(view.fit.off) if seen is not None else None
    if elsewhere is not None:
        return _view_there(frame, view, elsewhere, table)
    pushed = footing.pushed(view.fit.off)
    if pushed is None:
        return view
    there = pose.farther_back(pushed)
    if _is_doubted(view):
        doubted = view_from(frame, there, table, footing.seen_from(pushed, surely=False))
        if _is_doubted(doubted):
            return replace(doubted, comb=view.comb)
    return replace(view_from(frame, there, table, footing.seen_from(pushed, surely=True)), comb=view.comb)


def _view_there(frame: Frame, view: RackView, behind: float, table: Table) -> RackView:
    """View a rack as one whose first slot is so many mm behind the measures; or doubt the view of it that there is.

    So it is where the cards then have the first slot where it is seen.
    """
    there = view.fit.pose.farther_back(behind)
    other = view_from(frame, there, table, Footing(np.zeros(1), np.array([SURE]), free=view.footing.free))
    if Comb.of(frame.grey, there, table).first_elsewhere(other.fit.off) is None:
        return other
    return view.doubted()


def _is_doubted(view: RackView) -> bool:
    """Tell whether a rack that seems to be pushed may as well stand otherwise."""
    return any(rival.likely > UNDECIDED for rival in view.rivals)


def _has_front_card(view: RackView) -> bool:
    """Tell whether a card surely stands in the first slot, by its sides: then what looks like free slots are none."""
    first = view.strips[0]
    return first is not None and first.sides >= FRONT_CARD


def is_of_cards(comb: Comb, view: RackView) -> bool:
    """Tell whether what looks like a comb on a mat of another size may be the top edges of the cards themselves."""
    cards = sum(strip is not None and strip.sides >= CERTAIN for strip in view.strips)
    return cards >= CARDS and 0 < comb.better < BY_COMB
