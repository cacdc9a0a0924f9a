"""The net and its way into an ONNX file of plain Conv, Relu, MaxPool, Flatten and Gemm (opset 13)."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from vision.reading.digits import BLOCK, CLASSES, MARGIN, ONES, TENS, WINDOWS

PROCESSOR = Path("/proc/cpuinfo")
"""Where Linux lists what a processor can: avx512_bf16 and amx_bf16 of x86, bf16 of ARM."""
_TRUNK = ((64, 1), (64, 3), (64, 3), (96, 3), (96, 1))
"""Convolutions (channels, side) of the number reader's nets. Those of side 3 do not go over the border, so 8 x 12
blocks become 2 x 6. That, 64 channels and sides of 1 are what cv2.dnn is fastest with (vision/training/README.md)."""

_EDGES = ((-1, -2, -1), (0, 0, 0), (1, 2, 1))
"""Sobel's kernel; turned by quarters it shows rising and falling edges, across and down."""


def build(*, figures: bool = False) -> nn.Sequential:
    """The untrained net: float32 (n, 1, 32, 48) to scores (n, 61); with `figures` the witness, to scores (n, 18).

    Its first convolution is followed by a PixelUnshuffle to blocks of 4 x 4 pixels; `export` joins the two.
    """
    if figures:  # the witness sees edges only, which no shade moves, and names the figures one by one
        stack: list[nn.Module] = [_edges(), nn.BatchNorm2d(4), nn.ReLU(), nn.PixelUnshuffle(BLOCK)]
    else:
        stack = [nn.Conv2d(1, 16, 5, 2, 2, bias=False), nn.BatchNorm2d(16), nn.ReLU(), nn.PixelUnshuffle(BLOCK // 2)]
    before, (_, rows, columns) = WINDOWS[0], WINDOWS
    for width, side in _TRUNK:
        stack += [nn.Conv2d(before, width, side, bias=False), nn.BatchNorm2d(width), nn.ReLU()]
        before, rows, columns = width, rows - side + 1, columns - side + 1
    names = TENS + ONES if figures else CLASSES
    return nn.Sequential(*stack, nn.Flatten(), nn.Dropout(0.25), nn.Linear(before * rows * columns, names))


def stacked(
    layers: Sequence[tuple[int, int, int] | None], shape: tuple[int, int, int], names: int, dropout: float = 0.25
) -> nn.Sequential:
    """An untrained net of layers: float32 (n, *shape), channels first, to scores (n, names).

    A layer is a convolution (channels, side, stride), or None for a 2 x 2 maximum.
    """
    stack: list[nn.Module] = []
    before, rows, columns = shape
    for layer in layers:
        if layer is None:
            stack.append(nn.MaxPool2d(2))
            rows, columns = rows // 2, columns // 2
            continue
        width, side, stride = layer
        stack += [nn.Conv2d(before, width, side, stride, side // 2, bias=False), nn.BatchNorm2d(width), nn.ReLU()]
        before, rows, columns = width, -(-rows // stride), -(-columns // stride)
    return nn.Sequential(*stack, nn.Flatten(), nn.Dropout(dropout), nn.Linear(before * rows * columns, names))


def follow(mean: nn.Module, net: nn.Module) -> None:
    """Let a mean of a net's last weights follow it: it is steadier than the last ones."""
    with torch.no_grad():
        for slow, fast in zip(mean.state_dict().values(), net.state_dict().values(), strict=True):
            if slow.dtype.is_floating_point:
                slow.lerp_(fast, 0.01)
            else:
                slow.copy_(fast)


def _edges() -> nn.Conv2d:
    conv = nn.Conv2d(1, 4, 3, padding=1, bias=False)
    kernel = np.array(_EDGES, np.float32) / 4
    conv.weight.data = torch.from_numpy(np.stack([np.rot90(kernel, turn)[None] for turn in range(4)]).copy())
    conv.weight.requires_grad = False
    return conv


def in_short_numbers() -> torch.autocast:
    """A context in which nets reckon in bfloat16, where the processor has an instruction for it.

    Without one PyTorch does it all the same, and takes ten times as long as in float32 (2.8 s instead of 0.27 a step).
    """
    told = PROCESSOR.read_text() if PROCESSOR.is_file() else ""
    return torch.autocast("cpu", dtype=torch.bfloat16, enabled="bf16" in told)


def loss_of(scores: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Mean cross entropy of scores (n, 61), or of the witness's (n, 18): tens and ones each on their own."""
    if scores.shape[1] == CLASSES:
        return nn.functional.cross_entropy(scores, labels)
    tens = torch.where(labels > 0, 1 + labels // 10, 0)
    ones = torch.where(labels > 0, labels % 10, -100)
    first = nn.functional.cross_entropy(scores[:, :TENS], tens)
    return first + nn.functional.cross_entropy(scores[:, TENS:], ones) if bool((labels > 0).any()) else first


def export(net: nn.Sequential, temperature: float, path: Path, shape: tuple[int, int, int] = WINDOWS) -> None:
    """Write the net with batch norms folded in and scores divided by the temperature; the file appears at once.

    `shape` is that of one crop: channels, rows and columns. A convolution of pixels with a PixelUnshuffle after it is
    written as one of side 1 over the windows of `vision.reading.digits.in_windows`, which gives the same.
    """
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
            side, stride, margin = module.kernel_size[0], module.stride[0], int(module.padding[0])
            if place + 3 < len(modules) and isinstance(modules[place + 3], nn.PixelUnshuffle):
                kernel, bias = _over_windows(kernel, stride, margin), np.repeat(bias, (BLOCK // stride) ** 2)
                side, stride, margin = 1, 1, 0
            inputs += [keep(f"w{number}", kernel), keep(f"b{number}", bias)]
            kind = "Conv"
            attributes = {"kernel_shape": [side] * 2, "pads": [margin] * 4, "strides": [stride] * 2}
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
    crops = helper.make_tensor_value_info("crops", TensorProto.FLOAT, ["n", *shape])
    names = modules[-1].out_features
    scores = helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["n", names])
    graph = helper.make_graph(nodes, path.stem, [crops], [scores], weights)
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


def _over_windows(kernel: NDArray[np.float32], stride: int, margin: int) -> NDArray[np.float32]:
    """Turn a kernel (out, 1, side, side) over pixels into one (out * k * k, 64, 1, 1) over windows, k = 4 / stride.

    The order of its outputs is that of PixelUnshuffle(k) after the kernel.
    """
    out, _, side, _ = kernel.shape
    steps, wide = BLOCK // stride, BLOCK + 2 * MARGIN
    placed = np.zeros((out, steps, steps, wide, wide), np.float32)
    for down, across in np.ndindex(steps, steps):
        top, left = (MARGIN - margin + stride * step for step in (down, across))
        placed[:, down, across, top : top + side, left : left + side] = kernel[:, 0]
    return placed.reshape(-1, wide * wide, 1, 1)
