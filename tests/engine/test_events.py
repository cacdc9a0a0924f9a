"""What the referee says: to JSON and back, and what a command tells of it."""

import json
from collections.abc import Mapping
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import SEATS, SLOTS, Seat
from engine.errors import BadInput
from engine.event_json import event_from_json
from engine.events import (
    SPOKEN,
    Amended,
    CallMade,
    Doubt,
    DoubtSettled,
    Event,
    GameEnd,
    GameStarted,
    Paused,
    RacksWanted,
    Rejudged,
    RoundAbandoned,
    RoundEnd,
    RoundReopened,
    RoundStarted,
    TakenBack,
    Thread,
    TurnPlayed,
    Violation,
    spoken,
)
from engine.game import Player
from engine.moves import Turn, parse_turn
from engine.powers import POWERS, power_used
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
    return RoundEnd(out, scores, draw(TOTALS), shown, draw(TIME), draw(st.booleans()))


@st.composite
def played_turns(draw: st.DrawFn) -> TurnPlayed:
    """Draw a turn with what belongs to it: a power goes with a Prime card only."""
    turn, prime = draw(all_turns()), draw(st.booleans())
    power = draw(st.none() | st.sampled_from(POWERS)) if prime else None
    return TurnPlayed(turn, draw(SEAT), draw(TIME), draw(st.booleans()), prime, power, draw(st.booleans()))


BY_TYPE: Mapping[str, st.SearchStrategy[Event]] = {
    "game": st.builds(
        GameStarted,
        st.text(),
        st.lists(st.text()).map(tuple),
        st.lists(st.builds(Player, SEAT, st.text()), max_size=4).map(tuple),
        st.integers(),
    ),
    "round": st.builds(RoundStarted, st.integers(1), SEAT, SEAT),
    "turn": played_turns(),
    "amended": st.builds(Amended, st.integers(1), all_turns(), TIME, st.booleans()),
    "taken_back": st.builds(TakenBack, st.integers(1), SEAT, TIME),
    "thread": st.builds(Thread, st.booleans(), st.text(), TIME),
    "round_abandoned": st.builds(RoundAbandoned, TIME),
    "paused": st.builds(Paused, TIME, on=st.booleans()),
    "racks_wanted": st.builds(RacksWanted, st.lists(SEAT).map(tuple), TIME),
    "rejudged": st.builds(Rejudged, TIME, st.integers(0, 99)),
    "round_reopened": st.builds(RoundReopened, SEAT, TIME),
    "violation": st.builds(Violation, st.text(), SEAT, st.text(), TIME),
    "doubt": st.builds(Doubt, SEAT, st.sampled_from(SLOTS), st.dictionaries(st.integers(1, 60), CHANCE), TIME),
    "doubt_settled": st.builds(DoubtSettled, SEAT, st.sampled_from(SLOTS), TIME),
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
        read = event_from_json(said)
    except BadInput as problem:
        check_one_line(problem)
    else:
        assert event_from_json(json.loads(json.dumps(read.as_json()))) == read


TURN = TurnPlayed(parse_turn("1:D17@25x7+1@10/3@45"), 2, 12.4, prime=True, power="switch-with-opponent").as_json()
RACKS: dict[Seat, tuple[int, ...]] = {1: tuple(range(1, 11)), 2: (13, 12, *range(21, 29))}
SCORES = {seat: score_rack(PLAIN, cards, out=seat == 1) for seat, cards in RACKS.items()}
END = RoundEnd(1, SCORES, {1: 75, 2: 5}, RACKS, 80.2).as_json()


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({}, "type is missing"),
        ([], "type is missing"),
        ({"type": "deal"}, "type: 'deal' is none of game, round, turn"),
        ({"type": None}, "type: None is none of"),
        ({"type": ["turn"]}, r"type: \['turn'\] is none of"),
        ({"type": "turn"}, "seat is missing"),
        (TURN | {"seat": "1"}, "seat: '1' is not a whole number"),
        (TURN | {"seat": True}, "seat: True is not a whole number"),
        (TURN | {"card": 1.5}, "card: 1.5 is not a whole number"),
        (TURN | {"source": "hand"}, "source: 'hand' is none of draw, discard"),
        (TURN | {"power": "fly"}, "power: 'fly' is none of another-turn"),
        (TURN | {"reshuffle": 1}, "reshuffle: 1 is neither true nor false"),
        (TURN | {"t": "now"}, "t: 'now' is not a number"),
        (TURN | {"t": float("nan")}, "t: nan is not a number"),
        (TURN | {"effect": {}}, "effect: again is missing"),
        (TURN | {"effect": {"switched": [{"seat": 1, "slot": 5}]}}, "effect: a switch is of two slots, not of 1"),
        (TURN | {"effect": {"switched": [{"seat": 1}, {"seat": 2}]}}, "effect: switched: slot is missing"),
        ({"type": "doubt", "seat": 1, "slot": 5, "candidates": {"x": 1}, "t": 1.0}, "candidates: the key 'x' is not"),
        (
            {"type": "doubt", "seat": 1, "slot": 5, "candidates": {"7": "1"}, "t": 1.0},
            "candidates: '1' is not a number",
        ),
        (END | {"winners": [1], "type": "game_end", "totals": [5]}, r"totals: \[5\] is not an object"),
        (END | {"why": {"1": "went out"}}, "are not of the same seats"),
        (END | {"racks": {"1": 5, "2": []}}, "racks: 5 is not a list"),
    ],
)
def test_what_is_no_event_is_refused_and_says_which_part_is_wrong(said: object, words: str) -> None:
    with pytest.raises(BadInput, match=f"is no event of a journal: .*{words}") as refused:
        event_from_json(said)
    check_one_line(refused.value)


def test_a_turn_is_said_in_the_words_of_the_formats() -> None:
    event = TurnPlayed(Turn(1, "draw", 17, 25, 44), 2, 12.4)
    said = {"type": "turn", "seat": 1, "source": "draw", "card": 17, "slot": 25, "discarded": 44, "t": 12.4}
    assert spoken(event) == said
    assert spoken(TurnPlayed(event.turn, 2, 12.4, turned_over=True)) == said | {"reshuffle": True}


@pytest.mark.parametrize(
    ("effect", "said"),
    [
        ("", {}),
        ("+again", {"effect": {"again": True}}),
        ("+1@10/3@45", {"effect": {"switched": [{"seat": 1, "slot": 10}, {"seat": 3, "slot": 45}]}}),
    ],
)
def test_a_turn_with_a_prime_card_is_said_with_its_power_and_what_was_done_with_it(
    effect: str, said: dict[str, Any]
) -> None:
    turn = parse_turn(f"1:D17@25x7{effect}")
    power = None if turn.effect is None else power_used(turn.effect, 1)
    told = {"type": "turn", "seat": 1, "source": "draw", "card": 17, "slot": 25, "discarded": 7, "t": 12.4} | said
    assert spoken(TurnPlayed(turn, 2, 12.4, prime=True, power=power)) == told | {"power": power}
    assert spoken(Amended(3, turn, 12.4)) == told | {"type": "amended", "number": 3}


def test_what_is_said_otherwise_later_is_said_in_the_words_of_the_formats() -> None:
    lost = "The referee has lost the thread."
    assert spoken(Thread(lost=True, text=lost, t=5.0)) == {"type": "thread", "lost": True, "t": 5.0, "text": lost}
    assert spoken(RoundReopened(2, 90.0)) == {"type": "round_reopened", "t": 90.0}
    assert spoken(TakenBack(7, 2, 90.0)) == {"type": "taken_back", "number": 7, "t": 90.0}
    told = spoken(RoundEnd(1, SCORES, {1: 75, 2: 5}, RACKS, 80.2, amends=True))
    assert told is not None
    assert told["amends"] is True
    assert "amends" not in END


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
    said = spoken(RoundEnd(1, SCORES, {1: 75, 2: 5}, RACKS, 80.2))
    assert said is not None
    assert {key: said[key] for key in ("type", "out", "scores", "totals", "t")} == {
        "type": "round_end",
        "out": 1,
        "scores": {"1": 75, "2": 5},
        "totals": {"1": 75, "2": 5},
        "t": 80.2,
    }
    assert said["racks"] == {"1": list(RACKS[1]), "2": list(RACKS[2])}
    end = {"type": "game_end", "winners": [1], "totals": {"1": 510, "2": 5}, "t": 80.2}
    assert spoken(GameEnd((1,), {1: 510, 2: 5}, 80.2)) == end


def test_what_only_the_journal_needs_is_not_said() -> None:
    assert spoken(RoundStarted(1, 1, 2)) is None
    assert spoken(CallMade(1, 2.0)) is None
    assert spoken(GameStarted("retro", (), (), 500)) is None
    kept = {"game", "round", "call", "paused", "doubt_settled", "racks_wanted", "round_abandoned"}
    assert set(BY_TYPE) - set(SPOKEN) == kept
