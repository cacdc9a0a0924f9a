"""Between two rounds: whether every rack was emptied and filled again, so that the next one is dealt.

Only that cards stand there is noticed, not which.
"""

from collections import deque
from collections.abc import Collection, Sequence
from typing import Final

from engine.cards import Seat
from engine.lines import EMPTY, Observation

MOST: Final = 7
"""So many of a rack's ten slots are seen to be empty in a rack that was emptied: its far end cannot always be told."""

HALF: Final = 5
"""So many are seen to hold a card in one that was filled."""

OPEN: Final = 1
"""So many may be empty then: somebody may be exchanging a card already."""

LIKELY: Final = 0.5
"""Chance from which on a slot is held to be empty; below it a card stands there, for what is not told is left out."""

STANDING: Final = 3.0
"""Seconds for which all racks must be filled until they are held to be dealt."""

KEPT: Final = 200
"""Looks at filled racks that are kept at most: some twenty seconds of play."""


class Dealing:
    """What has become of the racks since a round was over."""

    def __init__(self) -> None:
        """Nothing was seen yet."""
        self._emptied: set[Seat] = set()
        self._filled_at: dict[Seat, float] = {}
        self._looks: deque[Observation] = deque(maxlen=KEPT)

    @property
    def looks(self) -> Sequence[Observation]:
        """The looks since all racks that were emptied are filled, the oldest first: people may have begun to play."""
        return tuple(self._looks)

    def see(self, look: Observation) -> None:
        """Take in a look."""
        for seat, slots in look.racks.items():
            empty = sum(seen.get(EMPTY, 0.0) >= LIKELY for seen in slots.values())
            if empty >= MOST:
                self._emptied.add(seat)
            if empty > OPEN:
                self._filled_at.pop(seat, None)
            elif len(slots) - empty >= HALF:
                self._filled_at.setdefault(seat, look.t)
        if self._emptied <= self._filled_at.keys():
            self._looks.append(look)
        else:
            self._looks.clear()

    def dealt(self, seats: Collection[Seat], t: float) -> bool:
        """Whether the racks of all these seats were emptied and have stood filled at time `t` (seconds) for a while."""
        filled = (self._filled_at.get(seat, t) for seat in seats)
        return self._emptied.issuperset(seats) and all(t - since >= STANDING for since in filled)
