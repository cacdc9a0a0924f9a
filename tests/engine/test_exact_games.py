"""Properties of whole games, played with known cards."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import SLOTS, Card, Seat
from engine.round import Play, Round, deal, legal_plays, play
from tests.engine.tables import DECKS, PILE, Chooser, careless, dealt, left, steps, thrifty

PlayersAre = Callable[[int], Chooser]
PLAYERS_ARE = st.sampled_from((careless, thrifty))
SEEDS = st.integers(0, 2**32 - 1)
PLAYERS = st.sampled_from((2, 3, 4))


class ListTable:
    """The same table with its cards in lists, moved by hand: `draw` and `discard` have their top card last."""

    def __init__(self, position: Round) -> None:
        self.racks: dict[Seat, list[Card]] = {seat: list(position.rack(seat)) for seat in position.seats}
        self.draw, self.discard = list(position.draw), list(position.discard)

    def turn(self, seat: Seat, move: Play) -> None:
        """Move the cards of one turn."""
        if move.source == "draw" and not self.draw:
            self.draw, self.discard = self.discard, []
            self.draw.reverse()
            self.discard.append(self.draw.pop())
        card = (self.draw if move.source == "draw" else self.discard).pop()
        if move.slot is not None:
            place = SLOTS.index(move.slot)
            card, self.racks[seat][place] = self.racks[seat][place], card
        self.discard.append(card)


def chosen(players: int, seed: int, players_are: PlayersAre) -> tuple[Round, Chooser]:
    """A dealt round, and somebody to play it."""
    return dealt(players, seed, dealer=seed % players + 1), players_are(seed)


@given(PLAYERS, SEEDS, PLAYERS_ARE)
def test_every_card_is_there_exactly_once_after_any_turns(players: int, seed: int, players_are: PlayersAre) -> None:
    position, choose = chosen(players, seed, players_are)
    for _ in range(100):
        position = play(position, choose(position))
        cards = [*position.draw, *position.discard, *(card for rack in position.racks for card in rack)]
        assert sorted(cards) == list(range(1, DECKS[players] + 1))
        assert len(position.draw) + len(position.discard) == PILE
        assert position.discard
        assert {len(rack) for rack in position.racks} == {10}


@given(PLAYERS, SEEDS, PLAYERS_ARE)
def test_a_game_moves_the_same_cards_as_lists_moved_by_hand(players: int, seed: int, players_are: PlayersAre) -> None:
    position, choose = chosen(players, seed, players_are)
    table = ListTable(position)
    for _ in range(100):
        move, seat = choose(position), position.to_move
        assert move in legal_plays(position)
        position = play(position, move)
        table.turn(seat, move)
        assert position.racks == tuple(tuple(table.racks[seat]) for seat in position.seats)
        assert (position.draw, position.discard) == (tuple(table.draw), tuple(table.discard))
        assert position.to_move == left(players, seat)


@given(PLAYERS, SEEDS, PLAYERS_ARE)
def test_a_turn_changes_one_slot_at_most_and_what_left_it_is_the_new_discard(
    players: int, seed: int, players_are: PlayersAre
) -> None:
    for played in steps(*chosen(players, seed, players_are), 60):
        seat, turn = played.turn.seat, played.turn
        racks = list(zip(played.before.seats, played.before.racks, played.after.racks, strict=True))
        changed = [
            (owner, slot)
            for owner, before, after in racks
            for slot, old, new in zip(SLOTS, before, after, strict=True)
            if old != new
        ]
        assert changed == ([] if turn.slot is None else [(seat, turn.slot)])
        assert played.after.discard[-1] == turn.discarded
        if turn.slot is not None:
            assert played.after.rack(seat)[SLOTS.index(turn.slot)] == turn.card


@pytest.mark.parametrize("players", [2, 3, 4])
def test_careful_players_use_the_draw_pile_up_and_more(players: int) -> None:
    # Otherwise the properties above would say nothing of the refill.
    refills = sum(played.turned_over for played in steps(dealt(players, 5), thrifty(5), 100))
    assert refills >= 3


def reachable(start: Round, turns: int) -> tuple[int, int]:
    """How many courses of `turns` turns there are, and how many positions they lead to."""
    courses = {start: 1}
    for _ in range(turns):
        after: dict[Round, int] = {}
        for position, ways in courses.items():
            for move in legal_plays(position):
                reached = play(position, move)
                after[reached] = after.get(reached, 0) + ways
        courses = after
    return sum(courses.values()), len(courses)


FIXED = deal((1, 2), 1, range(1, 41))
AT_THE_END = replace(FIXED, draw=(22,), discard=(21,))
USED_UP = replace(FIXED, draw=(), discard=(22, 21))
ONLY_DISCARD = replace(FIXED, draw=(), discard=(21,))


@pytest.mark.parametrize(
    ("start", "turns", "courses", "positions"),
    [
        # 21 plays: ten slots from either pile, and discarding a drawn card. While each player has one turn or two and
        # the draw pile lasts, no two courses meet: it lacks one card for each draw, and the racks say where they went.
        pytest.param(FIXED, 1, 21, 21, id="dealt, one turn"),
        pytest.param(FIXED, 2, 21**2, 21**2, id="dealt, two turns"),
        pytest.param(FIXED, 3, 21**3, 21**3, id="dealt, three turns"),
        # Two discards, no draw pile: turned over, the top discard is the one card to draw. So drawing it for a slot and
        # taking it for that slot end alike, and 21 plays lead to 11 positions, each with two discards and no draw pile.
        pytest.param(USED_UP, 1, 21, 11, id="used up, one turn"),
        pytest.param(USED_UP, 2, 21**2, 11**2, id="used up, two turns"),
        # At the third turn the first player has the second one. If the other has discarded what he drew, a slot given
        # away can be taken back, which is discarding twice (10 slots), or filled a turn later instead (10 more).
        pytest.param(USED_UP, 3, 21**3, 11**3 - 20, id="used up, three turns"),
        # One card to draw: 11 draws lead to the case above, 10 takings leave one card in each pile again.
        pytest.param(AT_THE_END, 1, 21, 11 + 10, id="one card left, one turn"),
        pytest.param(AT_THE_END, 2, 21**2, 11 * 11 + 10 * (11 + 10), id="one card left, two turns"),
        pytest.param(
            AT_THE_END, 3, 21**3, 11**3 + 10 * 11**2 + 10**2 * (11 + 10) - 20, id="one card left, three turns"
        ),
        # One discard and nothing else: it stays the discard, and can only be taken.
        pytest.param(ONLY_DISCARD, 4, 10**4, 10**4, id="only a discard, four turns"),
    ],
)
def test_the_positions_reachable_in_some_turns_are_counted(
    start: Round, turns: int, courses: int, positions: int
) -> None:
    assert reachable(start, turns) == (courses, positions)
