"""A call of RACK-O while it is being judged: what the looks since then have shown, and what can be said of it now."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.cards import SLOTS, Card, Seat, Slot
from engine.errors import BadInput
from engine.following.history import Glance, History, Place
from engine.following.verdict import (
    ENOUGH,
    OpenSlot,
    Rack,
    Weighed,
    after_call,
    chance_of_racko,
    likely_caller,
    likely_rack,
    open_slots,
    rising_rack,
    unsure_slots,
)
from engine.following.weighing import shares
from engine.game import Game
from engine.lines import EMPTY, Call

UNREAD: Final = 5
"""Where so many slots of one rack are asked for, the whole rack is to be shown."""


@dataclass(frozen=True)
class Asked:
    """The verdict waits for these slots."""

    doubts: Sequence[OpenSlot]


@dataclass(frozen=True)
class Refused:
    """The rack of who called is surely not in order."""

    seat: Seat
    history: History


@dataclass(frozen=True)
class Out:
    """`seat` has gone out; `racks` are what everybody scores."""

    seat: Seat
    racks: dict[Seat, Rack]
    weighed: Weighed


Outcome = Asked | Refused | Out


@dataclass
class Calling:
    """One call, from the button to the verdict.

    turns: how many were said of the round when it came. blind: the seats whose racks were out of sight then. bare: the
    slots that looked empty then, and since; what people take into their hands after a call is in no doubt for that.
    """

    call: Call
    turns: int
    blind: frozenset[Seat]
    bare: set[Place]
    _accepted: bool = False
    _asked: set[tuple[Seat, Slot]] = field(default_factory=set)
    _wanted: tuple[Seat, ...] = ()
    _shown: dict[Place, Card | None] = field(default_factory=dict)

    def look(self, glance: Glance, history: History) -> None:
        """Take in what a look since the call shows."""
        self._shown |= {
            place: seen.top
            for place, seen in zip(glance.places, glance.seen, strict=True)
            if seen.top > 0 or (seen.top == EMPTY and history.at(place) < EMPTY)
        }
        self.bare -= {place for place, seen in zip(glance.places, glance.seen, strict=True) if seen.top > 0}

    def told(self, place: tuple[Seat, Slot]) -> None:
        """The host has looked at a rack to say what is at a place, and would correct what else is wrong in it."""
        self._shown |= dict.fromkeys((place[0], slot) for slot in SLOTS)
        self.bare -= {place}

    def accept(self) -> None:
        """The host says that the rack of who called is in order, whatever of it could not be read."""
        self._accepted = True

    def caller(self, game: Game, histories: Sequence[History]) -> Seat:
        """Give who called, or most likely did, where one button serves all."""
        if self.call.seat is not None:
            return self.call.seat
        return likely_caller(histories, game.seats, game.rules.edition.run_needed)

    def weighed(self, game: Game, histories: Sequence[History]) -> Weighed:
        """Give the histories with their chances, best first, now that it is known who called."""
        return shares(after_call(histories, self.caller(game, histories), game.rules.edition.run_needed))

    def outcome(
        self, game: Game, histories: Sequence[History], turns: int, altered: Collection[Place], *, at_last: bool
    ) -> Outcome:
        """Give the verdict if it can be given by now, `turns` having been said, else what it waits for.

        Who calls may have played since the last look: a call is false only where a look after it shows the rack not to
        be in order, or where play goes on, or where nothing more will come (`at_last`). A slot that nobody could read
        accuses nobody, nor one that is `altered` since it was read, nor one that looks like another card now than it is
        held to be. Raises BadInput where the host has accepted a rack that cannot be in order as it was read.
        """
        run, seat, weighed = game.rules.edition.run_needed, self.caller(game, histories), self.weighed(game, histories)
        if self._accepted:
            return self._out(game, weighed, seat, self._accepted_rack(game, weighed, seat))
        goes_on = turns > self.turns + 1
        read = [slot for slot in SLOTS if (seat, slot) not in altered and _was_read(weighed[0][0], (seat, slot))]
        seen = [
            slot
            for slot in SLOTS
            if self._is_borne_out(weighed[0][0], (seat, slot), unseen=slot in read and (at_last or goes_on))
        ]
        is_so, is_not = chance_of_racko(weighed, seat, run)
        if is_not >= ENOUGH:
            if chance_of_racko(weighed, seat, run, seen)[1] < ENOUGH:
                return Asked([doubt for doubt in unsure_slots(weighed, seat) if doubt.slot not in read])
            return Refused(seat, weighed[0][0])
        doubts = unsure_slots(weighed, seat, self.bare)
        if is_so < ENOUGH or any((seat, doubt.slot) in self.bare for doubt in doubts):
            return Asked(doubts)
        return self._out(game, weighed, seat, likely_rack(weighed, seat))

    def _out(self, game: Game, weighed: Weighed, seat: Seat, rack: Rack) -> Outcome:
        # a quick game has no scoring, so nobody needs to know what stands in another rack
        others = [] if game.rules.edition.one_round else [other for other in game.seats if other != seat]
        doubts = [doubt for other in others for doubt in open_slots(weighed, other, self.bare)]
        if doubts:
            return Asked(doubts)
        racks = {other: rack if other == seat else likely_rack(weighed, other) for other in game.seats}
        return Out(seat, racks, weighed)

    def _accepted_rack(self, game: Game, weighed: Weighed, seat: Seat) -> Rack:
        rack = rising_rack(weighed, seat, game.rules.highest_card)
        if rack is None:
            self._accepted = False
            raise BadInput(
                f"the rack of {game.name(seat)} is not in order as it was read; correct what was misread, then accept"
            )
        return rack

    def fresh(self, doubts: Sequence[OpenSlot]) -> list[OpenSlot]:
        """Those doubts that were not asked before."""
        new = [doubt for doubt in doubts if (doubt.seat, doubt.slot) not in self._asked]
        self._asked.update((doubt.seat, doubt.slot) for doubt in new)
        return new

    def wanted(self, game: Game, doubts: Sequence[OpenSlot], blind: frozenset[Seat]) -> tuple[Seat, ...] | None:
        """Whose whole racks are to be shown; None if they are the same as when that was asked last.

        blind: whose racks no look has shown yet; of these the first slots alone may be asked for.
        """
        counts = {seat: sum(doubt.seat == seat for doubt in doubts) for seat in game.seats}
        seats = tuple(seat for seat, count in counts.items() if count >= (1 if seat in blind else UNREAD))
        if seats == self._wanted:
            return None
        self._wanted = seats
        return seats

    def _is_borne_out(self, history: History, place: Place, *, unseen: bool) -> bool:
        """Whether a look since the call, or the host, has shown at a place what is held to be there; else `unseen`."""
        if place not in self._shown:
            return unseen
        card = self._shown[place]
        return card is None or card == history.belief.best(history.at(place))[0]


def _was_read(history: History, place: Place) -> bool:
    """Whether the card at a place was read there, or surely none is there."""
    stand_in = history.at(place)
    return stand_in <= EMPTY or history.belief.settled(stand_in, place) > 0
