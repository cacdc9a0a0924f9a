"""What a good player remembers of a round: the discard pile, who holds which card that was taken from it."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from engine.cards import HIGHEST_CARD, Card, Seat
from engine.moves import Turn
from engine.powers import SlotOf

HELD: Final = 0.1
"""How likely a card that another player is known to hold comes to the discard pile, against a card nobody has seen."""


class Memory:
    """Everything that was open to see, told turn by turn."""

    def __init__(self, highest_card: Card, seat: Seat) -> None:
        """Remember a round from the seat given; the deck is 1..highest_card."""
        self._highest = highest_card
        self._seat = seat
        self._pile: list[Card] = []
        self._coming: set[Card] = set()
        self._turned = False
        self._held: dict[SlotOf, Card] = {}
        self._exchanges: Counter[Seat] = Counter()

    def watch_pile(self, top: Card | None) -> None:
        """See the discard pile begin with a card: the cards that lay in it are now the draw pile."""
        self._turned = bool(self._pile)
        self._coming = set(self._pile) - {top}
        self._pile = [] if top is None else [top]

    def watch(self, turn: Turn) -> None:
        """See a turn."""
        if turn.source == "discard" and self._pile:
            self._pile.pop()
        if turn.card is not None:
            self._coming.discard(turn.card)
        if turn.slot is not None:
            self._exchanges[turn.seat] += 1
            place = (turn.seat, turn.slot)
            self._held.pop(place, None)
            if turn.seat != self._seat and turn.card is not None:
                self._held[place] = turn.card
        if turn.discarded is not None:
            self._pile.append(turn.discarded)
        if turn.effect is not None and turn.effect != "again":
            one, other = (self._held.pop(place, None) for place in (turn.effect.one, turn.effect.other))
            if other is not None:
                self._held[turn.effect.one] = other
            if one is not None:
                self._held[turn.effect.other] = one

    def exchanges(self, seat: Seat) -> int:
        """How often a player has put a card into the rack so far."""
        return self._exchanges[seat]

    @property
    def danger(self) -> float:
        """Chance that another player goes out before one's next turn, as far as anybody can tell from the time gone."""
        others = [count for seat, count in self._exchanges.items() if seat != self._seat]
        return min(0.3, 0.01 * max(others, default=0))

    def chances(self, rack: Sequence[Card]) -> list[float]:
        """By card number, 0..60: how likely it is the next to come, to who holds this rack; adds up to 1.

        Once the discard pile has been turned over, the cards to draw are those that lay in it.
        """
        unknown = HELD if self._turned else 1.0
        weights = [0.0, *([unknown] * self._highest), *([0.0] * (HIGHEST_CARD - self._highest))]
        for card in self._coming:
            weights[card] = 1.0
        for card in self._held.values():
            weights[card] = HELD
        for card in (*self._pile, *rack):
            weights[card] = 0.0
        total = sum(weights)
        return [weight / total for weight in weights] if total else [0.0, *([1 / HIGHEST_CARD] * HIGHEST_CARD)]
