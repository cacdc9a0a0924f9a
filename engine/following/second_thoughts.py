"""Second thoughts: an exchange that its player takes back, after discarding or before."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from engine.following.history import Act, Glance
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
    if last is None or last.before is None or last.effect is not None:
        return
    if last.move is None or last.move.slot is None:
        return
    cost = TRIED_COST if history.unfinished else TAKEN_BACK_COST
    back = replace(history, position=last.before, touched=(), reached=None, gap=max(1, history.gap), unfinished=False)
    if history.acts:
        back = replace(back, acts=history.acts[:-1])
    else:
        back = replace(back, past=(*history.past[:-1], Act("undone", last.seat, glance.t)))
    refit = Refit(node, glance)
    slot = (last.seat, last.move.slot)
    gain, changed = refit.at(slot, back.at(slot))
    more, more_changed = refit.at("discard", back.top)
    score = node.score + cost + gain + more
    yield Candidate(score, (*changed, *more_changed), lambda: back)
