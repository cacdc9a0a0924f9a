"""The host's word for a card or a play: histories that hold it, or that it is put into."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engine.cards import slot_index
from engine.errors import BadInput
from engine.following.blind import ANY_SLOT
from engine.following.history import Act, History
from engine.following.steps import Build, TurnKind
from engine.game import Game
from engine.lines import EMPTY, Correction, Played
from engine.round import Play, can_draw, put

DISBELIEVED: Final = 1e-6
"""The host's word never makes a history less likely than by this factor."""


def with_card(history: History, line: Correction) -> History:
    """A history after the host's word: less likely the less that card, or that none, was believed to be there."""
    place, stand_in = (line.seat, line.slot), history.position.rack(line.seat)[slot_index(line.slot)]
    if line.card == EMPTY:
        if stand_in <= EMPTY:
            return history
        score = history.score + math.log(max(history.belief.gone(stand_in, place), DISBELIEVED))
        return replace(history, position=put(history.position, place, -stand_in), score=score)
    if stand_in < EMPTY:
        stand_in = -stand_in
        history = replace(history, position=put(history.position, place, stand_in))
    chance = history.belief.chances(stand_in).get(line.card, 0.0)
    score = history.score + math.log(max(chance, DISBELIEVED))
    return replace(history, belief=history.belief.told(stand_in, line.card), score=score)


def with_play(histories: Sequence[History], line: Played, game: Game) -> list[History]:
    """Every history, best first, with the play that the host names. Raises BadInput for one that nobody can have made.

    Where a history held that very turn to have been played already, and it was not said yet, it is not played twice.
    """
    if line.seat not in game.seats:
        raise BadInput(f"a play of seat {line.seat} is named, but nobody plays there")
    for card in (line.card, line.discarded):
        if card is not None and card not in game.rules.deck:
            raise BadInput(f"card {card} is not in this deck of 1 to {game.rules.highest_card}")
    if line.source is not None and line.slot is None and (line.source == "discard" or line.card != line.discarded):
        raise BadInput("a card that was taken, or drawn and kept, was put into a slot: name it")
    if _is_counted(histories[0], line):
        raise BadInput("that very play is counted already; undo it first if it was misread")
    played = [after for history in histories if (after := _played(history, line)) is not None]
    if not played:
        raise BadInput(f"there was no card to take from the {line.source or 'draw'} pile")
    best = max(history.score for history in played)
    ranked = sorted(played, key=lambda history: history.score, reverse=True)
    return [replace(history, score=history.score - best) for history in ranked]


def _played(history: History, line: Played) -> History | None:
    held = history.last if history.acts else None
    if held is not None and _is(held, line):
        return _told(replace(history, unfinished=False), held, line)
    if history.unfinished:
        history = replace(history, unfinished=False)
    position = history.position
    source = line.source or "draw"
    if not (can_draw(position) if source == "draw" else position.discard):
        return None
    blind = line.seat in history.blind or line.source is None
    slot = ANY_SLOT if blind and source == "discard" else None if blind else line.slot
    kind = TurnKind(line.seat, blind=blind)
    after = Build(history, Play(source, slot), kind, line.t).whole()
    return _told(after, after.acts[-1], line)


def _is_counted(history: History, line: Played) -> bool:
    """Whether the latest turn that was said is the one that is named."""
    last = history.past[-1] if history.past and not history.acts else None
    return (
        last is not None
        and line.discarded is not None
        and _is(last, line)
        and history.belief.best(last.discarded)[0] == line.discarded
    )


def _is(act: Act, line: Played) -> bool:
    """Whether an act is the turn that is named."""
    if act.kind != "turn" or act.seat != line.seat or act.move is None:
        return False
    return act.blind or line.source is None or (act.move.source, act.move.slot) == (line.source, line.slot)


def _told(history: History, act: Act, line: Played) -> History:
    """A history that knows the cards of its last act by the host's word, and has seen all of it."""
    score, belief = history.score, history.belief
    drawn_back = act.move is not None and act.move.slot is None
    for stand_in, card in ((act.discarded, line.discarded), (EMPTY if drawn_back else act.card, line.card)):
        if card is not None and stand_in > EMPTY:
            score += math.log(max(belief.chances(stand_in).get(card, 0.0), DISBELIEVED))
            belief = belief.told(stand_in, card)
    acts = (*history.acts[:-1], replace(history.acts[-1], looks=max(act.looks, 1)))
    return replace(history, belief=belief, score=score, acts=acts)
