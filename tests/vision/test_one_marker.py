"""A mat of which a hand left a marker or two in view when it was found is found by all of them when it has gone."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.test_eye import CARDS, eye_for, frame, rack_with, sharp_rack
from vision import eye as eye_module
from vision.frame import Frame
from vision.mats import Mat, find_mats
from vision.paper import Paper
from vision.surroundings import Surroundings


def without(plain: Frame, markers: Iterable[NDArray[np.float64]]) -> NDArray[np.uint8]:
    """A picture in which something hides these markers, each given by its corners, (4, 2) in pixels."""
    covered = plain.colour.copy()
    for corners in markers:
        x, y = np.nanmean(corners, axis=0).astype(int)
        covered[max(y - 60, 0) : y + 60, max(x - 90, 0) : x + 90] = (70, 90, 140)
    return covered


@pytest.mark.parametrize("instead", ["nothing", "surroundings", "hand"])
def test_a_mat_found_by_one_marker_behind_a_hand_is_found_by_all_of_them_when_the_hand_has_gone(
    monkeypatch: pytest.MonkeyPatch, instead: str
) -> None:
    """The camera was bumped meanwhile. Whether nothing new was noticed around it, or the hand seems to be there still.

    By the pose of one marker the paper is not quite where it is looked for.
    """
    situation = sharp_rack()
    eye, _ = eye_for(situation)
    scene = rack_with(situation.scene, CARDS)
    (mat,) = scene.mats
    eye.look(frame(replace(scene, mats=(replace(mat, at=(mat.at[0] + 12.0, mat.at[1] + 6.0)),))))
    plain = frame(scene)
    (whole,) = find_mats(plain.grey)
    covered = without(plain, [*whole.markers.values()][1:])
    assert any("only one marker" in remark for remark in eye.look(Frame(covered), moved=True).remarks)
    with monkeypatch.context() as patched:
        if instead == "surroundings":
            patched.setattr(Surroundings, "may_hold_a_mat", lambda *_: False)
        if instead == "hand":
            patched.setattr(Paper, "covered", lambda *_: True)
        look = eye.look(plain, moved=True)
    assert not any("only one marker" in remark or "hand" in remark for remark in look.remarks)
    (readings,) = eye.look(plain).racks.values()
    assert [max(reading.cards, key=reading.cards.__getitem__) for reading in readings] == list(CARDS)


def test_a_mat_found_by_the_markers_at_one_end_is_found_by_more_when_the_hand_has_gone_from_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Though nothing new was noticed around it. Where a marker stays hidden, the picture is not searched for it."""
    situation = sharp_rack()
    eye, _ = eye_for(situation)
    plain = frame(rack_with(situation.scene, CARDS))
    (whole,) = find_mats(plain.grey)
    near = [place for place in whole.markers if place < 2]
    covered = without(plain, [whole.markers[place] for place in near])
    eye.look(Frame(covered))
    searched = 0

    def found(grey: NDArray[np.uint8]) -> tuple[Mat, ...]:
        nonlocal searched
        searched += 1
        return find_mats(grey)

    monkeypatch.setattr(Surroundings, "may_hold_a_mat", lambda *_: False)
    monkeypatch.setattr(eye_module, "find_mats", found)
    eye.look(Frame(covered), moved=True)
    assert searched == 0
    for _ in range(2):
        eye.look(plain, moved=True)
        assert searched == 1
