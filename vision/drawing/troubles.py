"""What makes a table harder to read than most are; each is laid over a scene that is made up without it."""

import random
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from calibration.table import SLOTS, Card, Rack, Table
from vision.drawing.camera import View, as_point
from vision.drawing.curls import some_curls
from vision.drawing.places import Placed
from vision.drawing.random_stands import leant_forward
from vision.drawing.scene import MatPlace, RackStand, Scene

LEAST_OUT: Final = 0.1
"""Of a rack that is partly out of the picture at least this share of its cards' width is."""


@dataclass(frozen=True)
class Troubles:
    """What is harder than chance has it; nothing is by default.

    Shares, 0..1: `hands` of pictures with a hand in them, `shades` of those with a shadow whose edges are hard,
    `doubles` of slots with two cards, `leaning` of cards that lean forward, `gaps` of slots that are emptied, and
    `filling` of racks that are being filled from the far end, their first one to nine slots free.
    `curled`: mats curl up by up to so many mm. `printed`: mats are printed so many times as large as they should be, or
    up to as large. `pushed`: racks stand up to so many mm off their places. `aside`: of a rack's cards up to such a
    share of their width is out of the picture, at its left or right border. `unmeasured`: the owner measured nothing.
    """

    hands: float = 0.0
    shades: float = 0.0
    doubles: float = 0.0
    leaning: float = 0.0
    gaps: float = 0.0
    filling: float = 0.0
    curled: float = 0.0
    printed: float = 1.0
    pushed: float = 0.0
    aside: float = 0.0
    unmeasured: bool = False


UNTROUBLED: Final = Troubles()


def with_leaning(chance: random.Random, mat: MatPlace, share: float) -> MatPlace:
    """Let a share of a rack's cards lean forward."""
    if not isinstance(mat.stand, RackStand):
        return mat
    slots = tuple(tuple(leant_forward(chance, card, share) for card in cards) for cards in mat.stand.slots)
    return replace(mat, stand=replace(mat.stand, slots=slots))


def troubled(chance: random.Random, scene: Scene, troubles: Troubles) -> Scene:
    """Lay over a scene what neither its light nor its hands are: other slots, places, mats, another camera.

    Nothing is drawn from `chance` for what there is none of, so the rest stays as it is.
    """
    if troubles.curled:
        scene = replace(
            scene, mats=tuple(replace(mat, curls=some_curls(chance, troubles.curled)) for mat in scene.mats)
        )
    if troubles.printed != 1.0:
        printed = chance.uniform(troubles.printed, 1.0)
        scene = replace(scene, mats=tuple(replace(mat, printed=printed) for mat in scene.mats))
    scene = replace(scene, mats=tuple(_standing_otherwise(chance, mat, troubles) for mat in scene.mats))
    return _seen_aside(chance, scene, troubles.aside) if troubles.aside else scene


def of_which_nobody_measured(table: Table) -> Table:
    """Give what is known of a table, by nature or by sight, where its owner took no ruler and calibrated no camera."""
    return Table(Card(), Rack(), table.tray, {}, measured=False)


def _standing_otherwise(chance: random.Random, mat: MatPlace, troubles: Troubles) -> MatPlace:
    stand = mat.stand
    if not isinstance(stand, RackStand):
        return mat
    slots, rack = stand.slots, stand.rack
    if troubles.gaps:
        slots = tuple(() if chance.random() < troubles.gaps else cards for cards in slots)
    if troubles.filling and chance.random() < troubles.filling:
        free = chance.randint(1, SLOTS - 1)
        slots = (*((),) * free, *slots[free:])
    if troubles.pushed:
        x, y = (off + chance.uniform(-troubles.pushed, troubles.pushed) for off in rack.at)
        rack = replace(rack, at=(x, y))
    return replace(mat, stand=replace(stand, slots=slots, rack=rack))


def _seen_aside(chance: random.Random, scene: Scene, most: float) -> Scene:
    """Move the camera to its left or right until the middle of a rack's cards is out of the picture by some share.

    A scene without a rack stays as it is.
    """
    mat, rack = next(((mat, mat.stand.rack) for mat in scene.mats if isinstance(mat.stand, RackStand)), (None, None))
    if mat is None or rack is None:
        return scene
    share = chance.uniform(min(LEAST_OUT, most), most)
    out_at_left = chance.random() < 0.5
    left, border = (share, 0.0) if out_at_left else (1 - share, scene.camera.size[0] - 1.0)
    edge = (rack.at[0] + rack.margin + left * scene.card.width, rack.at[1] + rack.first + 5 * rack.pitch, 55.0)
    point = Placed(mat).world(np.array(edge))
    camera = scene.camera
    for _ in range(3):  # each step leaves a small share of the way, lens and perspective bending it
        view = View(camera)
        step = (float(view.pixels(point)[0]) - border) * float(view.away(point)) / camera.focal * view.axes()[0]
        camera = replace(camera, at=as_point(camera.at + step), to=as_point(camera.to + step))
    return replace(scene, camera=camera)
