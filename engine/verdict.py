"""Settling a round when RACK-O is called: is the rack in order, what does everybody score, what is in doubt."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from engine.cards import SLOTS, Card, Seat, Slot
from engine.history import History
from engine.rack import is_racko, rising_length
from engine.weighing import shares

ENOUGH: Final = 0.9
"""A verdict is given once it is this likely."""

CLEAR: Final = 0.95
"""A card this likely is not asked about."""

POSSIBLE: Final = 0.02
"""A card less likely than this is not considered."""

FALSE_CALL_COST: Final = math.log(0.02)
"""Log chance that somebody calls without a rack in order."""


@dataclass(frozen=True)
class OpenSlot:
    """A slot whose card matters for a score and is not known."""

    seat: Seat
    slot: Slot
    candidates: dict[Card, float]


def chance_of_racko(histories: Sequence[tuple[History, float]], seat: Seat) -> tuple[float, float]:
    """Return the chances that the rack of `seat` surely is, and surely is not, in order; both are low in doubt.

    `histories` come with their chances, which add up to 1.
    """
    is_so = is_not = 0.0
    for history, weight in histories:
        rack = history.rack(seat)
        if is_racko([card for card, _ in rack]):
            certain = 1.0
            for _, chance in rack:
                certain *= chance
            is_so += weight * certain
        else:
            falls = pairwise(rack)
            is_not += weight * max(a[1] * b[1] for a, b in falls if b[0] < a[0])
    return is_so, is_not


def open_slots(history: History, seat: Seat) -> list[OpenSlot]:
    """Slots of a rack whose doubt can change its score; a doubt behind the break, or one that ends alike, is none."""
    rack = history.rack(seat)
    cards = [card for card, _ in rack]
    doubts = []
    for place in range(min(rising_length(cards) + 1, len(cards))):
        if rack[place][1] >= CLEAR:
            continue
        candidates = _candidates(history, seat, place)
        lengths = {rising_length([*cards[:place], card, *cards[place + 1 :]]) for card in candidates}
        if len(lengths) > 1 or not candidates:
            doubts.append(OpenSlot(seat, SLOTS[place], candidates))
    return doubts


def unsure_slots(history: History, seat: Seat) -> list[OpenSlot]:
    """Every slot of a rack whose card is not clear."""
    rack = history.rack(seat)
    return [
        OpenSlot(seat, slot, _candidates(history, seat, place))
        for place, slot in enumerate(SLOTS)
        if rack[place][1] < CLEAR
    ]


def _candidates(history: History, seat: Seat, place: int) -> dict[Card, float]:
    """The cards that may stand there, likeliest first; none where nothing is known of it."""
    chances = history.belief.chances(history.position.rack(seat)[place])
    likely = {card: chance for card, chance in chances.items() if chance >= POSSIBLE}
    return likely if sum(likely.values()) >= 0.5 and len(likely) <= 8 else {}


def likely_caller(histories: Sequence[History], seats: Sequence[Seat]) -> Seat:
    """Who called, where one button serves all: whose rack fits, else who played last."""
    weighed = shares(histories)
    fitting = max(seats, key=lambda seat: chance_of_racko(weighed, seat)[0])
    if chance_of_racko(weighed, fitting)[0] >= ENOUGH / 2:
        return fitting
    best = weighed[0][0]
    return seats[seats.index(best.position.to_move) - 1]


def after_call(histories: Sequence[History], seat: Seat) -> list[History]:
    """Weigh the histories once more, best first, knowing that `seat` has called RACK-O.

    People seldom call without a rack, and often before they discard: an unfinished turn counts like any other.
    """
    judged = [
        history if _in_order(history, seat) else replace(history, score=history.score + FALSE_CALL_COST)
        for history in histories
    ]
    return sorted(judged, key=lambda history: history.score, reverse=True)


def _in_order(history: History, seat: Seat) -> bool:
    return is_racko([card for card, _ in history.rack(seat)])
