"""Train the number reader: `python -m vision.training.train MODEL --made FILE... --drawn FILE...`.

Needs torch and onnx, and the crops that vision.training.crops (made) and vision.training.drawn (drawn tables) wrote
(vision/training/README.md). The same seed, files and versions train the same net.
"""

import argparse
import copy
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from vision.reading.digits import COLUMNS, ROWS, normalise
from vision.training import network
from vision.training.ahead import made_ahead
from vision.training.spoil import spoil

BATCH = 256
DRAWN = 128
"""So many crops of each batch come from drawn tables."""
EVERY = 200

Labelled = tuple[NDArray[np.uint8], NDArray[np.int64]]


def read(files: Sequence[Path]) -> Labelled:
    """Crops (n, 32, 48) and labels (n,) of files; none of no files."""
    parts = [np.load(file) for file in files]
    crops = [np.zeros((0, ROWS, COLUMNS), np.uint8), *(part["crops"] for part in parts)]
    return np.concatenate(crops), np.concatenate([np.zeros(0, np.int64), *(part["labels"] for part in parts)])


def _batch(crops: NDArray[np.uint8]) -> torch.Tensor:
    # This memory order and bfloat16 halve the time of training twice on processors that know bfloat16.
    return torch.from_numpy(normalise(crops)).to(memory_format=torch.channels_last)


def train(seed: int, steps: int, made: Labelled, drawn: Labelled, *, figures: bool = False) -> nn.Sequential:
    """A trained net, after so many steps of BATCH crops."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    net = network.build(figures=figures).to(memory_format=torch.channels_last)
    mean = copy.deepcopy(net)
    for weight in mean.parameters():
        weight.requires_grad = False
    learnt = [weight for weight in net.parameters() if weight.requires_grad]
    optimiser = torch.optim.AdamW(learnt, lr=2e-3, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, total_steps=steps, pct_start=0.15)
    share = DRAWN if len(drawn[1]) else 0
    begin, running = time.monotonic(), 4.0
    short = network.in_short_numbers()

    def batch() -> Labelled:
        one, other = rng.integers(0, len(made[1]), BATCH - share), rng.integers(0, max(len(drawn[1]), 1), share)
        crops = np.array([spoil(rng, crop) for crop in (*made[0][one], *drawn[0][other])])
        return crops, np.concatenate([made[1][one], drawn[1][other]])

    for step, (crops, labels) in enumerate(made_ahead(batch, steps)):
        with short:
            scores = net(_batch(crops))
        loss = network.loss_of(scores.float(), torch.from_numpy(labels))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        running += 0.02 * (loss.item() - running)
        network.follow(mean, net)
        if step % EVERY == 0:
            print(f"step {step} of {steps}, loss {running:.3f}, {time.monotonic() - begin:.0f} s", flush=True)
    return mean.eval()


def calibrate(net: nn.Module, held: Labelled) -> float:
    """The temperature that makes the probabilities fit on typefaces and pages kept for just that."""
    rng = np.random.default_rng(1)
    crops, labels = np.array([spoil(rng, crop) for crop in held[0]]), held[1]
    with torch.no_grad():
        scores = torch.cat([net(_batch(crops[i : i + 500])) for i in range(0, len(crops), 500)])
    target = torch.from_numpy(labels)
    tried = [0.3 + 0.02 * step for step in range(110)]
    losses = {t: network.loss_of(scores / t, target).item() for t in tried}
    best = min(losses, key=lambda t: losses[t])
    print(f"calibration part: temperature {best:.2f}, loss {losses[best]:.4f}")
    return best


def main() -> int:
    """Train, calibrate, write."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.train", description=__doc__)
    parser.add_argument("model", type=Path, help="where the ONNX file goes")
    parser.add_argument("--made", type=Path, nargs="+", required=True, help="crops of vision.training.crops")
    parser.add_argument("--drawn", type=Path, nargs="*", default=[], help="crops of vision.training.drawn")
    parser.add_argument(
        "--held", type=Path, nargs="+", required=True, help="crops of either to fit the temperature with"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=6000, help=f"steps of {BATCH} crops")
    parser.add_argument("--figures", action="store_true", help="the witness, which reads figure by figure")
    options = parser.parse_args()
    torch.set_num_threads(1)
    made, drawn = read(options.made), read(options.drawn)
    net = train(options.seed, options.steps, made, drawn, figures=options.figures)
    temperature = calibrate(net, read(options.held))
    network.export(net, temperature, options.model)
    print(f"{options.model}: {options.model.stat().st_size / 1e6:.2f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
