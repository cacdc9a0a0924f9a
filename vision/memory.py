"""What is known of a rack or a tray before a camera that stands still: only what changed is found and read again."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import median
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from calibration.table import SLOTS, Table
from vision.changes import Reference, correlation, grid, halved
from vision.evidence import (
    again_in_slot,
    clear_number,
    in_slot,
    is_read,
    judged,
    number_in,
    on_pile,
    worth_reading,
)
from vision.find import (
    SIDES,
    cut_again,
    cut_pile_again,
    find_elsewhere,
    find_in_rack,
    find_in_slot,
    find_on_pile,
    find_rival,
    wells_in,
)
from vision.found import Found, RackFound, TrayFound
from vision.frame import Frame
from vision.fuse import Evidence, together
from vision.pose import Pose
from vision.rack.bare import bare_rack
from vision.rack.fit import RackView, refit
from vision.rack.slots import is_card
from vision.rack.states import Chances
from vision.rectify import places
from vision.renewal import renewed
from vision.rivals import DOUBTED
from vision.tray.wells import PILE_HEIGHT, WELL_CENTRES, Well

LOOKS: Final = 3
"""A card is read in so many pictures; more of the same card in the same light tell little new."""

MANY: Final = 4
"""Where more slots than this have changed, the whole rack is found anew: a hand has been at it, or it was moved."""

WATCHED_ABOVE, WATCHED_BELOW = 1, 6
"""A card is watched at each mm along its top edge, so many mm above and below it: its number, and the edge itself."""

WELL: Final = (np.arange(-46.0, 46.1, 1.0), np.arange(-30.0, 30.1, 1.0))
"""A well is watched at these mm about its middle."""

SAME: Final = 0.996
"""A well that correlates so well with itself as it was is the same in another shade. On drawn trays another number on a
card in the very same place mostly makes 0.994 at most, but a thin one may make more. (A slot's strip does: its edge
outweighs a figure.)"""

SAME_PRINT: Final = 0.97
"""So does a number alone. On drawn trays another one in its place makes 0.95 at most, the same one mostly 0.99."""

ENOUGH: Final = 3
"""Once so many cards have been read on the discard pile, it is known how high this deck's numbers usually are."""

SURE_OF_NONE: Final = 0.9
"""A slot that is so surely empty, or its card turned round, needs no number."""

FADED: Final = 0.1
"""A card that one more look gives no such chance is there no longer. Of 20,000 cards looked at once more, three that
were the same still got less, and six that had been exchanged unnoticed; three of those were not clear others."""

NOTHING: Final = Evidence()
"""What is said of a place that is hidden."""


class RackMemory:
    """One rack: how its cards stand, what was found in each slot, and what up to LOOKS pictures said of it."""

    def __init__(self, seat: int, pose: Pose, table: Table) -> None:
        """Know nothing of the rack of a seat yet.

        `fresh` are the slots in which the latest picture showed news, `altered` those that looked otherwise than before
        in it: all, where nothing was known before. `otherwise`: how the rack may stand, too, and the slots in question.
        """
        self.seat = seat
        self._pose = pose
        self._table = table
        self._reference: Reference | None = None
        self._said: list[tuple[Evidence, ...]] = [()] * SLOTS
        self._told: list[Evidence] = [NOTHING] * SLOTS
        self._read = [False] * SLOTS
        self._hidden: set[int] = set()
        self._doubted: set[int] = set()
        self._unsought: set[int] = set()
        self._moved = False
        self.hand = False
        self.fresh: frozenset[int] = frozenset()
        self.altered = frozenset(range(SLOTS))
        self.found: RackFound | None = None
        self.otherwise: tuple[RackFound, frozenset[int]] | None = None

    def see(self, frame: Frame, *, hand: bool, moved: bool) -> list[int]:
        """Take a new picture; return the slots (0..9) that are to be read in it.

        What changes while a hand is over the mat is hidden: nothing is told of it until the hand has gone or stays.
        Where something `moved` since the last look, every number is read once more: in a picture full of noise another
        figure may change too little to be noticed; and where numbers were not read, the rack is found anew. So it is
        once where a slot that changed was not read: what was before it then may have misled the eye.
        """
        changed = set(range(SLOTS))
        if self._reference is not None:
            now = self._reference.renewed(frame.half)
            changed = set(np.flatnonzero(self._reference.changed(now)).tolist())
        self.altered = frozenset(changed)
        changed |= self._doubted
        self.hand = hand
        self._moved |= moved
        self._hidden = changed if hand and self.found is not None else set()
        self.fresh, self.otherwise = frozenset(), None
        if self._hidden:
            return []
        if self.found is None or len(changed) > MANY:
            self.found = find_in_rack(frame, self.seat, self._pose, self._table)
            changed = set(range(SLOTS))
            self._unsought = set()
        else:
            late, self._unsought = self._unsought - changed, set(changed)
            unread = self._unread() - changed if self._moved or late else set()
            for slot in sorted(changed):
                self._find_again(self.found, frame, slot)
            # of two side by side, one's card may be where the other's was
            beside = {slot for slot in changed if changed & {slot - 1, slot + 1}}
            if beside or (unread if self._moved else late & unread):
                anew = find_in_rack(frame, self.seat, self._pose, self._table)
                self.otherwise = renewed(self.found, anew, beside, changed | unread)
                self.found, taken = renewed(self.found, anew, unread, changed)
                changed |= taken
        self.fresh = frozenset(changed)
        for slot in changed:
            self._said[slot] = ()
        if changed:
            self._reference = self._watch(frame.half, self.found.view, changed)
        self._doubted = set()
        wanted = LOOKS + 1 if self._moved else LOOKS
        again = [slot for slot, said in enumerate(self._said) if 0 < len(said) < wanted and said[-1].numbers]
        self._moved = False
        if again:
            cut = cut_again(frame.grey, self.found, again)
            slots = tuple(cut.get(slot, items) for slot, items in enumerate(self.found.slots))
            self.found = replace(self.found, slots=slots)
        return sorted([*changed, *again])

    def _unread(self) -> set[int]:
        """Give the slots of which it is not known what stands there."""
        return {
            slot
            for slot, told in enumerate(self._told)
            if _card_in(told) is None and max(told.empty, told.back) < SURE_OF_NONE
        }

    def _find_again(self, rack: RackFound, frame: Frame, slot: int) -> None:
        """Find the card of a slot again, the others being where they were; with colours where none is seen without."""
        for picture in (frame.uncoloured, frame):
            fit, strip = refit(picture, rack.view, slot)
            found = find_in_slot(strip, rack.height, self._table) if strip is not None else None
            if found and strip is not None and is_card(strip):
                break
        line = fit.lines[slot]
        if found is None:
            line = strip = None
        self.found = replace(rack, view=rack.view.with_slot(slot, line, strip))
        self._put(slot, found or ())

    def _put(self, slot: int, found: Sequence[Found]) -> None:
        if self.found is not None:
            slots = self.found.slots
            self.found = replace(self.found, slots=(*slots[:slot], tuple(found), *slots[slot + 1 :]))

    def _watch(self, half: NDArray[np.uint8], view: RackView, changed: Collection[int]) -> Reference:
        """Watch where the cards stand now, or would stand where there is none."""
        before = self._reference
        slots = sorted(changed) if before is not None else [*range(SLOTS)]
        faces, strips = view.fit.everywhere[slots], [view.strips[slot] for slot in slots]
        slides = np.array([view.slide if strip is None else strip.slide for strip in strips])
        corners = faces.points(np.stack([slides, np.full(len(slots), self._table.card.height + WATCHED_ABOVE)], axis=1))
        size = round(self._table.card.width), WATCHED_ABOVE + WATCHED_BELOW
        at = places(self._pose, corners, faces.along, -faces.up, size, 1.0)
        seen = halved(np.stack(at, axis=-1).reshape(size[1], len(slots), size[0], 2).swapaxes(0, 1))
        points = np.empty((SLOTS, size[0] * size[1], 2), np.float32) if before is None else before.points.copy()
        points[slots] = seen.reshape(len(slots), -1, 2)
        return Reference.at(half, points)

    def rivals(self, frame: Frame) -> list[RackFound]:
        """Give the rack as it may stand otherwise, where it was found anew and may be a slot off."""
        rack = self.found
        if rack is None or len(self.fresh) < SLOTS or min(rack.view.which) >= DOUBTED:
            return []
        return [find_rival(rack, rival, frame) for rival in rack.view.rivals]

    def changes(self, frame: Frame, rack: RackFound, slots: Collection[int]) -> None:
        """Take some slots to be as the rack has them that was found `otherwise`."""
        if self.found is not None:
            self.found = self.found.with_slots_of(rack, slots)
            self._reference = self._watch(frame.half, self.found.view, slots)

    def stands(self, frame: Frame, rack: RackFound) -> None:
        """Take the rack to stand as one of its rivals has it."""
        if self.found is None or rack.view.fit is not self.found.view.fit:
            self._reference = self._watch(frame.half, rack.view, range(SLOTS))
        self.found = rack

    def learn(self, frame: Frame, answers: Mapping[int, NDArray[np.float64]]) -> None:
        """Take the reader's answers by slot, (possible numbers, 61) each, for those that were to be read."""
        rack = self.found
        if rack is None:
            return
        fresh = [slot for slot in answers if not self._said[slot]]
        for slot in fresh:
            self._read[slot] = is_read(answers[slot])
        read = [slot for slot, good in enumerate(self._read) if good and rack.view.strips[slot] is not None]
        numbers = {
            slot: number_in(answers[slot]) if slot in fresh else _card_in(self._told[slot]) or 0 for slot in read
        }
        looked_at = judged(frame, rack.view, fresh, numbers)
        bare = bare_rack(frame, rack.view, read) if fresh else None
        if bare is not None:
            rack = self.found = replace(rack, view=bare[0], slots=((),) * SLOTS)
            answers = {slot: rows[:0] for slot, rows in answers.items()}
            looked_at |= {slot: Chances(empty=chance) for slot, chance in bare[1].items()}
        slots = [*rack.slots]
        for slot, rows in answers.items():
            if slot in fresh:
                evidence = in_slot(rack.view, slot, rack.slots[slot], rows, looked_at.get(slot))
                slots[slot] = worth_reading(rack.slots[slot], rows)
            else:
                evidence = again_in_slot(rack.view, slot, rack.slots[slot], rows, self._said[slot][-1])
                told = _card_in(self._told[slot])
                faded = told is not None and rows[:, told].max(initial=0.0) < FADED
                if faded or _card_in(evidence) not in {None, told}:
                    # it is another card that stands there now: in the next picture it is found anew
                    self._doubted.add(slot)
                    self._told[slot] = NOTHING
                    continue
                if len(self._said[slot]) >= LOOKS:
                    continue
            self._said[slot] = (*self._said[slot], evidence)
            self._told[slot] = together(self._said[slot])
        self.found = replace(rack, slots=tuple(slots))

    def elsewhere(self, frame: Frame) -> Iterator[tuple[int, RackFound]]:
        """Give slots (0..9) that were looked at now and not read, each with the rack as it may stand otherwise.

        A logo or a shadow may have been stronger than the card's own edge; then its number is not where it was sought.
        """
        rack = self.found
        if rack is None:
            return
        for slot in sorted(self.fresh & self._unread()):
            if rack.view.strips[slot] is not None:
                for other in find_elsewhere(rack, slot, frame):
                    if slot in self._unread():
                        yield slot, other

    def learn_elsewhere(self, frame: Frame, slot: int, other: RackFound, answers: NDArray[np.float64]) -> None:
        """Take the reader's answers, (possible numbers, 61), for a slot of the rack as it may stand otherwise.

        They count where a number is read clearly that no other slot of the rack shows.
        """
        rack = self.found
        evidence = in_slot(other.view, slot, other.slots[slot], answers, None)
        card = _card_in(evidence)
        if rack is None or card is None or card in map(_card_in, self._told):
            return
        self.found = rack.with_slots_of(other, {slot})
        self._put(slot, worth_reading(other.slots[slot], answers))
        self._said[slot], self._told[slot], self._read[slot] = (evidence,), evidence, True
        self._reference = self._watch(frame.half, self.found.view, {slot})

    def evidence(self) -> list[Evidence]:
        """All that the pictures so far said, slot by slot."""
        return [NOTHING if slot in self._hidden else told for slot, told in enumerate(self._told)]


def _card_in(evidence: Evidence) -> int | None:
    """Give the card that a slot's clearest number surely is, by the reader alone; None for none."""
    return clear_number(evidence.numbers[0].probabilities[None]) if evidence.numbers else None


class TrayMemory:
    """The tray: its two wells, and what up to LOOKS pictures said of the discard pile as it lies now."""

    def __init__(self, pose: Pose, table: Table) -> None:
        """Know nothing of the tray yet. `fresh` tells whether the latest picture showed news on the discard pile."""
        self._pose = pose
        self._table = table
        self._reference: Reference | None = None
        self._wells: tuple[Well, Well] | None = None
        self._said: tuple[Evidence, ...] = ()
        self._told = NOTHING
        self._heights: dict[int, float] = {}
        self._hidden = [False, False]
        self.hand = False
        self.fresh = False
        self.found: TrayFound | None = None

    def see(self, frame: Frame, *, hand: bool) -> bool:
        """Take a new picture; tell whether the discard pile is to be read in it.

        A well that changes while a hand is over the mat is hidden, as in a rack.
        """
        changed, now = [True, True], self._as_it_looks(frame.half)
        if self._reference is not None:
            # a card in an empty well, which is dark, brightens half of what is looked at as a lamp does
            changed = (self._reference.changed(now) | self._reference.changed(now, lit=False)).tolist()
            if any(changed):
                changed = np.logical_and(changed, self._reference.alike(now) < SAME).tolist()
                changed[self._discard] = changed[self._discard] or self._is_other_print(frame.grey)
        self.hand = hand
        self._hidden = changed if hand and self._wells is not None else [False, False]
        self.fresh = False
        if any(self._hidden):
            return False
        if any(changed):
            self._wells = wells_in(frame, self._pose, self._table, self._wells, changed)
            self._reference = now
        if self._wells is None:
            return False
        draw, discard = self._wells if self._table.tray.draw == "left" else self._wells[::-1]
        if self.found is None or discard is not self.found.discard:
            self._said, self.fresh = (), True
            self.found = TrayFound(draw, discard, find_on_pile(frame.grey, discard, self._table))
            return True
        numbers = self.found.numbers
        again = len(self._said) < LOOKS and bool(numbers)
        if again:
            numbers = cut_pile_again(frame.grey, discard, self._table, numbers)
        self.found = TrayFound(draw, discard, numbers)
        return again

    def _as_it_looks(self, half: NDArray[np.uint8]) -> Reference:
        """Both wells as they look now."""
        if self._reference is not None:
            return self._reference.renewed(half)
        middles = [WELL_CENTRES[side] for side in SIDES]
        return Reference.of(half, [grid(self._pose, WELL[0] + x, WELL[1] + y, PILE_HEIGHT) for x, y in middles])

    def _is_other_print(self, grey: NDArray[np.uint8]) -> bool:
        """Whether another number stands in a picture where the discard pile's was: a thin one changes a well little."""
        if self.found is None or not self.found.numbers:
            return False
        again = cut_pile_again(grey, self.found.discard, self._table, self.found.numbers)
        pairs = zip(self.found.numbers, again, strict=True)
        return any(correlation(before.crop, now.crop) < SAME_PRINT for before, now in pairs)

    def learn(self, answers: NDArray[np.float64]) -> None:
        """Take the reader's answers for the discard pile, (possible numbers, 61)."""
        if self.found is not None:
            usual = median(self._heights.values()) if len(self._heights) >= ENOUGH else 0.0
            self._said = (*self._said, on_pile(self.found, answers, usual))
            self._told = together(self._said)
            card = _card_in(self._told)
            own = zip(self.found.numbers, answers.argmax(axis=1).tolist(), strict=True)
            heights = [item.ink.height for item, number in own if number == card]
            if card is not None and heights:
                self._heights[card] = max(heights)
            self.found = replace(self.found, numbers=worth_reading(self.found.numbers, answers))

    def evidence(self) -> Evidence:
        """All that the pictures so far said of the discard pile."""
        return NOTHING if self._hidden[self._discard] else self._told

    @property
    def draw(self) -> Literal["cards", "empty"] | None:
        """Whether there is a draw pile; None where its well cannot be seen well enough."""
        if self.found is None or self._hidden[1 - self._discard] or self.found.draw.state == "unclear":
            return None
        return "cards" if self.found.draw.state == "card" else "empty"

    @property
    def _discard(self) -> int:
        return 1 if self._table.tray.draw == "left" else 0
