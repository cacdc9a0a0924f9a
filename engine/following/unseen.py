"""What may have happened that nobody saw, and that no turn explains: cards that stand elsewhere, or are others.

The same kind of candidates as in following.steps, at prices that leave them to where nothing else explains the table.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from engine.cards import Card
from engine.following.history import HIGHEST_STAND_IN, KNOWN, Act, Glance, History, Place
from engine.following.steps import Candidate, Node, Refit, pile_fit
from engine.lines import EMPTY
from engine.powers import SlotOf
from engine.round import put

LOST_COST: Final = math.log(1e-7)
"""Log chance that another card stands at a place and nobody saw how it came there."""

SMUGGLED_COST: Final = math.log(1e-5)
"""Likewise of a card in a rack that could not have been drawn, being of another deck or there twice."""

SEVERAL: Final = 3
"""So many slots that changed at once without a reason were changed at one stroke."""

REPLACED_COST: Final = math.log(1e-9)
"""Log chance that, between two looks, this happens to SEVERAL particular slots, ..."""

ONE_MORE_COST: Final = math.log(0.1)
"""... and for each more."""

TAKEN_UNSEEN_COST: Final = math.log(1e-4)
"""Log chance of the same where the card had been seen on the discard pile."""

PUT_BACK_COST: Final = math.log(0.02)
"""Log chance that a card which was missing stands in its slot again."""

FEW: Final = 10
"""A draw pile that should hold more than this is not held to be used up, ..."""

FEWER: Final = 2
"""... nor one that should hold more than this where it does not look so: with 4 what breaks a rule could be explained
away by it, and was no longer named in two of 139 drawn evenings."""

TOO_LATE_COST: Final = math.log(1e-3)
"""Log chance that the draw pile is used up later than was counted: two cards stuck together."""

TOO_SOON_COST: Final = math.log(0.003)
"""Log chance that it is used up sooner, just now, as old decks lack a card or two, where it looks so, ..."""

UNSEEN_TOO_SOON_COST: Final = math.log(1e-3)
"""... and where no look has shown it so."""


def replaced(node: Node, glance: Glance) -> Iterator[Candidate]:
    """Somebody put other cards into several slots at once: a rack fell over, or was filled anew."""
    history, refit = node.history, Refit(node, glance)
    slots = [
        (place, glance.seen[at].top)
        for at in node.misfits
        if (place := glance.places[at]) != "discard" and glance.seen[at].top > 0
    ]
    if len(slots) < SEVERAL:
        return
    gone = [history.at(place) for place, _ in slots]
    cards: dict[SlotOf, int] = {}
    strangers = history.strangers
    for place, card in slots:
        own = next((one for one in gone if one > EMPTY and history.belief.chance_of(one, (card,)) > KNOWN), None)
        if own is None:
            strangers += 1
            own = HIGHEST_STAND_IN + strangers
        else:
            gone.remove(own)
        cards[place] = own
    if _is_cycle(history, cards):
        return  # these cards changed places among each other (switches.rearranged): nobody put others in
    gains = [refit.at(place, card) for place, card in cards.items()]
    cost = REPLACED_COST + ONE_MORE_COST * (len(slots) - SEVERAL)
    score = node.score + cost + sum(gain for gain, _ in gains)
    changed = [change for _, changes in gains for change in changes]
    yield Candidate(score, changed, partial(_with_cards, history, cards, strangers, glance.t))


def _is_cycle(history: History, cards: Mapping[SlotOf, int]) -> bool:
    """Whether these slots hold each other's cards now, so that one card after the other leads round them all."""
    stood = {history.at(place): place for place in cards}
    first = place = next(iter(cards))
    for met in range(1, len(cards) + 1):
        came_from = stood.get(cards[place])
        if came_from is None or came_from == first:
            return came_from == first and met == len(cards)
        place = came_from
    return False


def _with_cards(history: History, cards: Mapping[SlotOf, int], strangers: int, t: float) -> History:
    """The history with these stand-ins in these slots."""
    position = history.position
    for place, card in cards.items():
        position = put(position, place, card)
    first = min(cards)
    acts = (*history.acts, Act("lost", first[0], t, place=first))
    return replace(history, position=position, acts=acts, touched=(), strangers=strangers)


def lost(node: Node, glance: Glance) -> Iterator[Candidate]:
    """Another card is at a place, and nobody saw how; or the draw pile is used up too late."""
    history, refit = node.history, Refit(node, glance)
    for at in node.misfits:
        place = glance.places[at]
        if glance.seen[at].top <= 0:
            continue
        if place != "discard" and history.at(place) < EMPTY:
            gain, changed = refit.at(place, -history.at(place))
            yield Candidate(node.score + PUT_BACK_COST + gain, changed, partial(_filled, history, place))
        # It may be any card that was ever printed, so that each is as likely to be seen.
        fit = max(0.0, refit.at(place, history.stranger)[0] + node.fits[at])
        cost = SMUGGLED_COST if place != "discard" and history.belief.is_odd(glance.seen[at].top) else LOST_COST
        build = partial(_with_stranger, history, place, glance.t)
        yield Candidate(node.score + cost + fit - node.fits[at], ((at, fit),), build)
        if place != "discard":
            yield from _taken_unseen(node, refit, place, glance.seen[at].top)
    if glance.draw == "cards" and not history.position.draw:
        gain = pile_fit(1, glance) - pile_fit(0, glance)
        yield Candidate(node.score + TOO_LATE_COST + gain, (), partial(_with_one_more, history, glance.t))


def _taken_unseen(node: Node, refit: Refit, place: SlotOf, card: Card) -> Iterator[Candidate]:
    """A card that lay in the discard pile stands in a slot: some time ago somebody took it, and nobody saw that.

    Nor the arm over the tray, where arms are seen at this table.
    """
    history, arms = node.history, refit.glance.arms
    position, belief = history.position, history.belief
    if not position.draw:
        return  # the pile is being turned over: what was in it may be drawn
    last = history.last
    if last is not None and last.t == refit.glance.t:
        return  # it was not some time ago, but with what has just happened
    # what lay on top before this player's own turn was taken in that turn, if by this player: see discarded_first, and
    # one_more_exchanged
    own = last is not None and last.seat == place[0] and last.move is not None and last.move.source == "draw"
    for at, stand_in in enumerate(position.discard[: -2 if own else -1]):
        if belief.chance_of(stand_in, (card,)) > KNOWN:
            gain, changed = refit.at(place, stand_in)
            pile = (*position.discard[:at], history.at(place), *position.discard[at + 1 :])
            after = replace(put(position, place, stand_in), discard=pile)
            acts = (*history.acts, Act("lost", place[0], refit.glance.t, place=place))
            build = partial(replace, history, position=after, acts=acts, touched=())
            cost = TAKEN_UNSEEN_COST + (arms.absent if arms.seen else 0.0)
            yield Candidate(node.score + cost + gain, changed, build)


def _filled(history: History, place: SlotOf) -> History:
    """The history in which a card that was missing stands in its slot again."""
    return replace(history, position=put(history.position, place, -history.at(place)), touched=())


def _with_stranger(history: History, place: Place, t: float) -> History:
    """The history with a card from nowhere at a place."""
    position, stranger = history.position, history.stranger
    if place == "discard":
        position, seat = replace(position, discard=(*position.discard, stranger)), position.to_move
    else:
        position, seat = put(position, place, stranger), place[0]
    acts = (*history.acts, Act("lost", seat, t, place=place))
    return replace(history, position=position, acts=acts, touched=(), strangers=history.strangers + 1)


def _with_one_more(history: History, t: float) -> History:
    """The history with a card in the draw pile that was not counted."""
    position = replace(history.position, draw=(history.stranger,))
    acts = (*history.acts, Act("miscounted", position.to_move, t))
    return replace(history, position=position, acts=acts, strangers=history.strangers + 1)


def used_up(history: History, glance: Glance) -> Iterator[tuple[History, float]]:
    """The history, with its log chance, with nothing left of a draw pile that may be used up sooner than counted."""
    left = len(history.position.draw)
    few, cost = FEWER, UNSEEN_TOO_SOON_COST
    if glance.draw == "empty":
        few, cost = left if history.blind else FEW, TOO_SOON_COST
    elif history.kept:
        return  # it may be kept cards that are not there: that is weighed anyhow
    if 0 < left <= few and not history.unfinished:
        yield replace(history, position=replace(history.position, draw=()), kept=0), cost
