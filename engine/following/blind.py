"""The turns of a player whose rack is out of sight: only the tray can tell of them.

Without the rack every exchange looks like a card drawn and discarded, and that one way stands for all of them. A card
that lay in the discard pile, deeper than its top, and is seen on it again tells more: either all above it were taken,
the last of them into the player's hand just now, or somebody had taken it and discards it once more.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from engine.cards import SLOTS
from engine.following.history import KNOWN, Glance, History
from engine.following.steps import (
    TAKE_COST,
    TURNING_COST,
    UNFINISHED_COST,
    Build,
    Candidate,
    Node,
    TurnKind,
    cards_left,
    pile_fit,
)
from engine.lines import EMPTY
from engine.round import Play, can_draw, turned_over

ANY_SLOT: Final = SLOTS[0]
"""The slot that stands for all of a rack out of sight: a card taken from the discard pile is put there meanwhile."""

TURN_COST: Final = math.log(0.3)
"""Log chance that, between two looks, the player to move has played: that of the turns in steps.py, over all slots."""

TAKEN_COST: Final = TAKE_COST + math.log(len(SLOTS)) + UNFINISHED_COST
"""Log chance that the player to move has taken the discard pile's top and has not discarded yet, likewise."""

TAKEN_BEFORE: Final = math.log(0.4)
"""Log chance that a turn which nobody saw took the top of the discard pile, for each card that must be gone."""

AGAIN: Final = math.log(0.15)
"""Log chance that a player discards a card that was taken from the discard pile before."""

USED_UP: Final = 8
"""Where the discard pile holds fewer cards, the draw pile cannot have been used up."""


def blind_turns(node: Node, glance: Glance, kind: TurnKind) -> Iterator[Candidate]:
    """What the player to move may have done, if that player's rack is out of sight."""
    history, kind = node.history, replace(kind, blind=True)
    at = glance.index.get("discard")
    if at is None:
        if can_draw(history.position):
            build = Build(history, Play("draw", None), kind, glance.t)
            yield Candidate(node.score + kind.cost + TURN_COST, (), build.whole)
        return
    seen, pile = glance.seen[at], history.position.discard
    again = _place_in_pile(history, seen.top)
    score = node.score + kind.cost - node.fits[at]
    if can_draw(history.position):
        known, cost = history, TURN_COST
        drawn = history.position.draw or turned_over(history.position).draw
        if again is None:
            fit = history.belief.fit(drawn[-1], "discard", seen)
        else:
            fit = history.belief.fit(pile[again], "discard", seen)
            known, cost = (
                replace(history, belief=history.belief.without([pile[again]])),
                cost + AGAIN - math.log(len(pile) - 1),
            )
        left = pile_fit(cards_left(history, "draw"), glance) - pile_fit(len(history.position.draw), glance)
        build = Build(known, Play("draw", None), kind, glance.t)
        yield Candidate(score + cost + fit + left, ((at, fit),), build.whole)
    if again == 0 and len(pile) >= USED_UP:
        turned = turned_over(replace(history.position, draw=()))
        fit = history.belief.fit(pile[0], "discard", seen)
        yield Candidate(
            score + TURNING_COST + fit, ((at, fit),), lambda: replace(history, position=turned, turned_over=True)
        )
    if again is not None or len(pile) == 1:
        below = pile[: 0 if again is None else again + 1]
        position = replace(history.position, discard=(*below, pile[-1]))
        taken = replace(history, position=position, belief=history.belief.without(pile[len(below) : -1]))
        fit = history.belief.fit(below[-1] if below else EMPTY, "discard", seen)
        cost = TAKEN_COST + TAKEN_BEFORE * (len(pile) - 1 - len(below))
        build = Build(taken, Play("discard", ANY_SLOT), kind, glance.t)
        yield Candidate(score + cost + fit, ((at, fit),), build.unfinished)


def laid_bare(history: History, glance: Glance) -> Iterator[tuple[History, float]]:
    """The history, with its log chance, in which cards below the discard pile's top are gone: what lay deeper is seen.

    Whoever played out of sight took them, one in a turn; the top was lifted just now, by a player whose rack is seen.
    """
    seen, pile = glance.of("discard"), history.position.discard
    if seen is None or history.position.to_move in history.blind or not history.played_unseen():
        return
    at = _place_in_pile(history, seen.top)
    if at is None or at == len(pile) - 2:
        return
    position = replace(history.position, discard=(*pile[: at + 1], pile[-1]))
    taken = pile[at + 1 : -1]
    yield replace(history, position=position, belief=history.belief.without(taken)), TAKEN_BEFORE * len(taken)


def _place_in_pile(history: History, card: int) -> int | None:
    """Where a card lies below the top of the discard pile; None where it is not known to."""
    if card <= EMPTY:
        return None
    pile = history.position.discard
    return next(
        (at for at in range(len(pile) - 2, -1, -1) if history.belief.chance_of(pile[at], (card,)) > KNOWN), None
    )
