"""Does any card of a rack leave a running table while its round is on, by any door but its owner's page?

    python -m tests.faults.leaks [--seed 2] [--rounds 100]

The real program plays a simulated evening in quick motion. Every address is asked again and again, as anybody, as the
host and with each seat's token, all streams are followed, and what is printed, logged and named is collected. When all
is over the journal tells which cards stood in which rack at each moment; what was said then is searched for them. The
cameras' pictures are given to the project's own reader. Printed are what was searched, what it was compared with, and
the leaks.
"""

import argparse
import json
import re
import tempfile
import time
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from device.tables import tables_named
from engine.cards import Card
from tests.device.pages.test_secrecy import numbers
from tests.device.running import Running
from tests.faults.doors import Doors, Said
from tests.faults.journalled import Journalled
from tests.faults.pictured import cards_read, unlike

SPEED: Final = 50.0
SLACK: Final = 0.5
"""Seconds by which a request may have seen an earlier or a later board than the stream says."""

NAMES: Final = re.compile(
    r"\brack\d\b|parker-\d+|simulated[:-]\w+|game-\d+-round-\d+-seat-\d+|[Ss]eat \d\b"
    r"|\d+ points(?:, \d+ in all)?\.|: \d+ together\.|[Rr]ound \d+ do(?:es)? not count"
    r"|wait \d+ seconds|Retry-After: \d+|slots? (?:\d+, )*\d+(?: and \d+)?|\(?[\d.]+ px a mm, 3 are good\)"
)
"""Words with a number that is no card: of cameras, editions, the table, files, seats and slots; what the caller says of
rounds that are over; how long a PIN must wait; and how small a rack is in the picture."""

BESIDE: Final = ("wanted", "winners", "seats", "pictures", "watchers", "wait")
"""Further keys of which no number is a card: they hold seats, how many pages watch, and seconds."""

ROW: Final = re.compile(r"\d+,\d+,")
"""How a row of history.csv begins: the game and the round."""

FEWEST: Final = 3
"""A door that says one thing only while so many different racks stood there tells nothing of them."""

LOGGED: Final = re.compile(
    r"panel: .*|round \d+ begins|RACK-O is called by (?:seat \d|somebody)|the round is over: seat \d went out"
    r"|more of the deck.s look was learnt from this round|[a-z-]+, seat \d"
)
"""The rows that a log may have, with the numbers of rounds and seats."""


@dataclass
class Found:
    """What a search came to. `read`: cards that the reader made out in pictures, while rounds were on and between them.

    planted, missed: leaks that were made up to try the search, and how many of them it did not find.
    """

    rounds: int = 0
    searched: int = 0
    compared: int = 0
    rows: int = 0
    pictures: int = 0
    read: int = 0
    read_when_over: int = 0
    planted: int = 0
    missed: int = 0
    leaks: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        rounds = f"{self.rounds} rounds: {self.searched} answers searched, {self.rows} rows of log"
        secrets = f"{self.compared} times a secret card was looked for"
        pictures = f"{self.pictures} pictures of cameras during rounds: {self.read} cards read in them"
        between = f"{self.read_when_over} in those between rounds"
        control = f"{self.planted - self.missed} of {self.planted} that were planted to try the search"
        leaks = f"{len(self.leaks)} leaks found, and {control}"
        return "\n".join([f"{rounds}; {secrets}", f"{pictures}, {between}", leaks, *sorted(set(self.leaks))[:40]])


def searched(seed: int, rounds: int) -> Found:
    """Let the program play so many rounds, or a whole game, and search what it said."""
    found = Found()
    camera = f"simulated:{seed}"
    with tempfile.TemporaryDirectory() as name:
        program = Running(Path(name), camera=camera, speed=SPEED)
        try:
            doors = Doors(program)
            state = doors.lap()
            while state["phase"] != "game-over" and state["round"] <= rounds:
                time.sleep(0.2)
                state = doors.lap()
            doors.lap()
        finally:
            program.end()
        (path,) = (Path(name) / "racko").glob("simulated-*.sqlite")
        journal = Journalled(path)
        found.rounds = journal.rounds
        _search(doors.said, doors, journal, found)
        _plant(doors, journal, found)
        _search_log(program, found)
    _read_pictures(doors, journal, camera, found)
    return found


def _span(doors: Doors, said: Said) -> tuple[int, int]:
    """The journal's entries between which something was said, by what the stream told of versions around it."""
    times = [t for t, _ in doors.versions]
    before = bisect_right(times, said.asked - SLACK) - 1
    after = bisect_left(times, said.came + SLACK)
    first = doors.versions[before][1] if before >= 0 else 0
    return first, doors.versions[after][1] if after < len(times) else 10**9


def _search(everything: Sequence[Said], doors: Doors, journal: Journalled, found: Found) -> None:
    """Search all that was said while cards were secret; what never changes, whatever the racks hold, tells nothing."""
    texts: dict[str, set[str]] = defaultdict(set)
    racks: dict[str, set[frozenset[Card]]] = defaultdict(set)
    suspects: list[tuple[Said, frozenset[Card]]] = []
    for said in everything:
        first, last = _span(doors, said)
        secrets = journal.during(first, last)
        others = frozenset(card for seat, cards in secrets.items() if seat != said.seat for card in cards)
        if not others:
            continue
        texts[said.door].add(said.text)
        racks[said.door].add(others)
        found.searched += 1
        found.compared += len(others)
        over = journal.over(last)
        if said.picture and "/rounds/" in said.door and int(said.door.split("/")[4]) > over:
            found.leaks.append(f"{said.door}: a rack's picture, and its round is on")
        told = cards_in(said.text, over) & others
        if told:
            suspects.append((said, told))
    for said, told in suspects:
        if len(texts[said.door]) > 1 or len(racks[said.door]) < FEWEST:
            found.leaks += [f"{said.door} tells {card}: {_around(said.text, card)}" for card in sorted(told)]


def _around(text: str, card: Card) -> str:
    """What stands around a card's number, wherever it does."""
    return " | ".join(found[0] for found in re.finditer(rf".{{0,50}}\b{card}\b.{{0,20}}", text))


def _plant(doors: Doors, journal: Journalled, found: Found) -> None:
    """Put a secret card into what the scoreboard said, each time, and see that the search finds it."""
    planted = []
    for said in doors.said:
        secrets = journal.during(*_span(doors, said))
        if said.door == "GET /api/state by anybody" and any(secrets.values()):
            card = min(card for cards in secrets.values() for card in cards)
            planted.append(replace(said, text=json.dumps(json.loads(said.text) | {"discard": card})))
    scratch = Found()
    _search(planted, doors, journal, scratch)
    found.planted, found.missed = len(planted), max(len(planted) - len(scratch.leaks), 0)


@lru_cache(maxsize=100_000)
def cards_in(text: str, over: int) -> frozenset[Card]:
    """The numbers in a text that could be cards, but for those of the rounds that are over, so many of the game."""
    try:
        said = json.loads(text)
    except ValueError:
        # A table for spreadsheets has a row a round and player.
        said = [row for row in text.splitlines() if not (ROW.match(row) and int(row.split(",")[1]) <= over)]
    if isinstance(said, dict) and "games" in said:
        said = [{**game, "rounds": game["rounds"][over:]} for game in said["games"]]
    return frozenset(numbers(_plain(said)))


def _plain(said: object) -> object:
    """A JSON value without words and keys whose numbers are no cards, and without a player's own doubts."""
    match said:
        case dict():
            return {key: _plain(value) for key, value in said.items() if key not in BESIDE and key != "doubts"}
        case list():
            return [_plain(value) for value in said]
        case str():
            return NAMES.sub("", said)
    return said


def _search_log(program: Running, found: Found) -> None:
    """What the program prints and logs has no number but those of rounds and seats."""
    rows = [re.sub(r"^\d\d:\d\d:\d\d ", "", row) for row in program.logged().splitlines()]
    found.rows = len(rows)
    found.leaks += [f"the log: {row}" for row in rows if row and not LOGGED.fullmatch(row)]
    found.leaks += [f"printed: {row}" for row in program.printed().splitlines()]


def _read_pictures(doors: Doors, journal: Journalled, camera: str, found: Found) -> None:
    """Give the cameras' pictures to the reader."""
    source = tables_named(camera)(0)
    during: dict[bytes, bool] = {}
    for said in doors.said:
        if said.picture and "/cameras/" in said.door:
            secret = any(journal.during(*_span(doors, said)).values())
            during[said.picture] = during.get(said.picture, False) or secret
    for picture, secret in during.items():
        read = cards_read(picture, source)
        found.pictures += secret
        found.read += read * secret
        found.read_when_over += read * (not secret)
    if found.read:
        found.leaks.append(f"{found.read} cards were read in pictures of cameras")


def _report(seed: int, rounds: int) -> Iterator[Any]:
    yield searched(seed, rounds)
    yield f"pictures of other racks in the same place differ by {unlike()} grey levels"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=100)
    options = parser.parse_args()
    for row in _report(options.seed, options.rounds):
        print(row, flush=True)  # noqa: T201 - this is what it is for
