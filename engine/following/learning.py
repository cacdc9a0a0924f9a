"""What histories learn from a look: which of them stay, the cards that it showed, and that it bore out their acts."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from engine.following.history import KNOWN, Act, Glance, History
from engine.following.reach import reach_of
from engine.following.steps import Node
from engine.lines import EMPTY

WIDTH: Final = 48
"""Most histories kept at a time. With 24, where nobody had seen from which slot the round's first card came, what that
left open crowded out that two cards were exchanged after it: somebody was then named for nothing in two of 16 drawn
evenings. It costs a tenth of the referee's time."""

UNLIKELY: Final = 12.0
"""A history that would be this many log units behind the best is not made, ..."""

GIVEN_UP: Final = 16.0
"""... and one that was made is given up so far behind. Where that is 12, too, what happened is given up before the look
that would speak for it: in three of 112 drawn evenings somebody was named for nothing then."""

GAP_SEEN: Final = 2
"""Once a look fits, so many more acts may show that a turn was missed before it."""

WHOLE: Final = 3
"""Looks after which an act is not looked at again."""


def learnt(grown: Sequence[Node], glance: Glance) -> list[History]:
    """Keep what is likely, and let it learn from the glance. Scores start again from the best at 0."""
    single = _merged(grown) if len(grown) > 1 else list(grown)
    best = max(node.score for node in single)
    likely = sorted(
        (node for node in single if node.score >= best - GIVEN_UP), key=lambda node: node.score, reverse=True
    )
    return [_taught(node, glance, node.score - best) for node in likely[:WIDTH]]


def _taught(node: Node, glance: Glance, score: float) -> History:
    history = node.history
    belief = history.belief
    unlearnt = (*node.untaught, "discard") if node.stale else node.untaught
    fresh = [
        (stand_in, place, seen)
        for stand_in, place, seen in zip(history.in_view(glance), glance.places, glance.seen, strict=True)
        if not belief.knows(stand_in, place, seen) and place not in unlearnt
    ]
    lifted = glance.of("discard") if "discard" in node.untaught else None
    if lifted is not None:
        # The top is in a hand. What it has laid bare is learnt, or each look at it would be another coincidence.
        fresh.append((history.under, "discard", lifted))
    if fresh:
        belief = belief.seeing(fresh)
    acts = history.acts
    explained = node.explained(glance)
    if acts and (acts[-1].looks < WHOLE or not acts[-1].in_sight):
        # with what this look taught: it may be the first that shows the discard
        taught = history if belief is history.belief else replace(history, belief=belief)
        act = _seen(acts[-1], taught, glance, whole=explained and not history.unfinished)
        acts = acts if act is acts[-1] else (*acts[:-1], act)
    if explained and history.gap > GAP_SEEN:
        history = replace(history, gap=GAP_SEEN)
    covered, unnoticed = _out_of_sight(node, glance)
    touched = node.untaught
    if "discard" in history.touched and "discard" not in glance.index:
        # who has lifted the discard pile's top has it in hand until it is seen to lie there
        touched = (*touched, "discard")
    reached = reach_of(history, acts, glance)
    before = (history.touched, history.covered, history.unnoticed, history.reached)
    same = before == (touched, covered, unnoticed, reached) and (covered or history.pile_seen)
    if belief is history.belief and acts is history.acts and same:
        return history if history.score == score else replace(history, score=score)
    return replace(
        history,
        belief=belief,
        acts=acts,
        score=score,
        touched=touched,
        covered=covered,
        pile_seen=history.pile_seen or not covered,
        unnoticed=unnoticed,
        reached=reached,
    )


def _out_of_sight(node: Node, glance: Glance) -> tuple[bool, bool]:
    """Whether this look does not show the discard pile, and whether a turn may have passed without any sign of it."""
    history = node.history
    at = glance.index.get("discard")
    shown = at is not None and glance.seen[at].top >= 0 and at not in node.misfits
    shown = shown and not node.stale and "discard" not in node.untaught
    just_played = bool(history.acts) and not history.acts[-1].looks
    if just_played:
        # Whose turn it is shows in a rack; a card drawn and discarded may be anybody's.
        move = history.acts[-1].move
        nameless = move is not None and move.slot is None
        return not shown, history.covered or (nameless and history.unnoticed)
    known = history.top == EMPTY or shown or history.belief.best(history.top)[1] >= KNOWN
    return not shown, history.unnoticed or not known


def _seen(act: Act, history: History, glance: Glance, *, whole: bool) -> Act:
    """An act after one more look, which showed all of it or not."""
    if not act.in_sight and act.kind == "turn" and history.top == act.discarded:
        pile = glance.of("discard")
        if pile is not None and pile.top > 0 and pile.top == history.belief.best(history.top)[0]:
            act = replace(act, laid=glance.t)
    if act.looks >= WHOLE:
        return act
    if act.looks:
        return replace(act, looks=act.looks + 1) if whole else act
    return replace(act, t=glance.t, looks=int(whole))


def _merged(grown: Sequence[Node]) -> list[Node]:
    """Add up the ways in which the same acts explain the looks: they stay one history, taught in the likeliest way."""
    by_history: dict[tuple[object, ...], list[Node]] = {}
    for node in grown:
        history = node.history
        # what was seen to be over before this look is another turn than one that this look shows
        key = (history.position, history.unfinished, tuple([(act.key, act.looks > 0) for act in history.acts]))
        by_history.setdefault(key, []).append(node)
    return [_as_one(alike) for ways in by_history.values() for alike in _by_top(ways)]


def _as_one(ways: Sequence[Node]) -> Node:
    best = max(ways, key=lambda way: way.score)
    if len(ways) > 1:
        best.score += math.log(sum(math.exp(way.score - best.score) for way in ways))
    return best


def _by_top(ways: Sequence[Node]) -> Iterable[Sequence[Node]]:
    """Part ways that hold the discard pile's top for different cards: what comes next tells which of them is right."""
    if len(ways) == 1:
        return [ways]
    parted: dict[int, list[Node]] = {}
    for way in ways:
        card, chance = way.history.belief.best(way.history.top)
        parted.setdefault(card if chance >= KNOWN else EMPTY, []).append(way)
    return parted.values()
