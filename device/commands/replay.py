"""`racko replay`: a recorded session through the same code as a live table."""

import json
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from device.commands.words import in_words
from device.evening.journal import Journal
from device.evening.keeper import Evening
from device.observing.lessons import Lessons
from device.observing.player import lines_from
from device.observing.watch import Watch
from device.sessions.format import Session, open_session, read_truth
from device.sessions.truth import differences
from engine.errors import BadInput
from engine.events import Event, Json, spoken
from engine.variants import deck_of
from vision.reading.digits import NumberReader


@dataclass
class Replay:
    """One run through a session: prints as it goes, and keeps all that was said, and what was found wrong."""

    session: Session
    as_json: bool
    said: list[Json] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def complain(self, words: str) -> None:
        """Say what is wrong with the recording, once, on standard error."""
        self.complaints.append(words)
        print(f"racko: {words}", file=sys.stderr)

    def run(self) -> None:
        """Play the session to its end."""
        game = self.session.game
        reader = NumberReader()
        watch = Watch(self.session.table, deck_of(game.edition, len(game.players), game.variants), reader)
        lessons = Lessons(self.session.table, reader)
        journal = Journal(None, utc_now)
        evening = Evening(journal)
        self._tell(evening, evening.take(game))
        for _, line in lines_from(self.session, watch, self.complain):
            try:
                events = evening.take(line)
            except BadInput as problem:
                self.complain(f"{self.session.folder}: {problem}; passed over")
                continue
            self._tell(evening, events)
            lessons.hear(events, watch)
        self._tell(evening, evening.finish())
        journal.close()

    def _tell(self, evening: Evening, events: list[Event]) -> None:
        for event in events:
            self.said.append(event.as_json())
            said = spoken(event)
            if self.as_json:
                if said is not None:
                    print(json.dumps(said, ensure_ascii=False), flush=True)
            elif evening.game is not None:
                print(*in_words(event, evening.game), sep="\n", flush=True)


def utc_now() -> str:
    """The time of day as the journal writes it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def replay(folder: Path, *, check: bool, as_json: bool) -> int:
    """Play a session; with `check`, compare with its truth. Return the exit code: 1 if something was found wrong."""
    session = open_session(folder)
    truth = read_truth(session) if check else None
    if check and truth is None:
        raise BadInput(f"{folder}: has no truth.jsonl to check against; replay it without --check")
    run = Replay(session, as_json)
    run.run()
    wrong = list(run.complaints)
    if truth is not None:
        found = differences(run.said, truth)
        wrong += found
        _report(found, run.said, sys.stderr if as_json else sys.stdout)
    return 1 if wrong else 0


def _report(found: list[str], said: list[Json], stream: TextIO) -> None:
    turns = sum(event["type"] == "turn" for event in said)
    for difference in found:
        print(f"check: {difference}", file=stream)
    if not found:
        print(f"check: all {turns} turns, the scores and the violations are as in truth", file=stream)
