"""Records made from what the referee says."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.commands.records import recorded
from device.simulated.evidence import lines_of
from device.simulated.games import PlayedGame, Setup, play_game
from engine.errors import BadInput
from engine.events import Amended, Event, GameStarted, RoundEnd, RoundReopened, RoundStarted, TurnPlayed
from engine.game import Player
from engine.moves import parse_turn
from engine.record import GameRecord, RoundRecord, games_as_text, parse_games, replayed
from engine.referee import Referee
from engine.scoring import RackScore
from engine.variants import Options
from tests.device.commands.answering import TWO_LOOKS, answered, text_of
from tests.device.simulated.test_games import GAMES

SEEDS = st.integers(0, 2**32 - 1)
GAMES_PLAYED = settings(max_examples=12, deadline=None, derandomize=True)
PLAIN = [setup for setup in GAMES if setup.edition != "hasbro-2006" or "classic" in setup.variants]
PRIME = [setup for setup in GAMES if setup not in PLAIN]


def without_decks(record: GameRecord) -> GameRecord:
    return replace(record, rounds=tuple(replace(played, deck=()) for played in record.rounds))


def heard(played: PlayedGame) -> GameRecord:
    """The record of what a referee says that sees everything."""
    referee = Referee()
    events = [event for line in lines_of(played, TWO_LOOKS, Random(5)) for event in referee.feed(line)]
    (record,) = recorded(events + referee.finish(), played.setup.options)
    return record


def played_game(setup: Setup, seed: int) -> PlayedGame:
    return play_game(replace(setup, most_rounds=2, at_once=bool(seed % 2)), Random(seed))


@pytest.mark.slow
@GAMES_PLAYED
@given(st.sampled_from(PLAIN), SEEDS)
def test_the_record_of_an_honest_game_seen_clearly_is_the_games_own_but_for_the_deck(setup: Setup, seed: int) -> None:
    played = played_game(setup, seed)
    record = heard(played)
    assert record == without_decks(played.record)
    assert replayed(record).totals == played.game.totals


@pytest.mark.slow
@GAMES_PLAYED
@given(st.sampled_from(PRIME), SEEDS)
def test_with_prime_cards_the_ends_of_the_rounds_are_the_same(setup: Setup, seed: int) -> None:
    # Who drew and discarded a Prime card may be anybody's guess: another turn by its power looks like the next one.
    played = played_game(setup, seed)
    told, true = heard(played), played.record
    ends = [[(each.dealer, each.out, each.points) for each in record.rounds] for record in (told, true)]
    assert ends[0] == ends[1]


def test_the_command_prints_each_game_in_its_notation_finished_or_cut_off() -> None:
    played = [played_game(setup, seed) for seed, setup in enumerate(PLAIN[:3])]
    whole = "".join(map(text_of, played))
    answer = answered(whole, "referee", "--notation")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == games_as_text([without_decks(each.record) for each in played])
    cut = answered("".join(whole.splitlines(keepends=True)[:-20]), "referee", "--notation").out
    *finished, last = parse_games(cut)
    assert finished == [without_decks(each.record) for each in played[:2]]
    assert last.rounds[-1].out is None
    assert last.rounds[-1].turns == played[2].record.rounds[-1].turns[: len(last.rounds[-1].turns)]


def test_lines_that_are_refused_stand_on_standard_error_beside_the_notation() -> None:
    answer = answered('rubbish\n{"type": "round", "dealer": 1}\n', "referee", "--notation")
    assert (answer.code, answer.out) == (1, "")
    assert [row[:14] for row in answer.err.splitlines()] == ["racko: line 1:", "racko: line 2:"]


PLAYERS = (Player(1, "Ada"), Player(2, "Ben"))
START = GameStarted("parker-1992", ("bonus",), PLAYERS, 500)
ONE, TWO, OTHER = (parse_turn(text) for text in ("2:D17@25x40", "1:T40@10x3", "2:D17@30x40"))


def end(points: int, *, amends: bool = False) -> RoundEnd:
    scores = {1: RackScore(points, 10, None, ""), 2: RackScore(5, 1, 10, "")}
    return RoundEnd(1, scores, {1: points, 2: 5}, {}, 9.0, amends)


def of_events(*events: Event) -> tuple[RoundRecord, ...]:
    (record,) = recorded([START, *events])
    assert parse_games(games_as_text([record])) == (record,)
    return record.rounds


CASES: list[tuple[str, Sequence[Event], tuple[RoundRecord, ...]]] = [
    ("nothing was played", (), ()),
    (
        "turns",
        (RoundStarted(1, 1, 2), TurnPlayed(ONE, 1, 1.0), TurnPlayed(TWO, 2, 2.0)),
        (RoundRecord(1, (), (ONE, TWO)),),
    ),
    (
        "an amended turn takes the place of the one said before",
        (RoundStarted(1, 1, 2), TurnPlayed(ONE, 1, 1.0), TurnPlayed(TWO, 2, 2.0), Amended(1, OTHER, 3.0)),
        (RoundRecord(1, (), (OTHER, TWO)),),
    ),
    (
        "an end",
        (RoundStarted(1, 1, 2), TurnPlayed(ONE, 1, 1.0), end(75)),
        (RoundRecord(1, (), (ONE,), 1, {1: 75, 2: 5}),),
    ),
    (
        "an amended end takes the place of the one said before, and so does a turn",
        (RoundStarted(1, 1, 2), TurnPlayed(ONE, 1, 1.0), end(75), Amended(1, OTHER, 9.0), end(125, amends=True)),
        (RoundRecord(1, (), (OTHER,), 1, {1: 125, 2: 5}),),
    ),
    (
        "a round that goes on after all has no end",
        (RoundStarted(1, 1, 2), TurnPlayed(ONE, 1, 1.0), end(75), RoundReopened(1, 9.5), TurnPlayed(TWO, 2, 10.0)),
        (RoundRecord(1, (), (ONE, TWO)),),
    ),
    (
        "a round that was cut off stays, and the next one follows",
        (RoundStarted(1, 1, 2), TurnPlayed(ONE, 1, 1.0), RoundStarted(1, 2, 1), end(75)),
        (RoundRecord(1, (), (ONE,)), RoundRecord(2, (), (), 1, {1: 75, 2: 5})),
    ),
]


@pytest.mark.parametrize(("events", "rounds"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_events_are_written_down(events: Sequence[Event], rounds: tuple[RoundRecord, ...]) -> None:
    assert of_events(*events) == rounds


def test_each_start_begins_another_record_with_the_tables_options() -> None:
    options = Options(turn_over="no-discard")
    assert recorded([START, RoundStarted(1, 1, 2), START], options) == (
        GameRecord("parker-1992", PLAYERS, ("bonus",), options, (RoundRecord(1),)),
        GameRecord("parker-1992", PLAYERS, ("bonus",), options),
    )


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ([RoundStarted(1, 1, 2)], "before any game"),
        ([START, TurnPlayed(ONE, 1, 1.0)], "before any round"),
        ([START, RoundStarted(1, 1, 2), Amended(1, ONE, 1.0)], "turn 1 was amended, but this round has 0"),
    ],
)
def test_events_that_no_referee_says_are_refused(events: list[Event], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        recorded(events)
