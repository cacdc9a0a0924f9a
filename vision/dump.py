"""Draws what each stage of the recipe saw, for people who want to know why."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.eye import Eye
from vision.found import RackFound
from vision.picture import save_picture
from vision.rack.planes import ASIDE
from vision.rack.strips import ABOVE
from vision.reading.numbers import Ink
from vision.rectify import SCALE

RED, GREEN, YELLOW = (0, 0, 255), (0, 200, 0), (0, 255, 255)


def dump_stages(folder: Path, picture: NDArray[np.uint8], eye: Eye) -> None:
    """Write the stages' pictures into a folder: markers and cards found, rectified racks, strips, wells and crops."""
    found = picture.copy()
    for mat in eye.mats.values():
        for corners in mat.markers.values():
            for x, y in corners[np.isfinite(corners).all(axis=1)]:
                cv2.circle(found, (round(x), round(y)), 4, GREEN, 2)
    for rack in eye.racks:
        _dump_rack(folder, rack, found)
    tray = eye.tray
    if tray is not None:
        _write(folder, "tray-wells", np.hstack([_in_colour(well.view) for well in (tray.draw, tray.discard)]))
        if tray.discard.quad is not None:
            cv2.polylines(found, [np.round(tray.discard.quad).astype(np.int32)], isClosed=True, color=RED)
        _write_crops(folder, "tray-crops", [item.crop for item in tray.numbers])
    _write(folder, "found", found)


def _in_colour(view: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return view if view.ndim == 3 else np.asarray(cv2.cvtColor(view, cv2.COLOR_GRAY2BGR), np.uint8)


def _dump_rack(folder: Path, rack: RackFound, found: NDArray[np.uint8]) -> None:
    """Write a rack's plane of top edges, its strips and its crops, and draw its cards into the picture `found`."""
    strips = [strip for strip in rack.view.strips if strip is not None]
    for strip in strips:
        cv2.polylines(found, [np.round(strip.quad[[3, 0, 1, 2]]).astype(np.int32)], isClosed=False, color=RED)
    top = rack.view.top.copy()
    for slot, line in enumerate(rack.view.lines):
        if line is not None:
            ends = [(x, round(line.row(x))) for x in (0, top.shape[1] - 1)]
            cv2.line(top, ends[0], ends[1], RED, 1)
            cv2.putText(top, f"{5 * slot + 5} {line.strength:.2f}", ends[0], 0, 0.4, YELLOW)
    _write(folder, f"rack{rack.seat}-top", top)
    drawn = [_with_ink(strip.grey, [item.ink for item in rack.slots[strip.slot]]) for strip in reversed(strips)]
    if drawn:
        _write(folder, f"rack{rack.seat}-strips", np.vstack(drawn))
    _write_crops(folder, f"rack{rack.seat}-crops", [item.crop for slot in rack.slots for item in slot])


def _with_ink(grey: NDArray[np.uint8], inks: Sequence[Ink]) -> NDArray[np.uint8]:
    drawn = np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)
    for ink in inks:
        corner = (round((ink.left + ASIDE) * SCALE), round((ink.top + ABOVE) * SCALE))
        other = (round((ink.right + ASIDE) * SCALE), round((ink.bottom + ABOVE) * SCALE))
        cv2.rectangle(drawn, corner, other, GREEN, 1)
    return drawn


def _write_crops(folder: Path, name: str, crops: Sequence[NDArray[np.uint8]]) -> None:
    if crops:
        _write(folder, name, np.hstack(crops))


def _write(folder: Path, name: str, picture: NDArray[np.uint8]) -> None:
    save_picture(picture, folder / f"{name}.png")
