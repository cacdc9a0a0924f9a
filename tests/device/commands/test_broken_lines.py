"""`racko score` and `racko referee` on whatever may come: a line that cannot be gets one clear error in its place."""

import json
import re
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from device.commands.judging import DEEPEST, LONGEST
from device.simulated.cheats import RULES, Cheats
from device.simulated.evidence import Noise, lines_of
from device.simulated.games import Setup, play_game
from device.simulated.players import Level
from engine.events import spoken
from engine.line_json import line_as_json, parse_line
from engine.referee import Referee
from tests.device.commands.answering import Answer, answered, as_text, text_of

FUZZ = settings(max_examples=60, deadline=None)

WORDS = st.sampled_from(
    (
        "parker-1992",
        "hasbro-2006",
        "bonus",
        "partners",
        "quick",
        "cards",
        "empty",
        "observe",
        "call",
        "1",
        "5",
        "05",
        "-1",
    )
)
NUMBERS = (
    st.integers(-5, 65) | st.integers() | st.floats() | st.sampled_from((10**400, -(10**4000), 1e308, 2**63, 0.1, True))
)
SCALARS = st.none() | NUMBERS | st.text(st.characters(), max_size=5) | WORDS
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS | st.text(max_size=3), inner, max_size=4),
    max_leaves=8,
)

ROUND = {
    "edition": "parker-1992",
    "variants": ["bonus"],
    "options": {"turn_over": "no-discard", "powers": None},
    "racks": {"1": [3, 9, 12, 13, 14, 20, 25, 31, 36, 40], "2": [2, 4, 1, 7, 8, 10, 19, 22, 30, 39]},
    "out": 1,
}
GOOD = json.dumps(ROUND)
GAME = {
    "type": "game",
    "edition": "hasbro-2006",
    "variants": ["bonus"],
    "players": [{"seat": 1, "name": "Ada"}, {"seat": 2, "name": "Ben"}],
    "options": {"powers": {"7": "switch-own", "11": None}},
}
RACKS = {str(seat): {str(5 * slot): 10 * seat + slot for slot in range(1, 11)} for seat in (1, 2)}
LINES: list[dict[str, Any]] = [
    GAME,
    {"type": "round", "dealer": 1},
    {"type": "observe", "t": 12.5, "racks": RACKS, "discard": {"37": 0.9, "38": 0.1}, "draw": "cards"},
    {"type": "unsettled", "t": 13},
    {"type": "correct", "t": 14, "seat": 1, "slot": 25, "card": 38},
    {"type": "call", "t": 15, "seat": 2},
]


@st.composite
def changed(draw: st.DrawFn, value: Any) -> Any:  # noqa: ANN401 - JSON may be anything
    """Draw a value with one thing in it replaced, taken out or put in."""
    if isinstance(value, dict) and value and draw(st.integers(0, 4)):
        key = draw(st.sampled_from(sorted(value)))
        match draw(st.sampled_from(("inside", "inside", "inside", "out", "in"))):
            case "out":
                return {other: value[other] for other in value if other != key}
            case "in":
                return value | {draw(WORDS): draw(VALUES)}
            case _:
                return value | {key: draw(changed(value[key]))}
    if isinstance(value, list) and value and draw(st.integers(0, 4)):
        place = draw(st.integers(0, len(value) - 1))
        return [*value[:place], draw(changed(value[place])), *value[place + 1 :]]
    return draw(VALUES)


def texts_near(*good: Any) -> st.SearchStrategy[str]:  # noqa: ANN401 - JSON may be anything
    """One line: rubbish, any JSON, a good line, or one that is nearly good, perhaps cut off."""
    near = st.sampled_from(good).flatmap(changed).map(json.dumps)
    cut = st.tuples(near, st.integers(0, 200)).map(lambda pair: pair[0][: pair[1]])
    rubbish = st.text(st.characters(codec="utf-8"), max_size=20)
    every = st.sampled_from(good).map(json.dumps) | VALUES.map(json.dumps) | near | near | cut | rubbish
    return every.map(lambda text: re.sub(r"[\n\r]", "", text))


def check_errors(answer: Answer, lines: list[str]) -> list[int]:
    """Hold every error against the rules for errors; return the numbers of the lines they are for."""
    rows = answer.rows
    for row in rows:
        if "error" in row:
            assert set(row) == {"error", "line"}
            assert 0 < len(row["error"]) <= LONGEST
            assert len(row["error"].splitlines()) == 1
            assert lines[row["line"] - 1].strip()
    numbers = [row["line"] for row in rows if "error" in row]
    assert numbers == sorted(set(numbers))
    assert answer.code == bool(numbers)
    assert answer.err == ""
    return numbers


@FUZZ
@given(st.lists(texts_near(ROUND), max_size=6))
@example(["[" * 100_000, "{}", "[" * (DEEPEST + 1) + "]" * (DEEPEST + 1)])
@example(["9" * 5000, '{"edition": ' + "9" * 4000 + "}", GOOD])
@example(['{"edition": ' + "[" * 500 + "]" * 500 + "}"])
@example([GOOD.replace('"out": 1', '"out": 1, "out": 2'), "\ufeff" + GOOD, "\x00", "NaN", '"\\ud800"'])
def test_every_line_of_racks_is_scored_or_refused_in_its_place(lines: list[str]) -> None:
    answer = answered("\n".join(lines), "score", "--json")
    wrong = check_errors(answer, lines)
    asked = [number for number, line in enumerate(lines, 1) if line.strip()]
    assert len(answer.rows) == len(asked)
    for number, row in zip(asked, answer.rows, strict=True):
        assert set(row) == ({"error", "line"} if number in wrong else {"scores", "why"})


@FUZZ
@given(st.lists(texts_near(*LINES) | st.sampled_from(LINES).map(json.dumps), max_size=15))
@example(
    [json.dumps(LINES[0]), json.dumps(LINES[1]), '{"type": "observe", "t": 1e999}', '{"type": "observe", "t": NaN}']
)
@example(['{"type": "game", "edition": "retro", "players": [], "options": {"powers": ' + "[" * 500 + "]" * 500 + "}}"])
@example(['{"type": "game", "edition": "retro", "players": [{"seat": 1, "name": "\\ud800"}, {"seat": 2}]}'])
@example([json.dumps(GAME), json.dumps(LINES[1]), '{"type": "observe", "t": 1, "racks": {"1": {"5": 3, "05": 4}}}'])
def test_no_line_in_any_order_gives_the_referee_anything_but_an_error_in_its_place(lines: list[str]) -> None:
    check_errors(answered("\n".join(lines), "referee", "--json"), lines)
    for way in ((), ("--notation",)):
        answer = answered("\n".join(lines), "referee", *way)
        assert all(re.match(r"racko: line \d+: .", row) for row in answer.err.splitlines())
        assert answer.code == bool(answer.err)


def played_text(seed: int) -> str:
    """A game with cheats and much noise, as the referee's lines."""
    levels: tuple[Level, ...] = ("fair", "careless", "beginner", "fair")
    setup = Setup(levels[: 2 + seed % 3], ("parker-1992", "hasbro-2006")[seed % 2], most_rounds=1, most_turns=25)
    played = play_game(setup, Random(seed), Cheats(RULES, 0.1))
    return text_of(played, Noise(hide=0.1, misread=0.05, half=0.2, missed=0.1, button="shared"))


PLAYED = st.integers(0, 5).map(played_text)


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(PLAYED, st.data())
def test_a_stream_with_lines_changed_lost_and_out_of_order_is_followed_as_far_as_it_goes(
    text: str, data: st.DataObject
) -> None:
    lines = text.splitlines()
    sound = set(lines)
    for _ in range(data.draw(st.integers(1, 6))):
        one, other = (data.draw(st.integers(0, len(lines) - 1)) for _ in range(2))
        match data.draw(st.sampled_from(("swap", "lose", "change", "add"))):
            case "swap":
                lines[one], lines[other] = lines[other], lines[one]
            case "lose":
                del lines[min(one, other) : min(one, other) + 5]
                lines.append("")
            case "change":
                # one that was added may be no JSON any more
                lines[one] = json.dumps(data.draw(changed(json.loads(lines[one] if lines[one] in sound else "{}"))))
            case _:
                lines.insert(one, data.draw(texts_near(*LINES)))
    check_errors(answered("\n".join(lines), "referee", "--json"), lines)


@settings(max_examples=8, deadline=None)
@given(PLAYED, st.data())
def test_a_stream_that_is_cut_anywhere_says_what_the_whole_one_says_so_far(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    whole_lines = text[:at].count("\n")
    referee = Referee()
    so_far = [
        said
        for line in text.splitlines()[:whole_lines]
        for event in referee.feed(parse_line(json.loads(line)))
        if (said := spoken(event)) is not None
    ]
    answer = answered(text[:at], "referee", "--json")
    assert answer.rows[: len(so_far)] == json.loads(json.dumps(so_far))
    assert [row["line"] for row in answer.rows if "error" in row] in ([], [whole_lines + 1])


@pytest.mark.slow
def test_many_games_in_a_row_are_each_refereed_as_if_they_stood_alone() -> None:
    texts = [played_text(seed) for seed in range(5)]
    alone = [answered(text, "referee", "--json") for text in texts]
    together = answered("".join(texts), "referee", "--json")
    assert [answer.code for answer in (*alone, together)] == [0] * 6
    assert together.rows == [row for answer in alone for row in answer.rows]


def test_what_is_said_last_of_a_game_names_its_own_players_and_not_the_next_ones() -> None:
    setup = Setup(("fair",) * 3, most_rounds=1, most_turns=12)
    lines = [line_as_json(line) for line in lines_of(play_game(setup, Random(4)), Noise(looks=(1, 1)), Random(4))]
    people = [{"seat": seat, "name": f"New {seat}"} for seat in (1, 2)]
    following = {"type": "game", "edition": "retro", "players": people}
    cut = next(
        lines[:length]
        for length in range(len(lines), 0, -1)
        if '"seat": 3' in answered(as_text([*lines[:length], following]), "referee", "--json").out.splitlines()[-1]
    )
    answer = answered(as_text([*cut, following]), "referee")
    assert answer.code == 0
    last, start = answer.out.splitlines()[-2:]
    assert "Cleo" in last
    assert "New 1 and New 2" in start


NOT_JSON = [
    ("rubbish", "not JSON: Expecting value (column 1)"),
    ('{"t" 1}', "not JSON: Expecting ':' delimiter (column 6)"),
    ("9" * 5000, "not JSON that can be read: a number has thousands of digits"),
    ('{"t": NaN}', "not JSON: NaN is no number; leave out what is not known"),
    ('{"t": -Infinity}', "not JSON: -Infinity is no number; leave out what is not known"),
    ('{"t": 1, "t": 1}', "the key 't' stands twice in one object; name it once"),
    ("[" * 21 + "]" * 21, "not JSON of this program: more than 20 arrays or objects stand in one another"),
    ("[" * 100_000, "not JSON of this program: more than 20 arrays or objects stand in one another"),
]


@pytest.mark.parametrize(("text", "words"), NOT_JSON, ids=[words for _, words in NOT_JSON])
@pytest.mark.parametrize("command", ["score", "referee"])
def test_what_is_not_json_is_refused_in_words(command: str, text: str, words: str) -> None:
    assert answered(f"\n{text}\n", command, "--json").rows == [{"error": words, "line": 2}]
