"""`racko read`: what stands in a picture, or in a cut-out of one card's number."""

import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from calibration.table import CameraModel, Table, TableError, read_table
from engine.cards import SLOTS, Card
from engine.errors import BadInput
from engine.events import Json
from vision.dump import dump_stages
from vision.eye import Eye
from vision.frame import Frame
from vision.fuse import best, sure
from vision.look import Look, Reading
from vision.picture import is_picture, load_picture, save_picture
from vision.reading.digits import NumberReader
from vision.show import draw_over

CANDIDATES: Final = 4
"""How many of the likeliest cards are told where none is sure, ..."""

MAY_BE: Final = 0.01
"""...if they are so likely at least."""


@dataclass(frozen=True)
class Drawings:
    """Where to leave pictures for people: what was seen, drawn over the picture, and what each stage made of it."""

    show: Path | None = None
    stages: Path | None = None


def read_pictures(
    images: Sequence[Path], measured: Path | None, deck: Sequence[Card], drawings: Drawings, *, as_json: bool
) -> int:
    """Read whole pictures, one after the other; return the exit code, 2 if one could not be opened.

    `measured` is the table's file; without it each picture's is looked for beside it. Raises TableError where that
    which was named cannot be read.
    """
    if drawings.show is not None and len(images) == 1 and not is_picture(drawings.show):
        raise BadInput(f"--show {drawings.show}: name a .jpg or .png file")
    reader = NumberReader()
    named = None if measured is None else read_table(measured)
    failed = False
    for image, name in zip(images, _names(images), strict=True):
        file = measured or measured_for(image)
        try:
            table = named or (Table() if file is None else read_table(file))
            frame = Frame.load(image)
            size = (frame.colour.shape[1], frame.colour.shape[0])
        except TableError as problem:
            failed = True
            _say_error(image, problem, as_json=as_json)
            continue
        began = time.perf_counter()
        eye = Eye(table, deck, camera_for(table, image, size), reader)
        look = eye.look(frame)
        seconds = time.perf_counter() - began
        if drawings.stages is not None:
            dump_stages(drawings.stages / name, frame.colour, eye)
        if drawings.show is not None:
            # one picture goes into the file that was named, several into a folder of that name
            drawn = drawings.show if len(images) == 1 else drawings.show / f"{name}.jpg"
            save_picture(draw_over(frame.colour, eye, look), drawn)
        if as_json:
            print(json.dumps({"image": image.name, **look_as_json(look), "seconds": round(seconds, 3)}), flush=True)
        else:
            how = "usual measures, and what full racks tell" if file is None else f"measured in {file.name}"
            print(*look_in_words(f"{image.name} ({how})", look), sep="\n", flush=True)
    return 2 if failed else 0


def _names(images: Sequence[Path]) -> list[str]:
    """Names for what is drawn of each image: its own, with its folder's before it where several have the same."""
    stems = [image.stem for image in images]
    return [
        stem if stems.count(stem) == 1 else f"{image.resolve().parent.name}-{stem}"
        for image, stem in zip(images, stems, strict=True)
    ]


def measured_for(image: Path) -> Path | None:
    """The file of the table that an image shows: of its own name, or its folder's, or its session's; None without.

    `still.toml` belongs to `still.jpg`, and a recorded session has one `table.toml` for all its `frames/CAMERA/*.jpg`.
    """
    session = image.resolve().parents[2:3]
    folders = (image.parent, *(folder for folder in session if (folder / "session.json").is_file()))
    files = (image.with_suffix(".toml"), *(folder / "table.toml" for folder in folders))
    return next((file for file in files if file.is_file()), None)


def camera_for(table: Table, image: Path, size: tuple[int, int]) -> CameraModel | None:
    """The measured camera that took an image: the one named in its path, else the only one of that shape, else none."""
    for part in reversed(image.parts):
        if part in table.cameras:
            return table.cameras[part]
    width, height = size
    fitting = [camera for camera in table.cameras.values() if camera.size[0] * height == camera.size[1] * width]
    return fitting[0] if len(fitting) == 1 else None


def read_cutouts(images: Sequence[Path], deck: Sequence[Card], *, as_json: bool) -> int:
    """Read cut-outs of single numbers; return the exit code, 2 if one could not be opened."""
    reader = NumberReader()
    failed = False
    for image in images:
        try:
            chances = reader.read_cutout(load_picture(image, smallest=1))
        except TableError as problem:
            failed = True
            _say_error(image, problem, as_json=as_json)
            continue
        reading = Reading({card: float(chances[card]) for card in deck})
        if as_json:
            print(json.dumps({"image": image.name, **reading_as_json(reading)}), flush=True)
        else:
            print(f"{image.name}: {in_short(reading)}", flush=True)
    return 2 if failed else 0


def _say_error(image: Path, problem: TableError, *, as_json: bool) -> None:
    words = " ".join(str(problem).split())
    if as_json:
        print(json.dumps({"image": image.name, "error": words}), flush=True)
    else:
        print(f"racko: {words}", file=sys.stderr)


def reading_as_json(reading: Reading) -> Json:
    """One place in the words of the README (Formats): a card, empty, a back, or null with its candidates."""
    ranked = sorted(reading.cards.items(), key=lambda item: (-item[1], item[0]))
    card, chance = ranked[0] if ranked else (0, 0.0)
    said = sure(reading)
    if said == ("card", card):
        return {"card": card, "confidence": round(chance, 3)}
    if said is not None:
        return {said[0]: True, "confidence": round(best(reading)[2], 3)}
    candidates = {str(other): round(likely, 3) for other, likely in ranked[:CANDIDATES] if likely >= MAY_BE}
    return {"card": None, "confidence": round(max(chance, reading.empty, reading.back), 3), "candidates": candidates}


def look_as_json(look: Look) -> Json:
    """A look in the words of the README (Formats)."""
    racks = {
        str(seat): [{"slot": slot, **reading_as_json(reading)} for slot, reading in zip(SLOTS, readings, strict=True)]
        for seat, readings in sorted(look.racks.items())
    }
    tray = None if look.tray is None else {"discard": reading_as_json(look.tray.discard), "draw": look.tray.draw}
    said: Json = {"racks": racks, "tray": tray}
    return said | {"remarks": list(look.remarks)} if look.remarks else said


def in_short(reading: Reading) -> str:
    """A reading in a few words: "17", "empty", "back", "not sure (33 or 38)", "not sure (17 or a back)"."""
    said = reading_as_json(reading)
    if said.get("empty"):
        return "empty"
    if said.get("back"):
        return "back"
    if said["card"] is not None:
        return str(said["card"])
    others = sorted(((reading.empty, "empty"), (reading.back, "a back")), reverse=True)
    candidates = " or ".join([*said["candidates"], *(what for chance, what in others if chance >= MAY_BE)])
    return f"not sure ({candidates})" if candidates else "not sure"


def look_in_words(name: str, look: Look) -> list[str]:
    """A look for people: a line a rack, from slot 5 to 50, and a line for the tray."""
    lines = [f"{name}:"]
    for seat, readings in sorted(look.racks.items()):
        cards = [f"{slot}: {in_short(reading)}" for slot, reading in zip(SLOTS, readings, strict=True)]
        lines.append(f"  rack of seat {seat}   " + "   ".join(cards))
    if look.tray is not None:
        draw = {"cards": "there", "empty": "used up", None: "not sure"}[look.tray.draw]
        lines.append(f"  tray   discard pile: {in_short(look.tray.discard)}   draw pile: {draw}")
    lines.extend(f"  {remark}" for remark in look.remarks)
    return lines
