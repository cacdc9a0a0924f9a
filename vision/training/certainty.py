"""Fits how certain vision may be: `python -m vision.training.certainty TUNING JUDGING`.

Both are folders of pictures with truth (stills, drawn pictures, recorded sessions). On TUNING it fits CERTAINTY of
`vision/fuse.py`, for each SOFTEN that is to be tried; on JUDGING, which nothing is fitted on, it prints what was said
and what was right, with the numbers in place and with the fitted ones, and from which probability on a card may be
called sure. Nothing is changed: who likes the numbers writes them into `vision/fuse.py`.
"""

import argparse
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from unittest import mock

import numpy as np

from calibration.table import Places, TableError
from vision import fuse
from vision.eye import Eye
from vision.figures.progress import Progress
from vision.figures.reliability import CERTAIN, Reliability, at_most
from vision.figures.truth import Shown, State, shown_in
from vision.frame import Frame
from vision.look import Look
from vision.reading.digits import NumberReader

Pair = tuple[float, float]
BOUNDS: Final = (0.9, 0.93, 0.95, 0.96, 0.97, 0.98, 0.985, 0.99, 0.995, 0.999)
RARE: Final = 1e-4
"""A silently wrong card shall be rarer than this, of all readings."""
CONTESTED: Final = 0.05
"""A card to which another place gives so much is judged by the rule that each card is there once, not by its number."""


@dataclass(frozen=True)
class Case:
    """One picture: the evidence of its places, what stands there (None: not known), and its deck's law of places."""

    evidence: tuple[fuse.Evidence, ...]
    truths: tuple[State | None, ...]
    learnt: Places | None


@dataclass(frozen=True)
class Claim:
    """The likeliest card of a place: its probability, the most that the place's trust allows, whether it is so."""

    chance: float
    trust: float
    right: bool
    contested: bool


@dataclass(frozen=True)
class Numbers:
    """What is fitted: SOFTEN and CERTAINTY of `vision.fuse`."""

    soften: float
    certainty: Pair

    def __str__(self) -> str:
        """Give them as they are written there."""
        return f"SOFTEN = {self.soften:g}, CERTAINTY = ({self.certainty[0]:.2f}, {self.certainty[1]:.2f})"


def case_of(shown: Shown, reader: NumberReader) -> Case:
    """Look at a picture and keep what its places said; raise TableError where it cannot be used."""
    table = shown.table()
    eye = Eye(table, range(1, 61), shown.camera_in(table), reader)
    look = eye.look(Frame.load(shown.file))
    evidence = tuple(eye.evidence)
    return Case(evidence, tuple(_truths(shown, look)), table.deck.places)


def _truths(shown: Shown, look: Look) -> Iterator[State | None]:
    """Give what stands at the places of a look, in the order of its evidence: seat by seat, then the discard pile."""
    for seat, readings in look.racks.items():
        yield from shown.racks.get(seat) or shown.partly.get(seat) or (None,) * len(readings)
    if look.tray is not None:
        yield shown.pile


def claims_of(case: Case, numbers: Numbers) -> Iterator[Claim]:
    """Fuse a picture's evidence by other numbers, and give what is claimed of the places that show a number."""
    with mock.patch.multiple(fuse, SOFTEN=numbers.soften, CERTAINTY=numbers.certainty):
        readings = fuse.fuse(case.evidence, range(1, 61), case.learnt)
    for place, (reading, item, truth) in enumerate(zip(readings, case.evidence, case.truths, strict=True)):
        if truth is not None and reading.cards:
            card, chance = max(reading.cards.items(), key=lambda one: one[1])
            others = (other for at, other in enumerate(readings) if at != place)
            contested = any(other.cards.get(card, 0.0) >= CONTESTED for other in others)
            yield Claim(chance, max(number.trust for number in item.numbers), truth == ("card", card), contested)


def fitted(claims: Sequence[Claim]) -> Pair:
    """Fit (a, b): a claim is right as often as its place can be trusted times the odds of exp(b) * x ** a.

    x are the odds of claims that were made with CERTAINTY = (1, 0). The likeliest pair, by Fisher's scoring.
    """
    chance, trust, right = (
        np.array([getattr(claim, name) for claim in claims if not claim.contested], np.float64)
        for name in ("chance", "trust", "right")
    )
    known = np.clip(chance / np.maximum(trust, 1e-6), 1e-6, 1 - 1e-6)
    columns = np.stack([np.log(known / (1 - known)), np.ones(len(known))])
    pair = np.array([1.0, 0.0])
    for _ in range(100):
        certain = 1 / (1 + np.exp(-(pair @ columns)))
        said = np.clip(trust * certain, 1e-9, 1 - 1e-9)
        slope = trust * certain * (1 - certain)
        gain = columns @ ((right - said) / (said * (1 - said)) * slope)
        weight = (columns * slope**2 / (said * (1 - said))) @ columns.T + 1e-3 * np.eye(2)
        step = np.linalg.solve(weight, gain)
        pair += step / max(1.0, float(np.abs(step).max()))
    return float(pair[0]), float(pair[1])


def log_loss(claims: Sequence[Claim]) -> float:
    """Give the mean of -ln of what was given to what turned out to be: right or not."""
    given = [claim.chance if claim.right else 1 - claim.chance for claim in claims]
    return float(-np.log(np.maximum(given, 1e-6)).mean())


def _lines(tuning: Sequence[Case], judging: Sequence[Case], softens: Sequence[float]) -> Iterator[str]:
    """Say all that was found."""
    before = Numbers(fuse.SOFTEN, fuse.CERTAINTY)
    tries = [Numbers(soften, fitted(_all(tuning, Numbers(soften, (1.0, 0.0))))) for soften in softens]
    for words, numbers in (("in place", before), *(("fitted", numbers) for numbers in tries)):
        on, off = (_all(cases, numbers) for cases in (tuning, judging))
        yield f"{words}: {numbers}; log loss {log_loss(on):.4f} on TUNING, {log_loss(off):.4f} on JUDGING"
    for words, numbers in (("in place", before), *(("fitted", numbers) for numbers in tries)):
        claims = _all(judging, numbers)
        said = Reliability([(claim.chance, claim.right) for claim in claims])
        yield from ("", f"JUDGING, {words}: {numbers}", *said.lines())
        yield from _bounds(claims, sum(truth is not None for case in judging for truth in case.truths))


def _bounds(claims: Sequence[Claim], places: int) -> Iterator[str]:
    """Say what comes of calling sure what is said from a bound on, and which bound makes a wrong word rare enough."""
    yield ""
    yield f"{'sure from':>9}{'cards':>8}{'wrong':>7}{'wrong in 10,000 places: promised':>34}{'at most, as counted':>21}"
    for bound in BOUNDS:
        said = [claim for claim in claims if claim.chance >= bound]
        wrong, promised = sum(not claim.right for claim in said), sum(1 - claim.chance for claim in said)
        counted = 1e4 * at_most(wrong, places)
        yield f"{bound:9g}{len(said):8}{wrong:7}{1e4 * promised / places:34.2f}{counted:21.1f}"
    chances = np.sort([claim.chance for claim in claims])[::-1]
    enough = chances[np.cumsum(1 - chances) < RARE * places]
    words = f"from {enough[-1]:.4f} on" if len(enough) else "from no bound on"
    yield f"By what is promised, less than one place in {1 / RARE:.0f} is silently wrong {words}."
    worst = max((claim.chance for claim in claims if not claim.right), default=0.0)
    needed = math.ceil(math.log(1 - CERTAIN) / math.log1p(-RARE))
    yield f"The surest that was wrong: {worst:.4f}. This rests on {places} places."
    yield f"To show it by counting takes {needed} and none wrong, or more: a rack read a slot off is wrong ten times."


def _all(cases: Sequence[Case], numbers: Numbers) -> list[Claim]:
    return [claim for case in cases for claim in claims_of(case, numbers)]


def _cases(folders: Sequence[Path], reader: NumberReader, progress: Progress) -> Iterator[Case]:
    for folder in folders:
        pictures = shown_in(folder)
        for number, shown in enumerate(pictures):
            progress.tell(f"{folder}: picture {number + 1} of {len(pictures)}")
            yield case_of(shown, reader)


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit and judge; give the exit code (2 where a folder cannot be used)."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.certainty", description=__doc__)
    parser.add_argument("tuning", type=Path, metavar="TUNING", help="folder to fit on")
    parser.add_argument("judging", type=Path, nargs="+", metavar="JUDGING", help="other folders, to judge on")
    parser.add_argument(
        "--soften", type=float, nargs="+", default=[fuse.SOFTEN], metavar="X", help="try these as SOFTEN (%(default)s)"
    )
    options = parser.parse_args(arguments)
    reader, progress = NumberReader(), Progress()
    try:
        tuning, judging = (list(_cases(folders, reader, progress)) for folders in ([options.tuning], options.judging))
    except (TableError, OSError) as error:
        progress.clear()
        sys.stderr.write(f"{' '.join(str(error).split())}\n")
        return 2
    progress.clear()
    sys.stdout.write("".join(f"{line}\n" for line in _lines(tuning, judging, options.soften)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
