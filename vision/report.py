"""Prints how well pictures with known truth are read: python -m vision.report FOLDER.

The folder holds stills (truth.jsonl, and a .jpg and a .toml each) or a recorded session, whose pictures with hands in
them are left out. Right, not sure and silently wrong are counted by what stands there; below, a plain Tesseract call on
the very same strips, as the baseline.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.table import CameraModel, Table, TableError, read_table
from vision.baseline import bare_strips, plainly_read
from vision.digits import NumberReader
from vision.eye import Eye
from vision.frame import Frame
from vision.fuse import best, sure
from vision.look import PILE, Look, Reading
from vision.picture import load_picture
from vision.reliability import Reliability
from vision.tesseract import available

KINDS = ("card", "empty", "back", "discard", "draw")
OUTCOMES = ("right", "not sure", "silently wrong")
State = tuple[str, int | None]


@dataclass
class Counts:
    """What a run has come to so far: outcomes by kind, words on all that was not right, and seconds a look.

    `said` is how surely cards, empty slots and backs were named, whether sure or not.
    """

    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    misses: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    said: Reliability = field(default_factory=Reliability)

    def weigh(self, kind: str, where: str, truth: State, reading: Reading) -> None:
        """Count one place by its reading."""
        state, card, chance = best(reading)
        self.said.add(chance, right=(state, card) == truth)
        self.count(kind, where, truth, sure(reading))

    def count(self, kind: str, where: str, truth: State, told: State | None) -> None:
        """Count one place; `told` is None where the program is not sure."""
        outcome = OUTCOMES[1] if told is None else OUTCOMES[0] if told == truth else OUTCOMES[2]
        self.outcomes[kind, outcome] += 1
        if outcome != OUTCOMES[0]:
            self.misses.append(f"{where}: {_name(truth)}, {outcome}" + (f" ({_name(told)})" if told else ""))

    def lines(self) -> Iterator[str]:
        """Give a line a kind, with its share of each outcome."""
        for kind in KINDS:
            numbers = [self.outcomes[kind, outcome] for outcome in OUTCOMES]
            if total := sum(numbers):
                shares = ", ".join(
                    f"{name} {n} ({100 * n / total:.1f}%)" for name, n in zip(OUTCOMES, numbers, strict=True)
                )
                yield f"{kind:8} {total:4}: {shares}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the report; give the exit code (2 where the folder cannot be used)."""
    parser = argparse.ArgumentParser(prog="python -m vision.report", description=__doc__)
    parser.add_argument("folder", type=Path, help="stills or a recorded session, with their truth.jsonl")
    parser.add_argument("--highest", type=int, default=60, metavar="N", help="the deck is 1 to N (%(default)s)")
    parser.add_argument("--part", choices=("all", "tuning", "held-out"), default="all", help="held-out: each third")
    parser.add_argument("--uncalibrated", action="store_true", help="do not use the camera's measures")
    parser.add_argument("--no-tesseract", action="store_true", help="leave the baseline out")
    parser.add_argument("--reliability", action="store_true", help="print how often what was said so surely was right")
    parser.add_argument("--misses", action="store_true", help="print all that was not right")
    options = parser.parse_args(arguments)
    try:
        return _report(options)
    except (TableError, OSError, ValueError, KeyError) as error:
        sys.stderr.write(f"{options.folder}: {' '.join(str(error).split())}\n")
        return 2


def _report(options: argparse.Namespace) -> int:
    cv2.setNumThreads(1)
    reader, ours, plain = NumberReader(), Counts(), Counts()
    baseline = not options.no_tesseract and available() is not None
    deck = range(1, options.highest + 1)
    for number, truth in enumerate(_truths(options.folder)):
        if options.part != "all" and (number % 3 == 2) != (options.part == "held-out"):
            continue
        picture = load_picture(options.folder / truth["image"])
        own = (options.folder / truth["image"]).with_suffix(".toml")
        table = read_table(own if own.exists() else options.folder / "table.toml")
        camera = None if options.uncalibrated else _camera(table, truth)
        start = time.process_time()
        eye = Eye(table, deck, camera, reader)
        look = eye.look(Frame(picture))
        ours.seconds.append(time.process_time() - start)
        _judge(truth, look, ours)
        if baseline:
            _judge_baseline(truth, plainly_read(bare_strips(picture, eye)), plain)
    lines = [
        f"{len(ours.seconds)} pictures, {1000 * float(np.median(ours.seconds)):.0f} ms of processor time a look",
        *ours.lines(),
    ]
    if options.reliability:
        lines += [*ours.said.lines(), f"the surest that was wrong: {ours.said.worst():.4f}"]
    if baseline:
        lines += [f"baseline: Tesseract {available()}, psm 7, digits, on the same strips", *plain.lines()]
    sys.stdout.write("\n".join([*lines, *(ours.misses if options.misses else [])]) + "\n")
    return 0


def _truths(folder: Path) -> Iterator[Mapping[str, Any]]:
    """Give what stands in each picture, in the words of the stills."""
    for line in (folder / "truth.jsonl").read_text().splitlines():
        truth = json.loads(line) if line.strip() else {}
        if "image" in truth:
            yield truth
        elif truth.get("type") == "frame" and not truth["hand"]:
            yield _as_still(truth)


def _as_still(frame: Mapping[str, Any]) -> Mapping[str, Any]:
    """Say the truth of a session's frame in the words of the stills."""
    still = {"image": frame["file"], "camera": frame["camera"], "racks": {}, "tray": None}
    if "rack" in frame:
        slots = [{"slot": int(slot), "card": card, "empty": not card} for slot, card in frame["rack"].items()]
        still["racks"] = {frame["camera"].removeprefix("rack"): slots}
    else:
        still["tray"] = {"discard": frame["discard"] or None, "draw": "cards" if frame["draw"] else "empty"}
    return still


def _camera(table: Table, truth: Mapping[str, Any]) -> CameraModel | None:
    """Give the measured camera of a picture: the one that is named, or the only one."""
    name = truth.get("camera")
    return table.cameras.get(name) if isinstance(name, str) else next(iter(table.cameras.values()), None)


def _judge(truth: Mapping[str, Any], look: Look, counts: Counts) -> None:
    for seat, slots in truth["racks"].items():
        readings = look.racks.get(int(seat), (Reading(),) * len(slots))
        for slot, reading in zip(slots, readings, strict=True):
            state = _state(slot)
            counts.weigh(state[0], f"{truth['image']} seat {seat} slot {slot['slot']}", state, reading)
    if truth["tray"]:
        where, tray = truth["image"], look.tray
        state = ("card", truth["tray"]["discard"]) if truth["tray"]["discard"] else ("empty", None)
        counts.weigh("discard", f"{where} discard", state, tray.discard if tray else Reading())
        draw = (str(tray.draw), None) if tray and tray.draw else None
        counts.count("draw", f"{where} draw", (truth["tray"]["draw"], None), draw)


def _judge_baseline(truth: Mapping[str, Any], read: Mapping[tuple[int, int], int | None], counts: Counts) -> None:
    """Count what Tesseract made of each card's strip; the mats, poses and edges are ours."""
    for seat, slots in truth["racks"].items():
        for place, slot in enumerate(slots):
            if slot.get("card"):
                number = read.get((int(seat), place))
                counts.count("card", "", _state(slot), ("card", number) if number is not None else None)
    if truth["tray"] and truth["tray"]["discard"]:
        number = read.get(PILE)
        told = ("card", number) if number is not None else None
        counts.count("discard", "", ("card", truth["tray"]["discard"]), told)


def _state(slot: Mapping[str, Any]) -> State:
    return ("card", slot["card"]) if slot.get("card") else ("empty" if slot.get("empty") else "back", None)


def _name(state: State) -> str:
    return f"card {state[1]}" if state[1] is not None else state[0]


if __name__ == "__main__":
    sys.exit(main())
