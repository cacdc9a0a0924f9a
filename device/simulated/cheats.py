"""Cheats and slips to plant in a simulated game, one at a time; play goes on after each.

Each is made so that the table can tell: a wrong turn exchanges a card (of a card drawn and discarded nobody could say
who drew it), and cards are not rearranged in a way that a Prime card would have allowed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, get_args

from device.simulated.games import Cheating
from device.simulated.steps import GAP, Cheat, Step
from device.simulated.table import Table
from engine.cards import HIGHEST_CARD, Card, Seat, Slot, Source, slot_index
from engine.moves import Turn
from engine.powers import Switch
from engine.record import turn_between
from engine.round import Play, Round, moved, put, switched
from engine.violations import Rule

RULES: Final[tuple[Rule, ...]] = get_args(Rule)

FROM_THE_DEAL: Final = 6.0
"""How much likelier a card that does not belong in the deck is in it from the deal than from any one turn on."""


class Cheats(Cheating):
    """Plants cheats of some kinds. `rate`: chance of one before each turn at which one can be."""

    def __init__(self, kinds: Sequence[Rule], rate: float) -> None:
        """Plant these kinds."""
        self._kinds = tuple(kinds)
        self._rate = rate

    def stacked(self, table: Table, deck: tuple[Card, ...]) -> tuple[Card, ...]:
        """The deck that is really dealt: at times with a card that does not belong in it."""
        kinds = [kind for kind in self._kinds if kind in _STRANGERS]
        if not kinds or table.chance.random() >= FROM_THE_DEAL * self._rate:
            return deck
        kind = table.chance.choice(kinds)
        place = table.chance.randrange(len(deck))
        card = _STRANGERS[kind](table, [*deck[:place], *deck[place + 1 :]])
        if card is None:
            return deck
        table.expecting = _Stranger(kind, card)
        return (*deck[:place], card, *deck[place + 1 :])

    def step(self, table: Table) -> Step | None:
        """A cheat in place of the next turn, or before it; None for honest play."""
        if not self._kinds or table.expecting is not None or table.position.again:
            return None
        if table.chance.random() >= self._rate:
            return None
        for kind in table.chance.sample(self._kinds, len(self._kinds)):
            step = _WAYS[kind](table)
            if step is not None:
                return step
        return None


def _wrong_turn(table: Table) -> Step | None:
    """Another seat plays; then either the player whose turn it was, or the one to the left of the wrong one.

    Never twice in a row: after the first, nobody could say who else is out of turn.
    """
    before, last = table.position, table.steps[-1].violation
    if last is not None and last.rule == "wrong-turn":
        return None
    seats = [seat for seat in table.seats if seat not in (before.to_move, before.power_of)]
    if not seats:
        return None
    seat = table.chance.choice(seats)
    move = table.decide(seat)
    if move.slot is None:
        move = replace(move, slot=table.any_slot(seat))
    after = moved(before, move, seat)
    turn = turn_between(replace(before, to_move=seat), move, after)
    after = replace(after, to_move=table.chance.choice((before.to_move, after.to_move)))
    return Step("turn", before, after, turn, violation=Cheat("wrong-turn", seat))


def _two_cards(table: Table) -> Step | None:
    """Two new cards at once, one drawn and the discard or two drawn; both old cards go on the discard pile."""
    before, seat = table.position, table.position.to_move
    one, other = _some_slots(table, seat, 2)
    if len(before.draw) < 2:
        return None
    may_take = before.discard and before.discard[-1] not in before.powers
    source: Source = "discard" if may_take and table.chance.random() < 0.5 else "draw"
    half = moved(before, Play(source, one), seat)
    after = moved(half, Play("draw", other), seat)
    if table.chance.random() < 0.5:
        *under, lower, upper = after.discard
        after = replace(after, discard=(*under, upper, lower))
    return Step("turn", before, after, violation=Cheat("two-cards-exchanged", seat))


def _wrong_discard(table: Table) -> Step | None:
    """The next card of the draw pile is discarded; the card that left the slot goes under that pile, or away."""
    before, seat = table.position, table.position.to_move
    move = table.decide(seat)
    if move.slot is None:
        move = replace(move, slot=table.any_slot(seat))
    after = moved(before, move, seat)
    if not after.draw:
        return None
    *pile, old = after.discard
    under = (old,) if table.chance.random() < 0.5 else ()
    after = replace(after, draw=(*under, *after.draw[:-1]), discard=(*pile, after.draw[-1]))
    card = after.rack(seat)[slot_index(move.slot or 5)]
    turn = Turn(seat, move.source, card, move.slot, after.discard[-1])
    return Step("turn", before, after, turn, violation=Cheat("wrong-discard", seat))


def _rearranged(table: Table) -> Step | None:
    """Two cards of a rack change places, or three; between two turns, or along with a turn of that seat."""
    if table.chance.random() < 0.5:
        before = table.position
        seat = table.chance.choice(table.seats)
        after = _stirred(table, before, seat, ())
        return Step("tampered", before, after, violation=Cheat("cards-rearranged", seat))
    honest = table.turn()
    turn = honest.turn
    if turn is None or turn.effect is not None:
        return honest
    after = _stirred(table, honest.after, turn.seat, () if turn.slot is None else (turn.slot,))
    return replace(honest, after=after, violation=Cheat("cards-rearranged", turn.seat))


def _stirred(table: Table, position: Round, seat: Seat, untouched: Sequence[Slot]) -> Round:
    """Switch two cards of a rack, or rotate three; always three while a Prime card would allow the two."""
    slots = _some_slots(table, seat, 3, untouched)
    stirred = switched(position, Switch.of((seat, slots[0]), (seat, slots[1])))
    if position.power_of is None and table.chance.random() < 0.5:
        return stirred
    return switched(stirred, Switch.of((seat, slots[1]), (seat, slots[2])))


def _some_slots(table: Table, seat: Seat, count: int, untouched: Sequence[Slot] = ()) -> list[Slot]:
    """Different slots of a rack that hold cards, by chance."""
    rack = table.position.rack(seat)
    slots = [5 * place for place, card in enumerate(rack, 1) if card != GAP and 5 * place not in untouched]
    return table.chance.sample(slots, min(count, len(slots)))


def _prime_taken(table: Table) -> Step | None:
    """A Prime card is taken from the discard pile."""
    before, seat = table.position, table.position.to_move
    if not before.discard or before.discard[-1] not in before.powers:
        return None
    wanted = table.players[seat].take(table.view(seat, before))
    move = Play("discard", table.any_slot(seat) if wanted is None else wanted)
    after = moved(before, move, seat)
    return Step("turn", before, after, turn_between(before, move, after), violation=Cheat("prime-taken", seat))


def _false_call(table: Table) -> Step | None:
    """Who has just played calls RACK-O without a rack to go out with, while nobody else has one either."""
    last, position = table.steps[-1], table.position
    if last.what != "turn" or last.turn is None or any(table.may_call(position, seat) for seat in table.seats):
        return None
    seat = last.turn.seat
    return Step("call", position, position, called=seat, violation=Cheat("false-call", seat))


def _missing(table: Table) -> Step | None:
    """A card vanishes out of a rack between two turns, once a round; its slot stays empty."""
    if _happened(table, "missing-card"):
        return None
    before = table.position
    seat = table.chance.choice(table.seats)
    after = put(before, (seat, table.any_slot(seat)), GAP)
    return Step("tampered", before, after, violation=Cheat("missing-card", seat))


def _happened(table: Table, rule: Rule) -> bool:
    return any(step.violation is not None and step.violation.rule == rule for step in table.steps)


def _too_high(table: Table, others: Sequence[Card]) -> Card | None:  # noqa: ARG001 - one shape for all
    """A number above the deck's highest."""
    highest = table.rules.highest_card
    return table.chance.randint(highest + 1, HIGHEST_CARD) if highest < HIGHEST_CARD else None


def _double(table: Table, others: Sequence[Card]) -> Card | None:
    """The number of another card."""
    return table.chance.choice([card for card in others if card != GAP])


_STRANGERS: Final[Mapping[Rule, Callable[[Table, Sequence[Card]], Card | None]]] = {
    "card-not-in-deck": _too_high,
    "duplicate-card": _double,
}


def _stranger(kind: Rule) -> Callable[[Table], Step | None]:
    """A way to replace a card of the draw pile, or of a rack if that shows at once, by one that does not belong."""

    def way(table: Table) -> Step | None:
        if _happened(table, kind):
            return None
        before = table.position
        cards = [*(card for rack in before.racks for card in rack), *before.draw]
        places = [place for place, card in enumerate(cards) if card != GAP]
        place = table.chance.choice(places)
        others = [*cards[:place], *cards[place + 1 :], *before.discard]
        card = _STRANGERS[kind](table, others)
        if card is None:
            return None
        cards[place] = card
        racked = 10 * len(before.racks)
        racks = tuple(tuple(cards[first : first + 10]) for first in range(0, racked, 10))
        after = replace(before, racks=racks, draw=tuple(cards[racked:]))
        stranger = _Stranger(kind, card)
        if place < racked:
            tampered = Step("tampered", before, after)
            found = stranger(tampered)
            return None if found is None else replace(tampered, violation=found)
        table.expecting = stranger
        table.position = after
        return table.turn()

    return way


class _Stranger:
    """Waits until a card that does not belong in the deck has been seen, or one number on two cards."""

    def __init__(self, kind: Rule, card: Card) -> None:
        self._kind, self._card = kind, card
        self._needed = 2 if kind == "duplicate-card" else 1

    def __call__(self, step: Step) -> Cheat | None:
        """The violation, if this step brings it to light. All cards of the discard pile were once seen.

        Of several who have shown the card, whoever has just come by it is named first.
        """
        position = step.after
        seen = [*position.discard, *(card for rack in position.racks for card in rack)]
        if seen.count(self._card) < self._needed:
            return None
        holders = [seat for seat in position.seats if self._card in position.rack(seat)]
        if step.turn is not None and step.turn.seat not in holders:
            holders.append(step.turn.seat)
        holders = holders or [*position.seats]
        new = {seat for seat in position.seats if step.before.rack(seat) != position.rack(seat)}
        if step.turn is not None:
            new.add(step.turn.seat)
        holders.sort(key=lambda seat: seat not in new)
        return Cheat(self._kind, holders[0], tuple(holders[1:]))


_WAYS: Final[Mapping[Rule, Callable[[Table], Step | None]]] = {
    "wrong-turn": _wrong_turn,
    "two-cards-exchanged": _two_cards,
    "cards-rearranged": _rearranged,
    "wrong-discard": _wrong_discard,
    "prime-taken": _prime_taken,
    "false-call": _false_call,
    "card-not-in-deck": _stranger("card-not-in-deck"),
    "duplicate-card": _stranger("duplicate-card"),
    "missing-card": _missing,
}
