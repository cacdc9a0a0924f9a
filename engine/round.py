"""One round as a position: who holds what, what lies where, and what may be played.

The cards of a position may be card numbers (an exact game) or stand-ins for cards not known yet (the referee's
histories): how a play moves cards does not depend on their numbers. Only what Prime cards allow and forbid does; a
position of stand-ins knows none, and the referee weighs them by what it believes of each stand-in.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Final

from engine.cards import RACK_SIZE, SLOTS, Seat, Slot, Source, slot_index
from engine.editions import TurnOver
from engine.errors import BadInput, IllegalPlay
from engine.powers import NO_POWERS, Effect, PowerTable, SlotOf, Switch, may_use


@dataclass(frozen=True, slots=True)
class Play:
    """What a player does in a turn, without saying with which cards. `slot` None: drawn and discarded."""

    source: Source
    slot: Slot | None


ALL_PLAYS: Final[tuple[Play, ...]] = (
    Play("draw", None),
    *(Play("draw", slot) for slot in SLOTS),
    *(Play("discard", slot) for slot in SLOTS),
)


@dataclass(frozen=True, slots=True)
class Round:
    """A position between two turns.

    seats: players in clockwise order. racks: one tuple a seat, slot 5 first. draw, discard: piles, top card LAST.
    powers: the Prime cards of the deck. power_of: who has just discarded a Prime card and may use its power, until the
    next turn begins. again: the player to move takes another turn by such a power, and must draw.
    """

    seats: tuple[Seat, ...]
    racks: tuple[tuple[int, ...], ...]
    draw: tuple[int, ...]
    discard: tuple[int, ...]
    to_move: Seat
    turn_over: TurnOver = "new-discard"
    powers: PowerTable = field(default_factory=lambda: NO_POWERS, compare=False)
    power_of: Seat | None = None
    again: bool = False

    def rack(self, seat: Seat) -> tuple[int, ...]:
        """The ten cards of a seat, from slot 5 to slot 50."""
        return self.racks[self.seats.index(seat)]


def left_of(seats: Sequence[Seat], seat: Seat) -> Seat:
    """The next player clockwise among those who play."""
    return seats[(seats.index(seat) + 1) % len(seats)]


def deal(
    seats: Sequence[Seat],
    dealer: Seat,
    deck: Sequence[int],
    turn_over: TurnOver = "new-discard",
    powers: PowerTable = NO_POWERS,
) -> Round:
    """Deal from a shuffled deck whose top card comes FIRST.

    One card at a time, the dealer's left first, slot 50 filled first and slot 5 last; the next card of the deck
    starts the discard pile; the dealer's left begins (Parker Brothers leaflet, 1992, Preparation).
    """
    if dealer not in seats:
        raise BadInput(f"the dealer's seat {dealer} is none of the players' seats {', '.join(map(str, seats))}")
    order = [left_of(seats, dealer)]
    while len(order) < len(seats):
        order.append(left_of(seats, order[-1]))
    dealt = len(seats) * RACK_SIZE
    if len(deck) <= dealt:
        raise BadInput(f"a deck of {len(deck)} cards is too small for {len(seats)} players")
    racks = {seat: tuple(reversed(deck[place : dealt : len(seats)])) for place, seat in enumerate(order)}
    return Round(
        seats=tuple(seats),
        racks=tuple(racks[seat] for seat in seats),
        draw=tuple(reversed(deck[dealt + 1 :])),
        discard=(deck[dealt],),
        to_move=order[0],
        turn_over=turn_over,
        powers=powers,
    )


def turned_over(position: Round) -> Round:
    """Turn the used discard pile over, unshuffled, to be the draw pile (Parker Brothers leaflet, 1992, Play).

    The card that was discarded first is then on top; it starts the next discard pile where the edition says so. That
    begins the next turn: the power of a Prime card that has just been discarded is past.
    """
    if position.draw:
        raise IllegalPlay("the discard pile is turned over only when the draw pile is used up")
    pile = tuple(reversed(position.discard))
    if position.turn_over == "no-discard":
        return replace(position, draw=pile, discard=(), power_of=None)
    return replace(position, draw=pile[:-1], discard=pile[-1:], power_of=None)


def can_draw(position: Round) -> bool:
    """Whether the draw pile has a card, or gets one by turning the discard pile over."""
    return bool(position.draw) or len(position.discard) > (position.turn_over == "new-discard")


def legal_plays(position: Round) -> tuple[Play, ...]:
    """Every play that the player to move has. Never empty in a real position.

    A Prime card may not be taken from the discard pile, and another turn by its power is a draw (Hasbro leaflet, 2006).
    """
    drawing = can_draw(position)
    taking = bool(position.discard) and not position.again and position.discard[-1] not in position.powers
    return tuple(play for play in ALL_PLAYS if (drawing if play.source == "draw" else taking))


def play(position: Round, move: Play) -> Round:
    """Play a turn. A used-up draw pile is turned over first when the player draws. Raises IllegalPlay."""
    if move not in legal_plays(position):
        raise IllegalPlay(_why_not(position, move))
    after = moved(position, move, position.to_move)
    power_of = position.to_move if after.discard[-1] in position.powers else None
    return replace(after, power_of=power_of)


def _why_not(position: Round, move: Play) -> str:
    if move.source == "draw":
        return "there is no card to take from the draw pile"
    if move.slot is None:
        return "a card from the discard pile must be exchanged for one of the rack"
    if position.again:
        return "another turn by a Prime card's power begins at the draw pile"
    if not position.discard:
        return "there is no card to take from the discard pile"
    return "a Prime card may not be taken from the discard pile"


def moved(position: Round, move: Play, seat: Seat) -> Round:
    """Move the cards of a play by any seat, legal or not; then it is the turn of the player to the left of that seat.

    A used-up draw pile is turned over first. The pile must have a card to take.
    """
    if move.source == "draw" and not position.draw:
        position = turned_over(position)
    draw, discard, racks = position.draw, position.discard, position.racks
    if move.source == "draw":
        card, draw = draw[-1], draw[:-1]
    else:
        card, discard = discard[-1], discard[:-1]
    if move.slot is not None:
        seat_at, slot_at = position.seats.index(seat), slot_index(move.slot)
        rack = racks[seat_at]
        changed = (*rack[:slot_at], card, *rack[slot_at + 1 :])
        racks = (*racks[:seat_at], changed, *racks[seat_at + 1 :])
        card = rack[slot_at]
    to_move = left_of(position.seats, seat)
    return Round(position.seats, racks, draw, (*discard, card), to_move, position.turn_over, position.powers)


def legal_switches(position: Round) -> Iterator[Switch]:
    """Every switch that the power of the Prime card on the discard pile lets its player make."""
    if position.power_of is None:
        return
    places = [(seat, slot) for seat in position.seats for slot in SLOTS]
    for one, other in combinations(places, 2):
        switch = Switch(one, other)
        if may_use(position.powers, position.discard[-1], switch, position.power_of):
            yield switch


def use_power(position: Round, effect: Effect) -> Round:
    """Use the power of the Prime card just discarded. Raises IllegalPlay where there is none, or not that one.

    A switch is of two slots at this table, in the order that `Switch.of` gives them.
    """
    seat = position.power_of
    if seat is None:
        raise IllegalPlay("no Prime card has just been discarded, so there is no power to use")
    if not may_use(position.powers, position.discard[-1], effect, seat):
        raise IllegalPlay(f"the power of Prime card {position.discard[-1]} is another one")
    if effect == "again":
        return replace(position, to_move=seat, power_of=None, again=True)
    if not effect.one < effect.other:
        raise IllegalPlay("a switch names two slots, the lower seat and slot first")
    for owner, _ in (effect.one, effect.other):
        if owner not in position.seats:
            raise IllegalPlay(f"nobody plays at seat {owner}, so no card there can be switched")
    return replace(switched(position, effect), power_of=None)


def switched(position: Round, switch: Switch) -> Round:
    """Let two cards in racks change places, legal or not."""
    cards = {place: _at(position, place) for place in (switch.one, switch.other)}
    after = put(position, switch.one, cards[switch.other])
    return put(after, switch.other, cards[switch.one])


def _at(position: Round, place: SlotOf) -> int:
    return position.rack(place[0])[slot_index(place[1])]


def put(position: Round, place: SlotOf, card: int) -> Round:
    """Let another card stand in a slot, wherever it comes from and wherever the old one went."""
    seat_at, slot_at = position.seats.index(place[0]), slot_index(place[1])
    rack = position.racks[seat_at]
    changed = (*rack[:slot_at], card, *rack[slot_at + 1 :])
    return replace(position, racks=(*position.racks[:seat_at], changed, *position.racks[seat_at + 1 :]))
