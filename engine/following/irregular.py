"""What may have happened between two looks against the rules.

The same kind of candidates as in following.steps, each at a price: what breaks a rule is only held to have happened
where nothing legal explains the table nearly as well.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import permutations
from typing import Final

from engine.cards import Seat, Slot, Source, slot_index
from engine.editions import Edition
from engine.following.belief import BORNE
from engine.following.history import HIGHEST_STAND_IN, Act, Glance, History
from engine.following.reach import contrary_cost, speak_for
from engine.following.second_thoughts import without_last
from engine.following.steps import (
    CHEAT,
    DRAW_COST,
    STALE_COST,
    TAKE_COST,
    UNFINISHED_COST,
    Candidate,
    Node,
    Refit,
    TurnKind,
    open_slots,
    passing,
    pile_fit,
    turns,
)
from engine.following.stir import LINGERING, changed_slots, exchange_cost
from engine.lines import EMPTY
from engine.round import Play, Round, left_of, moved, put
from engine.violations import Rule

TWO_COST: Final = math.log(CHEAT / 400)
"""Log chance that, instead of a turn, two particular cards were exchanged in a particular way."""

SECOND_COST: Final = math.log(0.3)
"""Log chance that a look shows the first of the two before the second is there."""

WRONG_DISCARD_COST: Final = math.log(CHEAT * 0.015)
"""Log chance of one particular exchange after which another card is discarded."""

WRONGLY_COST: Final = math.log(CHEAT)
"""Log chance that who has exchanged a card discards another one than the one that left the slot."""

EXCHANGED: Final = 2
"""Who is in the middle of exchanging two cards has changed so many slots and no more."""

ANYBODY_COST: Final = math.log(0.3)
"""Log chance that a particular player is to move, when the referee has lost the thread."""


def wrong_turns(node: Node, glance: Glance, edition: Edition, price: float) -> Iterator[Candidate]:
    """Somebody played whose turn it was not.

    A card drawn and discarded is anybody's but for the arm that was seen over the tray. After a turn out of order
    either the player to the left of it goes on, or the one whose turn it was. Nobody is held to have played out of turn
    while it is not sure whose turn it is: after plays that nobody saw, and where whoever was passed over may have
    played out of sight. price: log chance of one more turn before this look.
    """
    history = node.history
    position = history.position
    for seat in position.seats:
        if seat == position.to_move:
            continue
        slots = _exchanged_or_laid(node, glance, seat)
        passes = speak_for(history, glance, seat)
        if not (slots or passes):
            continue
        onward = left_of(position.seats, seat)
        unsure = history.gap or history.blind & set(_passed_over(position, seat))
        rule: Rule | None = None if unsure else "wrong-turn"
        kinds = [
            TurnKind(seat, price + math.log(CHEAT if onward == position.to_move else CHEAT / 2), rule, to_move)
            for to_move in {onward, position.to_move}
        ]
        for kind in [TurnKind(seat, price + ANYBODY_COST)] if history.astray else kinds:
            yield from turns(node, glance, kind, edition, slots)
            if passes:
                yield from passing(node, glance, kind)


def _exchanged_or_laid(node: Node, glance: Glance, seat: Seat) -> Sequence[Slot]:
    """Give the slots that are seen to be otherwise, and of those not surely seen the one whose card lies on the pile.

    That one was laid down before another card stands in its slot.
    """
    history, pile = node.history, glance.of("discard")
    laid = () if pile is None or pile.top <= 0 else (pile.top,)
    return [
        slot
        for slot in open_slots(node, glance, seat, unseen=bool(laid))
        if glance.index.get((seat, slot)) in node.misfits
        or history.belief.chance_of(history.at((seat, slot)), laid) >= BORNE
    ]


def _passed_over(position: Round, seat: Seat) -> Sequence[Seat]:
    """Who would have played before `seat`, from whose turn it is on."""
    start = position.seats.index(position.to_move)
    order = position.seats[start:] + position.seats[:start]
    return order[: order.index(seat)]


def two_exchanged(node: Node, glance: Glance) -> Iterator[Candidate]:
    """The player to move put two new cards into the rack, and both old ones on the discard pile, in either order."""
    history, refit = node.history, Refit(node, glance)
    position = history.position
    seat = position.to_move
    drawn, chances = position.draw[:-3:-1], history.belief.chances
    pairs: list[tuple[_New, _New]] = []
    if drawn and position.discard:
        one: tuple[_New, _New] = ("draw", drawn[0]), ("discard", position.discard[-1])
        pairs += [one, one[::-1]]
    if len(drawn) == 2:
        both: tuple[_New, _New] = ("draw", drawn[0]), ("draw", drawn[1])
        # which of two unknown cards stands in which slot makes no difference, and would double all that follows
        pairs += [both] if chances(drawn[0]) == chances(drawn[1]) else [both, both[::-1]]
    otherwise = open_slots(node, glance, seat, unseen=False)
    for slot, other in permutations(otherwise, 2):
        covered, covered_at = refit.at("discard", history.at((seat, slot)))
        for new, second in pairs:
            thinned = _thinned(history, (new[0] == "draw") + (second[0] == "draw"), glance)
            under, under_at = refit.at("discard", _under(history, (new, second)))
            gain, changed = refit.at((seat, slot), new[1])
            more, more_changed = refit.at((seat, other), second[1])
            score = node.score + TWO_COST + gain + more + thinned
            build = partial(_with_two, history, {slot: new, other: second}, glance.t)
            yield Candidate(score + covered, (*changed, *more_changed, *covered_at), build)
            if len(otherwise) > EXCHANGED:
                continue  # so much at once is no turn that somebody is in the middle of
            half = partial(_with_two, history, {slot: new, other: second}, glance.t, unfinished=True)
            yield Candidate(score + under + UNFINISHED_COST, (*changed, *more_changed, *under_at), half)
            if "discard" in {new[0], second[0]} and refit.stands("discard"):
                cost = UNFINISHED_COST + STALE_COST
                yield Candidate(score + cost, (*changed, *more_changed), half, stale=True)


def one_more_exchanged(node: Node, glance: Glance) -> Iterator[Candidate]:
    """Who has exchanged one card, as a look showed before the discard was seen, has exchanged another one besides.

    Or its slot was not seen since, the discard being seen before the rack was.
    """
    history, refit = node.history, Refit(node, glance)
    last = history.last
    if last is None or last.before is None or last.rule is not None or last.effect is not None:
        return
    if last.move is None or last.slot is None:
        return
    first, before = last.slot, last.before
    slots = [
        slot
        for slot in _exchanged_or_laid(node, glance, last.seat)
        if slot != first and (not last.in_sight or glance.new_since((last.seat, slot), last.t))
    ]
    if not slots:
        return
    begun = replace(without_last(history, glance.t), position=before)
    news: list[_New] = [("draw", card) for card in history.position.draw[-1:]]
    if last.move.source == "draw" and before.discard:
        news.append(("discard", before.discard[-1]))
    price = TWO_COST + SECOND_COST - (DRAW_COST if last.move.source == "draw" else TAKE_COST)
    stirred = changed_slots(begun, last.seat, glance)
    for slot in slots:
        for new in news:
            both = {first: (last.move.source, last.card), slot: new}
            gain, changed = refit.at((last.seat, slot), new[1])
            gain += exchange_cost(stirred, slot)
            # where the first one's old card was seen on top, the other one's lies below it, or this is another turn
            for order in [(first, slot)] if last.in_sight else permutations(both):
                pile, pile_changed = refit.at("discard", begun.at((last.seat, order[0])))
                build = partial(_with_two, begun, {at: both[at] for at in order}, glance.t)
                yield Candidate(node.score + price + gain + pile, (*changed, *pile_changed), build)


def _under(history: History, pair: Sequence["_New"]) -> int:
    """What lies on the discard pile while both old cards are in the player's hand."""
    pile = [card for card in history.position.discard if card not in [new for _, new in pair]]
    return pile[-1] if pile else EMPTY


def _thinned(history: History, drawn: int, glance: Glance) -> float:
    """The gain in log weight if so many cards were drawn, from how the draw pile looks."""
    left = len(history.position.draw)
    return pile_fit(left - drawn, glance) - pile_fit(left, glance)


_New = tuple[Source, int]
"""A new card in a slot: the pile that it came from, and its stand-in."""


def _with_two(history: History, new: Mapping[Slot, _New], t: float, *, unfinished: bool = False) -> History:
    """The history with two exchanges in one turn; the card that left the first of the slots lies on top."""
    position = history.position
    seat = position.to_move
    slot, other = new
    top, below = history.at((seat, slot)), history.at((seat, other))
    taken = [card for _, card in new.values()]
    draw = tuple([card for card in position.draw if card not in taken])
    discard = tuple([card for card in position.discard if card not in taken])
    for place, (_, card) in new.items():
        position = put(position, (seat, place), card)
    to_move = left_of(position.seats, seat)
    position = replace(position, draw=draw, discard=(*discard, below, top), to_move=to_move)
    # of the two, the one that took what all can see
    told = next((at for at, (source, _) in new.items() if source == "discard"), slot)
    source, card = new[told]
    act = Act("turn", seat, t, Play(source, told), card, top, rule="two-cards-exchanged")
    return replace(history, position=position, acts=(*history.acts, act), touched=(), unfinished=unfinished)


def wrong_discards(node: Node, glance: Glance) -> Iterator[Candidate]:
    """A card was exchanged, and another one than the card that left its slot was put on the discard pile."""
    history, refit = node.history, Refit(node, glance)
    position = history.position
    top = glance.of("discard")
    if top is None or top.top <= 0 or not position.draw:
        return
    seat = position.to_move
    for slot in open_slots(node, glance, seat, unseen=False):
        for source, card, stranger in _sources(history):
            gain, changed = refit.at((seat, slot), card)
            other, other_changed = refit.at("discard", stranger)
            other += _thinned(history, (source == "draw") + (stranger in position.draw), glance)
            build = partial(_with_wrong_discard, history, Play(source, slot), stranger, glance.t)
            yield Candidate(node.score + WRONG_DISCARD_COST + gain + other, (*changed, *other_changed), build)


def finished_wrongly(node: Node, glance: Glance) -> Iterator[Candidate]:
    """The new card stood in its slot in a look before; now another card than the old one lies on the discard pile.

    So it is where the discard was never seen: the last turn is unfinished, or held to be over behind a hand.
    """
    history, refit = node.history, Refit(node, glance)
    last, top = history.last, glance.of("discard")
    if not history.acts or last is None or last.rule is not None or last.blind or top is None or top.top <= 0:
        return
    if last.slot is None or refit.stands("discard"):
        return
    if history.position.discard[-1:] != (last.discarded,):
        return  # the pile was turned over since
    begun = replace(history, acts=history.acts[:-1], unfinished=False)
    for stranger in (*history.position.draw[-1:], history.stranger):
        gain, changed = refit.at("discard", stranger)
        build = partial(_kept_back, begun, history.position, replace(last, before=None), stranger)
        yield Candidate(node.score + WRONGLY_COST + gain, changed, build)


def discarded_first(node: Node, glance: Glance) -> Iterator[Candidate]:
    """A card was drawn and discarded, as it seemed; now another one stands in a slot of that player's rack.

    So it was exchanged, and the card that had left the slot was not the one discarded. No card that was seen there
    long after that had left its slot: then its player has another turn.
    """
    history, refit = node.history, Refit(node, glance)
    last, top = history.last, history.top
    if last is None or last.before is None or last.move != Play("draw", None) or last.rule or last.effect is not None:
        return
    begun, gone = without_last(history, glance.t), (last.laid or last.t) + LINGERING
    for slot in open_slots(node, glance, last.seat, unseen=False):
        if glance.before.times.get((last.seat, slot), gone) > gone:
            continue
        for source, position in _drawn_or_taken(last.before):
            # what was seen of a hand before a turn that this look makes up was its own reaching
            cost = WRONG_DISCARD_COST + (0.0 if last.looks else contrary_cost(history.reached, source))
            after = moved(position, Play(source, slot), last.seat)
            card = after.rack(last.seat)[slot_index(slot)]
            gain, changed = refit.at((last.seat, slot), card)
            act = Act("turn", last.seat, glance.t, Play(source, slot), card)
            build = partial(_kept_back, begun, after, act, top)
            yield Candidate(node.score + cost - last.price + gain, changed, build)


def _drawn_or_taken(before: Round) -> Iterator[tuple[Source, Round]]:
    """The piles to take from before a turn whose discard was the top of the draw pile: that was not the card taken."""
    *others, top = before.draw or (EMPTY,)
    if others:
        yield "draw", replace(before, draw=(*others[:-1], top, others[-1]))
    if before.draw and before.discard:
        yield "discard", before


def _sources(history: History) -> Iterator[tuple[Source, int, int]]:
    """The piles to take from, the card on top, and the card that is then discarded in place of the right one.

    That is the next of the draw pile: any card that nobody has seen is as good a guess as another.
    """
    draw, discard = history.position.draw, history.position.discard
    yield "draw", draw[-1], draw[-2] if len(draw) > 1 else history.stranger
    if discard:
        yield "discard", discard[-1], draw[-1]


def _with_wrong_discard(history: History, move: Play, stranger: int, t: float) -> History:
    seat = history.position.to_move
    card = history.position.draw[-1] if move.source == "draw" else history.position.discard[-1]
    act = Act("turn", seat, t, move, card)
    return _kept_back(history, moved(history.position, move, seat), act, stranger)


def _kept_back(history: History, position: Round, act: Act, stranger: int) -> History:
    """The history with a turn that led to `position`, but for the card on top, in whose place the stranger lies.

    After plays that nobody saw, the stranger may be the discard of one more of them: then nobody is accused.
    """
    rule: Rule | None = None if history.gap else "wrong-discard"
    # Where the card is that should have been discarded nobody knows; it may come back at the end of the draw pile.
    *pile, kept = position.discard
    draw = (kept, *(card for card in position.draw if card != stranger))
    position = replace(position, discard=(*pile, stranger), draw=draw)
    acts = (*history.acts, replace(act, rule=rule, discarded=stranger))
    strangers = history.strangers + (stranger > HIGHEST_STAND_IN)
    return replace(history, position=position, acts=acts, touched=(), strangers=strangers, kept=history.kept + 1)
