"""Which part of a session a clip holds, and what it must begin with so that the part replays as it did."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from device.recorder.account import Entry, numbered_orders
from device.sessions.format import FrameTaken
from engine.cards import Seat
from engine.errors import BadInput
from engine.events import Json
from engine.lines import Abandon, Correction, Hidden, Line, NewRound, Pause, Redo, Undo
from engine.undoing import Undoing

CALM: Final = 1.0
"""Seconds in which no picture changes: a clip around a moment begins and ends in such a pause."""

SETTLED: Final = 0.6
"""Seconds after the last change until a pause is cut: its pictures have been read by then (vision.settle)."""

TURNS: Final = 2
"""Whole turns before and after the moment that a clip is made around."""

WIDE: Final = 20.0
"""Seconds before and after it, where nobody wrote down any turn."""


@dataclass(frozen=True)
class Part:
    """From when to when, in seconds of the session, both included."""

    first: float
    last: float


@dataclass(frozen=True)
class Wishes:
    """What the command line asks for: one of `round` (from 1 on), `around` (seconds) and first/last (seconds)."""

    round: int | None = None
    around: float | None = None
    first: float | None = None
    last: float | None = None


def part_of(wishes: Wishes, entries: Sequence[Entry], truth: Sequence[Json]) -> Part:
    """Find the part that is asked for. Raises BadInput for one that cannot be."""
    ways = (wishes.round, wishes.around, wishes.first if wishes.last is None else wishes.last)
    if sum(way is not None for way in ways) != 1:
        raise BadInput("name one part of the session: --round N, --around T, or --from T and --to T")
    if not entries:
        raise BadInput("nothing was recorded in this session")
    begin, end = time_of(entries[0]), time_of(entries[-1])
    if wishes.round is not None:
        return _round(wishes.round, entries, end)
    if wishes.around is not None:
        if not begin <= wishes.around <= end:
            raise BadInput(f"--around {wishes.around:g}: the session goes from {begin:g} to {end:g} seconds")
        return _before_a_draw(_around(wishes.around, entries, truth), entries, truth)
    first = begin if wishes.first is None else wishes.first
    last = end if wishes.last is None else wishes.last
    if not begin <= first < last or not first < end:
        raise BadInput(
            f"from {first:g} to {last:g}: is no part of this session, which goes from {begin:g} to {end:g} seconds"
        )
    return _before_a_draw(Part(first, min(last, end)), entries, truth)


def _before_a_draw(part: Part, entries: Sequence[Entry], truth: Sequence[Json]) -> Part:
    """The part from a turn on whose card is drawn, which may begin earlier.

    Who takes the top of the discard pile shows the card below it, which only the turns before have shown: without
    them it would pass for a card that was drawn and discarded.
    """
    begun = max((begun for begun, _ in _rounds(entries) if begun <= part.first), default=None)
    if begun is None:
        return part
    turns = [row for row in truth if row["type"] == "turn" and begun <= float(row["t"]) <= part.last]
    turns.sort(key=lambda row: float(row["t"]))
    first = at = sum(float(row["t"]) <= part.first for row in turns)
    while at and at < len(turns) and turns[at].get("source") != "draw":
        at -= 1
    if at == first:
        return part
    return replace(part, first=_pause(float(turns[at - 1]["t"]), entries) if at else begun)


def _round(number: int, entries: Sequence[Entry], end: float) -> Part:
    begun = [t for t, _ in _rounds(entries)]
    if not 1 <= number <= len(begun):
        raise BadInput(f"--round {number}: {len(begun)} rounds were begun in this session")
    later = begun[number:]
    # What comes at the very moment of the next deal is of the next round.
    return Part(begun[number - 1], later[0] - 0.001 if later else end)


def _around(t: float, entries: Sequence[Entry], truth: Sequence[Json]) -> Part:
    """Some whole turns before and after a moment, from pause to pause."""
    begin, end = time_of(entries[0]), time_of(entries[-1])
    begin = max((begun for begun, _ in _rounds(entries) if begun <= t), default=begin)
    turns = sorted(float(row["t"]) for row in truth if row["type"] in ("turn", "round_end"))
    if not turns:
        return Part(_pause(max(t - WIDE, begin), entries), _pause(t + WIDE, entries))
    before = [turn for turn in turns if begin <= turn < t]
    after = [turn for turn in turns if turn >= t]
    first = _pause(before[-TURNS - 1], entries) if len(before) > TURNS else begin
    last = _pause(after[TURNS], entries) if len(after) > TURNS else end
    return Part(min(first, t), max(last, t))


def _pause(t: float, entries: Sequence[Entry]) -> float:
    """The first moment from `t` on at which what changed last has settled and nothing changes for a while."""
    for one, other in pairwise(time_of(entry) for entry in entries):
        if other - one >= CALM and other > t + SETTLED:
            return max(one + SETTLED, t)
    return time_of(entries[-1])


def time_of(entry: Entry) -> float:
    """When it was, in seconds of the session."""
    return entry.t if isinstance(entry, FrameTaken) else entry[0]


def opening_of(part: Part, entries: Sequence[Entry], truth: Sequence[Json], seats: Sequence[Seat]) -> list[Line]:
    """The lines that a clip must begin with, where it begins in the middle of a round.

    It is dealt so that the player begins whose turn it is. What people said before and still holds comes with it.
    """
    orders = numbered_orders(entries)
    void = Undoing.of(orders).void
    said = [(time_of(entries[place]), line) for place, line in orders if place not in void]
    said = [(t, line) for t, line in said if t < part.first]
    begun = max((place for place, (_, line) in enumerate(said) if isinstance(line, NewRound)), default=None)
    if begun is None:
        return []
    (since, dealt), *rest = said[begun:]
    told = [row for row in truth if since <= float(row["t"]) <= part.first]
    over = any(row["type"] == "round_end" for row in told) or any(isinstance(line, Abandon) for _, line in rest)
    if over or not isinstance(dealt, NewRound):
        return []
    turns = [row for row in told if row["type"] == "turn"]
    return [NewRound(_dealer(dealt.dealer, turns, seats)), *_held(rest, turns)]


def _dealer(dealer: Seat, turns: Sequence[Json], seats: Sequence[Seat]) -> Seat:
    """Whose deal lets the player begin who is to move after these turns."""
    if not turns:
        return dealer
    last = turns[-1]
    if last["seat"] not in seats:
        return dealer
    again = isinstance(last.get("effect"), dict) and "again" in last["effect"]
    return seats[seats.index(last["seat"]) - 1] if again else last["seat"]


def _held(rest: Sequence[tuple[float, Line]], turns: Sequence[Json]) -> Iterator[Line]:
    """Cards that the host named and that stand there still, and whether play is paused or racks are out of sight."""
    for t, line in rest:
        if isinstance(line, Correction) and not any(
            float(turn["t"]) > t and (turn.get("effect") or (turn["seat"], turn.get("slot")) == (line.seat, line.slot))
            for turn in turns
        ):
            yield line
    for kind in (Pause, Hidden):
        latest = next((line for _, line in reversed(rest) if isinstance(line, kind)), None)
        if latest is not None and not (isinstance(latest, Pause) and not latest.on):
            yield latest


def inside(part: Part, entries: Sequence[Entry]) -> Callable[[int], bool]:
    """Which entries, by their place, belong to a part.

    What was undone comes with its undoing where both are in the part; else neither does, so that what stood in the
    end stands in the clip.
    """
    orders = numbered_orders(entries)
    within = [(place, line) for place, line in orders if part.first <= time_of(entries[place]) <= part.last]
    before = [(place, line) for place, line in orders if time_of(entries[place]) < part.first]
    places, void = {place for place, _ in within}, Undoing.of(orders).void
    by_itself = (
        Undoing.of(within).void == void & places
        and Undoing.of([*before, *within]).void - places == Undoing.of(before).void
    )
    if by_itself:
        void = frozenset()
    else:
        void |= {place for place, line in within if isinstance(line, Undo | Redo)}
    return lambda place: part.first <= time_of(entries[place]) <= part.last and place not in void


def _rounds(entries: Sequence[Entry]) -> list[tuple[float, NewRound]]:
    """The rounds that were begun and not undone, with their times."""
    orders = numbered_orders(entries)
    void = Undoing.of(orders).void
    return [
        (time_of(entries[place]), line) for place, line in orders if isinstance(line, NewRound) and place not in void
    ]
