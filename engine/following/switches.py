"""What Prime cards' powers do, and cards that change places without them: candidates as in following.steps.

A power is recognised by what changed: another turn of the same player, or two cards in racks that changed places. The
same change without a Prime card to explain it breaks a rule.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final, Literal

from engine.cards import SLOTS, Card, Seat
from engine.editions import Edition
from engine.following.history import KNOWN, Act, Glance, History
from engine.following.steps import Candidate, Node, Refit, TurnKind, open_slots, passing, turns
from engine.powers import Effect, Power, PowerTable, SlotOf, Switch, power_used
from engine.round import put
from engine.violations import Rule

REARRANGED_COST: Final = math.log(1e-5)
"""Log chance that, between two looks, two particular cards of a rack change places: about one round in twenty sees such
a thing, over some two hundred looks and fifty pairs."""

ACROSS_COST: Final = math.log(1e-6)
"""Log chance that two particular cards of two racks do."""

MORE_COST: Final = math.log(0.2)
"""For every card more than two that changed places."""

PUT_BACK_COST: Final = math.log(0.005)
"""Log chance that cards which were rearranged before are put back."""

SLID_COST: Final = math.log(1e-4)
"""Log chance that a rack was told a slot off while it was filled: it was pushed, or its mat is printed smaller."""

FEWEST_SLID: Final = 3
"""So many slots in a row, at least, show each its neighbour's card then."""

AT_ONCE: Final = 2.5
"""Cards that change places so many seconds after others of that rack did are part of one act, the rest of which a hand
has hidden. A round figure: nobody does it twice in that time."""

USE_COST: Final = math.log(0.3)
"""Log chance that a player uses the power of a Prime card."""

LATE_COST: Final = math.log(0.02)
"""For every act that has passed since, if a used power is noticed late: the cards could not be seen meanwhile."""

AFTERWARDS_COST: Final = math.log(0.01)
"""Where a look since the next act has shown them in their places: who plays on uses no power any more (a round
figure)."""

UNSEEN_COST: Final = math.log(0.02)
"""Where a Prime card may have been discarded and nobody saw it, its power is the likelier reason."""

ALLOWED: Final = 0.05
"""How much less likely it is that cards change places against the rules while a power allows just that."""

LATEST: Final = 4
"""Among so many of the latest acts a turn is looked for whose power explains what changed."""

WAYS: Final[dict[Power, int]] = {
    "switch-own": 45,
    "switch-with-opponent": 200,
    "switch-opponents": 200,
    "another-turn": 1,
}
"""How many switches there are to choose from, roughly."""


def another_turn(node: Node, glance: Glance, edition: Edition, haste: float) -> Iterator[Candidate]:
    """Another turn by the power of the Prime card that was just discarded: the card is drawn, and exchanged or not.

    One that was begun already, and taken back, costs nothing more; any other `haste`, as a log chance.
    """
    history = node.history
    last = history.last
    if last is None or history.unfinished or last.kind != "turn" or last.effect not in {None, "again"}:
        return
    begun = last.effect == "again"
    chance = 1.0 if begun else _chance_of_power(history, last, edition.powers, "another-turn")
    if chance > 0.01:
        kind = TurnKind(last.seat, 0.0 if begun else math.log(chance) + USE_COST + haste, again=True)
        yield from turns(node, glance, kind, edition, open_slots(node, glance, last.seat, unseen=True))
        yield from passing(node, glance, kind)


def _chance_of_power(history: History, act: Act, powers: PowerTable, power: Power) -> float:
    """Chance that the card discarded in a turn has that power."""
    return history.belief.chance_of(act.discarded, [card for card, known in powers.items() if known in (None, power)])


def rearranged(node: Node, glance: Glance, edition: Edition) -> Iterator[Candidate]:
    """Cards in racks changed places: by a power, against the rules, or back to where they had been."""
    history, refit = node.history, Refit(node, glance)
    found: set[tuple[SlotOf, ...]] = set()
    for at in node.misfits:
        place, card = glance.places[at], glance.seen[at].top
        if place == "discard" or card <= 0:
            continue
        cycle = _cycle(history, glance, place, card)
        if cycle is None or cycle in found:
            continue
        found.add(cycle)
        gains = [refit.at(one, history.at(other)) for one, other in _links(cycle)]
        score = node.score + sum(gain for gain, _ in gains)
        changed = [change for _, changes in gains for change in changes]
        for cost, why in _reasons(history, cycle, edition.powers, glance):
            yield Candidate(score + cost, changed, partial(_built, history, cycle, why, glance))


def _cycle(history: History, glance: Glance, start: SlotOf, card: Card) -> tuple[SlotOf, ...] | None:
    """Follow where each card that is seen now was before: the places that changed cards among each other."""
    cycle = [start]
    while True:
        came_from = _place_of(history, card)
        if came_from == start or (came_from is None and len(cycle) > 1):
            break  # nobody has seen that card yet: it is the new one that had been put where the cycle begins
        if came_from is None or came_from in cycle:
            return None
        cycle.append(came_from)
        seen = glance.of(came_from)
        if seen is None or seen.top <= 0:
            break
        card = seen.top
    first = cycle.index(min(cycle))
    return (*cycle[first:], *cycle[:first]) if len(cycle) > 1 else None


def _links(cycle: tuple[SlotOf, ...]) -> list[tuple[SlotOf, SlotOf]]:
    """Each place of a cycle, with the one whose card it has then."""
    return list(zip(cycle, (*cycle[1:], cycle[0]), strict=True))


def _place_of(history: History, card: Card) -> SlotOf | None:
    """The slot where that card is believed to stand."""
    position, belief = history.position, history.belief
    for seat, rack in zip(position.seats, position.racks, strict=True):
        for slot, stand_in in zip(SLOTS, rack, strict=True):
            settled = belief.settled(stand_in, (seat, slot))
            if settled == card or (not settled and belief.chance_of(stand_in, (card,)) > 0.5):
                return seat, slot
    return None


def _reasons(
    history: History, cycle: tuple[SlotOf, ...], powers: PowerTable, glance: Glance
) -> Iterator[tuple[float, "_Why"]]:
    """Why these cards may have changed places: log chance, and the reason."""
    allowed = 0.0
    if powers and len(cycle) == 2:
        switch = Switch.of(*cycle)
        acts, in_place = history.latest, _last_in_place(glance, cycle)
        for back, act in enumerate(reversed(acts[-LATEST:])):
            if act.kind != "turn" or act.effect is not None:
                continue
            power = power_used(switch, act.seat)
            chance = _chance_of_power(history, act, powers, power)
            if back == 0:
                allowed = chance
            if chance > 0.01:
                late = back * LATE_COST + AFTERWARDS_COST * (back > 0 and in_place >= acts[-back].t)
                yield math.log(chance / WAYS[power]) + USE_COST + late, back
    if _was_rearranged(history, cycle) is not None:
        yield PUT_BACK_COST, "put-back"
        return
    if _slid(history, cycle):
        yield SLID_COST, "slid"
    across = len({seat for seat, _ in cycle}) > 1
    cost = (ACROSS_COST if across else REARRANGED_COST) + MORE_COST * (len(cycle) - 2)
    if powers and (history.covered or history.unnoticed or history.gap):
        cost += UNSEEN_COST
    # what a power allows right now is hardly done without it, to use that power for something else
    yield cost + math.log(1 - allowed + allowed * ALLOWED), "cards-rearranged"


def _last_in_place(glance: Glance, cycle: tuple[SlotOf, ...]) -> float:
    """When a look last showed another card than this one in some of these places; 0 where none did."""
    now = [(place, seen.top) for place in cycle if (seen := glance.of(place)) is not None]
    before = glance.before
    return max([before.times[place] for place, top in now if before.tops.get(place, top) != top], default=0.0)


_Why = int | Literal["put-back", "slid", "cards-rearranged"]
"""By a power: how many acts ago. Else put back after it was against the rules, or not moved, or against the rules."""


def _slid(history: History, cycle: tuple[SlotOf, ...]) -> bool:
    """Whether slots side by side show each its neighbour's card, and the last one a card that nobody had seen.

    Nobody moves so many cards on by a slot; they were told a slot off before, or are now.
    """
    if len(cycle) < FEWEST_SLID or len({seat for seat, _ in cycle}) > 1:
        return False
    for step in (SLOTS[0], -SLOTS[0]):
        odd = [other for one, other in _links(cycle) if other[1] - one[1] != step]
        if len(odd) == 1:
            return history.belief.best(history.at(odd[0]))[1] < KNOWN
    return False


def _was_rearranged(history: History, cycle: tuple[SlotOf, ...]) -> Act | None:
    """The act by which these cards changed places against the rules, if they stand again now where they did before."""
    back = (cycle[0], *reversed(cycle[1:]))
    acts = history.latest
    return next((act for act in acts if act.kind == "rearranged" and act.rule and act.cycle == back), None)


def _built(history: History, cycle: tuple[SlotOf, ...], why: _Why, glance: Glance) -> History:
    """The history in which these cards changed places."""
    position, t = history.position, glance.t
    for one, other in _links(cycle):
        position = put(position, one, history.at(other))
    changed = replace(history, position=position, touched=())
    if isinstance(why, int):
        return _with_effect(changed, why, Switch.of(*cycle))
    undone = _was_rearranged(history, cycle) if why == "put-back" else None
    if undone is not None and undone in history.acts:
        # Nobody has been told of it, and it is as if it had not been: perhaps it was only misread.
        return replace(changed, acts=tuple([act for act in history.acts if act is not undone]))
    seats = {seat for seat, _ in cycle}
    seat: Seat = position.to_move if position.to_move in seats else min(seats)
    rule: Rule | None = "cards-rearranged" if why == "cards-rearranged" else None
    begun = _begun(history, cycle, glance) if rule is not None else None
    if begun is not None:
        # it is one act, of which the look before showed a part; where that was said already, no more is
        first, joined = begun
        if first in history.acts:
            whole = Act("rearranged", seat, t, cycle=joined, rule=rule)
            return replace(changed, acts=tuple([whole if act == first else act for act in history.acts]))
        rule = None
    return replace(changed, acts=(*history.acts, Act("rearranged", seat, t, cycle=cycle, rule=rule)))


def _begun(history: History, cycle: tuple[SlotOf, ...], glance: Glance) -> tuple[Act, tuple[SlotOf, ...]] | None:
    """Give the act by which cards changed places against the rules, and the cycle that it makes with those of another.

    None where these have not done so with them.

    Just now; or no look since then has shown a place of both, and no turn has changed it: so those that were seen first
    had not changed places as was held.
    """
    times = glance.before.times
    for act in reversed(history.latest):
        shared = {*act.cycle}.intersection(cycle)
        if shared and act.rule == "cards-rearranged":
            unseen = any(times.get(place, 0.0) < act.t for place in shared)
            just_now = act is history.last and glance.t - act.t <= AT_ONCE
            joined = _in_one(act.cycle, cycle) if unseen or just_now else None
            return None if joined is None else (act, joined)
        if shared or (act.seat, act.slot) in cycle:
            return None
    return None


def _in_one(first: tuple[SlotOf, ...], then: tuple[SlotOf, ...]) -> tuple[SlotOf, ...] | None:
    """Give the cycle of one rack's places that comes of two, one after the other; None where it is not one."""
    places = {*first, *then}
    if len({seat for seat, _ in places}) > 1:
        return None
    came_from = {place: place for place in places}
    for cycle in (first, then):
        came_from |= {one: came_from[other] for one, other in _links(cycle)}
    moved = {place for place, other in came_from.items() if other != place}
    whole: list[SlotOf] = []
    place = min(moved, default=None)
    while place is not None and place not in whole:
        whole.append(place)
        place = came_from[place]
    return tuple(whole) if whole and len(whole) == len(moved) else None


def _with_effect(history: History, back: int, effect: Effect) -> History:
    """The history in which the power of the Prime card discarded so many acts ago was used in this way."""
    acts = [*history.latest]
    at = len(acts) - 1 - back
    acts[at] = replace(acts[at], effect=effect)
    said = len(history.past)
    return replace(history, past=tuple(acts[:said]), acts=tuple(acts[said:]))
