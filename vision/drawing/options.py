"""What the commands that draw tables are told, and how they tell how far they are."""

import argparse
import sys
import time
from collections.abc import Iterator

import cv2

from vision.drawing.folder import Wanted
from vision.drawing.random_scenes import KINDS
from vision.drawing.typefaces import BUILT_IN, LINES
from vision.figures.progress import Progress


def add_wanted(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how many pictures there are to be, of what, and by which seed."""
    parser.add_argument("--count", type=count, default=20, metavar="N", help="so many pictures (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="another seed, other pictures (%(default)s)")
    parser.add_argument("--kind", choices=KINDS, help="only racks, trays, or wide views of both")
    parser.add_argument("--no-fonts", action="store_true", help="use built-in type only: alike on every machine")


def wanted_of(options: argparse.Namespace) -> Wanted:
    """Say what is wanted by a command's options."""
    given = vars(options)
    more = {name: given[name] for name in ("hands", "shades", "doubles", "leaning", "curled") if name in given}
    return Wanted(options.count, options.seed, options.kind, (BUILT_IN, *LINES) if options.no_fonts else None, **more)


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
