"""Second thoughts: an exchange that its player takes back, after discarding or before."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from engine.following.history import Act, Glance, History
from engine.following.steps import Candidate, Node, Refit

TAKEN_BACK_COST: Final = math.log(0.002)
"""Log chance that, between two looks, a turn is taken back that seemed to be over."""

TRIED_COST: Final = math.log(0.02)
"""Log chance that, between two looks, an exchange is taken back before the discard, another slot having been tried
first. A round figure, beside that of lingering: ten times as likely as to take back what was over."""


def taking_back(node: Node, glance: Glance) -> Iterator[Candidate]:
    """The last player took an exchange back, "oh wait", and both cards are where they were; another turn may follow.

    Or, while the turn is unfinished, what left the rack is back in its slot, and the new card still in the hand.
    Nothing else is held to be taken back: who takes the card just discarded plays once more, out of turn.
    """
    history = node.history
    last = history.last
    if last is None or last.before is None or last.effect is not None or last.slot is None:
        return
    cost = TRIED_COST if history.unfinished else TAKEN_BACK_COST
    # whose turn it is stays as sure as it was while that player's discard is not on the pile
    gap = history.gap if history.unfinished else max(1, history.gap)
    back = replace(without_last(history, glance.t), position=last.before, gap=gap)
    refit = Refit(node, glance)
    slot = (last.seat, last.slot)
    gain, changed = refit.at(slot, back.at(slot))
    more, more_changed = refit.at("discard", back.top)
    # who has only tried out of turn has broken nothing yet
    score = node.score + cost + gain + more - last.price
    yield Candidate(score, (*changed, *more_changed), lambda: back)


def without_last(history: History, t: float) -> History:
    """Leave out the last turn: if it has been said, that is said to be undone. The position stays as it is."""
    history = replace(history, touched=(), reached=None, unfinished=False)
    if history.acts:
        return replace(history, acts=history.acts[:-1])
    *past, last = history.past
    return replace(history, past=(*past, Act("undone", last.seat, t)))
