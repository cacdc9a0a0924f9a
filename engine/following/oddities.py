"""Cards that cannot be: of another deck, there twice, or missing. It takes several looks to say so, not one reading."""

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.cards import Card, Seat, Slot
from engine.following.belief import Belief
from engine.following.history import Act, Glance, History, Place
from engine.following.weighing import shares
from engine.lines import EMPTY
from engine.round import put
from engine.violations import Rule

ENOUGH_LOOKS: Final = 3
"""So many looks must have shown the same, and none anything else in between: no chance misreading does that."""

SURE: Final = 0.85
"""So likely must a card of another deck be, and what was done for a card out of sight to count as one of two; and so
likely what a card is that is missed."""

COVERED_LOOKS: Final = 2
"""So many are enough once play has gone on and the card is covered: no more looks will come."""

LONG: Final = 5
"""A card that is there twice must have been seen so often, or play must have gone on meanwhile: a camera that takes one
card for another does so in look after look, until one of the two is moved."""

PLAIN: Final = 0.98
"""So likely must it be that a card is there twice to be named at once. What is less plain waits for a better look at
one of the two (it is played, and another camera reads it), or for the end of the round: of a thousand clear readings
one is wrong, and where forty cards are in sight it is as likely as not the number of one of the others."""

HELD: Final = 0.9
"""Likewise, whatever was done until now."""

TURNS_WITHOUT: Final = 2
"""A slot must have stayed empty for so many turns to lack a card: people lift cards out to look at them."""

OWN_TURNS: Final = 2
"""One in which no card was ever read, for so many of its own player's."""

GAPING: Final = 0.975
"""So surely must one of those looks have shown it empty. Of 819 empty slots in drawn racks 97 in 100 were; two with a
card that hardly peeped out were told to be empty, at 0.961 and 0.962, in look after look."""

GONE_LOOKS: Final = 2
"""When RACK-O is called, a slot that so many looks showed to be empty counts as one."""


@dataclass(frozen=True, slots=True)
class Oddity:
    """Something that cannot be.

    seat: whose rack it came up in or, on the discard pile, who put it there. place: where `card` stands, however odd,
    EMPTY being a card that is missing; None once another card covers it.
    """

    rule: Rule
    seat: Seat
    place: Place | None = None
    card: Card = EMPTY


@dataclass(slots=True)
class _Streak:
    """How many looks showed something, and how many turns had been played when that began.

    place, stand_in, seat: where it was at the latest of them, what lay there, and at whose place that had come up: who
    takes it from the discard pile did not bring it. t: when the latest was, where it matters; `began`: when the first
    was. both: whether two cards with one number were in sight together. plain: whether a look left hardly any doubt.
    unread: how many looks showed other slots of that rack, and not this one.
    """

    since: int
    place: Place = "discard"
    stand_in: int = EMPTY
    seat: Seat = 1
    looks: int = 0
    t: float = -math.inf
    began: float = math.inf
    both: bool = False
    plain: bool = False
    unread: int = 0

    def shown(self, place: Place, history: History) -> None:
        """Count one more look."""
        self.looks += 1
        self.place = place
        self.stand_in = history.at(place)
        self.seat = _who_drew(history, self.stand_in) or _whose(history, place)

    def covered(self, history: History) -> bool:
        """Whether something else lies there by now, and not because it is held to have been misread."""
        return history.at(self.place) != self.stand_in and self.stand_in not in history.position.draw

    def over(self, glance: Glance, card: Card, history: History) -> bool:
        """Whether it is covered, and this look does not show `card` there still: no more looks will come."""
        seen = glance.of(self.place)
        return self.covered(history) and not (seen is not None and seen.top == card)

    def named(self, rule: Rule, card: Card, history: History) -> Oddity:
        """Name it."""
        return Oddity(rule, self.seat, None if self.covered(history) else self.place, card)

    def lasting(self, turns: int) -> bool:
        """Whether it has been seen long enough, `turns` having been played by now."""
        return self.looks >= LONG or (self.looks >= ENOUGH_LOOKS and turns > self.since)


def _whose(history: History, place: Place) -> Seat:
    """Whose rack a place is in or, on the discard pile, who played last."""
    if place != "discard":
        return place[0]
    return history.position.to_move if history.last is None else history.last.seat


def _who_drew(history: History, stand_in: int) -> Seat | None:
    """Who drew a card, if that was one of the latest turns."""
    acts = (act for act in reversed(history.latest) if act.kind == "turn" and act.card == stand_in)
    return next((act.seat for act in acts if act.move is not None and act.move.source == "draw"), None)


def _has_changed(place: tuple[Seat, Slot], streak: _Streak, glance: Glance) -> bool:
    """Whether a slot looks otherwise than when it was seen to be empty, and is not seen to be so now."""
    seat, slot = place
    return place not in glance.index and glance.changed.get(seat, {}).get(slot, -math.inf) > streak.t


def _is_muddled(history: History, place: Place) -> bool:
    """Whether something happened lately elsewhere that nobody saw, so that what lies where is not so sure."""
    if history.gap or history.blind or history.played_unseen():
        return True
    return any(act.kind in ("lost", "miscounted") and act.place != place for act in history.latest)


def _is_believed(history: History, stand_in: int, card: Card) -> bool:
    """Whether it is more than what a camera that is not quite sure says again and again."""
    likeliest, chance = history.belief.best(stand_in)
    return likeliest == card and chance >= SURE


def _out_of_sight(history: History, card: Card, shown: Collection[int]) -> list[int]:
    """The stand-ins that bear a card unseen: in a rack, or in the discard pile.

    What a draw pile holds that was turned over is known by its order alone, and people do shuffle.
    """
    return [one for one in history.belief.bearers(card) if one not in shown and one not in history.position.draw]


def with_oddity(history: History, oddity: Oddity) -> History:
    """A history in which what is odd is taken for what it is."""
    place, belief = oddity.place, history.belief
    odd = [] if place is None else [history.at(place)]
    if oddity.card != EMPTY:
        alike = belief.bearers(oddity.card) if oddity.rule == "duplicate-card" else []
        for stand_in in {*alike, *odd}:
            belief = belief.told(stand_in, oddity.card)
        return replace(history, belief=belief)
    if place is None or place == "discard" or odd[0] <= EMPTY:
        return history
    return replace(history, position=put(history.position, place, -odd[0]))


def all_with_oddity(histories: Sequence[History], oddity: Oddity) -> list[History]:
    """Histories, the likeliest first, in which what is odd is taken for what it is.

    Where a card seemed to be lost there just now it was the odd one, and nothing else happened. Where play has gone on
    from that, by whoever it may be, those go if the likeliest history has it otherwise.
    """
    found = [_as_found(history, oddity.place) for history in histories]
    plain = [history for history in found if not _is_lost_at(history, oddity.place)]
    kept = plain if plain and plain[0] is found[0] else found
    return [with_oddity(history, oddity) for history in kept]


def _as_found(history: History, place: Place | None) -> History:
    """A history without its last act, not said yet, if by that a card was lost at a place."""
    if history.acts and _loses(history.acts[-1], place):
        return replace(history, acts=history.acts[:-1])
    return history


def _is_lost_at(history: History, place: Place | None) -> bool:
    return any(_loses(act, place) for act in history.latest)


def _loses(act: Act, place: Place | None) -> bool:
    return act.kind == "lost" and act.place == place


class Oddities:
    """What odd things are being seen in one round, and which of them were named."""

    def __init__(self, highest_card: Card) -> None:
        """Begin a round with a deck 1..highest_card."""
        self._highest_card = highest_card
        self._foreign: dict[tuple[Place, Card], _Streak] = {}
        self._twice: dict[tuple[int, int, Card], _Streak] = {}
        self._not_plain: dict[Card, _Streak] = {}
        self._unsure: set[tuple[int, int]] = set()
        self._gaps: dict[tuple[Seat, Slot], _Streak] = {}
        self.foreign: set[Card] = set()
        self._named: set[tuple[Rule, Card | tuple[Seat, Slot]]] = set()

    def look(self, glance: Glance, histories: Sequence[History], turns: int) -> list[Oddity]:
        """Take in one look, after so many turns; return what is certainly odd now and was not named before."""
        weighed = shares(histories)
        history = weighed[0][0]
        tops = [seen.top for seen in glance.seen]
        cards = [card for card in tops if card > 0]
        plain = len(set(cards)) == len(cards) and EMPTY not in tops and max(cards, default=0) <= self._highest_card
        if plain and not (self._foreign or self._twice or self._gaps or history.belief.doubled):
            return []
        return [
            *self._foreign_cards(glance, history),
            *self._cards_twice(glance, weighed, turns),
            *self._missing_cards(glance, history),
        ]

    def _foreign_cards(self, glance: Glance, history: History) -> Iterator[Oddity]:
        for (place, card), streak in list(self._foreign.items()):
            seen = glance.of(place)
            if streak.covered(history):
                if streak.looks >= COVERED_LOOKS and _is_believed(history, streak.stand_in, card):
                    yield from self._foreign_card(streak, card, history)
            elif seen is not None and seen.top >= 0 and seen.top != card:
                del self._foreign[place, card]
        for place, seen in zip(glance.places, glance.seen, strict=True):
            if seen.top > self._highest_card:
                streak = self._foreign.setdefault((place, seen.top), _Streak(0))
                streak.shown(place, history)
                if streak.looks >= ENOUGH_LOOKS and _is_believed(history, streak.stand_in, seen.top):
                    yield from self._foreign_card(streak, seen.top, history)

    def _foreign_card(self, streak: _Streak, card: Card, history: History) -> Iterator[Oddity]:
        if self._first("card-not-in-deck", card):
            self.foreign.add(card)
            yield streak.named("card-not-in-deck", card, history)

    def _cards_twice(self, glance: Glance, weighed: Sequence[tuple[History, float]], turns: int) -> Iterator[Oddity]:
        """One number on two cards; one of them may be out of sight, if it is sure what was done until now."""
        history, sure = weighed[0][0], weighed[0][1] >= SURE
        in_view = history.in_view(glance)
        shown = {one: seen.top for one, seen in zip(in_view, glance.seen, strict=True) if seen.top > 0}
        places = dict(zip(in_view, glance.places, strict=True))
        for one, other, card in list(self._twice):
            if shown.get(one, card) != card or shown.get(other, card) != card:
                del self._twice[one, other, card]
        belief = history.belief
        bearers = {card: bearer for card in belief.doubled for bearer in _out_of_sight(history, card, shown)}
        for stand_in, card in shown.items():
            first = bearers.setdefault(card, stand_in)
            if first == stand_in:
                continue
            pair = min(first, stand_in), max(first, stand_in)
            if first not in shown and _is_muddled(history, places[stand_in]):
                self._unsure.add(pair)
            if first in shown or pair not in self._unsure:
                both = [one for one in (stand_in, first) if one in shown]
                streak = self._twice.setdefault((*pair, card), _Streak(turns))
                streak.shown(places[belief.newest(both)], history)
                streak.both = streak.both or len(both) == 2
        for card, streak in self._believed_twice(belief):
            # Where one of the two was out of sight, belief itself has waited for a second look.
            over = streak.looks >= (COVERED_LOOKS if streak.both else 1) and streak.over(glance, card, history)
            certain = card in belief.doubled and (streak.both or sure) and (streak.lasting(turns) or over)
            # the discard pile's top may have been taken, and no look have shown that it is gone
            held = sum(chance for other, chance in weighed if card in other.belief.doubled)
            if certain and (held < HELD or belief.doubled[card] < PLAIN):
                self._not_plain[card] = streak
            elif certain and self._first("duplicate-card", card):
                yield streak.named("duplicate-card", card, history)

    def _believed_twice(self, belief: Belief) -> Iterator[tuple[Card, _Streak]]:
        """The streaks of two stand-ins that are held to bear one card.

        Of others one lay on the pile before, and what has come to lie on it was taken for that.
        """
        for (one, other, card), streak in self._twice.items():
            if {one, other} <= {*belief.bearers(card)}:
                yield card, streak

    def _missing_cards(self, glance: Glance, history: History) -> Iterator[Oddity]:
        for place, seen in zip(glance.places, glance.seen, strict=True):
            if place == "discard":
                continue
            if seen.top == EMPTY:
                streak = self._gaps.setdefault(place, _Streak(0, began=glance.t))
                streak.shown(place, history)
                streak.t = glance.t
                streak.plain = streak.plain or seen.doubt <= 1 - GAPING
                # turns are said late: who has just used a power may have lifted the card for it
                acts = history.latest
                later = [act.seat for act in acts if act.kind == "turn" and act.t > streak.began]
                # where nobody has read a card in this round, one may be to come: somebody is slow to fill the rack, but
                # not while playing
                read = history.belief.best(history.at(place))[1] >= SURE or later.count(place[0]) >= OWN_TURNS
                gone = read and streak.plain and streak.looks >= ENOUGH_LOOKS and len(later) >= TURNS_WITHOUT
                if gone and self._first("missing-card", place):
                    yield Oddity("missing-card", place[0], place)
            elif seen.top > 0:
                self._gaps.pop(place, None)
        for place, streak in self._gaps.items():
            streak.unread += place not in glance.index and any(other[0] == place[0] for other in glance.places)
        # what is there by now cannot be read, but something is
        for place in [place for place, streak in self._gaps.items() if _has_changed(place, streak, glance)]:
            del self._gaps[place]

    def at_a_call(self, history: History) -> Iterator[Oddity]:
        """Name what has waited until now: cards that may be there twice, slots that the latest looks showed empty.

        Of two cards of one number of which one was never read beside the other, that one may as well be misremembered.
        """
        for card, streak in self._not_plain.items():
            if card in history.belief.doubled and streak.both and self._first("duplicate-card", card):
                yield streak.named("duplicate-card", card, history)
        for place, streak in self._gaps.items():
            if streak.plain and streak.looks >= GONE_LOOKS and self._first("missing-card", place):
                yield Oddity("missing-card", place[0], place)

    @property
    def bare(self) -> set[Place]:
        """The slots that a look showed to be empty, plainly or not, and none since to hold a card."""
        return {place for place, streak in self._gaps.items() if streak.looks + streak.unread >= GONE_LOOKS}

    def _first(self, rule: Rule, what: Card | tuple[Seat, Slot]) -> bool:
        """Whether this is named now for the first time."""
        if (rule, what) in self._named:
            return False
        self._named.add((rule, what))
        return True
