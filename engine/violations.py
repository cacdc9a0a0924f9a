"""What people do wrong, by name and in words."""

from typing import Final, Literal

Rule = Literal[
    "wrong-turn",
    "two-cards-exchanged",
    "cards-rearranged",
    "wrong-discard",
    "prime-taken",
    "false-call",
    "card-not-in-deck",
    "duplicate-card",
    "missing-card",
]
"""What people do wrong, by the names of the README (Formats)."""

WORDS: Final[dict[Rule, str]] = {
    "wrong-turn": "{name} played out of turn.",
    "two-cards-exchanged": "{name} exchanged two cards in one turn.",
    "cards-rearranged": "{name} moved cards within the rack.",
    "wrong-discard": "{name} discarded another card than the one that was exchanged.",
    "prime-taken": "{name} took a Prime card from the discard pile.",
    "card-not-in-deck": "A card that is not of this deck has come up at {name}'s place.",
    "duplicate-card": "The same card is on the table twice; one of the two came up at {name}'s place.",
    "missing-card": "A card is missing from {name}'s rack.",
}
"""For everybody: no word of them tells a rack's card."""
