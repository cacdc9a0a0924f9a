"""What cameras would take of a played game, and when: shots, what is said meanwhile, and the truth of it.

Timing and number of shots are those of recorded rounds: a hand at the tray, at the slot and at the tray again, and two
settled pictures of what it leaves behind.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Final, Literal

from device.simulated.games import PlayedGame
from device.simulated.steps import GAP, PlayedRound, Step, expected
from engine.cards import SLOTS, Card, Seat, Slot, slot_index
from engine.events import Json, TurnPlayed, spoken
from engine.moves import Turn
from engine.powers import power_used
from engine.record import play_of
from engine.round import Round, turned_over

TRAY: Final = 0
"""The number of the tray's mat; a rack's mat has its seat's number."""

PUT_BACK: Final = 0.4
"""How often the tray is seen at rest between taking a card and discarding another; else the next hand is quicker."""

SETTLES: Final = (0.5, 0.25)
"""Seconds until a hand has left the tray (a rack: RACK_SLOWER more), and until the second settled picture."""

RACK_SLOWER: Final = 0.1
THINKS: Final = (1.7, 4.0)
TO_A_RACK: Final = (0.7, 2.0)
BETWEEN_ROUNDS: Final = (12.0, 16.0)
"""Least and most seconds before a player's hand moves, before it comes to another rack, and before the cards are
gathered after a round."""


@dataclass(frozen=True, slots=True)
class Piles:
    """The tray: its discard pile (top card last), and how many cards lie in the draw pile."""

    discard: tuple[Card, ...]
    draw: int


@dataclass(frozen=True, slots=True)
class Reach:
    """Whose hand reaches where."""

    seat: Seat
    place: Slot | Literal["draw", "discard"]


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture of one mat at `t` seconds: a rack's cards (slot 5 first, GAP for none) or the tray's piles."""

    t: float
    mat: int
    shows: tuple[Card, ...] | Piles
    hand: Reach | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """A line of the timeline that is no picture."""

    line: Json


@dataclass(frozen=True, slots=True)
class Happened:
    """A line of the truth that tells what happened, as the referee should say it."""

    line: Json


Entry = Shot | Said | Happened


@dataclass
class Script:
    """Tells a game as shots, in time order. `hands`: the share of reaching hands that are taken."""

    chance: Random
    hands: float = 1.0
    _t: float = 0.0
    _shows: dict[int, Any] = field(default_factory=dict)

    def entries(self, played: PlayedGame) -> Iterator[Entry]:
        """Give everything, from the first deal on."""
        totals = dict.fromkeys(played.game.seats, 0)
        for number, dealt in enumerate(played.rounds):
            if number:
                yield from self._gathered(dealt)
            yield from self._dealt(dealt)
            for step in dealt.steps[1:]:
                yield from self._seen(step)
            if dealt.out is not None:
                totals = {seat: totals[seat] + dealt.points[seat] for seat in totals}
                yield Happened(_end(dealt, dealt.out, totals, self._t))

    def _dealt(self, dealt: PlayedRound) -> Iterator[Entry]:
        yield Said({"t": self._t, "type": "round", "dealer": dealt.dealer})
        yield from self._deal(dealt)
        yield from self._broken(dealt.steps[0])

    def _deal(self, dealt: PlayedRound) -> Iterator[Entry]:
        """Show how the cards of a deal come onto the table: all at once."""
        first = dealt.steps[0].after
        yield from self._set(piles_of(first), dict(zip(first.seats, first.racks, strict=True)))

    def _set(self, piles: Piles, racks: Mapping[Seat, tuple[Card, ...]]) -> Iterator[Entry]:
        """Two settled pictures of each mat follow, which shows this now."""
        self._shows = {TRAY: piles, **racks}
        for seconds in SETTLES:
            self._pass(seconds)
            yield from (Shot(self._t, mat, shown) for mat, shown in self._shows.items())

    def _gathered(self, dealt: PlayedRound) -> Iterator[Entry]:
        """Hands take the cards away for the next deal, and racks and tray are left empty."""
        self._pass(self.chance.uniform(*BETWEEN_ROUNDS))
        for seat in dealt.steps[0].after.seats:
            yield from self._settles(seat, (GAP,) * len(SLOTS), Reach(seat, 25))
            self._pass(0.4)
        yield from self._settles(TRAY, Piles((), 0), Reach(dealt.dealer, "discard"))
        self._pass(self.chance.uniform(*BETWEEN_ROUNDS))

    def _seen(self, step: Step) -> Iterator[Entry]:
        if step.what == "call":
            self._pass(1.5)
            yield Said({"t": self._t, "type": "button", "seat": step.called})
        else:
            self._pass(self.chance.uniform(*THINKS))
            yield from self._moved(step)
        if step.turn is not None and expected(step):
            yield Happened(_turn(step, step.turn, round(self._t + 0.05, 2)))
        yield from self._broken(step)

    def _broken(self, step: Step) -> Iterator[Entry]:
        """Tell of the rule that a step breaks, or of the one that it brings to light."""
        if step.violation is not None:
            told: Json = {"type": "violation", "rule": step.violation.rule, "seat": step.violation.seat}
            if step.violation.also:
                told["also"] = [*step.violation.also]
            yield Happened(told | {"t": round(self._t + 0.35, 2)})

    def _moved(self, step: Step) -> Iterator[Entry]:
        """Show how the table comes from one position to the next."""
        after, turn = step.after, step.turn
        if step.what == "tampered":
            yield from self._racks(after, None)
            return
        seat = turn.seat if turn is not None else step.before.to_move
        if step.what == "turned-over" or (turn is not None and turn.source == "draw" and not step.before.draw):
            turned = after if turn is None else turned_over(step.before)
            yield from self._settles(TRAY, piles_of(turned), Reach(seat, "discard"))
            if turn is None:
                return
            self._pass(self.chance.uniform(0.5, 1.5))
        yield from self._taken(seat, turn, both=turn is None and _took_discard(step))
        if turn is None:
            yield from self._racks(after, seat)
        elif turn.slot is not None:
            card = after.rack(seat)[slot_index(turn.slot)] if turn.card is None else turn.card
            yield from self._exchanged(seat, {turn.slot: card}, seat)
        self._pass(self.chance.uniform(0.3, 1.0) if turn is None or turn.slot else self.chance.uniform(0.7, 2.2))
        yield from self._discards(seat, after)
        yield from self._racks(after, seat if turn is not None and turn.effect is not None else None)

    def _taken(self, seat: Seat, turn: Turn | None, *, both: bool) -> Iterator[Entry]:
        """A hand takes a card from one of the piles, or from `both`."""
        source = "draw" if turn is None else play_of(turn).source
        lifted: Piles = self._shows[TRAY]
        if both or source == "draw":
            lifted = replace(lifted, draw=lifted.draw - 1)
        if both or source == "discard":
            lifted = replace(lifted, discard=lifted.discard[:-1])
        if self.chance.random() < PUT_BACK:
            yield from self._settles(TRAY, lifted, Reach(seat, source))
            self._pass(self.chance.uniform(0.3, 1.3))
        else:
            yield from self._hand(TRAY, Reach(seat, source))
            self._shows[TRAY] = lifted
            self._pass(self.chance.uniform(1.2, 2.4))

    def _discards(self, seat: Seat, after: Round) -> Iterator[Entry]:
        """A player lays a card on the discard pile."""
        yield from self._settles(TRAY, piles_of(after), Reach(seat, "discard"), put=True)

    def _racks(self, after: Round, hand: Seat | None) -> Iterator[Entry]:
        """Whatever else changes in racks: a switch, or cards that somebody moves against the rules.

        Where cards change from rack to rack, those of the first one leave it first, and the others' come into it last:
        no card is in two racks at once.
        """
        changed = {
            seat: {5 * at: card for at, card in enumerate(cards, 1) if card != self._shows[seat][at - 1]}
            for seat, cards in zip(after.seats, after.racks, strict=True)
        }
        seats = sorted((seat for seat, slots in changed.items() if slots), key=lambda seat: seat != hand)
        stages = [(seat, changed[seat]) for seat in (*seats[1:], *seats[:1])]
        if len(seats) > 1:
            stages = [(seats[0], dict.fromkeys(changed[seats[0]], GAP)), *stages]
        for seat, slots in stages:
            self._pass(self.chance.uniform(*TO_A_RACK))
            yield from self._exchanged(seat, slots, hand or seat)

    def _exchanged(self, seat: Seat, slots: Mapping[Slot, Card], hand: Seat) -> Iterator[Entry]:
        """A hand takes the cards out of some slots, one after another, and then puts the new ones in."""
        cards = list(self._shows[seat])
        for number, slot in enumerate(slots):
            self._pass(0.8 if number else 0.0)
            cards[slot_index(slot)] = GAP
            self._shows[seat] = tuple(cards)
            yield from self._hand(seat, Reach(hand, slot))
        for slot, card in slots.items():
            cards[slot_index(slot)] = card
        self._pass(RACK_SLOWER)
        yield from self._settles(seat, tuple(cards), None)

    def _settles(self, mat: int, shows: object, hand: Reach | None, *, put: bool = False) -> Iterator[Entry]:
        """A hand changes something (with `put`, its picture shows it already), and two settled pictures follow."""
        if put:
            self._shows[mat] = shows
        if hand is not None:
            yield from self._hand(mat, hand)
        self._shows[mat] = shows
        for seconds in SETTLES:
            self._pass(seconds)
            yield Shot(self._t, mat, self._shows[mat])

    def _hand(self, mat: int, reach: Reach) -> Iterator[Entry]:
        if self.chance.random() < self.hands:
            yield Shot(self._t, mat, self._shows[mat], reach)

    def _pass(self, seconds: float) -> None:
        self._t = round(self._t + seconds, 2)


def _took_discard(step: Step) -> bool:
    """Whether the top of the discard pile has come into a rack."""
    return step.before.discard[-1:] != () and any(step.before.discard[-1] in rack for rack in step.after.racks)


def piles_of(position: Round) -> Piles:
    """Give the tray as a position has it."""
    return Piles(position.discard, len(position.draw))


def _turn(step: Step, turn: Turn, t: float) -> Json:
    """Tell a turn in the referee's words."""
    prime = turn.discarded in step.after.powers
    power = None if turn.effect is None else power_used(turn.effect, turn.seat)
    over = turn.source == "draw" and not step.before.draw
    return {"reshuffle": False, **(spoken(TurnPlayed(turn, step.after.to_move, t, over, prime, power)) or {})}


def _end(dealt: PlayedRound, out: Seat, totals: Mapping[Seat, int], t: float) -> Json:
    last = dealt.steps[-1].after
    racks: Sequence[tuple[Card, ...]] = last.racks
    return {
        "type": "round_end",
        "t": t,
        "out": out,
        "scores": {str(seat): points for seat, points in dealt.points.items()},
        "totals": {str(seat): points for seat, points in totals.items()},
        "racks": {str(seat): list(rack) for seat, rack in zip(last.seats, racks, strict=True)},
    }
