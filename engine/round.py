"""One round as a position: who holds what, what lies where, and what may be played.

The cards of a position may be card numbers (an exact game) or stand-ins for cards not known yet (the referee's
histories): no rule of a turn depends on the number, so both are played by this one piece of code.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from engine.cards import RACK_SIZE, SLOTS, Seat, Slot, Source, slot_index
from engine.errors import BadInput, IllegalPlay


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
    """

    seats: tuple[Seat, ...]
    racks: tuple[tuple[int, ...], ...]
    draw: tuple[int, ...]
    discard: tuple[int, ...]
    to_move: Seat
    turn_over: Literal["new-discard", "no-discard"] = "new-discard"

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
    turn_over: Literal["new-discard", "no-discard"] = "new-discard",
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
    )


def turned_over(position: Round) -> Round:
    """Turn the used discard pile over, unshuffled, to be the draw pile (Parker Brothers leaflet, 1992, Play).

    The card that was discarded first is then on top; it starts the next discard pile where the edition says so.
    """
    if position.draw:
        raise IllegalPlay("the discard pile is turned over only when the draw pile is used up")
    pile = tuple(reversed(position.discard))
    if position.turn_over == "no-discard":
        return replace(position, draw=pile, discard=())
    return replace(position, draw=pile[:-1], discard=pile[-1:])


def legal_plays(position: Round) -> tuple[Play, ...]:
    """Every play that the player to move has. Never empty in a real position."""
    kept_back = 1 if position.turn_over == "new-discard" else 0
    can_draw = bool(position.draw) or len(position.discard) > kept_back
    return tuple(play for play in ALL_PLAYS if (can_draw if play.source == "draw" else bool(position.discard)))


def play(position: Round, move: Play) -> Round:
    """Play a turn. A used-up draw pile is turned over first when the player draws. Raises IllegalPlay."""
    if move not in legal_plays(position):
        if move.source == "discard" and move.slot is None:
            raise IllegalPlay("a card from the discard pile must be exchanged for one of the rack")
        raise IllegalPlay(f"there is no card to take from the {move.source} pile")
    if move.source == "draw" and not position.draw:
        position = turned_over(position)
    draw, discard, racks = position.draw, position.discard, position.racks
    if move.source == "draw":
        card, draw = draw[-1], draw[:-1]
    else:
        card, discard = discard[-1], discard[:-1]
    if move.slot is not None:
        seat_at, slot_at = position.seats.index(position.to_move), slot_index(move.slot)
        rack = racks[seat_at]
        changed = (*rack[:slot_at], card, *rack[slot_at + 1 :])
        racks = (*racks[:seat_at], changed, *racks[seat_at + 1 :])
        card = rack[slot_at]
    return replace(
        position,
        racks=racks,
        draw=draw,
        discard=(*discard, card),
        to_move=left_of(position.seats, position.to_move),
    )
