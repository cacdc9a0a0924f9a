"""Judges the reader on photographed digits: single figures, and two side by side as a number (vision.training).

Each is read twice: cut as the finder cuts a number on a card, by the net alone; and as a loose cut-out, as
`racko read --crop` reads it. Only pages that the nets were not trained on are judged.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from vision.figures.pictures import Tell, Way
from vision.figures.tally import Figures
from vision.figures.truth import FolderError
from vision.look import Reading
from vision.reading.digits import NumberReader
from vision.reading.tesseract import read_strip
from vision.training.cutouts import Cutouts, Labelled, cutouts, enlarged, to_contract

PAIRS = 30
"""So many numbers are put together a page."""
SEED = 14


def judge_photographed(name: str, cells: Cutouts, way: Way, reader: NumberReader, tell: Tell) -> Figures:
    """Read all cut-outs and count; Tesseract gets the very same pictures."""
    figures = Figures(name, f"{len(cells.cells)} photographed digits")
    rng = np.random.default_rng(SEED)
    sets: Mapping[str, Sequence[Labelled]] = {
        "figure": [(to_contract(rng, picture), label) for picture, label in cells.figures],
        "number": [(to_contract(rng, picture), label) for picture, label in cells.numbers],
        "loose figure": cells.cells,
        "loose number": cells.numbers,
    }
    for kind, labelled in sets.items():
        loose = kind.startswith("loose")
        for place, (picture, label) in enumerate(labelled):
            tell(f"{name}: {kind} {place + 1} of {len(labelled)}")
            chances = reader.read_cutout(picture) if loose else reader.read([picture])[0]
            reading = Reading({card: float(chances[card]) for card in way.deck})
            figures.weigh(kind, f"{kind} {place + 1}", ("card", label), reading)
            if way.baseline:
                figures.count_plain(kind, label, read_strip(picture if loose else enlarged(picture)))
    return figures


def photographed_in(folder: Path) -> Cutouts:
    """Cut a folder's digits out, those kept out of training; raise FolderError where that cannot be."""
    try:
        return cutouts(folder, "test", SEED, PAIRS)
    except ValueError as error:
        raise FolderError(str(error)) from None
