"""The words and the JSON that the pages draw."""

import json
from dataclasses import replace
from typing import Any

import pytest

from engine.board import NOTHING_YET
from engine.powers import Effect, Switch
from engine.snapshot import PlayerLine, PublicPlay, Snapshot
from tests.webui import tables
from webui.view import about, as_json, headline, more_words, play_words, rules

KEYS = {
    "version", "phase", "edition", "variants", "target", "round", "dealer", "to_move", "discard", "called_by",
    "winners", "lost", "headline", "about", "rules", "players", "sides", "plays", "notices", "racks",
    "game", "highest", "wanted", "paused", "spoken",
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
        tables.lost(),
        tables.with_powers(),
        tables.partners(tables.game_over()),
        tables.quick(tables.game_over()),
    ],
)
def test_every_snapshot_has_the_same_keys_and_survives_json(snapshot: Snapshot) -> None:
    drawn = as_json(snapshot)
    assert set(drawn) == KEYS
    assert json.loads(json.dumps(drawn)) == drawn


@pytest.mark.parametrize(
    ("play", "words"),
    [
        (PublicPlay(1, 1, "draw", exchanged=True, discarded=35, t=1.0), "Ada drew from the pile and discarded 35"),
        (PublicPlay(1, 1, "draw", exchanged=False, discarded=35, t=1.0), "Ada drew 35 and discarded it"),
        (PublicPlay(1, 1, "discard", exchanged=True, discarded=35, t=1.0), "Ada took the discard and discarded 35"),
        (
            PublicPlay(1, 1, "draw", exchanged=True, discarded=None, t=1.0),
            "Ada drew from the pile and discarded a card",
        ),
        (PublicPlay(1, 1, "draw", exchanged=False, discarded=None, t=1.0), "Ada drew a card and discarded it"),
        (PublicPlay(1, 1, "discard", exchanged=True, discarded=None, t=1.0), "Ada took the discard"),
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
        (tables.checking(), "Ben calls RACK-O!"),
        (replace(tables.checking(), called_by=None), "RACK-O! was called"),
        (tables.lost(), "Play on"),
        (replace(tables.checking(), lost=True), "Ben calls RACK-O!"),
        (replace(tables.lost(), paused=True), "Paused"),
        (tables.round_over(), "Ada goes out"),
        (replace(tables.round_over(), racks=()), "The round is over"),
        (tables.game_over(), "Ada wins the game"),
        (tables.partners(tables.game_over()), f"Ada and {tables.NAMES[2]} win the game"),
        (replace(tables.game_over(), winners=()), "The game is over"),
        (replace(tables.playing(), to_move=1, players=()), "Seat 1\N{RIGHT SINGLE QUOTATION MARK}s turn"),
    ],
)
def test_the_headline_says_how_things_stand(snapshot: Snapshot, words: str) -> None:
    assert sentence(snapshot) == words


def test_the_loss_of_the_thread_is_told_calmly_and_only_while_the_round_is_on() -> None:
    assert headline(tables.lost())["detail"] == "The referee has lost the thread, and will pick it up again."
    assert as_json(tables.lost())["lost"] is True
    assert as_json(replace(tables.round_over(), lost=True))["lost"] is False


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ((), "The racks are being looked at…"),
        ((2,), "Show Ben\N{RIGHT SINGLE QUOTATION MARK}s rack to the camera."),
        ((1, 2), "Show the racks to the camera, one after the other."),
    ],
)
def test_a_verdict_that_waits_for_racks_says_which(wanted: tuple[int, ...], words: str) -> None:
    assert headline(replace(tables.checking(), wanted=wanted))["detail"] == words


def test_the_highest_card_is_the_decks_and_before_a_game_the_highest_there_is() -> None:
    assert as_json(tables.playing(2))["highest"] == 40
    assert as_json(tables.with_powers(2))["highest"] == 60
    assert as_json(NOTHING_YET)["highest"] == 60


def test_a_rack_is_not_drawn_while_a_round_is_on_even_if_the_snapshot_holds_it() -> None:
    for phase in ("playing", "checking"):
        assert as_json(replace(tables.round_over(), phase=phase))["racks"] == []


@pytest.mark.parametrize(
    ("effect", "words"),
    [
        (None, ""),
        ("again", "Prime card: another turn."),
        (Switch((2, 5), (2, 50)), "Prime card: two cards of Ben changed places."),
        (Switch((1, 5), (2, 50)), "Prime card: a card of Ada and one of Ben changed places."),
    ],
)
def test_a_used_power_is_said_without_a_card_and_without_a_slot(effect: Effect | None, words: str) -> None:
    play = PublicPlay(1, 3, "draw", exchanged=True, discarded=7, t=1.0, effect=effect)
    assert more_words(tables.playing(), play) == words
    over = f"The discard pile was turned over. {words}".strip()
    assert more_words(tables.playing(), replace(play, turned_over=True)) == over


def test_the_line_about_the_round_leaves_out_what_there_is_not() -> None:
    assert about(tables.playing()) == "Round 5 · to 500 points"
    assert about(tables.waiting()) == "to 500 points"
    assert about(tables.quick(tables.playing())) == "Round 5 · the first out wins"
    assert about(NOTHING_YET) == ""


def test_the_rules_are_named_in_words() -> None:
    assert rules(tables.playing()) == "Parker 1992"
    both = replace(tables.playing(), edition="milton-bradley-1956", variants=("run-of-three", "bonus-from-four"))
    assert rules(both) == "Milton Bradley 1956 · run of three, bonus from four"
    assert rules(NOTHING_YET) == ""


def test_pairs_have_their_points_added_up_and_everybody_else_their_own() -> None:
    def sides(snapshot: Snapshot) -> list[tuple[list[int], int, list[int]]]:
        drawn: Any = as_json(snapshot)["sides"]
        return [([line["seat"] for line in side["players"]], side["total"], side["points"]) for side in drawn]

    alone = sides(tables.playing())
    assert [seats for seats, _, _ in alone] == [[1], [2], [3], [4]]
    assert [(total, points) for _, total, points in alone] == [(sum(row), list(row)) for row in tables.POINTS]
    assert sides(tables.partners(tables.playing())) == [
        ([1, 3], 280, [80, 50, 90, 60]),
        ([2, 4], 265, [65, 80, 40, 80]),
    ]
    assert sides(NOTHING_YET) == []


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
