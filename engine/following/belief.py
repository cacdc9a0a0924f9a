"""What is believed of cards that are not surely known.

In the referee's positions a card is a stand-in, numbered 1, 2, 3, ... (0 where there is none, and -7 is the gap that
stand-in 7 has left in a rack); which printed number it bears is learnt from sightings, wherever the stand-in lies at
the time: a card seen in a slot and seen again on the discard pile is one card, and both sightings speak of it. A
sighting is never taken at its word, for two reasons: any look is plainly wrong now and then (following.likeness), and
what one camera misreads in one place it may misread in every look (following.acquaintance).
"""

import math
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from engine.cards import HIGHEST_CARD, Card
from engine.following.acquaintance import (
    ANEW,
    GONE,
    LEAST,
    SATURATION,
    SETTLED,
    Acquaintance,
    Weights,
    added,
    as_card,
    confirmed,
    fit_as_held,
    gone_from,
    is_read_anew,
    looks_gone,
    mistaken_by,
    seen_at,
    together,
)
from engine.following.likeness import Likeness
from engine.lines import EMPTY

FOREIGN: Final = 1e-3
"""How likely a card is that this deck should not have, beside one that it should."""

TWICE: Final = 1e-4
"""How likely it is that a printed card is there once more, beside one that nobody has seen yet."""

SECOND: Final = 1e-3
"""The same where two stand-ins look like one card, and it is asked whether it is there twice, or one is misread. It is
more, for a history that needs a second card has to stand against what players do."""

DOUBLED: Final = 0.7
"""A card is held to be there twice from this chance on."""

SHARED: Final = 1.02
"""It no longer is where the chances of all that may bear it add up to less than this."""

BORNE: Final = 0.5
"""A stand-in is held to bear a card from this chance on."""

PERHAPS: Final = 0.05
"""From this chance on it is asked whether it bears one that something else is held to bear."""

DOUBTFUL: Final = 3.0
"""Log weight by which a card has to look more like another one than like what it is held to be, to be doubted."""

ELSEWHERE: Final = 0.01
"""A card is held to be known already if the chance that it is not is below this."""

STRANGE: Final = 0.1
"""What nobody knows is no card of the deck with so much weight: it counts where every card is known."""

SAID: Final = 3 * SATURATION
"""Log weight of a person's word, which counts wherever the card goes."""

SLIGHT: Final = 1e-6
"""Chances below this are left out."""


class Belief:
    """Which printed card each stand-in bears, each printed card being there once. Never changed once it is made."""

    __slots__ = ("_free", "_free_sum", "_known", "_taken", "again", "doubled", "highest_card")

    def __init__(self, highest_card: Card) -> None:
        """Begin to know nothing of a deck 1..highest_card."""
        self.highest_card = highest_card
        self.doubled: Mapping[Card, float] = {}
        """Cards that are held to be there twice, and the chance of it."""
        self.again: frozenset[Card] = frozenset()
        """Cards that were so until what was seen of one of the two was forgotten: any that nobody knows may be it."""
        self._known: dict[int, Acquaintance] = {}
        self._taken = [0.0] * (HIGHEST_CARD + 1)
        self._settle_free()

    def _settle_free(self) -> None:
        """Work out by card how likely it is that no stand-in with sightings bears it."""
        free = [TWICE if taken >= 1 - TWICE else 1 - taken for taken in self._taken]
        for card in range(self.highest_card + 1, HIGHEST_CARD + 1):
            free[card] *= FOREIGN
        for card in self.again:
            free[card] = self._free_for(card, 0.0)
        free[0] = 0.0
        self._free = free
        self._free_sum = max(sum(free), STRANGE)

    def _with(self, learnt: Mapping[int, Acquaintance], *, contest: bool = True) -> "Belief":
        """The belief with these acquaintances in place of what was known of them.

        Where one of them bears a card that something else was held to be, that is thought over (`contest`).
        """
        new = object.__new__(Belief)
        new.highest_card, new.again = self.highest_card, self.again
        new._known = {**self._known, **learnt}
        changed = [(self._known.get(stand_in), now) for stand_in, now in learnt.items()]
        if all(old is not None and old.chance is now.chance for old, now in changed):
            new._taken, new._free, new._free_sum = self._taken, self._free, self._free_sum
            new.doubled = self.doubled
            return new
        new._taken = taken = self._taken.copy()
        for old, now in changed:
            if old is not None:
                for card, chance in old.chance.items():
                    taken[card] -= chance
            for card, chance in now.chance.items():
                taken[card] += chance
        new._settle_free()
        new.doubled = {card: chance for card, chance in self.doubled.items() if taken[card] > SHARED}
        contested = new._contested(learnt) if contest else {}
        for card, alike in contested.items():
            odds = {stand_in: new._odds(stand_in, card) for stand_in in alike}
            second = 1.0 if card in self.again else SECOND
            both = _both(odds, second)
            new = new._with(new._weighed_together(card, odds, second if both >= DOUBLED else TWICE), contest=False)
            others = {other: chance for other, chance in new.doubled.items() if other != card}
            new.doubled = others | {card: both} if both >= DOUBLED else others
        return new

    def _contested(self, learnt: Mapping[int, Acquaintance]) -> dict[Card, set[int]]:
        """Give cards that stand-ins just `learnt` look like while others were held to bear them, with all of those."""
        contested: dict[Card, set[int]] = {}
        for stand_in, known in learnt.items():
            card = max(known.card, key=known.card.__getitem__, default=0)
            own = known.chance.get(card, 0.0)
            if card and own > PERHAPS and self._taken[card] - own > BORNE:
                contested.setdefault(card, {*self.bearers(card)}).add(stand_in)
        return contested

    def _weighed_together(self, card: Card, odds: Mapping[int, float], second: float) -> dict[int, Acquaintance]:
        """Say anew what stand-ins are that look like one card, each being right with its own `odds`.

        Until now each was weighed against what was known of the others when it was seen. `second`: how likely it is
        that the card is there once more.
        """
        weighed = {}
        total = 1 + sum(odds.values()) + second * _pairs(odds)
        for stand_in, one in odds.items():
            known = self._known[stand_in]
            chance = one * (1 + second * _but(odds, stand_in)) / total
            rest = (1 - chance) / max(1 - known.chance.get(card, 0.0), SLIGHT)
            chances = {other: held * rest for other, held in known.chance.items()}
            weighed[stand_in] = replace(known, chance=chances | {card: chance})
        return weighed

    def _odds(self, stand_in: int, card: Card) -> float:
        """Odds that a stand-in bears a card, if nothing else did."""
        weights = self._known[stand_in].card
        masses, total = self._masses(stand_in, weights, (card,))
        return math.exp(weights.get(card, 0.0)) / max(total - masses[card], TWICE)

    def _shares(self, stand_in: int, card: Weights) -> dict[Card, float]:
        """Chances of what a stand-in may bear, slight ones left out."""
        masses, total = self._masses(stand_in, card, ())
        return {one: mass / total for one, mass in masses.items() if mass > SLIGHT * total}

    def without(self, stand_ins: Iterable[int]) -> "Belief":
        """Forget what was seen of some stand-ins."""
        gone = self._known.keys() & set(stand_ins)
        if not gone:
            return self
        new = Belief(self.highest_card)
        new.again = self.again | {card for card in self.doubled if not gone.isdisjoint(self.bearers(card))}
        return new._with({stand_in: known for stand_in, known in self._known.items() if stand_in not in gone})

    def settled(self, stand_in: int, place: Hashable) -> Card:
        """The card that a stand-in surely is and looks like where it lies; 0 while there is a doubt."""
        known = self._known.get(stand_in)
        return known.settled if known is not None and known.place == place else 0

    def gone(self, stand_in: int, place: Hashable) -> float:
        """Chance that a place looked empty where a stand-in lies: its card may be in somebody's hand."""
        return gone_from(self._known.get(stand_in), place)

    def knows(self, stand_in: int, place: Hashable, seen: Likeness) -> bool:
        """Whether one more such look at `place` would tell nothing new."""
        known = self._known.get(stand_in)
        if known is None or not known.full or known.settled != seen.top or known.place != place:
            return False
        return mistaken_by(known, place, seen) == known.mistake

    def _masses(self, stand_in: int, weights: Weights, asked: Iterable[Card]) -> tuple[dict[Card, float], float]:
        """Unnormalised chances of the cards that have weights or are asked for, and the sum over all cards."""
        free = self._free
        known = self._known.get(stand_in)
        chance = known.chance if known is not None else {}
        own = {card: self._free_for(card, chance.get(card, 0.0)) for card in {*weights, *chance}}
        masses = {card: own[card] * math.exp(weights.get(card, 0.0)) for card in own}
        total = self._free_sum - sum([free[card] for card in own]) + sum(masses.values())
        for card in asked:
            if card and card not in masses:
                masses[card] = free[card]
        return masses, total

    def _free_for(self, card: Card, own: float) -> float:
        """How likely it is that nothing but the stand-in that bears `card` with chance `own` bears it."""
        free = min(max(1 + (card in self.again) - self._taken[card] + own, TWICE), 1.0)
        return free if card <= self.highest_card else free * FOREIGN

    def fit(self, stand_in: int, place: Hashable, seen: Likeness) -> float:
        """How well a sighting fits a stand-in that lies at `place`: log likelihood, averaged over what it may be."""
        if stand_in <= EMPTY:
            return math.log(seen.of(EMPTY))
        known = self._known.get(stand_in)
        if known is None:
            card_fit = self._fit_of_unknown(seen)
        elif not known.settled:
            card_fit = self._fit_of_card(stand_in, place, seen)
        elif known.place == place:
            card_fit = seen.named.get(known.settled, seen.other)
        else:
            # What it looks like elsewhere is nearly as good as seeing it here.
            rest = 1 - sum(known.chance.values())
            card_fit = fit_as_held(known, seen) + rest * self._fit_of_unknown(seen)
        if known is not None and known.may_be_misread and known.place == place:
            card_fit = (1 - ANEW) * card_fit + ANEW * fit_as_held(known, seen)
        gone = looks_gone(known, place)
        return math.log((1 - gone) * card_fit + gone * seen.named.get(EMPTY, seen.other))

    def fits(self, stand_ins: Sequence[int], places: Sequence[Hashable], seen: Sequence[Likeness]) -> list[float]:
        """`fit` for many places in one go."""
        all_known, found = self._known, []
        for stand_in, place, sight in zip(stand_ins, places, seen, strict=True):
            known = all_known.get(stand_in)
            if known is not None and known.settled == sight.top and known.settled and known.place == place:
                found.append(sight.best)
            else:
                found.append(self.fit(stand_in, place, sight))
        return found

    def _fit_of_unknown(self, seen: Likeness) -> float:
        free, other = self._free, seen.other
        return other + sum([free[card] * (fit - other) for card, fit in seen.named.items()]) / self._free_sum

    def _fit_of_card(self, stand_in: int, place: Hashable, seen: Likeness) -> float:
        known = self._known.get(stand_in)
        here, before = seen_at(known, place, seen)
        cards, all_cards = self._masses(stand_in, before, {*here, *seen.named})
        mistake = mistaken_by(known, place, seen)
        astray = mistake.for_any * all_cards
        looks = {card: (1 - mistake.chance) * mass + astray for card, mass in cards.items()}
        if seen.top > 0:
            looks[seen.top] += mistake.chance * sum(
                [share * cards.get(card, 0.0) for card, share in mistake.cards.items()]
            )
        rest = all_cards - sum(looks.values())
        looks = {card: mass * math.exp(here.get(card, 0.0)) for card, mass in looks.items()}
        gain = sum([looks[card] * (fit - seen.other) for card, fit in seen.named.items() if card])
        return seen.other + gain / (rest + sum(looks.values()))

    def contradicted(self, stand_in: int, place: Hashable, *, by: float = SETTLED) -> Card:
        """What a stand-in looks like where it lies, with a log weight of `by`, if it should be another card; else 0.

        Either the camera takes the one for the other, or the referee is wrong about how the card came there.
        """
        known = self._known.get(stand_in)
        if known is None or known.place != place or not known.here:
            return 0
        top = max(known.here, key=known.here.__getitem__)
        told = max(known.before.values(), default=0.0) >= SAID
        held = known.here.get(max(known.chance, key=known.chance.__getitem__, default=top), 0.0)
        unlike = known.here[top] >= by and known.here[top] - held >= DOUBTFUL
        return top if unlike and known.chance.get(top, 0.0) < BORNE and not told else 0

    def chances(self, stand_in: int) -> dict[Card, float]:
        """Every card that this stand-in may bear, likeliest first."""
        if stand_in <= EMPTY:
            return {EMPTY: 1.0}
        known = self._known.get(stand_in)
        masses, total = self._masses(stand_in, known.card if known else {}, range(1, HIGHEST_CARD + 1))
        return {card: mass / total for card, mass in sorted(masses.items(), key=lambda item: (-item[1], item[0]))}

    def is_odd(self, card: Card) -> bool:
        """Whether nobody can draw that card: this deck should not have it, or it is somewhere else already."""
        return card > self.highest_card or self._free[card] < ELSEWHERE

    def bearers(self, card: Card) -> list[int]:
        """The stand-ins that more likely than not bear a card."""
        return [stand_in for stand_in, known in self._known.items() if known.chance.get(card, 0.0) > BORNE]

    def newest(self, stand_ins: Collection[int]) -> int:
        """The one of some stand-ins that was seen for the first time last; one that is not known yet counts as that."""
        return max(stand_ins, key=[*self._known, *stand_ins].index)

    def chance_of(self, stand_in: int, cards: Iterable[Card]) -> float:
        """Chance that a stand-in bears one of those cards."""
        if stand_in <= EMPTY:
            return 0.0
        known = self._known.get(stand_in)
        if known is not None and known.settled:
            return float(known.settled in cards)
        masses, total = self._masses(stand_in, known.card if known else {}, cards)
        return sum(masses[card] for card in cards) / total

    def best(self, stand_in: int) -> tuple[Card, float]:
        """The likeliest card of a stand-in, and its chance; a gap is surely EMPTY."""
        if stand_in <= EMPTY:
            return EMPTY, 1.0
        known = self._known.get(stand_in)
        if known is not None and known.settled:
            return known.settled, known.chance.get(known.settled, 0.0)
        vague = known is None or not known.card or max(known.card.values()) < math.log(HIGHEST_CARD)
        asked = range(1, HIGHEST_CARD + 1) if vague else ()
        masses, total = self._masses(stand_in, known.card if known else {}, asked)
        card = max(masses, key=lambda one: (masses[one], -one))
        return card, masses[card] / total

    def seeing(self, sightings: Iterable[tuple[int, Hashable, Likeness]]) -> "Belief":
        """Take in what was seen of some stand-ins, and where."""
        learnt: dict[int, Acquaintance] = {}
        for stand_in, place, seen in sightings:
            if stand_in > EMPTY:
                new = self._acquainted(stand_in, place, seen)
                if new is not None:
                    learnt[stand_in] = new
        return self._with(learnt) if learnt else self

    def _acquainted(self, stand_in: int, place: Hashable, seen: Likeness) -> Acquaintance | None:
        """What is known after one more sighting; None where it tells nothing new."""
        known = self._known.get(stand_in)
        mistake = mistaken_by(known, place, seen)
        as_sure = known is not None and known.mistake == mistake
        if known is not None and as_sure and known.settled == seen.top and known.settled and known.place == place:
            return confirmed(known, seen)
        here, before = seen_at(known, place, seen)
        if known is not None and is_read_anew(known, place, seen):
            here, mistake, as_sure = {}, mistaken_by(None, place, seen), False
        new = added(here, seen)
        gone = looks_gone(known, place)
        if gone > 2 * GONE or seen.of(EMPTY) > 1:
            empty = gone * seen.of(EMPTY)
            card_fit = self._fit_of_card(stand_in, place, seen)
            gone = empty / (empty + (1 - gone) * card_fit)
        elif new is None and as_sure:
            return None
        return self._weighed(stand_in, Acquaintance(place, here if new is None else new, before, {}, {}, gone, mistake))

    def told(self, stand_in: int, card: Card) -> "Belief":
        """Take a person's word for a card: it outweighs all sightings, whatever the card looks like where it lies."""
        known = self._known.get(stand_in)
        here: Weights
        place, here, gone = (None, {}, 0.0) if known is None else (known.place, known.here, known.gone)
        looks_like = max(here, key=here.__getitem__, default=card)
        if looks_like != card:
            # So it is misread where it lies, and may be again or not.
            here = {looks_like: SETTLED}
        told = self._weighed(stand_in, Acquaintance(place, here, {card: SAID}, {}, {}, gone, LEAST))
        return self._with({stand_in: told})

    def _weighed(self, stand_in: int, new: Acquaintance) -> Acquaintance:
        """A new acquaintance with what it tells of the card, by what is known of all others."""
        here, before = new.here, new.before
        card = as_card(here, new.mistake)
        if before:
            card = together(before, card)
        looks_like = settled = 0
        if here and new.gone <= 2 * GONE:
            top = max(here, key=here.__getitem__)
            rivals = [0.0, *[held for one, held in here.items() if one != top]]
            if here[top] - max(rivals) >= SETTLED:
                looks_like = top
                doubted = [one for one, held in before.items() if held > 0 and one != top]
                settled = 0 if doubted else top
        full = settled > 0 and here[settled] >= SATURATION
        chance = self._shares(stand_in, card)
        return replace(new, card=card, chance=chance, looks_like=looks_like, settled=settled, full=full)


def _but(odds: Mapping[int, float], stand_in: int) -> float:
    """Add up all odds but a stand-in's own: their sum less it is nothing where it is far above the others."""
    return sum([other for one, other in odds.items() if one != stand_in])


def _pairs(odds: Mapping[int, float]) -> float:
    """Add up the products of all pairs of odds."""
    return sum([one * _but(odds, stand_in) for stand_in, one in odds.items()]) / 2


def _both(odds: Mapping[int, float], second: float) -> float:
    """Give the chance that two of those bear a card that look like it; `second` as above."""
    two = second * _pairs(odds)
    return two / (1 + sum(odds.values()) + two)
