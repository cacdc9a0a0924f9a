"""Looks into the tray's two wells: whether a card lies there, how it lies, and its rectified face."""

from dataclasses import dataclass, replace
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Card, Side, Table
from vision.picture import grey_of
from vision.pose import Pose
from vision.rectify import SCALE, rectify
from vision.tray.imprint import logo_in, middle_by_twins, strokes, unlike_floor
from vision.tray.outline import PER_MM, Shades, find_outline
from vision.tray.sides import fit_sides

SIDES: Final[tuple[Side, Side]] = ("left", "right")
"""The wells, in the order in which they are kept."""
WELL_CENTRES = {"left": (97.0, 105.0), "right": (200.0, 105.0)}
"""Middles of the wells in mm of the tray's mat (TABLE.md, Tray)."""
TRAY_MIDDLE = (148.5, 105.0)
"""The tray stands in the middle of its mat, whatever size that has."""
WELL_VIEW = (108.0, 76.0)
"""Width and depth in mm of what is rectified about a well's middle: the well of 97 x 64 and its walls."""
PILE_HEIGHT = 3.0
"""Height in mm above the mat at which the wells are looked at: a floor and a pile of some cards."""
MARGIN = 4.0
"""A rectified card shows so many mm beyond its edges."""
PERHAPS, SEEN, CLEARLY = 5.0, 6.0, 8.0
"""Sides seen so well, of ENOUGH (vision.tray.outline): worth a look for a number, a card's, and seen clearly."""
PLAIN, PLAIN_OTHER = 1.7, 0.8
"""A well of the tray's own colour may be empty where it is less unlike a floor than the first, any other the second.

Few floors of 1300 drawn trays are above. Of their cards and piles 14 are below in grey levels, 4 also in colour.
"""
TWINS, WHITE = 0.5, 250.0
"""It is not empty where two prints are so certainly each other's half turn, nor where it is as bright as this and the
tray is not: bleached. (Of those 14 and 4 cards 8 and 2 have such twins; of 1864 floors none has more than 0.40.)"""
PRINTED, PERHAPS_PRINTED, NO_FLOORS = 2.2, 1.4, 2.4
"""A logo stands out so much (vision.tray.imprint), a hand hardly; the second does for clear sides of another colour. On
264 drawn floors nothing stood out more than 2.23: the third is a logo's, though noise hides that the rest is no floor.
"""
PRINTED_ALIKE = 2.7
"""In grey levels it has to stand out so much in a well that is as bright as its tray: seven of eight floors that passed
for cards on 3900 drawn pictures had less, in noise. Of 40 cards with less colours tell 36."""
ANOTHER, ANOTHER_HUE, ANOTHERS = 0.95, 0.075, 8.0
"""A well of the tray's colour may hold a card all the same where it is so unlike a floor, its hue differs so much from
the tray's, and a card's sides stand out so much: so do the five piles that passed for floors on those pictures (1400 of
them of trays in about the colour of the cards' backs), and 14 of 2731 floors."""
WALL = (np.linspace(-1.5, 1.5, 5), np.linspace(-22.0, 22.0, 23), 8.0)
"""The wall between the wells: places in mm across and along it, about its middle, and its height."""
INSIDE = (37, 22)
"""Half width and height in mm of a well's middle, where a card covers the floor wherever it lies."""
HUE, LIGHT, DARKEST = 0.25, 0.35, 16.0
"""The tray's colours differ among each other by less, in the logarithms of grey levels to which the third is added."""
BY_SIDES, BY_PRINT = 3.0, 1.5
"""How well, in mm, a card's place is known: of a loose pile badly, unless its print says where its middle is."""
CERTAIN = 0.5
"""The print says so with at least this certainty: 9 of 10 such middles are then within 0.9 mm along the card."""
PAPER = ((60.0, 25.0), (237.0, 25.0), (60.0, 185.0), (237.0, 185.0), (20.0, 105.0), (277.0, 105.0))
"""Places in mm where the tray's mat is blank paper."""


@dataclass(frozen=True)
class Well:
    """One well: `state` is "card" where a card's outline was found, "plain" where its floor is seen, else "unclear".

    `view` is the rectified well, BGR or grey, PER_MM px a mm, far side first; `outline` is how well a card's sides are
    seen in it. `quad` (4, 2) is the topmost card's corners in the picture, far left first and clockwise, and `wide`
    those of the card with MARGIN mm about it; None without even a faint outline. `spread` is how well, in mm, its place
    is known. `outside`: it is not looked at, for a part of it is out of the picture.
    """

    state: Literal["card", "plain", "unclear"]
    view: NDArray[np.uint8]
    outline: float
    quad: NDArray[np.float64] | None = None
    wide: NDArray[np.float64] | None = None
    spread: float = BY_SIDES
    outside: bool = False


def look_into(picture: NDArray[np.uint8], pose: Pose, table: Table, side: Side) -> Well:
    """Look into a well of the tray in a picture, BGR or grey; "unclear" also where it is not wholly in the picture."""
    x, y = WELL_CENTRES[side]
    width, depth = WELL_VIEW
    quad = _project(pose, np.array([[-width, depth], [width, depth], [width, -depth], [-width, -depth]]) / 2 + [x, y])
    view = rectify(picture, quad, (round(width * PER_MM), round(depth * PER_MM)))
    rows, columns = picture.shape[:2]
    if (quad < -0.06 * columns).any() or (quad > np.array([1.06 * columns, rows + 0.06 * columns])).any():
        return Well("unclear", view, 0.0, outside=True)
    small = np.asarray(cv2.resize(view, None, fx=1 / PER_MM, fy=1 / PER_MM, interpolation=cv2.INTER_AREA), np.uint8)
    paper = _paper(picture, pose)
    unlike = unlike_floor(small, paper)
    thin = strokes(small)
    logo = logo_in(thin, paper)
    # what stands out more is a card's logo, whatever its colour
    apart = _apart_from_tray(picture, pose, small) if logo < PRINTED_ALIKE else None
    alike = _is_alike(apart)
    plain = (alike and unlike < PLAIN and logo < NO_FLOORS) or (
        unlike < PLAIN_OTHER and float(np.median(small)) < WHITE
    )
    face_up = side != table.tray.draw
    twins = middle_by_twins(thin, table.card) if face_up or plain else None
    if plain and (twins is None or twins.certainty < TWINS):
        if unlike >= ANOTHER and apart is not None and np.ptp(apart) > ANOTHER_HUE:
            sides = find_outline(Shades.of(view), table.card, None).strength
            return Well("plain" if sides < ANOTHERS else "unclear", view, sides)
        return Well("plain", view, 0.0)
    middle = twins if face_up else None
    shades = Shades.of(view)
    outline = find_outline(shades, table.card, middle)
    if outline.strength < PERHAPS:
        return Well("unclear", view, outline.strength)
    if face_up:
        outline = fit_sides(shades, outline, table.card, middle)
    half = np.array([table.card.width, table.card.height]) / 2
    signs = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]])
    corners, wide = (_project(pose, outline.place(signs * size) + np.array([x, y])) for size in (half, half + MARGIN))
    by_print = middle is not None and middle.certainty >= CERTAIN
    printed = PRINTED_ALIKE if alike and picture.ndim == 2 else PRINTED
    is_card = outline.strength >= SEEN and (by_print or logo >= printed)
    if not is_card and outline.strength >= CLEARLY and logo >= PERHAPS_PRINTED:
        is_card = not alike
    spread = BY_PRINT if by_print else BY_SIDES
    return Well("card" if is_card else "unclear", view, outline.strength, corners, wide, spread)


def rectified_face(picture: NDArray[np.uint8], well: Well, card: Card) -> NDArray[np.uint8]:
    """Rectify the topmost card of a well with MARGIN mm about it, at SCALE px a mm; the well has one."""
    assert well.wide is not None  # noqa: S101 - who asks has looked
    return rectify(
        picture, well.wide, (round((card.width + 2 * MARGIN) * SCALE), round((card.height + 2 * MARGIN) * SCALE))
    )


def grey_face(picture: NDArray[np.uint8], well: Well, card: Card) -> NDArray[np.uint8]:
    """Rectify the topmost card as `rectified_face` does, in grey levels; `picture` is BGR or grey."""
    assert well.wide is not None  # noqa: S101 - who asks has looked
    left, top = np.floor(well.wide.min(axis=0)).astype(int).clip(0)
    right, bottom = np.ceil(well.wide.max(axis=0)).astype(int).clip(1) + 2
    near = replace(well, wide=well.wide - np.array([left, top]))
    return rectified_face(grey_of(picture[top:bottom, left:right]), near, card)


def _project(pose: Pose, flat: NDArray[np.float64]) -> NDArray[np.float64]:
    return pose.project(np.column_stack([flat, np.full(len(flat), PILE_HEIGHT)]))


def _paper(picture: NDArray[np.uint8], pose: Pose) -> float:
    """Give the brightness of the mat's paper in grey levels, the middle one of those places that are in the picture."""
    places = pose.project(np.array([(x, y, 0.0) for x, y in PAPER])).round().astype(int)
    rows, columns = picture.shape[:2]
    patches = (picture[y - 2 : y + 3, x - 2 : x + 3] for x, y in places if 2 <= x < columns - 2 and 2 <= y < rows - 2)
    seen = sorted(int(np.sort(patch, axis=None)[patch.size // 2]) for patch in patches)
    return float(seen[len(seen) // 2]) if seen else 0.0


def _apart_from_tray(picture: NDArray[np.uint8], pose: Pose, small: NDArray[np.uint8]) -> NDArray[np.floating] | None:
    """Give by how much a well, seen at 1 px a mm, is brighter than the wall between the wells, by colour.

    These are differences of the logarithms of grey levels to which DARKEST is added, (3,) or (1,); None where that wall
    is out of sight. A floor differs from it by shadows and by what it mirrors, a card by its own colour.
    """
    across, along, height = WALL
    x, y = np.meshgrid(across, along)
    middle_x, middle_y = TRAY_MIDDLE
    points = np.column_stack([middle_x + x.ravel(), middle_y + y.ravel(), np.full(x.size, height)])
    columns, rows = pose.project(points).round().astype(int).T
    seen = (rows >= 0) & (columns >= 0) & (rows < picture.shape[0]) & (columns < picture.shape[1])
    if np.count_nonzero(seen) < seen.size // 4:
        return None
    half, (row, column) = INSIDE, (size // 2 for size in small.shape[:2])
    inside = small[row - half[1] : row + half[1] : 2, column - half[0] : column + half[0] : 2]
    colours = 1 if picture.ndim == 2 else 3
    parts = inside.reshape(-1, colours), picture[rows[seen], columns[seen]].reshape(-1, colours)
    well, wall = (np.median(part, axis=0) for part in parts)
    return np.asarray(np.log(well + DARKEST) - np.log(wall + DARKEST))


def _is_alike(apart: NDArray[np.floating] | None) -> bool:
    """Whether a well has the tray's own colour, by how far it is apart from that; not where that is not known."""
    return apart is not None and bool(np.ptp(apart) < HUE and abs(float(apart.mean())) < LIGHT)
