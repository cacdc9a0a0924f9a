"""What is known of the tray before a camera that stands still: only what changed is found and read again."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import compress
from statistics import median
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from calibration.table import Side, Table
from vision.changes import Reference, correlation, grid
from vision.evidence import LOOKS, UNKNOWN, Usual, card_in, clear_number, on_pile, shown_as, worth_reading
from vision.find import cut_pile_again, find_on_pile, find_swapped, wells_in
from vision.found import Found, TrayFound
from vision.frame import Frame
from vision.fuse import Evidence, together
from vision.pose import Pose
from vision.rack.hindrance import OUT_OF_PICTURE, misprinted
from vision.reading.numbers import BELOW_BAND, DEEP_BAND, Ink
from vision.sizes import find_tray_as_printed
from vision.steady import Steady
from vision.tray.wells import PILE_HEIGHT, SIDES, WELL_CENTRES, Well

WELL: Final = (np.arange(-46.0, 46.1, 1.0), np.arange(-30.0, 30.1, 1.0))
"""A well is watched at these mm about its middle."""

SAME: Final = 0.996
"""A well that correlates so well with itself as it was is the same in another shade. On drawn trays another number on a
card in the very same place mostly makes 0.994 at most, but a thin one may make more. (A slot's strip does: its edge
outweighs a figure.)"""

SAME_PRINT: Final = 0.97
"""So does a number alone. On drawn trays another one in its place makes 0.95 at most, the same one mostly 0.99."""

ENOUGH: Final = 3
"""Once so many cards have been read on the discard pile, it is known how this deck's numbers usually are."""

BY_SIZE: Final = 2
"""A mat's size is not told by one card alone: on 1194 pictures of mats of the right size 4 cards seem larger."""

LIKE: Final = 0.8
"""A deck's numbers are as high as each other to this share; the facts on its cards are lower."""


class TrayMemory:
    """The tray: its two wells, and what up to LOOKS pictures said of the discard pile as it lies now."""

    def __init__(self, pose: Pose, table: Table) -> None:
        """Know nothing of the tray yet. `fresh` tells whether the latest picture showed news on the discard pile.

        `unsure` is told to it: whether what lies on the discard pile is not sure by all that is known. `swapped` tells
        whether the piles seem to lie in each other's wells, None where it was not looked at yet. `pose` comes to tell
        how large the mat was printed; `by_size` are the cards that were read with the mat taken to be so large.
        """
        self.pose = pose
        self._table = table
        self._reference: Reference | None = None
        self._wells: tuple[Well, Well] | None = None
        self._said: tuple[Evidence, ...] = ()
        self._told = UNKNOWN
        self._at_both_ends = False
        self.numbers: dict[int, Ink] = {}
        self.by_size: set[int] = set()
        self._hidden = [False, False]
        self._steady: Steady | None = None
        self.hand = False
        self.fresh = False
        self.swapped: bool | None = None
        self.unsure = True
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
            self._wells = wells_in(frame, self.pose, self._table, self._wells, changed)
            self._reference, self.swapped = now, None
        if self._wells is None:
            return False
        draw, discard = self._in_order(*self._wells)
        if self.found is None or discard is not self.found.discard:
            self._lies_anew(frame, TrayFound(draw, discard, find_on_pile(frame.grey, discard, self._table)))
            return True
        clear = self._with_less_noise(frame)
        if clear is not None:
            self.found = TrayFound(draw, discard, find_on_pile(clear, discard, self._table))
            self._said = self._said[-1:]
            return True
        numbers = self.found.numbers
        again = len(self._said) < LOOKS and bool(numbers)
        if again:
            numbers = cut_pile_again(frame.grey, discard, self._table, numbers)
        self.found = TrayFound(draw, discard, numbers)
        return again

    def _lies_anew(self, frame: Frame, found: TrayFound) -> None:
        """Know a tray whose discard pile is another one than before."""
        wide = found.discard.wide
        self._said, self.fresh, self.found = (), True, found
        self._steady = None if wide is None else Steady(frame.grey, frame.half, wide)

    def _in_order(self, one: Well, other: Well) -> tuple[Well, Well]:
        """Give the left and the right well as those of the draw and the discard pile, or the other way round."""
        return (one, other) if self._table.tray.draw == "left" else (other, one)

    def _with_less_noise(self, frame: Frame) -> NDArray[np.uint8] | None:
        """Give the grey picture with the mean of what stays on the discard pile, if its top is not sure."""
        if self._steady is None or not self.unsure:
            self._steady = None
            return None
        self._steady.add(frame.grey, frame.half, np.empty((0, 4, 2)))
        return self._steady.in_place(frame.grey)

    def _as_it_looks(self, half: NDArray[np.uint8]) -> Reference:
        """Both wells as they look now."""
        if self._reference is not None:
            return self._reference.renewed(half)
        middles = [WELL_CENTRES[side] for side in SIDES]
        return Reference.of(half, [grid(self.pose, WELL[0] + x, WELL[1] + y, PILE_HEIGHT) for x, y in middles])

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
            self._said = (*self._said, on_pile(self.found, answers, self._usual()))
            self._told = together(self._said)
            card = card_in(self._told)
            own = shown_as(self.found.numbers, answers, card)
            numbers = [item.ink for item in own]
            self._at_both_ends = _are_at_both_ends(own)
            if card is not None:
                self.by_size.add(card)
                if numbers:
                    self.numbers[card] = max(numbers, key=lambda ink: ink.height)
            self.found = replace(self.found, numbers=worth_reading(self.found.numbers, answers))

    def _usual(self) -> Usual | None:
        """How this deck's numbers are, if that is known."""
        if len(self.numbers) < ENOUGH:
            return None
        inks = self.numbers.values()
        return Usual(median(ink.top for ink in inks), median(ink.height for ink in inks))

    def deeper(self, frame: Frame) -> TrayFound | None:
        """Give the tray with what may be numbers farther in on the pile's card.

        The edge that was found may be that of a card below, which lies farther out. That card's own number may be seen,
        too; so if one is read, it should be at both ends of the card.
        """
        found = self.found
        if found is None or not self.fresh or found.discard.state == "plain":
            return None
        known = card_in(self._told) is not None
        if known and self._at_both_ends:
            return None
        numbers = find_on_pile(frame.grey, found.discard, self._table, BELOW_BAND if known else DEEP_BAND)
        return replace(found, numbers=numbers) if numbers else None

    def learn_deeper(self, deeper: TrayFound, answers: NDArray[np.float64]) -> None:
        """Take the reader's answers for what lies deeper, (possible numbers, 61), if one of them is clear.

        Where a number was read, only what stands below it counts: the topmost card hides what is under it, so that one
        is of a card that lies below.
        """
        if self.found is not None and card_in(self._told) is not None:
            below = [_stands_below(item, self.found.numbers) for item in deeper.numbers]
            deeper, answers = replace(deeper, numbers=tuple(compress(deeper.numbers, below))), answers[below]
        if clear_number(answers) is not None:
            self.found, self._said = deeper, self._said[:-1]
            self.learn(answers)

    def as_printed(self, frame: Frame) -> tuple[Pose, TrayFound] | None:
        """Give the tray as find_tray_as_printed does, if a card on the discard pile is seen better so than as known.

        None where one is seen and read as it is known.
        """
        found = self.found
        if found is None or not self.fresh or found.discard.state == "plain":
            return None
        if found.discard.state == "card" and card_in(self._told) is not None:
            return None
        pose, other = find_tray_as_printed(frame, self.pose, self._table)
        clearer = other.discard.state == "card" and other.discard.outline > found.discard.outline
        return (pose, other) if clearer else None

    def learn_as_printed(self, frame: Frame, pose: Pose, answers: NDArray[np.float64]) -> None:
        """Take the pose as_printed and the reader's answers for the tray there, if one of them is a clear number.

        `answers` are (possible numbers, 61). All that was known of how the wells look is by the size before.
        """
        if clear_number(answers) is not None:
            self.pose = pose
            self.by_size.clear()
            self.numbers.clear()
            self._reference = self._wells = self.found = None
            self.see(frame, hand=self.hand)
            self.learn(answers)

    def hindrances(self) -> Iterator[str]:
        """Say which pile is out of the picture, and that the mat is of another size, once more than one card showed it.

        Each says what to do.
        """
        if self.found is not None:
            piles = (("draw", self.found.draw), ("discard", self.found.discard))
            yield from (f"the {name} pile is partly {OUT_OF_PICTURE}" for name, well in piles if well.outside)
        if len(self.by_size) >= BY_SIZE:
            yield from misprinted(self.pose)

    def other_way(self, frame: Frame) -> TrayFound | None:
        """Give the tray with its piles swapped, if that is to be read: no number is read where the discard pile is."""
        found = self.found
        if found is None or self.swapped is not None or any(self._hidden):
            return None
        self.swapped = False
        if found.draw.state == "plain" or card_in(self._told) is not None:
            return None
        return find_swapped(frame, self.pose, self._table, found)

    def learn_other_way(self, other: TrayFound, answers: NDArray[np.float64]) -> None:
        """Take the reader's answers for the tray with its piles swapped, (possible numbers, 61)."""
        self.swapped = card_in(on_pile(other, answers)) is not None

    def glimpse(self, frame: Frame) -> TrayFound | None:
        """Give the tray with its discard pile as it seems to lie below a hand; None where none is over it.

        What is taken for a hand may be a shadow that sways, over a table as light as paper.
        """
        if self.found is None or not self._hidden[self._discard]:
            return None
        here = [place == self._discard for place in range(len(SIDES))]
        discard = wells_in(frame, self.pose, self._table, self._wells, here)[self._discard]
        return replace(self.found, discard=discard, numbers=find_on_pile(frame.grey, discard, self._table))

    def learn_glimpse(self, frame: Frame, glimpse: TrayFound, answers: NDArray[np.float64]) -> None:
        """Take the reader's answers for a glimpse, (possible numbers, 61), if they are one number at both ends.

        No hand is over a card of which both are seen. Of 1281 drawn trays with a hand over the mat 476 were read so,
        all rightly; by one end alone 618, two of them wrongly.
        """
        own = shown_as(glimpse.numbers, answers, clear_number(answers))
        if glimpse.discard.state != "card" or not _are_at_both_ends(own) or self._reference is None:
            return
        self._reference = self._reference.with_group(self._discard, self._as_it_looks(frame.half))
        self._wells = self._in_order(glimpse.draw, glimpse.discard)
        self._hidden[self._discard], self.swapped = False, False
        self._lies_anew(frame, glimpse)
        self.learn(answers)

    def evidence(self) -> Evidence:
        """All that the pictures so far said of the discard pile."""
        return UNKNOWN if self._hidden[self._discard] or self.swapped else self._told

    @property
    def draw(self) -> Literal["cards", "empty"] | None:
        """Whether there is a draw pile; None where its well cannot be seen well enough."""
        hidden = self._hidden[1 - self._discard] or self.swapped
        if self.found is None or hidden or self.found.draw.state == "unclear":
            return None
        return "cards" if self.found.draw.state == "card" else "empty"

    def pile_in(self, well: Side | None) -> Literal["draw", "discard"] | None:
        """Give the pile that lies in a well."""
        return None if well is None or self.swapped else "draw" if well == self._table.tray.draw else "discard"

    @property
    def _discard(self) -> int:
        return 1 if self._table.tray.draw == "left" else 0


def _are_at_both_ends(numbers: Sequence[Found]) -> bool:
    """Whether some of a card's numbers are along its far edge, and some, upside down, along its near one."""
    return len({item.turned for item in numbers}) > 1


def _stands_below(item: Found, numbers: Sequence[Found]) -> bool:
    """Whether what may be a number stands below one of some numbers, and is as high as what is seen of that."""
    return any(
        item.turned == other.turned and item.ink.top >= other.ink.bottom and item.ink.height >= LIKE * other.ink.height
        for other in numbers
    )
