"""The net and its way into an ONNX file of plain Conv, Relu, MaxPool, Flatten and Gemm (opset 13)."""

import tempfile
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from vision.digits import CLASSES, COLUMNS, ROWS

_WIDTHS = (16, 32, 32, 64, 64, 96, 96)
_POOL_AFTER = frozenset({0, 2, 4})
"""Convolutions that a 2 x 2 maximum follows: 32 x 48 becomes 4 x 6."""


def build() -> nn.Sequential:
    """The untrained net: float32 (n, 1, 32, 48) to scores (n, 61)."""
    layers: list[nn.Module] = []
    before = 1
    for number, width in enumerate(_WIDTHS):
        layers += [nn.Conv2d(before, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU()]
        if number in _POOL_AFTER:
            layers.append(nn.MaxPool2d(2))
        before = width
    rest = (ROWS // 8) * (COLUMNS // 8)
    return nn.Sequential(*layers, nn.Flatten(), nn.Dropout(0.25), nn.Linear(before * rest, CLASSES))


def export(net: nn.Sequential, temperature: float, path: Path) -> None:
    """Write the net with batch norms folded in and scores divided by the temperature; the file appears at once."""
    nodes, weights = [], []
    value, number = "crops", 0

    def keep(name: str, array: NDArray[np.float32]) -> str:
        weights.append(numpy_helper.from_array(np.ascontiguousarray(array, np.float32), name))
        return name

    modules = list(net)
    for place, module in enumerate(modules):
        inputs = [value]
        attributes: dict[str, list[int] | int] = {}
        if isinstance(module, nn.Conv2d):
            norm = modules[place + 1]
            if not isinstance(norm, nn.BatchNorm2d):
                raise TypeError("each convolution is followed by a batch norm")
            kernel, bias = _folded(module, norm)
            inputs += [keep(f"w{number}", kernel), keep(f"b{number}", bias)]
            kind, attributes = "Conv", {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1], "strides": [1, 1]}
        elif isinstance(module, nn.ReLU):
            kind = "Relu"
        elif isinstance(module, nn.MaxPool2d):
            kind, attributes = "MaxPool", {"kernel_shape": [2, 2], "strides": [2, 2]}
        elif isinstance(module, nn.Flatten):
            kind, attributes = "Flatten", {"axis": 1}
        elif isinstance(module, nn.Linear):
            inputs += [
                keep(f"w{number}", module.weight.detach().numpy() / temperature),
                keep(f"b{number}", module.bias.detach().numpy() / temperature),
            ]
            kind, attributes = "Gemm", {"transB": 1}
        else:
            continue
        value = "scores" if kind == "Gemm" else f"v{number}"
        nodes.append(helper.make_node(kind, inputs, [value], **attributes))
        number += 1
    crops = helper.make_tensor_value_info("crops", TensorProto.FLOAT, ["n", 1, ROWS, COLUMNS])
    scores = helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["n", CLASSES])
    graph = helper.make_graph(nodes, "number_reader", [crops], [scores], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(model)
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as part:
        part.write(model.SerializeToString())
    Path(part.name).chmod(0o644)
    Path(part.name).replace(path)


def _folded(conv: nn.Conv2d, norm: nn.BatchNorm2d) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Kernel and bias of a convolution with its batch norm folded in."""
    mean, variance = norm.running_mean, norm.running_var
    if mean is None or variance is None:
        raise TypeError("the batch norm keeps no statistics")
    factor = (norm.weight / torch.sqrt(variance + norm.eps)).detach()
    kernel = conv.weight.detach() * factor[:, None, None, None]
    return kernel.numpy(), (norm.bias.detach() - mean * factor).numpy()
