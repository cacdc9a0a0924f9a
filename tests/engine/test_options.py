"""Variants and the table's own options as the referee plays them, and as its lines write them."""

import json
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import SLOTS, Card, Seat
from engine.errors import BadInput
from engine.events import CallMade, Event, GameEnd, RoundEnd, TurnPlayed
from engine.game import Player
from engine.line_json import line_as_json, parse_line
from engine.lines import NewGame, NewRound
from engine.powers import POWERS, Power, Switch
from engine.referee import Referee
from engine.round import Play, Round
from engine.variants import Options
from tests.engine.tables import NAMES, Watched, Ways, check_one_line, look, nearly_done, step, thrifty
from tests.engine.test_scoring import oracle

FIRST_SEED = 1000
PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])
SEEDS = pytest.mark.parametrize("seed", range(FIRST_SEED, FIRST_SEED + 2))
BY_ITSELF = Ways(options=Options(ends_by_itself=True))


def ends(events: Sequence[Event]) -> list[RoundEnd]:
    """The ends of rounds."""
    return [event for event in events if isinstance(event, RoundEnd)]


@PLAYERS
@SEEDS
def test_a_round_ends_by_itself_where_the_table_wants_that(players: int, seed: int) -> None:
    table = Watched(nearly_done(players, seed), BY_ITSELF)
    table.play(Play("draw", 25), looks=4)
    (end,) = ends(table.said)
    assert end.out == 2
    assert end.racks == {seat: table.position.rack(seat) for seat in table.position.seats}
    assert table.turns == table.true
    assert table.violations == []
    assert not table.referee.in_round


@PLAYERS
@SEEDS
def test_without_that_option_a_rack_in_order_ends_nothing_until_it_is_called(players: int, seed: int) -> None:
    table = Watched(nearly_done(players, seed))
    table.play(Play("draw", 25), looks=4)
    for _ in range(2 * players):
        table.play(Play("draw", None))
    assert not ends(table.said)
    assert not any(isinstance(event, CallMade) for event in table.said)
    table.call(2)
    table.show()
    assert [end.out for end in ends(table.said)] == [2]


@PLAYERS
def test_a_round_that_ends_by_itself_is_not_ended_by_one_odd_look(players: int) -> None:
    start = nearly_done(players, FIRST_SEED)
    table = Watched(start, BY_ITSELF, looks=3)
    table.show(1, instead={(2, 25): {start.draw[-1]: 1.0}})
    table.show(2)
    table.play(Play("draw", 5))
    assert not ends(table.said)
    assert table.turns == table.true


@pytest.mark.parametrize("variants", [("bonus",), ("run-of-three", "bonus-from-four")])
def test_a_bonus_game_that_ends_by_itself_is_refused_with_the_reason(variants: tuple[str, ...]) -> None:
    people = (Player(1, "Ada"), Player(2, "Ben"))
    with pytest.raises(BadInput, match="ends_by_itself") as refused:
        Referee().feed(NewGame("parker-1992", variants, people, Options(ends_by_itself=True)))
    check_one_line(refused.value)


def test_a_rack_without_the_run_that_is_asked_for_does_not_end_a_round_by_itself() -> None:
    ways = Ways(variants=("run-of-three",), options=Options(ends_by_itself=True))
    table = Watched(nearly_done(2, FIRST_SEED), ways, looks=4)
    table.play(Play("draw", 25))
    table.play(Play("draw", None))
    assert not ends(table.said)
    assert table.violations == []


TURNED = [
    ("parker-1992", None),
    ("parker-1992", "no-discard"),
    ("hasbro-2006", None),
    ("hasbro-2006", "new-discard"),
    ("retro", None),
    ("milton-bradley-1956", "no-discard"),
]


@PLAYERS
@pytest.mark.parametrize("at_once", [True, False], ids=["at once", "when somebody draws"])
@pytest.mark.parametrize(("edition", "turn_over"), TURNED)
def test_the_pile_is_turned_over_as_the_edition_or_the_table_has_it(
    players: int,
    edition: str,
    turn_over: str | None,
    at_once: bool,  # noqa: FBT001 - given by pytest
) -> None:
    said: dict[str, object] = {} if turn_over is None else {"turn_over": turn_over}
    if edition == "hasbro-2006":
        said["powers"] = {}
    people = [{"seat": seat, "name": NAMES[seat - 1]} for seat in range(1, players + 1)]
    game = parse_line({"type": "game", "edition": edition, "players": people, "options": said})
    assert isinstance(game, NewGame)
    ways = Ways(edition, options=game.options)
    table = Watched(ways.dealt(players, FIRST_SEED), ways)
    choose = thrifty(FIRST_SEED)
    while table.position.draw:
        table.play(choose(table.position))
    if at_once:
        table.turn_over()
    for _ in range(8):
        table.play(choose(table.position))
    table.finish()
    assert table.violations == []
    assert table.turns == table.true
    assert sum(event.turned_over for event in table.said if isinstance(event, TurnPlayed)) == 1


def rounds_won(caller: Sequence[Seat], ways: Ways, players: int) -> tuple[list[Event], list[Round]]:
    """Whole rounds, each won at once by the next of `caller`."""
    referee = Referee()
    people = tuple(Player(seat, NAMES[seat - 1]) for seat in range(1, players + 1))
    said = referee.feed(NewGame(ways.edition, ways.variants, people, ways.options))
    positions = []
    for number, seat in enumerate(caller):
        start = nearly_done(players, FIRST_SEED + number, caller=seat)
        said += referee.feed(NewRound((seat - 2) % players + 1))
        won = step(start, Play("draw", 25)).after
        for t, position in enumerate((start, start, won, won), 1):
            said += referee.feed(look(position, float(t)))
        said += referee.feed(parse_line({"type": "call", "t": 5.0, "seat": seat}))
        positions.append(won)
        if any(isinstance(event, GameEnd) for event in said):
            break
    return said, positions


def test_partners_win_together_with_their_totals_by_seat() -> None:
    said, positions = rounds_won([1, 2, 3, 1, 3, 1, 3], Ways(variants=("partners",)), 4)
    totals = dict.fromkeys((1, 2, 3, 4), 0)
    for end, position in zip(ends(said), positions, strict=True):
        for seat in totals:
            totals[seat] += 75 if seat == end.out else 5 * oracle(position.rack(seat))
        assert dict(end.totals) == totals
        pairs = totals[1] + totals[3], totals[2] + totals[4]
        over = isinstance(said[said.index(end) + 1], GameEnd) if end is not said[-1] else False
        assert over == (max(pairs) >= 500 and pairs[0] != pairs[1])
    last = said[-1]
    assert isinstance(last, GameEnd)
    assert last.winners == (1, 3)
    assert dict(last.totals) == totals


@PLAYERS
def test_a_quick_game_is_one_round_without_points_for_who_goes_out(players: int) -> None:
    ways = Ways(variants=("quick",))
    table = Watched(nearly_done(players, FIRST_SEED), ways)
    table.play(Play("draw", 25))
    table.call(2)
    end, over = table.said[-2:]
    assert isinstance(end, RoundEnd)
    assert isinstance(over, GameEnd)
    assert set(end.totals.values()) == {0}
    assert {score.points for score in end.scores.values()} == {0}
    assert over.winners == (2,)
    with pytest.raises(BadInput, match="the game is over"):
        table.referee.feed(NewRound(1))


def with_rack(rack: Sequence[Card], slot: int) -> Round:
    """Seat 2 draws the card that its rack lacks at that slot; seat 1 holds a rack that breaks at once."""
    rest = [card for card in range(40, 0, -1) if card not in rack]
    place = slot // 5 - 1
    lacking = (*rack[:place], rest[-1], *rack[place + 1 :])
    return Round((1, 2), (tuple(rest[:10]), lacking), (*rest[11:-1], rack[place]), (rest[10],), to_move=2)


RUNS: list[tuple[tuple[str, ...], tuple[Card, ...], int]] = [
    ((), (3, 4, 5, 9, 13, 17, 21, 25, 29, 33), 75),
    (("bonus",), (3, 5, 7, 9, 13, 17, 21, 25, 29, 33), 75),
    (("bonus",), (3, 4, 7, 9, 13, 17, 21, 25, 29, 33), 75),
    (("bonus",), (3, 4, 5, 9, 13, 17, 21, 25, 29, 33), 125),
    (("bonus",), (3, 4, 5, 6, 13, 17, 21, 25, 29, 33), 175),
    (("bonus",), (3, 4, 5, 9, 10, 11, 12, 25, 29, 33), 175),
    (("bonus",), (3, 4, 5, 6, 7, 17, 21, 25, 29, 33), 275),
    (("bonus",), (3, 4, 5, 6, 7, 8, 21, 25, 29, 33), 475),
    (("bonus",), (3, 4, 5, 6, 7, 8, 9, 10, 11, 12), 475),
    (("run-of-three",), (3, 4, 5, 9, 13, 17, 21, 25, 29, 33), 75),
    (("run-of-three", "bonus-from-four"), (3, 4, 5, 9, 13, 17, 21, 25, 29, 33), 75),
    (("run-of-three", "bonus-from-four"), (3, 4, 5, 6, 13, 17, 21, 25, 29, 33), 175),
]


@pytest.mark.parametrize(("variants", "rack", "points"), RUNS)
def test_a_call_scores_the_run_that_the_variant_pays_for(
    variants: tuple[str, ...], rack: tuple[Card, ...], points: int
) -> None:
    for slot in (5, 25, 50):
        table = Watched(with_rack(rack, slot), Ways(variants=variants))
        table.play(Play("draw", slot))
        table.call(2)
        (end,) = ends(table.said)
        assert (end.scores[2].points, end.scores[1].points) == (points, 5)
        assert end.racks[2] == rack
        assert table.violations == []


def test_in_a_bonus_game_a_player_may_wait_for_a_longer_run() -> None:
    start = with_rack((3, 4, 5, 9, 13, 17, 21, 25, 29, 33), 25)
    draw = tuple(card for card in start.draw if card != 6)
    table = Watched(
        Round(start.seats, start.racks, (*draw[:-1], 6, 8, draw[-1]), start.discard, 2), Ways(variants=("bonus",))
    )
    table.play(Play("draw", 25))
    table.play(Play("draw", None))
    table.play(Play("draw", 20))
    assert not ends(table.said)
    table.call(2)
    table.show(3)
    (end,) = ends(table.said)
    assert end.scores[2].points == 175
    assert table.violations == []


OWNERS: Mapping[str, Power | None] = {"4": "another-turn", "6": "switch-own", "12": None, "55": "switch-opponents"}


@pytest.mark.parametrize("card", [4, 6, 12, 55, 7])
def test_an_owners_table_in_a_game_line_is_what_the_turns_are_told_by(card: Card) -> None:
    people = [{"seat": seat, "name": NAMES[seat - 1]} for seat in (1, 2)]
    game = parse_line({"type": "game", "edition": "hasbro-2006", "players": people, "options": {"powers": OWNERS}})
    assert isinstance(game, NewGame)
    ways = Ways("hasbro-2006", options=game.options)
    plain = [other for other in range(1, 61) if str(other) not in OWNERS and other != card]
    start = Round((1, 2), (tuple(plain[:10]), tuple(plain[30:40])), (*plain[40:], card), (plain[10],), 2, "no-discard")
    table = Watched(start, ways)
    table.play(Play("draw", None))
    for slot in (5, 10, 15):
        table.play(Play("draw", slot))
    table.finish()
    assert table.turns == table.true
    assert table.violations == []
    said = next(event for event in table.said if isinstance(event, TurnPlayed)).as_json()
    assert said["discarded"] == card
    assert ("power" in said) == (str(card) in OWNERS)
    assert said.get("power") == OWNERS.get(str(card))


@SEEDS
def test_a_round_ends_by_itself_too_where_a_switch_puts_another_rack_in_order(seed: int) -> None:
    # Seat 1 draws and discards a Prime card, and switches the card that seat 2 lacks into seat 2's rack.
    start = nearly_done(2, seed)
    lacking, prime = start.draw[-1], start.draw[-2]
    racks = ((*start.rack(1)[:9], lacking), start.rack(2))
    draw = (start.rack(1)[9], *start.draw[:-2], prime)
    options = Options(powers={prime: "switch-with-opponent"}, ends_by_itself=True)
    position = Round((1, 2), racks, draw, start.discard, 1, "no-discard", options.powers or {})
    table = Watched(position, Ways("hasbro-2006", options=options))
    table.play(Play("draw", None))
    table.use(Switch.of((1, 50), (2, 25)), looks=4)
    assert [end.out for end in ends(table.said)] == [2]


@PLAYERS
@SEEDS
def test_a_round_ends_by_itself_too_where_the_last_discard_is_a_prime_card(players: int, seed: int) -> None:
    start = nearly_done(players, seed)
    options = Options(powers={start.rack(2)[4]: "another-turn"}, ends_by_itself=True)
    table = Watched(start, Ways("hasbro-2006", options=options))
    table.play(Play("draw", 25), looks=4)
    assert [end.out for end in ends(table.said)] == [2]


TABLES = st.dictionaries(st.integers(1, 60), st.sampled_from((None, *POWERS)))
OPTIONS = st.builds(
    Options,
    first_dealer=st.sampled_from((None, "highest", "lowest")),
    turn_over=st.sampled_from((None, "new-discard", "no-discard")),
    powers=st.none() | TABLES,
    ends_by_itself=st.booleans(),
)


@given(OPTIONS)
def test_options_come_back_from_a_game_line_as_they_were(options: Options) -> None:
    game = NewGame("hasbro-2006", ("quick",), (Player(1, "Ada"), Player(3, "Cleo")), options)
    assert parse_line(json.loads(json.dumps(line_as_json(game)))) == game


@pytest.mark.parametrize(
    "options",
    [
        {"powers": {"61": None}},
        {"powers": {"7": "fly"}},
        {"powers": ["7"]},
        {"turn_over": "shuffled"},
        {"first_dealer": 3},
        {"ends_by_itself": "yes"},
        {"colour": "green"},
        ["ends_by_itself"],
    ],
)
def test_options_that_cannot_be_are_refused_in_one_line(options: object) -> None:
    with pytest.raises(BadInput, match="options") as refused:
        parse_line({"type": "game", "edition": "hasbro-2006", "players": [], "options": options})
    check_one_line(refused.value)


def test_seats_that_are_not_the_first_ones_play_by_every_option() -> None:
    start = nearly_done(2, FIRST_SEED)
    shifted = Round((2, 4), start.racks, start.draw, start.discard, 4)
    table = Watched(shifted, BY_ITSELF)
    table.play(Play("draw", 25), looks=4)
    (end,) = ends(table.said)
    assert end.out == 4
    assert set(end.racks) == {2, 4}
    assert len(SLOTS) == len(end.racks[4])
