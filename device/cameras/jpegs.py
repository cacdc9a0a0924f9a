"""JPEG pictures out of a stream of bytes, by the markers and lengths of their segments (ITU-T T.81, annex B).

A stream of pictures (MJPEG) has no container: whole pictures follow one another, with the text of a multipart stream or
anything else between them. Looking for the end marker alone finds it inside of segments too (a camera's maker may
put any bytes there, a small JPEG for instance), so the segments are stepped over by their lengths.
"""

import re
from typing import Final

MOST_BYTES: Final = 16 * 1024 * 1024
"""A picture that has not ended after so many bytes is thrown away; one of 1920 x 1080 has less than 2 MB."""

START: Final = b"\xff\xd8\xff"
"""The start of an image and the first byte of the next marker, which always follows."""
SOI, EOI, SOS = 0xD8, 0xD9, 0xDA
ALONE = frozenset({0x01, *range(0xD0, 0xD8)})
"""Markers without a length: TEM and the restart markers."""
FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Start of frame, which holds the size; the three others are tables."""
FREE = frozenset({*range(0xE0, 0xF0), 0xFE})
"""Application segments and comments, which may hold anything."""
RESERVED = range(0x02, 0xC0)

_IN_DATA = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]", re.DOTALL)
"""A marker that ends coded data: no stuffed zero, no restart, no fill byte."""


class Splitter:
    """Takes bytes as they come and gives whole JPEG pictures. What is no picture, or a cut one, is passed over."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        """Keep no more than `most` bytes of a picture that has not ended."""
        self._most = most
        self._bytes = bytearray()
        self._forget()

    def feed(self, data: bytes) -> list[bytes]:
        """Take the next bytes of the stream; give the pictures that are whole with them, in order."""
        self._bytes += data
        pictures: list[bytes] = []
        while self._step(pictures):
            pass
        if len(self._bytes) > self._most:
            self._bytes.clear()
            self._forget()
        return pictures

    def _forget(self) -> None:
        """Look for the start of a picture, from the first byte that is kept."""
        self._inside = self._coded = self._scanned = False
        self._at = 0
        self._back = 0

    def _step(self, pictures: list[bytes]) -> bool:
        """Go one marker on; False where more bytes are needed first."""
        if not self._inside:
            return self._seek()
        if self._coded:
            return self._through_data()
        return self._segment(pictures)

    def _seek(self) -> bool:
        found = self._bytes.find(START)
        if found < 0:
            # The start may be cut in two: its first two bytes are kept.
            del self._bytes[: max(0, len(self._bytes) - len(START) + 1)]
            return False
        self._begin(found)
        return True

    def _begin(self, where: int) -> None:
        """A picture starts at this byte; nothing before it is needed."""
        del self._bytes[:where]
        self._forget()
        self._inside, self._at, self._back = True, 2, 2

    def _give_up(self) -> bool:
        """This is no picture: look for another one in what was not looked through for a start."""
        del self._bytes[: self._back]
        self._forget()
        return True

    def _through_data(self) -> bool:
        found = _IN_DATA.search(self._bytes, self._at)
        if found is None:
            self._at = self._back = max(self._at, len(self._bytes) - 1)
            return False
        # No start lies in the data up to here, so nobody needs to look there again.
        self._at = self._back = found.start()
        self._coded = False
        return True

    def _segment(self, pictures: list[bytes]) -> bool:
        """Step over one segment, or come to the picture's end."""
        at, held = self._at, self._bytes
        while at + 1 < len(held) and held[at] == 0xFF and held[at + 1] == 0xFF:
            at += 1
        if at + 1 >= len(held):
            return False
        marker = held[at + 1]
        if held[at] != 0xFF or marker == 0 or marker in RESERVED:
            return self._give_up()
        if marker == SOI:
            self._begin(at)
        elif marker == EOI:
            if self._scanned:
                pictures.append(bytes(held[: at + 2]))
            self._back = at + 2
            self._give_up()
        elif marker in ALONE:
            self._at = at + 2
        else:
            return self._step_over(at, marker)
        return True

    def _step_over(self, at: int, marker: int) -> bool:
        """Step over the segment whose marker is at this byte, and which has a length; coded data may follow it.

        Only the makers' own segments hold a start of their own; in a table it is the next picture's, this one is cut.
        """
        held = self._bytes
        if at + 4 > len(held):
            return False
        length = int.from_bytes(held[at + 2 : at + 4], "big")
        if length < 2:
            return self._give_up()
        cut = held.find(START, at + 2, at + 2 + (0 if marker in FREE else length - 1) + len(START))
        if cut >= 0:
            self._begin(cut)
            return True
        if at + 2 + length > len(held):
            return False
        self._at = at + 2 + length
        self._coded = marker == SOS
        self._scanned |= self._coded
        return True


def whole(data: bytes) -> bytes | None:
    """Give the first whole JPEG picture in some bytes, without what stands around it; None where there is none."""
    return next(iter(Splitter(len(data)).feed(data)), None)


def size_of(data: bytes) -> tuple[int, int] | None:
    """Give a JPEG's (width, height) in pixels, by its header and decoding nothing; None where it does not say."""
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
        elif marker in ALONE:
            at += 2
        elif marker in FRAMES:
            height, width = (int.from_bytes(data[place : place + 2], "big") for place in (at + 5, at + 7))
            return (width, height) if width and height else None
        elif marker in {SOI, EOI, SOS}:
            return None
        else:
            at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None
