"""How people play besides the usual order: what no leaflet speaks of, and nobody minds."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from device.simulated.script import TRAY, Entry, Piles, Reach, Script, piles_of
from device.simulated.steps import GAP, PlayedRound, Step
from engine.cards import SLOTS, Card, Seat, Slot, slot_index
from engine.moves import Turn
from engine.round import Round

PAUSE: Final = (0.6, 1.2)
"""Least and most seconds between what one player does and does next."""

HANDFUL: Final = 4
"""A player who is dealt cards one by one puts up to so many into the rack at a time."""


@dataclass
class Manners(Script):
    """Tells a game as shots, with people's own ways in a `share` of its turns (0..1), chosen by chance (`ways`).

    Who exchanges a card may take the old one out before drawing, or discard it before the new one stands in its place;
    or try another slot first, and put its card back. Who draws and discards has lifted the discard pile's top before,
    and laid it down again. And the cards of a deal come into the racks by handfuls, with now and then a player who has
    some left to put in while the first turns are played.
    """

    share: float = 0.0
    ways: Random = field(default_factory=Random)
    _to_come: dict[Seat, list[Card]] = field(default_factory=dict)

    def _deal(self, dealt: PlayedRound) -> Iterator[Entry]:
        first = dealt.steps[0].after
        self._to_come = {seat: [*cards] for seat, cards in zip(first.seats, first.racks, strict=True)}
        yield from self._set(Piles((), 0), dict.fromkeys(first.seats, (GAP,) * len(SLOTS)))
        late = self.ways.choice(first.seats) if self.ways.random() < self.share else None
        handfuls = [seat for seat in first.seats for _ in range(len(SLOTS) // HANDFUL)]
        self.ways.shuffle(handfuls)
        for seat in handfuls:
            yield from self._puts_in(seat, self.ways.randint(1, HANDFUL))
        for seat in first.seats:
            yield from self._puts_in(seat, 0 if seat == late else len(SLOTS))
        yield from self._settles(TRAY, piles_of(first), Reach(dealt.dealer, "discard"))

    def _seen(self, step: Step) -> Iterator[Entry]:
        for seat in self._to_come:
            turn = step.turn if step.violation is None else None
            waited_for = turn is None or turn.effect is not None or turn.seat == seat
            yield from self._puts_in(seat, len(SLOTS) if waited_for else self.ways.randint(0, 1))
        yield from super()._seen(step)

    def _puts_in(self, seat: Seat, count: int) -> Iterator[Entry]:
        """Put so many cards into a rack, if so many are to come, from the highest slot down as they are dealt."""
        cards, to_come = list(self._shows[seat]), self._to_come[seat]
        for slot in [slot for slot in SLOTS[::-1] if to_come[slot_index(slot)] != GAP][:count]:
            at = slot_index(slot)
            cards[at], to_come[at] = to_come[at], GAP
        if tuple(cards) != self._shows[seat]:
            self._between()
            yield from self._settles(seat, tuple(cards), Reach(seat, SLOTS[len(SLOTS) // 2]))

    def _racks(self, after: Round, hand: Seat | None) -> Iterator[Entry]:
        racks = [
            tuple(GAP if missing != GAP else card for card, missing in zip(cards, self._to_come[seat], strict=True))
            for seat, cards in zip(after.seats, after.racks, strict=True)
        ]
        yield from super()._racks(replace(after, racks=tuple(racks)), hand)

    def _moved(self, step: Step) -> Iterator[Entry]:
        turn = step.turn
        plain = turn is not None and turn.effect is None and step.what == "turn" and bool(step.before.draw)
        if turn is None or not plain or self.ways.random() >= self.share:
            yield from super()._moved(step)
        elif turn.slot is None:
            yield from self._puts_back(turn.seat)
            yield from super()._moved(step)
        else:
            way = self.ways.choice((self._discards_first, self._lifts_first, self._tries_another))
            yield from way(step, turn, turn.slot)
            yield from self._racks(step.after, None)

    def _puts_back(self, seat: Seat) -> Iterator[Entry]:
        """A player lifts the discard pile's top, and lays it down again."""
        piles: Piles = self._shows[TRAY]
        if piles.discard:
            yield from self._settles(TRAY, replace(piles, discard=piles.discard[:-1]), Reach(seat, "discard"))
            self._between()
            yield from self._settles(TRAY, piles, Reach(seat, "discard"))
            self._between()

    def _discards_first(self, step: Step, turn: Turn, slot: Slot) -> Iterator[Entry]:
        """The old card lies on the discard pile before the new one, in the other hand, comes into its slot."""
        yield from self._taken(turn.seat, turn, both=False)
        yield from self._puts(turn.seat, slot, GAP)
        yield from self._discards(turn.seat, step.after)
        self._between()
        yield from self._puts(turn.seat, slot, step.after.rack(turn.seat)[slot_index(slot)])

    def _lifts_first(self, step: Step, turn: Turn, slot: Slot) -> Iterator[Entry]:
        """The old card is out of the rack before the new one is drawn."""
        yield from self._puts(turn.seat, slot, GAP)
        yield from self._taken(turn.seat, turn, both=False)
        yield from self._puts(turn.seat, slot, step.after.rack(turn.seat)[slot_index(slot)])
        yield from self._discards(turn.seat, step.after)

    def _tries_another(self, step: Step, turn: Turn, slot: Slot) -> Iterator[Entry]:
        """The new card stands in another slot for a while, and its own card in that again."""
        new, cards = step.after.rack(turn.seat)[slot_index(slot)], self._shows[turn.seat]
        other = self.ways.choice([at for at in SLOTS if at != slot and cards[slot_index(at)] != GAP])
        yield from self._taken(turn.seat, turn, both=False)
        yield from self._puts(turn.seat, other, new)
        yield from self._puts(turn.seat, other, cards[slot_index(other)])
        yield from self._puts(turn.seat, slot, new)
        yield from self._discards(turn.seat, step.after)

    def _puts(self, seat: Seat, slot: Slot, card: Card) -> Iterator[Entry]:
        """A player puts a card into a slot, or takes the one out that is there (GAP), and rests."""
        cards = list(self._shows[seat])
        cards[slot_index(slot)] = card
        yield from self._settles(seat, tuple(cards), Reach(seat, slot))
        self._between()

    def _between(self) -> None:
        self._pass(self.ways.uniform(*PAUSE))
