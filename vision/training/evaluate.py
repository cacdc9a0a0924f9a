"""Judge the number reader: `python -m vision.training.evaluate STILLS REAL_DIGITS`.

Prints, for data that the net was not trained on, how often it is right, not sure and silently wrong at several
thresholds, whether its probabilities mean what they say, and the same crops read by a naive pytesseract call. Needs
pillow and typefaces for the typeface sets, and tesseract for the baseline; what is missing is said and left out.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.figures.reliability import Reliability
from vision.reading.digits import CLASSES, COLUMNS, INK, ROWS, NumberReader
from vision.reading.tesseract import available, read_strip
from vision.training import stills, typefaces
from vision.training.crops import CropMaker
from vision.training.cutouts import cutouts, enlarged, to_contract

THRESHOLDS = (0.5, 0.9, 0.99, 0.999)
Crops = NDArray[np.uint8]
Labels = NDArray[np.int64]
Scores = NDArray[np.float64]


def outcome(scores: Scores, labels: Labels, threshold: float) -> tuple[float, float, float]:
    """Shares right, not sure, silently wrong. Wrong: another card than the true one, said at the threshold or above.

    Where no number stands (label 0), right is "no number" or "not sure", which a table treats alike.
    """
    best, sure = scores.argmax(axis=1), scores.max(axis=1) >= threshold
    wrong = sure & (best > 0) & (best != labels)
    right = np.where(labels > 0, sure & (best == labels), ~wrong)
    return float(right.mean()), float((~right & ~wrong).mean()), float(wrong.mean())


def photographed(folder: Path, seed: int, pairs: int) -> tuple[tuple[Crops, Labels], tuple[Crops, Labels]]:
    """Crops of the photographed test pages: single figures, and two side by side as numbers 11..59."""
    cut, rng = cutouts(folder, "test", seed, pairs), np.random.default_rng(seed)
    single, double = (
        (np.array([to_contract(rng, picture) for picture, _ in labelled]), np.array([label for _, label in labelled]))
        for labelled in (cut.figures, cut.numbers)
    )
    return single, double


def under(effect: str, crops: Crops, seed: int) -> Crops:
    """Crops under one effect at full strength: turned 12 degrees, off by a fifth of the ink, glare, or strong noise."""
    rng = np.random.default_rng(seed)
    changed = []
    ys, xs = np.mgrid[0:ROWS, 0:COLUMNS]
    for crop in crops:
        if effect == "glare":
            x, y, wide, high = rng.uniform(10, 38), rng.uniform(6, 26), rng.uniform(4, 12), rng.uniform(3, 8)
            spot = np.exp(-((((xs - x) / wide) ** 2 + ((ys - y) / high) ** 2) ** 2))
            changed.append(crop + spot * rng.uniform(80, 220))
        elif effect == "noise":
            changed.append(crop + rng.normal(0, 0.2 * float(np.ptp(crop)), crop.shape))
        else:
            turn = rng.choice([-12.0, 12.0]) if effect == "turned" else 0.0
            way = cv2.getRotationMatrix2D(((COLUMNS - 1) / 2, (ROWS - 1) / 2), turn, 1.0)
            if effect == "offset":
                way[:, 2] += rng.choice([-0.2, 0.2], 2) * INK
            changed.append(cv2.warpAffine(crop, way, (COLUMNS, ROWS), borderMode=cv2.BORDER_REPLICATE))
    return np.asarray(np.clip(np.array(changed), 0, 255), np.uint8)


def tesseract(crops: Sequence[Crops]) -> Scores:
    """The naive baseline: each crop enlarged, in one call; as sure scores."""
    scores = np.zeros((len(crops), CLASSES))
    for row, crop in enumerate(crops):
        scores[row, read_strip(enlarged(crop)) or 0] = 1
    return scores


def _report(name: str, scores: Scores, labels: Labels) -> None:
    words = [f"{name} ({len(labels)})"]
    for threshold in THRESHOLDS:
        right, unsure, wrong = outcome(scores, labels, threshold)
        words.append(f"{threshold}: {100 * right:.1f}/{100 * unsure:.1f}/{100 * wrong:.2f}")
    _say(" | ".join(words))


def _say(line: str) -> None:
    print(line, flush=True)


def _sets(stills_folder: Path, digits_folder: Path, count: int) -> dict[str, tuple[Crops, Labels]]:
    """All sets by name, each (crops, labels)."""
    sets = {}
    faces = typefaces.load("test")
    if faces:
        mild = CropMaker(faces, 11, hard=0.3).make(count, nothing=0)
        sets["unseen typefaces, mild"] = mild
        for effect in ("turned", "offset", "glare", "noise"):
            sets[f"unseen typefaces, mild, {effect}"] = under(effect, mild[0], 15), mild[1]
        sets["unseen typefaces, hard"] = CropMaker(faces, 12, hard=1.0).make(count, nothing=0)
        sets["unseen typefaces, no number"] = CropMaker(faces, 13, hard=1.0).make(count, nothing=1)
    else:
        _say("no typefaces found: the sets drawn from typefaces are LEFT OUT")
    single, double = photographed(digits_folder, 14, pairs=60)
    sets["photographs, 1 figure"], sets["photographs, 2 figures"] = single, double
    cuts = [cut for seed in (1, 2, 3) for cut in stills.cuts(stills_folder, seed)]
    groups: dict[str, Callable[[stills.Cut], bool]] = {
        "stills, whole": lambda cut: cut.card > 0 and cut.visible >= 0.95,
        "stills, 50..95% in view": lambda cut: cut.card > 0 and 0.5 <= cut.visible < 0.95,
        "stills, less in view": lambda cut: cut.card > 0 and cut.visible < 0.5,
        "stills, no number": lambda cut: cut.card == 0,
    }
    for name, belongs in groups.items():
        for held, words in ((False, "tuned on"), (True, "held out")):
            chosen = [cut for cut in cuts if belongs(cut) and (int(cut.where.split(".")[0]) % 3 == 2) == held]
            if chosen:
                crops = np.array([cut.crop for cut in chosen], np.uint8)
                sets[f"{name}, {words}"] = crops, np.array([cut.card for cut in chosen], np.int64)
    return sets


def _drawn(files: Sequence[Path]) -> dict[str, tuple[Crops, Labels]]:
    """Sets of crops that were found on drawn tables (vision.training.drawn)."""
    parts = [np.load(file) for file in files]
    if not parts:
        return {}
    crops, labels = (np.concatenate([part[key] for part in parts]) for key in ("crops", "labels"))
    return {
        "drawn tables, number": (crops[labels > 0], labels[labels > 0]),
        "drawn tables, no number": (crops[labels == 0], labels[labels == 0]),
    }


def main() -> int:
    """Print all figures."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.evaluate", description=__doc__)
    parser.add_argument("stills", type=Path)
    parser.add_argument("real_digits", type=Path)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--witness", type=Path, help="a second model; what both say together is judged, too")
    parser.add_argument("--drawn", type=Path, nargs="*", default=[], help="crops of vision.training.drawn --part test")
    parser.add_argument("--count", type=int, default=3000, help="crops in each set drawn from typefaces")
    parser.add_argument("--baseline", type=int, default=0, help="crops of each set for pytesseract (80 ms each)")
    options = parser.parse_args()
    reader = NumberReader(options.model)
    sets = _sets(options.stills, options.real_digits, options.count) | _drawn(options.drawn)
    _say("set (crops) | threshold: right/not sure/silently wrong, in %")
    said = Reliability()
    for name, (crops, labels) in sets.items():
        scores = reader.read(crops)
        _report(name, scores, labels)
        for row, label in zip(scores, labels, strict=True):
            said.add(float(row.max()), right=int(row.argmax()) == label)
    for line in said.lines():
        _say(line)
    if options.baseline and available() is not None:
        _say("naive pytesseract, psm 7, on a part of the same crops: right/not sure/silently wrong, in %")
        for name, (crops, labels) in sets.items():
            part = np.random.default_rng(0).permutation(len(crops))[: options.baseline]
            right, unsure, wrong = outcome(tesseract(list(crops[part])), labels[part], 0.5)
            _say(f"{name} ({len(part)}) | {100 * right:.1f}/{100 * unsure:.1f}/{100 * wrong:.1f}")
    elif options.baseline:
        _say("tesseract is not installed: the baseline is LEFT OUT")
    return 0


if __name__ == "__main__":
    sys.exit(main())
