"""A number that looks just as it did when it was read last at its place is not read again: the answer is the same."""

from collections.abc import Hashable, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading.digits import CLASSES, NumberReader

ALIKE: Final = 0.12
"""Two crops are the same where they nowhere differ by more than this share of their contrast, blurred over 3 x 3
pixels. Another figure differs by a whole stroke, which is about as broad; noise is averaged down to a third."""


class Rereader:
    """Reads crops as `reader` does, but for those which it knows from their place."""

    def __init__(self, reader: NumberReader) -> None:
        """Know nothing yet."""
        self._reader = reader
        self._known: dict[Hashable, tuple[NDArray[np.uint8], NDArray[np.float64]]] = {}

    def read(self, places: Sequence[Hashable], crops: Sequence[Sequence[NDArray[np.uint8]]]) -> NDArray[np.float64]:
        """Probabilities (n, 61) for the crops of some places, one place's after the other's."""
        every = np.array([crop for some in crops for crop in some], np.uint8)
        answers = np.zeros((len(every), CLASSES))
        unknown = []
        starts = np.cumsum([0, *(len(some) for some in crops)]).tolist()
        for place, start, end in zip(places, starts, starts[1:], strict=False):
            before = self._known.get(place)
            for at in range(start, end):
                same = None if before is None else _same(every[at], before[0])
                if same is None or before is None:
                    unknown.append(at)
                else:
                    answers[at] = before[1][same]
        if unknown:
            answers[unknown] = self._reader.read(every[unknown])
        for place, start, end in zip(places, starts, starts[1:], strict=False):
            self._known[place] = every[start:end], answers[start:end]
        return answers


def _same(crop: NDArray[np.uint8], known: NDArray[np.uint8]) -> int | None:
    """Find the crop that shows the very same among known ones, (n, rows, columns); None if there is none."""
    for at, other in enumerate(known):
        away = cv2.blur(cv2.absdiff(crop, other), (3, 3))
        if float(away.max()) <= ALIKE * float(np.ptp(other)):
            return at
    return None
