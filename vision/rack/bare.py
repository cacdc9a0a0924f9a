"""Tells of a rack in which hardly a number is read whether it is bare: what a card's face looks like is not known."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.table import SLOTS
from vision.frame import Frame
from vision.pose import Pose
from vision.rack.fit import SURE, RackView
from vision.rack.states import empty_chances
from vision.rectify import flatten

PAPER: Final = (60.0, 240.0, 15.0, 205.0)
"""Where on the mat its paper is looked for, rack and all: left, right, near and far in mm (TABLE.md, Mats)."""

BRIGHT: Final = 75
"""The paper is brighter than so many of 100 points there, the rack covering a third of it."""

BARE: Final = 0.6
"""A rack is bare where its slots are empty with more than this chance on the average. Of drawn racks in which no number
was read, many in spoilt pictures, none of 971 cards was then taken for an empty slot, and 875 of 1084 empty ones told
surely."""

PHANTOMS: Final = 2
"""So many numbers may be read in a bare rack: a slot's label, or a grain of the wood behind it, may pass for one."""

NOTHING_THERE: Final = 0.8
"""Such a number counts as none where its slot and both beside it are so surely empty."""

LIKELY: Final = 0.5
"""Of a slot that is less surely empty nothing is said: a hand may be before it."""


def bare_rack(frame: Frame, view: RackView, read: Collection[int]) -> tuple[RackView, Mapping[int, float]] | None:
    """Give the view of a bare rack without any card, and how likely (0..1) each slot (0..9) is empty.

    None where the rack is not bare. `read` are the slots in which a number was read. Raises StatesError.
    """
    if len(read) > PHANTOMS:
        return None
    without_cards = as_if_bare(view)
    empty = empty_chances(frame, without_cards, paper_colour(frame, view.fit.pose))
    near = {slot + aside for slot in read for aside in (-1, 0, 1)}
    if any(empty.get(slot, 1.0) < NOTHING_THERE for slot in near):
        return None
    if not empty or sum(empty.values()) <= BARE * len(empty):
        return None
    return without_cards, {slot: chance for slot, chance in empty.items() if chance >= LIKELY}


def as_if_bare(view: RackView) -> RackView:
    """Give the view without any card: the slots are where the measures put them."""
    fit = replace(view.fit, lines=(None,) * SLOTS)
    return replace(view, fit=fit, strips=(None,) * SLOTS, which=SURE, slide=0.0, rivals=())


def paper_colour(frame: Frame, pose: Pose) -> NDArray[np.float64]:
    """Give the colour (3,) of the mat's paper: cards' faces are about as bright."""
    left, right, near, far = PAPER
    size = round(right - left), round(far - near)
    along, down = np.array([1.0, 0.0, 0.0]), np.array([0.0, -1.0, 0.0])
    paper = flatten(frame.colour, pose, np.array([left, far, 0.0]), along, down, size, 1.0)
    return np.asarray(np.percentile(paper.reshape(-1, 3), BRIGHT, axis=0))
