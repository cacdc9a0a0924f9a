"""Prints how well vision reads what is known: the README's table of figures, ready to paste.

    python -m vision.report STILLS SESSION PHOTOGRAPHED_DIGITS --drawn 60
    python -m vision.report --hard 60 --no-tesseract

Any number of folders, of three kinds, told by what is in them: stills or drawn pictures (truth.jsonl), a recorded
session with its truth (its pictures with hands in them are left out), photographed digits (labels.json; only pages
that the nets were not trained on are judged). Each picture is one look by itself, without the rules' help. Counted is
what is right, what is "not sure", and what is silently wrong: said surely, and not so. Beside it a plain Tesseract call
on the very same strips and cut-outs, as the baseline; it takes most of the time.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from calibration.table import TableError
from vision.drawing.folder import Wanted, write_folder
from vision.drawing.random_scenes import KINDS
from vision.drawing.scene import Kind
from vision.drawing.troubles import UNTROUBLED, Troubles
from vision.figures.photographed import judge_photographed, photographed_in
from vision.figures.pictures import Way, judge_pictures
from vision.figures.progress import Progress
from vision.figures.reliability import Reliability, at_most
from vision.figures.tally import HEADER, Figures
from vision.figures.truth import PARTS, FolderError, Part, Shown, shown_in
from vision.reading.digits import NumberReader
from vision.reading.tesseract import available
from vision.training import typefaces
from vision.training.cutouts import Cutouts

SEED = 2611
DRAWN: Final[Mapping[Kind, str]] = {"rack": "drawn racks", "tray": "drawn trays", "wide": "drawn wide tables"}
HARD: Final[Mapping[str, Troubles]] = {
    "in a hard shadow": Troubles(shades=1.0),
    "of whose cards 6 % lean forward": Troubles(leaning=0.06),
    "with three gaps in ten slots": Troubles(gaps=0.3),
    "being filled": Troubles(filling=1.0),
    "on mats curled up by 12 mm": Troubles(curled=12.0),
    "on mats printed at 88 to 100 %": Troubles(printed=0.88),
    "up to 6 mm off their places": Troubles(pushed=6.0),
    "up to half out of the picture": Troubles(aside=0.5),
    "that nobody measured": Troubles(unmeasured=True),
}
"""What is drawn hard: the same racks each time, with one trouble more."""


@dataclass(frozen=True)
class Folder:
    """A folder that was recognised: its name, and its pictures or its cut-outs."""

    name: str
    content: Sequence[Shown] | Cutouts


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the report; give the exit code (2 where a folder cannot be used)."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if not (options.folders or options.drawn or options.hard):
        sys.stderr.write(f"{parser.prog}: name folders to judge, or --drawn N, or --hard N\n")
        return 2
    if options.keep and not (options.drawn or options.hard):
        sys.stderr.write(f"--keep {options.keep}: nothing is drawn; name --drawn N or --hard N, too\n")
        return 2
    progress = Progress()
    try:
        with tempfile.TemporaryDirectory(prefix="racko-drawn-") as passing:
            # all folders are opened before the long work begins
            folders = [recognised(folder, options.part) for folder in options.folders]
            folders += _draw(options.keep or Path(passing), options, progress)
            found = _judge(folders, options, progress)
    except (TableError, OSError) as error:
        progress.clear()
        sys.stderr.write(f"{' '.join(str(error).split())}\n")
        return 2
    progress.clear()
    sys.stdout.write("".join(f"{line}\n" for line in _lines(found, options)))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m vision.report", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", type=Path, nargs="*", metavar="FOLDER", help="what to judge by, of any kind")
    parser.add_argument(
        "--drawn",
        type=_count,
        default=0,
        metavar="N",
        help="draw N racks, N trays and N wide tables, in typefaces that the nets were not trained on, and judge them",
    )
    parser.add_argument(
        "--hard",
        type=_count,
        default=0,
        metavar="N",
        help=f"draw N racks in such typefaces, and the same again {', '.join(HARD)}; judge each".replace("%", "%%"),
    )
    parser.add_argument("--seed", type=int, default=SEED, metavar="S", help="another seed draws others (%(default)s)")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="draw into this folder and leave the pictures there")
    parser.add_argument("--highest", type=_highest, default=60, metavar="N", help="the deck is 1 to N (%(default)s)")
    parser.add_argument(
        "--part", choices=PARTS, default="all", help="of the folders' pictures: held-out is each third (%(default)s)"
    )
    parser.add_argument("--uncalibrated", action="store_true", help="do not use the cameras' measures")
    parser.add_argument("--no-tesseract", action="store_true", help="leave the baseline out")
    parser.add_argument("--reliability", action="store_true", help="print how often what was said so surely was right")
    parser.add_argument("--misses", action="store_true", help="print all that was not right")
    return parser


def recognised(folder: Path, part: Part = "all") -> Folder:
    """Open a folder by what is in it; raise FolderError where it is of no known kind or broken."""
    name = folder.resolve().name
    if (folder / "truth.jsonl").is_file():
        return Folder(name, shown_in(folder, part))
    if (folder / "labels.json").is_file():
        return Folder(name, photographed_in(folder))
    what = "is a session without its truth" if (folder / "session.json").is_file() else "holds nothing known"
    if not folder.is_dir():
        what = "is no folder"
    raise FolderError(f"{folder}: {what}; name a folder with a truth.jsonl (pictures) or a labels.json (digits)")


def _draw(out: Path, options: argparse.Namespace, progress: Progress) -> Iterator[Folder]:
    """Draw what is asked for, and give it as folders: pictures of each kind have seeds of their own."""
    for place, name, wanted in _wanted(options):
        for done in write_folder(out / place, wanted):
            progress.tell(f"{name}: {done + 1} of {wanted.count} are drawn")
        yield Folder(name, shown_in(out / place))


def _wanted(options: argparse.Namespace) -> Iterator[tuple[str, str, Wanted]]:
    """Give what is to be drawn: its folder's name, its own, and how."""
    names = typefaces.files("test") if options.drawn or options.hard else []
    for number, kind in enumerate(KINDS if options.drawn else ()):
        yield kind, DRAWN[kind], Wanted(options.drawn, options.seed + number, kind, names)
    hard = {"as drawn": UNTROUBLED, **HARD} if options.hard else {}
    for name, troubles in hard.items():
        place = name.replace("%", "percent").replace(" ", "-")
        yield place, f"racks {name}", Wanted(options.hard, options.seed, "rack", names, troubles)


def _judge(folders: Sequence[Folder], options: argparse.Namespace, progress: Progress) -> list[Figures]:
    baseline = not options.no_tesseract and available() is not None
    way, reader = Way(range(1, options.highest + 1), not options.uncalibrated, baseline), NumberReader()
    return [
        judge_photographed(folder.name, folder.content, way, reader, progress.tell)
        if isinstance(folder.content, Cutouts)
        else judge_pictures(folder.name, folder.content, way, reader, progress.tell)
        for folder in folders
    ]


def _lines(found: Sequence[Figures], options: argparse.Namespace) -> Iterator[str]:
    yield from HEADER
    for figures in found:
        yield from figures.rows()
    yield ""
    tallies = [tally for figures in found for tally in figures.ours.values()]
    wrong, total = sum(tally.wrong for tally in tallies), sum(tally.total for tally in tallies)
    yield f"Silently wrong: {wrong} of {total}; with 95 % certainty at most {100 * at_most(wrong, total):.2g} % are."
    seconds = [second for figures in found for second in figures.seconds]
    if seconds:
        yield f"{len(seconds)} pictures, {1000 * float(np.median(seconds)):.0f} ms of processor time a look."
    version = available()
    if options.no_tesseract or version is None:
        yield "Tesseract is left out." if options.no_tesseract else "Tesseract is not installed: LEFT OUT."
    else:
        yield f"Tesseract {version}: one call a strip or cut-out that vision found, psm 7, digits only."
    if options.drawn or options.hard:
        names = len(typefaces.files("test"))
        faces = (
            f"any of {names} typefaces that the nets were not trained on" if names else "built-in type: no other fits"
        )
        seeds = f"seeds {options.seed} to {options.seed + len(KINDS) - 1}" if options.drawn else f"seed {options.seed}"
        yield f"Drawn by {seeds}, in {faces}."
    if options.reliability:
        # what is said of a table has been weighed with its other places; what is said of a cut-out has not
        for words, tables in (("tables", True), ("photographed digits", False)):
            said = Reliability(
                [one for figures in found if bool(figures.seconds) == tables for one in figures.said.claims]
            )
            if said.claims:
                yield from ("", f"{words}:", *said.lines(), f"the surest that was wrong: {said.worst():.4f}")
    if options.misses:
        yield from ("", *(miss for figures in found for miss in figures.misses))


def _count(text: str) -> int:
    if not (text.isdecimal() and 1 <= int(text) <= 10_000):
        raise argparse.ArgumentTypeError(f"{text!r}: choose 1 to 10000 pictures of each kind")
    return int(text)


def _highest(text: str) -> int:
    if not (text.isdecimal() and 10 <= int(text) <= 60):
        raise argparse.ArgumentTypeError(f"{text!r}: choose 10 to 60")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
