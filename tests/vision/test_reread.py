from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading.digits import CLASSES, COLUMNS, ROWS, NumberReader
from vision.reading.reread import Rereader


class Counting(NumberReader):
    """Tells of each crop only which it was in the order of reading."""

    def __init__(self) -> None:
        self.asked = 0

    def read(self, crops: Sequence[NDArray[np.uint8]] | NDArray[np.uint8]) -> NDArray[np.float64]:
        answers = np.zeros((len(crops), CLASSES))
        for answer in answers:
            answer[self.asked % CLASSES] = 1.0
            self.asked += 1
        return answers


def number(words: str, ink: int = 60, noise: float = 0.0, seed: int = 1) -> NDArray[np.uint8]:
    crop = np.full((ROWS, COLUMNS), 200, np.uint8)
    cv2.putText(crop, words, (8, 25), cv2.FONT_HERSHEY_SIMPLEX, 0.75, ink, 2, cv2.LINE_AA)
    return np.clip(crop + np.random.default_rng(seed).normal(0, noise, crop.shape), 0, 255).astype(np.uint8)


def read(reading: Rereader, places: list[str], crops: list[list[NDArray[np.uint8]]]) -> NDArray[np.float64]:
    """Read crops whose ink is as much darker or brighter than its card as the crop's extremes tell."""
    contrasts = np.array([float(crop[8:].max()) - crop[8:].min() for some in crops for crop in some])
    return reading.read(places, crops, contrasts)


def test_a_number_that_looks_as_before_is_not_read_again() -> None:
    reader = Counting()
    reading = Rereader(reader)
    first = read(reading, ["a", "b"], [[number("36", noise=4)], [number("7"), number("8")]])
    again = read(reading, ["b", "a"], [[number("8"), number("7")], [number("36", noise=4, seed=2)]])
    assert reader.asked == 3
    assert again.argmax(axis=1).tolist() == [first[2].argmax(), first[1].argmax(), first[0].argmax()]


def test_another_figure_is_read_however_little_of_it_is_another() -> None:
    pairs = [("36", "38"), ("5", "6"), ("1", "7"), ("50", "60"), ("19", "10")]
    for ink in (60, 170):
        for one, other in pairs:
            reader = Counting()
            reading = Rereader(reader)
            for words in (one, other):
                read(reading, ["a"], [[number(words, ink, noise=4.0 if ink < 100 else 1.0)]])
            assert reader.asked == 2, (ink, one, other)


def test_what_stood_elsewhere_or_before_the_last_time_is_read() -> None:
    reader = Counting()
    reading = Rereader(reader)
    for place, words in (("a", "12"), ("b", "12"), ("a", "13"), ("a", "12")):
        read(reading, [place], [[number(words)]])
    assert reader.asked == 4


def test_no_crops_give_no_answers() -> None:
    assert read(Rereader(Counting()), ["a", "b"], [[], []]).shape == (0, CLASSES)


def test_another_figure_on_a_dark_card_before_a_bright_table_is_read() -> None:
    reader = Counting()
    reading = Rereader(reader)
    for words in ("45", "53"):
        crop = (number(words, ink=120) // 3).astype(np.uint8)
        crop[:4] = 230
        read(reading, ["a"], [[crop]])
    assert reader.asked == 2
