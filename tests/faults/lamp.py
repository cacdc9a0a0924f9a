"""The panel's LED stands in a camera's view and blinks through a round: is its light taken for play?

    python -m tests.faults.lamp [--rate 5]

The recorded round is held before live cameras that take pictures all the time, each with the light of an LED in it: on
the mat, on the table beside it, or mirrored by tray and card as well; its pattern is what the panel shows by itself, or
one that never ends. Printed are for each the turns that came out right, who was accused, the score, how often something
was held to have moved, how many looks were taken, and how much later turns were told than without a light.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
import pytest
from numpy.typing import NDArray

from device.observing.watch import Watch
from device.panel import PATTERNS, PanelAudience, Sign
from device.panel.conductor import Conductor
from device.panel.patterns import LIGHTS, Colour, Pattern
from device.sessions.format import FrameTaken
from device.sessions.truth import differences
from device.simulated.held import ROUND
from engine.cards import Seat
from engine.events import Event, TurnPlayed, spoken
from engine.lines import Observation
from engine.snapshot import Snapshot
from tests.device.live_table import ENTRIES, RECORDED, SCORES, LiveTable
from tests.device.recorded import truth
from vision.frame import Frame

HANDS: Final = frozenset(said["file"] for said in truth() if said["type"] == "frame" and said["hand"])
"""Pictures with a hand in them: each is taken once, for no hand stays as still as a picture."""

Spot = tuple[float, float, float, float]
"""A light in a picture: x, y in pixels, the standard deviation of its glow in pixels, and how bright its middle is."""

PLACES: Final[dict[str, tuple[Spot, ...]]] = {
    "on the mat": ((1010.0, 330.0, 9.0, 9.0), (1010.0, 330.0, 60.0, 0.25)),
    "on the table": ((110.0, 420.0, 9.0, 9.0), (110.0, 420.0, 60.0, 0.25)),
    "mirrored": (
        (1010.0, 330.0, 9.0, 9.0),
        (1010.0, 330.0, 70.0, 0.3),
        (935.0, 340.0, 10.0, 2.0),
        (850.0, 340.0, 35.0, 0.2),
    ),
}
"""Where it stands: the LED itself, its glow around, and what mirrors it (the tray's wall, the card on the pile)."""

ENDLESS: Final = (None, Sign.DOUBT, Sign.LOST, Sign.LOOKING, Sign.FALSE_CALL)
"""What it shows: what the panel shows by itself (None), or one pattern without an end."""


@lru_cache(maxsize=2)
def light(spots: tuple[Spot, ...], size: tuple[int, int]) -> NDArray[np.float32]:
    """How much light falls on each pixel, (height, width): 1 is as much as white paper has from the room."""
    y, x = np.mgrid[: size[1], : size[0]].astype(np.float32)
    falls = [peak * np.exp(-((x - at_x) ** 2 + (y - at_y) ** 2) / (2 * wide**2)) for at_x, at_y, wide, peak in spots]
    return np.asarray(np.sum(falls, axis=0), np.float32)


def lit(picture: NDArray[np.uint8], spots: tuple[Spot, ...], colour: Colour) -> NDArray[np.uint8]:
    """The BGR picture with an LED of that colour (red, green, blue) lit in it."""
    height, width = picture.shape[:2]
    linear = (picture.astype(np.float32) / 255) ** 2.2
    tint = np.array([colour[2], colour[1], colour[0]], np.float32) * 0.95 + 0.05
    seen = linear + light(spots, (width, height))[..., None] * tint * (0.15 + linear)
    return np.asarray(np.clip(seen, 0, 1) ** (1 / 2.2) * 255, np.uint8)


class _Lamp:
    """A panel of one RGB LED whose time is the table's."""

    def __init__(self, table: "LampTable", forced: Sign | None) -> None:
        self._conductor = Conductor()
        self._table, self._forced = table, forced

    def show(self, sign: Sign, seat: Seat | None = None) -> None:
        """Show what the panel would."""
        self._conductor.show(sign, seat, self._table.clock.now)

    def colour(self) -> Colour | None:
        """What is lit now."""
        if self._forced is None:
            shown = self._conductor.moment(self._table.clock.now).lit
            return None if shown is None else LIGHTS[shown.sign].colour
        pattern = PATTERNS[self._forced]
        on, _ = Pattern(pattern.steps).at(self._table.clock.now)
        return LIGHTS[self._forced].colour if on else None


class LampTable(LiveTable):
    """The recorded round before cameras that take `rate` pictures a second of what stands there, LED and all."""

    def __init__(self, spots: tuple[Spot, ...], forced: Sign | None, rate: float) -> None:
        """`spots` empty: there is no LED."""
        self.spots, self._rate, self._next = spots, rate, 0.0
        self.told_at: list[float] = []
        self.said: list[Event] = []
        self._latest: dict[str, str] = {}
        self._pictures: dict[tuple[str, Colour | None], tuple[str, Frame]] = {}
        super().__init__(None, [self._tell])
        self.lamp = _Lamp(self, forced)
        self._signs = PanelAudience(self.lamp)
        self.loop.status = lambda: self._signs.status(camera_gone=False, doubt=bool(self.evening.private.doubts))

    def _tell(self, board: Snapshot, events: Sequence[Event]) -> None:
        if not hasattr(self, "_signs"):
            return
        self._signs(board, events)
        self.said += events
        self.told_at += [self.clock.now - self.began for event in events if isinstance(event, TurnPlayed)]

    def hold(self, entry: FrameTaken) -> None:
        """Something else stands before a camera from now on; its picture is taken in its time."""
        self.stands[entry.camera] = entry

    def settle(self, seconds: float) -> None:
        """Let time pass, and cameras take pictures."""
        until = self.clock.now + seconds
        while self.clock.now < until:
            if self.clock.now >= self._next:
                self._next = self.clock.now + 1 / self._rate
                self._take()
            super().settle(min(ROUND, until - self.clock.now))

    def _take(self) -> None:
        colour = self.lamp.colour() if self.spots else None
        for name, entry in self.stands.items():
            known = self._pictures.get((name, colour))
            if entry.name in HANDS and self._latest.get(name) == entry.name:
                continue
            self._latest[name] = entry.name
            if known is None or known[0] != entry.name:
                picture = RECORDED.picture(entry)
                if colour is not None:
                    picture = Frame(lit(picture.colour, self.spots, colour), entry.name)
                known = self._pictures[name, colour] = entry.name, picture
            self.cameras[name].hold(known[1])


@dataclass(frozen=True)
class Came:
    """What a round came to. `moved`: scenes of all cameras; `told_at`: when each turn was told, in seconds."""

    wrong: int
    accused: int
    right: bool
    moved: int
    looks: int
    told_at: tuple[float, ...]

    def later(self, other: "Came") -> tuple[float, float]:
        """By how many seconds turns were told later than in another round: the mean, and the most."""
        late = [mine - theirs for mine, theirs in zip(self.told_at, other.told_at, strict=False)]
        return float(np.mean(late)), max(late)

    def __str__(self) -> str:
        score = "score right" if self.right else "ANOTHER SCORE"
        return f"{self.wrong} differences, {self.accused} accused, {score}; {self.moved} scenes, {self.looks} looks"


class _Counted(Watch):
    """A watch whose looks are counted."""

    taken = 0

    def _look(self, t: float, camera: str, frame: Frame, *, first: bool, last: bool = True) -> list[Observation]:
        self.taken += 1
        return super()._look(t, camera, frame, first=first, last=last)


def shown(place: str | None, forced: Sign | None = None, rate: float = 5.0) -> Came:
    """Play the round with an LED at one of PLACES; None: without one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("device.simulated.held.Watch", _Counted)
        table = LampTable(PLACES[place] if place else (), forced, rate)
    watch = table.loop.watch
    assert isinstance(watch, _Counted)
    table.start()
    table.play(ENTRIES)
    found = differences([said for event in table.said if (said := spoken(event))], truth())
    accused, moved = len(table.evening.board.notices), sum(watch.scenes().values())
    return Came(len(found), accused, table.totals == SCORES, moved, watch.taken, tuple(table.told_at))


def _report(rate: float) -> Iterator[str]:
    dark = shown(None, rate=rate)
    yield f"{'no light':32} {dark}"
    for place in PLACES:
        for forced in ENDLESS:
            came = shown(place, forced, rate)
            mean, most = came.later(dark)
            name = f"{place}, {'as it is' if forced is None else forced.value}"
            yield f"{name:32} {came}; turns told {mean:.2f} s later, at most {most:.2f} s"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rate", type=float, default=5.0, help="pictures a second")
    for row in _report(parser.parse_args().rate):
        print(row, flush=True)  # noqa: T201 - this is what it is for
