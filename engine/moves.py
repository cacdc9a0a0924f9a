"""One turn, and its one-line notation.

    2:D17@25x44   seat 2 drew 17, put it at slot 25 and discarded 44
    2:D17x17      seat 2 drew 17 and discarded it
    2:T19@20x7    seat 2 took 19 from the discard pile, put it at slot 20 and discarded 7

A card that nobody could read is written `?`. `parse_turn(str(turn)) == turn` for every turn.
"""

import re
from dataclasses import dataclass
from typing import Final

from engine.cards import HIGHEST_CARD, SEATS, SLOTS, Card, Seat, Slot, Source
from engine.errors import BadInput

_NOTATION: Final = re.compile(
    r"(?P<seat>\d):(?P<source>[DT])(?P<card>\d{1,3}|\?)(?:@(?P<slot>\d{1,3}))?x(?P<discarded>\d{1,3}|\?)", re.ASCII
)


@dataclass(frozen=True)
class Turn:
    """A whole turn. `slot` is None for a card that was drawn and discarded; a card is None where it was never read."""

    seat: Seat
    source: Source
    card: Card | None
    slot: Slot | None
    discarded: Card | None

    def __str__(self) -> str:
        """Write the turn in its notation."""
        pile = "D" if self.source == "draw" else "T"
        place = "" if self.slot is None else f"@{self.slot}"
        return f"{self.seat}:{pile}{self.card or '?'}{place}x{self.discarded or '?'}"


def _card(text: str, turn: str) -> Card | None:
    if text == "?":
        return None
    if text != str(int(text)) or not 1 <= int(text) <= HIGHEST_CARD:
        raise BadInput(f"{turn!r}: {text} is no card; cards are 1 to {HIGHEST_CARD}")
    return int(text)


def parse_turn(text: str) -> Turn:
    """Read a turn from its notation. Raises BadInput with what is wrong."""
    match = _NOTATION.fullmatch(text)
    if match is None:
        raise BadInput(f"{text!r} is no turn; write it like 2:D17@25x44, 2:D17x17 or 2:T19@20x7")
    seat = int(match["seat"])
    if seat not in SEATS:
        raise BadInput(f"{text!r}: seat {seat} is none of 1 to 4")
    slot = None if match["slot"] is None else int(match["slot"])
    if slot is not None and (slot not in SLOTS or match["slot"] != str(slot)):
        raise BadInput(f"{text!r}: slot {match['slot']} is none of 5, 10, ... 50")
    turn = Turn(
        seat,
        "draw" if match["source"] == "D" else "discard",
        _card(match["card"], text),
        slot,
        _card(match["discarded"], text),
    )
    if slot is None and turn.source == "discard":
        raise BadInput(f"{text!r}: a card from the discard pile must be exchanged; name its slot")
    if slot is None and turn.card != turn.discarded:
        raise BadInput(f"{text!r}: a card that was drawn and discarded is one card")
    if slot is not None and turn.card is not None and turn.card == turn.discarded:
        raise BadInput(f"{text!r}: the card put into a slot cannot be the card that left it")
    return turn
