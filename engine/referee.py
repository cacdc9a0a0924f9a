"""The referee: lines of what was seen and said go in, turns, violations and scores come out.

It weighs whole turns, not single readings. After each look every history (following.history) that it still holds
possible is weighed as it stands and, where the look does not fit, with what may have happened since: legal turns
(following.steps) and, at a price, everything else (following.irregular, following.unseen). An act is said once nearly
all the weight lies on histories that begin with it (following.telling); until then the referee keeps its counsel.
It is pure: the same lines always give the same events, which is how a game is resumed (device.evening.journal).
"""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from engine.calling import Asked, Calling, Out, Refused
from engine.cards import Seat, Slot
from engine.errors import BadInput
from engine.events import (
    CallMade,
    Doubt,
    DoubtSettled,
    Event,
    GameEnd,
    GameStarted,
    Paused,
    RacksWanted,
    RoundAbandoned,
    RoundEnd,
    RoundReopened,
    RoundStarted,
    TurnPlayed,
    Violation,
)
from engine.following.arms import NO_ARMS
from engine.following.dealing import Dealing, looks_dealt
from engine.following.history import NOTHING_SEEN, Glance, History, glance_of, opening
from engine.following.oddities import Oddities, Oddity, all_with_oddity
from engine.following.sight import in_sight, out_of_sight
from engine.following.spoken import with_card, with_play
from engine.following.telling import Telling
from engine.following.tempo import Tempo
from engine.following.verdict import UNASKED, Rack, chance_of_racko, lacks_run, readable, unsure_slots
from engine.following.weighing import shares, weigh
from engine.game import Game, new_game
from engine.lines import (
    EMPTY,
    Abandon,
    Call,
    Correction,
    Hidden,
    Line,
    NewGame,
    NewRound,
    Observation,
    Pause,
    Played,
    Redo,
    Undo,
    Unsettled,
    Verdict,
)
from engine.rack import can_go_out
from engine.scoring import score_rack

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
        self._began: float | None = None
        self._dealing, self._paused = Dealing(), False
        self._calling: Calling | None = None
        self._open: set[tuple[Seat, Slot]] = set()
        self._ended: Ended | None = None
        self._missed, self._turns = MISSED
        self._said_at: list[float] = []
        self._seen = NOTHING_SEEN
        self._arms = NO_ARMS

    @property
    def in_round(self) -> bool:
        """Whether a round is being played."""
        return bool(self._histories)

    def feed(self, line: Line) -> list[Event]:
        """Take one line in; return what is certain now. Raises BadInput for a line that cannot be at this point."""
        said = self._feed(line)
        self._open |= {(event.seat, event.slot) for event in said if isinstance(event, Doubt)}
        if not self._histories:
            self._open = set()
        return [*said, *self._settled(line.t)] if self._open and isinstance(line, Observation | Correction) else said

    def _settled(self, t: float) -> list[Event]:
        """Say which slots that were in doubt are clear by now."""
        game, calling = self._playing(), self._calling
        # a call makes racks likelier that go out: what is in doubt for that is clear no sooner than the verdict says
        weighed = calling.weighed(game, self._histories) if calling else shares(self._histories)
        bare = calling.bare if calling else ()
        doubts = [doubt for seat in game.seats for doubt in unsure_slots(weighed, seat, bare)]
        unsure = {(doubt.seat, doubt.slot) for doubt in doubts}
        clear = sorted(self._open - unsure)
        self._open &= unsure
        return [DoubtSettled(seat, slot, t) for seat, slot in clear]

    def _feed(self, line: Line) -> list[Event]:
        match line:
            case NewGame():
                return self._start_game(line)
            case NewRound():
                return self._start_round(line)
            case Observation():
                return self._observe(line)
            case Unsettled():
                return self._unsettled()
            case Hidden(_, seats):
                self._histories = out_of_sight(self._histories, set(seats) & set(self._playing().seats))
                return []
            case Call():
                return self._call(line)
            case Correction():
                return self._correct(line)
            case Played() | Verdict() | Pause() | Abandon():
                return self._order(line)
            case Undo() | Redo():
                raise BadInput("the referee takes nothing back; whoever keeps the lines leaves out what is undone")

    def _order(self, line: Played | Verdict | Pause | Abandon) -> list[Event]:
        """What the host says besides."""
        match line:
            case Played():
                return self._play(line)
            case Verdict():
                return self._decide(line)
            case Pause(t, on):
                return self._pause(t, on=on)
            case Abandon(t):
                return self._abandon(t)

    def finish(self) -> list[Event]:
        """Say what is likely by now, when no more lines will come."""
        judged: list[Event] = []
        if not self._histories:
            return judged
        if self._calling:
            judged = self._judge(self._calling, self._calling.call.t, at_last=True)
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
        self._dealing, self._began, self._paused = Dealing(), None, False
        self._calling = None

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
        self._missed, self._turns = MISSED
        self._said_at, self._seen, self._arms = [], NOTHING_SEEN, NO_ARMS
        return [*said, RoundStarted(len(game.rounds) + 1, line.dealer, start.position.to_move)]

    def _observe(self, look: Observation) -> list[Event]:
        game = self._playing()
        if not self._histories or self._paused:
            return []
        self._arms = self._arms.with_look(look, game.seats)
        if self._began is None:
            self._dealing = self._dealing.with_look(look)
            if not looks_dealt(look, game.seats):
                return []
            look = self._dealing.completed(look)
            self._began, self._arms = look.t, NO_ARMS  # whoever dealt has not played yet
        glance = glance_of(look, game.seats, self._began, self._arms, self._seen)
        self._histories = in_sight(self._histories, glance)
        self._weigh(glance)
        said, self._histories = self._telling.certain(self._histories)
        self._learn(sum(isinstance(event, TurnPlayed) for event in said))
        odd = self._oddities.look(glance, self._histories, self._telling.turns)
        said += [self._name(oddity, look.t) for oddity in odd]
        if self._calling:
            self._calling.look(glance, self._histories[0])
            return said + self._judge(self._calling, look.t)
        return said + self._ends_by_itself(look.t)

    def _weigh(self, glance: Glance) -> None:
        """Weigh the histories; learn how often turns are missed here, where the discard pile was in sight."""
        before = self._histories[0]
        tempo = Tempo(self._missed / self._turns, self._quick_time(), self._seen.times, self._dealing.bare)
        self._histories = weigh(self._histories, glance, self._playing().rules.edition, tempo)
        self._seen = self._seen.with_look(glance)
        more = len(self._histories[0].acts) - len(before.acts)
        if more > 0 and not (before.covered or before.unnoticed) and not before.gap:
            self._missed += more - 1
            self._turns += more

    def _learn(self, turns: int) -> None:
        """Learn from so many turns that are certain now how fast is played, and whose arm is whose."""
        played = [act for act in self._histories[0].past if act.kind == "turn"]
        for act in played[len(played) - turns :]:
            self._arms = self._arms.taught(act.seat, act.ended)
            self._said_at = [*self._said_at, act.t][-PACE[1] :]

    def _quick_time(self) -> float | None:
        """How many seconds a quick turn takes at this table: so are a quarter of the latest; None while not known."""
        if len(self._said_at) < PACE[0]:
            return None
        gaps = sorted(later - before for before, later in pairwise(self._said_at))
        return gaps[len(gaps) // 4]

    def _name(self, oddity: Oddity, t: float) -> Violation:
        """Name a card that cannot be, and take it for what it is: the table shows what it shows."""
        self._histories = all_with_oddity(self._histories, oddity)
        return self._telling.violation(oddity.rule, oddity.seat, t)

    def _unsettled(self) -> list[Event]:
        gap = 2 * len(self._playing().seats) + 1
        self._histories = [replace(history, gap=gap) for history in self._histories]
        return []

    def _pause(self, t: float, *, on: bool) -> list[Event]:
        """Look away, or look again: what was moved meanwhile is as if plays had been missed."""
        if on == self._paused:
            return []
        self._playing()
        self._paused = on
        return [Paused(t, on=on), *([] if on else self._unsettled())]

    def _abandon(self, t: float) -> list[Event]:
        """End the round without scoring it."""
        if not self._histories:
            raise BadInput("no round is being played, so that none can be ended")
        said, self._histories = self._telling.at_last(self._histories)
        self._clear_table()
        return [*said, RoundAbandoned(t)]

    def _play(self, line: Played) -> list[Event]:
        """Take the host's word for a play that was missed."""
        if not self._histories:
            raise BadInput("a play is named, but no round is being played")
        self._histories = with_play(self._histories, line, self._playing())
        said, self._histories = self._telling.at_last(self._histories)
        return said + (self._judge(self._calling, line.t) if self._calling else [])

    def _decide(self, line: Verdict) -> list[Event]:
        """Take the host's word on a call that is being judged."""
        calling = self._calling
        if calling is None:
            raise BadInput("no call of RACK-O is being judged; who went out presses the button first")
        if line.accepted:
            calling.accept()
            return self._judge(calling, line.t)
        seat = calling.caller(self._playing(), self._histories)
        return [self._false_call(self._histories[0], seat, line.t)]

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
        if self._calling is not None:
            # Somebody presses again while the racks are being looked at: the first call is still being judged.
            return self._judge(self._calling, call.t)
        odd = [self._name(oddity, call.t) for oddity in self._oddities.at_a_call(self._histories[0])]
        self._calling = Calling(call, self._telling.turns, self._histories[0].blind, self._oddities.bare)
        return [CallMade(call.seat, call.t), *odd, *self._judge(self._calling, call.t)]

    def _judge(self, calling: Calling, t: float, *, at_last: bool = False) -> list[Event]:
        """Give the verdict of a call if it can be given, else ask for what is in doubt."""
        game = self._playing()
        turns, altered = self._telling.turns, self._seen.altered
        outcome = calling.outcome(game, self._histories, turns, altered, at_last=at_last)
        match outcome:
            case Asked(doubts):
                wanted = calling.wanted(game, doubts, self._histories[0].blind)
                fresh = [Doubt(doubt.seat, doubt.slot, doubt.candidates, t) for doubt in calling.fresh(doubts)]
                return [*fresh, *([] if wanted is None else [RacksWanted(wanted, t)])]
            case Refused(seat, history):
                return [self._false_call(history, seat, t)]
            case Out(seat, racks, weighed):
                said, best = self._telling.say_all(weighed)
                return said + self._end_round(best, racks, seat, t)

    def _false_call(self, history: History, seat: Seat, t: float) -> Violation:
        if self._calling:
            # What was shown for the verdict goes back to where nobody sees it.
            self._histories = out_of_sight(self._histories, self._calling.blind)
            self._calling = None
        name = self._playing().name(seat)
        lacking = "lacks the run that this game asks for" if lacks_run(history, seat) else "is not in order"
        return Violation("false-call", seat, f"{name} called RACK-O, but the rack {lacking}. Play goes on.", t)

    def _end_round(
        self, history: History, racks: dict[Seat, Rack], out: Seat, t: float, *, amends: bool = False
    ) -> list[Event]:
        game = self._playing()
        cards = {seat: [card for card, _ in rack] for seat, rack in racks.items()}
        scores = {seat: score_rack(game.rules, rack, out=seat == out) for seat, rack in cards.items()}
        quick = game.rules.edition.one_round
        asked = {seat: UNASKED if quick and seat != out else score.scoring for seat, score in scores.items()}
        shown = {seat: readable(rack, asked[seat]) for seat, rack in racks.items()}
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
        if line.card not in game.rules.deck and line.card not in {EMPTY, *foreign}:
            raise BadInput(f"card {line.card} is not in this deck of 1 to {game.rules.highest_card}")
        if self._histories:
            if self._calling:
                self._calling.told((line.seat, line.slot))
            corrected = [with_card(history, line) for history in self._histories]
            best = max(history.score for history in corrected)
            ranked = sorted(corrected, key=lambda history: history.score, reverse=True)
            self._histories = [replace(history, score=history.score - best) for history in ranked]
            said, self._histories = self._telling.certain(self._histories)
            said += self._telling.amended(self._histories)
            return said + (self._judge(self._calling, line.t) if self._calling else [])
        if self._ended is None:
            raise BadInput("a card is corrected, but no round is being played")
        return self._correct_ended(self._ended, line)

    def _correct_ended(self, ended: Ended, line: Correction) -> list[Event]:
        """Judge a round again that was scored already: other points, or it was no RACK-O and play goes on."""
        history = with_card(ended.history, line)
        self.game = game = ended.game
        said = ended.telling.amended([history])
        racks = {seat: history.rack(seat) for seat in game.seats}
        if can_go_out([card for card, _ in racks[ended.out]], game.rules.edition.run_needed):
            return said + self._end_round(history, racks, ended.out, ended.t, amends=True)
        self._histories, self._began, self._ended = [history], line.t, None
        return [*said, RoundReopened(history.position.to_move, line.t), self._false_call(history, ended.out, line.t)]
