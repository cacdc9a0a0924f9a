"""The one-line notation of a turn, to and fro."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.cards import SEATS, SLOTS, Source
from engine.errors import BadInput
from engine.moves import Turn, parse_turn
from engine.powers import Effect, Switch
from tests.engine.by_hand import Table, Way, ways
from tests.engine.simulated import careless_turns, shuffled
from tests.engine.tables import check_one_line, dice

CARDS = st.none() | st.integers(1, 60)
PLACES = st.tuples(st.sampled_from(SEATS), st.sampled_from(SLOTS))
SWITCHES = st.lists(PLACES, min_size=2, max_size=2, unique=True).map(lambda pair: Switch.of(*pair))
AGAIN: Effect = "again"
EFFECTS = st.none() | st.just(AGAIN) | SWITCHES


@st.composite
def all_turns(draw: st.DrawFn) -> Turn:
    """Any turn that can be, with cards read or not."""
    seat, slot = draw(st.sampled_from(SEATS)), draw(st.none() | st.sampled_from(SLOTS))
    card, effect = draw(CARDS), draw(EFFECTS)
    if slot is None:
        return Turn(seat, "draw", card, None, card, effect)
    discarded = draw(CARDS.filter(lambda other: other is None or other != card))
    source: Source = draw(st.sampled_from(("draw", "discard")))
    return Turn(seat, source, card, slot, discarded, effect)


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
        ("2:D17x17+again", Turn(2, "draw", 17, None, 17, "again")),
        ("2:D?@5x?+again", Turn(2, "draw", None, 5, None, "again")),
        ("2:T19@20x7+1@10/3@45", Turn(2, "discard", 19, 20, 7, Switch((1, 10), (3, 45)))),
        ("4:D?@50x59+4@5/4@50", Turn(4, "draw", None, 50, 59, Switch((4, 5), (4, 50)))),
    ],
)
def test_a_turn_is_written_in_one_line(text: str, turn: Turn) -> None:
    assert str(turn) == text
    assert parse_turn(text) == turn


@given(all_turns())
def test_every_turn_is_read_back_as_it_was(turn: Turn) -> None:
    assert parse_turn(str(turn)) == turn


@given(ways(), st.integers(0, 2**32 - 1))
def test_the_turns_of_a_game_are_read_back_as_they_were(way: Way, seed: int) -> None:
    chance = dice(seed)
    for turn in careless_turns(Table(way, shuffled(way, chance), way.seats[0]), chance, 20):
        assert parse_turn(str(turn)) == turn


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
    ("2:T19x19", "cannot be the card that left it"),
    ("2:D17x18", "is one card"),
    ("2:D17x?", "is one card"),
    ("2:D17@25x17", "cannot be the card that left it"),
    ("2:D17x17+", "is no turn"),
    ("2:D17x17+Again", "is no turn"),
    ("2:D17x17+again+again", "is no turn"),
    ("2:D17x17+1@5", "is no turn"),
    ("2:D17x17+1@5/2", "is no turn"),
    ("2:D17x17+1@5/2@10/3@15", "is no turn"),
    ("2:D17x17 +1@5/2@10", "is no turn"),
    ("2:D17x17+0@5/2@10", "seat 0 is none of 1 to 4"),
    ("2:D17x17+1@5/5@10", "seat 5 is none of 1 to 4"),
    ("2:D17x17+1@5/2@12", "slot 12 is none of 5, 10"),
    ("2:D17x17+1@05/2@10", "slot 05 is none of 5, 10"),
    ("2:D17x17+1@5/1@5", "names two slots, the lower seat and slot first"),
    ("2:D17x17+2@5/1@5", "names two slots, the lower seat and slot first"),
    ("2:D17x17+1@10/1@5", "names two slots, the lower seat and slot first"),
    ("2:D17x17+1@5/2@" + "1" * 5000, "is no turn"),
    ("2:D" + "9" * 5000 + "@25x44", "is no turn"),
    ("2:D17@" + "5" * 5000 + "x44", "is no turn"),
    ("2:D17@25x" + "4" * 5000, "is no turn"),
]


@pytest.mark.parametrize(("text", "words"), REFUSED, ids=[text[:20].strip() or repr(text) for text, _ in REFUSED])
def test_what_is_no_turn_is_refused_in_words(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=re.escape(words)):
        parse_turn(text)


NEARLY_TURNS = st.from_regex(r"[0-9]:[DT][0-9?]+(@[0-9]+)?x[0-9?]+(\+(again|[0-5]@[0-9]+/[0-5]@[0-9]+))?")
LIKE_TURNS = st.from_regex(
    r"[1-4]:(D|T)([1-9]|\?)@(5|10|50)x(1[0-9]|\?)(\+(again|[1-4]@(5|50)/[1-4]@(10|50)))?", fullmatch=True
)


@given(st.text() | st.text("0123456789:DTx@?+/", max_size=14) | NEARLY_TURNS | LIKE_TURNS)
@example("2:D17@25x44")
def test_any_text_is_a_turn_in_its_own_notation_or_bad_input(text: str) -> None:
    try:
        turn = parse_turn(text)
    except BadInput as problem:
        check_one_line(problem)
    else:
        assert str(turn) == text
