"""The truth of a drawn picture in the words of the recorded stills, and folders of pictures with their truth."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import CameraModel, Table
from vision.drawing.picture import Drawn
from vision.drawing.scene import BACK, Scene, TrayStand


def truth_of(scene: Scene, drawn: Drawn, name: str) -> dict[str, Any]:
    """Say what a picture shows, as one line of a truth.jsonl.

    Beside the words of the stills: "numbers" (like "strips", but the printed numbers) and "seen" (the share of each
    number in which nothing stands before it); a slot with two cards has its front card as "card" and both as "two";
    a rack that is not wholly in the picture is in "partly" instead of "racks".
    `px_per_mm` is that of a rack's last card's top edge, without a rack that of the discard's.
    """
    racks: dict[str, list[dict[str, Any]]] = {}
    partly: dict[str, list[dict[str, Any]]] = {}
    strips: dict[str, dict[str, Any]] = {}
    numbers: dict[str, dict[str, Any]] = {}
    seen: dict[str, dict[str, float]] = {}
    for seat, stand in scene.racks():
        whole = _inside(scene, [card.quad[:2] for (at, _, _), card in drawn.cards.items() if at == seat])
        (racks if whole else partly)[str(seat)] = [
            _slot(slot, [card.card for card in cards]) for slot, cards in enumerate(stand.slots)
        ]
        cards = {slot: card for (at, slot, which), card in drawn.cards.items() if at == seat and which == 0}
        strips[str(seat)] = {str(5 * slot + 5): _corners(card.quad) for slot, card in cards.items()}
        shown = {slot: card for slot, card in cards.items() if card.card != BACK}
        numbers[str(seat)] = {str(5 * slot + 5): _corners(card.number) for slot, card in shown.items()}
        seen[str(seat)] = {str(5 * slot + 5): round(card.seen, 3) for slot, card in shown.items()}
    tray = scene.tray()
    camera = scene.camera
    return {
        "image": name,
        "kind": scene.kind,
        "edition": scene.deck.edition,
        "racks": racks,
        "partly": partly,
        "tray": _tray(tray, drawn) if tray else None,
        "strips": strips,
        "numbers": numbers,
        "seen": seen,
        "notes": list(scene.notes),
        "camera": {
            "fx": camera.focal, "fy": camera.focal, "cx": camera.middle[0], "cy": camera.middle[1],
            "k1": camera.distortion[0], "k2": camera.distortion[1], "width": camera.size[0], "height": camera.size[1],
        },
        "px_per_mm": _fineness(scene, drawn),
    }  # fmt: skip


def table_text(table: Table) -> str:
    """Write a measured table as a table.toml (TABLE.md); a rack that nobody measured is left out."""
    rack, card = table.rack, table.card
    lines = ["[card]", f"width = {card.width}", f"height = {card.height}"]
    if table.measured:
        lines += ["", "[rack]", f"at = [{rack.at[0]}, {rack.at[1]}]"]
        keys = ("width", "depth", "height", "pitch", "first", "margin", "floor", "lean")
        lines += [f"{key} = {getattr(rack, key)}" for key in keys]
    lines += ["", "[tray]", f'draw = "{table.tray.draw}"']
    for name, model in table.cameras.items():
        lines += ["", f"[camera.{name}]", *_camera(model)]
    return "\n".join(lines) + "\n"


def write_picture(folder: Path, name: str, picture: NDArray[np.uint8], table: Table, quality: int) -> None:
    """Write a picture (as a JPEG of a quality, 0 the best) and its table.toml; raise OSError where that fails."""
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality or 98])
    (folder / name).write_bytes(data.tobytes())
    (folder / name).with_suffix(".toml").write_text(table_text(table), encoding="utf-8")


def as_line(truth: Mapping[str, Any]) -> str:
    """Give a truth as one line of JSON."""
    return json.dumps(truth) + "\n"


def _camera(model: CameraModel) -> Iterator[str]:
    yield f"size = [{model.size[0]}, {model.size[1]}]"
    rows = ", ".join("[" + ", ".join(f"{value:g}" for value in row) + "]" for row in model.matrix)
    yield f"matrix = [{rows}]"
    yield f"distortion = [{', '.join(f'{value:g}' for value in model.distortion)}]"


def _inside(scene: Scene, edges: list[NDArray[np.float64]]) -> bool:
    """Say whether all of a rack's top edges are in the picture."""
    ends = np.concatenate(edges) if edges else np.zeros((1, 2))
    return bool((ends >= 0).all() and (ends < np.array(scene.camera.size)).all())


def _slot(slot: int, cards: list[int]) -> dict[str, Any]:
    said: dict[str, Any] = {"slot": 5 * slot + 5}
    if not cards:
        return said | {"empty": True}
    said |= {"back": True} if cards[0] == BACK else {"card": cards[0]}
    return said | ({"two": cards} if len(cards) > 1 else {})


def _tray(tray: TrayStand, drawn: Drawn) -> dict[str, Any]:
    said: dict[str, Any] = {"discard": None, "draw": "cards" if tray.draw_pile else "empty", "turned": None}
    if drawn.discard is None or not tray.discard_pile:
        return said
    turned = 180 if 90 < tray.discard_pile[-1].turn % 360 < 270 else 0
    quad, number = _corners(drawn.discard.quad), _corners(drawn.discard.number)
    return said | {
        "discard": drawn.discard.card,
        "turned": turned,
        "quad": quad,
        "number": number,
        "seen": round(drawn.discard.seen, 3),
    }


def _fineness(scene: Scene, drawn: Drawn) -> float | None:
    for seat, _ in scene.racks():
        slots = [slot for (at, slot, _), _ in drawn.cards.items() if at == seat]
        if slots:
            return _per_mm(drawn.cards[seat, max(slots), 0].quad, scene.card.width)
    return _per_mm(drawn.discard.quad, scene.card.width) if drawn.discard else None


def _per_mm(quad: NDArray[np.float64], width: float) -> float:
    return round(float(np.linalg.norm(quad[1] - quad[0])) / width, 2)


def _corners(quad: NDArray[np.float64]) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in quad]
