"""What is filmed of a simulated game is what happened, and what its truth says; nothing is drawn here."""

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from device.sessions.truth import differences
from device.simulated.filming import Film, Picture, Plan
from device.simulated.games import Setup
from device.simulated.players import Level
from device.simulated.script import Happened, Said
from device.simulated.steps import GAP
from engine.editions import EDITIONS
from engine.errors import BadInput
from engine.events import Json, spoken
from engine.line_json import parse_line
from engine.lines import Line
from engine.referee import Referee
from engine.violations import Rule
from vision.drawing.scene import RackStand, TrayStand


def planned(
    seed: int = 1,
    *,
    players: int = 2,
    level: Level = "strong",
    rounds: int = 1,
    turns: int = 400,
    cheats: tuple[Rule, ...] = (),
    hands: float = 1.0,
    edition: str = "parker-1992",
    at_once: bool = False,
    nudged: float = 0.0,
    manners: float = 0.0,
) -> Film:
    table = Setup((level,) * players, edition, at_once=at_once, most_rounds=rounds, most_turns=turns)
    return Film(Plan(table, seed, cheats, hands=hands, fonts=False, nudged=nudged, manners=manners))


def pictures(film: Film) -> list[Picture]:
    return [entry for entry in film.entries() if isinstance(entry, Picture)]


def truth(film: Film) -> list[Json]:
    return [entry.line for entry in film.entries() if isinstance(entry, Happened)]


def seen_truly(film: Film) -> Iterator[Line]:
    """What perfect eyes would give the referee: every picture without a hand, and all that stands still beside it."""
    yield film.game
    racks: dict[str, Json] = {}
    tray: Json = {}
    for entry in film.entries():
        if isinstance(entry, Said):
            line = entry.line
            yield parse_line(line | {"type": "call"} if line["type"] == "button" else line)
        elif isinstance(entry, Picture):
            said, seat = entry.truth(), entry.camera.removeprefix("rack")
            if entry.rack is not None:
                racks[seat] = {} if entry.hand else said["rack"]
            else:
                tray = {"discard": said["discard"] or 0, "draw": "cards" if said["draw"] else "empty"}
                tray = {} if entry.hand else tray
            if not entry.hand:
                yield parse_line({"type": "observe", "t": entry.t, "racks": dict(racks), **tray})


def judged(film: Film) -> list[Json]:
    referee, said = Referee(), []
    for line in seen_truly(film):
        said += [spoken(event) for event in referee.feed(line)]
    said += [spoken(event) for event in referee.finish()]
    return [line for line in said if line is not None]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_referee_who_sees_the_pictures_truly_says_the_truth(players: int, seed: int) -> None:
    film = planned(seed, players=players)

    assert differences(judged(film), truth(film)) == []


@pytest.mark.slow
def test_several_rounds_are_told_with_their_totals() -> None:
    film = planned(5, rounds=3)
    ends = [line for line in truth(film) if line["type"] == "round_end"]

    assert len(ends) == 3
    assert differences(judged(film), truth(film)) == []
    assert ends[-1]["totals"] == {seat: sum(end["scores"][seat] for end in ends) for seat in ("1", "2")}


@pytest.mark.parametrize("seed", [1, 2])
def test_powers_of_prime_cards_are_shown_where_they_are_used(seed: int) -> None:
    film = planned(seed, edition="hasbro-2006")

    assert any(line.get("effect") for line in truth(film))
    assert differences(judged(film), truth(film)) == []


@pytest.mark.parametrize("at_once", [False, True])
def test_a_discard_pile_that_is_turned_over_is_seen_so(*, at_once: bool) -> None:
    film = planned(3, players=4, level="beginner", at_once=at_once)
    drawn = [picture.piles.draw for picture in pictures(film) if picture.piles is not None]

    assert any(after > before for before, after in pairwise(drawn))
    assert differences(judged(film), truth(film)) == []


@pytest.mark.parametrize(
    "rule", ["wrong-turn", "cards-rearranged", "false-call", "missing-card", "two-cards-exchanged"]
)
def test_a_planted_cheat_is_seen_and_named(rule: Rule) -> None:
    film = planned(2, cheats=(rule,))
    planted = [line for line in truth(film) if line["type"] == "violation"]
    named = [line for line in judged(film) if line["type"] == "violation"]

    assert planted
    assert {line["rule"] for line in planted} == {rule}
    assert (rule, planted[0]["seat"]) in {(line["rule"], line["seat"]) for line in named}


@pytest.mark.parametrize("seed", [4, 12])
def test_a_card_that_is_dealt_twice_is_in_the_truth_with_both_seats(seed: int) -> None:
    film = planned(seed, players=4, cheats=("duplicate-card",))
    first = min(truth(film), key=lambda line: line["t"])

    assert first["rule"] == "duplicate-card"
    assert len({first["seat"], *first["also"]}) == 2
    assert differences(judged(film), truth(film)) == []


def test_no_card_is_seen_in_a_rack_while_it_still_lies_on_the_discard_pile() -> None:
    film = planned(2, players=3, cheats=("two-cards-exchanged",))
    racks: dict[str, tuple[int, ...]] = {}
    top: int | None = None
    for picture in pictures(film):
        if picture.rack is not None:
            racks[picture.camera] = picture.rack
        elif picture.piles is not None:
            top = None if picture.hand or not picture.piles.discard else picture.piles.discard[-1]
        assert top not in [card for rack in racks.values() for card in rack]


def test_nobody_plays_out_of_turn_right_after_somebody_has() -> None:
    film = planned(3, players=4, cheats=("wrong-turn",), level="beginner")
    steps = film.played.rounds[0].steps
    cheats = [step.violation is not None for step in steps]

    assert sum(cheats) > 3
    assert not any(one and other for one, other in pairwise(cheats))


def test_pictures_come_in_time_order_and_are_numbered_by_camera() -> None:
    film = planned(4, players=3)
    shown = pictures(film)

    assert all(one.t <= other.t for one, other in pairwise(shown))
    for camera in film.cameras:
        names = [picture.name for picture in shown if picture.camera == camera]
        assert names == [f"frames/{camera}/{number:06}.jpg" for number in range(len(names))]


def test_every_change_settles_in_two_pictures_without_a_hand() -> None:
    latest: dict[str, list[Json]] = {}
    for picture in pictures(planned(6)):
        said = picture.truth()
        latest.setdefault(picture.camera, []).append({key: said.get(key) for key in ("hand", "rack", "discard")})
    for shown in latest.values():
        assert shown[-1] == shown[-2]
        assert not shown[-1]["hand"]


def test_a_card_is_lifted_under_a_hand_that_is_drawn() -> None:
    lifted = [picture for picture in pictures(planned(7)) if picture.rack is not None and 0 in picture.rack]

    assert lifted
    assert all(picture.hand and picture.scene.hands for picture in lifted)


def test_without_hands_no_picture_shows_one() -> None:
    assert not any(picture.hand for picture in pictures(planned(8, hands=0.0)))


def test_cards_keep_their_slant_until_somebody_moves_them() -> None:
    before: dict[str, RackStand] = {}
    moved = 0
    for picture in pictures(planned(9)):
        stand = picture.scene.mats[0].stand
        if not isinstance(stand, RackStand):
            continue
        if picture.camera in before:
            old = before[picture.camera]
            same = [one == other for one, other in zip(stand.slots, old.slots, strict=True)]
            moved += not all(same)
            assert same.count(False) <= 1
        before[picture.camera] = stand
    assert moved


def test_the_scenes_show_the_cards_of_the_truth() -> None:
    for picture in pictures(planned(10, players=4)):
        stand = picture.scene.mats[0].stand
        if isinstance(stand, RackStand):
            shown = tuple(cards[0].card if cards else 0 for cards in stand.slots)
            assert shown == picture.rack
        elif stand is not None and picture.piles is not None:
            assert tuple(card.card for card in stand.discard_pile) == picture.piles.discard
            assert len(stand.draw_pile) == picture.piles.draw


def test_the_same_plan_gives_the_same_film_and_another_seed_another() -> None:
    one, again, other = (list(planned(seed, turns=3).entries()) for seed in (11, 11, 12))

    assert one == again
    assert one != other


def test_another_size_films_the_same_game() -> None:
    films = [Film(Plan(Setup(), 5, size=size, fonts=False)) for size in ("720p", "1080p")]

    assert truth(films[0]) == truth(films[1])
    assert {picture.scene.camera.size for picture in pictures(films[1])} == {(1920, 1080)}


def test_light_flickers_a_little_and_nothing_else_changes_between_two_settled_pictures() -> None:
    first, second = [picture.scene for picture in pictures(planned(13, turns=1)) if picture.camera == "rack1"][:2]

    assert first.mats == second.mats
    assert first.camera == second.camera
    assert first.room == second.room
    assert first.photo.seed != second.photo.seed
    assert 0 < abs(first.photo.exposure / second.photo.exposure - 1) < 0.04


def rack_places(film: Film, camera: str) -> list[tuple[float, float]]:
    """Where a rack stands in each picture without a hand."""
    stands = [entry.scene.mats[0].stand for entry in pictures(film) if entry.camera == camera and not entry.hand]
    return [stand.rack.at for stand in stands if isinstance(stand, RackStand)]


@pytest.mark.slow
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_people_s_own_ways_are_other_pictures_of_the_same_game_and_followed_alike(edition: str, players: int) -> None:
    usual, own = (
        planned(7, players=players, rounds=2, turns=20, edition=edition, manners=share) for share in (0.0, 0.7)
    )
    assert [line | {"t": 0} for line in truth(own)] == [line | {"t": 0} for line in truth(usual)]
    gaps = [sum(0 in (entry.rack or ()) for entry in pictures(film)) for film in (usual, own)]
    assert gaps[1] > 2 * gaps[0]
    assert differences(judged(own), truth(own)) == []


def racks_at_violations(film: Film) -> list[Json]:
    """The rack of whoever breaks a rule, as it is pictured last before that is told."""
    racks: dict[str, Json] = {}
    told = []
    for entry in film.entries():
        if isinstance(entry, Picture) and not entry.hand:
            racks[entry.camera] = entry.truth().get("rack", {})
        elif isinstance(entry, Happened) and entry.line["type"] == "violation":
            told.append(racks[f"rack{entry.line['seat']}"])
    return told


@pytest.mark.parametrize("seed", range(4))
def test_cards_that_are_moved_along_with_a_turn_are_pictured_before_it_is_told_in_whatever_way_it_is_played(
    seed: int,
) -> None:
    usual, own = (planned(seed, turns=16, cheats=("cards-rearranged",), manners=share) for share in (0.0, 1.0))
    assert racks_at_violations(own) == racks_at_violations(usual) != []


def test_with_people_s_own_ways_a_rack_is_dealt_by_handfuls_and_full_for_its_own_turn() -> None:
    for seed in range(6):
        film = planned(seed, players=3, turns=9, manners=1.0)
        for camera in film.cameras[1:]:
            filled = [sum(map(bool, entry.rack)) for entry in pictures(film) if entry.camera == camera and entry.rack]
            assert filled[0] == 0
            assert max(later - before for before, later in pairwise(filled)) < 10
            assert filled[-1] >= 9


def test_racks_are_nudged_with_each_play_and_stay_where_they_are_between_two_pictures_of_it() -> None:
    still, nudged = planned(13, turns=12), planned(13, turns=12, nudged=2.0)
    assert truth(nudged) == truth(still)
    assert len(set(rack_places(still, "rack1"))) == 1
    places = rack_places(nudged, "rack1")
    assert len(set(places)) == len(places) / 2
    assert places[::2] == places[1::2]
    off = [math.dist(place, places[0]) for place in places]
    assert 0.5 < max(off) < 15


def test_a_rack_in_which_a_card_is_missing_stays_where_it_is_between_two_pictures_too() -> None:
    film = planned(13, turns=12, cheats=("missing-card",), nudged=2.0)
    gaping = [
        (entry.rack, entry.scene.mats[0].stand)
        for entry in pictures(film)
        if entry.rack and GAP in entry.rack and any(entry.rack)
    ]
    alike = [stand == other for (cards, stand), (same, other) in pairwise(gaping) if cards == same]
    assert len(alike) > 4
    assert all(alike)


def test_on_mats_that_were_printed_too_small_the_same_game_is_played_and_racks_stand_on_their_outlines() -> None:
    usual = planned(13, turns=3)
    shrunk = Film(replace(usual.plan, printed=0.9))
    assert truth(shrunk) == truth(usual)
    assert {entry.scene.mats[0].printed for entry in pictures(shrunk)} == {0.9}
    middle = np.array([148.5, 105.0])
    place, nearer = (np.array(rack_places(film, "rack1")[0]) for film in (usual, shrunk))
    assert np.allclose(nearer - middle, 0.9 * (place - middle))


def test_piles_are_nudged_as_a_whole() -> None:
    piles = [
        entry.scene.mats[0].stand.discard_pile
        for entry in pictures(planned(13, turns=12, nudged=2.0))
        if isinstance(entry.scene.mats[0].stand, TrayStand) and not entry.hand
    ]
    pairs = [(before, after) for before, after in pairwise(piles) if len(before) != len(after)]
    moved = [{round(new.dx - old.dx, 6) for old, new in zip(*pair, strict=False)} for pair in pairs]
    assert all(len(some) <= 1 and some != {0.0} for some in moved)
    assert any(moved)


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(BadInput, match="5 players"):
        Film(Plan(Setup(("fair",) * 5)))
