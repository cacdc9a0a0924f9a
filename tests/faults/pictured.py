"""What can be made out in cameras' pictures that the pages show: by the project's own reader, and by their pixels."""

import numpy as np

from device.measuring.bench import TABLE_SEED
from device.measuring.sights import DECK, sights
from device.pages.pictures import camera_view
from device.sessions.source import Source
from engine.variants import deck_of
from tests.device.live_table import READER
from vision.eye import Eye, look_at
from vision.frame import Frame
from vision.fuse import sure
from vision.picture import decode_picture


def cards_read(picture: bytes, source: Source) -> int:
    """How many cards the reader makes out in a JPEG of a table, for sure."""
    game = source.game
    deck = deck_of(game.edition, len(game.players), game.variants)
    look = look_at(decode_picture(picture, "shown"), source.table, deck, None, READER)
    read = sum(sure(reading) is not None for rack in look.racks.values() for reading in rack)
    return read + (look.tray is not None and sure(look.tray.discard) is not None)


def unlike(seed: int = TABLE_SEED) -> int:
    """By how many grey levels, at most, pictures of all cameras differ that show other racks in the same place.

    The racks' mats are known and not known, as when a hand is over them.
    """
    most = 0
    for sight in sights(seed):
        eye = Eye(sight.table, DECK, None, READER)
        look = eye.look(Frame(sight.first))
        for known in (eye, None):
            first, other = (
                decode_picture(camera_view(Frame(data), known, look, {}, secret=True), "shown").astype(np.int16)
                for data in (sight.first, sight.other)
            )
            most = max(most, int(np.abs(first - other).max()))
    return most
