"""What the rounds of an evening teach of the owner's deck: learnt when the racks are turned up, used from then on.

Nothing is learnt before a round's end, for what is kept of a deck may be seen by anybody (DESIGN: racks are secret).
"""

import logging
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from calibration.deckfile import read_deck, write_deck
from calibration.table import Table
from device.observing.learning import learn_round
from device.observing.watch import Watch
from engine.events import Event, RoundEnd
from vision.reading.digits import NumberReader

log = logging.getLogger(__name__)


class Lessons:
    """Learns one table's deck. `table` is the measured table with what is known of its deck by now."""

    def __init__(self, table: Table, reader: NumberReader, folder: Path | None = None) -> None:
        """Go on from what was kept in `folder`; without one, nothing is kept. Raises TableError for a broken file."""
        kept = read_deck(folder) if folder is not None else None
        self.table = replace(table, deck=kept) if kept else table
        self._reader = reader
        self._folder = folder

    def hear(self, events: Iterable[Event], watch: Watch) -> None:
        """Learn from what `watch` sees if a round has just ended, and let it see with that from now on."""
        for event in events:
            if isinstance(event, RoundEnd) and not event.amends:
                self._learn(event, watch)

    def _learn(self, end: RoundEnd, watch: Watch) -> None:
        lesson = learn_round(self.table, watch.racks, end.racks, self._reader)
        if not lesson.taken:
            return
        self.table = replace(self.table, deck=lesson.deck)
        watch.use(self.table)
        log.info("more of the deck's look was learnt from this round")
        if self._folder is None:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_deck(lesson.deck, self._folder)
        except OSError as problem:
            log.warning(
                "%s: what was learnt of the deck cannot be kept (%s)", self._folder, problem.strerror or problem
            )
