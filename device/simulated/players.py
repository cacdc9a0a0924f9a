"""Virtual players of several strengths, who know no more than a person in their seat would.

A player is asked in the order in which a person decides: take the discard (`take`), else what to do with the card drawn
(`place`), then whether and how to use a Prime card's power (`use`), and whether to call RACK-O (`calls`). What happens
at the table is told as everybody sees it; only strong players remember it. All chance comes from the Random given.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import ClassVar, Final, Literal, get_args

from device.simulated.memory import Memory
from device.simulated.prospects import Prospects, fitting, run_worth, runs_ahead
from engine.cards import HIGHEST_CARD, RACK_SIZE, SLOTS, Card, Seat, Slot
from engine.editions import Rules
from engine.moves import Turn
from engine.powers import Effect, Power, Switch
from engine.rack import is_racko

Level = Literal["careless", "beginner", "fair", "strong"]
"""Strengths, the weakest first."""

LEVELS: Final[tuple[Level, ...]] = get_args(Level)


@dataclass(frozen=True, slots=True)
class View:
    """What a player sees: the own rack (slot 5 first, 0 for a gap), and the top of the discard pile."""

    rack: tuple[Card, ...]
    top: Card | None


class VirtualPlayer:
    """A beginner: every card has its place, a tenth of the deck for each slot, and is put there if it is free.

    The other strengths are made from this one by what a rack is worth to them, and by what they remember.
    """

    overlooks: ClassVar[float] = 0.4
    """Chance of drawing without a look at the discard pile."""

    eagerness: ClassVar[float] = 0.0
    """How much more a rack must be worth with the discard than without it, to take it and not draw."""

    patience: ClassVar[int] = 0
    """For how many turns a player may hold back from calling, in a bonus game."""

    def __init__(self, rules: Rules, seat: Seat, seats: tuple[Seat, ...], chance: Random) -> None:
        """Sit down for one round."""
        self.rules = rules
        self.seat = seat
        self.chance = chance
        self.foes: Final = tuple(
            other for other in seats if other != seat and not (rules.edition.partners and (other - seat) % 2 == 0)
        )
        self._waited = 0

    def watch(self, turn: Turn) -> None:
        """See anybody's turn; the card is None if it went from the draw pile into another's rack."""

    def watch_pile(self, top: Card | None) -> None:
        """See the discard pile begin with this card: at the deal, and whenever it is turned over."""

    def take(self, view: View) -> Slot | None:
        """Tell the slot for the top of the discard pile; None to draw instead."""
        if view.top is None or self.chance.random() < self.overlooks:
            return None
        return self._slot_for(view, view.top, self.eagerness)

    def place(self, view: View, card: Card) -> Slot | None:
        """Tell the slot for the card drawn; None to discard it."""
        return self._slot_for(view, card, 0.0)

    def use(self, view: View, power: Power) -> Effect | None:
        """Tell how to use the power of the Prime card just discarded; None not to."""
        rack = view.rack
        if power == "another-turn":
            return "again"
        if power == "switch-own":
            return self._own_switch(rack)
        if power == "switch-with-opponent":
            return self._switch_with_foe(rack)
        return self._switch_of_foes()

    def calls(self, view: View) -> bool:  # noqa: ARG002 - others look at it
        """Tell whether to call RACK-O; asked only with a rack that can go out."""
        return True

    def worth(self, rack: Sequence[Card]) -> float:
        """What a rack that is not in order is worth: the more the better."""
        return sum(self._tenth(card) == place for place, card in enumerate(rack) if card)

    def chances(self, view: View) -> list[float]:
        """By card number, 0..60: how likely it is the next to come. Who remembers nothing knows the own rack."""
        highest = self.rules.highest_card
        weights = [0.0, *([1.0] * highest), *([0.0] * (HIGHEST_CARD - highest))]
        for card in (*view.rack, view.top or 0):
            weights[card] = 0.0
        total = sum(weights)
        return [weight / total for weight in weights]

    def _tenth(self, card: Card) -> int:
        return min((card - 1) * RACK_SIZE // self.rules.highest_card, RACK_SIZE - 1)

    def _slot_for(self, view: View, card: Card, margin: float) -> Slot | None:
        if in_order(view.rack):
            return self._slot_for_run(view, card)
        worth = self.worth(view.rack)
        best, place = max((self.worth(rack), place) for place, rack in exchanges(view.rack, card))
        return SLOTS[place] if best > worth + margin else None

    def _slot_for_run(self, view: View, card: Card) -> Slot | None:
        """Where a card makes more of a rack that is in order: a longer run, or better hopes of one."""
        chances = self.chances(view)
        worth = run_worth(self.rules, view.rack, chances)
        racks = [(place, rack) for place, rack in exchanges(view.rack, card) if is_racko(rack)]
        best = max(((run_worth(self.rules, rack, chances), place) for place, rack in racks), default=(0.0, 0))
        return SLOTS[best[1]] if best[0] > worth else None

    def _own_switch(self, rack: Sequence[Card]) -> Switch | None:
        worth = self.worth(rack)
        best, one, other = max(
            (self.worth(switched(rack, one, other)), one, other)
            for one, other in combinations(range(RACK_SIZE), 2)
            if rack[one] and rack[other]
        )
        return Switch.of((self.seat, SLOTS[one]), (self.seat, SLOTS[other])) if best > worth else None

    def _switch_with_foe(self, rack: Sequence[Card]) -> Switch | None:
        """Give the card that stands worst for the one in the same slot of an opponent, which is likely to fit."""
        tenth = self.rules.highest_card / RACK_SIZE
        hoped = [[*rack[:place], int((place + 0.5) * tenth) + 1, *rack[place + 1 :]] for place in range(RACK_SIZE)]
        best, place = max((self.worth(hoped[place]), place) for place in range(RACK_SIZE) if rack[place])
        if best <= self.worth(rack):
            return None
        return Switch.of((self.seat, SLOTS[place]), (self._rival(), SLOTS[place]))

    def _switch_of_foes(self) -> Switch:
        """Put a rival's rack out of order, if it was in order."""
        rival = self._rival()
        one, other = self.chance.sample(SLOTS, 2)
        return Switch.of((rival, one), (rival, other))

    def _rival(self) -> Seat:
        """Whom to harm, or whose cards to trust to be well placed."""
        return self.chance.choice(self.foes)


class _Careless(VirtualPlayer):
    """A beginner whose mind is elsewhere: plays anything now and then, and may overlook a rack in order."""

    overlooks = 0.6

    def place(self, view: View, card: Card) -> Slot | None:
        if self.chance.random() < 0.15:
            slots = [slot for slot, own in zip(SLOTS, view.rack, strict=True) if own]
            return self.chance.choice([None, *slots])
        return super().place(view, card)

    def use(self, view: View, power: Power) -> Effect | None:
        return super().use(view, power) if self.chance.random() < 0.5 else None

    def calls(self, view: View) -> bool:
        return super().calls(view) and self.chance.random() < 0.75


class _Fair(VirtualPlayer):
    """Builds the longest rising chain with room for what is missing, each card near the place that is usual for it."""

    overlooks = 0.1
    eagerness = 0.4
    patience = 2

    def worth(self, rack: Sequence[Card]) -> float:
        return fitting(rack, self.rules.highest_card)

    def calls(self, view: View) -> bool:
        """Hold back for a while if one card would make a run that earns more."""
        hopes = any(gain > 0 for _, gain in runs_ahead(self.rules, view.rack))
        self._waited += 1
        return not hopes or self._waited > self.patience


class _Strong(VirtualPlayer):
    """Counts what may still come, remembers the discard pile, and plays for the shortest wait."""

    overlooks = 0.0
    patience = 6

    def __init__(self, rules: Rules, seat: Seat, seats: tuple[Seat, ...], chance: Random) -> None:
        super().__init__(rules, seat, seats, chance)
        self._memory = Memory(rules.highest_card, seat)
        self._judged: tuple[View, Prospects] | None = None

    def watch(self, turn: Turn) -> None:
        self._memory.watch(turn)

    def watch_pile(self, top: Card | None) -> None:
        self._memory.watch_pile(top)

    def chances(self, view: View) -> list[float]:
        return self._memory.chances(view.rack)

    def worth(self, rack: Sequence[Card]) -> float:
        return -Prospects(rack, self._memory.chances(rack)).wait

    def take(self, view: View) -> Slot | None:
        if view.top is None or in_order(view.rack):
            return super().take(view)
        prospects = self._prospects(view)
        wait, place = prospects.best_place(view.top)
        return SLOTS[place] if wait < prospects.after_drawing else None

    def place(self, view: View, card: Card) -> Slot | None:
        if in_order(view.rack):
            return super().place(view, card)
        prospects = self._prospects(view)
        wait, place = prospects.best_place(card)
        return SLOTS[place] if wait < prospects.wait else None

    def _prospects(self, view: View) -> Prospects:
        if self._judged is None or self._judged[0] != view:
            self._judged = (view, Prospects(view.rack, self.chances(view)))
        return self._judged[1]

    def calls(self, view: View) -> bool:
        """Hold back while one more turn promises more than the others' going out would cost."""
        self._waited += 1
        chances = self.chances(view)
        gain = sum(chances[card] * gain for card, gain in runs_ahead(self.rules, view.rack))
        return self._waited > self.patience or gain <= 100 * self._memory.danger

    def _rival(self) -> Seat:
        return max(self.foes, key=lambda foe: (self._memory.exchanges(foe), -foe))


def in_order(rack: Sequence[Card]) -> bool:
    """Whether a rack has ten cards that rise."""
    return 0 not in rack and is_racko(rack)


def exchanges(rack: Sequence[Card], card: Card) -> list[tuple[int, list[Card]]]:
    """Every place where a card may go, with the rack as it would be then."""
    return [(place, [*rack[:place], card, *rack[place + 1 :]]) for place in range(len(rack)) if rack[place]]


def switched(rack: Sequence[Card], one: int, other: int) -> list[Card]:
    """A rack in which two cards have changed places."""
    after = list(rack)
    after[one], after[other] = after[other], after[one]
    return after


_PLAYERS: Final[dict[Level, type[VirtualPlayer]]] = {
    "careless": _Careless,
    "beginner": VirtualPlayer,
    "fair": _Fair,
    "strong": _Strong,
}


def virtual_player(level: Level, rules: Rules, seat: Seat, seats: tuple[Seat, ...], chance: Random) -> VirtualPlayer:
    """A player of that strength, for one round."""
    return _PLAYERS[level](rules, seat, seats, chance)
