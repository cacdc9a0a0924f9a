"""Simulated evidence: the looks show what happened, and are as noisy as was asked for."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from device.simulated.evidence import LOOKS_AT_THE_END, Camera, Noise, lines_of, moments_of, scene_of
from device.simulated.games import PlayedGame, Setup, play_game
from device.simulated.steps import Step
from engine.cards import SLOTS, Card, Seat, Slot, slot_index
from engine.editions import EDITIONS
from engine.line_json import line_as_json, parse_line
from engine.lines import EMPTY, Call, NewGame, NewRound, Observation, Unsettled
from engine.moves import parse_turn


@pytest.fixture(scope="module")
def game() -> PlayedGame:
    return play_game(Setup(("fair", "fair", "fair", "fair"), most_rounds=2), Random(9))


def looks(played: PlayedGame, noise: Noise, seed: int = 1) -> list[Observation]:
    """Every look at a game."""
    return [line for line in lines_of(played, noise, Random(seed)) if isinstance(line, Observation)]


def wrong_places(played: PlayedGame, noise: Noise) -> list[int]:
    """How many places each look shows otherwise than they are."""
    camera, counts = Camera(noise, Random(1)), []
    scene = scene_of(played.rounds[0].steps[0].after)
    for _ in range(2000):
        look = camera.look(scene)
        shown = [
            (look.racks[seat][slot], card)
            for seat in scene.racks
            for slot, card in zip(SLOTS, scene.racks[seat], strict=True)
        ]
        shown.append((look.discard or {}, scene.top))
        counts.append(sum(sighting != {card: 1.0} for sighting, card in shown))
    return counts


def test_clean_evidence_shows_every_position_as_it_is(game: PlayedGame) -> None:
    camera = Camera(Noise(looks=(1, 1)), Random(1))
    for dealt in game.rounds:
        for step in dealt.steps:
            for line in camera.sees(step):
                if isinstance(line, Observation):
                    assert line.racks == {
                        seat: {slot: {card: 1.0} for slot, card in zip(SLOTS, step.after.rack(seat), strict=True)}
                        for seat in step.after.seats
                    }
                    assert line.discard == {step.after.discard[-1]: 1.0}
                    assert line.draw == ("cards" if step.after.draw else "empty")


def test_the_lines_begin_games_and_rounds_and_can_be_written_and_read(game: PlayedGame) -> None:
    noise = Noise(hide=0.1, blur=0.2, half=0.3, missed=0.1, misread=0.1, long_hide=0.1)
    lines = list(lines_of(game, noise, Random(1)))
    assert isinstance(lines[0], NewGame)
    assert [line.dealer for line in lines if isinstance(line, NewRound)] == [dealt.dealer for dealt in game.rounds]
    assert [parse_line(line_as_json(line)) for line in lines] == lines
    times = [line.t for line in lines if isinstance(line, Observation | Call | Unsettled)]
    assert all(before < after for before, after in pairwise(times))


def test_each_play_is_looked_at_as_often_as_was_asked_for(game: PlayedGame) -> None:
    camera = Camera(Noise(looks=(2, 3)), Random(1))
    counts = Counter(len(list(camera.sees(step))) for step in game.rounds[0].steps if step.what != "call")
    assert set(counts) == {2, 3}


@pytest.mark.parametrize("hide", [0.05, 0.25])
def test_as_many_places_are_hidden_as_was_asked_for(game: PlayedGame, hide: float) -> None:
    seen = looks(game, Noise(hide=hide))
    share = 1 - sum(len(rack) for look in seen for rack in look.racks.values()) / (40 * len(seen))
    assert share == pytest.approx(hide, abs=0.02)
    assert sum(look.discard is None for look in seen) / len(seen) == pytest.approx(hide, abs=0.1)


def test_a_covered_place_stays_covered_for_some_looks(game: PlayedGame) -> None:
    camera = Camera(Noise(long_hide=0.05), Random(2))
    scene = scene_of(game.rounds[0].steps[0].after)
    seen = [camera.look(scene) for _ in range(3000)]
    lengths = Counter[int]()
    for seat in scene.racks:
        for slot in SLOTS:
            hidden = "".join("." if slot in look.racks[seat] else "x" for look in seen)
            lengths.update(len(piece) for piece in hidden.split(".") if piece)
    # A place may be covered once more while it is, so that few lengths are above the most.
    assert min(lengths) >= 3
    assert sum(count for length, count in lengths.items() if length > 15) < 0.1 * lengths.total()
    assert lengths.total() > 80


def test_a_look_in_so_many_holds_one_misreading(game: PlayedGame) -> None:
    counts = Counter(wrong_places(game, Noise(misread=0.2)))
    assert set(counts) == {0, 1}
    assert counts[1] / counts.total() == pytest.approx(0.2, abs=0.03)


def test_a_place_in_so_many_is_misread(game: PlayedGame) -> None:
    counts = wrong_places(game, Noise(misread_place=0.03))
    assert sum(counts) / (41 * len(counts)) == pytest.approx(0.03, abs=0.003)


def test_a_misreading_may_be_any_card_or_nothing(game: PlayedGame) -> None:
    camera = Camera(Noise(misread_place=1.0), Random(1))
    scene = scene_of(game.rounds[0].steps[0].after)
    shown = Counter(next(iter(camera.look(scene).racks[1][5])) for _ in range(2000))
    true = scene.racks[1][0]
    assert shown[EMPTY] / 2000 == pytest.approx(0.2, abs=0.03)
    assert set(shown) == set(range(61)) - {true}


def test_a_blurred_card_is_as_likely_as_it_looks(game: PlayedGame) -> None:
    camera = Camera(Noise(blur=1.0), Random(1))
    scene = scene_of(game.rounds[0].steps[0].after)
    said = right = 0.0
    for _ in range(300):
        for slot, card in zip(SLOTS, scene.racks[2], strict=True):
            sighting = camera.look(scene).racks[2][slot]
            assert len(sighting) == 2
            assert sum(sighting.values()) <= 1
            said += max(sighting.values())
            right += card == max(sighting, key=sighting.__getitem__)
    assert right / 3000 == pytest.approx(said / 3000, abs=0.03)


def test_a_doubted_card_is_as_likely_as_it_looks_and_looks_so_while_it_lies_there(game: PlayedGame) -> None:
    steps = [step for dealt in game.rounds for step in dealt.steps]
    said = right = cards = 0.0
    for seed in range(100):
        camera = Camera(Noise(doubted=1.0), Random(seed))
        scene = scene_of(steps[0].after)
        looks = [camera.look(scene) for _ in range(3)]
        assert looks[0].racks == looks[1].racks == looks[2].racks
        for slot, card in zip(SLOTS, scene.racks[1], strict=True):
            likely = max(looks[0].racks[1][slot], key=looks[0].racks[1][slot].__getitem__)
            cards, said, right = cards + 1, said + looks[0].racks[1][slot][likely], right + (card == likely)
    assert right / cards == pytest.approx(said / cards, abs=0.015)
    assert 0.96 < said / cards < 0.99


def test_a_missed_play_is_not_looked_at_and_may_be_said(game: PlayedGame) -> None:
    turn = next(step for step in game.rounds[0].steps if step.what == "turn")
    said = list(Camera(Noise(missed=1.0), Random(1)).sees(turn))
    assert [type(line) for line in said] == [Unsettled]
    assert not list(Camera(Noise(missed=1.0, say_unsettled=False), Random(1)).sees(turn))
    lines = list(lines_of(game, Noise(missed=0.125), Random(1)))
    plays = sum(step.what in ("turn", "turned-over") for dealt in game.rounds for step in dealt.steps)
    assert sum(isinstance(line, Unsettled) for line in lines) / plays == pytest.approx(0.125, abs=0.09)


@pytest.mark.parametrize(("button", "told"), [("seat", True), ("shared", False)])
def test_the_button_tells_who_called_where_it_can(game: PlayedGame, *, button: str, told: bool) -> None:
    noise = Noise(button="seat" if button == "seat" else "shared")
    dealt = game.rounds[0]
    call, *after = Camera(noise, Random(1)).sees(dealt.steps[-1])
    assert isinstance(call, Call)
    assert call.seat == (dealt.out if told else None)
    assert len(after) == LOOKS_AT_THE_END


def shown_in_the_middle(step: Step, seat: Seat, slot: Slot) -> Sequence[tuple[Card, Card]]:
    """The card in a slot and the top of the discard pile, moment by moment."""
    return [(scene.racks[seat][slot_index(slot)], scene.top) for scene in moments_of(step)]


def test_in_the_middle_of_a_turn_the_card_is_lifted_then_the_slot_empty_then_the_old_card_in_the_hand() -> None:
    position = play_game(Setup(most_turns=1), Random(1)).rounds[0].steps[0].after
    position = replace(position, racks=(tuple(range(1, 11)), tuple(range(11, 21))), discard=(30, 31), draw=(33, 32))
    drawn = Step("turn", position, position, parse_turn("1:D32@10x2"))
    assert shown_in_the_middle(drawn, 1, 10) == [(EMPTY, 31), (32, 31)]
    taken = Step("turn", position, position, parse_turn("1:T31@10x2"))
    assert shown_in_the_middle(taken, 1, 10) == [(2, 30), (EMPTY, 30), (31, 30)]
    refilled = Step("turn", replace(position, draw=()), position, parse_turn("1:D31@10x2"))
    assert shown_in_the_middle(refilled, 1, 10) == [(EMPTY, 30), (31, 30)]
    switched = Step("turn", position, position, parse_turn("1:D32x32+1@5/2@50"))
    assert shown_in_the_middle(switched, 1, 5) == [(1, 32), (EMPTY, 32)]
    assert moments_of(Step("turn", position, position, parse_turn("1:D32x32"))) == []


def test_half_turns_add_looks_that_show_no_settled_position(game: PlayedGame) -> None:
    step = next(step for step in game.rounds[0].steps if step.turn is not None and step.turn.slot is not None)
    camera = Camera(Noise(looks=(1, 1), half=1.0), Random(1))
    *middle, last = camera.sees(step)
    assert len(middle) in (1, 2)
    settled = Camera(Noise(), Random(1))
    positions = [settled.look(scene_of(position)).racks for position in (step.before, step.after)]
    assert isinstance(last, Observation)
    assert last.racks == positions[1]
    assert all(isinstance(line, Observation) for line in middle)


def test_every_edition_can_be_looked_at() -> None:
    for edition in EDITIONS:
        assert looks(play_game(Setup(edition=edition, most_rounds=1), Random(1)), Noise())
