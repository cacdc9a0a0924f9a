"""Where a rack's cards are watched for a change, and where they are in the picture."""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from calibration.table import SLOTS
from vision.changes import Reference, halved
from vision.pose import Pose
from vision.rack.fit import RackView
from vision.rectify import places

WATCHED_ABOVE, WATCHED_BELOW = 1, 6
"""A card is watched at each mm along its top edge, so many mm above and below it: its number, and the edge itself."""


def watch(
    half: NDArray[np.uint8], pose: Pose, view: RackView, slots: Collection[int], before: Reference | None
) -> Reference:
    """Watch in a halved picture where the cards of some slots (0..9) stand now, or would stand where there is none.

    The others are watched where they were `before`; all are, if there is none.
    """
    card = view.fit.table.card
    wanted = sorted(slots) if before is not None else [*range(SLOTS)]
    faces, strips = view.fit.everywhere[wanted], [view.strips[slot] for slot in wanted]
    slides = np.array([view.slide if strip is None else strip.slide for strip in strips])
    corners = faces.points(np.stack([slides, np.full(len(wanted), card.height + WATCHED_ABOVE)], axis=1))
    size = round(card.width), WATCHED_ABOVE + WATCHED_BELOW
    at = places(pose, corners, faces.along, -faces.up, size, 1.0)
    seen = halved(np.stack(at, axis=-1).reshape(size[1], len(wanted), size[0], 2).swapaxes(0, 1))
    points = np.empty((SLOTS, size[0] * size[1], 2), np.float32) if before is None else before.points.copy()
    points[wanted] = seen.reshape(len(wanted), -1, 2)
    return Reference.at(half, points)


def quads(view: RackView, slots: Collection[int]) -> NDArray[np.float64]:
    """Give the corners in the picture, (n, 4, 2), of the cards that stand in some slots (0..9), or would."""
    if not slots:
        return np.empty((0, 4, 2))
    card, faces = view.fit.table.card, view.fit.everywhere[sorted(slots)]
    corners = np.array([[0.0, card.height], [card.width, card.height], [card.width, 0.0], [0.0, 0.0]])
    return np.asarray(view.fit.pose.project(faces.points(corners[:, None])).swapaxes(0, 1))
