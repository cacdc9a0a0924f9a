"""What is known of a rack before a camera that stands still: only what changed is found and read again."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.table import SLOTS, Table
from vision import renewal
from vision.changes import Reference
from vision.evidence import (
    LOOKS,
    UNKNOWN,
    again_in_slot,
    card_in,
    clear_number,
    has_faded,
    in_slot,
    is_read,
    judged,
    number_in,
    worth_reading,
)
from vision.find import cut_again, find_again, find_elsewhere, find_in_rack, find_rival
from vision.found import RackFound
from vision.frame import Frame
from vision.fuse import Evidence, together
from vision.level import Hinge
from vision.pose import Pose
from vision.pushed import displaced, followed
from vision.rack.bare import bare_rack
from vision.rack.fit import RackView
from vision.rack.front import leans_out
from vision.rack.learnt import with_measures
from vision.rack.printed import FEWEST
from vision.rack.states import Chances
from vision.rack.watched import quads, watch
from vision.rivals import DOUBTED, numbers_read
from vision.sizes import SizeTold, find_of_size, find_where_it_stood, is_borne_out
from vision.steady import Steady

MANY: Final = 4
"""Where more slots than this have changed, the whole rack is found anew: a hand has been at it, or it was moved."""

GAPS: Final = 2
"""With so many empty slots a rack is still being filled, or emptied. Which slot is which is told by all cards together,
so it is found anew whenever one comes or goes, and it is not remembered where they stood."""

SURE_OF_NONE: Final = 0.9
"""A slot that is so surely empty, or its card turned round, needs no number."""


class RackMemory:
    """One rack: how its cards stand, what was found in each slot, and what up to LOOKS pictures said of it."""

    def __init__(
        self, seat: int, pose: Pose, table: Table, *, by_one_marker: bool = False, hinge: Hinge | None = None
    ) -> None:
        """Know nothing of a seat's rack yet; its mat's pose may be known `by_one_marker` alone, or but for a `hinge`.

        `fresh` are the slots that are read as if for the first time in the latest picture; `news` those of them that
        are not merely seen with less noise; `altered` those that looked otherwise than before in it: all, where nothing
        was known before, and of those that are empty or not sure also what noise may hide. `otherwise`: how the rack
        may stand, too, and the slots in question. `pose` comes to tell how large the mat was printed, and where the
        rack stands on it, `size` how surely so, and `table` what its measures are; `stood` are the cards by slot, each
        as it was known last when it was sure which slot is which, else None, and `_firm` was the pose then.
        """
        self.seat, self.pose, self.table, self.by_one_marker = seat, pose, table, by_one_marker
        self._firm, self._hinge = pose, hinge
        self._reference: Reference | None = None
        self._said: list[tuple[Evidence, ...]] = [()] * SLOTS
        self._told: list[Evidence] = [UNKNOWN] * SLOTS
        self._read = [False] * SLOTS
        self._hidden, self._doubted = set[int](), set[int]()
        self.stood: Sequence[int | None] = [None] * SLOTS
        self.size = SizeTold(pose.printed)
        self._steady: Steady | None = None
        self._unsure: AbstractSet[int] = frozenset()
        self._before: dict[int, tuple[Evidence, ...]] = {}
        self._clear: Frame | None = None
        self._moved = self.hand = False
        self.fresh = self.news = frozenset[int]()
        self.altered = frozenset(range(SLOTS))
        self.found: RackFound | None = None
        self.otherwise: tuple[RackFound, frozenset[int]] | None = None

    def see(self, frame: Frame, *, hand: bool, moved: bool) -> list[int]:
        """Take a new picture; return the slots (0..9) that are to be read in it.

        What changes while a hand is over the mat is hidden: nothing is told of it until the hand has gone or stays.
        Where something `moved` since the last look, every number is read once more: in a picture full of noise another
        figure may change too little to be noticed. A rack that may be a slot off is found anew then. What is not read
        is found anew in each picture, by the mean of what stays: that has less noise, and what was before a card when
        it came may have misled the eye.
        """
        self._clear = None
        changed, hardly = self._changed(frame.half, moved=moved)
        self.altered = frozenset(changed | hardly)
        changed |= self._doubted
        self.hand = hand
        self._moved |= moved
        self._hidden = changed if hand and self.found is not None else set()
        self.fresh = self.news = frozenset()
        self.otherwise = None
        if self._hidden:
            return []
        if self.found is None or len(changed) > MANY or self._is_in_doubt(changed) or (changed and self._has_gaps):
            self.found = find_where_it_stood(
                frame, self.seat, self._firm, self.table, self.size,
                by_one_marker=self.by_one_marker, hinge=self._hinge,
            )  # fmt: skip
            self.pose = self.found.pose
            changed = set(range(SLOTS))
            self._steady = None
            self.news = frozenset(changed)
        else:
            taken = self._find_some(self.found, frame, changed)
            self.news = frozenset(changed)
            changed |= taken
        self.fresh = frozenset(changed)
        self._before = {slot: self._said[slot][-1:] for slot in self.fresh - self.news}
        for slot in changed:
            self._said[slot] = ()
        if changed:
            self._reference = self._watched(frame.half, self.found.view, changed)
        self._doubted = set()
        wanted = LOOKS + 1 if self._moved else LOOKS
        same = [slot for slot, said in enumerate(self._said) if 0 < len(said) < wanted and said[-1].numbers]
        self._moved = False
        if same:
            cut = cut_again(frame.grey, self.found, same)
            slots = tuple(cut.get(slot, items) for slot, items in enumerate(self.found.slots))
            self.found = replace(self.found, slots=slots)
        return sorted([*changed, *same])

    def _changed(self, half: NDArray[np.uint8], *, moved: bool) -> tuple[set[int], AbstractSet[int]]:
        """Give the slots that look otherwise than before, and those not sure that may, so little that noise hides it.

        An empty slot that may do so counts as one that does, or beside one: a card that is put there may be as dark.
        """
        if self._reference is None:
            return set(range(SLOTS)), frozenset()
        now = self._reference.renewed(half)
        otherwise = self._reference.changed(now)
        changed, empty = set(np.flatnonzero(otherwise).tolist()), self._empty
        if not moved or not (self._unsure or empty):
            return changed, frozenset()
        stirred = set(np.flatnonzero(self._reference.stirred(now, otherwise)).tolist())
        beside = {slot + step for slot in changed for step in (-1, 1)}
        return changed | (empty & (stirred | beside)), self._unsure & stirred

    @property
    def _empty(self) -> set[int]:
        """The slots (0..9) that are surely empty."""
        return {slot for slot, told in enumerate(self._told) if told.empty >= SURE_OF_NONE}

    @property
    def cards(self) -> list[int | None]:
        """The cards that are known, slot by slot."""
        return [card_in(told) for told in self._told]

    @property
    def _has_gaps(self) -> bool:
        return len(self._empty) >= GAPS

    def _is_in_doubt(self, changed: Collection[int]) -> bool:
        """Whether the rack may be a slot off by the picture in which it was found, and another card may tell now."""
        return self.found is not None and min(self.found.view.which) < DOUBTED and (bool(changed) or self._moved)

    def _find_some(self, rack: RackFound, frame: Frame, changed: AbstractSet[int]) -> AbstractSet[int]:
        """Find again the slots (0..9) that changed, and what is not sure; give those of the latter that are found."""
        self._clear = self._with_less_noise(frame, rack.view, changed)
        backs = {slot for slot, told in enumerate(self._told) if told.back >= SURE_OF_NONE}
        unsure = (self._unsure | backs) - changed if self._clear is not None else set()
        for slot in sorted(changed):
            rack = find_again(rack, slot, frame)
        taken: AbstractSet[int] = frozenset()
        # of two side by side, one's card may be where the other's was
        beside = {slot for slot in changed if changed & {slot - 1, slot + 1}}
        if beside or unsure:
            anew = find_in_rack(self._clear or frame, self.seat, self.pose, self.table)
            self.otherwise = renewal.renewed(rack, anew, beside, changed | unsure)
            rack, taken = renewal.renewed(rack, anew, unsure, changed)
        self.found = rack
        return taken

    def _with_less_noise(self, frame: Frame, view: RackView, changed: Collection[int]) -> Frame | None:
        """Give the picture with the mean of what stays in it; None where every slot is sure."""
        if self._steady is None:
            return None
        self._steady.add(frame.colour, frame.half, quads(view, changed))
        return Frame(self._steady.in_place(frame.colour))

    def doubts(self, frame: Frame, slots: AbstractSet[int]) -> None:
        """Take which slots (0..9) are not sure by all that is known: those are looked at in the mean of what stays.

        What a hand hides is no matter of doubt.
        """
        if self._hidden:
            return
        self._unsure = slots
        if not slots:
            self._steady = None
        elif self._steady is None and self.found is not None:
            self._steady = Steady(frame.colour, frame.half, quads(self.found.view, range(SLOTS)))

    def _watched(self, half: NDArray[np.uint8], view: RackView, slots: Collection[int]) -> Reference:
        return watch(half, self.pose, view, slots, self._reference)

    def as_sized(self, frame: Frame, answers: Mapping[int, NDArray[np.float64]]) -> RackFound | None:
        """Give the rack, where it was found anew, by its mat's known size, where too few cards bear out another.

        None where it is as known.
        """
        rack, anew, clear = self.found, len(self.fresh) == SLOTS, self._clear or frame
        size = self.size.size
        if rack is None or not anew or rack.by_comb or rack.pose.printed == size or is_borne_out(clear, rack, answers):
            return None
        return find_of_size(size, clear, rack, self.table)

    def rivals(self, frame: Frame) -> list[RackFound]:
        """Give the rack as it may stand otherwise, where it was found anew and may be a slot off."""
        rack = self.found
        if rack is None or len(self.fresh) < SLOTS or min(rack.view.which) >= DOUBTED:
            return []
        return [find_rival(rack, rival, self._clear or frame) for rival in rack.view.rivals]

    def displaced(self, frame: Frame, answers: Mapping[int, NDArray[np.float64]]) -> Iterator[tuple[RackFound, int]]:
        """Give the rack, where it was found anew, as it may stand if it was pushed by a slot's width (vision.pushed).

        `answers` are the reader's by slot, (possible numbers, 61) each.
        """
        if self.found is not None and len(self.fresh) == SLOTS:
            yield from displaced(self.found, self._clear or frame, self.table, answers)

    def followed(self, frame: Frame, answers: Mapping[int, NDArray[np.float64]]) -> RackFound | None:
        """Give the rack, where it was found anew, as it stands by the cards that stood in it before; as displaced.

        None where too few of them tell.
        """
        if self.found is None or len(self.fresh) < SLOTS:
            return None
        return followed(self.found, self._clear or frame, self.table, self.stood, answers)

    def changes(self, frame: Frame, rack: RackFound, slots: Collection[int]) -> None:
        """Take some slots to be as the rack has them that was found `otherwise`."""
        if self.found is not None:
            self.found = self.found.with_slots_of(rack, slots)
            self._reference = self._watched(frame.half, self.found.view, slots)

    def stands(self, frame: Frame, rack: RackFound) -> None:
        """Take the rack to stand as one of its rivals has it, or displaced."""
        self.pose = rack.pose
        if self.found is None or rack.view.fit is not self.found.view.fit:
            self._reference = self._watched(frame.half, rack.view, range(SLOTS))
        self.found = rack

    def doubt_place(self, slots: Collection[int] = range(SLOTS)) -> None:
        """Be not sure which of some slots (0..9) is which: the rack may have been pushed, or its mat be smaller."""
        if self.found is not None:
            self.found = replace(self.found, view=self.found.view.doubted(slots))

    def learn(self, frame: Frame, answers: Mapping[int, NDArray[np.float64]]) -> None:
        """Take the reader's answers by slot, (possible numbers, 61) each, for those that were to be read."""
        rack = self.found
        if rack is None:
            return
        fresh = [slot for slot in answers if not self._said[slot]]
        sure = min(rack.view.which) >= DOUBTED
        if sure:
            self._stands_firm(rack, numbers_read(answers.values()))
        for slot in fresh:
            self._read[slot] = is_read(answers[slot])
        read = [slot for slot, good in enumerate(self._read) if good and rack.view.strips[slot] is not None]
        rack = rack.with_rows_of(read)
        numbers = {slot: number_in(answers[slot]) if slot in fresh else card_in(self._told[slot]) or 0 for slot in read}
        clear = self._clear or frame
        looked_at = judged(clear, rack.view, fresh, numbers)
        bare = bare_rack(clear, rack.view, read) if fresh else None
        if bare is not None:
            rack = replace(rack, view=bare[0], slots=((),) * SLOTS)
            answers = {slot: rows[:0] for slot, rows in answers.items()}
            looked_at |= {slot: Chances(empty=chance) for slot, chance in bare[1].items()}
        slots = [*rack.slots]
        for slot, rows in answers.items():
            if slot in fresh:
                evidence = in_slot(rack, slot, rows, looked_at.get(slot))
                slots[slot] = worth_reading(rack.slots[slot], rows)
            else:
                evidence = again_in_slot(rack, slot, rows, self._said[slot][-1])
                told = card_in(self._told[slot])
                if has_faded(told, rows) or card_in(evidence) not in {None, told}:
                    # it is another card that stands there now: in the next picture it is found anew
                    self._doubted.add(slot)
                    self._told[slot] = UNKNOWN
                    continue
                if len(self._said[slot]) >= LOOKS:
                    continue
            self._said[slot] = (*self._before.get(slot, ()), *self._said[slot], evidence)
            self._told[slot] = together(self._said[slot])
        self.found = replace(rack, slots=tuple(slots), or_printed=())
        if sure and not self._has_gaps:
            self.stood = [card or before for card, before in zip(self.cards, self.stood, strict=True)]

    def _stands_firm(self, rack: RackFound, numbers: int) -> None:
        """Remember where the rack surely stands, in which so many numbers are read, and how large its mat is."""
        self._firm = rack.pose
        if len(self.fresh) < SLOTS:
            return
        if numbers >= FEWEST:
            self.size = self.size.by_picture(rack.pose.printed)
            self.table = with_measures(self.table, rack.view.fit)
        elif rack.by_comb:
            self.size = self.size.by_comb(rack.pose.printed)

    def elsewhere(self, frame: Frame) -> Iterator[tuple[int, RackFound]]:
        """Give slots (0..9) that were looked at now and not read, each with the rack as it may stand otherwise.

        A logo or a shadow may have been stronger than the card's own edge; then its number is not where it was sought.
        Also what seems to be empty may hold a card that leans otherwise than the others, and whose edge is not seen;
        the first slot does where one leans out of it, though it is not read. Nor may a number be that card's whose
        sides are hardly seen below its edge.
        """
        rack = self.found
        if rack is None:
            return
        for slot in sorted(self.fresh):
            told, strip = self._told[slot], rack.view.strips[slot]
            bare = strip is None or told.empty >= SURE_OF_NONE
            read = card_in(told) is not None
            asked = renewal.hardly_sided(strip, self._usual_sides(slot)) if read else told.back < SURE_OF_NONE
            if asked:
                for other in find_elsewhere(rack, slot, self._clear or frame, bare=bare):
                    if self._told[slot] is told:
                        yield slot, other
        seems_empty = 0 in self.fresh and self._told[0].empty >= SURE_OF_NONE and not rack.view.footing.free
        if seems_empty and leans_out((self._clear or frame).colour, rack.view.fit.pose, rack.view.fit.table):
            self._said[0], self._told[0] = (), UNKNOWN

    def learn_elsewhere(self, frame: Frame, slot: int, other: RackFound, answers: NDArray[np.float64]) -> None:
        """Take the reader's answers, (possible numbers, 61), for a slot of the rack as it may stand otherwise.

        They count where a number is read clearly that no other slot of the rack shows and, if the slot seemed to be
        empty, below an edge with the sides of a card. Without these it may at least not be empty; nor where that number
        may be the one that stood there before. Below one of two edges of a slot it must be read surely to count if the
        sides of cards are seen by the other one (vision.renewal).
        """
        if self.found is None:
            return
        told, evidence, before = {*self.cards}, in_slot(other, slot, answers, None), self._told[slot]
        own, strip, card = self.found.view.strips[slot], other.view.strips[slot], card_in(evidence)
        usual = self._usual_sides(slot)
        if (known := card_in(before)) is not None:
            if renewal.is_outshone(own, strip, usual) and is_read(answers) and not renewal.may_be_read(answers, known):
                self.takes(frame, slot, other, answers, evidence)
        elif before.empty >= SURE_OF_NONE and (card is None or not renewal.has_cards_sides(strip, usual)):
            if renewal.may_hold_a_card(answers, card, self.stood[slot], told):
                self._said[slot], self._told[slot] = (), UNKNOWN
        elif card is not None and card not in told and renewal.counts(answers, card, strip, own, usual):
            self.takes(frame, slot, other, answers, evidence)

    def _usual_sides(self, slot: int) -> float:
        """Say how strongly the sides of the cards beside a slot (0..9) are seen, of which the numbers are told."""
        read = [at for at, told in enumerate(self._told) if at != slot and card_in(told) is not None]
        return 0.0 if self.found is None else renewal.usual_sides(self.found.view, read)

    def doubted(self, frame: Frame, slot: int) -> Iterator[RackFound]:
        """Give the rack as it may stand otherwise in a slot (0..9) in which a number was read now, and is not sure."""
        if self.found is not None and slot in self.fresh and card_in(self._told[slot]) is not None:
            yield from find_elsewhere(self.found, slot, self._clear or frame)

    def evidence_elsewhere(
        self, frame: Frame, slot: int, other: RackFound, answers: NDArray[np.float64]
    ) -> Evidence | None:
        """Give a slot's evidence by answers, (possible numbers, 61), for the rack as it may stand; None if unclear."""
        if clear_number(answers) is None:
            return None
        known = {at: card_in(told) or 0 for at, told in enumerate(self._told) if self._read[at]}
        numbers = {at: number for at, number in known.items() if other.view.strips[at] is not None}
        looked_at = judged(self._clear or frame, other.view, [slot], {**numbers, slot: number_in(answers)})
        return in_slot(other, slot, answers, looked_at.get(slot))

    def takes(
        self, frame: Frame, slot: int, other: RackFound, answers: NDArray[np.float64], evidence: Evidence
    ) -> None:
        """Take a slot (0..9) to be as the rack has it that may stand otherwise, with answers and their evidence."""
        if self.found is not None:
            numbers = worth_reading(other.slots[slot], answers)
            self.found = self.found.with_slots_of(other, {slot}).with_numbers(slot, numbers)
            self._said[slot], self._told[slot], self._read[slot] = (evidence,), evidence, is_read(answers)
            self._reference = self._watched(frame.half, self.found.view, {slot})

    def evidence(self) -> list[Evidence]:
        """All that the pictures so far said, slot by slot."""
        return [UNKNOWN if slot in self._hidden else told for slot, told in enumerate(self._told)]
