"""Weighing histories against a look at the table: as they stand, within a turn, and one or two turns longer."""

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

UNFINISHED_COST: Final = math.log(0.01)
"""Log chance of one particular play whose last step, the discard, is still to come."""

TOUCHING_COST: Final = math.log(0.05)
"""Log chance that the player to move is at a particular place at the time of a look, the turn having just begun."""

LINGERING_COST: Final = math.log(0.6)
"""Log chance that a player who was in the middle of a turn still is."""

FINISHING_COST: Final = math.log(0.4)
"""Log chance that a player whose new card stands in its slot has discarded the old one by the next look."""

WRONG_PILE_COST: Final = math.log(0.03)
"""Log chance that the draw pile is seen when it is used up, or not seen when it is there."""

MISFIT: Final = math.log(0.3)
"""A place whose sighting fits worse than this begs for another explanation."""

WIDTH: Final = 24
"""Most histories kept at a time."""

UNLIKELY: Final = 14.0
"""A history this many log units behind the best is given up."""

DEEP: Final = 40
"""How many of the likeliest one-turn histories are tried with a second turn, when one turn explains nothing."""


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
    standing = [weighed for history in histories for weighed in _standing(history, glance)]
    grown = list(standing)
    for weighed in standing:
        if not weighed.explained and not weighed.history.unfinished:
            grown.extend(_touched(weighed, glance))
            grown.extend(_longer(weighed, glance))
    if not any(weighed.explained for weighed in grown):
        known = {id(weighed.history) for weighed in standing}
        firsts = [
            weighed
            for weighed in grown
            if not weighed.untaught and not weighed.history.unfinished and id(weighed.history) not in known
        ]
        for first in sorted(firsts, key=_score, reverse=True)[:DEEP]:
            grown.extend(_longer(first, glance))
    return _learnt(grown, glance)


def _score(weighed: Weighed) -> float:
    return weighed.score


def _standing(history: History, glance: Glance) -> Iterator[Weighed]:
    """Weigh a history with no more turns; one whose last turn was unfinished may still be so, or not."""
    score = history.score + (LINGERING_COST if history.unfinished else 0.0)
    fits = {
        place: math.log(history.belief.fit(history.at(place), place, seen)) for place, seen in glance.places.items()
    }
    standing = Weighed(history, fits, score + sum(fits.values()) + _pile_fit(history.position, glance))
    yield standing
    if history.unfinished:
        finished = replace(history, unfinished=False, score=history.score + FINISHING_COST)
        yield _refitted(standing, finished, ("discard",), glance)


def _pile_fit(position: Round, glance: Glance) -> float:
    if glance.draw is None or (glance.draw == "cards") == bool(position.draw):
        return 0.0
    return WRONG_PILE_COST


def _touched(standing: Weighed, glance: Glance) -> Iterator[Weighed]:
    """Ways in which the player to move may have begun a turn: nothing is learnt of the places that are in motion.

    The top of the discard pile may be in the player's hand, and a slot may be empty.
    """
    history = standing.history
    pile = history.position.discard
    cost = LINGERING_COST if history.touched else TOUCHING_COST

    def touching(gain: float, *places: Place) -> Weighed:
        return replace(standing, score=standing.score + gain + cost, untaught=places)

    lifted = 0.0
    top = glance.places.get("discard")
    if top is not None:
        below = pile[-2] if len(pile) > 1 else EMPTY
        lifted = math.log(history.belief.fit(below, "discard", top)) - standing.fits["discard"]
        yield touching(lifted, "discard")
    for slot in SLOTS:
        place: Place = (history.position.to_move, slot)
        if standing.fits.get(place, 0.0) < MISFIT:
            gap = math.log(glance.places[place].of(EMPTY)) - standing.fits[place]
            yield touching(gap, place)
            yield touching(gap + lifted, place, "discard")


def _longer(weighed: Weighed, glance: Glance) -> Iterator[Weighed]:
    """Every history that is one legal turn longer, or in which a used-up draw pile was turned over at once.

    The leaflets do not say whether the pile is turned over when it is used up or when somebody needs to draw.
    """
    history = weighed.history
    position = history.position
    for move in legal_plays(position):
        after = after_play(history, move, glance.t)
        if move.slot is None:
            yield _refitted(weighed, after, ("discard",), glance)
            continue
        touched: tuple[Place, ...] = ("discard", (position.to_move, move.slot))
        yield _refitted(weighed, after, touched, glance)
        unfinished = replace(after, unfinished=True, score=history.score + UNFINISHED_COST)
        yield _refitted(weighed, unfinished, touched, glance)
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
    score = history.score + PLAY_COST
    return replace(history, position=after, pending=pending, score=score, touched=(), turned_over=False)


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
            whole = weighed.explained and not history.unfinished
            pending = (*pending[:-1], replace(pending[-1], t=glance.t, whole=whole))
        belief = history.belief.seeing(seen)
        score = weighed.score - best
        kept.append(replace(history, belief=belief, pending=pending, score=score, touched=weighed.untaught))
    return kept


def _merged(grown: Sequence[Weighed]) -> list[Weighed]:
    """Add up the ways in which the same turns explain the looks: they stay one history, taught in the likeliest way."""
    by_history: dict[tuple[Round, bool, tuple[Play, ...]], list[Weighed]] = {}
    for weighed in grown:
        history = weighed.history
        turns = tuple(pending.move for pending in history.pending)
        by_history.setdefault((history.position, history.unfinished, turns), []).append(weighed)
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
