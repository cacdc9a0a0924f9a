"""Cuts the upper strip of each card of a rack out of a picture: where its sides are, and what of it is in view."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Card
from vision.edges import EdgeLine
from vision.picture import grey_of
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
COARSE = 2
"""Sides are sought in columns so many pixels wide."""
SIDE_REACH = 5.0
"""Cards are searched so far, in mm, to both sides of where the rack's measures put them."""
HIDING = 3
"""No more than so many cards before a card hide parts of its strip."""


@dataclass(frozen=True)
class Strip:
    """One card's upper strip, rectified in the card's own plane.

    `image` is (rows, columns, 3) BGR at SCALE px a mm: the card's top edge is at row ABOVE * SCALE and its left edge
    at column ASIDE * SCALE. `shown` gives, for each column, how many mm of the card below its top edge no nearer card
    hides. `quad` is (4, 2): the card's corners in the picture, from its top left clockwise. `edge` (0..1) says how
    much of the top edge, and `sides` how strongly both side edges, were really seen; `slide` is how far, in mm, the
    card stands to the right of where the rack's measures put it, and `doubt` its standard deviation. `belongs` (0..1):
    how sure it is that this is the slot's card and not a slot's beside.
    """

    slot: int
    image: NDArray[np.uint8]
    shown: NDArray[np.float64]
    quad: NDArray[np.float64]
    edge: float
    sides: float
    slide: float
    doubt: float
    belongs: float

    def grey(self) -> NDArray[np.uint8]:
        """Give the strip in grey levels, (rows, columns)."""
        return grey_of(self.image)


@dataclass(frozen=True)
class Cut:
    """A strip before its card's sides are known: SIDE_REACH mm wider at both ends, and `scores` of slides.

    `scores` say how strong both sides are for slides from -SIDE_REACH to SIDE_REACH mm in steps of COARSE pixels.
    """

    image: NDArray[np.uint8]
    shown: NDArray[np.float64]
    scores: NDArray[np.float64]

    def slide(self, common: float, spread: float = SIDE_SPREAD) -> tuple[float, float, float]:
        """Choose the slide in mm about a common one; give it, the strength of the card's sides there, and its doubt.

        The doubt is a standard deviation in mm: where other sides are nearly as strong, a side may be another card's.
        """
        slides = _slides()
        likely = SIDE_WEIGHT * self.scores - 0.5 * ((slides - common) / spread) ** 2
        best = int(np.argmax(likely))
        weights = np.exp(likely - likely[best])
        doubt = float(np.sqrt(weights @ (slides - slides[best]) ** 2 / weights.sum()))
        return float(slides[best]), float(self.scores[best]), doubt


def cut_strip(picture: NDArray[np.uint8], pose: Pose, card: Card, face: CardPlane, nearer: Sequence[CardPlane]) -> Cut:
    """Cut a card's strip where its face is; `nearer` are the faces of the cards before it, the nearest last."""
    width = round((card.width + 2 * (ASIDE + SIDE_REACH)) * SCALE)
    corner = face.points(np.array([-ASIDE - SIDE_REACH, card.height + ABOVE]))
    image = flatten(picture, pose, corner, face.along, -face.up, (width, round((ABOVE + BELOW) * SCALE)))
    shown = _shown(pose, card, face, nearer[-HIDING:], width)
    return Cut(image, shown, _scores(image, shown, card.width))


def trim(cut: Cut, slot: int, line: EdgeLine, face: CardPlane, pose: Pose, card: Card, common: float) -> Strip:  # noqa: PLR0913, PLR0917 - what a strip is made of
    """Make the strip of a slot (0..9) from its cut; `common` is how far, in mm, the rack's cards have slid."""
    slide, sides, doubt = cut.slide(common)
    start = round((SIDE_REACH + slide) * SCALE)
    columns = slice(start, start + round((card.width + 2 * ASIDE) * SCALE))
    right = slide + card.width
    quad = face.points(np.array([[slide, card.height], [right, card.height], [right, 0], [slide, 0]]))
    image = np.ascontiguousarray(cut.image[:, columns])
    return Strip(slot, image, cut.shown[columns], pose.project(quad), line.strength, sides, slide, doubt, line.belongs)


def common_slide(cuts: Sequence[Cut]) -> float:
    """Give how far, in mm, most cards of a rack have slid: what the rack is off on its mat, they share."""
    return float(np.median([cut.slide(0.0, 2 * SIDE_SPREAD)[0] for cut in cuts])) if cuts else 0.0


def _slides() -> NDArray[np.float64]:
    reach = round(SIDE_REACH * SCALE / COARSE)
    return np.arange(-reach, reach + 1) * COARSE / SCALE


def _shown(pose: Pose, card: Card, face: CardPlane, nearer: Sequence[CardPlane], width: int) -> NDArray[np.float64]:
    """Give, for each column of a cut, how many mm below its top edge the cards before it leave in view."""
    columns = (np.arange(width) + 0.5) / SCALE - ASIDE - SIDE_REACH
    shown = np.full(width, card.height)
    camera = pose.camera()
    normal = np.cross(face.along, face.up)
    for near in nearer:
        # the shadow that the nearer card's top edge throws on this card's plane, seen from the camera
        ends = near.points(np.array([[-2.0, card.height], [card.width + 2.0, card.height]]))
        rays = ends - camera
        reach = ((face.corner - camera) @ normal) / (rays @ normal)
        on_card = camera + rays * reach[:, None] - face.corner
        x, y = on_card @ face.along, card.height - on_card @ face.up
        inside = (columns >= x[0]) & (columns <= x[1])
        shown[inside] = np.minimum(shown[inside], np.interp(columns[inside], x, y))
    return np.asarray(np.clip(shown, 0.0, card.height))


def _scores(image: NDArray[np.uint8], shown: NDArray[np.float64], width: float) -> NDArray[np.float64]:
    """Say, for each slide, how strong both side edges of a cut's card are there."""
    visible = float(np.clip(np.sort(shown)[len(shown) // 5], 2.0, 9.0))
    left, right = side_steps(image[round((ABOVE + 0.8) * SCALE) : round((ABOVE + visible - 0.4) * SCALE)], width)
    return left + right


def side_steps(rows: NDArray[np.uint8], width: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give how strong (logarithm of 1 + contrast) a left and a right edge are, by slide, in rows of a cut.

    Both arrays go from -SIDE_REACH to SIDE_REACH mm, in steps of COARSE pixels, about where a card of `width` mm that
    has not slid has its edges.
    """
    # the median over bands of rows passes over ink and embossed labels, which a card's edge outlasts
    bands = cv2.resize(rows, (rows.shape[1] // COARSE, 5), interpolation=cv2.INTER_AREA).astype(np.float64)
    step = round(STEP * SCALE / COARSE)
    sums = np.concatenate([np.zeros((1, 3)), np.sort(bands, axis=0)[2].cumsum(axis=0)])
    steps = np.zeros(bands.shape[1])
    steps[step : 1 - step] = np.linalg.norm(sums[2 * step :] - 2 * sums[step:-step] + sums[: -2 * step], axis=1) / step
    strength = np.log1p(steps / (float(np.median(steps)) + 1.0))
    return _about(strength, 0.0), _about(strength, width)


def _about(by_column: NDArray[np.float64], place: float) -> NDArray[np.float64]:
    """Give the part of values by coarse column of a cut that lies within SIDE_REACH of a place on the card (mm)."""
    reach, middle = round(SIDE_REACH * SCALE / COARSE), round((ASIDE + SIDE_REACH + place) * SCALE / COARSE)
    return by_column[middle - reach : middle + reach + 1]
