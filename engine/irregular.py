"""What may have happened between two looks against the rules, or by a Prime card's power, or unseen by anybody.

The same kind of candidates as in engine.steps, each at a price: what breaks a rule is only held to have happened where
nothing legal explains the table nearly as well.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import permutations
from typing import Final

from engine.cards import SLOTS, Seat, Slot, Source
from engine.editions import Edition
from engine.history import Act, Glance, History, Place
from engine.lines import EMPTY
from engine.powers import SlotOf
from engine.round import Play, left_of, moved, put
from engine.steps import CHEAT, Candidate, Node, Refit, TurnKind, open_slots, turns

HIGHEST_STAND_IN: Final = 100
"""Stand-ins of the deck are numbered up to its highest card; those made up for strangers begin above this."""

TWO_COST: Final = math.log(CHEAT / 400)
"""Log chance that, instead of a turn, two particular cards were exchanged in a particular way."""

LOST_COST: Final = math.log(1e-6)
"""Log chance that another card stands at a place and nobody saw how it came there."""

ANYBODY_COST: Final = math.log(0.3)
"""Log chance that a particular player is to move, when the referee has lost the thread."""

PUT_BACK_COST: Final = math.log(0.02)
"""Log chance that a card which was missing stands in its slot again."""

MISCOUNTED_COST: Final = math.log(1e-3)
"""Log chance that the draw pile is used up too soon or too late: a card was missing, or stuck to another one."""


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
        if place != "discard" and history.at(place) < EMPTY:
            gain, changed = refit.at(place, -history.at(place))
            yield Candidate(node.score + PUT_BACK_COST + gain, changed, partial(_filled, history, place))
        stranger = HIGHEST_STAND_IN + history.strangers + 1
        gain, changed = refit.at(place, stranger)
        yield Candidate(node.score + LOST_COST + gain, changed, _Lost(history, place, stranger, glance.t).build)
    position = history.position
    too_soon = glance.draw == "empty" and 0 < len(position.draw) <= len(SLOTS)
    too_late = glance.draw == "cards" and not position.draw
    if too_soon or too_late:
        yield Candidate(node.score + MISCOUNTED_COST + 3.5, (), _Miscounted(history, glance.t, too_soon).build)


def _filled(history: History, place: SlotOf) -> History:
    """The history in which a card that was missing stands in its slot again."""
    return replace(history, position=put(history.position, place, -history.at(place)), touched=())


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
