"""What the whole program costs in `racko bench`: its memory with five cameras, and a replay beside its decoding."""

import contextlib
import io
import pickle
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from device.commands.replay import Replay
from device.measuring.sights import Sight, eyes_for
from device.memory import keep_freed_memory
from device.sessions.format import open_session
from engine.events import Json
from vision.frame import Frame

ROUNDS: Final = 6
"""Each camera looks so often at each of its pictures: memory does not grow after the second time."""


@dataclass(frozen=True)
class WholeCosts:
    """Seconds of processor time to decode a recorded round's JPEGs in colour and to replay it, None without the round.

    `memory` is the most that a process has held, in MB (2**20 bytes), that has loaded the program and looks through
    five cameras at 1080p; None where the system does not tell.
    """

    decoding: float | None
    replay: float | None
    memory: float | None


def whole_costs(table: Sequence[Sight], recorded: Path) -> WholeCosts:
    """Measure with a drawn table, and with a recorded round's folder, which may be missing."""
    decoding, replay = _replayed(recorded) if (recorded / "session.json").is_file() else (None, None)
    # a process of its own: this one has grown by drawing
    command = [sys.executable, "-m", "device.measuring.whole"]
    other = subprocess.run(command, input=pickle.dumps(list(table)), capture_output=True, check=True)  # noqa: S603 - ours
    return WholeCosts(decoding, replay, float(other.stdout) if other.stdout.strip() else None)


def _replayed(folder: Path) -> tuple[float, float]:
    jpegs = [path.read_bytes() for path in sorted(folder.glob("frames/*/*.jpg"))]
    run = Replay(open_session(folder), as_json=False)
    with contextlib.redirect_stdout(io.StringIO()):
        began = time.process_time()
        run.run()
        replay = time.process_time() - began
    began = time.process_time()
    for jpeg in jpegs:
        _ = Frame(jpeg).colour
    return time.process_time() - began, replay


def _memory_of_eyes(table: Sequence[Sight]) -> float | None:
    """Look through all cameras with the program loaded; give the most memory that this process has held, in MB."""
    import device.serve  # noqa: F401, PLC0415 - what a table runs: pages, journal, panel

    eyes = eyes_for(table)
    for _ in range(ROUNDS):
        for eye, sight in zip(eyes, table, strict=True):
            for jpeg in (sight.first, sight.other, sight.again, sight.changed):
                eye.look(Frame(jpeg))
    status = Path("/proc/self/status")
    found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text(encoding="ascii")) if status.is_file() else None
    return int(found[1]) / 1024 if found else None


def as_json(costs: WholeCosts) -> Json:
    """The costs as JSON: megabytes, and the replay's cost as so many times the decoding of its pictures."""
    ratio = costs.replay / costs.decoding if costs.replay and costs.decoding else None
    return {
        "type": "whole",
        "memory_mb": None if costs.memory is None else round(costs.memory, 1),
        "replay_by_decoding": None if ratio is None else round(ratio, 2),
    }


def in_words(costs: WholeCosts) -> list[str]:
    """The costs for people."""
    words = [""]
    if costs.memory is not None:
        words.append(f"{'memory at most, five cameras at 1080p':46}{costs.memory:8.1f} MB")
    if costs.replay and costs.decoding:
        ratio = costs.replay / costs.decoding
        words.append(f"{'replay of the recorded round':46}{costs.replay:8.2f} s    {ratio:.2f} times as long as")
        words.append(f"{'  decoding its pictures in colour':46}{costs.decoding:8.2f} s")
    return words


if __name__ == "__main__":
    keep_freed_memory()
    told = _memory_of_eyes(pickle.load(sys.stdin.buffer))  # noqa: S301 - from the process that started this one
    print("" if told is None else told)
