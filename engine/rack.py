"""Racks: how far their cards rise, counted from slot 5 (the front) to slot 50."""

from collections.abc import Sequence

from engine.cards import RACK_SIZE, SLOTS, Card, Slot

Rack = tuple[Card, ...]
"""Ten cards, from slot 5 to slot 50."""


def rising_length(cards: Sequence[Card]) -> int:
    """How many cards rise from slot 5 until the order first breaks (Parker Brothers leaflet, 1992, Scoring a Round)."""
    for place in range(1, len(cards)):
        if cards[place] < cards[place - 1]:
            return place
    return len(cards)


def is_racko(cards: Sequence[Card]) -> bool:
    """Whether all ten cards rise from slot 5 to slot 50, in any steps."""
    return len(cards) == RACK_SIZE and rising_length(cards) == RACK_SIZE


def broken_at(cards: Sequence[Card]) -> Slot | None:
    """The slot of the first card that is lower than the one before it; None for an unbroken rack."""
    length = rising_length(cards)
    return SLOTS[length] if length < len(cards) else None
