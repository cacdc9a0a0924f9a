"""What may have happened between two looks: a turn by the rules, whole or half way through, or the pile turned over.

Each way is a Candidate: how well the history fits the look if it happened, and how to build that history if it is
likely enough to be kept. Nothing is built for the many that are not.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from engine.cards import SLOTS, Seat, Slot, Source, slot_index
from engine.editions import Edition
from engine.following.history import Act, Glance, History, Place
from engine.following.likeness import Likeness
from engine.following.reach import reaching_cost
from engine.following.stir import changed_slots, exchange_cost, passing_cost
from engine.lines import EMPTY
from engine.powers import SlotOf
from engine.round import Play, Round, can_draw, moved, turned_over
from engine.violations import Rule

PASS_COST: Final = math.log(0.06)
"""Log chance that, between two looks, the player to move drew and discarded: about a turn in three looks, and one turn
in six so. The turns of people who play to win; who plays at random exchanges more."""

DRAW_COST: Final = math.log(0.016)
"""Log chance of a draw exchanged for the card of one particular slot."""

TAKE_COST: Final = math.log(0.012)
"""Log chance of the discard pile's top exchanged for the card of one particular slot."""

PUT_BACK: Final = 0.1
"""Chance, beside that of any draw, that who has lifted the discard pile's top puts it back and draws: a hand may have
looked like that."""

UNFINISHED_COST: Final = math.log(0.6)
"""Log chance that a turn of which something was seen lacks its last step still, the discard."""

OPEN_COST: Final = math.log(0.1)
"""Log chance that a turn is seen when the old card lies on the discard pile, and the new one is yet to come into its
slot."""

TOUCHING_COST: Final = math.log(0.05)
"""Log chance that the player to move is at a particular place at the time of a look, the turn having just begun."""

LINGERING_COST: Final = math.log(0.6)
"""Log chance that a player who was in the middle of a turn still is."""

STALE_COST: Final = math.log(0.01)
"""Log chance that the discard pile is told as it was before its top was taken: its camera has missed the hand."""

STILL_STALE_COST: Final = math.log(0.2)
"""The same of one more look, where that is held to have been so in the one before."""

TURNING_COST: Final = math.log(0.05)
"""Log chance that a used-up pile is turned over between two looks, before anybody needs to draw."""

WRONG_PILE_COST: Final = math.log(0.03)
"""Log chance that the draw pile is seen when it is used up, or not seen when it is there."""

CHEAT: Final = 0.003
"""Chance that a turn breaks a given rule: a round figure, for families at play."""

MISFIT: Final = 0.0
"""A place whose sighting fits worse than this begs for another explanation: one of which nothing is known fits better.
With log 0.3 a card that was doubtful once could be exchanged without being noticed."""

CONFIRMED: Final = math.log(20.0)
"""A place that was surely read and fits this well has not changed."""


@dataclass(slots=True)
class Node:
    """A history under a glance. fits: log weight by place of the glance. untaught: places of which nothing is learnt.

    score: log weight of the history and the glance together. stale: the discard pile is told as it was, and is so no
    more.
    """

    history: History
    fits: list[float]
    score: float
    untaught: tuple[Place, ...] = ()
    stale: bool = False
    misfits: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Find what does not fit."""
        self.misfits = tuple([at for at, fit in enumerate(self.fits) if fit < MISFIT])

    def explained(self, glance: Glance) -> bool:
        """Whether every place that was seen fits."""
        return all(glance.places[at] in self.untaught for at in self.misfits)


@dataclass(slots=True)
class Candidate:
    """A history that may be, one step on from a node. changed: the new fits, by place of the glance."""

    score: float
    changed: Sequence[tuple[int, float]]
    build: Callable[[], History]
    untaught: tuple[Place, ...] = ()
    stale: bool = False

    def node(self, origin: Node) -> Node:
        """Build the history."""
        fits = origin.fits.copy()
        for at, fit in self.changed:
            fits[at] = fit
        return Node(self.build(), fits, self.score, self.untaught, self.stale)


def pile_fit(cards_left: int, glance: Glance) -> float:
    """How well the sight of the draw pile fits that many cards in it; the last one may be in a hand, however long."""
    fits = glance.draw is None or (glance.draw == "cards") == (cards_left > 0)
    return 0.0 if fits or cards_left == 1 else WRONG_PILE_COST


@dataclass(slots=True)
class Refit:
    """Fits of other stand-ins at the places of a glance, for one node."""

    node: Node
    glance: Glance

    def at(self, place: Place, stand_in: int) -> tuple[float, tuple[tuple[int, float], ...]]:
        """The gain in log weight if that stand-in lay there, and the changed fit; nothing where it was not seen."""
        at = self.glance.index.get(place)
        if at is None:
            return 0.0, ()
        fit = self.node.history.belief.fit(stand_in, place, self.glance.seen[at])
        return fit - self.node.fits[at], ((at, fit),)

    def to_come(
        self, gain: float, changed: tuple[tuple[int, float], ...]
    ) -> tuple[float, tuple[tuple[int, float], ...]]:
        """The gain and the fit of a card in its slot, if it may be in a player's hand yet: an empty slot fits, too."""
        for at, fit in changed:
            if self.glance.seen[at].top == EMPTY:
                fit_so = max(fit, OPEN_COST + self.glance.seen[at].log_of(EMPTY))
                return fit_so - self.node.fits[at], ((at, fit_so),)
        return gain, changed

    def stands(self, place: Place) -> bool:
        """Whether the place was surely seen to be as it was; a card that was lifted from it may be anywhere."""
        at = self.glance.index.get(place)
        if at is None or self.node.fits[at] <= CONFIRMED:
            return False
        top = self.glance.seen[at].top
        return top > EMPTY or (top == EMPTY and self.node.history.at(place) <= EMPTY)


def doubt_of(history: History, slot: SlotOf, glance: Glance) -> Likeness | None:
    """Give what was said of a slot since something else stands there, no turn of a history having put it there yet.

    So it is where a card that can hardly be read is put into a rack, and the one that it replaces is discarded
    afterwards: doubts are told once, before it is seen that there was a turn.
    """
    doubt = glance.doubt(slot)
    if doubt is None:
        return None
    later = [act.move for act in history.latest if act.seat == slot[0] and act.t >= doubt.t]
    return None if any(move is not None and move.slot == slot[1] for move in later) else doubt.what


@dataclass(frozen=True, slots=True)
class TurnKind:
    """Which turns are asked for: by whom, at what extra cost, breaking which rule, and who is to move afterwards.

    blind: the rack is out of sight.
    """

    seat: Seat
    cost: float = 0.0
    rule: Rule | None = None
    to_move: Seat | None = None
    again: bool = False
    blind: bool = False


def turns(node: Node, glance: Glance, kind: TurnKind, edition: Edition, slots: Sequence[Slot]) -> Iterator[Candidate]:
    """Every turn of one seat that exchanges a card of one of `slots`, finished or not."""
    history, refit = node.history, Refit(node, glance)
    position = history.position
    stirred = changed_slots(history, kind.seat, glance)
    for source, top, below in sources(history.position):
        cost = kind.cost + (_drawing(history, DRAW_COST) if source == "draw" else TAKE_COST)
        cost += reaching_cost(history, source)
        rule, price = kind.rule, kind.cost if kind.rule == "wrong-turn" else 0.0
        if source == "discard" and edition.powers:
            prime = history.belief.chance_of(top, edition.powers)
            against = math.log(1 - prime + prime * CHEAT)
            cost += against
            if prime > 0.5 and rule is None:
                rule, price = "prime-taken", against
        left = cards_left(history, source)
        cost += node.score + pile_fit(left, glance) - pile_fit(len(position.draw), glance)
        half, half_changed = refit.at("discard", below)
        told_still = source == "discard" and kind.rule is None and refit.stands("discard")
        made_kind = kind if rule == kind.rule else replace(kind, rule=rule)
        rack = position.rack(kind.seat)
        for slot in slots:
            place = (kind.seat, slot)
            move = Play(source, slot)
            gain, changed = refit.at(place, top)
            filled, filled_changed = refit.to_come(gain, changed)
            more = exchange_cost(stirred, slot)
            doubt = doubt_of(history, place, glance)
            if doubt is not None:
                more += history.belief.fit(top, place, doubt) - history.belief.fit(history.at(place), place, doubt)
            whole, whole_changed = refit.at("discard", rack[slot_index(slot)])
            made = Build(history, move, made_kind, glance.t, doubt, price)
            yield Candidate(cost + filled + more + whole, (*filled_changed, *whole_changed), made.whole)
            if changed and (kind.rule is None or (kind.rule == "wrong-turn" and not _same_again(history, kind, slot))):
                score = cost + gain + more + UNFINISHED_COST
                yield Candidate(score + half, (*changed, *half_changed), made.unfinished)
                if told_still:
                    yield Candidate(score + STALE_COST, changed, made.unfinished, stale=True)


def _same_again(history: History, kind: TurnKind, slot: Slot) -> bool:
    """Whether the last turn was of that very slot: then it was rather misread than exchanged again, out of turn."""
    last = history.last
    return last is not None and (last.seat, last.slot) == (kind.seat, slot)


def passing(node: Node, glance: Glance, kind: TurnKind) -> Iterator[Candidate]:
    """The seat drew a card and discarded it."""
    history = node.history
    for source, top, _ in sources(history.position):
        if source == "draw":
            gain, changed = Refit(node, glance).at("discard", top)
            left = cards_left(history, source)
            gain += pile_fit(left, glance) - pile_fit(len(history.position.draw), glance)
            price = _drawing(history, PASS_COST) + passing_cost(changed_slots(history, kind.seat, glance))
            made = Build(history, Play("draw", None), kind, glance.t, price=price)
            cost = kind.cost + price + reaching_cost(history, source)
            yield Candidate(node.score + cost + gain, changed, made.whole)


def _drawing(history: History, cost: float) -> float:
    """Give the log chance of a turn that begins with a draw, by that of one before which nothing was touched."""
    lifted = 1.0 if "discard" in history.touched else history.belief.gone(history.top, "discard")
    return cost + math.log(1 - lifted + lifted * PUT_BACK)


def sources(position: Round) -> Iterator[tuple[Source, int, int]]:
    """The piles to take from: the card on top, and what is then on top of the discard pile."""
    pile = position.discard
    top = pile[-1] if pile else EMPTY
    if position.draw:
        yield "draw", position.draw[-1], top
    elif can_draw(position):
        turned = turned_over(position)
        yield "draw", turned.draw[-1], turned.discard[-1] if turned.discard else EMPTY
    if pile:
        yield "discard", top, pile[-2] if len(pile) > 1 else EMPTY


def cards_left(history: History, source: Source) -> int:
    """Cards in the draw pile after taking one from that pile."""
    position = history.position
    if source == "discard":
        return len(position.draw)
    if position.draw:
        return len(position.draw) - 1
    return len(position.discard) - (2 if position.turn_over == "new-discard" else 1)


@dataclass(slots=True)
class Build:
    """One turn, to be built. doubt: what was said of the slot before, something else standing there since.

    price: the act's.
    """

    history: History
    move: Play
    kind: TurnKind
    t: float
    doubt: Likeness | None = None
    price: float = 0.0

    def whole(self) -> History:
        """The history with the turn in it."""
        history, kind = self.history, self.kind
        if kind.again:
            history = history.with_effect("again")
        before = history.position
        position = moved(before, self.move, kind.seat)
        if kind.to_move is not None:
            position = replace(position, to_move=kind.to_move)
        discarded = position.discard[-1]
        slot = self.move.slot
        card = discarded if slot is None else position.rack(kind.seat)[slot_index(slot)]
        over = history.turned_over or (self.move.source == "draw" and not before.draw)
        revocable = kind.rule in {None, "wrong-turn", "prime-taken"} and not kind.blind
        act = Act(
            "turn",
            kind.seat,
            self.t,
            self.move,
            card,
            discarded,
            rule=kind.rule,
            turned_over=over,
            blind=kind.blind,
            before=before if revocable else None,
            price=self.price,
        )
        # Where nobody sees the discard pile, a card drawn and discarded leaves no sign: whose turn it is stays open.
        gap = max(0, history.gap - 1) if slot is not None and history.pile_seen else history.gap
        belief = history.belief
        if slot is not None and self.doubt is not None:
            belief = belief.seeing([(card, (kind.seat, slot), self.doubt)])
        return replace(
            history,
            position=position,
            belief=belief,
            acts=(*history.acts, act),
            touched=(),
            turned_over=False,
            gap=gap,
            pile_seen=False,
        )

    def unfinished(self) -> History:
        """The same, the card that leaves the rack being in the player's hand still."""
        return replace(self.whole(), unfinished=True)


def open_slots(node: Node, glance: Glance, seat: Seat, *, unseen: bool) -> list[Slot]:
    """Slots of a rack where something may have changed: seen to be otherwise, or (`unseen`) not surely seen at all."""
    refit = Refit(node, glance)
    found = []
    for slot in SLOTS:
        at = glance.index.get((seat, slot))
        if at is None:
            if unseen:
                found.append(slot)
        elif at in node.misfits or (unseen and not refit.stands((seat, slot))):
            found.append(slot)
    return found


def turning(node: Node, glance: Glance) -> Iterator[Candidate]:
    """A used-up draw pile was turned over at once; the leaflets do not say whether it is, or when somebody draws."""
    history = node.history
    position = history.position
    if position.draw or not can_draw(position) or _shows_cards_to_draw_only(glance):
        return
    turned = turned_over(position)
    gain, changed = Refit(node, glance).at("discard", turned.discard[-1] if turned.discard else EMPTY)
    gain += pile_fit(len(turned.draw), glance) - pile_fit(0, glance)
    yield Candidate(
        node.score + TURNING_COST + gain, changed, lambda: replace(history, position=turned, turned_over=True)
    )


def turned_at_once(history: History, glance: Glance) -> Iterator[tuple[History, float]]:
    """The history, with its log chance, in which it was, where nothing tells but that there are cards to draw again.

    A discard pile of which nothing is left may not be told.
    """
    position = history.position
    if _shows_cards_to_draw_only(glance) and not (position.draw or history.unfinished) and can_draw(position):
        yield replace(history, position=turned_over(position), turned_over=True), TURNING_COST


def _shows_cards_to_draw_only(glance: Glance) -> bool:
    return glance.draw == "cards" and glance.of("discard") is None


def touching(node: Node, glance: Glance) -> Iterator[Candidate]:
    """Ways in which the player to move may have begun a turn: nothing is learnt of the cards that are in motion.

    The top of the discard pile may be in the player's hand, and a slot may be empty.
    """
    history, refit = node.history, Refit(node, glance)
    seat = history.position.to_move
    begun = LINGERING_COST if history.touched else TOUCHING_COST
    pile = glance.of("discard")
    if "discard" in history.touched and pile is not None and history.belief.knows(history.under, "discard", pile):
        begun = 0.0  # what was laid bare is still there: one more look at it tells nothing new
    cost = node.score + begun
    lifted, lifted_at = refit.at("discard", history.under)
    if lifted_at:
        yield Candidate(cost + lifted, lifted_at, lambda: history, ("discard",))
    for at in node.misfits:
        place = glance.places[at]
        if place != "discard" and place[0] == seat:
            fit = glance.seen[at].log_of(EMPTY)
            gain = fit - node.fits[at]
            yield Candidate(cost + gain, ((at, fit),), lambda: history, (place,))
            if lifted_at:
                yield Candidate(cost + gain + lifted, ((at, fit), *lifted_at), lambda: history, (place, "discard"))
