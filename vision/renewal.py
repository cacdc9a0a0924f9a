"""What is taken over from a rack that was found anew, where some of its slots changed and the others stand."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from statistics import median
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.found import RackFound
from vision.rack.fit import RackView
from vision.rack.stand import same_edge
from vision.rack.strips import Strip

NO_LOGO: Final = 0.999
"""Read so surely, a number may be a card's whose sides are not seen. (Of 16 logos in 1,500 empty slots 14 were read
less so.)"""

STILL: Final = 0.3
"""Likewise where it is that of the card which stood there before: a Prime card on a table of its green, of which
nothing is seen but its number, was told to be an empty slot."""

SIDES_OF_A_CARD: Final = 6.0
"""What seemed to be empty holds a card whose sides are seen so strongly (Strip.sides), ... In 400 drawn racks logos
seen through five empty slots read as numbers, with 3.4 to 4.6."""

AS_OTHERS: Final = 0.8
"""... or so many times as strongly as is usual for the rack's other cards: in dim light no card's are plainer."""

HARDLY, OTHERS, PLAINER = 0.65, 3, 1.4
"""Below an edge with sides less than so many times as strong as the usual ones of other cards, of which there are so
many, a number is no card's if another edge of its slot has sides so many times as strong, with another number below it:
it is a piece of a logo, or stands on the next card. Of 9150 numbers read in racks of 64 simulated evenings 234 had so
weak sides; so it was with three of the nine of them that were wrong, and with none that was right."""

SURELY: Final = 0.9999
"""Where none is read below the plainer edge, a number that is read so surely below the other one is the card's: the end
of the light on its own face may look like an edge. All six numbers that stood so, in 87 simulated evenings and 3100
drawn racks, were their slots' cards'; three of them were read so surely."""

LIKE: Final = 0.5
"""So surely a number is read there, too."""


def renewed(
    rack: RackFound, anew: RackFound, wanted: AbstractSet[int], loose: AbstractSet[int]
) -> tuple[RackFound, frozenset[int]]:
    """Give a rack with some of the `wanted` slots (0..9) from the same rack found `anew`, and these slots.

    They are those in which there may be a number, or whose card's edge is now another one's of those. The rest stays as
    it is, and nothing is taken from a view in which cards stand in other slots, or a slot has the edge of another
    one's, but for those whose edges are `loose`: they may have changed, too; nor if the rack was pushed or turned.
    """
    where, before = ((pose.behind, pose.aside, pose.turned) for pose in (anew.pose, rack.pose))
    if where != before:
        return rack, frozenset()
    slots = wanted | loose
    pairs = [*zip(rack.view.lines, anew.view.lines, strict=True)]
    others = [pair for slot, pair in enumerate(pairs) if slot not in slots]
    theirs = [line for line, _ in others if line is not None]
    near = rack.view.fit.table.rack.pitch / 2
    taken_over = any(same_edge(pairs[slot][1], line) for slot in slots for line in theirs)
    if taken_over or not all(same_edge(*pair, near) for pair in others):
        return rack, frozenset()
    taken = frozenset(slot for slot in wanted if anew.slots[slot])
    edges = [anew.view.lines[slot] for slot in taken]
    own = {slot: line for slot in wanted - taken if (line := rack.view.lines[slot]) is not None}
    taken |= {slot for slot, line in own.items() if any(same_edge(line, edge) for edge in edges)}
    # the others' cards being known, as many edges as there are slots left are these slots' own
    if all(anew.view.lines[slot] is not None for slot in slots):
        anew = replace(anew, view=anew.view.with_own_edges())
    return rack.with_slots_of(anew, taken), taken


def may_hold_a_card(
    answers: NDArray[np.float64], card: int | None, before: int | None, told: AbstractSet[int | None]
) -> bool:
    """Whether a slot that seems empty may hold a card, by the reader's answers, (possible numbers, 61), for elsewhere.

    `card`: the one that is read there clearly, if any; `before`: which stood there last, if known; `told`: the cards
    that are told in the rack's slots now, which are not here.
    """
    least = {card: NO_LOGO, before: STILL}
    best = answers.max(axis=0, initial=0.0)
    return any(one not in told and best[one] >= chance for one, chance in least.items() if one is not None)


def may_be_read(answers: NDArray[np.float64], card: int, least: float = LIKE) -> bool:
    """Whether a number is likely one of those that the reader's answers are for, at `least` so; answers as above."""
    return float(answers[:, card].max(initial=0.0)) >= least


def usual_sides(view: RackView, read: Sequence[int]) -> float:
    """Give how strongly cards' sides are usually seen (Strip.sides), by slots (0..9) that are read; 0 by too few."""
    sides = [strip.sides for slot in read if (strip := view.strips[slot]) is not None]
    return median(sides) if len(sides) >= OTHERS else 0.0


def has_cards_sides(strip: Strip | None, usual: float) -> bool:
    """Whether a card's sides are seen in a strip, plainly or about as well as is `usual` for the others."""
    least = min(SIDES_OF_A_CARD, AS_OTHERS * usual) if usual else SIDES_OF_A_CARD
    return strip is not None and strip.sides >= least


def hardly_sided(strip: Strip | None, usual: float) -> bool:
    """Whether a card's sides are hardly seen in a strip, beside what is `usual` for the others."""
    return strip is not None and strip.sides < HARDLY * usual


def is_outshone(strip: Strip | None, other: Strip | None, usual: float) -> bool:
    """Whether a slot's strip hardly has a card's sides, and that below another edge of the slot has them."""
    if strip is None or other is None:
        return False
    return hardly_sided(strip, usual) and other.sides >= PLAINER * strip.sides


def counts(answers: NDArray[np.float64], card: int, strip: Strip | None, other: Strip | None, usual: float) -> bool:
    """Whether a card's number counts that is read in a slot's strip, and none below the slot's `other` edge."""
    return may_be_read(answers, card, SURELY) or not is_outshone(strip, other, usual)
