"""Hands and arms over the table: rounded limbs, lit like all else."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.drawing.camera import unit
from vision.drawing.canvas import linear
from vision.drawing.decks import Colour
from vision.drawing.light import UP, Floats
from vision.drawing.scene import Hand
from vision.drawing.studio import Studio

ARM, WRIST, PALM, FINGER, TIP = 40.0, 27.0, 17.0, 9.0, 7.0
"""Radii in mm: an arm near its elbow in a sleeve, a wrist, a palm's halves, a finger at its root and at its tip."""
OWNER = 65535
"""The owner of pixels where a hand is seen."""


@dataclass(frozen=True)
class Limb:
    """A rounded piece between two points of the world, with a radius in mm at each."""

    start: Floats
    end: Floats
    radii: tuple[float, float]
    colour: Colour


def limbs(hand: Hand) -> tuple[Limb, ...]:
    """Give a hand's limbs: the arm, the palm, four fingers that bend down by `grip`, and the thumb."""
    elbow, wrist = np.array(hand.elbow), np.array(hand.wrist)
    ahead = unit((wrist - elbow) * [1, 1, 0.4])
    side = unit(np.cross(ahead, [0.0, 0.0, 1.0])) * (-1 if hand.left else 1)
    down = np.array([0.0, 0.0, -1.0])
    cuff = elbow + (wrist - elbow) * 0.8
    cloth = hand.sleeve if hand.sleeve is not None else hand.skin
    thick = 1.0 if hand.sleeve is not None else 0.85
    parts = [
        Limb(elbow, cuff, (ARM * thick, (WRIST + 7) * thick), cloth),
        Limb(elbow + (wrist - elbow) * 0.7, wrist, (WRIST, WRIST - 2), hand.skin),
    ]
    if hand.sleeve is not None:
        parts.reverse()
    reach, spread = hand.reach, np.radians(hand.spread)
    for finger in range(4):
        off = (finger - 1.5) * 17.0
        root = wrist + ahead * reach * 0.95 + side * off
        parts.append(Limb(wrist + side * off * 0.55, root, (PALM + 4, PALM - 4), hand.skin))
        way = unit(ahead + side * np.tan(spread * (finger - 1.5) / 1.5))
        middle = root + (way * (1 - hand.grip * 0.5) + down * hand.grip) * reach * 0.5
        tip = middle + (way * (1 - hand.grip) + down * hand.grip * 1.3) * reach * 0.38
        parts += [Limb(root, middle, (FINGER + 1, FINGER), hand.skin), Limb(middle, tip, (FINGER, TIP), hand.skin)]
    thumb = wrist + ahead * reach * 0.35 - side * 28
    bent = thumb + (ahead - side * 0.45 + down * 0.5 * hand.grip) * reach * 0.4
    parts += [Limb(wrist, thumb, (PALM + 3, PALM - 3), hand.skin)]
    end = bent + (ahead + down * hand.grip) * 26
    parts += [Limb(thumb, bent, (12.0, 10.0), hand.skin), Limb(bent, end, (10.0, 7.5), hand.skin)]
    return tuple(parts)


def shadows(hand: Hand) -> list[Floats]:
    """Give outlines (n, 3) of a hand's limbs, mm of the world, for its shadow on the table."""
    outlines = []
    for limb in limbs(hand):
        way = unit((limb.end - limb.start) * [1, 1, 0])
        side = np.array([-way[1], way[0], 0.0])
        outlines.append(
            np.array([
                limb.start + side * limb.radii[0], limb.start - side * limb.radii[0],
                limb.end - side * limb.radii[1], limb.end + side * limb.radii[1], limb.end + way * limb.radii[1],
            ])
        )  # fmt: skip
    return outlines


def draw_hand(studio: Studio, hand: Hand) -> None:
    """Draw a hand, its farthest limbs first."""
    for limb in sorted(limbs(hand), key=lambda part: -float(studio.view.away((part.start + part.end) / 2))):
        _draw_limb(studio, limb)


def _draw_limb(studio: Studio, limb: Limb) -> None:
    view = studio.view
    ends = np.stack([limb.start, limb.end])
    away = view.away(ends)
    if (away < 60).any():
        return
    flat = view.canvas(ends)
    radii = np.array(limb.radii) * view.camera.focal / away
    box = studio.canvas.box_of(np.concatenate([flat - radii[:, None], flat + radii[:, None]]))
    if box is None:
        return
    x0, y0, x1, y1 = box
    step = 2 if (x1 - x0) * (y1 - y0) > 20_000 else 1
    xs, ys = np.arange(x0, x1, step, dtype=np.float32), np.arange(y0, y1, step, dtype=np.float32)[:, None]
    start, way = flat[0].astype(np.float32), (flat[1] - flat[0]).astype(np.float32)
    along = ((xs - start[0]) * way[0] + (ys - start[1]) * way[1]) / max(float(way @ way), 1e-6)
    along = np.clip(along, 0, 1)
    dx, dy = xs - start[0] - along * way[0], ys - start[1] - along * way[1]
    radius = np.float32(radii[0]) + along * np.float32(radii[1] - radii[0])
    off = np.sqrt(dx * dx + dy * dy)
    nx, ny = dx / radius, dy / radius
    nz = np.sqrt(np.clip(1 - nx * nx - ny * ny, 0, 1))
    middle = (limb.start + limb.end) / 2
    shade = _round_light(studio, middle, (nx, ny, nz))
    drawn = np.empty((*off.shape, 4), np.float32)
    drawn[..., 3] = np.clip((radius - off) / step + 0.5, 0, 1)
    drawn[..., :3] = shade * linear(limb.colour) * drawn[..., 3:]
    if step > 1:
        drawn = np.asarray(cv2.resize(drawn, (x1 - x0, y1 - y0), interpolation=cv2.INTER_LINEAR), np.float32)
    studio.canvas.lay(x0, y0, drawn, OWNER)


def _round_light(studio: Studio, place: Floats, normal: tuple[Floats, Floats, Floats]) -> Floats:
    """Give the light (h, w, 3) on a round limb from its normals in the camera's frame (right, down, to the eye)."""
    nx, ny, nz = normal
    view, light = studio.view, studio.light
    right, down, forward = view.axes()
    up = nx * right[2] + ny * down[2] - nz * forward[2]
    total = (0.65 + 0.35 * up)[..., None] * light.ambient(UP).astype(np.float32)
    for lamp in light.lamps:
        way = unit(np.array(lamp.at) - place)
        slant = np.clip(nx * float(way @ right) + ny * float(way @ down) - nz * float(way @ forward), 0, 1)
        strength = light.direct(lamp, place[None], way)[0].astype(np.float32)
        total = total + slant[..., None] * strength
    return np.asarray(total, np.float32)
