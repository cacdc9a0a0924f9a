"""The recorded round before live cameras (device.simulated.held), with what it should come to."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from device.evening.keeper import Audience
from device.sessions.format import FrameTaken, open_session
from device.simulated.held import Entry, HeldTable
from tests.device.recorded import SESSION, true_events
from vision.reading.digits import NumberReader

SCORES = {int(seat): points for seat, points in true_events("round_end")[0]["scores"].items()}
RECORDED = open_session(SESSION)
ENTRIES: list[Entry] = list(RECORDED.timeline(pytest.fail))
READER = NumberReader()


def time_of(entry: Entry) -> float:
    return entry.t if isinstance(entry, FrameTaken) else entry[0]


class LiveTable(HeldTable):
    """The recorded round as it is seen by live cameras."""

    def __init__(self, path: Path | None = None, audience: Iterable[Audience] = (), rate: float = 0.0) -> None:
        super().__init__(RECORDED, READER, path, audience, rate)

    @property
    def totals(self) -> dict[int, int]:
        return {line.seat: line.total for line in self.evening.board.players}
