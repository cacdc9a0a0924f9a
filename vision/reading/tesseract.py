"""The one place where Tesseract is called: the plain witness that vision is compared with."""

import os

import numpy as np
import pytesseract
from numpy.typing import NDArray

TIMEOUT = 5.0
"""Seconds after which a call is given up; it takes about 0.07."""
CONFIG = "--psm 7 -c tessedit_char_whitelist=0123456789"


def available() -> str | None:
    """Give Tesseract's version, or None where the program is not installed."""
    try:
        return str(pytesseract.get_tesseract_version())
    except (pytesseract.TesseractNotFoundError, SystemExit):
        return None


def read_strip(strip: NDArray[np.uint8]) -> int | None:
    """Read the number of a whole strip, (rows, columns) grey or (rows, columns, 3) RGB; None if there is none in 1..60.

    Tesseract may die of some noisy strips (version 5.3.0, SIGFPE at psm 7): such a strip counts as unread, and so does
    one that takes longer than TIMEOUT.
    """
    os.environ["OMP_THREAD_LIMIT"] = "1"  # its threads only get into each other's way on strips so small
    try:
        text = pytesseract.image_to_string(strip, config=CONFIG, timeout=TIMEOUT)
    except (pytesseract.TesseractError, pytesseract.TesseractNotFoundError, RuntimeError):
        return None
    digits = "".join(letter for letter in text if letter in "0123456789")
    return int(digits) if digits and len(digits) <= 2 and 1 <= int(digits) <= 60 else None
