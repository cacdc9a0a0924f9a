"""The one-line notation of a turn, to and fro."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.cards import SEATS, SLOTS, Source
from engine.errors import BadInput
from engine.moves import Turn, parse_turn
from tests.engine.tables import careless, check_one_line, dealt, steps

CARDS = st.none() | st.integers(1, 60)


@st.composite
def all_turns(draw: st.DrawFn) -> Turn:
    """Any turn that can be, with cards read or not."""
    seat, slot = draw(st.sampled_from(SEATS)), draw(st.none() | st.sampled_from(SLOTS))
    card = draw(CARDS)
    if slot is None:
        return Turn(seat, "draw", card, None, card)
    discarded = draw(CARDS.filter(lambda other: other is None or other != card))
    source: Source = draw(st.sampled_from(("draw", "discard")))
    return Turn(seat, source, card, slot, discarded)


@pytest.mark.parametrize(
    ("text", "turn"),
    [
        ("2:D17@25x44", Turn(2, "draw", 17, 25, 44)),
        ("2:D17x17", Turn(2, "draw", 17, None, 17)),
        ("2:T19@20x7", Turn(2, "discard", 19, 20, 7)),
        ("4:D?@5x60", Turn(4, "draw", None, 5, 60)),
        ("1:T1@50x?", Turn(1, "discard", 1, 50, None)),
        ("3:D?@10x?", Turn(3, "draw", None, 10, None)),
        ("1:D?x?", Turn(1, "draw", None, None, None)),
    ],
)
def test_a_turn_is_written_in_one_line(text: str, turn: Turn) -> None:
    assert str(turn) == text
    assert parse_turn(text) == turn


@given(all_turns())
def test_every_turn_is_read_back_as_it_was(turn: Turn) -> None:
    assert parse_turn(str(turn)) == turn


@given(st.sampled_from((2, 3, 4)), st.integers(0, 2**32 - 1))
def test_the_turns_of_a_game_are_read_back_as_they_were(players: int, seed: int) -> None:
    for played in steps(dealt(players, seed), careless(seed), 20):
        assert parse_turn(str(played.turn)) == played.turn


REFUSED = [
    ("", "is no turn"),
    ("2:D17@25", "is no turn"),
    ("2:D17@25x44 ", "is no turn"),
    ("2:D17@25x44\n", "is no turn"),
    ("2:d17@25x44", "is no turn"),
    ("2:X17@25x44", "is no turn"),
    ("2:D-1@25x44", "is no turn"),
    ("2:D17@?x44", "is no turn"),
    ("12:D17@25x44", "is no turn"),
    ("2:D\u0661\u0667@25x44", "is no turn"),
    ("0:D17@25x44", "seat 0 is none of 1 to 4"),
    ("5:D17@25x44", "seat 5 is none of 1 to 4"),
    ("2:D0@25x44", "0 is no card"),
    ("2:D61@25x44", "61 is no card"),
    ("2:D17@25x61", "61 is no card"),
    ("2:D017@25x44", "017 is no card"),
    ("2:D17@0x44", "slot 0 is none of 5, 10"),
    ("2:D17@7x44", "slot 7 is none of 5, 10"),
    ("2:D17@55x44", "slot 55 is none of 5, 10"),
    ("2:D17@05x44", "slot 05 is none of 5, 10"),
    ("2:T19x19", "must be exchanged; name its slot"),
    ("2:D17x18", "is one card"),
    ("2:D17x?", "is one card"),
    ("2:D17@25x17", "cannot be the card that left it"),
    ("2:D" + "9" * 5000 + "@25x44", "is no turn"),
    ("2:D17@" + "5" * 5000 + "x44", "is no turn"),
    ("2:D17@25x" + "4" * 5000, "is no turn"),
]


@pytest.mark.parametrize(("text", "words"), REFUSED, ids=[text[:20].strip() or repr(text) for text, _ in REFUSED])
def test_what_is_no_turn_is_refused_in_words(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=re.escape(words)):
        parse_turn(text)


@given(st.text() | st.text("0123456789:DTx@?", max_size=14) | st.from_regex(r"[0-9]:[DT][0-9?]+(@[0-9]+)?x[0-9?]+"))
@example("2:D17@25x44")
def test_any_text_is_a_turn_in_its_own_notation_or_bad_input(text: str) -> None:
    try:
        turn = parse_turn(text)
    except BadInput as problem:
        check_one_line(problem)
    else:
        assert str(turn) == text
