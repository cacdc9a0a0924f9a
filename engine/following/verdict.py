"""Settling a round when RACK-O is called: is the rack in order, what does everybody score, what is in doubt."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from engine.cards import RACK_SIZE, SLOTS, Card, Seat, Slot
from engine.following.belief import DOUBTFUL
from engine.following.history import History, Place
from engine.following.weighing import shares
from engine.lines import EMPTY
from engine.rack import can_go_out, is_racko, rising_length

ENOUGH: Final = 0.9
"""A verdict is given once it is this likely."""

CLEAR: Final = 0.95
"""A card this likely is not asked about."""

LIKELY: Final = 0.5
"""A card that nobody needs to know is shown if it is at least this likely."""

POSSIBLE: Final = 0.02
"""A card less likely than this is not considered."""

UNASKED: Final = -1
"""In the place of how many cards of a rack score: nothing was asked of it, for the game has no scoring."""

LOOKS: Final = 0.55
"""Where a card looks like another where it lies, or its slot like an empty one: chance that it is so. It is asked if
need be."""

FALSE_CALL_COST: Final = math.log(0.02)
"""Log chance that somebody calls without a rack in order."""

UNHEARD_OF: Final = 1e-6
"""A card that nothing speaks for is still possible to this degree where somebody says that it must be one."""

Rack = tuple[tuple[Card, float], ...]
"""The likeliest card of each slot, slot 5 first, with its chance."""

Weighed = Sequence[tuple[History, float]]
"""Histories with their chances, which add up to 1; the likeliest first."""


@dataclass(frozen=True)
class OpenSlot:
    """A slot whose card matters for a score and is not known."""

    seat: Seat
    slot: Slot
    candidates: dict[Card, float]


def chance_of_racko(
    histories: Weighed, seat: Seat, run_needed: int, seen: Collection[Slot] = SLOTS
) -> tuple[float, float]:
    """Return the chances that `seat` surely can, and surely cannot, go out; both are low in doubt.

    seen: the slots that count as evidence against it.
    """
    is_so = is_not = 0.0
    for history, weight in histories:
        rack = history.rack(seat)
        cards = [card for card, _ in rack]
        if can_go_out(cards, run_needed):
            is_so += weight * math.prod(chance for _, chance in rack)
        elif is_racko(cards):
            is_not += weight * math.prod(chance for _, chance in rack) * (len(seen) == len(SLOTS))
        else:
            falls = [
                a[1] * b[1]
                for (a, b), slots in zip(pairwise(rack), pairwise(SLOTS), strict=True)
                if b[0] < a[0] and slots[0] in seen and slots[1] in seen
            ]
            gaps = [chance for (card, chance), slot in zip(rack, SLOTS, strict=True) if card == EMPTY and slot in seen]
            is_not += weight * max(falls + gaps, default=0.0)
    return is_so, is_not


def lacks_run(history: History, seat: Seat) -> bool:
    """Whether a rack is in order, so that a run of consecutive numbers is all that it can lack."""
    return is_racko([card for card, _ in history.rack(seat)])


def likely_rack(histories: Weighed, seat: Seat) -> Rack:
    """The likeliest card of each slot over all histories."""
    return tuple(next(iter(chances.items())) for chances in _marginals(histories, seat))


def rising_rack(histories: Weighed, seat: Seat, highest_card: Card) -> Rack | None:
    """The likeliest cards that rise from slot to slot, where the clear ones do; None where even those do not.

    What is not clear may be any card between its neighbours: somebody has looked, and says that the rack is in order.
    """
    best: dict[Card, tuple[float, tuple[tuple[Card, float], ...]]] = {0: (0.0, ())}
    for chances in _marginals(histories, seat):
        clear = [card for card, chance in chances.items() if chance >= CLEAR]
        allowed = clear or range(1, highest_card + 1)
        weights = {card: math.log(max(chances.get(card, 0.0), UNHEARD_OF)) for card in allowed}
        longer: dict[Card, tuple[float, tuple[tuple[Card, float], ...]]] = {}
        for card, weight in weights.items():
            below = max(((cost, rack) for last, (cost, rack) in best.items() if last < card), default=None)
            if below is not None:
                longer[card] = below[0] + weight, (*below[1], (card, chances.get(card, 0.0)))
        best = longer
    return max(best.values())[1] if best else None


def _marginals(histories: Weighed, seat: Seat, bare: Collection[Place] = ()) -> list[dict[Card, float]]:
    """The chance of each card in each slot, likeliest first; `bare` are slots that look empty."""
    found: list[dict[Card, float]] = [{} for _ in range(RACK_SIZE)]
    for history, weight in histories:
        for chances, (slot, stand_in) in zip(found, zip(SLOTS, history.position.rack(seat), strict=True), strict=True):
            is_bare = stand_in > EMPTY and (seat, slot) in bare
            settled = history.belief.settled(stand_in, (seat, slot))
            of_card = {settled: history.belief.best(stand_in)[1]} if settled else history.belief.chances(stand_in)
            other = history.belief.contradicted(stand_in, (seat, slot), by=DOUBTFUL)
            if is_bare or other:
                looks_like = EMPTY if is_bare else other
                of_card = {card: (1 - LOOKS) * chance for card, chance in of_card.items()}
                of_card[looks_like] = of_card.get(looks_like, 0.0) + LOOKS
            for card, chance in of_card.items():
                chances[card] = chances.get(card, 0.0) + weight * chance
    return [dict(sorted(chances.items(), key=lambda item: (-item[1], item[0]))) for chances in found]


def open_slots(histories: Weighed, seat: Seat, bare: Collection[Place] = ()) -> list[OpenSlot]:
    """Slots of a rack whose doubt can change its score; a doubt behind the break, or one that ends alike, is none.

    bare: slots that look empty, though a card is held to be there.
    """
    marginals = _marginals(histories, seat, bare)
    rack = [next(iter(chances.items())) for chances in marginals]
    cards = [card for card, _ in rack]
    doubts = []
    for place in range(min(rising_length(cards) + 1, len(cards))):
        if rack[place][1] >= CLEAR:
            continue
        candidates = _candidates(marginals[place])
        lengths = {rising_length([*cards[:place], card, *cards[place + 1 :]]) for card in candidates}
        if len(lengths) > 1 or not candidates:
            doubts.append(OpenSlot(seat, SLOTS[place], candidates))
    return doubts


def unsure_slots(histories: Weighed, seat: Seat, bare: Collection[Place] = ()) -> list[OpenSlot]:
    """Every slot of a rack whose card is not clear, `bare` being those that look empty."""
    return [
        OpenSlot(seat, slot, _candidates(chances))
        for slot, chances in zip(SLOTS, _marginals(histories, seat, bare), strict=True)
        if next(iter(chances.values())) < CLEAR
    ]


def readable(rack: Rack, scoring: int) -> tuple[Card | None, ...]:
    """The cards of a rack as they are shown: behind the break, where none is asked for, a mere guess is None.

    scoring: how many cards are in order, so that they and the next one were asked for; UNASKED where none was.
    """
    return tuple(card if place <= scoring or chance >= LIKELY else None for place, (card, chance) in enumerate(rack))


def _candidates(chances: dict[Card, float]) -> dict[Card, float]:
    """The cards that may stand there, likeliest first; none where nothing is known of it."""
    likely = {card: chance for card, chance in chances.items() if chance >= POSSIBLE}
    return likely if sum(likely.values()) >= 0.5 and len(likely) <= 8 else {}


def likely_caller(histories: Sequence[History], seats: Sequence[Seat], run_needed: int) -> Seat:
    """Who called, where one button serves all: whose rack fits, else who played last."""
    weighed = shares(histories)
    fitting = max(seats, key=lambda seat: chance_of_racko(weighed, seat, run_needed)[0])
    if chance_of_racko(weighed, fitting, run_needed)[0] >= ENOUGH / 2:
        return fitting
    best = weighed[0][0]
    return seats[seats.index(best.position.to_move) - 1]


def after_call(histories: Sequence[History], seat: Seat, run_needed: int) -> list[History]:
    """Weigh the histories once more, best first, knowing that `seat` has called RACK-O.

    People seldom call without a rack, and often before they discard: an unfinished turn counts like any other.
    """
    judged = [
        history
        if can_go_out([card for card, _ in history.rack(seat)], run_needed)
        else replace(history, score=history.score + FALSE_CALL_COST)
        for history in histories
    ]
    return sorted(judged, key=lambda history: history.score, reverse=True)
