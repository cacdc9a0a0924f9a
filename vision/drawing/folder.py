"""Writes folders of drawn pictures with their truth, for vision.report and vision.training."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from vision.drawing.picture import Drawn, draw_with_truth
from vision.drawing.random_scenes import Situation, some_scene
from vision.drawing.scene import Kind, Scene
from vision.drawing.troubles import UNTROUBLED, Troubles
from vision.drawing.truth import as_line, truth_of, write_picture


@dataclass(frozen=True)
class Wanted:
    """What is to be drawn: so many pictures of a kind (None: any), by a seed.

    `typefaces` as in `vision.drawing.typefaces` (None: those of the machine).
    """

    count: int
    seed: int
    kind: Kind | None = None
    typefaces: Sequence[str] | None = None
    troubles: Troubles = UNTROUBLED


def write_folder(out: Path, wanted: Wanted) -> Iterator[int]:
    """Write pictures (.jpg), what their owners measured (a .toml each) and truth.jsonl; give each number when done.

    The same seed on a machine with the same fonts draws the same pictures. Raises OSError where nothing can be written.
    """
    begin(out)
    for number, situation in enumerate(situations(wanted)):
        add(out, number, situation, draw_with_truth(uncoded(situation.scene)))
        yield number


def begin(out: Path) -> None:
    """Make a folder for pictures, where there is none, and begin its truth anew."""
    out.mkdir(parents=True, exist_ok=True)
    (out / "truth.jsonl").write_text("", encoding="utf-8")


def add(out: Path, number: int, situation: Situation, drawn: Drawn) -> None:
    """Add a picture of a situation to a folder, as a JPEG of its quality, with its table and its truth."""
    name, scene = f"{number:04}.jpg", situation.scene
    write_picture(out, name, drawn.picture, situation.table, scene.photo.quality)
    with (out / "truth.jsonl").open("a", encoding="utf-8") as truths:
        truths.write(as_line(truth_of(scene, drawn, name)))


def situations(wanted: Wanted) -> Iterator[Situation]:
    """Make up what is wanted."""
    for number in range(wanted.count):
        chance = random.Random(f"{wanted.seed}/{number}")  # noqa: S311 - pictures, no secrets
        yield some_scene(chance, wanted.kind, typefaces=wanted.typefaces, troubles=wanted.troubles)


def uncoded(scene: Scene) -> Scene:
    """The same scene without a JPEG's faults: the file is the JPEG, and coding it twice adds what no camera adds."""
    return replace(scene, photo=replace(scene.photo, quality=0))
