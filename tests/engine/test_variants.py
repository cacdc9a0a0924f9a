"""Which variants and options go together, what each of them changes, and options as JSON."""

import json
import math
import re
from dataclasses import fields
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.editions import EDITIONS, Edition
from engine.errors import BadInput
from engine.powers import POWERS, PRIME_NUMBERS
from engine.variants import AS_PRINTED, Options, deck_of, parse_options, rules_for
from tests.engine.by_hand import EVERY_CHOICE, EVERY_WAY, KINDS, PRIMES, Way, may_be_played, ways
from tests.engine.tables import check_one_line


def test_the_variants_that_go_together_are_those_of_the_texts_and_no_others() -> None:
    # Without classic: 8 ways for two players, 3 for three, 5 for four; hasbro-2006 has each with classic as well.
    assert len(EVERY_WAY) == 3 * (8 + 3 + 5) + 2 * (8 + 3 + 5)
    for edition, players, variants in EVERY_CHOICE:
        try:
            rules_for(edition, players, variants)
        except BadInput as problem:
            check_one_line(problem)
            assert not may_be_played(edition, players, variants), (edition, players, variants)
        else:
            assert may_be_played(edition, players, variants), (edition, players, variants)


@given(ways(), st.randoms())
def test_the_rules_of_every_way_to_play_are_those_of_the_texts(way: Way, chance: Random) -> None:
    named = list(way.variants)
    chance.shuffle(named)
    rules = rules_for(way.edition, len(way.seats), named, way.options)
    row = rules.edition
    assert (rules.highest_card, rules.target) == (way.highest_card, way.target)
    assert (row.turn_over == "new-discard") == way.new_discard
    assert row.powers == way.powers
    assert (row.one_round, row.partners) == ("quick" in named, "partners" in named)
    assert row.run_needed == (3 if "run-of-three" in named else 1)
    assert set(row.bonus) == ({4, 5, 6} if "bonus-from-four" in named else {3, 4, 5, 6} if "bonus" in named else set())
    assert row.ends_by_itself == way.options.ends_by_itself
    lowest_deals = way.edition in ("milton-bradley-1956", "retro")
    assert row.first_dealer == (way.options.first_dealer or ("lowest" if lowest_deals else "highest"))


@pytest.mark.parametrize(
    ("edition", "players", "variants", "words"),
    [
        ("parker-1992", 3, ("partners",), "variant 'partners' is for 4 players, not for 3: two play against two"),
        ("retro", 2, ("partners",), "variant 'partners' is for 4 players, not for 2: two play against two"),
        ("parker-1992", 3, ("run-of-three",), "'run-of-three' is for 2 players, not for 3: it is the two-player rule"),
        ("retro", 4, ("run-of-three",), "'run-of-three' is for 2 players, not for 4: it is the two-player rule"),
        ("parker-1992", 2, ("classic",), "'classic' is played by hasbro-2006 only, not by parker-1992: the classic"),
        ("retro", 4, ("classic",), "'classic' is played by hasbro-2006 only, not by retro: the classic"),
        ("parker-1992", 2, ("bonus-from-four",), "'bonus-from-four' is played together with 'run-of-three': it is a"),
        ("parker-1992", 2, ("bonus", "bonus-from-four"), "'bonus-from-four' is played together with 'run-of-three'"),
        ("retro", 3, ("bonus-from-four", "run-of-three"), "'run-of-three' is for 2 players, not for 3"),
        ("hasbro-2006", 2, ("quick", "bonus"), "'quick' is not played together with 'bonus': a quick game has no"),
        ("retro", 4, ("partners", "quick"), "'quick' is not played together with 'partners': a quick game has no"),
        ("retro", 2, ("run-of-three", "bonus-from-four", "quick"), "'quick' is not played together with 'bonus-from-f"),
        ("parker-1992", 2, ("backwards",), "variant 'backwards' is not known; choose among bonus, bonus-from-four, p"),
        ("parker-1992", 2, ("bonus", "Bonus"), "variant 'Bonus' is not known"),
        ("parker-1992", 2, ("",), "variant '' is not known"),
        ("hasbro", 2, (), "edition 'hasbro' is not known; choose one of parker-1992, milton-bradley-1956, retro, hasb"),
        ("parker-1992\n", 2, (), r"edition 'parker-1992\n' is not known"),
        ("retro", 0, (), "0 players: RACK-O is played by 2, 3 or 4"),
        ("retro", 5, ("bonus",), "5 players: RACK-O is played by 2, 3 or 4"),
    ],
)
def test_what_does_not_go_together_is_refused_with_the_reason(
    edition: str, players: int, variants: tuple[str, ...], words: str
) -> None:
    with pytest.raises(BadInput, match=re.escape(words)) as refused:
        rules_for(edition, players, variants)
    check_one_line(refused.value)
    with pytest.raises(BadInput, match=re.escape(words)):
        deck_of(edition, players, variants)


@pytest.mark.parametrize(
    ("edition", "variants", "options", "words"),
    [
        ("retro", ("bonus",), Options(ends_by_itself=True), "not for a bonus game: a player may hold back"),
        ("retro", ("bonus-from-four", "run-of-three"), Options(ends_by_itself=True), "not for a bonus game"),
        ("parker-1992", (), Options(powers=PRIME_NUMBERS), "not for parker-1992 as it is played here: it has no Prime"),
        ("retro", (), Options(powers={}), "option 'powers' is not for retro"),
        ("hasbro-2006", ("classic",), Options(powers={7: None}), "option 'powers' is not for hasbro-2006 as it is"),
    ],
)
def test_options_that_a_way_to_play_has_no_place_for_are_refused_with_the_reason(
    edition: str, variants: tuple[str, ...], options: Options, words: str
) -> None:
    with pytest.raises(BadInput, match=words) as refused:
        rules_for(edition, 2, variants, options)
    check_one_line(refused.value)


def changed(edition: str, players: int, *variants: str) -> set[str]:
    """The columns of an edition's row that the variants change."""
    row = rules_for(edition, players, variants).edition
    return {
        column.name
        for column in fields(Edition)
        if getattr(row, column.name) != getattr(EDITIONS[edition], column.name)
    }


@pytest.mark.parametrize(
    ("edition", "players", "variants", "columns"),
    [
        ("hasbro-2006", 2, (), set()),
        ("parker-1992", 2, ("bonus",), {"bonus"}),
        ("parker-1992", 2, ("run-of-three",), {"run_needed"}),
        ("parker-1992", 2, ("run-of-three", "bonus-from-four"), {"run_needed", "bonus"}),
        ("retro", 4, ("partners",), {"partners"}),
        ("retro", 3, ("quick",), {"one_round"}),
        ("hasbro-2006", 4, ("classic",), {"highest_card", "target", "powers"}),
    ],
)
def test_a_variant_changes_its_own_columns_of_the_editions_row_and_no_other(
    edition: str, players: int, variants: tuple[str, ...], columns: set[str]
) -> None:
    assert changed(edition, players, *variants) == columns


def test_bonus_named_beside_bonus_from_four_changes_nothing_in_either_order() -> None:
    alone = rules_for("retro", 2, ("run-of-three", "bonus-from-four"))
    assert rules_for("retro", 2, ("bonus", "run-of-three", "bonus-from-four")) == alone
    assert rules_for("retro", 2, ("bonus-from-four", "run-of-three", "bonus")) == alone


def test_options_override_what_the_edition_says_and_leave_the_rest() -> None:
    table = {12: None}
    row = rules_for("hasbro-2006", 2, (), Options("lowest", "new-discard", table, ends_by_itself=True)).edition
    assert (row.first_dealer, row.turn_over, row.powers, row.ends_by_itself) == ("lowest", "new-discard", table, True)
    assert rules_for("hasbro-2006", 2, (), AS_PRINTED).edition == EDITIONS["hasbro-2006"]
    assert not any(edition.ends_by_itself for edition in EDITIONS.values()), "it would tell a secret: off by default"
    assert rules_for("hasbro-2006", 2, (), Options(powers={})).edition.powers == {}, "an empty table: no Prime cards"


ALL_OPTIONS = st.builds(
    Options,
    st.sampled_from((None, "highest", "lowest")),
    st.sampled_from((None, "new-discard", "no-discard")),
    st.none() | st.dictionaries(st.integers(1, 60), st.none() | st.sampled_from(KINDS)),
    st.booleans(),
)


@given(ALL_OPTIONS)
@example(AS_PRINTED)
@example(Options(powers={}))
@example(Options(powers=dict.fromkeys(PRIMES)))
def test_options_written_as_json_are_read_back_as_they_were(options: Options) -> None:
    text = json.dumps(options.as_json())
    assert parse_options(json.loads(text)) == options
    assert (text == "{}") == (options == AS_PRINTED), "only what was chosen is written"


def test_a_missing_or_null_option_is_left_as_the_edition_says() -> None:
    assert parse_options({}) == AS_PRINTED
    assert parse_options({"first_dealer": None, "turn_over": None, "powers": None}) == AS_PRINTED


REFUSED: list[tuple[object, str]] = [
    (None, "options: None is not an object"),
    ([], "options: [] is not an object"),
    ("bonus", "options: 'bonus' is not an object"),
    (7, "options: 7 is not an object"),
    (True, "options: True is not an object"),
    ({"bonus": True}, "options: 'bonus' is not known; choose among first_dealer, turn_over, powers, ends_by_itself"),
    ({"": 1}, "options: '' is not known"),
    ({"first_dealer": "oldest"}, "first_dealer: 'oldest' is none of highest, lowest"),
    ({"first_dealer": 1}, "first_dealer: 1 is none of"),
    ({"first_dealer": ["highest"]}, "first_dealer: ['highest'] is none of"),
    ({"first_dealer": "lowest\n"}, r"first_dealer: 'lowest\n' is none of"),
    ({"turn_over": "shuffled"}, "turn_over: 'shuffled' is none of new-discard, no-discard"),
    ({"turn_over": {}}, "turn_over: {} is none of"),
    ({"turn_over": math.nan}, "turn_over: nan is none of"),
    ({"ends_by_itself": None}, "ends_by_itself: None is neither true nor false"),
    ({"ends_by_itself": 1}, "ends_by_itself: 1 is neither true nor false"),
    ({"ends_by_itself": "true"}, "ends_by_itself: 'true' is neither true nor false"),
    ({"powers": []}, "powers: [] is not like"),
    ({"powers": [7, 11]}, "powers: [7, 11] is not like"),
    ({"powers": "prime"}, "powers: 'prime' is not like"),
    ({"powers": {"seven": None}}, "powers: 'seven' is no card"),
    ({"powers": {"": None}}, "powers: '' is no card"),
    ({"powers": {"-7": None}}, "powers: '-7' is no card"),
    ({"powers": {"7.0": None}}, "powers: '7.0' is no card"),
    ({"powers": {" 7": None}}, "powers: ' 7' is no card"),
    ({"powers": {"07": None}}, "powers: '07' is no card"),
    ({"powers": {"\u0667": None}}, "is no card"),
    ({"powers": {"\u00b2": None}}, "is no card"),
    ({"powers": {"0": None}}, "powers: 0 is no card; cards are 1 to 60"),
    ({"powers": {"61": None}}, "powers: 61 is no card; cards are 1 to 60"),
    ({"powers": {"9" * 5000: None}}, "is no card"),
    ({"powers": {"7": "fly"}}, "powers: 'fly' of card 7 is none of another-turn, switch-opponents, switch-with-opp"),
    ({"powers": {"7": ["switch-own"]}}, "powers: ['switch-own'] of card 7 is none of"),
    ({"powers": {"7": {}}}, "powers: {} of card 7 is none of"),
    ({"powers": {"7": False}}, "powers: False of card 7 is none of"),
    ({"powers": {"7": "another-turn", "11": "line\nbreak"}}, r"powers: 'line\nbreak' of card 11 is none of"),
]


@pytest.mark.parametrize(("said", "words"), REFUSED, ids=[repr(said)[:40] for said, _ in REFUSED])
def test_broken_options_are_refused_naming_the_key(said: object, words: str) -> None:
    with pytest.raises(BadInput, match=re.escape(words)) as refused:
        parse_options(said)
    check_one_line(refused.value)


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(POWERS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
NEARLY_POWERS = st.dictionaries(
    st.text(max_size=3) | st.integers(-1, 70).map(str), ANY_JSON | st.sampled_from(POWERS), max_size=3
)
NEARLY_OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "first_dealer": ANY_JSON | st.sampled_from(("highest", "lowest")),
        "turn_over": ANY_JSON | st.sampled_from(("new-discard", "no-discard")),
        "powers": ANY_JSON | NEARLY_POWERS,
        "ends_by_itself": ANY_JSON | st.booleans(),
    },
)


@given(ANY_JSON | NEARLY_OPTIONS)
def test_any_json_is_options_that_are_written_again_or_bad_input(said: object) -> None:
    try:
        options = parse_options(said)
    except BadInput as problem:
        check_one_line(problem)
    else:
        assert parse_options(options.as_json()) == options
