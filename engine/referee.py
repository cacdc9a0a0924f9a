"""The referee: lines of what was seen and said go in, turns, violations and scores come out.

It weighs whole turns, not single readings. After each look every history (engine.history) that it still holds
possible is weighed as it stands and, where the look does not fit, with one or two more legal turns. A turn is said
once nearly all the weight lies on histories that begin with it; until then the referee keeps its counsel.
It is pure: the same lines always give the same events, which is how a game is resumed (device.journal).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engine.cards import Card, Seat, Slot, slot_index
from engine.errors import BadInput
from engine.events import CallMade, Doubt, Event, GameEnd, GameStarted, RoundEnd, RoundStarted, TurnPlayed, Violation
from engine.game import Game, new_game
from engine.history import History, glance_of, looks_dealt, opening
from engine.lines import Call, Correction, Line, NewGame, NewRound, Observation, Unsettled
from engine.round import Play
from engine.scoring import score_rack
from engine.verdict import ENOUGH, OpenSlot, after_call, chance_of_racko, likely_caller, open_slots, unsure_slots
from engine.weighing import shares, weigh

CERTAIN: Final = (0.998, 0.97, 0.9)
"""A turn is said once its histories hold this much of all weight: a new turn, one that another has followed, and one
that two or more have followed, when waiting tells nothing more and everybody waits for the referee."""

PATIENCE: Final = 2
"""A turn whose new card nobody could read yet is said without it once this many turns followed."""

LIKELY: Final = 0.5
"""A card that nobody needs to know is shown if it is at least this likely."""


class Referee:
    """Follows one game after another. Not thread-safe: one run loop owns it."""

    def __init__(self) -> None:
        """Wait for a game."""
        self.game: Game | None = None
        self._histories: list[History] = []
        self._dealt = False
        self._called: Call | None = None
        self._asked: set[tuple[Seat, Slot]] = set()

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
                self._playing()
                return []
            case Call():
                return self._call(line)
            case Correction():
                return self._correct(line)

    def finish(self) -> list[Event]:
        """Say what is likely by now, when no more lines will come."""
        if not self._histories:
            return []
        best, chance = max(shares(self._histories), key=lambda share: share[1])
        if chance < ENOUGH:
            return []
        self._histories = [replace(best, pending=())]
        return self._say(best, len(best.pending))

    def _start_game(self, line: NewGame) -> list[Event]:
        game = new_game(line.edition, line.players, line.variants, line.options)
        self.game = game
        self._clear_table()
        return [GameStarted(game.edition, game.variants, game.players, game.rules.target)]

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
        rules = game.rules
        start = opening(game.seats, line.dealer, rules.highest_card, rules.edition.turn_over)
        self._clear_table()
        self._histories = [start]
        return [RoundStarted(len(game.rounds) + 1, line.dealer, start.position.to_move)]

    def _observe(self, look: Observation) -> list[Event]:
        game = self._playing()
        if not self._histories:
            return []
        glance = glance_of(look, game.rules.highest_card, game.seats)
        self._dealt = self._dealt or looks_dealt(glance)
        if not self._dealt:
            return []
        self._histories = weigh(self._histories, glance)
        said = self._certain_turns()
        return said + (self._judge(self._called, look.t) if self._called else [])

    def _certain_turns(self) -> list[Event]:
        said: list[Event] = []
        while True:
            beginnings: dict[Play, float] = {}
            for history, chance in shares(self._histories):
                if _is_complete(history):
                    move = history.pending[0].move
                    beginnings[move] = beginnings.get(move, 0.0) + chance
            likeliest = max(beginnings, key=beginnings.__getitem__, default=None)
            agreed = [item for item in self._histories if _is_complete(item) and item.pending[0].move == likeliest]
            if likeliest is None or beginnings[likeliest] < CERTAIN[min(len(agreed[0].pending), len(CERTAIN)) - 1]:
                return said
            best = agreed[0]
            unread = None in (best.turn(best.pending[0]).card, best.turn(best.pending[0]).discarded)
            if unread and len(best.pending) <= PATIENCE:
                return said
            said += self._say(best, 1)
            self._histories = [replace(history, pending=history.pending[1:]) for history in agreed]

    def _say(self, history: History, count: int) -> list[Event]:
        game = self._playing()
        return [
            TurnPlayed(
                history.turn(pending), game.next_dealer(pending.seat), pending.t, turned_over=pending.turned_over
            )
            for pending in history.pending[:count]
        ]

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
        return [CallMade(call.seat, call.t), *self._judge(call, call.t)]

    def _judge(self, call: Call, t: float) -> list[Event]:
        """Give the verdict of a call if it can be given, else ask for what is in doubt."""
        game = self._playing()
        seat = likely_caller(self._histories, game.seats) if call.seat is None else call.seat
        histories = after_call(self._histories, seat)
        is_so, is_not = chance_of_racko(shares(histories), seat)
        best = histories[0]
        if is_not >= ENOUGH:
            self._called, self._asked = None, set()
            text = f"{game.name(seat)} called RACK-O, but the rack is not in order. Play goes on."
            return [Violation("false-call", seat, text, t)]
        if is_so < ENOUGH:
            return self._ask(unsure_slots(best, seat), t)
        doubts = [doubt for other in game.seats if other != seat for doubt in open_slots(best, other)]
        return self._ask(doubts, t) if doubts else self._end_round(best, seat, t)

    def _ask(self, doubts: Sequence[OpenSlot], t: float) -> list[Event]:
        fresh = [doubt for doubt in doubts if (doubt.seat, doubt.slot) not in self._asked]
        self._asked.update((doubt.seat, doubt.slot) for doubt in fresh)
        return [Doubt(doubt.seat, doubt.slot, doubt.candidates, t) for doubt in fresh]

    def _end_round(self, history: History, out: Seat, t: float) -> list[Event]:
        game = self._playing()
        said = self._say(history, len(history.pending))
        racks = {seat: history.rack(seat) for seat in game.seats}
        cards = {seat: [card for card, _ in rack] for seat, rack in racks.items()}
        scores = {seat: score_rack(game.rules, rack, out=seat == out) for seat, rack in cards.items()}
        shown = {seat: _readable(rack, scores[seat].scoring) for seat, rack in racks.items()}
        game = game.after_round({seat: score.points for seat, score in scores.items()}, out)
        self.game = game
        self._clear_table()
        said.append(RoundEnd(out, scores, game.totals, shown, t))
        if game.winners:
            said.append(GameEnd(game.winners, game.totals, t))
        return said

    def _correct(self, line: Correction) -> list[Event]:
        game = self._playing()
        if line.seat not in game.seats:
            raise BadInput(f"seat {line.seat} is corrected, but nobody plays there")
        if line.card not in game.rules.deck:
            raise BadInput(f"card {line.card} is not in this deck of 1 to {game.rules.highest_card}")
        if not self._histories:
            raise BadInput("a card is corrected, but no round is being played")
        place = slot_index(line.slot)
        self._histories = [
            replace(history, belief=history.belief.told(history.position.rack(line.seat)[place], line.card))
            for history in self._histories
        ]
        said = self._certain_turns()
        return said + (self._judge(self._called, line.t) if self._called else [])


def _is_complete(history: History) -> bool:
    """Whether the first turn that was not said yet was played to its end."""
    return len(history.pending) > int(history.unfinished)


def _readable(rack: Sequence[tuple[Card, float]], scoring: int) -> tuple[Card | None, ...]:
    """The cards of a rack as they are shown: behind the break, where none is asked for, a mere guess is None."""
    return tuple(card if place <= scoring or chance >= LIKELY else None for place, (card, chance) in enumerate(rack))
