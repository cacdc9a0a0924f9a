"""Weighing histories against a look at the table: as they stand, half through a turn, and one or two turns longer."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.cards import SLOTS, slot_index
from engine.history import Glance, History, Pending, Place
from engine.lines import EMPTY
from engine.round import Play, Round, legal_plays, play, turned_over

PLAY_COST: Final = math.log(0.02)
"""Log chance of one particular play between two looks: about one look in two or three, over some twenty plays."""

HALF_TURN_COST: Final = math.log(0.05)
"""Log chance that a player has begun a turn since the last look and is half through it, in one particular way."""

LINGERING_COST: Final = math.log(0.6)
"""Log chance that a player who was half through a turn still is, or has come further."""

FINISHING_COST: Final = math.log(0.25)
"""Log chance that a turn which was half done is finished in one particular way."""

WRONG_PILE_COST: Final = math.log(0.03)
"""Log chance that the draw pile is seen when it is used up, or not seen when it is there."""

MISFIT: Final = math.log(0.3)
"""A place whose sighting fits worse than this begs for another explanation."""

WIDTH: Final = 24
"""Most histories kept at a time."""

UNLIKELY: Final = 14.0
"""A history this many log units behind the best is given up."""

DEEP: Final = 4
"""How many of the best histories are tried with two more turns, when one turn explains nothing."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A history under a glance. `fits`: log weight by place. `untaught`: places of which nothing is learnt."""

    history: History
    fits: Mapping[Place, float]
    score: float
    untaught: tuple[Place, ...] = ()

    @property
    def explained(self) -> bool:
        """Whether every place that was seen fits."""
        return all(fit >= MISFIT or place in self.untaught for place, fit in self.fits.items())


def weigh(histories: Sequence[History], glance: Glance) -> list[History]:
    """Every history that may still be after one more look, best first, having learnt from the look."""
    standing = [_standing(history, glance) for history in histories]
    grown = list(standing)
    for weighed in standing:
        if not weighed.explained:
            grown.extend(_half_turns(weighed, glance))
            grown.extend(_longer(weighed, glance))
    if not any(weighed.explained for weighed in grown):
        deepest = sorted((weighed for weighed in grown if not weighed.untaught), key=_score, reverse=True)
        roots = {id(weighed.history): weighed for weighed in standing[:DEEP]}
        firsts = [weighed for weighed in deepest if id(weighed.history) not in roots]
        for first in firsts:
            grown.extend(_longer(first, glance))
    return _learnt(grown, glance)


def _score(weighed: Weighed) -> float:
    return weighed.score


def _standing(history: History, glance: Glance) -> Weighed:
    fits = {
        place: math.log(history.belief.fit(history.at(place), place, seen)) for place, seen in glance.places.items()
    }
    return Weighed(history, fits, history.score + sum(fits.values()) + _pile_fit(history.position, glance))


def _pile_fit(position: Round, glance: Glance) -> float:
    if glance.draw is None or (glance.draw == "cards") == bool(position.draw):
        return 0.0
    return WRONG_PILE_COST


def _half_turns(standing: Weighed, glance: Glance) -> Iterator[Weighed]:
    """Ways in which the player to move may be half through a turn.

    The card from the discard pile may be in the hand, and the slot may be empty or hold its new card already, while
    the card that leaves has not reached the discard pile.
    """
    history = standing.history
    belief, position = history.belief, history.position
    top, seen_top = history.at("discard"), glance.places.get("discard")

    cost = LINGERING_COST if history.half else HALF_TURN_COST

    def half(gain: float, *places: Place) -> Weighed:
        return replace(standing, score=standing.score + gain + cost, untaught=places)

    lifted = 0.0
    if seen_top is not None:
        below = position.discard[-2] if len(position.discard) > 1 else EMPTY
        lifted = math.log(belief.fit(below, "discard", seen_top)) - standing.fits["discard"]
        yield half(lifted, "discard")
    for slot in SLOTS:
        place: Place = (position.to_move, slot)
        before = standing.fits.get(place, 0.0)
        if before >= MISFIT:
            continue
        seen = glance.places[place]
        gap = math.log(seen.of(EMPTY)) - before
        yield half(gap, place)
        yield half(gap + lifted, place, "discard")
        if position.draw:
            yield half(math.log(belief.fit(position.draw[-1], place, seen)) - before, place)
        if top != EMPTY:
            yield half(math.log(belief.fit(top, place, seen)) - before + lifted, place, "discard")


def _longer(weighed: Weighed, glance: Glance) -> Iterator[Weighed]:
    """Every history that is one legal turn longer, or in which a used-up draw pile was turned over at once.

    The leaflets do not say whether the pile is turned over when it is used up or when somebody needs to draw.
    """
    history = weighed.history
    position = history.position
    for move in legal_plays(position):
        after = after_play(history, move, glance.t)
        touched: tuple[Place, ...] = ("discard",) if move.slot is None else ("discard", (position.to_move, move.slot))
        yield _refitted(weighed, after, touched, glance)
    if not position.draw and len(position.discard) > 1:
        turned = replace(history, position=turned_over(position), score=history.score + PLAY_COST, turned_over=True)
        yield _refitted(weighed, turned, ("discard",), glance)


def _refitted(weighed: Weighed, after: History, touched: tuple[Place, ...], glance: Glance) -> Weighed:
    fits = dict(weighed.fits)
    for place in touched:
        if place in fits:
            fits[place] = math.log(after.belief.fit(after.at(place), place, glance.places[place]))
    return Weighed(after, fits, after.score + sum(fits.values()) + _pile_fit(after.position, glance))


def after_play(history: History, move: Play, t: float) -> History:
    """The history with one more turn, first seen at time `t`."""
    before = history.position
    after = play(before, move)
    discarded = after.discard[-1]
    card = discarded if move.slot is None else after.rack(before.to_move)[slot_index(move.slot)]
    turned = history.turned_over or (move.source == "draw" and not before.draw)
    pending = (*history.pending, Pending(before.to_move, move, card, discarded, turned, t))
    begun = (before.to_move, move.slot) in history.half or (history.half == ("discard",) and move.source == "discard")
    score = history.score + (FINISHING_COST if begun else PLAY_COST)
    return replace(history, position=after, pending=pending, score=score, turned_over=False, half=())


def _learnt(grown: Sequence[Weighed], glance: Glance) -> list[History]:
    """Keep what is likely, and let it learn from the glance. Scores start again from the best at 0."""
    single = _merged(grown)
    best = max(map(_score, single))
    likely = sorted((weighed for weighed in single if weighed.score >= best - UNLIKELY), key=_score, reverse=True)
    kept: list[History] = []
    for weighed in likely[:WIDTH]:
        history = weighed.history
        seen = (
            (history.at(place), place, like) for place, like in glance.places.items() if place not in weighed.untaught
        )
        pending = history.pending
        if pending and not pending[-1].whole:
            pending = (*pending[:-1], replace(pending[-1], t=glance.t, whole=weighed.explained))
        belief = history.belief.seeing(seen)
        score = weighed.score - best
        kept.append(replace(history, belief=belief, pending=pending, score=score, half=weighed.untaught))
    return kept


def _merged(grown: Sequence[Weighed]) -> list[Weighed]:
    """Add up the ways in which the same turns explain the looks: they stay one history, taught in the likeliest way."""
    by_history: dict[tuple[Round, tuple[Play, ...]], list[Weighed]] = {}
    for weighed in grown:
        history = weighed.history
        turns = tuple(pending.move for pending in history.pending)
        by_history.setdefault((history.position, turns), []).append(weighed)
    single = []
    for ways in by_history.values():
        best = max(ways, key=_score)
        share = sum(math.exp(way.score - best.score) for way in ways)
        single.append(replace(best, score=best.score + math.log(share)))
    return single


def shares(histories: Sequence[History]) -> list[tuple[History, float]]:
    """The histories with their chances, which add up to 1."""
    top = max(history.score for history in histories)
    powers = [math.exp(history.score - top) for history in histories]
    total = sum(powers)
    return [(history, power / total) for history, power in zip(histories, powers, strict=True)]
