"""Whether Tesseract is there: it plays no part at the table, and is the plain witness that figures are held against."""

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np

from device.doctor.findings import Finding
from vision.reading.tesseract import available, read_strip

CHECK: Final = "Tesseract"
NUMBER: Final = 38
WITNESS: Final = "the table plays without it, only python -m vision.report asks it"


def check(*_: object) -> Iterator[Finding]:
    """Ask for its version, and let it read a drawn number."""
    version = available()
    if version is None:
        yield Finding(CHECK, "look", f"not installed; {WITNESS}", "sudo apt install tesseract-ocr, if you want figures")
        return
    strip = np.full((64, 400), 235, np.uint8)
    cv2.putText(strip, str(NUMBER), (150, 48), cv2.FONT_HERSHEY_SIMPLEX, 1.4, 30, 3, cv2.LINE_AA)
    read = read_strip(strip)
    if read != NUMBER:
        found = f"version {version}; a drawn {NUMBER} is {'not read' if read is None else f'read as {read}'}; {WITNESS}"
        yield Finding(CHECK, "look", found, "sudo apt install --reinstall tesseract-ocr tesseract-ocr-eng")
        return
    yield Finding(CHECK, "good", f"version {version}; a drawn {NUMBER} is read right")
