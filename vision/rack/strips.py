"""Cuts the upper strip of each card of a rack out of a picture: where its sides are, and what of it is in view."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Card
from vision.frame import Frame
from vision.picture import exact
from vision.pose import Pose
from vision.rack.edges import EdgeLine
from vision.rack.planes import ASIDE, CardPlane
from vision.rectify import SCALE, flatten, in_picture, places

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
    ASIDE * SCALE. `shown` gives, for each column, how many mm of the card below its top edge no nearer card hides, and
    0 where that is out of the picture. `quad` is (4, 2): the card's corners in the picture, from its top left
    clockwise. `edge` (0..1) says how much of the top edge, and `sides` how strongly both side edges, were really seen;
    `slide` is how far, in mm, the card stands to the right of where the rack's measures put it, and `doubt` its
    standard deviation. `belongs` (0..1): how sure it is that this is the slot's card and not a slot's beside.
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

    @property
    def is_cut_off(self) -> bool:
        """Whether a part of the card's top is out of the picture."""
        return bool((self.shown[round(ASIDE * SCALE) : -round(ASIDE * SCALE)] <= 0).any())


@dataclass(frozen=True)
class Sides:
    """How much of some cards is in view, and how strongly their sides are seen.

    `shown` (cards, columns) is how many mm below its top edge no nearer card hides, at SCALE px a mm, from ASIDE and
    SIDE_REACH mm beside where the measures put the card. `steps` (cards, columns) say how strong (logarithm of 1 +
    contrast) a side edge would be, in columns of COLUMN mm from there on; `scores` (cards, slides) how strong both
    sides are for slides from -SIDE_REACH to SIDE_REACH mm in steps of COLUMN mm.
    """

    shown: NDArray[np.float64]
    steps: NDArray[np.float64]
    scores: NDArray[np.float64]

    def slides(
        self, common: float, spread: float = SIDE_SPREAD
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Choose slides in mm about a common one; give them, the strength of the cards' sides there, and their doubt.

        The doubt is a standard deviation in mm: where other sides are nearly as strong, a side may be another card's.
        """
        likely = SIDE_WEIGHT * self.scores - 0.5 * ((SLIDES - common) / spread) ** 2
        cards, best = np.arange(len(likely)), likely.argmax(axis=1)
        weights = np.exp(likely - likely[cards, best][:, None])
        off = SLIDES - SLIDES[best][:, None]
        doubts = np.sqrt((weights * off * off).sum(axis=1) / weights.sum(axis=1))
        return SLIDES[best], self.scores[cards, best], doubts

    def common(self) -> float:
        """Give how far, in mm, most cards have slid: what the rack is off on its mat, they share."""
        return float(median(self.slides(0.0, 2 * SIDE_SPREAD)[0].tolist())) if len(self.scores) else 0.0


def find_sides(frame: Frame, pose: Pose, card: Card, faces: CardPlane, wanted: Sequence[int]) -> Sides:
    """Look for the sides of the `wanted` among a rack's cards, whose `faces` (n, 3) are given, the nearest first."""
    wide = card.width + 2 * (ASIDE + SIDE_REACH)
    if not wanted:
        return Sides(
            np.zeros((0, round(wide * SCALE))), np.zeros((0, round(wide / COLUMN))), np.zeros((0, len(SLIDES)))
        )
    own = faces[wanted]
    shown = _shown(pose, card, faces, np.array(wanted), round(wide * SCALE))
    # sides are edges of colour too, but need few pixels
    beside = own.points(np.array([[-ASIDE - SIDE_REACH, card.height - CLEAR_OF_EDGE]]))
    few = round(wide / COLUMN), round(DEEPEST * BAND_ROWS)
    across = own.along * (COLUMN * BAND_ROWS)
    rows = flatten(frame.colour, pose, beside, across, -own.up, few, BAND_ROWS, beyond=cv2.BORDER_REPLICATE)
    steps = _steps(rows, shown)
    return Sides(shown, steps, _about(steps, 0.0) + _about(steps, card.width))


def cut_strips(  # noqa: PLR0913, PLR0917 - a picture and its pose, cards with their planes and sides
    frame: Frame, pose: Pose, card: Card, lines: Mapping[int, EdgeLine], faces: CardPlane, sides: Sides, common: float
) -> dict[int, Strip]:
    """Cut the strips of some slots (0..9), whose `lines`, `faces` (n, 3) and `sides` are given in the same order.

    `common` is how far, in mm, the rack's cards have slid.
    """
    if not lines:
        return {}
    slides, strengths, doubts = sides.slides(common)
    starts = np.round((begin_of(slides) + ASIDE + SIDE_REACH) * SCALE).astype(int)
    corners = _corners_of_strips(card, faces, slides)
    greys = _cut(frame.grey, pose, card, faces, corners)
    flat = np.array([[0.0, card.height], [card.width, card.height], [card.width, 0.0], [0.0, 0.0]])[:, None]
    quads = pose.project(faces.points(flat + np.array([slides, 0.0 * slides]).T)).swapaxes(0, 1)
    within = _within_picture(frame, pose, card, faces, corners, quads)
    strips = {}
    for place, (slot, line) in enumerate(lines.items()):
        shown = sides.shown[place, starts[place] : starts[place] + greys[place].shape[1]]
        shown = np.minimum(shown, within[place])
        seen = float(strengths[place]), float(slides[place]), float(doubts[place])
        strips[slot] = Strip(slot, greys[place], shown, quads[place], line.strength, *seen, line.belongs)
    return strips


def strips_again(
    grey: NDArray[np.uint8], pose: Pose, card: Card, faces: CardPlane, strips: Sequence[Strip]
) -> list[NDArray[np.uint8]]:
    """Cut strips out of another grey picture at the very places where they were, on their `faces` (n, 3)."""
    return _cut(grey, pose, card, faces, _corners_of_strips(card, faces, np.array([strip.slide for strip in strips])))


def _corners_of_strips(card: Card, faces: CardPlane, slides: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give where strips begin, (n, 3) mm of the mat frame."""
    begins = begin_of(slides)
    return faces.points(np.array([begins, np.full(len(begins), card.height + ABOVE)]).T)


def _size_of_strips(card: Card) -> tuple[int, int]:
    return round((card.width + 2 * ASIDE) * SCALE), round((ABOVE + BELOW) * SCALE)


def _cut(
    grey: NDArray[np.uint8], pose: Pose, card: Card, faces: CardPlane, corners: NDArray[np.float64]
) -> list[NDArray[np.uint8]]:
    # black beyond the picture's border would be the darkest ink of all
    beyond = cv2.BORDER_REPLICATE
    seen = flatten(grey, pose, corners, faces.along, -faces.up, _size_of_strips(card), beyond=beyond)
    return np.split(seen, len(corners), axis=1)


def _within_picture(  # noqa: PLR0913, PLR0917 - as cut_strips
    frame: Frame,
    pose: Pose,
    card: Card,
    faces: CardPlane,
    corners: NDArray[np.float64],
    quads: NDArray[np.float64],
) -> list[NDArray[np.float64]]:
    """Give how many mm below its top edge each card is in the picture, by column of its strip: 0 where that is not.

    The strips begin at `corners`, (n, 3) mm of the mat frame; `quads` (n, 4, 2) are the cards in the picture.
    """
    size = _size_of_strips(card)
    if in_picture(quads[..., 0], quads[..., 1], frame.size).all():
        return [np.full(size[0], np.inf)] * len(quads)
    outside = ~in_picture(*places(pose, corners, faces.along, -faces.up, size, SCALE), frame.size)
    within = np.where(outside.any(axis=0), (outside.argmax(axis=0) / SCALE - ABOVE).clip(0.0), np.inf)
    return np.split(within, len(corners))


def begin_of(slides: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give where strips begin, in mm from the cards' usual left side, by their slides: at whole pixels.

    Sampled again at the same places, what has not changed looks the same.
    """
    return np.asarray(np.round((SIDE_REACH + slides) * SCALE) / SCALE - ASIDE - SIDE_REACH)


def _shown(pose: Pose, card: Card, faces: CardPlane, wanted: NDArray[np.int64], width: int) -> NDArray[np.float64]:
    """Give how many mm below its top edge the cards before it leave in view, by column of cuts: (wanted, width)."""
    camera, own = pose.camera(), faces[wanted]
    before = wanted[:, None] - 1 - np.arange(HIDING)
    (right, away, _), (_, behind, above), depth = own.along.T, own.up.T, own.corner - camera
    # a cross product: a card's long side is level, and its short one leans neither right nor left
    normals = np.array([away * above, -right * above, right * behind]).T
    # the shadow that a nearer card's top edge throws on a card's plane, seen from the camera; by end, card, nearer
    ends = faces.points(np.array([[[-2.0, card.height]], [[card.width + 2.0, card.height]]]))
    rays = ends[:, before.clip(0)] - camera
    reach = (depth * normals).sum(axis=1)[:, None] / np.einsum("enhc,nc->enh", rays, normals)
    met = reach[..., None] * rays - depth[:, None]
    (x, other_x), (y, other_y) = (np.einsum("enhc,nc->enh", met, axis)[..., None] for axis in (own.along, own.up))
    columns = (np.arange(width) + 0.5) / SCALE - ASIDE - SIDE_REACH
    left = card.height - y - (other_y - y) / (other_x - x) * (columns - x)
    hides = (before >= 0)[..., None] & (columns >= x) & (columns <= other_x)
    return np.asarray(np.where(hides, left, card.height).min(axis=1).clip(0.0, card.height))


def _steps(rows: NDArray[np.uint8], shown: NDArray[np.float64]) -> NDArray[np.float64]:
    """Say, for each cut and column, how strong a side edge would be there (Sides.steps).

    `rows` are of all cuts side by side: COLUMN mm a pixel across, BAND_ROWS px a mm down from CLEAR_OF_EDGE on.
    """
    count = len(shown)
    rank = shown.shape[1] // 5
    visible = np.partition(shown, rank, axis=1)[:, rank].clip(2.0, DEEPEST)
    colours = 1 if rows.ndim == 2 else rows.shape[2]
    pixels = exact(rows).reshape(len(rows), count, -1).transpose(1, 0, 2)
    # what share of each row lies in each band: the last band ends where each card's visible part does
    high = (visible - CLEAR_OF_EDGE - 0.4)[:, None, None] * BAND_ROWS / BANDS
    starts = np.arange(BANDS)[:, None] * high
    row = np.arange(len(rows))
    shares = (np.minimum(row + 1, starts + high) - np.maximum(row, starts)).clip(0.0) / high
    bands = (shares.astype(np.float32) @ pixels).reshape(count, BANDS, -1, colours)
    # the median over bands of rows passes over ink and embossed labels, which a card's edge outlasts
    middle = _middle_of_five(list(bands.swapaxes(0, 1)))
    columns, step = middle.shape[1], round(STEP / COLUMN)
    sums = np.concatenate([np.zeros((count, 1, colours)), middle.cumsum(axis=1, dtype=np.float64)], axis=1)
    steps = np.zeros((count, columns))
    change = sums[:, 2 * step :] - 2 * sums[:, step:-step] + sums[:, : -2 * step]
    steps[:, step : 1 - step] = np.sqrt(np.einsum("nxc,nxc->nx", change, change)) / step
    ranks = (columns - 1) // 2, columns // 2
    usual = np.partition(steps, ranks, axis=1)[:, ranks].mean(axis=1, keepdims=True)
    return np.asarray(np.log1p(steps / (usual + 1.0)))


def _middle_of_five(five: list[NDArray[np.float32]]) -> NDArray[np.float32]:
    """Give the median of five arrays, place by place."""
    for one, other in ((0, 1), (3, 4), (0, 3), (1, 4), (1, 2), (2, 3), (1, 2)):
        five[one], five[other] = np.minimum(five[one], five[other]), np.maximum(five[one], five[other])
    return five[2]


def _about(by_column: NDArray[np.float64], place: float) -> NDArray[np.float64]:
    """Give the part of values by column of some cuts that lies within SIDE_REACH of a place on the card (mm)."""
    reach, middle = round(SIDE_REACH / COLUMN), round((ASIDE + SIDE_REACH + place) / COLUMN)
    return by_column[:, middle - reach : middle + reach + 1]
