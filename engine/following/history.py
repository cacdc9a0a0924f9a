"""One possible course of a round: what was done, where everything lies now, and what is believed of the cards.

The referee keeps several histories where one is not certain. A history is a position in stand-ins
(following.belief), what is believed of them, and the acts that led there.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from engine.cards import SLOTS, Card, Seat, Slot, Source, slot_index
from engine.editions import Rules
from engine.following.arms import NO_ARMS, Arms, TurnEnd
from engine.following.belief import Belief
from engine.following.likeness import Likeness, likeness
from engine.lines import EMPTY, Changes, Observation
from engine.moves import Turn
from engine.powers import Effect, SlotOf
from engine.round import Play, Round, deal
from engine.violations import Rule

SURE: Final = 0.95
"""A card believed this much is said by its number."""

KNOWN: Final = 0.5
"""A card this surely known is recognised when it is seen again, also one of the discard pile in a rack."""

ASTRAY: Final = 3
"""For so many acts after a lost one, anybody's turn may be next."""

Place = tuple[Seat, Slot] | Literal["discard"]

Reach = Source | Literal["neither"]
"""Over which pile a hand was seen."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """What a look at time `t` said of a place without naming a card surely."""

    t: float
    what: Likeness


@dataclass(frozen=True, slots=True)
class Seen:
    """When each place was surely seen last, and which slots look otherwise since then, though nobody can read them.

    `tops`: the card that was seen there then, EMPTY where none was. `doubts`: what was said of those that look
    otherwise, not surely, since they changed.
    """

    times: Mapping[Place, float] = field(default_factory=dict)
    tops: Mapping[Place, Card] = field(default_factory=dict)
    altered: frozenset[Place] = frozenset()
    doubts: Mapping[Place, Doubt] = field(default_factory=dict)

    def with_look(self, glance: "Glance") -> "Seen":
        """Give what is so after one more look."""
        both = list(zip(glance.places, glance.seen, strict=True))
        sure = {place: what.top for place, what in both if what.top >= 0}
        times = {**self.times, **dict.fromkeys(sure, glance.t)}
        changed: dict[Place, float] = {
            (seat, slot): t for seat, slots in glance.changed.items() for slot, t in slots.items()
        }
        altered: set[Place] = {place for place, t in changed.items() if t > times.get(place, math.inf)}
        altered |= {place for place in self.altered if times[place] < glance.t}
        doubts = {**self.doubts, **{place: Doubt(glance.t, what) for place, what in both}}
        since = {
            place: doubt for place, doubt in doubts.items() if place in altered and doubt.t >= changed.get(place, 0.0)
        }
        return Seen(times, {**self.tops, **sure}, frozenset(altered), since)


NOTHING_SEEN: Final = Seen()
"""Nothing was seen yet."""


@dataclass(frozen=True, slots=True)
class Glance:
    """An observation, ready to be weighed: `seen[k]` is what was seen at `places[k]`, and `index` finds k by place.

    `spots`: each place as positions in `Round.racks`, (-1, 0) for the discard pile. `changed`: when slots changed last,
    in racks that stand still in view. `began`: when the round's deal was first seen to be over. `arms`: those that were
    seen over the tray of late, with this look's. `before`: what was seen before this look.
    """

    t: float
    places: tuple[Place, ...]
    seen: tuple[Likeness, ...]
    spots: tuple[tuple[int, int], ...]
    index: Mapping[Place, int]
    draw: Literal["cards", "empty"] | None
    changed: Changes
    began: float
    arms: Arms = NO_ARMS
    before: Seen = NOTHING_SEEN

    def of(self, place: Place) -> Likeness | None:
        """What was seen there; None for a place that was not."""
        at = self.index.get(place)
        return None if at is None else self.seen[at]

    def doubt(self, place: Place) -> Doubt | None:
        """What was said of a slot that this look does not show, and that looks otherwise since it was surely seen."""
        return None if place in self.index else self.before.doubts.get(place)

    def new_since(self, place: Place, t: float) -> bool:
        """Whether what is seen there now may have come there since time `t`: the last look at it showed another card.

        And that was before then.
        """
        seen = self.of(place)
        return seen is not None and self.before.times.get(place, t) < t and self.before.tops[place] != seen.top


def glance_of(
    look: Observation,
    seats: tuple[Seat, ...],
    began: float,
    arms: Arms = NO_ARMS,
    before: Seen = NOTHING_SEEN,
) -> Glance:
    """Weigh every place of an observation once; seats that do not play are passed over.

    `began`: when the round's deal was first seen to be over. `arms`: those seen over the tray of late. `before`: what
    was seen before.
    """
    places: list[Place] = []
    seen: list[Likeness] = []
    spots: list[tuple[int, int]] = []
    for seat_at, seat in enumerate(seats):
        for slot, sighting in look.racks.get(seat, {}).items():
            places.append((seat, slot))
            seen.append(likeness(sighting))
            spots.append((seat_at, slot // 5 - 1))
    if look.discard is not None:
        places.append("discard")
        seen.append(likeness(look.discard))
        spots.append((-1, 0))
    index = {place: at for at, place in enumerate(places)}
    return Glance(look.t, tuple(places), tuple(seen), tuple(spots), index, look.draw, look.changed, began, arms, before)


@dataclass(frozen=True, slots=True)
class Act:
    """Something that somebody did, in stand-ins.

    kind: "turn"; "rearranged": each place of `cycle` has now the card of the next one, the last that of the first;
    "lost": the card at `place` is another one, and nobody saw how; "miscounted": the draw pile is used up later than it
    should be; "undone": a turn that was said, and that its player took back.
    effect: how the power of the Prime card discarded in this turn was used. rule: what the act breaks. t: the first
    look that showed all of it, or the last one that showed a part; looks: how many have shown all of it, up to 3;
    laid: when a look first showed the discarded card on the discard pile.
    blind: the rack was out of sight, so that of `move` no more than a card taken from the discard pile is known.
    before: the position before a turn by the rules, or out of order, so that it can be taken back. price: what a turn
    out of order, or without an exchange, has cost, as log chance; it is due no more if there was none such after all.
    """

    kind: Literal["turn", "rearranged", "lost", "miscounted", "undone"]
    seat: Seat
    t: float
    move: Play | None = None
    card: int = EMPTY
    discarded: int = EMPTY
    effect: Effect | None = None
    cycle: tuple[SlotOf, ...] = ()
    place: Place | None = None
    rule: Rule | None = None
    turned_over: bool = False
    looks: int = 0
    laid: float | None = None
    blind: bool = False
    before: Round | None = None
    price: float = 0.0

    @property
    def slot(self) -> Slot | None:
        """The slot in which a turn has exchanged the card; None for one that exchanged none, and for any other act."""
        return None if self.move is None else self.move.slot

    @property
    def ended(self) -> TurnEnd:
        """When the turn ended, as far as looks have shown it."""
        return TurnEnd(self.t, self.laid, whole=self.looks > 0)

    @property
    def in_sight(self) -> bool:
        """Whether a look has shown the discarded card on the discard pile."""
        return self.laid is not None

    @property
    def key(self) -> tuple[object, ...]:
        """What is said of the act: two histories that differ in nothing else say the same.

        Of two cards that were exchanged in one turn, either may be told as the turn's.
        """
        move = None if self.blind or self.rule == "two-cards-exchanged" else self.move
        return self.kind, self.seat, move, self.effect, self.cycle, self.place, self.rule


@dataclass(slots=True)
class History:
    """One course of the round. `score` is its log weight among the others.

    Never changed once it is made (and not frozen only because that takes time).

    acts: those that the referee has not said yet, oldest first; past: those that it has, the latest few.
    unfinished: of the last turn, what leaves the rack is still in the player's hand. touched: the places that
    were in motion at the last look, the player to move having begun a turn; the discard pile, until a look shows it.
    turned_over: the discard pile was turned over since the last turn. strangers: how many stand-ins were made up for
    cards that came from nowhere. gap: how many more exchanges must be seen until it is sure whose turn it is, plays
    having passed without a settled look.
    covered: the last look did not show the discard pile. pile_seen: one has, since the last turn. unnoticed:
    a turn may have passed before the last one without any sign of it; whose turn comes next will tell. kept: how many
    cards at the end of the draw pile may not be there, somebody having kept them from the discard pile.
    blind: the seats whose racks are out of sight (following.sight). reached: which pile a hand was seen over first
    since the last turn (following.reach).
    """

    position: Round
    belief: Belief
    acts: tuple[Act, ...] = ()
    past: tuple[Act, ...] = ()
    score: float = 0.0
    unfinished: bool = False
    touched: tuple[Place, ...] = ()
    turned_over: bool = False
    strangers: int = 0
    gap: int = 0
    covered: bool = False
    pile_seen: bool = False
    unnoticed: bool = False
    kept: int = 0
    blind: frozenset[Seat] = frozenset()
    reached: Reach | None = None

    @property
    def latest(self) -> tuple[Act, ...]:
        """The latest acts, oldest first: those that the referee has said, and those that it has not."""
        return (*self.past, *self.acts)

    @property
    def last(self) -> Act | None:
        """The latest act; None at the beginning of a round."""
        return self.acts[-1] if self.acts else self.past[-1] if self.past else None

    @property
    def unsaid(self) -> set[int]:
        """The stand-ins that are yet to be said, in acts that were not: what is known of them is needed for that."""
        return {card for act in self.acts for card in (act.card, act.discarded)}

    @property
    def stranger(self) -> int:
        """A stand-in for a card that comes from nowhere."""
        return HIGHEST_STAND_IN + self.strangers + 1

    @property
    def astray(self) -> bool:
        """Whether something happened lately that nobody saw, so that it is not clear whose turn it is."""
        return any(act.kind == "lost" for act in self.latest[-ASTRAY:])

    def played_unseen(self, seat: Seat | None = None) -> bool:
        """Whether one of the latest turns was played by that seat, or by anybody, whose rack nobody saw."""
        return any(act.blind and seat in (None, act.seat) for act in self.latest)

    def at(self, place: Place) -> int:
        """The stand-in at a place; EMPTY for an empty discard pile."""
        if place == "discard":
            return self.top
        seat, slot = place
        return self.position.rack(seat)[slot_index(slot)]

    @property
    def top(self) -> int:
        """The stand-in on top of the discard pile, EMPTY where there is none."""
        pile, at = self.position.discard, -1
        if self.unfinished:
            two = self.last is not None and self.last.rule == "two-cards-exchanged"
            at = -3 if two else -2
        return pile[at] if len(pile) >= -at else EMPTY

    @property
    def under(self) -> int:
        """The stand-in below the discard pile's top, EMPTY where there is none."""
        pile = self.position.discard
        return pile[-2] if len(pile) > 1 else EMPTY

    def in_view(self, glance: Glance) -> list[int]:
        """The stand-ins at the places of a glance, in its order."""
        racks, top = self.position.racks, self.top
        return [top if seat_at < 0 else racks[seat_at][slot_at] for seat_at, slot_at in glance.spots]

    def rack(self, seat: Seat) -> tuple[tuple[Card, float], ...]:
        """The likeliest card of each slot, slot 5 first, with its chance; one that looks like another is in doubt."""
        rack = []
        for slot, stand_in in zip(SLOTS, self.position.rack(seat), strict=True):
            card, chance = self.belief.best(stand_in)
            rack.append((card, chance / 2 if self.belief.contradicted(stand_in, (seat, slot)) else chance))
        return tuple(rack)

    def turn(self, act: Act) -> Turn:
        """A turn with the cards by number, None for those not known surely."""
        move = act.move
        assert move is not None  # noqa: S101 - an act of kind "turn" has a move
        if act.blind:
            discarded = self._number(act.discarded)
            if move.source == "discard":
                return Turn(act.seat, "discard", self._number(act.card), None, discarded, act.effect)
            return Turn(act.seat, None, None, None, discarded, act.effect)
        return Turn(act.seat, move.source, self._number(act.card), move.slot, self._number(act.discarded), act.effect)

    def _number(self, stand_in: int) -> Card | None:
        if stand_in == EMPTY:
            return None
        card, chance = self.belief.best(stand_in)
        return card if chance >= SURE else None

    def with_effect(self, effect: Effect) -> "History":
        """The history in which the power of the last turn's Prime card was used in this way."""
        if self.acts:
            return replace(self, acts=(*self.acts[:-1], replace(self.acts[-1], effect=effect)))
        return replace(self, past=(*self.past[:-1], replace(self.past[-1], effect=effect)))


HIGHEST_STAND_IN: Final = 100
"""Stand-ins of the deck are numbered up to its highest card; those made up for strangers begin above this."""


def opening(seats: tuple[Seat, ...], dealer: Seat, rules: Rules) -> History:
    """The history of a round that has just been dealt: every card is there, none is known, and no rack was seen yet."""
    position = deal(seats, dealer, rules.deck, rules.edition.turn_over)
    return History(position, Belief(rules.highest_card), blind=frozenset(seats))
