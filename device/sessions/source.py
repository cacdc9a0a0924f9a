"""Where the pictures of a table come from: a recorded session, or a simulated table that draws as it goes."""

from collections.abc import Callable, Iterator
from typing import Protocol

from calibration.table import Table
from device.sessions.format import FrameTaken
from engine.lines import Line, NewGame
from vision.frame import Frame


class Source(Protocol):
    """What a player of pictures needs to know of a table, and asks it for."""

    @property
    def game(self) -> NewGame:
        """Who plays what."""

    @property
    def table(self) -> Table:
        """The table as its owner measured it."""

    @property
    def name(self) -> str:
        """A name of its own, for its journal: a game that was broken off never goes on at another table."""

    def timeline(self, complain: Callable[[str], None]) -> Iterator[FrameTaken | tuple[float, Line]]:
        """Give the pictures that were taken and the lines that were said, in time order from the beginning.

        A line comes with its time in seconds; what cannot be read is told to `complain`, one line of words each.
        """

    def picture(self, taken: FrameTaken) -> Frame:
        """Give a picture, of which each camera's latest three can be had; raise PictureError for any other."""
