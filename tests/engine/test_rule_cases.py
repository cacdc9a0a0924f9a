"""What each rule text says, as cases: the text, the case, the outcome. (The Prime cards' cases: test_powers.)"""

import re
from collections.abc import Mapping, Sequence

import pytest

from engine.cards import Card, Seat
from engine.editions import EDITIONS
from engine.errors import BadInput, IllegalPlay
from engine.game import Game, Player, new_game
from engine.rack import can_go_out
from engine.round import Play, Round, deal, legal_plays, play
from engine.scoring import score_round
from engine.variants import AS_PRINTED, Options, deck_of, rules_for

PARKER = "Parker Brothers leaflet, 1992"
BRADLEY = "Milton Bradley copy, 1956"
RETRO = "how-to texts of the classic edition"
HASBRO = "Hasbro leaflet, 2006"
TEXTS = {"parker-1992": PARKER, "milton-bradley-1956": BRADLEY, "retro": RETRO, "hasbro-2006": HASBRO}
SMALL_DECKS = {2: 40, 3: 50, 4: 60}
EVERY_TEXT = [pytest.param(edition, id=text) for edition, text in TEXTS.items()]


def game_of(edition: str, players: int, variants: Sequence[str] = (), options: Options = AS_PRINTED) -> Game:
    """A game for the first seats of the table."""
    return new_game(edition, [Player(seat, f"Seat {seat}") for seat in range(1, players + 1)], variants, options)


def dealt(game: Game, dealer: Seat = 1) -> Round:
    """The cards dealt in order from 1 on."""
    edition = game.rules.edition
    return deal(game.seats, dealer, game.rules.deck, edition.turn_over, edition.powers)


def test_there_is_a_text_for_every_edition_and_none_besides() -> None:
    assert list(TEXTS) == list(EDITIONS)
    assert all(row.name == name for name, row in EDITIONS.items())


@pytest.mark.parametrize(
    ("edition", "players", "variants", "highest", "target"),
    [
        *(
            pytest.param(edition, players, (), highest, 500, id=f"{TEXTS[edition]}: {players} players, 1 to {highest}")
            for edition in ("parker-1992", "milton-bradley-1956", "retro")
            for players, highest in SMALL_DECKS.items()
        ),
        pytest.param("hasbro-2006", 2, (), 60, 500, id=f"{HASBRO}, Winning: two players, all 60 cards, 500"),
        pytest.param("hasbro-2006", 3, (), 60, 400, id=f"{HASBRO}, Winning: three players, all 60 cards, 400"),
        pytest.param("hasbro-2006", 4, (), 60, 250, id=f"{HASBRO}, Winning: four players, all 60 cards, 250"),
        pytest.param("hasbro-2006", 2, ("classic",), 40, 500, id=f"{HASBRO}, Classic: two players, 1 to 40, 500"),
        pytest.param("hasbro-2006", 3, ("classic",), 50, 500, id=f"{HASBRO}, Classic: three players, 1 to 50, 500"),
        pytest.param("hasbro-2006", 4, ("classic",), 60, 500, id=f"{HASBRO}, Classic: four players, 1 to 60, 500"),
        pytest.param("hasbro-2006", 2, ("bonus",), 60, 500, id=f"{HASBRO}, Bonus: the deck and 500 stay"),
        pytest.param("parker-1992", 4, ("partners",), 60, 500, id=f"{PARKER}, Partners: first pair to 500"),
    ],
)
def test_how_many_cards_are_used_and_which_score_wins(
    edition: str, players: int, variants: tuple[str, ...], highest: Card, target: int
) -> None:
    rules = rules_for(edition, players, variants)
    assert list(rules.deck) == list(deck_of(edition, players, variants)) == list(range(1, highest + 1))
    assert (rules.highest_card, rules.target) == (highest, target)
    assert rules.pile_size == highest - 10 * players - 1, "the rest after the deal, one card turned up"


DRAWN = {1: 17, 2: 33, 3: 8}


@pytest.mark.parametrize(
    ("edition", "options", "dealer"),
    [
        pytest.param("parker-1992", AS_PRINTED, 2, id=f"{PARKER}, Preparation: the highest card drawn deals"),
        pytest.param("milton-bradley-1956", AS_PRINTED, 3, id=f"{BRADLEY}: each cuts, the lowest deals"),
        pytest.param("retro", AS_PRINTED, 3, id=f"{RETRO}: the lowest card deals"),
        pytest.param("hasbro-2006", AS_PRINTED, 2, id=f"{HASBRO}: the highest card drawn deals"),
        pytest.param("parker-1992", Options(first_dealer="lowest"), 3, id="the table's option: the lowest"),
        pytest.param("retro", Options(first_dealer="highest"), 2, id="the table's option: the highest"),
    ],
)
def test_who_deals_the_first_round(edition: str, options: Options, dealer: Seat) -> None:
    assert rules_for(edition, 3, (), options).first_dealer(DRAWN) == dealer


@pytest.mark.parametrize(
    "drawn", [{1: 17, 2: 33}, {1: 17, 2: 17, 3: 8}, {}, {1: 17, 2: 33, 3: 51}, {1: 0, 2: 33, 3: 8}], ids=str
)
def test_cards_for_the_first_deal_that_cannot_be_are_refused(drawn: Mapping[Seat, Card]) -> None:
    with pytest.raises(BadInput, match="each player draws one of their own"):
        rules_for("parker-1992", 3).first_dealer(drawn)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("edition", EVERY_TEXT)
def test_ten_cards_are_dealt_one_at_a_time_from_slot_50_to_slot_5_and_the_dealers_left_begins(
    edition: str, players: int
) -> None:
    position = dealt(game_of(edition, players), dealer=1)
    for place, seat in enumerate([*range(2, players + 1), 1], 1):
        assert position.rack(seat) == tuple(range(place + 9 * players, 0, -players))
    assert position.to_move == 2
    assert position.discard == (10 * players + 1,), "the top card of the rest starts the discard pile"
    assert position.draw[-1] == 10 * players + 2


@pytest.mark.parametrize("edition", EVERY_TEXT)
def test_a_taken_card_must_be_exchanged_and_a_drawn_one_may_be_discarded(edition: str) -> None:
    position = dealt(game_of(edition, 2))
    assert len(legal_plays(position)) == 10 + 11
    with pytest.raises(IllegalPlay, match="must be exchanged"):
        play(position, Play("discard", None))
    taken, drawn = play(position, Play("discard", 50)), play(position, Play("draw", 50))
    assert (taken.rack(2)[9], taken.discard) == (21, (1,)), "the new card stands in the old one's slot"
    assert (drawn.rack(2)[9], drawn.discard) == (22, (21, 1))
    assert play(position, Play("draw", None)).discard == (21, 22)


@pytest.mark.parametrize(
    ("edition", "variants", "options", "discard", "next_drawn"),
    [
        pytest.param(
            "parker-1992", (), AS_PRINTED, (21, 22), 23, id=f"{PARKER}, Play: its top card is the new discard"
        ),
        pytest.param("milton-bradley-1956", (), AS_PRINTED, (21, 22), 23, id=f"{BRADLEY}: silent, played as Parker's"),
        pytest.param("retro", (), AS_PRINTED, (21, 22), 23, id=f"{RETRO}: one of them flips the top card"),
        pytest.param("hasbro-2006", (), AS_PRINTED, (21,), 22, id=f"{HASBRO}: a new draw pile, no card turned up"),
        pytest.param("hasbro-2006", ("classic",), AS_PRINTED, (21,), 22, id=f"{HASBRO}, Classic: likewise"),
        pytest.param(
            "parker-1992", (), Options(turn_over="no-discard"), (21,), 22, id="the table's option: no card turned up"
        ),
        pytest.param(
            "hasbro-2006", (), Options(turn_over="new-discard"), (21, 22), 23, id="the table's option: a new discard"
        ),
    ],
)
def test_a_used_up_draw_pile_is_the_discard_pile_turned_over(
    edition: str, variants: tuple[str, ...], options: Options, discard: tuple[Card, ...], next_drawn: Card
) -> None:
    # Every card is drawn and discarded, so 21 lies at the bottom of the discard pile and comes to the top.
    game = game_of(edition, 2, variants, options)
    position = dealt(game)
    while position.draw:
        position = play(position, Play("draw", None))
    assert position.discard == tuple(range(21, game.rules.highest_card + 1))
    position = play(position, Play("draw", None))
    assert (position.discard, position.draw[-1]) == (discard, next_drawn)
    assert position.draw[0] == game.rules.highest_card, "what was discarded last lies at the bottom"


# Ten rising cards whose longest runs are as long as the name says.
NO_RUN = (1, 3, 5, 7, 9, 11, 13, 15, 17, 19)
RUN_OF_TWO = (1, 2, 5, 7, 9, 11, 13, 15, 17, 19)
RUN_OF_THREE = (1, 3, 5, 7, 9, 24, 25, 26, 30, 40)
THREE_AND_THREE = (1, 2, 3, 8, 10, 24, 25, 26, 30, 40)
RUN_OF_FOUR = (1, 3, 5, 7, 24, 25, 26, 27, 30, 40)
FOUR_AND_THREE = (1, 2, 3, 7, 24, 25, 26, 27, 30, 40)
RUN_OF_FIVE = (1, 2, 3, 4, 5, 10, 12, 14, 16, 18)
FIVE_AND_FIVE = (1, 2, 3, 4, 5, 10, 11, 12, 13, 14)
RUN_OF_SIX = (2, 4, 6, 8, 21, 22, 23, 24, 25, 26)
SIX_AND_FOUR = (1, 2, 3, 4, 21, 22, 23, 24, 25, 26)
RUN_OF_SEVEN = (2, 4, 6, 20, 21, 22, 23, 24, 25, 26)
RUN_OF_TEN = (20, 21, 22, 23, 24, 25, 26, 27, 28, 29)
BROKEN = (37, 36, 35, 34, 33, 32, 31, 38, 39, 23)

BONUS, FROM_FOUR = ("bonus",), ("run-of-three", "bonus-from-four")


def all_texts(rule: str, rack: tuple[Card, ...], variants: tuple[str, ...], points: int) -> list[object]:
    """The same case in every text."""
    return [pytest.param(edition, variants, rack, points, id=f"{text}, {rule}") for edition, text in TEXTS.items()]


@pytest.mark.parametrize(
    ("edition", "variants", "rack", "points"),
    [
        *all_texts("Scoring: going out is 75", NO_RUN, (), 75),
        *all_texts("Scoring: a run is worth nothing without the bonus game", RUN_OF_SIX, (), 75),
        *all_texts("Bonus: no run", NO_RUN, BONUS, 75),
        *all_texts("Bonus: two cards are no run", RUN_OF_TWO, BONUS, 75),
        *all_texts("Bonus: three cards make 125", RUN_OF_THREE, BONUS, 125),
        *all_texts("Bonus: two runs of three, one counts", THREE_AND_THREE, BONUS, 125),
        *all_texts("Bonus: four cards make 175", RUN_OF_FOUR, BONUS, 175),
        *all_texts("Bonus: several runs, the longest counts", FOUR_AND_THREE, BONUS, 175),
        *all_texts("Bonus: five cards make 275", RUN_OF_FIVE, BONUS, 275),
        *all_texts("Bonus: two runs of five, one counts", FIVE_AND_FIVE, BONUS, 275),
        *all_texts("Bonus: six cards make 475", RUN_OF_SIX, BONUS, 475),
        *all_texts("Bonus: six and four, the longest counts", SIX_AND_FOUR, BONUS, 475),
        *all_texts("Bonus: more than six make 475", RUN_OF_SEVEN, BONUS, 475),
        *all_texts("Bonus: ten make 475", RUN_OF_TEN, BONUS, 475),
        *all_texts("Bonus and two-player rule: three make 125", RUN_OF_THREE, ("bonus", "run-of-three"), 125),
        *all_texts("Quick: no scoring", RUN_OF_SIX, ("quick",), 0),
        pytest.param("milton-bradley-1956", FROM_FOUR, RUN_OF_THREE, 75, id=f"{BRADLEY}, house rule: three earn none"),
        pytest.param("milton-bradley-1956", FROM_FOUR, THREE_AND_THREE, 75, id=f"{BRADLEY}, house rule: nor twice"),
        pytest.param("milton-bradley-1956", FROM_FOUR, RUN_OF_FOUR, 175, id=f"{BRADLEY}, house rule: four earn 100"),
        pytest.param("milton-bradley-1956", FROM_FOUR, RUN_OF_FIVE, 275, id=f"{BRADLEY}, house rule: five earn 200"),
        pytest.param("milton-bradley-1956", FROM_FOUR, RUN_OF_TEN, 475, id=f"{BRADLEY}, house rule: ten earn 400"),
        pytest.param(
            "milton-bradley-1956",
            ("bonus", *FROM_FOUR),
            RUN_OF_THREE,
            75,
            id=f"{BRADLEY}, house rule: with bonus named",
        ),
    ],
)
def test_what_going_out_scores_and_that_the_other_scores_as_usual(
    edition: str, variants: tuple[str, ...], rack: tuple[Card, ...], points: int
) -> None:
    rules = rules_for(edition, 2, variants)
    rest = [card for card in rules.deck if card not in rack]
    full_with_a_run, three, one = rest[-10:], [*rest[:2], rest[-1], *rest[2:9]], rest[9::-1]
    for other, as_usual in ((full_with_a_run, 50), (three, 15), (one, 5)):
        scores = score_round(rules, {1: rack, 2: other}, out=1)
        expected = {1: points, 2: 0 if "quick" in variants else as_usual}
        assert {seat: score.points for seat, score in scores.items()} == expected
        assert str(points) in scores[1].why or not points


TWENTY_EIGHT_TO_THIRTY = (2, 4, 6, 8, 10, 28, 29, 30, 38, 40)


@pytest.mark.parametrize(
    ("edition", "variants", "rack", "refused"),
    [
        pytest.param("parker-1992", ("run-of-three",), RUN_OF_THREE, "", id=f"{PARKER}, two players: 24, 25, 26"),
        pytest.param("retro", ("run-of-three",), TWENTY_EIGHT_TO_THIRTY, "", id=f"{RETRO}, two players: 28, 29, 30"),
        pytest.param("parker-1992", ("run-of-three",), RUN_OF_TEN, "", id=f"{PARKER}, two players: more than three"),
        pytest.param(
            "milton-bradley-1956",
            ("run-of-three",),
            RUN_OF_TWO,
            "its longest run of consecutive numbers is 2, and this game asks for 3",
            id=f"{BRADLEY}, two players: 1, 2 is too short",
        ),
        pytest.param(
            "parker-1992",
            ("run-of-three", "bonus-from-four"),
            NO_RUN,
            "its longest run of consecutive numbers is 1, and this game asks for 3",
            id=f"{PARKER}, two players: none",
        ),
        pytest.param("parker-1992", (), NO_RUN, "", id=f"{PARKER}, two players: the rule is optional"),
        pytest.param("hasbro-2006", (), NO_RUN, "", id=f"{HASBRO}: any steps"),
        pytest.param(
            "hasbro-2006", ("quick", "run-of-three"), NO_RUN, "asks for 3", id="quick, with the run asked for"
        ),
        *(
            pytest.param(edition, (), BROKEN, "its cards do not rise at slot 10", id=f"{text}: not in order")
            for edition, text in TEXTS.items()
        ),
    ],
)
def test_who_may_go_out(edition: str, variants: tuple[str, ...], rack: tuple[Card, ...], refused: str) -> None:
    rules = rules_for(edition, 2, variants)
    assert can_go_out(rack, rules.edition.run_needed) == (not refused)
    racks = {2: rack, 1: tuple(card for card in rules.deck if card not in rack)[:10]}
    if refused:
        with pytest.raises(BadInput, match=re.escape(refused)):
            score_round(rules, racks, out=2)
    else:
        assert score_round(rules, racks, out=2)[2].points >= (0 if "quick" in variants else 75)


@pytest.mark.parametrize(
    ("edition", "variants", "totals", "winners"),
    [
        pytest.param("parker-1992", (), (495, 490), (), id=f"{PARKER}, Winning: 495 is not enough"),
        pytest.param("parker-1992", (), (500, 495), (1,), id=f"{PARKER}, Winning: 500 is enough"),
        pytest.param("milton-bradley-1956", (), (425, 30, 510), (3,), id=f"{BRADLEY}: past 500"),
        pytest.param("retro", (), (505, 540, 500), (2,), id=f"{RETRO}: more than one past 500, the highest wins"),
        pytest.param("parker-1992", (), (520, 520), (), id="a tie at the top plays on"),
        pytest.param("retro", (), (520, 510, 520, 5), (), id="a tie at the top plays on, whoever else is past 500"),
        pytest.param("parker-1992", (), (505, 505, 510), (3,), id="a tie below the top does not matter"),
        pytest.param("parker-1992", (), (0, 0), (), id="nobody has a point yet"),
        pytest.param("hasbro-2006", (), (495, 400), (), id=f"{HASBRO}, Winning: two players, 495 is not enough"),
        pytest.param("hasbro-2006", (), (5, 500), (2,), id=f"{HASBRO}, Winning: two players, 500"),
        pytest.param("hasbro-2006", (), (395, 5, 390), (), id=f"{HASBRO}, Winning: three players, 395 is not enough"),
        pytest.param("hasbro-2006", (), (5, 400, 390), (2,), id=f"{HASBRO}, Winning: three players, 400"),
        pytest.param("hasbro-2006", (), (245, 5, 5, 5), (), id=f"{HASBRO}, Winning: four players, 245 is not enough"),
        pytest.param("hasbro-2006", (), (245, 5, 5, 250), (4,), id=f"{HASBRO}, Winning: four players, 250"),
        pytest.param("hasbro-2006", (), (260, 5, 255, 260), (), id=f"{HASBRO}: a tie at the top plays on"),
        pytest.param("hasbro-2006", ("classic",), (5, 5, 5, 495), (), id=f"{HASBRO}, Classic: 495 is not enough"),
        pytest.param("hasbro-2006", ("classic",), (5, 500, 495), (2,), id=f"{HASBRO}, Classic: 500"),
        pytest.param("parker-1992", ("partners",), (300, 400, 195, 95), (), id=f"{PARKER}, Partners: 495 each"),
        pytest.param("parker-1992", ("partners",), (300, 5, 200, 5), (1, 3), id=f"{PARKER}, Partners: 500 together"),
        pytest.param("retro", ("partners",), (490, 255, 5, 250), (2, 4), id=f"{RETRO}, Partners: the highest pair"),
        pytest.param("parker-1992", ("partners",), (495, 250, 15, 260), (), id="Partners: a tie of pairs plays on"),
        pytest.param("parker-1992", ("partners",), (300, 300, 5, 5), (), id="Partners: neighbours are no pair"),
    ],
)
def test_who_has_won(
    edition: str, variants: tuple[str, ...], totals: tuple[int, ...], winners: tuple[Seat, ...]
) -> None:
    game = game_of(edition, len(totals), variants)
    for share in (totals, [0] * len(totals)):
        game = game.after_round(dict(enumerate(share, 1)), 1)
        assert tuple(game.totals.values()) == totals, "totals stay by seat"
        assert game.winners == winners


@pytest.mark.parametrize("edition", EVERY_TEXT)
@pytest.mark.parametrize("out", [1, 2, 3])
def test_a_quick_game_is_won_by_who_goes_out_in_its_one_round_by_the_hasbro_leaflet_2006(
    edition: str, out: Seat
) -> None:
    game = game_of(edition, 3, ("quick",))
    assert game.winners == ()
    assert game.after_round({1: 0, 2: 0, 3: 0}, out).winners == (out,)


@pytest.mark.parametrize("edition", EVERY_TEXT)
def test_the_next_round_is_dealt_by_the_player_to_the_left_of_the_last_dealer(edition: str) -> None:
    game = game_of(edition, 3)
    assert [game.next_dealer(dealer) for dealer in (1, 2, 3)] == [2, 3, 1]


@pytest.mark.parametrize("edition", EVERY_TEXT)
def test_no_play_rearranges_a_rack(edition: str) -> None:
    position = dealt(game_of(edition, 2))
    for move in legal_plays(position):
        before, after = position.rack(2), play(position, move).rack(2)
        assert sum(old != new for old, new in zip(before, after, strict=True)) == (move.slot is not None)
