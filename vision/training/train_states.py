"""Train the net for slots: `python -m vision.training.train_states MODEL --made FILE... --held FILE...`.

With --glance the tiny one; with --teachers it learns from what other nets say of each patch, too: the mean of several
that were trained apart knows more than its labels. Needs torch and onnx, and the patches that vision.training.states
wrote (vision/training/README.md). The same seed, files and versions train the same net. Chances are brought to how
often they are right on the held patches, whose typefaces no net has seen; at the end it prints, by threshold, what
comes.
"""

import argparse
import copy
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from calibration.table import TableError
from vision.nets import asked, load_net, shares
from vision.picture import grey_of
from vision.rack.states import COLUMNS, GLANCED, ROWS, STATES, coarse, narrow, prepared
from vision.training import network
from vision.training.ahead import made_ahead

BATCH = 128
EVERY = 200
COVERED = 0.06
"""In so many patches something is laid over the slot."""
SHADOWED = 0.15
"""Over so many a shadow falls."""
TAUGHT = 0.7
"""So much of what is learnt is what teachers say, the rest the patch's label."""
SAID = (0.9, 0.95, 0.98, 0.99, 0.995, 0.999)


@dataclass(frozen=True)
class Plan:
    """One of the two nets: convolutions (channels, side, stride) and None for a 2 x 2 maximum, and what it sees.

    `asked` is how often each of STATES is learnt from in slots whose number is not read, `read` in slots where it is.
    """

    layers: Sequence[tuple[int, int, int] | None]
    shape: tuple[int, int, int]
    seen: Callable[[NDArray[np.uint8], NDArray[np.float32]], NDArray[np.float32]]
    asked: tuple[float, ...]
    read: tuple[float, ...]


LOOK = Plan(
    ((16, 5, 2), (32, 3, 2), (32, 3, 1), None, (64, 3, 1), None, (64, 3, 1)),
    (3, ROWS, COLUMNS),
    lambda patches, faces: prepared(patches, faces.astype(np.float64)),
    asked=(4.0, 4.0, 4.0, 4.0, 3.0),
    read=(1.0, 3.0, 3.0, 3.0, 1.0),
)
"""Learns most where it is asked: in slots without a read number. There, states count about as often as they are seen:
what is learnt from more often than that is said too often (vision/training/README.md)."""
GLANCE = Plan(
    ((16, 3, 1), None, (32, 3, 1), None, (48, 3, 1)),
    GLANCED,
    lambda patches, _: coarse(np.array([narrow(grey_of(patch)) for patch in patches], np.uint8)),
    asked=(3.0, 1.0, 1.0, 6.0, 1.0),
    read=(2.0, 6.0, 6.0, 8.0, 1.0),
)
"""Learns most from slots with a read number: it is asked there."""


@dataclass(frozen=True)
class Made:
    """Patches (n, ROWS, COLUMNS, 3), their racks' faces (n, 3), labels (n,), and which slots' numbers were read."""

    patches: NDArray[np.uint8]
    faces: NDArray[np.float32]
    labels: NDArray[np.int64]
    read: NDArray[np.bool_]

    @staticmethod
    def of(files: Sequence[Path]) -> "Made":
        """Read files."""
        parts = [np.load(file) for file in files]
        names = ("patches", "faces", "labels", "read")
        return Made(*(np.concatenate([part[name] for part in parts]) for name in names))


def spoil(rng: np.random.Generator, patch: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Mirror, shift, stretch, blur, make noisy, brighten or darken a patch, as other tables and fits would."""
    if rng.random() < 0.5:
        patch = np.ascontiguousarray(patch[:, ::-1])
    if rng.random() < 0.8:
        warp = np.array([
            [1 + rng.normal(0, 0.03), rng.normal(0, 0.015), rng.normal(0, 1.5)],
            [rng.normal(0, 0.015), 1 + rng.normal(0, 0.04), rng.normal(0, 1.2)],
        ])  # fmt: skip
        patch = np.asarray(cv2.warpAffine(patch, warp, (COLUMNS, ROWS), borderMode=cv2.BORDER_REPLICATE), np.uint8)
    if rng.random() < 0.3:
        patch = np.asarray(cv2.GaussianBlur(patch, (0, 0), float(rng.uniform(0.3, 1.2))), np.uint8)
    levels: NDArray[np.float32] = patch.astype(np.float32)
    if rng.random() < 0.3:
        levels += rng.normal(0, rng.uniform(1, 7), levels.shape).astype(np.float32)
    if rng.random() < 0.3:
        power = np.float32(rng.uniform(0.75, 1.35))
        levels = np.asarray(255 * (levels.clip(0, 255) / 255) ** power, np.float32)
    return levels.clip(0, 255).astype(np.uint8)


def shadowed(rng: np.random.Generator, patch: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Let something with a straight edge throw its shadow over a part of a patch."""
    angle, colour = rng.uniform(0, 2 * np.pi), rng.uniform(0.35, 0.9) + rng.normal(0, 0.04, 3)
    rows, columns = np.mgrid[-0.5 : 0.5 : ROWS * 1j, -0.5 : 0.5 : COLUMNS * 1j]
    across = (columns * np.cos(angle) * COLUMNS + rows * np.sin(angle) * ROWS) - rng.normal(0, 20)
    # one card stands before another: from the one to the next the edge jumps
    across = across + rng.normal(0, 8) * (rows * ROWS > rng.uniform(-20, 20))
    share = np.clip(across / rng.uniform(0.5, 8) + 0.5, 0, 1)[..., None]
    return np.asarray(patch * (1 - share * (1 - colour))).clip(0, 255).astype(np.uint8)


def covered(rng: np.random.Generator, patch: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Lay something over the slot of a patch: a sleeve, a sheet, a box, of one colour and more or less even."""
    middle = rng.uniform(0.2, 0.8) * COLUMNS, ROWS / 2 + rng.normal(0, 6)
    size = rng.uniform(0.7, 2.0) * COLUMNS, rng.uniform(0.5, 2.0) * ROWS
    corners = cv2.boxPoints((middle, size, float(rng.normal(0, 20)))) + rng.normal(0, 4, (4, 2))
    mask = np.zeros((ROWS, COLUMNS), np.float32)
    cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 1.0, cv2.LINE_AA)
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.3, 1.5))), np.float32)[..., None]
    rows, columns = np.mgrid[-0.5 : 0.5 : ROWS * 1j, -0.5 : 0.5 : COLUMNS * 1j][..., None]
    cover = (rng.uniform(5, 250) + rng.normal(0, 35, 3)) * (
        1 + rng.normal(0, 0.3) * rows + rng.normal(0, 0.3) * columns
    )
    if rng.random() < 0.5:
        coarse_noise = rng.normal(0, rng.uniform(2, 25), (int(rng.integers(4, 40)), int(rng.integers(4, 40))))
        cover = cover + cv2.resize(coarse_noise, (COLUMNS, ROWS), interpolation=cv2.INTER_CUBIC)[..., None]
    return np.asarray(patch + (cover - patch) * mask).clip(0, 255).astype(np.uint8)


def recoloured(rng: np.random.Generator, inputs: NDArray[np.float32]) -> NDArray[np.float32]:
    """Exchange and mix the colours of inputs (n, channels, rows, columns), each its own way: other decks and light."""
    count, channels = inputs.shape[:2]
    order = np.array([rng.permutation(channels) for _ in range(count)])
    mix = (np.eye(channels)[None] + rng.normal(0, 0.12, (count, channels, channels)))[np.arange(count)[:, None], order]
    mixed = np.einsum("nij,njrc->nirc", mix, inputs) + rng.normal(0, 0.06, (count, channels, 1, 1))
    return np.asarray(mixed, np.float32)


def aims(
    labels: NDArray[np.int64], inputs: NDArray[np.float32], teachers: Sequence[cv2.dnn.Net]
) -> NDArray[np.float32]:
    """What is to be said (n, states) of inputs: their labels, and what teachers say in the mean, by TAUGHT."""
    exact = np.eye(len(STATES), dtype=np.float32)[labels]
    if not teachers:
        return exact
    told = np.zeros(exact.shape)
    for teacher in teachers:
        told += shares(asked(teacher, inputs)) / len(teachers)
    return np.asarray((1 - TAUGHT) * exact + TAUGHT * told, np.float32)


def train(seed: int, steps: int, made: Made, plan: Plan, teachers: Sequence[cv2.dnn.Net] = ()) -> nn.Sequential:
    """A trained net, after so many steps of BATCH patches."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    net = network.stacked(plan.layers, plan.shape, len(STATES)).to(memory_format=torch.channels_last)
    mean = copy.deepcopy(net)
    optimiser = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=0.03)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, total_steps=steps, pct_start=0.15)
    often = np.where(made.read, *(np.array(by)[made.labels] for by in (plan.read, plan.asked)))
    begin, running = time.monotonic(), 1.0
    short = network.in_short_numbers()

    def batch() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        chosen = rng.choice(len(made.labels), BATCH, p=often / often.sum())
        labels, patches = made.labels[chosen], made.patches[chosen]
        for one in np.flatnonzero(rng.random(BATCH) < COVERED):
            labels[one], patches[one] = STATES.index("hidden"), covered(rng, patches[one])
        for one in np.flatnonzero(rng.random(BATCH) < SHADOWED):
            patches[one] = shadowed(rng, patches[one])
        spoilt = np.array([spoil(rng, patch) for patch in patches])
        inputs = recoloured(rng, plan.seen(spoilt, made.faces[chosen]))
        return inputs, aims(labels, inputs, teachers)

    for step, (inputs, wanted) in enumerate(made_ahead(batch, steps)):
        with short:
            scores = net(torch.from_numpy(inputs).to(memory_format=torch.channels_last))
        loss = nn.functional.cross_entropy(scores.float(), torch.from_numpy(wanted))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        running += 0.02 * (loss.item() - running)
        network.follow(mean, net)
        if step % EVERY == 0:
            print(f"step {step} of {steps}, loss {running:.3f}, {time.monotonic() - begin:.0f} s", flush=True)
    return mean.eval()


def scores_of(net: nn.Sequential, made: Made, plan: Plan) -> torch.Tensor:
    """The net's scores (n, states) of all patches."""
    parts = [slice(at, at + 400) for at in range(0, len(made.labels), 400)]
    with torch.no_grad():
        return torch.cat([net(torch.from_numpy(plan.seen(made.patches[part], made.faces[part]))) for part in parts])


def calibrate(scores: torch.Tensor, held: Made) -> float:
    """The temperature that makes the chances fit, where the net is asked: in slots whose number is not read."""
    asked = torch.from_numpy(~held.read)
    target = torch.from_numpy(held.labels)[asked]
    tried = [0.5 + 0.02 * step for step in range(100)]
    losses = {t: nn.functional.cross_entropy(scores[asked] / t, target).item() for t in tried}
    best = min(losses, key=lambda t: losses[t])
    print(f"held part: temperature {best:.2f}, loss {losses[best]:.4f}")
    return best


def report(chances: NDArray[np.float32], held: Made) -> None:
    """Print what is said of slots without a read number: how many rightly, how many wrongly."""
    for at, name in enumerate(STATES):
        there = (held.labels == at) & ~held.read
        said = {bound: (chances[:, at] >= bound) & ~held.read for bound in SAID}
        words = [f"{bound:g}: {(one & there).sum()} right, {(one & ~there).sum()} wrong" for bound, one in said.items()]
        print(f"{name}, {there.sum()} not read: {'; '.join(words)}")


def main() -> int:
    """Train, write, report."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.train_states", description=__doc__)
    parser.add_argument("model", type=Path, help="where the ONNX file goes")
    parser.add_argument("--made", type=Path, nargs="+", required=True, help="patches of vision.training.states")
    parser.add_argument("--held", type=Path, nargs="+", required=True, help="others, to judge with")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=4000, help=f"steps of {BATCH} patches (%(default)s)")
    parser.add_argument(
        "--teachers", type=Path, nargs="+", default=[], help="nets (.onnx) of the same shape to learn from"
    )
    parser.add_argument("--glance", action="store_true", help="the tiny net that tells quickly of plain cards")
    options = parser.parse_args()
    torch.set_num_threads(1)
    plan, held = GLANCE if options.glance else LOOK, Made.of(options.held)
    names = "a net to learn from", plan.shape, (len(STATES),), TableError
    try:
        teachers = [load_net(path, *names) for path in options.teachers]
    except TableError as error:
        parser.error(str(error))
    net = train(options.seed, options.steps, Made.of(options.made), plan, teachers)
    scores = scores_of(net, held, plan)
    temperature = calibrate(scores, held)
    report((scores / temperature).softmax(1).numpy(), held)
    network.export(net, temperature, options.model, plan.shape)
    print(f"{options.model}: {options.model.stat().st_size / 1e6:.2f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
