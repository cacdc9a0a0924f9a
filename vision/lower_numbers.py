"""Tells a slot's number from the lower one of a card behind it, which is seen where slots before that are free.

A card bears its number twice, the second time upside down at half a turn about its middle (TABLE.md, Cards). Seen from
steeply above, a 6's lower number is where a 9 would stand in a free slot two or three before it.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.evidence import clear_number
from vision.find import in_picture
from vision.found import RackFound

NEAR: Final = 5.0
"""So near, in mm of the card's upper edge, is such a number to where the card behind has its own: of 24 that were read
in free slots of 300 drawn racks 23 were no farther than 5.2 mm along that card, which is seen at half to 0.8 of its
length. Of 6000 numbers some 120 that were their slots' own were as near by chance; none reads so when it is turned."""

Read = Callable[[Sequence[NDArray[np.uint8]]], NDArray[np.float64]]
"""Reads crops: (crops, 61)."""


@dataclass(frozen=True)
class _Number:
    """A number that was read in a slot (0..9), by which row of its answers, and where it is in the picture.

    `other` is where its card's other one would be, `near` how many pixels there are NEAR that.
    """

    slot: int
    row: int
    card: int
    at: NDArray[np.float64]
    other: NDArray[np.float64]
    near: float


def own_numbers(
    rack: RackFound, answers: Mapping[int, NDArray[np.float64]], known: Sequence[int | None], read: Read
) -> dict[int, NDArray[np.float64]]:
    """Give the reader's answers by slot (0..9), (possible numbers, 61) each, without other cards' lower numbers.

    `known` are the cards of slots, None where unknown, that are not among the answers. A number is another's where that
    has its lower one, and it reads, turned by half a turn, as that card's.
    """
    own = dict(answers)
    numbers = [*_numbers_in(rack, answers, known)]
    for number in numbers:
        behind = {
            other.card
            for other in numbers
            if other.slot > number.slot and math.dist(number.at, other.other) <= other.near
        }
        if behind and number.slot in answers:
            turned = clear_number(read([rack.slots[number.slot][number.row].crop[::-1, ::-1]]))
            if turned in behind:
                own[number.slot] = _without(answers[number.slot], number.row)
    return own


def _numbers_in(
    rack: RackFound, answers: Mapping[int, NDArray[np.float64]], known: Sequence[int | None]
) -> Iterator[_Number]:
    """Give what is read clearly in a rack's slots, the nearest first."""
    size = rack.view.fit.table.card
    for slot, strip in enumerate(rack.view.strips):
        rows = answers.get(slot)
        card = known[slot] if rows is None else clear_number(rows)
        if strip is None or not card or not rack.slots[slot]:
            continue
        row = 0 if rows is None else int(rows[:, 0].argmin())
        x, y = rack.slots[slot][row].ink.middle
        at, other = in_picture(rack.view, slot, np.array([(x, y), (size.width - x, size.height - y)]))
        yield _Number(slot, row, card, at, other, NEAR * math.dist(strip.quad[0], strip.quad[1]) / size.width)


def _without(rows: NDArray[np.float64], row: int) -> NDArray[np.float64]:
    """Give the answers of a slot with "no number" in a row."""
    rows = rows.copy()
    rows[row] = np.eye(rows.shape[1])[0]
    return rows
