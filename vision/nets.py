"""Small nets in ONNX files, run by OpenCV: how they are loaded, and what their scores mean."""

from collections.abc import Collection
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import TableError

ADVICE = "install racko again, or train it anew (vision/training/README.md)"


def load_net(
    model: Path, name: str, shape: tuple[int, ...], answers: Collection[int], error: type[TableError]
) -> cv2.dnn.Net:
    """Load a net that takes inputs (1, *shape) and gives one of so many `answers`; it is not for several threads.

    Raises `error`, with the file and the net's `name` for people, where the file is missing, broken or another net's.
    """
    if not model.is_file():
        raise error(f"{model}: {name} is missing; {ADVICE}")
    try:
        net = cv2.dnn.readNetFromONNX(str(model))
        net.setInput(np.zeros((1, *shape), np.float32))
        answered = np.asarray(net.forward()).shape
    except cv2.error as problem:
        raise error(f"{model}: {name} is broken; {ADVICE}") from problem
    if answered not in {(1, count) for count in answers}:
        wanted = " or ".join(f"(1, {count})" for count in answers)
        raise error(f"{model}: {name} answers {answered} instead of {wanted}; {ADVICE}")
    return net


def asked(net: cv2.dnn.Net, inputs: NDArray[np.float32]) -> NDArray[np.float64]:
    """Give a net's scores (n, answers) for n inputs (n, ...)."""
    net.setInput(inputs)
    return np.array(net.forward(), np.float64).reshape(len(inputs), -1)


def shares(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Turn scores (n, answers) into probabilities; each row sums to 1."""
    exponents = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(exponents / exponents.sum(axis=1, keepdims=True))
