"""Draws made-up tables with exact truth: python -m vision.drawing OUT --count N --seed S.

OUT gets pictures (.jpg), what their owners measured (a .toml each) and truth.jsonl, for python -m vision.report.
The same seed on a machine with the same fonts draws the same pictures.
"""

import argparse
import math
import sys
from collections.abc import Sequence
from pathlib import Path

from vision.drawing.curls import HIGHEST
from vision.drawing.folder import write_folder
from vision.drawing.options import add_wanted, told, wanted_of


def main(arguments: Sequence[str] | None = None) -> int:
    """Write a folder of pictures; give the exit code (2 where the folder cannot be written)."""
    parser = argparse.ArgumentParser(prog="python -m vision.drawing", description=__doc__)
    parser.add_argument("out", type=Path, help="folder to write to; it is made where it is missing")
    add_wanted(parser)
    parser.add_argument(
        "--hands", type=_share, default=0.0, metavar="SHARE", help="share of pictures with a hand, 0..1"
    )
    parser.add_argument("--shades", type=_share, default=0.0, metavar="SHARE", help="share with a hard shadow")
    parser.add_argument("--doubles", type=_share, default=0.0, metavar="SHARE", help="share of slots with two cards")
    parser.add_argument("--leaning", type=_share, default=0.0, metavar="SHARE", help="share of cards that lean forward")
    parser.add_argument("--curled", type=_height, default=0.0, metavar="MM", help="mats curl up by up to so many mm")
    options = parser.parse_args(arguments)
    return told(options, write_folder(options.out, wanted_of(options)))


def _share(text: str) -> float:
    share = _number(text)
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(f"{text!r}: choose a share from 0 (none) to 1 (all)")
    return share


def _height(text: str) -> float:
    height = _number(text)
    if not 0 <= height <= HIGHEST:
        raise argparse.ArgumentTypeError(f"{text!r}: choose 0 (flat) to {HIGHEST:g} mm")
    return height


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


if __name__ == "__main__":
    sys.exit(main())
