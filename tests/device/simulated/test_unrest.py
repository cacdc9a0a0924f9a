"""Cameras that are bumped, mats that shift, light that changes and shadows while the same game is played."""

from dataclasses import replace
from itertools import groupby, pairwise
from random import Random

import pytest

from device.simulated.filming import Film, Picture
from device.simulated.unrest import Unrest
from tests.device.simulated.test_script import pictures, planned, truth
from vision.drawing.random_light import LOWEST
from vision.drawing.scene import Camera, Lamp, Room, Scene

USUAL = planned(13, players=3, turns=20)


def unrestful(share: float) -> Film:
    return Film(replace(USUAL.plan, unrest=share))


def by_camera(film: Film) -> list[list[Picture]]:
    entries = sorted(pictures(film), key=lambda entry: entry.camera)
    return [[*some] for _, some in groupby(entries, key=lambda entry: entry.camera)]


def stand(scene: Scene) -> tuple[Camera, tuple[float, float], float]:
    (mat,) = scene.mats
    return scene.camera, mat.at, mat.turn


def times(film: Film) -> tuple[int, int]:
    """How often a camera or a mat is found elsewhere than in the picture before, and in how many lights they are."""
    moved = sum(stand(one.scene) != stand(other.scene) for some in by_camera(film) for one, other in pairwise(some))
    lights = {(number, entry.scene.room) for number, some in enumerate(by_camera(film)) for entry in some}
    return moved, len(lights)


def test_the_same_game_is_played_whatever_happens_in_the_room() -> None:
    assert truth(unrestful(0.5)) == truth(USUAL)
    assert [entry.truth() for entry in pictures(unrestful(0.5))] == [entry.truth() for entry in pictures(USUAL)]


def test_what_happened_stays_so_until_more_happens() -> None:
    cameras = len(by_camera(USUAL))
    assert times(USUAL) == (0, cameras)
    moved, lights = times(unrestful(1.0))
    # two of four things in twenty turns move a camera or its mat
    assert 5 <= moved <= 30
    assert 2 * cameras <= lights <= 12 * cameras


@pytest.mark.parametrize("share", [0.3, 1.0])
def test_a_mat_is_not_pushed_out_of_its_picture(share: float) -> None:
    for entry in pictures(unrestful(share)):
        _, (x, y), turn = stand(entry.scene)
        assert max(abs(x), abs(y)) < 25
        assert abs(turn) < 8


def test_no_lamp_is_carried_below_the_table() -> None:
    """At the height of the table's plane itself its shadows would have no end, and drawing them neither."""
    (entry, *_) = pictures(USUAL)
    scene = replace(entry.scene, room=Room((Lamp((0.0, 0.0, 450.0)),)))
    unrest = Unrest(1.0, Random(5))
    heights = [lamp.at[2] for _ in range(4000) for lamp in unrest.seen(scene).room.lamps]
    assert min(heights) == LOWEST
    assert len(set(heights)) > 20


def test_shadows_come_and_go_and_do_not_keep_still() -> None:
    assert not any(entry.scene.shades for entry in pictures(USUAL))
    before_cameras = by_camera(unrestful(1.0))
    shaded = [[len(entry.scene.shades) for entry in some] for some in before_cameras]
    assert {number for some in shaded for number in some} == {0, 1}
    changes = sum(one != other for some in shaded for one, other in pairwise(some))
    assert 2 <= changes <= 20
    for some in before_cameras:
        for one, other in pairwise(some):
            if one.scene.shades and other.scene.shades:
                (first, *_), (then, *_) = one.scene.shades[0], other.scene.shades[0]
                assert first != then
                assert max(abs(a - b) for a, b in zip(first, then, strict=True)) < 20
