"""Whole games as text, there and back, and played again by their rules."""

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.cards import SEATS
from engine.errors import BadInput
from engine.game import Player
from engine.moves import Turn
from engine.powers import Switch
from engine.record import GameRecord, RoundRecord, games_as_text, parse_games
from engine.variants import Options
from tests.engine.by_hand import EDITION_NAMES, KINDS, VARIANT_NAMES, Way, ways
from tests.engine.simulated import simulated_game
from tests.engine.tables import check_one_line, dice
from tests.engine.test_notation import all_turns

SEEDS = st.integers(0, 2**32 - 1)
NAMES = st.text(max_size=12) | st.sampled_from(
    ("", 'A "quoted" name', "two\nlines", "Zoë 🃏", "\\", "round 1", "\u2028")
)
FOUR_NAMES = st.lists(NAMES, min_size=4, max_size=4)

TEXT = """\
game hasbro-2006 bonus
options {"turn_over": "new-discard", "powers": {"7": "switch-own", "11": null}}
seat 1 "Ada"
seat 3 "B\\u00e9n \\"B\\""
round 1
deck 12 5 33
1:D17@25x44 3:T44@10x3 1:D8x8 3:D7x7+3@5/3@10 1:D11x11+again 1:D9@5x2 3:D?@5x? 1:D2x2
3:T2@5x9
out 3 1:30 3:125
round 3
game retro
"""
RECORDS = (
    GameRecord(
        "hasbro-2006",
        (Player(1, "Ada"), Player(3, 'Bén "B"')),
        ("bonus",),
        Options(turn_over="new-discard", powers={7: "switch-own", 11: None}),
        (
            RoundRecord(
                1,
                (12, 5, 33),
                (
                    Turn(1, "draw", 17, 25, 44),
                    Turn(3, "discard", 44, 10, 3),
                    Turn(1, "draw", 8, None, 8),
                    Turn(3, "draw", 7, None, 7, Switch((3, 5), (3, 10))),
                    Turn(1, "draw", 11, None, 11, "again"),
                    Turn(1, "draw", 9, 5, 2),
                    Turn(3, "draw", None, 5, None),
                    Turn(1, "draw", 2, None, 2),
                    Turn(3, "discard", 2, 5, 9),
                ),
                3,
                {1: 30, 3: 125},
            ),
            RoundRecord(3),
        ),
    ),
    GameRecord("retro", ()),
)


def test_games_are_written_as_the_notation_says_and_read_back() -> None:
    assert games_as_text(RECORDS) == TEXT
    assert parse_games(TEXT) == RECORDS


def test_empty_lines_are_passed_over_and_no_text_is_no_games() -> None:
    assert parse_games("") == parse_games("\n\n  \n") == ()
    assert games_as_text(()) == ""
    assert parse_games("\n" + TEXT.replace("\n", "\n \n\n").rstrip()) == RECORDS


def check_there_and_back(records: Sequence[GameRecord]) -> None:
    """Hold records against what is read from their text, and that text against what is written from that."""
    text = games_as_text(records)
    assert parse_games(text) == tuple(records)
    assert games_as_text(parse_games(text)) == text


@settings(deadline=None)
@given(st.lists(st.tuples(ways(), SEEDS, FOUR_NAMES), max_size=3))
def test_simulated_games_are_read_back_as_they_were(plans: list[tuple[Way, int, list[str]]]) -> None:
    check_there_and_back([simulated_game(way, dice(seed), names=names).record for way, seed, names in plans])


WORDS = st.text(st.characters(codec="utf-8", exclude_characters=" \n"), max_size=10)
ROUNDS = st.builds(
    RoundRecord,
    st.sampled_from(SEATS),
    st.lists(st.integers(0, 99999), max_size=12).map(tuple),
    st.lists(all_turns(), max_size=20).map(tuple),
)
ENDED_ROUNDS = st.builds(
    replace,
    ROUNDS,
    out=st.sampled_from(SEATS),
    points=st.dictionaries(st.sampled_from(SEATS), st.integers(0, 99999)),
)
ARBITRARY = st.builds(
    GameRecord,
    st.sampled_from(EDITION_NAMES) | WORDS,
    st.lists(st.builds(Player, st.sampled_from(SEATS), NAMES), max_size=4).map(tuple),
    st.lists(st.sampled_from(VARIANT_NAMES) | WORDS, max_size=3).map(tuple),
    st.builds(
        Options,
        st.sampled_from((None, "highest", "lowest")),
        st.sampled_from((None, "new-discard", "no-discard")),
        st.none() | st.dictionaries(st.integers(1, 60), st.none() | st.sampled_from(KINDS), max_size=4),
        st.booleans(),
    ),
    st.lists(ROUNDS | ENDED_ROUNDS, max_size=3).map(tuple),
)


@pytest.mark.slow
@settings(deadline=None)
@given(st.lists(ARBITRARY, max_size=3))
def test_any_records_are_read_back_as_they_were_possible_or_not(records: list[GameRecord]) -> None:
    check_there_and_back(records)


def check_any_text(text: str) -> None:
    """Hold any text to be games in some words, or refused in one line that names the text's line."""
    try:
        games = parse_games(text)
    except BadInput as problem:
        words = str(problem)
    else:
        check_there_and_back(games)
        return
    assert re.fullmatch(r"line \d+: .+", words), "one line, with the number of the text's"


FRAGMENTS = (
    "game parker-1992",
    "game  ",
    "game",
    "seat 1 ",
    'seat 2 "Ben"',
    'seat 5 "Eve"',
    "options {}",
    'options {"powers": {"7": null}}',
    'options {"powers": 7}',
    "options",
    "round 1",
    "round 01",
    "round",
    "deck 1 2 3",
    "deck ",
    "deck 1  2",
    "2:D17@25x44",
    "2:D17x17 1:D3x3",
    " 2:D17x17",
    "out 1 1:75 2:5",
    "out 1 1:75 1:5",
    "out 1",
    "out 7 1:5",
    "out 1 1:-5",
    "\r",
    "\x00",
)
LINES = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=12), max_size=10).map("\n".join)


@given(st.text() | LINES | LINES.map("game parker-1992\nround 1\n".__add__))
@example("game x\noptions " + "[" * 100_000)
@example("game x\nseat 1 " + "9" * 5000)
@example("game x\nround 1\ndeck " + "9" * 5000)
def test_any_text_is_games_that_are_read_back_or_bad_input(text: str) -> None:
    check_any_text(text)


@settings(deadline=None)
@given(ways(), SEEDS, st.data())
def test_a_text_with_something_cut_out_or_put_in_is_games_that_are_read_back_or_bad_input(
    way: Way, seed: int, data: st.DataObject
) -> None:
    text = games_as_text([simulated_game(way, dice(seed), rounds=2).record])
    first = data.draw(st.integers(0, len(text)))
    last = data.draw(st.integers(first, min(len(text), first + 20)))
    check_any_text(text[:first] + data.draw(st.text(max_size=3) | st.sampled_from(FRAGMENTS)) + text[last:])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("round 1", "line 1: 'round 1' comes before any game; a record begins with a line like 'game parker-1992'"),
        ("\n\ngames retro", "line 3: 'games retro' comes before any game"),
        (" game retro", "line 1: ' game retro' comes before any game"),
        (
            "game retro\n2:D17x17",
            "line 2: '2:D17x17' comes before any round; a round begins with a line like 'round 1'",
        ),
        ("game retro\nout 1 1:75", "line 2: 'out 1 1:75' comes before any round"),
        ("game retro\nround 0", "line 2: seat 0 is none of 1 to 4"),
        ("game retro\nround 5", "line 2: seat 5 is none of 1 to 4"),
        ("game retro\nround", "line 2: '' is no seat"),
        ("game retro\nround 01", "line 2: '01' is no seat"),
        ("game retro\nround \u0661", "is no seat"),
        ("game retro\nround \u00b2", "is no seat"),
        ("game retro\nround 1 2", "line 2: '1 2' is no seat"),
        ("game retro\nround 1\r", r"line 2: '1\r' is no seat"),
        ("game retro\nseat 1", "line 2: '' is not JSON"),
        ("game retro\nseat 1 Ada", "line 2: 'Ada' is not JSON"),
        ('game retro\nseat 1 "Ada', "line 2: '\"Ada' is not JSON"),
        ("game retro\nseat 1 7", "line 2: '7' is no name in quotation marks"),
        ("game retro\nseat 1 " + "7" * 5000, f"line 2: '{'7' * 40}' is not JSON"),
        ('game retro\nseat 9 "Ada"', "line 2: seat 9 is none of 1 to 4"),
        ('game retro\nround 1\nseat 1 "Ada"', "line 3: the players are named before the first round"),
        ("game retro\noptions", "line 2: '' is not JSON"),
        ("game retro\noptions []", "line 2: options: [] is not an object of options"),
        ('game retro\noptions {"bonus": true}', "line 2: options: 'bonus' is not known"),
        (
            'game retro\noptions {"ends_by_itself": true}\noptions {}',
            "line 3: options are named once, before the first",
        ),
        ("game retro\nround 1\noptions {}", "line 3: options are named once, before the first round"),
        ("game retro\nround 1\ndeck", "line 3: '' is no card"),
        ("game retro\nround 1\ndeck 1 -2", "line 3: '-2' is no card"),
        ("game retro\nround 1\ndeck 1  2", "line 3: '' is no card"),
        ("game retro\nround 1\ndeck 1 2\ndeck 3", "line 4: a round has one deck, named before its turns"),
        ("game retro\nround 1\n2:D17x17\ndeck 3", "line 4: a round has one deck, named before its turns"),
        ("game retro\nround 1\n2:D17x17 2:D17", "line 3: '2:D17' is no turn"),
        ("game retro\nround 1\n2:D17x17  1:D3x3", "line 3: '' is no turn"),
        ("game retro\nround 1\n 2:D17x17", "line 3: '' is no turn"),
        ("game retro\nround 1\nhello", "line 3: 'hello' is no turn"),
        ("game retro\nround 1\n2:D61x61", "line 3: '2:D61x61': 61 is no card"),
        ("game retro\nround 1\nout", "line 3: '' is no seat"),
        ("game retro\nround 1\nout 5", "line 3: seat 5 is none of 1 to 4"),
        ("game retro\nround 1\nout 1 1", "line 3: '' is no number of points"),
        ("game retro\nround 1\nout 1 1:-5", "line 3: '-5' is no number of points"),
        ("game retro\nround 1\nout 1 1:7.5", "line 3: '7.5' is no number of points"),
        ("game retro\nround 1\nout 1 1:75 1:5", "line 3: seat 1 is given points twice"),
        ("game retro\nround 1\nout 1 1:75\nout 1 1:75", "line 4: 'out 1 1:75' comes after the end of its round"),
        ("game retro\nround 1\nout 1 1:75\n2:D17x17", "line 4: '2:D17x17' comes after the end of its round"),
    ],
)
def test_a_broken_line_is_refused_by_its_number_and_in_words(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=re.escape(words)) as refused:
        parse_games(text)
    check_one_line(refused.value)
