"""What was seen of one stand-in where it lies, and what that tells of its card."""

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from engine.cards import HIGHEST_CARD, Card
from engine.following.likeness import Likeness
from engine.lines import EMPTY

MISTAKEN: Final = 2e-5
"""Chance that a card is taken for another one in every look, for as long as it lies where it lies; at the least."""

MISREAD_SHARE: Final = 0.2
"""So much of what sightings leave open is misread, and the rest is caution: of 47,000 drawn cards said at 0.96 or above
69 in all were left open, and 12 were another card."""

UNLIKE: Final = 0.12
"""How likely it is that a number is taken for a certain one that has none of its figures in the same place, from the
left or from the right, beside any other: of 68 drawn cards that were most likely another, by one picture alone, 54 were
taken for one that has (a quarter of all numbers have), none for one that has them elsewhere alone, as 23 beside 32 (a
tenth), 7 for a card of the same rack, and 7 for another one. The others are left as likely as before: what seems to be
a second card of one number must not be called misread too soon."""

GONE: Final = 0.003
"""Chance that a place begins to look empty between two looks though its card was not played: a hand, a card lifted."""

BACK: Final = 0.1
"""Chance that a place which looked so looks like its card again in the next look."""

SATURATION: Final = 24.0
"""Log weight, over any other card, beyond which more looks at one place tell nothing new."""

SETTLED: Final = 15.0
"""Log weight, over any other card, beyond which nothing else is reckoned with at that place."""

DOUBTED: Final = 0.9
"""A card that is no surer than this to be the one that it looks like may be misread where it lies."""

ANEW: Final = 0.1
"""Chance that a card which may be misread where it lies is read anew in a look, as one that it looked like a little or
elsewhere: something has moved, or the light is another."""

NOTHING: Final = 0.05
"""Log weights this near to nothing are dropped, so that a card's list is as short as its doubts are few."""

Weights = Mapping[Card, float]
"""Log weight by card, against every card that is not named (0)."""


class Mistake(NamedTuple):
    """The chance that a card is taken for another one where it lies, and the shares of it that go to single cards.

    The rest of that chance goes to all cards alike.
    """

    chance: float
    cards: Mapping[Card, float]

    @property
    def for_any(self) -> float:
        """The chance for each card alike."""
        return self.chance * max(1 - sum(self.cards.values()), 0.0) / HIGHEST_CARD


LEAST: Final = Mistake(MISTAKEN, {})
"""What is reckoned with at the least: a card may be taken for any."""


@dataclass(slots=True)
class Acquaintance:
    """What was seen of one stand-in. Never changed once it is made (and not frozen only because that takes time).

    `place`: where it lies. `here`: log weight of what it looks like there. `before`: log weight of its card from the
    places where it lay before. `card`: the same from all of it, and `chance` as chances. `gone`: chance that the place
    looked empty. `mistake`: chance that it is another card in spite of all that was seen here: what a camera is not
    quite sure of it says as surely in the next look, for light, print and place are the same. `looks_like`: the card
    that it surely looks like there, 0 while there is a doubt. `settled`: the same, where it surely is that card, too;
    `full`: and more looks like it tell nothing new.
    """

    place: Hashable
    here: Weights
    before: Weights
    card: Weights
    chance: Mapping[Card, float]
    gone: float
    mistake: Mistake
    looks_like: Card = 0
    settled: Card = 0
    full: bool = False

    @property
    def may_be_misread(self) -> bool:
        """Whether it may be another card than the one that it surely looks like."""
        return self.looks_like > 0 and self.chance.get(self.looks_like, 0.0) < DOUBTED


def seen_at(known: Acquaintance | None, place: Hashable, seen: Likeness) -> tuple[Weights, Weights]:
    """What was seen of a stand-in at this place, and what its card was held to be before it came there.

    If it looks like another card than that in a new place, how alike the two numbers are tells how likely it is that
    one of them was misread.
    """
    if known is None:
        return {}, {}
    if known.place == place:
        return known.here, known.before
    card, top = known.card, seen.top
    if top <= 0 or top in card or not card:
        return {}, card
    held = max(card, key=card.__getitem__)
    # what it was held to be no surer than by one look may have been anything
    return {}, card if card[held] < SETTLED / 2 else {**card, top: math.log(mistakable(held, top))}


@cache
def mistakable(card: Card, other: Card) -> float:
    """How likely it is that one card's number is taken for that other, beside one with a figure in common."""
    one, two = str(card), str(other)
    alike = [*zip(one, two, strict=False), *zip(one[::-1], two[::-1], strict=False)]
    return 1.0 if any(figure == its for figure, its in alike) else UNLIKE


def gone_from(known: Acquaintance | None, place: Hashable) -> float:
    """Chance that a place looked empty at the latest look though a card lies there."""
    return known.gone if known is not None and known.place == place else 0.0


def looks_gone(known: Acquaintance | None, place: Hashable) -> float:
    """Chance that a card which lies at `place` will look as if nothing lay there."""
    gone = gone_from(known, place)
    return gone * (1 - BACK) + (1 - gone) * GONE


def confirmed(known: Acquaintance, seen: Likeness) -> Acquaintance:
    """What is known once a card that is settled was seen there once more."""
    card = known.settled
    weight = min(known.here[card] + seen.best - math.log(seen.other), SATURATION)
    full = weight >= SATURATION
    here = {card: weight} if full else {**known.here, card: weight}
    return Acquaintance(
        known.place, here, known.before, known.card, known.chance, known.gone, known.mistake, card, card, full
    )


def mistaken_by(known: Acquaintance | None, place: Hashable, seen: Likeness) -> Mistake:
    """How likely a card is taken for another one where it lies, by the surest look at it there.

    If it is, it most likely is one that this look leaves open by its own word: of 18 cards in drawn pictures that
    seemed to be others, 14 were named second, with three quarters of what was left open.
    """
    chance = max(MISREAD_SHARE * seen.doubt, MISTAKEN)
    if known is not None and known.place == place and known.here and known.mistake.chance <= chance:
        return known.mistake
    return Mistake(chance, seen.instead) if chance > MISTAKEN else LEAST


def fit_as_held(known: Acquaintance, seen: Likeness) -> float:
    """How well a sighting fits what a card was ever held to be, whatever it looked like the most."""
    return sum([chance * seen.of(card) for card, chance in known.chance.items()])


def is_read_anew(known: Acquaintance, place: Hashable, seen: Likeness) -> bool:
    """Whether a card that was misread where it lies is likely read as what it is by now."""
    if not known.may_be_misread or known.place != place or seen.top in (known.looks_like, -1, EMPTY):
        return False
    return ANEW * fit_as_held(known, seen) > seen.of(known.looks_like)


def as_card(here: Weights, mistake: Mistake) -> dict[Card, float]:
    """What the looks at one place tell of the card: no more than that it may be mistaken there allows."""
    powers = {card: math.exp(weight) for card, weight in here.items()}
    total = sum(powers.values()) + HIGHEST_CARD - len(powers)
    sure, astray = 1 - mistake.chance, total * mistake.for_any
    base = math.log(sure + astray)
    certain = {card: sure * power + astray for card, power in powers.items()}
    for card, share in mistake.cards.items():
        certain[card] = certain.get(card, sure + astray) + total * mistake.chance * share
    return {card: math.log(power) - base for card, power in certain.items()}


def added(here: Weights, seen: Likeness) -> Weights | None:
    """Weights after one more sighting at the same place; None where it tells nothing new."""
    base = math.log(seen.other)
    steps = {card: math.log(fit) - base for card, fit in seen.named.items() if card}
    if not steps:
        return None
    if len(here) == 1:
        ((top, weight),) = here.items()
        if weight >= SATURATION and max(steps, key=steps.__getitem__) == top:
            return None
    new = together(here, steps)
    excess = max(0.0, max(new.values(), default=0.0) - SATURATION)
    kept = {card: max(weight - excess, -SATURATION) for card, weight in new.items()}
    top = max(kept, key=kept.__getitem__)
    if kept[top] >= SETTLED and all(kept[top] - weight >= SETTLED for card, weight in kept.items() if card != top):
        return {top: kept[top]}
    return {card: weight for card, weight in kept.items() if abs(weight) > NOTHING}


def together(one: Weights, other: Weights) -> dict[Card, float]:
    """The sum of two independent accounts of a card."""
    return {card: one.get(card, 0.0) + other.get(card, 0.0) for card in {**one, **other}}
