"""The reader of card numbers: crops in, a probability for each of the sixty numbers and for "no number here" out.

Crop contract: uint8 grey, 32 rows x 48 columns, the number (one or two figures) roughly in the middle, foreshortening
removed, ink about 18 rows high (13..24 works), dark on light or light on dark. The model is a small convolutional net
in ONNX, trained by vision/training on synthetic crops and photographed figures (wichtounet/sudoku_dataset, CC BY 4.0).
"""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import TableError
from vision.nets import asked, load_net, shares
from vision.reading import cutout

ROWS, COLUMNS = 32, 48
INK = 18
"""Ink height in a crop by the contract, in rows."""
CLASSES = 61
"""Column 0 is "no number here", columns 1..60 are the cards."""
BLOCK, MARGIN = 4, 2
"""Pixels: the nets see blocks of 4 x 4, each with a margin of 2 around it."""
WINDOWS = ((BLOCK + 2 * MARGIN) ** 2, ROWS // BLOCK, COLUMNS // BLOCK)
"""One crop as the nets take it: each block's window of 8 x 8 pixels as 64 channels, which OpenCV is fastest with."""
TENS, ONES = 8, 10
"""The witness's scores: no number, no tens, 1..6 tens; then 0..9 ones."""
MODEL = Path(__file__).with_name("number_reader.onnx")
WITNESS = Path(__file__).with_name("number_witness.onnx")
"""A net of another kind, which sees edges only and names figure by figure; asked where the first is not certain."""

_CERTAIN = 0.999
"""Where the first net is so sure, the witness is not asked: it changed nothing there and takes half of the time."""
_NOTHING = 0.9
"""Nor where the first is so sure that there is no number."""
_TOGETHER = 0.53
"""Both nets' logarithms are added with this weight; fitted on typefaces kept for that (vision/training/README.md)."""
_BATCH = 64
_CUT = 46
"""Pixels at either end of a crop's brightness that do not count for its contrast: 3 of 100."""
_LEAST_SPREAD = 12.0
"""Grey levels; a crop with less contrast is not stretched further, or its noise would look like print."""


class ReaderError(TableError):
    """The number reader cannot be used: which model file, and what to do."""


class NumberReader:
    """Reads crops with nets of its own. Not to be shared between threads: make one a thread.

    Raises ReaderError where the model is missing or broken.
    """

    def __init__(self, model: Path | None = None, witness: Path | None = None) -> None:
        """Load both nets; a `model` of one's own comes without a witness unless that is named, too."""
        if model is None and witness is None:
            witness = WITNESS
        self._net = _load(MODEL if model is None else model)
        self._witness = _load(witness) if witness is not None else None

    def read(self, crops: Sequence[NDArray[np.uint8]] | NDArray[np.uint8]) -> NDArray[np.float64]:
        """Probabilities (n, 61) of n crops (32, 48) uint8; each row sums to 1. No crops give (0, 61).

        Raises ReaderError for crops of another shape or type.
        """
        if len(crops) == 0:
            return np.zeros((0, CLASSES))
        for crop in crops:
            if crop.shape != (ROWS, COLUMNS) or crop.dtype != np.uint8:
                raise ReaderError(f"a crop must be uint8 of {ROWS} x {COLUMNS}, not {crop.dtype} of {crop.shape}")
        prepared = in_windows(normalise(np.asarray(crops, np.uint8)))
        chances = _ask(self._net, prepared)
        doubtful = np.flatnonzero((chances.max(axis=1) < _CERTAIN) & (chances[:, 0] < _NOTHING))
        if self._witness is not None and len(doubtful):
            both = chances[doubtful] * _ask(self._witness, prepared[doubtful])
            both = np.clip(both, 1e-14, None) ** _TOGETHER
            chances[doubtful] = both / both.sum(axis=1, keepdims=True)
        return chances

    def read_cutout(self, picture: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Probabilities (61,) for a loose cut-out of one card's number, uint8 grey (h, w) or BGR (h, w, 3), any size.

        The number may be dark or light and tilted by some 15 degrees; what shows no number, or one that lies on its
        side, makes the result unsure (vision/reading/cutout.py). Raises ReaderError for another shape.
        """
        if picture.dtype != np.uint8 or picture.ndim not in {2, 3} or picture.size == 0:
            raise ReaderError(f"a cut-out must be a grey or BGR picture of uint8, not {picture.dtype} {picture.shape}")
        grey = picture if picture.ndim == 2 else np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
        return cutout.read_cutout(self.read, grey)


def normalise(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Crops (n, 32, 48) uint8 as float32 (n, 1, 32, 48): contrast stretched, print dark.

    Which of the two tones is print is told by the rarer one, so a crop and its negative give the same input.
    """
    flat = crops.reshape(len(crops), -1)
    last = flat.shape[1] - 1
    # of bytes, NumPy's stable sort is a count, which takes a sixth of the time of a partition
    ranked = np.sort(flat, axis=1, kind="stable")[:, [_CUT, last // 2, last // 2 + 1, last - _CUT]].astype(np.float32)
    middle = (ranked[:, 1] + ranked[:, 2]) / 2
    spread = np.maximum(ranked[:, 3] - ranked[:, 0], np.float32(_LEAST_SPREAD))
    values = np.clip((flat.astype(np.float32) - middle[:, None]) / spread[:, None], -1.5, 1.5)
    bright_print = (values * values * values).sum(axis=1) > 0
    values[bright_print] *= -1
    return np.asarray(values.reshape(-1, 1, ROWS, COLUMNS), np.float32)


def in_windows(normalised: NDArray[np.float32]) -> NDArray[np.float32]:
    """Normalised crops (n, 1, 32, 48) as the nets' input (n, 64, 8, 12); beyond a crop's border there are noughts."""
    side = BLOCK + 2 * MARGIN
    padded = np.zeros((len(normalised), ROWS + 2 * MARGIN, COLUMNS + 2 * MARGIN), np.float32)
    padded[:, MARGIN:-MARGIN, MARGIN:-MARGIN] = normalised[:, 0]
    each, down, across = padded.strides
    shape, steps = (len(padded), side, side, *WINDOWS[1:]), (each, down, across, BLOCK * down, BLOCK * across)
    # the windows overlap; NumPy's sliding_window_view takes longer to make such a view than it takes to copy it
    windows = np.ndarray(shape, np.float32, padded, strides=steps)
    return np.ascontiguousarray(windows).reshape(-1, *WINDOWS)


def _ask(net: cv2.dnn.Net, prepared: NDArray[np.float32]) -> NDArray[np.float64]:
    """Probabilities (n, 61) by one net of n prepared crops."""
    parts = []
    for start in range(0, len(prepared), _BATCH):
        batch = prepared[start : start + _BATCH]
        parts.append(_chances(asked(net, batch)))
    return np.concatenate(parts)


def _chances(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities (n, 61) of scores (n, 61), or of the witness's (n, 18), whose tens and ones are independent."""
    if scores.shape[1] == CLASSES:
        return shares(scores)
    tens, ones = shares(scores[:, :TENS]), shares(scores[:, TENS:])
    numbers = np.arange(1, CLASSES)
    chances = np.zeros((len(scores), CLASSES))
    chances[:, 1:] = tens[:, 1 + numbers // 10] * ones[:, numbers % 10]
    chances[:, 0] = np.clip(1 - chances[:, 1:].sum(axis=1), 0, 1)
    return chances


def _load(model: Path) -> cv2.dnn.Net:
    return load_net(model, "the number reader's model", WINDOWS, (CLASSES, TENS + ONES), ReaderError)
