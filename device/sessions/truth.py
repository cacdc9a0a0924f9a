"""Comparing what the referee said of a recorded session with what really happened."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Final

from engine.events import Json
from engine.violations import Rule

COMPARED: Final = {
    "turn": ("seat", "source", "card", "slot", "discarded"),
    "round_end": ("out", "scores"),
    "violation": ("rule", "seat"),
}
"""The kinds of event that are compared, and by which keys; times differ, for a camera sees a turn a little later."""

NO_WHOLE_TURN: Final[frozenset[Rule]] = frozenset({"two-cards-exchanged", "wrong-discard"})
"""Cheats after which the table shows what it shows: no turn is expected of the referee, and one may be said."""


LATE: Final = 30.0
"""A cheat may be named so many seconds later, after one that came after it: a card must be missing for two turns. Or
a little before: truth has it at the end of what was done."""


def differences(said: Sequence[Json], truth: Sequence[Json]) -> list[str]:
    """One line for each event that is wrong, missing or too much; none where everything is right.

    Events are aligned, so that one too many is one difference. A turn that was amended counts as it was said last, a
    cheat as if it had been named when it happened, if it was within LATE of that.
    After a cheat that no turn describes (NO_WHOLE_TURN) its seat's turn may be said, or not.
    """
    found = []
    truth = _as_said(truth, said)
    free = Counter(event.get("seat") for event in truth if _needs_no_turn(event))
    mine, true = settled(said), settled(truth)
    mine = [*(event for event in mine if event.get("type") != "violation"), *_as_it_happened(mine, true)]
    for kind, keys in COMPARED.items():
        got, expected = (_reduced(events, kind, keys) for events in (mine, true))
        for number, one, other in _apart(got, expected):
            if kind == "turn" and other is None and one is not None and free[one["seat"]]:
                free[one["seat"]] -= 1
            elif one is None:
                found.append(f"{kind} {number}: missing; in truth {_told(other)}")
            elif other is None:
                found.append(f"{kind} {number}: said {_told(one)}; in truth there was none")
            else:
                found.append(f"{kind} {number}: said {_told(one)}; in truth {_told(other)}")
    return found


def _as_it_happened(said: Sequence[Json], truth: Sequence[Json]) -> list[Json]:
    """Give the violations among what was said in the order in which they happened, as far as they did."""
    named, left = ([event for event in events if event.get("type") == "violation"] for events in (said, truth))
    when = []
    for event in named:
        t = event.get("t", 0.0)
        true = next((one for one in left if _is_alike(one, event) and abs(one.get("t", 0.0) - t) <= LATE), None)
        when.append((t if true is None else true.get("t", 0.0), event))
        left = [one for one in left if one is not true]
    return [event for _, event in sorted(when, key=lambda item: item[0])]


def _is_alike(one: Json, other: Json) -> bool:
    return all(one.get(key) == other.get(key) for key in COMPARED["violation"])


def _as_said(truth: Sequence[Json], said: Iterable[Json]) -> list[Json]:
    """Give the truth with the seats that were named where others might be (`also`): both racks show a card twice."""
    named = {(event.get("rule"), event.get("seat")) for event in said if event.get("type") == "violation"}
    meant = []
    for event in truth:
        seats = [seat for seat in (event.get("seat"), *event.get("also", ())) if (event.get("rule"), seat) in named]
        meant.append(event | {"seat": seats[0]} if seats else event)
    return meant


def _needs_no_turn(event: Json) -> bool:
    return event.get("type") == "violation" and event.get("rule") in NO_WHOLE_TURN


def settled(events: Iterable[Json]) -> list[Json]:
    """The events as they were said last.

    Turns that were amended stand as they were amended, those taken back do not stand; nor do the scores of a round
    that was scored again or went on, nor what was said of a round before it was judged again from its start.
    """
    told = _Told()
    for event in events:
        told.hear(event)
    return [event for event in told.said if event is not None]


class _Told:
    """What was said, in its order, with None for what does not stand any more."""

    def __init__(self) -> None:
        self.said: list[Json | None] = []
        self._begun: list[tuple[int, int]] = []
        self._turns: list[int] = []
        self._end: int | None = None

    def hear(self, event: Json) -> None:
        kind, number = event.get("type"), event.get("number")
        if kind in ("amended", "taken_back"):
            if isinstance(number, int) and 0 < number <= len(self._turns):
                place = self._turns[number - 1]
                self.said[place] = event | {"type": "turn"} if kind == "amended" else None
            return
        if kind == "rejudged":
            self._begin_again(event["rounds"])
            return
        if kind == "round" or (kind == "turn" and self._end is not None):
            self._turns, self._end = [], None
        if kind == "round":
            self._begun.append((event["number"], len(self.said)))
        elif kind == "game":
            self._begun = []
        elif kind == "turn":
            self._turns.append(len(self.said))
        elif kind == "round_reopened" or event.get("amends"):
            self._void(self._end)
            self._end = None
        if kind == "round_end":
            self._end = len(self.said)
        self.said.append(event)

    def _begin_again(self, rounds: int) -> None:
        """Void the latest round, and those before it that were over and are among what is judged again."""
        while self._begun:
            number, first = self._begun.pop()
            for place in range(first, len(self.said)):
                self._void(place)
            if not self._begun or self._begun[-1][0] <= rounds or number == self._begun[-1][0]:
                break
        self._turns, self._end = [], None

    def _void(self, place: int | None) -> None:
        if place is not None:
            self.said[place] = None


def _apart(got: Sequence[Json], expected: Sequence[Json]) -> list[tuple[int, Json | None, Json | None]]:
    """What does not agree once both are aligned: the number of the event in what was said, and both, None for none."""
    found: list[tuple[int, Json | None, Json | None]] = []
    at_said = at_true = 0
    for same_said, same_true in [*_common(got, expected), (len(got), len(expected))]:
        pairs = _paired(got[at_said:same_said], expected[at_true:same_true])
        found += [(at_said + place, mine, theirs) for place, (mine, theirs) in enumerate(pairs, 1)]
        at_said, at_true = same_said + 1, same_true + 1
    return found


def _common(got: Sequence[Json], expected: Sequence[Json]) -> list[tuple[int, int]]:
    """Align as many events that agree as can be without changing their order: the places of each in both."""
    most = [[0] * (len(expected) + 1) for _ in range(len(got) + 1)]
    for at in reversed(range(len(got))):
        for other in reversed(range(len(expected))):
            same = most[at + 1][other + 1] + 1 if got[at] == expected[other] else 0
            most[at][other] = max(same, most[at + 1][other], most[at][other + 1])
    pairs, at, other = [], 0, 0
    while at < len(got) and other < len(expected):
        if got[at] == expected[other] and most[at][other] == most[at + 1][other + 1] + 1:
            pairs.append((at, other))
            at, other = at + 1, other + 1
        elif most[at][other] == most[at + 1][other]:
            at += 1
        else:
            other += 1
    return pairs


def _paired(got: Sequence[Json], expected: Sequence[Json]) -> list[tuple[Json | None, Json | None]]:
    """Pair events that do not agree: those of one seat first, then those that are left, in their order."""
    mine, theirs = list(got), list(expected)
    pairs: list[tuple[Json | None, Json | None]] = []
    for event in got:
        same = next((other for other in theirs if other.get("seat") == event.get("seat")), None)
        if same is not None:
            pairs.append((event, same))
            mine.remove(event)
            theirs.remove(same)
    return [*pairs, *zip_longest(mine, theirs)]


def _reduced(events: Sequence[Json], kind: str, keys: Sequence[str]) -> list[Json]:
    return [{key: event.get(key) for key in keys} for event in events if event.get("type") == kind]


def _told(event: Json | None) -> str:
    return "nothing" if event is None else ", ".join(f"{key} {value}" for key, value in event.items())
