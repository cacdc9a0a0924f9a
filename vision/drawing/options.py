"""What the commands that draw tables are told, and how they tell how far they are."""

import argparse
import math
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Final

import cv2

from vision.drawing.curls import HIGHEST
from vision.drawing.folder import Wanted
from vision.drawing.random_scenes import KINDS
from vision.drawing.troubles import Troubles
from vision.drawing.typefaces import BUILT_IN, LINES
from vision.figures.progress import Progress

SHARES: Final = {
    "hands": "of pictures with a hand",
    "shades": "of pictures with a hard shadow",
    "doubles": "of slots with two cards",
    "leaning": "of cards that lean forward",
    "gaps": "of slots that are emptied",
    "filling": "of racks that are being filled, their first slots free",
    "aside": "of a rack's cards, at most, that is out of the picture at its left or right",
}
"""Options that take a share, as in vision.drawing.troubles, with their words."""


def add_wanted(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how many pictures there are to be, of what, by which seed, and what is hard in them."""
    parser.add_argument("--count", type=count, default=20, metavar="N", help="so many pictures (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="another seed, other pictures (%(default)s)")
    parser.add_argument("--kind", choices=KINDS, help="only racks, trays, or wide views of both")
    parser.add_argument("--no-fonts", action="store_true", help="use built-in type only: alike on every machine")
    harder = parser.add_argument_group("what is harder than chance has it (a SHARE is 0..1)")
    for name, words in SHARES.items():
        harder.add_argument(f"--{name}", type=_from(0, 1), default=0.0, metavar="SHARE", help=words)
    harder.add_argument(
        "--curled", type=_from(0, HIGHEST), default=0.0, metavar="MM", help="mats curl up by up to so many mm"
    )
    harder.add_argument(
        "--printed", type=_from(0.8, 1.2), default=1.0, metavar="X", help="mats are printed 1 to X times as large"
    )
    harder.add_argument(
        "--pushed", type=_from(0, 20), default=0.0, metavar="MM", help="racks are up to so many mm off their places"
    )
    harder.add_argument("--unmeasured", action="store_true", help="nobody measured racks or cameras")


def wanted_of(options: argparse.Namespace) -> Wanted:
    """Say what is wanted by a command's options."""
    troubles = Troubles(**{trouble.name: getattr(options, trouble.name) for trouble in fields(Troubles)})
    faces = (BUILT_IN, *LINES) if options.no_fonts else None
    return Wanted(options.count, options.seed, options.kind, faces, troubles)


def told(options: argparse.Namespace, written: Iterator[int]) -> int:
    """Tell how far the writing of pictures is; give the exit code, 2 where `out` cannot be written."""
    cv2.setNumThreads(1)
    progress, start = Progress(), time.monotonic()
    try:
        for number in written:
            progress.tell(f"{number + 1} of {options.count}, {time.monotonic() - start:.0f} s")
    except OSError as error:
        sys.stderr.write(f"{options.out}: cannot be written ({error.strerror or error}); choose another folder\n")
        return 2
    progress.clear()
    return 0


def count(text: str) -> int:
    """Understand a count of 1 or more."""
    if not (text.isdecimal() and int(text) >= 1):
        raise argparse.ArgumentTypeError(f"{text!r}: choose how many pictures, 1 or more")
    return int(text)


def _from(least: float, most: float) -> Callable[[str], float]:
    """Understand a number within limits."""

    def understood(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"{text!r}: choose {least:g} to {most:g}")
        return number

    return understood
