"""Photographs of racks that are shown for a verdict: uploaded from a phone, read once, and told as one more look."""

from collections.abc import Sequence
from typing import Final

from device.cameras.jpegs import size_of
from device.evening.keeper import Evening
from device.loop.base import Loop
from device.observing.watch import observation_of, sightings_of
from engine.cards import SLOTS, Seat
from vision.eye import look_at
from vision.fuse import sure
from vision.look import Look, Reading
from vision.picture import PictureError, decode_picture
from vision.reading.digits import NumberReader
from webui.desk import Answer

MOST_PIXELS: Final = 50_000_000
"""A picture of more pixels is refused before it is decoded: it would take all of a small computer's memory."""


class Photographs:
    """Reads photographs on the thread of a run loop, and tells it what was seen."""

    def __init__(self, evening: Evening, loop: Loop, reader: NumberReader) -> None:
        """Read with what the loop's eyes know of the table and its deck."""
        self._evening = evening
        self._loop = loop
        self._reader = reader

    def read(self, data: bytes, seat: Seat | None) -> Answer:
        """Read a picture, JPEG or PNG; `seat`: from whose page it comes, None for the host."""
        game, watch, board = self._evening.game, self._loop.watch, self._evening.board
        if game is None or watch is None or board.phase != "checking":
            return _refused("a rack is shown when RACK-O was called and its verdict waits; nothing is judged now")
        if not 0 < pixels_of(data) <= MOST_PIXELS:
            return _refused("this is no picture that can be read; take a JPEG of at most 50 megapixels")
        try:
            picture = decode_picture(data, "the photograph")
        except PictureError as problem:
            return _refused(str(problem))
        look = look_at(picture, watch.table, game.rules.deck, None, self._reader)
        racks = {number: rack for number, rack in look.racks.items() if number in game.seats}
        if not racks:
            why = "; ".join(look.remarks) or "no seat's mat is in view"
            return _refused(f"no rack was found ({why}); show the rack on its mat, the four black squares in view")
        if seat is not None and set(racks) != {seat}:
            return _refused(f"this is not the rack of {game.name(seat)} alone; show your own rack on its own mat")
        self._loop.see(observation_of([sightings_of(Look(racks, None), {})], self._loop.now))
        said = [self._words(number, rack) for number, rack in sorted(racks.items())]
        return Answer(done=True, words=" ".join(said))

    def _words(self, seat: Seat, rack: Sequence[Reading]) -> str:
        game = self._evening.game
        assert game is not None  # noqa: S101 - there is a game while a picture of it is read
        unread = [slot for slot, reading in zip(SLOTS, rack, strict=True) if sure(reading) is None]
        name = game.name(seat)
        if not unread:
            return f"{name}'s rack: all ten slots were read."
        slots = ", ".join(map(str, unread))
        return f"{name}'s rack: slots {slots} could not be read; take another picture, nearer or in better light."


def pixels_of(data: bytes) -> int:
    """The number of pixels that a JPEG or PNG says it has; 0 for anything else, without decoding it."""
    if data[:8] == b"\x89PNG\r\n\x1a\n" and data[12:16] == b"IHDR":
        return int.from_bytes(data[16:20], "big") * int.from_bytes(data[20:24], "big")
    size = size_of(data)
    return 0 if size is None else size[0] * size[1]


def _refused(words: str) -> Answer:
    return Answer(done=False, words=words)
