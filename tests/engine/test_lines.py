"""The referee's input lines: to and fro, and every kind of nonsense."""

import json
import math
import re
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import SEATS, SLOTS
from engine.errors import BadInput
from engine.game import Player
from engine.line_json import line_as_json, parse_line
from engine.lines import EMPTY, Arm, Call, Correction, Line, NewGame, NewRound, Observation, Sighting, Unsettled
from tests.engine.tables import check_one_line

LINE_CASES: list[tuple[dict[str, Any], Line]] = [
    (
        {"type": "game", "edition": "retro", "players": [{"seat": 1, "name": " Ada "}, {"seat": 3}]},
        NewGame("retro", (), (Player(1, "Ada"), Player(3, "Seat 3"))),
    ),
    ({"type": "game", "edition": "x", "variants": ["bonus"], "players": []}, NewGame("x", ("bonus",), ())),
    ({"type": "round", "dealer": 4}, NewRound(4)),
    ({"type": "unsettled", "t": 15}, Unsettled(15.0)),
    ({"type": "call", "t": 80.2, "seat": 1}, Call(80.2, 1)),
    ({"type": "call", "t": 80.2, "seat": None}, Call(80.2, None)),
    ({"type": "call", "t": 80.2}, Call(80.2, None)),
    ({"type": "correct", "t": 81.0, "seat": 1, "slot": 25, "card": 38}, Correction(81.0, 1, 25, 38)),
    ({"type": "correct", "t": 81.0, "seat": 1, "slot": 25, "empty": True}, Correction(81.0, 1, 25, EMPTY)),
    ({"type": "correct", "t": 8.0, "seat": 1, "slot": 25, "card": 38, "empty": False}, Correction(8.0, 1, 25, 38)),
    ({"type": "observe", "t": 1}, Observation(1.0, {})),
    ({"type": "observe", "t": 1, "racks": None, "discard": None, "draw": None}, Observation(1.0, {})),
    (
        {"type": "observe", "t": 12.4, "racks": {"1": {"5": 12, "10": None, "15": 0}, "2": None}, "discard": 17},
        Observation(12.4, {1: {5: {12: 1.0}, 15: {0: 1.0}}}, {17: 1.0}),
    ),
    (
        {"type": "observe", "t": 0, "racks": {"4": {"50": {"17": 0.9, "0": 0.08}}}, "discard": 0, "draw": "empty"},
        Observation(0.0, {4: {50: {17: 0.9, 0: 0.08}}}, {0: 1.0}, "empty"),
    ),
    (
        {"type": "observe", "t": 9, "changed": {"1": {"5": 8.5, "10": None}, "2": {}, "3": None}},
        Observation(9.0, {}, changed={1: {5: 8.5}, 2: {}}),
    ),
    (
        {"type": "observe", "t": 9, "arm": {"x": 20, "y": 105.5, "shade": 0.7}},
        Observation(9.0, {}, arm=Arm(20.0, 105.5, 0.7)),
    ),
    (
        {"type": "observe", "t": 9, "arm": {"x": 20, "y": 105.5, "shade": 0.7, "reaches": "discard"}},
        Observation(9.0, {}, arm=Arm(20.0, 105.5, 0.7, "discard")),
    ),
]


@pytest.mark.parametrize(("said", "line"), LINE_CASES, ids=[json.dumps(said)[:60] for said, _ in LINE_CASES])
def test_a_line_is_understood(said: dict[str, Any], line: Line) -> None:
    assert parse_line(said) == line
    assert parse_line(json.loads(json.dumps(line_as_json(line)))) == line


SEATS_TAKEN, SLOTS_TAKEN = st.sampled_from(SEATS), st.sampled_from(SLOTS)
TIMES = st.floats(allow_nan=False, allow_infinity=False)
NAMES = st.text(min_size=1).map(str.strip).filter(bool)


@st.composite
def sightings(draw: st.DrawFn) -> Sighting:
    """Draw chances that add up to one at most."""
    weights = draw(st.dictionaries(st.integers(0, 60), st.floats(0, 1), max_size=5))
    total = max(1.0, sum(weights.values()))
    return {card: weight / total for card, weight in weights.items()}


RACKS = st.dictionaries(SEATS_TAKEN, st.dictionaries(SLOTS_TAKEN, sightings()))
LINES: st.SearchStrategy[Line] = st.one_of(
    st.builds(
        NewGame,
        st.text(),
        st.lists(st.text(), max_size=3).map(tuple),
        st.lists(st.builds(Player, SEATS_TAKEN, NAMES), max_size=4).map(tuple),
    ),
    st.builds(NewRound, SEATS_TAKEN),
    st.builds(
        Observation,
        TIMES,
        RACKS,
        st.none() | sightings(),
        st.sampled_from((None, "cards", "empty")),
        st.dictionaries(SEATS_TAKEN, st.dictionaries(SLOTS_TAKEN, TIMES)),
        st.none() | st.builds(Arm, TIMES, TIMES, TIMES),
    ),
    st.builds(Unsettled, TIMES),
    st.builds(Call, TIMES, st.none() | SEATS_TAKEN),
    st.builds(Correction, TIMES, SEATS_TAKEN, SLOTS_TAKEN, st.integers(0, 60)),
)


@given(LINES)
def test_every_line_is_read_back_from_json_as_it_was(line: Line) -> None:
    assert parse_line(json.loads(json.dumps(line_as_json(line)))) == line


def observed(**said: object) -> dict[str, object]:
    return {"type": "observe", "t": 1.0, **said}


REFUSED: list[tuple[object, str]] = [
    (None, "a line is one JSON object, not null"),
    ([], "not list"),
    ("observe", "not str"),
    (17, "not int"),
    ({}, "type None is not known; it is one of game, round, observe"),
    ({"type": "deal"}, "type 'deal' is not known"),
    ({"type": ["observe"]}, "is not known"),
    ({"type": "round"}, "dealer: None is not a whole number"),
    ({"type": "round", "dealer": 5}, "dealer: 5 is none of the seats"),
    ({"type": "round", "dealer": True}, "dealer: True is not a whole number"),
    ({"type": "round", "dealer": 1.0}, "dealer: 1.0 is not a whole number"),
    ({"type": "unsettled"}, "t: None is not a time"),
    ({"type": "unsettled", "t": "12"}, "t: '12' is not a time"),
    ({"type": "unsettled", "t": False}, "t: False is not a time"),
    ({"type": "unsettled", "t": math.nan}, "t: nan is not a time"),
    ({"type": "unsettled", "t": math.inf}, "t: inf is not a time"),
    ({"type": "unsettled", "t": -math.inf}, "t: -inf is not a time"),
    ({"type": "unsettled", "t": 10**400}, "is not a time"),
    ({"type": "call", "t": 1.0, "seat": 0}, "seat: 0 is none of the seats"),
    ({"type": "call", "t": 1.0, "seat": "1"}, "seat: '1' is not a whole number"),
    ({"type": "correct", "t": 1.0, "seat": 1, "slot": 7, "card": 3}, "slot: 7 is none of the slots"),
    ({"type": "correct", "t": 1.0, "seat": 1, "slot": 5, "card": 99}, "card: 99 is no card"),
    ({"type": "correct", "t": 1.0, "seat": 1, "slot": 5, "card": 0}, "card: 0 is no card"),
    ({"type": "correct", "t": 1.0, "seat": 1, "slot": 5}, "card: None is not a whole number"),
    ({"type": "correct", "t": 1.0, "seat": 1, "slot": 5, "empty": False}, "card: None is not a whole number"),
    ({"type": "correct", "t": 1.0, "seat": 1, "slot": 5, "empty": 1}, "empty: 1 is neither true nor false"),
    ({"type": "correct", "t": 1.0, "seat": 1, "slot": 5, "empty": True, "card": 3}, "leave one of the two out"),
    ({"type": "game", "players": []}, "edition: None is not a name"),
    ({"type": "game", "edition": "retro"}, "players: a list of seats and names is missing"),
    ({"type": "game", "edition": "retro", "variants": "bonus", "players": []}, "variants: 'bonus' is not a list"),
    ({"type": "game", "edition": "retro", "variants": [1], "players": []}, "variants: [1] is not a list"),
    ({"type": "game", "edition": "retro", "players": ["Ada"]}, "players: 'Ada' is not like"),
    ({"type": "game", "edition": "retro", "players": [{"seat": 5}]}, "players: seat: 5 is none"),
    ({"type": "game", "edition": "retro", "players": [{"seat": 1, "name": " "}]}, "the name ' ' of seat 1"),
    ({"type": "game", "edition": "retro", "players": [{"seat": 1, "name": 7}]}, "the name 7 of seat 1"),
    ({"type": "observe"}, "t: None is not a time"),
    (observed(racks=[]), "racks: list is not an object of seats"),
    (observed(racks={"5": {}}), "racks: 5 is none of the seats"),
    (observed(racks={"one": {}}), "racks: 'one' is not a whole number"),
    (observed(racks={"9" * 5000: {}}), "is not a whole number"),
    (observed(racks={"\u0661": {}}), "is not a whole number"),
    (observed(racks={"1": [12]}), "racks: seat 1: list is not an object of slots"),
    (observed(racks={"1": {"7": 12}}), "racks: seat 1: 7 is none of the slots"),
    (observed(racks={"1": {"": 12}}), "racks: seat 1: '' is not a whole number"),
    (observed(racks={"1": {"5": 61}}), "racks: seat 1: slot 5: 61 is no card"),
    (observed(racks={"1": {"5": -1}}), "slot 5: -1 is no card"),
    (observed(racks={"1": {"5": "12"}}), "slot 5: '12' is not a whole number"),
    (observed(racks={"1": {"5": [12]}}), "slot 5: [12] is not a whole number"),
    (observed(racks={"1": {"5": True}}), "slot 5: True is not a whole number"),
    (observed(changed=[]), "changed: list is not an object of seats"),
    (observed(changed={"1": {"7": 1.0}}), "changed: seat 1: 7 is none of the slots"),
    (observed(changed={"1": {"5": "soon"}}), "changed: seat 1: slot 5: 'soon' is not a time"),
    (observed(arm=7), "arm: int is not an object with x, y and shade"),
    (observed(arm={"x": 1, "y": 2}), "arm: shade: None is not a number"),
    (observed(arm={"x": 1, "y": True, "shade": 1}), "arm: y: True is not a number"),
    (
        observed(arm={"x": 1, "y": 2, "shade": 1, "reaches": "rack"}),
        'arm: reaches: \'rack\' is neither "draw" nor "discard"',
    ),
    (observed(discard=99), "discard: 99 is no card"),
    (observed(discard={"99": 0.5}), "discard: 99 is no card"),
    (observed(discard={"x": 0.5}), "discard: 'x' is not a whole number"),
    (observed(discard={"9": 1.5}), "discard: the chance 1.5 of 9 is not between 0 and 1"),
    (observed(discard={"9": -0.1}), "the chance -0.1 of 9"),
    (observed(discard={"9": math.nan}), "the chance nan of 9"),
    (observed(discard={"9": None}), "the chance None of 9"),
    (observed(discard={"9": True}), "the chance True of 9"),
    (observed(discard={"9": 0.6, "6": 0.6}), "the chances add up to 1.200"),
    (observed(draw="full"), "draw: 'full' is neither"),
    (observed(draw=["cards"]), "is neither"),
]


@pytest.mark.parametrize(("said", "words"), REFUSED, ids=[repr(said)[:60] for said, _ in REFUSED])
def test_a_line_that_cannot_be_is_refused_in_words(said: object, words: str) -> None:
    with pytest.raises(BadInput, match=re.escape(words)) as refused:
        parse_line(said)
    assert "\n" not in str(refused.value)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just(10**400),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def spoilt(value: object, at: int, other: object) -> object:
    """The same JSON value with one of its parts, counted in depth, replaced by another."""
    count = -1

    def rebuilt(part: object) -> object:
        nonlocal count
        count += 1
        if count == at:
            return other
        if isinstance(part, Mapping):
            return {key: rebuilt(inner) for key, inner in part.items()}
        return [rebuilt(inner) for inner in part] if isinstance(part, list) else part

    return rebuilt(value)


@given(ANYTHING)
def test_any_json_value_is_a_line_or_bad_input(said: object) -> None:
    try:
        parse_line(said)
    except BadInput as problem:
        check_one_line(problem)


@given(LINES, st.integers(0, 12), ANYTHING)
def test_a_line_with_one_part_replaced_is_a_line_or_bad_input(line: Line, at: int, other: object) -> None:
    said = spoilt(line_as_json(line), at, other)
    try:
        understood = parse_line(said)
    except BadInput as problem:
        check_one_line(problem)
    else:
        assert parse_line(line_as_json(understood)) == understood
