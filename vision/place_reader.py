"""Reads what was found at a table's places: slots and the discard pile, each with what may be its number."""

from collections.abc import Collection, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.table import Deck
from vision.evidence import clear_number
from vision.found import Found
from vision.mats import TRAY
from vision.reading.deck import join
from vision.reading.digits import NumberReader
from vision.reading.numbers import widened
from vision.reading.reread import Rereader

NARROW: Final = 0.9
"""The number on the discard pile, of which there are no others beside it, may be of condensed figures where it is no
wider than this share of its height: a single figure may be, too, but is read clearly then."""

Place = tuple[int, int]
"""(seat, slot 0..9), or PILE (vision.look)."""


class PlaceReader:
    """Reads by a `reader`, by what is known of the deck's look, and by what was read at a place before."""

    def __init__(self, reader: NumberReader) -> None:
        """Remember nothing yet."""
        self._reader = reader
        self._rereader = Rereader(reader)

    def answers(
        self, places: Sequence[Place], found: Sequence[Sequence[Found]], deck: Deck, condensed: Collection[int]
    ) -> list[NDArray[np.float64]]:
        """Read what was found at some places: (possible numbers, 61) for each that has something.

        `condensed` are the seats whose racks' figures seem to be so.
        """
        crops = [[item.crop for item in items] for items in found]
        contrasts = np.array([item.ink.contrast for items in found for item in items])
        read = self._wider(places, found, self._rereader.read(places, crops, contrasts), condensed)
        answers = join(deck, np.array([crop for some in crops for crop in some], np.uint8), contrasts, read)
        ends = np.cumsum([len(items) for items in found])
        return [answers[end - len(items) : end] for items, end in zip(found, ends, strict=True)]

    def _wider(
        self,
        places: Sequence[Place],
        found: Sequence[Sequence[Found]],
        read: NDArray[np.float64],
        condensed: Collection[int],
    ) -> NDArray[np.float64]:
        """Read once more what is not clear where figures may be condensed, widened to what the reader has learnt."""
        items = [
            (item, seat in condensed or (seat == TRAY and item.ink.width < NARROW * item.ink.height))
            for (seat, _), some in zip(places, found, strict=False)
            for item in some
        ]
        unclear = [at for at, (_, narrow) in enumerate(items) if narrow and clear_number(read[at : at + 1]) is None]
        if not unclear:
            return read
        anew = self._reader.read(np.array([widened(items[at][0].crop) for at in unclear], np.uint8))
        clear = [clear_number(row[None]) is not None for row in anew]
        read = read.copy()
        read[np.array(unclear)[clear]] = anew[clear]
        return read
