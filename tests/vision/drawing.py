"""Draws small tables for the tests: mats with markers, racks with cards, trays with piles, from a known camera."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import MAT_SIZE, CameraModel, Table
from vision.mats import MARKER_CENTRES, MARKER_SIDE
from vision.tray.wells import WELL_CENTRES

WIDTH, HEIGHT, FOCAL = 1280, 720, 1000.0
CAMERA = CameraModel((WIDTH, HEIGHT), ((FOCAL, 0.0, 639.5), (0.0, FOCAL, 359.5), (0.0, 0.0, 1.0)))
PRINT = 5
"""Pixels a mm of what is drawn before it is put into the picture."""
CREAM, RED, BLUE, WHITE = (205, 225, 235), (40, 40, 170), (150, 60, 30), (245, 245, 245)
INK = (60, 40, 30)


@dataclass(frozen=True)
class Eye:
    """A camera above a mat: where it stands and what it looks at, in mm of the mat frame."""

    at: tuple[float, float, float] = (165.0, -190.0, 400.0)
    to: tuple[float, float, float] = (150.0, 110.0, 20.0)

    def project(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Project (n, 3) mm to (n, 2) pixels."""
        forward = np.subtract(self.to, self.at) / np.linalg.norm(np.subtract(self.to, self.at))
        right = np.cross(forward, [0.0, 0.0, 1.0])
        right /= np.linalg.norm(right)
        seen = (points - np.array(self.at)) @ np.stack([right, np.cross(forward, right), forward]).T
        return np.asarray(FOCAL * seen[:, :2] / seen[:, 2:] + [639.5, 359.5])


@dataclass(frozen=True)
class Rack:
    """What stands in a rack: cards by slot 0..9 (0 is a card turned round, missing is empty), and how they stand."""

    cards: Mapping[int, int]
    lean: float = 6.0
    slides: Mapping[int, float] = field(default_factory=dict)
    face: tuple[int, int, int] = CREAM
    one_place: bool = False


def empty_table() -> NDArray[np.uint8]:
    """Give a grey-brown table of one colour with a little texture."""
    noise = np.random.default_rng(1).normal(0, 2, (HEIGHT, WIDTH, 3))
    return np.clip(np.array([70, 90, 100]) + noise, 0, 255).astype(np.uint8)


def draw_mat(picture: NDArray[np.uint8], number: int, eye: Eye, places: Sequence[int] = (0, 1, 2, 3)) -> None:
    """Draw mat `number` (0 tray, 1..4 seats) with the markers at some places."""
    width, depth = (round(side * PRINT) for side in MAT_SIZE)
    paper = np.full((depth, width, 3), 235, np.uint8)
    side = round(MARKER_SIDE * PRINT)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for place in places:
        x, y = MARKER_CENTRES[place]
        left, top = round(x * PRINT - side / 2), round(depth - y * PRINT - side / 2)
        marker = cv2.aruco.generateImageMarker(dictionary, 4 * number + place, side)
        paper[top : top + side, left : left + side] = marker[:, :, None]
    corners = np.array([[0, MAT_SIZE[1], 0], [*MAT_SIZE, 0], [MAT_SIZE[0], 0, 0], [0, 0, 0]], dtype=np.float64)
    put(picture, paper, eye.project(corners))


def draw_rack(picture: NDArray[np.uint8], rack: Rack, table: Table, eye: Eye) -> None:
    """Draw a rack's block and its cards, the farthest first."""
    r, card = table.rack, table.card
    x, y = r.at
    block = [[x, y + r.depth, 0], [x + r.width, y + r.depth, 0], [x + r.width, y, 0], [x, y, 0]]
    put(picture, np.full((50, 50, 3), RED, np.uint8), eye.project(np.add(block, (0.0, 0.0, r.height))))
    lean = math.radians(rack.lean)
    for slot in sorted(rack.cards, reverse=True):
        left = x + r.margin + rack.slides.get(slot, 0.0)
        foot = y + r.first + slot * r.pitch
        low, high = (foot, r.floor), (foot + card.height * math.sin(lean), r.floor + card.height * math.cos(lean))
        right = left + card.width
        quad = np.array([[left, *high], [right, *high], [right, *low], [left, *low]])
        shade = 1.0 - 0.05 * (slot % 3)
        face = draw_card(rack.cards[slot], rack.face, one_place=rack.one_place)
        put(picture, np.asarray(face * shade, dtype=np.uint8), eye.project(quad))
    # the rack's front hides the lower part of its first card, and so does each wall between two slots
    for end in [r.first - 1.0] + [r.first + slot * r.pitch - 1.0 for slot in range(1, min(rack.cards, default=0) + 1)]:
        start = 0.0 if end < r.first else end - r.pitch + 3.0
        front = [[x, y + end, 0], [x + r.width, y + end, 0], [x + r.width, y + start, 0], [x, y + start, 0]]
        put(picture, np.full((50, 50, 3), RED, np.uint8), eye.project(np.add(front, (0.0, 0.0, r.height))))


def draw_card(number: int, face: tuple[int, int, int] = CREAM, *, one_place: bool = False) -> NDArray[np.uint8]:
    """Draw a card's face, 89 x 56 mm; number 0 draws a back."""
    card = np.full((56 * PRINT, 89 * PRINT, 3), face if number else BLUE, np.uint8)
    cv2.putText(card, "RACK-O", (22 * PRINT, 33 * PRINT), cv2.FONT_HERSHEY_DUPLEX, 2.0, RED if number else WHITE, 4)
    if number:
        left = 7.0 if one_place else 5.7 + (number - 1) * 67 / 59
        for _ in range(2):
            place = (round(left * PRINT), round(9 * PRINT))
            cv2.putText(card, str(number), place, cv2.FONT_HERSHEY_DUPLEX, 1.5, INK, 4, cv2.LINE_AA)
            card = np.ascontiguousarray(card[::-1, ::-1])
    card[:2] = card[-2:] = card[:, :2] = card[:, -2:] = np.array(face) // 2
    return card


def draw_pile(
    picture: NDArray[np.uint8],
    side: str,
    number: int | None,
    eye: Eye,
    *,
    turned: bool = False,
    face: NDArray[np.uint8] | None = None,
) -> None:
    """Draw a well of the tray and what lies in it: a card, 0 for a back, None for nothing; with a `face` of its own."""
    x, y = WELL_CENTRES[side]
    _flat(picture, np.full((64, 97, 3), (90, 30, 60), np.uint8), (x, y, 1.0), (97.0, 64.0), eye)
    if number is not None:
        face = draw_card(number) if face is None else face
        _flat(picture, face[::-1, ::-1] if turned else face, (x + 1, y - 1, 3.0), (89.0, 56.0), eye)


def _flat(
    picture: NDArray[np.uint8],
    image: NDArray[np.uint8],
    middle: tuple[float, float, float],
    size: tuple[float, float],
    eye: Eye,
) -> None:
    signs = np.array([[-1, 1, 0], [1, 1, 0], [1, -1, 0], [-1, -1, 0]])
    put(picture, image, eye.project(np.array(middle) + signs * np.array([size[0] / 2, size[1] / 2, 0.0])))


def put(picture: NDArray[np.uint8], image: NDArray[np.uint8], quad: NDArray[np.float64]) -> None:
    """Draw an image into a quadrilateral of the picture, given from its top left corner clockwise."""
    height, width = image.shape[:2]
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(source, quad.astype(np.float32))
    size = (picture.shape[1], picture.shape[0])
    drawn = cv2.warpPerspective(image, warp, size, flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.full((height, width), 255, np.uint8), warp, size)
    picture[mask > 127] = drawn[mask > 127]
