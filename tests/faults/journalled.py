"""What the journal says, which only the owner may read: which cards were secret at which of its entries, and whose."""

from bisect import bisect_right
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from device.evening.journal import Entry, Journal
from engine.cards import Card, Seat, Slot
from engine.events import GameStarted, RoundAbandoned, RoundEnd, RoundStarted, TurnPlayed
from engine.lines import EMPTY, Observation, Sighting

SURE: Final = 0.9
"""A card stands where a look says so with such a chance."""

Secrets = Mapping[Seat, frozenset[Card]]
"""The cards that stand in each rack, without those that everybody has seen lying face up in this round."""


class Journalled:
    """The secrets of an evening, entry by entry."""

    def __init__(self, path: Path) -> None:
        """Read a journal whose program has ended."""
        self._numbers: list[int] = []
        self._secrets: list[Secrets] = []
        self._over: list[int] = []
        self._racks: dict[Seat, dict[Slot, Card]] = {}
        self._public: set[Card] = set()
        self._on, self._ended = False, 0
        journal = Journal(path, lambda: "")
        try:
            for entry in journal.entries():
                self._take(entry)
                secrets = {seat: frozenset(rack.values()) - self._public for seat, rack in self._racks.items()}
                self._numbers.append(entry.number)
                self._secrets.append(secrets if self._on else {})
                self._over.append(self._ended)
        finally:
            journal.close()

    def _take(self, entry: Entry) -> None:
        if entry.kind == "event":
            match entry.event:
                case GameStarted():
                    self._on, self._ended = False, 0
                case RoundStarted():
                    self._on, self._racks, self._public = True, {}, set()
                case RoundEnd() as end:
                    self._on = False
                    self._ended += not end.amends
                case RoundAbandoned():
                    self._on = False
                case TurnPlayed(turn):
                    self._public |= {turn.discarded} if turn.discarded else set()
                    self._public |= {turn.card} if turn.source == "discard" and turn.card else set()
        elif self._on and isinstance(entry.line, Observation):
            self._look(entry.line)

    def _look(self, look: Observation) -> None:
        for seat, slots in look.racks.items():
            rack = self._racks.setdefault(seat, {})
            for slot, sighting in slots.items():
                rack.pop(slot, None)
                for card in _surely(sighting):
                    rack[slot] = card
        self._public |= _likely(look.discard)

    @property
    def rounds(self) -> int:
        """How many rounds of the last game are over."""
        return self._over[-1]

    def over(self, first: int) -> int:
        """How many rounds of the game were over at an entry."""
        place = bisect_right(self._numbers, first) - 1
        return self._over[place] if place >= 0 else 0

    def during(self, first: int, last: int) -> Secrets:
        """What was secret all the time from one entry to another."""
        begin, end = bisect_right(self._numbers, first) - 1, bisect_right(self._numbers, last)
        span = self._secrets[max(begin, 0) : max(end, 1)]
        seats = set.intersection(*(set(secrets) for secrets in span))
        return {seat: frozenset.intersection(*(secrets[seat] for secrets in span)) for seat in seats}


def _surely(sighting: Sighting) -> set[Card]:
    return {card for card, chance in sighting.items() if card != EMPTY and chance >= SURE}


def _likely(sighting: Sighting | None) -> set[Card]:
    """Cards that may lie there: all that a look thinks possible, for everybody sees them better."""
    return {card for card in sighting or {} if card != EMPTY}
