"""The referee's input lines in the words of the README (Formats), to and from plain data."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from reprlib import Repr
from typing import Any, Final, TypeVar

from engine.cards import HIGHEST_CARD, SEATS, SLOTS, Card, Seat, Slot
from engine.errors import BadInput
from engine.events import Json
from engine.game import Player
from engine.lines import (
    EMPTY,
    Abandon,
    Arm,
    Call,
    Correction,
    Hidden,
    Line,
    NewGame,
    NewRound,
    Observation,
    Pause,
    Played,
    Redo,
    Sighting,
    Undo,
    Unsettled,
    Verdict,
)
from engine.variants import AS_PRINTED, parse_options


def parse_line(said: object) -> Line:
    """Understand one decoded JSON line. Raises BadInput saying which key cannot be, and why."""
    if not isinstance(said, dict):
        raise BadInput(f"a line is one JSON object, not {_kind(said)}")
    kind = said.get("type")
    parser = _PARSERS.get(kind) if isinstance(kind, str) else None
    if parser is None:
        raise BadInput(f"type {_shown(kind)} is not known; it is one of {', '.join(_PARSERS)}")
    return parser(said)


def _kind(value: object) -> str:
    return "null" if value is None else type(value).__name__


_SHORT: Final = Repr()
_SHORT.maxlevel, _SHORT.maxstring, _SHORT.maxother, _SHORT.maxlong = 3, 60, 60, 40


def _shown(value: object) -> str:
    """A value as an error quotes it: a line may hold anything, also what is endlessly long or deep."""
    return _SHORT.repr(value)


def _whole(value: object, key: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadInput(f"{key}: {_shown(value)} is not a whole number")
    return value


def parse_seat(value: object, key: str = "seat") -> Seat:
    """Read a seat, 1..4. Raises BadInput naming `key`."""
    seat = _whole(value, key)
    if seat not in SEATS:
        raise BadInput(f"{key}: {_shown(seat)} is none of the seats 1 to 4")
    return seat


def _card(value: object, key: str, lowest: int = 1) -> Card:
    card = _whole(value, key)
    if not lowest <= card <= HIGHEST_CARD:
        raise BadInput(f"{key}: {_shown(card)} is no card; cards are 1 to {HIGHEST_CARD}")
    return card


def _slot(value: object, key: str) -> Slot:
    slot = _whole(value, key)
    if slot not in SLOTS:
        raise BadInput(f"{key}: {_shown(slot)} is none of the slots 5, 10, ... 50")
    return slot


_NUMBERS: Final = {str(number): number for number in range(1000)}
"""Each number by its one way to be written, so that no place can stand in one object twice, as "5" and as "05"."""


def _named(text: object, key: str) -> int:
    number = _NUMBERS.get(text) if isinstance(text, str) else None
    if number is None:
        raise BadInput(f"{key}: {_shown(text)} is not a whole number")
    return number


def parse_seat_key(text: object, key: str) -> Seat:
    """Read a seat that is the key of a JSON object, "1".."4". Raises BadInput naming `key`."""
    return parse_seat(_named(text, key), key)


def parse_time(said: Json) -> float:
    """Read the line's time `t` in seconds. Raises BadInput for anything but a finite number."""
    return _time(said.get("t"), "t")


def _time(value: object, key: str) -> float:
    return _number(value, key, "time in seconds")


def _number(value: object, key: str, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
        raise BadInput(f"{key}: {_shown(value)} is not a {what}")
    return float(value)


def _sighting(value: object, key: str) -> Sighting | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        return {_card(value, key, lowest=EMPTY): 1.0}
    chances: dict[Card, float] = {}
    for text, chance in value.items():
        card = _card(_named(text, key), key, lowest=EMPTY)
        if isinstance(chance, bool) or not isinstance(chance, int | float) or not 0 <= chance <= 1:
            raise BadInput(f"{key}: the chance {_shown(chance)} of {card} is not between 0 and 1")
        chances[card] = float(chance)
    if sum(chances.values()) > 1.001:
        raise BadInput(f"{key}: the chances add up to {sum(chances.values()):.3f}, more than 1")
    return chances


def _game(said: Json) -> NewGame:
    edition, variants, players = said.get("edition"), said.get("variants", []), said.get("players")
    if not isinstance(edition, str):
        raise BadInput(f"edition: {_shown(edition)} is not a name")
    if not isinstance(variants, list) or not all(isinstance(variant, str) for variant in variants):
        raise BadInput(f"variants: {_shown(variants)} is not a list of names")
    if not isinstance(players, list):
        raise BadInput("players: a list of seats and names is missing")
    options = said.get("options")
    chosen = AS_PRINTED if options is None else parse_options(options)
    return NewGame(edition, tuple(variants), tuple(_player(player) for player in players), chosen)


def _player(said: object) -> Player:
    if not isinstance(said, dict):
        raise BadInput(f'players: {_shown(said)} is not like {{"seat": 1, "name": "Ada"}}')
    seat = parse_seat(said.get("seat"), "players: seat")
    name = said.get("name", f"Seat {seat}")
    if not isinstance(name, str) or not name.strip():
        raise BadInput(f"players: the name {_shown(name)} of seat {seat} is not a name")
    if any("\ud800" <= letter <= "\udfff" for letter in name):
        raise BadInput(f"players: the name {_shown(name)} of seat {seat} holds half a letter (a lone surrogate)")
    return Player(seat, name.strip())


def _observation(said: Json) -> Observation:
    racks = _by_slot(said, "racks", _sighting)
    draw: Any = said.get("draw")
    if draw not in (None, "cards", "empty"):
        raise BadInput(f'draw: {_shown(draw)} is neither "cards" nor "empty"')
    top, changed = _sighting(said.get("discard"), "discard"), _by_slot(said, "changed", _time)
    return Observation(parse_time(said), racks, top, draw, changed, _arm(said.get("arm")))


def _arm(value: object) -> Arm | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise BadInput(f"arm: {_kind(value)} is not an object with x, y and shade")
    reaches: Any = value.get("reaches")
    if reaches not in (None, "draw", "discard"):
        raise BadInput(f'arm: reaches: {_shown(reaches)} is neither "draw" nor "discard"')
    x, y, shade = (_number(value.get(key), f"arm: {key}", "number") for key in ("x", "y", "shade"))
    return Arm(x, y, shade, reaches)


Told = TypeVar("Told")


def _by_slot(said: Json, key: str, read: Callable[[object, str], Told | None]) -> dict[Seat, dict[Slot, Told]]:
    """Read an object of seats that holds an object of slots for each; what is null in them is left out."""
    shown = said.get(key)
    if shown is not None and not isinstance(shown, dict):
        raise BadInput(f"{key}: {_kind(shown)} is not an object of seats")
    by_seat: dict[Seat, dict[Slot, Told]] = {}
    for seat_text, slots in (shown or {}).items():
        seat = parse_seat_key(seat_text, key)
        if slots is None:
            continue
        if not isinstance(slots, dict):
            raise BadInput(f"{key}: seat {seat}: {_kind(slots)} is not an object of slots")
        by_seat[seat] = {}
        for slot_text, value in slots.items():
            slot = _slot(_named(slot_text, f"{key}: seat {seat}"), f"{key}: seat {seat}")
            found = None if value is None else read(value, f"{key}: seat {seat}: slot {slot}")
            if found is not None:
                by_seat[seat][slot] = found
    return by_seat


def _call(said: Json) -> Call:
    seat = said.get("seat")
    return Call(parse_time(said), None if seat is None else parse_seat(seat))


def _correction(said: Json) -> Correction:
    seat, slot = parse_seat(said.get("seat")), _slot(said.get("slot"), "slot")
    return Correction(parse_time(said), seat, slot, _named_card(said))


def what_stands(card: Card) -> Json:
    """Write the card that stands in a slot, {"card": 38}, or that none does, {"empty": true}."""
    return {"empty": True} if card == EMPTY else {"card": card}


def _named_card(said: Json) -> Card:
    """Read the card that stands in a slot, or EMPTY where it is said that none does."""
    empty = said.get("empty", False)
    if empty is False:
        return _card(said.get("card"), "card")
    if empty is not True:
        raise BadInput(f"empty: {_shown(empty)} is neither true nor false")
    if said.get("card") is not None:
        raise BadInput("a slot that is said to be empty has no card: leave one of the two out")
    return EMPTY


def _played(said: Json) -> Played:
    source, slot, at = said.get("source"), said.get("slot"), said.get("at")
    if source not in (None, "draw", "discard"):
        raise BadInput(f'source: {_shown(source)} is neither "draw" nor "discard"')
    card, discarded = (None if said.get(key) is None else _card(said.get(key), key) for key in ("card", "discarded"))
    return Played(
        parse_time(said),
        parse_seat(said.get("seat")),
        source,
        None if slot is None else _slot(slot, "slot"),
        card,
        discarded,
        None if at is None else _time(at, "at"),
    )


def _hidden(said: Json) -> Hidden:
    seats = said.get("seats")
    if not isinstance(seats, list):
        raise BadInput(f"seats: {_shown(seats)} is not a list of seats")
    return Hidden(parse_time(said), tuple(parse_seat(seat, "seats") for seat in seats))


def _flag(said: Json, key: str) -> bool:
    value = said.get(key)
    if not isinstance(value, bool):
        raise BadInput(f"{key}: {_shown(value)} is neither true nor false")
    return value


def _undo(said: Json) -> Undo:
    return Undo(parse_time(said), call=_flag({"call": False} | said, "call"))


_PARSERS: Final[Mapping[str, Callable[[Json], Line]]] = {
    "game": _game,
    "round": lambda said: NewRound(parse_seat(said.get("dealer"), "dealer")),
    "observe": _observation,
    "unsettled": lambda said: Unsettled(parse_time(said)),
    "hidden": _hidden,
    "call": _call,
    "correct": _correction,
    "played": _played,
    "verdict": lambda said: Verdict(parse_time(said), accepted=_flag(said, "accepted")),
    "pause": lambda said: Pause(parse_time(said), on=_flag(said, "on")),
    "abandon": lambda said: Abandon(parse_time(said)),
    "undo": _undo,
    "redo": lambda said: Redo(parse_time(said)),
}


def line_as_json(line: Line) -> Json:
    """Write a line so that `parse_line` reads it back as it was."""
    match line:
        case NewGame(edition, variants, players, options):
            people = [{"seat": player.seat, "name": player.name} for player in players]
            game: Json = {"type": "game", "edition": edition, "variants": list(variants), "players": people}
            chosen = options.as_json()
            return game | {"options": chosen} if chosen else game
        case NewRound(dealer):
            return {"type": "round", "dealer": dealer}
        case Observation(t, racks, discard, draw, changed, arm):
            shown = {
                str(seat): {str(slot): _chances(sighting) for slot, sighting in slots.items()}
                for seat, slots in racks.items()
            }
            top = None if discard is None else _chances(discard)
            look: Json = {"type": "observe", "t": t, "racks": shown, "discard": top, "draw": draw}
            when = {str(seat): {str(slot): at for slot, at in slots.items()} for seat, slots in changed.items()}
            look |= {"changed": when} if when else {}
            if arm is None:
                return look
            return look | {"arm": {key: told for key, told in asdict(arm).items() if told is not None}}
        case Unsettled(t):
            return {"type": "unsettled", "t": t}
        case Call(t, seat):
            return {"type": "call", "t": t, "seat": seat}
        case Correction(t, seat, slot, card):
            return {"type": "correct", "t": t, "seat": seat, "slot": slot, **what_stands(card)}
        case Hidden(t, seats):
            return {"type": "hidden", "t": t, "seats": list(seats)}
        case Played() | Verdict() | Pause() | Abandon() | Undo() | Redo():
            return {"type": type(line).__name__.lower(), **asdict(line)}


def _chances(sighting: Sighting) -> dict[str, float]:
    return {str(card): chance for card, chance in sighting.items()}
