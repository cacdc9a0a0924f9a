"""Trials: what a referee says is held against the truth without mercy, and without blaming it twice."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import repeat
from random import Random

import pytest

from device.simulated import comparing
from device.simulated.cheats import RULES, Cheats
from device.simulated.comparing import Figures, Hearing, compare_turns
from device.simulated.evidence import lines_of
from device.simulated.games import Setup, play_game
from device.simulated.steps import Cheat, PlayedRound, Step
from device.simulated.trial import CONDITIONS, HEADING, main, row_of, try_condition, try_game
from engine.errors import BadInput
from engine.events import Amended, Doubt, Event, RoundEnd, Thread, TurnPlayed, Violation
from engine.lines import EMPTY, Call, Correction, Line, NewGame, Observation
from engine.moves import Turn, parse_turn
from engine.round import Round
from engine.scoring import RackScore
from engine.violations import Rule

NOWHERE = Round(seats=(1, 2), racks=((), ()), draw=(), discard=(), to_move=1)
PLAYED = ("1:D17@25x44", "2:T44@10x3", "1:D8x8", "2:D20@30x21", "1:T21@35x9")


def steps(*turns: str, cheat: Cheat | None = None, at: int = -1) -> list[Step]:
    """Steps of these turns, one of them with a cheat."""
    return [
        Step("turn", NOWHERE, NOWHERE, parse_turn(turn), violation=cheat if number == at else None)
        for number, turn in enumerate(turns)
    ]


def turns(*said: str) -> list[Turn]:
    """Turns as a referee may say them."""
    return [parse_turn(turn) for turn in said]


def figures_of(*said: str) -> Figures:
    """What comes of saying these turns where PLAYED was played."""
    return compare_turns(steps(*PLAYED), turns(*said)).figures


def test_turns_that_are_all_told_are_all_exact() -> None:
    assert figures_of(*PLAYED) == Figures(turns=5, exact=5, placed=5)


def test_a_turn_that_is_left_out_makes_no_later_one_wrong() -> None:
    assert figures_of(*PLAYED[:2], *PLAYED[3:]) == Figures(turns=5, exact=4, placed=4)


def test_a_turn_that_was_never_played_is_one_too_many() -> None:
    assert figures_of(*PLAYED[:2], "1:D5x5", "2:D6x6", *PLAYED[2:]) == Figures(turns=5, exact=5, placed=5, extra=2)


def test_a_card_that_is_null_makes_a_turn_inexact_and_unread() -> None:
    assert figures_of(*PLAYED[:2], "1:D?x?", *PLAYED[3:]) == Figures(turns=5, exact=4, placed=5, unread=1)
    assert figures_of("1:D?@25x44", *PLAYED[1:]) == Figures(turns=5, exact=4, placed=5, unread=1)


def test_a_wrong_card_leaves_a_turn_placed_and_a_wrong_seat_source_or_slot_does_not() -> None:
    assert figures_of("1:D18@25x44", *PLAYED[1:]) == Figures(turns=5, exact=4, placed=5)
    for wrong in ("2:D17@25x44", "1:T17@25x44", "1:D17@20x44"):
        assert figures_of(wrong, *PLAYED[1:]) == Figures(turns=5, exact=4, placed=4, extra=1)


def test_nothing_said_is_nothing_exact() -> None:
    assert figures_of() == Figures(turns=5)


def test_a_power_is_counted_apart_from_its_turn() -> None:
    played = steps("1:D17@25x43+1@5/2@10", "2:D7x7+again")
    assert compare_turns(played, turns("1:D17@25x43+1@5/2@10", "2:D7x7")).figures == Figures(
        turns=2, exact=2, placed=2, effects=2, effects_told=1
    )


@pytest.mark.parametrize("rule", ["wrong-discard", "two-cards-exchanged"])
def test_after_a_cheat_that_no_turn_describes_its_turn_may_be_said_or_not(rule: Rule) -> None:
    played = steps(*PLAYED, cheat=Cheat(rule, 1), at=2)
    for said in (PLAYED, (*PLAYED[:2], *PLAYED[3:]), (*PLAYED[:2], "1:D8@40x12", *PLAYED[3:])):
        assert compare_turns(played, turns(*said)).figures == Figures(turns=4, exact=4, placed=4)
    others = (*PLAYED[:2], "2:D8@40x12", *PLAYED[3:])
    assert compare_turns(played, turns(*others)).figures == Figures(turns=4, exact=4, placed=4, extra=1)


def test_a_difference_is_said_in_words_with_both_sides() -> None:
    (words,) = compare_turns(steps(*PLAYED), turns("1:D?@25x44", *PLAYED[1:])).amiss
    assert words == "turn 1: 1:D17@25x44; said: 1:D?@25x44"


def test_figures_add_up() -> None:
    one, other = Figures(turns=3, exact=2, failed=(4,), seconds=0.5), Figures(turns=2, exact=2, failed=(9,), looks=7)
    assert one + other == Figures(turns=5, exact=4, failed=(4, 9), seconds=0.5, looks=7)


Said = Sequence[Event] | BadInput


class Scripted:
    """A referee who says what was written down for it, line by line, whatever it sees, and keeps the lines."""

    script: Iterator[Said]
    fed: list[Line]

    def feed(self, line: Line) -> Sequence[Event]:
        self.fed.append(line)
        said = next(self.script)
        if isinstance(said, BadInput):
            raise said
        return said

    def finish(self) -> Sequence[Event]:
        return []


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> type[Scripted]:
    monkeypatch.setattr(comparing, "Referee", Scripted)
    monkeypatch.setattr(Scripted, "fed", [], raising=False)
    return Scripted


def a_round(*cheats: Cheat) -> PlayedRound:
    """A round in which these cheats happen, and then seat 1 goes out."""
    tampered = tuple(Step("tampered", NOWHERE, NOWHERE, violation=cheat) for cheat in cheats)
    over = Step("call", NOWHERE, NOWHERE, called=1)
    return PlayedRound(2, (), (*tampered, over), 1, {1: 75, 2: 5})


def end(first: int, second: int) -> RoundEnd:
    """The end of a round, with these points."""
    scores = {1: RackScore(first, 10, None, ""), 2: RackScore(second, 1, 10, "")}
    return RoundEnd(1, scores, {1: first, 2: second}, {}, 9.0)


def heard(scripted: type[Scripted], played: PlayedRound, *said: Said) -> Figures:
    """What comes of a referee that says this, a look a step."""
    scripted.script = iter(said)
    hearing = Hearing()
    hearing.begin(played)
    for step in played.steps:
        hearing.happened(step)
        hearing.feed(Observation(1.0, {}))
    figures = hearing.compared(unaided=hearing.end is not None).figures
    return figures + Figures(refused=hearing.refused)


def said(rule: str, seat: int) -> list[Event]:
    """A violation as the referee says it."""
    return [Violation(rule, seat, "", 1.0)]


def test_a_cheat_that_is_named_is_neither_missed_nor_a_false_alarm(scripted: type[Scripted]) -> None:
    figures = heard(scripted, a_round(Cheat("wrong-turn", 2)), said("wrong-turn", 2), [end(75, 5)])
    assert figures == Figures(rounds=1, ended=1, planted=figures.planted)
    assert figures.planted == {"wrong-turn": 1}
    assert figures.all_well


def test_a_cheat_is_named_once_and_not_before_it_happens(scripted: type[Scripted]) -> None:
    twice = heard(scripted, a_round(Cheat("wrong-turn", 2)), said("wrong-turn", 2) * 2, [end(75, 5)])
    assert twice.false_alarms == {"wrong-turn": 1}
    cheats = Cheat("wrong-turn", 2), Cheat("missing-card", 1)
    early = heard(scripted, a_round(*cheats), said("missing-card", 1), said("wrong-turn", 2), [end(75, 5)])
    assert early.false_alarms == {"missing-card": 1}
    assert early.missed == {"missing-card": 1}


def test_a_wrong_seat_and_a_cheat_not_named_are_told_apart(scripted: type[Scripted]) -> None:
    cheats = Cheat("wrong-turn", 2), Cheat("duplicate-card", 1, also=(2,))
    figures = heard(scripted, a_round(*cheats), said("wrong-turn", 1), said("duplicate-card", 2), [end(75, 5)])
    assert figures.other_seat == {"wrong-turn": 1}
    assert not figures.missed
    assert not figures.false_alarms
    silent = heard(scripted, a_round(*cheats), [], [], [end(75, 5)])
    assert silent.missed == {"wrong-turn": 1, "duplicate-card": 1}


def test_a_round_counts_if_every_score_is_right_and_it_had_not_ended_before(scripted: type[Scripted]) -> None:
    assert heard(scripted, a_round(), [end(75, 5)]).ended == 1
    assert heard(scripted, a_round(), [end(75, 10)]).ended == 0
    assert heard(scripted, a_round(), []).ended == 0
    early = heard(scripted, a_round(Cheat("false-call", 1)), [end(75, 5)], [])
    assert (early.ended, early.rounds) == (0, 1)


def test_an_amended_turn_counts_as_it_was_said_last(scripted: type[Scripted]) -> None:
    turn, wrong = turns("1:D17@25x44", "1:D18@25x44")
    step = Step("turn", NOWHERE, NOWHERE, turn)
    played = replace(a_round(), steps=(step, *a_round().steps))
    figures = heard(scripted, played, [TurnPlayed(wrong, 2, 1.0)], [Amended(1, turn, 2.0), end(75, 5)])
    assert (figures.exact, figures.extra, figures.amended) == (1, 0, 1)


def test_a_line_that_is_refused_and_a_lost_thread_are_counted(scripted: type[Scripted]) -> None:
    refused = heard(
        scripted, a_round(Cheat("wrong-turn", 2)), BadInput("no"), [Thread(lost=True, text="", t=1.0), end(75, 5)]
    )
    assert (refused.refused, refused.lost) == (1, 1)
    assert not refused.all_well


def test_the_host_answers_doubts_from_the_true_racks(scripted: type[Scripted]) -> None:
    over = replace(NOWHERE, racks=(tuple(range(1, 11)), (*range(20, 11, -1), 0)))
    played = replace(a_round(), steps=(Step("call", over, over, called=1),))
    doubts = [Doubt(2, slot, {}, 9.0) for slot in (5, 50)]
    scripted.script = iter([doubts, [], [end(75, 5)]])
    hearing = Hearing()
    hearing.begin(played)
    hearing.happened(played.steps[0])
    hearing.feed(Call(9.0, 1))
    hearing.help(9.0)
    assert scripted.fed == [Call(9.0, 1), Correction(9.0, 2, 50, EMPTY), Correction(9.0, 2, 5, 20)]
    assert hearing.compared(unaided=False).figures == Figures(rounds=1, helped=1)


def test_what_a_referee_raises_is_raised_on_with_the_seed(scripted: type[Scripted]) -> None:
    scripted.script = iter([])
    with pytest.raises(StopIteration) as caught:
        try_game(CONDITIONS["clean"], Setup(most_rounds=1), 17)
    assert caught.value.__notes__ == ["in the game of 2 players with seed 17"]


@pytest.mark.parametrize("rule", RULES)
def test_every_cheat_has_a_condition_that_plants_it_and_no_other(rule: Rule) -> None:
    condition = CONDITIONS[rule]
    setup = Setup(("careless", "careless"), condition.edition or "parker-1992", most_rounds=3)
    games = [play_game(setup, Random(seed), Cheats(condition.cheats, condition.rate)) for seed in range(5)]
    assert {cheat.rule for game in games for dealt in game.rounds for cheat in dealt.violations} == {rule}


def test_a_condition_for_one_edition_is_played_by_it(scripted: type[Scripted]) -> None:
    scripted.script = repeat([])
    list(try_condition(CONDITIONS["prime-taken"], Setup(variants=("bonus",), most_rounds=1), [1]))
    (game,) = [line for line in scripted.fed if isinstance(line, NewGame)]
    assert (game.edition, game.variants) == ("hasbro-2006", ())


def test_a_trial_can_be_had_again_by_its_seed() -> None:
    first, again = (list(try_condition(CONDITIONS["hidden-25"], Setup(most_rounds=1), [5])) for _ in range(2))
    assert replace(first[0].figures, seconds=0) == replace(again[0].figures, seconds=0)
    assert first[0].amiss == again[0].amiss
    assert first[0].figures.turns == len(
        play_game(Setup(most_rounds=1, at_once=True), Random("game 5")).rounds[0].turns
    )


def test_the_table_has_a_line_for_each_condition(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = "--games 1 --rounds 1 --players 2 --level strong --condition clean --condition false-call"
    assert main(arguments.split()) == 0
    heading, *rows = capsys.readouterr().out.splitlines()
    assert heading == HEADING
    assert [row.split()[0] for row in rows] == ["clean", "false-call"]


def test_a_row_says_by_rule_what_was_wrong() -> None:
    wrong = Figures(missed=Counter({"wrong-turn": 2}))
    assert row_of("clean", wrong).endswith("[missed: wrong-turn 2]")
    assert row_of("clean", Figures(turns=4, exact=3, placed=4)).split()[1:4] == ["4", "75.00%", "100.00%"]


def test_a_referee_gets_the_lines_of_the_whole_game_in_order(scripted: type[Scripted]) -> None:
    scripted.script = repeat([])
    setup = Setup(most_rounds=2)
    try_game(CONDITIONS["clean"], setup, 1)
    played = play_game(setup, Random("game 1"))
    assert scripted.fed == list(lines_of(played, CONDITIONS["clean"].noise, Random("looks 1")))
