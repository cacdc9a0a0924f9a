"""A card that can hardly be read is put into a rack; only afterwards is it seen, by the discard pile, that it was."""

from collections.abc import Collection
from dataclasses import replace

import pytest

from engine.cards import SLOTS, Card, Seat, Slot, Source
from engine.events import Event
from engine.following.history import Place
from engine.lines import Observation, Sighting
from engine.moves import Turn
from engine.round import Play, Round
from tests.engine.tables import dealt, look, seated, step, turns

SEAT: Seat = 2
SLOT: Slot = 25
HOUR = 12.0
"""When the slot has changed."""


def told(source: Source, doubts: Collection[Sighting], *, doubted_at: float = HOUR) -> tuple[Turn, Turn]:
    """What is told of a turn, and the turn: each doubt is told of the slot once, and nothing else of it since."""
    start = dealt(2, 7)
    played = step(start, Play(source, SLOT))
    referee, _ = seated(2)

    def feed(position: Round, t: float, *, tray: bool = True, doubt: Sighting | None = None) -> list[Event]:
        unseen: list[Place] = [] if tray else ["discard"]
        if t >= doubted_at and doubt is None:
            unseen.append((SEAT, SLOT))
        seen: Observation = look(position, t, unseen=unseen, instead={(SEAT, SLOT): doubt} if doubt else {})
        return referee.feed(replace(seen, changed={SEAT: {SLOT: HOUR if t >= HOUR else 0.5}}))

    said = feed(start, 1.0) + feed(start, 1.25)
    for late, doubt in enumerate(doubts):
        said += feed(start, doubted_at + 0.25 * late, tray=doubted_at < HOUR, doubt=doubt)
    position = played.after
    said += feed(position, 14.0) + feed(position, 14.25)
    for number in (1, 2, 3):
        position = step(position, Play("draw", None)).after
        said += feed(position, 14 + 8.0 * number) + feed(position, 14.25 + 8.0 * number)
    return turns(said + referee.finish())[0], played.turn


def either(one: Card, other: Card) -> Sighting:
    return {one: 0.33, other: 0.33}


def an_other(*but: Card) -> Card:
    """A card that nobody has seen yet, and another one than these."""
    start = dealt(2, 7)
    return next(card for card in start.draw if card not in but)


def test_a_doubt_between_the_discard_piles_top_and_another_card_is_for_the_top() -> None:
    top = dealt(2, 7).discard[-1]
    said, true = told("discard", [either(top, an_other())])
    assert said == true


def test_a_doubt_in_which_the_discard_piles_top_has_no_part_is_for_a_draw() -> None:
    drawn = dealt(2, 7).draw[-1]
    said, true = told("draw", [either(drawn, an_other(drawn))])
    assert (said.source, said.slot, said.discarded) == (true.source, true.slot, true.discarded)


@pytest.mark.parametrize("source", ["draw", "discard"])
def test_without_any_word_the_source_is_the_likelier_one(source: Source) -> None:
    """The draw pile, of which people take more: nothing but the doubt has told the others."""
    said, _ = told(source, [])
    assert (said.source, said.slot) == ("draw", SLOT)


def test_what_was_said_before_the_slot_changed_is_not_said_of_its_new_card() -> None:
    start = dealt(2, 7)
    old, top = start.rack(SEAT)[SLOTS.index(SLOT)], start.discard[-1]
    said, _ = told("draw", [either(old, top)], doubted_at=8.0)
    assert said.source == "draw"


def exchanged_unread(altered: Collection[Slot], *, later: int) -> tuple[list[Turn], list[Turn]]:
    """What is told, and the turns: an exchange of a card that was never read, `altered` slots having changed with it.

    Two looks show the new card before the discard. So many cards are drawn and discarded later.
    """
    start = dealt(2, 7)
    played = step(start, Play("draw", SLOT))
    assert played.turn is not None
    old, others = start.rack(SEAT)[SLOTS.index(SLOT)], [card for card in start.draw if card != played.turn.card]
    guess = dict.fromkeys((old, others[0], others[1]), 0.2)
    referee, _ = seated(2)

    def feed(position: Round, t: float, doubt: Sighting | None, *, unseen: Collection[Place] = ()) -> list[Event]:
        seen = look(position, t, unseen=unseen, instead={(SEAT, SLOT): doubt} if doubt else {})
        return referee.feed(replace(seen, changed={SEAT: dict.fromkeys(altered, HOUR if t >= HOUR else 0.5)}))

    said = feed(start, 1.0, guess) + feed(start, 1.25, None, unseen=[(SEAT, SLOT)])
    half_played = replace(start, racks=played.after.racks)
    said += feed(half_played, HOUR, None, unseen=["discard"])
    said += feed(half_played, HOUR + 0.25, None, unseen=["discard"])
    true = [played.turn]
    said += feed(played.after, 14.0, None) + feed(played.after, 14.25, None)
    for number in range(later):
        played = step(played.after, Play("draw", None))
        assert played.turn is not None
        true.append(played.turn)
        t = 22 + 8.0 * number
        said += feed(played.after, t, None) + feed(played.after, t + 0.25, None)
    return turns(said + referee.finish()), true


def test_a_card_that_was_never_read_was_exchanged_where_its_slot_changed_before_another_is_read_there() -> None:
    """What was guessed of the old card leaves room for the new one: then nothing but the change tells of it."""
    said, true = exchanged_unread([SLOT], later=0)
    assert said == true


def test_where_every_slot_has_changed_the_discard_tells_that_a_card_which_was_never_read_was_exchanged() -> None:
    """Under another light, or where the rack was pushed; the turns that follow make it sure."""
    said, true = exchanged_unread(SLOTS, later=3)
    assert said == true
