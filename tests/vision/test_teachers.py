"""A net for slots that learns from what other nets say, too; the tests need torch and onnx."""

import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is missing (pip install racko[train]): learning from nets is NOT tested")
pytest.importorskip("onnx", reason="onnx is missing (pip install racko[train]): learning from nets is NOT tested")

import cv2
import torch

from vision.nets import shares
from vision.rack.states import STATES
from vision.training import network, train_states
from vision.training.train_states import GLANCE, TAUGHT, aims


def a_teacher(folder: Path, seed: int) -> Path:
    torch.manual_seed(seed)
    path = folder / f"net{seed}.onnx"
    network.export(network.stacked(GLANCE.layers, GLANCE.shape, len(STATES)).eval(), 0.2, path, GLANCE.shape)
    return path


def test_what_is_to_be_said_is_the_label_and_the_mean_of_what_teachers_say(tmp_path: Path) -> None:
    nets = [cv2.dnn.readNetFromONNX(str(a_teacher(tmp_path, seed))) for seed in (1, 2)]
    inputs = np.random.default_rng(1).standard_normal((3, *GLANCE.shape)).astype(np.float32)
    labels = np.array([0, 2, 4])
    said = []
    for net in nets:
        net.setInput(inputs)
        said.append(shares(np.array(net.forward(), np.float64)))

    wanted = aims(labels, inputs, nets)

    exact = np.eye(len(STATES))[labels]
    assert np.abs(said[0] - said[1]).max() > 0.01
    assert np.allclose(wanted, (1 - TAUGHT) * exact + TAUGHT * (said[0] + said[1]) / 2, atol=1e-5)
    assert np.array_equal(aims(labels, inputs, []), exact)


def test_a_teacher_that_is_missing_is_named_before_anything_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    held = tmp_path / "held.npz"
    np.savez(
        held, patches=np.zeros((1, 80, 72, 3), np.uint8), faces=np.zeros((1, 3), np.float32),
        labels=np.zeros(1, np.int64), read=np.zeros(1, np.bool_),
    )  # fmt: skip
    files = ["--made", str(held), "--held", str(held), "--teachers", "none.onnx"]
    monkeypatch.setattr(sys, "argv", ["train_states", str(tmp_path / "out.onnx"), *files])

    with pytest.raises(SystemExit) as end:
        train_states.main()

    assert end.value.code == 2
    assert "none.onnx" in capsys.readouterr().err
