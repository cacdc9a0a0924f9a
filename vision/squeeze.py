"""Whether a picture's pixels are squares: the cards in its racks tell where the mats leave it open.

Some webcams, relays and capture sticks squeeze 16:9 into 4:3, or stretch 4:3. One mat looks nearly the same then as
through another lens from another place, and the cards of a rack seem to stand a slot or more off: with the true pixels
all of them are found and read.
"""

import math
from collections.abc import Sequence
from typing import Final

from calibration.table import SLOTS, Table
from vision.evidence import clear_number
from vision.frame import Frame
from vision.lens import RATIOS, guessed, how_unlikely, pixel_ratio
from vision.mats import TRAY, Mat, well_seen
from vision.pose import Lens, pose_of
from vision.reading.digits import NumberReader
from vision.sizes import find_as_printed

A_NUMBER: Final = 3.0
"""What each more number that is read tells for a lens, as a natural logarithm: a bit less than a card's edge does
(vision.rivals), for they go together."""
ENOUGH: Final = 6
"""Of fewer numbers nothing is concluded."""
MORE: Final = 2
"""One number more may be by chance: a rack that was pushed by a slot's width looks so, too. Not where the mats have
said already that the pixels are no squares: then others are tried, too, ..."""
STEPS: Final = (0.88, 0.94, 1.06, 1.12)
"""... so many times as high as the mats say, which they tell no better."""
ODD: Final = 0.05
"""Pixels are no squares whose height and width differ by this share."""

SQUEEZED: Final = (
    "the picture seems to be {} by about {} %: set the camera to proportions of its own, and cut nothing off its"
    " pictures; it is reckoned with"
)
"""Said where a picture's pixels are no squares."""


class Pixels:
    """What is known of the shape of one camera's pixels, which stays as it is."""

    def __init__(self, reader: NumberReader) -> None:
        """Know nothing yet. `ratio` is the pixels' height over their width, None while that is not told."""
        self._reader = reader
        self.ratio: float | None = None
        self._guess: float | None = None
        self._asked = 0

    @property
    def untold(self) -> bool:
        """Whether the lens was guessed, and the cards did not tell."""
        return self.ratio is None and self._guess is not None

    def may_be_told(self, cards: int) -> bool:
        """Tell whether to ask anew: so many `cards` are known by now, and fewer did not tell."""
        return cards >= max(ENOUGH, self._asked + MORE)

    def ask(self, frame: Frame, mats: Sequence[Mat], lens: Lens, table: Table, cards: int) -> bool:
        """Ask the cards in the racks, of which so many are known, before a camera whose `lens` was guessed by the mats.

        Tell whether mats were seen before by pixels of another shape than is told now.
        """
        if lens.calibrated or self.ratio is not None:
            return False
        before, self._guess, self._asked = self._guess, pixel_ratio(lens), cards
        self.ratio = ratio_by_cards(frame, mats, lens, table, self._reader)
        return self.ratio is not None and self.ratio != (before or self._guess)


def ratio_by_cards(frame: Frame, mats: Sequence[Mat], lens: Lens, table: Table, reader: NumberReader) -> float | None:
    """Give the height of a picture's pixels over their width, by the cards in racks before a camera that was guessed.

    `lens` is what was guessed by the mats. None where no rack tells: where it is not nearly full, another lens must
    show more of its cards.
    """
    wide, size = well_seen(mats), frame.size
    racks, guess = [mat for mat in wide if mat.number != TRAY], pixel_ratio(lens)
    if not racks:
        return None
    ratio, full = guess, (SLOTS - 1) * len(racks)
    first, sure = _numbers(frame, racks, lens, table, reader)
    best = first
    if first >= SLOTS * len(racks):
        return guess
    odd = is_odd(lens)
    likely = A_NUMBER * sure - how_unlikely(wide, lens)
    for other in (1.0, *RATIOS, *(step * guess for step in STEPS if odd)):
        if math.isclose(other, guess):
            continue  # that is how the numbers were counted first
        another = guessed(wide, size, other)
        unlikely = how_unlikely(wide, another)
        if A_NUMBER * SLOTS * len(racks) - unlikely <= likely:
            continue  # though every number were read
        numbers, sure = _numbers(frame, racks, another, table, reader)
        value = A_NUMBER * sure - unlikely
        if numbers >= first + (1 if odd else MORE) and value > likely:
            best, ratio, likely = numbers, other, value
    return ratio if best >= (full if ratio == guess else ENOUGH) else None


def is_odd(lens: Lens) -> bool:
    """Tell whether a lens that was guessed has pixels that are no squares."""
    return not lens.calibrated and abs(pixel_ratio(lens) - 1) >= ODD


def squeezed_words(lens: Lens) -> tuple[str, ...]:
    """Say that a picture's pixels are no squares; nothing where they are."""
    if not is_odd(lens):
        return ()
    ratio = pixel_ratio(lens)
    return (SQUEEZED.format("squeezed" if ratio < 1 else "stretched", round(100 * abs(ratio - 1))),)


def _numbers(frame: Frame, racks: Sequence[Mat], lens: Lens, table: Table, reader: NumberReader) -> tuple[int, float]:
    """Count the numbers that are read clearly in racks, by the poses that a lens gives their mats, each once.

    The second counts each as far as it is sure in which slot it is: by other pixels a rack may fit between its slots.
    A rack that is partly out of the picture tells nothing: where its mat lies is hardly known then.
    """
    read, sure = 0, 0.0
    for mat in racks:
        pose = pose_of(mat, lens)
        if pose is not None:
            rack = find_as_printed(frame, mat.number, pose, table)
            if rack.view.is_cut_off:
                continue
            numbers = [clear_number(reader.read([item.crop for item in items])) for items in rack.slots]
            counted = zip(numbers, rack.view.which, strict=True)
            known = {number: which for number, which in counted if number is not None}
            read, sure = read + len(known), sure + sum(known.values())
    return read, sure
