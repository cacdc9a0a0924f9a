"""How racks and piles are pushed about while people play: a card is pressed in, another is pulled out, a hand rests."""

from dataclasses import replace
from random import Random
from typing import Final

from engine.cards import Seat
from vision.drawing.scene import Lying, RackStand, Standing

KEPT: Final = 0.7
"""Of how far something stands off its place so much is left when it is moved again: people push it back, too."""

TURNED, LEANT, SLID = 0.4, 0.4, 0.3
"""How much a rack is turned, its cards lean otherwise (degrees) and slide (mm), for each mm that the rack is pushed."""


class Nudges:
    """Pushes things about by so many mm, as a standard deviation: a rack with every play, and the pile that is used."""

    def __init__(self, strength: float, chance: Random) -> None:
        """Begin with everything in its place; a `strength` of 0 leaves it there."""
        self._strength = strength
        self._chance = chance
        self._off: dict[Seat, tuple[float, float, float]] = {}

    def rack(self, seat: Seat, home: RackStand, *, moved: bool) -> RackStand:
        """Give a rack, with the cards in it, where it stands by now: elsewhere than before if it was `moved`.

        `home` is the rack in its place, with its cards as they stood.
        """
        if not self._strength:
            return home
        slots = home.slots
        if moved:
            right, back, turn = self._off.get(seat, (0.0, 0.0, 0.0))
            self._off[seat] = self._again(right), self._again(back), self._again(turn, TURNED)
            slots = tuple(tuple(self._stirred(card, home.rack.lean) for card in slot) for slot in slots)
        right, back, turn = self._off.get(seat, (0.0, 0.0, 0.0))
        (x, y), rack = home.rack.at, home.rack
        return replace(home, slots=slots, rack=replace(rack, at=(x + right, y + back)), turn=home.turn + turn)

    def pile(self, cards: tuple[Lying, ...]) -> tuple[Lying, ...]:
        """Give the cards of a pile that was pushed a little, all together."""
        if not self._strength:
            return cards
        right, back, turn = (self._chance.gauss(0, self._strength) for _ in range(3))
        return tuple(replace(card, dx=card.dx + right, dy=card.dy + back, turn=card.turn + turn) for card in cards)

    def _stirred(self, card: Standing, lean: float) -> Standing:
        return replace(
            card,
            lean=lean + self._again(card.lean - lean, LEANT),
            slide=max(0.0, self._again(card.slide, SLID)),
            turn=self._again(card.turn, LEANT / 2),
        )

    def _again(self, off: float, share: float = 1.0) -> float:
        return pushed_again(off, share * self._strength, self._chance)


def pushed_again(off: float, spread: float, chance: Random) -> float:
    """Give how far something is off its place that was `off` before and is moved again; `spread` as a deviation."""
    return KEPT * off + chance.gauss(0, spread)
