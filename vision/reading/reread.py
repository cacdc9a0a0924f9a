"""A number that looks just as it did when it was read last at its place is not read again: the answer is the same."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading.digits import CLASSES, NumberReader

ALIKE: Final = 0.25
"""Two crops are the same where they nowhere differ by more than this share of their ink's contrast, blurred over 3 x 3
pixels. Another figure differs by a whole stroke, which is about as broad; noise is averaged down to a third. (A crop's
own range says nothing of the ink's: the table behind a dark card may be bright.)"""


class Rereader:
    """Reads crops as `reader` does, but for those which it knows from their place."""

    def __init__(self, reader: NumberReader) -> None:
        """Know nothing yet."""
        self._reader = reader
        self._known: dict[Hashable, _Known] = {}

    def read(
        self,
        places: Sequence[Hashable],
        crops: Sequence[Sequence[NDArray[np.uint8]]],
        contrasts: NDArray[np.floating],
    ) -> NDArray[np.float64]:
        """Probabilities (n, 61) for the crops of some places, one place's after the other's.

        `contrasts` (n,), in grey levels, are by how much the ink of each differs from its card.
        """
        every = np.array([crop for some in crops for crop in some], np.uint8)
        answers = np.zeros((len(every), CLASSES))
        unknown = []
        starts = np.cumsum([0, *(len(some) for some in crops)]).tolist()
        for place, start, end in zip(places, starts, starts[1:], strict=False):
            before = self._known.get(place)
            for at in range(start, end):
                same = None if before is None else before.answer(every[at])
                if same is None:
                    unknown.append(at)
                else:
                    answers[at] = same
        if unknown:
            answers[unknown] = self._reader.read(every[unknown])
        apart = ALIKE * np.abs(contrasts)
        for place, start, end in zip(places, starts, starts[1:], strict=False):
            self._known[place] = _Known(every[start:end], apart[start:end], answers[start:end])
        return answers


@dataclass(frozen=True)
class _Known:
    """What was read at a place: crops (n, rows, columns), how far from each another may be, and the answers (n, 61)."""

    crops: NDArray[np.uint8]
    apart: NDArray[np.float64]
    answers: NDArray[np.float64]

    def answer(self, crop: NDArray[np.uint8]) -> NDArray[np.float64] | None:
        """Give the answer for the crop that shows the very same as another one; None if there is none."""
        for known, apart, answer in zip(self.crops, self.apart, self.answers, strict=True):
            if cv2.blur(cv2.absdiff(crop, known), (3, 3)).max() <= apart:
                return np.asarray(answer)
        return None
