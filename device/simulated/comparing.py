"""Holding what a referee said of a simulated game against what was played."""

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from difflib import SequenceMatcher

from device.simulated.steps import Cheat, PlayedRound, Step, expected
from engine.cards import slot_index
from engine.errors import RackoError
from engine.events import Amended, Doubt, Event, RoundEnd, RoundReopened, TakenBack, Thread, TurnPlayed, Violation
from engine.lines import Correction, Line, Observation
from engine.moves import Turn
from engine.referee import Referee


@dataclass(frozen=True)
class Figures:
    """What came out of a trial.

    turns: played, and expected to be told. exact: told with both cards. unread: told rightly but for a card that is
    null. placed: told with the right seat, source and slot, whatever the cards (so exact and unread are among them).
    extra: told and never played. amended: told once more, otherwise; the last word is what counts. effects: uses of
    Prime cards' powers; effects_told: told as part of an exact turn. rounds: ended by somebody going out; ended: told
    so with every score, without help; helped: the same, once the host had answered the referee's doubts. lost: how
    often the referee said that it had lost the thread. planted, missed: cheats by rule. other_seat: cheats named, with
    a wrong seat. false_alarms: violations said that never were, by rule. refused: lines for which the referee raised
    an error. looks, seconds: how many were fed, and how long the referee took. failed: the seeds of games with
    anything amiss.
    """

    games: int = 0
    turns: int = 0
    exact: int = 0
    unread: int = 0
    placed: int = 0
    extra: int = 0
    amended: int = 0
    effects: int = 0
    effects_told: int = 0
    rounds: int = 0
    ended: int = 0
    helped: int = 0
    lost: int = 0
    planted: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    other_seat: Counter[str] = field(default_factory=Counter)
    false_alarms: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    looks: int = 0
    seconds: float = 0.0
    failed: tuple[int, ...] = ()

    def __add__(self, other: "Figures") -> "Figures":
        """Add up two trials."""
        return Figures(*(getattr(self, item.name) + getattr(other, item.name) for item in fields(self)))

    @property
    def all_well(self) -> bool:
        """Whether everything was told without help, and nothing else."""
        told = self.exact == self.turns and self.ended == self.rounds and self.effects_told == self.effects
        return told and not (self.extra or self.missed or self.other_seat or self.false_alarms or self.refused)


@dataclass(frozen=True)
class Trial:
    """Figures, and in words what was amiss."""

    figures: Figures = Figures()
    amiss: tuple[str, ...] = ()


class Hearing:
    """A referee at work, and what it has said of the round that is on."""

    def __init__(self) -> None:
        self._referee = Referee()
        self.refused = self.looks = 0
        self.seconds = 0.0
        self.errors: list[str] = []

    def begin(self, dealt: PlayedRound) -> None:
        """A round is about to be dealt."""
        self._dealt = dealt
        self.end: RoundEnd | None = None
        self._turns: list[Turn | None] = []
        self._open: list[Cheat] = []
        self._doubts: list[Doubt] = []
        self._other_seat: Counter[str] = Counter()
        self._false_alarms: Counter[str] = Counter()
        self._amiss: list[str] = []
        self._amended = self._lost = 0
        self._over = False

    def happened(self, step: Step) -> None:
        """From now on this step's cheat may be named; with the last step, the round is over."""
        self._over = self._dealt.out is not None and step is self._dealt.steps[-1]
        if step.violation is not None:
            self._open.append(step.violation)

    def feed(self, line: Line) -> None:
        """Give the referee a line, and hear what it says."""
        before = time.perf_counter()
        try:
            said: Sequence[Event] = self._referee.feed(line)
        except RackoError as problem:
            self.refused += 1
            self.errors.append(f"{line}: {problem}")
            said = ()
        self.seconds += time.perf_counter() - before
        self.looks += isinstance(line, Observation)
        self._hear(said)

    def finish(self) -> None:
        """No more lines will come."""
        self._hear(self._referee.finish())

    def _hear(self, said: Iterable[Event]) -> None:
        for event in said:
            match event:
                case TurnPlayed(turn=turn):
                    self._turns.append(turn)
                case Amended() | TakenBack():
                    self._turns[event.number - 1] = event.turn if isinstance(event, Amended) else None
                    self._amended += 1
                case Violation():
                    self._weigh(event)
                case RoundEnd() | RoundReopened():
                    self._ends(event)
                case Thread(lost=True):
                    self._lost += 1
                case Doubt():
                    self._doubts.append(event)
                case _:
                    pass

    def _ends(self, said: RoundEnd | RoundReopened) -> None:
        if isinstance(said, RoundEnd) and not self._over:
            self._amiss.append(f"t {said.t:g}: seat {said.out} is said to have ended the round, which goes on")
        else:
            self.end = said if isinstance(said, RoundEnd) else None

    def _weigh(self, said: Violation) -> None:
        """Hold a violation against the cheats that nobody has named yet."""
        same_rule = [cheat for cheat in self._open if cheat.rule == said.rule]
        right = [cheat for cheat in same_rule if said.seat in (cheat.seat, *cheat.also)]
        for cheat in (right or same_rule)[:1]:
            self._open.remove(cheat)
        if not right:
            (self._other_seat if same_rule else self._false_alarms)[said.rule] += 1
            self._amiss.append(f"t {said.t:g}: {said.rule} by seat {said.seat} is said, which was not so")

    def help(self, t: float) -> None:
        """Answer the referee's doubts as the host would, from the true racks, until it asks no more."""
        position = self._dealt.steps[-1].after
        while self._doubts and self.end is None:
            doubt = self._doubts.pop()
            card = position.rack(doubt.seat)[slot_index(doubt.slot)]
            self.feed(Correction(t, doubt.seat, doubt.slot, card))

    def compared(self, *, unaided: bool) -> Trial:
        """Hold all that was said of a round against what was played."""
        dealt, end = self._dealt, self.end
        turns = compare_turns(dealt.steps, [turn for turn in self._turns if turn is not None])
        amiss = [*turns.amiss, *self._amiss]
        amiss += [f"{cheat.rule} by seat {cheat.seat} is not said" for cheat in self._open]
        ended = end is not None and dealt.out == end.out and dealt.points == _points(end)
        if dealt.out is not None and not ended:
            heard = "nothing" if end is None else f"{end.out}, {_points(end)}"
            amiss.append(f"the end is {dealt.out}, {dict(dealt.points)}; {heard} is said")
        own = Figures(
            amended=self._amended,
            lost=self._lost,
            rounds=int(dealt.out is not None),
            ended=int(ended and unaided),
            helped=int(ended and not unaided),
            planted=Counter(cheat.rule for cheat in dealt.violations),
            missed=Counter(cheat.rule for cheat in self._open),
            other_seat=self._other_seat,
            false_alarms=self._false_alarms,
        )
        return Trial(turns.figures + own, tuple(amiss))


def _points(end: RoundEnd) -> dict[int, int]:
    return {seat: score.points for seat, score in end.scores.items()}


def compare_turns(steps: Iterable[Step], said: Sequence[Turn]) -> Trial:
    """Align the turns of a round with those that were said; powers are counted apart from the turns.

    After a cheat that no turn describes (device.sessions.truth.NO_WHOLE_TURN) its seat's turns may be said, or not.
    """
    true = [step for step in steps if step.what == "turn"]
    count: Counter[str] = Counter()
    amiss: list[str] = []
    blocks = SequenceMatcher(None, [_text(step.turn) for step in true], [_text(turn) for turn in said], autojunk=False)
    at_true = at_said = 0
    for block in blocks.get_matching_blocks():
        apart_true, apart_said = true[at_true : block.a], said[at_said : block.b]
        apart = _compare_apart(apart_true, apart_said)
        count += apart
        if apart:
            played = " ".join(str(step.turn or "two cards") for step in apart_true)
            amiss.append(
                f"turn {at_true + 1}: {played or 'nothing'}; said: {' '.join(map(str, apart_said)) or 'nothing'}"
            )
        at_true, at_said = block.a + block.size, block.b + block.size
        for step, turn in zip(true[block.a : at_true], said[block.b : at_said], strict=True):
            if step.turn is not None and expected(step):
                count.update(("turns", "exact", "placed"))
                if step.turn.effect is not None:
                    told = turn.effect == step.turn.effect
                    count.update(("effects", "effects_told") if told else ("effects",))
                    amiss += [] if told else [f"the power of {step.turn} is not said"]
    figures = Figures(
        turns=count["turns"],
        exact=count["exact"],
        unread=count["unread"],
        placed=count["placed"],
        extra=count["extra"],
        effects=count["effects"],
        effects_told=count["effects_told"],
    )
    return Trial(figures, tuple(amiss))


def _text(turn: Turn | None) -> str:
    return "" if turn is None else str(replace(turn, effect=None))


def _place(turn: Turn | None) -> tuple[object, ...]:
    return () if turn is None else (turn.seat, turn.source, turn.slot)


def _compare_apart(true: Sequence[Step], said: Sequence[Turn]) -> Counter[str]:
    """Compare turns none of which is exact."""
    count: Counter[str] = Counter()
    may_say: Counter[int] = Counter()
    for step in true:
        if step.turn is not None and expected(step):
            count.update(("turns", "effects") if step.turn.effect is not None else ("turns",))
        elif step.violation is not None:
            may_say[step.violation.seat] += 2
    places = SequenceMatcher(
        None, [_place(step.turn) for step in true], [_place(turn) for turn in said], autojunk=False
    )
    left = list(said)
    for block in places.get_matching_blocks():
        for step, turn in zip(true[block.a :][: block.size], said[block.b :][: block.size], strict=True):
            left.remove(turn)
            if step.turn is not None and expected(step):
                same_cards = turn.card in (None, step.turn.card) and turn.discarded in (None, step.turn.discarded)
                count.update(("placed", "unread") if same_cards else ("placed",))
    for turn in left:
        if may_say[turn.seat]:
            may_say[turn.seat] -= 1
        else:
            count["extra"] += 1
    return count
