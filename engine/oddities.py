"""Cards that cannot be: of another deck, there twice, or missing. It takes several looks to say so, not one reading."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from engine.cards import Card, Seat, Slot
from engine.history import Glance, History, Place, Rule
from engine.lines import EMPTY

ENOUGH_LOOKS: Final = 3
"""So many looks must have shown the same, and none anything else in between: no chance misreading does that."""

LONG: Final = 5
"""A card that is there twice must have been seen so often, or play must have gone on meanwhile: a camera that takes one
card for another does so in look after look, until one of the two is moved."""

TURNS_WITHOUT: Final = 2
"""A slot must have stayed empty for so many turns to lack a card: people lift cards out to look at them."""


GONE_LOOKS: Final = 2
"""When RACK-O is called, a slot that so many looks showed to be empty counts as one."""


@dataclass(frozen=True, slots=True)
class Oddity:
    """Something that cannot be. `card` stands at `place` however odd; EMPTY for a card that is missing."""

    rule: Rule
    place: Place
    card: Card


@dataclass(slots=True)
class _Streak:
    """How many looks showed something, and how many turns had been played when that began."""

    since: int
    looks: int = 0

    def lasting(self, turns: int) -> bool:
        """Whether it has been seen long enough, `turns` having been played by now."""
        return self.looks >= LONG or (self.looks >= ENOUGH_LOOKS and turns > self.since)


class Oddities:
    """What odd things are being seen in one round, and which of them were named."""

    def __init__(self, highest_card: Card) -> None:
        """Begin a round with a deck 1..highest_card."""
        self._highest_card = highest_card
        self._foreign: dict[tuple[Place, Card], _Streak] = {}
        self._twice: dict[tuple[int, int, Card], _Streak] = {}
        self._gaps: dict[tuple[Seat, Slot], _Streak] = {}
        self.foreign: set[Card] = set()
        self._named: set[tuple[Rule, Card | tuple[Seat, Slot]]] = set()

    def look(self, glance: Glance, history: History, turns: int) -> list[Oddity]:
        """Take in one look, after so many turns; return what is certainly odd now and was not named before."""
        tops = [seen.top for seen in glance.seen]
        cards = [card for card in tops if card > 0]
        plain = len(set(cards)) == len(cards) and EMPTY not in tops and max(cards, default=0) <= self._highest_card
        if plain and not (self._foreign or self._twice or self._gaps):
            return []
        in_view = history.in_view(glance)
        shown = {stand_in: card for stand_in, card in zip(in_view, tops, strict=True) if card > 0}
        return [
            *self._foreign_cards(glance),
            *self._cards_twice(shown, dict(zip(in_view, glance.places, strict=True)), history, turns),
            *self._missing_cards(glance, turns),
        ]

    def _foreign_cards(self, glance: Glance) -> Iterator[Oddity]:
        for place, card in list(self._foreign):
            seen = glance.of(place)
            if seen is not None and seen.top >= 0 and seen.top != card:
                del self._foreign[place, card]
        for place, seen in zip(glance.places, glance.seen, strict=True):
            if seen.top > self._highest_card:
                streak = self._foreign.setdefault((place, seen.top), _Streak(0))
                streak.looks += 1
                if streak.looks >= ENOUGH_LOOKS and self._first("card-not-in-deck", seen.top):
                    self.foreign.add(seen.top)
                    yield Oddity("card-not-in-deck", place, seen.top)

    def _cards_twice(
        self, shown: dict[int, Card], places: dict[int, Place], history: History, turns: int
    ) -> Iterator[Oddity]:
        for one, other, card in list(self._twice):
            if shown.get(one, card) != card or shown.get(other, card) != card:
                del self._twice[one, other, card]
        bearers: dict[Card, int] = {}
        for stand_in, card in shown.items():
            first = bearers.setdefault(card, stand_in)
            if first == stand_in:
                continue
            streak = self._twice.setdefault((first, stand_in, card), _Streak(turns))
            streak.looks += 1
            if streak.lasting(turns) and self._first("duplicate-card", card):
                # The newer of the two: what was known already is believed more firmly.
                chances = {one: history.belief.best(one)[1] for one in (stand_in, first)}
                yield Oddity("duplicate-card", places[min(chances, key=chances.__getitem__)], card)

    def _missing_cards(self, glance: Glance, turns: int) -> Iterator[Oddity]:
        for place, seen in zip(glance.places, glance.seen, strict=True):
            if place == "discard":
                continue
            if seen.top == EMPTY:
                streak = self._gaps.setdefault(place, _Streak(turns))
                streak.looks += 1
                gone = streak.looks >= ENOUGH_LOOKS and turns >= streak.since + TURNS_WITHOUT
                if gone and self._first("missing-card", place):
                    yield Oddity("missing-card", place, EMPTY)
            elif seen.top > 0:
                self._gaps.pop(place, None)

    def gaps(self) -> list[Oddity]:
        """Slots that the latest looks showed to be empty and that were not named before: their cards are missing."""
        gone = [place for place, streak in self._gaps.items() if streak.looks >= GONE_LOOKS]
        return [Oddity("missing-card", place, EMPTY) for place in gone if self._first("missing-card", place)]

    def _first(self, rule: Rule, what: Card | tuple[Seat, Slot]) -> bool:
        """Whether this is named now for the first time."""
        if (rule, what) in self._named:
            return False
        self._named.add((rule, what))
        return True
