"""How far a rack is from being in order: the expected number of cards still to come, as a good player may judge it.

Some cards stay: a rising chain with room between any two of them for the slots that lie between. The slots of each gap
have to be filled with cards between its ends. How long one gap takes is worked out beforehand (`_waits`), by the share
of all cards to come that fall into it; the gaps fill side by side, so their times add up to less than their sum.
"""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from typing import Final

from engine.cards import HIGHEST_CARD, RACK_SIZE, Card
from engine.editions import Rules
from engine.rack import longest_run
from engine.scoring import bonus_for

SHARES: Final = 60
"""Shares of the cards to come are counted in sixtieths."""

SIDE_BY_SIDE: Final = 1.5
"""Times t of several gaps make (sum of t ** this) ** (1 / this): 1 one after another, more for side by side.

Two strong players took 8.0 turns each to go out with 1.5, and 8.6, 8.2, 8.1, 8.2 with 1, 1.25, 2, 3 (400 rounds).
"""

OUT_OF_PLACE: Final = 1.0
"""What a card loses of its worth to a fair player by standing a whole deck away from its usual place."""

NEVER: Final = float("inf")


@lru_cache(maxsize=1)
def _waits() -> tuple[tuple[float, ...], ...]:
    """Expected cards, to the power of SIDE_BY_SIDE, to fill a gap: by its slots, and its share of all cards.

    A card that falls into the gap is put into the slot that leaves the shortest wait, or passed over.
    """
    times = [[0.0] * (SHARES + 1)]
    powers = [[0.0] * (SHARES + 1)]
    for slots in range(1, RACK_SIZE + 1):
        row = [slots * SHARES * 2.0] * (SHARES + 1)
        times.append(row)
        powers.append([time**SIDE_BY_SIDE for time in row])
        for share in range(slots, SHARES + 1):
            after = sorted(
                min(powers[at][below] + powers[slots - 1 - at][share - 1 - below] for at in range(slots))
                ** (1 / SIDE_BY_SIDE)
                for below in range(share)
            )
            # The best cards are taken, each with chance 1 / SHARES, as long as waiting for more of them is longer.
            time, total = NEVER, 0.0
            for count, value in enumerate(after, 1):
                if value >= time:
                    break
                total += value
                time = (SHARES + total) / count
            row[share] = time
            powers[slots][share] = time**SIDE_BY_SIDE
    return tuple(map(tuple, powers))


class Prospects:
    """A rack under the cards that may come. 0 in the rack is a slot without a card."""

    def __init__(self, rack: Sequence[Card], chances: Sequence[float]) -> None:
        """Judge a rack. `chances`: by card number, 0..60, of being the next card; they add up to 1."""
        self._chances = chances
        # A card above the deck's highest may be about (device.simulated.cheats); it rises like any other.
        self._values = (*rack, HIGHEST_CARD + 1)
        self._below = [share * SHARES for share in accumulate((*chances, 0.0))]
        size = len(rack)
        self._before: list[float] = []
        for place in range(size):
            self._before.append(self._left(place, rack[place]) if rack[place] else NEVER)
        self._after = [NEVER] * size
        for place in reversed(range(size)):
            if rack[place]:
                self._after[place] = self._right(place, rack[place])
        self.wait: float = self._left(size, HIGHEST_CARD + 1) ** (1 / SIDE_BY_SIDE)
        """Expected cards until the rack is in order; 0 if it is."""

    def _left(self, place: int, card: Card) -> float:
        """The least wait of all slots before a card at a place."""
        waits, below, values = _waits(), self._below, self._values
        until = below[card - 1]
        least = waits[place][int(until + 0.5)] if card > place else NEVER
        for other in range(place):
            value = values[other]
            between = place - other - 1
            if value and card - value > between:
                wait = self._before[other]
                if between and wait < least:
                    wait += waits[between][int(until - below[value] + 0.5)]
                least = min(least, wait)
        return least

    def _right(self, place: int, card: Card) -> float:
        """The least wait of all slots after a card at a place."""
        waits, below, values = _waits(), self._below, self._values
        since = below[card]
        end = len(values) - 1
        least = waits[end - place - 1][int(below[-1] - since + 0.5)] if values[end] - card > end - place - 1 else NEVER
        for other in range(place + 1, end):
            value = values[other]
            between = other - place - 1
            if value and value - card > between:
                wait = self._after[other]
                if between and wait < least:
                    wait += waits[between][int(below[value - 1] - since + 0.5)]
                least = min(least, wait)
        return least

    def with_card(self, place: int, card: Card) -> float:
        """Expected cards until the rack is in order, once a card was put at a place to stay there."""
        wait: float = (self._left(place, card) + self._right(place, card)) ** (1 / SIDE_BY_SIDE)
        return wait

    @cached_property
    def after_drawing(self) -> float:
        """Expected cards until the rack is in order, once the next card was drawn and put where it serves best."""
        return sum(
            chance * min(self.wait, self.best_place(card)[0]) for card, chance in enumerate(self._chances) if chance
        )

    def best_place(self, card: Card) -> tuple[float, int]:
        """The shortest wait with that card in the rack, and where to put it."""
        places = (place for place in range(len(self._values) - 1) if self._values[place])
        return min((self.with_card(place, card), place) for place in places)


def fitting(rack: Sequence[Card], highest_card: Card) -> float:
    """How many cards may stay: the best rising chain with room between, less for cards far from their usual place."""
    size = len(rack)
    chains: list[float] = []
    for place, card in enumerate(rack):
        if not card or card <= place or highest_card - card < size - 1 - place:
            chains.append(-NEVER)
            continue
        own = 1.0 - OUT_OF_PLACE * abs(card - (place + 0.5) * highest_card / size) / highest_card
        before = [chains[other] for other in range(place) if card - rack[other] >= place - other]
        chains.append(own + max(0.0, max(before, default=0.0)))
    return max(0.0, *chains)


def runs_ahead(rules: Rules, rack: Sequence[Card]) -> list[tuple[Card, float]]:
    """Cards that would lengthen a run of a rack in order, which stays in order, and what each would gain in points."""
    worth = _points(rules, rack)
    ends = (0, *rack, rules.highest_card + 1)
    ahead = []
    for place in range(len(rack)):
        before, after = ends[place], ends[place + 2]
        for card in {before + 1, after - 1} - {rack[place]}:
            if before < card < after and card <= rules.highest_card:
                gain = _points(rules, [*rack[:place], card, *rack[place + 1 :]]) - worth
                if gain > 0:
                    ahead.append((card, gain))
    return ahead


def run_worth(rules: Rules, rack: Sequence[Card], chances: Sequence[float]) -> float:
    """What a rack in order is worth by its runs, with hopes of the next card, and a little for each pair."""
    hopes = sum(chances[card] * gain for card, gain in runs_ahead(rules, rack))
    return _points(rules, rack) + hopes + sum(after == before + 1 for before, after in pairwise(rack)) / 100


def _points(rules: Rules, rack: Sequence[Card]) -> float:
    run = longest_run(rack)
    return bonus_for(rules, run) + (100.0 if run >= rules.edition.run_needed else 0.0)
