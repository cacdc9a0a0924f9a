"""From a picture to a Look, from top to bottom: mats, pose, strips, numbers, place, and all of it together."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from calibration.table import SLOTS, CameraModel, Table
from vision.digits import NumberReader
from vision.dump import dump_stages
from vision.found import Found, RackFound, Scene, TrayFound
from vision.fuse import Evidence, Number, fuse
from vision.look import Look, TrayLook
from vision.mats import TRAY, Mat, find_mats
from vision.numbers import RACK_BAND, TRAY_BAND, Ink, common_height, cut_number, find_ink
from vision.picture import grey_of, remarks_on
from vision.planes import ASIDE, SCALE
from vision.pose import Lens, Pose, lens_of, pose_of
from vision.slots import back_weight, empty_weight, is_card, trust_in
from vision.strips import ABOVE, RackView, view_rack, without
from vision.tray import MARGIN, Well, look_into

PLACE_IN_RACK, PLACE_IN_TRAY = 1.0, 3.0
"""How well, in mm, a numeral's place on its card is known: of a loose pile the card's own sides are known badly."""
TRUST_IN_TRAY = 0.985
"""A tray's card may lie askew on a loose pile, and another card's number may peep out from under it."""
TRUST_IF_UNCLEAR = 0.95
"""Likewise where the card's own outline is not seen well: glare, or a hand near it."""
READ = 0.5
"""A crop that is "no number" with less than this has a number in it."""
STRIP_ORIGIN = (ASIDE * SCALE, ABOVE * SCALE)
FACE_ORIGIN = (MARGIN * SCALE, MARGIN * SCALE)


def look_at(  # noqa: PLR0913, PLR0917 - the recipe's ingredients; the folder to dump to is for people only
    picture: NDArray[np.uint8],
    table: Table,
    deck: Sequence[int],
    camera: CameraModel | None,
    reader: NumberReader,
    dump: Path | None = None,
) -> Look:
    """Look at one BGR picture (height, width, 3).

    `deck` holds the cards in play; `camera` is None where it is not calibrated. With `dump`, a folder, each stage
    leaves its picture there.
    """
    grey = grey_of(picture)
    remarks = list(remarks_on(grey))
    mats = find_mats(grey)
    lens, _ = lens_of(mats, (picture.shape[1], picture.shape[0]), camera)
    racks: list[RackFound] = []
    tray: TrayFound | None = None
    for mat in mats:
        pose, words = _pose(mat, lens)
        remarks += words
        if pose is None:
            continue
        if mat.number == TRAY:
            tray = find_in_tray(picture, pose, table)
        else:
            racks.append(find_in_rack(picture, mat.number, pose, table))
    if not mats:
        remarks.append("no mat in view")
    look = _read(Scene(picture, table, racks, tray), deck, reader)
    if dump is not None:
        dump_stages(dump, picture, mats, racks, tray)
    return Look(look.racks, look.tray, tuple(remarks))


def find_in_rack(picture: NDArray[np.uint8], seat: int, pose: Pose, table: Table) -> RackFound:
    """Cut a rack's strips and find where their numbers may stand."""
    view = view_rack(picture, pose, table)
    inks = _inks(view, table)
    ghosts = [
        slot
        for slot, (strip, found) in enumerate(zip(view.strips, inks, strict=True))
        if strip is not None and not found and not is_card(strip)
    ]
    if ghosts:
        view = without(view, ghosts, picture, pose, table)
        inks = _inks(view, table)
    height = common_height([ink[0] for ink in inks if ink])
    slots = tuple(
        tuple(Found(ink, cut_number(strip.grey(), STRIP_ORIGIN, ink, height)) for ink in found) if strip else ()
        for strip, found in zip(view.strips, inks, strict=True)
    )
    return RackFound(seat, pose, view, slots)


def _inks(view: RackView, table: Table) -> list[tuple[Ink, ...]]:
    return [
        find_ink(strip.grey(), STRIP_ORIGIN, strip.shown, table.card.width, RACK_BAND) if strip else ()
        for strip in view.strips
    ]


def find_in_tray(picture: NDArray[np.uint8], pose: Pose, table: Table) -> TrayFound:
    """Look into both wells and find where the discard pile's number may stand.

    It is along the far edge of the card or, upside down, along the near one: a card lies at 0 or 180 degrees.
    """
    draw = look_into(picture, pose, table, table.tray.draw)
    discard = look_into(picture, pose, table, "right" if table.tray.draw == "left" else "left")
    numbers: list[Found] = []
    if discard.face is not None:
        grey = grey_of(discard.face)
        for view in (grey, np.ascontiguousarray(grey[::-1, ::-1])):
            shown = np.full(view.shape[1], table.card.height)
            inks = find_ink(view, FACE_ORIGIN, shown, table.card.width, TRAY_BAND)[:2]
            numbers += [Found(ink, cut_number(view, FACE_ORIGIN, ink, common_height([ink]))) for ink in inks]
    return TrayFound(draw, discard, tuple(numbers))


def _pose(mat: Mat, lens: Lens) -> tuple[Pose | None, list[str]]:
    name = "the tray's mat" if mat.number == TRAY else f"seat {mat.number}'s mat"
    pose = pose_of(mat, lens)
    if pose is None:
        return None, [f"{name}: its markers make no sense; lay it flat and show it whole"]
    return pose, [f"{name}: only one marker in view; show more of it"] if len(mat.markers) < 2 else []


def _read(scene: Scene, deck: Sequence[int], reader: NumberReader) -> Look:
    """Read all crops of a picture at once and put the evidence of all its places together."""
    racks, tray = scene.racks, scene.tray
    slots = [slot for rack in racks for slot in rack.slots] + ([tray.numbers] if tray else [])
    answers = reader.read([found.crop for slot in slots for found in slot])
    ends = np.cumsum([len(slot) for slot in slots])
    by_place = [answers[end - len(slot) : end] for slot, end in zip(slots, ends, strict=True)]
    evidence: list[Evidence] = []
    for place, rack in enumerate(racks):
        evidence += _in_rack(scene, rack, by_place[SLOTS * place : SLOTS * (place + 1)])
    if tray is not None:
        evidence.append(_on_pile(tray, by_place[-1]))
    readings = fuse(evidence, deck)
    by_seat = {rack.seat: readings[SLOTS * place : SLOTS * (place + 1)] for place, rack in enumerate(racks)}
    return Look(by_seat, TrayLook(readings[-1], _draw(tray.draw)) if tray else None)


def _in_rack(scene: Scene, rack: RackFound, answers: Sequence[NDArray[np.float64]]) -> list[Evidence]:
    """Give the evidence of a rack's slots from the reader's answers, (possible numbers, 61) each."""
    strips, which = rack.view.strips, rack.view.which
    read = [bool(len(answer)) and float(answer[:, 0].min()) < READ for answer in answers]
    faces = [strip for strip, good in zip(strips, read, strict=True) if strip is not None and good]
    evidence = []
    for slot, (strip, found, answer) in enumerate(zip(strips, rack.slots, answers, strict=True)):
        if strip is None:
            empty = empty_weight(scene.picture, rack.pose, scene.table, rack.view, slot)
            evidence.append(Evidence(empty=which * empty))
            continue
        numbers = [
            Number(row, item.ink.left, which * trust_in(strip, item.ink), PLACE_IN_RACK)
            for item, row in zip(found, answer, strict=True)
        ]
        numbers.sort(key=lambda number: float(number.probabilities[0]))
        evidence.append(
            Evidence(tuple(numbers), back=0.0 if read[slot] else which * strip.belongs * back_weight(strip, faces))
        )
    return evidence


def _on_pile(tray: TrayFound, answers: NDArray[np.float64]) -> Evidence:
    """Give the evidence of the discard pile's top."""
    trust = TRUST_IN_TRAY if tray.discard.state == "card" else TRUST_IF_UNCLEAR
    numbers = [
        Number(row, item.ink.left, trust, PLACE_IN_TRAY) for item, row in zip(tray.numbers, answers, strict=True)
    ]
    numbers.sort(key=lambda number: float(number.probabilities[0]))
    return Evidence(tuple(numbers), empty=0.97 if tray.discard.state == "plain" else 0.0)


def _draw(well: Well) -> Literal["cards", "empty"] | None:
    """Say whether there is a draw pile; None where its well cannot be seen well enough."""
    if well.state == "card":
        return "cards"
    return "empty" if well.state == "plain" else None
