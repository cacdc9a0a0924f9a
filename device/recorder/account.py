"""The truth of a recording, as far as anybody knows it: what was said of each round last, and who says so.

Nobody who recorded an evening knows for sure what lay on the table. The referee's words are what was read from the
pictures, so they are no truth of the pictures: such rows have `"by": "referee"`. What the host has said, or what came
of it, has `"by": "host"`; a card that the host named stands in the picture that stood then (`"type": "card"`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from device.sessions.format import FrameTaken
from device.sessions.truth import settled
from engine.cards import Seat
from engine.events import SPOKEN, Json
from engine.lines import EMPTY, Correction, Line, NewGame, NewRound, Observation
from engine.undoing import Undoing

Entry = FrameTaken | tuple[float, Line]

TOLD: Final = ("turn", "violation", "round_end")
"""What a truth tells of a round (FORMATS), each with the keys that are said (engine.events.SPOKEN)."""

SAME: Final = ("seat", "source", "card", "slot", "discarded", "rule", "out", "scores")
"""Two events with these in common, in one round, say the same."""


def truth_of(entries: Sequence[Entry], said: Sequence[Json]) -> list[Json]:
    """The rows of a truth.jsonl, in time order.

    `said`: the rows of a recording's said.jsonl, which are the referee's events with `by`, and which racks a camera
    has in its sight. Rounds that are not over are told as far as they went.
    """
    rows = [
        {key: row[key] for key in (*SPOKEN[row["type"]], "by") if key in row and key != "amends"}
        for row in settled(_first_said(said))
        if row.get("type") in TOLD
    ]
    rows += _named_cards(entries, [row for row in said if row.get("type") == "sees"], _ends(rows))
    return sorted(rows, key=lambda row: float(row["t"]))


def _first_said(said: Iterable[Json]) -> Iterator[Json]:
    """Events, each by who said it first: a round that is judged again says most of it once more."""
    first: dict[str, str] = {}
    number = 0
    for row in said:
        if row.get("type") == "round":
            number = row["number"]
        if row.get("type") not in (*TOLD, "amended"):
            yield row
            continue
        words = repr((number, [row.get(key) for key in SAME]))
        yield row | {"by": first.setdefault(words, str(row.get("by", "referee")))}


def _ends(rows: Iterable[Json]) -> list[float]:
    return [float(row["t"]) for row in rows if row["type"] == "round_end"]


def _named_cards(entries: Sequence[Entry], sights: Sequence[Json], ends: Sequence[float]) -> Iterator[Json]:
    """Each card that the host named and did not take back, in the picture that stood when the host said so.

    A card that is corrected when the round is over was named of the rack that was scored: of the picture of then.
    """
    orders = numbered_orders(entries)
    void = Undoing.of(orders).void
    begun = 0.0
    for place, line in orders:
        entry = entries[place]
        if isinstance(entry, FrameTaken):
            continue
        if isinstance(line, NewRound):
            begun = entry[0]
        if not isinstance(line, Correction) or line.card == EMPTY or place in void:
            continue
        over = [end for end in ends if begun <= end <= entry[0]]
        for frame in _standing(entries, min([entry[0], *over]), line.seat, sights):
            yield {
                "type": "card",
                "t": entry[0],
                "seat": line.seat,
                "slot": line.slot,
                "card": line.card,
                "camera": frame.camera,
                "file": frame.name,
                "by": "host",
            }


def numbered_orders(entries: Sequence[Entry]) -> list[tuple[int, Line]]:
    """What people said, with its place in the timeline."""
    found = ((place, entry[1]) for place, entry in enumerate(entries) if not isinstance(entry, FrameTaken))
    return [(place, line) for place, line in found if not isinstance(line, Observation | NewGame)]


def _standing(entries: Sequence[Entry], t: float, seat: Seat, sights: Iterable[Json]) -> list[FrameTaken]:
    """The pictures that stood at time `t` before the cameras that saw a seat's rack then."""
    latest = {entry.camera: entry for entry in entries if isinstance(entry, FrameTaken) and entry.t <= t}
    told: Mapping[str, Sequence[Seat]] = {row["camera"]: row["seats"] for row in sights if row["t"] <= t}
    return [
        frame
        for name, frame in sorted(latest.items())
        if (seat in told[name] if name in told else name == f"rack{seat}")
    ]
