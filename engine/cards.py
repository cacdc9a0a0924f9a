"""Cards, seats and slots: the plain numbers that everything else speaks of."""

from typing import Final, Literal

Card = int
"""A card's number, 1..60."""

Seat = int
"""A player's place at the table, 1..4 clockwise; the player left of seat s sits at s + 1, then 1."""

Slot = int
"""A place in a rack by its printed label: 5 (front) to 50 (back), in fives."""

Source = Literal["draw", "discard"]
"""The pile that a turn's card is taken from."""

SLOTS: Final[tuple[Slot, ...]] = (5, 10, 15, 20, 25, 30, 35, 40, 45, 50)
SEATS: Final[tuple[Seat, ...]] = (1, 2, 3, 4)
HIGHEST_CARD: Final[Card] = 60
RACK_SIZE: Final = 10


def slot_index(slot: Slot) -> int:
    """Position of `slot` in a rack tuple: 0 for slot 5 to 9 for slot 50."""
    return slot // 5 - 1
