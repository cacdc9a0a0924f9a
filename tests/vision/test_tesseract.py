import cv2
import numpy as np
import pytest

from vision.reading.tesseract import available, read_strip


@pytest.mark.skipif(available() is None, reason="Tesseract is not installed")
def test_tesseract_reads_a_plain_number_and_counts_noise_as_unread() -> None:
    strip = np.full((60, 200), 255, np.uint8)
    cv2.putText(strip, "37", (60, 48), cv2.FONT_HERSHEY_DUPLEX, 1.6, 0, 3, cv2.LINE_AA)
    assert read_strip(strip) == 37
    assert read_strip(np.full((60, 200), 255, np.uint8)) is None
