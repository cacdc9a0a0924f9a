"""Comparing what the referee said of a recorded session with what really happened."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from engine.events import Json

COMPARED: Final = {
    "turn": ("seat", "source", "card", "slot", "discarded"),
    "round_end": ("out", "scores"),
    "violation": ("rule", "seat"),
}
"""The kinds of event that are compared, and by which keys; times differ, for a camera sees a turn a little later."""


def differences(said: Sequence[Json], truth: Sequence[Json]) -> list[str]:
    """One line for each event that is wrong, missing or too much; none where everything is right."""
    found = []
    for kind, keys in COMPARED.items():
        got, expected = (_reduced(events, kind, keys) for events in (said, truth))
        for number, (mine, theirs) in enumerate(zip_longest(got, expected), 1):
            if mine == theirs:
                continue
            if mine is None:
                found.append(f"{kind} {number}: missing; in truth {_told(theirs)}")
            elif theirs is None:
                found.append(f"{kind} {number}: said {_told(mine)}; in truth there was none")
            else:
                found.append(f"{kind} {number}: said {_told(mine)}; in truth {_told(theirs)}")
    return found


def _reduced(events: Sequence[Json], kind: str, keys: Sequence[str]) -> list[Json]:
    return [{key: event.get(key) for key in keys} for event in events if event.get("type") == kind]


def _told(event: Json | None) -> str:
    return "nothing" if event is None else ", ".join(f"{key} {value}" for key, value in event.items())
