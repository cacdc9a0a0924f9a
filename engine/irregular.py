"""What may have happened between two looks against the rules, or by a Prime card's power, or unseen by anybody.

The same kind of candidates as in engine.steps, each at a price: what breaks a rule is only held to have happened where
nothing legal explains the table nearly as well.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from typing import Final

from engine.cards import SLOTS, Card, Seat, Slot, Source
from engine.editions import Edition
from engine.history import Act, Glance, History, Place, Rule
from engine.powers import PowerTable, SlotOf, Switch, power_used
from engine.round import Play, left_of, moved, put
from engine.steps import CHEAT, Candidate, Node, Refit, TurnKind, open_slots, turns

HIGHEST_STAND_IN: Final = 100
"""Stand-ins of the deck are numbered up to its highest card; those made up for strangers begin above this."""

REARRANGED_COST: Final = math.log(1e-5)
"""Log chance that, between two looks, two particular cards of a rack change places: about one round in twenty sees such
a thing, over some two hundred looks and fifty pairs."""

TWO_COST: Final = math.log(CHEAT / 400)
"""Log chance that, instead of a turn, two particular cards were exchanged in a particular way."""

ACROSS_COST: Final = math.log(1e-6)
"""Log chance that two particular cards of two racks do."""

PUT_BACK_COST: Final = math.log(0.02)
"""Log chance that cards which were rearranged before are put back."""

LOST_COST: Final = math.log(1e-6)
"""Log chance that another card stands at a place and nobody saw how it came there."""

ANYBODY_COST: Final = math.log(0.3)
"""Log chance that a particular player is to move, when the referee has lost the thread."""

MISCOUNTED_COST: Final = math.log(1e-3)
"""Log chance that the draw pile is used up too soon or too late: a card was missing, or stuck to another one."""

USE_COST: Final = math.log(0.3)
"""Log chance that a player uses the power of a Prime card."""

WAYS: Final = {"switch-own": 45, "switch-with-opponent": 200, "switch-opponents": 200, "another-turn": 1}
"""How many switches there are to choose from, roughly."""


def again(node: Node, glance: Glance, edition: Edition) -> Iterator[Candidate]:
    """Another turn by the power of the Prime card that was just discarded: it is drawn, and exchanged or not."""
    history = node.history
    kind = _again_kind(history, edition.powers)
    if kind is not None:
        yield from turns(node, glance, kind, edition, open_slots(node, glance, kind.seat, unseen=True))


def _again_kind(history: History, powers: PowerTable) -> TurnKind | None:
    last = history.last
    if last is None or history.unfinished or last.kind != "turn" or last.effect is not None:
        return None
    chance = history.belief.chance_of(last.discarded, _with_power(powers, "another-turn"))
    return TurnKind(last.seat, math.log(max(chance, 1e-6)) + USE_COST, again=True) if chance > 0.01 else None


def _with_power(powers: PowerTable, power: str) -> list[Card]:
    return [card for card, known in powers.items() if known in (None, power)]


def wrong_turns(node: Node, glance: Glance, edition: Edition, price: float) -> Iterator[Candidate]:
    """Somebody played whose turn it was not.

    After a turn out of order either the player to the left of it goes on, or the one whose turn it was. price: log
    chance of one more turn before this look.
    """
    history = node.history
    position = history.position
    for seat in position.seats:
        slots = open_slots(node, glance, seat, unseen=False)
        if not slots:
            continue
        if seat != position.to_move:
            onward = left_of(position.seats, seat)
            if history.astray:
                yield from turns(node, glance, TurnKind(seat, price + ANYBODY_COST), edition, slots)
                continue
            for to_move in {onward, position.to_move}:
                share = 0.0 if onward == position.to_move else math.log(0.5)
                kind = TurnKind(seat, price + math.log(CHEAT) + share, "wrong-turn", to_move)
                yield from turns(node, glance, kind, edition, slots)


def two_exchanged(node: Node, glance: Glance) -> Iterator[Candidate]:
    """The player to move put two new cards into the rack, and both old ones on the discard pile, in either order."""
    history, refit = node.history, Refit(node, glance)
    position = history.position
    seat = position.to_move
    drawn = position.draw[:-3:-1]
    pairs: list[tuple[tuple[Source, int], tuple[Source, int]]] = []
    if drawn and position.discard:
        pairs.append((("draw", drawn[0]), ("discard", position.discard[-1])))
    if len(drawn) == 2:
        pairs.append((("draw", drawn[0]), ("draw", drawn[1])))
    slots = open_slots(node, glance, seat, unseen=False)
    for slot, other in permutations(slots, 2):
        covered, covered_at = refit.at("discard", history.at((seat, slot)))
        for pair in pairs:
            for (source, card), (_, second) in (pair, pair[::-1]):
                gain, changed = refit.at((seat, slot), card)
                more, more_changed = refit.at((seat, other), second)
                made = _Two(history, seat, Play(source, slot), card, other, second, glance.t)
                score = node.score + TWO_COST + gain + more + covered
                yield Candidate(score, (*changed, *more_changed, *covered_at), made.build)


class _Two:
    """Two exchanges in one turn, to be built. The card that left the slot of `move` lies on top of the discard pile."""

    def __init__(self, history: History, seat: Seat, move: Play, card: int, other: Slot, second: int, t: float) -> None:
        self._history, self._seat, self._move, self._card = history, seat, move, card
        self._other, self._second, self._t = other, second, t

    def build(self) -> History:
        """The history with them."""
        history, seat, slot = self._history, self._seat, self._move.slot
        assert slot is not None  # noqa: S101 - only exchanges are built here
        position = history.position
        top, below = history.at((seat, slot)), history.at((seat, self._other))
        taken = (self._card, self._second)
        draw = tuple([card for card in position.draw if card not in taken])
        discard = tuple([card for card in position.discard if card not in taken])
        position = put(put(position, (seat, slot), self._card), (seat, self._other), self._second)
        to_move = left_of(position.seats, seat)
        position = replace(position, draw=draw, discard=(*discard, below, top), to_move=to_move)
        act = Act("turn", seat, self._t, self._move, self._card, top, rule="two-cards-exchanged")
        return replace(history, position=position, acts=(*history.acts, act), touched=())


def rearranged(node: Node, glance: Glance, edition: Edition) -> Iterator[Candidate]:
    """Cards in racks changed places: by a power, against the rules, or back to where they had been."""
    history, refit = node.history, Refit(node, glance)
    found: set[tuple[SlotOf, ...]] = set()
    for at in node.misfits:
        place, card = glance.places[at], glance.seen[at].top
        if place == "discard" or card <= 0:
            continue
        cycle = _cycle(history, glance, place, card)
        if cycle is None or cycle in found:
            continue
        found.add(cycle)
        gains = [refit.at(one, history.at(other)) for one, other in zip(cycle, (*cycle[1:], cycle[0]), strict=True)]
        score = node.score + sum(gain for gain, _ in gains)
        changed = [change for _, changes in gains for change in changes]
        for cost, rule in _reasons(history, cycle, edition.powers):
            yield Candidate(score + cost, changed, _Rearranged(history, cycle, rule, glance.t).build)


def _cycle(history: History, glance: Glance, start: SlotOf, card: Card) -> tuple[SlotOf, ...] | None:
    """Follow where each card that is seen now was before: the places that changed cards among each other."""
    cycle = [start]
    while True:
        came_from = _place_of(history, card)
        if came_from == start:
            break
        if came_from is None or came_from in cycle:
            return None
        cycle.append(came_from)
        seen = glance.of(came_from)
        if seen is None or seen.top <= 0:
            break
        card = seen.top
    first = cycle.index(min(cycle))
    return (*cycle[first:], *cycle[:first]) if len(cycle) > 1 else None


def _place_of(history: History, card: Card) -> SlotOf | None:
    """The slot where that card is believed to stand."""
    position, belief = history.position, history.belief
    for seat, rack in zip(position.seats, position.racks, strict=True):
        for slot, stand_in in zip(SLOTS, rack, strict=True):
            settled = belief.settled(stand_in, (seat, slot))
            if settled == card or (not settled and belief.chance_of(stand_in, (card,)) > 0.5):
                return seat, slot
    return None


def _reasons(history: History, cycle: tuple[SlotOf, ...], powers: PowerTable) -> Iterator[tuple[float, Rule | None]]:
    """Why these cards may have changed places: log chance, and the rule it breaks."""
    last = history.last
    if powers and len(cycle) == 2 and last is not None and last.kind == "turn" and last.effect is None:
        power = power_used(Switch.of(*cycle), last.seat)
        chance = history.belief.chance_of(last.discarded, _with_power(powers, power))
        if chance > 0.01:
            yield math.log(chance / WAYS[power]) + USE_COST, None
    if _put_back(history, cycle):
        yield PUT_BACK_COST, None
    across = len({seat for seat, _ in cycle}) > 1
    yield (ACROSS_COST if across else REARRANGED_COST) + math.log(0.2) * (len(cycle) - 2), "cards-rearranged"


def _put_back(history: History, cycle: tuple[SlotOf, ...]) -> bool:
    """Whether these cards changed places against the rules before, and now stand again where they did."""
    back = (cycle[0], *reversed(cycle[1:]))
    return any(act.kind == "rearranged" and act.rule and act.cycle == back for act in (*history.past, *history.acts))


class _Rearranged:
    """Cards that changed places, to be built."""

    def __init__(self, history: History, cycle: tuple[SlotOf, ...], rule: Rule | None, t: float) -> None:
        self._history, self._cycle, self._rule, self._t = history, cycle, rule, t

    def build(self) -> History:
        """The history in which they did."""
        history, cycle = self._history, self._cycle
        position = history.position
        for one, other in zip(cycle, (*cycle[1:], cycle[0]), strict=True):
            position = put(position, one, history.at(other))
        moved_cards = replace(history, position=position, touched=())
        last = history.last
        if self._rule is None and not _put_back(history, cycle) and last is not None:
            return moved_cards.with_effect(Switch.of(*cycle))
        seats = {seat for seat, _ in cycle}
        to_move = history.position.to_move
        seat = to_move if to_move in seats else min(seats)
        act = Act("rearranged", seat, self._t, cycle=cycle, rule=self._rule)
        return replace(moved_cards, acts=(*history.acts, act))


def wrong_discards(node: Node, glance: Glance) -> Iterator[Candidate]:
    """A card was exchanged, and another one than the card that left its slot was put on the discard pile."""
    history, refit = node.history, Refit(node, glance)
    position = history.position
    top = glance.of("discard")
    if top is None or top.top <= 0 or not position.draw:
        return
    seat = position.to_move
    for slot in open_slots(node, glance, seat, unseen=False):
        for move in (Play("draw", slot), Play("discard", slot)):
            if move.source == "discard" and not position.discard:
                continue
            made = _WrongDiscard(history, seat, move, glance.t)
            gain, changed = refit.at((seat, slot), made.card)
            other, other_changed = refit.at("discard", made.stranger)
            cost = math.log(CHEAT) + math.log(0.015) + gain + other
            yield Candidate(node.score + cost, (*changed, *other_changed), made.build)


class _WrongDiscard:
    """An exchange with a wrong discard, to be built. `card` goes into the slot, `stranger` on the discard pile."""

    def __init__(self, history: History, seat: Seat, move: Play, t: float) -> None:
        self._history, self._seat, self._move, self._t = history, seat, move, t
        draw = history.position.draw
        if move.source == "draw":
            self.card = draw[-1]
            self.stranger = draw[-2] if len(draw) > 1 else HIGHEST_STAND_IN + history.strangers + 1
        else:
            self.card, self.stranger = history.position.discard[-1], draw[-1]

    def build(self) -> History:
        """The history with it."""
        history, seat, slot = self._history, self._seat, self._move.slot
        assert slot is not None  # noqa: S101 - only exchanges are built here
        position = moved(history.position, self._move, seat)
        draw = position.draw[:-1] if position.draw and position.draw[-1] == self.stranger else position.draw
        position = replace(position, discard=(*position.discard[:-1], self.stranger), draw=draw)
        act = Act("turn", seat, self._t, self._move, self.card, self.stranger, rule="wrong-discard")
        strangers = history.strangers + (self.stranger > HIGHEST_STAND_IN)
        return replace(history, position=position, acts=(*history.acts, act), touched=(), strangers=strangers)


def lost(node: Node, glance: Glance) -> Iterator[Candidate]:
    """Another card is at a place, and nobody saw how; or the draw pile is used up too soon or too late."""
    history, refit = node.history, Refit(node, glance)
    for at in node.misfits:
        place = glance.places[at]
        if glance.seen[at].top <= 0:
            continue
        stranger = HIGHEST_STAND_IN + history.strangers + 1
        gain, changed = refit.at(place, stranger)
        yield Candidate(node.score + LOST_COST + gain, changed, _Lost(history, place, stranger, glance.t).build)
    position = history.position
    too_soon = glance.draw == "empty" and 0 < len(position.draw) <= len(SLOTS)
    too_late = glance.draw == "cards" and not position.draw
    if too_soon or too_late:
        yield Candidate(node.score + MISCOUNTED_COST + 3.5, (), _Miscounted(history, glance.t, too_soon).build)


class _Lost:
    """A place with a card from nowhere, to be built."""

    def __init__(self, history: History, place: Place, stranger: int, t: float) -> None:
        self._history, self._place, self._stranger, self._t = history, place, stranger, t

    def build(self) -> History:
        """The history with it."""
        history, place = self._history, self._place
        position = history.position
        if place == "discard":
            position = replace(position, discard=(*position.discard, self._stranger))
            seat = position.to_move
        else:
            position, seat = put(position, place, self._stranger), place[0]
        act = Act("lost", seat, self._t, place=place)
        return replace(
            history,
            position=position,
            acts=(*history.acts, act),
            touched=(),
            strangers=history.strangers + 1,
        )


class _Miscounted:
    """A draw pile that ends too soon or too late, to be built."""

    def __init__(self, history: History, t: float, too_soon: bool) -> None:  # noqa: FBT001 - one of two
        self._history, self._t, self._too_soon = history, t, too_soon

    def build(self) -> History:
        """The history with it."""
        history = self._history
        stranger = HIGHEST_STAND_IN + history.strangers + 1
        position = replace(history.position, draw=() if self._too_soon else (stranger,))
        act = Act("miscounted", position.to_move, self._t)
        return replace(
            history, position=position, acts=(*history.acts, act), strangers=history.strangers + (not self._too_soon)
        )
