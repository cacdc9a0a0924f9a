"""A camera that plays a simulated game: pictures are drawn when somebody asks for them, and only what has changed."""

import hashlib
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from device.sessions.format import FrameTaken
from device.simulated.filming import Film, Picture, Plan
from device.simulated.script import Said
from engine.events import Json
from engine.line_json import parse_line
from engine.lines import Line, NewGame
from vision.drawing.picture import Painted, paint
from vision.drawing.scene import Photo, Scene
from vision.frame import Frame
from vision.picture import PictureError

KEPT: Final = 3
"""Pictures of each camera that can still be drawn: where a game goes on, the latest two are seen again, and by then one
more may have been taken."""


class SimulatedTable:
    """A table that nobody has recorded, with the interface of a source (device/sessions/source.py)."""

    def __init__(self, plan: Plan) -> None:
        """Plan an evening. Raises BadInput for what cannot be played."""
        self._film = Film(plan)
        self._latest: dict[str, deque[Picture]] = {}
        self._painted: dict[str, tuple[Scene, Painted]] = {}

    @property
    def game(self) -> NewGame:
        """Who plays what."""
        return self._film.game

    @property
    def table(self) -> Table:
        """The table as its owner measured it."""
        return self._film.table

    @property
    def name(self) -> str:
        """A name for its journal, the same for the same plan and for all games of its evening."""
        evening = replace(self._film.plan, number=0)
        return f"simulated-{hashlib.sha256(repr(evening).encode()).hexdigest()[:12]}"

    def timeline(self, complain: Callable[[str], None]) -> Iterator[FrameTaken | tuple[float, Line]]:  # noqa: ARG002 - nothing is amiss here
        """Give the pictures that are taken and the lines that are said, in time order from the beginning."""
        for entry in self._film.entries():
            if isinstance(entry, Picture):
                self._latest.setdefault(entry.camera, deque(maxlen=KEPT)).append(entry)
                yield FrameTaken(entry.t, entry.camera, entry.name)
            elif isinstance(entry, Said):
                yield float(entry.line["t"]), _line(entry.line)

    def picture(self, taken: FrameTaken) -> Frame:
        """Draw one of a camera's latest pictures; raise PictureError for any other."""
        for latest in self._latest.get(taken.camera, ()):
            if latest.name == taken.name:
                return Frame(self._draw(latest), taken.name)
        raise PictureError(f"{taken.name}: this simulated picture is gone; only a camera's latest {KEPT} can be drawn")

    def _draw(self, picture: Picture) -> NDArray[np.uint8]:
        """Draw a picture; where nothing has changed before the camera it is another photograph of the same."""
        still = replace(picture.scene, photo=Photo())
        before = self._painted.get(picture.camera)
        if before is None or before[0] != still:
            before = self._painted[picture.camera] = still, paint(still).kept()
        return before[1].photo(picture.scene.photo)


def _line(said: Json) -> Line:
    """Understand a line of a timeline: there, the button is what the referee takes for a call."""
    return parse_line(said | {"type": "call"} if said["type"] == "button" else said)
