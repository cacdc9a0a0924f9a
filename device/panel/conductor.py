"""Which light is on at which moment: signs in time, without pins, threads or a clock of its own.

Times are seconds of any clock that never goes back.
"""

import math
from collections import deque
from dataclasses import dataclass
from typing import Final

from device.panel.patterns import GOES_ON_OVER, LIGHTS, PATTERNS, SOUNDS, Sign
from device.panel.signs import Showing
from engine.cards import Seat

GAP: Final = 0.2
"""Seconds of darkness before another sign where a light was on, so that it can be seen to begin."""

HEARD: Final = 1.0
"""Seconds for which a press is answered, before the loop has said anything of it."""

FLASHES: Final = 3
"""Flashes allowed in any one second: WCAG 2.2, 2.3.1. A flash is two changes, on and off."""


@dataclass(frozen=True)
class Moment:
    """What is lit (None: nothing), whether the buzzer sounds, and until when both stay so."""

    lit: Showing | None
    buzz: bool
    until: float


class Conductor:
    """Keeps the sign that stands and the one with an end that is shown over it."""

    def __init__(self) -> None:
        self._standing: Showing | None = None
        self._since = 0.0
        self._passing: Showing | None = None
        self._passing_since = 0.0
        self._passing_end = 0.0
        self._lit: Showing | None = None
        self._dark_until = -math.inf
        self._changes: deque[float] = deque(maxlen=2 * FLASHES)
        self._sounding: Sign | None = None
        self._sounded: dict[Sign, float] = {}

    def show(self, sign: Sign, seat: Seat | None, now: float) -> None:
        """Begin a sign. One that stands already goes on as it is; one with an end begins anew."""
        self._expire(now)
        new = Showing(sign, seat)
        if PATTERNS[sign].times is not None:
            self._pass(new, PATTERNS[sign].length, now)
            self._sound(sign, now)
        elif new != self._standing:
            self._stand(new, now)

    def heard(self, seat: Seat | None, now: float) -> None:
        """Answer a press at once, whatever the loop is busy with. A call that is being judged, or was, has its sign."""
        self._expire(now)
        if self._passing is None and (self._standing is None or self._standing.sign is not Sign.LOOKING):
            self._pass(Showing(Sign.LOOKING, seat), HEARD, now)
            self._sound(Sign.LOOKING, now)

    def moment(self, now: float) -> Moment:
        """What is to be lit and heard now. To be asked again at `until`, and whenever a sign was begun."""
        self._expire(now)
        wanted, until = self._wanted(now)
        if wanted != self._lit:
            if len(self._changes) == self._changes.maxlen and now < self._changes[0] + 1.0:
                until = self._changes[0] + 1.0
            else:
                self._changes.append(now)
                self._lit = wanted
        buzz, buzz_until = self._buzz(now)
        return Moment(self._lit, buzz, min(until, buzz_until))

    def _pass(self, new: Showing, seconds: float, now: float) -> None:
        self._passing_since = self._beginning(now)
        self._passing, self._passing_end = new, self._passing_since + seconds

    def _stand(self, new: Showing, now: float) -> None:
        old, self._standing = self._standing, new
        if self._passing is not None:
            if new.sign in GOES_ON_OVER[self._passing.sign]:
                return
            # What answered the press goes over into the looking that it announced.
            self._since = self._passing_since if new.sign is self._passing.sign else self._beginning(now)
            self._passing = None
        elif old is not None and old.sign is new.sign:
            pass  # only the seat is another: no darkness between, and the beat is kept
        else:
            self._since = self._beginning(now)
        self._sound(new.sign, now)

    def _expire(self, now: float) -> None:
        if self._passing is not None and now >= self._passing_end:
            self._passing, self._since = None, self._passing_end

    def _beginning(self, now: float) -> float:
        """When a sign that is to be shown from now on begins."""
        if self._lit is not None:
            self._dark_until = now + GAP
        return max(now, self._dark_until)

    def _wanted(self, now: float) -> tuple[Showing | None, float]:
        showing = self._passing or self._standing
        if showing is None:
            return None, math.inf
        since = self._since if self._passing is None else self._passing_since
        end = math.inf if self._passing is None else self._passing_end
        if now < since:
            return None, since
        on, left = LIGHTS[showing.sign].pattern.at(now - since)
        return showing if on else None, min(now + left, end)

    def _sound(self, sign: Sign, now: float) -> None:
        sound = SOUNDS.get(sign)
        if sound is not None and now >= self._sounded.get(sign, -math.inf) + sound.rest:
            self._sounding, self._sounded[sign] = sign, now

    def _buzz(self, now: float) -> tuple[bool, float]:
        if self._sounding is None:
            return False, math.inf
        on, left = SOUNDS[self._sounding].pattern.at(now - self._sounded[self._sounding])
        return on, now + left
