"""The referee: lines of what was seen and said go in, turns, violations and scores come out.

It weighs whole turns, not single readings. After each look every history (following.history) that it still holds
possible is weighed as it stands and, where the look does not fit, with what may have happened since: legal turns
(following.steps) and, at a price, everything else (following.irregular). An act is said once nearly all the weight
lies on histories that begin with it (following.telling); until then the referee keeps its counsel.
It is pure: the same lines always give the same events, which is how a game is resumed (device.journal).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from engine.cards import SLOTS, Card, Seat, Slot, slot_index
from engine.errors import BadInput
from engine.events import (
    CallMade,
    Doubt,
    Event,
    GameEnd,
    GameStarted,
    RoundEnd,
    RoundReopened,
    RoundStarted,
    TurnPlayed,
    Violation,
)
from engine.following.history import Glance, History, Place, glance_of, looks_dealt, opening
from engine.following.oddities import Oddities, Oddity
from engine.following.sight import Sight
from engine.following.telling import Telling
from engine.following.verdict import (
    ENOUGH,
    OpenSlot,
    Rack,
    after_call,
    chance_of_racko,
    lacks_run,
    likely_caller,
    likely_rack,
    open_slots,
    unsure_slots,
)
from engine.following.weighing import Tempo, shares, weigh
from engine.game import Game, new_game
from engine.lines import EMPTY, Call, Correction, Line, NewGame, NewRound, Observation, Unsettled
from engine.rack import can_go_out
from engine.round import put
from engine.scoring import score_rack

LIKELY: Final = 0.5
"""A card that nobody needs to know is shown if it is at least this likely."""

DISBELIEVED: Final = 1e-6
"""The host's word never makes a history less likely than by this factor."""

ENDED: Final = 0.99
"""Where a round ends by itself, a rack must be in order with this much certainty."""

MISSED: Final = (0.001, 10)
"""How often a turn is over before any look has shown it: at the beginning of a round 1 in 10,000, as if 10 turns had
told so. It is learnt anew in each round, so that a round can be judged again from its own lines."""

PACE: Final = (3, 15)
"""How long a quick turn takes at this table is known once so many turns were said, by so many of the latest."""


@dataclass(frozen=True)
class Ended:
    """A round that has been scored, so that the host can still correct it: the game before it and its last history."""

    game: Game
    history: History
    telling: Telling
    out: Seat
    t: float


class Referee:
    """Follows one game after another. Not thread-safe: one run loop owns it."""

    def __init__(self) -> None:
        """Wait for a game."""
        self.game: Game | None = None
        self._histories: list[History] = []
        self._dealt = False
        self._called: Call | None = None
        self._asked: set[tuple[Seat, Slot]] = set()
        self._seen_since: dict[Place, Card | None] = {}
        self._turns_at_call = 0
        self._ended: Ended | None = None
        self._missed, self._turns = MISSED
        self._said_at: list[float] = []
        self._pile_seen = -math.inf

    @property
    def in_round(self) -> bool:
        """Whether a round is being played."""
        return bool(self._histories)

    def feed(self, line: Line) -> list[Event]:
        """Take one line in; return what is certain now. Raises BadInput for a line that cannot be at this point."""
        match line:
            case NewGame():
                return self._start_game(line)
            case NewRound():
                return self._start_round(line)
            case Observation():
                return self._observe(line)
            case Unsettled():
                return self._unsettled()
            case Call():
                return self._call(line)
            case Correction():
                return self._correct(line)

    def finish(self) -> list[Event]:
        """Say what is likely by now, when no more lines will come."""
        judged: list[Event] = []
        if not self._histories:
            return judged
        if self._called:
            judged = self._judge(self._called, self._called.t, at_last=True)
            if not self._histories:
                return judged
        said, self._histories = self._telling.at_last(self._histories)
        return said + judged

    def _start_game(self, line: NewGame) -> list[Event]:
        game = new_game(line.edition, line.players, line.variants, line.options)
        said = self.finish()
        self.game = game
        self._clear_table()
        self._ended = None
        return [*said, GameStarted(game.edition, game.variants, game.players, game.rules.target)]

    def _clear_table(self) -> None:
        self._histories = []
        self._dealt = False
        self._called = None
        self._asked = set()

    def _playing(self) -> Game:
        if self.game is None:
            raise BadInput("no game has begun; a game line comes first")
        return self.game

    def _start_round(self, line: NewRound) -> list[Event]:
        game = self._playing()
        if game.winners:
            raise BadInput("the game is over; begin a new one with a game line")
        start = opening(game.seats, line.dealer, game.rules)
        said = self.finish()
        self._clear_table()
        self._ended = None
        self._histories = [start]
        self._telling = Telling(game)
        self._oddities = Oddities(game.rules.highest_card)
        self._sight = Sight(game.seats)
        self._missed, self._turns = MISSED
        self._said_at, self._pile_seen = [], -math.inf
        return [*said, RoundStarted(len(game.rounds) + 1, line.dealer, start.position.to_move)]

    def _observe(self, look: Observation) -> list[Event]:
        game = self._playing()
        if not self._histories:
            return []
        glance = glance_of(look, game.seats)
        self._dealt = self._dealt or looks_dealt(glance)
        if not self._dealt:
            return []
        self._histories = self._sight.look(glance, self._histories)
        self._weigh(glance)
        said, self._histories = self._telling.certain(self._histories)
        self._said_at = [*self._said_at, *(event.t for event in said if isinstance(event, TurnPlayed))][-PACE[1] :]
        odd = self._oddities.look(glance, self._histories, self._telling.turns)
        said += [self._name(oddity, look.t) for oddity in odd]
        if self._called:
            self._seen_since |= {
                place: seen.top
                for place, seen in zip(glance.places, glance.seen, strict=True)
                if seen.top > 0 or (seen.top == EMPTY and self._histories[0].at(place) < EMPTY)
            }
            return said + self._judge(self._called, look.t)
        return said + self._ends_by_itself(look.t)

    def _weigh(self, glance: Glance) -> None:
        """Weigh the histories; learn how often turns are missed here, where the discard pile was in sight."""
        before = self._histories[0]
        tempo = Tempo(self._missed / self._turns, self._quick_time(), self._pile_seen)
        self._histories = weigh(self._histories, glance, self._playing().rules.edition, tempo)
        pile = glance.of("discard")
        if pile is not None and pile.top >= 0:
            self._pile_seen = glance.t
        more = len(self._histories[0].acts) - len(before.acts)
        if more > 0 and not (before.covered or before.unnoticed) and not before.gap:
            self._missed += more - 1
            self._turns += more

    def _quick_time(self) -> float | None:
        """How many seconds a quick turn takes at this table: so are a quarter of the latest; None while not known."""
        if len(self._said_at) < PACE[0]:
            return None
        gaps = sorted(later - before for before, later in pairwise(self._said_at))
        return gaps[len(gaps) // 4]

    def _name(self, oddity: Oddity, t: float) -> Violation:
        """Name a card that cannot be, and take it for what it is: the table shows what it shows."""
        self._histories = [_with_oddity(history, oddity) for history in self._histories]
        return self._telling.violation(oddity.rule, oddity.seat, t)

    def _unsettled(self) -> list[Event]:
        gap = 2 * len(self._playing().seats) + 1
        self._histories = [replace(history, gap=gap) for history in self._histories]
        return []

    def _ends_by_itself(self, t: float) -> list[Event]:
        """End the round as soon as a rack is in order, where the table wants that."""
        edition = self._playing().rules.edition
        if not edition.ends_by_itself or self._histories[0].unfinished:
            return []
        weighed = shares(self._histories)
        chances = {seat: chance_of_racko(weighed, seat, edition.run_needed)[0] for seat in self._playing().seats}
        seat = max(chances, key=chances.__getitem__)
        return self._call(Call(t, seat)) if chances[seat] >= ENDED else []

    def _call(self, call: Call) -> list[Event]:
        game = self._playing()
        if call.seat is not None and call.seat not in game.seats:
            raise BadInput(f"seat {call.seat} called RACK-O, but nobody plays there")
        if not self._histories:
            raise BadInput("RACK-O was called, but no round is being played; a round line comes first")
        if self._called is not None:
            # Somebody presses again while the racks are being looked at: the first call is still being judged.
            return self._judge(self._called, call.t)
        self._called = call
        self._seen_since = {}
        self._turns_at_call = self._telling.turns
        missing = [self._name(oddity, call.t) for oddity in self._oddities.gaps()]
        return [CallMade(call.seat, call.t), *missing, *self._judge(call, call.t)]

    def _judge(self, call: Call, t: float, *, at_last: bool = False) -> list[Event]:
        """Give the verdict of a call if it can be given, else ask for what is in doubt.

        Who calls may have played since the last look: a call is false only where a look after it shows the rack not to
        be in order, or where play goes on, or where nothing more will come (`at_last`). A slot that nobody could read
        accuses nobody, nor one that looks like another card now than it is held to be.
        """
        game = self._playing()
        run = game.rules.edition.run_needed
        seat = likely_caller(self._histories, game.seats, run) if call.seat is None else call.seat
        weighed = shares(after_call(self._histories, seat, run))
        goes_on = self._telling.turns > self._turns_at_call + 1
        read = [slot for slot in SLOTS if _was_read(weighed[0][0], (seat, slot))]
        seen = [
            slot
            for slot in SLOTS
            if self._is_borne_out(weighed[0][0], (seat, slot), unseen=slot in read and (at_last or goes_on))
        ]
        is_so, is_not = chance_of_racko(weighed, seat, run)
        if is_not >= ENOUGH:
            if chance_of_racko(weighed, seat, run, seen)[1] < ENOUGH:
                return self._ask([doubt for doubt in unsure_slots(weighed, seat) if doubt.slot not in read], t)
            self._called, self._asked = None, set()
            return [self._false_call(weighed[0][0], seat, t)]
        if is_so < ENOUGH:
            return self._ask(unsure_slots(weighed, seat), t)
        doubts = [doubt for other in game.seats if other != seat for doubt in open_slots(weighed, other)]
        if doubts:
            return self._ask(doubts, t)
        said, best = self._telling.say_all(weighed)
        racks = {other: likely_rack(weighed, other) for other in game.seats}
        return said + self._end_round(best, racks, seat, t)

    def _is_borne_out(self, history: History, place: Place, *, unseen: bool) -> bool:
        """Whether a look since the call, or the host, has shown at a place what is held to be there; else `unseen`."""
        if place not in self._seen_since:
            return unseen
        card = self._seen_since[place]
        return card is None or card == history.belief.best(history.at(place))[0]

    def _false_call(self, history: History, seat: Seat, t: float) -> Violation:
        name = self._playing().name(seat)
        lacking = "lacks the run that this game asks for" if lacks_run(history, seat) else "is not in order"
        return Violation("false-call", seat, f"{name} called RACK-O, but the rack {lacking}. Play goes on.", t)

    def _ask(self, doubts: Sequence[OpenSlot], t: float) -> list[Event]:
        fresh = [doubt for doubt in doubts if (doubt.seat, doubt.slot) not in self._asked]
        self._asked.update((doubt.seat, doubt.slot) for doubt in fresh)
        return [Doubt(doubt.seat, doubt.slot, doubt.candidates, t) for doubt in fresh]

    def _end_round(
        self, history: History, racks: dict[Seat, Rack], out: Seat, t: float, *, amends: bool = False
    ) -> list[Event]:
        game = self._playing()
        cards = {seat: [card for card, _ in rack] for seat, rack in racks.items()}
        scores = {seat: score_rack(game.rules, rack, out=seat == out) for seat, rack in cards.items()}
        shown = {seat: _readable(rack, scores[seat].scoring) for seat, rack in racks.items()}
        self._ended = Ended(game, history, self._telling, out, t)
        game = game.after_round({seat: score.points for seat, score in scores.items()}, out)
        self.game = game
        self._clear_table()
        said: list[Event] = [RoundEnd(out, scores, game.totals, shown, t, amends)]
        if game.winners:
            said.append(GameEnd(game.winners, game.totals, t))
        return said

    def _correct(self, line: Correction) -> list[Event]:
        game = self._playing()
        if line.seat not in game.seats:
            raise BadInput(f"seat {line.seat} is corrected, but nobody plays there")
        foreign = self._oddities.foreign if self._histories or self._ended else set()
        if line.card not in game.rules.deck and line.card not in foreign:
            raise BadInput(f"card {line.card} is not in this deck of 1 to {game.rules.highest_card}")
        if self._histories:
            # The host looks at that rack now, and would correct what else is wrong in it.
            self._seen_since |= dict.fromkeys((line.seat, slot) for slot in SLOTS)
            corrected = [_corrected(history, line) for history in self._histories]
            best = max(history.score for history in corrected)
            ranked = sorted(corrected, key=lambda history: history.score, reverse=True)
            self._histories = [replace(history, score=history.score - best) for history in ranked]
            said, self._histories = self._telling.certain(self._histories)
            said += self._telling.amended(self._histories)
            return said + (self._judge(self._called, line.t) if self._called else [])
        if self._ended is None:
            raise BadInput("a card is corrected, but no round is being played")
        return self._correct_ended(self._ended, line)

    def _correct_ended(self, ended: Ended, line: Correction) -> list[Event]:
        """Judge a round again that was scored already: other points, or it was no RACK-O and play goes on."""
        history = _corrected(ended.history, line)
        self.game = game = ended.game
        said = ended.telling.amended([history])
        racks = {seat: history.rack(seat) for seat in game.seats}
        if can_go_out([card for card, _ in racks[ended.out]], game.rules.edition.run_needed):
            return said + self._end_round(history, racks, ended.out, ended.t, amends=True)
        self._histories, self._dealt, self._ended = [history], True, None
        reopened = RoundReopened(history.position.to_move, line.t)
        return [*said, reopened, self._false_call(history, ended.out, line.t)]


def _was_read(history: History, place: Place) -> bool:
    """Whether the card at a place was read there, or surely none is there."""
    stand_in = history.at(place)
    return stand_in <= EMPTY or history.belief.settled(stand_in, place) > 0


def _with_oddity(history: History, oddity: Oddity) -> History:
    if oddity.place is None:
        return history
    stand_in = history.at(oddity.place)
    if oddity.card != EMPTY:
        return replace(history, belief=history.belief.told(stand_in, oddity.card))
    if oddity.place == "discard" or stand_in <= EMPTY:
        return history
    return replace(history, position=put(history.position, oddity.place, -stand_in))


def _corrected(history: History, line: Correction) -> History:
    """A history after the host's word: less likely the less that card was believed to be there."""
    stand_in = history.position.rack(line.seat)[slot_index(line.slot)]
    if stand_in < EMPTY:
        stand_in = -stand_in
        history = replace(history, position=put(history.position, (line.seat, line.slot), stand_in))
    chance = history.belief.chances(stand_in).get(line.card, 0.0)
    score = history.score + math.log(max(chance, DISBELIEVED))
    return replace(history, belief=history.belief.told(stand_in, line.card), score=score)


def _readable(rack: Rack, scoring: int) -> tuple[Card | None, ...]:
    """The cards of a rack as they are shown: behind the break, where none is asked for, a mere guess is None."""
    return tuple(card if place <= scoring or chance >= LIKELY else None for place, (card, chance) in enumerate(rack))
