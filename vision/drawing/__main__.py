"""Draws made-up tables with exact truth: python -m vision.drawing OUT --count N --seed S.

OUT gets pictures (.jpg), what their owners measured (a .toml each) and truth.jsonl, for python -m vision.report.
The same seed on a machine with the same fonts draws the same pictures.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from vision.drawing.folder import write_folder
from vision.drawing.options import add_wanted, told, wanted_of


def main(arguments: Sequence[str] | None = None) -> int:
    """Write a folder of pictures; give the exit code (2 where the folder cannot be written)."""
    parser = argparse.ArgumentParser(prog="python -m vision.drawing", description=__doc__)
    parser.add_argument("out", type=Path, help="folder to write to; it is made where it is missing")
    add_wanted(parser)
    options = parser.parse_args(arguments)
    return told(options, write_folder(options.out, wanted_of(options)))


if __name__ == "__main__":
    sys.exit(main())
