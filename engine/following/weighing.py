"""Weighing histories against a look at the table: as they stand, and with what may have happened since the last."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from engine.cards import Source
from engine.editions import Edition
from engine.following.blind import blind_turns, laid_bare
from engine.following.history import KNOWN, Glance, History
from engine.following.irregular import (
    discarded_first,
    finished_wrongly,
    one_more_exchanged,
    two_exchanged,
    wrong_discards,
    wrong_turns,
)
from engine.following.learning import UNLIKELY, learnt
from engine.following.reach import arms_before, arms_cost
from engine.following.second_thoughts import taking_back
from engine.following.sight import uncounted
from engine.following.steps import (
    LINGERING_COST,
    STILL_STALE_COST,
    Candidate,
    Node,
    Refit,
    TurnKind,
    open_slots,
    passing,
    pile_fit,
    touching,
    turned_at_once,
    turning,
    turns,
)
from engine.following.stir import standing_costs
from engine.following.switches import another_turn, rearranged
from engine.following.tempo import Tempo
from engine.following.unseen import lost, replaced, used_up
from engine.lines import EMPTY

FINISHING_COST: Final = math.log(0.4)
"""Log chance that a player whose new card stands in its slot has discarded the old one by the next look."""

PROMISING: Final = 3.0
"""A history is tried with a second act if that could bring it this near to the best."""

BETTER: Final = 4.0
"""Where something explains the look by the rules, only a history that could be better yet is tried with more acts: its
outlook must be this much better than what is PROMISING elsewhere."""

BEAM: Final = 40
"""How many of the likeliest histories are tried with one act more, when nothing explains a look."""

MOST_ACTS: Final = 2
"""How many acts are reckoned with between two looks, while nobody says that plays may have been missed."""

UNSETTLED: Final = 0.5
"""Chance of one more turn before a look, when somebody says that plays may have been missed."""

UNSEEN_COST: Final = math.log(0.02)
"""Where plays may have been missed, what looks like a cheat is more likely to be two honest turns."""

BLIND: Final = 0.3
"""Chance that a turn was over before the last look, if that look could not have shown it."""

SHUFFLED: Final = math.log(0.035)
"""Log chance that the discard pile was shuffled when it was turned over, or that its order is another than it seemed.
No leaflet has it shuffled, but people do. From 0.039 on, a card drawn and discarded when the pile has just been turned
over would not be told at once: in a shuffled one of 19 cards it might have been turned up."""

WELL: Final = 4.0
"""About the log weight of a sure reading that fits."""


def weigh(histories: Sequence[History], glance: Glance, edition: Edition, tempo: Tempo) -> list[History]:
    """Every history that may still be after one more look, best first, having learnt from the look."""
    level = [node for history in histories for meant in _meant(history, glance) for node in _standing(meant, glance)]
    grown = _grown(level, histories, glance, edition, tempo)
    since = [node for node in grown if node.history.acts and node.history.acts[-1].t == glance.t]
    # the draw pile may have been used up when the last look came, or by what has happened since
    for before in (level, since):
        if _is_well_explained(_likeliest(grown), glance):
            break
        short = [other for node in before if node.misfits for other in _used_up(node, glance)]
        if short:
            grown += _grown(short, histories, glance, edition, tempo)
    if glance.draw == "empty":
        known = {node.history.position for node in grown if not node.history.position.draw}
        short = [other for node in grown for other in _used_up(node, glance)]
        # by one look more that shows it so, it is no more likely that a card is missing: the last may be in a hand
        grown += [node for node in short if node.history.position not in known]
    return learnt(grown, glance)


def _grown(
    level: Sequence[Node], histories: Sequence[History], glance: Glance, edition: Edition, tempo: Tempo
) -> list[Node]:
    """Weigh what may have happened since the last look: nothing, as the nodes of this level have it, or some acts."""
    level = [*level, *(other for node in level if node.misfits for other in _shuffled(node, glance))]
    grown = [*level, *(late for node in level for late in _unnoticed(node, glance, edition, tempo))]
    if len(level) == 1 and not level[0].misfits:
        return grown
    for depth in range(1, _most_acts(histories) + 1):
        first = _likeliest(grown)
        best = first.score
        explained = depth > 1 and _is_well_explained(first, glance)
        found = [
            (node, candidate)
            for node in level
            if not node.history.unfinished and not node.untaught and not node.explained(glance)
            for candidate in _candidates(
                node, glance, edition, _cost(node.history, depth, glance, tempo), best + BETTER if explained else best
            )
        ]
        if not found:
            break
        level = _beam(found, glance, best)
        grown.extend(level)
    return grown


def _likeliest(grown: Sequence[Node]) -> Node:
    return max(grown, key=lambda node: node.score)


def _is_well_explained(node: Node, glance: Glance) -> bool:
    """Whether a node explains the look, and nothing irregular was made up for it."""
    return node.explained(glance) and _is_regular(node.history)


def _unnoticed(node: Node, glance: Glance, edition: Edition, tempo: Tempo) -> list[Node]:
    """What the player to move may have done before the discard pile's top is seen for the first time.

    Nothing need be amiss: nobody knew what lay there before, and the turn may have been played where nobody could see.
    """
    history = node.history
    if not history.unnoticed or history.unfinished or history.top == EMPTY:
        return []
    seen = glance.of("discard")
    if seen is None or seen.top <= 0 or history.belief.best(history.top)[1] >= KNOWN:
        return []
    haste = tempo.first_haste(glance.t)
    kind = TurnKind(history.position.to_move, math.log(tempo.missed if haste else BLIND) + haste)
    slots = open_slots(node, glance, kind.seat, unseen=True)
    candidates = chain(passing(node, glance, kind), turns(node, glance, kind, edition, slots))
    likely = [candidate for candidate in candidates if candidate.score > node.score - UNLIKELY]
    return _by_whom([node] * len(likely), likely, glance)


def _most_acts(histories: Sequence[History]) -> int:
    """How many acts are reckoned with since the last look."""
    if any(history.gap for history in histories):
        return 2 * len(histories[0].position.seats) + 1
    return MOST_ACTS + any(history.covered or history.unnoticed for history in histories)


def _is_regular(history: History) -> bool:
    """Whether nothing irregular was made up to explain this look."""
    return all(act.looks or (act.rule is None and act.kind == "turn") for act in history.acts)


@dataclass(frozen=True, slots=True)
class _Cost:
    """What one more act before this look costs beyond its own price: `more` for any act but the first, as log chance.

    haste: the same for a whole turn, by the time that it would have had.
    """

    more: float
    haste: float

    @property
    def turn(self) -> float:
        return self.more + self.haste


def _cost(history: History, depth: int, glance: Glance, tempo: Tempo) -> _Cost:
    unseen = math.log(UNSETTLED if history.gap else BLIND if history.covered or history.unnoticed else tempo.missed)
    more = unseen if depth > 1 else 0.0
    haste = tempo.haste(history, glance.t)
    if depth == 1 and _barely_over(history, glance.t):
        haste += unseen
    return _Cost(more, haste)


def _barely_over(history: History, t: float) -> bool:
    """Whether the last turn breaks a rule and was in the middle at the look before this one: none has shown its end."""
    last = history.acts[-1] if history.acts else None
    return last is not None and last.rule is not None and not (last.looks or history.unfinished) and last.t < t


def _beam(found: Sequence[tuple[Node, Candidate]], glance: Glance, best: float) -> list[Node]:
    """Build the candidates that are likely as they stand, or would be if the discard pile were covered once more."""
    if not found:
        return []
    top = max(best, *(candidate.score for _, candidate in found))
    at = glance.index.get("discard")

    def promise(pair: tuple[Node, Candidate]) -> float:
        node, candidate = pair
        if at is None:
            return candidate.score
        fit = dict(candidate.changed).get(at, node.fits[at])
        return candidate.score - min(fit, 0.0)

    likely = sorted((pair for pair in found if promise(pair) > top - UNLIKELY), key=promise, reverse=True)
    return _by_whom([node for node, _ in likely[:BEAM]], [candidate for _, candidate in likely[:BEAM]], glance)


def _by_whom(origins: Sequence[Node], candidates: Sequence[Candidate], glance: Glance) -> list[Node]:
    """Build candidates, each of its origin, weighed by whose arms were seen for the turn that it has more."""
    nodes = [candidate.node(origin) for origin, candidate in zip(origins, candidates, strict=True)]
    if not glance.arms.seen:
        return nodes
    before: dict[int, float] = {}
    for node, origin in zip(nodes, origins, strict=True):
        if node.history is not origin.history:
            if id(origin) not in before:
                before[id(origin)] = arms_before(origin.history, glance)
            node.score += arms_cost(node.history, glance) - before[id(origin)]
    return nodes


def _meant(history: History, glance: Glance) -> Iterator[History]:
    """A history as it is, and as it may be meant where nobody saw all that was drawn and taken."""
    yield from _counted(history)
    for other, cost in chain(laid_bare(history, glance), uncounted(history, glance), turned_at_once(history, glance)):
        yield replace(other, score=other.score + cost)


def _counted(history: History) -> Iterator[History]:
    """A history as it is; where only cards that somebody kept may be left to draw, with each that may be the next.

    Any of them may be elsewhere. Those below the next one stay open until it is drawn.
    """
    position = history.position
    left = len(position.draw)
    if not 0 < left <= history.kept:
        yield history
        return
    for missing in range(left + 1):
        draw = position.draw[: left - missing]
        score = history.score - math.log(2) * min(missing + 1, left)
        yield replace(history, position=replace(position, draw=draw), kept=max(len(draw) - 1, 0), score=score)


def _used_up(node: Node, glance: Glance) -> Iterator[Node]:
    """Weigh a history as if cards were missing from the draw pile, and none were left in it."""
    gain = pile_fit(0, glance) - pile_fit(len(node.history.position.draw), glance)
    for history, cost in used_up(node.history, glance):
        yield Node(history, node.fits, node.score + cost + gain, node.untaught, node.stale)


def _shuffled(node: Node, glance: Glance) -> Iterator[Node]:
    """Weigh a history that does not fit the look as if nothing were known of the cards that are to be drawn.

    They have lain in the discard pile, or lie there still. What was not said yet is remembered, to be said.
    """
    history, position = node.history, node.history.position
    if history.score <= -PROMISING:
        return
    # what lies on top of a pile that is yet to be turned over is seen to be there
    pile = position.draw[history.kept :] if position.draw else position.discard[:-1]
    belief = history.belief.without({*pile} - history.unsaid)
    if belief is not history.belief:
        yield from _standing(replace(history, belief=belief, score=history.score + SHUFFLED), glance)


def _standing(history: History, glance: Glance) -> Iterator[Node]:
    """Weigh a history with nothing new; one whose last turn was unfinished may still be so, or not, or be taken back.

    Where the discard was not seen yet, it may be another card than should lie there.
    """
    fits = history.belief.fits(history.in_view(glance), glance.places, glance.seen)
    for at, cost in standing_costs(history, glance):
        fits[at] += cost
    pile_at = glance.index.get("discard")
    if pile_at is not None and glance.seen[pile_at].top == EMPTY and history.under != EMPTY:
        # whoever has lifted the topmost card lays bare the one below
        fits[pile_at] = math.log(glance.seen[pile_at].other)
    score = history.score + (LINGERING_COST if history.unfinished else 0.0)
    standing = Node(history, fits, score + sum(fits) + _draw_pile_fit(history, glance))
    yield standing
    if pile_at is not None and _took_unseen(history):
        told = history.belief.fit(history.acts[-1].card, "discard", glance.seen[pile_at])
        cost = STILL_STALE_COST + told - fits[pile_at]
        yield Candidate(standing.score + cost, ((pile_at, told),), lambda: history, stale=True).node(standing)
    if history.unfinished:
        yield from (candidate.node(standing) for candidate in taking_back(standing, glance))
        refit = Refit(standing, glance)
        if history.acts and history.acts[-1].rule is not None and refit.stands("discard"):
            return  # it would have to be misread now, and nobody is accused on that
        finished = replace(history, unfinished=False)
        gain, changed = refit.at("discard", finished.top)
        cost = FINISHING_COST - LINGERING_COST
        yield Candidate(standing.score + cost + gain, changed, lambda: finished).node(standing)
    if history.unfinished or not history.pile_seen:
        yield from (candidate.node(standing) for candidate in finished_wrongly(standing, glance))


def _draw_pile_fit(history: History, glance: Glance) -> float:
    """How well the sight of the draw pile fits; while a turn is unfinished it may be told as it was before the draw."""
    fit = pile_fit(len(history.position.draw), glance)
    return max(fit, STILL_STALE_COST) if glance.draw == "cards" and _underway(history) == "draw" else fit


def _took_unseen(history: History) -> bool:
    """Whether the last turn, not finished yet, took the discard pile's top, and no look has shown the pile since."""
    return history.covered and _underway(history) == "discard"


def _underway(history: History) -> Source | None:
    """Give the pile from which the last turn took its card, if it is not finished yet."""
    move = history.acts[-1].move if history.unfinished and history.acts else None
    return None if move is None else move.source


def _candidates(node: Node, glance: Glance, edition: Edition, cost: _Cost, best: float) -> Iterator[Candidate]:
    """Everything that may have happened next in a history that does not fit the look."""
    possible = node.score + sum(WELL - node.fits[at] for at in node.misfits)
    if not edition.powers:
        possible += cost.more  # the use of a power is no turn that anybody missed
    if cost.more:
        possible -= arms_cost(node.history, glance)  # one more turn may explain whose arms were seen
    if possible < best - (PROMISING if cost.more else UNLIKELY):
        return
    last = node.history.last
    if last is not None and last.kind == "rearranged" and last.t == glance.t:
        return  # a turn and cards that changed places come in this order: both orders show the same
    yield from _by_the_rules(node, glance, edition, cost)
    if last is not None and last.rule and not last.looks:
        return  # one thing at a time: nobody breaks two rules between two looks
    for candidate in _otherwise(node, glance, edition, cost):
        if node.history.gap:
            candidate.score += UNSEEN_COST
        yield candidate
    if cost.more > -UNLIKELY:
        yield from lost(node, glance)
        yield from replaced(node, glance)


def _by_the_rules(node: Node, glance: Glance, edition: Edition, cost: _Cost) -> Iterator[Candidate]:
    """The turn of the player to move, or a part of it; or a power, the pile turned over, an exchange taken back."""
    history = node.history
    # A turn of which nothing is seen may explain what came after it: the next one, or the power that it set free.
    deeper = cost.more < 0 or history.gap > 0 or history.covered or history.unnoticed or bool(edition.powers)
    kind = TurnKind(history.position.to_move, cost.turn)
    discard = glance.index.get("discard")
    uncovered = discard is None or discard in node.misfits
    if kind.seat in history.blind:
        yield from _of_a_blind_seat(node, glance, kind, first=not cost.more)
        return
    slots = open_slots(node, glance, kind.seat, unseen=uncovered and (discard is not None or deeper))
    yield from turns(node, glance, kind, edition, slots)
    if uncovered or deeper:
        yield from passing(node, glance, kind)
    if not cost.more:
        yield from touching(node, glance)
        yield from turning(node, glance)
    yield from taking_back(node, glance)
    if edition.powers:
        yield from another_turn(node, glance, edition, cost.haste)


def _of_a_blind_seat(node: Node, glance: Glance, kind: TurnKind, *, first: bool) -> Iterator[Candidate]:
    """The same for a player whose rack is out of sight: only the tray can tell."""
    yield from blind_turns(node, glance, kind)
    if first:
        yield from touching(node, glance)
        yield from turning(node, glance)


def _otherwise(node: Node, glance: Glance, edition: Edition, cost: _Cost) -> Iterator[Candidate]:
    """What breaks a rule, and cards that changed places for whatever reason."""
    yield from rearranged(node, glance, edition)
    yield from wrong_turns(node, glance, edition, cost.turn)
    yield from discarded_first(node, glance)
    yield from one_more_exchanged(node, glance)
    for candidate in chain(wrong_discards(node, glance), two_exchanged(node, glance)):
        candidate.score += cost.haste
        yield candidate


def shares(histories: Sequence[History]) -> list[tuple[History, float]]:
    """The histories with their chances, which add up to 1."""
    if len(histories) == 1:
        return [(histories[0], 1.0)]
    top = max(history.score for history in histories)
    powers = [math.exp(history.score - top) for history in histories]
    total = sum(powers)
    return [(history, power / total) for history, power in zip(histories, powers, strict=True)]
