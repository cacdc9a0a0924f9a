"""A camera is away, or a hand is over the pile: what nobody has seen accuses nobody.

The rows are what misled the referee in recorded and simulated rounds, cut down to the least that still did. A row is a
time, then what a look showed: `2[3 9 . 0 ...]` a rack from slot 5 on ("." not seen, "0" empty; slots at its end that
were not seen are left out), `D33` the discard pile's top, and the draw pile; or `hidden 2`, `unsettled`.
"""

from collections.abc import Iterator

from engine.cards import SLOTS, Seat
from engine.events import Event, Violation
from engine.game import Player
from engine.lines import Hidden, Line, NewGame, NewRound, Observation, Unsettled
from engine.referee import Referee
from tests.engine.tables import NAMES, told


def line_of(row: str) -> Line:
    time, _, rest = row.strip().partition(" ")
    t = float(time)
    if rest == "unsettled":
        return Unsettled(t)
    if rest.startswith("hidden"):
        return Hidden(t, tuple(int(seat) for seat in rest.split()[1:]))
    *racks, others = rest.split("]")
    seen = {}
    for rack in racks:
        seat, cards = rack.split("[")
        standing = zip(SLOTS, cards.split(), strict=False)
        seen[int(seat)] = {slot: {int(card): 1.0} for slot, card in standing if card != "."}
    top = next((int(word[1:]) for word in others.split() if word.startswith("D")), None)
    draw = next((pile for pile in ("cards", "empty") if pile in others.split()), None)
    return Observation(t, seen, None if top is None else {top: 1.0}, draw)


def heard(players: int, dealer: Seat, rows: str) -> Iterator[Event]:
    """All that a referee says of a round, also at its end."""
    referee = Referee()
    people = tuple(Player(seat, NAMES[seat - 1]) for seat in range(1, players + 1))
    for line in (NewGame("parker-1992", (), people), NewRound(dealer), *map(line_of, rows.strip().splitlines())):
        yield from referee.feed(line)
    yield from referee.finish()


def accused(players: int, dealer: Seat, rows: str) -> list[tuple[str, Seat]]:
    return [(event.rule, event.seat) for event in heard(players, dealer, rows) if isinstance(event, Violation)]


def turns(players: int, dealer: Seat, rows: str) -> list[str]:
    return [str(turn) for turn in told(list(heard(players, dealer, rows)))]


ADA = "1[2 4 20 21 16 40 39 36 17 18]"
ADA_THEN = "1[2 4 7 21 16 40 39 36 17 18]"
BEN = "2[3 9 10 7 27 22 25 28 37 24]"
BEN_THEN = "2[3 9 10 19 27 22 25 28 37 24]"
BEN_AT_LAST = "2[3 9 10 19 20 22 25 28 37 24]"


def test_what_a_lifted_discard_lays_bare_is_no_turn_however_often_it_is_looked_at() -> None:
    rows = f"""
        0 {ADA} {BEN}
        1 {ADA} {BEN}
        5 {ADA} {BEN_THEN}
        6 {ADA} {BEN_THEN} D7 cards
        7 {ADA} {BEN_THEN} D7 cards
        10 {BEN_THEN} D33 cards
        11 {BEN_THEN} D33 cards
        12 {BEN_THEN} D33 cards
        13 {BEN_THEN} D33 cards
        14 {ADA_THEN} {BEN_THEN} D33 cards
        15 {ADA_THEN} {BEN_THEN} D20 cards
        16 {ADA_THEN} {BEN_THEN} D20 cards
        """
    assert turns(2, 1, rows) == ["2:D19@20x7", "1:T7@15x20"]


def test_a_double_that_rests_on_turns_that_nobody_saw_accuses_nobody() -> None:
    rows = f"""
        22.2 {BEN} D1
        23.1 D33
        30.2 D19
        36.4 {BEN_THEN}
        37.9 {ADA} D7
        42.2 D33
        42.5 D33
        44.6 D33
        45.1 {ADA_THEN}
        45.1 D20
        45.4 D20
        47.1 D20
        47.5 D20
        50.7 {BEN_AT_LAST} D27
        56.1 {BEN_AT_LAST} D6
        60.1 D6
        60.5 {BEN_AT_LAST} D15
        60.6 {BEN_AT_LAST}
        60.6 {BEN_AT_LAST}
        60.8 {BEN_AT_LAST}
        62.5 {BEN_AT_LAST} D15
        """
    assert accused(2, 1, rows) == []


def test_nobody_plays_out_of_turn_while_a_rack_comes_back_whose_turns_were_told_by_discards_alone() -> None:
    rows = f"""
        33.4 D19
        37.8 D7
        42.1 {BEN_THEN}
        42.2 D33
        44.1 D33
        45.4 {ADA_THEN} D20
        47.1 D20
        47.5 D20
        50.3 {BEN_AT_LAST}
        50.7 {BEN_AT_LAST} D27
        """
    assert accused(2, 1, rows) == []


def test_nobody_plays_out_of_turn_where_who_was_passed_over_sits_out_of_sight() -> None:
    rows = """
        72.9 D45
        73.9 D45
        76.9 D16
        77.9 2[2 5 26 7 8 22 27 28 42 46] D16
        78.9 D11
        79.9 2[2 5 26 7 8 22 27 28 42 46] D11
        80.9 2[2 5 26 7 20 22 27 28 42 46]
        81.9 2[2 5 26 7 20 22 27 28 42 46] D8
        """
    assert accused(3, 3, rows) == []


def test_nobody_plays_out_of_turn_while_the_tray_is_out_of_sight() -> None:
    rows = """
        12 D2
        13 1[47 14 3 29 13 26 5 6 35 48] 2[28 34 38 30 16 24 37 45 32 12] D2
        13.1 unsettled
        15.1 1[47 14 3 29 13 26 5 6 35 48] 2[2 34 38 30 16 24 37 45 32 12] 3[41 33 11 15 22 42 7 36 23 27]
        27.1 2[2 34 38 30 21 24 37 45 32 50] 3[41 33 11 15 22 28 7 36 23 27]
        """
    assert accused(3, 3, rows) == []


def test_nobody_plays_out_of_turn_after_a_pile_was_turned_over_that_nobody_had_counted() -> None:
    rows = """
        24.1 3[46 39 26 33 3 16 24 36 47 49]
        40.2 2[12 13 17 45 30 35 41 9 43 28]
        78.4 2[2 10 17 25 30 35 41 9 43 44] 3[4 5 12 13 20 16 31 36 47 49]
        80.4 1[8 14 15 23 29 37 42 40 46 48] D21
        84.4 2[2 10 17 25 30 32 41 9 43 44] D5
        85.4 D5
        87.4 D6
        88.4 D6
        89.4 1[8 14 15 18 29 37 42 40 46 48] D23
        90.4 D23
        """
    assert accused(3, 3, rows) == []


def test_a_slot_that_was_not_read_since_its_rack_came_back_is_no_second_exchange() -> None:
    rows = """
        0 1[15 5 6 12 34 27 31 38 23 22] 2[14 24 7 13 37 32 11 33 25 36]
        1 1[15 5 6 12 34 27 31 38 23 22] 2[14 24 7 13 37 32 11 33 25 36]
        5 hidden 2
        8 1[15 5 6 12 34 27 31 38 23 22] 2[14 24 7 13 . 32 11 33 25 36]
        12 1[15 5 6 12 20 27 31 38 23 22] 2[14 24 7 13 . 32 11 33 25 36]
        13 1[15 5 6 12 20 27 31 38 23 22] 2[14 24 7 13 . 32 11 33 25 36]
        20 1[15 5 6 12 20 27 31 38 23 22] 2[14 6 7 13 19 32 11 33 25 36]
        21 1[15 5 6 12 20 27 31 38 23 22] 2[14 6 7 13 19 32 11 33 25 36]
        22 D24 cards
        23 D24 cards
        28 1[15 5 6 12 20 24 31 38 23 22] D27 cards
        29 1[15 5 6 12 20 24 31 38 23 22] D27 cards
        """
    assert accused(2, 1, rows) == []


def test_a_card_that_a_rack_shows_again_was_taken_from_the_pile_and_the_one_below_lies_bare() -> None:
    rows = f"""
        0 {ADA.replace("20 21", "20 19")} {BEN} D33 cards
        1 {ADA.replace("20 21", "20 19")} {BEN} D33 cards
        5 hidden 2
        6 {ADA} D19 cards
        7 {ADA} D19 cards
        10 {ADA} D7 cards
        11 {ADA} D7 cards
        12 {ADA} {BEN_THEN} D7 cards
        15 {BEN_THEN} D33 cards
        16 {BEN_THEN} D33 cards
        17 {ADA_THEN} {BEN_THEN} D33 cards
        18 {ADA_THEN} {BEN_THEN} D20 cards
        19 {ADA_THEN} {BEN_THEN} D20 cards
        """
    assert turns(2, 2, rows) == ["1:D21@20x19", "2:?x7", "1:T7@15x20"]


def test_a_card_that_is_lifted_lays_bare_what_lay_below_one_that_was_taken_out_of_sight() -> None:
    rows = """
        0 1[1 22 15 31 42 34 40 49 3 8] 2[5 13 19 25 43 4 30 2 10 16] 3[20 21 27 48 29 33 11 32 37 26] D44 cards
        1 1[1 22 15 31 42 34 40 49 3 8] 2[5 13 19 25 43 4 30 2 10 16] 3[20 21 27 48 29 33 11 32 37 26] D44 cards
        4 1[1 22 15 31 42 34 40 49 50 8] 2[5 13 19 25 43 4 30 2 10 16] D3 cards
        5 1[1 22 15 31 42 34 40 49 50 8] 2[5 13 19 25 43 4 30 2 10 16] D3 cards
        8 1[1 22 15 31 42 34 40 49 50 8] 2[5 13 19 25 43 4 47 2 10 16] D30 cards
        9 1[1 22 15 31 42 34 40 49 50 8] 2[5 13 19 25 43 4 47 2 10 16] D30 cards
        10 hidden 3
        12 1[1 22 15 31 42 34 40 49 50 8] 2[5 13 19 25 43 4 47 2 10 16] D28 cards
        13 1[1 22 15 31 42 34 40 49 50 8] 2[5 13 19 25 43 4 47 2 10 16] D28 cards
        16 2[5 13 19 25 43 4 47 2 10 16] D3 cards
        17 2[5 13 19 25 43 4 47 2 10 16] D3 cards
        18 1[1 22 15 28 42 34 40 49 50 8] 2[5 13 19 25 43 4 47 2 10 16] D3 cards
        19 1[1 22 15 28 42 34 40 49 50 8] 2[5 13 19 25 43 4 47 2 10 16] D31 cards
        20 1[1 22 15 28 42 34 40 49 50 8] 2[5 13 19 25 43 4 47 2 10 16] D31 cards
        """
    assert turns(3, 3, rows) == ["1:D50@45x3", "2:D47@35x30", "3:?x28", "1:T28@20x31"]


def test_a_discard_after_turns_that_nobody_saw_may_be_of_one_more_of_them() -> None:
    rows = """
        21.3 1[2 4 20 19 16 40 39 36 17 18] D1 cards
        21.8 unsettled
        28.9 1[2 4 20 21 16 40 39 36 17 18]
        36.4 1[2 4 20 21 16 40 39 36 17 18] 2[3 9 10 19 27 22 25 28 37 24]
        36.7 1[2 4 20 21 16 40 39 36 17 18] 2[3 9 10 19 27 22 25 28 37 24]
        49.9 1[2 4 7 21 16 40 39 36 17 18] 2[3 9 10 19 20 22 25 28 37 24]
        63.0 1[2 4 7 21 16 40 39 36 17 18] 2[3 9 10 19 20 22 25 28 37 24] D6 cards
        65.8 1[2 4 7 15 16 40 39 36 17 18] 2[3 9 10 19 20 22 25 28 37 24] D6 cards
        66.1 1[2 4 7 15 16 40 39 36 17 18] 2[3 9 10 19 20 22 25 28 37 24] D6 cards
        66.5 1[2 4 7 15 16 40 39 36 17 18] 2[3 9 10 19 20 22 25 28 37 24] cards
        """
    assert accused(2, 1, rows) == []
