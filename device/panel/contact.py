"""When a button counts as pressed, held or stuck: one switch's edges in time, without pins or a clock of its own.

The driver's own debouncing (gpiozero's `bounce_time`) is not used. With lgpio it reports a level only once it has been
steady for that long: every press comes late by it, and a tap that is shorter, or whose contacts bounce on, is never
reported at all (lg: lgPthAlerts.c; gpiozero's issues 550 and 1039 tell of the like with other drivers). Here the first
edge counts at once, and what follows within SETTLE is the same press.
"""

import math
from collections.abc import Callable
from typing import Final, Literal

SETTLE: Final = 0.05
"""Seconds without any edge after which an edge is no bouncing contact. Nobody presses twice as quickly."""

HOLD: Final = 2.0
"""Seconds for which a button is held down to undo its call."""

STUCK: Final = 60.0
"""Seconds after which a button that was not let go is stuck."""

Finding = Literal["held", "stuck"]


class Contact:
    """One button. Its edges have the driver's times (ticks), all else has times of the caller's clock, in seconds.

    The driver's times say how far edges lie apart even where they are delivered late, all at once. `apart(later,
    earlier)` gives that in seconds.
    """

    def __init__(self, apart: Callable[[float, float], float] = lambda later, earlier: later - earlier) -> None:
        self._apart = apart
        self._last_edge: float | None = None
        self._down_since: float | None = None
        self._held = False
        self._stuck = False

    def begin(self, now: float, *, closed: bool) -> None:
        """How the button is found. One that is down already was not pressed, but may be stuck."""
        if closed:
            self._down_since, self._held = now, True

    def edge(self, ticks: float, now: float, *, closed: bool) -> bool:
        """Take an edge after which the button is `closed` or not; tell whether it is a new press."""
        settled = self._last_edge is None or self._apart(ticks, self._last_edge) >= SETTLE
        self._last_edge = ticks
        if not (closed and settled):
            return False
        self._down_since, self._held, self._stuck = now, False, False
        return True

    @property
    def due(self) -> float:
        """When `look` is to be asked; infinite if nothing is to come."""
        if self._down_since is None or (self._held and self._stuck):
            return math.inf
        return self._down_since + (STUCK if self._held else HOLD)

    def look(self, now: float, *, closed: bool) -> Finding | None:
        """What a button that is `closed`, or not, has come to. Each is found once a press."""
        if self._down_since is None or now < self.due:
            return None
        if not closed:
            self._down_since = None
            return None
        if self._held:
            self._stuck = True
            return "stuck"
        self._held = True
        return "held"
