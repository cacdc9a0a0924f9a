"""Which racks a camera sees by now: a rack that nobody sees any more is told to the referee (engine.lines.Hidden)."""

from collections.abc import Collection
from typing import Final

from engine.cards import Seat
from engine.lines import Hidden
from vision.mats import TRAY

GONE_AFTER: Final = 6.0
"""Seconds for which no camera must see a rack's mat until its rack is out of sight; a hand over it is quicker."""


class Presence:
    """The racks in sight."""

    def __init__(self) -> None:
        """Nothing is in sight yet."""
        self._seen_at: dict[Seat, float] = {}

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats whose racks are in sight, or were until just now."""
        return tuple(sorted(self._seen_at))

    def lose(self, t: float, mats: Collection[int]) -> Hidden | None:
        """Take in that these mats are out of sight at once, their camera being gone; say which racks that are."""
        gone = tuple(sorted(set(mats) & self._seen_at.keys()))
        for seat in gone:
            del self._seen_at[seat]
        return Hidden(t, gone) if gone else None

    def look(self, t: float, mats: Collection[int]) -> Hidden | None:
        """Take in which mats are seen at time `t` (seconds); say which racks are out of sight from now on, if any."""
        self._seen_at |= dict.fromkeys(set(mats) - {TRAY}, t)
        gone = tuple(sorted(seat for seat, seen in self._seen_at.items() if t - seen >= GONE_AFTER))
        for seat in gone:
            del self._seen_at[seat]
        return Hidden(t, gone) if gone else None
