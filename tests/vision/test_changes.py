"""What has changed before a still camera is told apart from the light."""

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.changes import ACROSS, Paper, Reference

CARDS = 10
POINTS = np.stack(np.meshgrid(np.arange(0.0, 90.0, 2.0), np.arange(0.0, 200.0, 4.0)), axis=-1).astype(np.float32)
"""Places in the halved picture: 50 rows of 45."""


def picture(dark: float, bright: float, *, light: float = 1.0, other: int = -1) -> NDArray[np.uint8]:
    """A dark rack whose every tenth column is bright paper; one group of rows shows something else."""
    seen = np.full((200, 100), dark)
    seen[:, ::10] = bright
    if other >= 0:
        seen[20 * other : 20 * other + 20, 30:60] = bright
    noise = np.random.default_rng(other + 2).normal(0, 0.4, seen.shape)
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


BANDS = [
    np.stack(np.meshgrid(np.linspace(left, left + 35, ACROSS), np.linspace(5, 190, ACROSS)), axis=-1).reshape(-1, 2)
    for left in (2, 60)
]
"""Two bands of paper in the halved picture, (n, 2) each."""


def paper(*, grain: float = 0.0, shadow: float = 0.0, hand: float = 0.0, look: int = 0) -> NDArray[np.uint8]:
    """Bright paper in a halved picture, with grain, a shadow on its first so many columns, and a hand to so many."""
    seen = np.full((200, 100), 180.0)
    seen[:, : round(shadow)] *= 0.7
    seen[:, 60 : 60 + round(hand)] = 110.0
    return np.asarray(np.clip(seen + np.random.default_rng(look).normal(0, grain, seen.shape), 0, 255), np.uint8)


def watching(first: NDArray[np.uint8]) -> Paper:
    return Paper(Reference.at(first, np.stack(BANDS).astype(np.float32)))


def test_grain_is_no_hand_and_a_hand_is_seen_in_it() -> None:
    """A camera that sees little light: one point in twenty differs as much as a hand does."""
    watched = watching(paper(grain=14))
    for look in range(1, 20):
        bare = paper(grain=14, shadow=5, look=look)
        assert not watched.hand(bare, moved=True)
        assert watched.hand(paper(grain=14, hand=12, look=40 + look), moved=True)


def test_a_piles_shadow_that_creeps_is_no_hand_nor_is_it_when_it_jumps_back() -> None:
    """The discard pile grows, and is turned over; a hand is over the paper between all these looks."""
    watched = watching(paper())
    for shadow in [*range(12), 0, 1]:
        assert not watched.hand(paper(shadow=shadow), moved=True), shadow
        assert watched.hand(paper(shadow=shadow, hand=25), moved=True), shadow
