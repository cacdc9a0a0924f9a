"""The words and the JSON that the pages draw."""

import json
from dataclasses import replace

import pytest

from engine.snapshot import PlayerLine, PublicPlay, Snapshot
from tests.webui import tables
from webui.view import about, as_json, headline, play_words

KEYS = {
    "version", "phase", "edition", "target", "round", "dealer", "to_move", "discard", "winners", "headline", "about",
    "players", "plays", "notices", "racks",
}  # fmt: skip


def sentence(snapshot: Snapshot) -> str:
    words = headline(snapshot)
    return words["who"] + words["what"]


@pytest.mark.parametrize(
    "snapshot",
    [
        tables.waiting(),
        tables.playing(),
        tables.checking(),
        tables.false_call(),
        tables.round_over(),
        tables.game_over(),
    ],
)
def test_every_snapshot_has_the_same_keys_and_survives_json(snapshot: Snapshot) -> None:
    drawn = as_json(snapshot)
    assert set(drawn) == KEYS
    assert json.loads(json.dumps(drawn)) == drawn


@pytest.mark.parametrize(
    ("play", "words"),
    [
        (PublicPlay(1, 1, "draw", exchanged=True, discarded=35), "Ada drew from the pile and discarded 35"),
        (PublicPlay(1, 1, "draw", exchanged=False, discarded=35), "Ada drew 35 and discarded it"),
        (PublicPlay(1, 1, "discard", exchanged=True, discarded=35), "Ada took the discard and discarded 35"),
        (PublicPlay(1, 1, "draw", exchanged=True, discarded=None), "Ada drew from the pile and discarded a card"),
        (PublicPlay(1, 1, "draw", exchanged=False, discarded=None), "Ada drew the card and discarded it"),
        (PublicPlay(1, 1, "discard", exchanged=True, discarded=None), "Ada took the discard"),
    ],
)
def test_a_play_is_said_in_words_and_a_card_in_a_rack_again_is_not_named(play: PublicPlay, words: str) -> None:
    assert play_words("Ada", play) == words


@pytest.mark.parametrize(
    ("snapshot", "words"),
    [
        (tables.waiting(), "Ready for the deal"),
        (tables.playing(to_move=2), "Ben\N{RIGHT SINGLE QUOTATION MARK}s turn"),
        (replace(tables.playing(), to_move=None), "The round is on"),
        (tables.checking(), "RACK-O! was called"),
        (tables.round_over(), "Ada goes out"),
        (replace(tables.round_over(), racks=()), "The round is over"),
        (tables.game_over(), "Ada wins the game"),
        (replace(tables.game_over(), winners=(1, 2)), "Ada and Ben win the game"),
        (replace(tables.game_over(), winners=()), "The game is over"),
        (replace(tables.playing(), to_move=1, players=()), "Seat 1\N{RIGHT SINGLE QUOTATION MARK}s turn"),
    ],
)
def test_the_headline_says_how_things_stand(snapshot: Snapshot, words: str) -> None:
    assert sentence(snapshot) == words


def test_the_line_about_the_game_leaves_out_what_there_is_not() -> None:
    assert about(tables.playing()) == "Round 5 · to 500 points"
    assert about(tables.waiting()) == "to 500 points"
    assert about(replace(tables.playing(), target=0)) == "Round 5"


def test_a_rack_marks_what_scores_and_where_the_order_broke() -> None:
    drawn = as_json(tables.round_over())
    racks = drawn["racks"]
    assert isinstance(racks, list)
    states = ["".join(card["state"][0] for card in rack["cards"]) for rack in racks]
    assert states == ["ssssssssss", "ssssssbrrr", "sbrrrrrrrr", "ssssbrrrrr"]
    assert racks[1]["cards"][6] == {"slot": 35, "card": 22, "state": "broke"}


def test_a_notice_gets_a_title_from_its_rule() -> None:
    notices = as_json(tables.false_call())["notices"]
    assert isinstance(notices, list)
    assert notices[0]["title"] == "False call"


def test_names_are_left_as_they_are() -> None:
    table = replace(tables.playing(), players=(PlayerLine(3, "<b>O'Neil & 'Zoë'</b>", 0),))
    assert sentence(table).startswith("<b>O'Neil & 'Zoë'</b>")


def test_plays_and_notices_come_by_number_however_they_were_kept() -> None:
    table = replace(tables.playing(), notices=(tables.FALSE_CALL, tables.WRONG_TURN))
    turned = replace(table, plays=table.plays[::-1], notices=table.notices[::-1])
    assert as_json(turned) == as_json(table)
