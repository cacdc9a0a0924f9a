"""Racks: how far their cards rise, counted from slot 5 (the front) to slot 50."""

from collections.abc import Sequence
from itertools import pairwise

from engine.cards import RACK_SIZE, SLOTS, Card, Slot

Rack = tuple[Card, ...]
"""Ten cards, from slot 5 to slot 50."""


def rising_length(cards: Sequence[Card]) -> int:
    """How many cards rise from slot 5 until the order first breaks (Parker Brothers leaflet, 1992, Scoring a Round).

    A slot without a card is 0 and breaks the order; so does a card that is no higher than the one before it.
    """
    highest = 0
    for place, card in enumerate(cards):
        if card <= highest:
            return place
        highest = card
    return len(cards)


def is_racko(cards: Sequence[Card]) -> bool:
    """Whether all ten cards rise from slot 5 to slot 50, in any steps."""
    return len(cards) == RACK_SIZE and rising_length(cards) == RACK_SIZE


def broken_at(cards: Sequence[Card]) -> Slot | None:
    """The slot of the first card that is no higher than the one before it; None for an unbroken rack."""
    length = rising_length(cards)
    return SLOTS[length] if length < len(cards) else None


def longest_run(cards: Sequence[Card]) -> int:
    """Length of the longest run of consecutive numbers in neighbouring slots, such as 24, 25, 26; at least 1."""
    longest = length = 1
    for before, card in pairwise(cards):
        length = length + 1 if card == before + 1 else 1
        longest = max(longest, length)
    return longest


def can_go_out(cards: Sequence[Card], run_needed: int = 1) -> bool:
    """Whether a rack can end the round: in order, and with the run that the two-player rule asks for."""
    return is_racko(cards) and longest_run(cards) >= run_needed
