"""Second thoughts: an exchange that its player takes back, before discarding or afterwards."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from engine.following.history import Act, Glance, History, Place
from engine.following.steps import Candidate, Node, Refit
from engine.powers import SlotOf
from engine.round import Round

TAKEN_BACK_COST: Final = math.log(0.002)
"""Log chance that, between two looks, a turn is taken back that seemed to be over."""

PUT_BACK_COST: Final = math.log(0.03)
"""Log chance that, between two looks, a player puts a card back into its slot, whose turn is not over yet."""


def taking_back(node: Node, glance: Glance) -> Iterator[Candidate]:
    """The last player took an exchange back, "oh wait", and both cards are where they were; another turn may follow.

    Nothing else is held to be taken back: who takes the card just discarded plays once more, out of turn.
    """
    history = node.history
    if history.unfinished or (exchange := _last_exchange(history)) is None:
        return
    slot, before = exchange
    back = replace(history, position=before, touched=(), reached=None, gap=max(1, history.gap))
    if history.acts:
        back = replace(back, acts=history.acts[:-1])
    else:
        back = replace(back, past=(*history.past[:-1], Act("undone", slot[0], glance.t)))
    refit = Refit(node, glance)
    gain, changed = refit.at(slot, back.at(slot))
    more, more_changed = refit.at("discard", back.top)
    score = node.score + TAKEN_BACK_COST + gain + more
    yield Candidate(score, (*changed, *more_changed), lambda: back)


def putting_back(node: Node, glance: Glance) -> Iterator[Candidate]:
    """A player whose turn is not over has put the old card back into its slot, and holds the new one.

    Where the new one was the discard pile's top, the pile looks as if it still were in a hand, which it is.
    """
    history = node.history
    if not history.unfinished or not history.acts or (exchange := _last_exchange(history)) is None:
        return
    slot, before = exchange
    if glance.index.get(slot) not in node.misfits:
        return
    back = replace(history, position=before, acts=history.acts[:-1], unfinished=False)
    gain, changed = Refit(node, glance).at(slot, back.at(slot))
    move = history.acts[-1].move
    lifted: tuple[Place, ...] = ("discard",) if move is not None and move.source == "discard" else ()
    yield Candidate(node.score + PUT_BACK_COST + gain, changed, lambda: back, lifted)


def _last_exchange(history: History) -> tuple[SlotOf, Round] | None:
    """Give the slot of the last turn, if that was an exchange by the rules, and the position before it."""
    last = history.last
    if last is None or last.before is None or last.effect is not None:
        return None
    if last.move is None or last.move.slot is None:
        return None
    return (last.seat, last.move.slot), last.before
