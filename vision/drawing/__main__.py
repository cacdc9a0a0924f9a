"""Draws made-up tables with exact truth: python -m vision.drawing OUT --count N --seed S.

OUT gets pictures (.jpg), what their owners measured (a .toml each) and truth.jsonl, for python -m vision.report.
The same seed on a machine with the same fonts draws the same pictures.
"""

import argparse
import math
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import cv2

from vision.drawing.folder import Wanted, write_folder
from vision.drawing.random_scenes import KINDS
from vision.drawing.typefaces import BUILT_IN, LINES
from vision.figures.progress import Progress


def main(arguments: Sequence[str] | None = None) -> int:
    """Write a folder of pictures; give the exit code (2 where the folder cannot be written)."""
    parser = argparse.ArgumentParser(prog="python -m vision.drawing", description=__doc__)
    parser.add_argument("out", type=Path, help="folder to write to; it is made where it is missing")
    parser.add_argument("--count", type=_count, default=20, metavar="N", help="so many pictures (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="another seed, other pictures (%(default)s)")
    parser.add_argument("--kind", choices=KINDS, help="only racks, trays, or wide views of both")
    parser.add_argument(
        "--hands", type=_share, default=0.0, metavar="SHARE", help="share of pictures with a hand, 0..1"
    )
    parser.add_argument("--shades", type=_share, default=0.0, metavar="SHARE", help="share with a hard shadow")
    parser.add_argument("--doubles", type=_share, default=0.0, metavar="SHARE", help="share of slots with two cards")
    parser.add_argument("--leaning", type=_share, default=0.0, metavar="SHARE", help="share of cards that lean forward")
    parser.add_argument("--no-fonts", action="store_true", help="use built-in type only: alike on every machine")
    options = parser.parse_args(arguments)
    try:
        return _write(options)
    except OSError as error:
        sys.stderr.write(f"{options.out}: cannot be written ({error.strerror or error}); choose another folder\n")
        return 2


def _write(options: argparse.Namespace) -> int:
    cv2.setNumThreads(1)
    typefaces = (BUILT_IN, *LINES) if options.no_fonts else None
    wanted = Wanted(
        options.count, options.seed, options.kind, typefaces,
        options.hands, options.shades, options.doubles, options.leaning,
    )  # fmt: skip
    progress, start = Progress(), time.monotonic()
    for number in write_folder(options.out, wanted):
        progress.tell(f"{number + 1} of {options.count}, {time.monotonic() - start:.0f} s")
    progress.clear()
    return 0


def _count(text: str) -> int:
    if not (text.isdecimal() and int(text) >= 1):
        raise argparse.ArgumentTypeError(f"{text!r}: choose how many pictures, 1 or more")
    return int(text)


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = math.nan
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(f"{text!r}: choose a share from 0 (none) to 1 (all)")
    return share


if __name__ == "__main__":
    sys.exit(main())
