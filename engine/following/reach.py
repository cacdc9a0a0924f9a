"""Which pile a player reaches for: a hand over one of them hides it, while the other stays in view."""

import math
from collections.abc import Sequence
from typing import Final

from engine.cards import Source
from engine.following.history import Act, Glance, History, Reach
from engine.following.stir import changed_slots

CONTRARY_COST: Final = math.log(0.1)
"""Log chance that who takes a card from a pile was seen to reach for the other one first. Of 142 exchanges in recorded
and drawn rounds in which one pile alone was hidden two were so; people's hands stray more."""


def reach_of(history: History, acts: Sequence[Act], glance: Glance) -> Reach | None:
    """Tell which pile a hand was seen over first since the last turn, with one more look; `acts` are not said yet.

    None until the card discarded in that turn was seen to lie there, and both piles were: before, the hand that is seen
    over one may be that player's, and a pile that cannot be made out is not hidden.
    """
    last = acts[-1] if acts else history.past[-1] if history.past else None
    if last is not None and not last.in_sight:
        return None
    before, discard, draw = _since_last_turn(history), "discard" in glance.index, glance.draw is not None
    if before is None:
        return "neither" if discard and draw else None
    if before != "neither" or discard == draw:
        return before
    # once the rack has changed, who reaches for the discard pile puts a card there
    exchanged = changed_slots(history, history.position.to_move, glance)
    return "neither" if exchanged else "draw" if discard else "discard"


def reaching_cost(history: History, source: Source) -> float:
    """Give how much a turn that takes a card from a pile is less likely, as log chance, by where a hand was seen."""
    return 0.0 if _since_last_turn(history) in {None, "neither", source} else CONTRARY_COST


def _since_last_turn(history: History) -> Reach | None:
    """Give which pile a hand was seen over; what was seen before a turn that is only being made up belongs to that."""
    only_now = history.acts and not history.acts[-1].looks
    return None if only_now else history.reached
