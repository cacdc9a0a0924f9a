"""Which slot the frontmost card stands in: where its face goes down behind the rack's own plastic.

A card's top edge that is a pitch off may be a lean of twelve degrees or the next slot. The place where its face
vanishes in the rack is no question of lean: there the card is as high as the rack, at its slot.
"""

import math

import numpy as np
from numpy.typing import NDArray

from calibration.table import SLOTS, Table
from vision.pose import Pose
from vision.rack.edges import EdgeLine
from vision.rack.planes import ACROSS, ASIDE, TopPlane
from vision.rectify import SCALE, flatten

DENSE = 2.0
"""Pixels a mm of the picture of the level at which the rack ends."""
FROM_LEFT, WIDE = 3.0, 43.0
"""It is looked at from so many mm right of the cards' left side on, and so wide: there is rack below all cards."""
BLOCK = (-9.0, -3.0)
"""The rack's own front, in mm from slot 5: plastic that no card hides."""
BELOW_EDGE = (3.0, 10.0)
"""A card's own colour is taken so many mm below its top edge, as it appears at the rack's level."""
CONTRAST = 12.0
"""Plastic and card must differ by so many grey levels to be told apart."""
BEHIND, BEHIND_SPREAD = 2.2, 2.6
"""A card vanishes so many mm behind its slot's middle by the measures, since the slot is wide and cards lean on its
back; with its standard deviation, which holds the rack's own place on the mat (2 mm), too."""
ODD = 0.02
"""Share of pictures in which what is seen there is something else: a hand, a shadow, a logo."""
PATIENCE = 0.7
"""So many mm of contrary colour make another place e times less likely: neighbouring rows are no free witnesses."""
SMOOTH = 0.05
"""A boundary without a step has this weight beside one with a step from plastic to card: shadows have none."""


CARD_BEHIND = (3.0, 6.0)
"""Where the first slot is empty, the rack's plastic is seen so many mm behind it; ..."""
OTHER_HUE, BRIGHTER, DARK = 8.0, 0.1, 12.0
"""... a card leans over it where its colour is turned by so many degrees from the front's, in BGR, or brighter by so
much, a logarithm, grey levels that much being added: shadows make plastic darker in all channels alike, and what is
dark has no hue. Of 229 drawn racks whose first slot was rightly told to be empty it was so in 14, of 193 in which a
card leant out of it, by 9 or 12 degrees more than the others, in 133; of 238 and 173 others in 24 and 120. Compared
channel by channel, as logarithms, it was 26 and 130, 28 and 116: in the shadow of saturated plastic its darkest channel
is no darker."""


def front_slot(
    picture: NDArray[np.uint8], pose: Pose, table: Table, plane: TopPlane, line: EdgeLine
) -> NDArray[np.float64] | None:
    """Weigh in which slot the card with a top edge stands, the frontmost of its rack: (SLOTS,) likelihoods.

    They are relative to a boundary anywhere. None where card and rack cannot be told apart.
    """
    rack = table.rack
    near, step = rack.at[1] + rack.first + BLOCK[0], 1 / DENSE
    edge = plane.far - line.row((ASIDE + FROM_LEFT + WIDE / 2) * ACROSS) / SCALE
    far = pose.at_level((0.0, edge, plane.height), rack.height)[1] - BELOW_EDGE[0]
    length = round((far - near) * DENSE)
    if length < round((BELOW_EDGE[1] - BLOCK[0]) * DENSE):
        return None
    level = _level(picture, pose, table, far)
    rows, block = _rows_and_block(level)
    face = np.median(rows[-round((BELOW_EDGE[1] - BELOW_EDGE[0]) * DENSE) :], axis=0)
    between = block - face
    if float(np.linalg.norm(between)) < CONTRAST or not level[:2].any():
        return None
    plastic = np.clip((rows - face) @ between / (between @ between), 0.0, 1.0) - 0.5
    # plastic before the boundary, card behind it
    score = 2 * step * (np.cumsum(plastic) - plastic.sum() / 2) / PATIENCE
    jump = np.zeros(length)
    jump[2:-2] = np.linalg.norm(rows[4:] - rows[:-4], axis=1) / np.linalg.norm(between)
    weights = np.exp(score - score.max()) * (SMOOTH + jump)
    weights /= weights.sum()
    places = BLOCK[0] + (np.arange(length) + 1) * step
    off = places[None, :] - BEHIND - np.arange(SLOTS)[:, None] * rack.pitch
    bells = np.exp(-0.5 * (off / BEHIND_SPREAD) ** 2) / (np.sqrt(2 * np.pi) * BEHIND_SPREAD) * rack.pitch
    return np.asarray(ODD + (1 - ODD) * bells @ weights)


def leans_out(picture: NDArray[np.uint8], pose: Pose, table: Table) -> bool:
    """Tell whether a card leans over what is behind the first slot, so that this is not empty though it seems so.

    `picture` is BGR. Where that is not in the picture, or a card has the rack's colour, it is not told.
    """
    behind = table.rack.at[1] + table.rack.first + CARD_BEHIND[1]
    rows, block = _rows_and_block(_level(picture, pose, table, behind))
    there = np.median(rows[-round((CARD_BEHIND[1] - CARD_BEHIND[0]) * DENSE) :], axis=0)
    if not (there.any() and block.any()):
        return False
    front = block / np.linalg.norm(block)
    seen = there + DARK * front
    turned = math.degrees(math.acos(min(float(seen @ front) / float(np.linalg.norm(seen)), 1.0)))
    return turned > OTHER_HUE or float(np.log((there + DARK) / (block + DARK)).mean()) > BRIGHTER


def _level(picture: NDArray[np.uint8], pose: Pose, table: Table, far: float) -> NDArray[np.uint8]:
    """Flatten the level at which the rack ends, the nearest row first: from its own front to `far` (y on the mat)."""
    rack = table.rack
    near, corner = rack.at[1] + rack.first + BLOCK[0], (rack.at[0] + rack.margin + FROM_LEFT, far, rack.height)
    right, nearer = np.array([1.0, 0.0, 0.0]), np.array([0.0, -1.0, 0.0])
    size = round(WIDE * DENSE), round((far - near) * DENSE)
    return flatten(picture, pose, np.array(corner), right, nearer, size, DENSE)[::-1]


def _rows_and_block(level: NDArray[np.uint8]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give the colour of each row of a level, and that of the rack's own front.

    The median over columns passes over numbers and logos.
    """
    rows = np.median(level, axis=1)
    return rows, np.median(rows[: round((BLOCK[1] - BLOCK[0]) * DENSE)], axis=0)
