"""A mat of which a hand left one marker in view when it was found is found by all of them when the hand has gone."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.test_eye import CARDS, eye_for, frame, rack_with, sharp_rack
from vision.frame import Frame
from vision.mats import find_mats
from vision.paper import Paper
from vision.surroundings import Surroundings


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
    covered = plain.colour.copy()
    for corners in [*whole.markers.values()][1:]:
        x, y = np.nanmean(corners, axis=0).astype(int)
        covered[max(y - 60, 0) : y + 60, max(x - 90, 0) : x + 90] = (70, 90, 140)
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
