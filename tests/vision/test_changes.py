"""What has changed before a still camera is told apart from the light."""

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.changes import Reference

CARDS = 10
POINTS = np.stack(np.meshgrid(np.arange(0.0, 90.0, 2.0), np.arange(0.0, 200.0, 4.0)), axis=-1).astype(np.float32)
"""Places in the halved picture: 50 rows of 45."""


def picture(
    dark: float,
    bright: float,
    *,
    light: float = 1.0,
    other: int = -1,
    by: float | None = None,
    grain: float = 0.4,
    look: int = 0,
) -> NDArray[np.uint8]:
    """A dark rack whose every tenth column is bright paper; one group of rows shows something else, `by` so much."""
    seen = np.full((200, 100), dark)
    seen[:, ::10] = bright
    if other >= 0:
        seen[20 * other : 20 * other + 20, 30:60] = bright if by is None else dark + by
    noise = np.random.default_rng(other + 2 + 100 * look).normal(0, grain, seen.shape)
    return np.asarray(np.clip(np.rint(light * seen + noise), 0, 255), np.uint8)


def watched(half: NDArray[np.uint8]) -> Reference:
    return Reference.at(half, POINTS.reshape(CARDS, -1, 2))


@pytest.mark.parametrize("dark", [9.5, 15.5, 120.5])
@pytest.mark.parametrize("light", [0.85, 0.98, 1.0, 1.04])
def test_a_light_that_grows_is_no_change_and_a_card_in_it_is_one(dark: float, light: float) -> None:
    """Between two grey levels the most usual one is now this and now that; bright paper must not seem to change."""
    before = watched(picture(dark, 210.0))
    lit = watched(picture(dark, 210.0, light=light))
    assert not before.changed(lit).any()
    exchanged = watched(picture(dark, 210.0, light=light, other=3))
    assert np.flatnonzero(before.changed(exchanged)).tolist() == [3]


@pytest.mark.parametrize("grain", [5.0, 8.0, 11.0])
def test_grain_is_no_change_and_a_card_in_it_is_one(grain: float) -> None:
    """A camera that sees little light: else all is read anew in each look, and no look bears another out."""
    before = watched(picture(60.0, 160.0, grain=grain))
    for look in range(1, 6):
        assert not before.changed(watched(picture(60.0, 160.0, grain=grain, look=look))).any()
        exchanged = watched(picture(60.0, 160.0, grain=grain, other=3, look=look))
        assert np.flatnonzero(before.changed(exchanged)).tolist() == [3]


def test_what_may_have_changed_is_held_against_what_has_not() -> None:
    """A card came into a slot that had seemed to be empty while four others changed, and was not noticed."""
    grain = np.random.default_rng(1).normal(0.0, 2.0, (2, 10, 400)).astype(np.float32)
    before, now = Reference(np.zeros((10, 400, 2), np.float32), 150 + grain[0]), 150 + grain[1]
    now[:5, :60] += 60.0
    now[5, :60] += 9.0
    seen = Reference(before.points, now)
    changed = before.changed(seen)
    assert np.flatnonzero(changed).tolist() == [0, 1, 2, 3, 4]
    assert np.flatnonzero(before.stirred(seen, changed)).tolist() == [0, 1, 2, 3, 4, 5]
    assert not before.stirred(seen, np.zeros(10, np.bool_))[5]


def test_what_grain_may_hide_still_differs_more_than_what_is_merely_seen_once_more() -> None:
    before, hidden = watched(picture(60.0, 160.0, grain=5.0)), 0
    for look in range(1, 20):
        faint = watched(picture(60.0, 160.0, grain=5.0, other=3, by=8.0, look=look))
        assert np.flatnonzero(before.stirred(faint, before.changed(faint))).tolist() == [3]
        same = watched(picture(60.0, 160.0, grain=5.0, look=look))
        assert not before.stirred(same, before.changed(same)).any()
        hidden += not before.changed(faint).any()
    assert hidden > 10


@pytest.mark.parametrize("seed", range(5))
def test_of_paper_that_has_been_bleached_a_hand_alone_does_not_tell_the_light(seed: int) -> None:
    noise = np.random.default_rng(seed)
    grid = np.stack(np.meshgrid(np.arange(14.0), np.arange(14.0)), axis=-1).reshape(-1, 2).astype(np.float32)
    places = np.stack([grid + np.array([20.0 * band, 0.0], np.float32) for band in range(4)])
    paper = noise.normal(230, 5, places.shape[:2]).astype(np.float32)
    # an arm that is darker towards its hand, over a fourteenth of the paper
    arm = places[..., 0] < 4
    seen = np.where(arm, 200 - 6 * places[..., 1], 255).astype(np.float32)
    known, now = Reference(places, paper), Reference(places, seen)
    assert known.over(now)[arm].mean() > 0.9
    assert not known.over(now)[~arm].any()
