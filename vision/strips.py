"""Cuts the upper strip of each card of a rack out of a picture: where its sides are, and what of it is in view."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Card
from vision.edges import EdgeLine
from vision.frame import Frame
from vision.planes import ASIDE, SCALE, CardPlane, flatten
from vision.pose import Pose

ABOVE = 3.0
BELOW = 14.0
"""A strip shows so many mm above and below a card's top edge."""
SIDE_SPREAD = 1.6
"""Standard deviation in mm of a card's slide in its slot, about the rack's common offset."""
SIDE_WEIGHT = 4.0
"""How much the logarithm of an edge's contrast counts against the likelihood of a slide."""
STEP = 1.5
"""A side edge is the step between the means of so many mm to its left and right."""
COLUMN = 0.5
BANDS, BAND_ROWS = 5, 1.5
"""Sides are sought in columns so many mm wide, and in so many bands of rows, of which there are so many a mm."""
SIDE_REACH = 5.0
"""Cards are searched so far, in mm, to both sides of where the rack's measures put them."""
SLIDES = np.asarray(np.arange(-round(SIDE_REACH / COLUMN), round(SIDE_REACH / COLUMN) + 1) * COLUMN, np.float64)
CLEAR_OF_EDGE, DEEPEST = 0.8, 9.0
"""They are sought from so many mm below the top edge on, as deep as the card is in view, but no deeper than this."""
HIDING = 3
"""No more than so many cards before a card hide parts of its strip."""


@dataclass(frozen=True, eq=False)
class Strip:
    """One card's upper strip, rectified in the card's own plane.

    `grey` is (rows, columns) at SCALE px a mm: the card's top edge is at row ABOVE * SCALE and its left edge at column
    ASIDE * SCALE. `shown` gives, for each column, how many mm of the card below its top edge no nearer card
    hides. `quad` is (4, 2): the card's corners in the picture, from its top left clockwise. `edge` (0..1) says how
    much of the top edge, and `sides` how strongly both side edges, were really seen; `slide` is how far, in mm, the
    card stands to the right of where the rack's measures put it, and `doubt` its standard deviation. `belongs` (0..1):
    how sure it is that this is the slot's card and not a slot's beside.
    """

    slot: int
    grey: NDArray[np.uint8]
    shown: NDArray[np.float64]
    quad: NDArray[np.float64]
    edge: float
    sides: float
    slide: float
    doubt: float
    belongs: float


@dataclass(frozen=True)
class Cut:
    """A strip before its card's sides are known: SIDE_REACH mm wider at both ends, and `scores` of slides.

    `scores` say how strong both sides are for slides from -SIDE_REACH to SIDE_REACH mm in steps of COLUMN mm.
    """

    grey: NDArray[np.uint8]
    shown: NDArray[np.float64]
    scores: NDArray[np.float64]

    def slide(self, common: float, spread: float = SIDE_SPREAD) -> tuple[float, float, float]:
        """Choose the slide in mm about a common one; give it, the strength of the card's sides there, and its doubt.

        The doubt is a standard deviation in mm: where other sides are nearly as strong, a side may be another card's.
        """
        likely = SIDE_WEIGHT * self.scores - 0.5 * ((SLIDES - common) / spread) ** 2
        best = int(np.argmax(likely))
        weights = np.exp(likely - likely[best])
        doubt = float(np.sqrt(weights @ (SLIDES - SLIDES[best]) ** 2 / weights.sum()))
        return float(SLIDES[best]), float(self.scores[best]), doubt


def cut_strips(frame: Frame, pose: Pose, card: Card, faces: Sequence[CardPlane], wanted: Sequence[int]) -> list[Cut]:
    """Cut the strips of the `wanted` among a rack's cards; `faces` are where their faces are, the nearest first."""
    if not wanted:
        return []
    wide = card.width + 2 * (ASIDE + SIDE_REACH)
    cut = [faces[place] for place in wanted]
    corners = np.array([face.points(np.array([-ASIDE - SIDE_REACH, card.height + ABOVE])) for face in cut])
    along, down = np.array([face.along for face in cut]), np.array([-face.up for face in cut])
    size = round(wide * SCALE), round((ABOVE + BELOW) * SCALE)
    greys = np.split(flatten(frame.grey, pose, corners, along, down, size), len(cut), axis=1)
    shown = _shown(pose, card, faces, wanted, size[0])
    # sides are edges of colour too, but need few pixels
    beside = corners + (ABOVE + CLEAR_OF_EDGE) * down
    few = round(wide / COLUMN), round(DEEPEST * BAND_ROWS)
    rows = flatten(frame.colour, pose, beside, along * (COLUMN * BAND_ROWS), down, few, BAND_ROWS)
    scores = _scores(rows, shown, card.width)
    return [Cut(*parts) for parts in zip(greys, shown, scores, strict=True)]


def trim(
    cuts: Mapping[int, tuple[Cut, EdgeLine, CardPlane]], pose: Pose, card: Card, common: float
) -> dict[int, Strip]:
    """Make the strips of some slots (0..9) from their cuts; `common` is how far, in mm, the rack's cards have slid."""
    if not cuts:
        return {}
    slides = {slot: cut.slide(common) for slot, (cut, _, _) in cuts.items()}
    corners = [
        face.points(
            np.array([[left, card.height], [left + card.width, card.height], [left + card.width, 0], [left, 0]])
        )
        for (left, _, _), (_, _, face) in zip(slides.values(), cuts.values(), strict=True)
    ]
    quads = pose.project(np.array(corners))
    strips = {}
    for quad, (slot, (cut, line, _)) in zip(quads, cuts.items(), strict=True):
        slide, sides, doubt = slides[slot]
        start = round((SIDE_REACH + slide) * SCALE)
        columns = slice(start, start + round((card.width + 2 * ASIDE) * SCALE))
        grey = np.ascontiguousarray(cut.grey[:, columns])
        strips[slot] = Strip(slot, grey, cut.shown[columns], quad, line.strength, sides, slide, doubt, line.belongs)
    return strips


def common_slide(cuts: Sequence[Cut]) -> float:
    """Give how far, in mm, most cards of a rack have slid: what the rack is off on its mat, they share."""
    return float(np.median([cut.slide(0.0, 2 * SIDE_SPREAD)[0] for cut in cuts])) if cuts else 0.0


def _shown(
    pose: Pose, card: Card, faces: Sequence[CardPlane], wanted: Sequence[int], width: int
) -> NDArray[np.float64]:
    """Give how many mm below its top edge the cards before it leave in view, by column of cuts: (wanted, width)."""
    camera, place = pose.camera(), np.array(wanted)
    corners, along, up = (np.array([getattr(face, name) for face in faces]) for name in ("corner", "along", "up"))
    normals, depth = np.cross(along, up)[place], corners[place] - camera
    # the shadow that a nearer card's top edge throws on a card's plane, seen from the camera; by card, nearer, end
    ends = np.array([face.points(np.array([[-2.0, card.height], [card.width + 2.0, card.height]])) for face in faces])
    rays = ends - camera
    reach = (depth * normals).sum(axis=1)[:, None, None] / np.einsum("nec,wc->wne", rays, normals)
    x = reach * np.einsum("nec,wc->wne", rays, along[place]) - (depth * along[place]).sum(axis=1)[:, None, None]
    y = reach * np.einsum("nec,wc->wne", rays, up[place]) - (depth * up[place]).sum(axis=1)[:, None, None]
    columns = (np.arange(width) + 0.5) / SCALE - ASIDE - SIDE_REACH
    slope = (y[..., 1] - y[..., 0]) / (x[..., 1] - x[..., 0])
    left = card.height - (y[..., :1] + slope[..., None] * (columns - x[..., :1]))
    before = place[:, None] - np.arange(len(faces))
    hides = ((before > 0) & (before <= HIDING))[..., None] & (columns >= x[..., :1]) & (columns <= x[..., 1:])
    return np.asarray(np.where(hides, left, card.height).min(axis=1).clip(0.0, card.height))


def _scores(rows: NDArray[np.uint8], shown: NDArray[np.float64], width: float) -> NDArray[np.float64]:
    """Say, for each cut and slide, how strong both side edges of the cut's card are there: (cuts, slides).

    `rows` are of all cuts side by side: COLUMN mm a pixel across, BAND_ROWS px a mm down from CLEAR_OF_EDGE on.
    """
    count = len(shown)
    visible = np.clip(np.sort(shown, axis=1)[:, shown.shape[1] // 5], 2.0, DEEPEST)
    pixels = rows.astype(np.float32).reshape(len(rows), count, -1).transpose(1, 0, 2)
    # what share of each row lies in each band: the last band ends where each card's visible part does
    high = (visible - CLEAR_OF_EDGE - 0.4)[:, None, None] * BAND_ROWS / BANDS
    starts = np.arange(BANDS)[:, None] * high
    row = np.arange(len(rows))
    shares = (np.minimum(row + 1, starts + high) - np.maximum(row, starts)).clip(0.0) / high
    left, right = _side_steps((shares.astype(np.float32) @ pixels).reshape(count, BANDS, -1, 3), width)
    return left + right


def side_steps(rows: NDArray[np.uint8], width: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give how strong (logarithm of 1 + contrast) a left and a right edge are, by slide, in BGR rows as wide as a cut.

    Both arrays go from -SIDE_REACH to SIDE_REACH mm, in steps of COLUMN mm, about where a card of `width` mm that
    has not slid has its edges.
    """
    size = round(rows.shape[1] / SCALE / COLUMN), BANDS
    bands = cv2.resize(rows, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    left, right = _side_steps(bands[None], width)
    return left[0], right[0]


def _side_steps(bands: NDArray[np.float32], width: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give the same for the bands of several cuts, (cuts, BANDS, columns, 3)."""
    count, _, columns, _ = bands.shape
    # the median over bands of rows passes over ink and embossed labels, which a card's edge outlasts
    middle = _middle_of_five(list(bands.swapaxes(0, 1)))
    step = round(STEP / COLUMN)
    sums = np.concatenate([np.zeros((count, 1, 3)), middle.cumsum(axis=1, dtype=np.float64)], axis=1)
    steps = np.zeros((count, columns))
    change = sums[:, 2 * step :] - 2 * sums[:, step:-step] + sums[:, : -2 * step]
    steps[:, step : 1 - step] = np.linalg.norm(change, axis=2) / step
    strength = np.log1p(steps / (np.median(steps, axis=1, keepdims=True) + 1.0))
    return _about(strength, 0.0), _about(strength, width)


def _middle_of_five(five: list[NDArray[np.float32]]) -> NDArray[np.float32]:
    """Give the median of five arrays, place by place."""
    for one, other in ((0, 1), (3, 4), (0, 3), (1, 4), (1, 2), (2, 3), (1, 2)):
        five[one], five[other] = np.minimum(five[one], five[other]), np.maximum(five[one], five[other])
    return five[2]


def _about(by_column: NDArray[np.float64], place: float) -> NDArray[np.float64]:
    """Give the part of values by column of some cuts that lies within SIDE_REACH of a place on the card (mm)."""
    reach, middle = round(SIDE_REACH / COLUMN), round((ASIDE + SIDE_REACH + place) / COLUMN)
    return by_column[:, middle - reach : middle + reach + 1]
