"""Properties of whole games, played with known cards."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import SLOTS, Card, Seat
from engine.round import Play, Round, deal, legal_plays, play
from tests.engine.tables import DECKS, PILE, Chooser, careless, dealt, left, sensible, step, steps, thrifty

CHOOSERS = st.sampled_from((careless, thrifty))
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


def chosen(players: int, seed: int, chooser: object) -> tuple[Round, Chooser]:
    """A dealt round, and somebody to play it."""
    return dealt(players, seed, dealer=seed % players + 1), chooser(seed) if callable(chooser) else sensible


@given(PLAYERS, SEEDS, CHOOSERS)
def test_every_card_is_there_exactly_once_after_any_turns(players: int, seed: int, chooser: object) -> None:
    position, choose = chosen(players, seed, chooser)
    for _ in range(100):
        position = play(position, choose(position))
        cards = [*position.draw, *position.discard, *(card for rack in position.racks for card in rack)]
        assert sorted(cards) == list(range(1, DECKS[players] + 1))
        assert len(position.draw) + len(position.discard) == PILE
        assert position.discard
        assert {len(rack) for rack in position.racks} == {10}


@given(PLAYERS, SEEDS, CHOOSERS)
def test_a_game_moves_the_same_cards_as_lists_moved_by_hand(players: int, seed: int, chooser: object) -> None:
    position, choose = chosen(players, seed, chooser)
    table = ListTable(position)
    for _ in range(100):
        move, seat = choose(position), position.to_move
        assert move in legal_plays(position)
        position = play(position, move)
        table.turn(seat, move)
        assert position.racks == tuple(tuple(table.racks[seat]) for seat in position.seats)
        assert (position.draw, position.discard) == (tuple(table.draw), tuple(table.discard))
        assert position.to_move == left(players, seat)


@given(PLAYERS, SEEDS, CHOOSERS)
def test_a_turn_changes_one_slot_at_most_and_what_left_it_is_the_new_discard(
    players: int, seed: int, chooser: object
) -> None:
    for played in steps(*chosen(players, seed, chooser), 60):
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
