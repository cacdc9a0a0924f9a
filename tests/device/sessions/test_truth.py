import pytest

from device.sessions.truth import differences
from engine.events import Json


def turn(seat: int, card: int, slot: int | None = 5) -> Json:
    return {"type": "turn", "seat": seat, "source": "draw", "card": card, "slot": slot, "discarded": 60 - card}


def violation(rule: str, seat: int) -> Json:
    return {"type": "violation", "rule": rule, "seat": seat}


TURNS = [turn(1, 7), turn(2, 8), turn(1, 9), turn(2, 10)]
END: Json = {"type": "round_end", "out": 1, "scores": {"1": 75, "2": 5}}


def test_what_is_said_as_it_was_has_no_differences() -> None:
    assert differences([*TURNS, END], [*TURNS, END]) == []


def test_a_turn_that_was_not_said_is_one_difference() -> None:
    (found,) = differences([TURNS[0], *TURNS[2:], END], [*TURNS, END])
    assert found == "turn 2: missing; in truth seat 2, source draw, card 8, slot 5, discarded 52"


def test_a_turn_too_many_is_one_difference() -> None:
    (found,) = differences([*TURNS[:3], turn(1, 22), TURNS[3], END], [*TURNS, END])
    assert found.startswith("turn 4: said seat 1, source draw, card 22")
    assert found.endswith("in truth there was none")


def test_a_turn_that_was_otherwise_is_held_against_the_true_one() -> None:
    (found,) = differences([TURNS[0], turn(2, 8, slot=20), *TURNS[2:]], TURNS)
    assert "slot 20" in found.split(";")[0]
    assert "slot 5" in found.split(";")[1]


def test_an_amended_turn_counts_as_it_was_said_last() -> None:
    amended = TURNS[1] | {"type": "amended", "number": 2}
    assert differences([TURNS[0], turn(2, 33), TURNS[2], amended, TURNS[3]], TURNS) == []
    assert len(differences([TURNS[0], turn(2, 33), *TURNS[2:]], TURNS)) == 1


def test_a_turn_that_was_taken_back_was_none() -> None:
    back: Json = {"type": "taken_back", "number": 2}
    assert differences([TURNS[0], turn(2, 33), back, *TURNS[1:]], TURNS) == []


def test_amendments_are_of_the_round_that_is_on() -> None:
    amended = TURNS[0] | {"type": "amended", "number": 1}
    assert differences([*TURNS, END, turn(1, 30), amended], [*TURNS, END, TURNS[0]]) == []


@pytest.mark.parametrize("rule", ["wrong-discard", "two-cards-exchanged"])
def test_after_a_cheat_that_no_turn_describes_one_turn_of_that_seat_may_be_said(rule: str) -> None:
    true = [TURNS[0], violation(rule, 2), *TURNS[2:]]
    assert differences([TURNS[0], turn(2, 40), violation(rule, 2), *TURNS[2:]], true) == []
    assert differences([TURNS[0], violation(rule, 2), *TURNS[2:]], true) == []
    assert len(differences([TURNS[0], turn(2, 40), turn(2, 41), violation(rule, 2), *TURNS[2:]], true)) == 1
    assert len(differences([TURNS[0], turn(1, 40), violation(rule, 2), *TURNS[2:]], true)) == 1


def test_either_seat_may_be_named_where_the_truth_says_so() -> None:
    true = [*TURNS, violation("duplicate-card", 1) | {"also": [2]}]
    assert differences([*TURNS, violation("duplicate-card", 1)], true) == []
    assert differences([*TURNS, violation("duplicate-card", 2)], true) == []
    assert len(differences([*TURNS, violation("duplicate-card", 3)], true)) == 1
    assert len(differences(TURNS, true)) == 1


def test_a_violation_of_another_seat_is_one_difference() -> None:
    (found,) = differences([violation("wrong-turn", 1)], [violation("wrong-turn", 2)])
    assert found == "violation 1: said rule wrong-turn, seat 1; in truth rule wrong-turn, seat 2"


def test_a_cheat_that_is_named_late_is_in_its_place_all_the_same() -> None:
    """A card must have been missing for two turns; meanwhile somebody has played out of turn."""
    true = [violation("missing-card", 1) | {"t": 11.9}, violation("wrong-turn", 1) | {"t": 19.3}]
    said = [violation("wrong-turn", 1) | {"t": 18.6}, violation("missing-card", 1) | {"t": 25.4}]
    assert differences(said, true) == []
    much_later = [said[0], violation("missing-card", 1) | {"t": 60.0}]
    assert len(differences(much_later, true)) == 2
    assert differences([*said, violation("wrong-turn", 1) | {"t": 19.0}], true) == [
        "violation 3: said rule wrong-turn, seat 1; in truth there was none"
    ]
    assert differences(said[1:], true) == ["violation 2: missing; in truth rule wrong-turn, seat 1"]


def test_of_four_violations_one_that_was_not_said_is_one_difference() -> None:
    """However many of those that were said would fit the last ones as well."""
    (found,) = differences(
        [violation("wrong-discard", 2)] * 3, [violation("wrong-discard", seat) for seat in (2, 1, 2, 2)]
    )
    assert found == "violation 2: missing; in truth rule wrong-discard, seat 1"
