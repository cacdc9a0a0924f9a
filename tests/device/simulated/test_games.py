"""Simulated games: the truth is consistent, records replay, and cheats do what they say."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from device.simulated.cheats import RULES, Cheats
from device.simulated.games import PlayedGame, Setup, play_game
from device.simulated.players import LEVELS, Level
from device.simulated.steps import GAP, PlayedRound, Step, expected
from engine.cards import SLOTS, Card, Seat, Slot, slot_index
from engine.rack import is_racko
from engine.record import games_as_text, parse_games, replayed
from engine.round import Round, left_of, turned_over
from engine.variants import Options
from engine.violations import Rule

GAMES = [
    Setup(("careless", "fair")),
    Setup(("beginner", "strong", "fair"), "milton-bradley-1956", ("bonus",)),
    Setup(("fair", "beginner", "careless", "strong"), "retro", ("partners",)),
    Setup(("strong", "fair"), variants=("run-of-three", "bonus-from-four")),
    Setup(("careless", "beginner"), "retro", ("run-of-three", "bonus")),
    Setup(("fair", "fair", "beginner"), variants=("quick",), options=Options(ends_by_itself=True)),
    Setup(("fair", "careless"), "hasbro-2006"),
    Setup(("strong", "beginner", "fair", "careless"), "hasbro-2006", ("bonus", "partners")),
    Setup(("beginner", "fair", "fair"), "hasbro-2006", ("classic",), Options(turn_over="new-discard")),
    Setup(("fair", "beginner"), seats=(2, 4)),
]


def cheated(
    rule: Rule, players: int, seeds: int = 6, edition: str = "parker-1992", level: Level = "beginner"
) -> Iterator[tuple[PlayedRound, Step]]:
    """Every step of some rounds that one kind of cheat is in."""
    for seed in range(seeds):
        setup = Setup((level,) * players, edition, most_rounds=1, at_once=bool(seed % 2))
        for played in play_game(setup, Random(seed), Cheats((rule,), 0.2)).rounds:
            yield from ((played, step) for step in played.steps if step.violation is not None)


def racks_changed(before: Round, after: Round) -> list[tuple[Seat, Slot]]:
    """The slots that hold another card afterwards."""
    return [
        (seat, slot)
        for seat in before.seats
        for slot, old, new in zip(SLOTS, before.rack(seat), after.rack(seat), strict=True)
        if old != new
    ]


def cards_of(position: Round) -> Counter[Card]:
    """Every card on the table."""
    return Counter([*position.draw, *position.discard, *(card for rack in position.racks for card in rack)])


@pytest.mark.parametrize("setup", GAMES, ids=lambda setup: " ".join((setup.edition, *setup.variants)))
def test_a_game_without_cheats_is_accepted_by_the_engine(setup: Setup) -> None:
    for seed in range(3):
        played = play_game(replace(setup, most_rounds=3), Random(seed))
        assert replayed(played.record).totals == played.game.totals
        assert parse_games(games_as_text([played.record])) == (played.record,)
        assert not any(dealt.violations for dealt in played.rounds)


def test_a_whole_game_is_won_and_the_deal_passes_to_the_left() -> None:
    played = play_game(Setup(("fair", "careless", "strong")), Random(3))
    assert played.game.winners
    assert max(played.game.totals.values()) >= played.game.rules.target
    assert all(after.dealer == left_of((1, 2, 3), before.dealer) for before, after in pairwise(played.rounds))


@pytest.mark.parametrize("setup", GAMES[:8], ids=lambda setup: " ".join((setup.edition, *setup.variants)))
def test_each_step_begins_where_the_last_one_ended_and_no_card_is_lost(setup: Setup) -> None:
    for at_once in (False, True):
        played = play_game(replace(setup, most_rounds=2, at_once=at_once), Random(11))
        for dealt in played.rounds:
            assert dealt.steps[0].what == "dealt"
            assert all(after.before == before.after for before, after in pairwise(dealt.steps))
            assert all(cards_of(step.after) == Counter(played.game.rules.deck) for step in dealt.steps)


def test_a_round_ends_with_a_call_or_by_itself() -> None:
    called = play_game(Setup(most_rounds=1), Random(2)).rounds[0]
    assert (called.steps[-1].what, called.steps[-1].called) == ("call", called.out)
    itself = play_game(Setup(options=Options(ends_by_itself=True), most_rounds=1), Random(2)).rounds[0]
    assert itself.steps[-1].what == "turn"
    assert itself.out is not None
    assert is_racko(itself.steps[-1].after.rack(itself.out))


def test_players_give_up_after_as_many_turns_as_were_allowed() -> None:
    played = play_game(Setup(most_turns=3), Random(2))
    assert [dealt.out for dealt in played.rounds] == [None]
    assert len(played.rounds[0].turns) == 3
    assert not played.game.winners


def refills(played: PlayedGame) -> list[str]:
    """At which kinds of step the discard pile was turned over."""
    return [
        step.what
        for dealt in played.rounds
        for step in dealt.steps
        if not step.before.draw and (step.turn is None or step.turn.source == "draw") and step.what != "call"
    ]


def test_the_discard_pile_is_turned_over_at_once_or_when_somebody_draws() -> None:
    setup = Setup(("careless",) * 4, most_rounds=3)
    assert set(refills(play_game(setup, Random(1)))) == {"turn"}
    assert set(refills(play_game(replace(setup, at_once=True), Random(1)))) == {"turned-over"}


def test_the_discard_pile_may_be_shuffled_when_it_is_turned_over() -> None:
    played = play_game(Setup(("careless",) * 4, shuffle=True, most_rounds=3), Random(1))
    over = [step for dealt in played.rounds for step in dealt.steps if step.what == "turned-over"]
    assert set(refills(played)) == {"turned-over"}
    for step in over:
        plain = turned_over(step.before)
        assert sorted(step.after.draw + step.after.discard) == sorted(step.before.discard)
        assert len(step.after.draw) == len(plain.draw)
        assert step.after.racks == step.before.racks
    assert any(step.after.draw != turned_over(step.before).draw for step in over)


def test_prime_cards_have_their_powers_for_a_whole_game_and_players_use_them() -> None:
    played = play_game(Setup(("beginner",) * 3, "hasbro-2006"), Random(4))
    turns = [turn for dealt in played.rounds for turn in dealt.turns if turn.effect is not None]
    kinds = Counter("again" if turn.effect == "again" else "switch" for turn in turns)
    assert kinds["again"]
    assert kinds["switch"]
    assert all(turn.discarded in played.game.rules.edition.powers for turn in turns)


def test_a_wrong_turn_is_a_whole_exchange_by_another_seat_after_which_either_may_go_on() -> None:
    went_on = Counter[str]()
    for played, step in cheated("wrong-turn", 3, seeds=20):
        turn = step.turn
        assert turn is not None
        assert step.violation is not None
        assert turn.seat == step.violation.seat != step.before.to_move
        assert racks_changed(step.before, step.after) == [(turn.seat, turn.slot)]
        assert turn in played.turns
        if turn.seat != left_of(step.before.seats, left_of(step.before.seats, step.before.to_move)):
            went_on["left" if step.after.to_move == left_of(step.before.seats, turn.seat) else "same"] += 1
            assert step.after.to_move in (step.before.to_move, left_of(step.before.seats, turn.seat))
    assert went_on["left"]
    assert went_on["same"]


def test_two_cards_exchanged_put_both_old_cards_on_the_discard_pile() -> None:
    for _, step in cheated("two-cards-exchanged", 2):
        seat = step.before.to_move
        changed = racks_changed(step.before, step.after)
        assert [place[0] for place in changed] == [seat, seat]
        old = {step.before.rack(seat)[slot_index(slot)] for _, slot in changed}
        assert set(step.after.discard[-2:]) == old
        assert step.turn is None
        assert cards_of(step.after) == cards_of(step.before)


def test_rearranged_cards_are_the_same_cards_in_other_slots() -> None:
    when = Counter[str]()
    for _, step in cheated("cards-rearranged", 4):
        assert step.violation is not None
        seat, turn = step.violation.seat, step.turn
        when[step.what] += 1
        moved = [slot for who, slot in racks_changed(step.before, step.after) if who == seat]
        if turn is None:
            assert sorted(step.before.rack(seat)) == sorted(step.after.rack(seat))
            assert len(moved) in (2, 3)
        else:
            assert seat == turn.seat
            assert turn.slot is None or step.after.rack(seat)[slot_index(turn.slot)] == turn.card
            assert len(moved) - (turn.slot is not None) in (2, 3)
    assert set(when) == {"turn", "tampered"}


def test_a_wrong_discard_shows_another_card_than_the_one_that_left_the_slot() -> None:
    gone = Counter[bool]()
    for played, step in cheated("wrong-discard", 3):
        turn = step.turn
        assert turn is not None
        assert turn.slot is not None
        assert not expected(step)
        assert played.turns.count(turn) == 0
        old = step.before.rack(turn.seat)[slot_index(turn.slot)]
        assert step.after.discard[-1] == turn.discarded != old
        assert old not in step.after.discard
        assert old not in cards_of(step.after) or step.after.draw[0] == old
        gone[old in step.after.draw] += 1
    assert set(gone) == {True, False}


def test_a_prime_card_is_taken_from_the_discard_pile() -> None:
    found = list(cheated("prime-taken", 3, seeds=20, edition="hasbro-2006"))
    assert found
    for _, step in found:
        assert step.turn is not None
        assert step.turn.source == "discard"
        assert step.turn.card == step.before.discard[-1]
        assert step.turn.card in step.before.powers


def test_a_false_call_comes_from_who_has_just_played_while_no_rack_can_go_out() -> None:
    for played, step in cheated("false-call", 3):
        before = played.steps[played.steps.index(step) - 1]
        assert before.turn is not None
        assert step.called == before.turn.seat
        assert step.before == step.after == before.after
        assert not any(is_racko(rack) for rack in step.after.racks)


@pytest.mark.parametrize("level", LEVELS)
def test_a_card_that_is_not_in_the_deck_is_reported_when_it_is_seen_first(level: Level) -> None:
    found = list(cheated("card-not-in-deck", 2, seeds=10, level=level))
    assert found
    for played, step in found:
        seen = [card for rack in step.after.racks for card in rack if card > 40]
        seen += [card for card in step.after.discard if card > 40]
        assert len(seen) == 1
        at = played.steps.index(step)
        assert not any(card > 40 for rack in played.steps[at - 1].after.racks for card in rack) or at == 0
        assert step.violation is not None
        assert step.violation.seat in step.after.seats


def test_a_deck_of_all_sixty_cards_has_no_number_that_is_not_in_it() -> None:
    assert not list(cheated("card-not-in-deck", 4))


def test_a_duplicate_is_reported_when_both_cards_have_been_seen() -> None:
    found = list(cheated("duplicate-card", 3, seeds=10))
    assert found
    for _, step in found:
        seen = Counter([*step.after.discard, *(card for rack in step.after.racks for card in rack)])
        ((card, times),) = seen.most_common(1)
        assert times == 2
        assert step.violation is not None
        named = {step.violation.seat, *step.violation.also}
        assert {seat for seat in step.after.seats if card in step.after.rack(seat)} <= named


def test_a_missing_card_leaves_a_gap_that_stays() -> None:
    for played, step in cheated("missing-card", 3):
        ((seat, slot),) = racks_changed(step.before, step.after)
        assert step.violation is not None
        assert seat == step.violation.seat
        later = played.steps[played.steps.index(step) :]
        assert all(each.after.rack(seat)[slot_index(slot)] == GAP for each in later)
        assert played.out != seat
        if played.out is not None:
            assert played.points[seat] <= 5 * slot_index(slot)


def test_a_round_holds_one_cheat_a_step_and_every_kind_in_the_long_run() -> None:
    planted = Counter[Rule]()
    for seed in range(60):
        edition = ("parker-1992", "hasbro-2006")[seed % 2]
        levels: tuple[Level, ...] = ("careless", "fair", "beginner")
        setup = Setup(levels[: 2 + seed % 2], edition, most_rounds=1)
        for played in play_game(setup, Random(seed), Cheats(RULES, 0.3)).rounds:
            planted.update(cheat.rule for cheat in played.violations)
    assert set(planted) == set(RULES)
