"""Train the number reader: `python -m vision.training.train MODEL [--real-digits FOLDER]`.

Needs torch, onnx and pillow, and typefaces on the machine (vision/training/README.md). Two processes: one draws crops,
one trains. The same seed, fonts and versions draw the same crops.
"""

import argparse
import copy
import multiprocessing
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from vision.digits import normalise
from vision.training import network, photos, typefaces
from vision.training.crops import CropMaker

CHUNK = 2048
BATCH = 256
_POOL = 24
"""Chunks that are kept: every crop is shown about twice, mixed with thousands of others."""

Labelled = tuple[NDArray[np.uint8], NDArray[np.int64]]

_drawing: dict[str, object] = {}


def _start_drawing(part: typefaces.Part, folder: Path | None) -> None:
    cv2.setNumThreads(1)
    _drawing["faces"] = typefaces.load(part)
    _drawing["pages"] = photos.load(folder, part) if folder else []


def _draw(seed: int, count: int) -> Labelled:
    faces, pages = _drawing["faces"], _drawing["pages"]
    return CropMaker(faces, seed, photos=pages).make(count)  # type: ignore[arg-type]


def _chunks(pool: ProcessPoolExecutor, seed: int, count: int) -> Iterator[Labelled]:
    """Chunks in the order of their seeds, some being drawn ahead."""
    ahead: list[Future[Labelled]] = []
    for number in range(count + 6):
        if number < count:
            ahead.append(pool.submit(_draw, seed * 1_000_003 + number, CHUNK))
        if number >= 6:
            yield ahead.pop(0).result()


def _batch(crops: NDArray[np.uint8]) -> torch.Tensor:
    # This memory order and bfloat16 halve the time of training twice on processors that know bfloat16.
    return torch.from_numpy(normalise(crops)).to(memory_format=torch.channels_last)


def train(seed: int, chunks: int, steps: int, folder: Path | None, workers: int) -> nn.Sequential:
    """A trained net: `steps` steps of 256 crops after each of the chunks of 2048 new ones."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    net = network.build().to(memory_format=torch.channels_last)
    mean = copy.deepcopy(net)
    for weight in mean.parameters():
        weight.requires_grad = False
    optimiser = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, total_steps=chunks * steps, pct_start=0.15)
    loss_of = nn.CrossEntropyLoss(label_smoothing=0.01)
    kept: list[Labelled] = []
    begin, running = time.monotonic(), 4.0
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, _start_drawing, ("train", folder)) as pool:
        for number, chunk in enumerate(_chunks(pool, seed, chunks)):
            kept = [*kept, chunk][-_POOL:]
            for _ in range(steps):
                # Half of each batch is new, half comes from all that is kept.
                fresh = rng.integers(0, CHUNK, BATCH // 2)
                which, old = rng.integers(0, len(kept), BATCH // 2), rng.integers(0, CHUNK, BATCH // 2)
                crops = np.concatenate([chunk[0][fresh], [kept[w][0][o] for w, o in zip(which, old, strict=True)]])
                labels = np.concatenate([chunk[1][fresh], [kept[w][1][o] for w, o in zip(which, old, strict=True)]])
                with torch.autocast("cpu", dtype=torch.bfloat16):
                    scores = net(_batch(crops))
                loss = loss_of(scores.float(), torch.from_numpy(labels))
                optimiser.zero_grad()
                loss.backward()
                optimiser.step()
                schedule.step()
                running += 0.02 * (loss.item() - running)
                _follow(mean, net)
            if number % 20 == 0 or number == chunks - 1:
                print(f"chunk {number} of {chunks}, loss {running:.3f}, {time.monotonic() - begin:.0f} s", flush=True)
    return mean.eval()


def _follow(mean: nn.Module, net: nn.Module) -> None:
    """The mean of the last weights is steadier than the last ones."""
    with torch.no_grad():
        for slow, fast in zip(mean.state_dict().values(), net.state_dict().values(), strict=True):
            if slow.dtype.is_floating_point:
                slow.lerp_(fast, 0.01)
            else:
                slow.copy_(fast)


def calibrate(net: nn.Module, seed: int, folder: Path | None) -> float:
    """The temperature that makes the probabilities fit on typefaces and pages kept for just that."""
    _start_drawing("calibrate", folder)
    crops, labels = _draw(seed + 77, 8000)
    with torch.no_grad():
        scores = torch.cat([net(_batch(crops[i : i + 500])) for i in range(0, len(crops), 500)])
    target = torch.from_numpy(labels)
    tried = [0.3 + 0.02 * step for step in range(110)]
    losses = {t: nn.functional.cross_entropy(scores / t, target).item() for t in tried}
    best = min(losses, key=lambda t: losses[t])
    right = (scores.argmax(1) == target).float().mean().item()
    print(f"calibration part: {100 * right:.2f}% right, temperature {best:.2f}, loss {losses[best]:.4f}")
    return best


def main() -> int:
    """Train, calibrate, write."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.train", description=__doc__)
    parser.add_argument("model", type=Path, help="where the ONNX file goes")
    parser.add_argument("--real-digits", type=Path, help="folder of photographed digits (photos.py says which)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--chunks", type=int, default=600, help="chunks of 2048 crops")
    parser.add_argument("--steps", type=int, default=16, help="steps of 256 crops after each chunk")
    parser.add_argument("--workers", type=int, default=1, help="processes that draw crops")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    net = train(options.seed, options.chunks, options.steps, options.real_digits, options.workers)
    temperature = calibrate(net, options.seed, options.real_digits)
    network.export(net, temperature, options.model)
    print(f"{options.model}: {options.model.stat().st_size / 1e6:.2f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
