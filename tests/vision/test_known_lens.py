"""A camera's lens is told once, and stays while the camera stands still: to guess it takes long."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.test_lens import COMMON, SIZE, WIDE, lens, measured, shown
from vision import lens as lens_module
from vision.lens import KnownLens, lens_of
from vision.mats import Mat
from vision.pose import Lens


class Count:
    """How often a lens was guessed."""

    times = 0


@pytest.fixture
def guesses(monkeypatch: pytest.MonkeyPatch) -> Count:
    count, guess = Count(), lens_module.guessed

    def counted(mats: Sequence[Mat], size: tuple[int, int], ratio: float | None = None) -> Lens:
        count.times += 1
        return guess(mats, size, ratio)

    monkeypatch.setattr(lens_module, "guessed", counted)
    return count


def moved(mat: Mat, pixels: float) -> Mat:
    return replace(mat, markers={place: corners + pixels for place, corners in mat.markers.items()})


def half(mat: Mat) -> Mat:
    return replace(mat, markers={place: mat.markers[place] for place in (0, 1)})


def test_a_lens_is_guessed_once_while_the_mats_lie_still(guesses: Count) -> None:
    known = KnownLens(None)
    first = known.seen_by(shown(lens(WIDE)), SIZE)
    for seed in range(2, 5):
        # the same mats in other noise
        assert known.seen_by(shown(lens(WIDE), seed=seed), SIZE) is first
    assert guesses.times == 1


def test_it_stays_where_an_arm_hides_markers_or_one_of_the_mats_was_moved() -> None:
    known, (one, other) = KnownLens(None), shown(lens(WIDE))
    first = known.seen_by([one, other], SIZE)
    assert known.seen_by([half(one)], SIZE) is first
    assert known.seen_by([], SIZE) is first
    assert known.seen_by([one, moved(other, 40.0)], SIZE) is first


@pytest.mark.slow
def test_it_is_told_anew_where_the_camera_moved_or_more_is_seen() -> None:
    one, other = shown(lens(WIDE))
    for before, after in (
        ([one, other], [moved(one, 40.0), moved(other, 40.0)]),
        ([half(one)], [one]),
        ([one], [one, other]),
        ([], [one]),
    ):
        known = KnownLens(None)
        first = known.seen_by(before, SIZE)
        assert known.seen_by(after, SIZE) is not first


@pytest.mark.slow
def test_it_is_told_anew_in_a_picture_of_another_size_or_by_pixels_of_another_shape() -> None:
    known, mats = KnownLens(None), shown(lens(WIDE))
    first = known.seen_by(mats, SIZE)
    assert known.seen_by(mats, (SIZE[0], SIZE[0])) is not first
    squeezed = known.seen_by(mats, SIZE, 0.75)
    assert squeezed.matrix[0, 0] == pytest.approx(0.75 * squeezed.matrix[1, 1])


def test_a_mat_that_is_seen_better_than_at_first_makes_a_better_lens() -> None:
    known, mats = KnownLens(None), shown(lens(WIDE, -0.2, 0.04))
    known.seen_by([half(mats[0])], SIZE)
    assert known.seen_by(mats, SIZE).distortion[0] == pytest.approx(-0.2, abs=0.06)


@pytest.mark.parametrize("curl", [8.0, 15.0, 25.0])
def test_where_mats_curl_before_a_measured_camera_no_other_pixels_are_tried(guesses: Count, curl: float) -> None:
    # that took a second, at each look that had to search for mats
    found = lens_of(shown(lens(COMMON), curl=curl), SIZE, measured(COMMON))
    assert found.calibrated
    assert guesses.times == 0


@pytest.mark.slow
def test_a_measured_camera_of_the_same_proportions_may_still_have_been_squeezed() -> None:
    true = lens(COMMON)
    true = replace(true, matrix=np.diag([0.75, 1.0, 1.0]) @ true.matrix)
    found = lens_of(shown(true), SIZE, measured(COMMON))
    assert not found.calibrated
    assert found.matrix[0, 0] / found.matrix[1, 1] == pytest.approx(0.75, abs=0.03)
