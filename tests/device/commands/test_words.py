"""The referee's events in words, for the owner of the table."""

from collections.abc import Sequence
from typing import get_args

import pytest

from device.commands.words import in_words
from engine.events import (
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
)
from engine.game import Game, Player, new_game
from engine.moves import parse_turn
from engine.scoring import score_rack

NAMES = ("Ada", "Ben", "Cleo", "Dan")


def game_of(players: int, edition: str = "parker-1992", variants: Sequence[str] = ()) -> Game:
    people = [Player(seat, NAMES[seat - 1]) for seat in range(1, players + 1)]
    return new_game(edition, people, variants)


TWO = game_of(2)
PARTNERS = game_of(4, variants=("bonus", "partners"))
QUICK = game_of(3, "hasbro-2006", ("quick",))


def started(game: Game) -> GameStarted:
    return GameStarted(game.edition, game.variants, game.players, game.rules.target)


def end_of(game: Game, *, amends: bool = False) -> RoundEnd:
    """Ada goes out; nobody else has two cards in order."""
    racks = {seat: (59, *range(seat, seat + 9)) for seat in game.seats} | {1: (2, 5, 9, 13, 17, 21, 25, 29, 32, 33)}
    scores = {seat: score_rack(game.rules, rack, out=seat == 1) for seat, rack in racks.items()}
    totals = {seat: 100 + score.points for seat, score in scores.items()}
    return RoundEnd(1, scores, totals, racks, 80.2, amends)


def turn(text: str, *, turned_over: bool = False, prime: bool = False) -> TurnPlayed:
    return TurnPlayed(parse_turn(text), 2, 12.4, turned_over, prime)


SAID: list[tuple[Event, str]] = [
    (RoundStarted(3, 1, 2), "Round 3: Ada deals, Ben begins"),
    (turn("1:D17@25x44"), "   12.40  Ada draws 17, puts it at 25, discards 44"),
    (turn("2:T44@10x3"), "   12.40  Ben takes 44, puts it at 10, discards 3"),
    (turn("2:D8x8"), "   12.40  Ben draws 8 and discards it"),
    (turn("1:D?@25x?"), "   12.40  Ada draws a card, puts it at 25, discards a card"),
    (turn("1:D9x9", turned_over=True), "   12.40  The discard pile is turned over. Ada draws 9 and discards it"),
    (turn("1:D7x7", prime=True), "   12.40  Ada draws 7 and discards it (a Prime card)"),
    (
        turn("1:D7x7+again", prime=True),
        "   12.40  Ada draws 7 and discards it (a Prime card), and takes another turn",
    ),
    (
        turn("1:D17@25x7+1@10/2@45", prime=True),
        (
            "   12.40  Ada draws 17, puts it at 25, discards 7 (a Prime card), "
            "and switches Ada's card at 10 with Ben's card at 45"
        ),
    ),
    (
        Amended(4, parse_turn("1:D7x7+again"), 12.4),
        "   12.40  Correction of turn 4: Ada draws 7 and discards it, and takes another turn",
    ),
    (TakenBack(4, 1, 12.4), "   12.40  Turn 4 is taken back; Ada is to move again"),
    (CallMade(2, 80.2), "   80.20  Ben calls RACK-O!"),
    (CallMade(None, 80.2), "   80.20  Somebody calls RACK-O!"),
    (Violation("wrong-turn", 1, "Ada played out of turn.", 5.0), "    5.00  Ada played out of turn."),
    (Thread(lost=True, text="The thread is lost.", t=5.0), "    5.00  The thread is lost."),
    (Doubt(1, 25, {33: 0.5, 38: 0.4}, 5.0), "    5.00  In doubt: Ada's card at 25 (33 or 38)"),
    (Doubt(1, 25, {}, 5.0), "    5.00  In doubt: Ada's card at 25 (not readable)"),
    (DoubtSettled(1, 25, 5.0), "    5.00  Ada's card at 25 is in doubt no more"),
    (RacksWanted((1, 2), 5.0), "    5.00  Show a camera the racks of Ada and Ben"),
    (RacksWanted((), 5.0), "    5.00  No rack needs to be shown any more"),
    (Paused(5.0, on=True), "    5.00  Pause: nothing is taken for play"),
    (Paused(6.0, on=False), "    6.00  Play is followed again"),
    (RoundAbandoned(7.0), "    7.00  The round is ended without scores"),
    (Rejudged(8.0, 1), "    8.00  The round is judged again from its start:"),
    (turn("2:?x7"), "   12.40  Ben discards 7"),
    (turn("2:T9x7"), "   12.40  Ben takes 9, discards 7"),
    (RoundReopened(1, 81.0), "   81.00  That was no RACK-O: the round goes on, and Ada is to move"),
]


@pytest.mark.parametrize(("event", "words"), SAID, ids=[words.strip() for _, words in SAID])
def test_an_event_is_one_readable_line(event: Event, words: str) -> None:
    assert in_words(event, TWO) == [words]


def test_every_kind_of_event_has_words() -> None:
    others: list[Event] = [started(TWO), end_of(TWO), GameEnd((1,), {1: 510, 2: 5}, 80.2)]
    assert {type(event) for event in (*others, *(event for event, _ in SAID))} == set(get_args(Event))
    assert all(in_words(event, TWO) for event in others)


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (TWO, "Ada and Ben play parker-1992, to 500 points"),
        (game_of(3, "hasbro-2006"), "Ada, Ben and Cleo play hasbro-2006, to 400 points"),
        (PARTNERS, "Ada and Cleo against Ben and Dan play parker-1992 (bonus, partners), to 500 points"),
        (QUICK, "Ada, Ben and Cleo play hasbro-2006 (quick), the first out wins"),
    ],
)
def test_a_game_is_named_with_its_rules(game: Game, words: str) -> None:
    assert in_words(started(game), game) == [words]


def test_the_end_of_a_round_gives_everybodys_points_and_why() -> None:
    ada, ben = in_words(end_of(TWO), TWO)
    assert ada == "Ada scores  75 (total 175): went out: ten cards at 5, and 25 for going out, make 75"
    assert ben == "Ben scores   5 (total 105): one card counts: slot 10 breaks the order, 2 after 59; 5 points"
    assert in_words(end_of(TWO, amends=True), TWO) == ["Corrected:", ada, ben]


def test_pairs_are_told_what_they_have_together() -> None:
    lines = in_words(end_of(PARTNERS), PARTNERS)
    assert len(lines) == 6
    assert lines[4:] == ["Ada and Cleo have 280 together", "Ben and Dan have 210 together"]


def test_a_quick_game_has_no_points() -> None:
    assert in_words(end_of(QUICK), QUICK) == ["Ada goes out"]
    assert in_words(GameEnd((1,), {1: 0, 2: 0, 3: 0}, 80.2), QUICK) == ["Ada wins the game"]


def test_the_winners_are_named_with_their_score() -> None:
    assert in_words(GameEnd((2,), {1: 400, 2: 510}, 80.2), TWO) == ["Ben wins the game with 510"]
    totals = {1: 250, 2: 400, 3: 255, 4: 20}
    assert in_words(GameEnd((1, 3), totals, 80.2), PARTNERS) == ["Ada and Cleo win the game with 505"]
