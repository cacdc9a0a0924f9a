"""Cuts the ten cards of a rack out of a picture: where their edges are, and each card's upper strip."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.table import SLOTS, Card, Table
from vision.edges import EdgeLine, Hint, top_edges
from vision.matching import gain_of
from vision.numbers import find_marks
from vision.picture import grey_of
from vision.planes import ASIDE, SCALE, CardPlane, look_down, rectify, top_plane
from vision.pose import Pose

ABOVE = 3.0
BELOW = 14.0
"""A strip shows so many mm above and below a card's top edge."""
SIDES = 2.0
"""Both side edges of a card together stand out at least this much where a card is believed."""
CLEARLY = 20.0
"""An explanation that is so much worse (natural logarithm) need not be looked at."""
NUMBER_BELOW, NUMBER_SPREAD = 2.7, 0.8
"""How far below its card's edge a number begins, and its standard deviation, in mm (TABLE.md: 2..3)."""
GHOST = 0.6
"""An edge without a card's sides speaks against its explanation by this share of what it gained."""
HELP = 10.0
"""What the cards' sides may add, in natural logarithms, to one explanation of a rack against the other."""
MARGIN_SCALE = 2.5
"""The difference of two explanations' logarithms is divided by this: edges are no independent witnesses."""
SIDE_SPREAD = 2.5
"""Standard deviation in mm of a card's slide in its slot, about the rack's common offset."""
SIDE_WEIGHT = 3.0
"""How much the logarithm of an edge's contrast counts against the likelihood of a slide."""
STEP = 6
"""A side edge is the step between the means of so many columns to its left and right."""
SIDE_REACH = 5.0
"""Cards are searched so far, in mm, to both sides of where the rack's measures put them."""


@dataclass(frozen=True)
class Strip:
    """One card's upper strip, rectified in the card's own plane.

    `image` is (rows, columns, 3) BGR at SCALE px a mm: the card's top edge is at row ABOVE * SCALE and its left edge
    at column ASIDE * SCALE. `shown` gives, for each column, how many mm of the card below its top edge no nearer card
    hides. `quad` is (4, 2): the card's corners in the picture, from its top left clockwise. `edge` (0..1) says how
    much of the top edge, and `sides` how strongly both side edges, were really seen; `slide` is how far, in mm, the
    card stands to the right of where the rack's measures put it. `belongs` (0..1): how sure it is that this is the
    slot's card and not a slot's beside.
    """

    slot: int
    image: NDArray[np.uint8]
    shown: NDArray[np.float64]
    quad: NDArray[np.float64]
    edge: float
    sides: float
    slide: float
    belongs: float

    def grey(self) -> NDArray[np.uint8]:
        """Give the strip in grey levels, (rows, columns)."""
        return grey_of(self.image)


@dataclass(frozen=True)
class RackView:
    """A rack seen from above: `top` is the plane of the cards' top edges, rectified (rows run from far to near).

    `lines`, `faces` and `strips` have one entry a slot, None where no card's top edge was found. `rows` is where the
    rack's measures put the edges. `faint` is how strong (0..1) an edge may still hide where
    a slot has no line. `which` (0..1) is how sure it is that the rack is not taken for one a slot off.
    """

    top: NDArray[np.uint8]
    rows: NDArray[np.float64]
    lines: tuple[EdgeLine | None, ...]
    faces: tuple[CardPlane | None, ...]
    strips: tuple[Strip | None, ...]
    faint: tuple[float, ...]
    which: float = 1.0


def view_rack(picture: NDArray[np.uint8], pose: Pose, table: Table) -> RackView:
    """Find the cards of a rack in a BGR picture and cut their strips."""
    plane = top_plane(table)
    top = look_down(picture, pose, plane)
    rack, lean = table.rack, math.radians(table.rack.lean)
    near = rack.at[1] + rack.first + table.card.height * math.sin(lean)
    rows = np.array([(plane.far - near - slot * rack.pitch) * SCALE for slot in range(SLOTS)])
    columns = ((ASIDE + 3) * SCALE, (ASIDE + table.card.width - 3) * SCALE)
    views = []
    squeeze = _squeeze(pose, table)
    marks = find_marks(grey_of(top), (round(columns[0]), round(columns[1])), squeeze)
    below, spread = NUMBER_BELOW * squeeze * SCALE, NUMBER_SPREAD * squeeze * SCALE
    hints = [Hint(row - below, column, spread) for row, column in marks]
    for edges in top_edges(top, rows, columns, SCALE, hints):
        faces = tuple(CardPlane.of(slot, line, plane, table) if line else None for slot, line in enumerate(edges.lines))
        view = RackView(top, rows, edges.lines, faces, _strips(picture, pose, table, edges.lines, faces), edges.faint)
        # an edge without a card's sides (the mat's own edge, a hand) must not speak for its explanation
        ghosts = (strip.edge for strip in view.strips if strip is not None and strip.sides < SIDES)
        against = GHOST * sum(max(gain_of(strength), 0.0) for strength in ghosts)
        views.append((edges.value - against, edges.value, view))
        if edges.value - views[0][0] < -CLEARLY:
            break
    views.sort(key=lambda item: -item[0])
    if len(views) == 1:
        return views[0][2]
    # a hand hides sides too, so these may help an explanation but not turn a clear one round
    margin = min(views[0][0] - views[1][0], views[0][1] - views[1][1] + HELP)
    return replace(views[0][2], which=1 / (1 + math.exp(-margin / MARGIN_SCALE)))


def _squeeze(pose: Pose, table: Table) -> float:
    """Give how high, in mm, a mm of an upright card looks in the plane of the top edges: what hides behind it."""
    rack = table.rack
    middle = np.array([rack.at[0] + rack.margin + table.card.width / 2, rack.at[1] + rack.depth / 2])
    away = pose.camera() - np.array([*middle, rack.floor + table.card.height])
    return float(np.clip(np.hypot(away[0], away[1]) / max(away[2], 1.0), 0.15, 2.0))


def without(view: RackView, ghosts: Sequence[int], picture: NDArray[np.uint8], pose: Pose, table: Table) -> RackView:
    """Give the view without the cards of some slots (0..9), whose edges were none: what they hid is in view again."""
    lines = tuple(None if slot in ghosts else line for slot, line in enumerate(view.lines))
    faces = tuple(None if slot in ghosts else face for slot, face in enumerate(view.faces))
    return replace(view, lines=lines, faces=faces, strips=_strips(picture, pose, table, lines, faces))


def _strips(
    picture: NDArray[np.uint8],
    pose: Pose,
    table: Table,
    lines: Sequence[EdgeLine | None],
    faces: Sequence[CardPlane | None],
) -> tuple[Strip | None, ...]:
    card = table.card
    cuts = [_cut(picture, pose, face, card, 0.0) if face else None for face in faces]
    hidden = [_shown(pose, slot, faces, table) if face else None for slot, face in enumerate(faces)]
    sides = [
        _side_scores(cut, shown, card.width) if cut is not None and shown is not None else None
        for cut, shown in zip(cuts, hidden, strict=True)
    ]
    # cards share what the rack is off: a first choice each, then again about their median
    first = [_slide(side, 0.0, 2 * SIDE_SPREAD)[0] for side in sides if side is not None]
    common = float(np.median(first)) if first else 0.0
    strips: list[Strip | None] = []
    for slot, (face, line, side, shown) in enumerate(zip(faces, lines, sides, hidden, strict=True)):
        if face is None or line is None or side is None or shown is None:
            strips.append(None)
            continue
        slide, strength = _slide(side, common, SIDE_SPREAD)
        right = slide + card.width
        outline = np.array([[slide, card.height], [right, card.height], [right, 0], [slide, 0]])
        image = _cut(picture, pose, face, card, slide)
        moved = np.roll(shown, -round(slide * SCALE))
        strips.append(
            Strip(slot, image, moved, pose.project(face.points(outline)), line.strength, strength, slide, line.belongs)
        )
    return tuple(strips)


def _cut(picture: NDArray[np.uint8], pose: Pose, face: CardPlane, card: Card, slide: float) -> NDArray[np.uint8]:
    left, right, above, below = slide - ASIDE, slide + card.width + ASIDE, card.height + ABOVE, card.height - BELOW
    quad = pose.project(face.points(np.array([[left, above], [right, above], [right, below], [left, below]])))
    return rectify(picture, quad, (round((card.width + 2 * ASIDE) * SCALE), round((ABOVE + BELOW) * SCALE)))


def _shown(pose: Pose, slot: int, faces: Sequence[CardPlane | None], table: Table) -> NDArray[np.float64]:
    """Give, for each column of a strip, how many mm below its top edge the cards before it leave in view."""
    card, face = table.card, faces[slot]
    columns = np.arange(round((card.width + 2 * ASIDE) * SCALE)) / SCALE - ASIDE
    shown = np.full(len(columns), card.height)
    if face is None:
        return shown
    camera = pose.camera()
    normal = np.cross(face.along, face.up)
    for near in faces[:slot]:
        if near is None:
            continue
        # the shadow that the nearer card's top edge throws on this card's plane, seen from the camera
        ends = near.points(np.array([[-2.0, card.height], [card.width + 2.0, card.height]]))
        rays = ends - camera
        reach = ((face.corner - camera) @ normal) / (rays @ normal)
        on_card = camera + rays * reach[:, None] - face.corner
        x, y = on_card @ face.along, card.height - on_card @ face.up
        inside = (columns >= x[0]) & (columns <= x[1])
        shown[inside] = np.minimum(shown[inside], np.interp(columns[inside], x, y))
    return np.asarray(np.clip(shown, 0.0, card.height))


def _side_scores(cut: NDArray[np.uint8], shown: NDArray[np.float64], width: float) -> NDArray[np.float64]:
    """Give, for each slide from -SIDE_REACH to SIDE_REACH mm in pixel steps, how strong both side edges are there."""
    visible = float(np.clip(np.percentile(shown, 20), 2.0, 9.0))
    left, right = side_steps(cut[round((ABOVE + 0.8) * SCALE) : round((ABOVE + visible - 0.4) * SCALE)], width)
    return np.asarray(left + right)


def side_steps(rows: NDArray[np.uint8], width: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give how strong (logarithm of 1 + contrast) a left and a right edge are, by slide, in rows of a rectified card.

    Both arrays go from -SIDE_REACH to SIDE_REACH mm about where a card of `width` mm that has not slid has its edges.
    """
    # the median over rows passes over ink and embossed labels, which a card's edge outlasts
    sums = np.concatenate([np.zeros((1, 3)), np.median(rows, axis=0).cumsum(axis=0)])
    steps = np.zeros(rows.shape[1])
    steps[STEP:-STEP] = (
        np.linalg.norm(sums[2 * STEP : -1] - 2 * sums[STEP : -STEP - 1] + sums[: -2 * STEP - 1], axis=1) / STEP
    )
    reach, left, right = round(SIDE_REACH * SCALE), round(ASIDE * SCALE), round((ASIDE + width) * SCALE)
    strength = np.log1p(steps / (float(np.median(steps)) + 1.0))
    return strength[left - reach : left + reach + 1], strength[right - reach : right + reach + 1]


def _slide(scores: NDArray[np.float64], centre: float, spread: float) -> tuple[float, float]:
    """Choose the slide in mm with the strongest side edges, and say how strong (0..1) they are."""
    slides = (np.arange(len(scores)) - len(scores) // 2) / SCALE
    best = int(np.argmax(SIDE_WEIGHT * scores - 0.5 * ((slides - centre) / spread) ** 2))
    return float(slides[best]), float(scores[best])
