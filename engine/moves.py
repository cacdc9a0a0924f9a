"""One turn, and its one-line notation.

    2:D17@25x44             seat 2 drew 17, put it at slot 25 and discarded 44
    2:D17x17                seat 2 drew 17 and discarded it
    2:T19@20x7              seat 2 took 19 from the discard pile, put it at slot 20 and discarded 7
    2:T19x7                 seat 2 took 19, put it at a slot that nobody saw and discarded 7
    2:?x7                   seat 2 discarded 7; nobody saw what else seat 2 did, the rack being out of sight
    2:D17x17+again          ... and used the power of Prime card 17: another turn (which is a turn of its own)
    2:T19@20x7+1@10/3@45    ... and used the power of 7: the cards at seat 1, slot 10 and seat 3, slot 45 change places

A card that nobody could read is written `?`. `parse_turn(str(turn)) == turn` for every turn.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.cards import HIGHEST_CARD, SEATS, SLOTS, Card, Seat, Slot, Source
from engine.errors import BadInput
from engine.powers import Effect, SlotOf, Switch

_NOTATION: Final = re.compile(
    r"(?P<seat>\d):(?:(?P<source>[DT])(?P<card>\d{1,3}|\?)(?:@(?P<slot>\d{1,3}))?|\?)x(?P<discarded>\d{1,3}|\?)"
    r"(?:\+(?P<effect>again|\d@\d{1,3}/\d@\d{1,3}))?",
    re.ASCII,
)


_PILES: Final[Mapping[str | None, Source | None]] = {"D": "draw", "T": "discard", None: None}


@dataclass(frozen=True)
class Turn:
    """A whole turn. `slot` is None for a card that was drawn and discarded; a card is None where it was never read.

    Of a rack out of sight, no slot is known: `source` is then "discard" where a card was seen to be taken, else None.
    effect: how the power of the Prime card that was discarded was used; None where it was not, or there is none.
    """

    seat: Seat
    source: Source | None
    card: Card | None
    slot: Slot | None
    discarded: Card | None
    effect: Effect | None = None

    def __str__(self) -> str:
        """Write the turn in its notation."""
        place = "" if self.slot is None else f"@{self.slot}"
        taken = "?" if self.source is None else f"{'D' if self.source == 'draw' else 'T'}{self.card or '?'}{place}"
        return f"{self.seat}:{taken}x{self.discarded or '?'}{_effect_text(self.effect)}"


def _effect_text(effect: Effect | None) -> str:
    if effect is None:
        return ""
    if effect == "again":
        return "+again"
    return f"+{effect.one[0]}@{effect.one[1]}/{effect.other[0]}@{effect.other[1]}"


def _card(text: str, turn: str) -> Card | None:
    if text == "?":
        return None
    if text != str(int(text)) or not 1 <= int(text) <= HIGHEST_CARD:
        raise BadInput(f"{turn!r}: {text} is no card; cards are 1 to {HIGHEST_CARD}")
    return int(text)


def _seat(text: str, turn: str) -> Seat:
    if int(text) not in SEATS:
        raise BadInput(f"{turn!r}: seat {text} is none of 1 to 4")
    return int(text)


def _slot(text: str, turn: str) -> Slot:
    if text != str(int(text)) or int(text) not in SLOTS:
        raise BadInput(f"{turn!r}: slot {text} is none of 5, 10, ... 50")
    return int(text)


def _effect(text: str | None, turn: str) -> Effect | None:
    if text is None:
        return None
    if text == "again":
        return "again"

    def place(words: str) -> SlotOf:
        seat, slot = words.split("@")
        return _seat(seat, turn), _slot(slot, turn)

    one, other = map(place, text.split("/"))
    if one >= other:
        raise BadInput(f"{turn!r}: a switch names two slots, the lower seat and slot first")
    return Switch(one, other)


def parse_turn(text: str) -> Turn:
    """Read a turn from its notation. Raises BadInput with what is wrong."""
    match = _NOTATION.fullmatch(text)
    if match is None:
        raise BadInput(f"{text!r} is no turn; write it like 2:D17@25x44, 2:D17x17 or 2:T19@20x7")
    turn = Turn(
        _seat(match["seat"], text),
        _PILES[match["source"]],
        None if match["card"] is None else _card(match["card"], text),
        None if match["slot"] is None else _slot(match["slot"], text),
        _card(match["discarded"], text),
        _effect(match["effect"], text),
    )
    if turn.slot is None and turn.source == "draw" and turn.card != turn.discarded:
        raise BadInput(f"{text!r}: a card that was drawn and discarded is one card")
    if (turn.slot is not None or turn.source == "discard") and turn.card is not None and turn.card == turn.discarded:
        raise BadInput(f"{text!r}: the card put into a slot cannot be the card that left it")
    return turn
