"""What is to be seen of mats, rack and tray in one picture, in figures, and nothing of what the cards are."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import MAT_SIZE, SLOTS, CameraModel, Table
from device.commands.reading import camera_for
from device.doctor.views import View
from vision.eye import Eye
from vision.found import RackFound
from vision.frame import Frame
from vision.fuse import sure
from vision.look import Reading
from vision.mats import TRAY, Mat, find_mats
from vision.picture import remarks_on
from vision.pose import Pose
from vision.rack.placed import view_rack
from vision.reading.digits import NumberReader
from vision.tray.wells import WELL_CENTRES

GLARE: Final = 250
"""Grey levels from which on nothing of a print can be left."""
STANDING: Final = 3
"""Where a rack stands is said from so many cards on."""
OFF: Final = (0.0, -10.0, 10.0)
CLEARER: Final = 0.3
"""Where else a rack is looked for, in mm to the right; how much better its cards' sides must be seen there. Of 24 drawn
racks with measures 9 mm off all are found so, the least by 0.7 better; with right measures all stay, by 0.7 at least.
"""
LIFT: Final = 60.0
"""About the height in mm of the cards that a camera at a rack looks at."""
WELL: Final = (97.0, 64.0)
NUMBER: Final = 10.0
"""TABLE.md: width and depth of a well; the part of a card below its top edge in which its number is, all in mm."""
READABLE: Final = 0.8
"""So much of what is in view is read surely where nothing hinders; in play a hand or a squeezed card may."""
BORDER: Final = 0.04
"""The share of a mat that must lie beyond a border of the picture for that border to be named."""
FINER: Final = 2
"""A picture without mats is enlarged so many times, to see whether there are some too far away."""


@dataclass(frozen=True)
class MatSight:
    """One mat in a picture: `number` 0 is the tray's, 1..4 the seats'.

    markers: how many of its four are believed. inside: the share of the mat (0..1) that is in the picture; beyond: the
    borders of the picture behind which the rest lies. shown: whether all places where numbers stand are inside.
    scale: pixels a mm where numbers are smallest. elevation: how steeply the camera looks down at it, in degrees;
    around: by how much it stands to the right of the player's own view (left: below 0), in degrees. error: how far its
    markers lie from where the pose puts them, in thousandths of the picture's width (root mean square).

    cards: how many stand in the rack, or are on top of the discard pile. places: the ten slots or the pile, 0 where
    nothing was looked at; surely: how many of them are read, as empty too. away: how far a rack's cards stand to the
    right of and behind where the table says, in mm, None where too few stand there. glare: the part of them without
    any print left.
    """

    number: int
    markers: int
    inside: float = 0.0
    beyond: tuple[str, ...] = ()
    shown: bool = False
    scale: float = 0.0
    elevation: float = 0.0
    around: float = 0.0
    error: float = 0.0
    cards: int = 0
    places: int = 0
    surely: int = 0
    away: tuple[float, float] | None = None
    glare: float = 0.0


@dataclass(frozen=True)
class Sight:
    """One picture, `size` (width, height) in pixels: its mats, words on what hides something, and how it was measured.

    `model` is the table's camera that was taken for this one. far: mats that are seen only when it is enlarged.
    """

    size: tuple[int, int]
    mats: tuple[MatSight, ...]
    remarks: tuple[str, ...]
    model: CameraModel | None
    far: bool = False

    @property
    def readable(self) -> bool:
        """Whether most of what stands there is surely read."""
        places, surely = (sum(getattr(mat, what) for mat in self.mats) for what in ("places", "surely"))
        return bool(places) and surely >= READABLE * places


class Sights:
    """Looks at views, all with one reader; for one thread."""

    def __init__(self) -> None:
        self._reader = NumberReader()

    def of(self, frame: Frame, view: View) -> Sight:
        """Look at a picture of a view; raise PictureError where it is broken."""
        grey = frame.grey
        size = (grey.shape[1], grey.shape[0])
        model = camera_for(view.table, Path(view.label), size)
        eye = Eye(view.table, view.deck, model, self._reader)
        look = eye.look(frame)
        mats = []
        for number, mat in eye.mats.items():
            pose = eye.poses.get(number)
            sight = MatSight(number, len(mat.markers))
            mats.append(sight if pose is None else _lying(sight, mat, pose, view.table, size))
        racks = {rack.seat: rack for rack in eye.racks}
        for at, sight in enumerate(mats):
            if sight.number in racks:
                mats[at] = _loaded(sight, racks[sight.number], look.racks[sight.number])
                if view.table.measured:
                    mats[at] = replace(mats[at], away=_away(frame, racks[sight.number], view.table))
            elif sight.number == TRAY and look.tray is not None and eye.tray is not None:
                surely, cards = sure(look.tray.discard) is not None, eye.tray.discard.state == "card"
                mats[at] = replace(sight, cards=int(cards), places=1, surely=int(surely))
        seen = remarks_on(grey, eye.matters)
        hindered = tuple(word for word in look.remarks if word not in seen)
        return Sight(size, tuple(mats), hindered, model, far=not mats and _far(grey))


def _lying(sight: MatSight, mat: Mat, pose: Pose, table: Table, size: tuple[int, int]) -> MatSight:
    """Add how a mat lies before the camera."""
    width, height = size
    across, deep = (np.linspace(0.0, side, 25) for side in MAT_SIZE)
    x, y = np.moveaxis(pose.project(np.array([[(a, d, 0.0) for a in across] for d in deep])), -1, 0)
    out = {"left": x < 0, "right": x > width - 1, "top": y < 0, "bottom": y > height - 1}
    inside = ~np.logical_or.reduce([*out.values()])
    tops, bottoms = _numbers(mat.number, table)
    places = pose.project(np.concatenate([tops, bottoms]).reshape(-1, 3))
    shown = bool(((places >= 0) & (places <= np.array(size) - 1)).all())
    ends = pose.project(tops)
    scale = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1) / np.linalg.norm(tops[:, 1] - tops[:, 0], axis=1)
    away = pose.camera() - [*(side / 2 for side in MAT_SIZE), 0.0 if mat.number == TRAY else LIFT]
    return replace(
        sight,
        inside=float(inside.mean()),
        beyond=tuple(border for border, beyond in out.items() if beyond.mean() > BORDER),
        shown=shown,
        scale=float(scale.min()),
        elevation=math.degrees(math.atan2(away[2], math.hypot(away[0], away[1]))),
        around=math.degrees(math.atan2(away[0], -away[1])),
        error=1000 * pose.error / width,
    )


def _numbers(number: int, table: Table) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give where numbers stand on a mat, (n, 2, 3) twice in mm: the left and right ends of edges, and below these."""
    if number == TRAY:
        wide, deep = WELL
        ends = [
            [(x - wide / 2, y + side * deep / 2, 0.0), (x + wide / 2, y + side * deep / 2, 0.0)]
            for x, y in WELL_CENTRES.values()
            for side in (-1, 1)
        ]
        return np.array(ends), np.array(ends)
    rack, card = table.rack, table.card
    left, high = rack.at[0] + rack.margin, rack.floor + card.height
    rows = [rack.at[1] + rack.first + slot * rack.pitch for slot in (0, SLOTS - 1)]
    tops = np.array([[(left, y, high), (left + card.width, y, high)] for y in rows])
    return tops, tops - [0.0, 0.0, NUMBER]


def _loaded(sight: MatSight, rack: RackFound, readings: Sequence[Reading]) -> MatSight:
    """Add how well a rack is seen: of its cards only how many there are."""
    strips = [strip for strip in rack.view.strips if strip is not None]
    return replace(
        sight,
        cards=len(strips),
        places=SLOTS,
        surely=sum(sure(reading) is not None for reading in readings),
        glare=float(np.mean([(strip.grey >= GLARE).mean() for strip in strips])) if strips else 0.0,
    )


def _away(frame: Frame, rack: RackFound, table: Table) -> tuple[float, float] | None:
    """Give how far cards stand to the right of and behind where the table says, in mm; None for too few of them.

    Cards are looked for within 5 mm of their place; where the rack is farther off, its cards' sides are seen better if
    it is looked for there.
    """
    best, strongest = None, 0.0
    home = rack.pose.farther_right(-rack.pose.aside)
    for off in OFF:
        moved = replace(table.rack, at=(table.rack.at[0] + off, table.rack.at[1]))
        known = not off and not rack.pose.aside
        view = rack.view if known else view_rack(frame, home, replace(table, rack=moved), aside=False)
        if len(view.fit.standing) >= STANDING and view.sides > strongest:
            best, strongest = (off + view.slide, view.fit.off + view.fit.pose.behind), view.sides + CLEARER
    return best


def _far(grey: NDArray[np.uint8]) -> bool:
    """Whether mats would be seen if the camera were nearer."""
    larger = cv2.resize(grey, None, fx=FINER, fy=FINER, interpolation=cv2.INTER_CUBIC)
    return bool(find_mats(np.asarray(larger, np.uint8)))
