"""From the cameras' pictures to observations for the referee: still pictures are read, the others passed over."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from engine.cards import SLOTS, Card
from engine.lines import EMPTY, Observation, Sighting
from vision.digits import NumberReader
from vision.look import Look, Reading
from vision.recipe import look_at
from vision.settle import STILL_AFTER, Stillness

FAINT: Final = 0.002
"""Chances below this are not passed on."""


class Watch:
    """Watches every camera of one table. `deck`: the cards in play."""

    def __init__(self, table: Table, deck: Sequence[Card], reader: NumberReader) -> None:
        """Watch with nothing seen yet."""
        self._table = table
        self._deck = deck
        self._reader = reader
        self._cameras: dict[str, Stillness] = {}
        self.remarks: dict[str, tuple[str, ...]] = {}

    def frame(self, t: float, camera: str, picture: NDArray[np.uint8]) -> list[Observation]:
        """Take a camera's BGR picture at time `t` (seconds); return what can be observed now."""
        stillness = self._cameras.setdefault(camera, Stillness())
        return [self._look(since, camera, still) for since, still in stillness.add(t, picture)]

    def until(self, t: float) -> list[Observation]:
        """Read the pictures that have stood long enough by time `t`, the oldest first."""
        return self._read_unread(t - STILL_AFTER, STILL_AFTER)

    def at_once(self, t: float) -> list[Observation]:
        """Read every unread picture: somebody has called RACK-O and nobody waits for stillness."""
        return self._read_unread(t, 0.0)

    def _read_unread(self, latest: float, delay: float) -> list[Observation]:
        waiting = [(name, unread) for name, still in self._cameras.items() if (unread := still.unread()) is not None]
        seen = []
        for name, (since, picture) in sorted(waiting, key=lambda item: item[1][0]):
            if since <= latest:
                self._cameras[name].mark_read()
                seen.append(self._look(since + delay, name, picture))
        return seen

    def _look(self, t: float, camera: str, picture: NDArray[np.uint8]) -> Observation:
        look = look_at(picture, self._table, self._deck, self._table.cameras.get(camera), self._reader)
        self.remarks[camera] = look.remarks
        return observation_of(look, t)


def observation_of(look: Look, t: float) -> Observation:
    """What a look tells the referee; a place of which it tells nothing is left out."""
    racks = {
        seat: {slot: seen for slot, reading in zip(SLOTS, readings, strict=True) if (seen := sighting_of(reading))}
        for seat, readings in look.racks.items()
    }
    if look.tray is None:
        return Observation(t, racks)
    return Observation(t, racks, sighting_of(look.tray.discard) or None, look.tray.draw)


def sighting_of(reading: Reading) -> Sighting:
    """The referee's words for a reading; a card with its back to the camera may be any card."""
    seen = {card: round(chance, 3) for card, chance in reading.cards.items() if chance >= FAINT}
    if reading.empty >= FAINT:
        seen[EMPTY] = round(reading.empty, 3)
    return seen
