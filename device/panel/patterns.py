"""What the panel can say, and how each sign looks and sounds.

A sign is known by its rhythm alone; where there is an RGB LED, its colour says it once more. Signs that stand while a
round is played are steady or change no faster than once a second (DESIGN: feedback must not disturb observation); the
answer to a call may be quicker. None flashes more than three times a second (WCAG 2.2, 2.3.1, for people with
photosensitivity); `device.panel.conductor` sees to it that no change from sign to sign does either.
"""

import enum
import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

Colour = tuple[bool, bool, bool]
"""Which of red, green and blue are lit."""

RED: Final[Colour] = (True, False, False)
GREEN: Final[Colour] = (False, True, False)
BLUE: Final[Colour] = (False, False, True)
YELLOW: Final[Colour] = (True, True, False)
MAGENTA: Final[Colour] = (True, False, True)
CYAN: Final[Colour] = (False, True, True)
WHITE: Final[Colour] = (True, True, True)


class Sign(enum.Enum):
    """What the panel can tell the table."""

    READY = "ready"
    YOUR_TURN = "your turn"
    LOOKING = "looking"
    TRUE_CALL = "true call"
    FALSE_CALL = "false call"
    DOUBT = "doubt"
    LOST = "lost the thread"
    CAMERA_GONE = "camera gone"
    PAUSED = "paused"
    CLOSING = "closing"


@dataclass(frozen=True)
class Pattern:
    """A rhythm: on for the first of `steps` (seconds), off for the second, and so on; all that `times` times.

    times None: until another sign takes its place.
    """

    steps: tuple[float, ...]
    times: int | None = None

    @property
    def length(self) -> float:
        """Seconds from beginning to end, infinite for one without an end."""
        return math.inf if self.times is None else sum(self.steps) * self.times

    def at(self, elapsed: float) -> tuple[bool, float]:
        """Whether it is on `elapsed` seconds after its beginning, and how many seconds longer that stays so."""
        if elapsed >= self.length:
            return False, math.inf
        into = elapsed % sum(self.steps)
        for number, step in enumerate(self.steps):
            if into < step:
                return number % 2 == 0, step - into
            into -= step
        return False, 0.0  # the sum of the steps is rounded: the next round is due at once


@dataclass(frozen=True)
class Light:
    """How a sign looks: its rhythm, and its colour on an RGB LED."""

    colour: Colour
    pattern: Pattern


@dataclass(frozen=True)
class Sound:
    """How a sign sounds as it begins. It is not sounded again within `rest` seconds."""

    pattern: Pattern
    rest: float = 0.0


LIGHTS: Final[Mapping[Sign, Light]] = MappingProxyType(
    {
        # No round: one slow beat, to be told from a panel without power.
        Sign.READY: Light(WHITE, Pattern((1.0, 9.0))),
        # Nearly all of an evening: no change at all where one LED serves everybody.
        Sign.YOUR_TURN: Light(GREEN, Pattern((math.inf,))),
        Sign.LOOKING: Light(CYAN, Pattern((1.0, 1.0))),
        # Four long lights, "yes"; and eight quick ones, "no, no".
        Sign.TRUE_CALL: Light(GREEN, Pattern((1.6, 0.4), times=4)),
        Sign.FALSE_CALL: Light(RED, Pattern((0.2, 0.2), times=8)),
        # The round goes on: lit, and it winks.
        Sign.DOUBT: Light(YELLOW, Pattern((3.0, 1.0))),
        # Something is missing: two beats and a long dark; and for eyes that are missing, a long one and a short one.
        Sign.LOST: Light(MAGENTA, Pattern((1.0, 1.0, 1.0, 4.0))),
        Sign.CAMERA_GONE: Light(RED, Pattern((3.0, 1.0, 1.0, 3.0))),
        Sign.PAUSED: Light(BLUE, Pattern((4.0, 4.0))),
        # One light that does not come back.
        Sign.CLOSING: Light(WHITE, Pattern((3.0, math.inf))),
    }
)
"""How each sign looks. One with an end is shown over the sign that stands, which then goes on."""

PATTERNS: Final[Mapping[Sign, Pattern]] = MappingProxyType({sign: light.pattern for sign, light in LIGHTS.items()})
"""Each sign's rhythm."""

SOUNDS: Final[Mapping[Sign, Sound]] = MappingProxyType(
    {
        Sign.LOOKING: Sound(Pattern((0.06,), times=1), rest=1.0),
        Sign.TRUE_CALL: Sound(Pattern((0.15, 0.15, 0.15, 0.15, 0.6), times=1)),
        Sign.FALSE_CALL: Sound(Pattern((1.0,), times=1)),
        Sign.DOUBT: Sound(Pattern((0.1, 0.2), times=2), rest=60.0),
        Sign.LOST: Sound(Pattern((0.1, 0.2), times=3), rest=60.0),
        Sign.CAMERA_GONE: Sound(Pattern((0.1, 0.2), times=4), rest=60.0),
    }
)
"""The signs that the buzzer sounds: a call's, and those that ask somebody to do something. Turns pass in silence."""

GOES_ON_OVER: Final[Mapping[Sign, frozenset[Sign]]] = MappingProxyType(
    {
        Sign.LOOKING: frozenset({Sign.READY, Sign.YOUR_TURN, Sign.DOUBT, Sign.LOST, Sign.CAMERA_GONE}),
        Sign.TRUE_CALL: frozenset({Sign.READY, Sign.CAMERA_GONE, Sign.DOUBT}),
        Sign.FALSE_CALL: frozenset({Sign.YOUR_TURN, Sign.READY, Sign.CAMERA_GONE, Sign.DOUBT, Sign.LOST}),
    }
)
"""A sign with an end lasts while one of these begins to stand; any other takes its place, as after an undo."""
