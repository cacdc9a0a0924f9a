"""What the referee says: to JSON and back, and what a command tells of it."""

import json
from collections.abc import Mapping
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import SEATS, SLOTS, Seat
from engine.errors import BadInput
from engine.events import (
    SPOKEN,
    CallMade,
    Doubt,
    Event,
    GameEnd,
    GameStarted,
    RoundEnd,
    RoundStarted,
    TurnPlayed,
    Violation,
    event_from_json,
    spoken,
)
from engine.game import Player
from engine.moves import Turn
from engine.scoring import score_rack
from engine.variants import rules_for
from tests.engine.tables import check_one_line
from tests.engine.test_lines import ANYTHING, spoilt
from tests.engine.test_notation import all_turns

PLAIN = rules_for("parker-1992", 4)
SEAT = st.sampled_from(SEATS)
TIME = st.floats(allow_nan=False, allow_infinity=False)
TOTALS = st.dictionaries(SEAT, st.integers(0, 700), min_size=1)
CHANCE = st.integers(0, 1000).map(lambda thousandths: thousandths / 1000)


@st.composite
def round_ends(draw: st.DrawFn) -> RoundEnd:
    """Draw the end of a round with two to four racks, some of whose cards nobody read."""
    seats = draw(st.lists(SEAT, min_size=2, unique=True))
    deck = draw(st.permutations(range(1, 61)))
    racks = {seat: tuple(deck[10 * place : 10 * place + 10]) for place, seat in enumerate(seats)}
    out = seats[0]
    racks[out] = tuple(sorted(racks[out]))
    scores = {seat: score_rack(PLAIN, cards, out=seat == out) for seat, cards in racks.items()}
    unread = draw(st.sets(st.sampled_from(range(10))))
    shown = {
        seat: tuple(
            None if place in unread and place > scores[seat].scoring else card for place, card in enumerate(cards)
        )
        for seat, cards in racks.items()
    }
    return RoundEnd(out, scores, draw(TOTALS), shown, draw(TIME))


BY_TYPE: Mapping[str, st.SearchStrategy[Event]] = {
    "game": st.builds(
        GameStarted,
        st.text(),
        st.lists(st.text()).map(tuple),
        st.lists(st.builds(Player, SEAT, st.text()), max_size=4).map(tuple),
        st.integers(),
    ),
    "round": st.builds(RoundStarted, st.integers(1), SEAT, SEAT),
    "turn": st.builds(TurnPlayed, all_turns(), SEAT, TIME, turned_over=st.booleans()),
    "violation": st.builds(Violation, st.text(), SEAT, st.text(), TIME),
    "doubt": st.builds(Doubt, SEAT, st.sampled_from(SLOTS), st.dictionaries(st.integers(1, 60), CHANCE), TIME),
    "call": st.builds(CallMade, st.none() | SEAT, TIME),
    "round_end": round_ends(),
    "game_end": st.builds(GameEnd, st.lists(SEAT).map(tuple), TOTALS, TIME),
}


def test_every_kind_of_event_is_tested_here() -> None:
    assert len(get_args(Event)) == len(BY_TYPE)


@pytest.mark.parametrize("kind", BY_TYPE)
@given(data=st.data())
def test_every_event_is_read_back_from_json_as_it_was(kind: str, data: st.DataObject) -> None:
    event = data.draw(BY_TYPE[kind])
    said = json.loads(json.dumps(event.as_json()))
    assert said["type"] == kind
    assert event_from_json(said) == event


@given(ANYTHING)
def test_any_json_value_is_an_event_or_bad_input(said: Any) -> None:  # noqa: ANN401 - decoded JSON may be anything
    try:
        event_from_json(said)
    except BadInput as problem:
        check_one_line(problem)


@given(st.one_of(*BY_TYPE.values()), st.integers(0, 20), ANYTHING)
def test_an_event_with_one_part_replaced_is_an_event_or_bad_input(event: Event, at: int, other: object) -> None:
    said: Any = spoilt(event.as_json(), at, other)
    try:
        event_from_json(said)
    except BadInput as problem:
        check_one_line(problem)


@pytest.mark.parametrize(
    "said", [{}, {"type": "turn"}, {"type": "deal"}, {"type": None}, {"type": "doubt", "candidates": {"x": 1}}]
)
def test_what_is_no_event_is_refused(said: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match="is no event of a journal"):
        event_from_json(said)


def test_a_turn_is_said_in_the_words_of_the_formats() -> None:
    event = TurnPlayed(Turn(1, "draw", 17, 25, 44), 2, 12.4)
    said = {"type": "turn", "seat": 1, "source": "draw", "card": 17, "slot": 25, "discarded": 44, "t": 12.4}
    assert spoken(event) == said
    assert spoken(TurnPlayed(event.turn, 2, 12.4, turned_over=True)) == said | {"reshuffle": True}


def test_a_violation_and_a_doubt_are_said_in_the_words_of_the_formats() -> None:
    assert spoken(Violation("false-call", 2, "for people", 12.4)) == {
        "type": "violation",
        "rule": "false-call",
        "seat": 2,
        "t": 12.4,
        "text": "for people",
    }
    assert spoken(Doubt(2, 25, {33: 0.5, 38: 0.4}, 12.4)) == {
        "type": "doubt",
        "seat": 2,
        "slot": 25,
        "candidates": {"33": 0.5, "38": 0.4},
        "t": 12.4,
    }


def test_the_ends_are_said_in_the_words_of_the_formats() -> None:
    racks: dict[Seat, tuple[int, ...]] = {1: tuple(range(1, 11)), 2: (13, 12, *range(21, 29))}
    scores = {seat: score_rack(PLAIN, cards, out=seat == 1) for seat, cards in racks.items()}
    said = spoken(RoundEnd(1, scores, {1: 75, 2: 5}, racks, 80.2))
    assert said is not None
    assert {key: said[key] for key in ("type", "out", "scores", "totals", "t")} == {
        "type": "round_end",
        "out": 1,
        "scores": {"1": 75, "2": 5},
        "totals": {"1": 75, "2": 5},
        "t": 80.2,
    }
    assert said["racks"] == {"1": list(racks[1]), "2": list(racks[2])}
    end = {"type": "game_end", "winners": [1], "totals": {"1": 510, "2": 5}, "t": 80.2}
    assert spoken(GameEnd((1,), {1: 510, 2: 5}, 80.2)) == end


def test_what_only_the_journal_needs_is_not_said() -> None:
    assert spoken(RoundStarted(1, 1, 2)) is None
    assert spoken(CallMade(1, 2.0)) is None
    assert spoken(GameStarted("retro", (), (), 500)) is None
    assert set(SPOKEN) == {"turn", "violation", "doubt", "round_end", "game_end"}
